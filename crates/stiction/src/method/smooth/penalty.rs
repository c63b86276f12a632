//! The force that keeps bodies apart, over a thin layer.
//!
//! All profiles carry the same load `F = ¾ κ δ` at half the thickness `δ`, are nothing beyond it, and grow from there
//! with the depth `p = δ − d`, without a jump:
//!
//! | profile | `λ/F` | source |
//! |---|---|---|
//! | power `n` | `(2p/δ)ⁿ` | `n = 2` is the default: cubic energy `κ p³/δ` [Lar22, §4.3.1; with the 1/δ of its code]; `n = 1` a spring of `1.5 κ` [AEF22, §5.1] |
//! | exponential | `(e^{p/ε} − 1) / (e^{δ/2ε} − 1)` | [AEF22, §5.1.5] |
//!
//! ([AEF22]: Andrews, Erleben, Ferguson, *Contact and friction simulation for computer graphics*.) Powers of 2 and
//! more are twice differentiable where contact begins; all are finite where bodies overlap.

/// How the force grows with depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Push {
    /// A power of the depth, at least 1.
    Power(f64),
    /// Exponentially, over this part of the thickness.
    Exponential(f64),
}

impl Default for Push {
    fn default() -> Self {
        Self::Power(2.0)
    }
}

/// Thickness and stiffness of the layer between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// `δ`: gaps below this push [m].
    pub thickness: f64,
    /// `κ`: the load at half the thickness is `¾ κ δ` [N/m].
    pub stiffness: f64,
    /// The profile.
    pub push: Push,
}

impl Penalty {
    /// The penalty that carries a load [N] at half its thickness [m].
    pub fn carrying(load: f64, thickness: f64) -> Self {
        Self { thickness, stiffness: 4.0 * load / (3.0 * thickness), push: Push::default() }
    }

    /// How far a gap is inside the layer [m].
    pub fn depth(&self, gap: f64) -> f64 {
        (self.thickness - gap).max(0.0)
    }

    /// Load at half the thickness [N].
    fn load(&self) -> f64 {
        0.75 * self.stiffness * self.thickness
    }

    /// Energy at a gap [J].
    pub fn energy(&self, gap: f64) -> f64 {
        let depth = self.depth(gap);
        self.load()
            * match self.push {
                Push::Power(n) => {
                    0.5 * self.thickness * power(self.relative(gap), n + 1.0) / (n + 1.0)
                }
                Push::Exponential(share) => {
                    let decay = share * self.thickness;
                    (decay * (depth / decay).exp_m1() - depth) / (0.5 / share).exp_m1()
                }
            }
    }

    /// Force `λ` at a gap, never negative [N].
    pub fn force(&self, gap: f64) -> f64 {
        self.load()
            * match self.push {
                Push::Power(n) => power(self.relative(gap), n),
                Push::Exponential(share) => {
                    (0.5 * self.relative(gap) / share).exp_m1() / (0.5 / share).exp_m1()
                }
            }
    }

    /// How fast the force falls with the gap, `k_N` [N/m].
    pub fn slope(&self, gap: f64) -> f64 {
        let relative = self.relative(gap);
        if relative == 0.0 {
            return 0.0;
        }
        self.load()
            * match self.push {
                Push::Power(n) => 2.0 / self.thickness * n * power(relative, n - 1.0),
                Push::Exponential(share) => {
                    let growth = (0.5 * relative / share).exp() / (0.5 / share).exp_m1();
                    growth / (share * self.thickness)
                }
            }
    }

    /// Depth in units of half the thickness.
    fn relative(&self, gap: f64) -> f64 {
        2.0 * self.depth(gap) / self.thickness
    }

    /// By how much to lower a layer that is made stiffer by a factor, so that it pushes at a gap just as it did [m].
    /// Less energy is stored then; a stiffer layer in the same place would have more of it, out of nowhere.
    pub fn lowering(&self, gap: f64, factor: f64) -> f64 {
        let depth = self.depth(gap);
        match self.push {
            Push::Power(n) => depth * (1.0 - factor.powf(-n.recip())),
            Push::Exponential(share) => {
                let decay = share * self.thickness;
                depth - decay * ((depth / decay).exp_m1() / factor).ln_1p()
            }
        }
    }

    /// By what factor to stiffen so that a force found at a negative gap is carried at half the thickness
    /// [Lar22, §4.4.3].
    pub fn bump(&self, gap: f64) -> f64 {
        (self.force(gap) / self.load()).max(2.0)
    }
}

/// `xⁿ`, quick for the usual ones.
fn power(x: f64, n: f64) -> f64 {
    match n {
        1.0 => x,
        2.0 => x * x,
        3.0 => x * x * x,
        _ => x.powf(n),
    }
}
