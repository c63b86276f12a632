//! Interior points for limit surfaces: Nesterov–Todd scaling, Mehrotra's predictor and corrector [Meh92], several
//! cones a contact.
//!
//! In its scaled coordinates a contact has one second-order cone for each group of rows (sliding with spin, rolling),
//! and all share the normal impulse: `x_g = T_g z = (a_g z_N, z_g)`, `‖z_g‖ ≤ a_g z_N`. Where there is no friction at
//! all, the cone is the half-line `z_N ≥ 0`. As for [Coulomb's cone](super::super::cone::interior_point), the law is
//! a complementarity of cones after a shift of normal velocities,
//!
//! $$ \tilde w = w + e_N \sum_g a_g \|w_g\|, \qquad \tilde w = \sum_g T_g^T y_g, \qquad x_g \perp y_g $$
//!
//! both inside their cones. With `W_g y_g = W_g⁻¹ x_g = λ_g` (`second_order_cone.rs`) and `D = ∂w̃/∂w` a step is
//!
//! ```text
//! (Σ T_gᵀ W_g⁻² T_g + D A) dz = Σ T_gᵀ W_g⁻¹ (λ_g \ c_g) − w̃,   dy_g = W_g⁻¹ (λ_g \ c_g) − y_g − W_g⁻² dx_g
//! predictor c = 0;   corrector c = σν e − (W⁻¹dx)∘(W dy)
//! ```
//!
//! A few dozen factorisations from anywhere, where sweeps and Newton's method go in circles: heaps that come to rest.
//! It cannot start warm, and leaves the last digits to Newton steps. Surfaces that depend on the sign of what slides
//! are no second-order cones: nothing is tried with those.

use std::ops::ControlFlow;

use super::super::cone::operator::Delassus;
use super::super::newton::Linearised;
use super::super::run::Run;
use super::super::second_order_cone::{Scaling, jordan, jordan_divide, to_boundary};
use super::newton::{self, System};
use super::problem::{Block, Contact, LimitProblem, Six};
use super::surface::ROWS;
use crate::solve::Status;
use crate::solve::vector::add_scaled;

/// Steps shorter than this lead nowhere.
const SHORTEST: f64 = 1e-6;
/// Iterations without a better residual after which there is none to come.
const PATIENCE: usize = 15;
/// Of the largest free velocity: a residual from which Newton's method takes over.
const NEAR: f64 = 1e-7;
/// Convex programs around which the shift is refreshed, and the part of its first gap to which each goes.
const PROGRAMS: usize = 10;
const CLOSED: f64 = 1e-9;
/// Of the contacts' own mobility, added in linear systems only: impulses of redundant contacts stay where they are [-].
const PROXIMAL: f64 = 1e-7;

/// Whether all surfaces are second-order cones.
pub(super) fn suits<A: Delassus>(problem: &LimitProblem<A>) -> bool {
    problem.parts().iter().all(|contact| contact.round)
}

/// Interior points if surfaces suit, then Newton's method until the run ends.
pub(super) fn to_the_end<A: Delassus>(run: &mut Run<'_, LimitProblem<A>>, r: &mut [f64]) -> Status {
    if suits(run.problem) {
        let mut system = System::new(run.problem);
        if let ControlFlow::Break(status) = iterate(run, r, &mut system) {
            return status;
        }
        run.recall(r);
    }
    newton::iterate(run, r)
}

/// Steps from `r`, pushed inside the cones, until there is nothing more to gain; the best impulses of these steps are
/// left in `r`.
pub(super) fn iterate<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    system: &mut System,
) -> ControlFlow<Status> {
    directly(run, r, system)?;
    newton::attempt(run, r, system, usize::MAX)?;
    programs(run, r, system)?;
    newton::attempt(run, r, system, usize::MAX)
}

/// With the derivative of the shift in the systems.
fn directly<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    system: &mut System,
) -> ControlFlow<Status> {
    let near = NEAR * speed(run.problem);
    run.evaluate(r);
    let mut interior = Interior::new(run.problem, r, &run.u);
    interior.impulses(run.problem, r);
    run.evaluate(r);
    run.steps(r, near, PATIENCE, |run, r| {
        let found = interior.step(system, run, None);
        if found {
            interior.impulses(run.problem, r);
        }
        found
    })
}

