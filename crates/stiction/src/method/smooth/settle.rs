//! Static equilibrium: where nothing is accelerated.
//!
//! $$ \min_q\; W(q) - f_{ext} \cdot q $$
//!
//! over free coordinates; for loads without an energy, the root of the unbalanced force instead.
//! Unbalanced forces are measured as accelerations, as in a step.

use super::Smooth;
use super::stage::{self, Kind, Limits};
use crate::assembly::point;
use crate::math::Vector3;
use crate::model::Model;
use crate::step::{Retry, Stage, StageHistory, StageReport};
use crate::union_find::UnionFind;

/// Why there is no equilibrium to look for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the bodies with nodes like {node} are held by nothing and pushed with {force:.3e} N: they have no equilibrium\n  \
     help: pin them, tie them with springs, or start without settling"
)]
pub struct Adrift {
    /// A node of the drifting group.
    pub node: u32,
    /// The force that nothing answers [N].
    pub force: f64,
}

impl Smooth {
    /// Moves `q` to static equilibrium at time `t`.
    ///
    /// # Errors
    /// When something is held by nothing and pushed.
    pub(crate) fn settle(
        &mut self,
        model: &mut Model,
        t: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        model.set_time(t);
        let mut v = vec![0.0; q.len()];
        model.prescribe(t, q, &mut v);
        v.fill(0.0);
        let support = check_support(model);
        if self.contact.is_empty() {
            support?;
            return Ok(self.settle_untouched(model, t, q));
        }
        let (start, memory) = (q.to_vec(), model.memory());
        let mut own = Vec::new();
        self.contact.encode(&mut own);
        if support.is_ok() {
            let report = self.settle_untouched(model, t, q);
            // What hangs free of everything is as well off without contacts.
            self.contact.find_free(model);
            self.contact.begin(t, 0.0, q, &v);
            if report.converged() && !self.contact.any_near() {
                return Ok(report);
            }
            q.copy_from_slice(&start);
        }
        let settled = self.settle_in_contact(model, t, q);
        if settled.is_err() {
            q.copy_from_slice(&start);
            model.set_memory(&memory).expect("it was its own");
            self.contact.decode(&own).expect("it was its own");
        }
        settled.map_err(|adrift| support.err().unwrap_or(adrift))
    }

    /// Moves `q` to the equilibrium of everything but contacts.
    pub(crate) fn settle_untouched(
        &mut self,
        model: &mut Model,
        t: f64,
        q: &mut [f64],
    ) -> StageReport {
        if let Some(guard) = &mut self.contact.guard {
            guard.rest();
        }
        let mut v = vec![0.0; q.len()];
        // The equation of a stage without inertia: its unknowns are positions.
        let none = vec![0.0; q.len()];
        let stage = Stage {
            time: t,
            beta: 1.0,
            gamma: 1.0,
            q_hat: none.clone(),
            v_hat: none.clone(),
            impulse: none,
            history: StageHistory::default(),
        };
        // Far from equilibrium the way is long for a minimisation, and a dead end for root finding.
        let patience = if model.assembly.is_conservative() { 500 } else { 50 };
        let limits = Limits {
            max_iterations: self.solver.max_iterations.max(patience),
            max_change: 0.2 * model.size,
        };
        let start = q.to_vec();
        let report = stage::find_root(self, model, &stage, Kind::Static, &limits, q, &mut v);
        if report.converged() {
            return report;
        }
        q.copy_from_slice(&start);
        self.relax(model, &stage, q, report)
    }

