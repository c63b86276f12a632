//! FCLIB's HDF5 layout: against h5py both ways, there and back, and files that are none.
#![expect(clippy::print_stderr, reason = "tests say why they are skipped")]

use std::path::Path;

use stiction::solve::complementarity::cone::{ContactProblem, Delassus as _, Law};
use stiction_scene::problem_file::{Problem, Stored, fclib, load, save};

use super::support::{assert_close, boxes, dense, solved};
use crate::scratch::Scratch;

fn script(arguments: &[&str]) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/fclib.py");
    let said = stiction_check::python::run(&script, arguments);
    if said.is_none() {
        eprintln!("skipped: no Python to run {}", script.display());
    }
    said
}

fn contact(stored: &Stored) -> &ContactProblem<stiction::solve::complementarity::cone::Assembled> {
    match &stored.problem {
        Problem::Contact(problem) => problem,
        other => panic!("not assembled: {other:?}"),
    }
}

#[test]
fn problems_that_h5py_wrote_are_read_as_numpy_reduces_them() {
    let folder = Scratch::new("fclib_h5py");
    let Some(said) = script(&["write", folder.0.to_str().unwrap()]) else { return };
    let answers: serde_json::Value = serde_json::from_str(&said).expect("the script prints JSON");
    let answers = answers.as_object().unwrap();
    assert_eq!(answers.len(), 17);
    for (name, answer) in answers {
        let numbers = |key: &str| -> Vec<f64> {
            answer[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let stored = load(&folder.join(&format!("{name}.hdf5")))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let problem = contact(&stored);
        let friction: Vec<f64> = (0..problem.contacts()).map(|i| problem.mu(i)).collect();
        assert_close(&friction, &numbers("mu"), 0.0);
        let dimension = answer["dimension"].as_u64().unwrap() as usize;
        // Of two dimensions, the first two rows of each contact.
        let kept = |k: &usize| k % 3 < dimension;
        let rows = 3 * problem.contacts();
        let pick = |all: &[f64]| (0..rows).filter(kept).map(|k| all[k]).collect::<Vec<f64>>();
        assert_close(&pick(problem.b()), &numbers("b"), 1e-9);
        assert_close(&pick(&stored.start), &numbers("start"), 0.0);
        let all = dense(problem.operator());
        let a: Vec<f64> =
            (0..rows).filter(kept).flat_map(|k| pick(&all[k * rows..][..rows])).collect();
        assert_close(&a, &numbers("a"), 1e-8);
        for i in (0..problem.contacts()).filter(|_| dimension == 2) {
            let block = problem.operator().diagonal(i);
            assert!(block[(2, 2)] > 0.0 && block[(2, 0)] == 0.0 && block[(2, 1)] == 0.0);
            assert_close(&problem.b()[3 * i + 2..3 * i + 3], &[0.0], 0.0);
        }
    }
    let error = load(&folder.join("other.hdf5")).expect_err("no problem in it").to_string();
    assert!(error.contains("neither /fclib_local nor /fclib_global"), "{error}");
}

#[test]
fn h5py_finds_our_problems_and_solutions_that_solve_them() {
    let folder = Scratch::new("fclib_ours");
    for (name, problem) in [
        ("local.hdf5", Problem::Contact(boxes().assembled())),
        ("global.hdf5", Problem::Bodies(boxes())),
    ] {
        let path = folder.join(name);
        save(&path, &solved(problem)).unwrap_or_else(|error| panic!("{error}"));
        if let Some(said) = script(&["read", path.to_str().unwrap()]) {
            assert_eq!(said.trim(), "24 as expected");
        }
    }
}

#[test]
fn there_and_back_nothing_changes() {
    let stored = solved(Problem::Contact(boxes().assembled()));
    let back = fclib::read(fclib::write(&stored).expect("it can be held")).expect("it is sound");
    let (a, b) = (contact(&stored), contact(&back));
    assert_eq!(dense(a.operator()), dense(b.operator()));
    assert_eq!((a.b(), a.laws()), (b.b(), b.laws()));
    assert_eq!((&stored.start, &stored.solution), (&back.start, &back.solution));
    // Through masses rounding is left.
    let bodies = Stored { problem: Problem::Bodies(boxes()), ..stored.clone() };
    let back = fclib::read(fclib::write(&bodies).expect("it can be held")).expect("it is sound");
    assert_close(&dense(contact(&back).operator()), &dense(a.operator()), 1e-12);
}

#[test]
fn normals_come_first_and_pushing_is_positive() {
    // A particle of two kilograms that falls and slides, written by hand in FCLIB's terms: M v = H r + f, u = Hᵀ v + w.
    let stored = Stored {
        problem: Problem::Contact(
            ContactProblem::new(
                stiction::solve::complementarity::cone::Assembled::from_dense(&[
                    0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5,
                ]),
                vec![-1.0, 3.0, 0.0],
                vec![Law::Coulomb { mu: 0.5 }],
            )
            .unwrap(),
        ),
        start: vec![0.0; 3],
        solution: None,
    };
    let read = fclib::read(fclib::write(&stored).unwrap()).unwrap();
    assert_eq!(read.solution, None);
    let r = solved(read.problem).solution.unwrap();
    // It is stopped (2 kg by 1 m/s, pushing) and slowed by half of that, against where it goes.
    assert_close(&r, &[2.0, -1.0, 0.0], 1e-9);
}

#[test]
fn compliance_becomes_part_of_the_diagonal() {
    let soft = vec![stiction::math::Vector3::new(0.1, 0.2, 0.3); 8];
    let problem = boxes().with_compliance(soft).unwrap();
    let stored =
        Stored { problem: Problem::Bodies(problem.clone()), start: vec![0.0; 24], solution: None };
    let back = fclib::read(fclib::write(&stored).unwrap()).unwrap();
    for i in 0..8 {
        let found = contact(&back).operator().diagonal(i);
        assert!((found - problem.diagonal(i)).amax() < 1e-14);
    }
}

#[test]
fn what_fclib_cannot_hold_is_refused_with_a_remedy() {
    use stiction::solve::complementarity::cone::Model;
    let refused = |problem: Problem| {
        let stored = Stored { start: vec![0.0; problem.unknowns()], problem, solution: None };
        fclib::write(&stored).expect_err("it does not fit").to_string()
    };
    let relaxed = boxes().with_model(Model::Associated);
    assert!(refused(Problem::Bodies(relaxed)).contains("help: write to .json"));
}

#[test]
fn broken_files_are_refused_and_never_panic() {
    let bytes = fclib::write(&solved(Problem::Bodies(boxes()))).unwrap();
    assert!(fclib::read(bytes.clone()).is_ok());
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let mut refused = 0;
    for _ in 0..600 {
        let mut broken = bytes.clone();
        for _ in 0..1 + next(3) {
            let at = next(broken.len());
            broken[at] = next(256) as u8;
        }
        if next(8) == 0 {
            broken.truncate(next(bytes.len()));
        }
        refused += usize::from(fclib::read(broken).is_err());
    }
    // Many bytes are digits of numbers, which may as well be others.
    assert!((100..600).contains(&refused), "{refused}");
    let error = fclib::read(b"not at all".to_vec()).expect_err("no HDF5").to_string();
    assert!(error.starts_with("HDF5: ") && error.contains("help: "), "{error}");
}
