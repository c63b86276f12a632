//! Bad situations: they work, or say that they do not; nothing is ever not a number.

mod contact_support;

use contact_support::*;
use stiction::body::{BodyId, Cloth, Obstacle, Shape, Solid};
use stiction::contact::{Friction, Law, Roles};
use stiction::material::{Damping, Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn quick(integrator: Integrator, h: f64) -> Settings {
    let mut settings = settings(integrator, h, Law::default());
    settings.solver.tolerance = 1e-5;
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

/// Two cubes that overlap by a quarter, at rest, with nothing else around.
#[test]
fn bodies_that_start_inside_each_other_separate_gently() {
    for roles in [Roles::Auto, Roles::Both] {
        for depth in [0.01, 0.05] {
            let mut scene = Scene::new();
            scene.gravity = Vector3::zeros();
            let a = scene.add(block([0.2; 3], [3; 3]));
            let b = scene.add(block([0.2; 3], [4; 3]).at([0.01, 0.2 - depth, 0.013]));
            scene.contact(a, b).roles = roles;
            let mut simulation =
                Simulation::with_settings(&scene, quick(Integrator::BackwardEuler, 0.01))
                    .expect("valid");
            let seen = watch(&mut simulation, 150);
            let apart = middle(&simulation, b).y - middle(&simulation, a).y;
            println!("{roles:?} {depth}: {seen:?}, centres {apart}");
        }
    }
}

#[test]
fn bodies_that_start_inside_an_obstacle_come_out_gently() {
    for (name, shape) in [
        ("plane", Shape::Plane { normal: Vector3::y(), offset: 0.0 }),
        ("sphere", Shape::Sphere { radius: 0.5 }),
        ("box", Shape::Box { size: Vector3::repeat(1.0), rounding: 0.05 }),
    ] {
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::Sdirk2] {
            let mut scene = Scene::new();
            let top = if name == "plane" { 0.0 } else { 0.5 };
            let cube = scene.add(block([0.2; 3], [3; 3]).at([0.0, top + 0.05, 0.0]));
            scene.add(Obstacle::new(shape.clone()));
            let mut simulation =
                Simulation::with_settings(&scene, quick(integrator, 0.01)).expect("valid");
            let seen = watch(&mut simulation, 150);
            let x = simulation.positions(cube);
            let lowest = x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min) - top;
            println!("{name} {integrator}: {seen:?}, lowest {lowest:e}");
        }
    }
}

#[test]
fn much_friction_holds_on_a_wall_that_is_nearly_upright() {
    for (angle, holds) in [(78.0_f64, true), (79.5, false)] {
        let angle = angle.to_radians();
        let slope = Slope {
            angle,
            friction: Friction::coulomb(5.0),
            velocity: Vector3::zeros(),
            height: 0.5 * THICKNESS,
        };
        for integrator in SCHEMES {
            let (scene, points) = slope.scene();
            let mut simulation =
                Simulation::with_settings(&scene, settings(integrator, 0.01, Law::default()))
                    .expect("valid");
            let seen = watch(&mut simulation, 100);
            let way = middle(&simulation, points).x - 1.0 / 3.0;
            let expected =
                if holds { 0.0 } else { 0.5 * GRAVITY * (angle.sin() - 5.0 * angle.cos()) };
            println!("{integrator} {holds}: {way:e} for {expected} {seen:?}");
        }
    }
}

#[test]
fn a_block_with_much_friction_tumbles_instead_of_sliding() {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(5.0);
    let cube = scene.add(
        block([0.2; 3], [3; 3])
            .at([0.0, 0.12, 0.0])
            .velocity([2.0, -0.5, 0.3])
            .spin([0.0, 1.0, -3.0]),
    );
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for integrator in SCHEMES {
        let mut simulation =
            Simulation::with_settings(&scene, quick(integrator, 0.01)).expect("valid");
        let seen = watch(&mut simulation, 100);
        println!("{integrator}: {seen:?} {:?}", middle(&simulation, cube));
    }
}

