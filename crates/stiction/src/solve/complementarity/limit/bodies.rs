//! Systems over velocities of bodies ([`newton::bodies`](super::super::newton::bodies)) of contacts with six rows, in
//! their scaled coordinates: rows of `B` are multiplied by `D`.

use nalgebra::SMatrix;

use super::super::cone::operator::{Delassus, MassJacobian};
use super::super::newton::bodies::{Bodies, Rows};
use super::LimitProblem;
use super::problem::{Block, Six};

pub(super) fn new<A: Delassus>(problem: &LimitProblem<A>, bodies: &MassJacobian) -> Bodies<6> {
    let jacobian = bodies.scaled();
    let mut all = Rows::empty(jacobian.columns());
    let (mut columns, mut parts) = (Vec::new(), Vec::new());
    for contact in problem.parts() {
        let rows = contact.row..contact.row + contact.size / 3;
        columns.clear();
        // What turns a contact also moves it, nearly always: one sorted list is short enough to search.
        columns.extend(rows.clone().flat_map(|row| jacobian.row_columns(row)).copied());
        columns.sort_unstable();
        columns.dedup();
        parts.clear();
        parts.resize(columns.len(), SMatrix::<f64, 6, 3>::zeros());
        for (k, row) in rows.enumerate() {
            for (column, block) in jacobian.row(row) {
                let at = columns.binary_search(&(column as u32)).expect("one of its columns");
                for i in 0..3 {
                    let scaled = block.row(i) * contact.scale[3 * k + i];
                    parts[at].row_mut(3 * k + i).copy_from(&scaled);
                }
            }
        }
        all.push(&columns, &parts);
    }
    let compliance =
        |contact: &super::problem::Contact| Six::new(contact.compliance, 0.0, 0.0, 0.0, 0.0, 0.0);
    Bodies::new(all, problem.parts().iter().map(compliance).collect(), inverse)
}

/// `H⁻¹`; for the symmetric ones of interior points as in [`cone`](super::super::cone).
fn inverse(own: &Block) -> Block {
    if *own != own.transpose() {
        return own.try_inverse().unwrap_or_else(|| Block::repeat(f64::NAN));
    }
    let eigen = own.symmetric_eigen();
    let least = 1e-14 * eigen.eigenvalues.amax();
    let inverses = Block::from_diagonal(&eigen.eigenvalues.map(|value| 1.0 / value.max(least)));
    eigen.eigenvectors * inverses * eigen.eigenvectors.transpose()
}
