//! The angle between two triangles that share an edge, with first and second derivatives.
//!
//! ```text
//!         x3
//!        /  \        face 1: x0, x1, x3
//!      x0 ── x1      edge e0 = x1 − x0, length L, unit vector û
//!        \  /        face 0: x0, x1, x2
//!         x2
//! ```
//!
//! $$ \theta = \mathrm{atan2}\bigl( -L\,(n_0 \cdot e_2),\; n_0 \cdot n_1 \bigr), \qquad
//!    n_0 = e_0 \times e_1, \quad n_1 = e_2 \times e_0 $$
//!
//! with `e₁ = x₂ − x₀`, `e₂ = x₃ − x₀`. Zero when flat, and smooth there, where the arc cosine of the
//! normals has an infinite slope. Seen as a function of `(e₀, e₁, e₂)`, with unit normals `n̂ₖ`, heights
//! `hₖ = |nₖ|/L`, in-plane directions `bₖ = û × n̂ₖ` and `aₖ = eₖ₊₁·û`,
//!
//! $$ \frac{\partial\theta}{\partial e_1} = -\frac{\hat n_0}{h_0}, \qquad
//!    \frac{\partial\theta}{\partial e_2} = -\frac{\hat n_1}{h_1}, \qquad
//!    \frac{\partial\theta}{\partial e_0} = \frac{a_0 \hat n_0}{L h_0} + \frac{a_1 \hat n_1}{L h_1} $$
//!
//! and, with the symmetric products $S_k = b_k \hat n_k^T + \hat n_k b_k^T$ and
//! $U_k = \hat u\, \hat n_k^T + \hat n_k \hat u^T$,
//!
//! $$ H_{11} = -\frac{S_0}{h_0^2}, \quad H_{22} = \frac{S_1}{h_1^2}, \quad H_{12} = 0, \quad
//!    H_{01} = \frac{\hat n_0 \hat u^T}{L h_0} + \frac{a_0 S_0}{L h_0^2}, \quad
//!    H_{02} = \frac{\hat n_1 \hat u^T}{L h_1} - \frac{a_1 S_1}{L h_1^2}, $$
//!
//! $$ H_{00} = \frac{1}{L^2} \Bigl[ \bigl(\tfrac{a_1^2}{h_1^2} + \tfrac12\bigr) S_1
//!    - \bigl(\tfrac{a_0^2}{h_0^2} + \tfrac12\bigr) S_0
//!    - \tfrac{a_0}{h_0} U_0 - \tfrac{a_1}{h_1} U_1 \Bigr] . $$
//!
//! These follow by differentiating the gradient; compare [TG13], which groups them by edge normals.

use super::Hessian;
use crate::math::{Matrix3, Vector3};

/// The geometry of one hinge.
#[derive(Clone, Copy, Debug)]
pub struct HingeAngle {
    inverse_length: f64, // 1/L; zero for an edge without length
    u: Vector3,          // along the edge
    faces: [Face; 2],
    /// Dihedral angle in (−π, π], zero when flat [rad].
    pub angle: f64,
}

/// One of the two triangles.
#[derive(Clone, Copy, Debug)]
struct Face {
    n: Vector3,          // unit normal
    along: f64,          // a, where the opposite point projects on the edge
    inverse_height: f64, // 1/h; zero for a collapsed face, which then exerts no force
}

impl HingeAngle {
    /// The hinge on edge `x[0] x[1]` with opposite points `x[2]` and `x[3]`.
    pub fn new(x: &[Vector3; 4]) -> Self {
        let (e0, e1, e2) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let (n0, n1) = (e0.cross(&e1), e2.cross(&e0));
        let length = e0.norm();
        let u = e0.try_normalize(0.0).unwrap_or_else(Vector3::x);
        let angle = (-length * n0.dot(&e2)).atan2(n0.dot(&n1));
        let faces = [Face::new(&n0, &e1, length, &u), Face::new(&n1, &e2, length, &u)];
        let inverse_length = if length > 0.0 { 1.0 / length } else { 0.0 };
        Self { inverse_length, u, faces, angle }
    }

    /// Derivative of the angle with respect to the four points [rad/m].
    pub fn gradient(&self) -> [Vector3; 4] {
        let [f0, f1] = &self.faces;
        let (m0, m1) = (f0.n * f0.inverse_height, f1.n * f1.inverse_height);
        let g1 = (m0 * f0.along + m1 * f1.along) * self.inverse_length;
        [m0 + m1 - g1, g1, -m0, -m1]
    }

    /// Second derivative of the angle with respect to the four points [rad/m²].
    pub fn hessian(&self) -> Hessian<4> {
        let (u, r) = (&self.u, self.inverse_length);
        let part = |face: &Face| {
            let b = u.cross(&face.n);
            let (bn, un) = (b * face.n.transpose(), u * face.n.transpose());
            let i = face.inverse_height;
            let slope = face.along * i; // a/h
            (bn + bn.transpose(), un + un.transpose(), un.transpose() * (r * i), slope, i)
        };
        let (s0, u0, nu0, slope0, i0) = part(&self.faces[0]);
        let (s1, u1, nu1, slope1, i1) = part(&self.faces[1]);

        // Points 1, 2, 3 move e0, e1, e2.
        let k11 = (s1 * (slope1 * slope1 + 0.5)
            - s0 * (slope0 * slope0 + 0.5)
            - u0 * slope0
            - u1 * slope1)
            * (r * r);
        let k12 = nu0 + s0 * (slope0 * i0 * r);
        let k13 = nu1 - s1 * (slope1 * i1 * r);
        let (k22, k33) = (s0 * (-i0 * i0), s1 * (i1 * i1));
        let (k21, k31) = (k12.transpose(), k13.transpose());
        let (k10, k20, k30) = (-(k11 + k12 + k13), -(k21 + k22), -(k31 + k33));
        let zero = Matrix3::zeros();
        [
            [-(k10 + k20 + k30), k10.transpose(), k20.transpose(), k30.transpose()],
            [k10, k11, k12, k13],
            [k20, k21, k22, zero],
            [k30, k31, zero, k33],
        ]
    }
}

impl Face {
    fn new(normal: &Vector3, opposite: &Vector3, length: f64, u: &Vector3) -> Self {
        let along = opposite.dot(u);
        let size = normal.norm();
        // Twice the area, against the rounding of a triangle of this size.
        if size > 1e-14 * (length * length + opposite.norm_squared()) {
            Self { n: normal / size, along, inverse_height: length / size }
        } else {
            Self { n: Vector3::zeros(), along, inverse_height: 0.0 }
        }
    }
}
