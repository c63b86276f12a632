//! Meshes of simple shapes, well shaped themselves.
//!
//! Everything is centred at the origin; round shapes have `z` for their axis, sheets lie in the plane `z = 0`.
//! Vertices of the boundary lie on the shape to rounding, so volumes and areas converge with the square of
//! the edge length. Groups of vertices (`surface`, `x-min`, `top`, …) are named in each file.
//!
//! | shape | idea |
//! |---|---|
//! | [`cuboid`], [`blocks`] | a grid of cells, split in five or six tets |
//! | [`ball`], [`hollow_ball`] | shells of a subdivided icosahedron |
//! | [`layered_ball`], [`bowl`] | a triangulated sphere or half of it, swept outward |
//! | [`cylinder`], [`tube`], [`torus`] | a disk or ring, swept |
//! | [`belt`] | a rectangle, swept around two wheels |
//! | [`capsule`] | half balls that end in the same disk, and the sweep between them |
//! | [`sheet`], [`disk`] | regular cells, rings |
//! | [`sleeve`], [`tank_top`], [`tyre`] | regular cells, rolled up |
//! | [`unstructured_sheet`] | scattered points, Delaunay, smoothed |

mod ball;
mod belt;
mod blocks;
mod bowl;
mod capsule;
mod cuboid;
mod cylinder;
mod delaunay;
mod layered_ball;
mod random;
mod rings;
mod scattered;
mod sheet;
mod shells;
mod sleeve;
mod sweep;
mod tank_top;
mod torus;
mod tyre;

pub use ball::{ball, hollow_ball};
pub use belt::belt;
pub use blocks::{Block, blocks};
pub use bowl::bowl;
pub use capsule::capsule;
pub(crate) use capsule::half_sphere;
pub use cuboid::{CuboidSplit, cuboid};
pub use cylinder::{cylinder, tube};
pub use layered_ball::layered_ball;
pub use rings::disk;
pub use scattered::unstructured_sheet;
pub use sheet::{Diagonals, hung_over_cylinder, sheet};
pub use sleeve::sleeve;
pub use tank_top::tank_top;
pub use torus::torus;
pub use tyre::tyre;

use super::{MeshError, Tags};
use crate::math::Vector3;

/// More elements than this are taken for a slip of the decimal point.
const MAX_ELEMENTS: f64 = if cfg!(fuzzing) { 300.0 } else { 1e8 };

/// Refuses a length that is not finite and above zero.
fn require_length(
    function: &'static str,
    argument: &'static str,
    value: f64,
) -> Result<(), MeshError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    let help = "give a finite length above zero [m]".to_owned();
    Err(MeshError::Argument { function, argument, value: value.to_string(), help })
}

/// Refuses a count of zero.
fn require_cells(function: &'static str, cells: &[usize]) -> Result<(), MeshError> {
    if cells.iter().all(|&n| n > 0) {
        return Ok(());
    }
    let help = "give at least one cell along each axis".to_owned();
    Err(MeshError::Argument { function, argument: "cells", value: format!("{cells:?}"), help })
}

/// Refuses a pair of lengths of which the first is not the smaller.
fn require_smaller(
    function: &'static str,
    (argument, value): (&'static str, f64),
    (bound_name, bound): (&'static str, f64),
) -> Result<(), MeshError> {
    if value < bound {
        return Ok(());
    }
    let help = format!("give less than the {bound_name}, {bound}");
    Err(MeshError::Argument { function, argument, value: value.to_string(), help })
}

/// Refuses a resolution that would make more elements than anyone means.
fn require_budget(
    function: &'static str,
    argument: &'static str,
    value: impl std::fmt::Debug,
    elements: f64,
) -> Result<(), MeshError> {
    if elements <= MAX_ELEMENTS {
        return Ok(());
    }
    let help =
        format!("this makes about {elements:.0e} elements; at most {MAX_ELEMENTS:.0e} are made");
    Err(MeshError::Argument { function, argument, value: format!("{value:?}"), help })
}

/// How many edges of about `edge_length` fit along `length`; at least `least`.
fn divisions(length: f64, edge_length: f64, least: usize) -> usize {
    ((length / edge_length).round() as usize).max(least)
}

/// A group's name, and who belongs to it.
type NamedTest<'a> = (&'a str, &'a dyn Fn(&Vector3) -> bool);

/// Groups of vertices, each by a test.
fn tag_where(vertices: &[Vector3], tests: &[NamedTest]) -> Tags {
    let mut tags = Tags::new();
    for (name, test) in tests {
        let ids: Vec<u32> =
            (0..vertices.len() as u32).filter(|&v| test(&vertices[v as usize])).collect();
        tags.add(name, &ids);
    }
    tags
}
