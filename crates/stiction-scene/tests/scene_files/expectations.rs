//! Expectations against samples whose values are known.

use stiction_scene::expectation::{Claim, Expectation, Moment, Outcome, Take};

const TIMES: [f64; 5] = [0.0, 0.1, 0.2, 0.3, 0.4];
/// Linear but for a dip at 0.2.
const VALUES: [f64; 5] = [0.0, 1.0, -5.0, 3.0, 4.0];

fn check_of(moment: Moment, claim: Claim, values: &[f64]) -> Outcome {
    let name = || "an expectation".to_owned();
    Expectation { name: name(), probe: 0, moment, claim, source: name() }
        .check(&TIMES[..values.len()], values)
}

fn check(moment: Moment, claim: Claim) -> Outcome {
    check_of(moment, claim, &VALUES)
}

fn bounds(low: f64, high: f64) -> Claim {
    Claim { value: None, low, high }
}

#[track_caller]
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn a_value_between_samples_lies_on_a_straight_line() {
    for (time, value) in
        [(0.0, 0.0), (0.05, 0.5), (0.1, 1.0), (0.125, -0.5), (0.35, 3.5), (0.4, 4.0)]
    {
        let outcome = check(Moment::At(time), Claim::near(value, 1e-12));
        assert!(outcome.holds, "{outcome:?}");
        assert_near(outcome.value, value);
        assert_near(outcome.time, time);
        assert!(!check(Moment::At(time), Claim::near(value + 1e-3, 1e-4)).holds);
    }
}

#[test]
fn rounding_of_times_does_not_miss_the_ends() {
    // 0.1 + 0.1 + 0.1 + 0.1 and the like.
    for time in [0.4 + 1e-12, 0.4 - 1e-12, -1e-12] {
        assert!(
            check(Moment::At(time), Claim::near(VALUES[if time > 0.1 { 4 } else { 0 }], 1e-9))
                .holds
        );
    }
    let all = Moment::Over { from: 1e-12, until: 0.4 - 1e-12, take: Take::Max };
    assert_near(check(all, Claim::near(4.0, 1e-9)).value, 4.0);
}

#[test]
fn outside_the_samples_nothing_holds() {
    let anything = bounds(f64::NEG_INFINITY, f64::INFINITY);
    let moments = [
        Moment::At(0.5),
        Moment::At(-0.1),
        Moment::Throughout { from: 0.5, until: 1.0 },
        Moment::Throughout { from: 0.11, until: 0.19 },
        Moment::Over { from: 0.5, until: 1.0, take: Take::Mean },
        Moment::Over { from: 0.3, until: 0.2, take: Take::Range },
    ];
    for moment in moments {
        let outcome = check(moment, anything);
        assert!(outcome.value.is_nan() && !outcome.holds, "{moment:?}: {outcome:?}");
    }
    assert!(!check_of(Moment::At(0.0), anything, &[]).holds);
}

#[test]
fn throughout_shows_the_worst_moment() {
    let all = Moment::Throughout { from: 0.0, until: 0.4 };
    let cases = [
        // Farthest from a value, whether it holds or not.
        (all, Claim::near(0.0, 1.0), -5.0, 0.2, false),
        (all, Claim::near(0.0, 9.0), -5.0, 0.2, true),
        (all, Claim::near(-1.0, 9.0), 4.0, 0.4, true),
        // Farthest beyond a bound, or nearest to it.
        (all, bounds(-1.0, f64::INFINITY), -5.0, 0.2, false),
        (all, bounds(-9.0, f64::INFINITY), -5.0, 0.2, true),
        (all, bounds(f64::NEG_INFINITY, 5.0), 4.0, 0.4, true),
        (all, bounds(-6.0, 4.5), 4.0, 0.4, true),
        // Only the range counts.
        (Moment::Throughout { from: 0.3, until: 0.4 }, Claim::near(3.0, 1.5), 4.0, 0.4, true),
        (Moment::Throughout { from: 0.0, until: 0.1 }, Claim::near(0.0, 0.5), 1.0, 0.1, false),
    ];
    for (moment, claim, value, time, holds) in cases {
        let outcome = check(moment, claim);
        assert_eq!(outcome, Outcome { value, time, holds }, "{moment:?} {claim:?}");
    }
}

#[test]
fn one_value_is_taken_of_a_range() {
    // Trapezoids of width 0.1 under 1, −5, 3: −2 and −1, over a length of 0.2.
    let cases = [(Take::Mean, -1.5), (Take::Min, -5.0), (Take::Max, 3.0), (Take::Range, 8.0)];
    for (take, value) in cases {
        let moment = Moment::Over { from: 0.1, until: 0.3, take };
        let outcome = check(moment, Claim::near(value, 1e-9));
        assert!(outcome.holds, "{take:?}: {outcome:?}");
        assert_near(outcome.time, 0.3);
        assert!(!check(moment, Claim::near(value + 0.1, 0.01)).holds);
    }
    // Of a single sample, all but the range are the sample.
    for (take, value) in [(Take::Mean, 1.0), (Take::Min, 1.0), (Take::Max, 1.0), (Take::Range, 0.0)]
    {
        assert_near(
            check(Moment::Over { from: 0.1, until: 0.1, take }, bounds(0.0, 1.0)).value,
            value,
        );
    }
}

#[test]
fn what_is_not_a_number_never_holds() {
    let values = [0.0, 1.0, f64::NAN, 3.0, 4.0];
    let anything = bounds(f64::NEG_INFINITY, f64::INFINITY);
    let moments = [
        Moment::At(0.2),
        Moment::At(0.15),
        Moment::Throughout { from: 0.0, until: 0.4 },
        Moment::Over { from: 0.0, until: 0.4, take: Take::Mean },
        Moment::Over { from: 0.0, until: 0.4, take: Take::Min },
        Moment::Over { from: 0.0, until: 0.4, take: Take::Max },
        Moment::Over { from: 0.0, until: 0.4, take: Take::Range },
    ];
    for moment in moments {
        assert!(!check_of(moment, anything, &values).holds, "{moment:?}");
    }
    assert!(check_of(Moment::At(0.3), anything, &values).holds, "elsewhere it does no harm");
    assert!(!Claim::near(f64::NAN, 1.0).holds(0.0));
}

#[test]
fn bounds_include_their_ends() {
    assert!(bounds(1.0, 2.0).holds(1.0) && bounds(1.0, 2.0).holds(2.0));
    assert!(Claim::near(3.0, 0.0).holds(3.0) && !Claim::near(3.0, 0.0).holds(3.0 + 1e-15));
}

#[test]
fn claims_keep_their_digits_in_messages() {
    let cases = [
        (Claim::near(0.25, 0.01), "0.25 ± 1.00e-2"),
        (Claim::near(3.2e-7, 1e-9), "3.2e-7 ± 1.00e-9"),
        (Claim::near(0.0, 1e-9), "0 ± 1.00e-9"),
        (bounds(1.5, f64::INFINITY), "at least 1.5"),
        (bounds(f64::NEG_INFINITY, 2e9), "at most 2e9"),
        (bounds(-1.0, 1e-12), "-1 to 1e-12"),
    ];
    for (claim, text) in cases {
        assert_eq!(claim.to_string(), text);
    }
}
