//! Coulomb's law and what belongs to it, in closed forms; and who solves for it.

use stiction::body::{BodyId, LoadKind, Profile};
use stiction::contact::Friction;
use stiction::contact::friction::{Directional, Grain};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::solve::complementarity::cone::Solver;
use stiction::{Scene, Settings, Simulation};
use stiction_check::scenes::{GRAVITY, ball, block, floor, soft_block};

use crate::harness::{Run, Verdict, claims, holds, near, within, wrong};
use crate::methods::{Method, start};

claims!(
    "friction": a_rigid_block_sticks_or_slides, a_soft_block_sticks_or_slides,
    what_sticks_holds_more_than_what_slides,
    oil_brakes_what_is_fast, a_grain_guides_what_slides, torsion_stops_a_spin,
    torsion_apart_from_sliding_stops_a_spin,
    rolling_resistance_stops_a_ball, torsion_is_solved_by_the_solver_that_was_chosen
);

const TANGENT: f64 = 0.3;

fn slope(tangent: f64) -> Vector3 {
    Vector3::new(tangent, -1.0, 0.0).normalize() * GRAVITY
}

/// Mean acceleration between 0.2 s and 0.4 s.
fn acceleration(method: &Method, scene: Scene, body: BodyId) -> Verdict<f64> {
    let run = Run::new(method, scene, body, 5e-3)?.to(0.2)?;
    let before = run.velocity().x;
    Ok((run.to(0.4)?.velocity().x - before) / 0.2)
}

/// Where the origin of a body is that has come to rest on a floor, each method where it lets it rest.
fn height(method: &Method, add: impl Fn(&mut Scene, f64) -> BodyId, start: f64) -> Verdict<f64> {
    let mut scene = Scene::new();
    scene.add(floor());
    let body = add(&mut scene, start);
    let run = Run::new(method, scene, body, 5e-3)?;
    let before = run.center().y;
    Ok(start + run.to(0.4)?.center().y - before)
}

fn rigid(scene: &mut Scene, height: f64) -> BodyId {
    scene.add(block([0.2, 0.1, 0.2]).at([0.0, height, 0.0]))
}

fn sticks_or_slides(
    method: &Method,
    add: impl Fn(&mut Scene, f64) -> BodyId,
    start: f64,
) -> Verdict {
    let height = height(method, &add, start)?;
    for (friction, slides) in [(0.31, false), (0.28, true), (0.1, true)] {
        let mut scene = Scene::new();
        scene.gravity = slope(TANGENT);
        let floor = scene.add(floor());
        let body = add(&mut scene, height);
        scene.friction_between(body, floor, friction);
        let expected = if slides { scene.gravity.x + friction * scene.gravity.y } else { 0.0 };
        let found = acceleration(method, scene, body)?;
        near(&format!("μ = {friction}"), found, expected, 5e-3 * GRAVITY)?;
    }
    Ok(())
}

fn a_rigid_block_sticks_or_slides(method: &Method) -> Verdict {
    sticks_or_slides(method, rigid, 0.05)
}

fn a_soft_block_sticks_or_slides(method: &Method) -> Verdict {
    let add = |scene: &mut Scene, height: f64| {
        scene.add(soft_block([0.2, 0.1, 0.2], [2, 1, 2]).at([0.0, height, 0.0]))
    };
    sticks_or_slides(method, add, 0.0501)
}

/// Pulled harder and harder, up to a force between both coefficients: what rests stays, what slides goes on
/// and gets faster.
fn what_sticks_holds_more_than_what_slides(method: &Method) -> Verdict {
    let friction = Friction { static_coefficient: Some(0.4), ..Friction::coulomb(0.2) };
    let (at, mass) = (height(method, rigid, 0.05)?, 4.0);
    let pull = Vector3::x() * (TANGENT * mass * GRAVITY);
    for (speed, slides) in [(0.0, false), (1.0, true)] {
        let mut scene = Scene::new();
        let floor = scene.add(floor());
        let body = block([0.2, 0.1, 0.2]).at([0.0, at, 0.0]).velocity([speed, 0.0, 0.0]);
        let body = scene.add(body);
        scene.contact(body, floor).friction = friction;
        let load = scene.load(body, Selection::All, LoadKind::Force(pull));
        load.profile(Profile::Points(vec![(0.0, 0.0), (0.2, 1.0)]));
        let expected = if slides { (TANGENT - 0.2) * GRAVITY } else { 0.0 };
        let found = acceleration(method, scene, body)?;
        near(&format!("from {speed} m/s"), found, expected, 0.02 * GRAVITY)?;
    }
    Ok(())
}

