//! How a deforming surface carries points near it.
//!
//! Friction acts against the motion of a point relative to a surface. The point is not *on* the surface: there
//! is a gap, and the surface has faces whose edges nobody should feel. So the velocity of the surface is
//! continued into the space around it, face by face, and blended:
//!
//! $$ v_B(x) = \sum_s \bar w_s \Bigl( \sum_k b_k v_k + \psi\, \dot n \Bigr), \qquad
//!    \bar w_s = \frac{\varphi(|x - c_s|)}{\sum \varphi}, \qquad \varphi(r) = 1 - 3\rho^2 + 2\rho^3,\ \rho = r/R $$
//!
//! with, for each face `s` whose centroid `c` is closer than the radius `R`: `b_k` the barycentric coordinates of
//! the foot of `x` on the plane of the face (any numbers that sum to one), `n` the unit normal, `ψ = n·(x − c)`
//! the height. With `g_k = ∇b_k`, the normal turns by `∂n/∂p_k = −g_k nᵀ`, so that `w = v_x − v_B(x) = B v`
//! over the point and the vertices has the blocks
//!
//! $$ B_x = I, \qquad B_k = -\sum_{s \ni k} \bar w_s\, (b_k I - \psi\, g_k n^T). $$
//!
//! A rigid motion of the mesh gives `v_B(x) = a + ω × x`, to rounding. Point and surface moving rigidly together
//! do not slip, and therefore forces `f = −Bᵀ t` have no sum and no moment: friction keeps linear and angular
//! momentum, whatever the gap. (Plain weights, without the turning normal, leave a moment of gap times `t`.) For
//! one segment in the plane this is the slip gradient, the rate of the arc length under the point.
//!
//! A solver also needs how all of this changes with `q = (x, p)`, through weights, coordinates, heights and normals.
//! Everything follows from, with `G_kj = g_k·g_j`,
//!
//! | by | `x` | `p_j` |
//! |---|---|---|
//! | `b_k` | `g_k` | `−b_j g_k + ψ G_kj n` |
//! | `ψ` | `n` | `−b_j n` |
//! | `n` | `0` | `−g_j nᵀ` |
//! | `g_k` | `0` | `−g_j g_kᵀ + G_kj n nᵀ` |
//!
//! [`Carrier`] works on velocities; [`Anchor`] on positions, from an old state to a new one.

#![expect(non_snake_case, reason = "B and L as in the formulas")]

mod anchor;
mod face;

pub use anchor::{Anchor, AnchorFace};

use crate::math::{Matrix3, Vector3};
use face::{Face, outer};

/// What carries one point: a blend of the faces near it. Its memory is reused from point to point.
///
/// Where results come as lists over `(x, p)`, the point is first and the [`vertices`](Self::vertices) follow.
#[derive(Clone, Debug, Default)]
#[doc(alias("slip gradient"))]
pub struct Carrier {
    vertices: Vec<u32>,
    operator: Vec<Matrix3>,
    near: Vec<Near>,
    fade: Vec<Vector3>, // ∂(ln Σφ)/∂q [1/m]
    places: Vec<u32>,   // by mesh vertex: its place in the lists over (x, p); UNSEEN between points
}

const UNSEEN: u32 = u32::MAX;

/// A face near the point.
#[derive(Clone, Copy, Debug)]
struct Near {
    id: u32,
    corners: [u32; 3], // places in the lists over (x, p)
    weight: f64,       // w̄; φ until the sum is known
    pull: Vector3,     // (∂φ/∂x) / Σφ [1/m]; ∂φ/∂x until the sum is known
    face: Face,
    b: [f64; 3],
    psi: f64, // [m]
}

impl Carrier {
    /// Finds what carries the point `x` [m]: those `candidates` among the triangles whose centroids are closer than
    /// `radius` [m]. Triangles without area do not count.
    ///
    /// False when there are none: nothing carries the point, and all lists are empty.
    pub fn find(
        &mut self,
        x: &Vector3,
        radius: f64,
        positions: &[Vector3],
        triangles: &[[u32; 3]],
        candidates: &[u32],
    ) -> bool {
        self.gather(x, radius, positions, triangles, candidates);
        self.number_vertices(positions.len(), triangles);
        self.blend();
        !self.near.is_empty()
    }

