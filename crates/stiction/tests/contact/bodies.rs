//! Two bodies that touch: action equals reaction, and friction does what it must.

use stiction::body::{Cloth, Obstacle, Solid};
use stiction::contact::{Friction, Roles};
use stiction::math::Vector3;
use stiction::method::smooth::SolverSettings;
use stiction::method::smooth::{ContactSettings, Law, SmoothSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

/// A block thrown onto another one, far from everything.
fn collision(roles: Roles, cloth: bool) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let below = Solid::cuboid([0.5, 0.2, 0.5], [4, 2, 4]).expect("valid");
    let below = scene.add(below.spin([0.3, 0.8, -0.2]));
    let above = if cloth {
        let sheet = Cloth::sheet([0.3, 0.3], [6, 6]).expect("valid");
        let sheet = sheet.turned([1.0, 0.0, 0.1], -1.6).at([0.0, 0.13, 0.0]);
        scene.add(sheet.velocity([0.3, -0.4, 0.1]))
    } else {
        let cube = Solid::cuboid([0.3, 0.2, 0.3], [3, 2, 3]).expect("valid");
        let cube = cube.turned([0.1, 1.0, 0.05], 0.4).at([0.02, 0.215, 0.01]);
        scene.add(cube.velocity([0.4, -0.6, 0.1]).spin([0.2, 1.0, -0.3]))
    };
    let rule = scene.contact(above, below);
    rule.friction = Friction::coulomb(0.5);
    rule.roles = roles;
    scene
}

