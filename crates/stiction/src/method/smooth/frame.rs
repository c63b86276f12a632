//! Frames of rigid bodies, and how two of them slide on each other.
//!
//! A frame is four nodes that a body carries: an origin `o` and, one arm `a` from it, the tips of its axes `e_i`.
//! What the body's material at a place `m` does is a sum over them, and its transpose puts a force at `m`, lever arm
//! included, onto the body:
//!
//! $$ v(m) = v_o + \sum_i \mu_i (v_i - v_o), \qquad \mu_i = \tfrac1a\, e_i \cdot (m - o) $$
//!
//! Two bodies that touch at `m` slide with `w = B v = v_A(m) − v_B(m)`: friction acts at one place on both, so it has
//! no net force and no net torque. Over a step A slides by
//!
//! $$ \Delta = c - \hat c + \theta \times \bigl(m - \tfrac12 (c + \hat c)\bigr) $$
//!
//! with `c` the origin of A; hats are what B would have carried along since the start of the step, and `θ` is the
//! [rotation vector](super::relative_rotation) from there. A ball that rolls has no slip to rounding, however far it
//! turns, up to 70° a step; a body that pivots about `m` none up to the third power of the angle. Beyond that, slip
//! is underestimated; what turns so far has lost its friction anyway. A vertex is where it is: `Δ = x − x̂`.

use super::relative_rotation::{RelativeRotation, Rotating};
use super::spot::{Geometry, Second};
use crate::assembly::point;
use crate::contact::obstacle::MovingPose;
use crate::math::{Matrix3, Vector3};

/// Four nodes that a rigid body carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Origin, and tips of three axes.
    pub(crate) nodes: [u32; 4],
    /// How far the tips are from the origin [m].
    pub(crate) arm: f64,
}

/// A frame in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stand {
    /// [m].
    pub(crate) origin: Vector3,
    /// As columns.
    pub(crate) axes: Matrix3,
    /// [m].
    pub(crate) arm: f64,
    /// Of its nodes [m/s].
    pub(crate) velocities: [Vector3; 4],
}

impl Frame {
    /// Where it is, and how fast.
    pub(crate) fn stand(&self, q: &[f64], v: &[f64]) -> Stand {
        let [origin, a, b, c] = self.nodes.map(|node| point(q, node as usize));
        Stand {
            origin,
            axes: Matrix3::from_columns(&[a - origin, b - origin, c - origin]) / self.arm,
            arm: self.arm,
            velocities: self.nodes.map(|node| point(v, node as usize)),
        }
    }
}

impl Stand {
    /// Into its own coordinates [m].
    pub(crate) fn to_local(self, x: Vector3) -> Vector3 {
        self.axes.tr_mul(&(x - self.origin))
    }

    /// Out of them.
    pub(crate) fn to_world(self, x: Vector3) -> Vector3 {
        self.origin + self.axes * x
    }

    /// The same in the coordinates of another one.
    pub(crate) fn seen_from(self, other: &Self) -> Self {
        let origin = other.to_local(self.origin);
        Self { origin, axes: other.axes.tr_mul(&self.axes), ..self }
    }

    /// Weights of its nodes that make a place fixed to it, given in its own coordinates.
    pub(crate) fn weights(&self, local: Vector3) -> [f64; 4] {
        let [x, y, z] = [local.x, local.y, local.z].map(|x| x / self.arm);
        [1.0 - x - y - z, x, y, z]
    }

    /// Velocity of its material at a place of the world [m/s].
    pub(crate) fn velocity_at(&self, x: Vector3) -> Vector3 {
        let weights = self.weights(self.to_local(x));
        self.velocities.iter().zip(weights).map(|(v, w)| v * w).sum()
    }
}

/// What touches: a node, or the material of a frame.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and never stored")]
pub(crate) enum Toucher {
    /// At a place [m], with a velocity [m/s]; where it was at the start of the step [m].
    Node(Vector3, Vector3, Vector3),
    /// A frame now, and its origin and axes at the start of the step.
    Frame(Stand, Vector3, Matrix3),
}

/// What is touched, now and at the start of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Touched {
    /// Something with nodes, which follow those of the toucher in the stencil.
    Frame(Stand, Stand),
    /// An obstacle.
    Obstacle(MovingPose, MovingPose),
}

/// Nodes of the largest stencil: two frames.
pub(crate) const NODES: usize = 8;

/// How something changes with the nodes of a stencil; nothing beyond its end.
pub(crate) type ByNode = [Matrix3; NODES];

/// One weight of an operator `B`: nodes that it moves traction between, and how it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lever {
    origin: usize,
    tip: usize,
    /// `±∂μ_i` over the stencil [1/m].
    change: [Vector3; NODES],
}

impl Lever {
    /// Writes `∂(Bᵀ t)/∂q` over a stencil of `count` nodes, of which those of the operator are the first.
    pub(crate) fn spread(
        levers: &[Self],
        count: usize,
        traction: Vector3,
        force_change: &mut Vec<Matrix3>,
    ) {
        force_change.clear();
        force_change.resize(count * count, Matrix3::zeros());
        for Self { origin, tip, change } in levers {
            for (n, change) in change.iter().enumerate().take(count) {
                let block = traction * change.transpose();
                force_change[tip * count + n] += block;
                force_change[origin * count + n] -= block;
            }
        }
    }
}

/// Two bodies that touch at a place.
pub(crate) struct Meeting {
    pub(crate) a: Toucher,
    pub(crate) b: Touched,
    /// Where [m].
    pub(crate) place: Vector3,
}

