//! `stiction view`: a run in the browser, or two of them to compare.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use stiction_view::{Server, open_browser};

use crate::terminal::{Terminal, style};
use crate::{exit, interrupt};

/// Arguments of `view`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ViewArgs {
    /// Folder of the run.
    run: PathBuf,
    /// Folder of a second run, to compare.
    other: Option<PathBuf>,
    #[command(flatten)]
    page: Page,
}

/// How the page is offered.
#[derive(Debug, Args)]
pub struct Page {
    /// Port of the viewer [default: a free one].
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Print the address of the viewer, but open no browser.
    #[arg(long)]
    no_browser: bool,
}

const EXAMPLES: &str = "\
Examples:
  stiction view runs/twisting_bar
  stiction view runs/block_slide runs/block_slide-2     two runs, one timeline
  stiction view runs/twisting_bar --no-browser --port 8000

Serves until Ctrl-C, to this machine only. A run that still goes on grows in the page.";

/// Shows runs.
///
/// # Errors
/// When a run cannot be read, or the port is taken.
pub fn run(args: &ViewArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    interrupt::listen(terminal);
    let folders: Vec<PathBuf> =
        [Some(&args.run), args.other.as_ref()].into_iter().flatten().cloned().collect();
    let server = show(&folders, &args.page, terminal)?;
    wait(&server, terminal);
    Ok(ExitCode::from(exit::DONE))
}

/// Starts to show runs, says where, and opens a browser.
///
/// # Errors
/// When a run cannot be read, or the port is taken.
pub fn show(folders: &[PathBuf], page: &Page, terminal: &Terminal) -> anyhow::Result<Server> {
    let server = Server::start(folders, page.port)?;
    let address = server.address();
    terminal.event("viewing", json!({ "address": address, "runs": folders }));
    terminal.print(format!("viewer at {}", style::bold(&address)));
    if !page.no_browser && !open_browser(&address) {
        terminal.note("no browser was found; open the address in one");
    }
    Ok(server)
}

/// Serves until Ctrl-C.
pub fn wait(server: &Server, terminal: &Terminal) {
    if !interrupt::requested() {
        terminal.note(format!("{} is served until Ctrl-C", server.address()));
    }
    while !interrupt::requested() {
        std::thread::sleep(Duration::from_millis(100));
    }
}
