//! A picture looks as it did when a person last looked at it.

use std::fs;
use std::path::Path;

use stiction_render::file::write_png;
use stiction_render::ink::{Anchor, Font};
use stiction_render::{Paint, Picture, Stage, Surface, Vec3, arrows, draw};

use crate::common::{FLOOR, ball, settings, square};

/// Everything at once: a ball, wired cloth with colours, arrows, a floor, letters.
fn still() -> Picture {
    let mut cloth = square(Vec3::new(-0.55, 0.02, 0.25), 0.45, [0.5; 3]);
    cloth.paint = Paint::Map {
        colours: vec![[0.1, 0.2, 0.7], [0.6, 0.6, 0.6], [0.7, 0.1, 0.1]],
        numbers: vec![0.0, 0.3, 1.0, 0.6],
        none: [0.5; 3],
    };
    let cloth = Surface { wires: true, ..cloth };
    let pointing =
        (0..3).map(|k| (Vec3::new(-0.7 + 0.3 * k as f32, 0.1, 0.1), Vec3::new(0.0, 0.35, 0.0)));
    let stage = Stage {
        surfaces: vec![
            ball(Vec3::new(0.35, 0.4, -0.1), 0.4, [0.75, 0.25, 0.06]),
            cloth,
            arrows(pointing, 0.05, [0.02; 3], true),
        ],
        grounds: vec![FLOOR],
    };
    let mut picture =
        draw(&stage, &settings([192, 108], Vec3::new(0.0, 0.3, 0.0), 3.4, 24.0), |_| {});
    let font = Font { size: 11.0, bold: true, anchor: Anchor::Start };
    picture.text([6.0, 100.0], "t = 0.25 s", &font, [40, 44, 52]);
    picture
}

/// Set `STICTION_NEW_REFERENCES` to keep a new picture; look at it first.
#[test]
fn the_still_life_looks_as_it_did() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/still.png");
    let now = still();
    if std::env::var_os("STICTION_NEW_REFERENCES").is_some() {
        write_png(&now, fs::File::create(&path).expect("a file")).expect("room");
    }
    let file = fs::File::open(&path).expect("the reference");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut before = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut before).expect("a picture");
    let pixels = now.pixels.as_chunks::<4>().0;
    assert_eq!(before.len(), 3 * pixels.len(), "the same size");
    let off: Vec<u8> = before
        .as_chunks::<3>()
        .0
        .iter()
        .zip(pixels)
        .map(|(a, b)| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0))
        .collect();
    let mean = off.iter().map(|&d| f64::from(d)).sum::<f64>() / off.len() as f64;
    let far = off.iter().filter(|&&d| d > 24).count();
    // Other processors and compilers round differently, which may move single samples at edges.
    assert!(mean < 0.5 && far < 40, "{mean:.2} off on average, {far} pixels by much");
}
