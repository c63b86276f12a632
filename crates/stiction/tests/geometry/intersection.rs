//! Triangles meet exactly as fractions say they do; meshes cross where testing all pairs finds it.

use stiction::geometry::intersection::{Meeting, NotFinite, crossings, meeting, meeting_of};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

use crate::intersection_oracle as oracle;
use Meeting::{Apart, Crossing, Touching};

type Triangle = [Vector3; 3];

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
    corners.map(Vector3::from)
}

/// Whichever comes first, and in whichever order corners stand.
#[track_caller]
fn assert_meeting(a: &Triangle, b: &Triangle, expected: Meeting) {
    for i in ORDERS {
        for j in ORDERS {
            let (a, b) = (i.map(|k| a[k]), j.map(|k| b[k]));
            assert_eq!(meeting(&a, &b), Some(expected), "{a:?} {b:?}");
            assert_eq!(meeting(&b, &a), Some(expected), "{b:?} {a:?}");
        }
    }
}

fn floor() -> Triangle {
    triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
}

/// Triangles beside `floor`, and how they meet it.
fn cases() -> Vec<(&'static str, Triangle, Meeting)> {
    let case = |name, corners, expected| (name, triangle(corners), expected);
    vec![
        case(
            "an edge goes through",
            [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 1.0, 1.0]],
            Crossing,
        ),
        case(
            "a corner goes through",
            [[1.0, 1.0, -0.1], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]],
            Crossing,
        ),
        case(
            "each through an edge of the other",
            [[1.0, -1.0, -1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 0.0]],
            Crossing,
        ),
        case(
            "both ends at corners",
            [[0.0, 0.0, 0.0], [4.0, 4.0, 1.0], [4.0, 4.0, -1.0]],
            Crossing,
        ),
        case(
            "through a corner and out",
            [[-1.0, -1.0, 0.0], [3.0, 3.0, 1.0], [3.0, 3.0, -1.0]],
            Crossing,
        ),
        case("above", [[1.0, 1.0, 0.1], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]], Apart),
        case("beside", [[5.0, 5.0, -1.0], [5.0, 5.0, 1.0], [6.0, 5.0, 1.0]], Apart),
        case(
            "planes cross, intervals do not",
            [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 3.0, 0.0]],
            Apart,
        ),
        case("a corner on the face", [[1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]], Touching),
        case("an edge on the face", [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 1.0]], Touching),
        case(
            "edges meet, planes differ",
            [[2.0, -1.0, 0.0], [2.0, 0.0, 1.0], [2.0, 0.0, -1.0]],
            Touching,
        ),
        case(
            "a corner on a corner",
            [[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0]],
            Touching,
        ),
        case(
            "an edge past a corner",
            [[4.0, 0.0, -1.0], [4.0, 0.0, 1.0], [9.0, 0.0, 0.0]],
            Touching,
        ),
        case("the same place", [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], Crossing),
        case("inside, in the plane", [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]], Crossing),
        case(
            "overlapping in the plane",
            [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 9.0, 0.0]],
            Crossing,
        ),
        case(
            "a star in the plane",
            [[3.0, 3.0, 0.0], [-1.0, 3.0, 0.0], [3.0, -1.0, 0.0]],
            Crossing,
        ),
        case(
            "an edge beside an edge in the plane",
            [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, -1.0, 0.0]],
            Touching,
        ),
        case(
            "a corner at an edge in the plane",
            [[2.0, 2.0, 0.0], [3.0, 4.0, 0.0], [4.0, 3.0, 0.0]],
            Touching,
        ),
        case("beside in the plane", [[2.1, 2.1, 0.0], [3.0, 4.0, 0.0], [4.0, 3.0, 0.0]], Apart),
        case("a segment through", [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.5]], Crossing),
        case(
            "a segment through an edge",
            [[2.0, 0.0, -1.0], [2.0, 0.0, 1.0], [2.0, 0.0, 0.0]],
            Touching,
        ),
        case(
            "a segment that ends inside",
            [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
            Touching,
        ),
        case(
            "a segment in the plane",
            [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [2.0, 1.0, 0.0]],
            Touching,
        ),
        case("a segment inside", [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.5, 1.0, 0.0]], Touching),
        case("a segment past it", [[9.0, 1.0, -1.0], [9.0, 1.0, 1.0], [9.0, 1.0, 1.0]], Apart),
        case(
            "a segment past it in the plane",
            [[9.0, 1.0, 0.0], [9.0, 2.0, 0.0], [9.0, 1.5, 0.0]],
            Apart,
        ),
        case("a point inside", [[1.0, 1.0, 0.0]; 3], Touching),
        case("a point at a corner", [[4.0, 0.0, 0.0]; 3], Touching),
        case("a point above", [[1.0, 1.0, 0.5]; 3], Apart),
        case("a point beside", [[3.0, 3.0, 0.0]; 3], Apart),
    ]
}

