//! How deep two cores are inside each other, by the expanding polytope [vdB01].
//!
//! A polytope of differences `a − b` grows until its face nearest to the origin is a face of all differences: that face is the
//! shortest way out. Distances of faces are signed, so the origin need not be inside from the start.

use super::gjk::{Difference, feature_of, nearest_on_triangle, support};
use super::pair::{Pair, Witness};
use super::{Feature, FeatureId};
use crate::geometry::shape::{Corner, MAX_CORNERS};
use crate::math::Vector3;

/// Corners of polytopes; round rims take some dozens to converge.
const MAX_VERTICES: usize = 96;
/// A polytope with that many corners has no more faces.
const MAX_FACES: usize = 2 * MAX_VERTICES;
/// What growing must gain, relative to the size.
const GAIN: f64 = 1e-12;
/// Thinner than this, relative to the size, all differences lie in a plane.
const FLAT: f64 = 1e-12;

#[derive(Clone, Copy, Default)]
struct Face {
    corners: [u8; 3],
    normal: Vector3,
    /// Of its plane from the origin, along the outward normal.
    distance: f64,
}

struct Polytope {
    vertices: [Difference; MAX_VERTICES],
    vertex_count: usize,
    faces: [Face; MAX_FACES],
    face_count: usize,
}

/// For cores that touch or overlap: `gap` is at most zero, to rounding.
pub(super) fn deepest(pair: &Pair) -> Witness {
    let size = pair.extent();
    let mut polytope = match Polytope::start(pair, FLAT * size) {
        Ok(polytope) => polytope,
        Err(flat) => return flat,
    };
    loop {
        let nearest = polytope.nearest();
        let next = support(pair, &nearest.normal);
        let gain = nearest.normal.dot(&next.w) - nearest.distance;
        if gain <= GAIN * size || !polytope.grow(next, 1e-14 * size) {
            return polytope.witness(pair, &nearest, 1e-11 * size);
        }
    }
}

impl Polytope {
    /// Four differences as far from each other as is easily found; where they lie in a plane, the way out across it.
    fn start(pair: &Pair, flat: f64) -> Result<Self, Witness> {
        let out = |d: Vector3, difference: &Difference| {
            // Towards the middle of A, if that makes a difference.
            let normal = if d.dot(&pair.shift) < 0.0 { -d } else { d };
            let feature = FeatureId::new(
                Feature::vertex(difference.numbers[0]),
                Feature::vertex(difference.numbers[1]),
            );
            Witness {
                normal,
                gap: normal.dot(&difference.w).min(0.0),
                b: difference.a - difference.w,
                feature,
            }
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
        let across = along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize();
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
        for corners in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] {
            polytope.add(corners);
        }
        Ok(polytope)
    }

    fn add(&mut self, corners: [u8; 3]) {
        let [a, b, c] = corners.map(|v| self.vertices[v as usize].w);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
        // A face without area is never the nearest, and nothing sees it.
        let distance = normal.map_or(f64::INFINITY, |n| n.dot(&(a + b + c)) / 3.0);
        let normal = normal.unwrap_or_else(Vector3::zeros);
        self.faces[self.face_count] = Face { corners, normal, distance };
        self.face_count += 1;
    }

    fn nearest(&self) -> Face {
        let mut nearest = self.faces[0];
        for face in &self.faces[1..self.face_count] {
            if face.distance < nearest.distance {
                nearest = *face;
            }
        }
        nearest
    }

    /// Replaces the faces that a new corner sees; says whether it could.
    fn grow(&mut self, next: Difference, tolerance: f64) -> bool {
        if self.vertex_count == MAX_VERTICES {
            return false;
        }
        let mut rim = [[0_u8; 2]; 3 * MAX_FACES];
        let mut rim_count = 0;
        let mut k = 0;
        while k < self.face_count {
            let face = self.faces[k];
            if face.normal.dot(&next.w) - face.distance <= tolerance {
                k += 1;
                continue;
            }
            let [a, b, c] = face.corners;
            for edge in [[a, b], [b, c], [c, a]] {
                // What two seen faces share is inside.
                let twin = rim[..rim_count].iter().position(|e| *e == [edge[1], edge[0]]);
                if let Some(twin) = twin {
                    rim_count -= 1;
                    rim[twin] = rim[rim_count];
                } else {
                    rim[rim_count] = edge;
                    rim_count += 1;
                }
            }
            self.face_count -= 1;
            self.faces[k] = self.faces[self.face_count];
        }
        if rim_count == 0 || self.face_count + rim_count > MAX_FACES {
            return false;
        }
        let apex = self.vertex_count;
        self.vertices[apex] = next;
        self.vertex_count += 1;
        for &[a, b] in &rim[..rim_count] {
            self.add([a, b, apex as u8]);
        }
        true
    }

    /// Of the triangles at the least distance, the one that the origin is in front of.
    fn witness(&self, pair: &Pair, nearest: &Face, tolerance: f64) -> Witness {
        let mut best = (f64::INFINITY, *nearest, [1.0, 0.0, 0.0]);
        for face in &self.faces[..self.face_count] {
            if face.distance <= nearest.distance + tolerance {
                let foot = face.normal * face.distance;
                let w = face.corners.map(|v| self.vertices[v as usize].w - foot);
                let weights = nearest_on_triangle(w);
                let beside: Vector3 = (0..3).map(|k| w[k] * weights[k]).sum();
                if beside.norm() < best.0 {
                    best = (beside.norm(), *face, weights);
                }
            }
        }
        let (_, face, weights) = best;
        let corners = face.corners.map(|v| self.vertices[v as usize]);
        let sum = |of: &dyn Fn(&Difference) -> Vector3| -> Vector3 {
            corners.iter().zip(&weights).map(|(corner, weight)| of(corner) * *weight).sum()
        };
        let normal = -face.normal;
        let mut room = [Corner::default(); MAX_CORNERS];
        let a = feature_of(&corners, 0, || {
            pair.a.core.face(&-pair.turn.tr_mul(&normal), &mut room).number
        });
        let b = feature_of(&corners, 1, || pair.b.core.face(&normal, &mut room).number);
        let gap = (-face.distance).min(0.0);
        Witness { normal, gap, b: sum(&|d| d.a - d.w), feature: FeatureId::new(a, b) }
    }
}
