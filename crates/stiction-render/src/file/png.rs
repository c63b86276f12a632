//! PNG.

use std::io::{self, Write};

use crate::picture::Picture;

/// Writes a PNG, with opacity if there is anything to be seen through.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_png(picture: &Picture, out: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, picture.width as u32, picture.height as u32);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let opaque = picture.is_opaque();
    encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    let mut writer = encoder.write_header()?;
    match opaque {
        true => writer.write_image_data(&picture.rgb())?,
        false => writer.write_image_data(&picture.pixels)?,
    }
    writer.finish()?;
    Ok(())
}
