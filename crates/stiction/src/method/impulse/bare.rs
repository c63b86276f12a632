//! A stage of rigid bodies that only gravity pulls on: no joint, load or pin holds them, nothing deforms, so every
//! body is for itself and its equations need no matrix. Exactly what `free.rs` finds for them, without looking at the
//! vertices they carry.

use super::inverse_mass::InverseMass;
use crate::math::Matrix3;
use crate::model::Model;
use crate::step::Stage;

/// Whether all there is are such bodies.
pub(super) fn is_bare(model: &Model) -> bool {
    let held = !model.holds.is_empty() || !model.dead_loads.is_empty() || !model.zones.is_empty();
    let damped = model.damping.is_some() || model.mass_damping.iter().any(|damping| *damping > 0.0);
    let coupled = !model.assembly.terms().is_empty();
    !held && !damped && !coupled && model.rows.free() == 2 * model.rigid.bodies().len()
}

/// Velocities of free rows at the end of a stage from velocities `v`, and inverse masses.
pub(super) fn free_bodies(
    model: &mut Model,
    stage: &Stage,
    v: &mut [f64],
) -> (Vec<f64>, InverseMass) {
    let Model { rigid, rows, masses, gravity, .. } = model;
    rigid.coast(stage.gamma, v);
    let mut x = vec![0.0; 3 * rows.free()];
    let mut blocks = vec![Matrix3::zeros(); rows.free()];
    rigid.fall(stage, *gravity, v, |nodes, [velocity, rate], moments| {
        let [center, turn] = [nodes.center, nodes.turn].map(|node| rows.of_node(node) as usize);
        x[3 * center..][..3].copy_from_slice(velocity.as_slice());
        x[3 * turn..][..3].copy_from_slice(rate.as_slice());
        blocks[center] = Matrix3::from_diagonal_element(masses[nodes.center as usize].recip());
        blocks[turn] = Matrix3::from_diagonal(&moments.map(f64::recip));
    });
    (x, InverseMass::Blocks(blocks))
}

/// Takes the velocities of free rows: writes positions and velocities at the end of the stage.
pub(super) fn take_bodies(
    model: &mut Model,
    stage: &Stage,
    x: &[f64],
    q: &mut [f64],
    v: &mut [f64],
) {
    for (&node, x) in model.rows.free_nodes().iter().zip(x.chunks_exact(3)) {
        let at = 3 * node as usize;
        for a in 0..3 {
            q[at + a] = stage.q_hat[at + a] + stage.beta * x[a];
            v[at + a] = x[a];
        }
    }
    model.rigid.settle(q, v);
}
