//! Where everything is, and the energy of barriers there.

use super::contact::Pair;
use super::mesh::Layer;
use super::near::{Filter, Near, OnPlane};
use super::{TOGETHER, potential};
use crate::math::Vector3;
use crate::threads::map_each;

/// Where everything is, and what is near what.
#[derive(Debug, Default)]
pub(super) struct View {
    /// Time that everything prescribed has been led to [s].
    pub(super) time: f64,
    /// Vertices [m].
    pub(super) x: Vec<Vector3>,
    /// Normals and origins of half-spaces.
    pub(super) planes: Vec<(Vector3, Vector3)>,
    pub(super) near: Near,
}

impl View {
    pub(super) fn new(filter: Filter<'_>, q: &[f64], time: f64) -> Self {
        let planes = filter.mesh.standing(&filter.mesh.poses(time));
        let x = filter.mesh.positions(q, time);
        let near = Near::find(filter, &x, &planes);
        Self { time, x, planes, near }
    }

    pub(super) fn corners(&self, pair: &Pair) -> [Vector3; 4] {
        pair.vertices.map(|v| self.x[v as usize])
    }

    pub(super) fn plane_gap(&self, at: &OnPlane) -> f64 {
        let (normal, origin) = self.planes[at.plane as usize];
        normal.dot(&(self.x[at.vertex as usize] - origin))
    }

    /// Energy of barriers [J], and the sum of their forces [N].
    pub(super) fn energy(&self) -> [f64; 2] {
        let pairs =
            map_each(&self.near.pairs, TOGETHER, |_, pair| pair.energy(&self.corners(pair)));
        let planes = self.near.on_planes.iter().map(|at| {
            let (gap, Layer { d_hat, kappa }) = (self.plane_gap(at), at.layer);
            [kappa * potential::value(gap, d_hat), kappa * potential::slope(gap, d_hat)]
        });
        let mut sums = [0.0; 2];
        // Pairs first, then planes.
        for (sum, k) in sums.iter_mut().zip(0..) {
            let of_planes: f64 = planes.clone().map(|each: [f64; 2]| each[k].abs()).sum();
            *sum = pairs.iter().map(|each| each[k].abs()).sum::<f64>() + of_planes;
        }
        sums
    }
}