    /// The mesh vertices that carry the point, ascending.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// `B`: blocks that take velocities to the velocity of the point relative to the surface [-].
    pub fn operator(&self) -> &[Matrix3] {
        &self.operator
    }

    /// `w = B v`: the velocity of the point relative to the surface [m/s], from `velocities` over `(x, p)`.
    ///
    /// # Panics
    /// When there are not as many velocities.
    pub fn relative_velocity(&self, velocities: &[Vector3]) -> Vector3 {
        assert_eq!(
            velocities.len(),
            self.operator.len(),
            "a velocity for the point and each vertex"
        );
        self.operator.iter().zip(velocities).map(|(block, v)| block * v).sum()
    }

    /// `∂(B v)/∂q` for fixed `velocities` over `(x, p)` [1/s]: one block for each. Replaces what is in `change`.
    ///
    /// # Panics
    /// When there are not as many velocities.
    pub fn relative_velocity_change(&self, velocities: &[Vector3], change: &mut Vec<Matrix3>) {
        assert_eq!(
            velocities.len(),
            self.operator.len(),
            "a velocity for the point and each vertex"
        );
        change.clear();
        change.resize(self.operator.len(), Matrix3::zeros());
        if self.near.is_empty() {
            return;
        }
        let carried = velocities[0] - self.relative_velocity(velocities);
        for Near { corners, weight, pull, face, b, psi, .. } in &self.near {
            let v = corners.map(|corner| velocities[corner as usize]);
            // y = Σ b_k v_k − ψ m is what this face alone would carry the point with.
            let L = face.velocity_gradient(&v);
            let m = L.tr_mul(&face.n);
            let y = v[0] * b[0] + v[1] * b[1] + v[2] * b[2] - m * *psi;
            let by_weight = outer(&(y - carried), pull);
            let dy_dx = L - outer(&m, &face.n);
            change[0] -= by_weight + dy_dx * *weight;
            let shared = by_weight / 3.0;
            for (j, corner) in corners.iter().enumerate() {
                let g = &face.g[j];
                let turned = L * g + L.tr_mul(g) - face.n * m.dot(g);
                let by_height = (outer(g, &m) + outer(&turned, &face.n)) * (weight * psi);
                change[*corner as usize] += shared + dy_dx * (weight * b[j]) - by_height;
            }
        }
    }

    /// `Bᵀ t`: how a force `t` on the point spreads over `(x, p)`, in the unit of `t`. No sum, no moment.
    /// Replaces what is in `spread`.
    pub fn spread(&self, t: &Vector3, spread: &mut Vec<Vector3>) {
        spread.clear();
        spread.extend(self.operator.iter().map(|block| block.tr_mul(t)));
    }

    /// `∂(Bᵀ t)/∂q` for a fixed `t`, in the unit of `t` by [m]: blocks row by row, a row for each of `(x, p)`, a
    /// column for each. Replaces what is in `change`.
    pub fn spread_change(&self, t: &Vector3, change: &mut Vec<Matrix3>) {
        let size = self.operator.len();
        change.clear();
        change.reserve(size * size);
        // What a face does is local; only the sum of all φ couples every vertex with every other.
        change.resize(size, Matrix3::zeros());
        for block in self.operator.iter().skip(1) {
            let z = -block.tr_mul(t);
            change.extend(self.fade.iter().map(|fade| outer(&z, fade)));
        }
        for near in &self.near {
            near.add_spread_change(t, size, change);
        }
    }

    /// The faces close enough, with raw weights.
    fn gather(
        &mut self,
        x: &Vector3,
        radius: f64,
        positions: &[Vector3],
        triangles: &[[u32; 3]],
        candidates: &[u32],
    ) {
        self.near.clear();
        let per_radius = 1.0 / radius;
        for &id in candidates {
            let p = triangles[id as usize].map(|vertex| positions[vertex as usize]);
            let d = x - face::centroid(&p);
            let rho = d.norm() * per_radius;
            if rho < 1.0
                && let Some(face) = Face::new(&p)
            {
                let (b, psi) = face.coordinates(&d);
                // φ and φ'/r in factored form: no digits cancel near the radius.
                let weight = (1.0 - rho) * (1.0 - rho) * (1.0 + 2.0 * rho);
                let pull = d * (-6.0 * (1.0 - rho) * per_radius * per_radius);
                self.near.push(Near { id, corners: [0; 3], weight, pull, face, b, psi });
            }
        }
    }

