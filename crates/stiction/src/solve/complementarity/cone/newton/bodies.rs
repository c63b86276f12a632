//! Systems over velocities of bodies ([`newton::bodies`](super::super::super::newton::bodies)) of contacts with three
//! rows.

use super::super::super::newton::bodies::{Bodies, Rows};
use super::super::{ContactProblem, Delassus, MassJacobian};
use crate::math::Matrix3;

pub(super) fn new<A: Delassus>(problem: &ContactProblem<A>, bodies: &MassJacobian) -> Bodies<3> {
    let jacobian = bodies.scaled();
    let mut rows = Rows::empty(jacobian.columns());
    for i in 0..jacobian.rows() {
        rows.push(jacobian.row_columns(i), jacobian.row_blocks(i));
    }
    Bodies::new(rows, problem.compliance().to_vec(), inverse)
}

/// `H⁻¹`. Those of interior points are symmetric, and near the boundary of a cone their eigenvalues are so far apart
/// that the least are rounding: such are made larger, or a contact would pull where it should hardly hold. Beside `A`
/// nobody notices.
fn inverse(own: &Matrix3) -> Matrix3 {
    if *own != own.transpose() {
        return own.try_inverse().unwrap_or_else(|| Matrix3::repeat(f64::NAN));
    }
    let eigen = own.symmetric_eigen();
    let least = 1e-14 * eigen.eigenvalues.amax();
    let inverses = Matrix3::from_diagonal(&eigen.eigenvalues.map(|value| 1.0 / value.max(least)));
    eigen.eigenvectors * inverses * eigen.eigenvectors.transpose()
}
