//! Energy, stress, stress change and tangent of every model agree with each other, with finite
//! differences, with dual numbers, and with Hooke.
//!
//! The dual-number oracle evaluates its own generic transcription of each formula, so a slip would have
//! to be made twice.
#![expect(non_snake_case, reason = "F as in the literature")]

use nalgebra::{Rotation3, SVector};
use num_dual::{DualNum, hessian};
use proptest::prelude::*;
use stiction::energy::{
    Corotated, ElasticDensity, Lame, Linear, MembraneDensity, MembraneModel, MembraneNeoHookean,
    MooneyRivlin, NeoHookean, OrthotropicStVenantKirchhoff, OrthotropicStiffness, SolidModel,
    StVenantKirchhoff, StableNeoHookean,
};
use stiction::math::{Matrix3, Matrix3x2, Matrix6, Matrix9};
use stiction_check::differences::assert_is_derivative;

const RUBBER: Lame = Lame { mu: 3.0e5, lambda: 2.0e6 };
const CLOTH: OrthotropicStiffness =
    OrthotropicStiffness { c00: 150.0, c11: 420.0, c01: 60.0, c22: 25.0 };
const SHEET: Lame = Lame { mu: 200.0, lambda: 300.0 };

/// Models defined for every `F`, inverted ones included.
fn everywhere() -> [SolidModel; 4] {
    [
        SolidModel::Linear(Linear::new(RUBBER)),
        SolidModel::Corotated(Corotated::new(RUBBER)),
        SolidModel::StVenantKirchhoff(StVenantKirchhoff::new(RUBBER)),
        SolidModel::StableNeoHookean(StableNeoHookean::new(RUBBER)),
    ]
}

/// Models defined for `J > 0` only.
fn upright() -> [SolidModel; 2] {
    [
        SolidModel::NeoHookean(NeoHookean::new(RUBBER)),
        SolidModel::MooneyRivlin(MooneyRivlin::new(RUBBER, 0.3)),
    ]
}

fn membranes() -> [MembraneModel; 2] {
    [
        MembraneModel::NeoHookean(MembraneNeoHookean::new(SHEET)),
        MembraneModel::OrthotropicStVenantKirchhoff(
            OrthotropicStVenantKirchhoff::from_stiffness(CLOTH).unwrap(),
        ),
    ]
}

fn matrix() -> impl Strategy<Value = Matrix3> {
    proptest::array::uniform9(-1.5..1.5_f64).prop_map(|m| Matrix3::from_row_slice(&m))
}

/// Well away from `J = 0`, where logarithms leave differences no room.
fn upright_matrix() -> impl Strategy<Value = Matrix3> {
    matrix().prop_filter_map("J too small", |F| {
        let F = if F.determinant() < 0.0 { -F } else { F };
        (F.determinant() > 0.3).then_some(F)
    })
}

fn sheet_matrix() -> impl Strategy<Value = Matrix3x2> {
    proptest::array::uniform6(-1.5..1.5_f64)
        .prop_map(|m| Matrix3x2::from_row_slice(&m))
        .prop_filter("area too small", |F| (F.transpose() * F).determinant() > 0.2)
}

#[track_caller]
fn check_solid(model: &SolidModel, F: &Matrix3, dF: &Matrix3, w: &Matrix3) {
    let P = model.stress(F);
    // A point-sized stable neo-Hookean element has neither stress nor stiffness.
    let scale = model.tangent(F).norm() + P.norm() + RUBBER.mu;
    assert_is_derivative(|t| model.value(&(F + dF * t)), P.dot(dF), scale);
    let dP = model.stress_change(F, dF);
    assert_is_derivative(|t| model.stress(&(F + dF * t)).dot(w), dP.dot(w), scale);
    check_tangent(model, F, dF);
}

