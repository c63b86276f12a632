//! The incremental potential of a stage, where all forces have an energy:
//!
//! $$ \Phi(v) = \tfrac12 \|v - \hat v\|_M^2 + \tfrac{\gamma}{\beta} W(\hat q + \beta v)
//!    - (\gamma f_{ext} + e) \cdot v + \tfrac{\gamma}{2} v \cdot (\alpha M + D) v $$

use super::stage::{Kind, Problem};
use super::{Smooth, Stabilisation};
use crate::element::Projection;
use crate::method::linear::{Outcome, Updated};
use crate::model::Model;
use crate::solve::minimise::{Hessian, NoDirection, Objective};
use crate::solve::newton::{LastStep, StopReason};

impl Objective for Problem<'_> {
    fn dimension(&self) -> usize {
        self.model.unknown_count()
    }

    fn value(&mut self, x: &[f64]) -> f64 {
        self.model.meter.set_searching(true);
        self.look(x);
        let weight = self.inertia();
        let touching = if self.kind == Kind::Dynamic { self.smooth.contact.energy() } else { 0.0 };
        let at = (&*self.q, &*self.v);
        let work = &mut self.scratch.work;
        let (value, magnitude) =
            self.model.incremental_potential(self.stage, weight, at, touching, work);
        self.model.meter.set_searching(false);
        self.magnitude = magnitude;
        value
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        self.residual_at(x, g);
    }

    fn direction(
        &mut self,
        _x: &[f64],
        g: &[f64],
        hessian: Hessian,
        p: &mut [f64],
    ) -> Result<(), NoDirection> {
        /// Relative residual of directions by conjugate gradients.
        const CURVATURE: f64 = 1e-2;
        let stabilisation = self.smooth.solver.stabilisation;
        let (projection, shift) = match (hessian, stabilisation) {
            (Hessian::Exact, _) => (Projection::Exact, 0.0),
            (Hessian::Projected { shift }, Stabilisation::Projection) => {
                (Projection::Positive, shift)
            }
            (Hessian::Projected { shift }, Stabilisation::Inertia) => (Projection::Exact, shift),
        };
        self.fill_jacobian(projection, shift, false);
        let iterates = self.smooth.iterates();
        let Model { jacobian, zones, inertias, rows, meter, .. } = &mut *self.model;
        let Smooth { linear, iterative, .. } = &mut *self.smooth;
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let outcome = match (hessian, stabilisation) {
            _ if iterates => iterative.definite(sum, g, CURVATURE, p, meter),
            (Hessian::Projected { .. }, Stabilisation::Inertia) => {
                let nodes = rows.free_nodes();
                let weights: Vec<f64> =
                    nodes.iter().flat_map(|&node| [inertias[node as usize]; 3]).collect();
                linear.corrected(sum, &self.scratch.points, &weights, g, p, meter)
            }
            _ => linear.definite(sum, &self.scratch.points, g, p, meter),
        };
        if outcome == Outcome::NotPositiveDefinite {
            return Err(NoDirection::NotPositiveDefinite);
        }
        self.note_direction(p);
        Ok(())
    }

    fn norm(&self, g: &[f64]) -> f64 {
        self.acceleration(g)
    }

    fn value_rounding(&self, _value: f64) -> f64 {
        8.0 * f64::EPSILON * self.magnitude
    }

    fn step_bound(&mut self, x: &[f64], p: &[f64]) -> f64 {
        self.bound(x, p)
    }

    fn converged(&self, x: &[f64], _g: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(x, step)
    }
}
