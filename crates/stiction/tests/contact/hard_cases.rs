//! Bad situations: they work, or say that they do not; nothing is ever not a number.

use std::f64::consts::FRAC_PI_2;

use crate::support::*;
use stiction::body::{Cloth, Obstacle, Shape, Solid};
use stiction::contact::{Friction, Roles};
use stiction::energy::OrthotropicModuli;
use stiction::material::{Damping, Fabric, Material, Stretch};
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh};
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn quick(integrator: Integrator, h: f64) -> Settings {
    let mut settings = settings(integrator, h, Law::default());
    settings.smooth().solver.tolerance = 1e-5;
    settings
}

/// What a run showed.
#[derive(Debug, Default)]
struct Seen {
    /// Steps that did not converge.
    unconverged: usize,
    /// Attempts that failed and were halved.
    halved: usize,
    /// The fastest vertex at any time [m/s].
    speed: f64,
    /// Most iterations of a stage.
    iterations: usize,
    /// Smallest gap at the end [m].
    gap: f64,
    /// Most contacts at a time.
    touching: usize,
}

#[track_caller]
fn watch(simulation: &mut Simulation, steps: usize) -> Seen {
    let mut seen = Seen::default();
    for step in 0..steps {
        let report = simulation.step();
        assert!(is_finite(simulation), "not finite at step {step}: {report:?}");
        assert!(simulation.energies().total().is_finite(), "energy at step {step}");
        for contact in simulation.contacts() {
            let numbers =
                [contact.gap, contact.normal_force, contact.friction.norm(), contact.slid];
            assert!(numbers.iter().all(|x| x.is_finite()), "step {step}: {contact:?}");
        }
        seen.unconverged += usize::from(!report.converged());
        seen.halved += report.failed_attempts;
        seen.iterations = seen.iterations.max(most_iterations(&report));
        seen.touching = seen.touching.max(report.contact.touching);
        seen.gap = report.contact.smallest_gap;
        let v = simulation.trajectory().v.chunks_exact(3);
        seen.speed = v.map(|v| v[0].hypot(v[1]).hypot(v[2])).fold(seen.speed, f64::max);
    }
    seen
}

fn block(size: [f64; 3], cells: [usize; 3]) -> Solid {
    let damping = Damping { mass: 0.0, stiffness: 1e-3 };
    let material = Material::SILICONE.with_damping(damping).expect("valid");
    Solid::cuboid(size, cells).expect("valid").material(material)
}

/// Two cubes of 0.2 m that overlap by `depth`, at rest, with nothing else around.
fn overlapping(roles: Roles, depth: f64) -> (Seen, f64) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let a = scene.add(block([0.2; 3], [3; 3]));
    let b = scene.add(block([0.2; 3], [4; 3]).at([0.01, 0.2 - depth, 0.013]));
    scene.contact(a, b).roles = roles;
    let settings = quick(Integrator::BackwardEuler, 0.01);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let seen = watch(&mut simulation, 80);
    (seen, middle(&simulation, b).y - middle(&simulation, a).y)
}

#[track_caller]
fn separates_gently(roles: Roles, depth: f64) {
    let (seen, apart) = overlapping(roles, depth);
    assert_eq!(seen.unconverged, 0, "{roles:?}, {depth}: {seen:?}");
    // Contacts that started inside come out in about a quarter of a second.
    assert!(seen.speed < 10.0 * depth, "{roles:?}, {depth}: {seen:?}");
    assert!(seen.gap > -0.2 * depth, "{roles:?}, {depth}: {seen:?}");
    assert!(apart > 0.2 - 0.2 * depth, "{roles:?}, {depth}: {apart} m");
}

#[test]
fn bodies_that_start_inside_each_other_separate_gently() {
    separates_gently(Roles::Auto, 0.02);
    separates_gently(Roles::Both, 0.01);
}

