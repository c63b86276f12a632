//! Letters and lines land where they are put.

use stiction_render::Picture;
use stiction_render::ink::{Anchor, Font, width};

const FONT: Font = Font { size: 20.0, bold: false, anchor: Anchor::Start };

/// Columns and rows that have anything on them.
fn inked(picture: &Picture) -> [(usize, usize); 2] {
    let places: Vec<(usize, usize)> = (0..picture.width * picture.height)
        .map(|k| (k % picture.width, k / picture.width))
        .filter(|&(x, y)| picture.pixel(x, y)[3] > 0)
        .collect();
    let range = |of: fn(&(usize, usize)) -> usize| {
        let all = places.iter().map(of);
        (all.clone().min().expect("ink"), all.max().expect("ink"))
    };
    [range(|p| p.0), range(|p| p.1)]
}

#[test]
fn text_stands_on_its_baseline_and_leans_as_its_anchor_says() {
    for (anchor, begin) in [(Anchor::Start, 60.0), (Anchor::Middle, 60.0), (Anchor::End, 60.0)] {
        let mut picture = Picture::new(120, 40);
        let font = Font { anchor, ..FONT };
        picture.text([begin, 30.0], "1.5 m", &font, [10, 20, 30]);
        let [(left, right), (top, bottom)] = inked(&picture);
        let wide = width("1.5 m", &font);
        let (from, to) = match anchor {
            Anchor::Start => (begin, begin + wide),
            Anchor::Middle => (begin - 0.5 * wide, begin + 0.5 * wide),
            Anchor::End => (begin - wide, begin),
        };
        assert!(
            (left as f32 - from).abs() < 4.0 && (right as f32 - to).abs() < 4.0,
            "{left} {right}"
        );
        assert!((29..31).contains(&bottom) && (13..18).contains(&top), "{top} to {bottom}");
    }
}

#[test]
fn the_font_has_what_legends_need() {
    let mut lost = Vec::new();
    for text in ["–", "·", "²", "³", "°", "µ", "×", "…", "[", "_", "/"] {
        let mut picture = Picture::new(40, 40);
        picture.text([10.0, 25.0], text, &FONT, [0; 3]);
        let mut missing = Picture::new(40, 40);
        missing.text([10.0, 25.0], "\u{e000}", &FONT, [0; 3]);
        if picture == missing {
            lost.push(text);
        }
    }
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn ink_over_the_edge_is_cut_off_and_opaque_paper_stays_opaque() {
    let mut picture = Picture::new(20, 20);
    picture.pixels.fill(255);
    picture.rectangle([-5.0, -5.0, 10.0, 10.0], [255, 0, 0]);
    picture.line([10.0, 10.0], [40.0, 10.0], 2.0, [0, 0, 255]);
    picture.text([15.0, 15.0], "wide text", &FONT, [0; 3]);
    picture.rectangle([100.0, 100.0, 10.0, 10.0], [0; 3]);
    assert!(picture.is_opaque());
    assert_eq!([picture.pixel(4, 4), picture.pixel(5, 5)], [[255, 0, 0, 255], [255; 4]]);
    assert_eq!(picture.pixel(12, 9), [0, 0, 255, 255]);
}
