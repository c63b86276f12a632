//! Projected tangents: positive semi-definite, equal to the exact one where that already is, and
//! equal to a dense eigenvalue clamp everywhere.
#![expect(non_snake_case, reason = "F as in the literature")]

use nalgebra::{Rotation3, SMatrix};
use proptest::prelude::*;
use stiction::energy::projection::{clamp_dense, eigen_symmetric, is_positive};
use stiction::energy::{
    Corotated, ElasticDensity, Lame, Linear, MembraneDensity, MembraneModel, MembraneNeoHookean,
    MooneyRivlin, NeoHookean, OrthotropicStVenantKirchhoff, OrthotropicStiffness, SingularValues,
    SolidModel, StVenantKirchhoff, StableNeoHookean,
};
use stiction::math::{Matrix3, Matrix3x2, Vector3};

fn models(lame: Lame) -> [SolidModel; 6] {
    [
        SolidModel::NeoHookean(NeoHookean::new(lame)),
        SolidModel::MooneyRivlin(MooneyRivlin::new(lame, 0.3)),
        SolidModel::Linear(Linear::new(lame)),
        SolidModel::Corotated(Corotated::new(lame)),
        SolidModel::StVenantKirchhoff(StVenantKirchhoff::new(lame)),
        SolidModel::StableNeoHookean(StableNeoHookean::new(lame)),
    ]
}

/// The first two models need `J > 0`.
fn models_for(F: &Matrix3, lame: Lame) -> Vec<SolidModel> {
    let skip = if F.determinant() > 0.05 { 0 } else { 2 };
    models(lame).into_iter().skip(skip).collect()
}

fn membranes() -> [MembraneModel; 2] {
    let stiffness = OrthotropicStiffness { c00: 150.0, c11: 420.0, c01: 60.0, c22: 25.0 };
    [
        MembraneModel::NeoHookean(MembraneNeoHookean::new(Lame { mu: 200.0, lambda: 300.0 })),
        MembraneModel::OrthotropicStVenantKirchhoff(
            OrthotropicStVenantKirchhoff::from_stiffness(stiffness).unwrap(),
        ),
    ]
}

fn lame() -> impl Strategy<Value = Lame> {
    (0.0..0.49_f64).prop_map(|nu| Lame::new(1e5, nu).unwrap())
}

/// Rotations times stretches between `-1` and `2`, a good part of them repeated or zero.
fn matrix() -> impl Strategy<Value = Matrix3> {
    let stretch = prop_oneof![3 => -1.0..2.0_f64, 1 => Just(1.0), 1 => Just(0.5), 1 => Just(0.0)];
    let angles = proptest::array::uniform3(-3.0..3.0_f64);
    (proptest::array::uniform3(stretch), angles.clone(), angles).prop_map(|(s, a, b)| {
        Rotation3::new(Vector3::from(a))
            * Matrix3::from_diagonal(&s.into())
            * Rotation3::new(Vector3::from(b)).into_inner()
    })
}

/// Crumpled triangles included.
fn sheet_matrix() -> impl Strategy<Value = Matrix3x2> {
    let stretch = prop_oneof![3 => 0.05..2.0_f64, 1 => Just(1.0), 1 => Just(0.3)];
    (stretch.clone(), stretch, proptest::array::uniform3(-3.0..3.0_f64), -3.0..3.0_f64).prop_map(
        |(s0, s1, a, turn)| {
            let (sin, cos) = turn.sin_cos();
            Rotation3::new(Vector3::from(a))
                * Matrix3x2::new(s0, 0.0, 0.0, s1, 0.0, 0.0)
                * nalgebra::Matrix2::new(cos, -sin, sin, cos)
        },
    )
}

fn least_eigenvalue<const N: usize>(T: &SMatrix<f64, N, N>) -> f64 {
    eigen_symmetric(T).0.into_iter().fold(f64::INFINITY, f64::min)
}

