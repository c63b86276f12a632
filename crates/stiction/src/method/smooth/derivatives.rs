//! The Jacobian of a stage with contacts is complete: every law, every kind of geometry, by error slope.

mod round;

use std::sync::Arc;

use super::stage::{Kind, Problem};
use super::{Scratch, Shapes, Smooth, SmoothSettings, SolverSettings, StageSolver, WithContacts};
use crate::Scene;
use crate::body::{Anchor, Cloth, Motion, Obstacle, Rigid, Shape, Solid, Spring};
use crate::contact::friction::{Directional, Grain, NormalMap};
use crate::contact::{Friction, Roles};
use crate::math::Vector3;
use crate::method::Method as _;
use crate::method::smooth::law::Profile;
use crate::method::smooth::{ContactSettings, Law, SlipLevel};
use crate::model::Model;
use crate::solve::newton::RootProblem;
use crate::step::{Dynamics as _, Integrator, Stage, StageHistory, Trajectory};

/// Along Newton's direction, all unbalanced forces and all laws fall in proportion: `r(x + ε p) = (1 − ε) r(x) +
/// O(ε²)`. So the whole Jacobian is right, elimination of tractions included.
fn check(scene: &Scene, law: Law, slip: SlipLevel, integrator: Integrator, least: usize) {
    let contact = ContactSettings { law, slip, max_stiffenings: 0, ..Default::default() };
    let method = StageSolver::Newton;
    let solver = SolverSettings { contact, method, tolerance: 1e-8, ..Default::default() };
    let (mut model, q, v) = Model::new(scene, &Shapes::requests(scene)).expect("valid");
    let settings = SmoothSettings { integrator, solver };
    let mut smooth = Smooth::new(scene, &settings, &model).expect("valid");
    smooth.linear.accuracy = [1e-12; 2];
    let mut state = Trajectory::new(0.0, q, v);
    let h = 0.01;
    for _ in 0..3 {
        let mut dynamics = WithContacts { model: &mut model, smooth: &mut smooth };
        integrator.step(&mut dynamics, &mut state, h).expect("converges");
        model.accept(&state.q);
        smooth.accept();
    }
    let mut dynamics = WithContacts { model: &mut model, smooth: &mut smooth };
    dynamics.begin(state.time, h, &state.q, &state.v);
    let count = state.q.len();
    let history = StageHistory { now: 1.3, before: -0.3, by_position: true, ..Default::default() };
    let stage = Stage {
        time: state.time + h,
        beta: h,
        gamma: h,
        q_hat: state.q.clone(),
        v_hat: state.v.clone(),
        impulse: vec![0.0; count],
        history,
    };
    model.set_time(stage.time);
    model.freeze_damping(&state.q);
    smooth.contact.prepare(&stage, &state.q, &state.v);
    let unknown = model.unknown_count();
    let mut x = vec![0.0; unknown + smooth.contact.unknowns()];
    model.rows.gather(&state.v, &mut x[..unknown]);
    smooth.contact.guess(&mut x[unknown..]);
    // Any point will do, the less special the better.
    for (k, x) in x.iter_mut().enumerate() {
        let noise = (1.9 * k as f64 + 0.3).sin();
        *x += noise * if k < unknown { 2e-3 } else { 0.4 };
    }
    let (mut q, mut v) = (state.q.clone(), state.v.clone());
    let mut problem = Problem {
        model: &mut model,
        smooth: &mut smooth,
        stage: &stage,
        kind: Kind::Dynamic,
        q: &mut q,
        v: &mut v,
        scratch: Scratch { rows: vec![0.0; count], ..Default::default() },
        tolerance: 1e-8,
        last_change: 0.0,
        magnitude: 0.0,
        careful: false,
    };
    let Model { rows, start, .. } = &*problem.model;
    let points = rows.free_nodes().iter().map(|&node| start[node as usize]).collect();
    problem.scratch.points = points;
    let mut r = vec![0.0; x.len()];
    problem.residual_at(&x, &mut r);
    let touching = problem.smooth.contact.report().touching;
    assert!(touching >= least, "{touching} contacts push: {law:?} {slip:?} {integrator}");
    let mut p = vec![0.0; x.len()];
    RootProblem::direction(&mut problem, &x, &r, &mut p).expect("regular");
    let mut left = |epsilon: f64| {
        let trial: Vec<f64> = x.iter().zip(&p).map(|(x, p)| x + epsilon * p).collect();
        let mut there = vec![0.0; x.len()];
        problem.residual_at(&trial, &mut there);
        there.iter_mut().zip(&r).for_each(|(there, r)| *there -= (1.0 - epsilon) * r);
        problem.acceleration(&there)
    };
    let (coarse, fine) = (left(1e-3), left(1e-4));
    let size = problem.acceleration(&r);
    assert!(fine < 0.025 * coarse + 1e-10 * size, "{law:?} {slip:?}: {coarse:e}, {fine:e}");
}

