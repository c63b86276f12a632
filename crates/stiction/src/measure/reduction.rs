//! Many values to one.

use std::fmt;

use rayon::prelude::*;

use super::UnknownName;
use super::error::find;

/// How values at vertices or elements become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Each vertex counts once, each element by its rest volume or area.
    Mean,
    /// The least.
    Min,
    /// The largest.
    Max,
    /// The sum.
    Sum,
}

impl Reduction {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mean, Self::Min, Self::Max, Self::Sum];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
        }
    }

    /// The reduction of this name.
    ///
    /// # Errors
    /// When there is none, with the nearest that there is.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        find("reduction", name, &Self::ALL, Self::name)
    }

    /// Reduces `value(k) = (value, weight)` over `0..count`, in parallel but always in the same order. Weights
    /// count in means only.
    pub(super) fn of(self, count: usize, value: impl Fn(usize) -> (f64, f64) + Sync) -> f64 {
        /// Values reduced on one thread: fixed, so that threads do not change the sum.
        const CHUNK: usize = 1024;
        let reduce = |range: std::ops::Range<usize>| {
            range.map(&value).fold(self.nothing(), |all, one| self.join(all, self.weighted(one)))
        };
        let (sum, weight) = if count <= CHUNK {
            reduce(0..count)
        } else {
            let chunks: Vec<(f64, f64)> = (0..count.div_ceil(CHUNK))
                .into_par_iter()
                .map(|chunk| reduce(chunk * CHUNK..count.min((chunk + 1) * CHUNK)))
                .collect();
            chunks.into_iter().fold(self.nothing(), |all, chunk| self.join(all, chunk))
        };
        if self == Self::Mean { sum / weight } else { sum }
    }

    fn nothing(self) -> (f64, f64) {
        match self {
            Self::Mean | Self::Sum => (0.0, 0.0),
            Self::Min => (f64::INFINITY, 0.0),
            Self::Max => (f64::NEG_INFINITY, 0.0),
        }
    }

    fn weighted(self, (value, weight): (f64, f64)) -> (f64, f64) {
        if self == Self::Mean { (value * weight, weight) } else { (value, weight) }
    }

    fn join(self, a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        // Not `f64::min` and `max`: they drop NaN, and a broken state would look fine.
        let pick = |better: bool| if better || b.0.is_nan() { b.0 } else { a.0 };
        let value = match self {
            Self::Mean | Self::Sum => a.0 + b.0,
            Self::Min => pick(b.0 < a.0),
            Self::Max => pick(b.0 > a.0),
        };
        (value, a.1 + b.1)
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
