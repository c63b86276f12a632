//! Friction where Newton's method alone gets lost.
//!
//! Cloth that buckles makes the Jacobian indefinite, and contacts that close on a first try are pushed with forces
//! a thousand times too large, friction included: from such points Newton's method leads anywhere. But if friction is
//! held as it is, a potential is minimised, which is safe whatever buckles; and from its minimum, where the Jacobian is
//! positive definite and normal forces are of the right size, Newton's method does well.

use super::StageSolver;
use super::stage::{Kind, Limits, Problem};
use crate::step::StageReport;

/// Times friction is held to find a better start.
const MOST_GUESSES: usize = 3;

impl Problem<'_> {
    /// Newton's method, and a guess if it gets lost. Every guess holds friction as laws want it where the one before
    /// led.
    pub(super) fn friction(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let iterates = self.smooth.iterates();
        let solve = |problem: &mut Self, unknowns: &mut [f64]| match iterates {
            true => problem.inexact_newton(unknowns, limits),
            false => problem.newton(unknowns, limits),
        };
        let can_guess = self.kind == Kind::Dynamic
            && self.model.assembly.is_conservative()
            && self.model.rigid.is_empty()
            && self.smooth.contact.has_layer_energy();
        self.careful = can_guess && self.smooth.solver.method != StageSolver::Newton;
        let mut guess = unknowns.to_vec();
        let mut report = solve(self, unknowns);
        self.careful = false;
        let mut guesses = 0;
        while can_guess && !report.converged() && guesses < MOST_GUESSES {
            if guesses > 0 {
                self.follow_laws(&mut guess);
            }
            let guessed = self.guess(&mut guess, limits);
            unknowns.copy_from_slice(&guess);
            let before = std::mem::replace(&mut report, solve(self, unknowns));
            report.iterations += before.iterations + guessed.iterations;
            report.projected += before.projected + guessed.projected;
            guesses += 1;
        }
        report
    }

    /// Changes tractions to what laws want them to be at `unknowns`.
    fn follow_laws(&mut self, unknowns: &mut [f64]) {
        self.look(unknowns);
        let tractions = &mut unknowns[self.model.unknown_count()..];
        let mut short = vec![0.0; tractions.len()];
        self.smooth.contact.law_residuals(&mut short);
        tractions.iter_mut().zip(short).for_each(|(traction, short)| *traction -= short);
    }

    /// Minimises the potential with friction held as it is at `unknowns`.
    fn guess(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        /// Of the unbalanced acceleration at the start: the rest is left to Newton's method.
        const ENOUGH: f64 = 1e-4;
        self.look(unknowns);
        self.balance();
        let size = self.acceleration(&self.scratch.rows[..self.model.unknown_count()]);
        let mut stage = self.stage.clone();
        self.smooth.contact.for_each_friction(|node, force| {
            for a in 0..3 {
                stage.impulse[3 * node as usize + a] -= stage.gamma * force[a];
            }
        });
        let muted = self.smooth.contact.mute();
        let scratch = std::mem::take(&mut self.scratch);
        let mut inner = Problem {
            model: self.model,
            smooth: self.smooth,
            stage: &stage,
            kind: self.kind,
            q: self.q,
            v: self.v,
            scratch,
            tolerance: ENOUGH * size,
            last_change: f64::INFINITY,
            magnitude: 0.0,
            careful: false,
        };
        let count = inner.model.unknown_count();
        let report = inner.minimise(&mut unknowns[..count], limits);
        self.scratch = inner.scratch;
        self.smooth.contact.unmute(muted);
        report
    }
}
