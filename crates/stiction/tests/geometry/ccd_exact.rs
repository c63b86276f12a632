//! Contacts of points with whole coordinates are decided in whole numbers: no contact is ever missed.
//!
//! Four moving points lie in a plane at the roots of a cubic; there, signs of polynomials tell whether the features
//! meet. Over an interval a polynomial lies between its Bernstein coefficients, which are whole numbers here, so that
//! nothing is rounded. What halving does not decide (motion in a plane, touching along a boundary) is left to
//! contacts made on purpose.

use stiction::geometry::ccd::{Query, Settings, inclusion};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

const EXACT: Settings = Settings { separation: 0.0, tolerance: 1e-9, max_steps: 100_000 };

type Poly = [i128; 5];
type Path = [Poly; 3];

fn mul(a: &Poly, b: &Poly) -> Poly {
    let mut c = [0; 5];
    for i in 0..5 {
        for j in (0..5 - i).filter(|&j| b[j] != 0) {
            c[i + j] += a[i] * b[j];
        }
    }
    c
}

fn add(a: &Poly, b: &Poly, sign: i128) -> Poly {
    std::array::from_fn(|k| a[k] + sign * b[k])
}

fn sub(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| add(&a[k], &b[k], -1))
}

fn cross(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        add(&mul(&a[i], &b[j]), &mul(&a[j], &b[i]), -1)
    })
}

fn dot(a: &Path, b: &Path) -> Poly {
    (0..3).fold([0; 5], |sum, k| add(&sum, &mul(&a[k], &b[k]), 1))
}

/// What is known about the first contact.
#[derive(Debug, PartialEq)]
enum Decision {
    Never,
    /// A contact for sure, not later than this.
    By(f64),
    Unknown,
}

/// `flat` must vanish and all of `inside` be positive.
struct Conditions {
    flat: Poly,
    inside: Vec<Poly>,
}

impl Conditions {
    fn of(vertex_face: bool, motion: &[[Vector3; 4]; 2]) -> Self {
        let path = |k: usize| -> Path {
            std::array::from_fn(|axis| {
                let (x0, x1) = (motion[0][k][axis] as i128, motion[1][k][axis] as i128);
                [x0, x1 - x0, 0, 0, 0]
            })
        };
        let [p, q, r, s] = [0, 1, 2, 3].map(path);
        if vertex_face {
            let (p, a, b, c) = (p, q, r, s);
            let n = cross(&sub(&b, &a), &sub(&c, &a));
            let beside = |a: &Path, b: &Path| dot(&n, &cross(&sub(b, a), &sub(&p, a)));
            Self {
                flat: dot(&n, &sub(&p, &a)),
                inside: vec![beside(&a, &b), beside(&b, &c), beside(&c, &a)],
            }
        } else {
            let (u, w, offset) = (sub(&q, &p), sub(&s, &r), sub(&r, &p));
            let n = cross(&u, &w);
            let (along_u, along_w) = (dot(&cross(&offset, &w), &n), dot(&cross(&offset, &u), &n));
            let whole = dot(&n, &n);
            let rest = [add(&whole, &along_u, -1), add(&whole, &along_w, -1)];
            Self { flat: dot(&n, &offset), inside: vec![along_u, along_w, rest[0], rest[1]] }
        }
    }

    fn halves(&self) -> [Self; 2] {
        let low = |p: &Poly| -> Poly { std::array::from_fn(|k| p[k] << (4 - k)) };
        let shifted = |p: &Poly| {
            let mut q = low(p);
            for i in 0..4 {
                for k in (i..4).rev() {
                    q[k] += q[k + 1];
                }
            }
            q
        };
        let all = |f: &dyn Fn(&Poly) -> Poly| Self {
            flat: f(&self.flat),
            inside: self.inside.iter().map(f).collect(),
        };
        [all(&low), all(&shifted)]
    }

    fn decide(&self, start: f64, width: f64, depth: u32) -> Decision {
        let (low, high) = range(&self.flat);
        let outside = self.inside.iter().any(|p| range(p).1 < 0);
        if low > 0 || high < 0 || outside {
            return Decision::Never;
        }
        let inside = self.inside.iter().all(|p| range(p).0 > 0);
        let (begin, end) = (self.flat[0].signum(), self.flat.iter().sum::<i128>().signum());
        if inside && begin * end <= 0 {
            return Decision::By(start + width);
        }
        if depth == 0 {
            return Decision::Unknown;
        }
        let [first, second] = self.halves();
        match first.decide(start, 0.5 * width, depth - 1) {
            Decision::Never => second.decide(start + 0.5 * width, 0.5 * width, depth - 1),
            Decision::Unknown => match second.decide(start + 0.5 * width, 0.5 * width, depth - 1) {
                Decision::Never => Decision::Unknown,
                later => later, // sure, if not the first
            },
            sure => sure,
        }
    }
}

