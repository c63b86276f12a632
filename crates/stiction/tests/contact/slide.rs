//! Points that slide: they stop where and when Coulomb says, whichever way they go.

use crate::support::*;
use stiction::body::{Motion, Obstacle, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{Coupling, Law};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

/// Where a point thrown at 0.1 m/s down the slope stops: `v₀²/2a`, `a = g (μ cos θ − sin θ)` [m].
const STOP: f64 = 0.768992359686;

/// A run of the reference slope in which contacts slid from the start.
fn thrown(speed: f64, mut settings: Settings) -> Simulation {
    let scene = Slope::reference(speed).scene().0;
    let before = Slope::reference(1.0).scene().0;
    if settings.smooth().integrator != Integrator::Bdf2 {
        return sliding_already(&scene, &before, settings);
    }
    // The vectors of BDF2 are those of a run that starts with backward Euler.
    let mut euler = settings;
    euler.smooth().integrator = Integrator::BackwardEuler;
    let mut start = sliding_already(&scene, &before, euler);
    advance(&mut start, 1);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    simulation.restore(&start.state()).expect("the same scene");
    simulation
}

/// `docs/theory/reference-values.md`, "Anchored friction".
#[test]
fn points_thrown_down_the_slope_stop_as_the_vectors_say() {
    let rows = [
        (Integrator::BackwardEuler, 7.6399742277431e-3),
        (Integrator::Bdf2, 7.6896491269836e-3),
        (Integrator::TR_BDF2, 7.6899470897435e-3),
        (Integrator::Sdirk2, 7.6899470897437e-3),
    ];
    for (integrator, expected) in rows {
        let mut simulation = thrown(0.01, settings(integrator, 0.01, anchored(100.0)));
        let steps = 200 - simulation.steps();
        advance(&mut simulation, steps as usize);
        let x = simulation.trajectory().q[0];
        assert!((x - expected).abs() < 1e-12, "{integrator}: {x:.13e} for {expected:.13e}");
    }
}

/// The stop of `docs/theory/reference-values.md`, to a percent of the errors measured beforehand or to their last
/// digit.
#[test]
fn stop_distances_err_by_what_the_schemes_err() {
    let steps = [0.1, 0.05, 0.01];
    let rows = [
        (Integrator::BackwardEuler, [-4.99e-3, -2.50e-3, -5.00e-4]),
        (Integrator::Bdf2, [-2.73e-5, -6.17e-6, -3.22e-7]),
        (Integrator::TR_BDF2, [2.52e-6, 5.97e-7, 1.15e-9]),
        (Integrator::Sdirk2, [2.52e-6, 5.97e-7, 1.15e-9]),
    ];
    for (integrator, expected) in rows {
        for (h, expected) in steps.into_iter().zip(expected) {
            let mut simulation = thrown(0.1, settings(integrator, h, anchored(100.0)));
            while simulation.time() < 18.0 - 0.5 * h {
                let report = advance(&mut simulation, 1);
                assert!(most_iterations(&report) <= 6, "{integrator}, {h}: {report:?}");
            }
            let error = simulation.trajectory().q[0] - STOP;
            assert!(
                (error - expected).abs() < 0.01 * f64::abs(expected),
                "{integrator}, {h}: {error:.3e} m for {expected:.3e} m"
            );
            let speed = simulation.trajectory().v[0].abs();
            assert!(speed < 1e-12, "{integrator}, {h}: still at {speed:e} m/s");
            assert!(simulation.contacts().iter().all(|contact| !contact.sliding));
        }
    }
}

/// The limits of the block slide, from a start in which friction has not built up.
#[test]
fn points_stop_within_the_limits_of_the_block_slide() {
    for integrator in SCHEMES {
        for (h, limit) in [(0.1, 5e-3), (0.01, 1e-3)] {
            let euler = integrator == Integrator::BackwardEuler;
            let limit = if euler { 1e-2 } else { limit };
            let scene = Slope::reference(0.1).scene().0;
            let settings = settings(integrator, h, Law::default());
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            advance(&mut simulation, (18.0 / h).round() as usize);
            let error = (simulation.trajectory().q[0] / STOP - 1.0).abs();
            assert!(error < limit, "{integrator}, {h}: {error:.2e}");
        }
    }
}

/// `smooth-friction` §3.6: points that start where the layer begins have one step without friction.
#[test]
fn lagged_friction_overshoots_by_a_step_without_friction_and_a_second_pass_mends_it() {
    let rows = [(0.05, 2.6416, 0.76658), (0.02, 1.3837, 0.76808), (0.01, 1.0540, 0.76858)];
    let smoothed = Law::Smoothed { profile: Default::default(), epsilon: 1e-4 };
    for (h, once, twice) in rows {
        for (passes, expected) in [(1, once), (2, twice)] {
            for law in [smoothed, Law::default()] {
                let mut settings = settings(Integrator::BackwardEuler, h, law);
                settings.smooth().solver.contact.coupling = Coupling::Lagged { passes };
                let scene = Slope { height: THICKNESS, ..Slope::reference(0.1) }.scene().0;
                let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
                while simulation.time() < 40.0 && simulation.trajectory().v[0] > 2e-4 {
                    advance(&mut simulation, 1);
                }
                let stop = simulation.trajectory().q[0];
                assert!(
                    (stop - expected).abs() < 1e-4,
                    "{h}, {passes} passes, {law:?}: {stop:.5} m for {expected} m"
                );
            }
        }
    }
    // A step without friction adds `h g sin θ` to the speed.
    let (h, a) = (0.01, 0.006_502_015_185_220_99);
    let law = (0.1_f64 + GRAVITY * TEN_DEGREES.sin() * h).powi(2) / (2.0 * a);
    assert!((law - 1.0533).abs() < 1e-4, "{law}");
}

/// Thrown across a slope (`docs/theory/reference-values.md`); that of BDF2 started otherwise.
#[test]
fn a_point_thrown_across_the_slope_curves_down_as_the_vectors_say() {
    let rows = [
        (Integrator::BackwardEuler, [1.2061669735484e-2, 1.9996267629992e-2], 1e-11),
        (Integrator::Bdf2, [0.01307464, 0.0212779], 2e-4),
        (Integrator::Sdirk2, [1.3081151848071e-2, 2.1284585133284e-2], 1e-11),
    ];
    for (integrator, [down, side], tolerance) in rows {
        let q = across(integrator, 0.0);
        let error = (q[0] - down).hypot(q[2] - side);
        assert!(error < tolerance, "{integrator}: off by {error:e} m");
    }
}

#[test]
fn friction_is_the_same_in_every_direction() {
    for integrator in SCHEMES {
        let straight = across(integrator, 0.0);
        for turn in [0.3_f64, 1.0, 2.5, 4.0] {
            let (sin, cos) = turn.sin_cos();
            let turned = across(integrator, turn);
            let back = [cos * turned[0] - sin * turned[2], sin * turned[0] + cos * turned[2]];
            let error = (back[0] - straight[0]).hypot(back[1] - straight[2]);
            assert!(error < 1e-13, "{integrator}, turned by {turn}: off by {error:e} m");
        }
    }
}

/// Where a point goes in a second that is thrown across the slope, the scene turned about the normal of the slope.
fn across(integrator: Integrator, turn: f64) -> [f64; 3] {
    let (sin, cos) = turn.sin_cos();
    let (down, side) = (Vector3::new(cos, 0.0, -sin), Vector3::new(sin, 0.0, cos));
    let pressing = Vector3::y() * (-GRAVITY * TEN_DEGREES.cos());
    let friction = Friction::coulomb(0.25);
    let slope = Slope { friction, velocity: side * 0.3, ..Slope::reference(0.0) };
    let scene = slope.scene_in(pressing + down * (GRAVITY * TEN_DEGREES.sin())).0;
    let before = Slope { velocity: side * 3.0, ..slope }.scene_in(pressing).0;
    let settings = settings(integrator, 0.01, anchored(100.0));
    let mut simulation = sliding_already(&scene, &before, settings);
    advance(&mut simulation, 100);
    let q = &simulation.trajectory().q;
    [q[0], q[1], q[2]]
}

/// Three points that run round the inside of a hoop of radius 1 m: the inner equator of a torus. Held at its height,
/// and without gravity.
fn hoop(friction: f64) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let radius = 1.0 - 0.5 * THICKNESS;
    let at = |turn: f64| {
        let (sin, cos) = (turn * std::f64::consts::TAU).sin_cos();
        Vector3::new(radius * cos, 0.0, -radius * sin)
    };
    let points = point_masses([at(0.0), at(1.0 / 3.0), at(2.0 / 3.0)]);
    let points = scene.add(points.spin([0.0, 1.0 / radius, 0.0]));
    scene.pin(points, Selection::All).axes([false, true, false]);
    let ring = scene.add(Obstacle::new(Shape::Torus { ring_radius: 2.0, tube_radius: 1.0 }));
    let rule = scene.contact(points, ring);
    rule.friction = Friction::coulomb(friction);
    rule.thickness = Some(THICKNESS);
    rule.stiffness = Some(carrying(1.0));
    scene
}