/// A quarter of a cube inside another: many vertices are nearer to its flanks than to its top.
#[test]
fn bodies_that_start_deep_inside_each_other_separate_gently() {
    separates_gently(Roles::Auto, 0.05);
    separates_gently(Roles::Both, 0.05);
}

/// Steps that may not take the iterations they need, onto a floor that nothing may pass.
#[test]
fn what_cannot_be_solved_is_reported_and_does_not_explode() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let cube = block([0.1; 3], [2; 3]).at([0.0, 0.08, 0.0]).velocity([3.0, -10.0, 0.0]);
    scene.add(cube.spin([1.0, 0.0, 20.0]));
    for integrator in SCHEMES {
        let mut settings = quick(integrator, 0.01);
        settings.smooth().solver.max_iterations = 2;
        settings.max_halvings = 1;
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let start = simulation.energies();
        let fall = GRAVITY * 0.3;
        let seen = watch(&mut simulation, 30);
        assert!(seen.unconverged > 0, "{integrator}: {seen:?}");
        let fastest = (2.0 * start.kinetic / mass(&simulation)).sqrt();
        assert!(seen.speed < 10.0 * (fastest + fall), "{integrator}: {seen:?}");
    }
}

/// Of everything [kg].
fn mass(simulation: &Simulation) -> f64 {
    simulation.model().node_masses().iter().sum()
}

#[test]
fn bodies_that_start_inside_an_obstacle_come_out_gently() {
    for (top, shape) in [
        (0.0, Shape::Plane { normal: Vector3::y(), offset: 0.0 }),
        (0.5, Shape::Sphere { radius: 0.5 }),
        (0.5, Shape::Box { size: Vector3::repeat(1.0), rounding: 0.05 }),
    ] {
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::Sdirk2] {
            let depth = 0.05;
            let mut scene = Scene::new();
            let cube = block([0.2; 3], [3; 3]).at([0.0, top + 0.1 - depth, 0.0]);
            scene.add(cube);
            scene.add(Obstacle::new(shape.clone()));
            let settings = quick(integrator, 0.01);
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            let seen = watch(&mut simulation, 100);
            assert_eq!(seen.unconverged, 0, "{shape:?}, {integrator}: {seen:?}");
            assert!(seen.speed < 1.0, "{shape:?}, {integrator}: {seen:?}");
            assert!(seen.gap > 0.0, "{shape:?}, {integrator}: {seen:?}");
        }
    }
}

#[test]
fn much_friction_holds_on_a_wall_that_is_nearly_upright() {
    // The angle of friction is 78.69°.
    for (angle, holds) in [(78.0_f64, true), (79.5, false)] {
        let angle = angle.to_radians();
        let friction = Friction::coulomb(5.0);
        let slope = Slope { angle, friction, ..Slope::reference(0.0) };
        for integrator in SCHEMES {
            let scene = slope.scene().0;
            let settings = settings(integrator, 0.01, Law::default());
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            let seen = watch(&mut simulation, 100);
            assert_eq!(seen.unconverged, 0, "{integrator}: {seen:?}");
            let way = simulation.trajectory().q[0];
            if holds {
                assert!(way < 1e-4, "{integrator}: slid {way:e} m");
            } else {
                let expected = 0.5 * GRAVITY * (angle.sin() - 5.0 * angle.cos());
                let error = (way / expected - 1.0).abs();
                assert!(error < 0.015, "{integrator}: {way} m for {expected} m");
            }
        }
    }
}

