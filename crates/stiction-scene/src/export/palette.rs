//! Colours of bodies: calm, and apart for most kinds of colour blindness.

/// sRGB of the body with this index; after Okabe and Ito's palette, softened, in an order that gives a first body a
/// warm and a second a cool colour.
pub(crate) fn srgb(index: usize) -> [u8; 3] {
    const SRGB: [[u8; 3]; 8] = [
        [226, 135, 67],
        [86, 152, 204],
        [150, 156, 166],
        [62, 158, 128],
        [214, 190, 92],
        [190, 112, 158],
        [74, 104, 168],
        [196, 92, 72],
    ];
    SRGB[index % SRGB.len()]
}

/// The same as linear RGB.
pub(super) fn colour(index: usize) -> [f64; 3] {
    srgb(index).map(|c| linear(f64::from(c) / 255.0))
}

/// The transfer function of sRGB (IEC 61966-2-1).
fn linear(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}
