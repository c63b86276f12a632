//! Surfaces that are meshes, of obstacles and of bodies that deform: friction on them is that on a plane.

use std::f64::consts::FRAC_PI_2;

use crate::support::*;
use stiction::body::{Body, BodyId, Cloth, Motion, Obstacle, Shape, Solid, Surface};
use stiction::contact::obstacle::ObstacleSurface;
use stiction::contact::{Friction, Roles};
use stiction::geometry::implicit::{Edges, NormalWeights, Robust, SampleKind};
use stiction::geometry::kernel::Kernel;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh, generate};
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::differences::assert_is_derivative;

fn slope(angle: f64) -> Vector3 {
    Vector3::new(GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0)
}

/// The plane `y = 0` as triangles, from `x = −1` to 3, irregular inside.
fn plane_of_triangles() -> TriMesh {
    let cells = [24_u32, 12];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let at = |i: u32, j: u32| i * (cells[1] + 1) + j;
    for (i, j) in (0..=cells[0]).flat_map(|i| (0..=cells[1]).map(move |j| (i, j))) {
        let shake = |k: u32| 0.03 * f64::from((i * 7 + j * 13 + k) % 11) / 11.0;
        let x = -1.0 + 4.0 * f64::from(i) / f64::from(cells[0]) + shake(0);
        let z = -1.0 + 2.0 * f64::from(j) / f64::from(cells[1]) + shake(5);
        vertices.push(Vector3::new(x, 0.0, z));
        if i < cells[0] && j < cells[1] {
            triangles.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            triangles.push([at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
        }
    }
    TriMesh::new(vertices, triangles).expect("a surface")
}

#[test]
fn points_on_a_plane_of_triangles_stop_where_they_do_on_a_plane() {
    for integrator in SCHEMES {
        let run = |mesh: bool| {
            let (mut scene, points) = Slope::reference(0.1).scene();
            if mesh {
                let obstacle = Obstacle::new(Shape::Mesh(plane_of_triangles()));
                let friction = scene.contacts[0].clone();
                scene.bodies.pop();
                scene.contacts.clear();
                let plane = scene.add(obstacle);
                *scene.contact(points, plane) = friction;
            }
            let settings = settings(integrator, 0.1, Law::default());
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            advance(&mut simulation, 180);
            simulation.positions(points)[0]
        };
        let (plane, mesh) = (run(false), run(true));
        let apart = (plane - mesh).norm();
        assert!(apart < 1e-12, "{integrator}: {apart:e} m apart");
    }
}

fn damped(youngs_modulus: f64) -> Material {
    Material::RUBBER
        .with_youngs_modulus(youngs_modulus)
        .and_then(|m| m.with_poissons_ratio(0.3))
        .and_then(|m| m.with_damping(Damping { mass: 0.0, stiffness: 1e-2 }))
        .expect("valid")
}

/// A small block, or a cloth, on a slab whose bottom is held, on a slope.
fn on_slab(gravity: Vector3, friction: f64, cloth: bool) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = gravity;
    scene.friction = Friction::coulomb(friction);
    let slab = Solid::cuboid([1.0, 0.1, 0.4], [10, 1, 4]).expect("valid").material(damped(1e6));
    let slab = scene.add(slab);
    scene.pin(slab, Selection::Tag("y-min".into()));
    let body = if cloth {
        let sheet = Cloth::sheet([0.2, 0.2], [6, 6]).expect("valid");
        scene.add(sheet.turned([1.0, 0.0, 0.0], -FRAC_PI_2).at([-0.1, 0.0505, 0.0]))
    } else {
        let block = Solid::cuboid([0.2, 0.1, 0.2], [3, 1, 3]).expect("valid").material(damped(1e6));
        scene.add(block.at([-0.1, 0.1005, 0.0]))
    };
    (scene, body)
}

fn loose(integrator: Integrator, h: f64) -> Settings {
    let mut settings = settings(integrator, h, Law::default());
    settings.smooth().solver.tolerance = 1e-8;
    settings
}

#[test]
fn what_rests_on_a_body_that_deforms_does_not_creep() {
    for cloth in [false, true] {
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
            let (scene, body) = on_slab(slope(TEN_DEGREES), 0.3, cloth);
            let settings = loose(integrator, 0.02);
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            advance(&mut simulation, 100);
            let start = middle(&simulation, body);
            advance(&mut simulation, 50);
            let creep = (middle(&simulation, body) - start).norm();
            assert!(creep < 1e-13, "cloth {cloth}, {integrator}: {creep:e} m/s");
        }
    }
}