fn laws() -> [Law; 5] {
    [
        Law::Anchored { ratio: 100.0, damping: 1.0, corner: 0.0, mixed: true },
        Law::Anchored { ratio: 1.0, damping: 0.3, corner: 0.0, mixed: true },
        Law::Anchored { ratio: 1.0, damping: 1.0, corner: 0.3, mixed: false },
        Law::Smoothed { profile: Profile::Quadratic, epsilon: 0.02 },
        Law::Smoothed { profile: Profile::Rational, epsilon: 0.01 },
    ]
}

fn block_on(obstacle: Obstacle, at: [f64; 3], friction: Friction) -> Scene {
    let mut scene = Scene::new();
    let cube = Solid::cuboid([0.4, 0.2, 0.4], [3, 2, 3]).expect("valid");
    let cube = scene.add(cube.at(at).velocity([0.3, -0.5, 0.1]).spin([0.2, 1.0, -0.3]));
    let below = scene.add(obstacle);
    let rule = scene.contact(cube, below);
    rule.friction = friction;
    rule.thickness = Some(0.02);
    scene
}

#[test]
fn jacobian_of_contact_on_a_plane_is_complete() {
    let friction = Friction {
        coefficient: 0.4,
        static_coefficient: Some(0.6),
        stribeck_velocity: 0.05,
        viscosity: 3.0,
        ..Friction::NONE
    };
    let scene = block_on(Obstacle::plane([0.1, 1.0, 0.05], 0.0), [0.0, 0.112, 0.0], friction);
    for law in laws() {
        for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
            check(&scene, law, slip, Integrator::BackwardEuler, 4);
        }
    }
}

/// A block that rises from a plane and a ball that hold on to it.
#[test]
fn jacobian_of_contacts_that_pull_is_complete() {
    let ball = Obstacle::new(Shape::Sphere { radius: 0.5 }).at([0.0, -0.5, 0.0]);
    for (below, gap) in [(Obstacle::plane([0.05, 1.0, 0.03], 0.0), 0.115), (ball, 0.105)] {
        let mut scene = block_on(below, [0.0, gap, 0.0], Friction::coulomb(0.4));
        scene.contacts[0].fracture = Some(0.2);
        let crate::body::Body::Solid(cube) = &mut scene.bodies[0] else { panic!("a solid") };
        cube.velocity = Vector3::new(0.2, 1.0, 0.1);
        for law in laws() {
            check(&scene, law, SlipLevel::Auto, Integrator::BackwardEuler, 4);
            check(&scene, law, SlipLevel::Velocity, Integrator::Sdirk2, 4);
        }
    }
}

#[test]
fn jacobian_of_contact_on_a_curved_turning_obstacle_is_complete() {
    let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::new(0.5, 2.0, 0.3) };
    let torus = Obstacle::new(Shape::Torus { ring_radius: 0.3, tube_radius: 0.15 }).motion(motion);
    let scene = block_on(torus, [0.0, 0.24, 0.0], Friction::coulomb(0.5));
    for law in laws() {
        for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
            check(&scene, law, slip, Integrator::Sdirk2, 4);
        }
    }
}