/// Bounds over [0, 1], times twelve.
fn range(p: &Poly) -> (i128, i128) {
    let share = [12, 3, 2, 3, 12]; // 12 over the binomials of 4
    let choose = |n: usize, k: usize| {
        [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]][n][k]
    };
    let b: [i128; 5] =
        std::array::from_fn(|j| (0..=j).map(|k| choose(j, k) * share[k] * p[k]).sum());
    b.iter().fold((b[0], b[0]), |(low, high), &x| (low.min(x), high.max(x)))
}

fn whole(random: &mut Random, size: f64) -> Vector3 {
    Vector3::from_fn(|_, _| (random.value() * (size + 0.5)).round())
}

#[test]
fn decisions_in_whole_numbers_are_found_in_floating_point() {
    let mut random = Random::new(11);
    let mut counts = [0; 4]; // contacts, none, unknown, false alarms
    for k in 0..6_000 {
        let size = [2.0, 4.0, 8.0][k % 3];
        let mut motion = [0, 1].map(|_| [0, 1, 2, 3].map(|_| whole(&mut random, size)));
        match k % 7 {
            0 => motion[1][2] = motion[0][2], // something rests
            1 => motion[1] = motion[1].map(|x| x * 0.0 + motion[0][0]), // all end in one point
            2 => motion[0][3] = motion[0][2], // without length or area at the start
            3 => (motion[0][1].z, motion[1][1].z) = (motion[0][0].z, motion[1][0].z),
            _ => {}
        }
        let vertex_face = k % 2 == 0;
        let query =
            if vertex_face { Query::PointTriangle(motion) } else { Query::SegmentSegment(motion) };
        let found = inclusion::first_contact(&query, 1.0, &EXACT);
        match Conditions::of(vertex_face, &motion).decide(0.0, 1.0, 18) {
            Decision::By(time) => {
                assert!(
                    found.is_some_and(|impact| impact.time <= time),
                    "{found:?} after {time}: {motion:?}"
                );
                counts[0] += 1;
            }
            Decision::Never => {
                counts[1] += 1;
                counts[3] += usize::from(found.is_some());
            }
            Decision::Unknown => counts[2] += 1,
        }
    }
    assert!(counts[0] > 300 && counts[1] > 3_000, "{counts:?}");
    assert_eq!(counts[3], 0, "false alarms among {counts:?}");
}

#[test]
fn contacts_made_on_purpose_are_found() {
    let mut random = Random::new(12);
    for k in 0..8_000 {
        let vertex_face = k % 2 == 0;
        let mut motion = [0, 1].map(|_| [0, 1, 2, 3].map(|_| whole(&mut random, 9.0) * 64.0));
        match k % 5 {
            0 => motion = motion.map(|x| x.map(|x| Vector3::new(x.x, x.y, 64.0))), // in a plane
            1 => motion = motion.map(|[a, b, c, _]| [a, b, c, c + b - a]),         // parallel
            2 => motion = motion.map(|[a, b, c, _]| [a, b, c, c]), // without length or area
            3 => motion = motion.map(|x| x.map(|x| Vector3::new(x.x, 0.0, 0.0))), // on a line
            _ => {}
        }
        // Quarters, often none: inside, on edges, at corners.
        let quarter = |random: &mut Random| (random.value().abs() * 4.999).floor() / 4.0;
        let (u, v) = (quarter(&mut random), quarter(&mut random));
        let weights = if vertex_face {
            let v = v.min(1.0 - u);
            [-1.0, 1.0 - u - v, u, v]
        } else {
            [-1.0, 0.0, 1.0 - v, v] // the end of the first edge: moved by itself
        };
        let every = [1.0, 2.0, 4.0][k % 3]; // one over the time of contact
        let mut miss = Vector3::zeros();
        for corner in 0..4 {
            let x = motion[0][corner] * (every - 1.0) + motion[1][corner];
            miss += x * weights[corner];
        }
        motion[1][0] += miss; // whole numbers, below 2^53: exact
        let power = 2_f64.powi([0, -40, 40][k % 3]);
        let far = if k % 4 == 0 { 1048576.0 } else { 0.0 };
        let motion = motion.map(|x| x.map(|x| x.add_scalar(far) * power));
        let query =
            if vertex_face { Query::PointTriangle(motion) } else { Query::SegmentSegment(motion) };
        let settings = Settings { tolerance: 1e-9 * power, ..EXACT };
        let found = inclusion::first_contact(&query, 1.0, &settings);
        assert!(
            found.is_some_and(|impact| impact.time <= 1.0 / every),
            "{k}: {found:?} for {query:?}"
        );
    }
}
