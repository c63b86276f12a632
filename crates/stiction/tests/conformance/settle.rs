//! Static equilibrium is one with contacts, or is refused with a reason.

use stiction::material::Material;
use stiction::mesh::Selection;
use stiction::{Scene, Simulation};
use stiction_check::scenes::{
    GRAVITY, block, contact_force, floor, lowest, mass, soft, soft_block,
};

use crate::harness::{Fault, Verdict, claims, near, run, within, wrong};
use crate::methods::Method;

claims!(
    "settle": what_hangs_free_comes_to_rest, a_rigid_block_settles_on_a_floor, a_soft_block_settles_on_a_floor,
    a_beam_settles_on_a_floor_below_it, what_nothing_holds_is_told
);

/// What nothing would hold without contacts is no reason: it lies on something.
fn settle(simulation: &mut Simulation) -> Verdict {
    match simulation.settle() {
        Ok(report) if report.converged() => Ok(()),
        Ok(report) => wrong(format!("ends with {:?}", report.status)),
        Err(adrift) if adrift.to_string().contains("held by nothing") => {
            wrong(format!("{adrift}, although it lies on something"))
        }
        Err(why) => Err(Fault::Refused(why.to_string())),
    }
}

/// What has settled does not move when time goes on.
fn stays(simulation: &mut Simulation) -> Verdict {
    let before = simulation.trajectory().q.clone();
    let until = simulation.time() + 0.1;
    run(simulation, until)?;
    let after = &simulation.trajectory().q;
    let moved = before.iter().zip(after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    within("moves by", moved, 0.0, 1e-5)
}

fn beam(above: Option<f64>) -> (Scene, stiction::body::BodyId) {
    let mut scene = Scene::new();
    let beam = soft_block([0.5, 0.05, 0.05], [10, 1, 1]);
    let beam = scene.add(beam.material(soft(3e6)));
    scene.pin(beam, Selection::Tag("x-min".into()));
    if let Some(above) = above {
        let mut floor = floor();
        floor = floor.at([0.0, -0.025 - above, 0.0]);
        scene.add(floor);
    }
    (scene, beam)
}

fn what_hangs_free_comes_to_rest(method: &Method) -> Verdict {
    let (scene, beam) = beam(Some(1.0));
    let mut simulation = method.start(&scene, 5e-3)?;
    settle(&mut simulation)?;
    let sag = -0.025 - lowest(&simulation.positions(beam));
    within("sags by", sag, 5e-3, 0.1)?;
    stays(&mut simulation)
}

fn a_beam_settles_on_a_floor_below_it(method: &Method) -> Verdict {
    let (mut scene, beam) = beam(Some(5e-3));
    // How high it floats is the rule's, not the method's.
    let (floor, thickness) = (scene.ids().last().unwrap_or(beam), 2e-4);
    scene.contact(beam, floor).thickness = Some(thickness);
    let mut simulation = method.start(&scene, 5e-3)?;
    settle(&mut simulation)?;
    let low = lowest(&simulation.positions(beam));
    within("its lowest point, above the floor", low + 0.03, 0.0, thickness + 1e-6)?;
    stays(&mut simulation)
}

fn a_rigid_block_settles_on_a_floor(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.add(floor());
    let block = scene.add(block([0.1; 3]).at([0.0, 0.05, 0.0]));
    let mut simulation = method.start(&scene, 5e-3)?;
    settle(&mut simulation)?;
    near("its lowest point", lowest(&simulation.positions(block)), 0.0, 2e-3)?;
    stays(&mut simulation)?;
    let force = contact_force(&simulation, block, None).y;
    near("force", force, GRAVITY, 1e-3 * GRAVITY)
}

fn a_soft_block_settles_on_a_floor(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.add(floor());
    let block = soft_block([0.1; 3], [2; 3]).material(Material::RUBBER);
    let block = scene.add(block.at([0.0, 0.05, 0.0]));
    let mut simulation = method.start(&scene, 5e-3)?;
    settle(&mut simulation)?;
    near("its lowest point", lowest(&simulation.positions(block)), 0.0, 2e-3)?;
    stays(&mut simulation)?;
    let (force, weight) =
        (contact_force(&simulation, block, None).y, mass(&simulation, block) * GRAVITY);
    near("force", force, weight, 1e-3 * weight)
}

/// A block far above nothing: no method has an equilibrium for it.
fn what_nothing_holds_is_told(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let block = scene.add(block([0.1; 3]));
    let mut simulation = method.start(&scene, 5e-3)?;
    let before = simulation.positions(block);
    match simulation.settle() {
        Ok(_) => wrong("it says that it has settled"),
        Err(adrift) if !adrift.to_string().contains("help:") => wrong(adrift.to_string()),
        Err(_) if simulation.positions(block) != before => wrong("it was moved"),
        Err(_) => Ok(()),
    }
}
