//! `stiction completions`: scripts that teach a shell our commands.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::command::Cli;
use crate::exit;
use crate::terminal::Terminal;

/// Arguments of `stiction completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// Your shell.
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  stiction completions bash > ~/.local/share/bash-completion/completions/stiction
  stiction completions zsh > ~/.zfunc/_stiction
  stiction completions fish > ~/.config/fish/completions/stiction.fish";

/// Prints the script.
///
/// # Errors
/// None; the type is that of all commands.
pub fn run(args: &CompletionsArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "stiction", &mut script);
    terminal.raw(&String::from_utf8_lossy(&script));
    Ok(ExitCode::from(exit::DONE))
}