/// The tangent is the stress change as a matrix.
#[track_caller]
fn check_tangent(model: &SolidModel, F: &Matrix3, dF: &Matrix3) {
    let (T, dP) = (model.tangent(F), model.stress_change(F, dF));
    let product = T * SVector::<f64, 9>::from_column_slice(dF.as_slice());
    let error = (product - SVector::<f64, 9>::from_column_slice(dP.as_slice())).norm();
    assert!(error <= 1e-13 * T.norm() * dF.norm(), "{model:?}: {error:e} of {:e}", T.norm());
    assert!((T - T.transpose()).norm() <= 1e-14 * T.norm());
}

/// Far enough from the jump of the nearest rotation for differences to work.
fn is_smooth_for(model: &SolidModel, F: &Matrix3) -> bool {
    let sigma = stiction::energy::SingularValues::new(F).sigma;
    !matches!(model, SolidModel::Corotated(_)) || sigma[1] + sigma[2] > 0.2
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn solid_derivatives_hold_for_any_matrix(F in matrix(), dF in matrix(), w in matrix()) {
        for model in everywhere() {
            if is_smooth_for(&model, &F) {
                check_solid(&model, &F, &(dF * 0.5), &w);
            }
        }
    }

    #[test]
    fn solid_derivatives_hold_upright(F in upright_matrix(), dF in matrix(), w in matrix()) {
        for model in upright() {
            check_solid(&model, &F, &(dF * 0.2), &w);
        }
    }

    #[test]
    fn membrane_derivatives_hold(F in sheet_matrix(), dF in sheet_matrix(), w in sheet_matrix()) {
        let dF = dF * 0.2;
        for model in membranes() {
            let (P, T) = (model.stress(&F), model.tangent(&F));
            let scale = T.norm() + P.norm();
            assert_is_derivative(|t| model.value(&(F + dF * t)), P.dot(&dF), scale);
            let dP = model.stress_change(&F, &dF);
            assert_is_derivative(|t| model.stress(&(F + dF * t)).dot(&w), dP.dot(&w), scale);
            let product = T * SVector::<f64, 6>::from_column_slice(dF.as_slice());
            let error = product - SVector::<f64, 6>::from_column_slice(dP.as_slice());
            prop_assert!(error.norm() < 1e-12 * T.norm());
            prop_assert!((T - T.transpose()).norm() < 1e-14 * T.norm());
        }
    }

    #[test]
    fn solid_tangents_equal_dual_numbers(F in upright_matrix()) {
        for model in everywhere().into_iter().chain(upright()) {
            check_against_dual_numbers(&model, &F);
        }
    }

    #[test]
    fn solid_tangents_equal_dual_numbers_when_inverted(F in upright_matrix()) {
        for model in everywhere() {
            if is_smooth_for(&model, &-F) {
                check_against_dual_numbers(&model, &-F);
            }
        }
    }

    #[test]
    fn membrane_tangents_equal_dual_numbers(F in sheet_matrix()) {
        for model in membranes() {
            let x = SVector::<f64, 6>::from_column_slice(F.as_slice());
            let (value, gradient, T): (f64, SVector<f64, 6>, Matrix6) = match model {
                MembraneModel::NeoHookean(_) => hessian(|x| membrane_neo_hookean(&x), &x),
                MembraneModel::OrthotropicStVenantKirchhoff(_) => hessian(|x| orthotropic(&x), &x),
            };
            let P = SVector::<f64, 6>::from_column_slice(model.stress(&F).as_slice());
            let scale = T.norm();
            prop_assert!((model.value(&F) - value).abs() < 1e-13 * scale);
            prop_assert!((P - gradient).norm() < 1e-13 * scale);
            prop_assert!((model.tangent(&F) - T).norm() < 1e-12 * scale);
        }
    }

    #[test]
    fn rotation_costs_nothing(F in upright_matrix(), axis_angle in matrix()) {
        let R = Rotation3::new(axis_angle.column(0));
        let rotates = |model: &SolidModel| !matches!(model, SolidModel::Linear(_));
        for model in everywhere().into_iter().chain(upright()).filter(rotates) {
            let change = model.value(&(R * F)) - model.value(&F);
            prop_assert!(change.abs() < 1e-12 * model.tangent(&F).norm(), "{model:?}");
        }
        let F = F.fixed_columns::<2>(0).into_owned();
        for model in membranes() {
            let change = model.value(&(R * F)) - model.value(&F);
            prop_assert!(change.abs() < 1e-12 * model.tangent(&F).norm(), "{model:?}");
        }
    }

    /// Isotropic models do not see how the rest shape was turned.
    #[test]
    fn isotropic_models_have_no_grain(F in upright_matrix(), axis_angle in matrix()) {
        let R = Rotation3::new(axis_angle.column(0));
        for model in everywhere().into_iter().chain(upright()).skip(1) {
            let change = model.value(&(F * R)) - model.value(&F);
            prop_assert!(change.abs() < 1e-12 * model.tangent(&F).norm(), "{model:?}");
        }
    }
}

