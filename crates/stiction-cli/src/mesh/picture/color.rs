//! Colours of pictures.

/// Red, green, blue, 0 to 255.
pub(super) type Rgb = [u8; 3];

pub(super) const PAPER: Rgb = [255, 255, 255];
pub(super) const INK: Rgb = [34, 40, 49];
pub(super) const GREY: Rgb = [110, 118, 129];
pub(super) const RULE: Rgb = [208, 213, 219];
pub(super) const PANEL: Rgb = [245, 247, 249];
pub(super) const SLATE: Rgb = [95, 125, 160];
pub(super) const SAND: Rgb = [200, 128, 40];

/// From worst to best. Red and blue stay apart for most who confuse colours, and lightness is greatest in
/// the middle, so that both ends stand out.
const STOPS: [(f64, Rgb); 6] = [
    (0.0, [128, 10, 40]),
    (0.2, [214, 60, 48]),
    (0.4, [246, 162, 92]),
    (0.6, [250, 226, 160]),
    (0.8, [140, 190, 214]),
    (1.0, [48, 98, 168]),
];

/// The colour of a quality from 0 to 1.
pub(super) fn of_quality(quality: f64) -> Rgb {
    let q = quality.clamp(0.0, 1.0);
    let k = STOPS.iter().rposition(|(at, _)| *at <= q).unwrap_or(0).min(STOPS.len() - 2);
    let ((from, a), (to, b)) = (STOPS[k], STOPS[k + 1]);
    let t = (q - from) / (to - from);
    [0, 1, 2].map(|c| (f64::from(a[c]) * (1.0 - t) + f64::from(b[c]) * t).round() as u8)
}

/// `#rrggbb`.
pub(super) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
