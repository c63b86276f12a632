//! Bodies whose vertices move as prescribed, and what lies on them.

use stiction::Scene;
use stiction::body::{BodyId, Interpolation, Keyframe, Motion};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction_check::scenes::{GRAVITY, block, contact_force, flat_sheet, soft_block};

use crate::harness::{Run, Verdict, claims, near, near_vector, within};
use crate::methods::Method;

claims!(
    "pins": a_belt_takes_a_block_along, a_lift_presses_as_it_accelerates, a_turntable_holds_what_friction_can,
    a_sheet_that_moves_takes_a_block_along, what_is_let_go_falls_with_its_load
);

const PLATE: [f64; 3] = [0.8, 0.05, 0.24];

fn on_plate(motion: Motion, at: Vector3) -> (Scene, BodyId, BodyId) {
    let mut scene = Scene::new();
    let plate = scene.add(soft_block(PLATE, [27, 1, 8]).at([0.0, -0.025, 0.0]));
    scene.pin(plate, Selection::All).motion(motion);
    let load = scene.add(block([0.1; 3]).at(at));
    (scene, plate, load)
}

/// With `μ g`, until it is as fast.
fn taken_along(method: &Method, scene: Scene, load: BodyId, friction: f64) -> Verdict {
    let run = Run::new(method, scene, load, 5e-3)?.to(0.1)?;
    let first = run.velocity().x;
    let run = run.to(0.2)?;
    let gained = (run.velocity().x - first) / 0.1;
    near("acceleration", gained, friction * GRAVITY, 0.05 * friction * GRAVITY)?;
    near("speed in the end", run.to(0.6)?.velocity().x, 1.0, 1e-3)
}

fn a_belt_takes_a_block_along(method: &Method) -> Verdict {
    let at = Vector3::new(0.0, 0.0505, 0.0);
    let (mut scene, plate, load) = on_plate(Motion::Velocity(Vector3::x()), at);
    scene.friction_between(plate, load, 0.25);
    taken_along(method, scene, load, 0.25)
}

fn a_sheet_that_moves_takes_a_block_along(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let sheet = scene.add(flat_sheet([0.9, 0.18], [30, 6]));
    scene.pin(sheet, Selection::All).motion(Motion::Velocity(Vector3::x()));
    let load = scene.add(block([0.1; 3]).at([0.0, 0.0505, 0.0]));
    scene.friction_between(sheet, load, 0.25);
    taken_along(method, scene, load, 0.25)
}

/// From standstill to standstill, half a metre in a second.
fn a_lift_presses_as_it_accelerates(method: &Method) -> Verdict {
    let (way, long) = (0.5, 1.0);
    let top = Keyframe { time: long, translation: Vector3::y() * way, ..Keyframe::default() };
    let motion = Motion::Keyframes {
        frames: vec![Keyframe::default(), top],
        center: Vector3::zeros(),
        interpolation: Interpolation::Smooth,
    };
    let (scene, plate, load) = on_plate(motion, Vector3::new(0.0, 0.0505, 0.0));
    let mut run = Run::new(method, scene, load, 5e-3)?;
    for (time, share) in [(0.25, 0.5), (0.5, 0.0), (0.75, -0.5)] {
        run = run.to(time)?;
        let expected = GRAVITY + 6.0 * share * way / (long * long);
        let force = contact_force(&run.simulation, load, Some(plate));
        near_vector("force", force, Vector3::y() * expected, 0.02 * GRAVITY)?;
    }
    near("height", run.to(1.2)?.center().y, 0.05 + way, 2e-3)
}

/// At 0.3 m from the axis friction 0.5 holds a block up to 4 rad/s.
fn a_turntable_holds_what_friction_can(method: &Method) -> Verdict {
    let at = Vector3::new(0.3, 0.0502, 0.0);
    for (rate, holds) in [(3.5_f64, true), (4.5, false)] {
        let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::y() * rate };
        let (mut scene, plate, load) = on_plate(motion, at);
        scene.friction_between(plate, load, 0.5);
        // It starts with the speed of its place.
        if let stiction::body::Body::Rigid(rigid) = &mut scene.bodies[load.index()] {
            rigid.velocity = Vector3::new(0.0, 0.0, -0.3 * rate);
            rigid.spin = Vector3::y() * rate;
        }
        let run = Run::new(method, scene, load, 2e-3)?.to(0.3)?;
        let out = run.center().xz().norm() - 0.3;
        match holds {
            true => near("outward", out, 0.0, 3e-3)?,
            false => within("outward", out, 0.01, 0.3)?,
        }
    }
    Ok(())
}

/// Both fall as one, and nothing pushes any more.
fn what_is_let_go_falls_with_its_load(method: &Method) -> Verdict {
    let (mut scene, plate, load) = on_plate(Motion::Still, Vector3::new(0.0, 0.0502, 0.0));
    scene.pins[0].release = Some(0.2);
    let run = Run::new(method, scene, load, 5e-3)?.to(0.2)?;
    let before = run.velocity().y;
    near("rests", before, 0.0, 1e-3)?;
    let run = run.to(0.3)?;
    near("falls", run.velocity().y, -0.1 * GRAVITY, 0.05)?;
    let force = contact_force(&run.simulation, load, Some(plate)).norm();
    near("pushes", force, 0.0, 0.1 * GRAVITY)
}
