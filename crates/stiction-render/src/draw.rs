//! From a stage to a picture, by rays.
//!
//! | pass | for every pixel |
//! |---|---|
//! | look | what is seen at its middle: place, normal, colour |
//! | light | rays to places of the sun, which is wide, and towards the sky: what do they meet? |
//! | blur | twice the mean light of 4 × 4 pixels on the same surface; they have asked for 16 different sets of places |
//! | develop | colour times light; where neighbours differ, the mean of 16 samples; to what screens and paper show |
//!
//! So a picture has no grain, and the same stage gives the same bits for any number of threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::camera::Camera;
use crate::lit::{Light, Lit, PATTERN, Seen};
use crate::math::{Bounds, Vec3};
use crate::picture::Picture;
use crate::stage::Stage;
use crate::studio::{Studio, encoded, shouldered};

/// How to draw.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Width and height of the picture.
    pub size: [usize; 2],
    /// From where.
    pub camera: Camera,
    /// The vertical axis.
    pub up: Vec3,
    /// What the picture is about: the ground fades around it, and shadows are as soft as it is large.
    pub focus: Bounds,
    /// Light and paper.
    pub studio: Studio,
}

/// Rows that are drawn together; bounds the memory that is needed.
const BAND: usize = 64;
/// Rows above and below that light is gathered from.
const HALO: usize = 2 * (PATTERN / 2);
/// Samples along each side of a pixel in which something ends.
const FINE: usize = 4;
/// Which of the sets of rays a pixel takes: neighbours take sets far apart, so that some of them do if not all can.
const SETS: [usize; PATTERN * PATTERN] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// Draws a picture. `progress` is told which share is done.
pub fn draw(stage: &Stage, settings: &Settings, mut progress: impl FnMut(f64)) -> Picture {
    let lit = Lit::new(stage, settings);
    let [width, height] = settings.size;
    let mut picture = Picture::new(width, height);
    for (band, out) in picture.pixels.chunks_mut(4 * width * BAND).enumerate() {
        let first = band * BAND;
        let rows = first.saturating_sub(HALO)..(first + BAND + HALO).min(height);
        let strip = Strip::new(&lit, settings, rows.clone());
        out.par_chunks_mut(4).enumerate().with_min_len(64).for_each(|(k, out)| {
            let colour = strip.pixel([k % width, first + k / width - rows.start]);
            out.copy_from_slice(&quantised(colour));
        });
        progress(((first + BAND) as f64 / height as f64).min(1.0));
    }
    picture
}

fn ray(settings: &Settings, [x, y]: [f32; 2]) -> crate::bvh::Ray {
    settings.camera.ray(x / settings.size[0] as f32, y / settings.size[1] as f32)
}

/// Rows of pixels.
struct Strip<'a> {
    lit: &'a Lit<'a>,
    settings: &'a Settings,
    /// What is seen in the middle of each pixel.
    seen: Vec<Option<Seen>>,
    /// And the light there, blurred once.
    light: Vec<Light>,
    /// Numbers of the rows in the picture.
    rows: Range<usize>,
}

/// As shown, times opacity, and opacity.
type Shown = [f32; 4];

impl<'a> Strip<'a> {
    fn new(lit: &'a Lit<'a>, settings: &'a Settings, rows: Range<usize>) -> Self {
        let width = settings.size[0];
        let look = |k: usize| {
            let [x, y] = [k % width, rows.start + k / width];
            let Some(seen) = lit.look(&ray(settings, [x as f32 + 0.5, y as f32 + 0.5])) else {
                return (None, Light::default());
            };
            let light = lit.light(&seen, SETS[x % PATTERN + PATTERN * (y % PATTERN)]);
            (Some(seen), light)
        };
        let pixels = (0..rows.len() * width).into_par_iter().with_min_len(64);
        let (seen, light) = pixels.clone().map(look).unzip();
        let mut strip = Self { lit, settings, seen, light, rows };
        let blurred = pixels.map(|k| match &strip.seen[k] {
            Some(seen) => strip.blurred(seen, [k % width, k / width], k),
            None => Light::default(),
        });
        strip.light = blurred.collect();
        strip
    }

    /// The colour of a pixel, given by its place in the strip.
    fn pixel(&self, at: [usize; 2]) -> Shown {
        let here = self.seen[at[1] * self.settings.size[0] + at[0]].as_ref();
        if self.is_plain(at, here) {
            let light = here.map_or_else(Light::default, |seen| self.blurred(seen, at, 0));
            return self.shade(here, &light);
        }
        let mut sum = [0.0; 4];
        for k in 0..FINE * FINE {
            // Sixteen columns and sixteen rows, one sample in each of both.
            let (i, j) = ((k % FINE) as f32, (k / FINE) as f32);
            let fine = FINE as f32;
            let x = (i + (j + 0.5) / fine) / fine + at[0] as f32;
            let y = (j + (i + 0.5) / fine) / fine + (self.rows.start + at[1]) as f32;
            let seen = self.lit.look(&ray(self.settings, [x, y]));
            let light = seen.map_or_else(Light::default, |seen| self.blurred(&seen, at, k));
            let colour = self.shade(seen.as_ref(), &light);
            (0..4).for_each(|c| sum[c] += colour[c]);
        }
        sum.map(|c| c / (FINE * FINE) as f32)
    }

