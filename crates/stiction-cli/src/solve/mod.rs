//! `stiction solve`: one contact problem, by one solver or by all.
//!
//! | file | what |
//! |---|---|
//! | `find.rs` | the problem: of a file, or of a step of a scene, as it is or with friction in boxes |
//! | `trial.rs` | one solver on it, watched |
//! | `judge.rs` | how good impulses are: four residuals, and friction by friction |
//! | `page.rs` | tables, curves, CSV |

mod find;
mod judge;
mod page;
mod trial;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde_json::json;
use stiction::names::nearest;
use stiction::solve::complementarity::{Limits, cone, linear};
use stiction_scene::problem_file::{self, Problem, Stored};
use stiction_scene::run::write_atomically;

use crate::exit;
use crate::scene::Changes;
use crate::terminal::{Terminal, human, style};
use judge::Judge;
use trial::Trial;

/// Arguments of `solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// A contact problem (.json, or .hdf5 as FCLIB has them), or a scene, whose next step is taken.
    problem: String,
    /// Solvers, by name; `all` for every one that there is for such problems.
    #[arg(
        long,
        alias = "solver",
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "default"
    )]
    solvers: Vec<String>,
    /// Which friction the problem shall have [default: its own].
    #[arg(long, value_name = "MODEL", value_enum)]
    friction: Option<Friction>,
    /// Largest error of a contact's velocity that counts as solved [m/s].
    #[arg(long, default_value_t = 1e-8, value_name = "SPEED")]
    tolerance: f64,
    /// The same as a part of the largest velocity without impulses; the larger of both counts [-] [default: the number
    /// of the tolerance].
    #[arg(long, value_name = "PART")]
    relative: Option<f64>,
    /// The most iterations.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    iterations: usize,
    /// The longest a solver may take [s].
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    seconds: f64,
    /// Of a scene: simulate up to this time first [s].
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS")]
    time: f64,
    /// Start from zero instead of from the impulses of the step before, or of the file.
    #[arg(long, conflicts_with = "from_solution")]
    cold: bool,
    /// Start from the solution that the file has, to check it.
    #[arg(long)]
    from_solution: bool,
    /// Write the problem, with the best solution that was found, to a file (.json or .hdf5).
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write plots and numbers on a page (.html), residuals by iteration as a picture (.svg), or all as a table
    /// (.csv); may be repeated.
    #[arg(short, long, value_name = "FILE")]
    out: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
}

impl SolveArgs {
    /// When solvers may stop.
    fn limits(&self, problem: &Problem) -> Limits {
        let limits = Limits { tolerance: self.tolerance, iterations: self.iterations };
        limits.or_relative(self.relative.unwrap_or(self.tolerance), problem.speed())
    }
}

/// A model of friction that a problem with Coulomb's law can be turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Friction {
    /// Coulomb's law, exactly.
    Cone,
    /// Its convex relaxation: what slides lifts off.
    Associated,
    /// Each tangent by itself: a linear problem.
    Box,
    /// A polygon of four pushes: a linear problem without symmetry.
    Polygon,
    /// None: a linear problem of normals.
    None,
}

const EXAMPLES: &str = "\
Examples:
  stiction solve tower --solvers all -o tower.html -o tower.csv
  stiction solve hanging_chain --time 1.0 --save chain.hdf5
  stiction solve chain.hdf5 --solvers nncg,apgd,newton-alart-curnier --tolerance 1e-10
  stiction solve chain.hdf5 --from-solution --tolerance 1e-9
  stiction solve tower --friction box --solvers lemke,pgs,nncg --save tower_box.json

Residuals are those of the natural map, as velocities: zero exactly for solutions. One is small enough if it is \
below the tolerance, or below that part of the largest velocity without impulses.
The exit code is 3 if a solver that was named stops short, or all of `all` do.
docs/solvers.md describes the files, and goes through the solvers.";

