//! Every contact is there once, and says who feels it.

use std::f64::consts::FRAC_PI_2;

use stiction::body::{End, Joint, Obstacle, Rigid, Shape, Solid};
use stiction::contact::friction::{Directional, Grain};
use stiction::contact::{Friction, Roles};
use stiction::math::Vector3;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn cuboid(size: [f64; 3]) -> Rigid {
    Rigid::shape(&Shape::Box { size: size.into(), rounding: 0.0 }, 4).expect("a box")
}

fn ball(radius: f64) -> Rigid {
    Rigid::shape(&Shape::Sphere { radius }, 12).expect("a ball")
}

fn simulation(scene: &Scene, step: f64) -> Simulation {
    let integrator = Integrator::BackwardEuler;
    let settings = Settings {
        time_step: step,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    Simulation::with_settings(scene, settings).expect("valid")
}

/// Two boxes begin corner to corner, and one is shot away: pairs that come after them keep the contacts they have.
#[test]
fn bodies_that_part_within_a_step_double_no_contacts_of_others() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.0, -9.81, 0.0);
    // A diagonal along x.
    let corner = |x: f64| {
        let turn = nalgebra::UnitQuaternion::rotation_between(&Vector3::repeat(1.0), &Vector3::x());
        let placement = stiction::mesh::Transform::identity().with_rotation(turn.expect("a turn"));
        cuboid([0.1; 3]).placed(placement.with_translation(Vector3::new(x, 2.0, 0.0)))
    };
    let reach = 0.05 * 3.0_f64.sqrt();
    scene.add(corner(0.0));
    scene.add(corner(2.0 * reach + 5e-4));
    let hammer = ball(0.1).density(2e4).velocity([20.0, 0.0, 0.0]);
    scene.add(hammer.at([2.0 * reach + 5e-4, 1.845, 0.0]));
    let rests = scene.add(cuboid([0.2; 3]).at([0.0, 0.10025, 0.0]));
    let ground = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for a in scene.ids().collect::<Vec<_>>() {
        for b in scene.ids().collect::<Vec<_>>() {
            if a < b {
                scene.contact(a, b).thickness = Some(5e-4);
            }
        }
    }
    let mut simulation = simulation(&scene, 2e-3);
    for _ in 0..3 {
        simulation.step();
        let below = |c: &&stiction::contact::Contact| c.collider == rests && c.surface == ground;
        assert_eq!(simulation.contacts().iter().filter(below).count(), 4);
    }
}

/// A box at the rim of another, flush with its side: upright edges of the one pass those of the other, but faces are
/// in between.
#[test]
fn edges_beside_a_face_do_not_push_aside() {
    let mut scene = Scene::new();
    let below = scene.add(cuboid([0.4, 0.2, 0.4]));
    scene.joint(Joint::fixed(End::World, below, [0.0; 3]));
    let above = scene.add(cuboid([0.1; 3]).at([0.15, 0.1505, 0.0]));
    let rule = scene.contact(above, below);
    (rule.friction, rule.thickness) = (Friction::NONE, Some(1e-3));
    let mut simulation = simulation(&scene, 1e-3);
    for _ in 0..20 {
        assert!(simulation.step().converged());
        for contact in simulation.contacts() {
            assert!(contact.normal.y.abs() > 0.99, "{:?}", contact.normal);
        }
    }
    let state = simulation.rigid_state(above).expect("rigid");
    // Edges that count where corners do already would tip it: 3e-3 m/s.
    assert!(state.velocity.x.abs() < 1e-7 && state.spin.norm() < 1e-4, "{state:?}");
}

/// A box falls past the end of another, at three thicknesses: the lines of their edges cross, the edges do not.
#[test]
fn edges_beyond_their_ends_do_not_touch() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let below = scene.add(cuboid([0.4, 0.1, 0.1]));
    let above = cuboid([0.1, 0.1, 0.4]).at([0.253, 0.105, 0.0]).velocity([0.0, -1.0, 0.0]);
    let above = scene.add(above);
    scene.contact(below, above).thickness = Some(1e-3);
    let mut simulation = simulation(&scene, 1e-3);
    for _ in 0..20 {
        assert_eq!(simulation.step().contact.touching, 0);
    }
    let velocity = simulation.rigid_state(above).expect("rigid").velocity;
    assert!((velocity + Vector3::y()).norm() < 1e-12, "{velocity:?}");
}

/// Two thin plates part: edges of the far sides of both look at each other through them, but are not inside anything.
#[test]
fn edges_of_far_sides_do_not_touch() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    scene.add(cuboid([0.4, 2e-4, 0.1]));
    let above = cuboid([0.1, 2e-4, 0.4]).at([0.0, 7e-4, 0.0]).velocity([0.0, 4.0, 0.0]);
    let above = scene.add(above);
    let ids: Vec<_> = scene.ids().collect();
    scene.contact(ids[0], ids[1]).thickness = Some(1e-4);
    let mut simulation = simulation(&scene, 1e-3);
    assert_eq!(simulation.step().contact.touching, 0);
    let speed = simulation.rigid_state(above).expect("rigid").velocity.y;
    assert!((speed - 4.0).abs() < 1e-12, "{speed} m/s");
}

