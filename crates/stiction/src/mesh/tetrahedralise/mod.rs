//! From a region to tets: a lattice cut along the surface, then improved.
//!
//! Any region will do that can say how far a point is from its surface and on which side; it need not have a mesh. Tets
//! come from a regular lattice, so their number follows from the edge length alone, and details thinner than about an
//! edge are lost. Volumes are positive, always: every move afterwards is taken back if it spoils a tet.
//!
//! Vertices of the surface lie on the surface of the region. Where the region knows its sharp edges and corners,
//! vertices near them are moved onto them, as far as tets allow.

mod improve;
mod lattice;
mod stuff;

use super::{BoundingBox, MeshError, TetMesh};
use crate::math::Vector3;
use lattice::Lattice;

/// What can be filled with tets.
pub trait Region: Sync {
    /// A box around it [m].
    fn bounds(&self) -> BoundingBox;

    /// How far a point is from its surface, negative inside; nowhere more than the true distance [m].
    fn distance(&self, x: Vector3) -> f64;

    /// The point of its surface that is nearest to `x`, about [m].
    fn project(&self, x: Vector3) -> Vector3;

    /// Its corners: points where sharp edges end or meet [m].
    fn corners(&self) -> &[Vector3] {
        &[]
    }

    /// The point of a sharp edge that is nearest to `x`, if one is within `reach` [m].
    fn crease(&self, x: Vector3, reach: f64) -> Option<Vector3> {
        let _ = (x, reach);
        None
    }
}

/// How a region is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filling {
    /// About how long edges are [m].
    pub edge_length: f64,
    /// How often vertices near the surface are moved to where their tets are better shaped. With none, the mesh is
    /// that of isosurface stuffing [LS07], with dihedral angles between 10.7° and 164.8° where the surface is smooth;
    /// sharp edges are cut off.
    pub rounds: usize,
}

impl Filling {
    /// Nodes of a lattice that fit into memory and a coffee break.
    const MOST_NODES: f64 = 4e7;

    /// With edges of about this length [m].
    pub fn new(edge_length: f64) -> Self {
        Self { edge_length, rounds: 6 }
    }

    /// With this many edges along the longest side of a region, about.
    pub fn with_resolution(region: &impl Region, resolution: usize) -> Self {
        Self::new(region.bounds().size().max() / resolution as f64)
    }
}

/// Fills a region with tets; `progress` hears how much of it is done, 0 to 1. The surface is tagged `surface`.
///
/// # Errors
/// When the edge length is no length, when there would be too many tets, or when no tet fits into the region.
pub fn tetrahedralise(
    region: &impl Region,
    filling: &Filling,
    progress: &mut dyn FnMut(f64),
) -> Result<TetMesh, MeshError> {
    let refuse = |value: String, help: &str| {
        Err(MeshError::Argument {
            function: "tetrahedralise",
            argument: "edge_length",
            value,
            help: help.to_owned(),
        })
    };
    let edge = filling.edge_length;
    if !(edge.is_finite() && edge > 0.0) {
        return refuse(edge.to_string(), "give a finite length above zero [m]");
    }
    // Eight edges of each node are √¾ cells long, six are a whole one.
    let cell = edge * 14.0 / (6.0 + 8.0 * 0.75_f64.sqrt());
    let nodes = Lattice::count(&region.bounds(), cell);
    if nodes.is_nan() || nodes > Filling::MOST_NODES {
        let value = format!("{edge} m, which needs a lattice of {nodes:.1e} nodes");
        return refuse(value, "make it longer, or the resolution lower");
    }
    let lattice = Lattice::around(&region.bounds(), cell);
    let soup = stuff::stuff(&lattice, &|x| region.distance(x), &mut |done| progress(0.7 * done));
    if soup.elements.is_empty() {
        return refuse(
            format!("{edge} m, too long for any tet to fit inside"),
            "make it shorter than the region is thick, or the resolution higher",
        );
    }
    let soup = improve::improved(soup, region, cell, filling.rounds, &mut |done| {
        progress(0.7 + 0.3 * done);
    });
    let mut mesh = soup.without_degenerate().without_unused_vertices().build()?;
    let surface = mesh.boundary().vertices;
    mesh.tag_vertices("surface", &surface)?;
    Ok(mesh)
}
