//! A stage without contacts, linearised: where impulses start from, and what they move.
//!
//! $$ A\,(v^* - \tilde v) = -r(\tilde v), \qquad A = M + \gamma D + \gamma \beta K $$
//!
//! the first Newton step of the stage, from velocities `ṽ` at which free bodies spin on by themselves. `A` is made symmetric and
//! positive definite, without what is gyroscopic, so that any impulse `p` moves things by `A⁻¹ p`, and lets no work out of nothing.

use super::{Kind, Phase, Problem, Wanted, Weights};
use crate::body::BodyId;
use crate::element::Projection;
use crate::geometry::Pose;
use crate::math::{Matrix3, Vector3};
use crate::solve::direct::Cholesky;
use crate::solve::{BlockMatrix, LinearSolve as _, Status};
use crate::step::Stage;
use crate::system::System;
use crate::union_find::UnionFind;

/// How velocities of free rows answer impulses.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Every block for itself: inverse masses.
    Blocks(Vec<Matrix3>),
    /// Together, those that anything couples.
    Factor {
        factor: Box<Cholesky>,
        /// Of each block row, the lowest one of those it is coupled with.
        groups: Vec<u32>,
        /// Inverse blocks of rows that are coupled with no other.
        alone: Vec<Option<Matrix3>>,
    },
}

impl Answer {
    /// `p ← A⁻¹ p`.
    pub(crate) fn apply(&self, p: &mut [f64]) {
        match self {
            Self::Blocks(blocks) => {
                for (p, block) in p.chunks_exact_mut(3).zip(blocks) {
                    let moved = block * Vector3::new(p[0], p[1], p[2]);
                    p.copy_from_slice(moved.as_slice());
                }
            }
            Self::Factor { factor, .. } => factor.solve_in_place(p),
        }
    }
}

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
    ) -> Result<(Vec<f64>, Answer), Status> {
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
            let wanted =
                Wanted { weights, projection: Projection::Positive, shift: 0.0, near: false };
            problem.system.fill_jacobian(problem.q, problem.v, wanted);
        });
        if !r.iter().all(|r| r.is_finite()) {
            return Err(Status::NotFinite);
        }
        let answer = self.answer()?;
        answer.apply(&mut r);
        unknowns.iter_mut().zip(&r).for_each(|(x, r)| *x -= r);
        Ok((unknowns, answer))
    }

    /// Takes the velocities of free rows: writes positions and velocities at the end of the stage.
    pub(crate) fn take(&mut self, stage: &Stage, x: &[f64], q: &mut [f64], v: &mut [f64]) {
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

    /// Along which axes a node is free.
    pub(crate) fn freedom(&self, node: u32) -> Matrix3 {
        let free = self.fixed[node as usize].map(|fixed| if fixed { 0.0 } else { 1.0 });
        Matrix3::from_diagonal(&Vector3::from(free))
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

    /// The answer of the Jacobian just filled, without what is not symmetric in it.
    fn answer(&mut self) -> Result<Answer, Status> {
        let pattern = self.jacobian.pattern().clone();
        if self.assembly.terms().is_empty() {
            let diagonal = |row: usize| {
                let block = self.jacobian.block(row, row);
                ((block + block.transpose()) * 0.5).try_inverse().ok_or(Status::Breakdown)
            };
            let mut blocks: Vec<Matrix3> =
                (0..pattern.size()).map(diagonal).collect::<Result<_, _>>()?;
            self.rigid.for_each_inertia(&self.rows, |row, moments| {
                blocks[row] = Matrix3::from_diagonal(&moments.map(f64::recip));
            });
            return Ok(Answer::Blocks(blocks));
        }
        let mut matrix = BlockMatrix::zeros(pattern);
        matrix.set_symmetric_part_of(&self.jacobian);
        let nodes = self.rows.free_nodes().iter();
        let points: Vec<Vector3> = nodes.map(|&node| self.start[node as usize]).collect();
        let analysis = self.linear.analysis(&matrix, &points, &mut self.watch);
        let mut factor = Cholesky::new(&analysis);
        let factored = self.watch.time(Phase::Factor, || factor.factor(&matrix));
        factored.map_err(|_| Status::Breakdown)?;
        let (groups, alone) = coupled(&matrix);
        Ok(Answer::Factor { factor: Box::new(factor), groups, alone })
    }
}

/// Which rows of a matrix hang together, and the inverse of each that hangs on nothing.
fn coupled(matrix: &BlockMatrix) -> (Vec<u32>, Vec<Option<Matrix3>>) {
    let size = matrix.pattern().size();
    let mut sets = UnionFind::new(size);
    let mut alone = vec![true; size];
    for row in 0..size {
        let others = matrix.row(row).filter(|(column, _)| *column != row);
        for (column, _) in others.filter(|(_, block)| **block != Matrix3::zeros()) {
            sets.unite(row as u32, column as u32);
            (alone[row], alone[column]) = (false, false);
        }
    }
    let inverse = |row: usize| alone[row].then(|| matrix.block(row, row).try_inverse()).flatten();
    ((0..size as u32).map(|row| sets.root(row)).collect(), (0..size).map(inverse).collect())
}
