//! A box of cells, each cut into tets so that neighbours match.
//!
//! Corner `c` of a cell has bits `x + 2y + 4z`. Six tets: one along each path of three edges from corner 0
//! to corner 7 (Kuhn's split); all dihedral angles of a cube are 45°, 60° or 90°. Five tets: a regular one
//! on alternate corners, and four corners cut off; the diagonals of neighbours match when cells alternate.

use super::{require_budget, require_cells, require_length, tag_where};
use crate::math::Vector3;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// How the cells of a [`cuboid`] are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CuboidSplit {
    /// Six tets, all cells alike: every diagonal points the same way.
    #[default]
    Kuhn,
    /// Six tets, cells mirrored in turn: symmetric about the middle if cell counts are even.
    MirroredKuhn,
    /// Five tets, cells in turn: the fewest, and the best shaped.
    Five,
}

impl CuboidSplit {
    /// Adds the tets of cell `[i, j, k]` of a grid; `vertex` knows its corners.
    pub(super) fn cut(
        self,
        [i, j, k]: [usize; 3],
        vertex: impl Fn(usize) -> u32,
        tets: &mut Vec<[u32; 4]>,
    ) {
        // Mirroring a corner flips its bits; an odd number of mirrors turns tets inside out.
        let (mirror, pattern): (usize, &[[usize; 4]]) = match self {
            Self::Kuhn => (0, &SIX),
            Self::MirroredKuhn => ((i & 1) | (j & 1) << 1 | (k & 1) << 2, &SIX),
            Self::Five => ((i + j + k) & 1, &FIVE),
        };
        let odd = mirror.count_ones() % 2 == 1;
        for &[a, b, c, d] in pattern {
            let [a, b, c, d] = [a, b, c, d].map(|corner| vertex(corner ^ mirror));
            tets.push(if odd { [a, b, d, c] } else { [a, b, c, d] });
        }
    }
}

/// A box of `size` [m], divided into `cells` along each axis.
///
/// Groups: `x-min`, `x-max`, `y-min`, `y-max`, `z-min`, `z-max`.
///
/// # Errors
/// When a size is not finite and above zero, or a count is zero.
pub fn cuboid(size: [f64; 3], cells: [usize; 3], split: CuboidSplit) -> Result<TetMesh, MeshError> {
    for s in size {
        require_length("cuboid", "size", s)?;
    }
    require_cells("cuboid", &cells)?;
    require_budget(
        "cuboid",
        "cells",
        cells,
        6.0 * cells.iter().map(|&n| n as f64).product::<f64>(),
    )?;

    let [nx, ny, nz] = cells;
    let coordinate = |axis: usize, i: usize| size[axis] * (i as f64 / cells[axis] as f64 - 0.5);
    let mut vertices = Vec::with_capacity((nx + 1) * (ny + 1) * (nz + 1));
    for k in 0..=nz {
        for j in 0..=ny {
            vertices.extend(
                (0..=nx)
                    .map(|i| Vector3::new(coordinate(0, i), coordinate(1, j), coordinate(2, k))),
            );
        }
    }
    let mut tets = Vec::with_capacity(6 * nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let vertex = |corner: usize| {
                    let (i, j, k) =
                        (i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1));
                    (i + (nx + 1) * (j + (ny + 1) * k)) as u32
                };
                split.cut([i, j, k], vertex, &mut tets);
            }
        }
    }
    let half = size.map(|s| 0.5 * s);
    let mut soup = TetSoup::new(vertices, tets);
    soup.vertex_tags = tag_where(
        &soup.vertices,
        &[
            ("x-min", &|x| x.x <= -half[0]),
            ("x-max", &|x| x.x >= half[0]),
            ("y-min", &|x| x.y <= -half[1]),
            ("y-max", &|x| x.y >= half[1]),
            ("z-min", &|x| x.z <= -half[2]),
            ("z-max", &|x| x.z >= half[2]),
        ],
    );
    soup.build()
}

/// Paths from corner 0 to corner 7; two corners swapped where the order of axes is odd.
const SIX: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 5, 1, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 6, 4, 7]];

/// The regular tet in the middle, then the corners cut off.
const FIVE: [[usize; 4]; 5] =
    [[0, 3, 6, 5], [1, 3, 0, 5], [2, 0, 3, 6], [4, 0, 6, 5], [7, 3, 5, 6]];
