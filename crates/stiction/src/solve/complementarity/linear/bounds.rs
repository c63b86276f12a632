//! Between which bounds an unknown may lie, and which other unknown moves them.

/// Bounds of one unknown.
///
/// | row | bounds |
/// |---|---|
/// | non-penetration | [`Bounds::AT_LEAST_ZERO`] |
/// | joint | [`Bounds::NONE`] |
/// | motor with a limit | [`Bounds::between`] |
/// | friction | [`Bounds::friction`]: as far as the impulse of a normal row allows |
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("boxed LCP"))]
pub struct Bounds {
    /// The lower bound; `-∞` for none.
    pub lo: f64,
    /// The upper bound; `∞` for none.
    pub hi: f64,
    /// What widens both.
    pub tie: Option<Tie>,
}

/// Bounds that widen with another unknown `p = max(x_row, 0)`: to `lo − below p` and `hi + above p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The other unknown. Its own bounds are fixed.
    pub row: usize,
    /// How much further down, at least zero.
    pub below: f64,
    /// How much further up, at least zero.
    pub above: f64,
}

impl Bounds {
    /// `0 ≤ x`.
    pub const AT_LEAST_ZERO: Self = Self::between(0.0, f64::INFINITY);
    /// Any `x`: an equation.
    pub const NONE: Self = Self::between(f64::NEG_INFINITY, f64::INFINITY);

    /// `lo ≤ x ≤ hi`.
    pub const fn between(lo: f64, hi: f64) -> Self {
        Self { lo, hi, tie: None }
    }

    /// `|x| ≤ mu max(x_row, 0)`.
    pub const fn friction(row: usize, mu: f64) -> Self {
        Self { lo: 0.0, hi: 0.0, tie: Some(Tie { row, below: mu, above: mu }) }
    }

    /// Friction that differs by direction: `−below p ≤ x ≤ above p` with `p = max(x_row, 0)`.
    pub const fn asymmetric(row: usize, below: f64, above: f64) -> Self {
        Self { lo: 0.0, hi: 0.0, tie: Some(Tie { row, below, above }) }
    }

    /// Both bounds, given all unknowns.
    pub fn at(&self, x: &[f64]) -> (f64, f64) {
        match self.tie {
            None => (self.lo, self.hi),
            Some(Tie { row, below, above }) => {
                let p = if x[row] > 0.0 { x[row] } else { 0.0 };
                (self.lo - below * p, self.hi + above * p)
            }
        }
    }
}

/// `v`, or the bound it is beyond. A NaN stays one, unlike with `f64::clamp`, and nothing panics.
pub(crate) fn nearest(v: f64, lo: f64, hi: f64) -> f64 {
    if v < lo {
        lo
    } else if v > hi {
        hi
    } else {
        v
    }
}
