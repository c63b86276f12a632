//! A stage, ready for rays: what they meet, and how much light gets there.

use std::f32::consts::TAU;

use crate::bvh::{Bvh, Hit, Ray};
use crate::draw::Settings;
use crate::math::{Vec3, across};
use crate::stage::{Colour, Ground, Stage, Surface};

/// Samples of light are spread over so many pixels along each side of a square; see [`Lit::light`].
pub(crate) const PATTERN: usize = 4;
/// Rays towards the sky and the sun, of each pixel.
const SKY_RAYS: usize = 4;
const SUN_RAYS: usize = 3;

/// What a ray sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Vec3,
    /// Towards the eye.
    pub(crate) normal: Vec3,
    pub(crate) colour: Colour,
    /// From the eye.
    pub(crate) depth: f32,
    /// Number of the surface; grounds come after the last.
    pub(crate) surface: u32,
    /// How much of it is left: grounds fade away.
    pub(crate) presence: f32,
    /// Where rays to the light start: on the round surface that triangles stand for.
    start: Vec3,
}

/// Shares of the light that could come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Light {
    pub(crate) sky: f32,
    pub(crate) sun: f32,
}

/// A stage, ready for rays.
pub(crate) struct Lit<'a> {
    stage: &'a Stage,
    settings: &'a Settings,
    /// Those that are seen from the front, with their numbers; the others are not there.
    grounds: Vec<(Ground, u32)>,
    /// What casts shadows, and what does not.
    trees: [Tree; 2],
    normals: Vec<Vec<[Vec3; 3]>>,
    /// Towards the sun, and across it.
    pub(crate) sun: Vec3,
    sun_across: [Vec3; 2],
    centre: Vec3,
    size: f32,
}

#[derive(Default)]
struct Tree {
    bvh: Bvh,
    /// Surface and triangle of each triangle.
    origin: Vec<(u32, u32)>,
}

impl Tree {
    fn of<'a>(surfaces: impl Iterator<Item = (&'a Surface, u32)>) -> Self {
        let (mut corners, mut origin) = (Vec::new(), Vec::new());
        for (surface, number) in surfaces {
            for (triangle, k) in surface.triangles.iter().zip(0..) {
                corners.push(triangle.map(|v| surface.vertices[v as usize]));
                origin.push((number, k));
            }
        }
        Self { bvh: Bvh::new(&corners), origin }
    }
}

impl<'a> Lit<'a> {
    pub(crate) fn new(stage: &'a Stage, settings: &'a Settings) -> Self {
        let up = settings.up;
        let [azimuth, elevation] = settings.studio.sun_at.map(f32::to_radians);
        let back = -settings.camera.forward();
        let back =
            (back - up * up.dot(&back)).try_normalize(1e-6).unwrap_or_else(|| across(&up)[0]);
        let level = back * azimuth.cos() + up.cross(&back) * azimuth.sin();
        let sun = level * elevation.cos() + up * elevation.sin();
        let tree = |casts: bool| {
            let surfaces = stage.surfaces.iter().zip(0..);
            Tree::of(surfaces.filter(|(surface, _)| surface.casts == casts))
        };
        let before = |plane: &Ground| settings.camera.eye.dot(&plane.normal) > plane.offset;
        let grounds = stage.grounds.iter().copied().zip(stage.surfaces.len() as u32..);
        Self {
            stage,
            settings,
            grounds: grounds.filter(|(plane, _)| before(plane)).collect(),
            trees: [tree(true), tree(false)],
            normals: stage.surfaces.iter().map(Surface::normals).collect(),
            sun,
            sun_across: across(&sun),
            centre: settings.focus.centre(),
            size: settings.focus.diagonal().max(1e-6),
        }
    }

    pub(crate) fn surface_count(&self) -> u32 {
        self.stage.surfaces.len() as u32
    }

    /// What a ray meets first. What casts no shadow may shine through what hides it.
    pub(crate) fn look(&self, ray: &Ray) -> Option<Seen> {
        /// How much of it.
        const THROUGH: f32 = 0.4;
        let [solid, glyphs] = &self.trees;
        let hit = solid.bvh.nearest(ray, f32::INFINITY);
        let ground = self.look_at_grounds(ray, hit.map_or(f32::INFINITY, |hit| hit.t));
        let seen = ground.or_else(|| hit.map(|hit| self.on_surface(ray, &hit, solid)));
        let Some(glyph) = glyphs.bvh.nearest(ray, f32::INFINITY) else { return seen };
        let glyph = self.on_surface(ray, &glyph, glyphs);
        match seen {
            Some(mut seen) if seen.depth < glyph.depth => {
                if self.stage.surfaces[glyph.surface as usize].through {
                    for k in 0..3 {
                        seen.colour[k] += (glyph.colour[k] - seen.colour[k]) * THROUGH;
                    }
                }
                Some(seen)
            }
            _ => Some(glyph),
        }
    }

    fn look_at_grounds(&self, ray: &Ray, mut most: f32) -> Option<Seen> {
        let mut ground = None;
        for &(plane, number) in &self.grounds {
            let fall = -ray.direction.dot(&plane.normal);
            let t = (ray.origin.dot(&plane.normal) - plane.offset) / fall;
            if fall > 0.0 && t > 0.0 && t < most {
                let seen = self.on_ground(ray.at(t), plane.normal, t, number);
                // What has faded away hides nothing.
                if seen.presence > 0.0 {
                    most = t;
                    ground = Some(seen);
                }
            }
        }
        ground
    }