#[test]
fn a_block_with_much_friction_tumbles_on() {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(5.0);
    let cube = block([0.2; 3], [3; 3]).at([0.0, 0.12, 0.0]).velocity([2.0, -0.5, 0.3]);
    let cube = scene.add(cube.spin([0.0, 1.0, -3.0]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for integrator in SCHEMES {
        let settings = quick(integrator, 0.01);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let seen = watch(&mut simulation, 60);
        assert_eq!(seen.unconverged, 0, "{integrator}: {seen:?}");
        assert!(seen.speed < 5.0 && seen.gap > 0.0, "{integrator}: {seen:?}");
        let x = simulation.positions(cube);
        assert!(x.iter().all(|x| x.y > 0.0), "{integrator}: through the floor");
    }
}

/// A handkerchief of two millimetres on a ball of one.
#[test]
fn cloth_of_millimetres_lies_on_a_ball() {
    let mut scene = Scene::new();
    let sheet = Cloth::sheet([2e-3, 2e-3], [8, 8]).expect("valid").material(Fabric::SILK);
    let sheet = scene.add(sheet.turned([1.0, 0.0, 0.0], -FRAC_PI_2).at([0.0, 5.2e-4, 0.0]));
    scene.add(Obstacle::new(Shape::Sphere { radius: 5e-4 }));
    let settings = quick(Integrator::Bdf2, 1e-3);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let seen = watch(&mut simulation, 100);
    assert_eq!(seen.unconverged, 0, "{seen:?}");
    assert!(seen.touching > 0 && seen.gap > 0.0, "{seen:?}");
    let height = middle(&simulation, sheet).y;
    assert!((4e-4..5.3e-4).contains(&height), "{height:e} m");
}

/// A boulder of ten metres on hills of a hundred.
#[test]
fn a_boulder_bounces_over_terrain_of_a_hundred_metres() {
    let height = |x: f64, z: f64| 5.0 * (x / 15.0).sin() * (z / 20.0).cos() - 0.1 * x;
    let cells = 20_u32;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    for (i, j) in (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))) {
        let [x, z] = [i, j].map(|k| 100.0 * (f64::from(k) / f64::from(cells) - 0.5));
        vertices.push(Vector3::new(x, height(x, z), z));
        if i < cells && j < cells {
            triangles.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            triangles.push([at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
        }
    }
    let terrain = TriMesh::new(vertices, triangles).expect("a surface");
    let mut scene = Scene::new();
    scene.add(Obstacle::new(Shape::Mesh(terrain)));
    let boulder = Solid::ball(5.0, 2.5).expect("valid").material(Material::WOOD);
    let boulder = scene.add(boulder.at([-20.0, 8.0, 0.0]));
    let settings = quick(Integrator::Bdf2, 0.02);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let seen = watch(&mut simulation, 200);
    assert_eq!(seen.unconverged, 0, "{seen:?}");
    assert!(seen.touching > 0 && seen.speed < 15.0, "{seen:?}");
    for x in simulation.positions(boulder) {
        // Cells are five metres long, and hills curved.
        assert!(x.y > height(x.x, x.z) - 0.3, "{x:?} is below ground");
    }
}

/// Half a cloth folded flat onto the other, a tenth of a millimetre above it, dropped on a block.
fn folded(roles: Roles) -> (Seen, f64) {
    let sheet = Cloth::sheet([0.4, 0.4], [8, 8]).expect("valid");
    let fold = |x: &Vector3| if x.x > 0.0 { Vector3::new(-x.x, x.y, 1e-4) } else { *x };
    let start = sheet.mesh.vertices().iter().map(fold).collect();
    let sheet = sheet.starting_at(start).turned([1.0, 0.0, 0.0], -FRAC_PI_2);
    let mut scene = Scene::new();
    let block = scene.add(block([0.5, 0.1, 0.5], [4, 1, 4]));
    scene.pin(block, Selection::Tag("y-min".into()));
    let sheet = scene.add(sheet.at([0.1, 0.06, 0.0]));
    scene.contact(sheet, block).roles = roles;
    let settings = quick(Integrator::Bdf2, 0.005);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let seen = watch(&mut simulation, 60);
    let lowest = simulation.positions(sheet).iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    (seen, lowest)
}

#[test]
fn flat_folded_cloth_lies_on_a_block() {
    let (seen, lowest) = folded(Roles::Auto);
    assert_eq!(seen.unconverged, 0, "{seen:?}");
    assert!(seen.touching > 40 && seen.speed < 1.0, "{seen:?}");
    assert!(lowest > 0.05, "{lowest} m");
}

#[test]
fn flat_folded_cloth_lies_on_a_block_and_the_block_on_the_cloth() {
    let (seen, lowest) = folded(Roles::Both);
    assert_eq!(seen.unconverged, 0, "{seen:?}");
    assert!(seen.speed < 1.0, "{seen:?}");
    assert!(lowest > 0.05, "{lowest} m");
}

/// A sheet whose middle columns of vertices start in one place, so that triangles between them have no area; of a
/// fabric so soft that this stores next to nothing.
fn squeezed(roles: Roles) -> Seen {
    let moduli = OrthotropicModuli {
        youngs_modulus_warp: 0.1,
        youngs_modulus_weft: 0.1,
        shear_modulus: 0.05,
        poissons_ratio: 0.0,
    };
    let fabric = Fabric::new(Stretch::Woven(moduli), 0.15, 1e-7).expect("valid");
    let sheet = Cloth::sheet([0.3, 0.3], [4, 4]).expect("valid").material(fabric);
    let squeeze = |x: &Vector3| if x.x.abs() < 0.08 { Vector3::new(0.0, x.y, x.z) } else { *x };
    let start = sheet.mesh.vertices().iter().map(squeeze).collect();
    let sheet = sheet.starting_at(start).turned([1.0, 0.0, 0.0], -FRAC_PI_2);
    let mut scene = Scene::new();
    let block = scene.add(block([0.5, 0.1, 0.5], [4, 1, 4]));
    scene.pin(block, Selection::Tag("y-min".into()));
    let sheet = scene.add(sheet.at([0.0, 0.055, 0.0]));
    scene.contact(sheet, block).roles = roles;
    let settings = quick(Integrator::BackwardEuler, 0.005);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    watch(&mut simulation, 60)
}

#[test]
fn triangles_without_area_do_no_harm() {
    let seen = squeezed(Roles::Auto);
    assert_eq!(seen.unconverged, 0, "{seen:?}");
    assert!(seen.touching == 25 && seen.speed < 2.0 && seen.gap > 0.0, "{seen:?}");
}

#[test]
fn triangles_without_area_do_no_harm_as_surfaces() {
    let seen = squeezed(Roles::Both);
    assert_eq!(seen.unconverged, 0, "{seen:?}");
    assert!(seen.speed < 2.0, "{seen:?}");
}

/// Vertices of one body exactly on vertices of another.
#[test]
fn coincident_points_are_pushed_apart() {
    for roles in [Roles::Auto, Roles::Both] {
        let mut scene = Scene::new();
        let below = scene.add(block([0.2; 3], [2; 3]));
        scene.pin(below, Selection::Tag("y-min".into()));
        let above = scene.add(block([0.2; 3], [2; 3]).at([0.0, 0.2, 0.0]));
        scene.contact(above, below).roles = roles;
        let settings = quick(Integrator::Bdf2, 0.01);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let seen = watch(&mut simulation, 100);
        assert_eq!(seen.unconverged, 0, "{roles:?}: {seen:?}");
        assert!(seen.speed < 0.2 && seen.gap > 0.0, "{roles:?}: {seen:?}");
        let error = middle(&simulation, above) - Vector3::new(0.0, 0.2, 0.0);
        assert!(error.norm() < 2e-3, "{roles:?}: {error:?}");
    }
}

/// Where a distance has no direction.
#[test]
fn a_point_in_the_middle_of_a_shape_comes_out_without_haste() {
    for shape in [
        Shape::Sphere { radius: 0.3 },
        Shape::Torus { ring_radius: 0.5, tube_radius: 0.2 },
        Shape::Capsule { radius: 0.2, length: 0.4 },
        Shape::Cylinder { radius: 0.2, length: 0.4 },
        Shape::Box { size: Vector3::repeat(0.4), rounding: 0.0 },
    ] {
        let at = if matches!(shape, Shape::Torus { .. }) { [0.5, 0.0, 0.0] } else { [0.0; 3] };
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        scene.add(flat().at(at));
        scene.add(Obstacle::new(shape.clone()));
        let settings = quick(Integrator::BackwardEuler, 0.01);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let seen = watch(&mut simulation, 100);
        assert_eq!(seen.unconverged, 0, "{shape:?}: {seen:?}");
        assert!(seen.touching >= 1 && seen.speed < 2.0 && seen.gap > 0.0, "{shape:?}: {seen:?}");
    }
}

#[test]
fn nothing_near_is_nothing_to_do() {
    let mut scene = Scene::new();
    scene.add(block([0.2; 3], [2; 3]));
    scene.add(block([0.2; 3], [2; 3]).at([0.0, 1000.0, 0.0]));
    let settings = quick(Integrator::Bdf2, 0.01);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let seen = watch(&mut simulation, 20);
    assert_eq!((seen.touching, seen.unconverged), (0, 0), "{seen:?}");
}

/// Through it in a step, if nobody looked: 50 m/s at a hundredth of a second.
#[test]
fn fast_bodies_do_not_pass_through() {
    for target in ["plane", "box", "block"] {
        let mut scene = Scene::new();
        match target {
            "plane" => scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0)),
            "box" => {
                let shape = Shape::Box { size: Vector3::new(1.0, 0.2, 1.0), rounding: 0.02 };
                scene.add(Obstacle::new(shape).at([0.0, -0.1, 0.0]))
            }
            _ => {
                let target = scene.add(block([1.0, 0.2, 1.0], [6, 2, 6]).at([0.0, -0.1, 0.0]));
                scene.pin(target, Selection::Tag("y-min".into()));
                target
            }
        };
        let cube = block([0.1; 3], [2; 3]).at([0.0, 0.3, 0.0]).velocity([0.0, -50.0, 0.0]);
        let cube = scene.add(cube);
        let settings = quick(Integrator::BackwardEuler, 0.01);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let seen = watch(&mut simulation, 30);
        let x = simulation.positions(cube);
        let lowest = x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -0.02, "{target}: {seen:?}, now at {lowest} m");
    }
}

