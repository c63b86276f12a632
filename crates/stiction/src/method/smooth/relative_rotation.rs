//! How two rigid things rotate against each other: frames of rigid bodies, obstacles.
//!
//! A frame with axes `e_i` and arms `a` spins, and A has rotated since the start of the step against where B would
//! have carried it (hats), by
//!
//! $$ \Omega = \tfrac{1}{2a} \sum_i e_i \times (v_i - v_o), \qquad
//!    \theta = \frac{\arcsin |s|}{|s|} s, \qquad s = \tfrac12 \sum_i \hat f_i \times f_i $$
//!
//! up to 70° a step.

use super::frame::Stand;
use crate::contact::obstacle::MovingPose;
use crate::math::{Matrix3, Vector3};

/// One of two that rotate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotating {
    /// Now and at the start of the step.
    pub(crate) axes: Matrix3,
    pub(crate) start: Matrix3,
    /// What it is made of, and where that begins in the stencil; of an obstacle, its spin [rad/s].
    pub(crate) kind: RotatingKind,
}

/// What rotates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RotatingKind {
    Frame(Stand, usize),
    Obstacle(Vector3),
}

impl Rotating {
    pub(crate) fn of_frame(stand: Stand, start: Matrix3, first: usize) -> Self {
        Self { axes: stand.axes, start, kind: RotatingKind::Frame(stand, first) }
    }

    pub(crate) fn of_pose(pose: &MovingPose, start: Matrix3) -> Self {
        Self { axes: pose.axes, start, kind: RotatingKind::Obstacle(pose.spin) }
    }

    /// `Ω` [rad/s].
    fn spin(&self) -> Vector3 {
        match &self.kind {
            RotatingKind::Frame(stand, _) => stand.spin(),
            RotatingKind::Obstacle(spin) => *spin,
        }
    }

    pub(super) fn frame(&self) -> Option<(&Stand, usize)> {
        match &self.kind {
            RotatingKind::Frame(stand, first) => Some((stand, *first)),
            RotatingKind::Obstacle(_) => None,
        }
    }
}

/// A against B.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeRotation {
    pub(crate) a: Rotating,
    pub(crate) b: Rotating,
}

/// How something changes with the nodes of the frames of A and of B.
pub(crate) type ByFrames = [[Matrix3; 4]; 2];

impl RelativeRotation {
    /// `Ω` of A less that of B [rad/s].
    pub(crate) fn rate(&self) -> Vector3 {
        self.a.spin() - self.b.spin()
    }

    /// `θ` [rad].
    pub(crate) fn angle(&self) -> Vector3 {
        RotationVector::between(&self.hats(), &self.a.axes).theta
    }

    fn hats(&self) -> Matrix3 {
        self.b.axes * self.b.start.transpose() * self.a.start
    }

    /// For each frame with a sign, what each of its tips does; the origin does the opposite of all.
    fn by_tips(&self, tip: impl Fn(usize, &Stand, usize) -> Matrix3) -> ByFrames {
        [0, 1].map(|side| {
            let mut blocks = [Matrix3::zeros(); 4];
            let rotating = if side == 0 { &self.a } else { &self.b };
            let Some((stand, _)) = rotating.frame() else { return blocks };
            for i in 0..3 {
                let block = tip(side, stand, i);
                blocks[i + 1] = block;
                blocks[0] -= block;
            }
            blocks
        })
    }

    /// `W` [1/m].
    pub(super) fn operator(&self) -> ByFrames {
        self.by_tips(|side, stand, i| {
            stand.axes.column(i).cross_matrix() * (SIGNS[side] * 0.5 / stand.arm)
        })
    }

    /// `∂Ω/∂q` [1/(m·s)].
    pub(crate) fn rate_change(&self) -> ByFrames {
        self.by_tips(|side, stand, i| {
            let rate = stand.velocities[i + 1] - stand.velocities[0];
            rate.cross_matrix() * (SIGNS[side] * -0.5 / stand.arm.powi(2))
        })
    }

    /// `∂θ/∂q` [1/m].
    pub(crate) fn angle_change(&self) -> ByFrames {
        let hats = self.hats();
        let RotationVector { by_s, .. } = RotationVector::between(&hats, &self.a.axes);
        let carried = self.b.start.tr_mul(&self.a.start);
        self.by_tips(|side, stand, i| {
            let by_tip = if side == 0 {
                hats.column(i).cross_matrix()
            } else {
                let each = (0..3).map(|k| self.a.axes.column(k).cross_matrix() * carried[(i, k)]);
                -each.sum::<Matrix3>()
            };
            by_s * by_tip * (0.5 / stand.arm)
        })
    }

    /// Calls `visit` with the place of each block in the stencil.
    pub(crate) fn for_each(&self, by: &ByFrames, mut visit: impl FnMut(usize, &Matrix3)) {
        for (rotating, blocks) in [&self.a, &self.b].into_iter().zip(by) {
            let Some((_, first)) = rotating.frame() else { continue };
            blocks.iter().enumerate().for_each(|(k, block)| visit(first + k, block));
        }
    }
}

/// Of A and B in what is relative.
pub(super) const SIGNS: [f64; 2] = [1.0, -1.0];

impl Stand {
    /// Angular velocity [rad/s].
    pub(crate) fn spin(&self) -> Vector3 {
        let arms = (0..3)
            .map(|i| self.axes.column(i).cross(&(self.velocities[i + 1] - self.velocities[0])));
        arms.sum::<Vector3>() * (0.5 / self.arm)
    }
}

/// A rotation between two frames.
pub(crate) struct RotationVector {
    pub(crate) theta: Vector3,
    /// `∂θ/∂s`.
    pub(crate) by_s: Matrix3,
}

impl RotationVector {
    pub(crate) fn between(from: &Matrix3, to: &Matrix3) -> Self {
        /// Of `|s|²`, at 71.6°; the derivative has a pole at one.
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
