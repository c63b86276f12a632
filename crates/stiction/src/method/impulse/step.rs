//! A step.

use super::Impulse;
use crate::assembly::point;
use crate::math::Vector3;
use crate::solve::complementarity::Limits;
use crate::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus, Factorised, Law, MassJacobian, ProblemError,
};
use crate::solve::{Report, Status};
use crate::step::{Dynamics, Stage, StageReport, Trajectory};
use crate::system::{Answer, System};

/// A system whose contacts are impulses.
pub(crate) struct WithImpulses<'a> {
    pub(crate) system: &'a mut System,
    pub(crate) impulse: &'a mut Impulse,
}

impl Dynamics for WithImpulses<'_> {
    fn masses(&self) -> &[f64] {
        self.system.masses()
    }

    fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        self.system.begin(t, h, q, v);
        self.impulse.step = h;
        self.impulse.detect(self.system, (t, h), q, v);
    }

    fn end(&mut self, state: &mut Trajectory) {
        self.system.end(state);
    }

    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.system.force(t, q, v, f);
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        self.impulse.solve(self.system, stage, q, v)
    }
}

/// What a step's impulses have to satisfy.
struct Equations {
    jacobian: BlockRows,
    /// Velocities of free rows without impulses.
    x: Vec<f64>,
    answer: Answer,
    /// What of relative velocities is prescribed.
    prescribed: Vec<Vector3>,
    /// Relative velocities without impulses, less what normal ones must be at least.
    b: Vec<f64>,
}

impl Equations {
    fn problem(self, laws: Vec<Law>) -> Result<ContactProblem<Assembled>, ProblemError> {
        let operator = match &self.answer {
            Answer::Blocks(blocks) => MassJacobian::new(blocks.clone(), self.jacobian).assemble(),
            Answer::Factor(factor) => Factorised::new(factor.as_ref(), self.jacobian).assemble(),
        };
        ContactProblem::new(operator, self.b, laws)
    }
}

impl Impulse {
    /// The problem of a step from a state, with impulses to start from. Nothing is changed.
    pub(crate) fn problem(
        &mut self,
        system: &mut System,
        state: &Trajectory,
        h: f64,
    ) -> Option<(ContactProblem<Assembled>, Vec<f64>)> {
        let kept = std::mem::take(&mut self.touches);
        system.begin(state.time, h, &state.q, &state.v);
        self.detect(system, (state.time, h), &state.q, &state.v);
        let stage = Stage::implicit(state.time + h, h, &state.q, &state.v);
        let (mut q, mut v) = (state.q.clone(), state.v.clone());
        let found = self.equations(system, &stage, &mut q, &mut v).ok();
        let found = found.and_then(|equations| equations.problem(self.laws()).ok());
        let warm = self.warm();
        self.touches = kept;
        found.map(|problem| (problem, warm))
    }

    fn equations(
        &self,
        system: &mut System,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<Equations, Status> {
        let jacobian = self.jacobian(system, &stage.q_hat);
        let mut x = vec![0.0; system.unknown_count()];
        system.gather(v, &mut x);
        let before = relative(&jacobian, &x, &self.prescribed(system, v));
        let (x, answer) = system.free_stage(stage, q, v)?;
        let prescribed = self.prescribed(system, v);
        let free = relative(&jacobian, &x, &prescribed);
        let mut b = Vec::with_capacity(3 * free.len());
        for ((touch, free), before) in self.touches.iter().zip(&free).zip(&before) {
            let least = self.settings.least_opening(touch, before.x, stage.beta);
            b.extend([free.x - least, free.y, free.z]);
        }
        Ok(Equations { jacobian, x, answer, prescribed, b })
    }

    fn solve(
        &mut self,
        system: &mut System,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
    ) -> StageReport {
        let equations = match self.equations(system, stage, q, v) {
            Ok(equations) => equations,
            Err(status) => return StageReport { status, ..StageReport::default() },
        };
        let Equations { jacobian, mut x, answer, prescribed, b } = equations;
        let mut r = self.warm();
        let report = match &answer {
            Answer::Blocks(blocks) => {
                self.impulses_of(MassJacobian::new(blocks.clone(), jacobian.clone()), b, &mut r)
            }
            Answer::Factor(factor) => {
                let operator = Factorised::new(factor.as_ref(), jacobian.clone()).assemble();
                self.impulses_of(operator, b, &mut r)
            }
        };
        let mut p = vec![0.0; x.len()];
        for k in 0..self.touches.len() {
            jacobian.add_transposed_row(k, point(&r, k), &mut p);
        }
        answer.apply(&mut p);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += p);
        self.impulses = r.chunks_exact(3).map(Vector3::from_column_slice).collect();
        self.velocities = relative(&jacobian, &x, &prescribed);
        system.take(stage, &x, q, v);
        StageReport {
            status: report.status,
            iterations: report.iterations,
            residuals: report.residuals,
            ..StageReport::default()
        }
    }

    fn impulses_of(&self, operator: impl Delassus, b: Vec<f64>, r: &mut [f64]) -> Report {
        let limits =
            Limits { tolerance: self.settings.tolerance, iterations: self.settings.max_iterations };
        match ContactProblem::new(operator, b, self.laws()) {
            Ok(problem) => self.settings.solver.solve(&problem, r, &limits, &mut ()),
            Err(_) => {
                Report { status: Status::NotFinite, iterations: 0, residuals: vec![f64::NAN] }
            }
        }
    }
}

/// Relative velocities of contacts, given those of free rows and what is prescribed.
fn relative(jacobian: &BlockRows, x: &[f64], prescribed: &[Vector3]) -> Vec<Vector3> {
    prescribed.iter().enumerate().map(|(k, given)| jacobian.row_times(k, x) + given).collect()
}