/// A rigid box on a plane, on a solid, and under cloth, held by a spring, spinning.
fn rigid(on: u32) -> Scene {
    let mut scene = Scene::new();
    let cube = Solid::cuboid([0.3, 0.2, 0.3], [3, 2, 3]).expect("valid");
    let cube = Rigid::new(cube.mesh.boundary().surface)
        .turned([0.1, 1.0, 0.0], 0.4)
        .velocity([0.3, -0.5, 0.1]);
    let spin = [0.2, 3.0, -0.3];
    let (rigid, other) = match on {
        0 => {
            let cube = scene.add(cube.at([0.0, 0.108, 0.0]).spin(spin));
            (cube, scene.add(Obstacle::plane([0.05, 1.0, 0.03], 0.0)))
        }
        1 => {
            let below = Solid::cuboid([0.6, 0.2, 0.6], [8, 2, 8]).expect("valid");
            let below = scene.add(below.spin([0.1, 0.5, -0.2]));
            (scene.add(cube.at([0.02, 0.206, 0.01]).spin(spin)), below)
        }
        _ => {
            let cube = scene.add(cube.velocity([0.1, 0.0, 0.1]).spin(spin.map(|w| 0.1 * w)));
            let sheet = Cloth::sheet([0.2, 0.2], [5, 5]).expect("valid");
            let sheet = sheet.turned([1.0, 0.0, 0.0], -1.57).at([0.02, 0.112, 0.01]);
            (cube, scene.add(sheet.velocity([0.2, -0.3, 0.1])))
        }
    };
    let rule = scene.contact(rigid, other);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    rule.thickness = Some(0.02);
    // It pulls a box with cloth on it so hard that the cloth stays there.
    let stiffness = if on == 2 { 300.0 } else { 30.0 };
    let ends = [Anchor::Vertex(rigid, 3), Anchor::Point(Vector3::new(0.1, 1.5, 0.0))];
    scene.spring(Spring { ends, stiffness, damping: 0.2, rest_length: Some(0.3) });
    scene
}

#[test]
fn jacobian_of_rigid_bodies_is_complete() {
    for on in 0..3 {
        let scene = rigid(on);
        for law in laws() {
            for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                check(&scene, law, slip, Integrator::BackwardEuler, 4);
                // Cloth, so light, is thrown off by schemes that do not damp.
                if on < 2 {
                    check(&scene, law, slip, Integrator::Sdirk2, 4);
                }
            }
        }
    }
}

/// Four balls in one body, on a large ball that turns.
fn balls_on_obstacle() -> Scene {
    let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball");
    let places = [[0.12, 0.12], [0.12, -0.12], [-0.12, 0.12], [-0.12, -0.12]];
    let balls = places.map(|[x, z]| ball.clone().at([x, 0.0, z]));
    let body = Rigid::joined(&balls).expect("has mass").turned([0.01, 1.0, 0.0], 0.4);
    let center = Vector3::new(0.0, -1.0, 0.0);
    let motion = Motion::Rotation { center, rate: Vector3::new(0.5, 2.0, 0.3) };
    let mut scene = Scene::new();
    let body =
        scene.add(body.at([0.0, 0.12, 0.0]).velocity([0.3, -0.5, 0.1]).spin([0.2, 3.0, -0.3]));
    let below = Obstacle::new(Shape::Sphere { radius: 1.0 }).at([0.0, -1.0, 0.0]);
    let below = scene.add(below.motion(motion));
    let rule = scene.contact(body, below);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    rule.thickness = Some(0.05);
    scene
}

#[test]
fn jacobian_of_round_bodies_is_complete() {
    check_all(&balls_on_obstacle(), 4);
}

