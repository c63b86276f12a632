//! How good impulses are: residuals by four measures, and what friction makes of them.
//!
//! | measure | zero exactly | |
//! |---|---|---|
//! | natural map | at solutions | what solvers stop by [m/s] |
//! | Fischer–Burmeister | at solutions | smooth: larger near edges of the cone [m/s] |
//! | Alart–Curnier | at solutions | normal and friction apart [m/s]; only for cones |
//! | energy | | `½ rᵀA r + rᵀb`: what impulses add to the kinetic energy [J]; curves show how far it is from that of the best |
//!
//! Friction is judged contact by contact: how far impulses are outside of the cone, how far from opposite to the slip
//! they point, and how fast contacts go on into each other.

use stiction::math::Vector3;
use stiction::solve::complementarity::cone::residual::{natural, residual, work};
use stiction::solve::complementarity::cone::{ContactProblem, Delassus, Map};
use stiction::solve::complementarity::linear::{self, LinearProblem};
use stiction_scene::problem_file::Problem;

/// Residuals of one set of impulses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    pub(super) natural: f64,
    pub(super) fischer_burmeister: f64,
    /// NaN for linear problems, which have no cones.
    pub(super) alart_curnier: f64,
    pub(super) energy: f64,
}

/// How contacts end up, and how exactly friction is obeyed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Accuracy {
    pub(super) open: usize,
    pub(super) stick: usize,
    pub(super) slide: usize,
    /// The most by which friction is more than the normal impulse allows, as a share of the largest normal impulse [-].
    pub(super) excess: f64,
    /// The largest angle between friction and what is opposite to the slip [rad]; of contacts that slide.
    pub(super) angle: f64,
    /// The fastest approach [m/s].
    pub(super) sinking: f64,
}

/// Looks at impulses; keeps the room it needs for that.
pub(super) struct Judge<'a> {
    problem: &'a Problem,
    u: Vec<f64>,
    memory: Vec<f64>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        let memory = match problem {
            Problem::Contact(problem) => problem.memory(),
            Problem::Bodies(problem) => problem.memory(),
            Problem::Linear(_) => Vec::new(),
        };
        Self { problem, u: vec![0.0; problem.unknowns()], memory }
    }

    pub(super) fn measures(&mut self, r: &[f64]) -> Measures {
        match self.problem {
            Problem::Contact(problem) => of_cones(problem, r, &mut self.u, &mut self.memory),
            Problem::Bodies(problem) => of_cones(problem, r, &mut self.u, &mut self.memory),
            Problem::Linear(problem) => {
                problem.velocities(r, &mut self.u, &mut self.memory);
                of_bounds(problem, r, &self.u)
            }
        }
    }

    /// Counts slip above `tolerance` [m/s].
    pub(super) fn accuracy(&mut self, r: &[f64], tolerance: f64) -> Accuracy {
        self.measures(r); // leaves velocities
        let u = &self.u;
        match self.problem {
            Problem::Contact(problem) => {
                friction(r, u, tolerance, |i| problem.mu(i), |i| problem.mass(i))
            }
            Problem::Bodies(problem) => {
                friction(r, u, tolerance, |i| problem.mu(i), |i| problem.mass(i))
            }
            Problem::Linear(problem) => bounds(problem, r, u, tolerance),
        }
    }
}

fn of_cones<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &[f64],
    u: &mut [f64],
    memory: &mut [f64],
) -> Measures {
    problem.velocities(r, u, memory);
    Measures {
        natural: natural(problem, r, u),
        fischer_burmeister: residual(problem, Map::FischerBurmeister, r, u),
        alart_curnier: residual(problem, Map::AlartCurnier, r, u),
        energy: work(problem, r, u),
    }
}

fn of_bounds(problem: &LinearProblem, r: &[f64], u: &[f64]) -> Measures {
    let row = |i: usize| linear::residual::fischer_burmeister_row(problem, i, r, u[i]).abs();
    // Not `f64::max`: it drops NaN.
    let larger = |worst: f64, e: f64| if e > worst || e.is_nan() { e } else { worst };
    Measures {
        natural: linear::residual::natural(problem, r, u),
        fischer_burmeister: (0..r.len()).map(row).fold(0.0, larger),
        alart_curnier: f64::NAN,
        energy: linear::residual::energy(problem, r, u),
    }
}

fn friction(
    r: &[f64],
    u: &[f64],
    tolerance: f64,
    mu: impl Fn(usize) -> f64,
    mass: impl Fn(usize) -> f64,
) -> Accuracy {
    let mut all = Accuracy::default();
    let largest = r.iter().step_by(3).fold(0.0, |most: f64, r| most.max(*r));
    for (i, (r, u)) in r.chunks_exact(3).zip(u.chunks_exact(3)).enumerate() {
        let (r, u) = (Vector3::from_column_slice(r), Vector3::from_column_slice(u));
        let (pull, slip) = (r.y.hypot(r.z), u.y.hypot(u.z));
        all.sinking = all.sinking.max(-u.x);
        if largest > 0.0 {
            all.excess = all.excess.max((pull - mu(i) * r.x.max(0.0)) / largest);
        }
        // An impulse that makes less of a velocity than counts as solved is none.
        match (r.x > tolerance * mass(i), slip > tolerance) {
            (false, _) => all.open += 1,
            (true, false) => all.stick += 1,
            (true, true) => {
                all.slide += 1;
                if pull > tolerance * mass(i) {
                    // Near zero the cosine has no digits; sine and cosine together do.
                    let (across, along) = (r.y * u.z - r.z * u.y, -(r.y * u.y + r.z * u.z));
                    all.angle = all.angle.max(across.abs().atan2(along));
                }
            }
        }
    }
    all
}

fn bounds(problem: &LinearProblem, x: &[f64], u: &[f64], tolerance: f64) -> Accuracy {
    let mut all = Accuracy::default();
    let largest = x.iter().fold(0.0, |most: f64, x| most.max(*x));
    for k in 0..problem.groups() {
        let [head, tied @ ..] = problem.group(k) else { continue };
        let head = *head as usize;
        let touches = x[head] * problem.scale()[head] > tolerance;
        let slides = tied.iter().any(|&row| u[row as usize].abs() > tolerance);
        match (touches, slides) {
            (false, _) => all.open += 1,
            (true, false) => all.stick += 1,
            (true, true) => all.slide += 1,
        }
        all.sinking = all.sinking.max(-u[head]);
        for &row in tied.iter().filter(|_| largest > 0.0) {
            let (lo, hi) = problem.bounds()[row as usize].at(x);
            let beyond = (x[row as usize] - hi).max(lo - x[row as usize]);
            all.excess = all.excess.max(beyond / largest);
        }
    }
    all
}
