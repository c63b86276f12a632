//! Static equilibrium with contacts.
//!
//! What hangs free of everything is found by the equation of statics. What rests on something comes to rest in steps
//! of backward Euler, each from standstill and longer than the one before, until what they still accelerate is
//! nothing. So impulses come along that hold it.

use super::Impulse;
use super::step::WithImpulses;
use crate::assembly::point;
use crate::method::Method as _;
use crate::method::smooth::{Adrift, check_support};
use crate::model::Model;
use crate::solve::Status;
use crate::step::{Integrator, StageReport, Trajectory, Unit};

/// Steps at most.
const MOST: usize = 200;
/// Unbalanced accelerations that count as none [m/s²].
const STILL: f64 = 1e-6;

impl Impulse {
    /// Moves `q` to static equilibrium at a time.
    pub(super) fn settle_touching(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        model.set_time(time);
        let mut still = vec![0.0; q.len()];
        model.prescribe(time, q, &mut still);
        still.fill(0.0);
        let support = check_support(model);
        self.forget();
        if support.is_ok() {
            let mut free = q.to_vec();
            let report = self.statics.settle(model, time, &mut free)?;
            let touches = self.detect_timed(model, (time, 0.0), &free, &still);
            self.forget();
            if report.converged()
                && !touches.iter().any(|touch| touch.at.gap <= self.may_stay(touch))
            {
                q.copy_from_slice(&free);
                return Ok(report);
            }
        }
        let mut memory = model.memory();
        self.save(&mut memory);
        let settled = self.come_to_rest(model, time, q);
        settled.map_err(|adrift| {
            model.set_memory(&memory).expect("it was its own");
            self.decode(&memory[model.memory_length()..]).expect("it was its own");
            support.err().unwrap_or(adrift)
        })
    }

    fn come_to_rest(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        let mut report = StageReport { unit: Unit::Velocity, ..StageReport::default() };
        let mut h = 1e-3;
        let mut left = f64::INFINITY;
        for _ in 0..MOST {
            let mut state = Trajectory::new(time, q.to_vec(), vec![0.0; q.len()]);
            let mut dynamics = WithImpulses { model, impulse: self };
            let step = Integrator::BackwardEuler.step_to(&mut dynamics, &mut state, h, time);
            match step {
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
            left = state.v.iter().fold(0.0, |most: f64, v| most.max(v.abs())) / h;
            let far = |node: usize| (point(&state.q, node) - point(q, node)).norm();
            let gone = (0..model.masses.len()).find(|&node| far(node) > 2.0 * model.size);
            if let Some(node) = gone.filter(|_| left > STILL) {
                return Err(Adrift { node: node as u32, force: model.masses[node] * left });
            }
            q.copy_from_slice(&state.q);
            model.accept(q);
            self.accept();
            if left <= STILL.max(self.settings.tolerance / h) {
                break;
            }
            h = (2.0 * h).min(1.0);
        }
        self.forget();
        if left > STILL.max(self.settings.tolerance / h) {
            report.status = Status::IterationLimit;
        }
        Ok(report)
    }
}
