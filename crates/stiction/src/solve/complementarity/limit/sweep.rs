//! Sweeps over contacts: each solved on its own, or moved by a proximal step [AEF22, alg. 11–12, 22].

use std::ops::ControlFlow;

use super::super::accelerated::{Accelerated, Sweep};
use super::super::cone::operator::Delassus;
use super::super::cone::prox::{Factor, Pace, Settings, Splitting, Verdict};
use super::super::run::Run;
use super::LimitProblem;
use super::problem::{Contact, Six};
use crate::solve::vector::norm;
use crate::solve::{Status, power_iteration};

/// One sweep with exact solves of each contact; the largest residual that one had when its turn came [m/s].
pub(super) fn exact<A: Delassus>(
    problem: &LimitProblem<A>,
    r: &mut [f64],
    memory: &mut [f64],
) -> f64 {
    let mut worst: f64 = 0.0;
    for contact in problem.parts() {
        let old = contact.impulses(r);
        let new = match contact.immobile {
            true => Six::zeros(),
            false => {
                let w = problem.velocity(contact, r, memory);
                let residual = contact.natural(&old, &w).norm();
                worst = if residual > worst || residual.is_nan() { residual } else { worst };
                contact.solve(&(w - contact.block * old), &old)
            }
        };
        problem.set(contact, &new, r, memory);
    }
    worst
}

/// Exact sweeps that can be [accelerated](super::super::accelerated).
pub(super) struct Sweeper<'a, A> {
    problem: &'a LimitProblem<A>,
    /// `1/D` of every unknown; zero where friction has no reach.
    weights: Vec<f64>,
}

impl<'a, A: Delassus> Sweeper<'a, A> {
    pub(super) fn new(problem: &'a LimitProblem<A>) -> Self {
        let weight = |scale: &f64| if *scale > 0.0 { 1.0 / scale } else { 0.0 };
        let own = |c: &'a Contact| c.scale.as_slice()[..c.size].iter().map(weight);
        Self { problem, weights: problem.parts().iter().flat_map(own).collect() }
    }
}

impl<A: Delassus> Sweep for Sweeper<'_, A> {
    fn room(&self) -> Vec<f64> {
        vec![0.0; self.problem.operator().memory_len()]
    }

    fn gather(&self, r: &[f64], memory: &mut [f64]) {
        self.problem.operator().gather(r, memory);
    }

    fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        exact(self.problem, r, memory)
    }

    fn square(&self, change: &[f64]) -> f64 {
        change.iter().zip(&self.weights).map(|(change, weight)| (change * weight).powi(2)).sum()
    }
}

/// Accelerated sweeps until the run ends.
pub(super) fn accelerated<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
) -> Status {
    let mut accelerated = Accelerated::new(Sweeper::new(run.problem), r, &run.memory);
    loop {
        let residual = accelerated.sweep(r, &mut run.memory);
        if let ControlFlow::Break(status) = run.proposed(r, residual) {
            return status;
        }
    }
}

/// Exact sweeps until the run ends, or `most` of them.
pub(super) fn gauss_seidel<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    most: usize,
) -> Option<Status> {
    for _ in 0..most {
        let residual = exact(run.problem, r, &mut run.memory);
        if let ControlFlow::Break(status) = run.proposed(r, residual) {
            return Some(status);
        }
    }
    None
}

/// Proximal steps until the run ends.
pub(super) fn proximal<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    settings: &Settings,
) -> Status {
    let problem = run.problem;
    let factors = factors(problem, settings.factor);
    let mut pace = Pace::new(settings.reduction, run.last_residual());
    let mut old = r.to_vec();
    loop {
        old.copy_from_slice(r);
        let jacobi = settings.splitting == Splitting::Jacobi;
        for (contact, factors) in problem.parts().iter().zip(&factors) {
            let before = contact.impulses(if jacobi { &old } else { r });
            let w = match jacobi {
                true => contact.velocities(&run.u),
                false => problem.velocity(contact, r, &run.memory),
            };
            let new = match contact.immobile {
                true => Six::zeros(),
                false => contact.step(&before, &w, &(factors * pace.scale), jacobi),
            };
            problem.set(contact, &new, r, &mut run.memory);
        }
        let residual = run.evaluate(r);
        if let ControlFlow::Break(status) = run.iteration(r, residual) {
            return status;
        }
        match pace.after(residual, run.iterations()) {
            Verdict::Keep => {}
            Verdict::TakeBack => {
                r.copy_from_slice(&old);
                run.evaluate(r);
            }
            Verdict::GiveUp => return Status::Stagnated,
        }
    }
}

fn factors<A: Delassus>(problem: &LimitProblem<A>, factor: Factor) -> Vec<Six> {
    let all = problem.parts().iter();
    match factor {
        Factor::Fixed(r) => all.map(|_| Six::repeat(r)).collect(),
        Factor::Global => {
            let r = 1.0 / largest_eigenvalue(problem);
            all.map(|_| Six::repeat(r)).collect()
        }
        Factor::Local => all.map(|contact| contact.factors(false)).collect(),
        Factor::Blocked => all.map(|contact| contact.factors(true)).collect(),
    }
}

/// About the largest eigenvalue of `D A D`, by power iterations; one if it is zero.
fn largest_eigenvalue<A: Delassus>(problem: &LimitProblem<A>) -> f64 {
    let size = problem.unknowns();
    let (mut u, mut memory) = (vec![0.0; size], vec![0.0; problem.operator().memory_len()]);
    let mut scale = vec![0.0; size];
    for (k, contact) in problem.parts().iter().enumerate() {
        let range = problem.range(k);
        let count = range.len();
        scale[range].copy_from_slice(&contact.scale.as_slice()[..count]);
    }
    let x = power_iteration::uneven_start(size);
    let length = norm(&x);
    let growth = power_iteration::growth(x, length, 30, norm, |x, length| {
        x.iter_mut().zip(&scale).for_each(|(x, d)| *x *= d / length);
        problem.operator().apply(x, &mut u, &mut memory);
        x.iter_mut().zip(&u).zip(&scale).for_each(|((x, u), d)| *x = u * d);
    });
    growth.unwrap_or(1.0)
}
