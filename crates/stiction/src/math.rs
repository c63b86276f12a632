//! Small vectors and matrices: plain `f64` aliases of nalgebra's.

/// A point or a direction in space.
pub type Vector3 = nalgebra::Vector3<f64>;
/// A point of a flat rest shape.
pub type Vector2 = nalgebra::Vector2<f64>;
/// A 3×3 matrix, for example a deformation gradient.
pub type Matrix3 = nalgebra::Matrix3<f64>;
/// A 2×2 matrix, for example a flat rest shape.
pub type Matrix2 = nalgebra::Matrix2<f64>;
/// The deformation gradient of a membrane.
pub type Matrix3x2 = nalgebra::Matrix3x2<f64>;
/// The derivative of a membrane stress, on column-major vectors.
pub type Matrix6 = nalgebra::Matrix6<f64>;
/// The derivative of a stress, on column-major vectors.
pub type Matrix9 = nalgebra::SMatrix<f64, 9, 9>;

/// A unit vector orthogonal to a vector, which is not zero.
pub fn any_across(n: Vector3) -> Vector3 {
    n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize()
}
