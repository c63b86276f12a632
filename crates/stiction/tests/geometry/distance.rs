//! Distances to shapes are distances: exact, with derivatives that are, and defined everywhere.

use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, TAU};

use nalgebra::Rotation3;
use stiction::body::Shape;
use stiction::geometry::Jet;
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::generate;
use stiction_check::differences::assert_is_derivative;
use stiction_check::matrices::Random;

fn plane() -> Shape {
    Shape::Plane { normal: Vector3::new(0.48, 0.6, -0.64), offset: 0.3 }
}

/// Round and sharp, long and flat, and boxes rounded until a face or everything is gone.
fn closed_shapes() -> Vec<Shape> {
    let round_box = |x, y, z, rounding| Shape::Box { size: Vector3::new(x, y, z), rounding };
    vec![
        Shape::Sphere { radius: 0.8 },
        round_box(1.6, 1.2, 2.0, 0.0),
        round_box(1.6, 1.2, 2.0, 0.25),
        round_box(1.6, 0.8, 2.0, 0.4),
        round_box(1.0, 1.0, 1.0, 0.5),
        Shape::Capsule { radius: 0.5, length: 1.2 },
        Shape::Cylinder { radius: 0.5, length: 2.0 },
        Shape::Cylinder { radius: 1.0, length: 0.8 },
        Shape::Torus { ring_radius: 0.9, tube_radius: 0.4 },
    ]
}

fn all_shapes() -> Vec<Shape> {
    closed_shapes().into_iter().chain([plane()]).collect()
}

fn at(shape: &Shape, x: Vector3) -> Jet {
    shape.distance(x).expect("not a mesh")
}

fn random_point(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value()) * 1.6
}

fn random_unit(random: &mut Random) -> Vector3 {
    loop {
        let d = Vector3::from_fn(|_, _| random.value());
        if d.norm() > 0.2 && d.norm() < 1.0 {
            return d.normalize();
        }
    }
}

/// Which smooth piece of the distance `x` lies in, and how far its nearest singular point is.
///
/// Written from the geometry of nearest features, not from the formulas of the library.
fn piece(shape: &Shape, x: Vector3) -> (Vec<i8>, f64) {
    let sign = |x: f64| if x < 0.0 { -1 } else { 1 };
    let rho = x.x.hypot(x.z);
    match *shape {
        Shape::Plane { .. } => (vec![], 1.0),
        Shape::Sphere { .. } => (vec![], x.norm()),
        Shape::Box { size, rounding } => {
            let q = x.abs() - size * 0.5 + Vector3::repeat(rounding);
            let beyond = q.map(|q| q.max(0.0));
            if beyond.norm() > 0.0 {
                let side = |a: usize| if q[a] > 0.0 { sign(x[a]) } else { 0 };
                return (vec![side(0), side(1), side(2)], beyond.norm());
            }
            let axis = q.imax();
            (vec![axis as i8, sign(x[axis]), 9], 1.0)
        }
        Shape::Capsule { length, .. } => {
            let beyond = (x.y.abs() - 0.5 * length).max(0.0);
            (vec![if beyond > 0.0 { sign(x.y) } else { 0 }], rho.hypot(beyond))
        }
        Shape::Cylinder { radius, length } => {
            let (side, cap) = (rho - radius, x.y.abs() - 0.5 * length);
            match (side > 0.0, cap > 0.0) {
                (true, true) => (vec![1, sign(x.y)], side.hypot(cap)),
                (true, false) => (vec![2], rho),
                (false, true) => (vec![3, sign(x.y)], 1.0),
                (false, false) if side > cap => (vec![4], rho),
                (false, false) => (vec![5, sign(x.y)], 1.0),
            }
        }
        Shape::Torus { ring_radius, .. } => (vec![], rho.min((rho - ring_radius).hypot(x.y))),
        Shape::Mesh(_) | Shape::Points(_) | Shape::Grid(_) => {
            unreachable!("shapes of these tests have formulas")
        }
    }
}

