//! Arrows as surfaces.

use std::f32::consts::TAU;

use crate::math::{Vec3, across};
use crate::stage::{Colour, Paint, Surface};

/// Around a shaft.
const SIDES: u32 = 10;

/// Arrows from points along vectors, `thickness` wide where they are long enough; they cast no shadow. Those shorter
/// than a tenth of it are left out. They may shine through what hides them.
pub fn arrows(
    shafts: impl IntoIterator<Item = (Vec3, Vec3)>,
    thickness: f32,
    colour: Colour,
    through: bool,
) -> Surface {
    let mut surface = Surface {
        vertices: Vec::new(),
        triangles: Vec::new(),
        paint: Paint::Plain(colour),
        smooth: true,
        wires: false,
        casts: false,
        through,
    };
    for (from, vector) in shafts {
        let length = vector.norm();
        if length > 0.1 * thickness {
            add(&mut surface, from, vector / length, length, thickness);
        }
    }
    surface
}

/// A shaft and a cone: rings of vertices along the axis, and a tip.
fn add(surface: &mut Surface, from: Vec3, axis: Vec3, length: f32, thickness: f32) {
    // A short one is all head, and slimmer.
    let head = (2.6 * thickness).min(0.6 * length);
    let wide = head / 2.6;
    let [a, b] = across(&axis);
    let neck = length - head;
    let shaft = 0.45 * wide;
    let rings = [(0.0, 0.0), (0.0, shaft), (neck, shaft), (neck, wide), (length, 0.0)];
    let first = surface.vertices.len() as u32;
    for (at, radius) in rings {
        surface.vertices.extend((0..SIDES).map(|k| {
            let (sin, cos) = (TAU * k as f32 / SIDES as f32).sin_cos();
            from + axis * at + (a * cos + b * sin) * radius
        }));
    }
    for ring in 0..rings.len() as u32 - 1 {
        for k in 0..SIDES {
            let at = |ring: u32, k: u32| first + ring * SIDES + k % SIDES;
            let [p, q] = [at(ring, k), at(ring, k + 1)];
            let [r, s] = [at(ring + 1, k), at(ring + 1, k + 1)];
            surface.triangles.extend([[p, q, s], [p, s, r]]);
        }
    }
}
