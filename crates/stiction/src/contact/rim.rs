//! The rim of an open surface: beyond it there is nothing to touch.
//!
//! A blend of tangent planes goes on for a radius beyond the last face. What ends it is the face nearest to a point: if
//! the nearest place of that face is on the rim, the point is beyond it by `s`, measured along the face.

use crate::geometry::Jet;
use crate::geometry::closest::weights_on_triangle;
use crate::math::{Matrix3, Vector3};
use crate::mesh::topology::SurfaceEdges;
use crate::mesh::triangle_normal;

/// Over how many spacings a surface fades at its rim.
const FADE: f64 = 0.05;

/// The face nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestFace {
    pub(crate) face: u32,
    /// Barycentric coordinates of the nearest place of it.
    shares: [f64; 3],
    /// From there to the point [m].
    offset: Vector3,
    corners: [Vector3; 3],
}

impl NearestFace {
    /// Its normal; zero where it has none.
    pub(crate) fn normal(&self) -> Vector3 {
        triangle_normal(&self.corners).unwrap_or_else(Vector3::zeros)
    }

    /// Among some faces; the first of those equally near.
    pub(crate) fn find(
        x: Vector3,
        faces: &[u32],
        corners: impl Fn(u32) -> [Vector3; 3],
    ) -> Option<Self> {
        let mut nearest: Option<Self> = None;
        for &face in faces {
            let corners = corners(face);
            let shares = weights_on_triangle(&corners, x);
            let foot = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
            let found = Self { face, shares, offset: x - foot, corners };
            if nearest.is_none_or(|n| found.offset.norm_squared() < n.offset.norm_squared()) {
                nearest = Some(found);
            }
        }
        nearest
    }
}

/// Which edges and vertices of a mesh are on its rim.
#[derive(Clone, Debug)]
pub(crate) struct Rim {
    /// Of each face, whether the edge opposite to each corner is.
    edges: Vec<[bool; 3]>,
    vertices: Vec<bool>,
    /// Over which length the surface ends [m].
    fade: f64,
}

/// A place beyond the rim.
#[derive(Clone, Copy, Debug)]
struct Beyond {
    /// How far, along the surface [m].
    out: Vector3,
    /// Directions that lead farther out: one for an edge, two for a corner.
    directions: Matrix3,
    /// Over the face [m].
    height: f64,
}

impl Rim {
    /// None of a closed surface.
    pub(crate) fn new(vertex_count: usize, triangles: &[[u32; 3]], spacing: f64) -> Option<Self> {
        let surface = SurfaceEdges::new(vertex_count, triangles);
        let mut edges = vec![[false; 3]; triangles.len()];
        let mut vertices = vec![false; vertex_count];
        for k in 0..surface.len() {
            let [side] = surface.sides(k) else { continue };
            let face = side.triangle as usize;
            let corner = triangles[face].iter().position(|&v| v == side.opposite);
            edges[face][corner?] = true;
            surface.edge(k).iter().for_each(|&v| vertices[v as usize] = true);
        }
        let any = vertices.iter().any(|on_rim| *on_rim);
        any.then_some(Self { edges, vertices, fade: FADE * spacing })
    }

    fn beyond(&self, triangle: &[u32; 3], nearest: &NearestFace) -> Option<Beyond> {
        let NearestFace { face, shares, offset, corners } = nearest;
        let normal = triangle_normal(corners)?;
        let not_on = |k: &usize| shares[*k] == 0.0;
        let tangent = Matrix3::identity() - normal * normal.transpose();
        let directions = match (0..3).filter(not_on).count() {
            1 => {
                let k = (0..3).find(not_on)?;
                if !self.edges[*face as usize][k] {
                    return None;
                }
                let edge = corners[(k + 2) % 3] - corners[(k + 1) % 3];
                let out = edge.cross(&normal).try_normalize(0.0)?;
                out * out.transpose()
            }
            2 => {
                let k = (0..3).find(|k| !not_on(k))?;
                if !self.vertices[triangle[k] as usize] {
                    return None;
                }
                tangent
            }
            _ => return None,
        };
        Some(Beyond { out: directions * offset, directions, height: normal.dot(offset) })
    }

    /// Whether a point is so clearly beyond the rim that there is nothing to touch.
    pub(crate) fn is_past(&self, triangle: &[u32; 3], nearest: &NearestFace) -> bool {
        let past = |beyond: Beyond| beyond.out.norm() > self.fade + 0.5 * beyond.height.abs();
        self.beyond(triangle, nearest).is_some_and(past)
    }

    /// Widens the gap of a point beyond the rim by how far it is beyond, smoothly from zero on.
    pub(crate) fn widen(&self, triangle: &[u32; 3], nearest: &NearestFace, jet: &mut Jet) {
        let Some(Beyond { out, directions, .. }) = self.beyond(triangle, nearest) else { return };
        let (s, fade) = (out.norm(), self.fade);
        if s < fade {
            jet.value += 0.5 * s * s / fade;
            jet.gradient += out / fade;
            jet.hessian += directions / fade;
        } else {
            let unit = out / s;
            jet.value += s - 0.5 * fade;
            jet.gradient += unit;
            jet.hessian += (directions - unit * unit.transpose()) / s;
        }
    }
}
