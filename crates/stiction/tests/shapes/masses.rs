//! Masses: sums and differences, closed surfaces, principal axes, and everything that is refused.

use std::f64::consts::PI;

use nalgebra::UnitQuaternion;
use stiction::geometry::Pose;
use stiction::geometry::shape::{Compound, Convex, Part};
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::{TriMesh, TriSoup};
use stiction::rigid::{MassError, MassProperties, PrincipalAxes};
use stiction_check::matrices::Random;

use super::support::{KINDS, random_pose, random_shape};

#[track_caller]
fn assert_same(a: &MassProperties, b: &MassProperties, tolerance: f64) {
    assert!(
        (a.mass() - b.mass()).abs() <= tolerance * b.mass(),
        "{} kg, {} kg",
        a.mass(),
        b.mass()
    );
    let size = (b.inertia().amax() / b.mass()).sqrt();
    assert!((a.center() - b.center()).norm() <= tolerance * size, "{} {}", a.center(), b.center());
    let error = (a.inertia() - b.inertia()).amax() / b.inertia().amax();
    assert!(error <= tolerance, "{error}: {} {}", a.inertia(), b.inertia());
}

fn tetrahedron() -> TriMesh {
    let vertices = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    TriMesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).expect("a tet")
}

#[test]
fn a_corner_of_a_cube_has_the_inertia_of_the_integral() {
    // ∫x² = 1/60, ∫xy = 1/120 over the tet with corners at 0, x, y, z; volume 1/6, centre 1/4.
    let mass = MassProperties::of_surface(&tetrahedron(), 6.0).expect("a mass");
    assert!((mass.mass() - 1.0).abs() < 1e-15);
    assert!((mass.center() - Vector3::repeat(0.25)).norm() < 1e-15);
    let second =
        Matrix3::from_fn(|i, j| if i == j { 6.0 / 60.0 } else { 6.0 / 120.0 } - 1.0 / 16.0);
    let expected = Matrix3::from_diagonal_element(second.trace()) - second;
    assert!((mass.inertia() - expected).amax() < 1e-15);
}

#[test]
fn moving_a_surface_moves_its_mass() {
    let mut random = Random::new(21);
    for kind in KINDS {
        let shape = random_shape(kind, &mut random);
        let surface = shape.surface(24).expect("a surface");
        let here = MassProperties::of_surface(&surface, 700.0).expect("a mass");
        for spread in [1.0, 1000.0] {
            let pose = random_pose(&mut random, spread);
            let mut soup = surface.clone().into_soup();
            soup.vertices.iter_mut().for_each(|x| *x = pose.apply(x));
            let there = MassProperties::of_surface(&soup.build().expect("moved"), 700.0);
            // Coordinates a thousand times the size lose three digits.
            assert_same(&there.expect("a mass"), &here.placed(&pose), 1e-13 * spread.max(10.0));
        }
    }
}

#[test]
fn a_box_cut_in_two_is_the_box() {
    let whole = MassProperties::of_shape(&Convex::cuboid([2.0, 1.0, 0.5]), 300.0).expect("a mass");
    let half =
        |x: f64| Part { shape: Convex::cuboid([1.0, 1.0, 0.5]), pose: Pose::at(Vector3::x() * x) };
    let halves = Compound::new(vec![half(-0.5), half(0.5)]).expect("two parts");
    assert_same(&MassProperties::of_compound(&halves, 300.0).expect("a mass"), &whole, 1e-14);
    // The same, wherever it is built and however it is turned.
    let pose =
        Pose::new(Vector3::new(3.0, -1.0, 2.0), UnitQuaternion::from_euler_angles(0.3, 0.2, 1.4));
    let parts = halves.parts().iter().map(|part| Part { pose: pose * part.pose, ..part.clone() });
    let moved = Compound::new(parts.collect()).expect("two parts");
    let moved = MassProperties::of_compound(&moved, 300.0).expect("a mass");
    assert_same(&moved, &whole.placed(&pose), 1e-13);
}

