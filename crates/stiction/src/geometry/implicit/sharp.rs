//! The sharp field: patches between sharp edges are blended each by itself, and what is outside of one is outside.
//!
//! With the plain field `f_k` of the samples of patch `k`, and `max` for edges that stick out (`min` for grooves):
//!
//! $$ f = \operatorname{smax}(f_1, f_2, \ldots), \qquad
//!    \operatorname{smax}(a, b) = \max(a, b) + \tfrac{\epsilon}{6} h^3, \quad
//!    h = \Bigl(1 - \frac{|a - b|}{\epsilon}\Bigr)_+ . $$
//!
//! So a flat face is exactly flat up to a little from its edges, whatever is around the corner; an edge is rounded
//! over `ε` and lies `ε/6` too deep; two derivatives are continuous. A blend over all samples does neither: near the
//! edge of a coarse block it bulges by a tenth of a cell, robust or not.
//!
//! Only the patch nearest to the point and those that share an edge with it take part. Others, such as the far side of
//! a gap between two arms of a body, would only add what is not there.
//!
//! Folded one after the other, `smax` of `n` values has slopes `σ_k ≥ 0` that add up to one, and second derivatives
//! `S`:
//!
//! $$ \nabla f = \sum_k \sigma_k \nabla f_k, \qquad
//!    \nabla^2 f = \sum_k \sigma_k \nabla^2 f_k + \sum_{kl} S_{kl}\, \nabla f_k \otimes \nabla f_l . $$

use super::blend;
use super::chain::{Chain, Local};
use super::jet::{FieldJet, Order, SampleSlope, Upper};
use super::near::Near;
use super::patches::Patches;
use super::samples::Faces;
use crate::geometry::closest::weights_on_triangle;
use crate::math::Vector3;

/// Patches, and how their edges are rounded.
#[derive(Clone, Debug)]
pub(super) struct Creases {
    pub(super) patches: Patches,
    /// `ε` [m].
    pub(super) rounding: f64,
}

/// A patch near the point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    patch: u32,
    f: f64,     // f_k
    over: f64,  // 1/Σw
    sigma: f64, // σ_k
}

/// All patches near the point.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    value: f64,
    curvature: Vec<f64>, // S, row by row
    of_near: Vec<usize>,
}

impl Creases {
    /// Finds the patches near the point, and drops samples of those that do not matter there.
    pub(super) fn select(
        &self,
        x: &Vector3,
        faces: &Faces,
        points: &[Vector3],
        near: &mut Vec<Near>,
        found: &mut Groups,
    ) {
        let patch = |one: &Near| self.patches.of_face[one.sample as usize];
        found.groups.clear();
        for one in near.iter() {
            let patch = patch(one);
            if let Err(at) = found.groups.binary_search_by_key(&patch, |group| group.patch) {
                found.groups.insert(at, Group { patch, ..Group::default() });
            }
        }
        let all_meet =
            found.groups.iter().enumerate().all(|(k, a)| {
                found.groups[..k].iter().all(|b| self.patches.meet(a.patch, b.patch))
            });
        if !all_meet {
            let base = self.nearest_patch(x, faces, points, near);
            found.groups.retain(|group| self.patches.meet(base, group.patch));
        }
        found.mean_heights(near, |one| patch(one));
        found.fold(self.patches.sense, self.rounding);
        let place =
            |one: &Near, groups: &[Group]| groups.iter().position(|g| g.patch == patch(one));
        near.retain(|one| place(one, &found.groups).is_some());
        found.of_near.clear();
        found.of_near.extend(near.iter().filter_map(|one| place(one, &found.groups)));
    }

    /// The patch of the face that is nearest to the point.
    fn nearest_patch(&self, x: &Vector3, faces: &Faces, points: &[Vector3], near: &[Near]) -> u32 {
        let distance = |one: &&Near| {
            let corners = faces.shapes[one.sample as usize].corners(&points[one.sample as usize]);
            let [a, b, c] = weights_on_triangle(&corners, *x);
            (corners[0] * a + corners[1] * b + corners[2] * c - x).norm_squared()
        };
        let nearest = near.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(0, |one| self.patches.of_face[one.sample as usize])
    }
}

