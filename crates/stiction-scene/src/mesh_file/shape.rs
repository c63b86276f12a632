//! Kinds of elements, and what becomes of each.

use super::error::Fault;
use super::{MeshFile, Skipped};

/// What an element of a file is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Tet,
    /// Triangles, quads and convex polygons: split into a fan.
    Polygon,
    /// A quad whose last two corners are exchanged, as VTK has it.
    Pixel,
    /// A row of triangles, each sharing an edge with the one before.
    Strip,
    /// Cannot be left out without falsifying the mesh.
    Refused(&'static str),
    /// Left out and counted; `solid` when it fills volume.
    Skipped {
        kind: &'static str,
        solid: bool,
    },
}

const fn flat(kind: &'static str) -> Shape {
    Shape::Skipped { kind, solid: false }
}

const fn solid(kind: &'static str) -> Shape {
    Shape::Skipped { kind, solid: true }
}

/// Dimension, corners and shape of a Gmsh element type (reference manual, section "MSH file format").
pub(super) fn of_gmsh(code: i64) -> Option<(usize, usize, Shape)> {
    Some(match code {
        1 => (1, 2, flat("lines")),
        2 => (2, 3, Shape::Polygon),
        3 => (2, 4, Shape::Polygon),
        4 => (3, 4, Shape::Tet),
        5 => (3, 8, Shape::Refused("hexes")),
        6 => (3, 6, solid("prisms")),
        7 => (3, 5, solid("pyramids")),
        8 => (1, 3, flat("second-order lines")),
        9 => (2, 6, flat("second-order triangles")),
        10 => (2, 9, flat("second-order quads")),
        11 => (3, 10, solid("second-order tets")),
        12 => (3, 27, Shape::Refused("second-order hexes")),
        13 => (3, 18, solid("second-order prisms")),
        14 => (3, 14, solid("second-order pyramids")),
        15 => (0, 1, flat("points")),
        16 => (2, 8, flat("second-order quads")),
        17 => (3, 20, Shape::Refused("second-order hexes")),
        18 => (3, 15, solid("second-order prisms")),
        19 => (3, 13, solid("second-order pyramids")),
        20 => (2, 9, flat("third-order triangles")),
        21 => (2, 10, flat("third-order triangles")),
        22 => (2, 12, flat("fourth-order triangles")),
        23 => (2, 15, flat("fourth-order triangles")),
        24 => (2, 15, flat("fifth-order triangles")),
        25 => (2, 21, flat("fifth-order triangles")),
        26 => (1, 4, flat("third-order lines")),
        27 => (1, 5, flat("fourth-order lines")),
        28 => (1, 6, flat("fifth-order lines")),
        29 => (3, 20, solid("third-order tets")),
        30 => (3, 35, solid("fourth-order tets")),
        31 => (3, 56, solid("fifth-order tets")),
        _ => return None,
    })
}

/// Shape of a VTK cell type (`vtkCellType.h`).
pub(super) fn of_vtk(code: i64) -> Shape {
    match code {
        1 | 2 => flat("points"),
        3 | 4 => flat("lines"),
        5 | 7 | 9 => Shape::Polygon,
        6 => Shape::Strip,
        8 => Shape::Pixel,
        10 => Shape::Tet,
        11 => Shape::Refused("voxels"),
        12 => Shape::Refused("hexes"),
        13 => solid("prisms"),
        14 => solid("pyramids"),
        21 => flat("second-order lines"),
        22 => flat("second-order triangles"),
        23 => flat("second-order quads"),
        24 => solid("second-order tets"),
        25 | 29 => Shape::Refused("second-order hexes"),
        _ => solid("cells of other types"),
    }
}

impl MeshFile {
    /// Adds an element whose corners have been checked; a wrong number of them is the file's fault.
    pub(super) fn add(&mut self, shape: Shape, corners: &[u32]) -> Result<(), Fault> {
        match (shape, corners) {
            (Shape::Tet, &[a, b, c, d]) => self.tets.push([a, b, c, d]),
            (Shape::Polygon, &[first, _, _, ..]) => {
                let fan = corners[1..].windows(2).map(|edge| [first, edge[0], edge[1]]);
                self.triangles.extend(fan);
            }
            (Shape::Pixel, &[a, b, c, d]) => self.triangles.extend([[a, b, d], [a, d, c]]),
            (Shape::Strip, &[_, _, _, ..]) => {
                let turned = |(k, t): (usize, &[u32])| match k % 2 {
                    0 => [t[0], t[1], t[2]],
                    _ => [t[1], t[0], t[2]],
                };
                self.triangles.extend(corners.windows(3).enumerate().map(turned));
            }
            (Shape::Refused(kind), _) => {
                return Err(Fault::Unsupported {
                    what: format!("the mesh has {kind}; solids here are made of tets"),
                    help: "mesh the volume with tets, or split each hex into five or six of them",
                });
            }
            (Shape::Skipped { kind, solid }, _) => self.skip(kind, solid),
            (Shape::Tet | Shape::Polygon | Shape::Pixel | Shape::Strip, _) => {
                let what =
                    format!("an element has {} corners, which its type forbids", corners.len());
                return Err(Fault::Contradiction { what });
            }
        }
        Ok(())
    }

    fn skip(&mut self, kind: &'static str, solid: bool) {
        match self.skipped.iter_mut().find(|s| s.kind == kind) {
            Some(known) => known.count += 1,
            None => self.skipped.push(Skipped { kind, count: 1, solid }),
        }
    }
}
