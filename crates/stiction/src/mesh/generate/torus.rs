//! A solid ring: a disk swept around the axis.

use super::rings::disk_section;
use super::sweep::swept;
use super::{divisions, require_budget, require_length, require_smaller};
use crate::math::Vector3;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A solid torus around `z` [m], with edges of about `edge_length` [m] along its core circle.
///
/// `ring_radius` is from the axis to the core circle, `tube_radius` from there to the surface. Edges at the
/// inner equator are shorter by the ratio of the circles. Groups: `surface`.
///
/// # Errors
/// When a length is not finite and above zero, or the tube is as thick as the ring is wide.
pub fn torus(ring_radius: f64, tube_radius: f64, edge_length: f64) -> Result<TetMesh, MeshError> {
    let name = "torus";
    require_length(name, "ring_radius", ring_radius)?;
    require_length(name, "tube_radius", tube_radius)?;
    require_length(name, "edge_length", edge_length)?;
    require_smaller(name, ("tube_radius", tube_radius), ("ring_radius", ring_radius))?;
    let around = std::f64::consts::TAU * ring_radius;
    let triangles = 6.0 * (tube_radius / edge_length).powi(2).max(1.0);
    require_budget(
        name,
        "edge_length",
        edge_length,
        3.0 * triangles * (around / edge_length).max(6.0),
    )?;

    let section = disk_section(tube_radius, divisions(tube_radius, edge_length, 1));
    let (count, turns) = (section.points.len() as u32, divisions(around, edge_length, 6) as u32);
    let mut vertices = Vec::with_capacity((count * turns) as usize);
    for turn in 0..turns {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(turn) / f64::from(turns)).sin_cos();
        // Radius outward and −z make a section that is counterclockwise seen from the next one.
        let place = |radial: f64, z: f64| Vector3::new(radial * cos, radial * sin, z);
        vertices.extend(section.points.iter().map(|p| place(ring_radius + p.x, -p.y)));
    }
    let copies: Vec<Vec<u32>> =
        (0..=turns).map(|k| k % turns).map(|k| (k * count..(k + 1) * count).collect()).collect();
    let layers: Vec<&[u32]> = copies.iter().map(Vec::as_slice).collect();
    let mut soup = TetSoup::new(vertices, swept(&section.triangles, &layers));
    let surface: Vec<u32> =
        (0..turns).flat_map(|k| section.outer.iter().map(move |p| k * count + p)).collect();
    soup.vertex_tags.add("surface", &surface);
    soup.build()
}
