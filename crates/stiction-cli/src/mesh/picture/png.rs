//! A page as pixels: tiny-skia fills shapes, text is filled outlines of a font we carry, so that pictures look
//! the same everywhere, with no fonts installed.

use anyhow::Context as _;
use tiny_skia::{
    Color, ColorU8, FillRule, FilterQuality, Paint, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke,
    Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::canvas::{Anchor, Canvas, Font};
use super::color::{PAPER, Rgb};
use super::page::{self, Page};
use super::render::Image;

/// Pixels for each unit of the page.
const SCALE: f32 = 2.0;

static REGULAR: &[u8] = include_bytes!("../../../fonts/DejaVuSans-subset.ttf");
static BOLD: &[u8] = include_bytes!("../../../fonts/DejaVuSans-Bold-subset.ttf");

/// The page as the bytes of a file.
pub(super) fn write(page: &Page) -> anyhow::Result<Vec<u8>> {
    let [width, height] = page::SIZE.map(|s| (s * SCALE) as u32);
    let mut pixmap = Pixmap::new(width, height).expect("the page has a size");
    let [r, g, b] = PAPER;
    pixmap.fill(Color::from_rgba8(r, g, b, 255));
    let face = |bytes| Face::parse(bytes, 0).expect("our own font is sound");
    let mut png = Png { pixmap, regular: face(REGULAR), bold: face(BOLD) };
    page.draw(&mut png)?;
    png.pixmap.encode_png().context("cannot encode the picture")
}

/// An image as the bytes of a PNG file.
pub(super) fn of_image(image: &Image) -> anyhow::Result<Vec<u8>> {
    pixmap_of(image).encode_png().context("cannot encode the picture")
}

struct Png {
    pixmap: Pixmap,
    regular: Face<'static>,
    bold: Face<'static>,
}

impl Canvas for Png {
    fn rect(&mut self, [x, y, width, height]: [f32; 4], color: Rgb) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.pixmap.fill_rect(rect, &paint(color), Transform::from_scale(SCALE, SCALE), None);
        }
    }

    fn line(&mut self, from: [f32; 2], to: [f32; 2], color: Rgb) {
        let mut path = PathBuilder::new();
        path.move_to(from[0], from[1]);
        path.line_to(to[0], to[1]);
        if let Some(path) = path.finish() {
            let scale = Transform::from_scale(SCALE, SCALE);
            self.pixmap.stroke_path(&path, &paint(color), &Stroke::default(), scale, None);
        }
    }

    fn text(&mut self, [x, y]: [f32; 2], text: &str, font: &Font) {
        let face = if font.bold { &self.bold } else { &self.regular };
        let unit = font.size / f32::from(face.units_per_em());
        let glyphs: Vec<GlyphId> =
            text.chars().map(|c| face.glyph_index(c).unwrap_or_default()).collect();
        let advance = |glyph: GlyphId| unit * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        let width: f32 = glyphs.iter().map(|&g| advance(g)).sum();
        let mut pen = match font.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::End => x - width,
        };
        let mut outline = Outline { path: PathBuilder::new(), at: [pen, y], unit };
        for glyph in glyphs {
            outline.at[0] = pen;
            face.outline_glyph(glyph, &mut outline); // none for a space
            pen += advance(glyph);
        }
        if let Some(path) = outline.path.finish() {
            let scale = Transform::from_scale(SCALE, SCALE);
            self.pixmap.fill_path(&path, &paint(font.color), FillRule::Winding, scale, None);
        }
    }

    fn image(&mut self, [x, y, width, _]: [f32; 4], image: &Image) -> anyhow::Result<()> {
        let stretch = SCALE * width / image.width as f32;
        let place = Transform::from_scale(stretch, stretch).post_translate(SCALE * x, SCALE * y);
        let quality = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        self.pixmap.draw_pixmap(0, 0, pixmap_of(image).as_ref(), &quality, place, None);
        Ok(())
    }
}

/// Collects glyphs, whose `y` is upward, into one path of the page.
struct Outline {
    path: PathBuilder,
    at: [f32; 2],
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

fn pixmap_of(image: &Image) -> Pixmap {
    let mut pixmap =
        Pixmap::new(image.width as u32, image.height as u32).expect("an image has a size");
    for (to, &[r, g, b, a]) in pixmap.pixels_mut().iter_mut().zip(&image.pixels) {
        *to = ColorU8::from_rgba(r, g, b, a).premultiply();
    }
    pixmap
}

fn paint([r, g, b]: Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}
