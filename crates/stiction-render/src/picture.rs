//! Pictures, and files of them.

use std::io::{self, Write};

/// Red, green and blue of every pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Three bytes a pixel, sRGB.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// All black.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![0; 3 * width * height] }
    }

    /// Writes a PNG.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_png(&self, out: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(())
    }
}