/// Convex programs with a shift that is refreshed between them.
fn programs<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    system: &mut System,
) -> ControlFlow<Status> {
    let problem = run.problem;
    let near = NEAR * speed(problem);
    let mut best = run.evaluate(r);
    let mut at_best = r.to_vec();
    for _ in 0..PROGRAMS {
        let mut interior = Interior::new(problem, r, &run.u);
        let shift = interior.shifts(problem, &run.u);
        interior.impulses(problem, r);
        run.evaluate(r);
        let closed = CLOSED * interior.gap();
        while interior.gap() > closed && interior.step(system, run, Some(&shift)) {
            interior.impulses(problem, r);
            let residual = run.evaluate(r);
            run.iteration(r, residual)?;
        }
        let residual = problem.residual(r, &run.u);
        let better = residual < 0.9 * best;
        if residual < best {
            best = residual;
            at_best.copy_from_slice(r);
        }
        if best < near || !better {
            break;
        }
    }
    r.copy_from_slice(&at_best);
    ControlFlow::Continue(())
}

/// The largest scaled velocity without impulses [m/s].
fn speed<A: Delassus>(problem: &LimitProblem<A>) -> f64 {
    let own = |contact: &Contact| contact.velocities(problem.b()).amax();
    problem.parts().iter().map(own).fold(f64::MIN_POSITIVE, f64::max)
}

/// A group of rows of a contact: `‖x̄‖ ≤ x₀`.
struct Cone {
    contact: usize,
    /// `a_g`, and which numbers of the contact belong to it.
    axis: f64,
    rows: [bool; 6],
    x: Six,
    y: Six,
    dx: Six,
    dy: Six,
    scaling: Scaling<6>,
    /// `λ`.
    scaled: Six,
    /// `W⁻¹ (λ \ c)`.
    target: Six,
}

struct Interior {
    cones: Vec<Cone>,
    /// Scaled impulses.
    z: Vec<Six>,
    rows: Vec<Linearised<6>>,
    /// Scaled velocities of the impulses, shifted.
    shifted: Vec<Six>,
    step: Vec<f64>,
    right: Vec<f64>,
}

impl Cone {
    /// `T z`.
    fn of(&self, z: &Six) -> Six {
        let own = |k: usize| if self.rows[k] { z[k] } else { 0.0 };
        Six::from_fn(|k, _| if k == 0 { self.axis * z.x } else { own(k) })
    }

    /// Of velocities, those of its rows.
    fn slip(&self, w: &Six) -> Six {
        Six::from_fn(|k, _| if self.rows[k] { w[k] } else { 0.0 })
    }

    /// Adds `Tᵀ y`.
    fn add_transposed(&self, y: &Six, sum: &mut Six) {
        sum.x += self.axis * y.x;
        for k in (1..6).filter(|&k| self.rows[k]) {
            sum[k] += y[k];
        }
    }

    /// Adds `Tᵀ W⁻² T`.
    fn add_square(&self, sum: &mut Block) {
        let square = self.scaling.inverse_square();
        let factor = |k: usize| match k {
            0 => self.axis,
            _ => f64::from(self.rows[k]),
        };
        *sum += Block::from_fn(|i, j| factor(i) * square[(i, j)] * factor(j));
    }
}

/// The groups of a contact by axis and rows; the half-line where there are none.
fn groups(contact: &Contact) -> Vec<(f64, [bool; 6])> {
    let mut groups = Vec::new();
    for group in 0..ROWS as u8 {
        let own = |k: usize| contact.surface.group[k] == group && contact.axes[k][1] > 0.0;
        if let Some(first) = (0..ROWS).find(|&k| own(k)) {
            let rows = std::array::from_fn(|k| k > 0 && own(k - 1));
            groups.push((contact.axes[first][1], rows));
        }
    }
    if groups.is_empty() {
        groups.push((1.0, [false; 6]));
    }
    groups
}

