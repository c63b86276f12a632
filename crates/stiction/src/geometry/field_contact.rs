//! Where points, vertices and triangles touch a body that is given by its signed distance.
//!
//! The distance is any function `x ↦ Jet`: an exact shape of [`distance`](mod@super::distance), a
//! [`DistanceGrid`](super::DistanceGrid), a [`ClosedSurface`](super::ClosedSurface). All is in the frame of that body;
//! turning and moving is up to the caller.
//!
//! Vertices alone miss what is thinner than their distance: a spike through the middle of a triangle. So
//! [`deepest_on_triangle`] looks for the least distance on all of it. As a distance changes by no more than one metre
//! a metre, a piece of radius `r` around a point at distance `s` holds nothing nearer than `s − r`: pieces that
//! cannot hold anything nearer than what was found are left out, the others are cut in four, the most promising
//! first. Descent by the gradient finishes it. (Descent alone, as in the course notes, ends in the first hollow it
//! meets.)

use std::collections::BinaryHeap;

use super::Jet;
use crate::math::Vector3;

/// A place where something touches or nearly does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldContact {
    /// The distance there, negative if it overlaps [m].
    pub gap: f64,
    /// Out of the body that the field belongs to, a unit vector.
    pub normal: Vector3,
    /// The point [m].
    pub point: Vector3,
    /// The point of the surface below it, to first order [m].
    pub foot: Vector3,
}

/// The least distance on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// What it is like there.
    pub contact: FieldContact,
    /// Barycentric coordinates, exactly zero for corners that the point does not depend on: they say whether it is a
    /// corner, on an edge or inside.
    pub weights: [f64; 3],
    /// No point of the triangle is nearer than this, if the field is a distance [m].
    pub bound: f64,
}

/// How hard [`deepest_on_triangle`] looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Triangles farther away than this do not matter [m].
    pub reach: f64,
    /// How much nearer another point may be [m].
    pub tolerance: f64,
    /// The most that the field changes a metre [-]: 1 for distances, 1.3 for those on grids.
    pub slope: f64,
    /// Pieces to look at, at most.
    pub pieces: usize,
}

impl Search {
    /// Finds overlaps, to a hundredth of the size of a triangle.
    pub fn overlaps(size: f64) -> Self {
        Self { reach: 0.0, tolerance: 0.01 * size, slope: 1.0, pieces: 1000 }
    }
}

/// A point, if it is no farther than `reach` [m].
pub fn touch_point(
    field: &impl Fn(Vector3) -> Jet,
    point: Vector3,
    reach: f64,
) -> Option<FieldContact> {
    let jet = field(point);
    (jet.value <= reach).then(|| contact(&jet, point))
}

/// The vertices that are no farther than `reach` [m], with their numbers.
pub fn touch_vertices(
    field: &impl Fn(Vector3) -> Jet,
    vertices: &[Vector3],
    reach: f64,
) -> Vec<(u32, FieldContact)> {
    let touch = |(v, x): (usize, &Vector3)| Some((v as u32, touch_point(field, *x, reach)?));
    vertices.iter().enumerate().filter_map(touch).collect()
}

fn contact(jet: &Jet, point: Vector3) -> FieldContact {
    let normal = jet.gradient.try_normalize(0.0).unwrap_or_else(Vector3::y);
    FieldContact { gap: jet.value, normal, point, foot: point - normal * jet.value }
}

/// A part of the triangle, by its corners in barycentric coordinates.
struct Piece {
    /// Nothing in it is nearer [m].
    bound: f64,
    number: usize,
    corners: [Vector3; 3],
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Piece {}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Piece {
    /// The lowest bound is the greatest; older pieces go first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.bound.total_cmp(&self.bound).then(other.number.cmp(&self.number))
    }
}

/// The point of a triangle where the field is least, if it is no farther than `search.reach`.
pub fn deepest_on_triangle(
    field: &impl Fn(Vector3) -> Jet,
    corners: &[Vector3; 3],
    search: &Search,
) -> Option<Deepest> {
    let at = |w: &Vector3| corners[0] * w.x + corners[1] * w.y + corners[2] * w.z;
    let value = |w: &Vector3| field(at(w)).value;
    let mut best = (f64::INFINITY, Vector3::x());
    let mut queue = BinaryHeap::new();
    let mut looked_at = 0;
    let mut look = |corners: [Vector3; 3], best: &mut (f64, Vector3), queue: &mut BinaryHeap<_>| {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let center = at(&middle);
        let radius = corners.iter().map(|w| (at(w) - center).norm()).fold(0.0, f64::max);
        let s = value(&middle);
        if s < best.0 {
            *best = (s, middle);
        }
        looked_at += 1;
        queue.push(Piece { bound: s - search.slope * radius, number: looked_at, corners });
        looked_at
    };
    for k in 0..3 {
        let corner = Vector3::ith(k, 1.0);
        let s = value(&corner);
        if s < best.0 {
            best = (s, corner);
        }
    }
    let whole = [Vector3::x(), Vector3::y(), Vector3::z()];
    let mut count = look(whole, &mut best, &mut queue);
    let mut bound = best.0;
    while let Some(piece) = queue.pop() {
        bound = piece.bound.min(best.0);
        let enough = best.0.min(search.reach) - search.tolerance.max(0.0);
        if piece.bound > search.reach || piece.bound >= enough || count + 4 > search.pieces {
            break;
        }
        let [a, b, c] = piece.corners;
        let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            count = look(part, &mut best, &mut queue);
        }
    }
    if bound > search.reach {
        return None;
    }
    let weights = descend(field, corners, best.1);
    let point = at(&weights);
    let contact = contact(&field(point), point);
    (contact.gap <= search.reach).then(|| Deepest {
        contact,
        weights: weights.into(),
        bound: bound.min(contact.gap),
    })
}

/// Follows the gradient down within the triangle, from barycentric coordinates to better ones.
fn descend(field: &impl Fn(Vector3) -> Jet, corners: &[Vector3; 3], start: Vector3) -> Vector3 {
    /// Shorter steps than this share of the triangle move nothing.
    const LEAST: f64 = 1e-10;
    let at = |w: &Vector3| corners[0] * w.x + corners[1] * w.y + corners[2] * w.z;
    let size_sq = (0..3)
        .map(|k| (corners[k] - corners[(k + 1) % 3]).norm_squared())
        .fold(f64::MIN_POSITIVE, f64::max);
    let (mut weights, mut jet) = (start, field(at(&start)));
    let mut length = 1.0 / size_sq.sqrt();
    for _ in 0..60 {
        let d = Vector3::from(corners.map(|x| jet.gradient.dot(&x)));
        let d = d.add_scalar(-d.mean());
        let next = project_to_simplex(weights - d * length);
        let moved = next - weights;
        if moved.amax() < LEAST {
            break;
        }
        let there = field(at(&next));
        if there.value < jet.value + 0.25 * d.dot(&moved) {
            (weights, jet) = (next, there);
            length *= 2.0;
        } else {
            length *= 0.25;
        }
    }
    weights
}

/// The point nearest to `w` with coordinates of at least zero that add up to one.
fn project_to_simplex(w: Vector3) -> Vector3 {
    let mut sorted: [f64; 3] = w.into();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut shift) = (0.0, 0.0);
    for (k, value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - 1.0) / (k + 1) as f64;
        if value - candidate > 0.0 {
            shift = candidate;
        }
    }
    w.map(|value| (value - shift).max(0.0))
}
