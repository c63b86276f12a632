//! Light and paper.

use crate::stage::Colour;

/// Light, and what is behind everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Studio {
    /// Behind everything; nothing for a picture that can be laid over others, with shadows alone on the ground.
    pub background: Option<Colour>,
    /// Of the ground where light falls on it.
    pub ground: Colour,
    /// Light from above.
    pub sky: Colour,
    /// Light from below.
    pub bounce: Colour,
    /// Light of the sun.
    pub sun: Colour,
    /// Where the sun is: around the vertical axis from the camera, and above the horizon [degrees].
    pub sun_at: [f32; 2],
    /// Tangent of the angle that it covers.
    pub sun_width: f32,
}

impl Studio {
    /// Bright, for paper.
    pub const LIGHT: Self = Self {
        background: Some([1.0, 1.0, 1.0]),
        ground: [0.88, 0.88, 0.89],
        sky: [0.54, 0.57, 0.62],
        bounce: [0.28, 0.27, 0.26],
        sun: [0.74, 0.71, 0.66],
        sun_at: [-38.0, 55.0],
        sun_width: 0.13,
    };

    /// Dark, for screens.
    pub const DARK: Self = Self {
        background: Some([0.010, 0.012, 0.016]),
        ground: [0.030, 0.033, 0.040],
        ..Self::LIGHT
    };

    /// For laying over something else.
    pub const CLEAR: Self = Self { background: None, ..Self::LIGHT };
}

/// Linear to what a screen shows, from 0 to 1: sRGB (IEC 61966-2-1).
pub fn encoded(linear: f32) -> f32 {
    let c = linear.clamp(0.0, 1.0);
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// What a screen shows, from 0 to 1, to linear.
pub fn decoded(shown: f32) -> f32 {
    if shown <= 0.040_45 { shown / 12.92 } else { ((shown + 0.055) / 1.055).powf(2.4) }
}

/// Compresses what is too bright, so that colours do not clip.
pub(crate) fn shouldered(linear: f32) -> f32 {
    /// From here on.
    const KNEE: f32 = 0.8;
    let over = (linear - KNEE) / (1.0 - KNEE);
    if over <= 0.0 { linear } else { KNEE + (1.0 - KNEE) * (1.0 - (-over).exp()) }
}
