//! Which problem: of a file, or of a step of a scene.

use std::path::Path;

use anyhow::{anyhow, bail};
use stiction::solve::complementarity::cone::{Assembled, ContactProblem, Model};
use stiction::solve::complementarity::linear::{Bounds, LinearProblem, Matrix, Polyhedral, Rows};
use stiction_scene::problem_file::{self, Problem, Stored};

use super::{Friction, SolveArgs};
use crate::scene::Named;
use crate::terminal::{Terminal, human};

/// The problem; nothing after saying what is wrong with a scene.
pub(super) fn find(args: &SolveArgs, terminal: &Terminal) -> anyhow::Result<Option<Stored>> {
    let path = Path::new(&args.problem);
    let stored = if problem_file::is_problem_path(path) && path.is_file() {
        Some(problem_file::load(path)?)
    } else {
        of_scene(args, terminal)?
    };
    match (stored, args.friction) {
        (Some(stored), Some(friction)) => with_friction(stored, friction).map(Some),
        (stored, _) => Ok(stored),
    }
}

fn of_scene(args: &SolveArgs, terminal: &Terminal) -> anyhow::Result<Option<Stored>> {
    let scene = Named::find(&args.problem)?.load(&args.changes.wishes());
    let Some(setup) = terminal.scene(scene.and_then(|scene| scene.build())) else {
        return Ok(None);
    };
    let mut simulation = setup.simulation;
    let mut progress = terminal.progress(&setup.title);
    while simulation.time() < args.time - 1e-9 {
        simulation.step();
        progress.set(simulation.time() / args.time, || format!("{:.3} s", simulation.time()));
    }
    drop(progress);
    match simulation.contact_problem() {
        Some((problem, start)) => {
            Ok(Some(Stored { problem: Problem::Contact(problem), start, solution: None }))
        }
        None => bail!(
            "the scene has no contact problem\n  \
             help: it needs the impulse method, --set 'method={{ impulse = {{}} }}', and friction that is a cone: \
             no torsion, rolling resistance or textures"
        ),
    }
}

/// What it is, in a line.
pub(super) fn described(problem: &Problem) -> String {
    let of =
        |contacts, what: &str| format!("{}{what}", human::plural(contacts, "contact", "contacts"));
    match problem {
        Problem::Contact(problem) => of(problem.contacts(), ""),
        Problem::Bodies(problem) => of(problem.contacts(), ", bodies by mass and Jacobian"),
        Problem::Linear(problem) => {
            let rows = human::plural(problem.len(), "row", "rows");
            let tied = problem.bounds().iter().filter(|bounds| bounds.tie.is_some()).count();
            match tied {
                0 => format!("linear, {rows}"),
                tied => format!("linear, {rows}, {} of friction", human::count(tied)),
            }
        }
    }
}

/// The same contacts with another model of friction.
fn with_friction(stored: Stored, friction: Friction) -> anyhow::Result<Stored> {
    let problem = match stored.problem {
        Problem::Contact(problem) => problem,
        Problem::Bodies(problem) => problem.assembled(),
        Problem::Linear(_) => bail!(
            "the problem is linear already: what friction it has is in its bounds\n  help: leave out --friction"
        ),
    };
    let told = |error: String| anyhow!("{error}");
    Ok(match friction {
        Friction::Cone => {
            Stored { problem: Problem::Contact(problem.with_model(Model::Coulomb)), ..stored }
        }
        Friction::Associated => {
            Stored { problem: Problem::Contact(problem.with_model(Model::Associated)), ..stored }
        }
        Friction::Box => {
            let boxed = LinearProblem::boxed(&problem)?;
            Stored { problem: Problem::Linear(boxed), start: stored.start, solution: None }
        }
        Friction::Polygon => {
            let boxed = LinearProblem::boxed(&problem)?;
            let polygons = Polyhedral::new(&boxed, 4).map_err(|error| told(error.to_string()))?;
            let start = vec![0.0; polygons.problem.len()];
            Stored { problem: Problem::Linear(polygons.problem), start, solution: None }
        }
        Friction::None => normals(&problem, &stored.start)?,
    })
}

/// Normals alone.
fn normals(problem: &ContactProblem<Assembled>, start: &[f64]) -> anyhow::Result<Stored> {
    let count = problem.contacts();
    let mut rows = Rows::new(count);
    for i in 0..count {
        let own = (i, problem.diagonal(i)[(0, 0)]);
        let operator = problem.operator();
        // One number on both sides of the diagonal, whatever rounding made of it.
        let others = operator.others().row(i);
        let others =
            others.map(|(j, block)| (j, 0.5 * (block[(0, 0)] + operator.block(j, i)[(0, 0)])));
        rows.push([own].into_iter().chain(others).filter(|(_, value)| *value != 0.0));
    }
    let matrix = Matrix::sparse(rows).ok_or_else(|| anyhow!("the operator is not square"))?;
    let b = problem.b().iter().step_by(3).copied().collect();
    let linear = LinearProblem::new(matrix, b, vec![Bounds::AT_LEAST_ZERO; count])?;
    let start = start.iter().step_by(3).copied().collect();
    Ok(Stored { problem: Problem::Linear(linear), start, solution: None })
}
