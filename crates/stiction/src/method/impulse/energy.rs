//! What a step that was solved more than once may gain of energy.
//!
//! Backward Euler takes energy away where the energy of elements is convex along the step. Where it is not, a stage can
//! have several solutions, and the one that was found may be far from the start, across what no motion could cross. So
//!
//! $$ T_1 + W_1 \le T_0 + W_0 + f \cdot \Delta q + (R \cdot \Delta q)^+ + (r \cdot J v)^+ $$
//!
//! with loads `f`, reactions `R` of pins that move, and what contacts with moving obstacles or restitution give; a step
//! that gains more is to be halved. Potentials that change with time are those of its end.

use crate::model::Model;
use crate::step::Stage;

/// What a step may gain all the same, in all energies it has to do with: what is about to buckle gains some in steps
/// of backward Euler, less the shorter they are.
const GAIN: f64 = 1e-2;

/// Whether a step that ended at `(q, v)` gained energy it cannot have; `contacts` is what impulses did [J].
pub(super) fn gains(model: &Model, stage: &Stage, contacts: f64, (q, v): (&[f64], &[f64])) -> bool {
    if !model.assembly.is_conservative() {
        return false;
    }
    let before = model.energies(&stage.q_hat, &stage.v_hat);
    let after = model.energies(q, v);
    let (mut loads, mut pins) = (0.0, 0.0);
    for (node, mass) in model.masses.iter().enumerate() {
        for a in 0..3 {
            let (at, weight) = (3 * node + a, mass * model.gravity[a]);
            let moved = q[at] - stage.q_hat[at];
            loads += (model.external[at] - weight) * moved;
            pins += model.reactions[at] * moved;
        }
    }
    let gain = after.total() - before.total() - loads - pins.max(0.0) - contacts.max(0.0);
    let fall = (after.gravitational - before.gravitational).abs();
    let stored = [&before, &after].map(|energies| energies.kinetic + energies.elastic.abs());
    let exchanged = stored[0] + stored[1] + fall + loads.abs() + pins.abs() + contacts.abs();
    gain > GAIN * exchanged || !gain.is_finite()
}
