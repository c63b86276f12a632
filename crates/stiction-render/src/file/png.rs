//! PNG, still and moving.

use std::io::{self, Write};

use super::palette::Palette;
use super::{changed, cut};
use crate::picture::Picture;

/// Writes a PNG, with opacity if there is anything to be seen through.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_png(picture: &Picture, out: impl Write) -> io::Result<()> {
    let mut encoder = encoder(picture, out);
    encoder.set_color(colour_type(picture));
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes(picture))?;
    Ok(writer.finish()?)
}

/// Writes a smaller PNG, of at most 256 colours. What can be seen through is laid on white.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_small_png(picture: &Picture, out: impl Write) -> io::Result<()> {
    let mut palette = Palette::of(std::slice::from_ref(picture), 256);
    let mut encoder = encoder(picture, out);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette.rgb());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter); // differences of numbers of colours mean nothing
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&palette.indices(picture, [0, 0]))?;
    Ok(writer.finish()?)
}

/// Writes a moving PNG of `count` pictures, so many a second.
///
/// # Errors
/// When `out` cannot be written to, or a picture cannot be made.
pub fn write_apng<E: From<io::Error>>(
    pictures: impl Iterator<Item = Result<Picture, E>>,
    count: usize,
    rate: f64,
    out: impl Write,
) -> Result<(), E> {
    let mut writer = None;
    let mut out = Some(out);
    let mut last: Option<Picture> = None;
    for picture in pictures {
        let picture = picture?;
        let area = changed(last.as_ref(), &picture, 1);
        let part = cut(&picture, area);
        if let Some(out) = out.take() {
            let mut encoder = encoder(&picture, out);
            // The first picture may be opaque where a later one is not.
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_animated(count as u32, 0).map_err(io::Error::from)?;
            encoder
                .set_frame_delay((1000.0 / rate).round() as u16, 1000)
                .map_err(io::Error::from)?;
            writer = Some(encoder.write_header().map_err(io::Error::from)?);
        }
        if let Some(writer) = &mut writer {
            let [left, top, width, height] = area.map(|n| n as u32);
            let mut frame = || -> Result<(), png::EncodingError> {
                // In this order: neither may ever reach over the edge.
                writer.reset_frame_position()?;
                writer.set_frame_dimension(width, height)?;
                writer.set_frame_position(left, top)?;
                writer.write_image_data(&part.pixels)
            };
            frame().map_err(io::Error::from)?;
        }
        last = Some(picture);
    }
    Ok(writer.map_or(Ok(()), png::Writer::finish).map_err(io::Error::from)?)
}

fn encoder<W: Write>(picture: &Picture, out: W) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(out, picture.width as u32, picture.height as u32);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
}

fn colour_type(picture: &Picture) -> png::ColorType {
    if picture.is_opaque() { png::ColorType::Rgb } else { png::ColorType::Rgba }
}

fn bytes(picture: &Picture) -> Vec<u8> {
    if picture.is_opaque() { picture.on_white() } else { picture.pixels.clone() }
}
