//! What a page needs to be drawn with; units are those of the page, `y` downward.

use super::color::Rgb;
use super::render::Image;

/// Something to draw on.
pub(super) trait Canvas {
    /// A filled rectangle: left, top, width, height.
    fn rect(&mut self, area: [f32; 4], color: Rgb);
    /// A thin line.
    fn line(&mut self, from: [f32; 2], to: [f32; 2], color: Rgb);
    /// Text with its baseline at `at`.
    fn text(&mut self, at: [f32; 2], text: &str, font: &Font);
    /// An image stretched over left, top, width, height.
    fn image(&mut self, area: [f32; 4], image: &Image) -> anyhow::Result<()>;
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) color: Rgb,
    pub(super) anchor: Anchor,
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}
