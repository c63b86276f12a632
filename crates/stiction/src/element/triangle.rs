//! Linear membrane triangles.
//!
//! $$ W(x) = A \bigl( \Psi(F) - \Psi(F_0) \bigr), \qquad F = D_s B, \qquad
//!    \frac{\partial W}{\partial x_a} = A\, P(F)\, g_a $$
//!
//! `D_s` edge vectors `x₁ − x₀`, `x₂ − x₀` as columns (3×2), `B` the inverse of the same in the flat rest
//! shape (2×2), `A` rest area [m²], `gₐ` rows of `B` [1/m], `F₀` the identity on the first two axes.
//!
//! Flat coordinates `(u, v)` run along warp and weft. They need not be unique: two panels may overlap, a
//! mirrored panel may have negative orientation, and a seam vertex may have other coordinates in each
//! triangle.

use super::rest_shape::{RestShapeError, check_size, corners};
use super::{ElementSet, Gradients, Hessian, Projection, Strained};
use crate::energy::{MembraneDensity, MembraneModel};
use crate::math::{Matrix2, Matrix3, Matrix3x2, Matrix6, Vector2, Vector3};

/// Membrane triangles of one material.
#[derive(Clone, Debug)]
pub struct TriangleSet<M = MembraneModel> {
    model: M,
    rest_density: f64, // Ψ(F₀) [J/m²]
    stiffness: f64,    // rest area times a typical modulus [J]
    rest: Vec<Rest>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    inverse: Matrix2, // B [1/m]
    area: f64,        // A [m²]
}

impl<M: MembraneDensity> TriangleSet<M> {
    /// From flat coordinates of vertices [m], warp along the first axis.
    pub fn from_flat_vertices(
        model: M,
        coordinates: &[Vector2],
        triangles: &[[u32; 3]],
    ) -> Result<Self, RestShapeError> {
        let flat = triangles
            .iter()
            .enumerate()
            .map(|(e, indices)| corners(coordinates, e, indices))
            .collect::<Result<Vec<_>, _>>()?;
        Self::from_flat_corners(model, &flat)
    }

    /// From flat coordinates of the corners of each triangle [m], warp along the first axis.
    pub fn from_flat_corners(model: M, corners: &[[Vector2; 3]]) -> Result<Self, RestShapeError> {
        let rest = corners
            .iter()
            .enumerate()
            .map(|(e, x)| Rest::new(e, x))
            .collect::<Result<Vec<_>, _>>()?;
        let mut set = Self { rest_density: 0.0, stiffness: 0.0, model, rest };
        set.measure();
        Ok(set)
    }

    /// From a rest shape in space [m]: each triangle is laid flat with its first axis along the
    /// direction of the `warp`, projected to the triangle.
    pub fn from_rest_positions(
        model: M,
        positions: &[Vector3],
        triangles: &[[u32; 3]],
        warp: Vector3,
    ) -> Result<Self, RestShapeError> {
        let flat = triangles
            .iter()
            .enumerate()
            .map(|(e, indices)| {
                flatten(e, &corners(positions, e, indices)?, &warp, model.is_isotropic())
            })
            .collect::<Result<Vec<_>, _>>()?;
        Self::from_flat_corners(model, &flat)
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
        let area: f64 = self.rest.iter().map(|rest| rest.area).sum();
        self.rest_density = self.model.value(&Matrix3x2::identity());
        self.stiffness = area * self.model.tangent(&Matrix3x2::identity()).trace() / 6.0;
    }

    /// Rest area of each element [m²].
    pub fn areas(&self) -> Vec<f64> {
        self.rest.iter().map(|rest| rest.area).collect()
    }

    /// Deformation gradient of element `e`: the images of warp and weft.
    pub fn deformation_gradient(&self, e: usize, x: &[Vector3; 3]) -> Matrix3x2 {
        edges(x) * self.rest[e].inverse
    }
}

