//! How two rigid things turn against each other: frames of rigid bodies, obstacles.
//!
//! A frame with axes `e_i` and arms `a` spins, and A has turned since the start of the step against where B would
//! have carried it (hats), by
//!
//! $$ \Omega = \tfrac{1}{2a} \sum_i e_i \times (v_i - v_o), \qquad
//!    \theta = \frac{\arcsin |s|}{|s|} s, \qquad s = \tfrac12 \sum_i \hat f_i \times f_i $$
//!
//! up to 70° a step. Friction against spin about the normal `n` is friction against a third component of slip: with a
//! length `ϱ`, torque per force,
//!
//! $$ u = P w + \varrho\, n (n \cdot \Omega) = (B + n n^T X) v, \qquad X = \varrho W - B, \qquad \Omega = W v, \qquad
//!    \text{force} = -(B + n n^T X)^T t $$
//!
//! so a traction has a torque `ϱ n (n · t)`, the same on both, and one law limits force and torque together:
//! Coulomb–Contensou [AEF22, §3.4.1]. Where things touch by vertices, each of them resists spin by itself.

use super::frame::{Frame, Stand};
use super::spot::{Geometry, Second, across};
use crate::contact::obstacle::MovingPose;
use crate::math::{Matrix3, Vector3};

/// One of two that turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turner {
    /// Now and at the start of the step.
    pub(crate) axes: Matrix3,
    pub(crate) start: Matrix3,
    /// What it is made of, and where that begins in the stencil; of an obstacle, its spin [rad/s].
    pub(crate) made: Made,
}

/// What turns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Made {
    Frame(Stand, usize),
    Obstacle(Vector3),
}

impl Turner {
    pub(crate) fn of_frame(stand: Stand, start: Matrix3, first: usize) -> Self {
        Self { axes: stand.axes, start, made: Made::Frame(stand, first) }
    }

    pub(crate) fn of_pose(pose: &MovingPose, start: Matrix3) -> Self {
        Self { axes: pose.axes, start, made: Made::Obstacle(pose.spin) }
    }

    /// `Ω` [rad/s].
    fn spin(&self) -> Vector3 {
        match &self.made {
            Made::Frame(stand, _) => stand.spin(),
            Made::Obstacle(spin) => *spin,
        }
    }

    fn frame(&self) -> Option<(&Stand, usize)> {
        match &self.made {
            Made::Frame(stand, first) => Some((stand, *first)),
            Made::Obstacle(_) => None,
        }
    }
}

/// A against B.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    pub(crate) a: Turner,
    pub(crate) b: Turner,
}

/// How something changes with the nodes of the frames of A and of B.
pub(crate) type ByFrames = [[Matrix3; 4]; 2];

impl Turning {
    /// `Ω` of A less that of B [rad/s].
    pub(crate) fn rate(&self) -> Vector3 {
        self.a.spin() - self.b.spin()
    }

    /// `θ` [rad].
    pub(crate) fn angle(&self) -> Vector3 {
        Turned::between(&self.hats(), &self.a.axes).theta
    }

    fn hats(&self) -> Matrix3 {
        self.b.axes * self.b.start.transpose() * self.a.start
    }

    /// For each frame with a sign, what each of its tips does; the origin does the opposite of all.
    fn by_tips(&self, tip: impl Fn(usize, &Stand, usize) -> Matrix3) -> ByFrames {
        [0, 1].map(|side| {
            let mut blocks = [Matrix3::zeros(); 4];
            let turner = if side == 0 { &self.a } else { &self.b };
            let Some((stand, _)) = turner.frame() else { return blocks };
            for i in 0..3 {
                let block = tip(side, stand, i);
                blocks[i + 1] = block;
                blocks[0] -= block;
            }
            blocks
        })
    }

    /// `W` [1/m].
    fn operator(&self) -> ByFrames {
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
        let Turned { by_s, .. } = Turned::between(&hats, &self.a.axes);
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
        for (turner, blocks) in [&self.a, &self.b].into_iter().zip(by) {
            let Some((_, first)) = turner.frame() else { continue };
            blocks.iter().enumerate().for_each(|(k, block)| visit(first + k, block));
        }
    }
}

/// Of A and B in what is relative.
const SIGNS: [f64; 2] = [1.0, -1.0];

/// What resists spin in all contacts of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spinning {
    /// `ϱ`: a spin counts as much as this times it in slip [m].
    pub(crate) length: f64,
    /// Frames of the body of the points and of that of the surface; nothing of obstacles.
    pub(crate) frames: [Option<Frame>; 2],
    /// Their axes at the start of the step.
    pub(crate) start: [Matrix3; 2],
}

/// Spin at a contact.
#[derive(Clone, Debug)]
pub(crate) struct Spin {
    pub(crate) turning: Turning,
    /// `ϱ` [m].
    pub(crate) length: f64,
    /// Nodes of the stencil that more than turns: the first.
    pub(crate) moving: usize,
    /// `X`.
    blocks: Vec<Matrix3>,
}

