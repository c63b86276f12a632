//! Normals of vertices, averaged over their faces, with derivatives.
//!
//! $$ n = \frac{M}{|M|}, \qquad M = \sum_{\text{faces}} m, \quad \sum \hat m, \quad \sum \theta\,\hat m
//!    \qquad \text{[DLCT24, app. A]} $$
//!
//! for [area](NormalWeights::Area), [uniform](NormalWeights::Uniform) and [angle](NormalWeights::Angle) weights,
//! with `m = e₁ × e₂`, `m̂` its direction and `θ` the angle between the edges `e₁`, `e₂` that leave the vertex.
//! With `tᵢ = m̂ × ê_i` (in the plane of the face) and `lᵢ = |eᵢ|`, the angle has
//!
//! $$ \theta_1 = -\frac{t_1}{l_1}, \quad \theta_2 = \frac{t_2}{l_2}, \quad
//!    \theta_{11} = \frac{\hat e_1 t_1^T + t_1 \hat e_1^T + \cot\theta\, \hat m\hat m^T}{l_1^2}, \quad
//!    \theta_{22} = \frac{\cot\theta\, \hat m\hat m^T - \hat e_2 t_2^T - t_2 \hat e_2^T}{l_2^2}, \quad
//!    \theta_{12} = -\frac{\hat m\hat m^T}{l_1 l_2 \sin\theta} . $$
//!
//! Faces without area do not count, except in the sum of areas, where they add nothing by themselves.

use super::NormalWeights;
use super::chain::{cross_transposed_times, normal_curvature, reject, times_cross};
use super::jet::Upper;
use super::samples::{FLAT, FaceShape};
use crate::math::{Matrix3, Vector3};

/// The faces and vertices around every vertex that has any.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    weights: NormalWeights,
    vertices: Vec<Vector3>, // of the mesh, in the present shape; those without faces stay zero
    samples: Vec<Sample>,
    fans: Vec<Corner>, // of all samples
    stencil: Vec<u32>, // of all samples: mesh vertices, ascending, its own included
}

/// A vertex with faces.
#[derive(Clone, Debug)]
struct Sample {
    vertex: u32,
    own: u32, // its own place in its stencil
    fan: std::ops::Range<u32>,
    stencil: std::ops::Range<u32>,
    inverse: f64, // 1/|M|, zero without a normal
}

/// One face of a fan, without the vertex in its centre.
#[derive(Clone, Copy, Debug)]
struct Corner {
    vertices: [u32; 2], // in the order of the face
    places: [u32; 2],   // in the stencil
}

