//! Factors that change with time: of loads, and of what motors are told.

/// A factor in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Profile {
    /// Always one.
    #[default]
    Constant,
    /// Straight lines between `(time [s], factor [-])`, ascending; constant before and after.
    Points(Vec<(f64, f64)>),
}

impl Profile {
    /// The factor at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        let Self::Points(points) = self else { return 1.0 };
        let next = points.partition_point(|&(time, _)| time <= t);
        match (next.checked_sub(1).map(|k| points[k]), points.get(next)) {
            (Some((t0, f0)), Some(&(t1, f1))) => f0 + (f1 - f0) * (t - t0) / (t1 - t0),
            (Some((_, factor)), None) | (None, Some(&(_, factor))) => factor,
            (None, None) => 1.0,
        }
    }

    /// Its integral from zero to `t`, exactly [s].
    pub fn integral(&self, t: f64) -> f64 {
        let Self::Points(points) = self else { return t };
        let between = points.iter().map(|&(time, _)| time).filter(|&time| 0.0 < time && time < t);
        let mut knots = vec![0.0];
        knots.extend(between.chain([t]));
        let trapezoid =
            |ends: &[f64]| 0.5 * (self.at(ends[0]) + self.at(ends[1])) * (ends[1] - ends[0]);
        knots.windows(2).map(trapezoid).sum()
    }

    /// Whether numbers are finite and times ascend.
    pub fn is_valid(&self) -> bool {
        let Self::Points(points) = self else { return true };
        !points.is_empty()
            && points.iter().all(|(t, f)| t.is_finite() && f.is_finite())
            && points.windows(2).all(|pair| pair[0].0 < pair[1].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Predicted: by hand.
    #[test]
    fn integrals_are_exact() {
        let profile = Profile::Points(vec![(-1.0, 4.0), (1.0, 0.0), (2.0, 3.0)]);
        for (t, expected) in [(0.0, 0.0), (0.5, 0.75), (1.0, 1.0), (2.0, 2.5), (4.0, 8.5)] {
            assert!((profile.integral(t) - expected).abs() < 1e-14, "to {t} s");
        }
        assert!((Profile::Constant.integral(1.5) - 1.5).abs() < 1e-15);
    }
}
