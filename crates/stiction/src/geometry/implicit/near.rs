//! The samples within the radius of a point, each seen from that point.

use super::ImplicitSurface;
use crate::math::{Matrix3, Vector3};

/// One sample near the point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) sample: u32,
    pub(super) w: f64,     // its weight; the largest of all samples is one
    pub(super) d: Vector3, // from the sample to the point
    pub(super) n: Vector3, // its normal
    pub(super) u: f64,     // n·d, the height over its tangent plane
    unit: Vector3,         // d/|d|, or zero
    q: f64,                // slope of the weight over the distance; see `kernel`
    dq: f64,
    stretch: f64, // r q′
    bend: f64,    // r q″ − q′
}

impl Near {
    /// `a = ∂w/∂d`.
    pub(super) fn a(&self) -> Vector3 {
        self.d * self.q
    }

    /// `H = ∂²w/∂d²`.
    pub(super) fn h(&self) -> Matrix3 {
        let mut h = self.unit * (self.unit * self.stretch).transpose();
        add_to_diagonal(&mut h, self.q);
        h
    }

    /// `∂³w/∂d³` in one direction.
    pub(super) fn third(&self, gamma: &Vector3) -> Matrix3 {
        let along = self.unit.dot(gamma);
        let cross = self.unit * (gamma * self.dq).transpose();
        let mut t = cross + cross.transpose();
        t += self.unit * (self.unit * (self.bend * along)).transpose();
        add_to_diagonal(&mut t, self.dq * along);
        t
    }
}

/// Collects the candidates within the radius. False when there are none.
pub(super) fn gather(
    surface: &ImplicitSurface,
    x: &Vector3,
    candidates: &[u32],
    near: &mut Vec<Near>,
) -> bool {
    near.clear();
    let radius = surface.radius;
    let mut largest: f64 = 0.0;
    for &sample in candidates {
        let d = x - surface.samples.points[sample as usize];
        let r_sq = d.norm_squared();
        if r_sq < radius * radius {
            let n = surface.samples.normals[sample as usize];
            let r = r_sq.sqrt();
            let kernel = surface.kernel.jet(r, radius);
            // Samples without a normal do not count.
            if kernel.value > 0.0 && n != Vector3::zeros() {
                largest = largest.max(kernel.value);
                near.push(Near {
                    sample,
                    w: kernel.value,
                    d,
                    n,
                    u: n.dot(&d),
                    unit: if r > 0.0 { d / r } else { Vector3::zeros() },
                    q: kernel.q,
                    dq: kernel.dq,
                    stretch: r * kernel.dq,
                    bend: r * kernel.ddq - kernel.dq,
                });
            }
        }
    }
    // Only ratios of weights matter. With the largest at one, no sum is tiny, although kernels that nearly
    // interpolate reach 1e-10 and less away from their samples.
    let scale = 1.0 / largest;
    for one in near.iter_mut() {
        one.w *= scale;
        one.q *= scale;
        one.dq *= scale;
        one.stretch *= scale;
        one.bend *= scale;
    }
    !near.is_empty()
}

/// `Σ w u / Σ w` for weights `w(j)`, and `Σ w`. Exactly `u` when all heights are the same.
pub(super) fn mean_height(near: &[Near], w: impl Fn(usize) -> f64) -> (f64, f64) {
    let reference = near[0].u;
    let (mut sum, mut total) = (0.0, 0.0);
    for (j, one) in near.iter().enumerate() {
        let w = w(j);
        sum += w * (one.u - reference);
        total += w;
    }
    (reference + sum / total, total)
}

pub(super) fn add_to_diagonal(m: &mut Matrix3, value: f64) {
    m.m11 += value;
    m.m22 += value;
    m.m33 += value;
}
