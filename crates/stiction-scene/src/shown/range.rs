//! Ranges of numbers, for colours.

/// From the least to the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Range {
    /// What holds both.
    pub fn and(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Where a number lies: 0 at the least, 1 at the largest, no further; 0.5 where the range has no width.
    pub fn fraction(self, value: f64) -> f64 {
        let width = self.max - self.min;
        if width > 0.0 { ((value - self.min) / width).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// The same, but never without width: what is constant has one colour, not noise.
    pub(super) fn widened(self) -> Self {
        let size = self.min.abs().max(self.max.abs());
        let least = if size > 0.0 { 1e-6 * size } else { 1.0 };
        if self.max - self.min >= least { self } else { Self { max: self.min + least, ..self } }
    }
}

/// Least and largest of what is finite; nothing if nothing is.
pub fn full_range(values: &[f64]) -> Option<Range> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    finite.map(|value| Range { min: value, max: value }).reduce(Range::and)
}

/// From where 2 % of what is finite is less to where 2 % is more, so that a few wild elements do not take all colours.
/// Where nearly everything is equal, the full range: then the few are what is to be seen.
pub fn robust_range(values: &[f64]) -> Option<Range> {
    let mut finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let full = full_range(&finite)?;
    let last = finite.len() - 1;
    let mut at = |share: f64| {
        let place = (share * last as f64).round() as usize;
        *finite.select_nth_unstable_by(place, f64::total_cmp).1
    };
    let robust = Range { min: at(0.02), max: at(0.98) };
    let wide = robust.max - robust.min > 1e-3 * (full.max - full.min);
    Some(if wide { robust } else { full })
}
