//! Rectangular sheets of regular cells.

use super::{require_budget, require_cells, require_length, tag_where};
use crate::math::Vector3;
use crate::mesh::{MeshError, Tags, TriMesh, TriSoup};

/// Which way the cells of a [`sheet`] are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Diagonals {
    /// All cells alike, from lower left to upper right: bends more easily across than along.
    #[default]
    Regular,
    /// Cells in turn: no preferred diagonal.
    Alternating,
}

impl Diagonals {
    /// The two triangles of cell `[i, j]` of a grid, its corners counterclockwise from the lower left.
    pub(super) fn cut(self, [i, j]: [usize; 2], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
        if self == Self::Alternating && (i + j) % 2 == 1 {
            [[a, b, d], [b, c, d]]
        } else {
            [[a, b, c], [a, c, d]]
        }
    }
}

/// A sheet of `size` [m] in the plane `z = 0`, divided into `cells` along each axis, its normal along `z`.
///
/// Groups: `left`, `right`, `bottom`, `top`, `corners`.
///
/// # Errors
/// When a size is not finite and above zero, or a count is zero.
pub fn sheet(
    size: [f64; 2],
    cells: [usize; 2],
    diagonals: Diagonals,
) -> Result<TriMesh, MeshError> {
    for s in size {
        require_length("sheet", "size", s)?;
    }
    require_cells("sheet", &cells)?;
    let [nx, ny] = cells;
    require_budget("sheet", "cells", cells, 2.0 * nx as f64 * ny as f64)?;

    let coordinate = |axis: usize, i: usize| size[axis] * (i as f64 / cells[axis] as f64 - 0.5);
    let mut vertices = Vec::with_capacity((nx + 1) * (ny + 1));
    for j in 0..=ny {
        vertices.extend((0..=nx).map(|i| Vector3::new(coordinate(0, i), coordinate(1, j), 0.0)));
    }
    let mut triangles = Vec::with_capacity(2 * nx * ny);
    for j in 0..ny {
        for i in 0..nx {
            let vertex = |di: usize, dj: usize| (i + di + (nx + 1) * (j + dj)) as u32;
            let [a, b, c, d] = [vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)];
            triangles.extend(diagonals.cut([i, j], [a, b, c, d]));
        }
    }
    let mut soup = TriSoup::new(vertices, triangles);
    soup.vertex_tags = sides(&soup.vertices, size);
    soup.build_cloth()
}

/// The sides and corners of a sheet.
pub(super) fn sides(vertices: &[Vector3], size: [f64; 2]) -> Tags {
    let half = size.map(|s| 0.5 * s);
    tag_where(
        vertices,
        &[
            ("left", &|x| x.x <= -half[0]),
            ("right", &|x| x.x >= half[0]),
            ("bottom", &|x| x.y <= -half[1]),
            ("top", &|x| x.y >= half[1]),
            ("corners", &|x| x.x.abs() >= half[0] && x.y.abs() >= half[1]),
        ],
    )
}

/// Where the vertices of a flat sheet are when it hangs over half a cylinder along `y` of this `radius` around the
/// origin [m].
///
/// What lies at `x = middle` comes to the top, at `z = radius`. Columns of vertices keep their distances: edges are
/// chords of the cylinder, not arcs, so the sheet is not squeezed however coarse it is.
pub fn hung_over_cylinder(vertices: &[Vector3], radius: f64, middle: f64) -> Vec<Vector3> {
    let mut columns: Vec<f64> = vertices.iter().map(|x| x.x).collect();
    columns.sort_by(f64::total_cmp);
    let mut widths: Vec<f64> = columns.windows(2).map(|x| x[1] - x[0]).collect();
    let tolerance = 1e-9 * radius;
    widths.retain(|&width| width > tolerance);
    widths.sort_by(f64::total_cmp);
    // Arc over chord, for a typical column.
    let half = widths.get(widths.len() / 2).map_or(0.0, |width| 0.5 * width / radius);
    let rate = if half > 0.0 && half < 1.0 { half.asin() / half } else { 1.0 } / radius;
    let place = |x: &Vector3| {
        let angle = (x.x - middle) * rate;
        let hanging = (angle.abs() - std::f64::consts::FRAC_PI_2).max(0.0);
        let (sin, cos) = (angle - hanging.copysign(angle)).sin_cos();
        Vector3::new(radius * sin, x.y, radius * cos - hanging / rate)
    };
    vertices.iter().map(place).collect()
}