#[test]
fn what_slides_on_a_body_that_deforms_accelerates_as_on_a_plane() {
    let angle = 15_f64.to_radians();
    for cloth in [false, true] {
        for friction in [0.1, 0.25] {
            let (scene, body) = on_slab(slope(angle), friction, cloth);
            let settings = loose(Integrator::Bdf2, 0.01);
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            let speed = |simulation: &Simulation| {
                let v = simulation.velocities(body);
                v.iter().map(|v| v.x).sum::<f64>() / v.len() as f64
            };
            advance(&mut simulation, 15);
            let start = speed(&simulation);
            advance(&mut simulation, 20);
            let acceleration = (speed(&simulation) - start) / 0.2;
            let expected = GRAVITY * (angle.sin() - friction * angle.cos());
            let error = (acceleration / expected - 1.0).abs();
            assert!(error < 1e-3, "cloth {cloth}, {friction}: {acceleration} for {expected} m/s²");
        }
    }
}

/// A belt that carries a block along: no slip once it has caught up.
#[test]
fn a_belt_of_triangles_carries_a_block_along() {
    for mesh in [false, true] {
        let mut scene = Scene::new();
        scene.friction = Friction::coulomb(0.4);
        let motion = Motion::Velocity(Vector3::x() * 0.5);
        let belt = if mesh {
            Obstacle::new(Shape::Mesh(plane_of_triangles()))
        } else {
            Obstacle::plane(Vector3::y(), 0.0)
        };
        scene.add(belt.motion(motion));
        let block = Solid::cuboid([0.2, 0.1, 0.2], [3, 1, 3]).expect("valid").material(damped(1e6));
        let block = scene.add(block.at([0.0, 0.0505, 0.0]));
        let mut simulation =
            Simulation::with_settings(&scene, loose(Integrator::Bdf2, 0.01)).expect("valid");
        advance(&mut simulation, 100);
        let start = middle(&simulation, block).x;
        advance(&mut simulation, 100);
        let way = middle(&simulation, block).x - start;
        assert!((way - 0.5).abs() < 1e-12, "mesh {mesh}: {:e} m too far", way - 0.5);
    }
}

/// Two blocks that touch and are turned together as one by their pins: friction must not notice.
#[test]
fn friction_does_not_feel_that_two_bodies_turn_together() {
    for roles in [Roles::FirstIsSurface, Roles::SecondIsSurface, Roles::Both] {
        for integrator in SCHEMES {
            let mut scene = Scene::new();
            scene.gravity = Vector3::zeros();
            let below = Solid::cuboid([0.4, 0.2, 0.4], [4, 2, 4]).expect("valid");
            let above = Solid::cuboid([0.2, 0.2, 0.2], [3, 3, 3]).expect("valid");
            let below = scene.add(below.at([0.0, -0.1, 0.0]));
            let above = scene.add(above.turned([0.0, 1.0, 0.0], 0.3).at([0.02, 0.1003, 0.01]));
            let rate = Vector3::new(0.3, -0.5, 1.0);
            let motion = Motion::Rotation { center: Vector3::new(0.1, 0.2, 0.3), rate };
            scene.pin(below, Selection::All).motion(motion.clone());
            scene.pin(above, Selection::All).motion(motion);
            let rule = scene.contact(above, below);
            rule.friction = Friction::coulomb(0.5);
            rule.thickness = Some(1e-3);
            rule.roles = roles;
            let settings = loose(integrator, 0.01);
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            let (mut slip, mut friction, mut normal) = (0.0_f64, 0.0_f64, 0.0_f64);
            for _ in 0..50 {
                advance(&mut simulation, 1);
                for contact in simulation.contacts() {
                    slip = slip.max(contact.slip_velocity.norm());
                    friction = friction.max(contact.friction.norm());
                    normal = normal.max(contact.normal_force);
                }
            }
            assert!(normal > 1.0, "{roles:?}, {integrator}: they touch");
            assert!(slip < 1e-14, "{roles:?}, {integrator}: {slip:e} m/s");
            assert!(friction < 1e-9 * normal, "{roles:?}, {integrator}: {friction:e} N");
        }
    }
}

