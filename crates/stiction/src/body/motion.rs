//! Prescribed motions: where a held point is at any time, and how fast.
//!
//! Rotations are rotation vectors `θ` (axis times angle): they count full turns, and between keyframes
//! they are interpolated as vectors. The angular velocity is
//!
//! $$ \omega = \dot\theta + \frac{1 - \cos|\theta|}{|\theta|^2}\, \theta \times \dot\theta
//!    + \frac{|\theta| - \sin|\theta|}{|\theta|^3}\, \theta \times (\theta \times \dot\theta) $$

use nalgebra::Rotation3;

use crate::math::Vector3;

/// A rigid motion in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Motion {
    /// Stays where it is.
    #[default]
    Still,
    /// Moves on at a constant velocity [m/s].
    Velocity(Vector3),
    /// Turns at a constant rate.
    Rotation {
        /// A point of the axis [m].
        center: Vector3,
        /// Angular velocity [rad/s].
        rate: Vector3,
    },
    /// Passes through given placements.
    Keyframes {
        /// Ascending in time; the first and last hold before and after.
        frames: Vec<Keyframe>,
        /// What rotations turn about [m].
        center: Vector3,
        /// How to get from one to the next.
        interpolation: Interpolation,
    },
}

/// A placement at a time, relative to the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keyframe {
    /// When [s].
    pub time: f64,
    /// How far [m].
    pub translation: Vector3,
    /// Rotation vector: axis times angle, more than a full turn if so wanted [rad].
    pub rotation: Vector3,
}

/// How keyframes are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// At constant speed; the velocity jumps at keyframes.
    Linear,
    /// Starting and stopping smoothly at every keyframe.
    #[default]
    Smooth,
}

impl Motion {
    /// Where a point that started at `x` is at time `t`, and its velocity.
    pub fn at(&self, x: Vector3, t: f64) -> (Vector3, Vector3) {
        match self {
            Self::Still => (x, Vector3::zeros()),
            Self::Velocity(velocity) => (x + velocity * t, *velocity),
            Self::Rotation { center, rate } => {
                let arm = Rotation3::new(rate * t) * (x - center);
                (center + arm, rate.cross(&arm))
            }
            Self::Keyframes { frames, center, interpolation } => {
                let [frame, change, _] = interpolate(frames, *interpolation, t);
                let arm = Rotation3::new(frame.rotation) * (x - center);
                let omega = angular_velocity(&frame.rotation, &change.rotation);
                (center + frame.translation + arm, change.translation + omega.cross(&arm))
            }
        }
    }

    /// Acceleration at time `t` of a point that started at `x` [m/s²]. Where the velocity jumps, at keyframes
    /// joined by straight lines, it is that of the line that follows.
    pub fn acceleration(&self, x: Vector3, t: f64) -> Vector3 {
        match self {
            Self::Still | Self::Velocity(_) => Vector3::zeros(),
            Self::Rotation { center, rate } => {
                let arm = Rotation3::new(rate * t) * (x - center);
                rate.cross(&rate.cross(&arm))
            }
            Self::Keyframes { frames, center, interpolation } => {
                let [frame, change, second] = interpolate(frames, *interpolation, t);
                let arm = Rotation3::new(frame.rotation) * (x - center);
                let omega = angular_velocity(&frame.rotation, &change.rotation);
                let alpha =
                    angular_acceleration(&frame.rotation, &change.rotation, &second.rotation);
                second.translation + alpha.cross(&arm) + omega.cross(&omega.cross(&arm))
            }
        }
    }

    /// Whether all numbers are finite and keyframes ascend.
    pub fn is_valid(&self) -> bool {
        let finite = |v: &Vector3| v.iter().all(|c| c.is_finite());
        match self {
            Self::Still => true,
            Self::Velocity(velocity) => finite(velocity),
            Self::Rotation { center, rate } => finite(center) && finite(rate),
            Self::Keyframes { frames, center, .. } => {
                finite(center)
                    && !frames.is_empty()
                    && frames.iter().all(|f| {
                        f.time.is_finite() && finite(&f.translation) && finite(&f.rotation)
                    })
                    && frames.windows(2).all(|pair| pair[0].time < pair[1].time)
            }
        }
    }
}