    /// Comes to rest on what is touched: steps of backward Euler, each from standstill and longer than the one before,
    /// until what they still accelerate is nothing. So tractions of friction come along that hold what lies there.
    fn settle_in_contact(
        &mut self,
        model: &mut Model,
        t: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        const MOST: usize = 200;
        let (start, still) = (q.to_vec(), vec![0.0; q.len()]);
        let mut report = StageReport::default();
        let mut h = 1e-3;
        self.contact.hold_still(true);
        for _ in 0..MOST {
            self.contact.find_free(model);
            self.contact.begin(t, h, q, &still);
            model.rigid.begin(q);
            self.fit_contacts(model);
            let history = StageHistory { by_position: true, ..Default::default() };
            let stage = Stage {
                time: t,
                beta: h,
                gamma: h,
                q_hat: q.to_vec(),
                v_hat: still.clone(),
                impulse: still.clone(),
                history,
            };
            let (mut next, mut v) = (q.to_vec(), still.clone());
            let step = stage::solve(self, model, &stage, &mut next, &mut v);
            report.add(step);
            match report.retry {
                Some(Retry::Again) => continue,
                None if report.status.converged() => {}
                _ => {
                    h *= 0.25;
                    if h < 1e-9 {
                        break;
                    }
                    continue;
                }
            }
            q.copy_from_slice(&next);
            model.rigid.rebase(q, None);
            model.accept(q);
            self.contact.accept();
            // What is left over from standstill is what was not in balance.
            let acceleration = v.iter().fold(0.0, |most: f64, v| most.max(v.abs())) / h;
            report.residuals.push(acceleration);
            if acceleration <= self.solver.tolerance {
                break;
            }
            let gone = |node: usize| (point(q, node) - point(&start, node)).norm();
            if let Some(node) = (0..model.masses.len()).find(|&node| gone(node) > 2.0 * model.size)
            {
                self.contact.hold_still(false);
                let force = model.masses[node] * acceleration;
                return Err(Adrift { node: node as u32, force });
            }
            h = (2.0 * h).min(1e3);
        }
        self.contact.hold_still(false);
        self.contact.forget_stiffenings();
        if report.residuals.last().is_some_and(|left| *left > self.solver.tolerance) {
            report.status = crate::solve::Status::IterationLimit;
        }
        Ok(report)
    }

    /// Comes to rest in time where the root could not be found at once: steps of backward Euler, each
    /// from standstill and longer than the one before, until the static equation can be solved. Where even that
    /// fails, `q` is as near as it came.
    fn relax(
        &mut self,
        model: &mut Model,
        equation: &Stage,
        q: &mut [f64],
        mut report: StageReport,
    ) -> StageReport {
        const MOST: usize = 200;
        let limits = |max_iterations| Limits { max_iterations, max_change: 0.2 * model.size };
        let (in_time, at_rest) = (limits(self.solver.max_iterations), limits(20));
        let still = vec![0.0; q.len()];
        let (mut iterations, mut h) = (report.iterations, 1e-2);
        for _ in 0..MOST {
            model.freeze_damping(q);
            let stage = Stage { beta: h, gamma: h, q_hat: q.to_vec(), ..equation.clone() };
            let (mut next, mut v) = (q.to_vec(), still.clone());
            let step =
                stage::find_root(self, model, &stage, Kind::Dynamic, &in_time, &mut next, &mut v);
            iterations += step.iterations;
            if !step.converged() {
                h *= 0.25;
                if h < 1e-7 {
                    break;
                }
                continue;
            }
            q.copy_from_slice(&next);
            h *= 2.0;
            let mut v = still.clone();
            report =
                stage::find_root(self, model, equation, Kind::Static, &at_rest, &mut next, &mut v);
            iterations += report.iterations;
            if report.converged() {
                q.copy_from_slice(&next);
                break;
            }
        }
        StageReport { iterations, ..report }
    }
}

/// Refuses groups of nodes that are connected to nothing held, and pushed.
pub(crate) fn check_support(model: &Model) -> Result<(), Adrift> {
    let count = model.masses.len();
    let mut same = UnionFind::new(count);
    for term in model.assembly.terms() {
        term.for_each_stencil(&mut |nodes| {
            for pair in nodes.windows(2) {
                same.unite(pair[0], pair[1]);
            }
        });
    }
    let mut held = vec![[false; 3]; count];
    let mut force = vec![Vector3::zeros(); count];
    let mut size = vec![0.0; count];
    for node in 0..count as u32 {
        let group = same.root(node) as usize;
        let f = point(&model.external, node as usize);
        force[group] += f;
        size[group] += f.norm();
        for axis in 0..3 {
            held[group][axis] |= model.fixed[node as usize][axis];
        }
    }
    for group in (0..count).filter(|&group| same.root(group as u32) as usize == group) {
        let free =
            Vector3::from_fn(|axis, _| if held[group][axis] { 0.0 } else { force[group][axis] });
        if free.norm() > 1e-9 * size[group] {
            return Err(Adrift { node: group as u32, force: free.norm() });
        }
    }
    Ok(())
}
