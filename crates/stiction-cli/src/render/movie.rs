//! Moving pictures.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use stiction_render::Picture;
use stiction_render::file::{write_apng, write_gif, write_webp};

/// Kinds of moving pictures, by how their names end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Gif,
    Webp,
    Apng,
    Mp4,
}

impl Format {
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "gif" => Ok(Self::Gif),
            "webp" => Ok(Self::Webp),
            "png" | "apng" => Ok(Self::Apng),
            "mp4" => Ok(Self::Mp4),
            _ => bail!(
                "{}: moving pictures are GIF, WebP, PNG or MP4\n  \
                 help: end the name with .gif, .webp, .png or .mp4",
                path.display()
            ),
        }
    }

    /// Which frame each picture of a moving one shows: those nearest to evenly spaced times.
    pub(super) fn frames(times: &[f64], rate: f64, speed: f64) -> Vec<usize> {
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Vec::new() };
        let step = speed / rate;
        let count = ((last - first) / step + 1e-9).floor() as usize + 1;
        let nearest = |k: usize| nearest(times, first + k as f64 * step);
        (0..count).map(nearest).collect()
    }
}

/// The frame nearest to a time.
pub(super) fn nearest(times: &[f64], time: f64) -> usize {
    let after = times.partition_point(|&t| t < time).min(times.len() - 1);
    let before = after.saturating_sub(1);
    if (time - times[before]).abs() <= (times[after] - time).abs() { before } else { after }
}

/// Writes `count` pictures, so many a second. Nothing is left behind where that fails.
pub(super) fn write(
    path: &Path,
    format: Format,
    pictures: &mut dyn Iterator<Item = anyhow::Result<Picture>>,
    count: usize,
    rate: f64,
) -> anyhow::Result<()> {
    if format == Format::Mp4 {
        return mp4(path, pictures, rate);
    }
    let unfinished = unfinished(path);
    let write = || -> anyhow::Result<()> {
        let mut file = BufWriter::new(std::fs::File::create(&unfinished)?);
        match format {
            Format::Gif => write_gif(pictures, rate, &mut file)?,
            Format::Webp => write_webp(pictures, rate, &mut file)?,
            Format::Apng | Format::Mp4 => write_apng(pictures, count, rate, &mut file)?,
        }
        file.flush()?;
        Ok(std::fs::rename(&unfinished, path)?)
    };
    write().map_err(|error| {
        let _ = std::fs::remove_file(&unfinished);
        error.context(format!("cannot write {}", path.display()))
    })
}

/// Where a file is written before it has its name; ffmpeg wants to see how it ends.
fn unfinished(path: &Path) -> std::path::PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".unfinished-{name}"))
}

fn mp4(
    path: &Path,
    pictures: &mut dyn Iterator<Item = anyhow::Result<Picture>>,
    rate: f64,
) -> anyhow::Result<()> {
    let mut ffmpeg = None;
    let unfinished = unfinished(path);
    let fail = |message: String| {
        let _ = std::fs::remove_file(&unfinished);
        anyhow::anyhow!(message)
    };
    for picture in pictures {
        let picture = picture?;
        if ffmpeg.is_none() {
            let size = format!("{}x{}", picture.width, picture.height);
            let started = Command::new("ffmpeg")
                .args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"])
                .args(["-s", &size, "-r", &rate.to_string(), "-i", "-", "-c:v", "libx264"])
                .args(["-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"])
                .arg(&unfinished)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn();
            ffmpeg = Some(started.map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => anyhow::anyhow!(
                    "ffmpeg was not found, and MP4 needs it\n  \
                     help: install ffmpeg, or choose .webp, .png or .gif, which need nothing"
                ),
                _ => anyhow::anyhow!(
                    "cannot start ffmpeg: {error}\n  help: choose .webp, .png or .gif"
                ),
            })?);
        }
        let pipe = ffmpeg.as_mut().and_then(|ffmpeg| ffmpeg.stdin.as_mut());
        // A pipe that breaks is explained by what ffmpeg says, below.
        if pipe.is_none_or(|pipe| pipe.write_all(&picture.on_white()).is_err()) {
            break;
        }
    }
    let Some(ffmpeg) = ffmpeg else { return Ok(()) };
    let output = ffmpeg.wait_with_output().context("cannot wait for ffmpeg")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim();
        return Err(fail(format!("ffmpeg failed: {said}\n  help: choose .webp, .png or .gif")));
    }
    std::fs::rename(&unfinished, path)
        .map_err(|error| fail(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::{Format, nearest};

    #[test]
    fn frames_are_spread_over_time_not_over_numbers() {
        let times = [0.0, 0.1, 0.2, 0.3, 1.0];
        assert_eq!(Format::frames(&times, 10.0, 1.0), [0, 1, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
        assert_eq!(Format::frames(&times, 10.0, 5.0), [0, 3, 4]);
        assert_eq!(Format::frames(&[2.0], 25.0, 1.0), [0]);
    }

    #[test]
    fn the_nearest_frame_may_be_before_or_after() {
        let times = [0.0, 1.0, 3.0];
        let found: Vec<usize> =
            [-5.0, 0.4, 0.6, 1.9, 2.1, 9.0].map(|t| nearest(&times, t)).to_vec();
        assert_eq!(found, [0, 0, 1, 1, 2, 2]);
    }
}
