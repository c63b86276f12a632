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
    vertices: Vec<Vector3>, // of the mesh, in the present shape
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
        vertices: &[Vector3],
        points: &mut Vec<Vector3>,
        normals: &mut Vec<Vector3>,
    ) {
        assert_eq!(vertices.len(), self.vertices.len(), "as many vertices as at first");
        self.vertices.copy_from_slice(vertices);
        points.clear();
        normals.clear();
        for sample in 0..self.samples.len() {
            let (mut sum, mut lengths) = (Vector3::zeros(), 0.0);
            for face in self.faces(sample as u32) {
                let part = face.normal(self.weights);
                sum += part;
                lengths += part.norm();
            }
            let length = sum.norm();
            let sound = length > FLAT * lengths && length > 1e-150;
            let sample = &mut self.samples[sample];
            sample.inverse = if sound { 1.0 / length } else { 0.0 };
            points.push(vertices[sample.vertex as usize]);
            normals.push(sum * sample.inverse);
        }
    }

    /// Adds `B_v = ∂M/∂p_v` for every vertex of the stencil.
    pub(super) fn add_slopes(&self, sample: u32, slopes: &mut [Matrix3]) {
        for face in self.faces(sample) {
            for (place, slope) in face.places.iter().zip(face.slopes(self.weights)) {
                slopes[*place as usize] += slope;
            }
        }
    }

    /// Adds `z·∂²M`.
    pub(super) fn add_curvature(&self, sample: u32, z: &Vector3, slots: &[u32], out: &mut Upper) {
        for face in self.faces(sample) {
            let slot = face.places.map(|place| slots[place as usize]);
            face.curvature(self.weights, z, |v, w, block| out.add(slot[v], slot[w], block));
        }
    }

    fn faces(&self, sample: u32) -> impl Iterator<Item = RingFace> {
        let Sample { vertex, own, fan, .. } = &self.samples[sample as usize];
        let x = self.vertices[*vertex as usize];
        self.fans[fan.start as usize..fan.end as usize].iter().map(move |corner| {
            let [x1, x2] = corner.vertices.map(|v| self.vertices[v as usize]);
            let (shape, unit) = FaceShape::new(&[x, x1, x2]);
            let places = [*own, corner.places[0], corner.places[1]];
            RingFace { places, edges: [x1 - x, x2 - x], shape, unit }
        })
    }
}

/// A face seen from one of its corners: corner 0.
struct RingFace {
    places: [u32; 3],
    edges: [Vector3; 2], // e₁, e₂
    shape: FaceShape,
    unit: Vector3, // m̂, or zero
}

impl RingFace {
    /// Its part of `M`.
    fn normal(&self, weights: NormalWeights) -> Vector3 {
        match weights {
            NormalWeights::Area => self.edges[0].cross(&self.edges[1]),
            NormalWeights::Uniform => self.unit,
            NormalWeights::Angle => self.unit * self.angle(),
        }
    }

    /// Its part of `B` at the three corners.
    fn slopes(&self, weights: NormalWeights) -> [Matrix3; 3] {
        let area = self.shape.edges().map(|o| o.cross_matrix());
        let project = Matrix3::identity() - self.unit * self.unit.transpose();
        let uniform = area.map(|slope| project * slope * self.shape.inverse);
        match weights {
            NormalWeights::Area => area,
            NormalWeights::Uniform => uniform,
            NormalWeights::Angle => {
                let (angle, angle_slopes) = (self.angle(), self.angle_slopes());
                std::array::from_fn(|v| {
                    uniform[v] * angle + self.unit * angle_slopes[v].transpose()
                })
            }
        }
    }

    /// Hands out its part of `z·∂²M`, each pair of corners once.
    fn curvature(
        &self,
        weights: NormalWeights,
        z: &Vector3,
        mut add: impl FnMut(usize, usize, &Matrix3),
    ) {
        const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
        let flat = self.shape.inverse == 0.0;
        match weights {
            NormalWeights::Area => {
                let turn = -z.cross_matrix();
                PAIRS[3..].iter().for_each(|&(v, w)| add(v, w, &turn));
            }
            _ if flat => {} // counts as no face
            NormalWeights::Uniform => {
                PAIRS.iter().for_each(|&(v, w)| add(v, w, &self.unit_curvature(z, v, w)));
            }
            NormalWeights::Angle => {
                let angle = self.angle();
                let (slopes, curvatures) = (self.angle_slopes(), self.angle_curvatures());
                let c = reject(z, &self.unit) * self.shape.inverse;
                let unit_slopes = self.shape.edges().map(|o| c.cross(&o)); // ∂(z·m̂)
                let height = z.dot(&self.unit);
                for (v, w) in PAIRS {
                    let mixed = slopes[v] * unit_slopes[w].transpose()
                        + unit_slopes[v] * slopes[w].transpose();
                    let bent = curvatures[v][w] * height;
                    add(v, w, &(self.unit_curvature(z, v, w) * angle + mixed + bent));
                }
            }
        }
    }

    /// `z·∂²m̂/∂p_v∂p_w` for `w = v` or the corner after `v`.
    fn unit_curvature(&self, z: &Vector3, v: usize, w: usize) -> Matrix3 {
        let o = self.shape.edges();
        let s = normal_curvature(z, &self.unit, self.shape.inverse, None);
        let mut block = cross_transposed_times(&o[v], &times_cross(&s, &o[w]));
        if v != w {
            block -= (reject(z, &self.unit) * self.shape.inverse).cross_matrix();
        }
        block
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