impl Rings {
    pub(super) fn new(vertex_count: usize, triangles: &[[u32; 3]], weights: NormalWeights) -> Self {
        let mut faces: Vec<(u32, [u32; 2])> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, [b, c]), (b, [c, a]), (c, [a, b])])
            .collect();
        faces.sort_by_key(|&(vertex, _)| vertex); // stable: faces of a vertex stay in their order

        let (mut samples, mut fans, mut stencil) = (Vec::new(), Vec::new(), Vec::new());
        for faces in faces.chunk_by(|a, b| a.0 == b.0) {
            let vertex = faces[0].0;
            let mut ring: Vec<u32> = faces.iter().flat_map(|(_, others)| *others).collect();
            ring.push(vertex);
            ring.sort_unstable();
            ring.dedup();
            let place = |v: u32| ring.binary_search(&v).expect("is in the ring") as u32;
            let fan_start = fans.len() as u32;
            fans.extend(
                faces.iter().map(|&(_, vertices)| Corner { vertices, places: vertices.map(place) }),
            );
            samples.push(Sample {
                vertex,
                own: place(vertex),
                fan: fan_start..fans.len() as u32,
                stencil: stencil.len() as u32..(stencil.len() + ring.len()) as u32,
                inverse: 0.0,
            });
            stencil.extend(ring);
        }
        Self { weights, vertices: vec![Vector3::zeros(); vertex_count], samples, fans, stencil }
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// The mesh vertices a sample depends on, ascending.
    pub(super) fn stencil(&self, sample: u32) -> &[u32] {
        let range = &self.samples[sample as usize].stencil;
        &self.stencil[range.start as usize..range.end as usize]
    }

    /// The place of a sample's own vertex in its stencil.
    pub(super) fn own_place(&self, sample: u32) -> usize {
        self.samples[sample as usize].own as usize
    }

    /// `1/|M|`.
    pub(super) fn inverse(&self, sample: u32) -> f64 {
        self.samples[sample as usize].inverse
    }

    pub(super) fn update(
        &mut self,
        position: impl Fn(u32) -> Vector3,
        points: &mut Vec<Vector3>,
        normals: &mut Vec<Vector3>,
    ) {
        for sample in &self.samples {
            self.vertices[sample.vertex as usize] = position(sample.vertex);
        }
        self.average(points, normals);
    }

    /// Sample points and normals of the present shape.
    fn average(&mut self, points: &mut Vec<Vector3>, normals: &mut Vec<Vector3>) {
        points.clear();
        normals.clear();
        for sample in 0..self.samples.len() {
            let (mut sum, mut lengths) = (Vector3::zeros(), 0.0);
            for corners in self.corners(sample as u32) {
                let part = corners.normal(self.weights);
                sum += part;
                lengths += part.norm();
            }
            let length = sum.norm();
            let sound = length > FLAT * lengths && length > 1e-150;
            let sample = &mut self.samples[sample];
            sample.inverse = if sound { 1.0 / length } else { 0.0 };
            points.push(self.vertices[sample.vertex as usize]);
            normals.push(sum * sample.inverse);
        }
    }

    /// Adds `B_v = ∂M/∂p_v` for every vertex of the stencil.
    pub(super) fn add_slopes(&self, sample: u32, slopes: &mut [Matrix3]) {
        for corners in self.corners(sample) {
            for (place, slope) in corners.places.iter().zip(corners.slopes(self.weights)) {
                slopes[*place as usize] += slope;
            }
        }
    }

    /// Adds `z·∂²M`.
    pub(super) fn add_curvature(&self, sample: u32, z: &Vector3, slots: &[u32], out: &mut Upper) {
        for corners in self.corners(sample) {
            let slot = corners.places.map(|place| slots[place as usize]);
            corners.curvature(self.weights, z, |v, w, block| out.add(slot[v], slot[w], block));
        }
    }

    fn corners(&self, sample: u32) -> impl Iterator<Item = Corners> {
        let Sample { vertex, own, fan, .. } = &self.samples[sample as usize];
        let x = self.vertices[*vertex as usize];
        self.fans[fan.start as usize..fan.end as usize].iter().map(move |corner| {
            let [x1, x2] = corner.vertices.map(|v| self.vertices[v as usize]);
            Corners { places: [*own, corner.places[0], corner.places[1]], x: [x, x1, x2] }
        })
    }
}

/// A face seen from one of its corners, which comes first.
struct Corners {
    places: [u32; 3],
    x: [Vector3; 3],
}

/// Pairs of corners: equal, or one and the next.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

impl Corners {
    /// The part of the face in `M`.
    #[inline]
    fn normal(&self, weights: NormalWeights) -> Vector3 {
        match weights {
            NormalWeights::Area => (self.x[1] - self.x[0]).cross(&(self.x[2] - self.x[0])),
            NormalWeights::Uniform => RingFace::new(&self.x).unit,
            NormalWeights::Angle => {
                let face = RingFace::new(&self.x);
                face.unit * face.angle()
            }
        }
    }

    /// Its part in `B` at the three corners.
    fn slopes(&self, weights: NormalWeights) -> [Matrix3; 3] {
        let [x0, x1, x2] = &self.x;
        let area = [x2 - x1, x0 - x2, x1 - x0].map(|o| o.cross_matrix());
        if weights == NormalWeights::Area {
            return area;
        }
        let face = RingFace::new(&self.x);
        let project =
            (Matrix3::identity() - face.unit * face.unit.transpose()) * face.shape.inverse;
        let uniform = area.map(|slope| project * slope);
        if weights == NormalWeights::Uniform {
            return uniform;
        }
        let (angle, angle_slopes) = (face.angle(), face.angle_slopes());
        std::array::from_fn(|v| uniform[v] * angle + face.unit * angle_slopes[v].transpose())
    }