/// A coefficient that grows with speed: `v̇ = −g (μ + η v)`.
fn oil_brakes_what_is_fast(method: &Method) -> Verdict {
    let (mu, viscosity, speed, time) = (0.1, 0.4, 2.0, 0.3);
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let body = block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]).velocity([speed, 0.0, 0.0]);
    let body = scene.add(body);
    scene.contact(body, floor).friction = Friction { viscosity, ..Friction::coulomb(mu) };
    let run = Run::new(method, scene, body, 2e-3)?.to(time)?;
    let decay = (-GRAVITY * viscosity * time).exp();
    let expected = (speed + mu / viscosity) * decay - mu / viscosity;
    near("speed", run.velocity().x, expected, 0.02 * speed)
}

/// Pushed at 45 degrees to a grain, a block is braked more across than along.
fn a_grain_guides_what_slides(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let body = block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]).velocity([1.0, 0.0, 1.0]);
    let body = scene.add(body);
    scene.skin(floor).grain = Some(Grain::Straight(Vector3::x()));
    let direction = Directional::Grain { along: 0.1, across: 0.4 };
    scene.contact(body, floor).friction = Friction { direction, ..Friction::coulomb(0.4) };
    let run = Run::new(method, scene, body, 2e-3)?.to(0.15)?;
    let [x, z] = [run.velocity().x, run.velocity().z];
    within("along", x, 0.6, 1.0)?;
    within("across", z, 0.0, 0.9 * x)
}

fn spinning(method: &Method, friction: Friction) -> Verdict {
    let (radius, rate, time) = (0.1, 5.0, 0.1);
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let body = scene.add(ball(radius).at([0.0, radius, 0.0]).spin([0.0, rate, 0.0]));
    scene.contact(body, floor).friction = friction;
    let run = Run::new(method, scene, body, 2e-3)?;
    let spin = |run: &Run| run.simulation.rigid_state(run.body).map_or(f64::NAN, |s| s.spin.y);
    // What it has lost on the way, so that how it settles down at first does not count.
    let run = run.to(time)?;
    let before = spin(&run);
    let run = run.to(2.0 * time)?;
    let loss = GRAVITY * friction.torsion / (0.4 * radius * radius) * time;
    near("loses", before - spin(&run), loss, 0.02 * loss)
}

fn torsion_stops_a_spin(method: &Method) -> Verdict {
    spinning(method, Friction { torsion: 0.002, ..Friction::coulomb(0.5) })
}

fn torsion_apart_from_sliding_stops_a_spin(method: &Method) -> Verdict {
    spinning(method, Friction { torsion: 0.002, shared: false, ..Friction::coulomb(0.5) })
}

/// Loses `5/7 δ g/r` of its speed each second.
fn rolling_resistance_stops_a_ball(method: &Method) -> Verdict {
    let (radius, rolling, speed) = (0.1, 0.002, 0.5);
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let body = ball(radius).at([0.0, radius, 0.0]).velocity([speed, 0.0, 0.0]);
    let body = scene.add(body.spin([0.0, 0.0, -speed / radius]));
    scene.contact(body, floor).friction = Friction { rolling, ..Friction::coulomb(0.5) };
    let run = Run::new(method, scene, body, 5e-3)?.to(0.5)?;
    let brake = 5.0 / 7.0 * rolling * GRAVITY / radius;
    near("speed", run.velocity().x, speed - 0.5 * brake, 1e-3)
}

/// Residuals of all stages of some steps of a pile that resists spin.
fn history(scene: &Scene, settings: Settings) -> Verdict<Vec<u64>> {
    let mut simulation: Simulation = start(scene, settings)?;
    let mut residuals = Vec::new();
    for _ in 0..10 {
        let report = simulation.step();
        residuals.extend(report.stages.iter().flat_map(|stage| stage.residuals.clone()));
    }
    Ok(residuals.into_iter().map(f64::to_bits).collect())
}

/// One solver that goes another's way, bit by bit, is that other one. Only for methods whose contact solver
/// can be chosen.
fn torsion_is_solved_by_the_solver_that_was_chosen(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.friction = Friction { torsion: 0.01, ..Friction::coulomb(0.5) };
    scene.add(floor());
    for k in 0..3 {
        let height = 0.05 + 0.1 * f64::from(k);
        let turned = block([0.2, 0.1, 0.2]).turned([0.0, 1.0, 0.0], 0.2 * f64::from(k));
        scene.add(turned.at([0.01 * f64::from(k), height, 0.0]).spin([0.0, f64::from(k), 0.0]));
    }
    let Some(default) = method.settings_by(5e-3, Solver::Default) else { return Ok(()) };
    let usual = history(&scene, default)?;
    holds("it has something to solve", usual.len() > 30)?;
    let mut replaced = Vec::new();
    for solver in [Solver::Apgd, Solver::Admm, Solver::Staggering] {
        let Some(chosen) = method.settings_by(5e-3, solver) else { return Ok(()) };
        if history(&scene, chosen)? == usual {
            replaced.push(solver.name());
        }
    }
    match replaced.is_empty() {
        true => Ok(()),
        false => wrong(format!("the default is taken in silence for {}", replaced.join(", "))),
    }
}
