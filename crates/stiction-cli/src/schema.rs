//! `stiction schema`: the format of scene files, for editors.

use std::process::ExitCode;

use clap::Args;

use crate::exit;
use crate::terminal::Terminal;

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SchemaArgs {}

const EXAMPLES: &str = "\
Examples:
  stiction schema > stiction.schema.json

Editors with Taplo or Even Better TOML then complete and check scenes that begin with
  #:schema ./stiction.schema.json";

/// Prints the schema.
///
/// # Errors
/// Never, so far.
pub fn run(_: &SchemaArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    terminal.document(&stiction_scene::scene_file::schema());
    Ok(ExitCode::from(exit::DONE))
}
