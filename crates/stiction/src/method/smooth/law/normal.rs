//! What a penalty does beside its push: damping, and bounces that lose energy [AEF22, §5.1].
//!
//! With the depth `p`, that at the start of the step `p₀`, and the rate `ṗ = (p − p₀)/t` over the time `t` since:
//!
//! $$ \lambda = \max\bigl(0,\; s(\dot p)\, F(p) + c\, \dot p\bigr), \qquad s = e \ldots 1 $$
//!
//! A contact with a bond pulls where it does not push: with the gap `d` beyond the thickness `δ`,
//!
//! $$ \lambda = -k (d - \delta) , $$
//!
//! the spring between two particles of [AEF22, §5.1.5], after [JV03]: made when they come nearer than its nominal
//! length, here `δ`, and gone when they are farther apart than its fracture length. Whether there is a bond is
//! decided at the end of steps and stays as it is in between, so that within a step the force is a function of the
//! gap.
//!
//! `s` is 1 where bodies approach and `e` where they recede, so a bounce returns the part `e` of its energy. A
//! function of the gap alone, without jumps, that never falls as bodies come nearer: Newton's method sees a stiffer
//! layer, not a law of its own.

use crate::method::smooth::penalty::Penalty;

/// Slower than this, bodies neither approach nor recede [m/s].
const REST: f64 = 1e-3;

/// What holds on to a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// `k` [N/m].
    pub stiffness: f64,
    /// The gap at which it breaks [m].
    pub fracture: f64,
}

impl Bond {
    /// Energy at a gap, for a layer of this thickness [J].
    pub fn energy(&self, gap: f64, thickness: f64) -> f64 {
        0.5 * self.stiffness * (gap - thickness).max(0.0).powi(2)
    }

    /// Whether there is one after a step that ended at a gap, for a layer of this thickness.
    pub fn holds(&self, before: bool, gap: f64, thickness: f64) -> bool {
        gap < thickness || before && gap < self.fracture
    }
}

/// The normal force of one contact in a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("restitution"))]
pub struct Normal {
    /// `c` [N·s/m].
    pub damper: f64,
    /// `e` [-].
    pub rebound: f64,
    /// `p₀` [m].
    pub start: f64,
    /// `t` [s].
    pub since: f64,
    /// What pulls, if anything does.
    pub bond: Option<Bond>,
}

impl Default for Normal {
    /// The push and nothing else.
    fn default() -> Self {
        Self { damper: 0.0, rebound: 1.0, start: 0.0, since: 0.0, bond: None }
    }
}

impl Normal {
    /// Force at a gap [N], negative where a bond pulls, and how fast it falls as the gap grows [N/m].
    pub fn at(&self, penalty: &Penalty, gap: f64) -> [f64; 2] {
        if let Some(bond) = self.bond.filter(|_| gap > penalty.thickness) {
            return [-bond.stiffness * (gap - penalty.thickness), bond.stiffness];
        }
        let plain = [penalty.force(gap), penalty.slope(gap)];
        let depth = penalty.depth(gap);
        if depth == 0.0 || self.since <= 0.0 || (self.damper == 0.0 && self.rebound >= 1.0) {
            return plain;
        }
        let [push, stiffness] = plain;
        let rate = (depth - self.start) / self.since;
        let y = (0.5 * (rate / REST + 1.0)).clamp(0.0, 1.0);
        let lost = 1.0 - self.rebound;
        let share = self.rebound + lost * y * y * (3.0 - 2.0 * y);
        let share_slope = lost * 6.0 * y * (1.0 - y) * 0.5 / REST;
        let force = share * push + self.damper * rate;
        if force <= 0.0 {
            return [0.0, 0.0]; // it does not hold back what leaves
        }
        [force, share * stiffness + (push * share_slope + self.damper) / self.since]
    }
}
