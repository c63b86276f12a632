//! Rigid bodies as unknowns of a stage.
//!
//! A body has six: the velocity of its centre, and the rate `w = dθ/dt` of the rotation vector since the start of the
//! step, `R = R₀ exp[θ]`. So `θ = θ̂ + β w` as for every other unknown, in every scheme. What is integrated along is
//! the angular velocity about its own principal axes, `Ω = T(θ) w`, whose equation has a constant mass matrix:
//!
//! $$ I\,\dot\Omega = -\Omega \times I \Omega + \textstyle\sum_k d_k \times R^T f_k $$
//!
//! Between steps the state holds `Ω` where it holds velocities of nodes, and `θ = 0`; the orientation is kept beside
//! them, as a quaternion in two nodes. The vertices of its surface are nodes too, which it carries: they have no
//! equations of their own, but whatever touches or pulls them sees no difference. A vertex at `d` moves as
//!
//! $$ dp = dx + S\,d\theta, \qquad S = -R\,[d]\,T $$
//!
//! so forces and matrices over vertices become those of the body by `Sᵀ` and `S`. Equations of rotation are weighted
//! with `Tᵀ`, which makes them symmetric where forces have an energy and nothing spins.

mod condense;
mod potential;

use nalgebra::{Quaternion, UnitQuaternion};

use super::jacobian::Weights;
use crate::assembly::{Rows, point};
use crate::geometry::Pose;
use crate::math::{Matrix3, Vector3};
use crate::rigid::rotation::{exponential, tangent, tangent_change, transpose_change};
use crate::rigid::{PrincipalAxes, RigidState};
use crate::solve::BlockMatrix;
use crate::step::Stage;

/// Nodes of a rigid body.
#[derive(Clone, Debug)]
pub(crate) struct RigidNodes {
    /// Number of the body.
    pub(crate) body: u32,
    /// Centre of mass.
    pub(crate) center: u32,
    /// Rotation vector since the start of the step.
    pub(crate) turn: u32,
    /// Orientation: `i, j, k`, and `w`.
    pub(crate) orientation: [u32; 2],
    /// Vertices of its surface, then frames of joints.
    pub(crate) vertices: Vec<u32>,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub(crate) struct RigidBody {
    pub(crate) nodes: RigidNodes,
    /// Vertices from the centre, along the principal axes [m].
    local: Vec<Vector3>,
    /// Principal moments [kg·m²].
    pub(crate) moments: Vector3,
    /// Farthest vertex [m].
    pub(crate) reach: f64,
    /// Origin of the mesh from the centre, along the principal axes [m].
    origin: Vector3,
    /// From principal axes to those of the mesh.
    axes: UnitQuaternion<f64>,
    /// Orientation at the start of the step.
    start: UnitQuaternion<f64>,
    /// Angular velocity at the start, in the world [rad/s].
    spin: Vector3,
    now: Attitude,
    /// Rate and angular velocity at the end of the first stage [rad/s].
    middle: [Vector3; 2],
    /// What is out of balance about its axes [N·m·s].
    balance: Vector3,
    /// How torques of constant forces change as it turns [N·m].
    geometric: Matrix3,
}

/// How a body stands and turns at the point last looked at.
#[derive(Clone, Copy, Debug)]
struct Attitude {
    theta: Vector3,
    /// `w` [rad/s].
    rate: Vector3,
    rotation: Matrix3,
    tangent: Matrix3,
    /// `Ω` [rad/s].
    omega: Vector3,
}

impl Default for Attitude {
    fn default() -> Self {
        let (identity, zero) = (Matrix3::identity(), Vector3::zeros());
        Self { theta: zero, rate: zero, rotation: identity, tangent: identity, omega: zero }
    }
}

/// How a carried node follows its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub(crate) center: u32,
    pub(crate) turn: u32,
    /// `S`.
    pub(crate) by_turn: Matrix3,
}