#[test]
fn triangles_meet_as_one_sees_it() {
    for (_, other, expected) in cases() {
        assert_meeting(&floor(), &other, expected);
        // Along other axes too.
        let turned = |t: &Triangle| t.map(|x| Vector3::new(x.z, x.x, x.y));
        assert_meeting(&turned(&floor()), &turned(&other), expected);
        assert_meeting(&turned(&turned(&floor())), &turned(&turned(&other)), expected);
    }
}

#[test]
fn size_and_place_do_not_matter() {
    // Powers of two change no digits; the last ones make numbers that have no reciprocal.
    for exponent in [-1070, -700, -340, -60, 60, 340, 700, 1019] {
        let scale = |t: &Triangle| {
            t.map(|x| x * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2))
        };
        // Below, fractions of the smallest number are none.
        let is_exact = |t: &Triangle| exponent > -1000 || t.iter().all(|x| *x == x.map(f64::trunc));
        for (_, other, expected) in cases().iter().filter(|(_, t, _)| is_exact(t)) {
            assert_meeting(&scale(&floor()), &scale(other), *expected);
        }
    }
    // Corners on whole and half numbers are moved without rounding.
    for shift in [1e3, -1e9, 1e14] {
        let moved = |t: &Triangle| t.map(|x| x.add_scalar(shift));
        let on_halves = |t: &Triangle| t.iter().all(|x| *x == x.map(|x| (2.0 * x).trunc() * 0.5));
        for (_, other, expected) in cases().iter().filter(|(_, t, _)| on_halves(t)) {
            assert_meeting(&moved(&floor()), &moved(other), *expected);
        }
    }
}

