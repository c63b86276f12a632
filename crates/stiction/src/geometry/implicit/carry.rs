//! How the surface moves under a point: vectors on mesh vertices, blended like the surface itself.
//!
//! $$ \bar y = \frac{\sum_j w_j\, y_j}{\sum_j w_j}, \qquad
//!    \frac{\partial\bar y}{\partial\alpha} = \frac1W \sum_j (y_j - \bar y)\,
//!    \frac{\partial w_j}{\partial\alpha} $$
//!
//! with `y_j` the vector of sample `j`: the mean over its corners, or that of its vertex. The weights `w` are those
//! of the plain field, also for a robust surface. They add up to one, so a mesh that moves as a whole carries a
//! point by just that, and a force handed to the vertices by the same weights keeps its sum. (Turning the parts
//! to the contact normal first, as [Lar22, §3.4.1] does, loses both on curved surfaces.)

use super::jet::FieldJet;
use super::samples::Layout;
use super::{ImplicitSurface, near::Near};
use crate::math::{Matrix3, Vector3};

impl ImplicitSurface {
    /// The share of each of `jet.vertices` in the motion of the surface at the point `jet` was made for by
    /// [`jet`](Self::jet) of this surface; they add up to one. Replaces what is in `weights`.
    pub fn vertex_weights(&self, jet: &FieldJet, weights: &mut Vec<f64>) {
        weights.clear();
        weights.resize(jet.vertices.len(), 0.0);
        let over = 1.0 / total(&jet.near);
        self.for_each_carrier(jet, |one, slots| {
            for &slot in slots {
                weights[slot as usize - 1] += one.w * over / slots.len() as f64;
            }
        });
    }

    /// The vectors `field(vertex)` blended to the point `jet` was made for; for velocities, the velocity of the
    /// surface there. Zero for a cloud of points, which has no vertices.
    pub fn carry(&self, jet: &FieldJet, field: impl Fn(u32) -> Vector3) -> Vector3 {
        let mut sum = Vector3::zeros();
        self.for_each_carrier(jet, |one, slots| sum += mean(jet, slots, &field) * one.w);
        if jet.vertices.is_empty() { sum } else { sum / total(&jet.near) }
    }

    /// As [`carry`](Self::carry), with derivatives by the point and by each of `jet.vertices`, the field held fixed
    /// \[unit of the field per m\]. Replaces what is in `slopes`.
    pub fn carry_slopes(
        &self,
        jet: &FieldJet,
        field: impl Fn(u32) -> Vector3,
        slopes: &mut Vec<Matrix3>,
    ) -> Vector3 {
        let carried = self.carry(jet, &field);
        slopes.clear();
        slopes.resize(1 + jet.vertices.len(), Matrix3::zeros());
        let over = 1.0 / total(&jet.near);
        self.for_each_carrier(jet, |one, slots| {
            let slope = (mean(jet, slots, &field) - carried) * (one.a() * over).transpose();
            slopes[0] += slope;
            for &slot in slots {
                slopes[slot as usize] -= slope / slots.len() as f64;
            }
        });
        carried
    }

    /// Every sample near with the slots of the vertices that its point is the mean of.
    fn for_each_carrier(&self, jet: &FieldJet, mut act: impl FnMut(&Near, &[u32])) {
        if jet.vertices.is_empty() {
            return; // nothing that moves
        }
        for (j, one) in jet.near.iter().enumerate() {
            let slots = jet.slots.of(j);
            match &self.samples.layout {
                Layout::Points => {}
                Layout::Faces(_) => act(one, slots),
                Layout::Vertices(rings) => {
                    let own = rings.own_place(one.sample);
                    act(one, &slots[own..=own]);
                }
            }
        }
    }
}

fn total(near: &[Near]) -> f64 {
    near.iter().map(|one| one.w).sum()
}

fn mean(jet: &FieldJet, slots: &[u32], field: impl Fn(u32) -> Vector3) -> Vector3 {
    let sum: Vector3 = slots.iter().map(|&slot| field(jet.vertices[slot as usize - 1])).sum();
    sum / slots.len() as f64
}
