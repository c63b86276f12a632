//! A bowl: the lower half of a sphere, swept outward.

use std::f64::consts::FRAC_PI_2;

use super::capsule::half_sphere;
use super::layered_ball::swept_outward;
use super::{divisions, require_budget, require_length, require_smaller};
use crate::mesh::{MeshError, TetMesh};

/// The lower half of a hollow ball [m], open upward, its flat rim at `z = 0`.
///
/// Edges on the outside are about `edge_length` long [m]; a wall thinner than that is one layer.
/// Groups: `inner`, `outer`, `rim`.
///
/// # Errors
/// When a length is not finite and above zero, or the inner radius is not the smaller.
pub fn bowl(inner_radius: f64, outer_radius: f64, edge_length: f64) -> Result<TetMesh, MeshError> {
    let name = "bowl";
    require_length(name, "inner_radius", inner_radius)?;
    require_length(name, "outer_radius", outer_radius)?;
    require_length(name, "edge_length", edge_length)?;
    require_smaller(name, ("inner_radius", inner_radius), ("outer_radius", outer_radius))?;
    let wall = outer_radius - inner_radius;
    let arc = FRAC_PI_2 * outer_radius; // from the pole to the rim
    let triangles = 6.0 * (arc / edge_length).max(1.0).powi(2);
    require_budget(
        name,
        "edge_length",
        edge_length,
        3.0 * triangles * (wall / edge_length).max(1.0),
    )?;

    let (mut sphere, mut triangles) = half_sphere(divisions(arc, edge_length, 2) as u32);
    for x in &mut sphere {
        x.z = -x.z;
    }
    for triangle in &mut triangles {
        triangle.swap(1, 2); // mirrored with the sphere
    }
    let layers = divisions(wall, edge_length, 1);
    let radius = |k: usize| {
        let t = k as f64 / layers as f64;
        inner_radius * (1.0 - t) + outer_radius * t
    };
    let radii: Vec<f64> = (0..=layers).map(radius).collect();
    let mut soup = swept_outward(&sphere, &triangles, &radii);
    let on_rim = |&v: &u32| soup.vertices[v as usize].z >= 0.0;
    let rim: Vec<u32> = (0..soup.vertices.len() as u32).filter(on_rim).collect();
    soup.vertex_tags.add("rim", &rim);
    soup.build()
}
