//! From contacts to a problem for [`complementarity`](crate::solve::complementarity).

use rayon::prelude::*;

use super::detect::TOUCHES_TOGETHER;
use super::friction::Row;
use super::islands::Compliance;
use super::touch::Touch;
use super::{Impulse, ImpulseSettings, Stabilisation};
use crate::assembly::point;
use crate::contact::candidate::End;
use crate::math::{Matrix3, Vector3};
use crate::model::Model;
use crate::solve::complementarity::cone::BlockRows;

impl Impulse {
    /// `J` over free rows, a row of blocks for each contact; `frameᵀ` of the relative velocity.
    pub(super) fn jacobian(&self, touches: &[Touch], model: &Model, q: &[f64]) -> BlockRows {
        rows_of(touches, model, |touch, rows, row| {
            slipping_row(touch, model, q, row);
            rows.push(row);
        })
    }

    /// The same with a second row where a contact turns: of its relative angular velocity.
    pub(super) fn jacobian_with_turning(&self, model: &Model, q: &[f64]) -> BlockRows {
        rows_of(&self.touches, model, |touch, rows, row| {
            slipping_row(touch, model, q, row);
            rows.push(row);
            if touch.turns() {
                turning_row(touch, model, q, row);
                rows.push(row);
            }
        })
    }

    /// What of relative velocities is not unknown: motions of obstacles and of held nodes, in the frames of contacts.
    pub(super) fn prescribed(&self, model: &Model, v: &[f64]) -> Vec<Vector3> {
        let each = self.touches.iter().flat_map(|touch| {
            let (mut sum, mut spin) = (Vector3::zeros(), Vector3::zeros());
            for (side, (end, sign)) in touch.at.ends.iter().zip([1.0, -1.0]).enumerate() {
                let held = |node: u32| {
                    let free = model.freedom(node)?;
                    Some((Matrix3::identity() - free) * point(v, node as usize))
                };
                match end {
                    End::Moved(velocity, turn) => {
                        sum += velocity * sign;
                        spin += turn * sign;
                    }
                    End::Nodes(nodes, weights) => {
                        for (node, weight) in nodes.iter().zip(weights) {
                            held(*node).iter().for_each(|v| sum += v * (weight * sign));
                        }
                        for (node, block) in touch.at.lever(side) {
                            held(*node).iter().for_each(|v| sum += block * v * sign);
                        }
                    }
                    End::Rigid(_) => {}
                }
            }
            let turning = touch.turns().then(|| touch.at.frame.tr_mul(&spin));
            std::iter::once(touch.at.frame.tr_mul(&sum)).chain(turning)
        });
        each.collect()
    }

    /// Of each contact, its first row of blocks.
    pub(super) fn first_rows(&self) -> impl Iterator<Item = usize> {
        self.touches.iter().scan(0, |next, touch| {
            let own = *next;
            *next += 1 + usize::from(touch.turns());
            Some(own)
        })
    }

    /// What each row of blocks is.
    pub(super) fn rows(&self) -> Vec<Row> {
        let rows = self.touches.iter().flat_map(|touch| {
            let turning = touch.turns().then_some(Row::Turning);
            std::iter::once(Row::of(touch)).chain(turning)
        });
        rows.collect()
    }

    /// How much contacts give way.
    pub(super) fn compliance(&self) -> Compliance {
        match self.settings.stabilisation {
            Stabilisation::Baumgarte { compliance, .. } if compliance > 0.0 => {
                Compliance::Same(compliance)
            }
            _ => Compliance::Nothing,
        }
    }

    /// Impulses of the step before, of contacts that are still there.
    pub(super) fn warm(&self) -> Vec<f64> {
        let mut all = Vec::with_capacity(3 * self.touches.len());
        // Both ascend by key.
        let mut memory = self.memory.iter().peekable();
        for touch in &self.touches {
            while memory.next_if(|known| known.key < touch.at.key).is_some() {}
            let known = memory.peek().filter(|known| known.key == touch.at.key);
            let [push, turning] =
                known.map_or([Vector3::zeros(); 2], |known| [known.push, known.turning]);
            all.extend(push.iter());
            if touch.turns() {
                all.extend(turning.iter());
            }
        }
        all
    }
}

/// One row of blocks.
type Blocks = Vec<(usize, Matrix3)>;

/// Rows of contacts, those of each written by `write`, which is given room for one.
fn rows_of(
    touches: &[Touch],
    model: &Model,
    write: impl Fn(&Touch, &mut BlockRows, &mut Blocks) + Sync,
) -> BlockRows {
    let of = |touches: &[Touch]| {
        let (mut rows, mut row) = (BlockRows::empty(model.unknown_count() / 3), Vec::new());
        touches.iter().for_each(|touch| write(touch, &mut rows, &mut row));
        rows
    };
    if touches.len() <= TOUCHES_TOGETHER {
        return of(touches);
    }
    let parts: Vec<BlockRows> = touches.par_chunks(TOUCHES_TOGETHER).map(of).collect();
    let mut all = BlockRows::empty(model.unknown_count() / 3);
    all.extend(&parts);
    all
}

/// The relative velocity of a contact, in its frame.
fn slipping_row(touch: &Touch, model: &Model, q: &[f64], row: &mut Blocks) {
    row.clear();
    let to_frame = touch.at.frame.transpose();
    for (side, (end, sign)) in touch.at.ends.iter().zip([1.0, -1.0]).enumerate() {
        let mut add = |node: u32, block: Matrix3| {
            let block = model.freedom(node).map_or(block, |free| block * free);
            row.extend(model.free_row(node).map(|at| (at, block)));
        };
        match end {
            End::Rigid(rigid) => {
                let (center, turn, by_turn) = model.rigid_arm(*rigid, touch.at.point, q);
                add(center, to_frame * sign);
                add(turn, to_frame * by_turn * sign);
            }
            End::Nodes(nodes, weights) => {
                for (node, weight) in nodes.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
                    add(*node, to_frame * (sign * weight));
                }
                for (node, block) in touch.at.lever(side) {
                    add(*node, to_frame * block * sign);
                }
            }
            End::Moved(..) => {}
        }
    }
}

/// The relative angular velocity of a contact, in its frame.
fn turning_row(touch: &Touch, model: &Model, q: &[f64], row: &mut Blocks) {
    row.clear();
    for (end, sign) in touch.at.ends.iter().zip([1.0, -1.0]) {
        if let End::Rigid(rigid) = end {
            let (node, attitude) = model.rigid_turn(*rigid, q);
            let block = touch.at.frame.transpose() * attitude * sign;
            let block = model.freedom(node).map_or(block, |free| block * free);
            row.extend(model.free_row(node).map(|at| (at, block)));
        }
    }
}

impl ImpulseSettings {
    /// What the velocity along the normal of a contact must be at least [m/s], negative where it may close. `before`
    /// is that velocity at the start of the step.
    pub(super) fn least_opening(&self, touch: &Touch, before: f64, h: f64) -> f64 {
        if self.bounces(touch, before, h) {
            return -touch.restitution * before;
        }
        match self.stabilisation {
            // Closing gaps of rounding would make those of the next step: what rests would never come to rest.
            _ if touch.at.gap > 0.0 && touch.rests => 0.0,
            _ if touch.at.gap > 0.0 => -touch.at.gap / h,
            Stabilisation::Projection { .. } => 0.0,
            Stabilisation::Baumgarte { correction, .. } => -correction * touch.at.gap / h,
        }
    }
}
