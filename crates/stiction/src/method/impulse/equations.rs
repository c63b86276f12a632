//! From contacts to a problem for [`complementarity`](crate::solve::complementarity).

use super::islands::Give;
use super::touch::{End, Touch};
use super::{Impulse, ImpulseSettings, Stabilisation};
use crate::assembly::point;
use crate::math::{Matrix3, Vector3};
use crate::solve::complementarity::cone::{BlockRows, Law};
use crate::system::System;

impl Impulse {
    /// `J` over free rows, a row of blocks for each contact; `frameᵀ` of the relative velocity.
    pub(super) fn jacobian(&self, touches: &[Touch], system: &System, q: &[f64]) -> BlockRows {
        let rows = touches.iter().map(|touch| {
            let to_frame = touch.frame.transpose();
            let mut row: Vec<(usize, Matrix3)> = Vec::with_capacity(4);
            for (end, sign) in touch.ends.iter().zip([1.0, -1.0]) {
                let mut add = |node: u32, block: Matrix3| {
                    row.extend(system.free_row(node).map(|at| (at, block * system.freedom(node))));
                };
                match end {
                    End::Rigid(rigid) => {
                        let (center, turn, by_turn) = system.rigid_arm(*rigid, touch.point, q);
                        add(center, to_frame * sign);
                        add(turn, to_frame * by_turn * sign);
                    }
                    End::Nodes(nodes, weights) => {
                        for (node, weight) in nodes.iter().zip(weights).filter(|(_, w)| **w != 0.0)
                        {
                            add(*node, to_frame * (sign * weight));
                        }
                    }
                    End::Moved(_) => {}
                }
            }
            row
        });
        BlockRows::from_rows(system.unknown_count() / 3, rows)
    }

    /// What of relative velocities is not unknown: motions of obstacles and of held nodes, in the frames of contacts.
    pub(super) fn prescribed(&self, system: &System, v: &[f64]) -> Vec<Vector3> {
        let each = self.touches.iter().map(|touch| {
            let mut sum = Vector3::zeros();
            for (end, sign) in touch.ends.iter().zip([1.0, -1.0]) {
                match end {
                    End::Moved(velocity) => sum += velocity * sign,
                    End::Nodes(nodes, weights) => {
                        for (node, weight) in nodes.iter().zip(weights) {
                            let held = Matrix3::identity() - system.freedom(*node);
                            sum += held * point(v, *node as usize) * (weight * sign);
                        }
                    }
                    End::Rigid(_) => {}
                }
            }
            touch.frame.tr_mul(&sum)
        });
        each.collect()
    }

    pub(super) fn laws(&self) -> Vec<Law> {
        let law = |touch: &Touch| match touch.friction {
            mu if mu > 0.0 => Law::Coulomb { mu },
            _ => Law::Frictionless,
        };
        self.touches.iter().map(law).collect()
    }

    /// How much contacts give way.
    pub(super) fn give(&self) -> Give {
        match self.settings.stabilisation {
            Stabilisation::Baumgarte { compliance, .. } if compliance > 0.0 => {
                Give::Same(compliance)
            }
            _ => Give::Nothing,
        }
    }

    /// Impulses of the step before, of contacts that are still there.
    pub(super) fn warm(&self) -> Vec<f64> {
        let known = |touch: &Touch| {
            let at = self.memory.binary_search_by_key(&touch.key, |(key, _)| *key);
            at.map_or_else(|_| Vector3::zeros(), |at| self.memory[at].1)
        };
        self.touches
            .iter()
            .flat_map(|touch| {
                let r = known(touch);
                [r.x, r.y, r.z]
            })
            .collect()
    }
}

impl ImpulseSettings {
    /// What the velocity along the normal of a contact must be at least [m/s], negative where it may close. `before` is that
    /// velocity at the start of the step.
    pub(super) fn least_opening(&self, touch: &Touch, before: f64, h: f64) -> f64 {
        let bounces =
            touch.restitution > 0.0 && before < -self.bounce_velocity && touch.gap <= -before * h;
        if bounces {
            return -touch.restitution * before;
        }
        match self.stabilisation {
            _ if touch.gap > 0.0 => -touch.gap / h,
            Stabilisation::Projection { .. } => 0.0,
            Stabilisation::Baumgarte { correction, .. } => -correction * touch.gap / h,
        }
    }
}
