//! Shapes of obstacles as triangles, to be looked at. Physics never uses them.
//!
//! Vertices lie on the true surface, so a curved shape comes out a little too small: cut into `n` segments, a circle
//! loses `1 − sin(2π/n)/(2π/n)` of its area, 0.6 % for the 32 used here. Surfaces are closed, share their vertices,
//! and run counter-clockwise from outside. Clouds come out as one small triangle a point.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use stiction::body::{Cloud, Shape};
use stiction::math::{Vector3, any_across};
use stiction::mesh::BoundingBox;

/// Around a full circle; a multiple of four.
const SEGMENTS: usize = 32;

/// A surface of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// [m].
    pub vertices: Vec<Vector3>,
    /// Corners, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The surface of a shape before placement. Of a plane, which has no end, a square that lies under or over `around`
/// and is as large as it and the way to it.
pub fn tessellate(shape: &Shape, around: &BoundingBox) -> Triangles {
    match shape {
        Shape::Plane { normal, offset } => square(normal, *offset, around),
        Shape::Sphere { radius } => turned(&half_circle(*radius, 0.0)),
        Shape::Box { size, rounding } => rounded_box(size, *rounding),
        Shape::Capsule { radius, length } => turned(&half_circle(*radius, *length)),
        Shape::Cylinder { radius, length } => {
            let end = 0.5 * length;
            turned(&[[0.0, -end], [*radius, -end], [*radius, end], [0.0, end]])
        }
        Shape::Torus { ring_radius, tube_radius } => torus(*ring_radius, *tube_radius),
        Shape::Mesh(mesh) => {
            Triangles { vertices: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() }
        }
        Shape::Grid(gridded) => {
            let mesh = gridded.mesh();
            Triangles { vertices: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() }
        }
        Shape::Points(cloud) => splats(cloud),
    }
}

