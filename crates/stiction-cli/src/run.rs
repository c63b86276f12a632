//! `stiction run` and `stiction resume`: simulate a scene, and write its frames.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use stiction_scene::job::{Job, JobError, Summary};
use stiction_scene::library;
use stiction_scene::run::RunStatus;

use crate::scene::{Changes, Named};
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, Terminal, human, style};
use crate::view::{self, Page};
use crate::{exit, interrupt};

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct RunArgs {
    /// Scene file (TOML or JSON), or the name of a scene that comes with stiction.
    #[arg(default_value = library::FIRST)]
    scene: String,
    /// Folder for frames and the report [default: runs/NAME, numbered if taken].
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a run that is in the folder already.
    #[arg(long)]
    force: bool,
    /// Fail if any step stops short of its tolerance.
    #[arg(long)]
    strict: bool,
    /// Show it in the browser while it runs, and until Ctrl-C afterwards.
    #[arg(long)]
    view: bool,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    changes: Changes,
}

const RUN_EXAMPLES: &str = "\
Examples:
  stiction run                                      a first scene
  stiction run cantilever --out runs/first
  stiction run ball_on_trampoline --view            see it in the browser while it runs
  stiction run my_scene.toml --set body.block.material.youngs_modulus=2e6
  stiction run pendulum --variant trapezoid --strict

The folder holds frames.zarr, steps.csv, probes.csv, report.json and checkpoints; Ctrl-C stops the run so that
`stiction resume` can go on with it (exit code 130), and so can it after a crash.";

/// Arguments of `resume`.
#[derive(Debug, Args)]
#[command(after_help = RESUME_EXAMPLES)]
pub struct ResumeArgs {
    /// Folder of the run.
    run: PathBuf,
    /// Go on to this time, before or after the end of the scene [s].
    #[arg(long, value_name = "SECONDS")]
    until: Option<f64>,
    /// Fail if any step stops short of its tolerance.
    #[arg(long)]
    strict: bool,
}

const RESUME_EXAMPLES: &str = "\
Examples:
  stiction resume runs/twisting_bar
  stiction resume runs/twisting_bar --until 4       longer than the scene says

A run that was stopped or killed goes on at its last frame, and ends with the same bits as if it had not been.";

/// Simulates a scene.
///
/// # Errors
/// When the scene makes no sense, or the folder cannot be written.
pub fn run(args: &RunArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let named = Named::find(&args.scene)?;
    let Some(scene) = terminal.scene(named.load(&args.changes.wishes())) else {
        return Ok(ExitCode::from(exit::FAILED));
    };
    let out = args.out.clone().unwrap_or_else(|| free_folder(&named.stem(), args.force));
    interrupt::listen(terminal);
    let start = || Job::start(&scene, &out, args.force);
    let job = match terminal.patiently("preparing the scene", start) {
        Ok(job) => job,
        Err(error) => return terminal.job_failed(error),
    };
    let server = args.view.then(|| view::show(&[out], &args.page, terminal)).transpose()?;
    let code = simulate(job, Some(&args.scene), args.strict, terminal)?;
    if let Some(server) = server {
        view::wait(&server, terminal);
    }
    Ok(code)
}

/// Goes on with a run.
///
/// # Errors
/// When there is no run, or it cannot be gone on with.
pub fn resume(args: &ResumeArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    interrupt::listen(terminal);
    let resumed = terminal.patiently("preparing the scene", || match args.until {
        Some(until) => Job::resume_until(&args.run, until),
        None => Job::resume(&args.run),
    });
    match resumed {
        Ok(job) => {
            terminal.note(format!(
                "{} goes on at {}",
                style::bold(&job.setup().title),
                human::duration(job.simulation().time())
            ));
            simulate(job, None, args.strict, terminal)
        }
        Err(error) => terminal.job_failed(error),
    }
}

/// `runs/NAME`, or the first of `runs/NAME-2`, `runs/NAME-3`, … that is free.
fn free_folder(name: &str, force: bool) -> PathBuf {
    let first = Path::new("runs").join(name);
    if force || !first.exists() {
        return first;
    }
    let numbered = |number: u32| Path::new("runs").join(format!("{name}-{number}"));
    (2..).map(numbered).find(|folder| !folder.exists()).unwrap_or(first)
}

