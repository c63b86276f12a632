//! The force that keeps bodies apart: a cubic penalty over a thin layer [Lar22, §4.3.1; with the 1/δ of its code].
//!
//! $$ b(d) = \frac{\kappa}{\delta} (\delta - d)^3, \qquad \lambda = -b' = \frac{3\kappa}{\delta}(\delta - d)^2,
//!    \qquad k_N = b'' = \frac{6\kappa}{\delta}(\delta - d) \qquad (d < \delta) $$
//!
//! and nothing beyond `δ`. Twice differentiable where contact begins, finite where bodies overlap.

/// Thickness and stiffness of the layer between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// `δ`: gaps below this push [m].
    pub thickness: f64,
    /// `κ`: a third of the stiffness at half the thickness [N/m].
    pub stiffness: f64,
}

impl Penalty {
    /// The penalty that carries a load [N] at half its thickness [m].
    pub fn carrying(load: f64, thickness: f64) -> Self {
        Self { thickness, stiffness: 4.0 * load / (3.0 * thickness) }
    }

    /// Energy `b` at a gap [J].
    pub fn energy(&self, gap: f64) -> f64 {
        let depth = (self.thickness - gap).max(0.0);
        self.stiffness / self.thickness * depth.powi(3)
    }

    /// Force `λ` at a gap, never negative [N].
    pub fn force(&self, gap: f64) -> f64 {
        let depth = (self.thickness - gap).max(0.0);
        3.0 * self.stiffness / self.thickness * depth * depth
    }

    /// How fast the force falls with the gap, `k_N` [N/m].
    pub fn slope(&self, gap: f64) -> f64 {
        let depth = (self.thickness - gap).max(0.0);
        6.0 * self.stiffness / self.thickness * depth
    }

    /// By how much to lower a layer that is made stiffer by a factor, so that it pushes at a gap just as it did [m]. Less
    /// energy is stored then; a stiffer layer in the same place would have more of it, out of nowhere.
    pub fn lowering(&self, gap: f64, factor: f64) -> f64 {
        let depth = (self.thickness - gap).max(0.0);
        depth * (1.0 - factor.sqrt().recip())
    }

    /// By what factor to stiffen so that a force found at a negative gap is carried at half the thickness
    /// [Lar22, §4.4.3].
    pub fn bump(&self, gap: f64) -> f64 {
        (4.0 * (1.0 - gap / self.thickness).powi(2)).max(2.0)
    }
}
