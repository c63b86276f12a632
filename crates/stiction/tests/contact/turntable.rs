//! Points on a turntable, where only friction holds them: `docs/theory/reference-values.md`, "Anchored friction".

use crate::support::*;
use stiction::Scene;
use stiction::Simulation;
use stiction::body::{BodyId, Motion, Obstacle};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::step::Integrator;

const RADIUS: f64 = 0.5; // [m]
const RATE: f64 = 1.0; // [rad/s]

/// Three points on a circle, at rest on a plane that turns. Friction can hold twice what they need.
fn turntable() -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let at = |turn: f64| {
        let (sin, cos) = (turn * std::f64::consts::TAU).sin_cos();
        Vector3::new(RADIUS * cos, 0.0, -RADIUS * sin)
    };
    let points = point_masses([at(0.0), at(1.0 / 3.0), at(2.0 / 3.0)]);
    let points = scene.add(points.at([0.0, 0.5 * THICKNESS, 0.0]).spin([0.0, RATE, 0.0]));
    let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::y() * RATE };
    let table = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0).motion(motion));
    let rule = scene.contact(points, table);
    rule.friction = Friction::coulomb(0.1);
    rule.thickness = Some(THICKNESS);
    rule.stiffness = Some(carrying(GRAVITY));
    (scene, points)
}

/// What ten turns did to the first point.
struct Ride {
    /// From where it started, on the table [m].
    offset: f64,
    /// In the last five turns, on the table [m].
    drift: f64,
    /// Of friction, over what a circle needs [-].
    traction: f64,
}

fn ride(integrator: Integrator, h: f64) -> Ride {
    let (scene, points) = turntable();
    // A spring of 1e4 N/m.
    let law = anchored(1e4 / (3.0 * carrying(GRAVITY)));
    let mut simulation =
        Simulation::with_settings(&scene, settings(integrator, h, law)).expect("valid");
    let on_table = |simulation: &Simulation| {
        let turn = nalgebra::Rotation3::new(Vector3::y() * (-RATE * simulation.time()));
        turn * simulation.positions(points)[0]
    };
    let steps = (5.0 * std::f64::consts::TAU / h).round() as usize;
    let start = on_table(&simulation);
    advance(&mut simulation, steps);
    let half = on_table(&simulation);
    advance(&mut simulation, steps);
    let end = on_table(&simulation);
    let traction = simulation.contacts()[0].friction.norm() / (RATE * RATE * RADIUS);
    Ride { offset: (end - start).norm(), drift: (end - half).norm(), traction }
}

#[test]
fn position_level_slip_holds_a_point_for_ever() {
    // Steps that are exact in binary; see below for others.
    for (integrator, traction) in [(Integrator::BackwardEuler, 1e-3), (Integrator::Bdf2, 1e-2)] {
        for (h, traction) in [(0.125, 1.3 * traction), (0.015625, 3e-4)] {
            held_for_ever(integrator, h, traction);
        }
    }
}

/// The table at the end of a step, at `t + h`, must be that at the start of the next, at `(n + 1) h`: rounding of times
/// is of the size of 1e-14 s late in a run, and something that turns below a point moves on by that.
#[test]
fn position_level_slip_holds_a_point_for_ever_for_any_step() {
    for (integrator, traction) in [(Integrator::BackwardEuler, 8e-4), (Integrator::Bdf2, 7e-3)] {
        for (h, traction) in [(0.1, traction), (0.02, 5e-4), (0.005, 3e-4)] {
            held_for_ever(integrator, h, traction);
        }
    }
}

#[track_caller]
fn held_for_ever(integrator: Integrator, h: f64, traction_error: f64) {
    let Ride { offset, drift, traction } = ride(integrator, h);
    assert!(drift < 1e-12, "{integrator}, {h}: drifts by {drift:e} m");
    // The spring of the contact gives way once, and the first step may slip a little.
    assert!(offset < 8e-5, "{integrator}, {h}: {offset:e} m off");
    assert!((traction - 1.0).abs() < traction_error, "{integrator}, {h}: {traction} of the force");
}

/// Second order in the step, and within a tenth of the figures of the specification.
#[test]
fn velocity_level_slip_drifts_as_the_square_of_the_step() {
    for integrator in [Integrator::Sdirk2, Integrator::TR_BDF2] {
        for (h, offset) in [(0.1, 1.3e-2), (0.02, 5.1e-4)] {
            let ride = ride(integrator, h);
            let error = (ride.offset / offset - 1.0).abs();
            assert!(error < 0.1, "{integrator}, {h}: {:e} m for {offset:e} m", ride.offset);
            let error = (ride.traction - 1.0).abs();
            assert!(error < 5e-4, "{integrator}, {h}: {}", ride.traction);
        }
    }
}
