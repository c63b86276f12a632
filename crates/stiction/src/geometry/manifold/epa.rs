//! How deep two cores are inside each other, by the expanding polytope [vdB01].
//!
//! A polytope of differences `a − b` grows until its face nearest to the origin is a face of all differences: that
//! face is the shortest way out. Distances of faces are signed, so the origin need not be inside from the start.

use super::gjk::{Difference, nearest_on_triangle, support};
use super::pair::{Pair, Witness};
use crate::math::{Vector3, any_across};

/// Corners of polytopes; round rims take some dozens to converge.
const MAX_VERTICES: usize = 96;
/// Made in all; a new corner makes about six faces and buries four.
const MAX_FACES: usize = 8 * MAX_VERTICES;
/// What growing must gain, relative to the size.
const GAIN: f64 = 1e-12;
/// Thinner than this, relative to the size, all differences lie in a plane.
const FLAT: f64 = 1e-12;

#[derive(Clone, Copy, Default)]
struct Face {
    corners: [u8; 3],
    /// Beyond the edge that starts at each corner: the face there, and which of its edges it is.
    beyond: [Side; 3],
    normal: Vector3,
    /// Of its plane from the origin, along the outward normal.
    distance: f64,
    buried: bool,
}

/// An edge of a face, by numbers.
type Side = (u16, u8);

struct Polytope {
    vertices: [Difference; MAX_VERTICES],
    vertex_count: usize,
    faces: [Face; MAX_FACES],
    face_count: usize,
}

/// For cores that touch or overlap, or very nearly.
pub(super) fn deepest(pair: &Pair) -> Witness {
    let size = pair.extent();
    let mut polytope = match Polytope::start(pair, FLAT * size) {
        Ok(polytope) => polytope,
        Err(flat) => return flat,
    };
    // Every direction looked along bounds the depth; the last one is the best, unless rounding has torn the polytope.
    let mut least = (f64::INFINITY, 0);
    loop {
        let nearest = polytope.nearest();
        let Face { normal, distance, .. } = polytope.faces[nearest];
        let next = support(pair, &normal);
        let reach = normal.dot(&next.w);
        if reach < least.0 && distance.is_finite() {
            least = (reach, nearest);
        }
        if reach - distance <= GAIN * size || !polytope.grow(nearest, next, 1e-14 * size) {
            return Witness { gap: -least.0, ..polytope.witness(least.1, 1e-11 * size) };
        }
    }
}

impl Polytope {
    /// Four differences as far from each other as is easily found; where they lie in a plane, the way out across it.
    fn start(pair: &Pair, flat: f64) -> Result<Self, Witness> {
        let out = |d: Vector3, difference: &Difference| {
            // Towards the middle of A, if that makes a difference.
            let normal = if d.dot(&pair.shift) < 0.0 { -d } else { d };
            Witness { normal, gap: normal.dot(&difference.w), b: difference.a - difference.w }
        };
        let both = |d: &Vector3| [support(pair, d), support(pair, &-d)];
        let [mut p, mut q] = both(&Vector3::x());
        for axis in [Vector3::y(), Vector3::z()] {
            let [r, s] = both(&axis);
            if (r.w - s.w).norm_squared() > (p.w - q.w).norm_squared() {
                [p, q] = [r, s];
            }
        }
        let along = q.w - p.w;
        if along.norm() <= flat {
            return Err(out(Vector3::x(), &p));
        }
        let across = any_across(along);
        let other = along.cross(&across).normalize();
        let line = |d: &Difference| (d.w - p.w).cross(&along).norm() / along.norm();
        let mut r = p;
        for d in [across, -across, other, -other] {
            let candidate = support(pair, &d);
            if line(&candidate) > line(&r) {
                r = candidate;
            }
        }
        if line(&r) <= flat {
            return Err(out(across, &p));
        }
        let up = along.cross(&(r.w - p.w)).normalize();
        let [above, below] = both(&up);
        let heights = [up.dot(&(above.w - p.w)), -up.dot(&(below.w - p.w))];
        if heights[0].max(heights[1]) <= flat {
            return Err(out(up, &r));
        }
        let mut polytope = Self {
            vertices: [p; MAX_VERTICES],
            vertex_count: 4,
            faces: [Face::default(); MAX_FACES],
            face_count: 0,
        };
        // Positive: p, q, r counter-clockwise seen from the top.
        let (q, r, top) = if heights[0] >= heights[1] { (q, r, above) } else { (r, q, below) };
        polytope.vertices[..4].copy_from_slice(&[p, q, r, top]);
        let first = [
            ([0, 2, 1], [(3, 0), (2, 0), (1, 0)]),
            ([0, 1, 3], [(0, 2), (2, 2), (3, 1)]),
            ([1, 2, 3], [(0, 1), (3, 2), (1, 1)]),
            ([2, 0, 3], [(0, 0), (1, 2), (2, 1)]),
        ];
        for (corners, beyond) in first {
            polytope.add(corners, beyond);
        }
        Ok(polytope)
    }

