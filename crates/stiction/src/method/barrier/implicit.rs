//! A stage whose friction follows its normal forces: no gradient of anything, so that its root is found by Newton's
//! method. Its line search is on the residual, and no step leads through anything.

use super::Barrier;
use super::stage::Problem;
use crate::element::Projection;
use crate::method::linear::{Near, Symmetry, Updated};
use crate::model::Model;
use crate::solve::Status;
use crate::solve::newton::{
    self, Evaluation, LastStep, LineSearch, Residual, RootProblem, StopReason,
};
use crate::step::{Stage, StageReport};

/// Newton steps; what takes longer begins again from another minimum.
const MOST_NEWTON: usize = 40;

/// Finds the balance, beginning near it.
pub(super) fn solve(
    barrier: &mut Barrier,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    barrier.follows = true;
    barrier.freeze_friction();
    let (tolerance, max_iterations) = (barrier.settings.tolerance, MOST_NEWTON);
    let report = Problem::new(barrier, model, stage, q, v).find(|problem, unknowns| {
        // Friction has kinks, from which a short step may not lead away.
        let line_search = LineSearch { escape: 1e-3, max_backtracks: 20, ..LineSearch::default() };
        let settings = newton::Settings { tolerance, max_iterations, line_search };
        let mut workspace = std::mem::take(&mut problem.scratch.newton);
        let report = newton::solve(problem, unknowns, &settings, &mut workspace);
        problem.scratch.newton = workspace;
        StageReport {
            status: report.report.status,
            reason: report.reason,
            iterations: report.report.iterations,
            residuals: report.report.residuals,
            ..StageReport::default()
        }
    });
    barrier.follows = false;
    report
}

impl Residual for Problem<'_> {
    fn dimension(&self) -> usize {
        self.model.unknown_count()
    }

    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
        self.look(x);
        // Where anything touches, forces are no numbers.
        if !self.model.zones.is_defined(self.q) || !self.is_way_free(x) {
            return Evaluation::Infeasible;
        }
        self.balance();
        r.copy_from_slice(&self.scratch.rows[..r.len()]);
        self.model.clear_prescribed(r);
        Evaluation::Valid
    }

    fn norm(&self, r: &[f64]) -> f64 {
        self.model.largest_acceleration(self.stage.gamma, r)
    }

    fn merit(&self, r: &[f64]) -> f64 {
        let [sum, total] = self.model.acceleration_squares(self.stage.gamma, r);
        (sum / total).sqrt()
    }

    fn converged(&self, _x: &[f64], _r: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stands_still(step)
    }

    fn step_bound(&mut self, x: &[f64], p: &[f64]) -> f64 {
        self.free_step(x, p)
    }
}

impl RootProblem for Problem<'_> {
    fn direction(&mut self, _x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
        // So that this step can be the last one, if the equation is near enough to a linear one.
        let accuracy = 0.1 * self.barrier.settings.tolerance / Residual::norm(self, r);
        let mut near = self.barrier.uncoupled.take();
        self.fill_jacobian(Projection::Exact, 0.0, Some(&mut near));
        let matrix = near.as_ref().expect("asked for");
        let Model { jacobian, zones, meter, .. } = &mut *self.model;
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let symmetry = Symmetry::Near(Near { matrix, accuracy, definite: false });
        let points = &self.scratch.points;
        let outcome = self.barrier.linear.regular(sum, points, symmetry, r, p, meter);
        self.barrier.uncoupled = near;
        outcome?;
        self.note_direction(p);
        Ok(())
    }
}
