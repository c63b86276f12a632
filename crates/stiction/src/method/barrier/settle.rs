//! Static equilibrium with barriers.
//!
//! What hangs free of everything is found by the equation of statics. What rests on something comes to rest in steps
//! of backward Euler, each from standstill and longer than the one before, until what they still accelerate is nothing.

use super::{Barrier, View, WithBarriers};
use crate::assembly::point;
use crate::method::Method as _;
use crate::method::smooth::{Adrift, check_support};
use crate::model::Model;
use crate::solve::Status;
use crate::step::{Integrator, StageReport, Trajectory};

/// Steps at most.
const MOST: usize = 200;

impl Barrier {
    pub(super) fn come_to_rest(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        model.set_time(time);
        let mut still = vec![0.0; q.len()];
        model.prescribe(time, q, &mut still);
        let support = check_support(model);
        if support.is_ok() {
            let mut free = q.to_vec();
            let memory = model.memory();
            let report = self.statics.settle(model, time, &mut free)?;
            self.find_free(model);
            let is_free = self.is_untouched(&free, time) && self.is_clear(q, &free, time);
            if report.converged() && is_free {
                q.copy_from_slice(&free);
                return Ok(report);
            }
            model.set_memory(&memory).expect("it was its own");
        }
        let mut report = StageReport::default();
        let mut h = 1e-3;
        for _ in 0..MOST {
            let mut state = Trajectory::new(time, q.to_vec(), vec![0.0; q.len()]);
            let mut dynamics = WithBarriers { model, barrier: self };
            match Integrator::BackwardEuler.step_to(&mut dynamics, &mut state, h, time) {
                Ok(stages) => stages.into_iter().for_each(|stage| report.add(stage)),
                Err(unfinished) => {
                    unfinished.reports.into_iter().for_each(|stage| report.add(stage));
                    h *= 0.25;
                    if h < 1e-9 {
                        break;
                    }
                    continue;
                }
            }
            // What is left over from standstill is what was not in balance.
            let left = state.v.iter().fold(0.0, |most: f64, v| most.max(v.abs())) / h;
            let far = |node: usize| (point(&state.q, node) - point(q, node)).norm();
            let gone = (0..model.masses.len()).find(|&node| far(node) > 2.0 * model.size);
            if let Some(node) = gone.filter(|_| left > self.settings.tolerance) {
                let adrift = Adrift { node: node as u32, force: model.masses[node] * left };
                return Err(support.err().unwrap_or(adrift));
            }
            q.copy_from_slice(&state.q);
            model.accept(q);
            self.accept();
            if left <= 2.0 * self.settings.tolerance {
                return Ok(report);
            }
            h = (2.0 * h).min(1.0);
        }
        report.status = Status::IterationLimit;
        Ok(report)
    }

    /// Whether no barrier pushes.
    fn is_untouched(&self, q: &[f64], time: f64) -> bool {
        View::new(self.filter(), q, time).energy()[0] == 0.0
    }

    /// Whether nothing is in the way from one place to another.
    fn is_clear(&mut self, from: &[f64], to: &[f64], time: f64) -> bool {
        self.begin(time, from);
        self.take_guess(to, time)
    }
}
