//! The first contact of whole surfaces is the first of all pairs.

use stiction::geometry::bvh::NotABox;
use stiction::geometry::ccd::surface::{Method, Moving, first_contact, first_self_contact};
use stiction::geometry::ccd::{Query, Settings, inclusion};
use stiction::geometry::features::Surface;
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, Diagonals, cuboid, sheet};
use stiction_check::matrices::Random;

fn cube(cells: usize) -> (Surface, Vec<Vector3>) {
    let mesh = cuboid([1.0; 3], [cells; 3], CuboidSplit::Kuhn).expect("a cube").boundary().surface;
    (Surface::new(&mesh), mesh.vertices().to_vec())
}

fn moved(x: &[Vector3], f: impl Fn(&Vector3) -> Vector3) -> Vec<Vector3> {
    x.iter().map(f).collect()
}

#[test]
fn a_cube_falls_onto_a_cube() {
    let (surface, x) = cube(3);
    let above = moved(&x, |x| x + Vector3::new(0.3, 0.2, 1.5));
    let below = moved(&above, |x| x - Vector3::new(0.0, 0.0, 1.0));
    let rest = Moving { surface: &surface, start: &x, end: &x };
    let fall = Moving { surface: &surface, start: &above, end: &below };
    for method in [Method::Inclusion, Method::Additive] {
        let found = first_contact(fall, rest, method, &Settings::default()).expect("finite");
        let time = found.expect("a contact").impact.time;
        assert!(time <= 0.5 && time > 0.44, "{time}");
        let up = Moving { surface: &surface, start: &above, end: &moved(&above, |x| x * 1.5) };
        assert_eq!(first_contact(up, rest, method, &Settings::default()), Ok(None));
    }
    let settings = Settings { separation: 0.1, ..Settings::default() };
    let found = first_contact(fall, rest, Method::Inclusion, &settings).expect("finite");
    assert!((found.expect("a contact").impact.time - 0.4).abs() < 1e-5);
}

#[test]
fn all_pairs_find_no_earlier_contact_and_threads_no_other() {
    let mut random = Random::new(3);
    let (surface, x) = cube(2);
    for _ in 0..10 {
        let mut shake = |size: f64| Vector3::from_fn(|_, _| random.value()) * size;
        let side = shake(1.0);
        let start: Vec<_> = x.iter().map(|x| x + side.normalize() * 2.0).collect();
        let end: Vec<_> = start.iter().map(|x| x - side.normalize() * 1.5 + shake(0.3)).collect();
        let (a, b) = (
            Moving { surface: &surface, start: &start, end: &end },
            Moving { surface: &surface, start: &x, end: &x },
        );
        let answer = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| first_contact(a, b, Method::Inclusion, &Settings::default()))
        };
        let found = answer(1).expect("finite");
        assert_eq!(answer(2), Ok(found));
        let mut earliest = f64::INFINITY;
        let mut ask = |query: Query| {
            if let Some(impact) = inclusion::first_contact(&query, 1.0, &Settings::default()) {
                earliest = earliest.min(impact.time);
            }
        };
        for (p, q) in [(&a, &b), (&b, &a)] {
            for v in 0..x.len() {
                for t in surface.triangles() {
                    let at = |p: &[Vector3], q: &[Vector3]| {
                        let [i, j, k] = t.map(|v| q[v as usize]);
                        [p[v], i, j, k]
                    };
                    ask(Query::PointTriangle([at(p.start, q.start), at(p.end, q.end)]));
                }
            }
        }
        for e in surface.edges() {
            for f in surface.edges() {
                let at = |p: &[Vector3], q: &[Vector3]| {
                    let ([i, j], [k, l]) = (e.map(|v| p[v as usize]), f.map(|v| q[v as usize]));
                    [i, j, k, l]
                };
                ask(Query::SegmentSegment([at(a.start, b.start), at(a.end, b.end)]));
            }
        }
        assert_eq!(
            found.map_or(f64::INFINITY, |found| found.impact.time).to_bits(),
            earliest.to_bits()
        );
    }
}

#[test]
fn a_sheet_that_folds_meets_itself_and_one_that_bends_does_not() {
    let mesh = sheet([1.0, 1.0], [8, 8], Diagonals::Alternating).expect("a sheet");
    let surface = Surface::new(&mesh);
    let x = mesh.vertices().to_vec();
    // The right half lies over the left one, and sinks through it.
    let fold = |lift: f64| {
        moved(&x, |x| if x.x > 1e-9 { Vector3::new(-0.97 * x.x, x.y, lift * x.x) } else { *x })
    };
    let (over, under) = (fold(0.5), fold(-0.5));
    let bent = moved(&x, |x| x + Vector3::new(0.0, 0.0, 0.3 * x.x * x.x));
    let motion = |start, end| Moving { surface: &surface, start, end };
    let settings = Settings::default();
    let found =
        first_self_contact(motion(&over, &under), Method::Inclusion, &settings).expect("finite");
    let time = found.expect("a contact").impact.time;
    assert!(time <= 0.5 && time > 0.4, "{time}");
    assert_eq!(first_self_contact(motion(&x, &bent), Method::Inclusion, &settings), Ok(None));
}

#[test]
fn positions_that_are_not_finite_are_refused() {
    let (surface, x) = cube(1);
    let mut broken = x.clone();
    broken[5].z = f64::NAN;
    let rest = Moving { surface: &surface, start: &x, end: &x };
    let bad = Moving { surface: &surface, start: &x, end: &broken };
    let settings = Settings::default();
    assert_eq!(first_contact(bad, rest, Method::Inclusion, &settings), Err(NotABox { index: 5 }));
    assert!(first_self_contact(bad, Method::Additive, &settings).is_err());
}