    fn add(&mut self, corners: [u8; 3], beyond: [Side; 3]) {
        let [a, b, c] = corners.map(|v| self.vertices[v as usize].w);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
        // A face without area is never the nearest, and nothing sees it.
        let distance = normal.map_or(f64::INFINITY, |n| n.dot(&(a + b + c)) / 3.0);
        let normal = normal.unwrap_or_else(Vector3::zeros);
        self.faces[self.face_count] = Face { corners, beyond, normal, distance, buried: false };
        self.face_count += 1;
    }

    fn nearest(&self) -> usize {
        let mut nearest = (f64::INFINITY, 0);
        for (k, face) in self.faces[..self.face_count].iter().enumerate() {
            if !face.buried && face.distance < nearest.0 {
                nearest = (face.distance, k);
            }
        }
        nearest.1
    }

    /// Replaces the faces around `from` that a new corner sees; says whether it could.
    fn grow(&mut self, from: usize, next: Difference, tolerance: f64) -> bool {
        if self.vertex_count == MAX_VERTICES {
            return false;
        }
        let mut rim = Rim { edges: [(0, 0); MAX_RIM], count: 0 };
        self.faces[from].buried = true;
        for edge in 0..3 {
            let beyond = self.faces[from].beyond[edge];
            self.look(beyond, &next.w, tolerance, &mut rim);
        }
        let first = self.face_count;
        if rim.count < 3 || rim.count >= MAX_RIM || first + rim.count > MAX_FACES {
            return false;
        }
        let apex = self.vertex_count as u8;
        self.vertices[self.vertex_count] = next;
        self.vertex_count += 1;
        // The rim runs around the new corner: each new face lies between the one before and the one after.
        let place = |k: usize| (first + k % rim.count) as u16;
        for (k, &(outer, edge)) in rim.edges[..rim.count].iter().enumerate() {
            let face = &mut self.faces[outer as usize];
            face.beyond[edge as usize] = (place(k), 0);
            let (a, b) = (face.corners[(edge as usize + 1) % 3], face.corners[edge as usize]);
            self.add(
                [a, b, apex],
                [(outer, edge), (place(k + 1), 2), (place(k + rim.count - 1), 1)],
            );
        }
        true
    }

    /// Goes on to a face through one of its edges: buries it if `w` is in front of it, else notes the edge.
    fn look(&mut self, (face, entry): Side, w: &Vector3, tolerance: f64, rim: &mut Rim) {
        let Face { beyond, normal, distance, buried, .. } = self.faces[face as usize];
        if buried {
            return;
        }
        if normal.dot(w) - distance <= tolerance {
            rim.push((face, entry));
            return;
        }
        self.faces[face as usize].buried = true;
        for edge in [(entry + 1) % 3, (entry + 2) % 3] {
            self.look(beyond[edge as usize], w, tolerance, rim);
        }
    }

    /// Of the triangles at the least distance, the one that the origin is in front of.
    fn witness(&self, nearest: usize, tolerance: f64) -> Witness {
        let nearest = self.faces[nearest];
        let foot = |face: &Face| {
            let foot = face.normal * face.distance;
            let w = face.corners.map(|v| self.vertices[v as usize].w - foot);
            let weights = nearest_on_triangle(&w);
            let beside: Vector3 = w.iter().zip(&weights).map(|(w, weight)| w * *weight).sum();
            (beside.norm(), *face, weights)
        };
        let mut best = foot(&nearest);
        for face in &self.faces[..self.face_count] {
            if !face.buried && face.distance <= nearest.distance + tolerance {
                let other = foot(face);
                if other.0 < best.0 {
                    best = other;
                }
            }
        }
        let (_, face, weights) = best;
        let corners = face.corners.map(|v| self.vertices[v as usize]);
        let b = corners.iter().zip(&weights).map(|(d, weight)| (d.a - d.w) * *weight).sum();
        Witness { normal: -nearest.normal, gap: -nearest.distance, b }
    }
}

/// The edges around what a new corner sees, in order: the face outside, and which of its edges.
struct Rim {
    edges: [Side; MAX_RIM],
    count: usize,
}

/// Longer rims are not met; they would end the growing.
const MAX_RIM: usize = 2 * MAX_VERTICES;

impl Rim {
    fn push(&mut self, edge: Side) {
        if self.count < MAX_RIM {
            self.edges[self.count] = edge;
            self.count += 1;
        }
    }
}