/// The placement at time `t`, its rate of change, and the rate of that.
fn interpolate(frames: &[Keyframe], interpolation: Interpolation, t: f64) -> [Keyframe; 3] {
    let next = frames.partition_point(|frame| frame.time <= t);
    if next == 0 || next == frames.len() {
        let held = if next == 0 { frames.first() } else { frames.last() };
        let still = Keyframe::default();
        return [held.copied().unwrap_or_default(), still, still];
    }
    let (a, b) = (frames[next - 1], frames[next]);
    let length = b.time - a.time;
    let u = (t - a.time) / length;
    let [s, ds, dds] = match interpolation {
        Interpolation::Linear => [u, 1.0 / length, 0.0],
        Interpolation::Smooth => [
            u * u * (3.0 - 2.0 * u),
            6.0 * u * (1.0 - u) / length,
            6.0 * (1.0 - 2.0 * u) / (length * length),
        ],
    };
    let (move_by, turn_by) = (b.translation - a.translation, b.rotation - a.rotation);
    let frame = Keyframe {
        time: t,
        translation: a.translation + move_by * s,
        rotation: a.rotation + turn_by * s,
    };
    let derivative = |time: f64, factor: f64| Keyframe {
        time,
        translation: move_by * factor,
        rotation: turn_by * factor,
    };
    [frame, derivative(1.0, ds), derivative(0.0, dds)]
}

/// The formula of [the module](self); the series where `θ` is small.
fn angular_velocity(theta: &Vector3, theta_dot: &Vector3) -> Vector3 {
    let angle = theta.norm();
    let (first, second) = if angle < 1e-4 {
        (0.5 - angle * angle / 24.0, 1.0 / 6.0 - angle * angle / 120.0)
    } else {
        ((1.0 - angle.cos()) / (angle * angle), (angle - angle.sin()) / angle.powi(3))
    };
    let cross = theta.cross(theta_dot);
    theta_dot + cross * first + theta.cross(&cross) * second
}

/// Rate of change of the angular velocity. With `A`, `B` the two factors of the formula,
/// `ω̇ = θ̈ + A θ×θ̈ + B (θ̇×(θ×θ̇) + θ×(θ×θ̈)) + Ȧ θ×θ̇ + Ḃ θ×(θ×θ̇)`.
fn angular_acceleration(theta: &Vector3, theta_dot: &Vector3, theta_ddot: &Vector3) -> Vector3 {
    let angle = theta.norm();
    let (sin, cos) = angle.sin_cos();
    // The factors, and their slopes over the angle.
    let (a, b, a_slope, b_slope) = if angle < 1e-2 {
        let sq = angle * angle;
        (
            0.5 - sq / 24.0 + sq * sq / 720.0,
            1.0 / 6.0 - sq / 120.0 + sq * sq / 5040.0,
            -1.0 / 12.0 + sq / 180.0,
            -1.0 / 60.0 + sq / 1260.0,
        )
    } else {
        let (a, b) = ((1.0 - cos) / (angle * angle), (angle - sin) / angle.powi(3));
        let sq = angle * angle;
        (a, b, (sin / angle - 2.0 * a) / sq, (a - 3.0 * b) / sq)
    };
    let growth = theta.dot(theta_dot);
    let (cross, cross_ddot) = (theta.cross(theta_dot), theta.cross(theta_ddot));
    theta_ddot
        + cross_ddot * a
        + (theta_dot.cross(&cross) + theta.cross(&cross_ddot)) * b
        + cross * (a_slope * growth)
        + theta.cross(&cross) * (b_slope * growth)
}
