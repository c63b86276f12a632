//! The same bits: after save and restore in mid-contact, and on any number of threads.

use rayon::ThreadPoolBuilder;
use stiction::Scene;
use stiction::body::Motion;
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction_check::scenes::{ball, bits, block, flat_sheet, floor, mesh_block, soft_block};

use crate::harness::{Verdict, claims, holds, wrong};
use crate::methods::Method;

claims!(
    "determinism": a_restored_run_goes_on_to_the_same_bits, going_back_in_time_changes_nothing,
    looking_changes_nothing, a_restored_run_tells_all_of_its_contacts_or_none, two_threads_give_the_same_bits
);

/// All kinds of bodies, thrown on a floor that turns; a sheet that is carried along.
fn heap() -> Scene {
    let mut scene = Scene::new();
    scene.friction = Friction { static_coefficient: Some(0.5), ..Friction::coulomb(0.3) };
    let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::y() * 1.5 };
    scene.add(floor().motion(motion));
    let soft = soft_block([0.2, 0.1, 0.2], [2, 1, 2]).at([0.0, 0.06, 0.0]);
    scene.add(soft.velocity([0.4, -0.3, 0.0]));
    let rigid = block([0.1; 3]).turned([0.0, 1.0, 0.0], 0.4).at([0.02, 0.17, 0.01]);
    scene.add(rigid.velocity([0.1, -0.5, 0.2]));
    scene.add(ball(0.05).at([0.4, 0.06, 0.0]).velocity([-0.5, -0.3, 0.0]));
    scene.add(mesh_block([0.1; 3], [2; 3]).at([-0.4, 0.055, 0.1]).spin([0.0, 5.0, 0.0]));
    let sheet = scene.add(flat_sheet([0.3; 2], [3; 2]).at([0.0, 0.12, 0.5]));
    scene.pin(sheet, Selection::Tag("top".into())).motion(Motion::Velocity(Vector3::x() * 0.3));
    scene.add(ball(0.03).at([0.0, 0.155, 0.5]));
    scene
}

const H: f64 = 5e-3;
const STEPS: usize = 16;

fn a_restored_run_goes_on_to_the_same_bits(method: &Method) -> Verdict {
    let scene = heap();
    let mut whole = method.start(&scene, H)?;
    let (mut saved, mut touched) = (Vec::new(), 0);
    for _ in 0..STEPS {
        touched = touched.max(whole.step().contact.touching);
        saved.push(whole.state());
    }
    holds("nothing touches", touched >= 8)?;
    for from in [3, 11] {
        let mut restored = method.start(&scene, H)?;
        restored.restore(&saved[from]).expect("of this scene");
        for (step, expected) in saved.iter().enumerate().skip(from + 1) {
            restored.step();
            if bits(&restored.state()) != bits(expected) {
                return wrong(format!("saved after step {from}, it differs after step {step}"));
            }
        }
    }
    Ok(())
}

/// In the run that went on.
fn going_back_in_time_changes_nothing(method: &Method) -> Verdict {
    let scene = heap();
    let mut simulation = method.start(&scene, H)?;
    (0..8).for_each(|_| drop(simulation.step()));
    let saved = simulation.state();
    simulation.step();
    let expected = bits(&simulation.state());
    (0..4).for_each(|_| drop(simulation.step()));
    simulation.restore(&saved).expect("of this scene");
    simulation.step();
    holds("it goes another way", bits(&simulation.state()) == expected)
}

fn looking_changes_nothing(method: &Method) -> Verdict {
    let scene = heap();
    let run = |looks: bool| -> Verdict<Vec<u64>> {
        let mut simulation = method.start(&scene, H)?;
        for _ in 0..10 {
            simulation.step();
            if looks {
                let _ = (simulation.contacts(), simulation.contact_problem());
                let _ = (simulation.energies(), simulation.state());
            }
        }
        Ok(bits(&simulation.state()))
    };
    holds("it goes another way", run(true)? == run(false)?)
}

/// What was told before the save is told after the restore: all contacts, or, as before the first step, none.
fn a_restored_run_tells_all_of_its_contacts_or_none(method: &Method) -> Verdict {
    let scene = heap();
    let mut simulation = method.start(&scene, H)?;
    (0..8).for_each(|_| drop(simulation.step()));
    let before = simulation.contacts().len();
    let mut restored = method.start(&scene, H)?;
    restored.restore(&simulation.state()).expect("of this scene");
    let after = restored.contacts().len();
    match after == before || after == 0 {
        true => Ok(()),
        false => wrong(format!("{after} contacts, not {before}")),
    }
}

fn two_threads_give_the_same_bits(method: &Method) -> Verdict {
    let scene = heap();
    let run = |threads: usize| -> Verdict<Vec<u64>> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut simulation = method.start(&scene, H)?;
            (0..STEPS).for_each(|_| drop(simulation.step()));
            let forces = simulation.contacts().into_iter().map(|c| c.normal_force.to_bits());
            let reactions = simulation.model().reactions().iter().map(|r| r.to_bits());
            Ok(bits(&simulation.state()).into_iter().chain(forces).chain(reactions).collect())
        })
    };
    holds("they differ", run(1)? == run(2)?)
}
