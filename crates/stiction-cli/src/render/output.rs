//! Which frames are drawn, and where pictures go.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use stiction_render::file::{write_png, write_small_png};
use stiction_render::{Picture, Studio};
use stiction_scene::frame::Frames as _;
use stiction_scene::run::write_atomically;
use stiction_scene::shown::{Shown, samples};

use super::movie::{self, Format};
use super::options::{Sheet, Size};
use super::paint::Colouring;
use super::show::{Look, Show};
use super::{Background, RenderArgs, Stamp};
use crate::exit;
use crate::terminal::{Progress, Terminal, human, style};

/// Does what the arguments say.
pub(super) fn write(
    args: &RenderArgs,
    shown: &Shown,
    terminal: &Terminal,
) -> anyhow::Result<ExitCode> {
    if shown.run().times().is_empty() {
        bail!(
            "{}: the run has no frames yet\n  help: wait for the first, or run the scene again",
            args.run.display()
        );
    }
    let colouring = args.color_by.as_deref().filter(|name| *name != "body");
    let colouring =
        colouring.map(|name| Colouring::new(shown, name, args.range, &args.hide)).transpose()?;
    let show = Show::new(
        shown,
        Look {
            colouring,
            arrows: args.arrows.clone(),
            hide: args.hide.clone(),
            wireframe: args.wireframe,
            clip: args.clip,
            ground: !args.no_ground,
            legend: !args.no_legend,
            studio: match args.background {
                Background::Light => Studio::LIGHT,
                Background::Dark => Studio::DARK,
                Background::Clear => Studio::CLEAR,
            },
            camera: args.camera.clone().unwrap_or_default(),
        },
    )?;
    let times = shown.run().times();
    let job = Job { args, show: &show, progress: terminal.progress("rendering") };
    let (path, frames) = match (&args.animate, args.sheet) {
        (Some(path), _) => job.movie(path, times)?,
        (None, Some(sheet)) => job.sheet(sheet, times.len())?,
        (None, None) => job.still(still_frame(args, times)?)?,
    };
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    terminal.event("rendered", json!({ "file": path, "frames": frames, "bytes": bytes }));
    terminal.print(format!(
        "{}: {}, {}",
        style::bold(path.display()),
        human::plural(frames, "frame", "frames"),
        human::bytes(bytes)
    ));
    Ok(ExitCode::from(exit::DONE))
}

fn still_frame(args: &RenderArgs, times: &[f64]) -> anyhow::Result<usize> {
    match (args.frame, args.time) {
        (Some(frame), _) if frame >= times.len() => bail!(
            "{}: there is no frame {frame}\n  help: frames go from 0 to {}",
            args.run.display(),
            times.len() - 1
        ),
        (Some(frame), _) => Ok(frame),
        (None, Some(time)) if !time.is_finite() => bail!("--time {time} is no time"),
        (None, Some(time)) => Ok(movie::nearest(times, time)),
        (None, None) => Ok(times.len() - 1),
    }
}

struct Job<'a> {
    args: &'a RenderArgs,
    show: &'a Show<'a>,
    progress: Progress<'a>,
}

/// What was written, and how many frames it shows.
type Written = anyhow::Result<(PathBuf, usize)>;

impl Job<'_> {
    fn still(mut self, frame: usize) -> Written {
        let stamp = self.args.stamp == Stamp::Always;
        let size = self.size([1280, 720]);
        let progress = &mut self.progress;
        let picture = self.show.picture(frame, size, stamp, |share| {
            progress.set(share, || format!("frame {frame}"));
        })?;
        let path = self.save(&picture, &format!("frame-{frame:04}.png"))?;
        Ok((path, 1))
    }

    fn sheet(mut self, Sheet([columns, rows]): Sheet, frame_count: usize) -> Written {
        let size = self.size([1280, 720]);
        let cell = [size[0] / columns, size[1] / rows];
        if cell[0] < 16 || cell[1] < 16 {
            bail!("{columns} x {rows} pictures do not fit into {} x {} pixels", size[0], size[1]);
        }
        let stamp = self.args.stamp != Stamp::Never;
        let frames = samples(frame_count, columns * rows);
        let mut picture = Picture::new(cell[0] * columns, cell[1] * rows);
        if let Some(paper) = self.show.paper() {
            picture.pixels.as_chunks_mut::<4>().0.fill(paper);
        }
        for (k, &frame) in frames.iter().enumerate() {
            let part = self.show.picture(frame, cell, stamp, |_| {})?;
            picture.put(&part, [k % columns * cell[0], k / columns * cell[1]]);
            let (done, of) = (k + 1, frames.len());
            self.progress.set(done as f64 / of as f64, || format!("picture {done} of {of}"));
        }
        let path = self.save(&picture, "sheet.png")?;
        Ok((path, frames.len()))
    }

    fn movie(mut self, path: &Path, times: &[f64]) -> Written {
        let format = Format::of(path)?;
        let (rate, speed) = (self.args.rate, self.args.speed);
        if !(rate > 0.0 && rate <= 100.0) {
            bail!("--rate {rate} makes no sense\n  help: take 1 to 100 pictures a second");
        }
        if !(speed > 0.0 && speed.is_finite()) {
            bail!("--speed {speed} makes no sense\n  help: 1 is real time, 0.1 is slow motion");
        }
        let span = times[times.len() - 1] - times[0];
        if span * rate / speed > 1e5 {
            bail!("that would be {:.0} pictures\n  help: raise --speed", span * rate / speed);
        }
        let frames = Format::frames(times, rate, speed);
        // Even, because MP4 stores colours of four pixels together.
        let size = self.size([800, 450]).map(|n| if format == Format::Mp4 { n & !1 } else { n });
        let stamp = self.args.stamp != Stamp::Never;
        let mut last: Option<(usize, Picture)> = None;
        let mut pictures = frames.iter().enumerate().map(|(k, &frame)| {
            let known = last.take().filter(|(before, _)| *before == frame);
            let picture = match known {
                Some((_, picture)) => picture,
                None => self.show.picture(frame, size, stamp, |_| {})?,
            };
            last = Some((frame, picture.clone()));
            let (done, of) = (k + 1, frames.len());
            self.progress.set(done as f64 / of as f64, || format!("picture {done} of {of}"));
            Ok(picture)
        });
        make_folder(path)?;
        movie::write(path, format, &mut pictures, frames.len(), rate)?;
        Ok((path.to_path_buf(), frames.len()))
    }

    fn size(&self, default: [usize; 2]) -> [usize; 2] {
        self.args.size.map_or(default, |Size(size)| size)
    }

    /// Writes a PNG where the arguments say, or under this name in the folder of the run.
    fn save(&self, picture: &Picture, name: &str) -> anyhow::Result<PathBuf> {
        let path = match &self.args.out {
            Some(path) => path.clone(),
            None => self.args.run.join("pictures").join(name),
        };
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if !extension.eq_ignore_ascii_case("png") {
            bail!(
                "{}: pictures are PNG\n  help: end the name with .png; moving ones are made with --animate",
                path.display()
            );
        }
        make_folder(&path)?;
        let mut bytes = Vec::new();
        if self.args.small {
            write_small_png(picture, &mut bytes)?;
        } else {
            write_png(picture, &mut bytes)?;
        }
        write_atomically(&path, &bytes)?;
        Ok(path)
    }
}

fn make_folder(path: &Path) -> anyhow::Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
}
