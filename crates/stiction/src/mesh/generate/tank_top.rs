//! A tank top: a sleeve with two straps over the shoulders.
//!
//! A strap goes on where columns of the sleeve end in front (`y > 0`), runs over the top in half circles and meets
//! the same columns mirrored at the back. Each half circle stays at the `x` of its column with radius `y`, so
//! `x² + y² = radius²` puts all of the straps on the half ball above the sleeve: the garment fits a capsule.

use std::f64::consts::PI;

use super::require_cells;
use super::sheet::Diagonals;
use super::sleeve::rolled;
use crate::math::Vector3;
use crate::mesh::{MeshError, TriMesh};

/// A tank top along `z` [m], its shoulders up, its normals outward.
///
/// `radii` are those of the hem and the chest, `length` is from hem to armpit, `cells` counts around (an even
/// number) and along the sleeve, `strap_cells` across a strap; straps are centred 60° from the side.
/// Groups: `hem`; of triangles: `straps`.
///
/// # Errors
/// When a length is not finite and above zero, a count is zero or odd, or straps are too wide to lie beside each other.
pub fn tank_top(
    radii: [f64; 2],
    length: f64,
    cells: [usize; 2],
    strap_cells: usize,
) -> Result<TriMesh, MeshError> {
    let name = "tank_top";
    require_cells(name, &[strap_cells])?;
    let mut soup = rolled(name, radii, length, cells, Diagonals::Alternating)?;
    let [around, along] = cells;
    // Columns of the right strap; those of the left one are mirrored.
    let first = (around as f64 / 6.0 - 0.5 * strap_cells as f64).round();
    if around % 2 == 1 || first < 1.0 || 4.0 * (first + strap_cells as f64) >= around as f64 {
        let value = format!("{cells:?} with {strap_cells} across a strap");
        let least = strap_cells.saturating_mul(6).saturating_add(8);
        let help = format!("give an even number around, at least {least}");
        return Err(MeshError::Argument { function: name, argument: "cells", value, help });
    }
    let first = first as usize;

    let armpit = around * along; // the first vertex of the top row
    let steps = ((0.25 * 3.0_f64.sqrt() * around as f64).round() as usize).max(2);
    let body = soup.elements.len() as u32;
    for start in [first, around / 2 - first - strap_cells] {
        let columns = strap_cells + 1;
        let mut rows: Vec<Vec<u32>> =
            vec![(start..start + columns).map(|i| (armpit + i) as u32).collect()];
        for step in 1..steps {
            let (sin, cos) = (PI * step as f64 / steps as f64).sin_cos();
            let id = soup.vertices.len() as u32;
            for column in start..start + columns {
                let x = soup.vertices[armpit + column];
                soup.vertices.push(Vector3::new(x.x, x.y * cos, x.z + x.y * sin));
            }
            rows.push((id..id + columns as u32).collect());
        }
        rows.push((start..start + columns).map(|i| (armpit + around - i) as u32).collect());
        for (j, pair) in rows.windows(2).enumerate() {
            for i in 0..strap_cells {
                let corners = [pair[0][i], pair[0][i + 1], pair[1][i + 1], pair[1][i]];
                soup.elements.extend(Diagonals::Alternating.cut([start + i, along + j], corners));
            }
        }
    }
    soup.vertex_tags.add("hem", &(0..around as u32).collect::<Vec<_>>());
    let straps: Vec<u32> = (body..soup.elements.len() as u32).collect();
    soup.element_tags.add("straps", &straps);
    soup.build_cloth()
}
