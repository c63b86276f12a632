//! Orthotropic St. Venant–Kirchhoff membrane, for woven cloth.
//!
//! $$ \Psi(F) = \tfrac12\, e^T S\, e, \qquad
//!    e = \bigl( \tfrac12(f_u{\cdot}f_u - 1),\; \tfrac12(f_v{\cdot}f_v - 1),\; f_u{\cdot}f_v \bigr),
//!    \qquad S = \begin{pmatrix} C_{00} & C_{01} & \\ C_{01} & C_{11} & \\ & & C_{22} \end{pmatrix} $$
//!
//! `f_u`, `f_v` columns of `F`: images of the warp (`u`) and weft (`v`) axes; `e` Green strain with the
//! engineering shear last. With Young's moduli `E_u`, `E_v`, shear modulus `μ` [N/m] and Poisson's
//! ratio `ν = ν_uv` [Lar22, eq. 5.6],
//!
//! $$ C_{00} = \frac{E_u}{\Delta},\quad C_{11} = \frac{E_v}{\Delta},\quad
//!    C_{01} = \frac{\nu E_v}{\Delta},\quad C_{22} = \mu,\quad \Delta = 1 - \nu^2 \frac{E_v}{E_u} . $$
//!
//! `S` is positive definite iff `Δ > 0`, that is `C₀₀C₁₁ > C₀₁²`; `Δ` is also `1 − C₀₁²/(C₀₀C₁₁)`.
//! Measured fabrics come close to zero (a published denim has 0.0028), where the two axes lock into one
//! soft direction and stiffnesses grow as `1/Δ`; we ask for `Δ ≥ 0.05`.
//! Finite for every `F`; like all St. Venant–Kirchhoff models weak under strong compression.

use thiserror::Error;

use super::projection::{eigen_symmetric, negative_modes_dense};
use super::{MembraneDensity, NegativeModes};
use crate::math::{Matrix2, Matrix3, Matrix3x2, Matrix6, Vector3};

/// Smallest accepted `Δ = 1 − ν²E_v/E_u` [-].
pub(crate) const SMALLEST_DETERMINANT: f64 = 0.05;

/// Elastic constants of a woven sheet, as measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrthotropicModuli {
    /// Young's modulus along the warp, `E_u` [N/m].
    pub youngs_modulus_warp: f64,
    /// Young's modulus along the weft, `E_v` [N/m].
    pub youngs_modulus_weft: f64,
    /// Shear modulus `μ` [N/m].
    pub shear_modulus: f64,
    /// Poisson's ratio `ν_uv`, with `C₀₁ = ν_uv C₁₁` [-].
    pub poissons_ratio: f64,
}

/// Entries of the stiffness matrix `S` of a woven sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrthotropicStiffness {
    /// Warp stiffness [N/m].
    pub c00: f64,
    /// Weft stiffness [N/m].
    pub c11: f64,
    /// Coupling of warp and weft [N/m].
    pub c01: f64,
    /// Shear stiffness [N/m].
    pub c22: f64,
}

/// Constants of no stable, well-conditioned sheet.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum OrthotropicError {
    /// A modulus must be finite and positive.
    #[error(
        "the {which} is {value} N/m, but must be finite and positive\n  \
         help: woven cloth has 1 to 1000 N/m"
    )]
    Modulus {
        /// Which one.
        which: &'static str,
        /// The value given.
        value: f64,
    },
    /// Warp and weft are coupled so strongly that the sheet is, or nearly is, unstable.
    #[error(
        "warp and weft are coupled too strongly: 1 − C01²/(C00·C11) is {determinant:.4}, but must be \
         at least {smallest}\n  \
         help: lower Poisson's ratio to {largest_ratio:.4} or less (`with_stable_poissons_ratio`)"
    )]
    Coupling {
        /// `Δ = 1 − C₀₁²/(C₀₀C₁₁)` of the values given.
        determinant: f64,
        /// The smallest one accepted.
        smallest: f64,
        /// The largest Poisson's ratio these moduli allow.
        largest_ratio: f64,
    },
}

impl OrthotropicModuli {
    /// `Δ = 1 − ν_uv ν_vu`: above zero for a stable sheet [-].
    pub fn determinant(&self) -> f64 {
        1.0 - self.poissons_ratio.powi(2) * self.youngs_modulus_weft / self.youngs_modulus_warp
    }

