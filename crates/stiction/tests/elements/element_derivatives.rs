//! Every element: gradient and Hessian are derivatives, projected Hessians are positive, and no
//! element pushes or turns a body that floats freely.
#![expect(non_snake_case, reason = "K as in the literature")]

use nalgebra::{Rotation3, SMatrix, SVector};
use num_dual::{DualNum, hessian};
use proptest::prelude::*;
use stiction::element::{
    Coordinate, CurvatureSet, ElementSet, GearRow, GearSet, Hessian, HingeAngle, HingeSet,
    JointRow, JointSet, Law, PressureSet, Projection, RestAngles, Spring, SpringSet,
    TetrahedronSet, TriangleSet,
};
use stiction::energy::projection::{clamp_dense, eigen_symmetric};
use stiction::energy::{
    Corotated, Lame, Linear, MembraneModel, MembraneNeoHookean, MooneyRivlin, NeoHookean,
    OrthotropicStVenantKirchhoff, OrthotropicStiffness, SolidModel, StVenantKirchhoff,
    StableNeoHookean,
};
use stiction::math::{Matrix3, Vector2, Vector3};
use stiction_check::differences::assert_is_derivative;

const RUBBER: Lame = Lame { mu: 3.0e5, lambda: 2.0e6 };

const TETRAHEDRON: [Vector3; 4] = [
    Vector3::new(0.1, 0.0, -0.1),
    Vector3::new(1.2, 0.1, 0.0),
    Vector3::new(0.3, 0.9, 0.1),
    Vector3::new(0.2, 0.3, 1.4),
];

fn solids() -> Vec<TetrahedronSet> {
    [
        SolidModel::Linear(Linear::new(RUBBER)),
        SolidModel::Corotated(Corotated::new(RUBBER)),
        SolidModel::StVenantKirchhoff(StVenantKirchhoff::new(RUBBER)),
        SolidModel::NeoHookean(NeoHookean::new(RUBBER)),
        SolidModel::StableNeoHookean(StableNeoHookean::new(RUBBER)),
        SolidModel::MooneyRivlin(MooneyRivlin::new(RUBBER, 0.2)),
    ]
    .map(|model| TetrahedronSet::new(model, &TETRAHEDRON, &[[0, 1, 2, 3]]).unwrap())
    .into()
}

fn membranes() -> Vec<TriangleSet> {
    let stiffness = OrthotropicStiffness { c00: 150.0, c11: 420.0, c01: 60.0, c22: 25.0 };
    let flat = [Vector2::new(0.1, 0.2), Vector2::new(1.2, 0.1), Vector2::new(0.3, 0.9)];
    [
        MembraneModel::NeoHookean(MembraneNeoHookean::new(Lame { mu: 200.0, lambda: 300.0 })),
        MembraneModel::OrthotropicStVenantKirchhoff(
            OrthotropicStVenantKirchhoff::from_stiffness(stiffness).unwrap(),
        ),
    ]
    .map(|model| TriangleSet::from_flat_corners(model, &[flat]).unwrap())
    .into()
}

fn hinges() -> HingeSet {
    let x =
        [Vector3::zeros(), Vector3::x(), Vector3::new(0.3, -0.8, 0.1), Vector3::new(0.4, 0.9, 0.3)];
    HingeSet::new(2.0, &x, &[[0, 1, 2, 3]], RestAngles::FromShape).unwrap()
}

const PATCH: [Vector3; 6] = [
    Vector3::new(0.0, 0.0, 0.0),
    Vector3::new(1.0, 0.0, 0.0),
    Vector3::new(0.4, 0.9, 0.3),
    Vector3::new(0.3, -0.8, 0.1),
    Vector3::new(1.3, 1.0, 0.2),
    Vector3::new(-0.5, 0.6, -0.1),
];

/// A triangle with three neighbours, with two and with one.
fn curvatures() -> CurvatureSet {
    let patches = [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 0, 5], [0, 1, 2, 2, 4, 1]];
    CurvatureSet::new(2.0, 0.3, &PATCH, &patches, RestAngles::FromShape).unwrap()
}

fn springs() -> SpringSet {
    SpringSet::new(vec![
        Spring { stiffness: 5.0, rest_length: 0.8 },
        Spring { stiffness: 5.0, rest_length: 0.0 },
    ])
}