#[test]
fn one_bit_decides() {
    let (up, down) = (|x: f64| x.next_up(), |x: f64| x.next_down());
    // Nearly parallel: a corner on the face, and one bit to either side of it.
    let tilted = |z: f64| triangle([[1.0, 1.0, z], [1.25, 1.0, 1.0], [1.0, 1.25, 1.0]]);
    let face = triangle([[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]]);
    assert_meeting(&face, &tilted(1.0), Crossing);
    assert_meeting(&face, &tilted(up(1.0)), Touching);
    assert_meeting(&face, &tilted(down(1.0)), Touching);
    let through = |z: f64| triangle([[1.0, 1.0, z], [1.25, 1.0, up(1.0)], [1.0, 1.25, up(1.0)]]);
    assert_meeting(&face, &through(up(1.0)), Apart);
    assert_meeting(&face, &through(1.0), Touching);
    assert_meeting(&face, &through(down(1.0)), Crossing);
    // In a slanted plane x + y + z = 3, where nothing is zero.
    let slanted = triangle([[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]);
    let on_it = |z: f64| triangle([[1.0, 1.0, z], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]]);
    assert_meeting(&slanted, &on_it(1.0), Touching);
    assert_meeting(&slanted, &on_it(up(1.0)), Apart);
    assert_meeting(&slanted, &on_it(down(1.0)), Crossing);
    // In a plane, beside an edge.
    let beside = |x: f64| triangle([[x, x, 0.0], [3.0, 4.0, 0.0], [4.0, 3.0, 0.0]]);
    assert_meeting(&floor(), &beside(2.0), Touching);
    assert_meeting(&floor(), &beside(up(2.0)), Apart);
    assert_meeting(&floor(), &beside(down(2.0)), Crossing);
    // Beside a slanted edge, where differences are rounded: above, on and below the line x = y.
    let half = triangle([[12.0, 12.0, 0.0], [-24.0, -24.0, 0.0], [30.0, -30.0, 0.0]]);
    for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
        let near = |k: i32| 0.5 + f64::from(k) * f64::EPSILON * 0.5;
        let other = triangle([[near(i), near(j), 0.0], [-5.0, 20.0, 0.0], [-4.0, 21.0, 0.0]]);
        let expected = match j.cmp(&i) {
            std::cmp::Ordering::Less => Crossing,
            std::cmp::Ordering::Equal => Touching,
            std::cmp::Ordering::Greater => Apart,
        };
        assert_meeting(&half, &other, expected);
    }
    // Large and small coordinates in one triangle.
    let wide = triangle([[-1e30, -1e30, 0.0], [1e30, -1e30, 0.0], [0.0, 1e30, 0.0]]);
    let spike = |z: f64| triangle([[0.0, 0.0, z], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
    assert_meeting(&wide, &spike(1e-25), Apart);
    assert_meeting(&wide, &spike(0.0), Touching);
    assert_meeting(&wide, &spike(-1e-25), Crossing);
}

#[test]
fn what_neighbours_share_does_not_count() {
    let points = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [0.0, 4.0, 0.0],
        [4.0, 4.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 1.0, 3.0],
        [2.0, 2.0, 1.0],
        [2.0, 2.0, -1.0],
        [-4.0, -1.0, 2.0],
        [-4.0, -1.0, -2.0],
        [2.0, 0.0, 0.0],
        [2.0, 1.0, 0.0],
        [1.0, 2.0, 0.0],
        [9.0, 0.0, 0.0],
        [-4.0, 0.0, 0.0],
        [0.0, -4.0, 0.0],
    ];
    let points = points.map(Vector3::from);
    let pairs = [
        ("unfolded at an edge", [1, 3, 2], Apart),
        ("folded at an edge", [1, 5, 2], Apart),
        ("folded flat at an edge", [1, 4, 2], Crossing),
        ("a flap from a corner through the face", [0, 6, 7], Crossing),
        ("a flap from a corner away from it", [0, 8, 9], Apart),
        ("a flap from a corner in the plane, away", [0, 14, 15], Apart),
        ("a flap from a corner in the plane, overlapping", [0, 11, 12], Crossing),
        ("a flap from a corner that touches the face", [0, 4, 5], Touching),
        ("a flap along an edge", [0, 10, 5], Touching),
        ("the same corners", [2, 0, 1], Apart),
        ("no area, beyond an edge that is shared", [0, 1, 13], Apart),
        ("no area, within an edge that is shared", [0, 1, 10], Touching),
    ];
    for (name, other, expected) in pairs {
        for i in ORDERS {
            for j in ORDERS {
                let (a, b) = (i.map(|k| [0, 1, 2][k]), j.map(|k| other[k]));
                assert_eq!(meeting_of(&points, a, b), Some(expected), "{name}: {a:?} {b:?}");
                assert_eq!(meeting_of(&points, b, a), Some(expected), "{name}: {b:?} {a:?}");
                let crossing = crossings(&points, &[a, b], |_, _| true).expect("finite");
                assert_eq!(crossing.len(), usize::from(expected == Crossing), "{name}");
            }
        }
    }
}

/// A whole number from 0 to `most`.
fn whole(random: &mut Random, most: i128) -> i128 {
    (((random.value() + 1.0) * 0.5 * (most + 1) as f64) as i128).clamp(0, most)
}

#[test]
fn random_triangles_meet_as_fractions_say() {
    let mut random = Random::new(7);
    let mut seen = [[0; 3]; 4];
    // Few places make degenerate cases common.
    for (most, count) in [(1, 20_000), (2, 40_000), (3, 40_000), (9, 20_000), (1000, 5_000)] {
        for _ in 0..count {
            let points: [oracle::Point; 6] =
                std::array::from_fn(|_| std::array::from_fn(|_| whole(&mut random, most)));
            // Now and then some corners are the same ones.
            let shared = whole(&mut random, 5).max(2) as u32 - 2;
            let corners: [[u32; 3]; 2] = [
                [0, 1, 2],
                std::array::from_fn(|k| if k as u32 >= shared { 3 + k } else { k } as u32),
            ];
            let [a, b] = corners.map(|t| t.map(|v| points[v as usize]));
            let expected = oracle::meeting(&a, &b, corners);
            let at = points.map(|x| Vector3::from(x.map(|x| x as f64)));
            let told = |a, b| meeting_of(&at, a, b);
            let order = ORDERS[whole(&mut random, 5) as usize];
            let [i, j] = [corners[0], order.map(|k| corners[1][k])];
            assert_eq!(told(i, j), Some(expected), "{a:?} {b:?}, {corners:?}");
            assert_eq!(told(j, i), Some(expected), "{b:?} {a:?}, {corners:?}");
            let crossing = crossings(&at, &[i, j], |_, _| true).expect("finite");
            assert_eq!(crossing.is_empty(), expected != Crossing, "{a:?} {b:?}, {corners:?}");
            seen[shared as usize][expected as usize] += 1;
        }
    }
    let often = |shared: usize, meeting: Meeting| seen[shared][meeting as usize] > 200;
    for shared in 0..3 {
        assert!([Apart, Touching, Crossing].into_iter().all(|m| often(shared, m)), "{seen:?}");
    }
    assert!(often(3, Apart) && seen[3][1..] == [0, 0], "{seen:?}");
}

