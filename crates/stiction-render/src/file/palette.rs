//! Few colours that stand for many.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use color_quant::NeuQuant;

use crate::picture::{Picture, on_white};

/// Pixels that are looked at to choose the colours.
const SAMPLES: usize = 1 << 18;

/// Colours, and which of them is nearest to any other.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    exact: BTreeSet<[u8; 3]>,
    /// Their numbers, and those that stand for others, as they are asked for.
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// At most `count` colours for all of the pictures.
    pub(super) fn of(pictures: &[Picture], count: usize) -> Self {
        let pixels: usize = pictures.iter().map(|picture| picture.width * picture.height).sum();
        // Not a multiple of anything that pictures are wide.
        let stride = (pixels / SAMPLES).max(1) | 1;
        let samples: Vec<[u8; 3]> = pictures
            .iter()
            .flat_map(|picture| picture.pixels.as_chunks::<4>().0)
            .step_by(stride)
            .map(on_white)
            .collect();
        let mut uses: BTreeMap<[u8; 3], usize> = BTreeMap::new();
        for &sample in &samples {
            *uses.entry(sample).or_default() += 1;
        }
        let colours = if uses.len() <= count {
            uses.keys().copied().collect()
        } else {
            // Every colour counts by the root of its uses, or the paper would take most of the palette.
            let weighted: Vec<u8> = uses
                .iter()
                .flat_map(|(&[r, g, b], &n)| {
                    std::iter::repeat_n([r, g, b, 255], (n as f64).sqrt() as usize)
                })
                .flatten()
                .collect();
            let quant = NeuQuant::new(1, count, &weighted);
            let mut colours = quant.color_map_rgb().as_chunks::<3>().0.to_vec();
            // The paper keeps its colour exactly.
            if let Some((&paper, _)) = uses.iter().max_by_key(|(_, n)| **n) {
                let k = nearest(&colours, paper);
                colours[k] = paper;
            }
            colours
        };
        let known = colours.iter().copied().zip(0..=u8::MAX).collect();
        Self { exact: colours.iter().copied().collect(), colours, known }
    }

    /// Three bytes a colour.
    pub(super) fn rgb(&self) -> Vec<u8> {
        self.colours.as_flattened().to_vec()
    }

    /// Numbers of the colours of a picture's pixels. Colours in between become patterns of two or three, which lie
    /// still from picture to picture; the picture is part of a larger one, at this place.
    pub(super) fn indices(&mut self, picture: &Picture, [left, top]: [usize; 2]) -> Vec<u8> {
        /// How far apart colours are mostly.
        const STRENGTH: i32 = 8;
        const PATTERN: [i32; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
        let Self { colours, exact, known } = self;
        let index = |(k, pixel): (usize, &[u8; 4])| {
            let mut colour = on_white(pixel);
            if !exact.contains(&colour) {
                let (x, y) = (left + k % picture.width, top + k / picture.width);
                let shift = (2 * PATTERN[x % 4 + 4 * (y % 4)] - 15) * STRENGTH / 32;
                colour = colour.map(|c| (i32::from(c) + shift).clamp(0, 255) as u8);
            }
            *known.entry(colour).or_insert_with(|| nearest(colours, colour) as u8)
        };
        picture.pixels.as_chunks::<4>().0.iter().enumerate().map(index).collect()
    }
}

fn nearest(colours: &[[u8; 3]], to: [u8; 3]) -> usize {
    let distance = |colour: &[u8; 3]| -> i32 {
        (0..3).map(|k| (i32::from(colour[k]) - i32::from(to[k])).pow(2)).sum()
    };
    (0..colours.len()).min_by_key(|&k| distance(&colours[k])).unwrap_or(0)
}
