//! Bodies that share vertices touch others as one, and not each other.

use stiction::Scene;
use stiction::body::BodyId;
use stiction::mesh::Selection;
use stiction_check::scenes::{GRAVITY, block, contact_force, flat_sheet, floor, mass, soft_block};

use crate::harness::{Run, Verdict, claims, near, within};
use crate::methods::Method;

claims!("welds": welded_blocks_rest_as_one, a_block_lies_across_a_weld, cloth_welded_to_a_solid_rests_with_it);

fn welded() -> (Scene, [BodyId; 3]) {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let half = || soft_block([0.2, 0.1, 0.2], [2, 1, 2]);
    let left = scene.add(half().at([-0.1, 0.0505, 0.0]));
    let right = scene.add(half().at([0.1, 0.0505, 0.0]));
    scene.weld(left, Selection::Tag("x-max".into()), right);
    (scene, [floor, left, right])
}

fn apart(run: &Run, a: BodyId, b: BodyId) -> usize {
    let between = |c: &&stiction::contact::Contact| {
        [c.collider, c.surface] == [a, b] || [c.collider, c.surface] == [b, a]
    };
    run.simulation.contacts().iter().filter(between).count()
}

fn welded_blocks_rest_as_one(method: &Method) -> Verdict {
    let (scene, [floor, left, right]) = welded();
    let run = Run::new(method, scene, left, 5e-3)?.to(0.5)?;
    near("contacts between them", apart(&run, left, right) as f64, 0.0, 0.0)?;
    let weight = 8.0 * GRAVITY;
    let force = contact_force(&run.simulation, floor, None).y;
    near("force", -force, weight, 0.01 * weight)
}

fn a_block_lies_across_a_weld(method: &Method) -> Verdict {
    let (mut scene, [floor, left, right]) = welded();
    let load = scene.add(block([0.1; 3]).at([0.0, 0.152, 0.0]));
    let run = Run::new(method, scene, load, 5e-3)?.to(0.5)?;
    near("contacts between them", apart(&run, left, right) as f64, 0.0, 0.0)?;
    let force = contact_force(&run.simulation, load, None).y;
    near("on the load", force, GRAVITY, 0.01 * GRAVITY)?;
    let weight = 9.0 * GRAVITY;
    near("on the floor", -contact_force(&run.simulation, floor, None).y, weight, 0.01 * weight)
}

/// A collar: a sheet that is sewn to the upper side of a block, all around its own rim.
fn cloth_welded_to_a_solid_rests_with_it(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let solid = scene.add(soft_block([0.2, 0.1, 0.2], [2, 1, 2]).at([0.0, 0.0505, 0.0]));
    let sheet = scene.add(flat_sheet([0.2; 2], [2; 2]).at([0.0, 0.1005, 0.0]));
    scene.weld(sheet, Selection::All, solid);
    let run = Run::new(method, scene, solid, 5e-3)?.to(0.5)?;
    near("contacts between them", apart(&run, solid, sheet) as f64, 0.0, 0.0)?;
    let weight = (4.0 + mass(&run.simulation, sheet)) * GRAVITY;
    let force = -contact_force(&run.simulation, floor, None).y;
    within("weight", weight, 4.0 * GRAVITY, 5.0 * GRAVITY)?;
    near("force", force, weight, 0.01 * weight)
}
