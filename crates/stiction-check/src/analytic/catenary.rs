//! The hanging chain.
//!
//! $$ y(x) = a \cosh\frac{x}{a}, \qquad s(x) = a \sinh\frac{x}{a}, \qquad T(x) = w\,y(x) $$
//!
//! `a` the parameter [m], `s` length from the lowest point [m], `T` tension [N], `w` weight per length
//! [N/m]. Ends at the same height, no bending, no stretch. Any text on mechanics.

use super::root_between;

/// A chain between two points at the same height, the origin midway between them, `y` upward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catenary {
    parameter: f64, // a [m]
    span: f64,      // [m]
}

impl Catenary {
    /// A chain of `length` between points `span` apart [m].
    ///
    /// # Panics
    /// When the chain is not longer than the span.
    pub fn hung(span: f64, length: f64) -> Self {
        assert!(length > span && span > 0.0, "a chain of {length} m cannot hang over {span} m");
        // With u = span/2a: sinh u / u = length / span, which grows with u.
        let u = root_between(1e-8, 300.0, |u| u.sinh() / u - length / span);
        Self { parameter: 0.5 * span / u, span }
    }

    /// `a` [m]: the horizontal tension is the weight of so much chain.
    pub fn parameter(&self) -> f64 {
        self.parameter
    }

    /// Height above the supports at `x` [m]; negative between them.
    pub fn height(&self, x: f64) -> f64 {
        let a = self.parameter;
        a * ((x / a).cosh() - (0.5 * self.span / a).cosh())
    }

    /// Where a point is that lies `s` along the chain from its middle: `(x, height)` [m].
    pub fn at_length(&self, s: f64) -> (f64, f64) {
        let x = self.parameter * (s / self.parameter).asinh();
        (x, self.height(x))
    }

    /// Tension at `x` of a chain that weighs `weight_per_length` [N/m] [N].
    pub fn tension(&self, x: f64, weight_per_length: f64) -> f64 {
        weight_per_length * self.parameter * (x / self.parameter).cosh()
    }
}
