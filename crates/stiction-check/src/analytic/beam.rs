//! Slender bars: bent, and hung by one end.
//!
//! $$ w_F = \frac{F L^3}{3 E I} + \frac{F L}{\kappa A G}, \qquad
//!    w_q = \frac{q L^4}{8 E I} + \frac{q L^2}{2 \kappa A G}, \qquad
//!    \Delta L = \frac{\rho g L^2}{2 E} \qquad \text{[TG70, Cow66]} $$
//!
//! `w` tip deflection of a cantilever under an end load `F` [N] or its own weight `q = ρ g A` [N/m]; the first
//! terms are Euler and Bernoulli's, the second Timoshenko's for shear. `κ = 10(1+ν)/(12+11ν)` for a
//! rectangle [Cow66], 5/6 if `ν = 0`. Deflections are small against `L`, and `L` large against the section.
//! A clamp that keeps the root from widening is left out: it stiffens a beam of `height = L/10` and `ν = 0.3`
//! by 0.8 %, measured by refinement in `statics_bars.rs`.

/// A straight bar of rectangular section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// [m].
    pub length: f64,
    /// Of the section, across the load [m].
    pub width: f64,
    /// Of the section, along the load [m].
    pub height: f64,
    /// [Pa].
    pub youngs_modulus: f64,
    /// [-].
    pub poissons_ratio: f64,
}

impl Beam {
    /// Area of the section [m²].
    pub fn area(&self) -> f64 {
        self.width * self.height
    }

    /// Second moment of the section, `I` [m⁴].
    pub fn second_moment(&self) -> f64 {
        self.width * self.height.powi(3) / 12.0
    }

    /// What the section resists shear with, `κ A G` [N].
    pub fn shear_stiffness(&self) -> f64 {
        let nu = self.poissons_ratio;
        let kappa = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
        kappa * self.area() * self.youngs_modulus / (2.0 * (1.0 + nu))
    }

    /// Tip deflection under a force at the end, without shear [m].
    pub fn end_load_euler(&self, force: f64) -> f64 {
        force * self.length.powi(3) / (3.0 * self.youngs_modulus * self.second_moment())
    }

    /// Tip deflection under a force at the end [m].
    pub fn end_load_timoshenko(&self, force: f64) -> f64 {
        self.end_load_euler(force) + force * self.length / self.shear_stiffness()
    }

    /// Tip deflection under a force per length [N/m], without shear [m].
    pub fn uniform_load_euler(&self, force_per_length: f64) -> f64 {
        force_per_length * self.length.powi(4) / (8.0 * self.youngs_modulus * self.second_moment())
    }

    /// Tip deflection under a force per length [N/m], such as its weight [m].
    pub fn uniform_load_timoshenko(&self, force_per_length: f64) -> f64 {
        let shear = 0.5 * force_per_length * self.length.powi(2) / self.shear_stiffness();
        self.uniform_load_euler(force_per_length) + shear
    }

    /// How much longer it gets when hung by one end, of `density` [kg/m³] in `gravity` [m/s²] [m].
    pub fn hanging_elongation(&self, density: f64, gravity: f64) -> f64 {
        density * gravity * self.length.powi(2) / (2.0 * self.youngs_modulus)
    }
}

/// Tip deflection of a sheet that hangs over an edge by `length` [m]: Peirce's cantilever while it is
/// nearly flat, `ρ g L⁴/8B` [Pei30]. `rigidity` is `B`, moment per width and curvature [N·m].
/// That is `D` of a plate where the strip must bend to a cylinder, and `D (1 − ν²)` where it is narrow and free to
/// curl across.
pub fn overhang_deflection(length: f64, density: f64, gravity: f64, rigidity: f64) -> f64 {
    density * gravity * length.powi(4) / (8.0 * rigidity)
}
