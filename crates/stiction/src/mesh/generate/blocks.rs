//! Blocks that touch, as one body: a stool, a table, a step.
//!
//! The faces of all blocks, continued as planes, cut space into a grid; its cells are divided further and kept
//! where a block is. Blocks need not match: what touches is joined, what overlaps is there once.

use super::{CuboidSplit, divisions, require_budget, require_length};
use crate::math::Vector3;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A box among [`blocks`].
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Name of its tets as a group.
    pub name: String,
    /// Lowest coordinates [m].
    pub min: Vector3,
    /// Highest coordinates [m].
    pub max: Vector3,
    /// How far its bottom is moved in `x` and `y`, its top staying where it is [m]: a leg that is not upright.
    pub lean: [f64; 2],
}

impl Block {
    /// An upright block between two corners [m].
    pub fn new(name: &str, min: [f64; 3], max: [f64; 3]) -> Self {
        Self { name: name.to_owned(), min: min.into(), max: max.into(), lean: [0.0; 2] }
    }

    /// Moves the bottom in `x` and `y` [m].
    #[must_use]
    pub fn leaning(self, lean: [f64; 2]) -> Self {
        Self { lean, ..self }
    }

    fn holds(&self, x: &Vector3) -> bool {
        (0..3).all(|axis| self.min[axis] < x[axis] && x[axis] < self.max[axis])
    }

    fn shift(&self, z: f64) -> Vector3 {
        let t = (self.max.z - z) / (self.max.z - self.min.z);
        Vector3::new(self.lean[0] * t, self.lean[1] * t, 0.0)
    }
}

/// The union of boxes, with edges of about `edge_length` [m] or as short as their faces ask for.
///
/// Where blocks overlap, the first counts. Groups: `bottom`, `top`; of tets: the names of the blocks.
///
/// # Errors
/// When there is no block, one is empty or not finite, or leaning blocks turn a neighbour inside out.
pub fn blocks(
    blocks: &[Block],
    edge_length: f64,
    split: CuboidSplit,
) -> Result<TetMesh, MeshError> {
    let name = "blocks";
    require_length(name, "edge_length", edge_length)?;
    check(blocks)?;

    let planes = [0, 1, 2].map(|axis| planes(blocks, axis));
    let cells: f64 = (planes.iter())
        .map(|planes| {
            planes.windows(2).map(|w| ((w[1] - w[0]) / edge_length).max(1.0)).sum::<f64>()
        })
        .product();
    require_budget(name, "edge_length", edge_length, 6.0 * cells)?;
    let lines = planes.map(|planes| divided(&planes, edge_length));
    let [nx, ny, nz] = [0, 1, 2].map(|axis| lines[axis].len() - 1);
    let point = |[i, j, k]: [usize; 3]| Vector3::new(lines[0][i], lines[1][j], lines[2][k]);

    let mut vertices = Vec::new();
    let mut number: Vec<Option<u32>> = vec![None; (nx + 1) * (ny + 1) * (nz + 1)];
    let mut tets = Vec::new();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); blocks.len()];
    let mut leans: Vec<Option<usize>> = Vec::new(); // the block that moves a vertex
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let centre = 0.5 * (point([i, j, k]) + point([i + 1, j + 1, k + 1]));
                let Some(owner) = blocks.iter().position(|block| block.holds(&centre)) else {
                    continue;
                };
                let mut corners = [0; 8];
                for (corner, id) in corners.iter_mut().enumerate() {
                    let [i, j, k] =
                        [i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1)];
                    let place = i + (nx + 1) * (j + (ny + 1) * k);
                    *id = *number[place].get_or_insert_with(|| {
                        vertices.push(point([i, j, k]));
                        leans.push(None);
                        vertices.len() as u32 - 1
                    });
                    let moved = blocks[owner].shift(vertices[*id as usize].z) != Vector3::zeros();
                    if moved && leans[*id as usize].is_none_or(|before| owner < before) {
                        leans[*id as usize] = Some(owner);
                    }
                }
                let first = tets.len() as u32;
                split.cut([i, j, k], |corner| corners[corner], &mut tets);
                members[owner].extend(first..tets.len() as u32);
            }
        }
    }

    let mut soup = TetSoup::new(vertices, tets);
    let (low, high) = (lines[2][0], lines[2][nz]);
    soup.vertex_tags =
        super::tag_where(&soup.vertices, &[("bottom", &|x| x.z <= low), ("top", &|x| x.z >= high)]);
    for (block, tets) in blocks.iter().zip(&members) {
        soup.element_tags.add(&block.name, tets);
    }
    for (x, owner) in soup.vertices.iter_mut().zip(leans) {
        if let Some(owner) = owner {
            *x += blocks[owner].shift(x.z);
        }
    }
    soup.build()
}

fn check(blocks: &[Block]) -> Result<(), MeshError> {
    let refuse = |argument: &'static str, value: String, help: &str| {
        Err(MeshError::Argument { function: "blocks", argument, value, help: help.to_owned() })
    };
    if blocks.is_empty() {
        return refuse("boxes", "an empty list".to_owned(), "give at least one box");
    }
    for block in blocks {
        let sound = (0..3).all(|axis| {
            block.min[axis].is_finite()
                && block.max[axis].is_finite()
                && block.min[axis] < block.max[axis]
        });
        if !sound {
            let value = format!("{:?} to {:?}", block.min.as_slice(), block.max.as_slice());
            return refuse("boxes", value, "give lowest, then highest coordinates [m]");
        }
        if !block.lean.iter().all(|lean| lean.is_finite()) {
            return refuse("lean", format!("{:?}", block.lean), "give finite lengths [m]");
        }
    }
    Ok(())
}

/// Coordinates of faces along an axis, ascending; those that differ by rounding are one.
fn planes(blocks: &[Block], axis: usize) -> Vec<f64> {
    let mut planes: Vec<f64> = blocks.iter().flat_map(|b| [b.min[axis], b.max[axis]]).collect();
    planes.sort_by(f64::total_cmp);
    let extent = planes[planes.len() - 1] - planes[0];
    planes.dedup_by(|next, kept| *next - *kept <= 1e-9 * extent);
    planes
}

/// The planes, and equal steps of about `edge_length` between them.
fn divided(planes: &[f64], edge_length: f64) -> Vec<f64> {
    let mut lines = vec![planes[0]];
    for pair in planes.windows(2) {
        let n = divisions(pair[1] - pair[0], edge_length, 1);
        lines.extend((1..n).map(|k| pair[0] + (pair[1] - pair[0]) * (k as f64 / n as f64)));
        lines.push(pair[1]);
    }
    lines
}
