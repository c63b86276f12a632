//! A step.

use super::Impulse;
use super::friction::Shape;
use crate::assembly::point;
use crate::math::Vector3;
use crate::solve::complementarity::Limits;
use crate::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus, Factorised, MassJacobian,
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
    fn operator(&self, jacobian: BlockRows) -> Assembled {
        match &self.answer {
            Answer::Blocks(blocks) => MassJacobian::new(blocks.clone(), jacobian).assemble(),
            Answer::Factor(factor) => Factorised::new(factor.as_ref(), jacobian).assemble(),
        }
    }
}

impl Impulse {
    /// The problem of a step from a state, with impulses to start from, as cones: ellipses are [stretched](Stretch) to discs; nothing where
    /// contacts resist spin or rolling, or one way more than the other. Nothing is changed.
    ///
    /// [Stretch]: crate::solve::complementarity::cone::Stretch
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
        let mut warm = self.warm();
        let posed = found.zip(self.shape().ok()).and_then(|(equations, shape)| {
            let Shape::Cone(stretch) = shape else { return None };
            let operator = equations.operator(equations.jacobian.scaled(stretch.scales()));
            let mut b = equations.b;
            stretch.velocities(&mut b);
            stretch.stretch(&mut warm);
            ContactProblem::new(operator, b, stretch.laws()).ok()
        });
        self.touches = kept;
        posed.map(|problem| (problem, warm))
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
        let mut b: Vec<f64> = free.iter().flat_map(|free| [free.x, free.y, free.z]).collect();
        for (touch, row) in self.touches.iter().zip(self.first_rows()) {
            b[3 * row] -= self.settings.least_opening(touch, before[row].x, stage.beta);
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
                self.impulses_of(&jacobian, |j| MassJacobian::new(blocks.clone(), j), b, &mut r)
            }
            Answer::Factor(factor) => {
                let operator = |j| Factorised::new(factor.as_ref(), j).assemble();
                self.impulses_of(&jacobian, operator, b, &mut r)
            }
        };
        let mut p = vec![0.0; x.len()];
        for k in 0..jacobian.rows() {
            jacobian.add_transposed_row(k, point(&r, k), &mut p);
        }
        answer.apply(&mut p);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += p);
        let velocities = relative(&jacobian, &x, &prescribed);
        let both = |touch: &super::touch::Touch, row: usize| {
            let turning = if touch.turns() { point(&r, row + 1) } else { Vector3::zeros() };
            (point(&r, row), turning)
        };
        let rows: Vec<usize> = self.first_rows().collect();
        (self.impulses, self.turnings) =
            self.touches.iter().zip(&rows).map(|(touch, &row)| both(touch, row)).unzip();
        self.velocities = rows.iter().map(|&row| velocities[row]).collect();
        system.take(stage, &x, q, v);
        StageReport {
            status: report.status,
            iterations: report.iterations,
            residuals: report.residuals,
            ..StageReport::default()
        }
    }

    fn impulses_of<A: Delassus>(
        &self,
        jacobian: &BlockRows,
        operator: impl FnOnce(BlockRows) -> A,
        b: Vec<f64>,
        r: &mut [f64],
    ) -> Report {
        let limits =
            Limits { tolerance: self.settings.tolerance, iterations: self.settings.max_iterations };
        let solved =
            self.shape().and_then(|s| s.solve(jacobian, operator, b, r, &limits, &self.settings));
        solved.unwrap_or_else(|_| Report {
            status: Status::NotFinite,
            iterations: 0,
            residuals: vec![f64::NAN],
        })
    }
}

/// Relative velocities of contacts, given those of free rows and what is prescribed.
fn relative(jacobian: &BlockRows, x: &[f64], prescribed: &[Vector3]) -> Vec<Vector3> {
    prescribed.iter().enumerate().map(|(k, given)| jacobian.row_times(k, x) + given).collect()
}