impl Groups {
    /// Value and slopes, and second derivatives; drops groups without a slope.
    fn fold(&mut self, sense: f64, rounding: f64) {
        let count = self.groups.len();
        self.curvature.clear();
        self.curvature.resize(count * count, 0.0);
        let mut value = sense * self.groups[0].f;
        self.groups[0].sigma = 1.0;
        for k in 1..count {
            let (below, above) = (value, sense * self.groups[k].f);
            let h = (1.0 - (below - above).abs() / rounding).max(0.0);
            let minor = 0.5 * h * h;
            let (slope, other) =
                if below >= above { (1.0 - minor, minor) } else { (minor, 1.0 - minor) };
            value = below.max(above) + rounding * h * h * h / 6.0;
            let bend = h / rounding;
            // ∂²smax is `bend` times (1, −1) ⊗ (1, −1).
            for i in 0..=k {
                for j in 0..=k {
                    let side = |i: usize| if i == k { -1.0 } else { self.groups[i].sigma };
                    let entry = &mut self.curvature[i * count + j];
                    *entry = *entry * slope + bend * side(i) * side(j);
                }
            }
            self.groups[..k].iter_mut().for_each(|group| group.sigma *= slope);
            self.groups[k].sigma = other;
        }
        self.value = sense * value;
        self.keep(sense);
    }

    /// Forgets groups without a slope, in place.
    fn keep(&mut self, sense: f64) {
        let count = self.groups.len();
        let mut kept = 0;
        for i in (0..count).filter(|&i| self.groups[i].sigma > 0.0) {
            for j in (0..count).filter(|&j| self.groups[j].sigma > 0.0) {
                // Never ahead of what is still to be read.
                self.curvature[kept] = sense * self.curvature[i * count + j];
                kept += 1;
            }
        }
        self.curvature.truncate(kept);
        self.groups.retain(|group| group.sigma > 0.0);
    }

    /// `f_k` of each group. As in [`mean_height`](super::near::mean_height), exact where all heights are the same.
    fn mean_heights(&mut self, near: &[Near], patch: impl Fn(&Near) -> u32) {
        for group in &mut self.groups {
            let own = || near.iter().filter(|one| patch(one) == group.patch);
            let reference = own().next().map_or(0.0, |one| one.u);
            let (mut sum, mut total) = (0.0, 0.0);
            for one in own() {
                sum += one.w * (one.u - reference);
                total += one.w;
            }
            (group.f, group.over) = (reference + sum / total, 1.0 / total);
        }
    }
}

pub(super) fn evaluate(chain: &impl Chain, order: Order, jet: &mut FieldJet) {
    let FieldJet { vertices, value, gradient, hessian, samples, near, vectors, groups, .. } = jet;
    *value = groups.value;
    if order == Order::Value {
        return;
    }
    let width = 1 + vertices.len();
    let of = |j: usize| &groups.groups[groups.of_near[j]];
    gradient.resize(width, Vector3::zeros());
    for (j, one) in near.iter().enumerate() {
        let &Group { f, over, sigma, .. } = of(j);
        let (by_d, by_n) = blend::slopes(one, f, over * sigma);
        let weight = one.w * over * sigma;
        samples.push(SampleSlope { sample: one.sample, weight, by_point: -by_d, by_normal: by_n });
        chain.add_vector(j, one, &by_d, &by_n, gradient);
    }
    if order == Order::First {
        return;
    }

    // Rows ∇f_k, then what they are multiplied with.
    let count = groups.groups.len();
    vectors.clear();
    vectors.resize(2 * count * width, Vector3::zeros());
    let (slopes, partners) = vectors.split_at_mut(count * width);
    let mut upper = Upper::zeros(width, hessian);
    for (j, one) in near.iter().enumerate() {
        let k = groups.of_near[j];
        let &Group { f, over, sigma, .. } = of(j);
        let span = k * width..(k + 1) * width;
        let (by_d, by_n) = blend::slopes(one, f, over);
        chain.add_vector(j, one, &by_d, &by_n, &mut slopes[span.clone()]);
        let (dd, dn) = blend::local(one, f);
        let local = Local { dd: dd * (over * sigma), dn: dn * (over * sigma), nn: None };
        chain.add_local(j, one, &local, &samples[j].by_normal, &mut upper);
        let fade = one.a() * -(over * sigma);
        chain.add_point_vector(j, one, &fade, &mut partners[span]);
    }
    for k in 0..count {
        let partner = &mut partners[k * width..(k + 1) * width];
        for l in 0..count {
            let bend = 0.5 * groups.curvature[k * count + l];
            let other = &slopes[l * width..(l + 1) * width];
            partner.iter_mut().zip(other).for_each(|(to, from)| *to += from * bend);
        }
        upper.add_product(&slopes[k * width..(k + 1) * width], partner);
    }
    upper.mirror();
}
