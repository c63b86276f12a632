//! The incremental potential of a stage, where all forces have an energy:
//!
//! $$ \Phi(v) = \tfrac12 \|v - \hat v\|_M^2 + \tfrac{\gamma}{\beta} W(\hat q + \beta v)
//!    - (\gamma f_{ext} + e) \cdot v + \tfrac{\gamma}{2} v \cdot (\alpha M + D) v $$

use super::{Model, Phase, Work};
use crate::math::Vector3;
use crate::solve::LinearOperator as _;
use crate::step::Stage;

impl Model {
    /// `Φ` [J·s/s] at a point of a stage, and the sum of the sizes of its terms. `inertia` is 1, or 0 for statics,
    /// whose unknowns are positions; `touching` is the energy of contacts [J].
    pub(crate) fn incremental_potential(
        &mut self,
        stage: &Stage,
        inertia: f64,
        (q, v): (&[f64], &[f64]),
        touching: f64,
        work: &mut Work,
    ) -> (f64, f64) {
        let weight = inertia;
        let Stage { beta, gamma, .. } = *stage;
        let unknown = if weight > 0.0 { v } else { q };
        let Self { assembly, zones, rows, damping, external, masses, mass_damping, meter, .. } =
            self;
        let (zone_energy, zone_magnitude) = zones.energy_and_magnitude(q);
        let energy = meter.time(Phase::Forces, || assembly.energy(q)) + zone_energy + touching;
        let (mut inertia, mut done, mut loss) = (0.0, 0.0, 0.0);
        for (node, mass) in masses.iter().enumerate() {
            for at in 3 * node..3 * node + 3 {
                inertia += 0.5 * weight * mass * (v[at] - stage.v_hat[at]).powi(2);
                done += (gamma * external[at] + stage.impulse[at]) * unknown[at];
                loss += 0.5 * gamma * mass_damping[node] * v[at].powi(2);
            }
        }
        if let Some(damping) = damping {
            work.gather_rows(rows, v);
            damping.apply(&work.rows, &mut work.product);
            let product: f64 = work.rows.iter().zip(&work.product).map(|(v, dv)| v * dv).sum();
            loss += 0.5 * gamma * product;
        }
        let elastic = gamma / beta * energy;
        let magnitude = inertia
            + elastic.abs()
            + done.abs()
            + loss
            + gamma / beta * (assembly.energy_magnitude() + zone_magnitude);
        (inertia + elastic - done + loss, magnitude)
    }

    /// The largest unbalanced acceleration that a residual over free rows stands for [m/s²]; NaN if there is one.
    pub(crate) fn largest_acceleration(&self, gamma: f64, r: &[f64]) -> f64 {
        let Self { inertias, reaches, rows, .. } = self;
        let each = r.chunks_exact(3).zip(rows.free_nodes()).map(|(r, &node)| {
            // Divided first: the square of a force may overflow.
            let a = Vector3::new(r[0], r[1], r[2]) / (inertias[node as usize] * gamma);
            a.norm() * reaches[node as usize]
        });
        each.fold(0.0, |most, a| if a > most || a.is_nan() { a } else { most })
    }

    /// Sums over free nodes: of squares of unbalanced accelerations, weighted by mass [N m/s²], and of masses [kg].
    pub(crate) fn acceleration_squares(&self, gamma: f64, r: &[f64]) -> [f64; 2] {
        let Self { inertias, reaches, rows, .. } = self;
        let (mut sum, mut total) = (0.0, f64::MIN_POSITIVE);
        for (r, &node) in r.chunks_exact(3).zip(rows.free_nodes()) {
            let inertia = inertias[node as usize];
            let a = Vector3::new(r[0], r[1], r[2]) / (inertia * gamma);
            sum += inertia * a.norm_squared();
            total += inertia / reaches[node as usize].powi(2);
        }
        [sum, total]
    }
}