/// Velocities with the normal one shifted, and the derivative by the unshifted.
fn shifted(cones: &[Cone], w: &Six) -> (Six, Block) {
    let (mut shifted, mut by_velocity) = (*w, Block::identity());
    for cone in cones {
        let own = cone.slip(w);
        let slip = own.norm();
        shifted.x += cone.axis * slip;
        for k in (1..6).filter(|&k| cone.rows[k] && slip > 0.0) {
            by_velocity[(0, k)] = cone.axis * own[k] / slip;
        }
    }
    (shifted, by_velocity)
}

impl Interior {
    fn new<A: Delassus>(problem: &LimitProblem<A>, r: &[f64], u: &[f64]) -> Self {
        let speed = speed(problem);
        let (mut cones, mut z) = (Vec::new(), Vec::new());
        for (index, contact) in problem.parts().iter().enumerate() {
            let (mut own, w) = (contact.impulses(r), contact.velocities(u));
            let zeros = Six::zeros();
            let unscaled = Scaling::new(Six::x(), Six::x());
            let first = cones.len();
            let groups = if contact.immobile { Vec::new() } else { groups(contact) };
            let reach = |(axis, rows): &(f64, [bool; 6])| {
                let length = (1..6).filter(|&k| rows[k]).map(|k| own[k] * own[k]).sum::<f64>();
                length.sqrt() / axis
            };
            own.x = groups.iter().map(reach).fold(own.x.max(0.0), f64::max);
            own.x += 0.1 * contact.mass * speed;
            for (axis, rows) in groups {
                let (contact, scaling) = (index, unscaled);
                let (x, y, dx, dy, scaled, target) = (zeros, zeros, zeros, zeros, zeros, zeros);
                let new = Cone { contact, axis, rows, x, y, dx, dy, scaling, scaled, target };
                cones.push(Cone { x: new.of(&own), ..new });
            }
            // What opens the contact beyond its slip is shared.
            let count = (cones.len() - first) as f64;
            for cone in &mut cones[first..] {
                cone.y = cone.slip(&w);
                let share = w.x.max(0.0) / (count * cone.axis);
                cone.y.x = cone.y.norm() + share + 0.1 * speed / cone.axis.max(1.0);
            }
            z.push(if contact.immobile { zeros } else { own });
        }
        let contacts = z.len();
        Self {
            cones,
            z,
            rows: Vec::with_capacity(contacts),
            shifted: Vec::with_capacity(contacts),
            step: vec![0.0; 6 * contacts],
            right: vec![0.0; 6 * contacts],
        }
    }

    fn impulses<A: Delassus>(&self, problem: &LimitProblem<A>, r: &mut [f64]) {
        for (k, (contact, z)) in problem.parts().iter().zip(&self.z).enumerate() {
            let scaled = z.component_mul(&contact.scale);
            for (r, scaled) in r[problem.range(k)].iter_mut().zip(&scaled) {
                *r = *scaled;
            }
        }
    }

    /// By how much the law shifts the normal velocity of each contact.
    fn shifts<A: Delassus>(&self, problem: &LimitProblem<A>, u: &[f64]) -> Vec<f64> {
        let mut shifts = vec![0.0; self.z.len()];
        for cone in &self.cones {
            let w = problem.parts()[cone.contact].velocities(u);
            shifts[cone.contact] += cone.axis * cone.slip(&w).norm();
        }
        shifts
    }

