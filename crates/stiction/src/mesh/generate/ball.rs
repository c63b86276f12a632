//! Balls, full and hollow: shells of a subdivided icosahedron.
//!
//! The twenty tets of an icosahedron and its centre are almost regular (edges 1, spokes 0.951), and so are
//! their lattice tets. `20 n³` tets for `n` shells.

use super::shells::{LatticePoint, shells, sphere};
use super::{divisions, require_budget, require_length, require_smaller, tag_where};
use crate::math::Vector3;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A ball [m], with edges of about `edge_length` [m].
///
/// Groups: `surface`.
///
/// # Errors
/// When a length is not finite and above zero.
pub fn ball(radius: f64, edge_length: f64) -> Result<TetMesh, MeshError> {
    require_length("ball", "radius", radius)?;
    require_length("ball", "edge_length", edge_length)?;
    require_budget("ball", "edge_length", edge_length, 20.0 * (radius / edge_length).powi(3))?;
    let n = divisions(radius, edge_length, 1) as u32;
    let mut soup =
        icosahedral(0, n, |s| if s == n { radius } else { radius * f64::from(s) / f64::from(n) });
    let inside = radius * (1.0 - 0.5 / f64::from(n));
    soup.vertex_tags = tag_where(&soup.vertices, &[("surface", &|x| x.norm() > inside)]);
    soup.oriented().build()
}

/// A ball with a concentric cavity [m], with edges of about `edge_length` [m].
///
/// Groups: `inner`, `outer`. A wall thinner than `edge_length` is one layer of flat tets.
///
/// # Errors
/// When a length is not finite and above zero, or the cavity is not smaller than the ball.
pub fn hollow_ball(
    inner_radius: f64,
    outer_radius: f64,
    edge_length: f64,
) -> Result<TetMesh, MeshError> {
    let name = "hollow_ball";
    require_length(name, "inner_radius", inner_radius)?;
    require_length(name, "outer_radius", outer_radius)?;
    require_length(name, "edge_length", edge_length)?;
    require_smaller(name, ("inner_radius", inner_radius), ("outer_radius", outer_radius))?;
    let volume_ratio = (outer_radius.powi(3) - inner_radius.powi(3)) / edge_length.powi(3);
    require_budget(
        name,
        "edge_length",
        edge_length,
        20.0 * volume_ratio.max((outer_radius / edge_length).powi(2)),
    )?;

    // Shells as far apart as they are wide, which makes the innermost one the `first`.
    let layers = divisions(outer_radius - inner_radius, edge_length, 1) as u32;
    let first = divisions(inner_radius, edge_length, 1) as u32;
    let radius = |s: u32| {
        let t = f64::from(s - first) / f64::from(layers);
        inner_radius * (1.0 - t) + outer_radius * t
    };
    let mut soup = icosahedral(first, first + layers, radius);
    let half_layer = 0.5 * (outer_radius - inner_radius) / f64::from(layers);
    soup.vertex_tags = tag_where(
        &soup.vertices,
        &[
            ("inner", &|x| x.norm() < inner_radius + half_layer),
            ("outer", &|x| x.norm() > outer_radius - half_layer),
        ],
    );
    soup.oriented().build()
}

/// Shells `first` to `last` of the icosahedron, at the given radii.
fn icosahedral(first: u32, last: u32, radius: impl Fn(u32) -> f64) -> TetSoup {
    let corners = icosahedron_corners();
    let position = |point: &LatticePoint| match point.shell {
        0 => Vector3::zeros(),
        shell => on_sphere(point, &corners) * radius(shell),
    };
    let (_, vertices, tets) = shells(&ICOSAHEDRON, first, last, position);
    TetSoup::new(vertices, tets)
}

/// The unit sphere in `20 n²` triangles.
pub(super) fn icosahedral_sphere(n: u32) -> (Vec<Vector3>, Vec<[u32; 3]>) {
    let corners = icosahedron_corners();
    sphere(&ICOSAHEDRON, n, |point| on_sphere(point, &corners))
}

/// Where a lattice point other than the centre lies, seen from there.
fn on_sphere(point: &LatticePoint, corners: &[Vector3]) -> Vector3 {
    let known = point.weights.iter().filter(|(_, weight)| *weight > 0);
    // Weights bent by the sine even out the lengths that flat lattices have on the sphere.
    let bent = |weight: u32| (f64::from(weight) / f64::from(point.shell) * EDGE_ANGLE).sin();
    let sum: Vector3 = known.map(|&(corner, weight)| corners[corner as usize] * bent(weight)).sum();
    sum.normalize()
}

/// Angle between neighbouring corners, seen from the centre: `atan 2`.
const EDGE_ANGLE: f64 = 1.107_148_717_794_090_4;

/// Corners on the unit sphere: cyclic permutations of `(0, ±1, ±φ)`.
fn icosahedron_corners() -> Vec<Vector3> {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for axis in 0..3 {
        for (a, b) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
            let mut x = Vector3::zeros();
            x[(axis + 1) % 3] = a;
            x[(axis + 2) % 3] = b;
            corners.push(x.normalize());
        }
    }
    corners
}

/// Triples of corners at distance `EDGE_ANGLE` from each other.
const ICOSAHEDRON: [[u32; 3]; 20] = [
    [0, 1, 4],
    [0, 1, 6],
    [0, 4, 8],
    [0, 6, 9],
    [0, 8, 9],
    [1, 4, 10],
    [1, 6, 11],
    [1, 10, 11],
    [2, 3, 5],
    [2, 3, 7],
    [2, 5, 8],
    [2, 7, 9],
    [2, 8, 9],
    [3, 5, 10],
    [3, 7, 11],
    [3, 10, 11],
    [4, 5, 8],
    [4, 5, 10],
    [6, 7, 9],
    [6, 7, 11],
];
