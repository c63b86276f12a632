//! The incremental potential of a stage, where all forces have an energy:
//!
//! $$ \Phi(v) = \tfrac12 \|v - \hat v\|_M^2 + \tfrac{\gamma}{\beta} W(\hat q + \beta v)
//!    - (\gamma f_{ext} + e) \cdot v + \tfrac{\gamma}{2} v \cdot (\alpha M + D) v $$

use super::stage::{Kind, Problem};
use super::{Smooth, Stabilisation};
use crate::element::Projection;
use crate::method::linear::{Outcome, Updated};
use crate::model::{Model, Phase};
use crate::solve::LinearOperator as _;
use crate::solve::minimise::{Hessian, NoDirection, Objective};
use crate::solve::newton::{LastStep, StopReason};
use crate::step::Stage;

impl Objective for Problem<'_> {
    fn dimension(&self) -> usize {
        self.model.unknown_count()
    }

    fn value(&mut self, x: &[f64]) -> f64 {
        self.model.meter.set_searching(true);
        self.look(x);
        let Stage { beta, gamma, .. } = *self.stage;
        let weight = self.inertia();
        let unknown = if self.kind == Kind::Dynamic { &*self.v } else { &*self.q };
        let Model { assembly, zones, rows, damping, external, masses, mass_damping, meter, .. } =
            &mut *self.model;
        let touching = if self.kind == Kind::Dynamic { self.smooth.contact.energy() } else { 0.0 };
        let (zone_energy, zone_magnitude) = zones.energy_and_magnitude(self.q);
        let energy = meter.time(Phase::Forces, || assembly.energy(self.q)) + zone_energy + touching;
        meter.set_searching(false);
        let (mut inertia, mut work, mut loss) = (0.0, 0.0, 0.0);
        for (node, mass) in masses.iter().enumerate() {
            for at in 3 * node..3 * node + 3 {
                inertia += 0.5 * weight * mass * (self.v[at] - self.stage.v_hat[at]).powi(2);
                work += (gamma * external[at] + self.stage.impulse[at]) * unknown[at];
                loss += 0.5 * gamma * mass_damping[node] * self.v[at].powi(2);
            }
        }
        if let Some(damping) = damping {
            self.scratch.work.gather_rows(rows, self.v);
            damping.apply(&self.scratch.work.rows, &mut self.scratch.work.product);
            let product: f64 = self
                .scratch
                .work
                .rows
                .iter()
                .zip(&self.scratch.work.product)
                .map(|(v, dv)| v * dv)
                .sum();
            loss += 0.5 * gamma * product;
        }
        let elastic = gamma / beta * energy;
        self.magnitude = inertia
            + elastic.abs()
            + work.abs()
            + loss
            + gamma / beta * (assembly.energy_magnitude() + zone_magnitude);
        inertia + elastic - work + loss
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

    fn converged(&self, x: &[f64], _g: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(x, step)
    }
}
