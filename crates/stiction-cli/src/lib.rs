//! The command `stiction`: parse, load, loop, report. A command holds no physics.
//!
//! One file per subcommand; each has its arguments (`clap::Args`) and a function
//! `run(&Args, &Terminal) -> anyhow::Result<ExitCode>`. What they say goes through [`terminal`], so that
//! `--quiet`, `--json`, `--color` and a closed pipe are handled once.
//!
//! To add a subcommand: its file, a variant in [`command::Command`], an arm in [`main`].
#![allow(rustdoc::broken_intra_doc_links, reason = "units [m] are not links")]

pub mod bug;
pub mod check;
pub mod command;
pub mod compare;
pub mod completions;
pub mod exit;
pub mod export;
pub mod interrupt;
pub mod mesh;
pub mod render;
pub mod report;
pub mod run;
pub mod scene;
pub mod scenes;
pub mod schema;
pub mod solve;
pub mod study;
pub mod terminal;
pub mod verify;
pub mod view;
mod xml;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;

use command::{Cli, Command};
use terminal::Terminal;

/// Everything the binary does.
pub fn main() -> ExitCode {
    bug::report_panics();
    let cli = Cli::parse(); // leaves with `exit::USAGE` by itself
    let terminal = Terminal::new(&cli.output);
    let result = start(&cli, &terminal).and_then(|code| {
        terminal.finish().context("cannot write to stdout")?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        Err(error) => {
            terminal.error(&error);
            ExitCode::from(exit::FAILED)
        }
    }
}

fn start(cli: &Cli, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    if let Some(count) = cli.threads {
        rayon::ThreadPoolBuilder::new().num_threads(count.get()).build_global()?;
    }
    match &cli.command {
        Command::Run(args) => run::run(args, terminal),
        Command::Resume(args) => run::resume(args, terminal),
        Command::Check(args) => check::run(args, terminal),
        Command::Verify(args) => verify::run(args, terminal),
        Command::Compare(args) => compare::run(args, terminal),
        Command::Solve(args) => solve::run(args, terminal),
        Command::Study(args) => study::run(args, terminal),
        Command::Scenes(args) => scenes::run(args, terminal),
        Command::Schema(args) => schema::run(args, terminal),
        Command::Export(args) => export::run(args, terminal),
        Command::Render(args) => render::run(args, terminal),
        Command::Report(args) => report::run(args, terminal),
        Command::View(args) => view::run(args, terminal),
        Command::Mesh(args) => mesh::run(args, terminal),
        Command::Completions(args) => completions::run(args, terminal),
    }
}