#[test]
fn derivatives_of_distance_are_derivatives_on_every_piece() {
    // Faces, edges, corners and insides of boxes (without the faces or edges that rounding has eaten); sides,
    // rims and caps of cylinders; ends of capsules.
    let expected = [1, 32, 32, 18, 8, 3, 8, 8, 1, 1];
    for (shape, pieces) in all_shapes().iter().zip(expected) {
        let mut random = Random::new(4);
        let mut seen = BTreeSet::new();
        let mut checked = 0;
        while checked < 1500 || (seen.len() < pieces && checked < 20_000) {
            let (x, along) = (random_point(&mut random), random_unit(&mut random));
            let (here, room) = piece(shape, x);
            let inside_of_piece = [-1.1e-2, -5e-3, 5e-3, 1.1e-2]
                .iter()
                .all(|t| piece(shape, x + along * *t).0 == here);
            if room < 0.12 || !inside_of_piece {
                continue;
            }
            let jet = at(shape, x);
            let value = |t: f64| at(shape, x + along * t).value;
            assert_is_derivative(value, jet.gradient.dot(&along), 1.0);
            let to = random_unit(&mut random);
            let gradient = |t: f64| at(shape, x + along * t).gradient.dot(&to);
            assert_is_derivative(gradient, to.dot(&(jet.hessian * along)), 1.0);
            checked += 1;
            seen.insert((here, jet.value < 0.0));
        }
        let kinds = seen.iter().map(|(piece, _)| piece).collect::<BTreeSet<_>>().len();
        assert_eq!(kinds, pieces, "pieces of {shape:?}");
        let sides = seen.iter().map(|(_, inside)| inside).collect::<BTreeSet<_>>().len();
        assert_eq!(sides, 2, "inside and outside of {shape:?}");
    }
}

/// Points on the surface, none farther than `spacing` from the next.
fn sampled(shape: &Shape, spacing: f64) -> Vec<Vector3> {
    let steps = |length: f64| (length / spacing).ceil().max(1.0) as usize;
    let line = |length: f64| {
        let n = steps(length);
        (0..=n).map(move |i| length * (i as f64 / n as f64 - 0.5))
    };
    let arc = |radius: f64, angle: f64| {
        let n = steps(radius * angle);
        (0..=n).map(move |i| angle * i as f64 / n as f64)
    };
    let ring = |rho: f64, y: f64| {
        arc(rho, TAU)
            .map(move |a| Vector3::new(rho * a.cos(), y, rho * a.sin()))
            .collect::<Vec<_>>()
    };
    match *shape {
        Shape::Sphere { radius } => {
            arc(radius, TAU / 2.0).flat_map(|a| ring(radius * a.sin(), radius * a.cos())).collect()
        }
        Shape::Capsule { radius, length } => {
            let cap = arc(radius, FRAC_PI_2).map(|a| (radius * a.cos(), radius * a.sin()));
            let caps = cap.flat_map(|(rho, y)| {
                let y = y + 0.5 * length;
                [ring(rho, y), ring(rho, -y)].concat()
            });
            caps.chain(line(length).flat_map(|y| ring(radius, y))).collect()
        }
        Shape::Cylinder { radius, length } => {
            let caps = line(2.0 * radius).flat_map(|rho| {
                [ring(rho.abs(), 0.5 * length), ring(rho.abs(), -0.5 * length)].concat()
            });
            caps.chain(line(length).flat_map(|y| ring(radius, y))).collect()
        }
        Shape::Torus { ring_radius, tube_radius } => arc(tube_radius, TAU)
            .flat_map(|a| ring(ring_radius + tube_radius * a.cos(), tube_radius * a.sin()))
            .collect(),
        Shape::Box { size, rounding } => {
            // Every corner of the inner box carries an eighth of a sphere, every edge a quarter of a tube.
            let inner = size - Vector3::repeat(2.0 * rounding);
            let mut points = Vec::new();
            let eighth: Vec<Vector3> = arc(rounding, FRAC_PI_2)
                .flat_map(|a| {
                    arc(rounding, FRAC_PI_2).map(move |b| {
                        Vector3::new(a.sin() * b.cos(), a.cos(), a.sin() * b.sin()) * rounding
                    })
                })
                .collect();
            points.extend(eighth.iter().map(|p| p + inner * 0.5));
            for axis in 0..3 {
                let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                for along in line(inner[axis]) {
                    let mut p = Vector3::zeros();
                    p[axis] = along;
                    for a in arc(rounding, FRAC_PI_2) {
                        p[b] = 0.5 * inner[b] + rounding * a.cos();
                        p[c] = 0.5 * inner[c] + rounding * a.sin();
                        points.push(p);
                    }
                    for across in line(inner[b]) {
                        p[b] = across;
                        p[c] = 0.5 * size[c];
                        points.push(p);
                    }
                }
            }
            let mirrored = |p: &Vector3| {
                let signs = [-1.0, 1.0];
                let p = *p;
                signs.into_iter().flat_map(move |x| {
                    signs.into_iter().flat_map(move |y| {
                        signs.into_iter().map(move |z| p.component_mul(&Vector3::new(x, y, z)))
                    })
                })
            };
            points.iter().flat_map(mirrored).collect()
        }
        Shape::Plane { .. } | Shape::Mesh(_) | Shape::Points(_) | Shape::Grid(_) => {
            unreachable!("closed shapes with formulas")
        }
    }
}

