//! Expectations against samples whose values are known.

use stiction_scene::expectation::{Claim, ExpectKind, Expectation, Moment, Outcome, Take, Tally};
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

const TIMES: [f64; 5] = [0.0, 0.1, 0.2, 0.3, 0.4];
/// Linear but for a dip at 0.2.
const VALUES: [f64; 5] = [0.0, 1.0, -5.0, 3.0, 4.0];

fn check_of(moment: Moment, claim: Claim, values: &[f64]) -> Outcome {
    let name = || "an expectation".to_owned();
    Expectation { name: name(), probe: 0, moment, claim, kind: ExpectKind::Theory, source: name() }
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

/// `--coarse` printed the source of limits that it had changed.
#[test]
fn sources_say_that_limits_are_those_of_the_coarse_scene() {
    const SCENE: &str = r#"
duration = 1
[[body]]
name = "bar"
solid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }
[[probe]]
name = "mass"
quantity = "energy"
[[expect]]
name = "widened"
probe = "mass"
value = 1
relative = 1e-3
kind = "theory"
source = "within 0.1 %"
[[expect]]
name = "told"
probe = "mass"
above = 1
kind = "theory"
source = "at least one"
[[expect]]
name = "left alone"
probe = "mass"
above = 1
kind = "theory"
source = "as it was"
[coarse]
"expect.widened.relative" = 0.1
"expect.told.above" = 0.5
"expect.told.source" = "at least a half, if coarse"
"#;
    let sources = |coarse: bool| -> Vec<String> {
        let wishes = Wishes { coarse, ..Wishes::default() };
        let scene = SceneFile::parse("coarse", SCENE, Notation::Toml, None, &wishes).unwrap();
        let setup = scene.build().unwrap_or_else(|error| panic!("{}", error.render(false)));
        setup.expectations.into_iter().map(|expectation| expectation.source).collect()
    };
    assert_eq!(sources(false), ["within 0.1 %", "at least one", "as it was"]);
    assert_eq!(
        sources(true),
        ["limits of --coarse; without it: within 0.1 %", "at least a half, if coarse", "as it was"]
    );
}

#[test]
fn what_is_recorded_is_never_counted_as_proved() {
    use ExpectKind::{Peer, Recorded, Spec, Theory};
    let all = [(Theory, true), (Spec, true), (Peer, true), (Recorded, true), (Recorded, true)];
    assert_eq!(Tally::of(all), Tally { proved: 3, recorded: 2, failed: 0 });
    assert_eq!(Tally::of(all).to_string(), "3 proved, 2 recorded");
    // What does not come out proves nothing, whatever it rests on.
    let failing = all.map(|(kind, _)| (kind, false));
    assert_eq!(Tally::of(failing), Tally { proved: 0, recorded: 0, failed: 5 });
}
