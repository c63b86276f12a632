//! Principal axes: where an inertia is diagonal.

use nalgebra::{Rotation3, UnitQuaternion};

use crate::math::{Matrix3, Vector3};

/// `I = R diag(moments) Rᵀ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxes {
    /// Ascending [kg·m²].
    pub moments: Vector3,
    /// From the principal axes to the frame of the inertia.
    pub rotation: UnitQuaternion<f64>,
}

impl PrincipalAxes {
    /// Of a symmetric matrix. Where moments are equal, axes are some of the possible ones, always the same.
    pub fn of(inertia: &Matrix3) -> Self {
        // Scaled, so that tiny and huge bodies are alike.
        let scale = inertia.amax();
        if scale == 0.0 || !scale.is_finite() {
            return Self { moments: Vector3::zeros(), rotation: UnitQuaternion::identity() };
        }
        let eigen = (inertia / scale).symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        let axis = |k: usize| eigen.eigenvectors.column(order[k]).normalize();
        let (x, y) = (axis(0), axis(1));
        // Right-handed, whatever the signs of eigenvectors.
        let basis = Matrix3::from_columns(&[x, y, x.cross(&y)]);
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(basis));
        let moments = Vector3::from_fn(|k, _| eigen.eigenvalues[order[k]] * scale);
        Self { moments, rotation }
    }
}
