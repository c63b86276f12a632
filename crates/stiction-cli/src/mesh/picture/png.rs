//! A page as pixels: tiny-skia fills shapes, text is outlines of our own font.

use anyhow::Context as _;
use stiction_render::ink;
use tiny_skia::{
    Color, ColorU8, FillRule, FilterQuality, Paint, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke,
    Transform,
};

use super::canvas::{Anchor, Canvas, Font};
use super::color::{PAPER, Rgb};
use super::page::{self, Page};
use super::render::Image;

/// Pixels for each unit of the page.
const SCALE: f32 = 2.0;

/// The page as the bytes of a file.
pub(super) fn write(page: &Page) -> anyhow::Result<Vec<u8>> {
    let [width, height] = page::SIZE.map(|s| (s * SCALE) as u32);
    let mut pixmap = Pixmap::new(width, height).expect("the page has a size");
    let [r, g, b] = PAPER;
    pixmap.fill(Color::from_rgba8(r, g, b, 255));
    let mut png = Png { pixmap };
    page.draw(&mut png)?;
    png.pixmap.encode_png().context("cannot encode the picture")
}

/// An image as the bytes of a PNG file.
pub(super) fn of_image(image: &Image) -> anyhow::Result<Vec<u8>> {
    pixmap_of(image).encode_png().context("cannot encode the picture")
}

struct Png {
    pixmap: Pixmap,
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

    fn text(&mut self, at: [f32; 2], text: &str, font: &Font) {
        let anchor = match font.anchor {
            Anchor::Start => ink::Anchor::Start,
            Anchor::Middle => ink::Anchor::Middle,
            Anchor::End => ink::Anchor::End,
        };
        let letters = ink::Font { size: font.size, bold: font.bold, anchor };
        if let Some(path) = ink::outline(text, at, &letters) {
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
