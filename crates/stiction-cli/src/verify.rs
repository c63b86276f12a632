//! `stiction verify`: run scenes, and compare with what must come out.

mod junit;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use stiction_scene::expectation::{ExpectKind, Tally};
use stiction_scene::job::{Checked, Job, JobError, Summary};
use stiction_scene::library::SCENES;
use stiction_scene::run::RunStatus;
use stiction_scene::scene_file::Wishes;

use crate::scene::Named;
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, Terminal, human, style};
use crate::{exit, interrupt};

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Scene files, folders of them, or names of scenes that come with stiction [default: all of these].
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Run the quick version of scenes that define one.
    #[arg(long)]
    coarse: bool,
    /// Change a value in all of them; may be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Write the results as JUnit XML, for continuous integration.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the results as one JSON document.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  stiction verify                       all scenes that come with stiction
  stiction verify --coarse              the same, quickly
  stiction verify cantilever my_scene.toml
  stiction verify scenes --junit results.xml

A number that rests on theory, a spec or a peer (another program) proves something; one that was recorded from a run
shows that nothing has changed. Both are counted.
A scene fails if a number does not come out as its `[[expect]]` tables say, if a step stops short of its tolerance,
or if it expects nothing at all. Exit code 1 if any fails.";

/// A scene, or a variant of it, that was run.
#[derive(Debug)]
struct Verified {
    /// The scene, and the variant after a colon.
    name: String,
    seconds: f64,
    result: Result<Summary, String>,
}

impl Verified {
    /// What went wrong apart from the numbers.
    fn trouble(&self) -> Option<String> {
        match &self.result {
            Err(error) => Some(error.clone()),
            Ok(summary) if summary.checked.is_empty() => {
                Some("expects nothing\n  help: add an [[expect]] table".to_owned())
            }
            Ok(summary) if summary.totals.unconverged > 0 => Some(format!(
                "{} of {} steps stopped short of their tolerance",
                summary.totals.unconverged, summary.totals.steps
            )),
            Ok(summary) if summary.totals.unsettled.is_some() => {
                Some("the start did not settle to its tolerance".to_owned())
            }
            Ok(_) => None,
        }
    }

    fn numbers(&self) -> impl Iterator<Item = (ExpectKind, bool)> {
        self.result.iter().flat_map(|summary| summary.checked.iter().map(Checked::number))
    }

    fn tally(&self) -> Tally {
        Tally::of(self.numbers())
    }

    fn holds(&self) -> bool {
        self.trouble().is_none() && self.result.as_ref().is_ok_and(Summary::holds)
    }
}

/// Runs and compares.
///
/// # Errors
/// When a path does not exist, or results cannot be written.
pub fn run(args: &VerifyArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    interrupt::listen(terminal);
    let mut verified = Vec::new();
    for named in scenes(&args.paths)? {
        for variant in variants(&named, args.coarse) {
            let wishes = Wishes { variant, coarse: args.coarse, set: args.set.clone() };
            let result = verify(&named, &wishes, terminal);
            // Half a run proves nothing, not even that its scene is wrong.
            anyhow::ensure!(!interrupt::requested(), "stopped before all scenes were run");
            show(&result, terminal);
            verified.push(result);
        }
    }
    if let Some(path) = &args.junit {
        write(path, &junit::document(&verified))?;
    }
    let tally = Tally::of(verified.iter().flat_map(Verified::numbers));
    if let Some(path) = &args.report {
        let results: Vec<_> = verified.iter().map(to_json).collect();
        let report = json!({ "tally": tally.to_json(), "scenes": results });
        write(path, &serde_json::to_string_pretty(&report)?)?;
    }
    let failed = verified.iter().filter(|verified| !verified.holds()).count();
    let expectations: usize =
        verified.iter().map(|v| v.result.as_ref().map_or(0, |summary| summary.checked.len())).sum();
    terminal.event(
        "verified",
        json!({
            "runs": verified.len(), "failed": failed, "expectations": expectations, "tally": tally.to_json(),
        }),
    );
    let (verdict, code) = match failed {
        0 => (style::good("all hold"), exit::DONE),
        n => (style::error(format!("{n} failed")), exit::FAILED),
    };
    let (runs, numbers) = (
        human::plural(verified.len(), "run", "runs"),
        human::plural(expectations, "number", "numbers"),
    );
    terminal.print(format!("{verdict}: {runs}, {numbers} compared ({tally})"));
    Ok(ExitCode::from(code))
}