    /// Lists the vertices and tells the faces where theirs are. By a table: searching costs more than all the rest.
    fn number_vertices(&mut self, vertex_count: usize, triangles: &[[u32; 3]]) {
        let Self { vertices, near, places, .. } = self;
        if places.len() < vertex_count {
            places.resize(vertex_count, UNSEEN);
        }
        vertices.clear();
        for near in near.iter() {
            for vertex in triangles[near.id as usize] {
                if places[vertex as usize] == UNSEEN {
                    places[vertex as usize] = 0;
                    vertices.push(vertex);
                }
            }
        }
        vertices.sort_unstable();
        for (place, &vertex) in (1..).zip(vertices.iter()) {
            places[vertex as usize] = place;
        }
        for near in near {
            near.corners = triangles[near.id as usize].map(|vertex| places[vertex as usize]);
        }
        for &vertex in vertices.iter() {
            places[vertex as usize] = UNSEEN;
        }
    }

    /// Weights that sum to one, and the blocks they blend.
    fn blend(&mut self) {
        let Self { vertices, operator, near, fade, .. } = self;
        operator.clear();
        fade.clear();
        if near.is_empty() {
            return;
        }
        operator.resize(1 + vertices.len(), Matrix3::zeros());
        fade.resize(1 + vertices.len(), Vector3::zeros());
        operator[0] = Matrix3::identity();
        let scale = 1.0 / near.iter().map(|near| near.weight).sum::<f64>();
        for Near { corners, weight, pull, face, b, psi, .. } in near {
            *weight *= scale;
            *pull *= scale;
            fade[0] += *pull;
            let lift = face.n * (*weight * *psi);
            let third = *pull / 3.0;
            for (k, corner) in corners.iter().enumerate() {
                let block = &mut operator[*corner as usize];
                *block += outer(&face.g[k], &lift);
                block.m11 -= *weight * b[k];
                block.m22 -= *weight * b[k];
                block.m33 -= *weight * b[k];
                fade[*corner as usize] -= third;
            }
        }
    }
}

impl Near {
    /// What this face adds to `∂(Bᵀ t)/∂q`, in rows of `size` blocks.
    ///
    /// Its part of `Bᵀ t` is `−w̄ z_k` with `z_k = b_k t − ψ (g_k·t) n`, and
    /// `∂z_k/∂p_j = −z_j g_kᵀ + [ψ G_kj t + ψ (g_k·t) g_j + (b_j (g_k·t) − ψ G_kj (n·t)) n] nᵀ`.
    fn add_spread_change(&self, t: &Vector3, size: usize, change: &mut [Matrix3]) {
        let Self { weight, pull, face: Face { n, g }, b, psi, .. } = self;
        let tau = g.map(|g| g.dot(t));
        let z: [Vector3; 3] = std::array::from_fn(|k| t * b[k] - n * (psi * tau[k]));
        let weighted_z = z.map(|z| z * *weight);
        let (lift, third) = (-(weight * psi), pull / 3.0);
        let lifted_t = (t - n * n.dot(t)) * lift;
        for k in 0..3 {
            let row = &mut change[size * self.corners[k] as usize..][..size];
            let by_weight = outer(&z[k], &third);
            for j in 0..3 {
                let along_n = lifted_t * g[k].dot(&g[j]) + g[j] * (lift * tau[k])
                    - n * (weight * b[j] * tau[k]);
                row[self.corners[j] as usize] +=
                    outer(&weighted_z[j], &g[k]) + outer(&along_n, n) + by_weight;
            }
            // By x: moving everything together changes nothing, and the sums over j are short.
            let along_n = n * (weight * tau[k]);
            row[0] += outer(&along_n, n) - outer(&(t * *weight), &g[k]) - outer(&z[k], pull);
        }
    }
}