    /// The same moduli with Poisson's ratio lowered, if need be, until [`OrthotropicStVenantKirchhoff`]
    /// accepts them.
    pub fn with_stable_poissons_ratio(self) -> Self {
        let largest = self.largest_poissons_ratio();
        Self { poissons_ratio: self.poissons_ratio.clamp(-largest, largest), ..self }
    }

    /// The stiffness matrix. Meaningless for an unstable sheet.
    pub fn stiffness(&self) -> OrthotropicStiffness {
        let scale = 1.0 / self.determinant();
        OrthotropicStiffness {
            c00: self.youngs_modulus_warp * scale,
            c11: self.youngs_modulus_weft * scale,
            c01: self.poissons_ratio * self.youngs_modulus_weft * scale,
            c22: self.shear_modulus,
        }
    }

    fn largest_poissons_ratio(&self) -> f64 {
        // The margin keeps the clamped value on the accepted side of rounding.
        let room = (1.0 - SMALLEST_DETERMINANT) * (1.0 - 1e-12);
        (room * self.youngs_modulus_warp / self.youngs_modulus_weft).sqrt()
    }
}

impl OrthotropicStiffness {
    /// The moduli as they would be measured.
    pub fn moduli(&self) -> OrthotropicModuli {
        let Self { c00, c11, c01, c22 } = *self;
        OrthotropicModuli {
            youngs_modulus_warp: c00 - c01 * c01 / c11,
            youngs_modulus_weft: c11 - c01 * c01 / c00,
            shear_modulus: c22,
            poissons_ratio: c01 / c11,
        }
    }

    /// `1 − C₀₁²/(C₀₀C₁₁)`: above zero for a stable sheet [-].
    pub fn determinant(&self) -> f64 {
        1.0 - self.c01 * self.c01 / (self.c00 * self.c11)
    }
}

/// Orthotropic Hooke's law on the Green strain, positive definite by construction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrthotropicStVenantKirchhoff {
    stiffness: OrthotropicStiffness,
}

impl OrthotropicStVenantKirchhoff {
    /// From measured moduli.
    pub fn from_moduli(moduli: OrthotropicModuli) -> Result<Self, OrthotropicError> {
        for (which, value) in [
            ("warp Young's modulus", moduli.youngs_modulus_warp),
            ("weft Young's modulus", moduli.youngs_modulus_weft),
            ("shear modulus", moduli.shear_modulus),
        ] {
            check_modulus(which, value)?;
        }
        // Before the division by Δ, so that the message speaks of the moduli given.
        check_coupling(moduli.determinant(), &moduli)?;
        Ok(Self { stiffness: moduli.stiffness() })
    }

    /// From the stiffness matrix.
    pub fn from_stiffness(stiffness: OrthotropicStiffness) -> Result<Self, OrthotropicError> {
        for (which, value) in [
            ("warp stiffness C00", stiffness.c00),
            ("weft stiffness C11", stiffness.c11),
            ("shear stiffness C22", stiffness.c22),
        ] {
            check_modulus(which, value)?;
        }
        check_coupling(stiffness.determinant(), &stiffness.moduli())?;
        Ok(Self { stiffness })
    }

    /// The entries of `S`.
    pub fn stiffness(&self) -> OrthotropicStiffness {
        self.stiffness
    }

    /// `s = S e`, the in-plane stress.
    fn second_stress(&self, e: &Vector3) -> Vector3 {
        let OrthotropicStiffness { c00, c11, c01, c22 } = self.stiffness;
        Vector3::new(c00 * e[0] + c01 * e[1], c01 * e[0] + c11 * e[1], c22 * e[2])
    }
}

impl MembraneDensity for OrthotropicStVenantKirchhoff {
    fn value(&self, F: &Matrix3x2) -> f64 {
        let e = green_strain(F);
        0.5 * e.dot(&self.second_stress(&e))
    }

    fn stress(&self, F: &Matrix3x2) -> Matrix3x2 {
        F * symmetric(&self.second_stress(&green_strain(F)))
    }

    fn stress_change(&self, F: &Matrix3x2, dF: &Matrix3x2) -> Matrix3x2 {
        let (fu, fv, du, dv) = (F.column(0), F.column(1), dF.column(0), dF.column(1));
        let de = Vector3::new(fu.dot(&du), fv.dot(&dv), fu.dot(&dv) + fv.dot(&du));
        dF * symmetric(&self.second_stress(&green_strain(F)))
            + F * symmetric(&self.second_stress(&de))
    }

