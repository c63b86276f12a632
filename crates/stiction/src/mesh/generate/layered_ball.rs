//! A hollow ball of thin layers: one triangulated sphere, swept from radius to radius.
//!
//! Unlike [`hollow_ball`](super::hollow_ball), whose triangles grow with its shells, all layers have the same
//! triangles, so the number of tets is known: `60 n²` a layer. Two of them that share a radius and `n` match
//! vertex by vertex and can be welded: the core and the felt of a tennis ball.

use super::ball::icosahedral_sphere;
use super::sweep::swept;
use super::{require_budget, require_cells, require_length, require_smaller};
use crate::math::Vector3;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A ball with a concentric cavity, in layers between the given radii [m], ascending.
///
/// Each of the twenty triangles of an icosahedron has `cells` edges a side; edges are about
/// `1.1 radius / cells` long. Groups: `inner`, `outer`; of tets: `layer-1`, `layer-2`, … from the inside.
///
/// # Errors
/// When there are fewer than two radii, they do not ascend from above zero, or `cells` is zero.
pub fn layered_ball(radii: &[f64], cells: usize) -> Result<TetMesh, MeshError> {
    let name = "layered_ball";
    require_cells(name, &[cells])?;
    for &radius in radii {
        require_length(name, "radii", radius)?;
    }
    if radii.len() < 2 {
        let help = "give at least two: of the cavity and of the ball [m]".to_owned();
        let value = format!("{radii:?}");
        return Err(MeshError::Argument { function: name, argument: "radii", value, help });
    }
    for pair in radii.windows(2) {
        require_smaller(name, ("radii", pair[0]), ("next one", pair[1]))?;
    }
    let layers = radii.len() - 1;
    require_budget(name, "cells", cells, 60.0 * (cells as f64).powi(2) * layers as f64)?;

    let (sphere, triangles) = icosahedral_sphere(cells as u32);
    let mut soup = swept_outward(&sphere, &triangles, radii);
    let per_layer = 3 * triangles.len() as u32;
    for layer in 0..layers as u32 {
        let tets: Vec<u32> = (layer * per_layer..(layer + 1) * per_layer).collect();
        soup.element_tags.add(&format!("layer-{}", layer + 1), &tets);
    }
    soup.build()
}

/// Tets between copies of a part of the unit sphere, scaled to each of the radii, with groups `inner` and `outer`.
///
/// Layer by layer from the inside, three tets for each triangle; normals of triangles point outward.
pub(super) fn swept_outward(sphere: &[Vector3], triangles: &[[u32; 3]], radii: &[f64]) -> TetSoup {
    let count = sphere.len() as u32;
    let vertices = radii.iter().flat_map(|&radius| sphere.iter().map(move |x| x * radius));
    let copies: Vec<Vec<u32>> =
        (0..radii.len() as u32).map(|k| (k * count..(k + 1) * count).collect()).collect();
    let layers: Vec<&[u32]> = copies.iter().map(Vec::as_slice).collect();
    let mut soup = TetSoup::new(vertices.collect(), swept(triangles, &layers));
    soup.vertex_tags.add("inner", layers[0]);
    soup.vertex_tags.add("outer", layers[layers.len() - 1]);
    soup
}
