//! From what friction can do at contacts to a problem that has solvers.
//!
//! | contacts | problem |
//! |---|---|
//! | discs and ellipses | [`cone`](crate::solve::complementarity::cone), ellipses stretched to discs: all its solvers |
//! | one of them resists spin or rolling, one way more than the other, or hardly at all along one axis | [`limit`](crate::solve::complementarity::limit) |

use super::{Impulse, ImpulseSettings};
use crate::contact::friction::Grip;
use crate::solve::Report;
use crate::solve::complementarity::cone::{
    self, BlockRows, ContactProblem, Delassus, ProblemError, Stretch, stretch,
};
use crate::solve::complementarity::limit::{self, LimitProblem, LimitSurface};
use crate::solve::complementarity::Limits;

/// What all contacts of a step together need.
pub(super) enum Shape {
    Cone(Stretch),
    Limit(Vec<LimitSurface>),
}

impl Impulse {
    pub(super) fn shape(&self) -> Result<Shape, ProblemError> {
        let tame = |grip: &Grip| {
            let [t, b] = grip.plus;
            grip.is_even() && t.min(b) >= stretch::LEAST * t.max(b)
        };
        let plain = self.touches.iter().all(|touch| !touch.turns() && tame(&touch.grip));
        if plain {
            let coefficients: Vec<_> = self.touches.iter().map(|touch| touch.grip.plus).collect();
            return Stretch::new(&coefficients).map(Shape::Cone);
        }
        let surface = |touch: &super::touch::Touch| surface(&touch.grip, touch.turns());
        Ok(Shape::Limit(self.touches.iter().map(surface).collect()))
    }
}

fn surface(grip: &Grip, turns: bool) -> LimitSurface {
    let slides = LimitSurface::lopsided(grip.plus, grip.minus);
    match turns {
        true => slides.with_torsion(grip.torsion, grip.shared).with_rolling(grip.rolling),
        false => slides,
    }
}

impl Shape {
    /// Improves impulses `r` of contacts with Jacobian `jacobian`, given how to make an operator of one.
    pub(super) fn solve<A: Delassus>(
        &self,
        jacobian: &BlockRows,
        operator: impl FnOnce(BlockRows) -> A,
        mut b: Vec<f64>,
        r: &mut [f64],
        limits: &Limits,
        settings: &ImpulseSettings,
    ) -> Result<Report, ProblemError> {
        match self {
            Self::Cone(stretch) if stretch.is_identity() => {
                let problem = ContactProblem::new(operator(jacobian.clone()), b, stretch.laws())?;
                Ok(settings.solver.solve(&problem, r, limits, &mut ()))
            }
            Self::Cone(stretch) => {
                stretch.velocities(&mut b);
                let operator = operator(jacobian.scaled(stretch.scales()));
                let problem = ContactProblem::new(operator, b, stretch.laws())?;
                stretch.stretch(r);
                let report = settings.solver.solve(&problem, r, limits, &mut ());
                stretch.impulses(r);
                Ok(report)
            }
            Self::Limit(surfaces) => {
                let problem = LimitProblem::new(operator(jacobian.clone()), b, surfaces)?;
                Ok(like(settings.solver).solve(&problem, r, limits, &mut ()))
            }
        }
    }
}

/// The solver that is most like one for cones.
fn like(solver: cone::Solver) -> limit::Solver {
    match solver {
        cone::Solver::GaussSeidel(_) => limit::Solver::GaussSeidel,
        cone::Solver::ProxGaussSeidel => limit::Solver::ProxGaussSeidel,
        cone::Solver::ProxJacobi | cone::Solver::Jacobi => limit::Solver::ProxJacobi,
        cone::Solver::Newton(_) => limit::Solver::Newton,
        _ => limit::Solver::Default,
    }
}