/// Runs to the end, or as far as it gets; `scene` is what the user called it.
fn simulate(
    mut job: Job,
    scene: Option<&str>,
    strict: bool,
    terminal: &Terminal,
) -> anyhow::Result<ExitCode> {
    announce(&job, terminal);
    let failure = drive(&mut job, terminal);
    let status = match (&failure, job.is_done()) {
        (Some(_), _) => RunStatus::Failed,
        (None, true) if job.reached_end() => RunStatus::Finished,
        (None, _) => RunStatus::Stopped,
    };
    // What broke the run is worth more than what breaks its end.
    let summary = match (job.finish(status), failure) {
        (Ok(summary), Some(error)) => {
            terminal.event("run-ended", ended(&summary));
            terminal.note(format!("frames up to then are in {}", folder(&summary)));
            return terminal.job_failed(error);
        }
        (Err(_), Some(error)) | (Err(error), None) => return terminal.job_failed(error),
        (Ok(summary), None) => summary,
    };
    Ok(conclude(&summary, scene, strict, terminal))
}

/// Advances to the end, or until Ctrl-C, and tells how far it is. Says what broke it, if anything did.
pub fn drive(job: &mut Job, terminal: &Terminal) -> Option<JobError> {
    let total = job.setup().steps;
    let (first, started) = (job.totals().steps, Instant::now());
    let mut progress = terminal.progress(&job.setup().title);
    while !job.is_done() && !interrupt::requested() {
        let advance = match job.advance() {
            Ok(advance) => advance,
            Err(error) => return Some(error),
        };
        if !advance.report.converged() {
            let (time, status) = (advance.report.time, advance.report.status.name());
            progress.suspend(|| {
                terminal.detail(format!(
                    "the step to {time:.4} s stopped short of its tolerance: {status}"
                ));
            });
        }
        progress.set(advance.step as f64 / total as f64, || {
            let rate = (advance.step - first) as f64 / started.elapsed().as_secs_f64();
            let iterations = advance.report.iterations();
            let contacts = match advance.report.contact.touching {
                0 => String::new(),
                touching => format!(", {touching} contacts"),
            };
            format!(
                "{:.3} s simulated, {} steps/s, {iterations} iterations{contacts}",
                advance.report.time,
                human::significant(rate, 3)
            )
        });
    }
    None
}

fn announce(job: &Job, terminal: &Terminal) {
    job.notes().iter().for_each(|note| terminal.remark(note));
    let summary = job.outline();
    terminal.event("run-started", &summary);
    let setup = job.setup();
    terminal.detail(format!(
        "{} bodies, {} vertices, {} elements, {} steps of {} s",
        setup.scene.bodies.len(),
        summary["vertices"],
        summary["elements"],
        setup.steps,
        setup.simulation.settings().time_step
    ));
}

fn folder(summary: &Summary) -> String {
    summary.folder.as_ref().map(|folder| folder.display().to_string()).unwrap_or_default()
}

fn ended(summary: &Summary) -> serde_json::Value {
    let mut event = summary.to_json();
    event["folder"] = json!(folder(summary));
    event
}

