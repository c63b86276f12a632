//! Shock propagation: Gauss–Seidel layer by layer, up and down again [E07].
//!
//! Rows of one height are swept several times before the next layer, so an impulse crosses a whole stack in one
//! iteration: what a few iterations make of a stack that is hit looks right. The solution is that of the plain method
//! for every choice of heights. To get all its digits takes half the iterations and many times the work. Bodies below
//! are not held fixed, as in the paper, which would be faster and another problem. Needs a positive diagonal.

use super::gauss_seidel::{sweep, sweepable};
use super::monitor::conduct;
use super::problem::LinearProblem;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// Who is how high.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// A layer for every group of the problem; those not listed are in layer zero.
    pub heights: Vec<u32>,
    /// Sweeps over a layer before the next.
    pub sweeps: usize,
}

/// Improves `x` in place. An iteration goes up through all layers and down again.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    settings: &Settings,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        if !sweepable(problem) {
            return monitor.finish(Status::Breakdown);
        }
        let height = |k: u32| settings.heights.get(k as usize).copied().unwrap_or(0);
        let mut groups: Vec<u32> = (0..problem.groups() as u32).collect();
        groups.sort_by_key(|&k| height(k));
        let layers: Vec<&[u32]> = groups.chunk_by(|&a, &b| height(a) == height(b)).collect();
        let sweeps = settings.sweeps.max(1);
        problem.project(x);
        problem.matrix().start(x, &mut monitor.w);
        loop {
            let mut moved = false;
            for layer in layers.iter().chain(layers.iter().rev()) {
                for _ in 0..sweeps {
                    moved |= sweep(problem, layer, 1.0, x, &mut monitor.w);
                }
            }
            if let Some(status) = monitor.look_after(moved, x) {
                return monitor.finish(status);
            }
        }
    })
}