/// Points 1 cm above the flat top of a block, 5 cm from its corners, touch nothing.
#[test]
fn points_well_above_a_flat_face_do_not_touch_it() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let block = scene.add(block([0.5, 0.1, 0.5], [4, 1, 4]));
    scene.pin(block, Selection::All);
    let corner = |x: f64, z: f64| Vector3::new(0.2 * x, 0.06, 0.2 * z);
    let points = point_masses([corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)]);
    let points = scene.add(points);
    let rule = scene.contact(points, block);
    rule.thickness = Some(1e-3);
    let settings = quick(Integrator::BackwardEuler, 0.001);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let seen = watch(&mut simulation, 1);
    assert!(seen.touching == 0 && seen.gap > 9e-3, "{seen:?}");
}

/// Points beside a sheet, in its plane, touch nothing.
#[test]
fn points_beside_the_rim_of_a_sheet_do_not_touch_it() {
    for beside in [0.005, 0.05] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let sheet = Cloth::sheet([0.4, 0.4], [8, 8]).expect("valid");
        let sheet = scene.add(sheet.turned([1.0, 0.0, 0.0], -FRAC_PI_2));
        scene.pin(sheet, Selection::All);
        let points = point_masses([Vector3::zeros(), Vector3::z() * 0.1, Vector3::x()]);
        let points = scene.add(points.at([0.2 + beside, 1e-4, 0.0]));
        let rule = scene.contact(points, sheet);
        rule.thickness = Some(1e-3);
        rule.roles = Roles::SecondIsSurface;
        let settings = quick(Integrator::BackwardEuler, 0.001);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let seen = watch(&mut simulation, 1);
        assert_eq!(seen.touching, 0, "{beside} m beside: {seen:?}");
    }
}