/// Every coordinate with every law.
fn joints() -> JointSet {
    let coordinates = [Coordinate::Product { scale: 0.7 }, Coordinate::Distance, Coordinate::Angle];
    let laws = [
        Law::Spring { stiffness: 5.0, rest: 0.3 },
        Law::Limits { stiffness: 5.0, least: 9.0, most: 10.0 },
        Law::Limits { stiffness: 5.0, least: -9.0, most: -8.0 },
        Law::Drive { stiffness: 5.0, rest: 0.2, speed: 2.0, strength: 500.0, waits: true },
        Law::Drive { stiffness: 5.0, rest: -9.0, speed: 2.0, strength: 1.0, waits: false },
    ];
    let row = |coordinate, law| JointRow { coordinate, law, damping: 1.0, calming: 2.0 };
    let rows = coordinates.iter().flat_map(|&c| laws.iter().map(move |&law| row(c, law)));
    let rows: Vec<JointRow> = rows.collect();
    let starts = vec![0.0; rows.len()];
    JointSet::new(rows, &starts)
}

/// Points moved by up to 0.3 from a shape of unit size.
fn points<const N: usize>(around: [Vector3; N]) -> impl Strategy<Value = [Vector3; N]> {
    proptest::collection::vec(proptest::array::uniform3(-0.3..0.3_f64), N)
        .prop_map(move |d| std::array::from_fn(|a| around[a] + Vector3::from(d[a])))
}

fn tetrahedron() -> impl Strategy<Value = [Vector3; 4]> {
    points(TETRAHEDRON).prop_filter("nearly flat", |x| {
        (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) > 0.4
    })
}

fn triangle() -> impl Strategy<Value = [Vector3; 3]> {
    points([Vector3::zeros(), Vector3::x(), Vector3::y()])
}

/// Any dihedral angle, folded shut ones included.
fn hinge() -> impl Strategy<Value = [Vector3; 4]> {
    let half = std::f64::consts::PI;
    (points([Vector3::zeros(), Vector3::x(), -Vector3::y(), Vector3::zeros()]), -half..half)
        .prop_map(|(mut x, angle)| {
            x[3] += Vector3::new(0.4, angle.cos(), angle.sin());
            x
        })
}

/// Corners moved a little, neighbours turned by any angle about their edges.
fn patch() -> impl Strategy<Value = [Vector3; 6]> {
    let half = std::f64::consts::PI;
    (points([Vector3::zeros(); 6]), proptest::array::uniform3(-half..half)).prop_map(
        |(moved, turns)| {
            let mut x = PATCH;
            (0..6).for_each(|a| x[a] += moved[a] * 0.5);
            for k in 0..3 {
                let (from, to) = (x[k], x[(k + 1) % 3]);
                let axis = nalgebra::Unit::new_normalize(to - from);
                x[3 + k] = from + Rotation3::from_axis_angle(&axis, turns[k]) * (x[3 + k] - from);
            }
            x
        },
    )
}

fn flatten<const N: usize>(K: &Hessian<N>) -> nalgebra::DMatrix<f64> {
    nalgebra::DMatrix::from_fn(3 * N, 3 * N, |i, j| K[i / 3][j / 3][(i % 3, j % 3)])
}

fn square<const N: usize, const M: usize>(K: &Hessian<N>) -> SMatrix<f64, M, M> {
    SMatrix::from_fn(|i, j| K[i / 3][j / 3][(i % 3, j % 3)])
}

/// Directions with no special relation to any shape.
fn direction(a: usize, salt: f64) -> Vector3 {
    let t = salt + a as f64;
    Vector3::new((1.7 * t).sin(), (2.9 * t).cos(), (4.3 * t).sin())
}

#[track_caller]
fn check_derivatives<const N: usize>(set: &dyn ElementSet<N>, e: usize, x: &[Vector3; N]) {
    let K = set.hessian(e, x, Projection::Exact);
    let g = set.gradient(e, x);
    let scale = flatten(&K).norm() + g.iter().map(|g| g.norm()).sum::<f64>();
    for salt in [0.3, 5.1, 9.7] {
        let d: [Vector3; N] = std::array::from_fn(|a| direction(a, salt) * 0.1);
        let w: [Vector3; N] = std::array::from_fn(|a| direction(a, salt + 0.5));
        let moved = |t: f64| -> [Vector3; N] { std::array::from_fn(|a| x[a] + d[a] * t) };
        let dot = |a: &[Vector3; N], b: &[Vector3; N]| -> f64 {
            a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
        };
        if set.is_conservative() {
            assert_is_derivative(|t| set.energy(e, &moved(t)), dot(&g, &d), scale);
        }
        let Kd: [Vector3; N] =
            std::array::from_fn(|a| (0..N).map(|b| K[a][b] * d[b]).sum::<Vector3>());
        assert_is_derivative(|t| dot(&set.gradient(e, &moved(t)), &w), dot(&Kd, &w), scale);
    }
}