fn square(normal: &Vector3, offset: f64, around: &BoundingBox) -> Triangles {
    let height = normal.dot(&around.center()) - offset;
    let center = around.center() - normal * height;
    let half = around.diagonal() + height.abs();
    let u = any_across(*normal) * half;
    let v = normal.cross(&u);
    let vertices = vec![center - u - v, center + u - v, center + u + v, center - u + v];
    Triangles { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
}

/// A small triangle at every point, across its normal: clouds have no faces, and few programs draw points.
fn splats(cloud: &Cloud) -> Triangles {
    let count = cloud.points().len();
    // About half as far as points would be apart on a square as large as the cloud.
    let size = 0.3 * BoundingBox::of(cloud.points()).diagonal() / (count as f64).sqrt();
    let size = if size > 0.0 { size } else { 1.0 };
    let corners = |(point, normal): (&Vector3, &Vector3)| {
        let normal = (normal / normal.amax()).normalize();
        let u = any_across(normal) * size;
        let v = normal.cross(&u);
        [u, v * 0.75_f64.sqrt() - u * 0.5, -v * 0.75_f64.sqrt() - u * 0.5].map(|to| point + to)
    };
    let vertices = cloud.points().iter().zip(cloud.normals()).flat_map(corners).collect();
    let triangles = (0..count as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Triangles { vertices, triangles }
}

/// `[distance from the axis, height]` from the lower pole to the upper: two quarters, `length` apart.
fn half_circle(radius: f64, length: f64) -> Vec<[f64; 2]> {
    let quarter = SEGMENTS / 4;
    let point =
        |angle: f64, end: f64| [radius * angle.cos(), radius * angle.sin() + 0.5 * end * length];
    let angle = |k: usize| FRAC_PI_2 * k as f64 / quarter as f64;
    let lower = (0..=quarter).map(|k| point(angle(k) - FRAC_PI_2, -1.0));
    // Where there is no length, both quarters have the equator.
    let shared = usize::from(length <= 0.0);
    let upper = (shared..=quarter).map(|k| point(angle(k), 1.0));
    let mut profile: Vec<[f64; 2]> = lower.chain(upper).collect();
    // Poles are on the axis, whatever the cosine says.
    profile[0][0] = 0.0;
    if let Some(last) = profile.last_mut() {
        last[0] = 0.0;
    }
    profile
}

/// A surface of revolution about `y`, from a profile that starts and ends on the axis, upward.
fn turned(profile: &[[f64; 2]]) -> Triangles {
    let mut out = Triangles::default();
    let (first, last) = (profile[0], profile[profile.len() - 1]);
    out.vertices.push(Vector3::new(0.0, first[1], 0.0));
    for &[r, y] in &profile[1..profile.len() - 1] {
        out.vertices.extend(directions().map(|[c, s]| Vector3::new(r * c, y, r * s)));
    }
    let top = out.vertices.len() as u32;
    out.vertices.push(Vector3::new(0.0, last[1], 0.0));
    let rings = profile.len() - 2;
    let at = |ring: usize, k: usize| (1 + ring * SEGMENTS + k % SEGMENTS) as u32;
    for k in 0..SEGMENTS {
        out.triangles.push([0, at(0, k), at(0, k + 1)]);
        for ring in 0..rings - 1 {
            let [a, b] = [at(ring, k), at(ring, k + 1)];
            let [c, d] = [at(ring + 1, k), at(ring + 1, k + 1)];
            out.triangles.extend([[a, c, d], [a, d, b]]);
        }
        out.triangles.push([at(rings - 1, k), top, at(rings - 1, k + 1)]);
    }
    out
}

/// Around `y`.
fn torus(ring_radius: f64, tube_radius: f64) -> Triangles {
    let mut out = Triangles::default();
    for [c, s] in directions() {
        out.vertices.extend(directions().map(|[out, up]| {
            let r = ring_radius + tube_radius * out;
            Vector3::new(r * c, tube_radius * up, r * s)
        }));
    }
    let at = |i: usize, j: usize| (i % SEGMENTS * SEGMENTS + j % SEGMENTS) as u32;
    for i in 0..SEGMENTS {
        for j in 0..SEGMENTS {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
            out.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    out
}

/// Cosines and sines around a circle.
fn directions() -> impl Iterator<Item = [f64; 2]> {
    (0..SEGMENTS).map(|k| {
        let (s, c) = (2.0 * PI * k as f64 / SEGMENTS as f64).sin_cos();
        [c, s]
    })
}

/// A grid on the six sides of a box, pulled onto its rounded surface: what sticks out of the flat part of a side is
/// moved along the line to the nearest point of the core until it is `rounding` away from it. Grid lines are spaced so
/// that they cut roundings into equal angles.
fn rounded_box(size: &Vector3, rounding: f64) -> Triangles {
    let core = (size * 0.5).map(|half| (half - rounding).max(0.0));
    let lines: [Vec<f64>; 3] = std::array::from_fn(|axis| grid_lines(core[axis], rounding));
    let mut out = Triangles::default();
    let mut numbers = BTreeMap::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for end in [0, lines[axis].len() - 1] {
            let mut number = |i: usize, j: usize| {
                let mut place = [0; 3];
                (place[axis], place[u], place[v]) = (end, i, j);
                *numbers.entry(place).or_insert_with(|| {
                    let p = Vector3::from_fn(|k, _| lines[k][place[k]]);
                    let nearest = p.zip_map(&core, |p, c| p.clamp(-c, c));
                    let out_of_core = p - nearest;
                    let rounded =
                        out_of_core.try_normalize(0.0).map_or(p, |n| nearest + n * rounding);
                    out.vertices.push(if rounding > 0.0 { rounded } else { p });
                    out.vertices.len() as u32 - 1
                })
            };
            let mut cells = Vec::new();
            for i in 1..lines[u].len() {
                for j in 1..lines[v].len() {
                    let [a, b] = [number(i - 1, j - 1), number(i, j - 1)];
                    let [c, d] = [number(i - 1, j), number(i, j)];
                    cells.extend([[a, b, d], [a, d, c]]);
                }
            }
            if end == 0 {
                cells.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            }
            out.triangles.extend(cells);
        }
    }
    out
}

/// Coordinates of grid lines along one axis: the two ends of the core, and what cuts 45° beyond them into equal parts.
fn grid_lines(core: f64, rounding: f64) -> Vec<f64> {
    let parts = if rounding > 0.0 { SEGMENTS / 8 } else { 0 };
    let beyond = |k: usize| core + rounding * (FRAC_PI_4 * k as f64 / parts as f64).tan();
    let mut upper: Vec<f64> = vec![core];
    upper.extend((1..=parts).map(beyond));
    let lower = upper.iter().rev().map(|x| -x);
    // A core without width has one line, not two.
    let skipped = usize::from(core <= 0.0);
    lower.chain(upper.iter().copied().skip(skipped)).collect()
}