/// Speed after `time`, over `v₀ e^(−μθ)`, less one.
fn hoop_error(friction: f64, time: f64, settings: Settings) -> f64 {
    let mut simulation = Simulation::with_settings(&hoop(friction), settings).expect("valid");
    let angle = |simulation: &Simulation| {
        let q = &simulation.trajectory().q;
        f64::atan2(-q[2], q[0])
    };
    let mut turned = 0.0;
    let mut last = angle(&simulation);
    while simulation.time() < time - 0.5 * settings.time_step {
        advance(&mut simulation, 1);
        let now = angle(&simulation);
        turned += (now - last).rem_euclid(std::f64::consts::TAU);
        last = now;
    }
    let v = &simulation.trajectory().v;
    v[0].hypot(v[2]) / f64::exp(-friction * turned) - 1.0
}

/// As measured beforehand. BDF2 and TR-BDF2 start with another scheme than there, and err by other amounts of the same
/// size.
#[test]
fn a_point_inside_a_hoop_slows_down_as_a_rope_on_a_capstan() {
    let same = [
        (Integrator::BackwardEuler, [-1.35e-1, -1.59e-2]),
        (Integrator::Sdirk2, [-1.7e-2, 4.3e-4]),
    ];
    for (integrator, expected) in same {
        for (h, expected) in [0.1, 0.01].into_iter().zip(expected) {
            let error = hoop_error(0.3, 3.0, settings(integrator, h, anchored(1.0)));
            let off = (error / expected - 1.0).abs();
            assert!(off < 0.03, "{integrator}, {h}: {error:.2e} for {expected:.1e}");
        }
    }
    let similar = [(Integrator::Bdf2, [1e-2, 5e-4]), (Integrator::TR_BDF2, [2e-3, 5e-4])];
    for (integrator, limits) in similar {
        for (h, limit) in [0.1, 0.01].into_iter().zip(limits) {
            let error = hoop_error(0.3, 3.0, settings(integrator, h, anchored(1.0)));
            assert!(error.abs() < limit, "{integrator}, {h}: {error:.2e}");
        }
    }
}

