//! `stiction solve`: one contact problem, by one solver or by all.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde_json::json;
use stiction::names::nearest;
use stiction::solve::Status;
use stiction::solve::complementarity::cone::residual::{natural, residual, work};
use stiction::solve::complementarity::cone::{Assembled, ContactProblem, Map, Solver};
use stiction::solve::complementarity::{Limits, Progress};
use stiction_scene::problem_file::ProblemFile;
use stiction_scene::run::write_atomically;

use crate::exit;
use crate::report::markup;
use crate::report::page::document;
use crate::report::plot::{Line, Plot};
use crate::scene::{Changes, Named};
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, Terminal, human, style};

/// Arguments of `solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// A contact problem (.json), or a scene, whose next step is taken.
    problem: String,
    /// Solvers, by name; `all` for every one.
    #[arg(
        long,
        alias = "solver",
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "default"
    )]
    solvers: Vec<String>,
    /// Largest error of a contact's velocity that counts as solved [m/s].
    #[arg(long, default_value_t = 1e-8, value_name = "SPEED")]
    tolerance: f64,
    /// The most iterations.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    iterations: usize,
    /// The longest a solver may take [s].
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    seconds: f64,
    /// Of a scene: simulate up to this time first [s].
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS")]
    time: f64,
    /// Start from zero instead of from the impulses of the step before.
    #[arg(long)]
    cold: bool,
    /// Write the problem to a file.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write plots and numbers on a page (.html), or residuals by iteration and second (.csv).
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    changes: Changes,
}

const EXAMPLES: &str = "\
Examples:
  stiction solve tower --solvers all -o tower.html
  stiction solve hanging_chain --time 1.0 --save chain.json
  stiction solve chain.json --solvers nncg,apgd,newton-alart-curnier --tolerance 1e-10

Residuals are those of the natural map, as velocities: zero exactly for solutions.";

/// What a solver did.
struct Solved {
    solver: Solver,
    status: Status,
    iterations: usize,
    seconds: f64,
    natural: f64,
    fischer_burmeister: f64,
    alart_curnier: f64,
    work: f64,
    /// After each iteration: seconds, and the residual.
    history: Vec<[f64; 2]>,
}

/// Solves a problem.
///
/// # Errors
/// When there is no problem, or a solver is not known.
pub fn run(args: &SolveArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let solvers = solvers(&args.solvers)?;
    let Some((problem, start)) = find(args, terminal)? else {
        return Ok(ExitCode::from(exit::FAILED));
    };
    if let Some(path) = &args.save {
        write_atomically(path, ProblemFile::of(&problem, &start).to_json().as_bytes())?;
        terminal.note(format!("the problem is in {}", style::bold(path.display())));
    }
    terminal.note(human::plural(problem.contacts(), "contact", "contacts"));
    let mut progress = terminal.progress("solving");
    let mut solved = Vec::new();
    for (k, &solver) in solvers.iter().enumerate() {
        progress.set(k as f64 / solvers.len() as f64, || solver.name().to_owned());
        let start = if args.cold { vec![0.0; start.len()] } else { start.clone() };
        let one = solve(&problem, start, solver, args);
        terminal.event(
            "solved",
            json!({
                "solver": solver.name(), "status": one.status.name(), "iterations": one.iterations,
                "seconds": one.seconds, "residual": one.natural,
            }),
        );
        solved.push(one);
    }
    drop(progress);
    terminal.print(table(&solved));
    if let Some(path) = &args.out {
        let html = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("html"));
        let text = if html { page(&args.problem, &problem, &solved) } else { as_csv(&solved) };
        write_atomically(path, text.as_bytes())?;
        terminal.print(format!("  {}", style::bold(path.display())));
    }
    let all = solved.iter().all(|one| one.status.converged());
    Ok(ExitCode::from(if all { exit::DONE } else { exit::UNCONVERGED }))
}

fn solvers(names: &[String]) -> anyhow::Result<Vec<Solver>> {
    let known = Solver::ALL.map(Solver::name);
    if let [all] = names
        && all == "all"
    {
        return Ok(Solver::ALL.to_vec());
    }
    let mut found = Vec::new();
    for name in names {
        let Some(at) = known.iter().position(|known| known == name) else {
            let near = nearest(name, known).map(|near| format!("did you mean `{near}`? "));
            let near = near.unwrap_or_default();
            bail!("there is no solver `{name}`\n  help: {near}known: {}", known.join(", "));
        };
        found.push(Solver::ALL[at]);
    }
    Ok(found)
}

type Problem = (ContactProblem<Assembled>, Vec<f64>);