impl Meeting {
    /// Nodes of the toucher, and of both.
    fn counts(&self) -> (usize, usize) {
        let own = if matches!(self.a, Toucher::Node(..)) { 1 } else { 4 };
        let other = if matches!(self.b, Touched::Frame(..)) { 4 } else { 0 };
        (own, own + other)
    }

    /// Writes slip and its operator; the stencil is there already.
    pub(crate) fn slide(&self, geometry: &mut Geometry) {
        let m = self.place;
        let scaled = Matrix3::from_diagonal_element;
        let own = match &self.a {
            Toucher::Node(_, v, _) => {
                geometry.slip.push(Matrix3::identity());
                *v
            }
            Toucher::Frame(a, ..) => {
                geometry.slip.extend(a.weights(a.to_local(m)).map(scaled));
                a.velocity_at(m)
            }
        };
        let other = match &self.b {
            Touched::Frame(b, _) => {
                geometry.slip.extend(b.weights(b.to_local(m)).map(|weight| scaled(-weight)));
                b.velocity_at(m)
            }
            Touched::Obstacle(pose, _) => pose.velocity_at(m),
        };
        geometry.velocity = own - other;
        geometry.displacement = match &self.a {
            Toucher::Node(x, _, start) => x - self.b.carried(*start),
            Toucher::Frame(a, start, start_axes) => {
                let carried = self.b.carried(*start);
                let theta = self.rotation(*a, *start_axes).angle();
                a.origin - carried + theta.cross(&(m - (a.origin + carried) * 0.5))
            }
        };
    }

    /// Writes how slip changes, given how the place does with every node of the stencil.
    pub(crate) fn differentiate(&self, by_place: &ByNode, second: &mut Second) {
        let (own, count) = self.counts();
        let identity = Matrix3::identity();
        second.levers.clear();
        if let Toucher::Frame(a, ..) = &self.a {
            second.levers.extend(a.levers(0, 1.0, self.place, by_place));
        }
        if let Touched::Frame(b, _) = &self.b {
            second.levers.extend(b.levers(own, -1.0, self.place, by_place));
        }
        let velocity = |node: usize| match (&self.a, &self.b) {
            (Toucher::Frame(a, ..), _) if node < own => a.velocities[node],
            (_, Touched::Frame(b, _)) if node >= own => b.velocities[node - own],
            _ => Vector3::zeros(),
        };
        second.slip_change.resize(count, Matrix3::zeros());
        for lever in &second.levers {
            let rate = velocity(lever.tip) - velocity(lever.origin);
            for (block, change) in second.slip_change.iter_mut().zip(&lever.change) {
                *block += rate * change.transpose();
            }
        }
        if let Touched::Obstacle(pose, _) = &self.b {
            let spin = pose.spin.cross_matrix();
            let blocks = second.slip_change.iter_mut().zip(by_place);
            blocks.for_each(|(block, by_place)| *block -= spin * by_place);
        }
        // ∂Δ
        let by_carried = |n: usize, start: Vector3| match &self.b {
            Touched::Frame(b, b0) if n >= own => b.weights(b0.to_local(start))[n - own],
            _ => 0.0,
        };
        match &self.a {
            Toucher::Node(_, _, start) => {
                let by = |n: usize| if n == 0 { 1.0 } else { -by_carried(n, *start) };
                second.carried.extend((0..count).map(|n| identity * by(n)));
            }
            Toucher::Frame(a, start, start_axes) => {
                let rotation = self.rotation(*a, *start_axes);
                let arm = self.place - (a.origin + self.b.carried(*start)) * 0.5;
                let by_rotation = -arm.cross_matrix();
                let theta = rotation.angle().cross_matrix();
                let by_theta = rotation.angle_change();
                for n in 0..count {
                    let by_c = if n == 0 { 1.0 } else { 0.0 };
                    let by_hat = by_carried(n, *start);
                    let by_arm = by_place[n] - identity * (0.5 * (by_c + by_hat));
                    let by_theta = if n < own { by_theta[0][n] } else { by_theta[1][n - own] };
                    let block =
                        identity * (by_c - by_hat) + theta * by_arm + by_rotation * by_theta;
                    second.carried.push(block);
                }
            }
        }
    }

    /// How the material of a frame rotates against what it touches.
    fn rotation(&self, a: Stand, start_axes: Matrix3) -> RelativeRotation {
        let a = Rotating::of_frame(a, start_axes, 0);
        let b = match &self.b {
            Touched::Frame(b, b0) => Rotating::of_frame(*b, b0.axes, self.counts().0),
            Touched::Obstacle(pose, pose0) => Rotating::of_pose(pose, pose0.axes),
        };
        RelativeRotation { a, b }
    }
}

impl Touched {
    /// Where it carried a place of the start of the step.
    fn carried(&self, start: Vector3) -> Vector3 {
        match self {
            Self::Frame(b, b0) => b.to_world(b0.to_local(start)),
            Self::Obstacle(pose, pose0) => pose.to_world(pose0.to_local(start)),
        }
    }
}

impl Stand {
    /// How its weights at a place change, with a sign; its nodes begin at `first` in the stencil.
    fn levers(&self, first: usize, sign: f64, place: Vector3, by_place: &ByNode) -> [Lever; 3] {
        let from = (place - self.origin) / self.arm;
        [0, 1, 2].map(|i| {
            let axis = self.axes.column(i).into_owned();
            let mut change = by_place.map(|by| by.tr_mul(&axis));
            change[first] -= axis + from;
            change[first + i + 1] += from;
            change.iter_mut().for_each(|change| *change *= sign / self.arm);
            Lever { origin: first, tip: first + i + 1, change }
        })
    }
}