/// Whether `x` is inside, by definition of the shape.
fn is_inside(shape: &Shape, x: Vector3) -> bool {
    let rho = x.x.hypot(x.z);
    match *shape {
        Shape::Sphere { radius } => x.norm() < radius,
        Shape::Box { size, rounding } => {
            let inner = size * 0.5 - Vector3::repeat(rounding);
            let nearest = x.zip_map(&inner, |x, h| x.clamp(-h, h));
            x.zip_fold(&(size * 0.5), true, |inside, x, h| inside && x.abs() < h)
                && ((x - nearest).norm() < rounding || nearest == x)
        }
        Shape::Capsule { radius, length } => {
            let y = x.y.clamp(-0.5 * length, 0.5 * length);
            (x - Vector3::y() * y).norm() < radius
        }
        Shape::Cylinder { radius, length } => rho < radius && x.y.abs() < 0.5 * length,
        Shape::Torus { ring_radius, tube_radius } => (rho - ring_radius).hypot(x.y) < tube_radius,
        Shape::Plane { .. } | Shape::Mesh(_) | Shape::Points(_) | Shape::Grid(_) => {
            unreachable!("closed shapes with formulas")
        }
    }
}

#[test]
fn distance_is_that_to_the_nearest_of_many_surface_points() {
    let spacing = 0.02;
    for shape in closed_shapes() {
        let surface = sampled(&shape, spacing);
        let mut random = Random::new(11);
        for _ in 0..250 {
            let x = random_point(&mut random);
            let jet = at(&shape, x);
            let nearest =
                surface.iter().map(|p| (p - x).norm_squared()).fold(f64::MAX, f64::min).sqrt();
            let d = jet.value.abs();
            // A sample lies within √2/2 of the spacing from the true nearest point. Near it the surface leaves
            // the tangent plane, with a curvature of at most 4/m.
            let off = spacing * 0.5_f64.sqrt();
            let slack = off.min(off * off * (0.5 / d + 2.0));
            assert!(nearest >= d - 1e-12, "{shape:?} at {x:?}: {d} but a point at {nearest}");
            assert!(nearest <= d + slack, "{shape:?} at {x:?}: {d} but nothing before {nearest}");
            assert_eq!(jet.value < 0.0, is_inside(&shape, x), "sign for {shape:?} at {x:?}");
        }
    }
}

