//! What bounces does so at the surface, as fast as its rule says.

use stiction::Scene;
use stiction::math::Vector3;
use stiction_check::scenes::{ball, floor};

use crate::harness::{Run, Verdict, claims, near, within, wrong};
use crate::methods::Method;

claims!(
    "restitution": a_ball_turns_back_at_the_floor, a_ball_comes_back_as_fast_as_its_rule_says,
    without_restitution_it_stays
);

const RADIUS: f64 = 0.05;
const H: f64 = 0.01;
const SPEED: f64 = 10.0;

/// A ball thrown down, without gravity: a step before it would reach the floor it is almost a step's way above it.
fn thrown(method: &Method, restitution: f64) -> Verdict<Run> {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let floor = scene.add(floor());
    let height = RADIUS + 5.99 * SPEED * H;
    let thrown = ball(RADIUS).at([0.0, height, 0.0]).velocity([0.0, -SPEED, 0.0]);
    let thrown = scene.add(thrown);
    let rule = scene.contact(thrown, floor);
    rule.restitution = restitution;
    rule.friction.coefficient = 0.0;
    Run::new(method, scene, thrown, H)
}

/// Seen at ends of steps: it was at the floor, or is as far above it as if it had been.
fn a_ball_turns_back_at_the_floor(method: &Method) -> Verdict {
    let mut run = thrown(method, 1.0)?;
    let mut lowest = f64::INFINITY;
    for _ in 0..20 {
        let report = run.simulation.step();
        if !report.converged() {
            return wrong(format!("{:?}", report.status));
        }
        lowest = lowest.min(run.center().y - RADIUS);
        if run.velocity().y > 0.5 * SPEED {
            let since = run.simulation.time() - 5.99 * H;
            let path = run.center().y - RADIUS - SPEED * since;
            if path.abs() <= 0.1 * SPEED * H {
                return Ok(());
            }
            return within("lowest point [m]", lowest, -0.1 * RADIUS, 0.1 * SPEED * H);
        }
    }
    wrong(format!("it never turns back, and is as low as {lowest} m"))
}

fn a_ball_comes_back_as_fast_as_its_rule_says(method: &Method) -> Verdict {
    for restitution in [0.3, 0.8] {
        let run = thrown(method, restitution)?.to(0.2)?;
        let expected = restitution * SPEED;
        near(&format!("e = {restitution}"), run.velocity().y, expected, 0.02 * SPEED)?;
    }
    Ok(())
}

fn without_restitution_it_stays(method: &Method) -> Verdict {
    let run = thrown(method, 0.0)?.to(0.2)?;
    near("speed", run.velocity().y, 0.0, 0.02 * SPEED)?;
    near("height", run.center().y, RADIUS, 0.05 * RADIUS)
}
