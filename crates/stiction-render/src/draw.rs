//! From a stage to a picture, by rays.
//!
//! | pass | for every sample, four a pixel |
//! |---|---|
//! | look | what is seen: place, normal, colour |
//! | light | a ray to a place of the sun, which is wide, and some towards the sky: what do they meet? |
//! | blur | over 4 × 4 samples of the same surface; they have asked for 16 different places of sun and sky |
//! | develop | colour times light, four samples to a pixel, brightness to what screens and paper can show |
//!
//! So a picture has no grain, and the same stage gives the same bits for any number of threads.

use rayon::prelude::*;

use crate::bvh::{Bvh, Hit, Ray};
use crate::camera::{Camera, View};
use crate::math::{Vec3, across};
use crate::picture::Picture;
use crate::stage::{Colour, Stage};

/// How to draw.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Width and height of the picture.
    pub size: [usize; 2],
    /// From where.
    pub camera: Camera,
    /// The vertical axis.
    pub up: Vec3,
    /// Light and paper.
    pub studio: Studio,
}

/// Light and paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Studio {
    /// Behind everything.
    pub background: Colour,
    /// Of the floor.
    pub floor: Colour,
    /// From above.
    pub sky: Colour,
    /// From below.
    pub ground: Colour,
    /// Of the sun.
    pub sun: Colour,
    /// Where the sun is: around the vertical axis from the camera, and above the horizon [degrees].
    pub sun_at: [f32; 2],
    /// Tangent of the angle that it covers.
    pub sun_width: f32,
}

impl Studio {
    /// Bright, for paper.
    pub const LIGHT: Self = Self {
        background: [1.0, 1.0, 1.0],
        floor: [0.82, 0.82, 0.82],
        sky: [0.62, 0.66, 0.72],
        ground: [0.30, 0.28, 0.26],
        sun: [0.80, 0.76, 0.70],
        sun_at: [-35.0, 55.0],
        sun_width: 0.12,
    };

    /// Dark, for screens.
    pub const DARK: Self = Self {
        background: [0.010, 0.012, 0.016],
        floor: [0.055, 0.06, 0.07],
        ..Self::LIGHT
    };
}

/// Samples along an edge of a pixel, and of the pattern of light.
const SUPER: usize = 2;
const PATTERN: usize = 4;
/// Rays towards the sky, of each sample.
const SKY_RAYS: usize = 2;

/// What a sample sees.
#[derive(Clone, Copy, Debug)]
struct Seen {
    at: Vec3,
    normal: Vec3,
    /// Of the triangle itself.
    facing: Vec3,
    colour: Colour,
    /// From the eye.
    depth: f32,
    /// Number of the surface; the floor has the one after the last.
    surface: u32,
    /// How much of it is left: the floor fades away.
    presence: f32,
}

/// Light that reaches a sample, as shares of sky and sun.
#[derive(Clone, Copy, Debug, Default)]
struct Light {
    sky: f32,
    sun: f32,
}

/// Draws a picture.
pub fn draw(stage: &Stage, settings: &Settings) -> Picture {
    let scene = Scene::new(stage, settings);
    let [width, height] = settings.size.map(|n| n * SUPER);
    let place = |k: usize| [k % width, k / width];
    let seen: Vec<Option<Seen>> = (0..width * height)
        .into_par_iter()
        .with_min_len(256)
        .map(|k| {
            let [x, y] = place(k);
            let (x, y) = ((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32);
            scene.look(&settings.camera.ray(x, y))
        })
        .collect();
    let light: Vec<Light> = (0..width * height)
        .into_par_iter()
        .with_min_len(256)
        .map(|k| {
            let [x, y] = place(k);
            let pattern = x % PATTERN + PATTERN * (y % PATTERN);
            seen[k].map_or_else(Light::default, |seen| scene.light(&seen, pattern))
        })
        .collect();
    let mut picture = Picture::new(settings.size[0], settings.size[1]);
    picture.pixels.par_chunks_mut(3).enumerate().with_min_len(64).for_each(|(pixel, out)| {
        let [column, row] = [pixel % settings.size[0], pixel / settings.size[0]];
        let mut sum = [0.0; 3];
        for dy in 0..SUPER {
            for dx in 0..SUPER {
                let at = [column * SUPER + dx, row * SUPER + dy];
                let colour = match &seen[at[1] * width + at[0]] {
                    None => settings.studio.background,
                    Some(here) => {
                        let light = blurred(&seen, &light, [width, height], at, here);
                        scene.shade(here, &light)
                    }
                };
                for k in 0..3 {
                    sum[k] += developed(colour[k]);
                }
            }
        }
        for k in 0..3 {
            out[k] = (sum[k] * (255.0 / (SUPER * SUPER) as f32) + 0.5) as u8;
        }
    });
    picture
}

/// The mean light of samples around one that lie on the same surface and look the same way.
fn blurred(
    seen: &[Option<Seen>],
    light: &[Light],
    [width, height]: [usize; 2],
    [x, y]: [usize; 2],
    here: &Seen,
) -> Light {
    // A window of the size of the pattern, as central as an even one can be.
    let from = |at: usize, most: usize| {
        let low = at.saturating_sub(PATTERN / 2);
        low.min(most - PATTERN.min(most))
    };
    let (left, top) = (from(x, width), from(y, height));
    let (mut sum, mut count) = (Light::default(), 0.0);
    for row in top..(top + PATTERN).min(height) {
        for column in left..(left + PATTERN).min(width) {
            let k = row * width + column;
            let Some(other) = &seen[k] else { continue };
            let off = (other.at - here.at).dot(&here.facing).abs();
            let alike = other.surface == here.surface
                && other.normal.dot(&here.normal) > 0.8
                && off < 0.01 * here.depth;
            if alike {
                sum.sky += light[k].sky;
                sum.sun += light[k].sun;
                count += 1.0;
            }
        }
    }
    Light { sky: sum.sky / f32::max(count, 1.0), sun: sum.sun / f32::max(count, 1.0) }
}

/// A stage, ready for rays.
struct Scene<'a> {
    stage: &'a Stage,
    settings: &'a Settings,
    bvh: Bvh,
    /// Surface and triangle of each triangle of the tree.
    origin: Vec<(u32, u32)>,
    normals: Vec<Vec<[Vec3; 3]>>,
    /// Towards the sun.
    sun: Vec3,
    /// Middle and size of everything.
    centre: Vec3,
    size: f32,
}

