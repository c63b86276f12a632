//! Forces on rigid bodies, told at their vertices.
//!
//! A force at a point between vertices is put on four of them, with weights `w` that make it the same force and the
//! same torque:
//!
//! $$ \sum w_k = 1, \qquad \sum w_k x_k = x $$

use crate::assembly::point;
use crate::math::{Matrix3, Vector3};

/// How far four vertices are from lying in a plane at least, and three from a line, as sines.
const APART: f64 = 0.1;

/// Nodes near a place `x` of a body that does not deform, the nearest first, and their weights; where all nodes lie in
/// a plane or on a line, of the nearest place there.
pub(crate) fn weights_near(x: Vector3, nodes: &[u32], q: &[f64]) -> Vec<(u32, f64)> {
    let at = |node: u32| point(q, node as usize);
    let nearest = |fits: &dyn Fn(Vector3) -> bool| {
        let far = |node: u32| (at(node) - x).norm_squared();
        let fitting = nodes.iter().copied().filter(|&node| fits(at(node)));
        fitting.min_by(|&a, &b| far(a).total_cmp(&far(b)))
    };
    let Some(first) = nearest(&|_| true) else { return Vec::new() };
    let origin = at(first);
    let mut chosen = vec![first];
    let mut arms: Vec<Vector3> = Vec::new();
    // Each one out of what those before span.
    while arms.len() < 3 {
        let out = |arm: Vector3| match arms[..] {
            [] => arm.norm(),
            [a] => a.normalize().cross(&arm).norm(),
            [a, b, ..] => a.cross(&b).normalize().dot(&arm).abs(),
        };
        let fits = |y: Vector3| {
            let arm = y - origin;
            arm.norm() > 0.0 && out(arm) > APART * arm.norm()
        };
        let Some(next) = nearest(&fits) else { break };
        arms.push(at(next) - origin);
        chosen.push(next);
    }
    let shares = match arms[..] {
        [a, b, c] => Matrix3::from_columns(&[a, b, c]).lu().solve(&(x - origin)),
        [a, b] => {
            let across = a.cross(&b).normalize();
            Matrix3::from_columns(&[a, b, across]).lu().solve(&(x - origin))
        }
        [a] => Some(Vector3::x() * (a.dot(&(x - origin)) / a.norm_squared())),
        _ => None,
    };
    let shares = shares.unwrap_or_else(Vector3::zeros);
    let shares = &shares.as_slice()[..arms.len()];
    let rest = 1.0 - shares.iter().sum::<f64>();
    chosen.into_iter().zip(std::iter::once(rest).chain(shares.iter().copied())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(corners: &[[f64; 3]], x: Vector3, expected: Vector3) {
        let q: Vec<f64> = corners.iter().flatten().copied().collect();
        let nodes: Vec<u32> = (0..corners.len() as u32).collect();
        let weights = weights_near(x, &nodes, &q);
        let sum: f64 = weights.iter().map(|(_, w)| w).sum();
        let place: Vector3 = weights.iter().map(|&(n, w)| point(&q, n as usize) * w).sum();
        assert!((sum - 1.0).abs() < 1e-12 && (place - expected).norm() < 1e-12, "{weights:?}");
    }

    #[test]
    fn weights_make_the_place() {
        let corner = |k: usize| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|bit| bit as f64 - 0.5);
        let cube: Vec<[f64; 3]> = (0..8).map(corner).collect();
        for x in [[0.0; 3], [0.5, 0.1, -0.2], [0.5; 3], [0.7, -0.6, 0.3]] {
            check(&cube, x.into(), x.into());
        }
        // A square, and a rod: what is out of them is told at the nearest place.
        let x = Vector3::new(0.1, 0.2, -0.3);
        check(&cube[..4], x, Vector3::new(0.1, 0.2, -0.5));
        check(&cube[..2], x, Vector3::new(0.1, -0.5, -0.5));
        check(&cube[..1], x, Vector3::repeat(-0.5));
    }
}
