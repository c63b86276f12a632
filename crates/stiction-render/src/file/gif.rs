//! GIF.

use std::borrow::Cow;
use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::palette::Palette;
use super::{changed, cut};
use crate::picture::Picture;

/// Writes a moving GIF, so many pictures a second as hundredths of a second allow. One palette serves all pictures, so
/// that nothing flickers; they are kept until it is known. What can be seen through is laid on white.
///
/// # Errors
/// When `out` cannot be written to, or a picture cannot be made.
pub fn write_gif<E: From<io::Error>>(
    pictures: impl Iterator<Item = Result<Picture, E>>,
    rate: f64,
    out: impl Write,
) -> Result<(), E> {
    let pictures: Vec<Picture> = pictures.collect::<Result<_, _>>()?;
    write(&pictures, rate, out).map_err(|error| match error {
        EncodingError::Io(error) => error.into(),
        other => io::Error::other(other).into(),
    })
}

fn write(pictures: &[Picture], rate: f64, out: impl Write) -> Result<(), EncodingError> {
    let Some(first) = pictures.first() else { return Ok(()) };
    // The last number means that the pixel stays as it is.
    const SAME: u8 = 255;
    let mut palette = Palette::of(pictures, usize::from(SAME));
    let mut colours = palette.rgb();
    colours.resize(3 * 256, 0);
    let [width, height] = [first.width, first.height].map(|n| n as u16);
    let mut encoder = Encoder::new(out, width, height, &colours)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<(&Picture, Vec<u8>)> = None;
    for picture in pictures {
        let area = changed(before.as_ref().map(|(picture, _)| *picture), picture, 1);
        let now = palette.indices(picture, [0, 0]);
        let [left, top, width, height] = area;
        let mut buffer = palette.indices(&cut(picture, area), [left, top]);
        if let Some((_, before)) = &before {
            for (k, index) in buffer.iter_mut().enumerate() {
                let at = (top + k / width) * picture.width + left + k % width;
                if before[at] == *index {
                    *index = SAME;
                }
            }
        }
        encoder.write_frame(&Frame {
            delay: (100.0 / rate).round().max(2.0) as u16,
            dispose: DisposalMethod::Keep,
            transparent: before.is_some().then_some(SAME),
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
        before = Some((picture, now));
    }
    encoder.into_inner()?.flush()?;
    Ok(())
}