/// A mass dragged by a spring over a plane, seen by an observer who moves with the other end.
#[test]
fn a_dragged_mass_sticks_and_slips_with_the_period_of_the_formula() {
    const PERIOD: f64 = 2.764705948;
    let rows = [
        (Integrator::BackwardEuler, 0.01, -2.3e-2),
        (Integrator::Bdf2, 0.01, 9e-3),
        (Integrator::Sdirk2, 0.01, 5.5e-3),
        (Integrator::Sdirk2, 0.001, 4.7e-4),
    ];
    for (integrator, h, expected) in rows {
        let periods = stick_slip_periods(integrator, h);
        let mean = periods.iter().sum::<f64>() / periods.len() as f64;
        assert!(periods.len() >= 3, "{integrator}, {h}: {periods:?}");
        let error = mean / PERIOD - 1.0;
        // Onsets are seen at ends of steps.
        let granularity = 0.5 * h / PERIOD;
        assert!(
            (error - expected).abs() < granularity,
            "{integrator}, {h}: {error:.2e} for {expected:.1e}"
        );
    }
}

/// Times from one onset of slip to the next [s].
fn stick_slip_periods(integrator: Integrator, h: f64) -> Vec<f64> {
    use stiction::body::{Anchor, Spring};
    let (speed, thickness) = (0.05, 1e-4);
    let mut scene = Scene::new();
    let height = 0.5 * thickness;
    let points = scene.add(flat().at([0.0, height, 0.0]).velocity([speed, 0.0, 0.0]));
    let motion = Motion::Velocity(Vector3::x() * speed);
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0).motion(motion));
    for (vertex, x) in [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]].into_iter().enumerate() {
        let end = Anchor::Point(Vector3::new(x[0] - 10.0, height, x[1]));
        scene.spring(Spring::new(Anchor::Vertex(points, vertex as u32), end, 20.0));
    }
    let rule = scene.contact(points, plane);
    rule.friction = Friction { static_coefficient: Some(0.3), ..Friction::coulomb(0.2) };
    rule.thickness = Some(thickness);
    rule.stiffness = Some(4.0 * GRAVITY / (3.0 * thickness));
    let settings = settings(integrator, h, anchored(100.0));
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let (mut onsets, mut sliding) = (Vec::new(), false);
    while simulation.time() < 13.0 {
        let report = advance(&mut simulation, 1);
        let now = report.contact.sliding > 0;
        if now && !sliding {
            onsets.push(simulation.time());
        }
        sliding = now;
    }
    onsets.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Smoothed friction holds by creeping, `|f| = N tan θ` at a speed `v`: by Coulomb's law it should resist that with