#[test]
fn hollow_bodies_are_full_ones_without_their_hollow() {
    // A shell has 2/5 m (R⁵ − r⁵)/(R³ − r³).
    let (outer, inner): (f64, f64) = (0.5, 0.45);
    let ball =
        |radius| MassProperties::of_shape(&Convex::Sphere { radius }, 1000.0).expect("a mass");
    let shell = ball(outer).without(&ball(inner)).expect("a shell");
    let mass = 1000.0 * 4.0 / 3.0 * PI * (outer.powi(3) - inner.powi(3));
    let inertia = 0.4 * mass * (outer.powi(5) - inner.powi(5)) / (outer.powi(3) - inner.powi(3));
    assert!((shell.mass() - mass).abs() < 1e-12 * mass);
    assert!((shell.inertia() - Matrix3::identity() * inertia).amax() < 1e-12 * inertia);

    // A crate of six boards is a box without the box inside.
    let (size, board) = (1.0, 0.1);
    let part = |axis: usize, end: f64| {
        // Boards across x are whole, those across y fit between them, those across z between all.
        let mut lengths = [size; 3];
        lengths[..axis].iter_mut().for_each(|length| *length = size - 2.0 * board);
        lengths[axis] = board;
        let at = Vector3::ith(axis, end * 0.5 * (size - board));
        Part { shape: Convex::cuboid(lengths), pose: Pose::at(at) }
    };
    let parts = (0..3).flat_map(|axis| [part(axis, -1.0), part(axis, 1.0)]).collect();
    let boards =
        MassProperties::of_compound(&Compound::new(parts).expect("six"), 500.0).expect("a mass");
    let cube = |size| MassProperties::of_shape(&Convex::cuboid([size; 3]), 500.0).expect("a mass");
    assert_same(&boards, &cube(size).without(&cube(size - 2.0 * board)).expect("a crate"), 1e-13);

    // A surface with a hollow says the same.
    let outside = Convex::cuboid([1.0; 3]).surface(12).expect("a surface");
    let mut soup = outside.into_soup();
    let inside = Convex::cuboid([0.8; 3]).surface(12).expect("a surface");
    let shift = soup.vertices.len() as u32;
    soup.vertices.extend_from_slice(inside.vertices());
    soup.elements
        .extend(inside.triangles().iter().map(|[a, b, c]| [a + shift, c + shift, b + shift]));
    let hollow = MassProperties::of_surface(&soup.build().expect("two surfaces"), 500.0);
    assert_same(&hollow.expect("a mass"), &boards, 1e-13);
}

#[test]
fn principal_axes_diagonalise() {
    let mut random = Random::new(22);
    for _ in 0..200 {
        let kind = KINDS[(random.value().abs() * 5.99) as usize];
        let mass =
            MassProperties::of_shape(&random_shape(kind, &mut random), 10.0).expect("a mass");
        let mass = mass.placed(&random_pose(&mut random, 2.0));
        let axes = mass.principal_axes();
        let turn = axes.rotation.to_rotation_matrix().into_inner();
        assert!((turn.determinant() - 1.0).abs() < 1e-12);
        let back = turn * Matrix3::from_diagonal(&axes.moments) * turn.transpose();
        assert!((back - mass.inertia()).amax() < 1e-12 * mass.inertia().amax());
        assert!(axes.moments.x <= axes.moments.y && axes.moments.y <= axes.moments.z);
    }
    let round = PrincipalAxes::of(&Matrix3::identity());
    assert!((round.moments - Vector3::repeat(1.0)).norm() < 1e-15);
}

#[test]
fn ratios_of_a_million_are_fine() {
    // A needle: 10⁶ times longer than wide.
    let needle =
        MassProperties::of_shape(&Convex::cuboid([1e-6, 1.0, 1e-6]), 1000.0).expect("a mass");
    let moments = needle.principal_axes().moments;
    assert!((moments.x / moments.z - 2e-12).abs() < 1e-14);
    // A crumb on a boulder.
    let boulder =
        MassProperties::of_shape(&Convex::Sphere { radius: 1.0 }, 1000.0).expect("a mass");
    let crumb = MassProperties::of_shape(&Convex::Sphere { radius: 0.01 }, 1000.0).expect("a mass");
    let both =
        MassProperties::sum(&[boulder, crumb.placed(&Pose::at(Vector3::x()))]).expect("a mass");
    assert!((both.mass() / boulder.mass() - 1.0 - 1e-6).abs() < 1e-12);
    assert!((both.center().x - 1e-6).abs() < 1e-11);
    let back = both.without(&crumb.placed(&Pose::at(Vector3::x()))).expect("the boulder");
    assert_same(&back, &boulder, 1e-12);
}