    fn tangent(&self, F: &Matrix3x2) -> Matrix6 {
        let OrthotropicStiffness { c00, c11, c01, c22 } = self.stiffness;
        let s = self.second_stress(&green_strain(F));
        let (u, v) = (F.column(0), F.column(1));
        let (uu, vv, uv) = (u * u.transpose(), v * v.transpose(), u * v.transpose());
        let scalar = Matrix3::from_diagonal_element;
        from_blocks(
            &(uu * c00 + vv * c22 + scalar(s[0])),
            &(uv * c01 + uv.transpose() * c22 + scalar(s[2])),
            &(vv * c11 + uu * c22 + scalar(s[1])),
        )
    }

    /// Out of the plane the tangent is `s` itself and decouples: two modes in closed form. The four in
    /// the plane have none and go to a dense solver.
    fn negative_modes(&self, F: &Matrix3x2) -> NegativeModes<2> {
        let (fu, fv): (Vector3, Vector3) = (F.column(0).into(), F.column(1).into());
        let cross = fu.cross(&fv);
        let area = cross.norm();
        let T = self.tangent(F);
        // A needle has no normal worth the name.
        if area <= 1e-9 * fu.norm_squared().max(fv.norm_squared()) {
            return negative_modes_dense(&T);
        }
        let longer = if fu.norm_squared() > fv.norm_squared() { fu } else { fv };
        let (normal, t0) = (cross / area, longer.normalize());
        let t1 = normal.cross(&t0);
        let mut modes = NegativeModes::none();

        let out_of_plane = symmetric(&self.second_stress(&green_strain(F)));
        let (values, y) = eigen_symmetric(&out_of_plane);
        for k in 0..2 {
            modes.push(values[k], || normal * y.column(k).transpose());
        }

        let basis = in_plane_basis(&t0, &t1);
        let (values, y) = eigen_symmetric(&(basis.transpose() * T * basis));
        for k in 0..4 {
            modes
                .push(values[k], || Matrix3x2::from_column_slice((basis * y.column(k)).as_slice()));
        }
        modes
    }

    fn is_isotropic(&self) -> bool {
        false
    }
}

/// `[[a, b], [bᵀ, c]]`.
pub(super) fn from_blocks(a: &Matrix3, b: &Matrix3, c: &Matrix3) -> Matrix6 {
    let mut T = Matrix6::zeros();
    T.fixed_view_mut::<3, 3>(0, 0).copy_from(a);
    T.fixed_view_mut::<3, 3>(0, 3).copy_from(b);
    T.fixed_view_mut::<3, 3>(3, 0).copy_from(&b.transpose());
    T.fixed_view_mut::<3, 3>(3, 3).copy_from(c);
    T
}

fn green_strain(F: &Matrix3x2) -> Vector3 {
    let (u, v) = (F.column(0), F.column(1));
    Vector3::new(0.5 * (u.norm_squared() - 1.0), 0.5 * (v.norm_squared() - 1.0), u.dot(&v))
}

/// The 2×2 tensor of three components, shear last.
fn symmetric(s: &Vector3) -> Matrix2 {
    Matrix2::new(s[0], s[2], s[2], s[1])
}

/// Orthonormal basis of the 3×2 matrices whose columns lie in the plane of `t0` and `t1`.
fn in_plane_basis(t0: &Vector3, t1: &Vector3) -> nalgebra::SMatrix<f64, 6, 4> {
    let mut basis = nalgebra::SMatrix::<f64, 6, 4>::zeros();
    for (column, t) in [t0, t1].into_iter().enumerate() {
        basis.fixed_view_mut::<3, 1>(0, column).copy_from(t);
        basis.fixed_view_mut::<3, 1>(3, 2 + column).copy_from(t);
    }
    basis
}

fn check_modulus(which: &'static str, value: f64) -> Result<(), OrthotropicError> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(OrthotropicError::Modulus { which, value })
    }
}

fn check_coupling(determinant: f64, moduli: &OrthotropicModuli) -> Result<(), OrthotropicError> {
    if determinant >= SMALLEST_DETERMINANT {
        Ok(())
    } else {
        Err(OrthotropicError::Coupling {
            determinant,
            smallest: SMALLEST_DETERMINANT,
            largest_ratio: moduli.largest_poissons_ratio(),
        })
    }
}
