//! A primal–dual interior point method for second-order cones: Nesterov–Todd scaling, Mehrotra's predictor and
//! corrector [Meh92].
//!
//! A few dozen factorisations, whatever the conditioning; redundant contacts and large mass ratios do no harm. The
//! associated model always converges. Coulomb's law is the same problem with a shift `μ‖u_T‖` of normal velocities,
//! whose derivative is part of the linear systems (refreshed in every step instead, it jams at boundaries of cones
//! that are not yet the right ones); where that leads nowhere, convex programs are solved, and the shift is refreshed
//! between them [Cad09]: no proof, and for large `μ` it may end as [`Status::Stagnated`]. Cannot start warm: it
//! pushes any start inside the cones first.
//!
//! The residual falls with the root of the gap, and in double precision no gap is closed further than 1e-12. So the
//! last digits are left to Newton steps on the natural map, which start with almost all contacts in their final
//! state.
//!
//! In `x = T r`, `T = diag(μ, 1, 1)`, and `y = S ũ`, `S = diag(1/μ, 1, 1)`, both cones are `‖x̄‖ ≤ x₀`. With
//! `W y = W⁻¹ x = λ` (`second_order_cone.rs`) and `D = ∂ũ/∂u` a step is
//!
//! ```text
//! (T W⁻² T + D A) dr = T W⁻¹ (λ \ c) − ũ,   dy = S (ũ + D A dr) − y
//! predictor c = 0;   corrector c = σν e − (W⁻¹dx)∘(W dy)
//! ```

use std::ops::ControlFlow;

use super::super::second_order_cone::{Scaling, jordan, jordan_divide, to_boundary};
use super::super::{Limits, Watch};
use super::newton::{self, LinearMethod, System};
use super::operator::block_rows::{block_of, set_block};
use super::residual::natural;
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus, Linearised, Map, Model};
use crate::math::{Matrix3, Vector3};
use crate::solve::{Report, Status};

/// Steps shorter than this lead nowhere.
const SHORTEST: f64 = 1e-6;
/// Iterations without a better residual after which there is none to come.
const PATIENCE: usize = 15;
/// Convex programs around which the shift is refreshed.
const PROGRAMS: usize = 20;
/// Of the largest free velocity: a residual from which Newton's method takes over.
const NEAR: f64 = 1e-5;
/// Of the contacts' own mobility, added in linear systems only: impulses of redundant contacts stay where they are [-].
const PROXIMAL: f64 = 1e-9;
/// Friction below which a contact is a half-line, not a cone: its scaling would divide by that.
const FRICTIONLESS: f64 = 1e-9;

/// Improves the impulses `r` in place; an iteration is one factorisation.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| {
        let mut system = System::new(problem, LinearMethod::Auto);
        match iterate(run, r, &mut system, usize::MAX) {
            ControlFlow::Break(status) => status,
            ControlFlow::Continue(()) => Status::Stagnated,
        }
    })
}

/// Steps until the run is over, or until there is nothing more to gain; the best impulses there were are left in `r`.
/// Convex programs are tried only if there are fewer than `most` factorisations before.
pub(super) fn iterate<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, A>,
    most: usize,
) -> ControlFlow<Status> {
    let before = system.factorisations();
    directly(run, r, system, most)?;
    if run.problem.model() == Model::Coulomb && system.factorisations() - before < most {
        let near = NEAR * crate::solve::vector::max_abs(run.problem.b());
        programs(run, r, system, near)?;
        finish(run, r, system, usize::MAX)?;
    }
    ControlFlow::Continue(())
}

/// The same with the derivative of the shift in the systems, and nothing else, by `most` factorisations.
pub(super) fn directly<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, A>,
    most: usize,
) -> ControlFlow<Status> {
    let before = system.factorisations();
    let near = NEAR * crate::solve::vector::max_abs(run.problem.b());
    run.evaluate(r);
    let mut interior = Interior::new(run.problem, r, &run.u);
    interior.impulses(r);
    run.evaluate(r);
    run.steps(r, near, PATIENCE, |run, r| {
        let found = system.factorisations() - before < most && interior.step(system, run, None);
        if found {
            interior.impulses(r);
        }
        found
    })?;
    finish(run, r, system, most - (system.factorisations() - before).min(most))
}

/// Convex programs with a shift that is refreshed between them.
fn programs<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, A>,
    near: f64,
) -> ControlFlow<Status> {
    let problem = run.problem;
    let mut shift = vec![0.0; problem.contacts()];
    for _ in 0..PROGRAMS {
        for (i, shift) in shift.iter_mut().enumerate() {
            *shift = problem.law(i).shifted(block_of(&run.u, i)).x - run.u[3 * i];
        }
        let mut interior = Interior::new(problem, r, &run.u);
        interior.impulses(r);
        run.evaluate(r);
        let closed = 1e-9 * interior.gap();
        while interior.gap() > closed && interior.step(system, run, Some(&shift)) {
            interior.impulses(r);
            let residual = run.evaluate(r);
            run.iteration(r, residual)?;
        }
        if natural(problem, r, &run.u) < near {
            break;
        }
    }
    ControlFlow::Continue(())
}