/// A handkerchief of two millimetres on a ball of one.
#[test]
fn cloth_of_millimetres_drapes_over_a_ball() {
    let mut scene = Scene::new();
    let sheet = Cloth::sheet([2e-3, 2e-3], [8, 8]).expect("valid");
    let sheet = scene.add(
        sheet.material(Fabric::SILK).turned([1.0, 0.0, 0.0], -1.570796).at([0.0, 5.2e-4, 0.0]),
    );
    scene.add(Obstacle::new(Shape::Sphere { radius: 5e-4 }));
    let mut simulation =
        Simulation::with_settings(&scene, quick(Integrator::Bdf2, 1e-3)).expect("valid");
    let seen = watch(&mut simulation, 100);
    println!("{seen:?} {:?}", middle(&simulation, sheet));
}

/// A boulder of ten metres on hills of a hundred.
#[test]
fn a_boulder_rolls_over_terrain_of_a_hundred_metres() {
    let cells = 20;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..=cells {
        for j in 0..=cells {
            let [x, z] = [i, j].map(|k| 100.0 * (k as f64 / cells as f64 - 0.5));
            vertices.push(Vector3::new(x, 5.0 * (x / 15.0).sin() * (z / 20.0).cos() - 0.1 * x, z));
        }
    }
    for i in 0..cells as u32 {
        for j in 0..cells as u32 {
            let at = |i: u32, j: u32| i * (cells as u32 + 1) + j;
            triangles.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            triangles.push([at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
        }
    }
    let terrain = TriMesh::new(vertices, triangles).expect("a surface");
    let mut scene = Scene::new();
    scene.add(Obstacle::new(Shape::Mesh(terrain)));
    let boulder = Solid::ball(5.0, 2.5).expect("valid").material(Material::WOOD);
    let boulder = scene.add(boulder.at([-20.0, 8.0, 0.0]));
    let mut simulation =
        Simulation::with_settings(&scene, quick(Integrator::Bdf2, 0.02)).expect("valid");
    let seen = watch(&mut simulation, 150);
    println!("{seen:?} {:?}", middle(&simulation, boulder));
}

/// Cloth whose corner is folded flat onto itself, dropped on a block: a crease of half a turn, faces back to back.
#[test]
fn flat_folded_cloth_lies_on_a_block() {
    let sheet = Cloth::sheet([0.4, 0.4], [8, 8]).expect("valid");
    let folded: Vec<Vector3> = sheet
        .mesh
        .vertices()
        .iter()
        .map(|x| if x.x > 0.0 { Vector3::new(-x.x, x.y, 1e-4) } else { *x })
        .collect();
    for surface_is_cloth in [false, true] {
        let mut scene = Scene::new();
        let block = scene.add(block([0.5, 0.1, 0.5], [4, 1, 4]));
        scene.pin(block, Selection::Tag("y-min".into()));
        let sheet = sheet
            .clone()
            .starting_at(folded.clone())
            .turned([1.0, 0.0, 0.0], -1.570796)
            .at([0.1, 0.06, 0.0]);
        let sheet = scene.add(sheet);
        if surface_is_cloth {
            scene.contact(sheet, block).roles = Roles::Both;
        }
        let mut simulation =
            Simulation::with_settings(&scene, quick(Integrator::Bdf2, 0.005)).expect("valid");
        let seen = watch(&mut simulation, 80);
        let lowest = simulation.positions(sheet).iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        println!("{surface_is_cloth}: {seen:?} lowest {lowest}");
    }
}

/// Triangles of cloth squeezed to nothing by the start positions; and a surface with such triangles.
#[test]
fn triangles_without_area_do_no_harm() {
    for both in [false, true] {
        let sheet = Cloth::sheet([0.3, 0.3], [4, 4]).expect("valid");
        // Two columns of vertices in one place.
        let squeezed: Vec<Vector3> = sheet
            .mesh
            .vertices()
            .iter()
            .map(|x| if x.x.abs() < 0.08 { Vector3::new(0.0, x.y, x.z) } else { *x })
            .collect();
        let mut scene = Scene::new();
        let block = scene.add(block([0.5, 0.1, 0.5], [4, 1, 4]));
        scene.pin(block, Selection::Tag("y-min".into()));
        let sheet = scene.add(
            sheet.starting_at(squeezed).turned([1.0, 0.0, 0.0], -1.570796).at([0.0, 0.055, 0.0]),
        );
        if both {
            scene.contact(sheet, block).roles = Roles::Both;
        }
        let mut simulation =
            Simulation::with_settings(&scene, quick(Integrator::BackwardEuler, 0.005))
                .expect("valid");
        let seen = watch(&mut simulation, 60);
        println!("{both}: {seen:?}");
    }
}

/// Vertices of one body exactly on vertices, edges and faces of another.
#[test]
fn coincident_points_are_pushed_apart() {
    let mut scene = Scene::new();
    let below = scene.add(block([0.2; 3], [2; 3]));
    scene.pin(below, Selection::Tag("y-min".into()));
    let above = scene.add(block([0.2; 3], [2; 3]).at([0.0, 0.2, 0.0]));
    for roles in [Roles::Auto, Roles::Both] {
        scene.contact(above, below).roles = roles;
        let mut simulation =
            Simulation::with_settings(&scene, quick(Integrator::Bdf2, 0.01)).expect("valid");
        let seen = watch(&mut simulation, 100);
        println!("{roles:?}: {seen:?} {:?}", middle(&simulation, above));
    }
}

/// A point exactly in the middle of a sphere and of a torus, where distance has no direction.
#[test]
fn points_in_the_middle_of_a_shape_are_finite() {
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
        let mut simulation =
            Simulation::with_settings(&scene, quick(Integrator::BackwardEuler, 0.01))
                .expect("valid");
        let seen = watch(&mut simulation, 100);
        println!("{shape:?}: {seen:?}");
    }
}

/// A surface far away, of which no sample is near anything.
#[test]
fn nothing_near_is_nothing_to_do() {
    let mut scene = Scene::new();
    let a = scene.add(block([0.2; 3], [2; 3]));
    let b = scene.add(block([0.2; 3], [2; 3]).at([0.0, 1000.0, 0.0]));
    let _: [BodyId; 2] = [a, b];
    let mut simulation =
        Simulation::with_settings(&scene, quick(Integrator::Bdf2, 0.01)).expect("valid");
    let seen = watch(&mut simulation, 20);
    assert_eq!(seen.touching, 0);
    assert_eq!(seen.unconverged, 0);
}

/// Through a plane, a box and a block in a step, if nobody looked: 50 m/s at a hundredth of a second.
#[test]
fn fast_bodies_do_not_pass_through() {
    for target in ["plane", "box", "block"] {
        let mut scene = Scene::new();
        match target {
            "plane" => scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0)),
            "box" => scene.add(
                Obstacle::new(Shape::Box { size: Vector3::new(1.0, 0.2, 1.0), rounding: 0.02 })
                    .at([0.0, -0.1, 0.0]),
            ),
            _ => {
                let target = scene.add(block([1.0, 0.2, 1.0], [6, 2, 6]).at([0.0, -0.1, 0.0]));
                scene.pin(target, Selection::Tag("y-min".into()));
                target
            }
        };
        let cube =
            scene.add(block([0.1; 3], [2; 3]).at([0.0, 0.3, 0.0]).velocity([0.0, -50.0, 0.0]));
        let mut simulation =
            Simulation::with_settings(&scene, quick(Integrator::BackwardEuler, 0.01))
                .expect("valid");
        let seen = watch(&mut simulation, 40);
        println!("{target}: {seen:?} {:?}", middle(&simulation, cube));
    }
}
