//! What must come out of a run, and whether it did.

pub use crate::scene_file::format::ExpectKind;

/// A statement about a probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// What reports call it.
    pub name: String,
    /// Position of its probe among those of the scene.
    pub probe: usize,
    /// When it is looked at.
    pub moment: Moment,
    /// What must hold.
    pub claim: Claim,
    /// What the number rests on.
    pub kind: ExpectKind,
    /// Where the number comes from.
    pub source: String,
}

/// When a probe is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// At a time, between samples by a straight line [s].
    At(f64),
    /// At all samples of a range [s].
    Throughout {
        /// Start [s].
        from: f64,
        /// End [s].
        until: f64,
    },
    /// One value of all samples of a range.
    Over {
        /// Start [s].
        from: f64,
        /// End [s].
        until: f64,
        /// Which.
        take: Take,
    },
}

/// What is taken of a range of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// The average over time, by the trapezoid rule.
    Mean,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The largest minus the smallest.
    Range,
}

/// What must hold: the value lies in a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// What it should be, if it should be something.
    pub value: Option<f64>,
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
}

impl Claim {
    /// Near a value.
    pub fn near(value: f64, tolerance: f64) -> Self {
        Self { value: Some(value), low: value - tolerance, high: value + tolerance }
    }

    /// Whether a value satisfies it; NaN never does.
    pub fn holds(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// How far outside a value lies; negative inside.
    fn excess(&self, value: f64) -> f64 {
        if value.is_nan() { f64::INFINITY } else { (self.low - value).max(value - self.high) }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.value, self.low.is_finite(), self.high.is_finite()) {
            (Some(value), ..) => write!(f, "{} ± {:.2e}", Short(value), self.high - value),
            (None, true, true) => write!(f, "{} to {}", Short(self.low), Short(self.high)),
            (None, true, false) => write!(f, "at least {}", Short(self.low)),
            (None, false, _) => write!(f, "at most {}", Short(self.high)),
        }
    }
}

/// A number with all its digits, and with a power of ten where zeros would fill the line.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(x) = *self;
        match x == 0.0 || (1e-4..1e7).contains(&x.abs()) {
            true => write!(f, "{x}"),
            false => write!(f, "{x:e}"),
        }
    }
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The value compared; of a whole range, the worst. NaN if there was none.
    pub value: f64,
    /// When it was [s]; the end of the range where a value was taken of all of it.
    pub time: f64,
    /// Whether the claim holds.
    pub holds: bool,
}

/// How many numbers came out as expected, by what they rest on, and how many did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// As a closed form, a publication or an independent program says.
    pub proved: usize,
    /// As they were recorded before.
    pub recorded: usize,
    /// Otherwise than expected.
    pub failed: usize,
}

impl Tally {
    /// Of some numbers: what each rests on, and whether it came out.
    pub fn of(numbers: impl IntoIterator<Item = (ExpectKind, bool)>) -> Self {
        let mut tally = Self::default();
        for (kind, holds) in numbers {
            let count = match (holds, kind.proves()) {
                (false, _) => &mut tally.failed,
                (true, true) => &mut tally.proved,
                (true, false) => &mut tally.recorded,
            };
            *count += 1;
        }
        tally
    }

    /// As JSON.
    pub fn to_json(self) -> serde_json::Value {
        let Self { proved, recorded, failed } = self;
        serde_json::json!({ "proved": proved, "recorded": recorded, "failed": failed })
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} proved, {} recorded", self.proved, self.recorded)?;
        if self.failed > 0 {
            write!(f, ", {} failed", self.failed)?;
        }
        Ok(())
    }
}

impl Expectation {
    /// Compares with samples of the probe: times ascending, and one value each.
    pub fn check(&self, times: &[f64], values: &[f64]) -> Outcome {
        let outcome =
            |time: f64, value: f64| Outcome { value, time, holds: self.claim.holds(value) };
        match self.moment {
            Moment::At(time) => outcome(time, at(times, values, time)),
            Moment::Throughout { from, until } => {
                let (times, values) = within(times, values, from, until);
                let excess = |k: usize| self.claim.excess(values[k]);
                let worst = (0..values.len()).max_by(|&i, &j| excess(i).total_cmp(&excess(j)));
                worst.map_or(outcome(until, f64::NAN), |k| outcome(times[k], values[k]))
            }
            Moment::Over { from, until, take } => {
                let (times, values) = within(times, values, from, until);
                outcome(until, taken(times, values, take))
            }
        }
    }
}

/// Room for rounding when times are compared, relative.
const SLACK: f64 = 1e-9;

/// The value at a time; NaN outside the samples.
fn at(times: &[f64], values: &[f64], time: f64) -> f64 {
    let slack = SLACK * (1.0 + time.abs());
    let next = times.partition_point(|&t| t < time - slack);
    match (next.checked_sub(1), times.get(next)) {
        (_, Some(&t)) if (t - time).abs() <= slack => values[next],
        (Some(before), Some(&t)) => {
            let share = (time - times[before]) / (t - times[before]);
            values[before] + (values[next] - values[before]) * share
        }
        _ => f64::NAN,
    }
}

fn within<'a>(
    times: &'a [f64],
    values: &'a [f64],
    from: f64,
    until: f64,
) -> (&'a [f64], &'a [f64]) {
    let slack = SLACK * (1.0 + until.abs());
    let start = times.partition_point(|&t| t < from - slack);
    let end = times.partition_point(|&t| t <= until + slack).max(start);
    (&times[start..end], &values[start..end])
}

fn taken(times: &[f64], values: &[f64], take: Take) -> f64 {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match take {
        Take::Min => min,
        Take::Max => max,
        Take::Range => max - min,
        Take::Mean => {
            let length = times[times.len() - 1] - times[0];
            if length <= 0.0 {
                return values[0];
            }
            let panel = |k: usize| 0.5 * (values[k] + values[k + 1]) * (times[k + 1] - times[k]);
            (0..times.len() - 1).map(panel).sum::<f64>() / length
        }
    }
}
