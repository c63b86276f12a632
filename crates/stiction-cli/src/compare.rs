//! `stiction compare`: one scene under several methods and solvers, side by side.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde_json::json;
use stiction::method::MethodSettings;
use stiction::names::nearest;
use stiction::solve::complementarity::cone::Solver;
use stiction_scene::job::{Job, JobError, Summary};
use stiction_scene::run::{RunStatus, write_atomically};
use stiction_scene::scene_file::Wishes;
use stiction_scene::scene_file::format::MethodTable;

use crate::scene::{Changes, Named};
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, Terminal, human, style};
use crate::{exit, interrupt, report, run};

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// Scene file (TOML or JSON), or the name of a scene that comes with stiction.
    scene: String,
    /// Methods, as scene files name them; all by default.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = MethodSettings::NAMES)]
    methods: Vec<String>,
    /// Solvers of the impulse method; `all` for every one [default: its default].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    solvers: Vec<String>,
    /// Folder for the runs, `compare.csv` and `report.html` [default: runs/NAME-compared].
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace what is in the folder already.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    changes: Changes,
}

const EXAMPLES: &str = "\
Examples:
  stiction compare rolling_ball
  stiction compare tower --methods impulse --solvers newton-alart-curnier,nncg,apgd
  stiction compare hanging_chain --methods impulse --solvers all --set duration=0.2

Every run is a folder of its own, to be viewed and resumed like others; the page has plots of energies, contacts, \
how well
friction obeys Coulomb's law, overlaps, residuals and all probes, the table what each run cost. A method that \
cannot do the scene
is left out, with a warning. With --solvers, steps that stop short of their tolerance are counted and not repeated \
in halves.";

/// One of the runs.
struct Way {
    name: String,
    method: String,
    solver: Option<String>,
}

/// Runs a scene in several ways.
///
/// # Errors
/// When the scene makes no sense, a name is not known, or the folder cannot be written.
pub fn run(args: &CompareArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let named = Named::find(&args.scene)?;
    let wishes = args.changes.wishes();
    let Some(scene) = terminal.scene(named.load(&wishes)) else {
        return Ok(ExitCode::from(exit::FAILED));
    };
    let ways = ways(args)?;
    let default = || PathBuf::from("runs").join(format!("{}-compared", named.stem()));
    let out = args.out.clone().unwrap_or_else(default);
    interrupt::listen(terminal);
    let mut done: Vec<(&Way, Summary)> = Vec::new();
    let mut refused: Vec<(&Way, String)> = Vec::new();
    let mut refusal = None;
    for way in &ways {
        if interrupt::requested() {
            return Ok(ExitCode::from(exit::STOPPED));
        }
        let wishes = wishes_of(way, &wishes, scene.table().method.as_ref());
        let started = named.load(&wishes).map_err(JobError::Scene);
        let started = started.and_then(|s| Job::start(&s, &out.join(&way.name), args.force));
        let mut job = match started {
            Ok(job) => job,
            // What one method cannot do is no reason to leave out the others.
            Err(error @ (JobError::Scene(_) | JobError::Adrift(_))) => {
                let reason = reason(&error);
                terminal.warn(&format!("{} is left out: {reason}", way.name), None);
                refused.push((way, reason));
                refusal.get_or_insert(error);
                continue;
            }
            Err(error) => return terminal.job_failed(error),
        };
        terminal.detail(format!("{} …", way.name));
        let failure = run::drive(&mut job, terminal);
        let status = match (&failure, job.is_done()) {
            (Some(_), _) => RunStatus::Failed,
            (None, true) => RunStatus::Finished,
            (None, false) => RunStatus::Stopped,
        };
        match job.finish(status) {
            Ok(summary) => done.push((way, summary)),
            Err(error) => return terminal.job_failed(error),
        }
        if let Some(error) = failure {
            terminal.warn(&format!("{} broke off: {error}", way.name), None);
        }
    }
    if let (true, Some(error)) = (done.is_empty(), refusal) {
        // Whatever all refuse is wrong with the scene.
        return terminal.job_failed(error);
    }
    terminal.print(table(&done));
    let csv = out.join("compare.csv");
    write_atomically(&csv, as_csv(&done, &refused).as_bytes())?;
    let runs: Vec<serde_json::Value> = done.iter().map(|(way, s)| as_json(way, s)).collect();
    let left_out = |(way, reason): &(&Way, String)| json!({ "name": way.name, "reason": reason });
    let left_out: Vec<serde_json::Value> = refused.iter().map(left_out).collect();
    terminal.event("compared", json!({ "file": csv, "runs": runs, "left_out": left_out }));
    terminal.print(format!("  the same in {}", style::bold(csv.display())));
    let folders = done.iter().map(|(way, _)| out.join(&way.name)).collect();
    let title = done.first().map_or_else(String::new, |(_, s)| format!("{}, compared", s.title));
    report::write(folders, out.join("report.html"), title, terminal)
}