/// Says what came out.
fn conclude(summary: &Summary, scene: Option<&str>, strict: bool, terminal: &Terminal) -> ExitCode {
    terminal.event("run-ended", ended(summary));
    let totals = &summary.totals;
    let contacts = match totals.most_contacts {
        0 => String::new(),
        most => format!(", up to {} contacts", human::count(most as usize)),
    };
    terminal.print(format!(
        "{} {}: {:.4} s in {}, {} steps, {} iterations, {} vertices{contacts}",
        style::bold(&summary.title),
        summary.status.word(),
        summary.time,
        human::duration(totals.seconds),
        totals.steps,
        totals.iterations,
        human::count(summary.vertices)
    ));
    if !summary.probes.is_empty() {
        let heads =
            [Left("probe"), Right("start"), Right("min"), Right("max"), Right("end"), Left("unit")];
        let mut table = Table::new(&heads).indented(2);
        for probe in &summary.probes {
            let number = |value: f64| human::significant(value, 5);
            table.row([
                probe.name.clone(),
                number(probe.first),
                number(probe.min),
                number(probe.max),
                number(probe.last),
                probe.unit.clone(),
            ]);
        }
        terminal.print(table);
    }
    let failed = summary.checked.iter().filter(|checked| !checked.outcome.holds);
    for checked in failed {
        let expectation = &checked.expectation;
        let message = format!(
            "`{}` came out as {}, not as {}",
            expectation.name,
            human::significant(checked.outcome.value, 6),
            expectation.claim
        );
        let from = format!(
            "the expected number is from {}: {}",
            expectation.kind.word(),
            expectation.source
        );
        terminal.warn(&message, Some(&from));
    }
    if !summary.checked.is_empty() && summary.holds() {
        terminal.print(format!(
            "  {} as expected ({})",
            style::good("all numbers"),
            summary.tally()
        ));
    }
    if totals.unconverged > 0 {
        let message = format!(
            "{} of {} steps stopped short of their tolerance",
            totals.unconverged, totals.steps
        );
        terminal.warn(&message, Some("see steps.csv; a smaller `time_step` may help"));
    }
    if let Some(deepest) = &totals.deepest {
        let message = format!(
            "bodies overlapped at the end of {} of {} steps: {deepest}",
            totals.overlapping, totals.steps
        );
        let help = match summary.method {
            "impulse" => "a smaller `time_step` or a smaller `tolerance` keeps them apart",
            _ => "a smaller `time_step`, or a larger `stiffness` of that contact, keeps them apart",
        };
        terminal.warn(&message, Some(help));
    }
    if let Some(worst) = &totals.crossings.worst {
        let message = format!(
            "bodies pass through each other or themselves in {} of {} frames: {worst}",
            totals.crossings.crossing, totals.crossings.frames
        );
        let help = match worst.frame {
            0 => "they do where they start; check how they are placed",
            _ => "see whether contact is on for them; if it is, a smaller `time_step` may help",
        };
        terminal.warn(&message, Some(help));
    }
    next_steps(summary, scene, terminal);
    let short = totals.unconverged > 0 || totals.unsettled.is_some();
    ExitCode::from(match summary.status {
        // With --until, it stopped where it should.
        RunStatus::Stopped if interrupt::requested() => exit::STOPPED,
        _ if strict && short => exit::UNCONVERGED,
        _ => exit::DONE,
    })
}

/// Where the results are, and what to do with them.
fn next_steps(summary: &Summary, scene: Option<&str>, terminal: &Terminal) {
    let folder = folder(summary);
    terminal.print(format!("  frames and report in {}", style::bold(&folder)));
    let folder = quoted(&folder);
    if summary.status != RunStatus::Finished {
        terminal.note(format!("go on with it: stiction resume {folder}"));
        return;
    }
    let mut next = vec![
        (format!("view {folder}"), "see it in the browser"),
        (format!("render {folder}"), "a picture; --animate makes it move"),
        (format!("report {folder}"), "pictures, plots and numbers on one page"),
        (format!("export {folder} --to vtu"), "frames for ParaView; gltf and usd for Blender"),
        ("scenes".to_owned(), "more scenes; `stiction scenes copy` to change one"),
    ];
    if let Some(scene) = scene {
        let (scene, method) = (quoted(scene), summary.method);
        let again = format!("run {scene} --set method.{method}.time_step=0.005");
        next.insert(4, (again, "the same in other steps"));
    }
    let width = next.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
    terminal.note(style::dim("Try next:"));
    for (command, why) in next {
        terminal.note(format!("  stiction {command:width$}  {why}"));
    }
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+:,@%=".contains(letter);
    match argument.chars().all(plain) {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', "'\\''")),
    }
}

impl Terminal {
    /// The scene, or nothing after saying everything that is wrong with it.
    pub fn scene<T>(
        &self,
        scene: Result<T, stiction_scene::scene_file::SceneFileError>,
    ) -> Option<T> {
        scene.map_err(|error| self.scene_failed(&error)).ok()
    }

    /// Says everything that is wrong with a scene.
    pub fn scene_failed(&self, error: &stiction_scene::scene_file::SceneFileError) {
        for problem in error.problems() {
            let place = error.place(problem);
            self.event(
                "error",
                json!({
                    "message": problem.message,
                    "help": problem.help,
                    "file": place.map(|place| place.0),
                    "line": place.map(|place| place.1),
                    "column": place.map(|place| place.2),
                }),
            );
        }
        self.problems(&error.render(true));
        let count = error.problems().len();
        if count > 1 {
            self.problems(&format!("{count} errors in the scene"));
        }
    }

    /// Says why a job failed.
    pub fn job_failed(&self, error: JobError) -> anyhow::Result<ExitCode> {
        match error {
            JobError::Scene(error) => {
                self.scene_failed(&error);
                Ok(ExitCode::from(exit::FAILED))
            }
            error => Err(error.into()),
        }
    }
}