impl<M: MembraneDensity> ElementSet<3> for TriangleSet<M> {
    fn len(&self) -> usize {
        self.rest.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 3]) -> f64 {
        let F = self.deformation_gradient(e, x);
        self.rest[e].area * (self.model.value(&F) - self.rest_density)
    }

    fn strained(&self, e: usize, x: &[Vector3; 3]) -> Option<Strained> {
        let F = self.deformation_gradient(e, x);
        Some(Strained {
            gradients: Gradients::Membrane { F, P: self.model.stress(&F) },
            energy_density: self.model.value(&F) - self.rest_density,
            rest_size: self.rest[e].area,
        })
    }

    fn energy_magnitude(&self) -> f64 {
        self.stiffness
    }

    fn gradient(&self, e: usize, x: &[Vector3; 3]) -> [Vector3; 3] {
        let P = self.model.stress(&self.deformation_gradient(e, x));
        self.rest[e].forces(&P)
    }

    fn hessian_product(&self, e: usize, x: &[Vector3; 3], dx: &[Vector3; 3]) -> [Vector3; 3] {
        let (F, dF) = (self.deformation_gradient(e, x), self.deformation_gradient(e, dx));
        self.rest[e].forces(&self.model.stress_change(&F, &dF))
    }

    fn hessian(&self, e: usize, x: &[Vector3; 3], projection: Projection) -> Hessian<3> {
        let Rest { inverse, area } = self.rest[e];
        let F = edges(x) * inverse;
        let T = match projection {
            Projection::Exact => self.model.tangent(&F),
            Projection::Positive => self.model.projected_tangent(&F),
        };
        contract(&T, &inverse, area)
    }
}

impl Rest {
    fn new(element: usize, x: &[Vector2; 3]) -> Result<Self, RestShapeError> {
        let shape = Matrix2::from_columns(&[x[1] - x[0], x[2] - x[0]]);
        let area = 0.5 * shape.determinant().abs();
        let longest_sq = shape.column(0).norm_squared().max(shape.column(1).norm_squared());
        check_size(element, "area", area, longest_sq)?;
        let degenerate = RestShapeError::Degenerate { element, quantity: "area", value: area };
        Ok(Self { inverse: shape.try_inverse().ok_or(degenerate)?, area })
    }

    /// `A P gₐ` at the three points.
    fn forces(&self, P: &Matrix3x2) -> [Vector3; 3] {
        let H = P * self.inverse.transpose() * self.area;
        let (h1, h2): (Vector3, Vector3) = (H.column(0).into(), H.column(1).into());
        [-(h1 + h2), h1, h2]
    }
}

fn edges(x: &[Vector3; 3]) -> Matrix3x2 {
    Matrix3x2::from_columns(&[x[1] - x[0], x[2] - x[0]])
}

/// Lays a triangle flat without stretching it.
fn flatten(
    element: usize,
    x: &[Vector3; 3],
    warp: &Vector3,
    any_axis_will_do: bool,
) -> Result<[Vector2; 3], RestShapeError> {
    let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
    let cross = e1.cross(&e2);
    let longest_sq = e1.norm_squared().max(e2.norm_squared());
    check_size(element, "area", 0.5 * cross.norm(), longest_sq)?;
    let normal = cross.normalize();
    let tangential = warp - normal * normal.dot(warp);
    // Below this the direction would be mostly rounding, and vary wildly between neighbours.
    let axis = if tangential.norm() > 1e-6 * warp.norm() {
        tangential.normalize()
    } else if any_axis_will_do {
        e1.normalize()
    } else {
        return Err(RestShapeError::WarpPerpendicular { element });
    };
    let across = normal.cross(&axis);
    let flat = |e: &Vector3| Vector2::new(axis.dot(e), across.dot(e));
    Ok([Vector2::zeros(), flat(&e1), flat(&e2)])
}

/// `A Σ_ij g_a[i] g_b[j] T_ij` over the 3×3 blocks of `T`, for all three points.
fn contract(T: &Matrix6, g: &Matrix2, area: f64) -> Hessian<3> {
    let block = |i: usize, j: usize| -> Matrix3 { T.fixed_view::<3, 3>(3 * i, 3 * j).into() };
    let (t00, t01, t11) = (block(0, 0), block(0, 1), block(1, 1));
    let t10 = t01.transpose();
    let entry = |a: usize, b: usize| {
        (t00 * (g[(a, 0)] * g[(b, 0)])
            + t01 * (g[(a, 0)] * g[(b, 1)])
            + t10 * (g[(a, 1)] * g[(b, 0)])
            + t11 * (g[(a, 1)] * g[(b, 1)]))
            * area
    };
    let (k11, k12, k22) = (entry(0, 0), entry(0, 1), entry(1, 1));
    let k21 = k12.transpose();
    let (k10, k20) = (-(k11 + k12), -(k21 + k22));
    [[-(k10 + k20), k10.transpose(), k20.transpose()], [k10, k11, k12], [k20, k21, k22]]
}
