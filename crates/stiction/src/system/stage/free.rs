//! A stage without contacts, linearised: where impulses start from, and what they move.
//!
//! $$ A\,(v^* - \tilde v) = -r(\tilde v), \qquad A = M + \gamma D + \gamma \beta K $$
//!
//! the first Newton step of the stage, from velocities `ṽ` at which free bodies spin on by themselves. `A` is made symmetric and
//! positive definite, without what is gyroscopic, so that any impulse `p` moves things by `A⁻¹ p`, and lets no work out of nothing. How `A⁻¹` is had: `answer.rs`;
//! with masses alone `M` stands in its place, here and there, and the stage is explicit.

use super::answer::{Answer, Inverse};
use super::{Kind, Problem, Wanted, Weights};
use crate::body::BodyId;
use crate::element::Projection;
use crate::geometry::Pose;
use crate::math::{Matrix3, Vector3};
use crate::solve::Status;
use crate::step::Stage;
use crate::system::System;

impl System {
    /// Finds velocities without contacts, over free rows, and how they answer impulses.
    ///
    /// # Errors
    /// When no positive definite matrix is found, or forces are not finite.
    pub(crate) fn free_stage(
        &mut self,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
        inverse: Inverse,
    ) -> Result<(Vec<f64>, Answer), Status> {
        if self.is_bare() {
            let (x, answer) = self.free_bodies(stage, v);
            let finite = x.iter().all(|x| x.is_finite());
            return if finite { Ok((x, answer)) } else { Err(Status::NotFinite) };
        }
        self.rigid.coast(stage.gamma, v);
        self.enter(stage, q, v);
        let mut unknowns = vec![0.0; self.unknown_count()];
        self.rows.gather(v, &mut unknowns);
        let mut r = vec![0.0; unknowns.len()];
        self.with_problem(stage, q, v, |problem| {
            problem.residual_at(&unknowns, &mut r);
            // What spins is done: its terms are not symmetric, and what is left of them for bodies that turn by a radian in a step is not
            // positive definite. Impulses would make energy.
            let weights = Weights { contact: 0.0, position: 0.0, ..problem.weights() };
            let (weights, projection) = match inverse {
                Inverse::Masses => (Weights { mass: 0.0, ..weights }, Projection::Exact),
                Inverse::Factor | Inverse::Iterated => (weights, Projection::Positive),
            };
            let wanted = Wanted { weights, projection, shift: 0.0, near: false };
            problem.system.fill_jacobian(problem.q, problem.v, wanted);
        });
        if !r.iter().all(|r| r.is_finite()) {
            return Err(Status::NotFinite);
        }
        let answer = match inverse {
            Inverse::Masses => self.answer_of_masses(),
            _ => self.answer(inverse == Inverse::Iterated)?,
        };
        answer.apply(&mut r);
        unknowns.iter_mut().zip(&r).for_each(|(x, r)| *x -= r);
        Ok((unknowns, answer))
    }

    /// Takes the velocities of free rows: writes positions and velocities at the end of the stage.
    pub(crate) fn take(&mut self, stage: &Stage, x: &[f64], q: &mut [f64], v: &mut [f64]) {
        if self.is_bare() {
            return self.take_bodies(stage, x, q, v);
        }
        self.with_problem(stage, q, v, |problem| {
            problem.place(x);
            problem.find_reactions();
        });
        self.rigid.finish(q, v);
    }

    /// Moves free rows by `dx`, and nothing gets any faster.
    pub(crate) fn displace(&mut self, dx: &[f64], q: &mut [f64], v: &mut [f64]) {
        for (&node, dx) in self.rows.free_nodes().iter().zip(dx.chunks_exact(3)) {
            for a in (0..3).filter(|&a| !self.fixed[node as usize][a]) {
                q[3 * node as usize + a] += dx[a];
            }
        }
        self.rigid.displace(q, v);
    }

    /// Velocities of free rows.
    pub(crate) fn gather(&self, v: &[f64], x: &mut [f64]) {
        self.rows.gather(v, x);
    }

    /// The row of a node, if it has unknowns.
    pub(crate) fn free_row(&self, node: u32) -> Option<usize> {
        let row = self.rows.of_node(node) as usize;
        (row < self.rows.free()).then_some(row)
    }

    /// Along which axes a node is free, if not along all.
    pub(crate) fn freedom(&self, node: u32) -> Option<Matrix3> {
        let fixed = self.fixed[node as usize];
        let free = fixed.map(|fixed| if fixed { 0.0 } else { 1.0 });
        fixed.contains(&true).then(|| Matrix3::from_diagonal(&Vector3::from(free)))
    }

    /// The number of a body among rigid ones.
    pub(crate) fn rigid_number(&self, body: BodyId) -> Option<u32> {
        self.rigid.number(body.0).map(|number| number as u32)
    }

    /// Rows of a rigid body's centre and rotation, where they have unknowns.
    pub(crate) fn rigid_rows(&self, number: u32) -> [Option<usize>; 2] {
        self.rigid_nodes(number).map(|node| self.free_row(node))
    }

    /// Nodes of a rigid body's centre and rotation.
    pub(crate) fn rigid_nodes(&self, number: u32) -> [u32; 2] {
        let nodes = &self.rigid.bodies()[number as usize].nodes;
        [nodes.center, nodes.turn]
    }

    /// How far a rigid body reaches from its centre [m].
    pub(crate) fn rigid_reach(&self, number: u32) -> f64 {
        self.rigid.bodies()[number as usize].reach
    }

    /// How fast any point of a rigid body is at most [m/s].
    pub(crate) fn rigid_speed(&self, number: u32, v: &[f64]) -> f64 {
        self.rigid.speed(number as usize, v)
    }

    /// Where the frame of a rigid body's mesh is.
    pub(crate) fn rigid_pose(&self, number: u32, q: &[f64]) -> Pose {
        self.rigid.pose(number as usize, q)
    }

    /// How a point moves with a rigid body: nodes of its centre and rotation, and what the rotation does to the point.
    pub(crate) fn rigid_arm(&self, rigid: u32, x: Vector3, q: &[f64]) -> (u32, u32, Matrix3) {
        let arm = self.rigid.arm_of_point(rigid as usize, x, q);
        (arm.center, arm.turn, arm.by_turn)
    }

    /// How a rigid body turns: the node of its rotation, and the matrix that makes an angular velocity of its rate.
    pub(crate) fn rigid_turn(&self, rigid: u32, q: &[f64]) -> (u32, Matrix3) {
        self.rigid.turn_of(rigid as usize, q)
    }

    fn with_problem(
        &mut self,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
        work: impl FnOnce(&mut Problem<'_>),
    ) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.rows.resize(q.len(), 0.0);
        let (last_change, magnitude, kind) = (0.0, 0.0, Kind::Dynamic);
        let mut problem = Problem {
            system: self,
            stage,
            kind,
            q,
            v,
            scratch,
            last_change,
            magnitude,
            careful: false,
        };
        work(&mut problem);
        let Problem { system, scratch, .. } = problem;
        system.scratch = scratch;
    }
}
