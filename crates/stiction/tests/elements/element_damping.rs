//! Stiffness-proportional damping dissipates, but leaves rigid motions alone.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use proptest::prelude::*;
use stiction::body::Solid;
use stiction::element::{
    CurvatureSet, ElementSet, Hessian, HingeSet, Projection, RestAngles, Spring, SpringSet,
    TetrahedronSet, TriangleSet,
};
use stiction::energy::Lame;
use stiction::material::{Damping, Fabric, Material};
use stiction::math::Vector3;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn dense<const N: usize>(blocks: &Hessian<N>) -> DMatrix<f64> {
    DMatrix::from_fn(3 * N, 3 * N, |i, j| blocks[i / 3][j / 3][(i % 3, j % 3)])
}

/// Symmetric, positive semi-definite, zero on rigid motions.
#[track_caller]
fn assert_damps_only_deformation<const N: usize>(set: &impl ElementSet<N>, x: &[Vector3; N]) {
    let damping = dense(&set.damping(0, x));
    let scale = dense(&set.hessian(0, x, Projection::Exact)).amax();
    assert!((&damping - damping.transpose()).amax() < 1e-11 * scale, "symmetric");
    assert!(SymmetricEigen::new(damping.clone()).eigenvalues.min() > -1e-10 * scale, "positive");
    for k in 0..3 {
        let axis = Vector3::ith(k, 1.0);
        let rotation =
            DVector::from_iterator(3 * N, x.iter().flat_map(|x| axis.cross(x).data.0[0]));
        let translation = DVector::from_iterator(3 * N, x.iter().flat_map(|_| axis.data.0[0]));
        let size = rotation.amax().max(1.0);
        assert!((&damping * rotation).amax() < 1e-10 * scale * size, "rotation about axis {k}");
        assert!((&damping * translation).amax() < 1e-10 * scale, "translation along axis {k}");
    }
}

fn points<const N: usize>() -> impl Strategy<Value = [Vector3; N]> {
    proptest::collection::vec(proptest::array::uniform3(-1.0..1.0_f64), N)
        .prop_map(|points| std::array::from_fn(|a| Vector3::from(points[a])))
}

const CORNERS: [Vector3; 4] = [
    Vector3::new(0.0, 0.0, 0.0),
    Vector3::new(1.0, 0.0, 0.0),
    Vector3::new(0.0, 1.0, 0.0),
    Vector3::new(0.0, 0.0, 1.0),
];

proptest! {
    #[test]
    fn solids_damp_only_deformation(x in points::<4>()) {
        let set = TetrahedronSet::new(Material::RUBBER.model(), &CORNERS, &[[0, 1, 2, 3]]).unwrap();
        assert_damps_only_deformation(&set, &x);
    }

    #[test]
    fn membranes_damp_only_deformation(x in points::<3>()) {
        let model = Fabric::COTTON.model();
        let set = TriangleSet::from_rest_positions(model, &CORNERS, &[[0, 1, 2]], Vector3::x()).unwrap();
        assert_damps_only_deformation(&set, &x);
    }

    #[test]
    fn springs_damp_only_along_themselves(x in points::<2>()) {
        let set = SpringSet::new(vec![Spring { stiffness: 3.0, rest_length: 0.7 }]);
        prop_assume!((x[1] - x[0]).norm() > 1e-3);
        assert_damps_only_deformation(&set, &x);
    }
}

#[test]
fn hinges_damp_only_bending() {
    let rest = [CORNERS[0], CORNERS[1], Vector3::new(0.4, -0.8, 0.0), Vector3::new(0.5, 0.7, 0.0)];
    let set = HingeSet::new(0.1, &rest, &[[0, 1, 2, 3]], RestAngles::Flat).unwrap();
    let bent = [rest[0], rest[1], rest[2] + Vector3::z() * 0.4, rest[3] + Vector3::z() * 0.2];
    assert_damps_only_deformation(&set, &bent);
    let rest = [rest[0], rest[1], rest[3], rest[2], rest[3] + rest[1], rest[3] - rest[1]];
    let patch = [0, 1, 2, 3, 4, 5];
    let set = CurvatureSet::new(0.1, 0.3, &rest, &[patch], RestAngles::Flat).unwrap();
    let bent = rest.map(|x| x + Vector3::z() * (0.3 * x.x * x.x - 0.5 * x.x * x.y));
    assert_damps_only_deformation(&set, &bent);
}

/// Rayleigh damping as textbooks have it: at rest nothing is taken away from the stiffness.
#[test]
fn at_rest_damping_is_the_stiffness() {
    let model = stiction::energy::StableNeoHookean::new(Lame::new(1e5, 0.3).unwrap());
    let set = TetrahedronSet::new(model, &CORNERS, &[[0, 1, 2, 3]]).unwrap();
    let stiffness = dense(&set.hessian(0, &CORNERS, Projection::Exact));
    let difference = dense(&set.damping(0, &CORNERS)) - &stiffness;
    assert!(difference.amax() < 1e-12 * stiffness.amax());
}

/// The share of its angular momentum that a free spinning block has lost after half a second.
fn lost(material: Material, damping: Damping, spin: [f64; 3], time_step: f64) -> f64 {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let material = material.with_damping(damping).unwrap();
    let block = Solid::cuboid([0.1, 0.1, 0.2], [2, 2, 4]).unwrap().material(material);
    scene.add(block.spin(spin));
    let settings = Settings {
        time_step,
        method: SmoothSettings { integrator: Integrator::TR_BDF2, ..Default::default() }.into(),
        ..Settings::default()
    };
    let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
    let (_, start) = simulation.momentum();
    while simulation.time() < 0.5 - 0.5 * time_step {
        assert!(simulation.step().converged());
    }
    (simulation.momentum().1 - start).norm() / start.norm()
}

/// A spinning jelly bulges and is under stress, and goes on spinning.
#[test]
fn a_damped_body_keeps_its_angular_momentum() {
    let free = lost(Material::JELLY, Damping::NONE, [8.0, 0.0, 3.0], 0.005);
    let damping = Damping { mass: 0.0, stiffness: 0.01 };
    let damped = lost(Material::JELLY, damping, [8.0, 0.0, 3.0], 0.005);
    assert!(damped < 2.0 * free + 1e-4, "loses {damped:.1e}; {free:.1e} without damping");
}

/// Stiff and nearly incompressible, a tenth of a radian a step: predicted positions are under great stress.
#[test]
fn a_stiff_body_that_turns_far_each_step_keeps_its_angular_momentum() {
    let damping = Damping { mass: 0.0, stiffness: 1e-3 };
    let lost = lost(Material::RUBBER, damping, [0.0, 10.0, 0.0], 0.01);
    assert!(lost < 0.01, "loses {lost:.1e}");
}
