//! Skins of bodies that have nodes: every vertex of the surface takes directions along with one of its triangles.

use std::collections::BTreeMap;

use super::grain::{Skin, SurfaceAt};
use crate::body::Body;
use crate::math::{Matrix3, Vector3};
use crate::mesh::TriMesh;

/// A skin and what carries it.
#[derive(Clone, Debug)]
pub(crate) struct CarriedSkin {
    skin: Skin,
    /// By node: where it is at rest, and a triangle it belongs to.
    nodes: BTreeMap<u32, (Vector3, Triangle)>,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    nodes: [u32; 3],
    /// From the world at rest to its edges and normal.
    inverse: Matrix3,
}

impl CarriedSkin {
    /// Of a body whose vertices are these nodes; nothing for an obstacle.
    pub(crate) fn new(skin: &Skin, body: &Body, nodes: &[u32]) -> Option<Self> {
        let (mesh, vertices) = match body {
            Body::Solid(solid) => {
                let boundary = solid.mesh.boundary();
                (boundary.surface, boundary.vertices)
            }
            Body::Cloth(cloth) => {
                (cloth.mesh.clone(), (0..cloth.mesh.vertex_count() as u32).collect())
            }
            Body::Rigid(rigid) => {
                (rigid.mesh.clone(), (0..rigid.mesh.vertex_count() as u32).collect())
            }
            Body::Obstacle(_) => return None,
        };
        let node = |v: u32| nodes[vertices[v as usize] as usize];
        Some(Self { skin: skin.clone(), nodes: triangles(&mesh, node) })
    }

    /// At a point between nodes.
    pub(crate) fn at<'a>(
        &'a self,
        nodes: &[u32; 3],
        weights: &[f64; 3],
        x: impl Fn(u32) -> Vector3,
    ) -> Option<SurfaceAt<'a>> {
        let parts = || nodes.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        let (first, _) = parts().max_by(|a, b| a.1.total_cmp(b.1))?;
        let (_, triangle) = self.nodes.get(first)?;
        let local = parts().map(|(node, weight)| self.nodes.get(node).map(|n| n.0 * *weight));
        let local = local.sum::<Option<Vector3>>()?;
        let carry = basis(triangle.nodes.map(x))? * triangle.inverse;
        Some(SurfaceAt { skin: &self.skin, carry, local })
    }
}

fn triangles(mesh: &TriMesh, node: impl Fn(u32) -> u32) -> BTreeMap<u32, (Vector3, Triangle)> {
    let x = mesh.vertices();
    let mut all = BTreeMap::new();
    for corners in mesh.triangles() {
        let inverse = basis(corners.map(|v| x[v as usize])).and_then(|basis| basis.try_inverse());
        let Some(inverse) = inverse else { continue };
        let triangle = Triangle { nodes: corners.map(&node), inverse };
        for &v in corners {
            all.entry(node(v)).or_insert((x[v as usize], triangle));
        }
    }
    all
}

/// Two edges and the normal; nothing for a triangle without area.
fn basis([a, b, c]: [Vector3; 3]) -> Option<Matrix3> {
    let (e1, e2) = (b - a, c - a);
    let normal = e1.cross(&e2).try_normalize(f64::MIN_POSITIVE)?;
    Some(Matrix3::from_columns(&[e1, e2, normal]))
}