/// Four balls in one body, on a large ball that is free too.
fn balls_on_ball() -> Scene {
    let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball");
    let places = [[0.12, 0.12], [0.12, -0.12], [-0.12, 0.12], [-0.12, -0.12]];
    let balls = places.map(|[x, z]| ball.clone().at([x, 0.0, z]));
    let body = Rigid::joined(&balls).expect("has mass").turned([0.01, 1.0, 0.0], 0.4);
    let mut scene = Scene::new();
    let body =
        scene.add(body.at([0.0, 0.12, 0.0]).velocity([0.3, -0.5, 0.1]).spin([0.2, 3.0, -0.3]));
    let below = Rigid::shape(&Shape::Sphere { radius: 1.0 }, 12).expect("a ball");
    let below = scene.add(below.at([0.0, -1.0, 0.0]).spin([0.5, 2.0, 0.3]));
    let rule = scene.contact(body, below);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    rule.thickness = Some(0.05);
    // Not what would carry the large one.
    rule.stiffness = Some(4e3);
    scene
}

#[test]
fn jacobian_of_balls_on_a_ball_is_complete() {
    check_all(&balls_on_ball(), 4);
}

/// Two planks: across each other they touch with edges alone, side by side with vertices.
fn planks(turn: f64) -> Scene {
    let shape = Shape::Box { size: Vector3::new(0.5, 0.1, 0.1), rounding: 0.0 };
    let plank = Rigid::shape(&shape, 4).expect("a box");
    let mut scene = Scene::new();
    let below = scene.add(plank.clone().spin([0.05, 0.3, -0.1]));
    let above = plank.turned([0.02, 1.0, 0.01], turn).at([0.02, 0.11, 0.01]);
    let above = scene.add(above.velocity([0.3, -0.1, 0.1]).spin([0.1, 0.6, -0.15]));
    let rule = scene.contact(above, below);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    rule.thickness = Some(0.02);
    // Not what would carry them: they are to touch for a while.
    rule.stiffness = Some(500.0);
    scene
}

#[test]
fn jacobian_of_planks_is_complete() {
    [1.4, 0.05].into_iter().for_each(|turn| check_all(&planks(turn), 1));
}

/// Planks of eight vertices across each other, which touch with edges alone: rigid meshes, solids, one of each; one
/// on an obstacle that moves; strips of cloth.
fn mesh_planks(kind: u32) -> Scene {
    let size = [0.5, 0.1, 0.1];
    let solid = || Solid::cuboid(size, [1; 3]).expect("valid");
    let mesh = || Rigid::new(solid().mesh.boundary().surface);
    let strip = |size, cells| {
        let strip = Cloth::sheet(size, cells).expect("valid");
        strip.turned([1.0, 0.02, 0.01], -1.55)
    };
    let mut scene = Scene::new();
    let spin = [0.05, 0.3, -0.1];
    let below = match kind {
        0 => scene.add(mesh().spin(spin)),
        1 | 2 => scene.add(solid().spin(spin)),
        3 => {
            let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::from(spin) };
            let surface = solid().mesh.boundary().surface;
            scene.add(Obstacle::new(Shape::Mesh(surface)).motion(motion))
        }
        _ => scene.add(strip([0.5, 0.1], [3, 1]).spin(spin)),
    };
    let (axis, turn, at) = ([0.02, 1.0, 0.01], 1.4, [0.02, 0.11, 0.01]);
    let (velocity, spin) = ([0.3, -0.1, 0.1], [0.1, 0.6, -0.15]);
    let above = match kind {
        0 | 2 | 3 => scene.add(mesh().turned(axis, turn).at(at).velocity(velocity).spin(spin)),
        1 => scene.add(solid().turned(axis, turn).at(at).velocity(velocity).spin(spin)),
        _ => {
            let strip = strip([0.1, 0.5], [1, 3]).at([0.02, 0.012, 0.01]);
            scene.add(strip.velocity(velocity).spin(spin))
        }
    };
    let rule = scene.contact(above, below);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    rule.thickness = Some(0.02);
    // Not what would carry them: they are to touch for a while.
    rule.stiffness = Some(if kind == 4 { 1.0 } else { 500.0 });
    scene
}