impl RigidBody {
    pub(crate) fn new(
        nodes: RigidNodes,
        local: Vec<Vector3>,
        PrincipalAxes { moments, rotation: axes }: PrincipalAxes,
        center: Vector3,
        placement: UnitQuaternion<f64>,
        spin: Vector3,
    ) -> Self {
        let reach = local.iter().map(Vector3::norm).fold(0.0, f64::max);
        Self {
            nodes,
            local,
            moments,
            reach,
            origin: axes.inverse() * -center,
            axes,
            start: placement * axes,
            spin,
            now: Attitude::default(),
            middle: [Vector3::zeros(); 2],
            balance: Vector3::zeros(),
            geometric: Matrix3::zeros(),
        }
    }

    /// Takes a node along that starts at `from_center` [m]. Not one of its surface.
    pub(crate) fn carry(&mut self, node: u32, from_center: Vector3) {
        self.nodes.vertices.push(node);
        self.local.push(self.start.inverse() * from_center);
    }

    fn angular_momentum(&self, omega: Vector3) -> Vector3 {
        self.moments.component_mul(&omega)
    }

    /// Takes up a rotation vector.
    fn turn(&mut self, theta: Vector3) {
        self.now.theta = theta;
        self.now.rotation = (self.start * exponential(theta)).to_rotation_matrix().into_inner();
        self.now.tangent = tangent(theta);
    }

    /// What the balance of its rotation changes by with its rate, but for what acts on carried nodes.
    fn own_block(&self, weights: Weights) -> Matrix3 {
        let Attitude { theta, rate, tangent, omega, .. } = self.now;
        let inertia = Matrix3::from_diagonal(&self.moments);
        // dΩ/dw = T + β ∂(T w)/∂θ
        let spinning = tangent + tangent_change(theta, rate) * weights.position;
        let gyroscopic =
            omega.cross_matrix() * inertia - self.angular_momentum(omega).cross_matrix();
        let own = (inertia * weights.mass + gyroscopic * weights.contact) * spinning
            + self.geometric * tangent * weights.stiffness;
        tangent.tr_mul(&own) + transpose_change(theta, self.balance) * weights.position
    }

    fn write_orientation(&self, q: &mut [f64]) {
        let quaternion = (self.start * exponential(self.now.theta)).into_inner();
        let [vector, scalar] = self.nodes.orientation;
        set(q, vector, quaternion.imag());
        set(q, scalar, Vector3::new(quaternion.w, 0.0, 0.0));
    }
}

/// All rigid bodies of a scene.
#[derive(Debug, Default)]
pub(crate) struct RigidSet {
    bodies: Vec<RigidBody>,
    /// Of each node that a body carries: which body, and which of its vertices.
    carried: Vec<Option<(u32, u32)>>,
}

