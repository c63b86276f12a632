//! Sweeps made faster by conjugate directions: what all problems share (`docs/theory/contact-solvers.md`, "NNCG").
//!
//! With `S` a sweep, `g = x − S(x)` plays the gradient, and the next sweep starts from `S(x) + β p`,
//! `β = ‖g‖²/‖g_before‖²`, where `p` is the direction so far; `p` is forgotten when `‖g‖` grows.

/// A sweep over the contacts of a problem.
pub(super) trait Sweep {
    /// Room for the operator's memory.
    fn room(&self) -> Vec<f64>;

    /// Fills the operator's memory for impulses `r`.
    fn gather(&self, r: &[f64], memory: &mut [f64]);

    /// One sweep; returns the largest residual that a contact had when its turn came. `memory` is true for `r`, and
    /// stays so.
    fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64;

    /// The square of a change of impulses, all in one unit.
    fn square(&self, change: &[f64]) -> f64;
}

/// Sweeps with memory.
pub(super) struct Accelerated<S> {
    sweeper: S,
    /// Where the next sweep starts.
    x: Vec<f64>,
    direction: Vec<f64>,
    gradient: Vec<f64>,
    square: f64,
    /// The operator's memory of `x` and of `direction`: it is linear, so nothing need be gathered anew.
    x_memory: Vec<f64>,
    direction_memory: Vec<f64>,
    /// Sweeps since it was gathered.
    since: usize,
}

/// Sweeps after which the operator's memory is gathered anew, because rounding adds up.
const GATHER: usize = 50;

impl<S: Sweep> Accelerated<S> {
    /// From impulses `r`, for which the operator's memory is true.
    pub(super) fn new(sweeper: S, r: &[f64], memory: &[f64]) -> Self {
        Self {
            x: r.to_vec(),
            direction: vec![0.0; r.len()],
            gradient: vec![0.0; r.len()],
            square: f64::INFINITY,
            x_memory: memory.to_vec(),
            direction_memory: sweeper.room(),
            since: 0,
            sweeper,
        }
    }

    /// Forgets directions, and goes on from `r`.
    pub(super) fn restart(&mut self, r: &[f64]) {
        self.x.copy_from_slice(r);
        self.direction.fill(0.0);
        self.square = f64::INFINITY;
        self.since = GATHER;
    }

    /// Leaves the outcome of a sweep in `r`; returns the residual where it started.
    pub(super) fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        r.copy_from_slice(&self.x);
        if self.since == GATHER {
            self.sweeper.gather(&self.x, &mut self.x_memory);
            self.sweeper.gather(&self.direction, &mut self.direction_memory);
            self.since = 0;
        }
        self.since += 1;
        memory.copy_from_slice(&self.x_memory);
        let residual = self.sweeper.sweep(r, memory);
        for ((g, x), r) in self.gradient.iter_mut().zip(&self.x).zip(&*r) {
            *g = x - r;
        }
        let before = std::mem::replace(&mut self.square, self.sweeper.square(&self.gradient));
        // The first β is zero: a division by infinity.
        let beta = self.square / before;
        if beta < 1.0 {
            let directions = self.direction.iter_mut().zip(&self.gradient);
            for ((x, r), (p, g)) in self.x.iter_mut().zip(&*r).zip(directions) {
                *x = r + beta * *p;
                *p = beta * *p - g;
            }
            let directions = self.direction_memory.iter_mut();
            for ((x, r), p) in self.x_memory.iter_mut().zip(&*memory).zip(directions) {
                let gradient = *x - r;
                *x = r + beta * *p;
                *p = beta * *p - gradient;
            }
        } else {
            self.direction.fill(0.0);
            self.direction_memory.fill(0.0);
            self.x.copy_from_slice(r);
            self.x_memory.copy_from_slice(memory);
        }
        residual
    }
}

/// How many sweeps are still needed if the residual goes on falling as it did in the last `window` of them.
pub(super) fn sweeps_left(residuals: &[f64], window: usize, tolerance: f64) -> f64 {
    let window = window.min(residuals.len() - 1);
    let (now, before) = (residuals[residuals.len() - 1], residuals[residuals.len() - 1 - window]);
    let rate = (now / before).ln() / window as f64;
    if rate < 0.0 { (tolerance / now).ln() / rate } else { f64::INFINITY }
}