#[track_caller]
fn check_balance<const N: usize>(set: &dyn ElementSet<N>, e: usize, x: &[Vector3; N]) {
    let g = set.gradient(e, x);
    // Forces near rest are small differences of large ones: the stiffness sets the rounding.
    let K = set.hessian(e, x, Projection::Exact);
    let scale = g.iter().map(|g| g.norm()).sum::<f64>() + flatten(&K).norm();
    assert!(g.iter().sum::<Vector3>().norm() <= 1e-13 * scale, "pushes itself");
    let torque: Vector3 = x.iter().zip(&g).map(|(x, g)| x.cross(g)).sum();
    assert!(torque.norm() <= 1e-13 * scale, "turns itself: {torque:?} of {scale}");
}

#[track_caller]
fn check_symmetry_and_projection<const N: usize, const M: usize>(
    set: &dyn ElementSet<N>,
    e: usize,
    x: &[Vector3; N],
) {
    let exact: SMatrix<f64, M, M> = square(&set.hessian(e, x, Projection::Exact));
    let scale = exact.norm();
    assert!((exact - exact.transpose()).norm() <= 1e-13 * scale);
    let positive: SMatrix<f64, M, M> = square(&set.hessian(e, x, Projection::Positive));
    assert!((positive - positive.transpose()).norm() <= 1e-13 * scale);
    let least = eigen_symmetric(&positive).0.into_iter().fold(f64::INFINITY, f64::min);
    assert!(least >= -1e-11 * scale, "least eigenvalue {least:e} of {scale:e}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tetrahedra_are_consistent(x in tetrahedron()) {
        for set in solids() {
            check_derivatives(&set, 0, &x);
            check_symmetry_and_projection::<4, 12>(&set, 0, &x);
            if !matches!(set.model(), SolidModel::Linear(_)) {
                check_balance(&set, 0, &x);
            }
        }
    }

    #[test]
    fn triangles_are_consistent(x in triangle()) {
        for set in membranes() {
            check_derivatives(&set, 0, &x);
            check_symmetry_and_projection::<3, 9>(&set, 0, &x);
            check_balance(&set, 0, &x);
        }
    }

    #[test]
    fn hinges_are_consistent(x in hinge()) {
        let mut set = hinges();
        set.accept(0, &x);
        check_derivatives(&set, 0, &x);
        check_symmetry_and_projection::<4, 12>(&set, 0, &x);
        check_balance(&set, 0, &x);
    }

    /// Hinges folded any way, shut ones included. Where a neighbour is missing its point is the corner it stands for.
    #[test]
    fn curvatures_are_consistent(x in patch()) {
        let mut set = curvatures();
        let beside = |e: usize| match e {
            0 => x,
            1 => [x[0], x[1], x[2], x[3], x[0], x[5]],
            _ => [x[0], x[1], x[2], x[2], x[4], x[1]],
        };
        for e in 0..3 {
            let x = beside(e);
            set.accept(e, &x);
            check_derivatives(&set, e, &x);
            check_symmetry_and_projection::<6, 18>(&set, e, &x);
            check_balance(&set, e, &x);
        }
    }

    #[test]
    fn springs_are_consistent(x in points([Vector3::zeros(), Vector3::x()])) {
        for e in 0..2 {
            check_derivatives(&springs(), e, &x);
            check_symmetry_and_projection::<2, 6>(&springs(), e, &x);
            check_balance(&springs(), e, &x);
            let exact: SMatrix<f64, 6, 6> = square(&springs().hessian(e, &x, Projection::Exact));
            let positive = square(&springs().hessian(e, &x, Projection::Positive));
            prop_assert!((clamp_dense(&exact) - positive).norm() < 1e-12 * exact.norm());
        }
    }

    #[test]
    fn joints_are_consistent(x in hinge()) {
        let mut set = joints();
        set.set_time(0.5);
        let before = [x[0], x[1], x[2], x[3] + Vector3::new(0.02, -0.01, 0.03)];
        (0..set.len()).for_each(|e| set.accept(e, &before));
        set.set_time(0.6);
        for e in 0..set.len() {
            check_derivatives(&set, e, &x);
            check_symmetry_and_projection::<4, 12>(&set, e, &x);
            check_balance(&set, e, &x);
        }
    }

    #[test]
    fn gears_are_consistent(x in hinge(), y in hinge()) {
        let mut set = GearSet::new(vec![GearRow { ratio: -2.5, stiffness: 5.0, calming: 1.0 }]);
        let points = std::array::from_fn(|a| if a < 4 { x[a] } else { y[a - 4] });
        let mut before = points;
        before[7] += Vector3::new(0.02, -0.01, 0.03);
        set.accept(0, &before);
        set.set_time(0.1);
        check_derivatives(&set, 0, &points);
        check_symmetry_and_projection::<8, 24>(&set, 0, &points);
        check_balance(&set, 0, &points);
    }

    #[test]
    fn pressure_is_consistent(x in triangle()) {
        let set = PressureSet::uniform(30.0, 1);
        prop_assert!(!set.is_conservative());
        check_derivatives(&set, 0, &x);
        prop_assert!(flatten(&set.hessian(0, &x, Projection::Positive)).norm() == 0.0);
    }

    /// The closed form of the second derivative of the angle, against dual numbers.
    #[test]
    fn hinge_angle_equals_dual_numbers(x in hinge()) {
        let flat = SVector::<f64, 12>::from_fn(|i, _| x[i / 3][i % 3]);
        let (angle, g, H): (f64, SVector<f64, 12>, SMatrix<f64, 12, 12>) =
            hessian(|x| dihedral_angle(&x), &flat);
        let ours = HingeAngle::new(&x);
        let scale = H.norm();
        prop_assert!((ours.angle - angle).abs() < 1e-13);
        let ours_g = SVector::<f64, 12>::from_fn(|i, _| ours.gradient()[i / 3][i % 3]);
        prop_assert!((ours_g - g).norm() < 1e-12 * g.norm());
        let K: SMatrix<f64, 12, 12> = square(&ours.hessian());
        prop_assert!((K - H).norm() < 1e-11 * scale, "{:e} of {scale:e}", (K - H).norm());
        prop_assert!(ours.hessian()[2][3] == Matrix3::zeros());
    }

    /// Slight stretch keeps every model positive; a strong one would not, as a nearly incompressible
    /// block gives way sideways.
    #[test]
    fn stretched_tetrahedra_are_left_alone(
        stretch in 1.0..1.02_f64,
        axis in proptest::array::uniform3(-2.0..2.0_f64),
    ) {
        let R = Rotation3::new(Vector3::from(axis));
        let x = TETRAHEDRON.map(|x| R * x * stretch);
        for set in solids().into_iter().skip(1) {
            let exact = set.hessian(0, &x, Projection::Exact);
            prop_assert_eq!(exact, set.hessian(0, &x, Projection::Positive));
        }
    }

    /// Rigid motion of the rest shape costs nothing, and energy is reported above rest.
    #[test]
    fn rigid_motion_costs_nothing(axis in proptest::array::uniform3(-2.0..2.0_f64)) {
        let R = Rotation3::new(Vector3::from(axis));
        let shift = Vector3::new(3.0, -2.0, 1.0);
        let x = TETRAHEDRON.map(|x| R * x + shift);
        for set in solids().into_iter().skip(1) {
            prop_assert!(set.energy(0, &x).abs() < 1e-14 * RUBBER.lambda);
            prop_assert!(set.gradient(0, &x).iter().all(|g| g.norm() < 1e-13 * RUBBER.lambda));
        }
    }
}