/// The last digits, from here, by `most` factorisations: the best impulses of the run may be those that something
/// else got stuck at.
fn finish<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, A>,
    most: usize,
) -> ControlFlow<Status> {
    let (start, before) = (r.to_vec(), system.factorisations());
    for map in [Map::Natural, Map::AlartCurnier] {
        r.copy_from_slice(&start);
        let most = most - (system.factorisations() - before).min(most);
        let settings = newton::Settings { map, ..Default::default() };
        newton::attempt(run, r, system, &settings, most)?;
    }
    run.recall(r);
    ControlFlow::Continue(())
}

/// A contact in the coordinates where both its cones are `‖x̄‖ ≤ x₀`.
#[derive(Clone, Copy)]
struct Contact {
    /// Friction coefficient, or one if there is none.
    mu: f64,
    frictionless: bool,
    immobile: bool,
    x: Vector3,
    y: Vector3,
    dx: Vector3,
    dy: Vector3,
    scaling: Scaling<3>,
    /// `λ`.
    scaled: Vector3,
}

struct Interior {
    contacts: Vec<Contact>,
    rows: Vec<Linearised>,
    /// Velocities of the impulses, shifted.
    shifted: Vec<f64>,
    step: Vec<f64>,
    product: Vec<f64>,
    right: Vec<f64>,
}

impl Interior {
    fn new<A: Delassus>(problem: &ContactProblem<A>, r: &[f64], u: &[f64]) -> Self {
        let speed = crate::solve::vector::max_abs(problem.b()).max(f64::MIN_POSITIVE);
        let contact = |i: usize| {
            let frictionless = problem.mu(i) < FRICTIONLESS;
            let mu = if frictionless { 1.0 } else { problem.mu(i) };
            let r = block_of(r, i);
            let shifted = problem.law(i).shifted(block_of(u, i));
            let mut x = Vector3::new(mu * r.x, r.y, r.z);
            let mut y = Vector3::new(shifted.x / mu, shifted.y, shifted.z);
            if frictionless {
                (x.y, x.z, y.y, y.z) = (0.0, 0.0, 0.0, 0.0);
            }
            x.x = x.x.max(x.y.hypot(x.z)) + 0.1 * mu.min(1.0) * problem.mass(i) * speed;
            y.x = y.x.max(y.y.hypot(y.z)) + 0.1 * speed / mu.max(1.0);
            let (dx, dy) = (Vector3::zeros(), Vector3::zeros());
            let immobile = problem.is_immobile(i);
            let scaling = Scaling::new(x, y);
            Contact { mu, frictionless, immobile, x, y, dx, dy, scaling, scaled: x }
        };
        let n = 3 * problem.contacts();
        let zeros = || vec![0.0; n];
        Self {
            contacts: (0..problem.contacts()).map(contact).collect(),
            rows: Vec::with_capacity(problem.contacts()),
            shifted: zeros(),
            step: zeros(),
            product: zeros(),
            right: zeros(),
        }
    }

    fn impulses(&self, r: &mut [f64]) {
        for (i, c) in self.contacts.iter().enumerate() {
            let r_i = Vector3::new(c.x.x / c.mu, c.x.y, c.x.z);
            set_block(r, i, if c.immobile { Vector3::zeros() } else { r_i });
        }
    }

    /// Predictor and corrector, from impulses whose velocities are in the run, with the shift of the law or a given
    /// one; false when there is no step.
    fn step<A: Delassus>(
        &mut self,
        system: &mut System<'_, A>,
        run: &mut Run<'_, A>,
        shift: Option<&[f64]>,
    ) -> bool {
        let problem = run.problem;
        let gap = self.gap();
        self.rows.clear();
        for (i, c) in self.contacts.iter_mut().enumerate() {
            let u = block_of(&run.u, i);
            let (shifted, model) = match shift {
                None => (problem.law(i).shifted(u), problem.model()),
                Some(shift) => (u + Vector3::x() * shift[i], Model::Associated),
            };
            set_block(&mut self.shifted, i, shifted);
            c.scaling = Scaling::new(c.x, c.y);
            c.scaled = c.scaling.times(c.y);
            self.rows.push(c.row(model, problem.mass(i), u));
        }
        system.factorise(&self.rows);
        self.direction(system, run, |_| Vector3::zeros());
        let reach = self.reach(1.0);
        let after = |c: &Contact| (c.x + c.dx * reach).dot(&(c.y + c.dy * reach));
        let ratio = self.contacts.iter().map(after).sum::<f64>() / (gap * self.count());
        let sigma = ratio.max(0.0).powi(3).min(1.0);
        self.direction(system, run, |c| {
            let second = jordan(c.scaling.inverse_times(c.dx), c.scaling.times(c.dy));
            Vector3::new(sigma * gap, 0.0, 0.0) - second
        });
        let length = self.reach(0.99);
        for c in &mut self.contacts {
            c.x += c.dx * length;
            c.y += c.dy * length;
        }
        let finite = |c: &Contact| c.x.iter().chain(c.y.iter()).all(|v| v.is_finite());
        length > SHORTEST && self.contacts.iter().all(finite)
    }