/// A flat element, a needle, a point, and repeated stretches of either sign.
#[test]
fn derivatives_hold_for_degenerate_shapes() {
    let shapes = [
        Matrix3::from_diagonal(&[1.0, 1.0, 0.0].into()),
        Matrix3::from_diagonal(&[1.2, 0.0, 0.0].into()),
        Matrix3::zeros(),
        Matrix3::from_diagonal(&[1.0, 1.0, -0.5].into()),
        -Matrix3::identity(),
        Matrix3::identity() * 2.0,
        Rotation3::new(nalgebra::Vector3::new(0.3, 2.0, -1.0)).into_inner(),
    ];
    let dF = Matrix3::new(0.2, -0.1, 0.3, 0.5, 0.1, -0.2, -0.3, 0.4, 0.25);
    for F in shapes {
        for model in everywhere() {
            if is_smooth_for(&model, &F) {
                check_solid(&model, &F, &dF, &Matrix3::identity());
                check_solid(&model, &F, &dF.transpose(), &dF);
            }
        }
    }
}

#[test]
fn rest_is_free_of_stress_and_turning_it_too() {
    let R = Rotation3::new(nalgebra::Vector3::new(0.4, -1.1, 0.7)).into_inner();
    for model in everywhere().into_iter().chain(upright()) {
        assert!(model.stress(&Matrix3::identity()).norm() < 1e-15 * RUBBER.lambda * 10.0);
        if !matches!(model, SolidModel::Linear(_)) {
            assert!(model.stress(&R).norm() < 1e-14 * RUBBER.lambda, "{model:?}");
        }
    }
    for model in membranes() {
        assert!(model.stress(&Matrix3x2::identity()).norm() < 1e-12);
        assert!(model.stress(&R.fixed_columns::<2>(0).into()).norm() < 1e-12);
    }
}

/// At rest every tangent is Hooke's law exactly, for soft, stiff, auxetic and nearly
/// incompressible materials; so small strains obey it to first order.
#[test]
fn small_strain_obeys_hooke() {
    for nu in [-0.3, 0.0, 0.3, 0.49] {
        let lame = Lame::new(1e6, nu).unwrap();
        let hooke = Linear::new(lame).tangent(&Matrix3::identity());
        let models = [
            SolidModel::Corotated(Corotated::new(lame)),
            SolidModel::StVenantKirchhoff(StVenantKirchhoff::new(lame)),
            SolidModel::NeoHookean(NeoHookean::new(lame)),
            SolidModel::StableNeoHookean(StableNeoHookean::new(lame)),
            SolidModel::MooneyRivlin(MooneyRivlin::new(lame, 0.0)),
            SolidModel::MooneyRivlin(MooneyRivlin::new(lame, 0.2)),
            SolidModel::MooneyRivlin(MooneyRivlin::new(lame, 1.0)),
        ];
        for model in models {
            let error = (model.tangent(&Matrix3::identity()) - hooke).norm();
            assert!(error < 1e-13 * hooke.norm(), "{model:?}: {error:e}");
        }
        let strain = Matrix3::new(2.0, 1.0, 0.0, 1.0, -3.0, 0.5, 0.0, 0.5, 4.0) * 1e-6;
        let stress = models[0].stress(&(Matrix3::identity() + strain));
        let linear =
            strain * (2.0 * lame.mu) + Matrix3::identity() * (lame.lambda * strain.trace());
        assert!((stress - linear).norm() < 1e-4 * linear.norm());
    }
}