/// Over a closed surface, pressure pushes nowhere, turns nothing, and is the gradient of `−p V`.
#[test]
fn pressure_on_a_closed_surface_is_minus_p_times_volume() {
    let x = TETRAHEDRON;
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let set = PressureSet::uniform(30.0, 4);
    let mut force = [Vector3::zeros(); 4];
    let mut K = nalgebra::DMatrix::<f64>::zeros(12, 12);
    for (e, face) in faces.iter().enumerate() {
        let corners = face.map(|v: usize| x[v]);
        let (g, H) = (set.gradient(e, &corners), set.hessian(e, &corners, Projection::Exact));
        for a in 0..3 {
            force[face[a]] -= g[a];
            for b in 0..3 {
                let mut block = K.fixed_view_mut::<3, 3>(3 * face[a], 3 * face[b]);
                block += H[a][b];
            }
        }
    }
    assert!(force.iter().sum::<Vector3>().norm() < 1e-13);
    let torque: Vector3 = x.iter().zip(&force).map(|(x, f)| x.cross(f)).sum();
    assert!(torque.norm() < 1e-13);
    assert!((&K - K.transpose()).norm() < 1e-14 * K.norm(), "assembled stiffness is symmetric");

    let volume = |x: &[Vector3; 4]| (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0;
    for vertex in 0..4 {
        let moved = |t: f64| {
            let mut x = x;
            x[vertex] += Vector3::new(0.3, -0.5, 0.7) * t;
            30.0 * volume(&x)
        };
        let exact = force[vertex].dot(&Vector3::new(0.3, -0.5, 0.7));
        assert_is_derivative(moved, exact, 30.0);
    }
}

/// A zero-length spring between coincident points is linear; one with a length pushes them apart.
#[test]
fn coincident_spring_ends_are_finite() {
    let x = [Vector3::new(1.0, 2.0, 3.0); 2];
    let set = springs();
    assert!(set.gradient(1, &x)[0] == Vector3::zeros());
    assert!(set.hessian(1, &x, Projection::Exact)[0][0] == Matrix3::identity() * 5.0);
    assert!((set.gradient(0, &x)[1].norm() - 4.0).abs() < 1e-12);
    for projection in [Projection::Exact, Projection::Positive] {
        let finite = |K: Matrix3| K.iter().all(|k| k.is_finite());
        assert!(set.hessian(0, &x, projection).into_iter().flatten().all(finite));
    }
}

/// A target is never farther ahead than strength over stiffness, and angles are followed over full turns.
#[test]
fn motors_wait_and_angles_are_counted() {
    let law = Law::Drive { stiffness: 10.0, rest: 0.0, speed: 1.0, strength: 2.0, waits: true };
    let row = JointRow { coordinate: Coordinate::Angle, law, damping: 0.0, calming: 0.0 };
    let mut set = JointSet::new(vec![row], &[0.0]);
    let at = |angle: f64| {
        let tip = Vector3::new(angle.cos(), angle.sin(), 0.0);
        [Vector3::zeros(), Vector3::z(), Vector3::x(), tip]
    };
    let torque = |set: &JointSet, angle: f64| -set.gradient(0, &at(angle))[3].norm();
    set.set_time(5.0);
    assert!((torque(&set, 0.0) + 2.0).abs() < 1e-12);
    set.accept(0, &at(0.0));
    // 0.2 rad ahead now, where it was 5 rad; half of that after a tenth.
    assert!((torque(&set, 0.1) + 1.0).abs() < 1e-12);
    for k in 1..=40 {
        set.accept(0, &at(0.5 * f64::from(k)));
    }
    assert!((set.memory()[0] - 20.0).abs() < 1e-12, "{:?}", set.memory());
}

/// Zero-area faces and edges without length exert no force instead of an infinite one.
#[test]
fn collapsed_hinges_are_finite() {
    let on_a_line =
        [Vector3::zeros(), Vector3::x(), Vector3::x() * 2.0, Vector3::new(0.5, 1.0, 0.0)];
    let no_edge = [Vector3::zeros(), Vector3::zeros(), Vector3::y(), Vector3::z()];
    for x in [on_a_line, no_edge, [Vector3::zeros(); 4]] {
        let set = hinges();
        assert!(set.energy(0, &x).is_finite());
        assert!(set.gradient(0, &x).iter().all(|g| g.iter().all(|g| g.is_finite())));
        let K = flatten(&set.hessian(0, &x, Projection::Exact));
        assert!(K.iter().all(|k| k.is_finite()));
        let (set, x) = (curvatures(), [x[0], x[1], x[2], x[3], x[3], x[1]]);
        assert!(set.energy(0, &x).is_finite());
        assert!(set.gradient(0, &x).iter().all(|g| g.iter().all(|g| g.is_finite())));
        let K = flatten(&set.hessian(0, &x, Projection::Exact));
        assert!(K.iter().all(|k| k.is_finite()));
    }
}

fn dihedral_angle<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 12>) -> D {
    let e = |k: usize| -> [D; 3] { std::array::from_fn(|i| x[3 * k + i] - x[i]) };
    let cross = |a: &[D; 3], b: &[D; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: &[D; 3], b: &[D; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (e0, e1, e2) = (e(1), e(2), e(3));
    let (n0, n1) = (cross(&e0, &e1), cross(&e2, &e0));
    let (y, x) = (-dot(&e0, &e0).sqrt() * dot(&n0, &e2), dot(&n0, &n1));
    // Not the dual numbers' own atan2: it divides by x, which vanishes at a right angle.
    let half = if x.re().abs() > y.re().abs() { (y / x).atan() } else { -(x / y).atan() };
    half + (y.re().atan2(x.re()) - half.re())
}
