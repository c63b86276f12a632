//! Continuous collision: vectors of `docs/theory/reference-values.md`, degenerate motions, and a slow twin.

use stiction::geometry::ccd::{Impact, Query, Reason, Settings, additive, inclusion};
use stiction::geometry::closest::{closest_point_triangle, closest_segment_segment};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

const EXACT: Settings = Settings { separation: 0.0, tolerance: 1e-12, max_steps: 100_000 };

fn v(x: f64, y: f64, z: f64) -> Vector3 {
    Vector3::new(x, y, z)
}

fn vector(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value())
}

fn lerp<const N: usize>(x: &[[Vector3; N]; 2], t: f64) -> [Vector3; N] {
    std::array::from_fn(|k| x[0][k] + (x[1][k] - x[0][k]) * t)
}

/// At a time, by closest points.
fn distance(query: &Query, t: f64) -> f64 {
    match query {
        Query::PointTriangle(x) => {
            let [p, a, b, c] = lerp(x, t);
            closest_point_triangle(p, &[a, b, c]).distance_sq().sqrt()
        }
        Query::SegmentSegment(x) => {
            let [a, b, c, d] = lerp(x, t);
            closest_segment_segment(&[a, b], &[c, d]).distance_sq().sqrt()
        }
        _ => unreachable!("not asked"),
    }
}

fn random_motion(random: &mut Random) -> [[Vector3; 4]; 2] {
    [0, 1].map(|_| [0, 1, 2, 3].map(|_| vector(random)))
}

#[test]
fn the_vertex_of_the_course_notes_falls_for_half_a_step() {
    // V21: the cubic is -1 + 2t.
    let corners = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)];
    let at = |y: f64| [v(0.25, y, 0.25), corners[0], corners[1], corners[2]];
    let query = Query::PointTriangle([at(1.0), at(-1.0)]);
    let impact = inclusion::first_contact(&query, 1.0, &EXACT).expect("a contact");
    assert!(impact.time <= 0.5 && impact.time > 0.5 - 1e-11, "{impact:?}");
    assert_eq!(impact.reason, Reason::Contact);
    assert!(inclusion::first_contact(&query, 0.499, &EXACT).is_none());
}

#[test]
fn the_separation_asked_for_is_kept() {
    let corners = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)];
    let at = |y: f64| [v(0.25, y, 0.25), corners[0], corners[1], corners[2]];
    let query = Query::PointTriangle([at(1.0), at(-1.0)]);
    let settings = Settings { separation: 0.1, ..EXACT };
    let impact = inclusion::first_contact(&query, 1.0, &settings).expect("a contact");
    assert!((impact.time - 0.45).abs() < 1e-11 && impact.time <= 0.45);
    // Passing a corner at a distance: a ball, not a box.
    let pass = |gap: f64| {
        let x = |t: f64| [v(-1.0 - gap, t, -gap), corners[0], corners[1], corners[2]];
        let shift = |[p, a, b, c]: [Vector3; 4]| [p + v(1.0, 0.0, 0.0), a, b, c];
        Query::PointTriangle([shift(x(1.0)), shift(x(-1.0))])
    };
    let reach = 0.1 * std::f64::consts::FRAC_1_SQRT_2;
    assert!(inclusion::first_contact(&pass(reach * 1.0001), 1.0, &settings).is_none());
    assert!(inclusion::first_contact(&pass(reach * 0.9999), 1.0, &settings).is_some());
}

#[test]
fn additive_steps_are_those_of_the_specification() {
    let triangle = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let p = v(0.25, 0.25, 1.0);
    let start = [p, triangle[0], triangle[1], triangle[2]];
    let falls = [p + v(0.0, 0.0, -2.0), triangle[0], triangle[1], triangle[2]];
    let query = Query::PointTriangle([start, falls]);
    let impact = additive::by_speed(&query, 1.0, &Settings::default()).expect("a contact");
    assert!((impact.time - 0.45).abs() < 1e-12);
    let end = [
        p + v(0.1, 0.2, -2.0),
        triangle[0] + v(0.0, 0.0, 0.1),
        triangle[1] + v(0.0, 0.0, 0.2),
        triangle[2] + v(0.0, 0.1, 0.0),
    ];
    let query = Query::PointTriangle([start, end]);
    let impact = additive::by_speed(&query, 1.0, &Settings::default()).expect("a contact");
    assert!((impact.time - 0.406924626525).abs() < 1e-11, "{impact:?}");
    // Along the nearest offset there is more time, but not more than there is.
    let later = additive::first_contact(&query, 1.0, &Settings::default()).expect("a contact");
    let exact = inclusion::first_contact(&query, 1.0, &EXACT).expect("a contact");
    assert!(impact.time < later.time && later.time < exact.time, "{later:?} {exact:?}");
}