    /// Hands out its part in `z·∂²M`, each pair of corners once.
    fn curvature(
        &self,
        weights: NormalWeights,
        z: &Vector3,
        mut add: impl FnMut(usize, usize, &Matrix3),
    ) {
        if weights == NormalWeights::Area {
            let turn = -z.cross_matrix();
            PAIRS[3..].iter().for_each(|&(v, w)| add(v, w, &turn)); // linear in each corner
            return;
        }
        let face = RingFace::new(&self.x);
        if face.shape.inverse > 0.0 {
            let curvature = match weights {
                NormalWeights::Angle => face.angle_weighted_curvature(z),
                _ => face.unit_curvature(z),
            };
            PAIRS.iter().zip(&curvature).for_each(|(&(v, w), block)| add(v, w, block));
        }
    }
}

/// A face with its unit normal, seen from corner 0.
struct RingFace {
    edges: [Vector3; 2], // e₁, e₂
    shape: FaceShape,
    unit: Vector3, // m̂, or zero
}

impl RingFace {
    fn new(x: &[Vector3; 3]) -> Self {
        let (shape, unit) = FaceShape::new(x);
        Self { edges: [x[1] - x[0], x[2] - x[0]], shape, unit }
    }

    /// `z·∂²m̂` for every one of the pairs.
    fn unit_curvature(&self, z: &Vector3) -> [Matrix3; 6] {
        let o = self.shape.edges();
        let s = normal_curvature(z, &self.unit, self.shape.inverse, None);
        let turn = (reject(z, &self.unit) * self.shape.inverse).cross_matrix();
        PAIRS.map(|(v, w)| {
            let block = cross_transposed_times(&o[v], &times_cross(&s, &o[w]));
            if v == w { block } else { block - turn }
        })
    }

    /// `z·∂²(θ m̂)` for every one of the pairs.
    fn angle_weighted_curvature(&self, z: &Vector3) -> [Matrix3; 6] {
        let (angle, slopes, curvatures) =
            (self.angle(), self.angle_slopes(), self.angle_curvatures());
        let c = reject(z, &self.unit) * self.shape.inverse;
        let unit_slopes = self.shape.edges().map(|o| c.cross(&o)); // ∂(z·m̂)
        let height = z.dot(&self.unit);
        let mut blocks = self.unit_curvature(z);
        for (block, (v, w)) in blocks.iter_mut().zip(PAIRS) {
            *block = *block * angle
                + slopes[v] * unit_slopes[w].transpose()
                + unit_slopes[v] * slopes[w].transpose()
                + curvatures[v][w] * height;
        }
        blocks
    }

    /// θ [rad].
    fn angle(&self) -> f64 {
        let [e1, e2] = &self.edges;
        e1.cross(e2).norm().atan2(e1.dot(e2))
    }

    fn angle_slopes(&self) -> [Vector3; 3] {
        let [e1, e2] = &self.edges;
        if self.shape.inverse == 0.0 {
            return [Vector3::zeros(); 3];
        }
        let by_1 = -self.unit.cross(e1) / e1.norm_squared();
        let by_2 = self.unit.cross(e2) / e2.norm_squared();
        [-by_1 - by_2, by_1, by_2]
    }

    fn angle_curvatures(&self) -> [[Matrix3; 3]; 3] {
        let [e1, e2] = &self.edges;
        let (l1, l2) = (e1.norm(), e2.norm());
        let sine = 1.0 / (self.shape.inverse * l1 * l2);
        let cotangent = e1.dot(e2) * self.shape.inverse;
        let out = self.unit * self.unit.transpose();
        let in_plane = |e: &Vector3, l: f64| {
            let turned = e * self.unit.cross(e).transpose() / (l * l);
            turned + turned.transpose()
        };
        let h11 = (in_plane(e1, l1) + out * cotangent) / (l1 * l1);
        let h22 = (out * cotangent - in_plane(e2, l2)) / (l2 * l2);
        let h12 = out / (-l1 * l2 * sine);
        // e₁ and e₂ both start at corner 0.
        let (h01, h02) = (-h11 - h12, -h12 - h22); // h12 is symmetric
        [[-h01 - h02, h01, h02], [h01, h11, h12], [h02, h12, h22]]
    }
}
