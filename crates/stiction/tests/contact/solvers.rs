//! Every solver finds the same contacts, and scenes may start where they are at rest.

use crate::support::*;
use stiction::body::{BodyId, Obstacle, Shape, Solid};
use stiction::contact::Friction;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::method::smooth::StageSolver;
use stiction::method::smooth::{Coupling, Law};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn damped() -> Material {
    Material::SILICONE.with_damping(Damping { mass: 0.0, stiffness: 1e-2 }).expect("valid")
}

/// A block that lands on a ball.
fn block_on_ball() -> Scene {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.4);
    scene.add(Obstacle::new(Shape::Sphere { radius: 0.5 }));
    let block = Solid::cuboid([0.4, 0.1, 0.4], [4, 1, 4]).expect("valid").material(damped());
    scene.add(block.at([0.02, 0.555, 0.0]).velocity([0.3, -0.5, 0.0]));
    scene
}

/// And a smaller one that lands on it.
fn pile() -> Scene {
    let mut scene = block_on_ball();
    let block = Solid::cuboid([0.1, 0.1, 0.1], [2, 2, 2]).expect("valid").material(damped());
    scene.add(block.at([0.0, 0.66, 0.01]).velocity([-0.3, -0.5, 0.2]));
    scene
}

#[test]
fn all_methods_find_the_same_motion() {
    for law in [Law::default(), Law::Smoothed { profile: Default::default(), epsilon: 1e-2 }] {
        let run = |method: StageSolver| {
            let mut settings = settings(Integrator::Bdf2, 0.005, law);
            settings.smooth().solver.tolerance = 1e-8;
            settings.smooth().solver.method = method;
            let mut simulation =
                Simulation::with_settings(&block_on_ball(), settings).expect("valid");
            let mut touching = 0;
            for _ in 0..40 {
                let report = advance(&mut simulation, 1);
                assert_eq!(report.failed_attempts, 0, "{method:?}, {law:?}: {report:?}");
                touching = touching.max(report.contact.touching);
            }
            assert!(touching > 0, "{method:?}, {law:?}: {touching} contacts at most");
            simulation.trajectory().q.clone()
        };
        let direct = run(StageSolver::Newton);
        for method in [StageSolver::Auto, StageSolver::InexactNewton, StageSolver::MatrixFree] {
            let other = run(method);
            let apart = direct.iter().zip(&other).map(|(a, b)| (a - b).abs());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < 1e-11, "{law:?}, {method:?}: {apart:e} m apart");
        }
    }
}

/// A Newton step that no line search accepts is taken as it is, since friction has kinks; but several of them must
/// not add up (they led from 4e7 m/s² to 5e18 m/s² here), and none is worth taking along a direction that is only
/// half right.
#[test]
fn steps_against_the_line_search_do_not_lead_away() {
    let mut settings = settings(Integrator::Bdf2, 0.005, Law::default());
    settings.smooth().solver.tolerance = 1e-7;
    settings.smooth().solver.method = StageSolver::InexactNewton;
    let mut simulation = Simulation::with_settings(&pile(), settings).expect("valid");
    for step in 0..15 {
        let report = advance(&mut simulation, 1);
        assert_eq!(report.failed_attempts, 0, "step {step}");
    }
}

/// What cannot be solved any better is solved: smoothed friction stops there, with 15 iterations at most.
#[test]
fn a_tolerance_at_the_size_of_rounding_does_not_make_steps_fail() {
    let mut settings = settings(Integrator::Bdf2, 0.005, Law::default());
    settings.smooth().solver.tolerance = 1e-9;
    let mut simulation = Simulation::with_settings(&pile(), settings).expect("valid");
    let mut failed = 0;
    for _ in 0..30 {
        failed += advance(&mut simulation, 1).failed_attempts;
    }
    assert_eq!(failed, 0);
}

fn block_on_slope(friction: f64) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(GRAVITY * TEN_DEGREES.sin(), -GRAVITY * TEN_DEGREES.cos(), 0.0);
    scene.friction = Friction::coulomb(friction);
    let block = Solid::cuboid([0.2; 3], [3; 3]).expect("valid").material(damped());
    let block = scene.add(block.at([0.0, 0.1005, 0.0]));
    scene.add(Obstacle::plane(Vector3::y(), 0.0));
    (scene, block)
}

