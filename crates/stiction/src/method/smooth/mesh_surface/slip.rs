//! Slip of a point over a surface that deforms: velocity, displacement, and how both change.

use super::{Around, Looking, MeshSurface, Workspace};
use crate::math::{Matrix3, Vector3};
use crate::method::smooth::spot::Geometry;

impl MeshSurface {
    pub(super) fn slip(
        &self,
        geometry: &mut Geometry,
        around: &Around,
        at: &Looking,
        work: &mut Workspace,
    ) {
        let count = geometry.nodes.len();
        let Workspace { carrier, velocities, blocks, of_carrier, of_anchor, second, .. } = work;
        velocities.clear();
        velocities.push(at.v);
        velocities.extend(carrier.vertices().iter().map(|&v| self.velocities[v as usize]));
        let nobody = carrier.vertices().is_empty();
        geometry.velocity = if nobody { at.v } else { carrier.relative_velocity(velocities) };
        geometry.slip.resize(count, Matrix3::zeros());
        if nobody {
            geometry.slip[0] = Matrix3::identity();
        } else {
            for (from, &to) in of_carrier.iter().enumerate() {
                geometry.slip[to] = carrier.operator()[from];
            }
        }
        let held = !around.anchor.is_empty();
        geometry.displacement = if held {
            at.x - around.anchor.carried(&self.positions)
        } else {
            // Nothing held it at the start: it slips as fast as it does now.
            geometry.velocity * at.step
        };
        if !at.second {
            return;
        }
        if held {
            second.carried.resize(count, Matrix3::zeros());
            second.carried[0] = Matrix3::identity();
            around.anchor.carried_derivative(&self.positions, blocks);
            for (block, &to) in blocks.iter().zip(&of_anchor[1..]) {
                second.carried[to] = -block;
            }
        } else {
            second.carried.clone_from(&geometry.slip);
        }
        second.slip_change.resize(count, Matrix3::zeros());
        if !nobody {
            carrier.relative_velocity_change(velocities, blocks);
            for (block, &to) in blocks.iter().zip(&*of_carrier) {
                second.slip_change[to] = *block;
            }
        }
    }

    /// How the spread of a traction changes, at the point last looked at.
    pub(crate) fn spread_change(geometry: &Geometry, traction: Vector3, work: &mut Workspace) {
        let Workspace { carrier, blocks, of_carrier, second, .. } = work;
        if carrier.vertices().is_empty() {
            return;
        }
        let (count, size) = (geometry.nodes.len(), of_carrier.len());
        carrier.spread_change(&traction, blocks);
        second.force_change.resize(count * count, Matrix3::zeros());
        for (i, &row) in of_carrier.iter().enumerate() {
            for (j, &column) in of_carrier.iter().enumerate() {
                second.force_change[row * count + column] = blocks[i * size + j];
            }
        }
    }
}