    /// Predictor and corrector, from impulses whose velocities are in the run, with the shift of the law or a given
    /// one; false when there is no step.
    fn step<A: Delassus>(
        &mut self,
        system: &mut System,
        run: &mut Run<'_, LimitProblem<A>>,
        shift: Option<&[f64]>,
    ) -> bool {
        let problem = run.problem;
        for cone in &mut self.cones {
            cone.scaling = Scaling::new(cone.x, cone.y);
            cone.scaled = cone.scaling.times(cone.y);
        }
        self.rows.clear();
        self.shifted.clear();
        let mut first = 0;
        for (index, contact) in problem.parts().iter().enumerate() {
            let count = self.cones[first..].iter().take_while(|c| c.contact == index).count();
            let own = &self.cones[first..first + count];
            first += count;
            if contact.immobile {
                self.rows.push(Linearised::immobile(&Six::zeros(), contact.mass));
                self.shifted.push(Six::zeros());
                continue;
            }
            let w = contact.velocities(&run.u);
            let (shifted, by_velocity) = match shift {
                None => shifted(own, &w),
                Some(shift) => (w + Six::x() * shift[index], Block::identity()),
            };
            let mut by_impulse = Block::identity() * (PROXIMAL / contact.mass);
            own.iter().for_each(|cone| cone.add_square(&mut by_impulse));
            // Rows that nothing resists stay where they are.
            for k in (1..6).filter(|&k| !own.iter().any(|cone| cone.rows[k])) {
                by_impulse[(k, k)] += 1.0 / contact.mass;
            }
            self.rows.push(Linearised { value: Six::zeros(), by_impulse, by_velocity });
            self.shifted.push(shifted);
        }
        let gap = self.gap();
        system.factorise(problem, &self.rows);
        if !self.direction(system, problem, |_| Six::zeros()) {
            return false;
        }
        let reach = self.reach(1.0);
        let after = |c: &Cone| (c.x + c.dx * reach).dot(&(c.y + c.dy * reach));
        let ratio = self.cones.iter().map(after).sum::<f64>() / (gap * self.cones.len() as f64);
        let sigma = ratio.max(0.0).powi(3).min(1.0);
        if !self.direction(system, problem, |c| {
            let second = jordan(c.scaling.inverse_times(c.dx), c.scaling.times(c.dy));
            Six::x() * (sigma * gap) - second
        }) {
            return false;
        }
        let length = self.reach(0.99);
        for cone in &mut self.cones {
            cone.x += cone.dx * length;
            cone.y += cone.dy * length;
        }
        add_steps(&mut self.z, &self.step, length);
        let finite = |c: &Cone| c.x.iter().chain(c.y.iter()).all(|v| v.is_finite());
        length > SHORTEST && self.cones.iter().all(finite)
    }

    /// Mean of `xᵀy` over cones.
    fn gap(&self) -> f64 {
        let sum = self.cones.iter().map(|c| c.x.dot(&c.y)).sum::<f64>();
        sum / self.cones.len().max(1) as f64
    }

    /// Solves for `dx` and `dy` with the complementarity `c` that is asked for; false when that failed.
    fn direction<A: Delassus>(
        &mut self,
        system: &mut System,
        problem: &LimitProblem<A>,
        complementarity: impl Fn(&Cone) -> Six,
    ) -> bool {
        for (right, shifted) in self.right.chunks_exact_mut(6).zip(&self.shifted) {
            right.copy_from_slice((-shifted).as_slice());
        }
        for cone in &mut self.cones {
            cone.target =
                cone.scaling.inverse_times(jordan_divide(cone.scaled, complementarity(cone)));
            let right = &mut self.right[6 * cone.contact..6 * cone.contact + 6];
            let mut sum = Six::from_column_slice(right);
            cone.add_transposed(&cone.target, &mut sum);
            right.copy_from_slice(sum.as_slice());
        }
        for (k, contact) in problem.parts().iter().enumerate() {
            for (right, scale) in self.right[6 * k..6 * k + 6].iter_mut().zip(&contact.scale) {
                if *scale == 0.0 {
                    *right = 0.0;
                }
            }
        }
        self.step.copy_from_slice(&self.right);
        if !system.substitute(problem, &self.rows, &mut self.step) {
            return false;
        }
        for cone in &mut self.cones {
            let at = 6 * cone.contact;
            cone.dx = cone.of(&Six::from_column_slice(&self.step[at..at + 6]));
            cone.dy = cone.target - cone.y - cone.scaling.inverse_square() * cone.dx;
        }
        true
    }

    /// The longest step, at most one, that goes only a `part` of the way to any boundary.
    fn reach(&self, part: f64) -> f64 {
        let one = |c: &Cone| to_boundary(c.x, c.dx).min(to_boundary(c.y, c.dy));
        (part * self.cones.iter().map(one).fold(f64::INFINITY, f64::min)).min(1.0)
    }
}

fn add_steps(z: &mut [Six], steps: &[f64], length: f64) {
    for (z, step) in z.iter_mut().zip(steps.chunks_exact(6)) {
        add_scaled(z.as_mut_slice(), length, step);
    }
}