#[test]
fn times_agree_with_dense_samples() {
    // V23: nothing is missed, nothing beyond the tolerance is reported, and times are not late.
    let mut random = Random::new(5);
    let settings = Settings { tolerance: 1e-6, ..EXACT };
    let mut contacts = [0; 2];
    for k in 0..3000 {
        let motion = random_motion(&mut random);
        let query =
            if k % 2 == 0 { Query::PointTriangle(motion) } else { Query::SegmentSegment(motion) };
        for (which, find) in [inclusion::first_contact, additive::first_contact].iter().enumerate()
        {
            let impact = find(&query, 1.0, &settings);
            let until = impact.map_or(1.0, |impact| impact.time);
            for s in 0..=200 {
                let t = until * f64::from(s) / 200.0;
                assert!(distance(&query, t) > 0.0, "contact at {t}, {impact:?}");
            }
            if let Some(impact) = impact {
                contacts[which] += 1;
                let left = distance(&query, impact.time);
                assert!(which == 1 || left <= 1e-6, "{left:e} left, {impact:?}");
            }
        }
    }
    assert!(contacts[0] > 200 && contacts[0] <= contacts[1], "{contacts:?}");
}

#[test]
fn what_starts_apart_gets_somewhere() {
    // Nearer at the start than the tolerance.
    let gap = 1e-8;
    let x = |y: f64| [v(0.2, y, 0.2), Vector3::zeros(), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)];
    let query = Query::PointTriangle([x(gap), x(-1.0)]);
    for find in [inclusion::first_contact, additive::first_contact] {
        let impact = find(&query, 1.0, &Settings::default()).expect("a contact");
        assert!(impact.time > 0.4 * gap && impact.time < gap, "{impact:?}");
    }
    let away = Query::PointTriangle([x(gap), x(1.0)]);
    assert!(inclusion::first_contact(&away, 1.0, &Settings::default()).is_none());
}

#[test]
fn nothing_depends_on_units_or_place() {
    let mut random = Random::new(6);
    for _ in 0..300 {
        let motion = random_motion(&mut random);
        // Coordinates on a grid, so that moving them by a million loses nothing.
        let grid = motion.map(|x| x.map(|x| x.map(|x| (x * 1048576.0).round() / 1048576.0)));
        let settings = Settings { tolerance: 1e-9, ..EXACT };
        let here = inclusion::first_contact(&Query::SegmentSegment(grid), 1.0, &settings);
        let far = grid.map(|x| x.map(|x| x.add_scalar(1e6)));
        assert_eq!(inclusion::first_contact(&Query::SegmentSegment(far), 1.0, &settings), here);
        for power in [-400, -30, 30, 300] {
            let factor = 2_f64.powi(power);
            let scaled = grid.map(|x| x.map(|x| x * factor));
            let settings = Settings { tolerance: 1e-9 * factor, ..settings };
            let there = inclusion::first_contact(&Query::SegmentSegment(scaled), 1.0, &settings);
            assert_eq!(there.is_some(), here.is_some(), "2^{power}");
            if let (Some(here), Some(there)) = (here, there) {
                assert!((here.time - there.time).abs() < 1e-7, "{here:?} {there:?}");
            }
        }
    }
}

#[test]
fn what_is_not_finite_is_a_contact_at_once() {
    for bad in [f64::NAN, f64::INFINITY] {
        for k in 0..8 {
            let mut motion = random_motion(&mut Random::new(7));
            motion[k / 4][k % 4].y = bad;
            for query in [Query::PointTriangle(motion), Query::SegmentSegment(motion)] {
                for find in [inclusion::first_contact, additive::first_contact] {
                    let stopped = Impact { time: 0.0, reason: Reason::NotFinite };
                    assert_eq!(find(&query, 1.0, &EXACT), Some(stopped));
                }
            }
        }
    }
}

#[test]
fn a_search_cut_short_is_early_and_says_so() {
    let mut random = Random::new(8);
    let mut short = 0;
    for _ in 0..500 {
        let query = Query::SegmentSegment(random_motion(&mut random));
        let full = inclusion::first_contact(&query, 1.0, &EXACT);
        let cut = inclusion::first_contact(&query, 1.0, &Settings { max_steps: 4, ..EXACT });
        if let Some(full) = full {
            assert!(cut.is_some_and(|cut| cut.time <= full.time), "{cut:?} {full:?}");
        }
        short += usize::from(cut.is_some_and(|cut| cut.reason == Reason::StepLimit));
    }
    assert!(short > 0);
}

#[test]
fn points_and_segments_meet_in_planes_and_on_lines() {
    let corner = Query::PointPoint([
        [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)],
        [v(2.0, 0.0, 0.0), v(1.0, 0.0, 0.0)],
    ]);
    let impact = inclusion::first_contact(&corner, 1.0, &EXACT).expect("a contact");
    assert!((impact.time - 0.5).abs() < 1e-11);
    let rail = [v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let at = |y: f64| [v(0.3, y, 0.0), rail[0], rail[1]];
    let query = Query::PointSegment([at(1.0), at(-3.0)]);
    for find in [inclusion::first_contact, additive::first_contact] {
        let impact = find(&query, 1.0, &EXACT).expect("a contact");
        assert!(impact.time <= 0.25 && impact.time > 0.2);
    }
    // Along the line of the segment, towards its end.
    let along = |x: f64| [v(x, 0.0, 0.0), rail[0], rail[1]];
    let impact =
        inclusion::first_contact(&Query::PointSegment([along(3.0), along(1.0)]), 1.0, &EXACT);
    assert!(impact.is_some_and(|impact| impact.time <= 1.0 && impact.time > 1.0 - 1e-10));
}