#[test]
fn what_is_not_finite_meets_nothing() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let broken = triangle([[0.0, 0.0, bad], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(meeting(&floor(), &broken), None);
        assert_eq!(meeting(&broken, &floor()), None);
        let points = [floor(), broken].concat();
        let found = crossings(&points, &[[0, 1, 2], [0, 3, 4]], |_, _| true);
        assert_eq!(found, Err(NotFinite { triangle: 1 }));
        // A point of no triangle harms nobody.
        assert_eq!(crossings(&points, &[[0, 1, 2], [0, 4, 5]], |_, _| true), Ok(vec![[0, 1]]));
    }
    assert_eq!(crossings(&[], &[], |_, _| true), Ok(Vec::new()));
}

/// A sheet of `2 n²` triangles, crumpled by `height`.
fn sheet(n: usize, height: f64) -> (Vec<Vector3>, Vec<[u32; 3]>) {
    let at = |k: usize| {
        let (u, v) = ((k % (n + 1)) as f64 / n as f64, (k / (n + 1)) as f64 / n as f64);
        let wave = (37.0 * u + 11.0 * v).sin() + (23.0 * v - 29.0 * u * v).sin();
        let fold = (19.0 * u).sin() + (17.0 * v + 5.0 * u).cos();
        Vector3::new(u + height * fold, 0.3 * u + v - height * wave, 0.7 * u + height * wave)
    };
    let quad = |k: usize| {
        let a = (k / n * (n + 1) + k % n) as u32;
        let (b, c, d) = (a + 1, a + n as u32 + 1, a + n as u32 + 2);
        [[a, b, d], [a, d, c]]
    };
    ((0..(n + 1) * (n + 1)).map(at).collect(), (0..n * n).flat_map(quad).collect())
}

fn all_pairs(points: &[Vector3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    for a in 0..triangles.len() {
        for b in a + 1..triangles.len() {
            if meeting_of(points, triangles[a], triangles[b]) == Some(Crossing) {
                found.push([a as u32, b as u32]);
            }
        }
    }
    found
}

#[test]
fn meshes_cross_where_testing_all_pairs_finds_it() {
    let (points, triangles) = sheet(20, 0.0);
    assert_eq!(crossings(&points, &triangles, |_, _| true), Ok(Vec::new()), "a flat sheet");
    for height in [0.05, 0.2, 1.0] {
        let (points, triangles) = sheet(20, height);
        let expected = all_pairs(&points, &triangles);
        assert!(expected.len() > 20, "{height} crumples it: {}", expected.len());
        let found = crossings(&points, &triangles, |_, _| true).expect("finite");
        assert_eq!(found, expected, "height {height}");
        for threads in [1, 3] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let again = pool.install(|| crossings(&points, &triangles, |_, _| true));
            assert_eq!(again.as_ref(), Ok(&expected), "{threads} threads");
        }
        // Only what counts.
        let odd = |a: u32, b: u32| (a + b) % 2 == 1;
        let some: Vec<_> = expected.iter().copied().filter(|[a, b]| odd(*a, *b)).collect();
        assert_eq!(crossings(&points, &triangles, odd), Ok(some));
    }
}

/// `cargo test -p stiction --test geometry -- --ignored --nocapture time_of_a_sheet`
#[test]
#[ignore = "prints how long it takes; asserts nothing about time"]
#[expect(clippy::print_stdout, reason = "a measurement")]
fn time_of_a_sheet() {
    for (what, height) in [("flat", 0.0), ("waves", 0.002), ("crumpled", 0.05)] {
        let (points, triangles) = sheet(158, height);
        let start = std::time::Instant::now();
        let found = crossings(&points, &triangles, |_, _| true).expect("finite");
        let time = start.elapsed();
        println!("{what}: {} triangles, {} pairs cross, {time:?}", triangles.len(), found.len());
        assert_eq!(found.is_empty(), height < 0.01, "{what}");
    }
}