/// A settled start does not kick.
#[test]
fn a_block_that_settled_on_a_slope_stays_where_it_is() {
    for integrator in SCHEMES {
        let (scene, block) = block_on_slope(0.3);
        let mut run = settings(integrator, 0.01, Law::default());
        run.smooth().solver.tolerance = 1e-8;
        let mut simulation = Simulation::with_settings(&scene, run).expect("valid");
        let report = simulation.settle().expect("held by friction");
        let start = simulation.positions(block);
        let mut fastest = 0.0_f64;
        for _ in 0..50 {
            advance(&mut simulation, 1);
            fastest = simulation.velocities(block).iter().map(|v| v.norm()).fold(fastest, f64::max);
        }
        let x = simulation.positions(block);
        let moved = x.iter().zip(&start).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(report.converged(), "{integrator}: {report:?}");
        assert!(fastest < 1e-8, "{integrator}: {fastest:e} m/s");
        assert!(moved < 1e-10, "{integrator}: {moved:e} m");
    }
}

/// For comparison only, but they must work: lagged friction, and the decoupled trapezoid.
#[test]
fn looser_couplings_hold_and_slide_nearly_as_well() {
    for (coupling, integrator) in [
        (Coupling::Lagged { passes: 1 }, Integrator::BackwardEuler),
        (Coupling::Lagged { passes: 3 }, Integrator::Bdf2),
        (Coupling::Lagged { passes: 1 }, Integrator::Sdirk2),
        (Coupling::Decoupled, Integrator::Trapezoid),
    ] {
        for friction in [0.1, 0.3] {
            let (scene, block) = block_on_slope(friction);
            let mut run: Settings = settings(integrator, 0.005, Law::default());
            run.smooth().solver.tolerance = 1e-7;
            run.smooth().solver.contact.coupling = coupling;
            let mut simulation = Simulation::with_settings(&scene, run).expect("valid");
            let mut bad = 0;
            for _ in 0..100 {
                bad += usize::from(!simulation.step().converged());
            }
            let way = middle(&simulation, block).x;
            let expected = 0.125 * GRAVITY * (TEN_DEGREES.sin() - friction * TEN_DEGREES.cos());
            assert_eq!(bad, 0, "{coupling:?}, {integrator}, {friction}");
            let error = (way - expected.max(0.0)).abs();
            let limit = if expected > 0.0 { 0.03 * expected } else { 5e-4 };
            assert!(error < limit, "{coupling:?}, {integrator}, {friction}: {way} m");
        }
    }
}

/// Predicted: what rests is pressed with its weight, whichever stages a step is made of: contact acts for all of it.
/// (With SDIRK2, and in first steps of BDF2 and of the trapezoid rule, it acted for 0.29 of it.)
#[test]
fn decoupled_contacts_act_for_the_whole_step() {
    for integrator in SCHEMES.into_iter().chain([
        Integrator::Sdirk2,
        Integrator::TR_BDF2,
        Integrator::Newmark { beta: 0.3025, gamma: 0.6 },
    ]) {
        let (scene, block) = block_on_slope(0.3);
        let mut run = settings(integrator, 0.005, Law::default());
        run.smooth().solver.tolerance = 1e-7;
        run.smooth().solver.contact.coupling = Coupling::Decoupled;
        let mut simulation = Simulation::with_settings(&scene, run).expect("valid");
        let weight = stiction_check::scenes::mass(&simulation, block) * GRAVITY * TEN_DEGREES.cos();
        // Of many steps: what keeps its vibrations bounces a little.
        let (mut pressed, steps) = (0.0, 200);
        advance(&mut simulation, steps);
        for _ in 0..steps {
            advance(&mut simulation, 1);
            pressed += simulation.contacts().iter().map(|c| c.normal_force).sum::<f64>();
        }
        let ratio = pressed / (steps as f64 * weight);
        assert!((ratio - 1.0).abs() < 0.01, "{integrator}: pressed with {ratio} of its weight");
    }
}

/// Oil: `t = (μ + ν|u|) λ`, so that a block on a slope reaches the speed `(tan θ − μ)/ν`.
#[test]
fn oil_limits_the_speed() {
    let (mu, viscosity) = (0.1, 1.0);
    let friction = Friction { viscosity, ..Friction::coulomb(mu) };
    for integrator in SCHEMES {
        let slope = Slope { friction, ..Slope::reference(0.2) };
        let mut simulation =
            Simulation::with_settings(&slope.scene().0, settings(integrator, 0.01, Law::default()))
                .expect("valid");
        advance(&mut simulation, 400);
        let expected = (TEN_DEGREES.tan() - mu) / viscosity;
        let v = simulation.trajectory().v[0];
        assert!((v / expected - 1.0).abs() < 1e-12, "{integrator}: {v} m/s for {expected} m/s");
    }
}
