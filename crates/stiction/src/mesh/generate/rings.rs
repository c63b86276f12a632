//! Disks and flat rings: concentric circles of points, stitched together.
//!
//! Circle `k` of a disk carries `6k` points, so triangles are nearly regular at every radius.

use super::{divisions, require_budget, require_length};
use crate::math::{Vector2, Vector3};
use crate::mesh::{MeshError, TriMesh, TriSoup};

/// A flat section: points and counterclockwise triangles.
pub(super) struct Section {
    pub(super) points: Vec<Vector2>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Points on the outer circle.
    pub(super) outer: Vec<u32>,
    /// Points on the inner circle; none for a disk.
    pub(super) inner: Vec<u32>,
}

/// A disk in the plane `z = 0` [m], with edges of about `edge_length` [m], its normal along `z`.
///
/// Groups: `rim`.
///
/// # Errors
/// When a length is not finite and above zero.
pub fn disk(radius: f64, edge_length: f64) -> Result<TriMesh, MeshError> {
    require_length("disk", "radius", radius)?;
    require_length("disk", "edge_length", edge_length)?;
    require_budget("disk", "edge_length", edge_length, 6.0 * (radius / edge_length).powi(2))?;
    let section = disk_section(radius, divisions(radius, edge_length, 1));
    let vertices = section.points.iter().map(|p| Vector3::new(p.x, p.y, 0.0)).collect();
    let mut soup = TriSoup::new(vertices, section.triangles);
    soup.vertex_tags.add("rim", &section.outer);
    soup.build_cloth()
}

/// A disk of `n` rings.
pub(super) fn disk_section(radius: f64, n: usize) -> Section {
    let mut circles = vec![(0.0, 1)];
    circles.extend(
        (1..=n).map(|k| (if k == n { radius } else { radius * k as f64 / n as f64 }, 6 * k)),
    );
    let mut section = stitched(&circles);
    section.inner.clear(); // the centre is no rim
    section
}

/// The flat ring between two radii.
pub(super) fn ring_section(inner: f64, outer: f64, edge_length: f64) -> Section {
    let n = divisions(outer - inner, edge_length, 1);
    let circle = |k: usize| {
        let t = k as f64 / n as f64;
        let radius = inner * (1.0 - t) + outer * t;
        (radius, divisions(std::f64::consts::TAU * radius, edge_length, 6))
    };
    stitched(&(0..=n).map(circle).collect::<Vec<_>>())
}

/// Joins circles, given as radius and number of points, from the inside out.
fn stitched(circles: &[(f64, usize)]) -> Section {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    let mut before: Option<Vec<u32>> = None;
    let mut innermost = Vec::new();
    for &(radius, count) in circles {
        let start = points.len() as u32;
        points.extend((0..count).map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
            Vector2::new(radius * cos, radius * sin)
        }));
        let ids: Vec<u32> = (start..start + count as u32).collect();
        match &before {
            Some(before) => stitch(before, &ids, &mut triangles),
            None => innermost.clone_from(&ids),
        }
        before = Some(ids);
    }
    Section { points, triangles, outer: before.unwrap_or_default(), inner: innermost }
}

/// Triangles between two circles of points that both start at angle zero.
///
/// Goes around once, always advancing where the next point comes first.
fn stitch(inner: &[u32], outer: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let (m, n) = (inner.len(), outer.len());
    let (mut i, mut j) = (0, 0);
    // A single point is a centre: it has no edges to advance along.
    let steps = if m == 1 { 0 } else { m };
    while i < steps || j < n {
        let advance_inner = i < steps && (j == n || (i + 1) * n <= (j + 1) * m);
        if advance_inner {
            triangles.push([inner[i % m], outer[j % n], inner[(i + 1) % m]]);
            i += 1;
        } else {
            triangles.push([inner[i % m], outer[j % n], outer[(j + 1) % n]]);
            j += 1;
        }
    }
}
