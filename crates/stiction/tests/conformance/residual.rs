//! What a step leaves unsolved is told with its unit, and means what the unit says.

use stiction::Scene;
use stiction_check::scenes::{block, floor};

use crate::harness::{Verdict, claims, holds, within, wrong};
use crate::methods::Method;

claims!(
    "residual": it_is_below_the_tolerance_of_its_method, it_has_a_unit_of_motion, its_size_follows_its_unit
);

/// Rigid boxes of edge length `size`, thrown along a floor, one on the other.
fn pile(size: f64, gravity: f64) -> Scene {
    let mut scene = Scene::new();
    scene.gravity *= gravity;
    scene.add(floor());
    for k in 0..3 {
        let height = size * (0.5 + f64::from(k));
        let thrown = block([2.0 * size, size, 2.0 * size]).at([0.0, height, 0.0]);
        scene.add(thrown.velocity([0.1 * f64::from(k), 0.0, 0.0]));
    }
    scene
}

/// Value and unit after some steps.
fn left(method: &Method, scene: &Scene, h: f64) -> Verdict<(f64, String)> {
    let mut simulation = method.start(scene, h)?;
    let mut last = (0.0, String::new());
    for _ in 0..10 {
        let residual = simulation.step().residual();
        last = (residual.value, residual.unit.to_string());
    }
    Ok(last)
}

fn it_is_below_the_tolerance_of_its_method(method: &Method) -> Verdict {
    let (value, unit) = left(method, &pile(0.1, 1.0), 5e-3)?;
    // The table solves to 1e-8 m/s² and to 1e-10 m/s.
    within(&unit, value, 0.0, 1e-8)
}

/// An acceleration or a velocity: nothing else is compared with a tolerance today. Something new is to be
/// added here by hand.
fn it_has_a_unit_of_motion(method: &Method) -> Verdict {
    let (_, unit) = left(method, &pile(0.1, 1.0), 5e-3)?;
    holds(&format!("unknown unit `{unit}`"), ["m/s²", "m/s"].contains(&unit.as_str()))
}

/// One step from nothing, without an iteration: what is left is what gravity does, in the unit that is told.
fn its_size_follows_its_unit(method: &Method) -> Verdict {
    let scene = pile(0.1, 1.0);
    for h in [4e-3, 1e-3] {
        let mut simulation = method.start(&scene, h)?;
        let report = simulation.step();
        // The first entry is measured before anything was solved.
        let Some(first) = report.stages.first().and_then(|stage| stage.residuals.first()) else {
            return wrong("no history");
        };
        let expected = match report.residual().unit.to_string().as_str() {
            "m/s²" => 9.81,
            "m/s" => 9.81 * h,
            other => return wrong(format!("unknown unit `{other}`")),
        };
        // Within the number of contacts that share it, and what the layer of a contact adds.
        within(
            "first residual",
            first.log2(),
            f64::log2(expected) - 4.0,
            f64::log2(expected) + 8.0,
        )?;
    }
    Ok(())
}
