//! Pictures of a run inside of a page.

use anyhow::bail;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use stiction_render::Picture;
use stiction_render::file::write_small_png;
use stiction_scene::frame::Frames as _;
use stiction_scene::shown::{Shown, samples};

use super::markup::number;
use crate::render::{Look, Show};
use crate::xml::escaped;

/// Of the last frame.
const LARGE: [usize; 2] = [960, 440];
/// Of frames before it.
const SMALL: [usize; 2] = [320, 200];
/// How many of these.
const MANY: usize = 4;

/// What can be shown of a run.
pub(super) enum Pictures {
    /// Frames spread over the run and their times, the last one large.
    Drawn(Vec<(f64, String)>),
    /// Why there are none.
    Failed(String),
}

impl Pictures {
    /// Draws a run; `progress` is told which share is done.
    pub(super) fn draw(shown: &Shown, mut progress: impl FnMut(f64)) -> anyhow::Result<Self> {
        let times = shown.run().times();
        if times.is_empty() {
            bail!("the run has no frames yet");
        }
        let show = Show::new(shown, Look::default())?;
        let frames = samples(times.len(), MANY + 1);
        let mut drawn = Vec::new();
        for (k, &frame) in frames.iter().enumerate() {
            let size = if frame + 1 == times.len() { LARGE } else { SMALL };
            let picture = show.picture(frame, size, false, |share| {
                progress((k as f64 + share) / frames.len() as f64);
            })?;
            drawn.push((times[frame], embedded(&picture)?));
        }
        Ok(Self::Drawn(drawn))
    }

    /// For the page.
    pub(super) fn html(&self) -> String {
        let drawn = match self {
            Self::Drawn(drawn) => drawn,
            Self::Failed(reason) => {
                let reason = escaped(reason);
                return format!("<p class=\"warning\">It could not be drawn: {reason}</p>\n");
            }
        };
        let figure = |(time, address): &(f64, String), [width, height]: [usize; 2]| {
            let time = number(*time, 3);
            format!(
                "<figure class=\"picture\"><img src=\"{address}\" width=\"{width}\" height=\"{height}\" \
                 alt=\"All bodies at {time} s\"/><figcaption>at {time} s</figcaption></figure>\n"
            )
        };
        let Some((last, before)) = drawn.split_last() else { return String::new() };
        let before: String = before.iter().map(|frame| figure(frame, SMALL)).collect();
        format!("{}<div class=\"frames\">\n{before}</div>\n", figure(last, LARGE))
    }
}

/// A picture as an address that holds it.
fn embedded(picture: &Picture) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    write_small_png(picture, &mut bytes)?;
    Ok(format!("data:image/png;base64,{}", STANDARD.encode(bytes)))
}