/// Obstacles do not touch each other, whatever a rule says of them; and no other pair is repeated for it.
#[test]
fn a_rule_of_two_obstacles_makes_no_pair() {
    let mut scene = Scene::new();
    let boxes = [0.0, 1.0].map(|x| scene.add(cuboid([0.1; 3]).at([x, 0.0, 0.0])));
    let planes = [-1.0, -2.0].map(|y| scene.add(Obstacle::plane([0.0, 1.0, 0.0], y)));
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        scene.contact(boxes[a], planes[b]).enabled = false;
    }
    scene.contact(planes[0], planes[1]).roles = Roles::Both;
    let simulation = simulation(&scene, 1e-3);
    // Points of each against the other, and edges.
    assert_eq!(simulation.contact_pairs().len(), 3);
}

/// The point of an obstacle under a box: the obstacle has no nodes to feel anything.
#[test]
fn a_box_on_vertices_of_an_obstacle_feels_all_of_their_force() {
    let mut scene = Scene::new();
    let cube = scene.add(cuboid([0.2; 3]).at([0.0, 0.10045, 0.0]));
    let bed = Solid::cuboid([0.1; 3], [2; 3]).expect("valid").mesh.boundary().surface;
    let bed = scene.add(Obstacle::new(Shape::Mesh(bed)).at([0.0, -0.05, 0.0]));
    let rule = scene.contact(cube, bed);
    (rule.roles, rule.thickness) = (Roles::FirstIsSurface, Some(5e-4));
    let mut simulation = simulation(&scene, 1e-3);
    simulation.step();
    let contacts = simulation.contacts();
    assert_eq!(contacts.len(), 9);
    for contact in contacts {
        let own = simulation.model().nodes(cube);
        assert!(contact.forces.iter().all(|(node, _)| own.contains(node)), "vertices of the box");
        let force: Vector3 = contact.forces.iter().map(|(_, force)| force).sum();
        let expected = contact.friction + contact.normal * contact.normal_force;
        assert!((force + expected).norm() < 1e-9 * expected.norm(), "{force:?}, {expected:?}");
    }
}

/// Also of what is round: a ball slips along its grain, and across it.
#[test]
fn a_ball_with_a_grain_has_friction_along_and_across_it() {
    for (grain, expected) in [(Vector3::x(), 0.1), (Vector3::z(), 0.4)] {
        let mut scene = Scene::new();
        let ball = scene.add(ball(0.1).at([0.0, 0.1002, 0.0]).velocity([2.0, 0.0, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.skin(ball).grain = Some(Grain::Straight(grain));
        let direction = Directional::Grain { along: 0.1, across: 0.4 };
        let rule = scene.contact(ball, plane);
        rule.friction = Friction { direction, ..Friction::coulomb(0.2) };
        rule.thickness = Some(5e-4);
        let mut simulation = simulation(&scene, 1e-3);
        let mut touched = 0;
        for _ in 0..20 {
            assert!(simulation.step().converged());
            for contact in simulation.contacts() {
                let found = contact.friction.norm() / contact.normal_force;
                assert!((found / expected - 1.0).abs() < 1e-3, "{found}, not {expected}");
                touched += 1;
            }
        }
        assert!(touched > 5, "{touched} contacts");
    }
}

/// A capsule is laid across another one, and a rounded plank on both: nothing has vertices where they meet.
#[test]
fn logs_across_each_other_hold() {
    let log = |shape: &Shape| Rigid::shape(shape, 12).expect("a shape");
    let capsule = log(&Shape::Capsule { radius: 0.05, length: 0.8 });
    let mut scene = Scene::new();
    let below = scene.add(capsule.clone().turned([1.0, 0.0, 0.0], FRAC_PI_2));
    scene.joint(Joint::fixed(End::World, below, [0.0; 3]));
    let above = capsule.turned([0.0, 0.0, 1.0], FRAC_PI_2).at([0.0, 0.102, 0.0]);
    let above = scene.add(above);
    let plank = Shape::Box { size: Vector3::new(0.1, 0.1, 0.8), rounding: 0.01 };
    let plank = scene.add(log(&plank).at([0.0, 0.204, 0.0]));
    for [a, b] in [[above, below], [plank, above]] {
        let rule = scene.contact(a, b);
        (rule.friction, rule.thickness) = (Friction::coulomb(0.5), Some(2e-3));
    }
    let mut simulation = simulation(&scene, 2e-3);
    for _ in 0..100 {
        assert!(simulation.step().converged());
    }
    let height = |body| simulation.rigid_state(body).expect("rigid").center.y;
    assert!((height(above) - 0.1).abs() < 2e-3, "{}", height(above));
    assert!((height(plank) - 0.2).abs() < 4e-3, "{}", height(plank));
    let contacts = simulation.contacts();
    let between = |a, b| contacts.iter().filter(|c| c.collider == a && c.surface == b).count();
    assert_eq!(between(below, above) + between(above, below), 1, "{contacts:?}");
    assert!(contacts.iter().all(|contact| contact.gap > 0.0), "{contacts:?}");
}
