//! `stiction report`: pictures, plots and numbers of runs on one page that needs nothing else.
//!
//! A `Run` is what the page is made of; `page` puts its parts together. The page is HTML that is XML as
//! well, holds no scripts, and asks no network for anything.

mod axes;
pub(crate) mod chart;
mod compare;
mod expectations;
mod figures;
pub(crate) mod markup;
mod numbers;
pub(crate) mod page;
mod pictures;
pub(crate) mod plot;
mod run;
mod section;
mod settings;
mod thin;
mod ticks;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use serde_json::json;
use stiction_scene::job::verify;
use stiction_scene::run::write_atomically;

use crate::exit;
use crate::terminal::{Terminal, human, style};
use pictures::Pictures;
use run::Run;

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// Folders of runs; several are compared.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// File to write [default: report.html, in the folder of the run, or here for several].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What the page is called [default: the title of the scene].
    #[arg(long)]
    title: Option<String>,
    /// Draw no pictures of bodies.
    #[arg(long)]
    no_pictures: bool,
}

const EXAMPLES: &str = "\
Examples:
  stiction report runs/block_slide
  stiction report runs/block_slide runs/block_slide-2 -o steps.html --title 'Two time steps'

The page holds everything: it can be opened from the disk, sent and printed. A run that still goes on is
reported as far as it is.";

/// Writes a report of several runs.
///
/// # Errors
/// As [`run`].
pub fn write(
    runs: Vec<PathBuf>,
    out: PathBuf,
    title: String,
    terminal: &Terminal,
) -> anyhow::Result<ExitCode> {
    run(&ReportArgs { runs, out: Some(out), title: Some(title), no_pictures: false }, terminal)
}

/// Writes a report.
///
/// # Errors
/// When a run cannot be read, or the page not be written.
pub fn run(args: &ReportArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let mut runs =
        args.runs.iter().map(|folder| Run::open(folder)).collect::<Result<Vec<_>, _>>()?;
    run::tell_apart(&mut runs);
    let mut progress = terminal.progress("drawing");
    let (mut drawn, mut whole) = (Vec::new(), true);
    for (k, run) in runs.iter().enumerate() {
        // Who sends a report vouches for all of the run, not only for the frames that are drawn.
        let found = verify(&run.folder, &mut |_| {})?;
        if let Some(first) = found.damages.first() {
            let more = match found.damages.len() - 1 {
                0 => String::new(),
                more => format!(" (and {} more)", human::plural(more, "file", "files")),
            };
            progress.suspend(|| terminal.error(&anyhow!("{first}")));
            drawn.push(Some(Pictures::Failed(format!("the run is damaged: {first}{more}"))));
            whole = false;
            continue;
        }
        let pictures = (!args.no_pictures).then(|| {
            Pictures::draw(&run.shown, |share| {
                let done = (k as f64 + share) / runs.len() as f64;
                progress.set(done, || run.name.clone());
            })
        });
        drawn.push(pictures.transpose().unwrap_or_else(|error| {
            let reason = format!("{error:#}");
            progress.suspend(|| {
                terminal.warn(&format!("{}: no pictures: {reason}", run.folder.display()), None);
            });
            Some(Pictures::Failed(reason))
        }));
    }
    drop(progress);
    let page = page::page(&runs, &drawn, args.title.as_deref());
    let path = match (&args.out, &runs[..]) {
        (Some(path), _) => path.clone(),
        (None, [run]) => run.folder.join("report.html"),
        (None, _) => PathBuf::from("report.html"),
    };
    make_folder(&path)?;
    write_atomically(&path, page.as_bytes())?;
    let bytes = page.len();
    terminal.event("reported", json!({ "file": path, "runs": runs.len(), "bytes": bytes }));
    terminal.print(format!(
        "{}: {}, {}",
        style::bold(path.display()),
        human::plural(runs.len(), "run", "runs"),
        human::bytes(bytes as u64)
    ));
    Ok(ExitCode::from(if whole { exit::DONE } else { exit::FAILED }))
}

fn make_folder(path: &Path) -> anyhow::Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        let help = "name a place that you may write to";
        anyhow!("cannot make the folder {}: {error}\n  help: {help}", folder.display())
    })
}