#[track_caller]
fn check_projection<const N: usize>(
    exact: &SMatrix<f64, N, N>,
    projected: &SMatrix<f64, N, N>,
    name: &dyn std::fmt::Debug,
) {
    let scale = exact.norm();
    let twin = (projected - clamp_dense(exact)).norm();
    assert!(twin <= 1e-10 * scale, "{name:?}: {twin:e} from the dense clamp, of {scale:e}");
    assert!(least_eigenvalue(projected) >= -2e-12 * scale, "{name:?}: not positive");
    if least_eigenvalue(exact) > 1e-11 * scale {
        assert_eq!(exact, projected, "{name:?}: changed a positive matrix");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn projection_equals_the_dense_clamp(F in matrix(), lame in lame()) {
        for model in models_for(&F, lame) {
            check_projection(&model.tangent(&F), &model.projected_tangent(&F), &model);
        }
    }

    /// The closed form does not lean on the Cholesky test before it.
    #[test]
    fn negative_modes_are_eigenpairs(F in matrix(), lame in lame()) {
        for model in models_for(&F, lame) {
            let T = model.tangent(&F);
            let mut lifted = T;
            model.negative_modes(&F).lift(&mut lifted);
            prop_assert!((lifted - clamp_dense(&T)).norm() <= 1e-10 * T.norm(), "{model:?}");
        }
    }

    #[test]
    fn membrane_projection_equals_the_dense_clamp(F in sheet_matrix()) {
        for model in membranes() {
            let T = model.tangent(&F);
            check_projection(&T, &model.projected_tangent(&F), &model);
            let mut lifted = T;
            model.negative_modes(&F).lift(&mut lifted);
            prop_assert!((lifted - clamp_dense(&T)).norm() <= 1e-10 * T.norm(), "{model:?}");
        }
    }

    #[test]
    fn singular_values_reproduce_the_matrix(F in matrix()) {
        let SingularValues { U, sigma, V } = SingularValues::new(&F);
        let product = U * Matrix3::from_diagonal(&sigma) * V.transpose();
        prop_assert!((product - F).norm() < 1e-14);
        for R in [U, V] {
            prop_assert!((R.transpose() * R - Matrix3::identity()).norm() < 1e-14);
            prop_assert!(R.determinant() > 0.0);
        }
        prop_assert!(sigma[0] >= sigma[1] && sigma[1] >= sigma[2].abs() - 1e-15);
    }

    #[test]
    fn dense_eigenpairs_reproduce_the_matrix(entries in proptest::array::uniform32(-1.0..1.0_f64)) {
        let A = SMatrix::<f64, 5, 5>::from_column_slice(&entries[..25]);
        let A = A + A.transpose();
        let (values, V) = eigen_symmetric(&A);
        let D = SMatrix::<f64, 5, 5>::from_diagonal(&values.into());
        prop_assert!((V * D * V.transpose() - A).norm() < 1e-13);
        prop_assert!((V.transpose() * V - SMatrix::identity()).norm() < 1e-13);
    }
}

/// Stretched elements need no projection, squeezed ones do: the test cases reach both branches.
#[test]
fn squeezing_makes_tangents_indefinite() {
    let lame = Lame::new(1e5, 0.3).unwrap();
    for model in models(lame) {
        assert!(is_positive(&model.tangent(&Matrix3::identity())), "{model:?} at rest");
        let squeezed = Matrix3::from_diagonal(&[1.0, 1.0, 0.6].into());
        let stays = matches!(model, SolidModel::Linear(_));
        assert_eq!(is_positive(&model.tangent(&squeezed)), stays, "{model:?} squeezed");
        assert_eq!(model.negative_modes(&squeezed).is_empty(), stays);
    }
}

/// Zero, NaN and infinite tangents end in finite time and do not count as positive by accident.
#[test]
fn broken_matrices_are_handled() {
    assert!(is_positive(&Matrix3::zeros()));
    assert!(!is_positive(&Matrix3::from_element(f64::NAN)));
    assert!(!is_positive(&Matrix3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)));
    let (values, _) = eigen_symmetric(&Matrix3::from_element(f64::NAN));
    assert!(values.iter().any(|value| value.is_nan()));
    assert!(SingularValues::new(&Matrix3::from_element(f64::NAN)).sigma.iter().any(|s| s.is_nan()));
}

/// Singular values eighteen orders of magnitude apart, and matrices near the ends of the number range.
#[test]
fn singular_values_survive_extreme_scales() {
    let F = Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0);
    let expected = SingularValues::new(&F).sigma;
    for scale in [1e-60, 1e60] {
        let sigma = SingularValues::new(&(F * scale)).sigma / scale;
        assert!((sigma - expected).norm() < 1e-14 * expected.norm());
    }
    let graded = Matrix3::from_diagonal(&[1.0, 1e-9, -1e-18].into());
    let R = Rotation3::new(Vector3::new(0.5, 0.2, -0.9)).into_inner();
    let sigma = SingularValues::new(&(R * graded)).sigma;
    assert!((sigma[1] - 1e-9).abs() < 1e-24 && (sigma[2] + 1e-18).abs() < 1e-32, "{sigma:?}");
}