/// Pulled along the warp with the weft free, a sheet has Young's modulus `E_u` and narrows by `ν_uv`.
#[test]
fn small_membrane_strain_obeys_hooke() {
    let rest = Matrix3x2::identity();
    let isotropic = MembraneNeoHookean::new(Lame::plane_stress(500.0, 0.3).unwrap());
    let woven = OrthotropicStVenantKirchhoff::from_stiffness(CLOTH).unwrap();
    let moduli = CLOTH.moduli();
    for (T, E, nu) in [
        (isotropic.tangent(&rest), 500.0, 0.3),
        (woven.tangent(&rest), moduli.youngs_modulus_warp, moduli.poissons_ratio),
    ] {
        // Entries 0 and 4 of vec F are the two normal strains; no weft stress fixes the second.
        let weft_strain = -T[(4, 0)] / T[(4, 4)];
        assert!((weft_strain + nu).abs() < 1e-12);
        assert!((T[(0, 0)] + T[(0, 4)] * weft_strain - E).abs() < 1e-11 * E);
    }
}

#[test]
fn outside_its_domain_energy_is_infinite() {
    let inverted = Matrix3::from_diagonal(&[1.0, 1.0, -1.0].into());
    let flat = Matrix3::from_diagonal(&[1.0, 1.0, 0.0].into());
    for model in upright() {
        assert!(model.value(&inverted) == f64::INFINITY);
        assert!(model.value(&flat) == f64::INFINITY);
    }
    for model in everywhere() {
        assert!(model.value(&inverted).is_finite() && model.value(&flat).is_finite());
    }
    let needle = Matrix3x2::new(1.0, 2.0, 0.0, 0.0, 0.0, 0.0);
    assert!(membranes()[0].value(&needle) == f64::INFINITY);
}

#[track_caller]
fn check_against_dual_numbers(model: &SolidModel, F: &Matrix3) {
    let x = SVector::<f64, 9>::from_column_slice(F.as_slice());
    let (value, gradient, T): (f64, SVector<f64, 9>, Matrix9) = match model {
        SolidModel::Linear(_) => hessian(|x| linear(&x), &x),
        SolidModel::Corotated(_) => hessian(|x| corotated(&x), &x),
        SolidModel::StVenantKirchhoff(_) => hessian(|x| st_venant_kirchhoff(&x), &x),
        SolidModel::NeoHookean(_) => hessian(|x| neo_hookean(&x), &x),
        SolidModel::StableNeoHookean(_) => hessian(|x| stable_neo_hookean(&x), &x),
        SolidModel::MooneyRivlin(_) => hessian(|x| mooney_rivlin(&x), &x),
    };
    let P = SVector::<f64, 9>::from_column_slice(model.stress(F).as_slice());
    let scale = T.norm() + gradient.norm();
    assert!((model.value(F) - value).abs() < 1e-11 * scale, "{model:?} value");
    assert!((P - gradient).norm() < 1e-11 * scale, "{model:?} stress");
    let error = (model.tangent(F) - T).norm();
    assert!(error < 1e-9 * scale, "{model:?} tangent: {error:e} of {scale:e}");
}

// The formulas once more, generic in the number type. `x` is vec F.

fn columns<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> [[D; 3]; 3] {
    std::array::from_fn(|j| std::array::from_fn(|i| x[3 * j + i]))
}