/// `μN`, so `v (1 − tan θ/μ)` of the slip is not resisted.
#[test]
fn what_creeps_is_told_from_what_obeys() {
    let friction = TEN_DEGREES.tan() + 0.006_502_015_185_220_99 / (GRAVITY * TEN_DEGREES.cos());
    let epsilon = 1e-2;
    let smoothed = Law::Smoothed { profile: Default::default(), epsilon };
    let at_last = |law: Law, speed: f64, steps: usize| {
        let scene = Slope::reference(speed).scene().0;
        let settings = settings(Integrator::BackwardEuler, 0.01, law);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, steps);
        let error = simulation.step().contact.friction;
        (error, simulation.trajectory().v[0])
    };
    let (creeps, speed) = at_last(smoothed, 0.0, 2000);
    let expected = speed * (1.0 - TEN_DEGREES.tan() / friction);
    // Predicted: 2y − y² = tan θ/μ, by V31.
    let creep = epsilon * (1.0 - (1.0 - TEN_DEGREES.tan() / friction).sqrt());
    assert!((speed / creep - 1.0).abs() < 1e-3, "it creeps at {speed} m/s, not {creep}");
    assert!((creeps.unresisted / expected - 1.0).abs() < 1e-3, "{creeps:?} for {expected} m/s");
    assert!(creeps.excess <= 0.0);
    for (speed, steps) in [(0.0, 100), (0.1, 50)] {
        let (obeys, _) = at_last(Law::default(), speed, steps);
        assert!(obeys.unresisted < 1e-9 && obeys.excess < 1e-9, "thrown at {speed}: {obeys:?}");
    }
}