#[test]
fn jacobian_of_edges_of_meshes_is_complete() {
    (0..5).for_each(|kind| check_all(&mesh_planks(kind), 1));
    // Spin that is resisted.
    for kind in [0, 3] {
        check_all(&resisting(mesh_planks(kind), 0.06), 1);
    }
}

/// Spin that is resisted: round bodies on an obstacle and on each other, edges, vertices on an obstacle, on a simple
/// shape, on a smooth surface through a mesh. With coefficients that are the same, differ when sticking, and differ
/// along a grain.
#[test]
fn jacobian_of_spin_is_complete() {
    let mut on_mesh = rigid(1);
    let below = Solid::cuboid([0.6, 0.2, 0.6], [8, 2, 8]).expect("valid");
    let below = Rigid::new(below.mesh.boundary().surface).spin([0.1, 0.5, -0.2]);
    let surface = on_mesh.contacts[0].between[1];
    on_mesh.bodies[surface.index()] = below.into();
    on_mesh.contacts[0].roles = Roles::SecondIsSurface;
    // Two ways for each: derivatives of every law are there without spin.
    let check = |scene: &Scene, least: usize| {
        for law in [laws()[1], laws()[3]] {
            check(scene, law, SlipLevel::Auto, Integrator::BackwardEuler, least);
            check(scene, law, SlipLevel::Velocity, Integrator::Sdirk2, least);
        }
    };
    check_all(&resisting(balls_on_ball(), 0.06), 4);
    let scenes = [
        (balls_on_obstacle(), 4),
        (planks(1.4), 1),
        (planks(0.05), 1),
        (rigid(0), 4),
        (on_mesh, 4),
    ];
    for (scene, least) in scenes {
        let mut scene = resisting(scene, 0.06);
        check(&scene, least);
        let friction = scene.contacts[0].friction;
        let [_, b] = scene.contacts[0].between;
        if matches!(scene.bodies[b.index()], crate::body::Body::Obstacle(_)) {
            let static_coefficient = Some(0.8);
            scene.contacts[0].friction = Friction { static_coefficient, ..friction };
            check(&scene, least);
            scene.skin(b).grain = Some(Grain::Straight(Vector3::new(1.0, 0.2, 0.4)));
            let direction = Directional::Grain { along: 0.2, across: 0.6 };
            scene.contacts[0].friction = Friction { direction, ..friction };
            check(&scene, least);
        }
    }
}

fn resisting(mut scene: Scene, torsion: f64) -> Scene {
    scene.contacts[0].friction.torsion = torsion;
    scene
}

/// A capsule across a cylinder that is thicker, and across a box with rounded edges: round sides, between vertices.
#[test]
fn jacobian_of_logs_is_complete() {
    let capsule = Shape::Capsule { radius: 0.04, length: 0.5 };
    let others = [
        (Shape::Cylinder { radius: 0.07, length: 0.5 }, 0.115, 0.0),
        (Shape::Box { size: Vector3::new(0.1, 0.5, 0.1), rounding: 0.02 }, 0.1, 0.7),
    ];
    for (other, height, roll) in others {
        let log = |shape: &Shape| Rigid::shape(shape, 12).expect("a shape");
        let mut scene = Scene::new();
        let below = log(&other).turned([0.0, 1.0, 0.0], roll).turned([1.0, 0.0, 0.0], 1.5);
        let below = scene.add(below.spin([0.05, 0.3, -0.1]));
        let above = log(&capsule).turned([0.01, 0.03, 1.0], 1.6).at([0.02, height, 0.01]);
        let above = scene.add(above.velocity([0.3, -0.1, 0.1]).spin([0.1, 0.6, -0.15]));
        let rule = scene.contact(above, below);
        rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
        (rule.thickness, rule.stiffness) = (Some(0.02), Some(500.0));
        check_all(&scene, 1);
    }
}