impl<'a> Scene<'a> {
    fn new(stage: &'a Stage, settings: &'a Settings) -> Self {
        let mut corners = Vec::new();
        let mut origin = Vec::new();
        for (surface, number) in stage.surfaces.iter().zip(0..) {
            for (triangle, k) in surface.triangles.iter().zip(0..) {
                corners.push(triangle.map(|v| surface.vertices[v as usize]));
                origin.push((number, k));
            }
        }
        let bounds = stage.bounds();
        let up = settings.up;
        let [azimuth, elevation] = settings.studio.sun_at.map(f32::to_radians);
        let back = settings.camera.eye - bounds.centre();
        let back = (back - up * up.dot(&back)).try_normalize(1e-6).unwrap_or_else(|| across(&up)[0]);
        let side = up.cross(&back);
        let level = back * azimuth.cos() + side * azimuth.sin();
        Self {
            stage,
            settings,
            bvh: Bvh::new(&corners),
            origin,
            normals: stage.surfaces.iter().map(|surface| surface.normals()).collect(),
            sun: level * elevation.cos() + up * elevation.sin(),
            centre: bounds.centre(),
            size: bounds.diagonal().max(1e-6),
        }
    }

    fn look(&self, ray: &Ray) -> Option<Seen> {
        let hit = self.bvh.nearest(ray, f32::INFINITY);
        let floor = self.floor(ray, hit.map_or(f32::INFINITY, |hit| hit.t));
        floor.or_else(|| hit.map(|hit| self.on_surface(ray, &hit)))
    }

    fn floor(&self, ray: &Ray, before: f32) -> Option<Seen> {
        /// In sizes of the scene, from where to where the floor fades.
        const FADES: [f32; 2] = [1.2, 4.0];
        let up = self.settings.up;
        let fall = -ray.direction.dot(&up);
        let t = (ray.origin.dot(&up) - self.stage.floor?) / fall;
        if !(fall > 0.0 && t > 0.0 && t < before) {
            return None;
        }
        let at = ray.at(t);
        let away = at - self.centre;
        let away = (away - up * up.dot(&away)).norm() / self.size;
        let fade = ((away - FADES[0]) / (FADES[1] - FADES[0])).clamp(0.0, 1.0);
        let presence = 1.0 - fade * fade * (3.0 - 2.0 * fade);
        (presence > 0.0).then(|| Seen {
            at,
            normal: up,
            facing: up,
            colour: self.settings.studio.floor,
            depth: t,
            surface: self.stage.surfaces.len() as u32,
            presence,
        })
    }