    fn on_ground(&self, at: Vec3, normal: Vec3, depth: f32, surface: u32) -> Seen {
        /// In sizes of what the picture is about, from where to where a ground fades.
        const FADES: [f32; 2] = [0.7, 2.4];
        let away = at - self.centre;
        let away = (away - normal * normal.dot(&away)).norm() / self.size;
        let fade = ((away - FADES[0]) / (FADES[1] - FADES[0])).clamp(0.0, 1.0);
        let presence = 1.0 - fade * fade * (3.0 - 2.0 * fade);
        let colour = self.settings.studio.ground;
        let start = at + normal * self.clearance(&at);
        Seen { at, normal, colour, depth, surface, presence, start }
    }

    fn on_surface(&self, ray: &Ray, hit: &Hit, tree: &Tree) -> Seen {
        let (surface, triangle) = tree.origin[hit.triangle as usize];
        let triangle = triangle as usize;
        let drawn = &self.stage.surfaces[surface as usize];
        let [u, v] = hit.uv;
        let shares = [1.0 - u - v, u, v];
        let corners = drawn.triangles[triangle].map(|v| drawn.vertices[v as usize]);
        let [a, b, c] = corners;
        let twice_area = (b - a).cross(&(c - a));
        let facing = twice_area.try_normalize(0.0).unwrap_or_else(|| -ray.direction);
        let at = ray.at(hit.t);
        // Both sides of cloth can be seen.
        let side = if facing.dot(&ray.direction) > 0.0 { -1.0 } else { 1.0 };
        let facing = facing * side;
        let normals = self.normals[surface as usize][triangle].map(|normal| normal * side);
        let blend: Vec3 = (0..3).map(|k| normals[k] * shares[k]).sum();
        let mut normal = blend.try_normalize(1e-6).unwrap_or(facing);
        // A blended normal may look away from the eye at the rim of a round thing; light would leak there.
        let turned = normal.dot(&ray.direction);
        if turned > 0.0 {
            normal = (normal - ray.direction * (1.01 * turned)).normalize();
        }
        // Above the tangent planes of all corners: else flat triangles would shade the round surface they stand for
        // [Han21].
        let lift: Vec3 = (0..3)
            .map(|k| normals[k] * (shares[k] * (corners[k] - at).dot(&normals[k]).max(0.0)))
            .sum();
        let start = at + lift + facing * self.clearance(&at);
        let mut colour = drawn.colour(triangle, shares);
        if drawn.wires {
            let pixel = self.settings.camera.pixel(self.settings.size[1]) * hit.t;
            let edges = [(c - b).norm(), (a - c).norm(), (b - a).norm()];
            let nearest = (0..3)
                .map(|k| shares[k] * twice_area.norm() / edges[k].max(f32::MIN_POSITIVE))
                .fold(f32::INFINITY, f32::min);
            let ink = (1.1 - nearest / pixel).clamp(0.0, 1.0) * 0.6;
            colour = colour.map(|c| c * (1.0 - ink));
        }
        Seen { at, normal, colour, depth: hit.t, surface, presence: 1.0, start }
    }

    /// How far from a surface rays to the light start, so that rounding does not let them meet it.
    fn clearance(&self, at: &Vec3) -> f32 {
        let away = at.amax().max((at - self.settings.camera.eye).amax());
        f32::max(1e-4 * self.size, 4e-6 * away)
    }

    /// Light at a place, asked for by one of `PATTERN²` sets of rays, which together cover sun and sky evenly.
    pub(crate) fn light(&self, seen: &Seen, pattern: usize) -> Light {
        const SETS: usize = PATTERN * PATTERN;
        let [a, b] = across(&seen.normal);
        let sky = (0..SKY_RAYS).map(|k| {
            // Spread evenly over the disk below the sky, which gives directions by cosine.
            let ([x, y], up) = on_disk(pattern + k * SETS, SETS * SKY_RAYS);
            self.open(seen, a * x + b * y + seen.normal * up)
        });
        let sky = sky.sum::<f32>() / SKY_RAYS as f32;
        let sun = (0..SUN_RAYS).map(|k| {
            let ([x, y], _) = on_disk(pattern + k * SETS, SETS * SUN_RAYS);
            let [a, b] = self.sun_across;
            let direction =
                (self.sun + (a * x + b * y) * self.settings.studio.sun_width).normalize();
            let lit = seen.normal.dot(&direction) > 0.0
                && !self.trees[0].bvh.blocks(&Ray::new(seen.start, direction), f32::INFINITY);
            f32::from(u8::from(lit))
        });
        let sun = if seen.normal.dot(&self.sun) > -self.settings.studio.sun_width {
            sun.sum::<f32>() / SUN_RAYS as f32
        } else {
            0.0
        };
        Light { sky, sun }
    }

    /// How much light comes from a direction: less from what is near.
    fn open(&self, seen: &Seen, direction: Vec3) -> f32 {
        /// In sizes of what the picture is about: what is farther away does not darken.
        const REACH: f32 = 0.6;
        let reach = REACH * self.size;
        let ray = Ray::new(seen.start, direction);
        let mut met = self.trees[0].bvh.nearest(&ray, reach).map_or(reach, |hit| hit.t);
        for (plane, _) in &self.grounds {
            let fall = -direction.dot(&plane.normal);
            let height = seen.start.dot(&plane.normal) - plane.offset;
            if fall > 0.0 && height > 0.0 {
                met = met.min(height / fall);
            }
        }
        (met / reach).min(1.0).sqrt()
    }
}

/// Point `k` of `n` spread evenly over the unit disk [Vog79], and the height of the half ball above it.
fn on_disk(k: usize, n: usize) -> ([f32; 2], f32) {
    const GOLDEN: f32 = 0.618_034;
    let r = (k as f32 + 0.5) / n as f32;
    let (sin, cos) = (TAU * (k as f32 * GOLDEN).fract()).sin_cos();
    ([r.sqrt() * cos, r.sqrt() * sin], (1.0 - r).sqrt())
}