/// The problem of a file, or of a step of a scene; nothing after saying what is wrong.
fn find(args: &SolveArgs, terminal: &Terminal) -> anyhow::Result<Option<Problem>> {
    let path = Path::new(&args.problem);
    if path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("json")) && path.is_file() {
        let file = ProblemFile::load(path)?;
        return file.problem().map(Some).map_err(anyhow::Error::msg);
    }
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
        Some(problem) => Ok(Some(problem)),
        None => bail!(
            "the scene has no contact problem\n  \
             help: it needs the impulse method, --set 'method={{ impulse = {{}} }}', and friction that is a cone: no torsion, rolling resistance or textures"
        ),
    }
}

fn solve(
    problem: &ContactProblem<Assembled>,
    mut r: Vec<f64>,
    solver: Solver,
    args: &SolveArgs,
) -> Solved {
    let limits = Limits { tolerance: args.tolerance, iterations: args.iterations };
    let mut u = vec![0.0; r.len()];
    let mut memory = problem.memory();
    let mut history = Vec::new();
    // Looking costs time that is not the solver's.
    let (started, mut looking) = (Instant::now(), 0.0);
    let mut watch = |progress: &Progress<'_>| {
        let now = Instant::now();
        let seconds = started.elapsed().as_secs_f64() - looking;
        problem.velocities(progress.unknowns, &mut u, &mut memory);
        history.push([seconds, natural(problem, progress.unknowns, &u)]);
        looking += now.elapsed().as_secs_f64();
        if seconds > args.seconds { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let report = solver.solve(problem, &mut r, &limits, &mut watch);
    let seconds = started.elapsed().as_secs_f64() - looking;
    problem.velocities(&r, &mut u, &mut memory);
    Solved {
        solver,
        status: report.status,
        iterations: report.iterations,
        seconds,
        natural: natural(problem, &r, &u),
        fischer_burmeister: residual(problem, Map::FischerBurmeister, &r, &u),
        alart_curnier: residual(problem, Map::AlartCurnier, &r, &u),
        work: work(problem, &r, &u),
        history,
    }
}

fn table(solved: &[Solved]) -> Table {
    let mut table = Table::new(&[
        Left("solver"),
        Left("status"),
        Right("iterations"),
        Right("time"),
        Right("residual [m/s]"),
        Right("Fischer–Burmeister"),
        Right("Alart–Curnier"),
        Right("work [J]"),
    ])
    .indented(2);
    for one in solved {
        let number = |x: f64| format!("{x:.1e}");
        table.row([
            one.solver.name().to_owned(),
            one.status.name().to_owned(),
            one.iterations.to_string(),
            human::duration(one.seconds),
            number(one.natural),
            number(one.fischer_burmeister),
            number(one.alart_curnier),
            human::significant(one.work, 6),
        ]);
    }
    table
}

fn as_csv(solved: &[Solved]) -> String {
    let mut text = "solver,iteration,seconds,residual [m/s]\n".to_owned();
    for one in solved {
        for (k, [seconds, residual]) in one.history.iter().enumerate() {
            let _ = writeln!(text, "{},{k},{seconds},{residual}", one.solver.name());
        }
    }
    text
}

fn page(name: &str, problem: &ContactProblem<Assembled>, solved: &[Solved]) -> String {
    let steps: Vec<Vec<f64>> =
        solved.iter().map(|one| (0..one.history.len()).map(|k| k as f64).collect()).collect();
    let times: Vec<Vec<f64>> =
        solved.iter().map(|one| one.history.iter().map(|[s, _]| *s).collect()).collect();
    let plot = |title: &str, across, at: &[Vec<f64>]| {
        let lines = solved.iter().zip(at).map(|(one, times)| Line {
            label: one.solver.name().to_owned(),
            times,
            values: one.history.iter().map(|[_, residual]| *residual).collect(),
        });
        let (title, unit, lines) = (title.to_owned(), "m/s".to_owned(), lines.collect());
        Plot { title, unit, log: true, across, lines }.html().unwrap_or_default()
    };
    let cell = markup::Cell::text;
    let number = markup::Cell::number;
    let heads = ["solver", "status", "iterations", "time [s]", "residual [m/s]", "work [J]"];
    let mut rows = markup::Table::new(heads.map(cell));
    for one in solved {
        rows.row([
            cell(one.solver.name()),
            cell(&one.status.to_string()),
            number(&one.iterations.to_string()),
            number(&format!("{:.3e}", one.seconds)),
            number(&format!("{:.1e}", one.natural)),
            number(&format!("{:.6e}", one.work)),
        ]);
    }
    let contacts = problem.contacts();
    let main = format!(
        "<section>\n<p>{contacts} contacts. Residuals of the natural map, as velocities.</p>\n{}\n{}{}</section>\n",
        rows.html(),
        plot("Residual by iteration", ("iteration", ""), &steps),
        plot("Residual by second", ("time", "s"), &times)
    );
    document(&format!("Solvers on {name}"), &main)
}