/// Quarters of ellipses, which differ forth and back: where slip, traction and what is remembered are in the same
/// one, and where they are not.
#[test]
fn jacobian_of_friction_by_textures_is_complete() {
    let friction = Friction { direction: Directional::Texture, ..Friction::coulomb(0.2) };
    let relief = NormalMap::sawtooth(0.02, 0.015, 0.75).expect("a relief");
    let ball = Obstacle::new(Shape::Sphere { radius: 1.0 }).at([0.0, -1.0, 0.0]);
    for (torsion, grain) in [(0.0, [1.0, 0.2, 0.4]), (0.03, [-0.3, 0.1, 1.0])] {
        let mut scene = balls_on_obstacle();
        if torsion <= 0.0 {
            scene = block_on(ball.clone(), [0.0, 0.11, 0.0], friction);
        }
        scene.contacts[0].friction = Friction { torsion, viscosity: 0.5, ..friction };
        let [_, b] = scene.contacts[0].between;
        scene.skin(b).grain = Some(Grain::Straight(grain.into()));
        scene.skin(b).texture = Some(Arc::new(relief.clone()));
        check_all(&scene, 4);
    }
}

/// With every law, by position and by velocity.
fn check_all(scene: &Scene, least: usize) {
    for law in laws() {
        for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
            check(scene, law, slip, Integrator::BackwardEuler, least);
            check(scene, law, slip, Integrator::Sdirk2, least);
        }
    }
}

/// One block on top of another, both free, the upper one turned a little; or a cloth on it.
fn two_bodies(cloth: bool) -> Scene {
    let mut scene = Scene::new();
    let below = Solid::cuboid([0.6, 0.2, 0.6], [5, 2, 5]).expect("valid");
    let below = scene.add(below.spin([0.1, 0.5, -0.2]));
    let above = if cloth {
        let sheet = Cloth::sheet([0.3, 0.3], [5, 5]).expect("valid");
        let sheet = sheet.turned([1.0, 0.0, 0.1], -1.6).at([0.02, 0.112, 0.01]);
        scene.add(sheet.velocity([0.2, -0.3, 0.1]))
    } else {
        let cube = Solid::cuboid([0.3, 0.2, 0.3], [3, 2, 3]).expect("valid");
        let cube = cube.turned([0.1, 1.0, 0.0], 0.4).at([0.02, 0.21, 0.01]);
        scene.add(cube.velocity([0.3, -0.5, 0.1]).spin([0.2, 1.0, -0.3]))
    };
    let rule = scene.contact(above, below);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    rule.thickness = Some(0.02);
    scene
}

#[test]
fn jacobian_of_contact_between_bodies_is_complete() {
    for cloth in [false, true] {
        let scene = two_bodies(cloth);
        for law in laws() {
            for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                check(&scene, law, slip, Integrator::BackwardEuler, 4);
            }
        }
    }
}

/// Friction by direction: on a plane, on a curved obstacle that turns, on and of bodies that have nodes.
#[test]
fn jacobian_of_friction_along_a_grain_is_complete() {
    let direction = Directional::Grain { along: 0.2, across: 0.6 };
    let friction = Friction { direction, ..Friction::coulomb(0.5) };
    let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::new(0.5, 2.0, 0.3) };
    let torus = Obstacle::new(Shape::Torus { ring_radius: 0.3, tube_radius: 0.15 }).motion(motion);
    let plane = Obstacle::plane([0.1, 1.0, 0.05], 0.0);
    let scenes = [
        block_on(plane, [0.0, 0.112, 0.0], friction),
        block_on(torus, [0.0, 0.24, 0.0], friction),
        rigid(1),
        two_bodies(false),
    ];
    for (k, mut scene) in scenes.into_iter().enumerate() {
        scene.contacts[0].friction =
            Friction { direction, viscosity: 0.5, ..Friction::coulomb(0.5) };
        let [a, b] = scene.contacts[0].between;
        scene.skin(b).grain = Some(Grain::Straight(Vector3::new(1.0, 0.2, 0.4)));
        if k > 0 {
            scene.skin(a).grain = Some(Grain::Straight(Vector3::new(0.9, 0.0, -0.3)));
        }
        for law in laws() {
            for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                check(&scene, law, slip, Integrator::BackwardEuler, 4);
            }
        }
    }
}