#[test]
fn closed_forms_hold() {
    let value = |shape: &Shape, x: [f64; 3]| at(shape, Vector3::from(x)).value;
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} is not {b}");
    close(value(&plane(), [0.48, 0.6, -0.64]), 0.7);
    close(value(&Shape::Sphere { radius: 1.0 }, [2.0, 3.0, 6.0]), 6.0);
    let sharp = Shape::Box { size: Vector3::new(2.0, 4.0, 6.0), rounding: 0.0 };
    close(value(&sharp, [3.0, 5.0, -9.0]), 7.0); // 2, 3, 6 beyond the corner
    close(value(&sharp, [4.0, -1.0, 7.0]), 5.0); // 3, 4 beyond an edge
    close(value(&sharp, [0.5, 1.25, 0.0]), -0.5);
    let rounded = Shape::Box { size: Vector3::new(2.0, 4.0, 6.0), rounding: 0.5 };
    close(value(&rounded, [2.5, -4.5, 8.5]), 6.5); // 2, 3, 6 beyond the inner corner, less the rounding
    close(value(&rounded, [0.8, 1.9, 0.0]), 0.3_f64.hypot(0.4) - 0.5);
    close(value(&rounded, [0.25, 0.0, 0.0]), -0.75);
    let capsule = Shape::Capsule { radius: 0.5, length: 2.0 };
    close(value(&capsule, [2.0, 4.0, 6.0]), 6.5);
    close(value(&capsule, [0.0, 0.9, -0.2]), -0.3);
    let cylinder = Shape::Cylinder { radius: 1.0, length: 2.0 };
    close(value(&cylinder, [0.0, -5.0, 4.0]), 5.0); // 3, 4 from the rim
    close(value(&cylinder, [0.3, 0.1, 0.4]), -0.5);
    close(value(&cylinder, [0.3, 0.9, 0.4]), -0.1);
    let torus = Shape::Torus { ring_radius: 2.0, tube_radius: 0.5 };
    close(value(&torus, [3.0, 4.0, 4.0]), 4.5);
    close(value(&torus, [0.0, 0.0, 0.0]), 1.5);

    let curvature = |shape: &Shape, x: [f64; 3]| at(shape, Vector3::from(x)).hessian.trace();
    close(curvature(&Shape::Sphere { radius: 1.0 }, [2.0, 3.0, 6.0]), 2.0 / 7.0);
    close(curvature(&capsule, [0.3, 0.5, 0.4]), 2.0);
    close(curvature(&cylinder, [0.3, 0.1, 0.4]), 2.0);
    close(curvature(&torus, [1.5, 0.0, 2.0]), 1.0 / 0.5 + 1.0 / 2.5); // outer equator
    close(curvature(&torus, [0.9, 0.0, 1.2]), 1.0 / 0.5 - 1.0 / 1.5); // inner equator
    close(curvature(&sharp, [4.0, -1.0, 7.0]), 1.0 / 5.0);
}

/// What holds at every point, smooth or not.
#[track_caller]
fn assert_sound(shape: &Shape, x: Vector3) {
    let Jet { value, gradient, hessian } = at(shape, x);
    let context = || format!("{shape:?} at {x:?}: {value} {gradient:?} {hessian:?}");
    assert!(value.is_finite() && hessian.iter().all(|h| h.is_finite()), "{}", context());
    assert!((gradient.norm() - 1.0).abs() < 4e-16, "Eikonal: {}", context());
    let turn = hessian.norm().max(1.0);
    assert!((hessian * gradient).norm() <= 1e-15 * turn, "along itself: {}", context());
    assert!((hessian - hessian.transpose()).norm() <= 1e-16 * turn, "symmetry: {}", context());
    let foot = at(shape, x - gradient * value).value;
    assert!(foot.abs() < 1e-15, "misses the surface by {foot}: {}", context());
}

#[test]
fn going_down_the_unit_gradient_ends_on_the_surface() {
    for shape in all_shapes() {
        let mut random = Random::new(7);
        for _ in 0..2000 {
            assert_sound(&shape, random_point(&mut random));
        }
    }
}

#[test]
fn kinks_have_a_defined_finite_answer() {
    // Coordinates of centres, axes, ring, faces, edges, corners and ends of the shapes, and hardly beside them.
    let special =
        [0.0, -0.0, 0.8, -0.5, 0.6, 1.0, -0.9, 0.4, 0.35, 0.55, 0.75, -1e-9, 1e-155, 1e-310];
    for shape in all_shapes() {
        for x in special {
            for y in special {
                for z in special {
                    assert_sound(&shape, Vector3::new(x, y, z));
                    assert_sound(&shape, -Vector3::new(x, y, z));
                }
            }
        }
    }
}

