//! Linear tetrahedra.
//!
//! $$ W(x) = w \bigl( \Psi(F) - \Psi(I) \bigr), \qquad F = D_s B, \qquad
//!    \frac{\partial W}{\partial x_a} = w\, P(F)\, g_a $$
//!
//! `D_s` edge vectors `xₐ − x₀` as columns, `B` the inverse of the same at rest, `w` rest volume [m³],
//! `gₐ` rest gradients of the shape functions [1/m]: the rows of `B`, and minus their sum for point 0.

use super::rest_shape::{RestShapeError, check_size, corners};
use super::{ElementSet, Gradients, Hessian, Projection, Strained};
use crate::energy::{DirectionalBlocks, ElasticDensity, SolidModel};
use crate::math::{Matrix3, Vector3};

/// Tetrahedra of one material.
#[derive(Clone, Debug)]
pub struct TetrahedronSet<M = SolidModel> {
    model: M,
    rest_density: f64, // Ψ(I) [J/m³]
    stiffness: f64,    // rest volume times a typical modulus [J]
    rest: Vec<Rest>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    inverse: Matrix3, // B [1/m]
    volume: f64,      // w [m³]
}

impl<M: ElasticDensity> TetrahedronSet<M> {
    /// Builds the elements from the rest positions of vertices [m] and four indices each.
    pub fn new(
        model: M,
        positions: &[Vector3],
        tetrahedra: &[[u32; 4]],
    ) -> Result<Self, RestShapeError> {
        let rest = tetrahedra
            .iter()
            .enumerate()
            .map(|(e, indices)| Rest::new(e, &corners(positions, e, indices)?))
            .collect::<Result<Vec<_>, _>>()?;
        let mut set = Self { rest_density: 0.0, stiffness: 0.0, model, rest };
        set.measure();
        Ok(set)
    }

    /// The elastic model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Replaces the elastic model, keeping rest shapes.
    pub fn set_model(&mut self, model: M) {
        self.model = model;
        self.measure();
    }

    fn measure(&mut self) {
        let volume: f64 = self.rest.iter().map(|rest| rest.volume).sum();
        self.rest_density = self.model.value(&Matrix3::identity());
        self.stiffness = volume * self.model.tangent(&Matrix3::identity()).trace() / 9.0;
    }

    /// Rest volume of each element [m³].
    pub fn volumes(&self) -> Vec<f64> {
        self.rest.iter().map(|rest| rest.volume).collect()
    }

    /// Deformation gradient of element `e`.
    pub fn deformation_gradient(&self, e: usize, x: &[Vector3; 4]) -> Matrix3 {
        edges(x) * self.rest[e].inverse
    }
}

impl<M: ElasticDensity> ElementSet<4> for TetrahedronSet<M> {
    fn len(&self) -> usize {
        self.rest.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 4]) -> f64 {
        let F = self.deformation_gradient(e, x);
        self.rest[e].volume * (self.model.value(&F) - self.rest_density)
    }

    fn strained(&self, e: usize, x: &[Vector3; 4]) -> Option<Strained> {
        let F = self.deformation_gradient(e, x);
        Some(Strained {
            gradients: Gradients::Solid { F, P: self.model.stress(&F) },
            energy_density: self.model.value(&F) - self.rest_density,
            rest_size: self.rest[e].volume,
        })
    }

    fn energy_magnitude(&self) -> f64 {
        self.stiffness
    }

    fn gradient(&self, e: usize, x: &[Vector3; 4]) -> [Vector3; 4] {
        let P = self.model.stress(&self.deformation_gradient(e, x));
        self.rest[e].forces(&P)
    }

    fn hessian_product(&self, e: usize, x: &[Vector3; 4], dx: &[Vector3; 4]) -> [Vector3; 4] {
        let (F, dF) = (self.deformation_gradient(e, x), self.deformation_gradient(e, dx));
        self.rest[e].forces(&self.model.stress_change(&F, &dF))
    }

    fn hessian(&self, e: usize, x: &[Vector3; 4], projection: Projection) -> Hessian<4> {
        let Rest { inverse, volume } = self.rest[e];
        let F = edges(x) * inverse;
        let g: [Vector3; 3] = std::array::from_fn(|a| inverse.row(a).transpose());
        let K = match projection {
            Projection::Exact => self.model.directional_tangent(&F, &g),
            Projection::Positive => self.model.projected_directional_tangent(&F, &g),
        };
        with_first_point(&K, volume)
    }
}

impl Rest {
    fn new(element: usize, x: &[Vector3; 4]) -> Result<Self, RestShapeError> {
        let shape = edges(x);
        let volume = shape.determinant() / 6.0;
        let longest = (0..3).fold(0.0_f64, |longest, k| longest.max(shape.column(k).norm()));
        if volume < -1e-12 * longest.powi(3) {
            return Err(RestShapeError::Inverted { element, volume });
        }
        check_size(element, "volume", volume, longest.powi(3))?;
        let degenerate = RestShapeError::Degenerate { element, quantity: "volume", value: volume };
        Ok(Self { inverse: shape.try_inverse().ok_or(degenerate)?, volume })
    }

    /// `w P gₐ` at the four points.
    fn forces(&self, P: &Matrix3) -> [Vector3; 4] {
        let H = P * self.inverse.transpose() * self.volume;
        let [h1, h2, h3]: [Vector3; 3] = std::array::from_fn(|a| H.column(a).into());
        [-(h1 + h2 + h3), h1, h2, h3]
    }
}

fn edges(x: &[Vector3; 4]) -> Matrix3 {
    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
}

/// Scales the blocks of points 1 to 3 and adds those of point 0: moving all points together
/// changes nothing, so every row and column of blocks sums to zero.
fn with_first_point(K: &DirectionalBlocks, volume: f64) -> Hessian<4> {
    let k = |a: usize, b: usize| K[a][b] * volume;
    let (k11, k12, k13, k22, k23, k33) = (k(0, 0), k(0, 1), k(0, 2), k(1, 1), k(1, 2), k(2, 2));
    let (k21, k31, k32) = (k12.transpose(), k13.transpose(), k23.transpose());
    let (k10, k20, k30) = (-(k11 + k12 + k13), -(k21 + k22 + k23), -(k31 + k32 + k33));
    let k00 = -(k10 + k20 + k30);
    [
        [k00, k10.transpose(), k20.transpose(), k30.transpose()],
        [k10, k11, k12, k13],
        [k20, k21, k22, k23],
        [k30, k31, k32, k33],
    ]
}
