//! Where a surface takes a point from one state to another.
//!
//! The blend of faces that carried the point in the old state is frozen, with coordinates and heights,
//!
//! $$ x' = \sum_s \bar w_s \Bigl( \sum_k b_k\, p_k + \psi\, n(p) \Bigr) $$
//!
//! so that `x' = R x + a` for every rigid motion of the mesh, over any angle. Directions turn by the nearest
//! rotation to the blend of `F = Σ p_k g_kᵀ + n n_oldᵀ`, the deformation gradients of faces completed by normals.

use nalgebra::Rotation3;

use super::Carrier;
use super::face::{Face, centroid, outer};
use crate::energy::SingularValues;
use crate::math::{Matrix3, Vector3};

/// A point fixed to a surface. Without faces it is nowhere in particular; see [`is_empty`](Self::is_empty).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchor {
    vertices: Vec<u32>,
    faces: Vec<AnchorFace>,
}

/// One of the faces that hold an anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorFace {
    /// Which triangle.
    pub face: u32,
    /// Places of its corners among the vertices of the anchor.
    pub corners: [u32; 3],
    /// Its share; shares sum to one [-].
    pub weight: f64,
    /// Barycentric coordinates of the foot of the point on the plane of the face [-].
    pub coordinates: [f64; 3],
    /// Height of the point over the plane [m].
    pub height: f64,
}

impl Anchor {
    /// Fixes the point that `carrier` was made for. Keeps nothing of an earlier point but memory.
    pub fn hold(&mut self, carrier: &Carrier) {
        self.vertices.clear();
        self.vertices.extend_from_slice(&carrier.vertices);
        self.faces.clear();
        self.faces.extend(carrier.near.iter().map(|near| AnchorFace {
            face: near.id,
            corners: near.corners.map(|corner| corner - 1),
            weight: near.weight,
            coordinates: near.b,
            height: near.psi,
        }));
    }

    /// Another point, held at `positions` by the same faces with the same shares.
    #[must_use]
    pub fn holding(&self, x: Vector3, positions: &[Vector3]) -> Self {
        let mut other = self.clone();
        for part in &mut other.faces {
            let p = self.corners(part, positions);
            if let Some(face) = Face::new(&p) {
                (part.coordinates, part.height) = face.coordinates(&(x - centroid(&p)));
            }
        }
        other
    }

    /// Whether nothing holds it: then it is carried to the origin, and never turned.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The mesh vertices it depends on, ascending.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The faces that hold it.
    pub fn faces(&self) -> &[AnchorFace] {
        &self.faces
    }

    /// Where the surface has taken the point, now that the mesh is at `positions` [m].
    ///
    /// A face that has lost its area has no normal; it carries the foot of the point.
    pub fn carried(&self, positions: &[Vector3]) -> Vector3 {
        let place = |part: &AnchorFace| {
            let p = self.corners(part, positions);
            let [_, b1, b2] = part.coordinates;
            let foot = p[0] + (p[1] - p[0]) * b1 + (p[2] - p[0]) * b2;
            let height = Face::new(&p).map_or(Vector3::zeros(), |face| face.n * part.height);
            (foot + height) * part.weight
        };
        self.faces.iter().map(place).sum()
    }

    /// The derivative of [`carried`](Self::carried) by each of the [`vertices`](Self::vertices) [-]. Replaces what is
    /// in `blocks`.
    pub fn carried_derivative(&self, positions: &[Vector3], blocks: &mut Vec<Matrix3>) {
        blocks.clear();
        blocks.resize(self.vertices.len(), Matrix3::zeros());
        for part in &self.faces {
            let face = Face::new(&self.corners(part, positions));
            for (k, corner) in part.corners.iter().enumerate() {
                let block = &mut blocks[*corner as usize];
                *block += Matrix3::from_diagonal_element(part.weight * part.coordinates[k]);
                if let Some(Face { n, g }) = &face {
                    *block -= outer(&g[k], &(n * (part.weight * part.height)));
                }
            }
        }
    }

    /// How the surface around the point has turned from the `old` to the `new` positions of the mesh.
    ///
    /// The identity, to the bit, when nothing moved. Faces without area in either state do not count; when no face
    /// does, nothing turned.
    pub fn rotation(&self, old: &[Vector3], new: &[Vector3]) -> Rotation3<f64> {
        let mut total = 0.0;
        let mut change = Matrix3::zeros();
        for part in &self.faces {
            let (p, p_new) = (self.corners(part, old), self.corners(part, new));
            if let (Some(face), Some(face_new)) = (Face::new(&p), Face::new(&p_new)) {
                let moved: [Vector3; 3] = std::array::from_fn(|k| p_new[k] - p[k]);
                let stretch = face.velocity_gradient(&moved);
                change += (stretch + outer(&(face_new.n - face.n), &face.n)) * part.weight;
                total += part.weight;
            }
        }
        if total <= 0.0 {
            return Rotation3::identity();
        }
        let gradient = Matrix3::identity() + change / total;
        Rotation3::from_matrix_unchecked(SingularValues::new(&gradient).rotation())
    }

    fn corners(&self, part: &AnchorFace, positions: &[Vector3]) -> [Vector3; 3] {
        part.corners.map(|corner| positions[self.vertices[corner as usize] as usize])
    }
}