    /// Whether all pixels around see the same surface.
    fn is_plain(&self, [x, y]: [usize; 2], here: Option<&Seen>) -> bool {
        let width = self.settings.size[0];
        let around = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
        around(y, self.rows.len()).all(|row| {
            around(x, width).all(|column| match (here, &self.seen[row * width + column]) {
                (None, None) => true,
                (Some(a), Some(b)) => {
                    let even = (0..3).all(|c| (a.colour[c] - b.colour[c]).abs() < 0.03);
                    even && self.continues(a, b, 0.95)
                }
                _ => false,
            })
        })
    }

    /// Whether two samples are near each other on one surface.
    fn continues(&self, a: &Seen, b: &Seen, cosine: f32) -> bool {
        /// How far a surface may bend away from its tangent plane [pixels].
        const OFF: f32 = 3.0;
        let pixel = self.settings.camera.pixel(self.settings.size[1]) * a.depth;
        a.surface == b.surface
            && a.normal.dot(&b.normal) > cosine
            && (b.at - a.at).dot(&a.normal).abs() < OFF * pixel
    }

    fn shade(&self, seen: Option<&Seen>, light: &Light) -> Shown {
        let studio = &self.settings.studio;
        let background = studio.background.map_or([0.0; 4], |c| opaque(c.map(encoded)));
        let Some(seen) = seen else { return background };
        let up = 0.5 + 0.5 * seen.normal.dot(&self.settings.up);
        let around =
            std::array::from_fn(|k| studio.bounce[k] + (studio.sky[k] - studio.bounce[k]) * up);
        let facing = seen.normal.dot(&self.lit.sun).max(0.0);
        let given = |light: &Light, k: usize| {
            let around: [f32; 3] = around;
            around[k] * light.sky + studio.sun[k] * facing * light.sun
        };
        if seen.surface >= self.lit.surface_count() {
            // As bright as the paper where nothing is in the way.
            let full = Light { sky: 1.0, sun: 1.0 };
            let share: [f32; 3] =
                std::array::from_fn(|k| given(light, k) / given(&full, k).max(1e-6));
            let Some(paper) = studio.background else {
                let dark = 1.0 - encoded((share[0] + share[1] + share[2]) / 3.0);
                return [0.0, 0.0, 0.0, dark * seen.presence];
            };
            return opaque(std::array::from_fn(|k| {
                encoded(paper[k] + (seen.colour[k] * share[k] - paper[k]) * seen.presence)
            }));
        }
        let eye = (self.settings.camera.eye - seen.at).normalize();
        let half = (eye + self.lit.sun).try_normalize(1e-6).unwrap_or(eye);
        let gloss = 0.10 * light.sun * seen.normal.dot(&half).max(0.0).powi(32);
        opaque(std::array::from_fn(|k| {
            encoded(shouldered(seen.colour[k] * given(light, k) + gloss * studio.sun[k]))
        }))
    }

    /// The mean light of pixels around a sample of one that lie on the same surface and look the same way.
    fn blurred(&self, here: &Seen, [x, y]: [usize; 2], sample: usize) -> Light {
        let width = self.settings.size[0];
        // A window of the size of the pattern, as central as an even one can be.
        let from = |at: usize, most: usize| {
            at.saturating_sub(PATTERN / 2).min(most.saturating_sub(PATTERN))
        };
        let (left, top) = (from(x, width), from(y, self.rows.len()));
        let (mut sum, mut count) = (Light::default(), 0.0);
        for row in top..(top + PATTERN).min(self.rows.len()) {
            for column in left..(left + PATTERN).min(width) {
                let k = row * width + column;
                if self.seen[k].as_ref().is_some_and(|other| self.continues(here, other, 0.85)) {
                    sum.sky += self.light[k].sky;
                    sum.sun += self.light[k].sun;
                    count += 1.0;
                }
            }
        }
        if count >= (PATTERN * PATTERN / 2) as f32 {
            return Light { sky: sum.sky / count, sun: sum.sun / count };
        }
        // Too narrow to be seen by its neighbours: the samples of its pixel ask for different sets.
        let [a, b] =
            [sample, sample + SETS.len() / 2].map(|k| self.lit.light(here, k % SETS.len()));
        Light { sky: 0.5 * (a.sky + b.sky), sun: 0.5 * (a.sun + b.sun) }
    }
}

fn opaque([r, g, b]: [f32; 3]) -> Shown {
    [r, g, b, 1.0]
}

/// Bytes, no longer times opacity.
fn quantised([r, g, b, a]: Shown) -> [u8; 4] {
    let byte = |c: f32| (c * 255.0 + 0.5) as u8;
    let part = |c: f32| byte(if a > 0.0 { c / a } else { 0.0 });
    [part(r), part(g), part(b), byte(a)]
}