#[test]
fn inertia_about_another_point_is_larger_by_the_parallel_axis() {
    let mass = MassProperties::of_shape(&Convex::Sphere { radius: 0.5 }, 1.0).expect("a mass");
    let about = mass.inertia_about(&Vector3::new(2.0, 0.0, 0.0));
    let shift = 4.0 * mass.mass();
    let expected = mass.inertia() + Matrix3::from_diagonal(&Vector3::new(0.0, shift, shift));
    assert!((about - expected).amax() < 1e-14);
}

#[test]
fn surfaces_that_enclose_nothing_are_refused() {
    let of = |triangles: Vec<[u32; 3]>| {
        let soup = TriSoup::new(tetrahedron().vertices().to_vec(), triangles);
        MassProperties::of_surface(&soup.build().expect("a surface"), 1.0)
    };
    let open = of(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]]).expect_err("a hole");
    assert!(matches!(open, MassError::Open { count: 3, .. }), "{open}");
    let clash = of(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 3, 0]]).expect_err("a clash");
    assert!(matches!(clash, MassError::Open { .. }), "{clash}");
    let inward = of(vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]).expect_err("inside out");
    assert!(matches!(inward, MassError::InsideOut { volume } if volume < 0.0), "{inward}");
    // A sheet with two sides.
    let vertices =
        vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(1.0, 1.0, 1e-17)];
    let sides = vec![[0, 1, 2], [1, 3, 2], [0, 2, 3], [0, 3, 1]];
    let flat = MassProperties::of_surface(&TriMesh::new(vertices, sides).expect("a sheet"), 1.0);
    assert!(matches!(flat, Err(MassError::NoVolume { .. })), "{flat:?}");
    for error in [open, clash, inward] {
        assert!(error.to_string().contains("help:"));
    }
}

#[test]
fn what_no_body_has_is_refused() {
    let given = |mass, x, y, z| {
        MassProperties::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&Vector3::new(x, y, z)))
    };
    assert!(given(1.0, 1.0, 1.0, 2.0).is_ok(), "a flat disk is the limit");
    assert!(matches!(given(1.0, 1.0, 1.0, 2.1), Err(MassError::Impossible { .. })));
    assert!(matches!(given(1.0, -1.0, 1.0, 1.0), Err(MassError::NotPositive { .. })));
    assert!(matches!(given(1.0, 0.0, 1.0, 1.0), Err(MassError::NotPositive { .. })));
    assert!(matches!(given(0.0, 1.0, 1.0, 1.0), Err(MassError::Mass { .. })));
    assert!(matches!(given(f64::NAN, 1.0, 1.0, 1.0), Err(MassError::Mass { .. })));
    assert!(matches!(given(1.0, f64::INFINITY, 1.0, 1.0), Err(MassError::NotFinite)));
    let skew = Matrix3::new(1.0, 0.5, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 1.0);
    let skew = MassProperties::new(1.0, Vector3::zeros(), skew);
    assert!(matches!(skew, Err(MassError::NotSymmetric { .. })));

    let plane = Convex::Plane { normal: Vector3::y(), offset: 0.0 };
    assert!(matches!(MassProperties::of_shape(&plane, 1.0), Err(MassError::Endless)));
    let ball = Convex::Sphere { radius: 0.1 };
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(MassProperties::of_shape(&ball, density), Err(MassError::Density { .. })));
    }
    let nothing = Convex::cuboid([1.0, 0.0, 1.0]);
    assert!(matches!(MassProperties::of_shape(&nothing, 1.0), Err(MassError::Mass { .. })));
    let ball = MassProperties::of_shape(&ball, 1.0).expect("a mass");
    assert!(matches!(ball.without(&ball), Err(MassError::Mass { .. })), "nothing remains");
    let far = ball.placed(&Pose::at(Vector3::x() * 5.0));
    let large = MassProperties::of_shape(&Convex::Sphere { radius: 0.2 }, 1.0).expect("a mass");
    assert!(large.without(&far).is_err(), "a hollow outside of the body");
    assert!(matches!(MassProperties::sum(&[]), Err(MassError::Mass { .. })));
}
