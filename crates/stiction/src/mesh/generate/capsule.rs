//! A cylinder with round ends: two half balls whose flat sides are the same disk, and the sweep between.
//!
//! A half ball is made of six coarse tets around the axis: centre, pole and two corners of a hexagon.
//! Its lattice points are placed by latitude and longitude, so that its flat side is a disk of rings.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

use super::shells::{LatticePoint, shells, sphere};
use super::sweep::swept;
use super::{divisions, require_budget, require_length, tag_where};
use crate::math::Vector3;
use crate::mesh::topology::tet_faces;
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A capsule along `z` [m], with edges of about `edge_length` [m].
///
/// `length` is that of the cylinder between the half balls; from tip to tip it is `length + 2 radius`.
/// Groups: `surface`.
///
/// # Errors
/// When a length is not finite and above zero.
pub fn capsule(radius: f64, length: f64, edge_length: f64) -> Result<TetMesh, MeshError> {
    let name = "capsule";
    require_length(name, "radius", radius)?;
    require_length(name, "length", length)?;
    require_length(name, "edge_length", edge_length)?;
    let across = (radius / edge_length).max(1.0);
    let along = (length / edge_length).max(1.0);
    require_budget(
        name,
        "edge_length",
        edge_length,
        across.powi(2) * (12.0 * across + 18.0 * along),
    )?;

    let n = divisions(radius, edge_length, 1) as u32;
    let cap = half_ball(radius, n);
    let cap_count = cap.vertices.len() as u32;
    let flat: Vec<u32> = (0..cap_count).filter(|&v| cap.vertices[v as usize].z <= 0.0).collect();

    // Upper cap, lower cap turned by half a turn about x, then the copies of the disk between them.
    let lift = Vector3::z() * (0.5 * length);
    let mut vertices: Vec<Vector3> = cap.vertices.iter().map(|x| x + lift).collect();
    vertices.extend(cap.vertices.iter().map(|x| Vector3::new(x.x, x.y, -x.z) - lift));
    let layer_count = divisions(length, edge_length, 1);
    let mut layers = vec![flat.iter().map(|v| v + cap_count).collect::<Vec<u32>>()];
    for layer in 1..layer_count {
        let z = length * (layer as f64 / layer_count as f64 - 0.5);
        let start = vertices.len() as u32;
        vertices.extend(flat.iter().map(|&v| cap.vertices[v as usize] + Vector3::z() * z));
        layers.push((start..vertices.len() as u32).collect());
    }
    layers.push(flat.clone());

    let mut tets = cap.elements.clone();
    tets.extend(cap.elements.iter().map(|corners| corners.map(|v| v + cap_count)));
    let layers: Vec<&[u32]> = layers.iter().map(Vec::as_slice).collect();
    tets.extend(swept(&disk_triangles(&cap, &flat), &layers));

    let mut soup = TetSoup::new(vertices, tets);
    let inside = radius * (1.0 - 0.5 / f64::from(n));
    let from_axis =
        |x: &Vector3| (x - Vector3::z() * x.z.clamp(-0.5 * length, 0.5 * length)).norm();
    soup.vertex_tags = tag_where(&soup.vertices, &[("surface", &|x| from_axis(x) > inside)]);
    soup.oriented().build() // the lower cap was mirrored
}

/// The upper half of a ball of `n` shells, its flat side at `z = 0` exactly; tets are positive.
fn half_ball(radius: f64, n: u32) -> TetSoup {
    let position = |point: &LatticePoint| match point.shell {
        0 => Vector3::zeros(),
        shell if shell == n => on_half_sphere(point) * radius,
        shell => on_half_sphere(point) * (radius * f64::from(shell) / f64::from(n)),
    };
    let (_, vertices, tets) = shells(&HALF_SPHERE, 0, n, position);
    TetSoup::new(vertices, tets).oriented()
}

/// The upper half of the unit sphere in `6 n²` triangles, its rim at `z = 0` exactly.
pub(crate) fn half_sphere(n: u32) -> (Vec<Vector3>, Vec<[u32; 3]>) {
    sphere(&HALF_SPHERE, n, on_half_sphere)
}

const POLE: u32 = 0;

/// The pole and two corners of the hexagon, 1 to 6.
const HALF_SPHERE: [[u32; 3]; 6] =
    [[POLE, 1, 2], [POLE, 2, 3], [POLE, 3, 4], [POLE, 4, 5], [POLE, 5, 6], [POLE, 6, 1]];

/// Where a lattice point other than the centre lies, seen from there: by latitude and longitude.
fn on_half_sphere(point: &LatticePoint) -> Vector3 {
    let (mut pole, mut around) = (0, [(0, 0); 2]);
    let known = point.weights.iter().filter(|(_, weight)| *weight > 0);
    let mut k = 0;
    for &(corner, weight) in known {
        if corner == POLE {
            pole = weight;
        } else {
            around[k] = (corner - 1, weight);
            k += 1;
        }
    }
    if pole == point.shell {
        return Vector3::z();
    }
    // The sector from corner 5 back to corner 0 is the only one whose lower corner comes last.
    let [(first, w0), (second, w1)] = around;
    let (start, onward) = if (first, second) == (0, 5) && w1 > 0 { (5, w0) } else { (first, w1) };
    let longitude = FRAC_PI_3 * (f64::from(start) + f64::from(onward) / f64::from(w0 + w1));
    let latitude = FRAC_PI_2 * f64::from(pole) / f64::from(point.shell);
    let ((sin, cos), (up, out)) = (longitude.sin_cos(), latitude.sin_cos());
    Vector3::new(out * cos, out * sin, up)
}

/// Triangles of the flat side, counterclockwise seen from above, as indices into `flat`.
fn disk_triangles(cap: &TetSoup, flat: &[u32]) -> Vec<[u32; 3]> {
    let local = |v: u32| flat.binary_search(&v).ok().map(|k| k as u32);
    let faces = tet_faces(cap.vertices.len(), &cap.elements);
    let triangle = |[a, b, c]: [u32; 3]| Some([local(a)?, local(c)?, local(b)?]); // outward is down
    faces.iter().filter_map(|face| triangle(face.corners)).collect()
}
