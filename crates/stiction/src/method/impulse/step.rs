//! A step.

use std::ops::ControlFlow;

use super::Impulse;
use crate::math::Vector3;
use crate::solve::complementarity::cone::{ContactProblem, Delassus, Factorised, MassJacobian};
use crate::solve::complementarity::{Limits, Progress};
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

impl Impulse {
    fn solve(
        &mut self,
        system: &mut System,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
    ) -> StageReport {
        let start_q = stage.q_hat.clone();
        let jacobian = self.jacobian(system, &start_q);
        let before = {
            let mut x = vec![0.0; system.unknown_count()];
            system.gather(v, &mut x);
            let prescribed = self.prescribed(system, v);
            (0..self.touches.len()).map(|k| jacobian.row_times(k, &x) + prescribed[k]).collect()
        };
        let (mut x, answer) = match system.free_stage(stage, q, v) {
            Ok(found) => found,
            Err(status) => return StageReport { status, ..StageReport::default() },
        };
        let before: Vec<Vector3> = before;
        let h = stage.beta;
        let prescribed = self.prescribed(system, v);
        let mut shifts = Vec::with_capacity(self.touches.len());
        let mut b = Vec::with_capacity(3 * self.touches.len());
        for (k, touch) in self.touches.iter().enumerate() {
            let free = jacobian.row_times(k, &x) + prescribed[k];
            let shift = self.settings.least_opening(touch, before[k].x, h);
            shifts.push(shift);
            b.extend([free.x - shift, free.y, free.z]);
        }
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
            jacobian.add_transposed_row(
                k,
                Vector3::from_column_slice(&r[3 * k..3 * k + 3]),
                &mut p,
            );
        }
        answer.apply(&mut p);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += p);
        self.impulses = r.chunks_exact(3).map(Vector3::from_column_slice).collect();
        self.velocities =
            (0..self.touches.len()).map(|k| jacobian.row_times(k, &x) + prescribed[k]).collect();
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
            Ok(problem) => {
                let mut nobody = |_: &Progress<'_>| ControlFlow::Continue(());
                self.settings.solver.solve(&problem, r, &limits, &mut nobody)
            }
            Err(_) => {
                Report { status: Status::NotFinite, iterations: 0, residuals: vec![f64::NAN] }
            }
        }
    }
}