impl Spin {
    /// Makes a contact one that resists spin, for a normal.
    pub(crate) fn add(turning: Turning, length: f64, n: Vector3, geometry: &mut Geometry) {
        let moving = geometry.slip.len();
        geometry.slip.resize(geometry.nodes.len(), Matrix3::zeros());
        let mut blocks: Vec<Matrix3> = geometry.slip.iter().map(|b| -b).collect();
        turning.for_each(&turning.operator(), |k, w| blocks[k] += w * length);
        let along = n * n.transpose();
        geometry.slip.iter_mut().zip(&blocks).for_each(|(slip, x)| *slip += along * x);
        geometry.spin = Some(Box::new(Self { turning, length, moving, blocks }));
    }

    /// Its part of a slip velocity [m/s].
    pub(crate) fn velocity(&self, n: Vector3) -> Vector3 {
        n * (self.length * n.dot(&self.turning.rate()))
    }

    /// Its part of a slip [m].
    pub(crate) fn slip(&self, n: Vector3) -> Vector3 {
        n * (self.length * n.dot(&self.turning.angle()))
    }

    /// Adds to how slip changes with the nodes of the stencil: of `θ` or `Ω`, by `n`.
    pub(crate) fn add_change(&self, by: &ByFrames, n: Vector3, change: &mut [Matrix3]) {
        let along = n * n.transpose() * self.length;
        self.turning.for_each(by, |k, block| change[k] += along * block);
    }

    /// Adds how forces of a traction that stays change beyond those of its part across `n`, given how the normal does
    /// with the stencil.
    pub(crate) fn spread(
        &self,
        n: Vector3,
        traction: Vector3,
        normal_change: &[Matrix3],
        force_change: &mut Vec<Matrix3>,
    ) {
        let count = self.blocks.len();
        force_change.resize(count * count, Matrix3::zeros());
        let size = n.dot(&traction);
        // Xᵀ (dn (n·t) + n (dn·t))
        let by_normal = Matrix3::from_diagonal_element(size) + n * traction.transpose();
        for (j, dn) in normal_change.iter().enumerate() {
            let turned = by_normal * dn;
            for (i, x) in self.blocks.iter().enumerate() {
                force_change[i * count + j] += x.tr_mul(&turned);
            }
        }
        // ϱ dWᵀ n (n·t): a couple turns with its arms.
        let torque = (n * (self.length * size)).cross_matrix();
        let turners = [&self.turning.a, &self.turning.b].into_iter().zip(SIGNS);
        for (turner, sign) in turners {
            let Some((stand, first)) = turner.frame() else { continue };
            let block = torque * (sign * 0.5 / stand.arm.powi(2));
            for tip in first + 1..first + 4 {
                for (i, j, sign) in
                    [(tip, tip, 1.0), (tip, first, -1.0), (first, tip, -1.0), (first, first, 1.0)]
                {
                    force_change[i * count + j] += block * sign;
                }
            }
        }
    }
}

impl Geometry {
    /// What of a slip or a traction is along the surface.
    pub(crate) fn along_surface(&self, n: Vector3, y: Vector3) -> Vector3 {
        if self.spin.is_some() { across(n, y) } else { y }
    }

    /// `u` [m/s].
    pub(crate) fn slip_velocity(&self, n: Vector3) -> Vector3 {
        let sliding = across(n, self.velocity);
        self.spin.as_ref().map_or(sliding, |spin| sliding + spin.velocity(n))
    }

    /// What it slipped since the start of the step [m].
    pub(crate) fn slipped(&self, n: Vector3) -> Vector3 {
        let sliding = across(n, self.displacement);
        self.spin.as_ref().map_or(sliding, |spin| sliding + spin.slip(n))
    }

    /// Appends the nodes of a frame, which move neither gap nor place; says where they begin.
    pub(crate) fn append(&mut self, frame: &Frame) -> usize {
        let first = self.nodes.len();
        self.nodes.extend(frame.nodes.map(Some));
        self.gradient.resize(self.nodes.len(), Vector3::zeros());
        first
    }
}

impl Second {
    /// Makes room for a stencil that has grown from `from` nodes to `to`.
    pub(crate) fn widen(&mut self, from: usize, to: usize) {
        let mut hessian = vec![Matrix3::zeros(); to * to];
        for (row, old) in hessian.chunks_exact_mut(to).zip(self.hessian.chunks_exact(from)) {
            row[..from].copy_from_slice(old);
        }
        self.hessian = hessian;
        self.carried.resize(to, Matrix3::zeros());
        self.slip_change.resize(to, Matrix3::zeros());
    }
}

impl Stand {
    /// Angular velocity [rad/s].
    pub(crate) fn spin(&self) -> Vector3 {
        let arms = (0..3)
            .map(|i| self.axes.column(i).cross(&(self.velocities[i + 1] - self.velocities[0])));
        arms.sum::<Vector3>() * (0.5 / self.arm)
    }
}

/// A rotation between two frames.
pub(crate) struct Turned {
    pub(crate) theta: Vector3,
    /// `∂θ/∂s`.
    pub(crate) by_s: Matrix3,
}

impl Turned {
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