/// Points beside an open mesh, in its plane, touch nothing; and the gap ends there without a kink.
#[test]
fn the_surface_of_an_open_mesh_ends_at_its_rim() {
    let obstacle = Obstacle::new(Shape::Mesh(plane_of_triangles()));
    let surface = ObstacleSurface::new(&obstacle).expect("sound");
    let pose = surface.pose(0.0);
    let gap = |x: Vector3| surface.distance(&pose, x);
    let (edge, height) = (1.0 + 0.03 * 5.0 / 11.0, 1e-4);
    // Inside, beside the rim, and beyond a corner.
    let inside = gap(Vector3::new(1.0, height, 0.9)).expect("near");
    assert!((inside.value - height).abs() < 1e-15, "{}", inside.value);
    for beside in [0.02, 0.1] {
        let found = gap(Vector3::new(1.0, height, edge + beside));
        assert!(found.is_none_or(|jet| jet.value > 0.5 * beside), "{beside} m: {found:?}");
        let corner = gap(Vector3::new(3.03 + beside, height, edge + beside));
        assert!(corner.is_none_or(|jet| jet.value > 0.5 * beside), "{beside} m: {corner:?}");
    }
    for (x, z) in [(1.02, edge - 0.01), (1.02, edge + 0.005), (1.3, edge + 0.06), (3.03, 1.03)] {
        let x = Vector3::new(x, 2e-3, z);
        let along = Vector3::new(0.3, -0.5, 0.8) * 0.02;
        let jet = gap(x).expect("near");
        let at = |t: f64| gap(x + along * t).expect("near");
        assert_is_derivative(|t| at(t).value, jet.gradient.dot(&along), 0.02);
        let second = along.dot(&(jet.hessian * along));
        assert_is_derivative(|t| at(t).gradient.dot(&along), second, 0.02);
    }
}

/// A wall much thinner than its triangles: what is behind it does not matter.
#[test]
fn the_inside_of_a_hollow_obstacle_is_no_part_of_its_outside() {
    let outside = generate::ball(0.5, 0.12).expect("valid").boundary().surface;
    let mut inside = outside.clone().into_soup();
    inside.vertices.iter_mut().for_each(|x| *x *= 0.96);
    inside.elements.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    let mut hollow = outside.clone();
    hollow.append(&inside.build().expect("a surface")).expect("two skins");
    let [full, hollow] = [outside, hollow]
        .map(|mesh| ObstacleSurface::new(&Obstacle::new(Shape::Mesh(mesh))).expect("sound"));
    let pose = full.pose(0.0);
    for k in 0..50 {
        let angle = 0.37 * f64::from(k);
        let out = Vector3::new(angle.cos(), 0.3, angle.sin()).normalize();
        // Just outside, just inside of the wall, and in the hollow.
        for height in [0.501, 0.499] {
            let [a, b] = [&full, &hollow].map(|s| s.distance(&pose, out * height).expect("near"));
            assert!((a.value - b.value).abs() < 1e-12, "{height}: {} and {}", a.value, b.value);
            assert!(a.value.abs() < 0.02, "{height}: {}", a.value);
        }
        let hollow = hollow.distance(&pose, out * 0.46).expect("near");
        assert!((0.0..0.04).contains(&hollow.value), "{}", hollow.value);
    }
}

/// What a surface is made of does not matter where it is flat: friction is that on a plane.
#[test]
fn surfaces_of_bodies_may_be_made_in_other_ways() {
    let vertices = Some(SampleKind::Vertices(NormalWeights::Angle));
    let robust = Some(Edges::Robust(Robust::default()));
    for (surface, tolerance) in [
        (Surface { kernel: Some(Kernel::Quartic), ..Surface::default() }, 1e-3),
        (Surface { edges: robust, ..Surface::default() }, 1e-3),
        // Normals of vertices on its edges lean out, two cells away.
        (Surface { samples: vertices, ..Surface::default() }, 3e-2),
    ] {
        let (mut scene, body) = on_slab(slope(15_f64.to_radians()), 0.1, true);
        let Body::Solid(slab) = &mut scene.bodies[0] else { unreachable!("the slab") };
        slab.surface = surface;
        let settings = loose(Integrator::Bdf2, 0.01);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, 15);
        let start = mean_speed(&simulation, body);
        advance(&mut simulation, 20);
        let acceleration = (mean_speed(&simulation, body) - start) / 0.2;
        let angle = 15_f64.to_radians();
        let expected = GRAVITY * (angle.sin() - 0.1 * angle.cos());
        let error = (acceleration / expected - 1.0).abs();
        assert!(error < tolerance, "{surface:?}: {acceleration} for {expected} m/s²");
    }
}

fn mean_speed(simulation: &Simulation, body: BodyId) -> f64 {
    let v = simulation.velocities(body);
    v.iter().map(|v| v.x).sum::<f64>() / v.len() as f64
}
