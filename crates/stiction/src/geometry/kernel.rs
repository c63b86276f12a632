//! Weights that fade with distance: how much a sample counts at a point.
//!
//! With `ρ = r/R < 1` (nothing beyond `R`):
//!
//! | kernel | φ | at `R` | source |
//! |---|---|---|---|
//! | [`Cubic`](Kernel::Cubic) | `1 − 3ρ² + 2ρ³` | slope continuous | [Lar22, §3.4.1] |
//! | [`Quartic`](Kernel::Quartic) | `(1 − ρ²)⁴` | three derivatives continuous | [DLCT24, app. A] |
//! | [`Rational`](Kernel::Rational) | `ε (1 − 3ρ² + 2ρ³) / (ε + ρ²)` | slope continuous | code of [Lar22] |
//! | [`Interpolating`](Kernel::Interpolating) | `((ρ²+ε)⁻² − (1+ε)⁻²) / (ε⁻² − (1+ε)⁻²)` | **slope jumps** | [Lar22, eq. 3.8] |
//!
//! A field blended with the interpolating kernel has kinks where a sample enters or leaves, although
//! [Lar22] calls it smooth; Newton's method notices. Take it for comparison only.
//!
//! All four are functions of `ρ²` near zero except for odd powers in the cubic, so everything is written
//! with the slope over the distance, `q = φ′/ρ`, which stays finite at the sample itself. With `d` the
//! vector from the sample and `û` its direction (zero at the sample), in units of `R`,
//!
//! $$ \nabla\varphi = q\,d, \qquad \nabla^2\varphi = q I + \rho q' \hat u \hat u^T, $$
//!
//! $$ \nabla^3\varphi\,\gamma = q' \bigl[ (\hat u\cdot\gamma) I + \gamma\hat u^T + \hat u\gamma^T \bigr] +
//!    (\rho q'' - q')(\hat u\cdot\gamma)\,\hat u\hat u^T . $$

/// How the weight of a sample falls from one to zero over the radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Kernel {
    /// `1 − 3ρ² + 2ρ³`. A good blend of smooth and local.
    #[default]
    Cubic,
    /// `(1 − ρ²)⁴`. The smoothest; what the robust field was published with.
    Quartic,
    /// The cubic, sharpened towards the samples.
    Rational {
        /// Sharpness: the field nearly interpolates when small [-].
        epsilon: f64,
    },
    /// Passes close to every sample. Its slope jumps at the radius.
    Interpolating {
        /// Sharpness: the field nearly interpolates when small [-].
        epsilon: f64,
    },
}

/// A kernel at one distance, through the slope over the distance `q = φ′/r`, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelJet {
    /// φ [-].
    pub value: f64,
    /// q [1/m²].
    pub q: f64,
    /// dq/dr [1/m³].
    pub dq: f64,
    /// d²q/dr² [1/m⁴].
    pub ddq: f64,
}

impl Kernel {
    /// The weight at distance `r` for radius `radius`, both [m]. Zero from the radius on.
    pub fn value(&self, r: f64, radius: f64) -> f64 {
        self.jet(r, radius).value
    }

    /// φ, φ′, φ″ and φ‴ with respect to the distance `r` [-, 1/m, 1/m², 1/m³].
    pub fn derivatives(&self, r: f64, radius: f64) -> [f64; 4] {
        let KernelJet { value, q, dq, ddq } = self.jet(r, radius);
        [value, r * q, q + r * dq, 2.0 * dq + r * ddq]
    }

    /// Weight and slopes at distance `r` for radius `radius`, both [m]. All zero from the radius on.
    #[inline]
    pub fn jet(&self, r: f64, radius: f64) -> KernelJet {
        let scale = 1.0 / radius;
        let rho = r * scale;
        if rho >= 1.0 {
            return KernelJet { value: 0.0, q: 0.0, dq: 0.0, ddq: 0.0 };
        }
        let (value, q, dq, ddq) = match *self {
            Self::Cubic => (cubic(rho), 6.0 * (rho - 1.0), 6.0, 0.0),
            Self::Quartic => quartic(rho),
            Self::Rational { epsilon } => rational(rho, epsilon),
            Self::Interpolating { epsilon } => interpolating(rho, epsilon),
        };
        let scale_sq = scale * scale;
        KernelJet {
            value,
            q: q * scale_sq,
            dq: dq * scale_sq * scale,
            ddq: ddq * scale_sq * scale_sq,
        }
    }

    /// The sharpness, where there is one.
    pub fn epsilon(&self) -> Option<f64> {
        match *self {
            Self::Cubic | Self::Quartic => None,
            Self::Rational { epsilon } | Self::Interpolating { epsilon } => Some(epsilon),
        }
    }
}

fn cubic(rho: f64) -> f64 {
    // (1 − ρ)² (1 + 2ρ): no cancellation near the radius.
    (1.0 - rho) * (1.0 - rho) * (1.0 + 2.0 * rho)
}

fn quartic(rho: f64) -> (f64, f64, f64, f64) {
    let y = (1.0 - rho) * (1.0 + rho);
    let y_sq = y * y;
    (y_sq * y_sq, -8.0 * y_sq * y, 48.0 * rho * y_sq, 48.0 * y_sq - 192.0 * rho * rho * y)
}

fn rational(rho: f64, epsilon: f64) -> (f64, f64, f64, f64) {
    let b = 1.0 / (epsilon + rho * rho);
    let n = 3.0 * epsilon * (rho - 1.0) + rho * rho * rho - 1.0; // q = 2ε n b², and n′ = 3/b
    let (b_sq, twice) = (b * b, 2.0 * epsilon);
    (
        epsilon * cubic(rho) * b,
        twice * n * b_sq,
        twice * b * (3.0 - 4.0 * rho * n * b_sq),
        twice * b_sq * (-18.0 * rho - 4.0 * n * b + 24.0 * rho * rho * n * b_sq),
    )
}

fn interpolating(rho: f64, epsilon: f64) -> (f64, f64, f64, f64) {
    // Everything times ε², so that a tiny ε neither overflows nor divides by zero.
    let (v, edge) = (epsilon / (rho * rho + epsilon), epsilon / (1.0 + epsilon));
    let (u, over) = (1.0 / (rho * rho + epsilon), 1.0 / (1.0 - edge * edge));
    let v_sq = v * v;
    // v² − edge² with v − edge = ε (1 − ρ²) u / (1 + ε): no cancellation near the radius.
    let above = epsilon * (1.0 - rho) * (1.0 + rho) * u / (1.0 + epsilon);
    (
        above * (v + edge) * over,
        -4.0 * v_sq * u * over,
        24.0 * rho * v_sq * u * u * over,
        (24.0 - 192.0 * rho * rho * u) * v_sq * u * u * over,
    )
}