/// Solves a problem.
///
/// # Errors
/// When there is no problem, or a solver is not known.
pub fn run(args: &SolveArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let Some(mut stored) = find::find(args, terminal)? else {
        return Ok(ExitCode::from(exit::FAILED));
    };
    let solvers = Solver::named(&args.solvers, &stored.problem)?;
    if args.cold {
        stored.start.fill(0.0);
    }
    if args.from_solution {
        let Some(solution) = &stored.solution else {
            bail!("the problem has no solution yet\n  help: solve it, and keep that with --save");
        };
        stored.start.clone_from(solution);
    }
    // Before anything can go wrong; and again when there is a solution.
    save(args, &stored)?;
    terminal.note(find::described(&stored.problem));
    let mut progress = terminal.progress("solving");
    let mut trials = Vec::new();
    for (k, solver) in solvers.iter().enumerate() {
        progress.set(k as f64 / solvers.len() as f64, || solver.name().to_owned());
        let one = Trial::run(&stored, solver, args, |share| {
            let done = (k as f64 + share) / solvers.len() as f64;
            progress.set(done, || solver.name().to_owned());
        });
        terminal.event("solved", one.as_json());
        trials.push(one);
    }
    drop(progress);
    terminal.print(page::table(&trials));
    let left = keep_best(&mut stored, &trials);
    if let Some(path) = save(args, &stored)? {
        let path = style::bold(path.display());
        terminal.note(match left {
            None => format!("the problem is in {path}; no solution was found"),
            Some(left) if left <= args.tolerance => {
                format!("the problem and its solution are in {path}")
            }
            Some(left) => {
                let left = human::significant(left, 2);
                format!(
                    "the problem is in {path}, with the best that was found: {left} m/s are left"
                )
            }
        });
    }
    for path in &args.out {
        let is = |kind: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(kind));
        let text = if is("html") {
            let tolerance = args.limits(&stored.problem).tolerance;
            page::page(&args.problem, &stored.problem, &trials, tolerance)
        } else if is("svg") {
            page::picture(&args.problem, &stored.problem, &trials)
        } else {
            page::as_csv(&trials)
        };
        write_atomically(path, text.as_bytes())?;
        terminal.event("written", json!({ "file": path, "bytes": text.len() }));
        terminal.print(format!("  {}", style::bold(path.display())));
    }
    let failed = trials.iter().filter(|one| !one.status.converged()).count();
    if failed > 0 {
        terminal.note(format!(
            "{} of {} stopped short",
            human::count(failed),
            human::plural(trials.len(), "solver", "solvers")
        ));
    }
    // Who asks for all of them compares: that some cannot do it is an answer.
    let enough = failed == 0 || (is_all(&args.solvers) && failed < trials.len());
    Ok(ExitCode::from(if enough { exit::DONE } else { exit::UNCONVERGED }))
}

/// Makes the best of all impulses the solution, those of the file included; how far it is from solved [m/s].
fn keep_best(stored: &mut Stored, trials: &[Trial]) -> Option<f64> {
    let known = stored.solution.take().map(|known| {
        let natural = Judge::new(&stored.problem).measures(&known).natural;
        (natural, known)
    });
    let found = trials.iter().map(|one| (one.measures.natural, one.unknowns.clone()));
    let finite = known.into_iter().chain(found).filter(|(natural, _)| natural.is_finite());
    let (natural, best) = finite.min_by(|a, b| a.0.total_cmp(&b.0))?;
    stored.solution = Some(best);
    Some(natural)
}

fn is_all(names: &[String]) -> bool {
    matches!(names, [only] if only == "all")
}

fn save<'a>(args: &'a SolveArgs, stored: &Stored) -> anyhow::Result<Option<&'a PathBuf>> {
    if let Some(path) = &args.save {
        problem_file::save(path, stored)?;
    }
    Ok(args.save.as_ref())
}

/// A solver of either kind.
#[derive(Clone, Debug)]
enum Solver {
    Cone(cone::Solver),
    Linear(&'static str, linear::Solver),
}

impl Solver {
    fn name(&self) -> &'static str {
        match self {
            Self::Cone(solver) => solver.name(),
            Self::Linear(name, _) => name,
        }
    }

    /// Every solver for such problems.
    fn all(problem: &Problem) -> Vec<Self> {
        match problem {
            Problem::Contact(_) | Problem::Bodies(_) => {
                cone::Solver::ALL.into_iter().map(Self::Cone).collect()
            }
            Problem::Linear(_) => linear::Solver::all()
                .into_iter()
                .map(|(name, solver)| Self::Linear(name, solver))
                .collect(),
        }
    }

    fn named(names: &[String], problem: &Problem) -> anyhow::Result<Vec<Self>> {
        let all = Self::all(problem);
        if is_all(names) {
            return Ok(all);
        }
        let find = |name: &String| {
            if let Some(found) = all.iter().find(|known| known.name() == name) {
                return Ok(found.clone());
            }
            let known: Vec<&str> = all.iter().map(Self::name).collect();
            let near = nearest(name, known.iter().copied());
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let kind = match problem {
                Problem::Linear(_) => "linear problems",
                _ => "problems with Coulomb's law",
            };
            bail!(
                "there is no solver `{name}` for {kind}\n  help: {near}known: {}",
                known.join(", ")
            )
        };
        names.iter().map(find).collect()
    }
}
