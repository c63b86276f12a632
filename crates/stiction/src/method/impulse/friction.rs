//! From what friction can do at contacts to a problem that has solvers.
//!
//! | contacts of an island | problem |
//! |---|---|
//! | discs and ellipses | [`cone`], ellipses stretched to discs: all its solvers |
//! | one of them resists spin or rolling, one way more than the other, or hardly at all along one axis | [`limit`] |

use super::touch::Touch;
use crate::contact::Friction;
use crate::contact::friction::Directional;
use crate::math::Vector3;
use crate::solve::Report;
use crate::solve::complementarity::Limits;
use crate::solve::complementarity::cone::{
    self, BlockRows, ContactProblem, Delassus, ProblemError, Stretch, gauss_seidel, stretch,
};
use crate::solve::complementarity::limit::{self, LimitProblem, LimitSurface};

/// What a row of blocks is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// Normal and tangents of a contact, and what friction can do there.
    Contact(LimitSurface),
    /// Spin and rolling of the contact before it.
    Turning,
}

impl Row {
    /// A contact that only pushes.
    pub(super) const FRICTIONLESS: Self = Self::Contact(LimitSurface::FRICTIONLESS);

    /// The first row of a contact.
    pub(super) fn of(touch: &Touch) -> Self {
        let grip = &touch.grip;
        let slides = LimitSurface::lopsided(grip.plus, grip.minus);
        Self::Contact(match touch.turns() {
            true => slides.with_torsion(grip.torsion, grip.shared).with_rolling(grip.rolling),
            false => slides,
        })
    }
}

/// What contacts of an island together need.
pub(super) enum Shape {
    Cone(Stretch),
    Limit(Vec<LimitSurface>),
}

impl Shape {
    pub(super) fn of(rows: &[Row]) -> Result<Self, ProblemError> {
        // Semi-axes along both tangents, where an ellipse is all there is to it.
        let plain = |row: &Row| match row {
            Row::Contact(surface) if !surface.turns() => {
                let [[t, t_back], [b, b_back], ..] = surface.reach;
                let even = (t - t_back).abs() <= 0.0 && (b - b_back).abs() <= 0.0;
                let tame = t.min(b) >= stretch::LEAST * t.max(b);
                (even && tame).then_some([t, b])
            }
            _ => None,
        };
        if let Some(ellipses) = rows.iter().map(plain).collect::<Option<Vec<_>>>() {
            return Stretch::new(&ellipses).map(Self::Cone);
        }
        let surface = |row: &Row| match row {
            Row::Contact(surface) => Some(*surface),
            Row::Turning => None,
        };
        Ok(Self::Limit(rows.iter().filter_map(surface).collect()))
    }

    /// Rows of a Jacobian as the problem has them.
    pub(super) fn scaled(&self, jacobian: BlockRows) -> BlockRows {
        match self {
            Self::Cone(stretch) if !stretch.is_identity() => jacobian.scaled(stretch.scales()),
            _ => jacobian,
        }
    }

    /// Improves impulses `r`, given the operator of [scaled](Self::scaled) rows, velocities without impulses, and how
    /// much rows give way.
    pub(super) fn solve<A: Delassus>(
        &self,
        operator: A,
        mut b: Vec<f64>,
        compliance: Option<Vec<Vector3>>,
        r: &mut [f64],
        limits: &Limits,
        solver: cone::Solver,
    ) -> Result<Report, ProblemError> {
        match self {
            Self::Cone(stretch) => {
                let stretched = !stretch.is_identity();
                if stretched {
                    stretch.velocities(&mut b);
                    stretch.stretch(r);
                }
                let mut problem = ContactProblem::new(operator, b, stretch.laws())?;
                if let Some(compliance) = compliance {
                    problem = problem.with_compliance(compliance)?;
                }
                let report = solver.solve(&problem, r, limits, &mut ());
                if report.iterations == 0 && report.status.converged() {
                    calm(&problem, r, limits);
                }
                if stretched {
                    stretch.impulses(r);
                }
                Ok(report)
            }
            Self::Limit(surfaces) => {
                let mut problem = LimitProblem::new(operator, b, surfaces)?;
                if let Some(compliance) = compliance {
                    let along = |k: usize| compliance[problem.range(k).start / 3].x;
                    let along_normals = (0..problem.contacts()).map(along).collect();
                    problem = problem.with_compliance(along_normals)?;
                }
                // Scenes in which the solver has no such form were refused.
                let solver = for_limits(solver).unwrap_or(limit::Solver::Default);
                Ok(solver.solve(&problem, r, limits, &mut ()))
            }
        }
    }
}

/// Improves impulses that are good enough already. Errors that a tolerance allows come back with the velocities of
/// the step after; left as they are they go to and fro for ever, whereas two sweeps a step let them die out.
fn calm<A: Delassus>(problem: &ContactProblem<A>, r: &mut [f64], limits: &Limits) {
    /// Of the tolerance: what is left alone.
    const CALM: f64 = 1e-2;
    let limits = Limits { tolerance: CALM * limits.tolerance, iterations: 2 };
    let _ = gauss_seidel::solve(problem, r, &limits, &gauss_seidel::Settings::default(), &mut ());
}

/// The same solver for limit surfaces, if there is one.
pub(super) fn for_limits(solver: cone::Solver) -> Option<limit::Solver> {
    match solver {
        cone::Solver::Default => Some(limit::Solver::Default),
        cone::Solver::GaussSeidel(_) => Some(limit::Solver::GaussSeidel),
        cone::Solver::Nncg => Some(limit::Solver::Nncg),
        cone::Solver::ProxGaussSeidel => Some(limit::Solver::ProxGaussSeidel),
        cone::Solver::ProxJacobi => Some(limit::Solver::ProxJacobi),
        cone::Solver::Newton(_) => Some(limit::Solver::Newton),
        cone::Solver::InteriorPoint => Some(limit::Solver::InteriorPoint),
        _ => None,
    }
}

/// Whether what friction can do at a pair of bodies may be no cone, however it is stretched.
pub(super) fn needs_limits(friction: &Friction) -> bool {
    let thin = match friction.direction {
        Directional::Any => false,
        Directional::Grain { along, across } => {
            along.min(across) < stretch::LEAST * along.max(across)
        }
        Directional::Tensor(_) | Directional::Texture => true,
    };
    thin || friction.torsion > 0.0 || friction.rolling > 0.0
}