fn ways(args: &CompareArgs) -> anyhow::Result<Vec<Way>> {
    let known = Solver::ALL.map(Solver::name);
    let solvers: Vec<String> = match &args.solvers[..] {
        [all] if all == "all" => known.iter().map(|&name| name.to_owned()).collect(),
        given => given.to_vec(),
    };
    for solver in &solvers {
        if !known.contains(&solver.as_str()) {
            let near = nearest(solver, known).map(|near| format!("did you mean `{near}`? "));
            let near = near.unwrap_or_default();
            bail!("there is no solver `{solver}`\n  help: {near}known: {}", known.join(", "));
        }
    }
    let mut ways = Vec::new();
    for method in &args.methods {
        let way = |solver: Option<&String>| Way {
            name: solver.map_or_else(|| method.clone(), |solver| format!("{method}-{solver}")),
            method: method.clone(),
            solver: solver.cloned(),
        };
        match MethodSettings::named(method) {
            None => {
                let near = nearest(method, MethodSettings::NAMES);
                let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                let known = MethodSettings::NAMES.join(", ");
                bail!("there is no method `{method}`\n  help: {near}known: {known}");
            }
            Some(MethodSettings::Impulse(_)) if !solvers.is_empty() => {
                ways.extend(solvers.iter().map(|solver| way(Some(solver))));
            }
            Some(_) => ways.push(way(None)),
        }
    }
    Ok(ways)
}

/// The scene's own settings, where they are of this method; else its time step, and defaults.
fn wishes_of(way: &Way, wishes: &Wishes, written: Option<&MethodTable>) -> Wishes {
    let mut wishes = wishes.clone();
    let own = written.map_or_else(|| MethodSettings::default().name(), MethodTable::name);
    let step = written.and_then(MethodTable::time_step);
    if way.method != own {
        let step = step.map(|step| format!(" time_step = {step} ")).unwrap_or_default();
        wishes.set.push(format!("method={{ {} = {{{step}}} }}", way.method));
    }
    if let Some(solver) = &way.solver {
        wishes.set.push(format!("method.impulse.solver=\"{solver}\""));
        // Steps that stop short are counted, not repeated in halves: all solvers shall solve the same problems.
        wishes.set.push("method.impulse.max_halvings=0".to_owned());
    }
    wishes
}

/// Why a way cannot be gone, in a line.
fn reason(error: &JobError) -> String {
    match error {
        JobError::Scene(error) => {
            let first = error.problems().first();
            first.map_or_else(|| error.to_string(), |problem| problem.message.clone())
        }
        error => error.to_string(),
    }
}

fn overlap(summary: &Summary) -> f64 {
    summary.totals.deepest.as_ref().map_or(0.0, |deepest| deepest.depth)
}

fn table(done: &[(&Way, Summary)]) -> Table {
    let mut heads = vec![
        Left("run"),
        Right("time"),
        Right("iterations"),
        Right("unsolved steps"),
        Right("overlap [m]"),
        Right("unresisted slip [m/s]"),
        Right("expectations"),
    ];
    let probes = done.first().map_or(&[][..], |(_, summary)| &summary.probes);
    let names: Vec<String> =
        probes.iter().map(|probe| format!("{} [{}]", probe.name, probe.unit)).collect();
    heads.extend(names.iter().map(|name| Right(name)));
    let mut table = Table::new(&heads).indented(2);
    for (way, summary) in done {
        let totals = &summary.totals;
        let held = summary.checked.iter().filter(|checked| checked.outcome.holds).count();
        let mut row = vec![
            way.name.clone(),
            human::duration(totals.seconds),
            totals.iterations.to_string(),
            totals.unconverged.to_string(),
            human::significant(overlap(summary), 2),
            human::significant(totals.friction.unresisted, 2),
            format!("{held} of {}", summary.checked.len()),
        ];
        row.extend(summary.probes.iter().map(|probe| human::significant(probe.last, 6)));
        table.row(row);
    }
    table
}

fn as_csv(done: &[(&Way, Summary)], refused: &[(&Way, String)]) -> String {
    let mut text = "run,method,solver,status,seconds,steps,iterations,unsolved steps,overlap [m],\
         friction excess,unresisted slip [m/s]"
        .to_owned();
    for probe in done.first().map_or(&[][..], |(_, summary)| &summary.probes) {
        let _ = write!(text, ",{} at the end [{}]", probe.name, probe.unit);
    }
    text.push('\n');
    for (way, summary) in done {
        let totals = &summary.totals;
        let _ = write!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{}",
            way.name,
            way.method,
            way.solver.as_deref().unwrap_or(""),
            summary.status.word(),
            totals.seconds,
            totals.steps,
            totals.iterations,
            totals.unconverged,
            overlap(summary),
            totals.friction.excess,
            totals.friction.unresisted
        );
        for probe in &summary.probes {
            let _ = write!(text, ",{}", probe.last);
        }
        text.push('\n');
    }
    for (way, _) in refused {
        let solver = way.solver.as_deref().unwrap_or("");
        let _ = writeln!(text, "{},{},{solver},left out", way.name, way.method);
    }
    text
}

fn as_json(way: &Way, summary: &Summary) -> serde_json::Value {
    let probes: serde_json::Map<String, serde_json::Value> =
        summary.probes.iter().map(|probe| (probe.name.clone(), json!(probe.last))).collect();
    json!({
        "name": way.name,
        "seconds": summary.totals.seconds,
        "iterations": summary.totals.iterations,
        "unsolved_steps": summary.totals.unconverged,
        "overlap": overlap(summary),
        "friction_excess": summary.totals.friction.excess,
        "unresisted_slip": summary.totals.friction.unresisted,
        "probes": probes,
    })
}
