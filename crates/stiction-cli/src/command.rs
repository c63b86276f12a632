//! The command line as a whole: global flags, subcommands, exit codes.

use std::num::NonZeroUsize;

use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::check::CheckArgs;
use crate::compare::CompareArgs;
use crate::completions::CompletionsArgs;
use crate::export::ExportArgs;
use crate::mesh::MeshArgs;
use crate::render::RenderArgs;
use crate::report::ReportArgs;
use crate::run::{ResumeArgs, RunArgs};
use crate::scenes::ScenesArgs;
use crate::schema::SchemaArgs;
use crate::solve::SolveArgs;
use crate::study::StudyArgs;
use crate::verify::VerifyArgs;
use crate::view::ViewArgs;

/// Simulates elastic solids, cloth and rigid bodies in frictional contact.
#[derive(Debug, Parser)]
#[command(name = "stiction", version, styles = STYLES, arg_required_else_help = true)]
#[command(max_term_width = 100, after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// How to speak.
    #[command(flatten)]
    pub output: Output,

    /// Threads to compute with [default: one for each core].
    #[arg(long, global = true, value_name = "N", help_heading = "Global options")]
    pub threads: Option<NonZeroUsize>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scene and write its frames.
    Run(RunArgs),
    /// Go on with a run that was stopped or killed.
    Resume(ResumeArgs),
    /// Say whether scene files make sense, without running them, and whether runs are whole.
    Check(CheckArgs),
    /// Run scenes and compare with what must come out.
    Verify(VerifyArgs),
    /// Run a scene under several methods and solvers, and put them side by side.
    Compare(CompareArgs),
    /// Solve a contact problem, of a file or of a scene, by one solver or by all.
    Solve(SolveArgs),
    /// Repeat experiments of a course on contact solvers, and draw them.
    Study(StudyArgs),
    /// List, show or copy the scenes that come with stiction.
    Scenes(ScenesArgs),
    /// Print the JSON Schema of scene files, for editors.
    Schema(SchemaArgs),
    /// Write the frames of a run for other programs.
    Export(ExportArgs),
    /// Draw pictures of a run: still, on a sheet, or moving.
    Render(Box<RenderArgs>),
    /// Show a run in the browser, or two to compare.
    View(ViewArgs),
    /// Write pictures, plots and numbers of runs on one page, to send or to print.
    Report(ReportArgs),
    /// Look at, convert, generate and judge meshes.
    Mesh(MeshArgs),
    /// Print a script that lets your shell complete our commands.
    Completions(CompletionsArgs),
}

/// Flags that say how a command speaks.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Output {
    /// Say only what was asked for, and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more.
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Print JSON lines on stdout instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours; `auto` heeds NO_COLOR, CLICOLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

const STYLES: Styles = Styles::styled()
    .header(Style::new().bold())
    .usage(Style::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Green.on_default())
    .error(AnsiColor::Red.on_default().bold())
    .valid(AnsiColor::Green.on_default())
    .invalid(AnsiColor::Yellow.on_default());

/// What both the short and the long help end with.
macro_rules! examples_and_exit_codes {
    () => {
        "\
Examples:
  stiction run                                   simulate a first scene
  stiction render runs/twisting_bar              draw it
  stiction view runs/twisting_bar                look at it in the browser
  stiction report runs/twisting_bar              pictures, plots and numbers on one page
  stiction export runs/twisting_bar --to vtu     look at it in ParaView
  stiction scenes copy cantilever my.toml        make a scene of your own
  stiction verify --coarse                       does all the physics come out right?
  stiction mesh generate ball --radius 0.1 --out ball.msh

Exit codes:
    0  done
    1  failed; stderr says why
    2  the command line made no sense
    3  a step stopped short of its tolerance, under --strict; or a solver named to `solve`
  130  stopped by Ctrl-C; `stiction resume` goes on with a run"
    };
}

const AFTER_HELP: &str = examples_and_exit_codes!();

const AFTER_LONG_HELP: &str = concat!(
    examples_and_exit_codes!(),
    "

JSON lines (--json):
  Every line on stdout is one object. Its member `event` says which of these it is:
    warning       message, and help if there is a remedy
    error         message, and help if there is a remedy; the last line when a command fails
    progress      task, fraction (0 to 1), message
    run-started   title, vertices, elements, steps, time_step
    run-ended     what report.json holds, and folder
    viewing       address, runs
    scene, scene-copied, scene-checked, body-checked, surface-filled, surface-checked, advice, scene-verified,
    verified, exported
    run-checked   run, status, frames, damages: file, reason, help
    rendered      file, frames, bytes
    reported      file, runs, bytes
    solved        solver, status, iterations, seconds, residuals by four measures, contacts that are open, stick, slide
    written       file, bytes
    studied       study, files
    compared      file, and runs: name, seconds, iterations, unsolved steps, overlap, probes
    mesh-info     file, format, counts, bounds, groups, solid, surface, problems
    mesh-written  file, format, counts
    mesh-quality  file, element, measures with min, mean, max, histogram; picture
  Lengths are in metres, areas in m², volumes in m³, angles in radians. Members may be added later;
  none changes its meaning."
);
