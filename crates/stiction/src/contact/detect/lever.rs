//! How a surface that deforms carries a point near it.
//!
//! Friction acts on two bodies at one point, and that is not on both of them: there is a gap, or a skin. A point that
//! is off a place `p` of a surface by `a` goes along with a face as
//!
//! $$ v = v_p + \sum_k B_k v_k, \qquad B_k = (g_k \cdot a)\, I - (n \cdot a)\, g_k n^T $$
//!
//! with `n` the normal of the face and `g_k` the gradients of its barycentric coordinates: `a` turns as the face does.
//! A rigid motion gives `v = v_p + ω × a`, so forces `f` at `p` and `Bᵀ f` have no more moment than `f` at the point.
//! Edges and vertices have several faces: the mean of them.

use crate::geometry::features::{Feature, Surface};
use crate::math::{Matrix3, Vector3};

/// Twice the area over the sum of squared edges below which a triangle carries nothing [-]: so thin a one has lost half
/// of the digits of its normal.
const FLAT: f64 = 1e-8;

/// Nodes, and what their velocities add to that of the point.
pub(crate) type Lever = Vec<(u32, Matrix3)>;

/// What faces at a feature do to a point off it by `arm` [m]; `x` are positions of vertices.
pub(super) fn lever(
    (surface, nodes): (&Surface, &[u32]),
    feature: Feature,
    x: &[Vector3],
    arm: Vector3,
) -> Lever {
    let faces: Vec<u32> = match feature {
        Feature::Vertex(vertex) => surface.around(vertex).collect(),
        Feature::Edge(edge) => surface.beside(edge).collect(),
        Feature::Face(face) => vec![face],
    };
    let mut lever = Lever::new();
    let mut count = 0;
    for corners in faces.into_iter().map(|face| surface.triangles()[face as usize]) {
        let p = corners.map(|k| x[k as usize]);
        let e = [p[2] - p[1], p[0] - p[2], p[1] - p[0]];
        let (normal, squares) = (e[0].cross(&e[1]), e.map(|e| e.norm_squared()));
        let area = normal.norm();
        // Also false for what is not a number.
        if area > FLAT * squares.iter().sum::<f64>() {
            let n = normal / area;
            for (k, e) in corners.into_iter().zip(e) {
                let g = n.cross(&e) / area;
                let turned = g * (n * n.dot(&arm)).transpose();
                lever.push((nodes[k as usize], Matrix3::identity() * g.dot(&arm) - turned));
            }
            count += 1;
        }
    }
    lever.iter_mut().for_each(|(_, block)| *block /= f64::from(count));
    lever
}
