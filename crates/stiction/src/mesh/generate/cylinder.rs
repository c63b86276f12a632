//! Cylinders, full and hollow: a disk or a flat ring, swept along `z`.

use super::rings::{Section, disk_section, ring_section};
use super::sweep::swept;
use super::{divisions, require_budget, require_length, require_smaller};
use crate::math::Vector3;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A cylinder along `z` [m], with edges of about `edge_length` [m].
///
/// Groups: `bottom`, `top`, `side`.
///
/// # Errors
/// When a length is not finite and above zero.
pub fn cylinder(radius: f64, length: f64, edge_length: f64) -> Result<TetMesh, MeshError> {
    let name = "cylinder";
    require_length(name, "radius", radius)?;
    require_length(name, "length", length)?;
    require_length(name, "edge_length", edge_length)?;
    let triangles = 6.0 * (radius / edge_length).powi(2).max(1.0);
    require_budget(
        name,
        "edge_length",
        edge_length,
        3.0 * triangles * (length / edge_length).max(1.0),
    )?;
    let section = disk_section(radius, divisions(radius, edge_length, 1));
    extruded(&section, length, divisions(length, edge_length, 1), "side")
}

/// A hollow cylinder along `z` [m], with edges of about `edge_length` [m].
///
/// Groups: `bottom`, `top`, `inner`, `outer`.
///
/// # Errors
/// When a length is not finite and above zero, or the inner radius is not the smaller.
pub fn tube(
    inner_radius: f64,
    outer_radius: f64,
    length: f64,
    edge_length: f64,
) -> Result<TetMesh, MeshError> {
    let name = "tube";
    require_length(name, "inner_radius", inner_radius)?;
    require_length(name, "outer_radius", outer_radius)?;
    require_length(name, "length", length)?;
    require_length(name, "edge_length", edge_length)?;
    require_smaller(name, ("inner_radius", inner_radius), ("outer_radius", outer_radius))?;
    let rings = ((outer_radius - inner_radius) / edge_length).max(1.0);
    let triangles = 4.0 * std::f64::consts::PI * outer_radius / edge_length * rings;
    require_budget(
        name,
        "edge_length",
        edge_length,
        3.0 * triangles * (length / edge_length).max(1.0),
    )?;
    let section = ring_section(inner_radius, outer_radius, edge_length);
    extruded(&section, length, divisions(length, edge_length, 1), "outer")
}

/// The section in `layers` layers from `-length/2` to `length/2`; its outer circle becomes group `outer_name`.
fn extruded(
    section: &Section,
    length: f64,
    layers: usize,
    outer_name: &str,
) -> Result<TetMesh, MeshError> {
    let count = section.points.len() as u32;
    let mut vertices = Vec::with_capacity(section.points.len() * (layers + 1));
    for layer in 0..=layers {
        let z = length * (layer as f64 / layers as f64 - 0.5);
        vertices.extend(section.points.iter().map(|p| Vector3::new(p.x, p.y, z)));
    }
    let copies: Vec<Vec<u32>> =
        (0..=layers as u32).map(|k| (k * count..(k + 1) * count).collect()).collect();
    let copies: Vec<&[u32]> = copies.iter().map(Vec::as_slice).collect();
    let mut soup = TetSoup::new(vertices, swept(&section.triangles, &copies));

    let along = |circle: &[u32]| -> Vec<u32> {
        copies.iter().flat_map(|copy| circle.iter().map(|&p| copy[p as usize])).collect()
    };
    soup.vertex_tags.add("bottom", copies[0]);
    soup.vertex_tags.add("top", copies[layers]);
    soup.vertex_tags.add(outer_name, &along(&section.outer));
    if !section.inner.is_empty() {
        soup.vertex_tags.add("inner", &along(&section.inner));
    }
    soup.build()
}