impl RigidSet {
    pub(crate) fn new(bodies: Vec<RigidBody>, node_count: usize) -> Self {
        let mut carried = vec![None; if bodies.is_empty() { 0 } else { node_count }];
        for (b, body) in bodies.iter().enumerate() {
            for (k, &node) in body.nodes.vertices.iter().enumerate() {
                carried[node as usize] = Some((b as u32, k as u32));
            }
        }
        Self { bodies, carried }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    pub(crate) fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// Nodes without equations of their own.
    pub(crate) fn dependent(&self) -> impl Iterator<Item = u32> {
        self.bodies
            .iter()
            .flat_map(|body| body.nodes.vertices.iter().copied().chain(body.nodes.orientation))
    }

    /// Writes the state at the start of a scene.
    pub(crate) fn start(&mut self, q: &mut [f64], v: &mut [f64]) {
        for body in &mut self.bodies {
            set(q, body.nodes.turn, Vector3::zeros());
            let omega = body.start.inverse() * body.spin;
            set(v, body.nodes.turn, omega);
            body.turn(Vector3::zeros());
            (body.now.rate, body.now.omega) = (omega, omega);
            body.write_orientation(q);
        }
        self.carry(q, v);
    }

    /// A step begins from positions `q`.
    pub(crate) fn begin(&mut self, q: &[f64]) {
        for body in &mut self.bodies {
            let [vector, scalar] = body.nodes.orientation.map(|node| point(q, node as usize));
            let quaternion = Quaternion::from_parts(scalar.x, vector);
            body.start = UnitQuaternion::new_normalize(quaternion);
            body.turn(Vector3::zeros());
        }
    }

    /// A step has ended: the next one counts rotation vectors from here. Those of the step before are seen from here
    /// too.
    pub(crate) fn rebase(&self, q: &mut [f64], before: Option<&mut [f64]>) {
        if let Some(before) = before {
            for body in &self.bodies {
                let theta = point(q, body.nodes.turn as usize);
                set(before, body.nodes.turn, -theta);
            }
        }
        self.bodies.iter().for_each(|body| set(q, body.nodes.turn, Vector3::zeros()));
    }

    /// The known part of rotation vectors, where a scheme forms it from rates at the end of the first stage: it knows
    /// angular velocities instead.
    pub(crate) fn correct(&self, stage: &mut Stage) {
        for body in self.bodies.iter().filter(|_| stage.history.rate_middle != 0.0) {
            let [rate, omega] = body.middle;
            let change = (rate - omega) * stage.history.rate_middle;
            let known = point(&stage.q_hat, body.nodes.turn as usize) + change;
            set(&mut stage.q_hat, body.nodes.turn, known);
        }
    }

    /// Puts carried nodes where rotation vectors and rates in `q` and `v` say. Their velocities are differences, as
    /// those of all nodes are in a stage.
    pub(crate) fn place(&mut self, stage: &Stage, dynamic: bool, q: &mut [f64], v: &mut [f64]) {
        for body in &mut self.bodies {
            let turn = body.nodes.turn as usize;
            body.turn(point(q, turn));
            body.now.rate = if dynamic { point(v, turn) } else { Vector3::zeros() };
            body.now.omega = body.now.tangent * body.now.rate;
            body.write_orientation(q);
            let x = point(q, body.nodes.center as usize);
            for (&node, d) in body.nodes.vertices.iter().zip(&body.local) {
                let p = x + body.now.rotation * d;
                set(q, node, p);
                if dynamic {
                    let known = point(&stage.q_hat, node as usize);
                    set(v, node, (p - known) / stage.beta);
                }
            }
        }
    }

    /// Lets bodies spin on for a time by themselves: `I (Ω − Ω₀) + h Ω × I Ω = 0`, the stable way.
    pub(crate) fn coast(&self, h: f64, v: &mut [f64]) {
        /// Newton's iterations: from the angular velocity of the start two or three are enough, and any number is
        /// stable.
        const ITERATIONS: usize = 4;
        for body in &self.bodies {
            let turn = body.nodes.turn;
            let start = point(v, turn as usize);
            let inertia = Matrix3::from_diagonal(&body.moments);
            let mut omega = start;
            for _ in 0..ITERATIONS {
                let own = body.angular_momentum(omega);
                let r = body.angular_momentum(omega - start) + omega.cross(&own) * h;
                if r.amax() <= f64::EPSILON * own.amax() {
                    break;
                }
                let gyroscopic = omega.cross_matrix() * inertia - own.cross_matrix();
                let Some(inverse) = (inertia + gyroscopic * h).try_inverse() else { break };
                omega -= inverse * r;
            }
            set(v, turn, omega);
        }
    }

    /// What becomes of the velocity and the rate of each body in `v` by gravity and by its own spin, with its
    /// principal moments.
    pub(crate) fn fall(
        &mut self,
        stage: &Stage,
        gravity: Vector3,
        v: &[f64],
        mut visit: impl FnMut(&RigidNodes, [Vector3; 2], Vector3),
    ) {
        for body in &mut self.bodies {
            let [center, turn] = [body.nodes.center, body.nodes.turn].map(|node| node as usize);
            let velocity = point(&stage.v_hat, center) + gravity * stage.gamma;
            let rate = point(v, turn);
            body.turn(point(&stage.q_hat, turn) + rate * stage.beta);
            let omega = body.now.tangent * rate;
            let spin = omega.cross(&body.angular_momentum(omega)) * stage.gamma;
            let change = body.angular_momentum(omega - point(&stage.v_hat, turn));
            let unbalanced = body.now.tangent.tr_mul(&(spin + change));
            visit(
                &body.nodes,
                [velocity, rate - unbalanced.component_div(&body.moments)],
                body.moments,
            );
        }
    }

    /// Ends a stage whose rotation vectors and rates are in `q` and `v`: velocities become those of a state, and
    /// carried nodes go along.
    pub(crate) fn settle(&mut self, q: &mut [f64], v: &mut [f64]) {
        for body in &mut self.bodies {
            let [center, turn] = [body.nodes.center, body.nodes.turn].map(|node| node as usize);
            body.turn(point(q, turn));
            body.now.rate = point(v, turn);
            body.now.omega = body.now.tangent * body.now.rate;
            body.middle = [body.now.rate, body.now.omega];
            set(v, body.nodes.turn, body.now.omega);
            body.write_orientation(q);
            let (x, dx) = (point(q, center), point(v, center));
            let spin = body.now.rotation * body.now.omega;
            for (&node, d) in body.nodes.vertices.iter().zip(&body.local) {
                let arm = body.now.rotation * d;
                set(q, node, x + arm);
                set(v, node, dx + spin.cross(&arm));
            }
        }
    }

    /// Turns bodies by the rotation vectors in `q`, which become zero, and takes carried nodes along. Angular
    /// velocities about their own axes stay.
    pub(crate) fn displace(&mut self, q: &mut [f64], v: &mut [f64]) {
        for body in &mut self.bodies {
            let RigidNodes { center, turn, .. } = body.nodes;
            body.start = body.nodes.attitude(q);
            body.turn(point(q, turn as usize));
            body.now.omega = point(v, turn as usize);
            body.write_orientation(q);
            set(q, turn, Vector3::zeros());
            let x = point(q, center as usize);
            for (&node, d) in body.nodes.vertices.iter().zip(&body.local) {
                set(q, node, x + body.now.rotation * d);
            }
        }
        self.carry(q, v);
    }

    /// Rows of rotations that are free, with the principal moments of their bodies [kg·m²].
    pub(crate) fn for_each_inertia(&self, rows: &Rows, mut visit: impl FnMut(usize, Vector3)) {
        for body in &self.bodies {
            let row = rows.of_node(body.nodes.turn) as usize;
            if row < rows.free() {
                visit(row, body.moments);
            }
        }
    }

    /// Makes masses of rotation in a Jacobian principal moments: adds `I − Tᵀ I T`.
    pub(crate) fn complete_moments(&self, rows: &Rows, jacobian: &mut BlockMatrix) {
        for body in &self.bodies {
            let row = rows.of_node(body.nodes.turn) as usize;
            if row < rows.free() {
                let (inertia, tangent) = (Matrix3::from_diagonal(&body.moments), body.now.tangent);
                let short = inertia - tangent.tr_mul(&inertia) * tangent;
                add_block(jacobian, row, row, short);
            }
        }
    }

    /// What bodies have of their own in the balance of a stage, at the point last looked at: node of the rotation,
    /// rate, `Tᵀ (I (Ω − Ω̂) + γ Ω × I Ω)` and principal moments.
    pub(crate) fn for_each_own(
        &self,
        stage: &Stage,
        mut visit: impl FnMut(u32, Vector3, Vector3, Vector3),
    ) {
        for body in &self.bodies {
            let Attitude { rate, tangent, omega, .. } = body.now;
            let spin = omega.cross(&body.angular_momentum(omega)) * stage.gamma;
            let change = omega - point(&stage.v_hat, body.nodes.turn as usize);
            let own = tangent.tr_mul(&(body.angular_momentum(change) + spin));
            visit(body.nodes.turn, rate, own, body.moments);
        }
    }

    /// How fast any of its points is at most [m/s].
    pub(crate) fn speed(&self, number: usize, v: &[f64]) -> f64 {
        let RigidNodes { center, turn, .. } = self.bodies[number].nodes;
        let reach = self.bodies[number].reach;
        point(v, center as usize).norm() + point(v, turn as usize).norm() * reach
    }

    /// The number of a body among rigid ones.
    pub(crate) fn number(&self, body: u32) -> Option<usize> {
        self.bodies.iter().position(|rigid| rigid.nodes.body == body)
    }

    /// Where the frame of a body's mesh is in a state.
    pub(crate) fn pose(&self, number: usize, q: &[f64]) -> Pose {
        let rigid = &self.bodies[number];
        let attitude = rigid.nodes.attitude(q);
        let center = point(q, rigid.nodes.center as usize);
        Pose::new(center + attitude * rigid.origin, attitude * rigid.axes.inverse())
    }

    /// How a point moves with a body, wherever it is: centre, rotation, and what the rotation does to it.
    pub(crate) fn arm_of_point(&self, number: usize, x: Vector3, q: &[f64]) -> Arm {
        let RigidNodes { center, turn, .. } = self.bodies[number].nodes;
        let attitude = self.bodies[number].nodes.attitude(q).to_rotation_matrix().into_inner();
        let from_center = x - point(q, center as usize);
        let across = |axis: usize| attitude.column(axis).cross(&from_center);
        let by_turn = Matrix3::from_columns(&[across(0), across(1), across(2)]);
        Arm { center, turn, by_turn }
    }

    /// The node of a body's rotation, and the matrix that makes an angular velocity of its rate.
    pub(crate) fn turn_of(&self, number: usize, q: &[f64]) -> (u32, Matrix3) {
        let nodes = &self.bodies[number].nodes;
        (nodes.turn, nodes.attitude(q).to_rotation_matrix().into_inner())
    }

    /// Ends a stage: velocities become those of a state.
    pub(crate) fn finish(&mut self, q: &[f64], v: &mut [f64]) {
        for body in &mut self.bodies {
            body.middle = [body.now.rate, body.now.omega];
            set(v, body.nodes.turn, body.now.omega);
        }
        self.carry(q, v);
    }

    /// Gives carried nodes the velocities of their bodies.
    fn carry(&self, q: &[f64], v: &mut [f64]) {
        for body in &self.bodies {
            let (x, dx) =
                (point(q, body.nodes.center as usize), point(v, body.nodes.center as usize));
            let spin = body.now.rotation * body.now.omega;
            for &node in &body.nodes.vertices {
                set(v, node, dx + spin.cross(&(point(q, node as usize) - x)));
            }
        }
    }

    /// Stands bodies as a state has them, whose `v` holds angular velocities.
    pub(crate) fn stand(&mut self, q: &[f64], v: &[f64]) {
        for body in &mut self.bodies {
            let turn = body.nodes.turn as usize;
            body.turn(point(q, turn));
            body.now.omega = point(v, turn);
        }
    }

    /// Turns what pulls on carried rows into what pulls on bodies, about their own axes; adds what spins.
    pub(crate) fn gather(&mut self, rows: &Rows, in_rows: &mut [f64]) {
        for body in &mut self.bodies {
            let Attitude { rotation, omega, .. } = body.now;
            let mut force = Vector3::zeros();
            let mut torque = omega.cross(&body.angular_momentum(omega));
            body.geometric = Matrix3::zeros();
            for (&node, d) in body.nodes.vertices.iter().zip(&body.local) {
                let row = rows.of_node(node);
                let pull = point(in_rows, row as usize);
                if pull == Vector3::zeros() {
                    continue;
                }
                set(in_rows, row, Vector3::zeros());
                let own = rotation.tr_mul(&pull);
                force += pull;
                torque += d.cross(&own);
                body.geometric += own * d.transpose() - Matrix3::from_diagonal_element(d.dot(&own));
            }
            add(in_rows, rows.of_node(body.nodes.center), force);
            add(in_rows, rows.of_node(body.nodes.turn), torque);
        }
    }

    /// Completes the balance of rotations: inertia, if it takes part, and the weights.
    pub(crate) fn balance(&mut self, rows: &Rows, stage: &Stage, inertia: f64, r: &mut [f64]) {
        for body in &mut self.bodies {
            let (turn, row) = (body.nodes.turn as usize, rows.of_node(body.nodes.turn));
            let change = body.now.omega - point(&stage.v_hat, turn);
            body.balance = point(r, row as usize) + body.angular_momentum(change) * inertia;
            set(r, row, body.now.tangent.tr_mul(&body.balance));
        }
    }

    /// Adds to the Jacobian what is of bodies alone.
    pub(crate) fn add_jacobian(&self, rows: &Rows, weights: Weights, jacobian: &mut BlockMatrix) {
        for body in &self.bodies {
            let row = rows.of_node(body.nodes.turn) as usize;
            add_block(jacobian, row, row, body.own_block(weights));
        }
    }

    /// The node of the centre of mass, if it is a rigid body.
    pub(crate) fn center(&self, body: u32) -> Option<u32> {
        Some(self.bodies[self.number(body)?].nodes.center)
    }

    /// How a body stands and moves in a state, if it is a rigid one.
    pub(crate) fn state(&self, body: u32, q: &[f64], v: &[f64]) -> Option<RigidState> {
        let body = &self.bodies[self.number(body)?];
        let (center, turn) = (body.nodes.center as usize, body.nodes.turn as usize);
        let attitude = body.nodes.attitude(q);
        Some(RigidState {
            center: point(q, center),
            orientation: attitude * body.axes.inverse(),
            velocity: point(v, center),
            spin: attitude * point(v, turn),
            inertia: {
                let rotation = attitude.to_rotation_matrix().into_inner();
                rotation * Matrix3::from_diagonal(&body.moments) * rotation.transpose()
            },
        })
    }

    /// Energy of rotation [J], and angular momentum about the centres [N·m·s], of a state.
    pub(crate) fn rotation(&self, q: &[f64], v: &[f64]) -> (f64, Vector3) {
        let (mut energy, mut momentum) = (0.0, Vector3::zeros());
        for body in &self.bodies {
            let omega = point(v, body.nodes.turn as usize);
            let own = body.angular_momentum(omega);
            energy += 0.5 * omega.dot(&own);
            momentum += body.nodes.attitude(q) * own;
        }
        (energy, momentum)
    }
}

impl RigidNodes {
    /// The orientation in a state.
    pub(crate) fn attitude(&self, q: &[f64]) -> UnitQuaternion<f64> {
        let [vector, scalar] = self.orientation.map(|node| point(q, node as usize));
        UnitQuaternion::new_normalize(Quaternion::from_parts(scalar.x, vector))
    }
}

fn set(x: &mut [f64], block: u32, value: Vector3) {
    x[3 * block as usize..][..3].copy_from_slice(value.as_slice());
}

fn add(x: &mut [f64], block: u32, value: Vector3) {
    let target = x[3 * block as usize..][..3].iter_mut();
    target.zip(value.iter()).for_each(|(x, value)| *x += value);
}

fn add_block(matrix: &mut BlockMatrix, row: usize, column: usize, block: Matrix3) {
    let slot = matrix.pattern().slot(row, column).expect("the pattern holds every body");
    matrix.values_mut()[slot] += block;
}