fn dot<D: DualNum<Primitive = f64> + Copy>(a: &[D; 3], b: &[D; 3]) -> D {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross<D: DualNum<Primitive = f64> + Copy>(a: &[D; 3], b: &[D; 3]) -> [D; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `I₁`, `I₂`, `J`.
fn invariants<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> [D; 3] {
    let [a, b, c] = columns(x);
    let (bc, ca, ab) = (cross(&b, &c), cross(&c, &a), cross(&a, &b));
    [
        dot(&a, &a) + dot(&b, &b) + dot(&c, &c),
        dot(&bc, &bc) + dot(&ca, &ca) + dot(&ab, &ab),
        dot(&a, &bc),
    ]
}

fn linear<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> D {
    let F = columns(x);
    let (mut square, mut trace) = (D::from(0.0), D::from(0.0));
    for i in 0..3 {
        for j in 0..3 {
            let strain = (F[i][j] + F[j][i]) * 0.5 - if i == j { 1.0 } else { 0.0 };
            square += strain * strain;
            if i == j {
                trace += strain;
            }
        }
    }
    square * RUBBER.mu + trace * trace * (0.5 * RUBBER.lambda)
}

fn st_venant_kirchhoff<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> D {
    let F = columns(x);
    let (mut square, mut trace) = (D::from(0.0), D::from(0.0));
    for i in 0..3 {
        for j in 0..3 {
            let strain = (dot(&F[i], &F[j]) - if i == j { 1.0 } else { 0.0 }) * 0.5;
            square += strain * strain;
            if i == j {
                trace += strain;
            }
        }
    }
    square * RUBBER.mu + trace * trace * (0.5 * RUBBER.lambda)
}

fn neo_hookean<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> D {
    let [I1, _, J] = invariants(x);
    let log = J.ln();
    (I1 - 3.0) * (0.5 * RUBBER.mu) - log * RUBBER.mu + log * log * (0.5 * RUBBER.lambda)
}

fn stable_neo_hookean<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> D {
    let (mu, lambda) = (4.0 / 3.0 * RUBBER.mu, RUBBER.lambda + 5.0 / 6.0 * RUBBER.mu);
    let [I1, _, J] = invariants(x);
    let volume = J - (1.0 + 3.0 * mu / (4.0 * lambda));
    (I1 - 3.0 - (I1 + 1.0).ln()) * (0.5 * mu) + volume * volume * (0.5 * lambda)
}

fn mooney_rivlin<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> D {
    let (c10, c01) = (0.5 * RUBBER.mu * 0.7, 0.5 * RUBBER.mu * 0.3);
    let kappa = RUBBER.lambda + 2.0 / 3.0 * RUBBER.mu;
    let [I1, I2, J] = invariants(x);
    (I1 * J.powf(-2.0 / 3.0) - 3.0) * c10
        + (I2 * J.powf(-4.0 / 3.0) - 3.0) * c01
        + ((J * J - 1.0) * 0.5 - J.ln()) * (0.5 * kappa)
}

/// The sum of signed singular values is the largest root of
/// `t⁴ − 2I₁t² − 8Jt + I₁² − 4I₂ = 0`; Newton's iteration carries its derivatives along.
fn corotated<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 9>) -> D {
    let [I1, I2, J] = invariants(x);
    let mut t = D::from((3.0 * I1.re()).sqrt());
    for _ in 0..60 {
        let t2 = t * t;
        let p = t2 * t2 - I1 * t2 * 2.0 - J * t * 8.0 + I1 * I1 - I2 * 4.0;
        t -= p / (t2 * t * 4.0 - I1 * t * 4.0 - J * 8.0);
    }
    let volume = J - 1.0;
    (I1 - t * 2.0 + 3.0) * RUBBER.mu + volume * volume * (0.5 * RUBBER.lambda)
}

fn metric<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 6>) -> [D; 3] {
    let (u, v) = ([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
    [dot(&u, &u), dot(&v, &v), dot(&u, &v)]
}

fn membrane_neo_hookean<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 6>) -> D {
    let [a, b, c] = metric(x);
    let log = (a * b - c * c).ln();
    ((a + b - 2.0 - log) * SHEET.mu + log * log * (0.25 * SHEET.lambda)) * 0.5
}

fn orthotropic<D: DualNum<Primitive = f64> + Copy>(x: &SVector<D, 6>) -> D {
    let [a, b, c] = metric(x);
    let (e0, e1) = ((a - 1.0) * 0.5, (b - 1.0) * 0.5);
    (e0 * e0 * CLOTH.c00 + e1 * e1 * CLOTH.c11 + e0 * e1 * (2.0 * CLOTH.c01) + c * c * CLOTH.c22)
        * 0.5
}
