//! Colours, the same in the viewer and in pictures.

use super::quantity::Scale;
use crate::export::palette;

/// Colours between which the space of a map is divided evenly, as sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColourMap {
    /// From the least to the largest.
    pub stops: &'static [[u8; 3]],
}

impl ColourMap {
    /// After matplotlib's viridis: even steps of lightness, also to the colour-blind and on paper.
    pub const SEQUENTIAL: Self = Self {
        stops: &[
            [68, 1, 84],
            [72, 40, 120],
            [62, 73, 137],
            [49, 104, 142],
            [38, 130, 142],
            [31, 158, 137],
            [53, 183, 121],
            [109, 205, 89],
            [180, 222, 44],
            [253, 231, 37],
        ],
    };
    /// Blue to red over a pale middle, after Moreland's "cool to warm".
    pub const DIVERGING: Self = Self {
        stops: &[
            [59, 76, 192],
            [98, 130, 234],
            [141, 176, 254],
            [184, 208, 249],
            [221, 221, 221],
            [245, 196, 173],
            [244, 154, 123],
            [222, 96, 77],
            [180, 4, 38],
        ],
    };

    /// The map of a scale; states have colours of their own.
    pub fn of(scale: Scale) -> Self {
        match scale {
            Scale::Around(_) => Self::DIVERGING,
            Scale::FromZero | Scale::States => Self::SEQUENTIAL,
        }
    }

    /// The colour at a fraction from 0 to 1, sRGB from 0 to 255.
    pub fn at(self, fraction: f64) -> [f64; 3] {
        let place = fraction.clamp(0.0, 1.0) * (self.stops.len() - 1) as f64;
        let low = (place as usize).min(self.stops.len() - 2);
        let (a, b, t) = (self.stops[low], self.stops[low + 1], place - low as f64);
        std::array::from_fn(|k| f64::from(a[k]) * (1.0 - t) + f64::from(b[k]) * t)
    }
}

/// Colours of contacts, as sRGB: free, sticking, slipping.
pub fn state_colour(state: usize) -> [u8; 3] {
    [[198, 202, 208], [38, 110, 184], [230, 126, 34]][state.min(2)]
}

/// The colour of the body with this index, as sRGB.
pub fn body_colour(index: usize) -> [u8; 3] {
    palette::srgb(index)
}