#[test]
fn ties_are_broken_as_documented() {
    let look = |shape: &Shape, x: [f64; 3], value: f64, gradient: Vector3| {
        let jet = at(shape, Vector3::from(x));
        assert!((jet.value - value).abs() < 1e-15, "{shape:?}: {}", jet.value);
        assert_eq!(jet.gradient, gradient, "{shape:?}");
        assert_eq!(jet.hessian, Matrix3::zeros(), "{shape:?}");
    };
    let (x, y) = (Vector3::x(), Vector3::y());
    look(&Shape::Sphere { radius: 0.7 }, [0.0; 3], -0.7, x);
    let cube = |rounding| Shape::Box { size: Vector3::repeat(1.0), rounding };
    for rounding in [0.0, 0.2, 0.5] {
        look(&cube(rounding), [0.0; 3], -0.5, x);
        look(&cube(rounding), [-0.0; 3], -0.5, x);
    }
    look(&cube(0.0), [0.1, -0.3, 0.3], -0.2, -y);
    look(&cube(0.0), [-0.5; 3], 0.0, -x);
    look(&Shape::Capsule { radius: 0.5, length: 1.0 }, [0.0, 0.3, 0.0], -0.5, x);
    look(&Shape::Capsule { radius: 0.5, length: 1.0 }, [0.0, 0.5, 0.0], -0.5, x);
    look(&Shape::Cylinder { radius: 0.5, length: 4.0 }, [0.0, 0.3, 0.0], -0.5, x);
    look(&Shape::Cylinder { radius: 3.0, length: 1.0 }, [1.0, 0.0, 1.0], -0.5, y);
    look(&Shape::Torus { ring_radius: 1.0, tube_radius: 0.3 }, [1.0, 0.0, 0.0], -0.3, x);
}

#[test]
fn mirrors_rotations_and_scales_change_nothing_else() {
    for shape in closed_shapes() {
        let turns = !matches!(shape, Shape::Box { .. });
        let mut random = Random::new(3);
        for _ in 0..300 {
            let x = random_point(&mut random);
            let jet = at(&shape, x);
            for axis in 0..3 {
                let mut mirror = Matrix3::identity();
                mirror[(axis, axis)] = -1.0;
                assert_eq!(moved(&jet, &mirror), at(&shape, mirror * x), "{shape:?} mirrored");
            }
            if turns {
                let turn = Rotation3::new(Vector3::y() * (3.0 * random.value())).into_inner();
                assert_same(&moved(&jet, &turn), &at(&shape, turn * x), &shape);
            }
            let bigger = Jet { value: jet.value * 1024.0, hessian: jet.hessian / 1024.0, ..jet };
            assert_eq!(at(&scaled(&shape, 1024.0), x * 1024.0), bigger, "{shape:?} scaled");
        }
    }
    let turn = Rotation3::new(Vector3::new(0.3, -0.8, 1.1)).into_inner();
    if let Shape::Plane { normal, offset } = plane() {
        let x = Vector3::new(0.2, -0.4, 0.7);
        let turned = Shape::Plane { normal: turn * normal, offset };
        assert_same(&moved(&at(&plane(), x), &turn), &at(&turned, turn * x), &turned);
    }
}

fn moved(jet: &Jet, by: &Matrix3) -> Jet {
    let hessian = by * jet.hessian * by.transpose();
    Jet { value: jet.value, gradient: by * jet.gradient, hessian }
}

#[track_caller]
fn assert_same(a: &Jet, b: &Jet, shape: &Shape) {
    let turn = b.hessian.norm().max(1.0);
    let off = (a.value - b.value).abs()
        + (a.gradient - b.gradient).norm() / turn
        + (a.hessian - b.hessian).norm() / (turn * turn);
    assert!(off < 4e-15, "{shape:?}: off by {off}");
}

fn scaled(shape: &Shape, s: f64) -> Shape {
    match *shape {
        Shape::Plane { normal, offset } => Shape::Plane { normal, offset: s * offset },
        Shape::Sphere { radius } => Shape::Sphere { radius: s * radius },
        Shape::Box { size, rounding } => Shape::Box { size: size * s, rounding: s * rounding },
        Shape::Capsule { radius, length } => {
            Shape::Capsule { radius: s * radius, length: s * length }
        }
        Shape::Cylinder { radius, length } => {
            Shape::Cylinder { radius: s * radius, length: s * length }
        }
        Shape::Torus { ring_radius, tube_radius } => {
            Shape::Torus { ring_radius: s * ring_radius, tube_radius: s * tube_radius }
        }
        Shape::Mesh(_) | Shape::Points(_) | Shape::Grid(_) => {
            unreachable!("shapes of these tests have formulas")
        }
    }
}

#[test]
fn meshes_have_no_closed_form() {
    let sheet = generate::sheet([1.0, 1.0], [1, 1], generate::Diagonals::Alternating).unwrap();
    assert_eq!(Shape::Mesh(sheet).distance(Vector3::x()), None);
}