    fn on_surface(&self, ray: &Ray, hit: &Hit) -> Seen {
        let (surface, triangle) = self.origin[hit.triangle as usize];
        let triangle = triangle as usize;
        let drawn = &self.stage.surfaces[surface as usize];
        let [u, v] = hit.uv;
        let shares = [1.0 - u - v, u, v];
        let [a, b, c] = drawn.triangles[triangle].map(|v| drawn.vertices[v as usize]);
        let mut facing =
            (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(|| -ray.direction);
        let corners = &self.normals[surface as usize][triangle];
        let blend = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
        let mut normal = blend.try_normalize(1e-6).unwrap_or(facing);
        // Both sides of cloth can be seen.
        if facing.dot(&ray.direction) > 0.0 {
            (facing, normal) = (-facing, -normal);
        }
        let mut colour = drawn.colour(triangle, shares);
        if drawn.wires {
            let pixel = self.settings.camera.pixel(self.settings.size[1]) * hit.t;
            let area = (b - a).cross(&(c - a)).norm();
            let edges = [(c - b).norm(), (a - c).norm(), (b - a).norm()];
            let nearest = (0..3)
                .map(|k| shares[k] * area / edges[k].max(f32::MIN_POSITIVE))
                .fold(f32::INFINITY, f32::min);
            let ink = (1.2 - nearest / pixel).clamp(0.0, 1.0) * 0.55;
            colour = colour.map(|c| c * (1.0 - ink));
        }
        Seen { at: ray.at(hit.t), normal, facing, colour, depth: hit.t, surface, presence: 1.0 }
    }

    fn light(&self, seen: &Seen, pattern: usize) -> Light {
        let start = seen.at + seen.facing * (1e-4 * self.size);
        let count = PATTERN * PATTERN * SKY_RAYS;
        let [a, b] = across(&seen.normal);
        let open = (0..SKY_RAYS).map(|k| {
            // Spread evenly over the disk below the sky, which gives directions by cosine.
            let [r, turn] = spread(pattern + k * PATTERN * PATTERN, count);
            let (sin, cos) = (std::f32::consts::TAU * turn).sin_cos();
            let flat = r.sqrt();
            let direction =
                a * (flat * cos) + b * (flat * sin) + seen.normal * (1.0 - r).max(0.0).sqrt();
            self.open(start, direction, seen)
        });
        let sky = open.sum::<f32>() / SKY_RAYS as f32;
        let sun = if seen.normal.dot(&self.sun) > 0.0 {
            let [r, turn] = spread(pattern, PATTERN * PATTERN);
            let (sin, cos) = (std::f32::consts::TAU * turn).sin_cos();
            let [a, b] = across(&self.sun);
            let wide = self.settings.studio.sun_width * r.sqrt();
            let direction = (self.sun + a * (wide * cos) + b * (wide * sin)).normalize();
            let ray = Ray::new(start, direction);
            let above = seen.facing.dot(&direction) > 0.0;
            f32::from(u8::from(above && !self.bvh.blocks(&ray, f32::INFINITY)))
        } else {
            0.0
        };
        Light { sky, sun }
    }

    /// How much light comes from a direction: less from what is near, none from below a floor that is in the way.
    fn open(&self, start: Vec3, direction: Vec3, seen: &Seen) -> f32 {
        /// In sizes of the scene: what is farther away does not darken.
        const REACH: f32 = 0.6;
        if seen.facing.dot(&direction) <= 0.0 {
            return 0.0;
        }
        let reach = REACH * self.size;
        let ray = Ray::new(start, direction);
        let mut met = self.bvh.nearest(&ray, reach).map_or(reach, |hit| hit.t);
        if let Some(floor) = self.stage.floor {
            let up = self.settings.up;
            let fall = -direction.dot(&up);
            if fall > 0.0 {
                met = met.min(((start.dot(&up) - floor) / fall).max(0.0));
            }
        }
        (met / reach).min(1.0).sqrt()
    }

    fn shade(&self, seen: &Seen, light: &Light) -> Colour {
        let studio = &self.settings.studio;
        let up = 0.5 + 0.5 * seen.normal.dot(&self.settings.up);
        let sun = seen.normal.dot(&self.sun).max(0.0) * light.sun;
        let eye = (self.settings.camera.eye - seen.at).normalize();
        let half = (eye + self.sun).try_normalize(1e-6).unwrap_or(eye);
        let gloss = 0.12 * light.sun * seen.normal.dot(&half).max(0.0).powi(40);
        std::array::from_fn(|k| {
            let around = studio.ground[k] + (studio.sky[k] - studio.ground[k]) * up;
            let lit = seen.colour[k] * (around * light.sky + studio.sun[k] * sun)
                + if seen.surface < self.stage.surfaces.len() as u32 { gloss * studio.sun[k] } else { 0.0 };
            studio.background[k] + (lit - studio.background[k]) * seen.presence
        })
    }
}

/// Point `k` of `n` spread evenly over a square [Rob18].
fn spread(k: usize, n: usize) -> [f32; 2] {
    const PLASTIC: f64 = 1.324_717_957_244_746;
    let turn = (k as f64 / PLASTIC).fract();
    [(k as f32 + 0.5) / n as f32, turn as f32]
}

/// Linear to what a screen shows, from 0 to 1: sRGB, with a soft shoulder for what is too bright.
fn developed(linear: f32) -> f32 {
    /// From here on brightness is compressed.
    const KNEE: f32 = 0.8;
    let c = linear.max(0.0);
    let c = if c < KNEE { c } else { KNEE + (1.0 - KNEE) * (1.0 - (-(c - KNEE) / (1.0 - KNEE)).exp()) };
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// The camera of a view that shows all of a stage.
pub fn camera(stage: &Stage, view: &View, size: [usize; 2]) -> Camera {
    Camera::fit(view, &stage.bounds(), size[0] as f32 / size[1] as f32)
}