    fn count(&self) -> f64 {
        self.contacts.iter().filter(|c| !c.immobile).count().max(1) as f64
    }

    /// Mean of `xᵀy` over contacts.
    fn gap(&self) -> f64 {
        let gap = |c: &Contact| if c.immobile { 0.0 } else { c.x.dot(&c.y) };
        self.contacts.iter().map(gap).sum::<f64>() / self.count()
    }

    /// Solves for `dx` and `dy` with the complementarity `c` that is asked for.
    fn direction<A: Delassus>(
        &mut self,
        system: &mut System<'_, A>,
        run: &mut Run<'_, A>,
        complementarity: impl Fn(&Contact) -> Vector3,
    ) {
        for (i, c) in self.contacts.iter().enumerate() {
            let target = c.scaling.inverse_times(jordan_divide(c.scaled, complementarity(c)));
            let mut right =
                Vector3::new(c.mu * target.x, target.y, target.z) - block_of(&self.shifted, i);
            if c.frictionless {
                (right.y, right.z) = (0.0, 0.0);
            }
            set_block(&mut self.right, i, if c.immobile { Vector3::zeros() } else { right });
        }
        // Solved, then refined: the systems are nearly singular towards the end.
        self.step.copy_from_slice(&self.right);
        system.substitute(&self.rows, &mut self.step, 1e-10);
        for round in 0..2 {
            run.problem.products(&self.step, &mut self.product, &mut run.memory);
            if round == 1 {
                break;
            }
            for (i, row) in self.rows.iter().enumerate() {
                let made = row.by_velocity * block_of(&self.product, i)
                    + row.by_impulse * block_of(&self.step, i);
                let left = block_of(&self.right, i) - made;
                set_block(&mut self.right, i, left);
            }
            system.substitute(&self.rows, &mut self.right, 1e-10);
            crate::solve::vector::add_scaled(&mut self.step, 1.0, &self.right);
        }
        for (i, c) in self.contacts.iter_mut().enumerate() {
            let step = block_of(&self.step, i);
            let new =
                block_of(&self.shifted, i) + self.rows[i].by_velocity * block_of(&self.product, i);
            c.dx = Vector3::new(c.mu * step.x, step.y, step.z);
            c.dy = Vector3::new(new.x / c.mu, new.y, new.z) - c.y;
            if c.frictionless {
                (c.dx.y, c.dx.z, c.dy.y, c.dy.z) = (0.0, 0.0, 0.0, 0.0);
            }
            if c.immobile {
                (c.dx, c.dy) = (Vector3::zeros(), Vector3::zeros());
            }
        }
    }

    /// The longest step, at most one, that goes only a `part` of the way to any boundary.
    fn reach(&self, part: f64) -> f64 {
        let one = |c: &Contact| to_boundary(c.x, c.dx).min(to_boundary(c.y, c.dy));
        (part * self.contacts.iter().map(one).fold(f64::INFINITY, f64::min)).min(1.0)
    }
}

impl Contact {
    /// `T W⁻² T` and `D`.
    fn row(&self, model: Model, mass: f64, u: Vector3) -> Linearised {
        let value = Vector3::zeros();
        if self.immobile {
            let by_impulse = Matrix3::identity() / mass;
            return Linearised { value, by_impulse, by_velocity: Matrix3::zeros() };
        }
        if self.frictionless {
            let own = Vector3::new(self.y.x / self.x.x, 1.0 / mass, 1.0 / mass);
            let by_velocity = Matrix3::from_diagonal(&Vector3::x());
            return Linearised { value, by_impulse: Matrix3::from_diagonal(&own), by_velocity };
        }
        let scale = Matrix3::from_diagonal(&Vector3::new(self.mu, 1.0, 1.0));
        let by_impulse =
            scale * self.scaling.inverse_square() * scale + Matrix3::identity() * (PROXIMAL / mass);
        let mut by_velocity = Matrix3::identity();
        let slip = u.y.hypot(u.z);
        let shift = model.shift(self.mu);
        if shift > 0.0 && slip > 0.0 {
            by_velocity[(0, 1)] = shift * u.y / slip;
            by_velocity[(0, 2)] = shift * u.z / slip;
        }
        Linearised { value, by_impulse, by_velocity }
    }
}
