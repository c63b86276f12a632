//! `stiction render`: pictures of a run, without browser or graphics card.
//!
//! A [`Show`] knows the run, the camera and what to draw; `output` asks it for pictures and writes them.

mod camera;
mod cut;
mod legend;
mod movie;
mod options;
mod output;
mod paint;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use stiction_scene::shown::Shown;

use crate::terminal::Terminal;
use options::{CameraOption, Clip, Limits, Sheet, Size};
pub use show::{Look, Show};

/// Arguments of `render`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RenderArgs {
    /// Folder of the run.
    run: PathBuf,
    /// File to write [default: in `pictures` of the run].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Draw this frame, counted from 0 [default: the last].
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "sheet", "animate"], help_heading = "When")]
    frame: Option<usize>,
    /// Draw the frame nearest to this time [s].
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["sheet", "animate"], help_heading = "When")]
    time: Option<f64>,
    /// Draw many frames on one sheet, spread over the run: columns x rows, or how many.
    #[arg(long, value_name = "CxR", conflicts_with = "animate", help_heading = "When")]
    sheet: Option<Sheet>,
    /// Write a moving picture: .gif, .webp, .png, or .mp4 if ffmpeg is installed.
    #[arg(long, value_name = "FILE", conflicts_with = "out", help_heading = "When")]
    animate: Option<PathBuf>,
    /// Pictures a second of a moving picture.
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = 25.0,
        requires = "animate",
        help_heading = "When"
    )]
    rate: f64,
    /// Simulated seconds that pass in one second of a moving picture.
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        requires = "animate",
        help_heading = "When"
    )]
    speed: f64,

    /// Colour by a quantity, such as speed, von_mises, max_stretch, contact_state.
    #[arg(long, value_name = "NAME", help_heading = "What")]
    color_by: Option<String>,
    /// Least and largest number of the colours, such as 0:2e5 [default: from the whole run].
    #[arg(
        long,
        value_name = "A:B",
        requires = "color_by",
        allow_hyphen_values = true,
        help_heading = "What"
    )]
    range: Option<Limits>,
    /// Draw arrows: velocity, displacement, or a stored vector such as contact_force.
    #[arg(long, value_name = "NAME", help_heading = "What")]
    arrows: Option<String>,
    /// Leave a body out; may be repeated.
    #[arg(long, value_name = "BODY", help_heading = "What")]
    hide: Vec<String>,
    /// Draw the edges of triangles.
    #[arg(long, help_heading = "What")]
    wireframe: bool,
    /// Keep one side of a plane, such as 'x<0.1' or '1,0,1>0', and show the insides of solids.
    #[arg(long, value_name = "PLANE", allow_hyphen_values = true, help_heading = "What")]
    clip: Option<Clip>,
    /// Draw no ground where the scene has none.
    #[arg(long, help_heading = "What")]
    no_ground: bool,
    /// Write no legend.
    #[arg(long, help_heading = "What")]
    no_legend: bool,
    /// Write the time: always, never, or on sheets and moving pictures.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "What")]
    stamp: Stamp,

    /// Width and height [default: 1280x720; 800x450 if it moves].
    #[arg(long, value_name = "WxH", help_heading = "How")]
    size: Option<Size>,
    /// Where to look from: azimuth, elevation and fov [degrees], zoom, distance [m], at=X:Y:Z, fit=run|frame; separated
    /// by commas.
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true, help_heading = "How")]
    camera: Option<CameraOption>,
    /// Paper: light, dark or clear.
    #[arg(long, value_enum, default_value_t, help_heading = "How")]
    background: Background,
    /// Write a smaller PNG, of 256 colours.
    #[arg(long, conflicts_with = "animate", help_heading = "How")]
    small: bool,
}

const EXAMPLES: &str = "\
Examples:
  stiction render runs/twisting_bar
  stiction render runs/twisting_bar --time 1.2 --color-by max_stretch -o bar.png
  stiction render runs/twisting_bar --sheet 4x2 --background clear
  stiction render runs/twisting_bar --animate bar.gif --speed 0.5
  stiction render runs/twisting_bar --camera azimuth=60,elevation=10,zoom=1.4 --clip 'z<0'";

/// When to write the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stamp {
    /// On sheets and moving pictures.
    #[default]
    Auto,
    /// On every picture.
    Always,
    /// On none.
    Never,
}

/// What is behind everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Background {
    /// White, for paper.
    #[default]
    Light,
    /// Nearly black, for screens.
    Dark,
    /// Nothing, to be laid over something else; shadows stay.
    Clear,
}

/// Draws a run.
///
/// # Errors
/// When the run cannot be read, does not have what was asked for, or a file cannot be written.
pub fn run(args: &RenderArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let shown = Shown::open(&args.run)?;
    output::write(args, &shown, terminal)
}
