//! `stiction scenes`: those that come with the command.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::json;
use stiction::names::nearest;
use stiction_scene::library::{SCENES, Shipped};
use stiction_scene::scene_file::Wishes;

use crate::exit;
use crate::terminal::Column::Left;
use crate::terminal::{Table, Terminal};

/// Arguments of `scenes`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ScenesArgs {
    #[command(subcommand)]
    command: Option<ScenesCommand>,
}

const EXAMPLES: &str = "\
Examples:
  stiction scenes                          list them
  stiction scenes show cantilever          print one
  stiction scenes copy cantilever my.toml  copy one, to change it";

/// What to do with them.
#[derive(Debug, Subcommand)]
enum ScenesCommand {
    /// List them.
    List,
    /// Print one.
    Show {
        /// Its name.
        name: String,
    },
    /// Copy one to a file of your own.
    Copy {
        /// Its name.
        name: String,
        /// Where to [default: NAME.toml here].
        to: Option<PathBuf>,
        /// Replace a file that is there already.
        #[arg(long)]
        force: bool,
    },
}

/// Lists, shows or copies scenes.
///
/// # Errors
/// When there is no such scene, or the file cannot be written.
pub fn run(args: &ScenesArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    match &args.command {
        None | Some(ScenesCommand::List) => list(terminal),
        Some(ScenesCommand::Show { name }) => {
            let Shipped { name, text } = find(name)?;
            match terminal.is_json() {
                true => terminal.event("scene", json!({ "name": name, "text": text })),
                false => terminal.raw(text),
            }
        }
        Some(ScenesCommand::Copy { name, to, force }) => {
            let scene = find(name)?;
            let to = to.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
            anyhow::ensure!(
                *force || !to.exists(),
                "{} exists already\n  help: name another file, or add --force",
                to.display()
            );
            std::fs::write(&to, scene.text).with_context(|| {
                format!("cannot write {}\n  help: name a place that you may write to", to.display())
            })?;
            terminal.event("scene-copied", json!({ "name": name, "file": to }));
            terminal.print(format!(
                "{} copied; run it with: stiction run {}",
                to.display(),
                to.display()
            ));
        }
    }
    Ok(ExitCode::from(exit::DONE))
}

fn list(terminal: &Terminal) {
    let mut table = Table::new(&[Left("scene"), Left("what it shows")]);
    for shipped in SCENES {
        let scene = shipped.load(&Wishes::default());
        let description =
            scene.ok().and_then(|scene| scene.table().description.clone()).unwrap_or_default();
        terminal.event("scene", json!({ "name": shipped.name, "description": description }));
        table.row([shipped.name.to_owned(), description]);
    }
    terminal.print(table);
}

fn find(name: &str) -> anyhow::Result<&'static Shipped> {
    Shipped::find(name).with_context(|| {
        let meant = nearest(name, SCENES.iter().map(|scene| scene.name))
            .map(|near| format!("did you mean `{near}`? "))
            .unwrap_or_default();
        format!(
            "no scene `{name}` comes with stiction\n  help: {meant}`stiction scenes` lists them"
        )
    })
}
