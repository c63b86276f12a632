//! What is held carries what lies on it.

use stiction::Scene;
use stiction::body::Motion;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction_check::scenes::{GRAVITY, block, flat_sheet, floor, mass, soft_block};

use crate::harness::{Run, Verdict, claims, near, near_vector};
use crate::methods::Method;

claims!(
    "reactions": a_sheet_held_everywhere_carries_a_block, a_solid_held_everywhere_carries_a_block,
    a_solid_held_below_carries_a_block, rails_carry_a_block, what_is_held_feels_friction,
    what_is_held_is_pushed_from_the_side, a_restored_state_has_its_reactions
);

/// What the pins of the body exert [N].
fn reaction(run: &Run) -> Vector3 {
    run.simulation.reactions(run.body).iter().sum()
}

fn carries(run: &Run, load: f64) -> Verdict {
    let weight = (run.mass() + load) * GRAVITY;
    near_vector("reactions", reaction(run), Vector3::y() * weight, 1e-3 * weight)
}

fn sheet(method: &Method) -> Verdict<Run> {
    let mut scene = Scene::new();
    let sheet = scene.add(flat_sheet([0.4; 2], [16; 2]));
    scene.pin(sheet, Selection::All);
    scene.add(block([0.1; 3]).at([0.02, 0.051, 0.03]));
    Run::new(method, scene, sheet, 5e-3)?.to(0.5)
}

fn a_sheet_held_everywhere_carries_a_block(method: &Method) -> Verdict {
    carries(&sheet(method)?, 1.0)
}

fn on_solid(method: &Method, held: Selection, axes: [bool; 3]) -> Verdict<Run> {
    let mut scene = Scene::new();
    let plate = scene.add(soft_block([0.24, 0.05, 0.24], [8, 1, 8]).at([0.0, -0.025, 0.0]));
    scene.pin(plate, held).axes(axes);
    scene.add(block([0.1; 3]).at([0.02, 0.051, 0.03]));
    Run::new(method, scene, plate, 5e-3)?.to(0.5)
}

fn a_solid_held_everywhere_carries_a_block(method: &Method) -> Verdict {
    carries(&on_solid(method, Selection::All, [true; 3])?, 1.0)
}

fn a_solid_held_below_carries_a_block(method: &Method) -> Verdict {
    carries(&on_solid(method, Selection::Tag("y-min".into()), [true; 3])?, 1.0)
}

fn rails_carry_a_block(method: &Method) -> Verdict {
    carries(&on_solid(method, Selection::All, [false, true, false])?, 1.0)
}

/// A block that slides over it pulls with all friction there is.
fn what_is_held_feels_friction(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let plate = scene.add(soft_block([0.6, 0.05, 0.18], [20, 1, 6]).at([0.0, -0.025, 0.0]));
    scene.pin(plate, Selection::All);
    let slider = block([0.1; 3]).at([-0.2, 0.0505, 0.0]).velocity([2.0, 0.0, 0.0]);
    let slider = scene.add(slider);
    scene.friction_between(plate, slider, 0.3);
    let mut run = Run::new(method, scene, plate, 2e-3)?.to(0.06)?;
    let own = Vector3::y() * (run.mass() * GRAVITY);
    let mut sum = Vector3::zeros();
    for _ in 0..20 {
        let until = run.simulation.time() + 2e-3;
        run = run.to(until)?;
        let felt = stiction_check::scenes::contact_force(&run.simulation, run.body, None);
        sum += felt / 20.0;
        near_vector("reactions", reaction(&run), own - felt, 1e-3 * GRAVITY)?;
    }
    near("friction", sum.x, 0.3 * GRAVITY, 0.05 * GRAVITY)
}

/// A held wall that moves pushes a block along a floor.
fn what_is_held_is_pushed_from_the_side(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let wall = scene.add(soft_block([0.05, 0.2, 0.2], [1, 2, 2]).at([-0.08, 0.11, 0.0]));
    scene.pin(wall, Selection::All).motion(Motion::Velocity(Vector3::x() * 0.2));
    scene.contact(wall, floor).enabled = false;
    let pushed = scene.add(block([0.1; 3]).at([0.0, 0.05, 0.0]));
    scene.friction_between(pushed, floor, 0.4);
    scene.friction_between(pushed, wall, 0.0);
    let run = Run::new(method, scene, wall, 5e-3)?.to(0.5)?;
    let own = mass(&run.simulation, run.body) * GRAVITY;
    let push = 0.4 * GRAVITY;
    near_vector("reactions", reaction(&run), Vector3::new(push, own, 0.0), 0.02 * push)
}

/// They belong to the state, not to the step before.
fn a_restored_state_has_its_reactions(method: &Method) -> Verdict {
    let run = sheet(method)?;
    let before = reaction(&run);
    let mut restored = method.start(&run.scene, 5e-3)?;
    restored.restore(&run.simulation.state()).expect("of this scene");
    let after: Vector3 = restored.reactions(run.body).iter().sum();
    near_vector("reactions", after, before, 1e-3 * before.norm())
}
