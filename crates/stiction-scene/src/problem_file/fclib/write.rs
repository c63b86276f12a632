//! From a problem to a file.

use hdf5_pure::{FileBuilder, GroupBuilder};
use stiction::math::Matrix3;
use stiction::solve::complementarity::cone::{
    Assembled, ContactProblem, Delassus, MassJacobian, Model,
};

use super::FclibError;
use super::matrix::Sparse;
use super::reduce::entries;
use crate::problem_file::contact::coefficients;
use crate::problem_file::{Problem, Stored};

/// The bytes of a file.
///
/// # Errors
/// When the layout cannot hold the problem.
pub fn write(stored: &Stored) -> Result<Vec<u8>, FclibError> {
    let mut file = FileBuilder::new();
    match &stored.problem {
        Problem::Contact(problem) => {
            write_local(&mut file, problem)?;
            impulses(&mut file, problem, stored, None);
        }
        Problem::Bodies(problem) if problem.compliance().iter().all(|c| c.amax() == 0.0) => {
            write_global(&mut file, problem)?;
            impulses(&mut file, problem, stored, Some(problem.operator()));
        }
        // A mass matrix has no place for what gives way at contacts.
        Problem::Bodies(problem) => {
            let assembled = problem.assembled();
            write_local(&mut file, &assembled)?;
            impulses(&mut file, &assembled, stored, None);
        }
        Problem::Linear(_) => {
            return Err(FclibError::Unfit(
                "FCLIB's layout holds Coulomb's law, not bounds\n  help: write linear problems to .json".into(),
            ));
        }
    }
    Ok(file.finish()?)
}

fn write_local(
    file: &mut FileBuilder,
    problem: &ContactProblem<Assembled>,
) -> Result<(), FclibError> {
    let friction = checked(problem)?;
    let mut main = file.create_group("fclib_local");
    main.create_dataset("spacedim").with_i32_data(&[3]);
    let contacts = problem.contacts();
    let mut w = entries(problem.operator(), contacts, 3);
    for (i, c) in problem.compliance().iter().enumerate() {
        let soft = (0..3).filter(|&k| c[k] != 0.0);
        w.entries.extend(soft.map(|k| (3 * i + k, 3 * i + k, c[k])));
    }
    merge(&mut w);
    matrix(&mut main, "W", &w)?;
    vectors(&mut main, &[("q", problem.b()), ("mu", &friction)]);
    about(&mut main, contacts);
    file.add_group(main.finish());
    Ok(())
}

fn write_global(
    file: &mut FileBuilder,
    problem: &ContactProblem<MassJacobian>,
) -> Result<(), FclibError> {
    let friction = checked(problem)?;
    let bodies = problem.operator();
    let unknowns = 3 * bodies.inverse_mass().len();
    let mut mass = Sparse { rows: unknowns, columns: unknowns, entries: Vec::new() };
    for (j, inverse) in bodies.inverse_mass().iter().enumerate() {
        let block = inverse.try_inverse().ok_or_else(|| {
            FclibError::Unfit(format!(
                "the inverse mass of block {j} is singular: FCLIB wants masses\n  help: leave out bodies that do \
                 not move"
            ))
        })?;
        push(&mut mass.entries, j, j, &block);
    }
    let rows = 3 * problem.contacts();
    let mut contacts = Sparse { rows: unknowns, columns: rows, entries: Vec::new() };
    for i in 0..problem.contacts() {
        for (j, block) in bodies.jacobian().row(i) {
            push(&mut contacts.entries, j, i, &block.transpose());
        }
    }
    let mut main = file.create_group("fclib_global");
    main.create_dataset("spacedim").with_i32_data(&[3]);
    matrix(&mut main, "M", &mass)?;
    matrix(&mut main, "H", &contacts)?;
    // What moves without impulses is in w alone: forces of bodies are not known here.
    let forces = vec![0.0; unknowns];
    vectors(&mut main, &[("f", &forces), ("w", problem.b()), ("mu", &friction)]);
    about(&mut main, problem.contacts());
    file.add_group(main.finish());
    Ok(())
}

/// Coefficients of a problem that the layout can hold.
fn checked<A: Delassus>(problem: &ContactProblem<A>) -> Result<Vec<f64>, FclibError> {
    if problem.model() == Model::Associated {
        return Err(FclibError::Unfit(
            "FCLIB's problems obey Coulomb's law, not its convex relaxation\n  help: write to .json".into(),
        ));
    }
    coefficients(problem).map_err(FclibError::Unfit)
}

/// The start as first guess, and the solution if there is one.
fn impulses<A: Delassus>(
    file: &mut FileBuilder,
    problem: &ContactProblem<A>,
    stored: &Stored,
    bodies: Option<&MassJacobian>,
) {
    let mut u = vec![0.0; 3 * problem.contacts()];
    let mut memory = problem.memory();
    let mut fill = |group: &mut GroupBuilder, r: &[f64]| {
        problem.velocities(r, &mut u, &mut memory);
        group.create_dataset("u").with_f64_data(&u);
        group.create_dataset("r").with_f64_data(r);
        if let Some(bodies) = bodies {
            let mut v = vec![0.0; 3 * bodies.inverse_mass().len()];
            bodies.velocities(r, &mut v);
            group.create_dataset("v").with_f64_data(&v);
        }
    };
    if let Some(r) = &stored.solution {
        let mut group = file.create_group("solution");
        fill(&mut group, r);
        file.add_group(group.finish());
    }
    let mut guesses = file.create_group("guesses");
    guesses.create_dataset("number_of_guesses").with_i32_data(&[1]);
    let mut first = guesses.create_group("1");
    fill(&mut first, &stored.start);
    guesses.add_group(first.finish());
    file.add_group(guesses.finish());
}

fn matrix(main: &mut GroupBuilder, name: &str, m: &Sparse) -> Result<(), FclibError> {
    let mut group = main.create_group(name);
    m.write(&mut group)?;
    main.add_group(group.finish());
    Ok(())
}

fn vectors(main: &mut GroupBuilder, all: &[(&str, &[f64])]) {
    let mut group = main.create_group("vectors");
    for (name, numbers) in all {
        group.create_dataset(name).with_f64_data(numbers);
    }
    main.add_group(group.finish());
}

fn about(main: &mut GroupBuilder, contacts: usize) {
    let mut group = main.create_group("info");
    let words = [
        ("title", format!("{contacts} contacts")),
        ("description", format!("written by stiction {}", env!("CARGO_PKG_VERSION"))),
    ];
    for (name, text) in &words {
        // ASCII of ours, shorter than any limit: it cannot be refused.
        let _ = group.create_dataset(name).with_ascii_strings(&[text.as_str()]);
    }
    main.add_group(group.finish());
}

fn push(entries: &mut Vec<(usize, usize, f64)>, i: usize, j: usize, block: &Matrix3) {
    for k in 0..9 {
        let (row, column) = (k / 3, k % 3);
        if block[(row, column)] != 0.0 {
            entries.push((3 * i + row, 3 * j + column, block[(row, column)]));
        }
    }
}

/// Adds up entries of one place.
fn merge(m: &mut Sparse) {
    m.entries.sort_by_key(|&(i, j, _)| (i, j));
    m.entries.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
}
