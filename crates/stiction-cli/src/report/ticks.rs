//! Where an axis has its marks, and what stands at them.

use super::markup::superscript;

/// An axis.
#[derive(Debug)]
pub(super) struct Axis {
    /// Its ends; of a logarithmic axis, powers of ten.
    pub(super) range: [f64; 2],
    /// Places and labels of its marks.
    pub(super) marks: Vec<(f64, String)>,
    /// Labels are multiples of ten to this power.
    pub(super) power: i32,
    /// Whether places are powers of ten.
    pub(super) log: bool,
}

impl Axis {
    /// Around finite numbers, with about so many marks. `tight` ends at the numbers, not at marks.
    pub(super) fn linear([low, high]: [f64; 2], marks: usize, tight: bool) -> Self {
        let size = low.abs().max(high.abs());
        // What differs by rounding alone is shown as the constant that it is.
        let (low, high) = match high - low > 1e-7 * size {
            true => (low, high),
            false if size > 0.0 => (low - 0.1 * size, high + 0.1 * size),
            false => (0.0, 1.0),
        };
        let step = step((high - low) / marks as f64);
        let (first, last) = match tight {
            true => ((low / step).ceil(), (high / step + 1e-9).floor()),
            // A line may leave the frame by a hair.
            false => ((low / step + 0.02).floor(), (high / step - 0.02).ceil()),
        };
        let range = if tight { [low, high] } else { [first * step, last * step] };
        let size = range[0].abs().max(range[1].abs());
        let power = match size.log10().floor() as i32 {
            power @ (-2..=4) if power > -2 || step >= 0.99e-3 => 0,
            power => power.div_euclid(3) * 3,
        };
        let unit = 10_f64.powi(power);
        let places = (-(step / unit).log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
        let mark = |k: f64| {
            let place = k * step;
            let text = format!("{:.places$}", place / unit);
            let is_zero = text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.');
            (place, if is_zero { "0".to_owned() } else { text.replace('-', "−") })
        };
        let count = (last - first).clamp(0.0, 50.0) as usize;
        let marks = (0..=count).map(|k| mark(first + k as f64)).collect();
        Self { range, marks, power, log: false }
    }

    /// Around positive numbers, from power of ten to power of ten.
    pub(super) fn logarithmic([low, high]: [f64; 2]) -> Self {
        debug_assert!(low > 0.0, "an axis of powers of ten begins above zero");
        let first = low.log10().floor() as i32;
        let last = (high.log10().ceil() as i32).max(first + 1);
        let stride = ((last - first) as usize).div_ceil(5);
        let marks = (first..=last).step_by(stride);
        let marks = marks.map(|power| (f64::from(power), format!("10{}", superscript(power))));
        let (marks, range) = (marks.collect(), [first.into(), last.into()]);
        Self { range, marks, power: 0, log: true }
    }

    /// Around positive numbers, from the first to the last; in between marks are at 1, or at 1, 2 and 5 times powers
    /// of ten.
    pub(super) fn logarithmic_tight([low, high]: [f64; 2]) -> Self {
        debug_assert!(low > 0.0, "an axis of powers of ten begins above zero");
        let (low, high) = if high > 1.2 * low { (low, high) } else { (low / 2.0, high * 2.0) };
        let [first, last] = [low.log10(), high.log10()];
        let decades = last - first;
        let factors: &[f64] = if decades < 1.8 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let stride = (decades / 7.0).ceil().max(1.0) as usize;
        let powers = (first.floor() as i32..=last.ceil() as i32).step_by(stride);
        let mut marks = Vec::new();
        for power in powers {
            for &factor in factors {
                let number = factor * 10_f64.powi(power);
                let place = number.log10();
                if (first - 1e-9..=last + 1e-9).contains(&place) {
                    let label = match power {
                        0..=3 => format!("{number:.0}"),
                        -3..0 => format!("{number:.*}", (-power) as usize),
                        _ if factor > 1.0 => format!("{factor}×10{}", superscript(power)),
                        _ => format!("10{}", superscript(power)),
                    };
                    marks.push((place, label));
                }
            }
        }
        Self { range: [first, last], marks, power: 0, log: true }
    }

    /// The number at its lower end.
    pub(super) fn floor(&self) -> f64 {
        if self.log { 10_f64.powf(self.range[0]) } else { self.range[0] }
    }

    /// How far along the axis a number is, from 0 to 1.
    pub(super) fn share(&self, x: f64) -> f64 {
        let x = if self.log { x.log10() } else { x };
        (x - self.range[0]) / (self.range[1] - self.range[0])
    }

    /// How far along the axis a mark is.
    pub(super) fn share_of_mark(&self, place: f64) -> f64 {
        (place - self.range[0]) / (self.range[1] - self.range[0])
    }
}

/// 1, 2 or 5 times a power of ten, at least this.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * 0.999_999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.marks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn marks_are_round_and_few() {
        let axis = Axis::linear([-0.3, 1.1], 4, false);
        assert_eq!(labels(&axis), ["−0.5", "0", "0.5", "1.0", "1.5"]);
        assert_eq!(labels(&Axis::linear([0.0, 20.0], 5, true)), ["0", "5", "10", "15", "20"]);
        let axis = Axis::linear([0.0, 0.0031], 4, false);
        assert_eq!((labels(&axis), axis.power), (vec!["0", "1", "2", "3", "4"], -3));
        let axis = Axis::linear([0.0, 4.1e6], 4, false);
        assert_eq!((axis.power, labels(&axis)[1]), (6, "2"));
        assert_eq!(labels(&Axis::logarithmic([3e-8, 2e-3])), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"]);
    }

    #[test]
    fn constants_and_extremes_have_an_axis_too() {
        for range in [[0.0, 0.0], [5.0, 5.0], [-1e300, 1e300], [1e-300, 2e-300], [1.0, 1.0 + 1e-15]]
        {
            let axis = Axis::linear(range, 4, false);
            assert!(axis.marks.len() >= 2 && axis.marks.len() < 20, "{axis:?}");
            assert!(axis.range[0] <= range[0] && axis.range[1] >= range[1], "{axis:?}");
        }
    }
}
