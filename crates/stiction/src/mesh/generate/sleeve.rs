//! Cloth rolled up: a sleeve, or a skirt if it is wider at the bottom.

use super::sheet::Diagonals;
use super::{require_budget, require_cells, require_length};
use crate::math::Vector3;
use crate::mesh::{MeshError, TriMesh, TriSoup};

/// An open tube of cloth along `z` [m], its normals outward.
///
/// `radii` are those of the bottom and the top, `length` is along the axis, `cells` counts around and along.
/// Diagonals alternate all around if the count around is even. Groups: `bottom`, `top`.
///
/// # Errors
/// When a length is not finite and above zero, or a count is zero (around: below three).
pub fn sleeve(
    radii: [f64; 2],
    length: f64,
    cells: [usize; 2],
    diagonals: Diagonals,
) -> Result<TriMesh, MeshError> {
    let mut soup = rolled("sleeve", radii, length, cells, diagonals)?;
    let [around, along] = cells.map(|n| n as u32);
    soup.vertex_tags.add("bottom", &(0..around).collect::<Vec<_>>());
    soup.vertex_tags.add("top", &(along * around..(along + 1) * around).collect::<Vec<_>>());
    soup.build_cloth()
}

/// The sleeve without groups. Vertex `i + around · j` is at angle `i`, height `j`.
pub(super) fn rolled(
    name: &'static str,
    radii: [f64; 2],
    length: f64,
    cells: [usize; 2],
    diagonals: Diagonals,
) -> Result<TriSoup, MeshError> {
    for radius in radii {
        require_length(name, "radius", radius)?;
    }
    require_length(name, "length", length)?;
    require_cells(name, &cells)?;
    let [around, along] = cells;
    if around < 3 {
        let (value, help) = (format!("{cells:?}"), "give at least three cells around".to_owned());
        return Err(MeshError::Argument { function: name, argument: "cells", value, help });
    }
    require_budget(name, "cells", cells, 2.0 * around as f64 * along as f64)?;

    let mut vertices = Vec::with_capacity(around * (along + 1));
    for j in 0..=along {
        let t = j as f64 / along as f64;
        let (radius, z) = (radii[0] * (1.0 - t) + radii[1] * t, length * (t - 0.5));
        vertices.extend((0..around).map(|i| {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / around as f64).sin_cos();
            Vector3::new(radius * cos, radius * sin, z)
        }));
    }
    let mut triangles = Vec::with_capacity(2 * around * along);
    for j in 0..along {
        for i in 0..around {
            let vertex = |di: usize, dj: usize| ((i + di) % around + around * (j + dj)) as u32;
            let corners = [vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)];
            triangles.extend(diagonals.cut([i, j], corners));
        }
    }
    Ok(TriSoup::new(vertices, triangles))
}
