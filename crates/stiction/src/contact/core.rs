//! Round things of rigid bodies: a point with a radius around it, such as a ball and its centre.
//!
//! Against an obstacle at distance `d(c)` of the centre `c`, the gap is `d − r`, and the surfaces meet at `c + y`, `y = −r n`.
//! What slides there is the material of the body: with `e_i` three axes that the body carries, `a_i = c + r e_i` their tips,
//!
//! $$ B v = v_c + \sum_i \tfrac{\alpha_i}{r} (v_{a_i} - v_c), \qquad \alpha_i = y \cdot e_i $$
//!
//! is its velocity. `Bᵀ` puts a force at the contact, lever arm included, onto four nodes, which the body carries like its
//! vertices; so nothing else has to know of it. Over a step it slides by
//!
//! $$ \Delta = c - \hat c + \theta \times y, \qquad \theta = \frac{\arcsin |s|}{|s|} s, \qquad s = \tfrac12 \sum_i \hat e_i \times e_i $$
//!
//! where hats are what the surface would have carried along since the start of the step, and `θ` is the rotation vector from there: a
//! ball that rolls without slip has `Δ = 0` to rounding however far it turns, up to a quarter of a turn a step. Beyond, slip
//! is underestimated; what turns so far has lost its friction anyway.
//!
//! Legend: `n` normal out of the surface, `N = ∂n/∂c`, `E` the axes as columns.

use super::spot::{Geometry, Second, Spot};
use super::surface::Pose;
use crate::assembly::point;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// A point of a rigid body, with a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Core {
    /// Nodes that the body carries: the point, and one radius from it the tips of three axes.
    pub(crate) frame: [u32; 4],
    /// [m].
    pub(crate) radius: f64,
    /// Whether it is round in all directions, not the end of a capsule.
    pub(crate) is_ball: bool,
}

/// What derivatives of forces need of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ArmChange {
    /// `∂α_i/∂c`.
    by_center: [Vector3; 3],
    /// `∂α_i/∂a_i`, the same for all.
    by_tip: Vector3,
}

/// A core at an iterate, and the obstacle there.
pub(crate) struct Standing<'a> {
    pub(crate) jet: &'a Jet,
    pub(crate) pose: &'a Pose,
    pub(crate) start_pose: &'a Pose,
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
}

impl Core {
    /// Its axes, as columns.
    pub(crate) fn axes(&self, q: &[f64]) -> Matrix3 {
        let [c, a, b, d] = self.frame.map(|node| point(q, node as usize));
        Matrix3::from_columns(&[a - c, b - c, d - c]) / self.radius
    }

    /// Velocity of its material where a surface with this normal touches it [m/s].
    pub(crate) fn velocity(&self, normal: Vector3, q: &[f64], v: &[f64]) -> Vector3 {
        let share = self.axes(q).tr_mul(&-normal);
        let [center, rates @ ..] = self.frame.map(|node| point(v, node as usize));
        (0..3).fold(center, |sum, i| sum + (rates[i] - center) * share[i])
    }

    /// Gap and slip against an obstacle; the gap is that of the centre in `standing`.
    pub(crate) fn look(
        &self,
        spot: &mut Spot,
        standing: &Standing<'_>,
        second: Option<&mut Second>,
    ) {
        let Standing { jet, pose, start_pose, q, v } = *standing;
        let r = self.radius;
        let axes = self.axes(q);
        let c = point(q, self.frame[0] as usize);
        let [vc, rates @ ..] = self.frame.map(|node| point(v, node as usize));
        let slope = jet.gradient.norm();
        let n = if slope > 1e-9 { jet.gradient / slope } else { spot.given.reference };
        let y = n * -r;
        let share = axes.tr_mul(&y) / r;
        let turned = pose.rotation_since(start_pose) * spot.start_axes;
        let turn = Turned::between(&turned, &axes);
        let geometry = &mut spot.geometry;
        geometry.on_frame(self.frame, jet.gradient);
        geometry.slip.push(Matrix3::from_diagonal_element(1.0 - share.sum()));
        geometry.slip.extend((0..3).map(|i| Matrix3::from_diagonal_element(share[i])));
        let of_material = (0..3).fold(vc, |sum, i| sum + (rates[i] - vc) * share[i]);
        geometry.velocity = of_material - pose.velocity_at(c + y);
        let carried = pose.to_world(start_pose.to_local(spot.start));
        geometry.displacement = c - carried + turn.theta.cross(&y);
        let Some(second) = second else { return };
        let identity = Matrix3::identity();
        let by_center = (identity - n * n.transpose()) * jet.hessian * (-r / slope.max(1e-9)); // of y
        second.hessian.resize(16, Matrix3::zeros());
        second.hessian[0] = jet.hessian;
        let arms = ArmChange {
            by_center: [0, 1, 2].map(|i| (by_center.tr_mul(&axes.column(i)) - y / r) / r),
            by_tip: y / (r * r),
        };
        let surface = -(pose.spin.cross_matrix() * (identity + by_center));
        let center =
            (0..3).fold(surface, |sum, i| sum + (rates[i] - vc) * arms.by_center[i].transpose());
        second.slip_change.push(center);
        second.slip_change.extend(rates.map(|rate| (rate - vc) * arms.by_tip.transpose()));
        let by_s = -(y.cross_matrix() * turn.by_s);
        let by_tips = [0, 1, 2].map(|i| by_s * turned.column(i).cross_matrix() * (0.5 / r));
        let center = identity + turn.theta.cross_matrix() * by_center;
        second.carried.push(by_tips.iter().fold(center, |sum, by_tip| sum - by_tip));
        second.carried.extend(by_tips);
        second.arms = arms;
    }
}

impl ArmChange {
    /// Writes `∂(Bᵀ t)/∂q`.
    pub(crate) fn spread(&self, traction: Vector3, force_change: &mut Vec<Matrix3>) {
        force_change.clear();
        force_change.resize(16, Matrix3::zeros());
        for i in 0..3 {
            let changes = [(0, self.by_center[i]), (i + 1, self.by_tip)];
            for (j, change) in changes {
                let block = traction * change.transpose();
                force_change[4 * (i + 1) + j] += block;
                force_change[j] -= block;
            }
        }
    }
}

/// A rotation between two frames.
struct Turned {
    theta: Vector3,
    /// `∂θ/∂s`.
    by_s: Matrix3,
}

impl Turned {
    fn between(from: &Matrix3, to: &Matrix3) -> Self {
        /// Of `|s|²`; the derivative has a pole at one.
        const MOST: f64 = 0.9;
        let s = (0..3).map(|i| from.column(i).cross(&to.column(i))).sum::<Vector3>() * 0.5;
        let z = s.norm_squared();
        let (f, df) = if z < 1e-4 {
            (1.0 + z / 6.0 + 0.075 * z * z, 1.0 / 6.0 + 0.15 * z)
        } else if z < MOST {
            let f = z.sqrt().asin() / z.sqrt();
            (f, (1.0 / (1.0 - z).sqrt() - f) / (2.0 * z))
        } else {
            (MOST.sqrt().asin() / MOST.sqrt(), 0.0)
        };
        let by_s = Matrix3::from_diagonal_element(f) + s * s.transpose() * (2.0 * df);
        Self { theta: s * f, by_s }
    }
}

impl Geometry {
    fn on_frame(&mut self, frame: [u32; 4], gradient: Vector3) {
        self.exists = true;
        self.nodes.extend(frame.map(Some));
        self.gradient.push(gradient);
        self.gradient.extend([Vector3::zeros(); 3]);
    }
}
