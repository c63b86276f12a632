//! What friction can do at a contact: limit surfaces.
//!
//! Besides its normal, a contact has up to five rows: two tangents `t`, `b`, spin about the normal `τ`, and rolling
//! about both tangents. The impulses of these rows lie in ellipsoids that grow with the normal impulse `p`:
//!
//! $$ \sum_{k \in g} \Bigl(\frac{r_k}{a_k\, p}\Bigr)^2 \le 1 \qquad \text{for each group } g \text{ of rows} $$
//!
//! | rows in one group | is |
//! |---|---|
//! | `t`, `b` | Coulomb's disc or an ellipse [AEF22, §6.1] |
//! | `t`, `b`, `τ` | Coulomb–Contensou: force and torque share the limit; what spins slides easily [AEF22, §3.4.1] |
//! | `τ` alone, both rollings | independent resistances |
//! | each row alone | a box |
//!
//! `a` may depend on the sign of `r_k`, as for saw teeth and scales of fish: quarters of ellipses that meet on the
//! axes, still convex. `a` has no unit for sliding; for spin and rolling it is a length [m].

/// Friction rows of a contact: `t`, `b`, spin, two rollings.
pub const ROWS: usize = 5;
/// Rows that slide.
const SLIDING: usize = 2;

/// What friction can do at a contact, per normal impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("Coulomb-Contensou", "friction ellipse"))]
pub struct LimitSurface {
    /// How far impulses reach down and up, both not negative.
    pub reach: [[f64; 2]; ROWS],
    /// Rows with the same number share one ellipsoid.
    pub group: [u8; ROWS],
}

impl LimitSurface {
    /// Pushes along the normal, nothing else.
    pub const FRICTIONLESS: Self = Self { reach: [[0.0; 2]; ROWS], group: [0, 0, 1, 2, 2] };

    /// Coulomb's disc.
    pub fn disc(mu: f64) -> Self {
        Self::ellipse([mu; 2])
    }

    /// An ellipse with semi-axes along both tangents.
    pub fn ellipse(mu: [f64; 2]) -> Self {
        Self::lopsided(mu, mu)
    }

    /// Four quarters of ellipses: `plus` against sliding along the tangents, `minus` against sliding the other way.
    pub fn lopsided(plus: [f64; 2], minus: [f64; 2]) -> Self {
        let mut surface = Self::FRICTIONLESS;
        for k in 0..SLIDING {
            surface.reach[k] = [plus[k], minus[k]];
        }
        surface
    }

    /// The same with each row on its own: a box around the ellipse.
    pub fn boxed(mut self) -> Self {
        self.group = [0, 1, 2, 3, 4];
        self
    }

    /// With resistance to spin about the normal, `length` [m] times the normal impulse; within one ellipsoid with
    /// sliding if `shared`.
    pub fn with_torsion(mut self, length: f64, shared: bool) -> Self {
        self.reach[2] = [length; 2];
        self.group[2] = if shared { self.group[0] } else { self.group[2] };
        self
    }

    /// With resistance to rolling, `length` [m] times the normal impulse, the same about all tangents.
    pub fn with_rolling(mut self, length: f64) -> Self {
        self.reach[3] = [length; 2];
        self.reach[4] = [length; 2];
        self
    }

    /// Whether it resists spin or rolling: such a contact has six rows, others three.
    pub fn turns(&self) -> bool {
        self.reach[SLIDING..].iter().flatten().any(|reach| *reach > 0.0)
    }

    /// The first number that is negative or not finite.
    pub(super) fn wrong(&self) -> Option<f64> {
        self.reach.iter().flatten().copied().find(|a| !(a.is_finite() && *a >= 0.0))
    }

    /// How far row `k` reaches towards the sign of `x`.
    #[inline]
    pub fn towards(&self, k: usize, x: f64) -> f64 {
        self.reach[k][usize::from(x >= 0.0)]
    }

    /// Of a group, `Σ (r_k/a_k)²`, square root of it: at most the normal impulse where friction can do `r`; infinite
    /// where a row without reach has an impulse.
    pub fn gauge(&self, group: u8, r: &[f64; ROWS]) -> f64 {
        let part = |k: usize| match self.towards(k, r[k]) {
            _ if r[k] == 0.0 => 0.0,
            a if a > 0.0 => (r[k] / a).powi(2),
            _ => f64::INFINITY,
        };
        (0..ROWS).filter(|&k| self.group[k] == group).map(part).sum::<f64>().sqrt()
    }

    /// Whether friction can do `r` under a normal impulse `p`, up to a relative error.
    pub fn contains(&self, p: f64, r: &[f64; ROWS], error: f64) -> bool {
        self.group.iter().all(|&g| self.gauge(g, r) <= p * (1.0 + error))
    }

    /// Of all that friction can do per normal impulse, what takes most from velocities `v`: the support point against
    /// them.
    pub fn most_dissipating(&self, v: &[f64; ROWS]) -> [f64; ROWS] {
        let mut r = [0.0; ROWS];
        let length = |group: u8| {
            let part = |k: usize| (self.towards(k, -v[k]) * v[k]).powi(2);
            (0..ROWS).filter(|&k| self.group[k] == group).map(part).sum::<f64>().sqrt()
        };
        for k in 0..ROWS {
            let (a, length) = (self.towards(k, -v[k]), length(self.group[k]));
            if length > 0.0 {
                r[k] = -a * a * v[k] / length;
            }
        }
        r
    }
}
