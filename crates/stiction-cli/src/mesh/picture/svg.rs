//! A page as SVG text.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::canvas::{Anchor, Canvas, Font};
use super::color::{self, Rgb};
use super::page::{self, Page};
use super::png;
use super::render::Image;

/// The page as the bytes of a file.
pub(super) fn write(page: &Page) -> anyhow::Result<Vec<u8>> {
    let [width, height] = page::SIZE;
    let mut svg = Svg(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" \
         font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n"
    ));
    page.draw(&mut svg)?;
    svg.0.push_str("</svg>\n");
    Ok(svg.0.into_bytes())
}

struct Svg(String);

impl Svg {
    fn push(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.0.write_fmt(arguments).expect("a String takes everything");
    }
}

impl Canvas for Svg {
    fn rect(&mut self, [x, y, width, height]: [f32; 4], color: Rgb) {
        let fill = color::hex(color);
        self.push(format_args!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\"/>\n"
        ));
    }

    fn line(&mut self, from: [f32; 2], to: [f32; 2], color: Rgb) {
        let ([x1, y1], [x2, y2], stroke) = (from, to, color::hex(color));
        self.push(format_args!(
            "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{stroke}\"/>\n"
        ));
    }

    fn text(&mut self, [x, y]: [f32; 2], text: &str, font: &Font) {
        let anchor = match font.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
        let (size, fill) = (font.size, color::hex(font.color));
        self.push(format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\"{weight} fill=\"{fill}\" \
             text-anchor=\"{anchor}\">{}</text>\n",
            escaped(text)
        ));
    }

    fn image(&mut self, [x, y, width, height]: [f32; 4], image: &Image) -> anyhow::Result<()> {
        let data = STANDARD.encode(png::of_image(image)?);
        self.push(format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{data}\"/>\n"
        ));
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