/// The scenes meant: all that are shipped, or those named, folders searched.
fn scenes(paths: &[String]) -> anyhow::Result<Vec<Named>> {
    if paths.is_empty() {
        return Ok(SCENES.iter().map(Named::Shipped).collect());
    }
    let mut scenes = Vec::new();
    for path in paths {
        if Path::new(path).is_dir() {
            let before = scenes.len();
            search(Path::new(path), &mut scenes)?;
            anyhow::ensure!(
                scenes.len() > before,
                "there is no scene in {path}\n  help: scenes are files that end in .toml or .json"
            );
        } else {
            scenes.push(Named::find(path)?);
        }
    }
    Ok(scenes)
}

fn search(folder: &Path, scenes: &mut Vec<Named>) -> anyhow::Result<()> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    for path in paths {
        let is_scene = path.extension().is_some_and(|ending| ending == "toml" || ending == "json");
        if path.is_dir() {
            search(&path, scenes)?;
        } else if is_scene {
            scenes.push(Named::File(path));
        }
    }
    Ok(())
}

/// The scene as it is, and its variants, but for long ones where all is to be quick. As it is it need not be run if
/// only variants expect something.
fn variants(named: &Named, coarse: bool) -> Vec<Option<String>> {
    let Ok(scene) = named.load(&Wishes::default()) else { return vec![None] };
    let table = scene.table();
    let plain = table.variant.is_empty()
        || table.expect.iter().any(|expect| expect.value.variants.is_none());
    let wanted =
        table.variant.iter().filter(|variant| !(coarse && variant.value.long == Some(true)));
    let names = wanted.map(|variant| Some(variant.value.name.value.clone()));
    plain.then_some(None).into_iter().chain(names).collect()
}

fn verify(named: &Named, wishes: &Wishes, terminal: &Terminal) -> Verified {
    let name = match &wishes.variant {
        None => named.stem(),
        Some(variant) => format!("{}:{variant}", named.stem()),
    };
    let started = Instant::now();
    let result = rehearse(named, wishes, &name, terminal).map_err(|error| error.to_string());
    Verified { name, seconds: started.elapsed().as_secs_f64(), result }
}

fn rehearse(
    named: &Named,
    wishes: &Wishes,
    name: &str,
    terminal: &Terminal,
) -> Result<Summary, JobError> {
    let mut job = Job::rehearse(&named.load(wishes)?)?;
    let mut progress = terminal.progress(name);
    while !job.is_done() && !interrupt::requested() {
        let advance = job.advance()?;
        progress.set(advance.step as f64 / job.setup().steps as f64, || {
            format!("{:.3} s", advance.report.time)
        });
    }
    let status = if job.is_done() { RunStatus::Finished } else { RunStatus::Stopped };
    job.finish(status)
}

fn show(verified: &Verified, terminal: &Terminal) {
    terminal.event("scene-verified", to_json(verified));
    let verdict = if verified.holds() { style::good("holds") } else { style::error("FAILS") };
    terminal.print(format!(
        "{verdict} {} ({}): {}",
        style::bold(&verified.name),
        human::duration(verified.seconds),
        verified.tally()
    ));
    if let Ok(summary) = &verified.result
        && !summary.checked.is_empty()
    {
        let heads = [
            Left(""),
            Left("expectation"),
            Right("came out"),
            Left("expected"),
            Right("at"),
            Left("kind"),
            Left("source"),
        ];
        let mut table = Table::new(&heads).indented(2);
        for checked in &summary.checked {
            let mark = if checked.outcome.holds { style::good("✓") } else { style::error("✗") };
            table.row([
                mark,
                checked.expectation.name.clone(),
                human::significant(checked.outcome.value, 6),
                checked.expectation.claim.to_string(),
                format!("{} s", human::significant(checked.outcome.time, 4)),
                checked.expectation.kind.word().to_owned(),
                style::dim(&checked.expectation.source),
            ]);
        }
        terminal.print(table);
    }
    if let Some(trouble) = verified.trouble() {
        terminal.print(format!("  {trouble}"));
    }
}

fn to_json(verified: &Verified) -> serde_json::Value {
    let mut value = match &verified.result {
        Ok(summary) => summary.to_json(),
        Err(_) => json!({}),
    };
    value["scene"] = json!(verified.name);
    value["holds"] = json!(verified.holds());
    value["seconds"] = json!(verified.seconds);
    value["trouble"] = json!(verified.trouble());
    value
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| {
        format!("cannot write {}\n  help: name a place that you may write to", path.display())
    })
}
