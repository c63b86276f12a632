//! Pictures.

/// Red, green, blue and opacity of every pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Four bytes a pixel, sRGB, not multiplied by opacity.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Nothing to be seen.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![0; 4 * width * height] }
    }

    /// A pixel, by column and row.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let at = 4 * (y * self.width + x);
        std::array::from_fn(|k| self.pixels[at + k])
    }

    /// Whether nothing can be seen through it.
    pub fn is_opaque(&self) -> bool {
        self.pixels.iter().skip(3).step_by(4).all(|&a| a == 255)
    }

    /// Laid on white: three bytes a pixel.
    pub fn on_white(&self) -> Vec<u8> {
        self.pixels.as_chunks::<4>().0.iter().flat_map(on_white).collect()
    }

    /// Puts another picture over a place of this one; what does not fit is left out.
    pub fn put(&mut self, other: &Self, [left, top]: [usize; 2]) {
        for row in 0..other.height.min(self.height.saturating_sub(top)) {
            let count = 4 * other.width.min(self.width.saturating_sub(left));
            let to = 4 * ((top + row) * self.width + left);
            let from = 4 * row * other.width;
            self.pixels[to..to + count].copy_from_slice(&other.pixels[from..from + count]);
        }
    }
}

/// A pixel laid on white.
pub(crate) fn on_white(&[r, g, b, a]: &[u8; 4]) -> [u8; 3] {
    let a = u32::from(a);
    [r, g, b].map(|c| ((u32::from(c) * a + 255 * (255 - a) + 127) / 255) as u8)
}