#[test]
fn bodies_that_collide_keep_their_momentum() {
    let cases = [
        (Roles::Auto, false),
        (Roles::FirstIsSurface, false),
        (Roles::Both, false),
        (Roles::Auto, true),
    ];
    let laws = [Law::default(), Law::Smoothed { profile: Default::default(), epsilon: 1e-2 }];
    for (roles, cloth) in cases {
        for law in laws {
            let contact = ContactSettings { law, ..Default::default() };
            let solver = SolverSettings { tolerance: 1e-9, contact, ..Default::default() };
            let integrator = Integrator::BackwardEuler;
            let settings = Settings {
                time_step: 0.005,
                method: SmoothSettings { integrator, solver }.into(),
                ..Default::default()
            };
            let scene = collision(roles, cloth);
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            // Backward Euler keeps linear momentum to rounding. Angular momentum it loses to its own damping of
            // rotation; what contacts add is measured by their forces.
            let (linear, _) = simulation.momentum();
            let mut touching = 0;
            for _ in 0..30 {
                let report = simulation.step();
                assert!(report.converged(), "{roles:?} {law:?}: {report:?}");
                touching = touching.max(report.contact.touching);
                let q = &simulation.trajectory().q;
                let at = |node: u32| Vector3::from_column_slice(&q[3 * node as usize..][..3]);
                let (mut force, mut torque, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
                for (node, f) in simulation.contacts().iter().flat_map(|contact| &contact.forces) {
                    force += f;
                    torque += at(*node).cross(f);
                    size += f.norm();
                }
                assert!(force.norm() <= 1e-13 * size, "{roles:?}: net force {force:?} of {size}");
                assert!(
                    torque.norm() <= 1e-13 * size,
                    "{roles:?}: net torque {torque:?} of {size}"
                );
            }
            assert!(touching > 2, "{roles:?}, cloth {cloth}: {touching} contacts at most");
            let (now, _) = simulation.momentum();
            let scale = linear.norm();
            assert!((now - linear).norm() < 1e-9 * scale, "{roles:?} {law:?}: {now:?} {linear:?}");
        }
    }
}

/// A block on a slope inside the cone of friction, dropped from half the layer.
#[test]
fn a_soft_block_comes_to_rest_on_a_slope_and_does_not_creep() {
    let angle: f64 = 10_f64.to_radians();
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(9.81 * angle.sin(), -9.81 * angle.cos(), 0.0);
    let material = stiction::material::Material::RUBBER
        .with_youngs_modulus(1e6)
        .and_then(|m| m.with_damping(stiction::material::Damping { mass: 0.0, stiffness: 2e-2 }))
        .expect("valid");
    let block = Solid::cuboid([1.0, 0.5, 1.0], [4, 2, 4]).expect("valid").material(material);
    let block = scene.add(block.at([0.0, 0.251, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let rule = scene.contact(block, plane);
    rule.friction = Friction::coulomb(0.177);
    rule.thickness = Some(1e-3);
    for integrator in
        [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::Sdirk2, Integrator::TR_BDF2]
    {
        let solver = SolverSettings { tolerance: 1e-8, ..Default::default() };
        let settings = Settings {
            time_step: 0.02,
            method: SmoothSettings { integrator, solver }.into(),
            ..Default::default()
        };
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let mean = |simulation: &Simulation| -> Vector3 {
            let x = simulation.positions(block);
            x.iter().sum::<Vector3>() / x.len() as f64
        };
        let mut most = 0;
        for _ in 0..300 {
            let report = simulation.step();
            assert!(report.converged(), "{integrator}: {report:?}");
            most = most.max(report.stages.iter().map(|stage| stage.iterations).max().unwrap_or(0));
        }
        let start = mean(&simulation);
        for _ in 0..150 {
            assert!(simulation.step().converged(), "{integrator}");
        }
        let creep = (mean(&simulation) - start).norm() / 3.0;
        assert!(most <= 20, "{integrator}: {most} iterations in a stage");
        assert!(creep < 1e-9, "{integrator}: {creep:e} m/s");
    }
}

/// Settled on a slope, a block starts without a kick: nothing moves, with any integrator.
#[test]
fn a_settled_block_on_a_slope_does_not_move_at_all() {
    let angle: f64 = 10_f64.to_radians();
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(9.81 * angle.sin(), -9.81 * angle.cos(), 0.0);
    let block = scene.add(Solid::cuboid([0.2; 3], [3; 3]).expect("valid").at([0.0, 0.101, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(block, plane, 0.2);
    for integrator in
        [Integrator::BackwardEuler, Integrator::Trapezoid, Integrator::TR_BDF2, Integrator::Bdf2]
    {
        let settings = Settings {
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Default::default()
        };
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let report = simulation.settle().expect("it lies on the plane");
        assert!(report.converged(), "{report:?}");
        let weight = simulation.model().node_masses().iter().sum::<f64>() * 9.81;
        let start = simulation.positions(block);
        for _ in 0..50 {
            assert!(simulation.step().converged(), "{integrator}");
        }
        let carried: f64 = simulation.contacts().iter().map(|contact| contact.normal_force).sum();
        assert!((carried / weight - angle.cos()).abs() < 1e-4, "carries {carried} of {weight} N");
        let moved = simulation
            .positions(block)
            .iter()
            .zip(&start)
            .map(|(a, b)| (a - b).norm())
            .fold(0.0, f64::max);
        assert!(moved < 1e-8, "{integrator}: moved by {moved:e} m");
    }
}

/// Nothing holds a block on a slope without friction.
#[test]
fn settling_on_ice_is_refused() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(2.0, -9.0, 0.0);
    let block = scene.add(Solid::cuboid([0.2; 3], [2; 3]).expect("valid").at([0.0, 0.101, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(block, plane, 0.0);
    let mut simulation = Simulation::new(&scene).expect("valid");
    let refused = simulation.settle();
    assert!(refused.is_err(), "{refused:?}");
}

/// A small ball shot at a thin wall at 60 m/s, 0.6 m a step.
#[test]
fn fast_balls_do_not_pass_through_thin_walls() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let ball =
        Solid::ball(0.03, 0.02).expect("valid").at([-0.4, 0.0, 0.0]).velocity([60.0, 0.0, 0.0]);
    let ball = scene.add(ball);
    scene.add(Obstacle::new(stiction::body::Shape::Box {
        size: Vector3::new(0.05, 1.0, 1.0),
        rounding: 0.0,
    }));
    let mut simulation = Simulation::new(&scene).expect("valid");
    for _ in 0..10 {
        simulation.step();
        let x = simulation.positions(ball).iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max);
        assert!(x < 0.0, "at {x} m at {} s", simulation.time());
    }
    let (momentum, _) = simulation.momentum();
    assert!(momentum.x < 0.0, "it flies back");
}
