//! Letters, lines and areas on a picture. Letters are outlines of a font we carry, so that pictures look the same
//! everywhere, with no fonts installed.

use tiny_skia::{FillRule, Mask, Path, PathBuilder, Stroke, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::picture::Picture;

static REGULAR: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");
static BOLD: &[u8] = include_bytes!("../fonts/DejaVuSans-Bold-subset.ttf");

/// How text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Font {
    /// Height of a line [pixels].
    pub size: f32,
    /// Whether it is heavy.
    pub bold: bool,
    /// Which part of the text is at its place.
    pub anchor: Anchor,
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A place or a size on a picture, from the top left corner [pixels].
pub type Place = [f32; 2];

/// How wide a text is [pixels].
pub fn width(text: &str, font: &Font) -> f32 {
    let face = face(font);
    let units: f32 = glyphs(&face, text).map(|glyph| advance(&face, glyph)).sum();
    units * font.size / f32::from(face.units_per_em())
}

/// The outline of a text with its baseline at a place; nothing if there is nothing to see.
pub fn outline(text: &str, [x, y]: Place, font: &Font) -> Option<Path> {
    let face = face(font);
    let unit = font.size / f32::from(face.units_per_em());
    let mut pen = match font.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - 0.5 * width(text, font),
        Anchor::End => x - width(text, font),
    };
    let mut outline = Outline { path: PathBuilder::new(), at: [pen, y], unit };
    for glyph in glyphs(&face, text) {
        outline.at[0] = pen;
        face.outline_glyph(glyph, &mut outline); // none for a space
        pen += unit * advance(&face, glyph);
    }
    outline.path.finish()
}

impl Picture {
    /// Writes with the baseline at a place.
    pub fn text(&mut self, at: Place, text: &str, font: &Font, colour: [u8; 3]) {
        if let Some(path) = outline(text, at, font) {
            self.fill(&path, colour);
        }
    }

    /// A line of some width.
    pub fn line(&mut self, from: Place, to: Place, width: f32, colour: [u8; 3]) {
        let mut path = PathBuilder::new();
        path.move_to(from[0], from[1]);
        path.line_to(to[0], to[1]);
        let stroke = Stroke { width, ..Stroke::default() };
        if let Some(path) = path.finish().and_then(|path| path.stroke(&stroke, 1.0)) {
            self.fill(&path, colour);
        }
    }

    /// A filled rectangle: left, top, width, height.
    pub fn rectangle(&mut self, [x, y, width, height]: [f32; 4], colour: [u8; 3]) {
        if let Some(area) = tiny_skia::Rect::from_xywh(x, y, width, height) {
            self.fill(&PathBuilder::from_rect(area), colour);
        }
    }

    /// Lays a filled shape over the picture.
    pub fn fill(&mut self, path: &Path, colour: [u8; 3]) {
        let bounds = path.bounds();
        let clamped = |low: f32, high: f32, most: usize| {
            let low = (low.floor().max(0.0) as usize).min(most);
            low..(high.ceil().max(0.0) as usize).min(most)
        };
        let columns = clamped(bounds.left(), bounds.right(), self.width);
        let rows = clamped(bounds.top(), bounds.bottom(), self.height);
        let Some(mut mask) = Mask::new(columns.len() as u32, rows.len() as u32) else { return };
        let shift = Transform::from_translate(-(columns.start as f32), -(rows.start as f32));
        mask.fill_path(path, FillRule::Winding, true, shift);
        for (k, &cover) in mask.data().iter().enumerate().filter(|(_, cover)| **cover > 0) {
            let (x, y) = (columns.start + k % columns.len(), rows.start + k / columns.len());
            let pixel = &mut self.pixels[4 * (y * self.width + x)..][..4];
            blend(pixel, colour, f32::from(cover) / 255.0);
        }
    }
}

/// Lays a colour over a pixel.
fn blend(pixel: &mut [u8], colour: [u8; 3], cover: f32) {
    let below = f32::from(pixel[3]) / 255.0 * (1.0 - cover);
    let opacity = cover + below;
    for k in 0..3 {
        let mixed = (f32::from(colour[k]) * cover + f32::from(pixel[k]) * below) / opacity;
        pixel[k] = (mixed + 0.5) as u8;
    }
    pixel[3] = (opacity * 255.0 + 0.5) as u8;
}

fn face(font: &Font) -> Face<'static> {
    Face::parse(if font.bold { BOLD } else { REGULAR }, 0).expect("our own font is sound")
}

fn glyphs<'a>(face: &'a Face<'_>, text: &'a str) -> impl Iterator<Item = GlyphId> + 'a {
    text.chars().map(|c| face.glyph_index(c).unwrap_or_default())
}

fn advance(face: &Face<'_>, glyph: GlyphId) -> f32 {
    f32::from(face.glyph_hor_advance(glyph).unwrap_or(0))
}

/// Collects glyphs, whose `y` is upward, into one path.
struct Outline {
    path: PathBuilder,
    at: Place,
    unit: f32,
}

impl Outline {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.at[0] + self.unit * x, self.at[1] - self.unit * y)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) =
            (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
