//! Zones in the linear algebra of a stage: with Woodbury's identity, without a matrix, by Krylov methods, they are one.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::iterative::{Iterative, Request};
use super::matrix_free::Jacobian;
use super::set::ContactSet;
use crate::Scene;
use crate::body::{Cloth, Solid, Zone};
use crate::element::Projection;
use crate::energy::VolumeModel;
use crate::material::Material;
use crate::math::Vector3;
use crate::mesh::{Selection, generate};
use crate::method::linear::{Linear, Near, Outcome, Symmetry, Updated};
use crate::model::{Meter, Model, Weights};
use crate::solve::low_rank::LowRankOperator;
use crate::solve::{BlockMatrix, LinearOperator};

/// A hollow ball full of liquid, and a ball of cloth with a hole full of gas; some of both is held in part.
fn filled(pressure: f64) -> (Model, Vec<f64>) {
    let mut scene = Scene::new();
    let ball = generate::hollow_ball(0.06, 0.1, 0.05).expect("valid");
    let ball = scene.add(Solid::new(ball).material(Material::JELLY));
    let mut bag = generate::ball(0.1, 0.05).expect("valid").boundary().surface.into_soup();
    bag.elements.retain(|t| !t.contains(&0));
    let bag = bag.without_unused_vertices().build().expect("valid");
    let bag = scene.add(Cloth::new(bag).at([0.5, 0.0, 0.0]));
    let above = |z| Selection::HalfSpace { point: Vector3::z() * z, normal: Vector3::z() };
    scene.pin(ball, above(0.09));
    scene.pin(bag, above(0.07)).axes([true, false, true]);
    let liquid = VolumeModel::NearlyIncompressible { compressibility: 0.01 };
    scene.zone(Zone::cavity(ball).model(liquid).gauge_pressure(pressure));
    scene.zone(Zone::inside(bag).filling_holes().gauge_pressure(pressure));
    let (model, mut q, _) = Model::new(&scene, &[]).expect("valid");
    for (k, q) in q.iter_mut().enumerate() {
        *q += 5e-4 * (1.7 * k as f64).sin();
    }
    (model, q)
}

fn dense(operator: &impl LinearOperator) -> DMatrix<f64> {
    let n = operator.dimension();
    let mut matrix = DMatrix::zeros(n, n);
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        operator.apply(&unit, matrix.column_mut(j).as_mut_slice());
    }
    matrix
}

fn fill(model: &mut Model, q: &[f64], weights: Weights) {
    model.fill_jacobian(q, weights, Projection::Exact);
    model.finish_jacobian(0.0, None);
}

#[test]
fn dense_woodbury_and_matrix_free_solves_are_one() {
    let (mut model, q) = filled(100.0);
    let weights = Weights { mass: 1.0, stiffness: 1e-4, damping: 0.0, contact: 0.0, position: 1.0 };
    fill(&mut model, &q, weights);
    let points: Vec<Vector3> =
        model.rows.free_nodes().iter().map(|&node| model.start[node as usize]).collect();
    let update = model.zones.update().clone();
    assert_eq!(update.rank_bound(), 2 + 6, "two zones and a hole");
    let by_matrix = dense(&LowRankOperator::new(&model.jacobian, &update));
    let matrix = model.jacobian.clone();
    let still = vec![0.0; q.len()];
    let free = Jacobian::new(&model, &mut ContactSet::default(), &q, &still, weights);
    let by_elements = dense(&free);
    let scale = by_matrix.amax();
    assert!((&by_matrix - &by_elements).amax() < 1e-13 * scale);
    let sparse = dense(&matrix);
    assert!((&by_matrix - sparse).norm() > 0.1 * by_matrix.norm(), "the update is not small");
    let diagonal = free.diagonal();
    for row in 0..diagonal.size() {
        let block = by_matrix.fixed_view::<3, 3>(3 * row, 3 * row);
        assert!((block - diagonal.block(row, row)).amax() < 1e-13 * scale);
    }

    let r: Vec<f64> = (0..by_matrix.nrows()).map(|k| (0.9 * k as f64).cos()).collect();
    let exact = by_matrix.clone().lu().solve(&(-DVector::from_vec(r.clone()))).expect("regular");
    let sum = Updated { matrix: &matrix, update: &update };
    let (mut linear, mut meter) = (Linear::default(), Meter::default());
    let near = |p: &[f64], what: &str| {
        let off = (DVector::from_column_slice(p) - &exact).norm() / exact.norm();
        assert!(off < 1e-10, "{what}: {off:e}");
    };
    let mut p = vec![0.0; r.len()];
    let outcome = linear.definite(sum, &points, &r, &mut p, &mut meter);
    assert_eq!(outcome, Outcome::Solved);
    near(&p, "Cholesky and Woodbury");
    // Near nothing that could be factorised: down to the last resort.
    let nothing = BlockMatrix::zeros(Arc::clone(sum.matrix.pattern()));
    let symmetry = Symmetry::Near(Near { matrix: &nothing, accuracy: 1e-6, definite: false });
    linear.regular(sum, &points, symmetry, &r, &mut p, &mut meter).expect("regular");
    near(&p, "LU and Woodbury");
    let weights: Vec<f64> = (0..r.len()).map(|k| 1.0 + 0.5 * (k as f64).sin()).collect();
    let request = Request { r: &r, weights: &weights, tolerance: 1e-13 };
    let mut iterative = Iterative::default();
    let start = || vec![0.0; r.len()];
    let mut p = start();
    iterative.matrix_free(&free, &diagonal, request, &mut p, &mut meter).expect("finite");
    near(&p, "matrix-free");
    let mut p = start();
    iterative.regular(sum, request, &mut p, &mut meter).expect("finite");
    near(&p, "GMRES");
    let mut p = start();
    let outcome = iterative.definite(sum, &r, 1e-13, &mut p, &mut meter);
    assert_eq!(outcome, Outcome::Solved);
    near(&p, "conjugate gradients");
}

/// Pressure so high that the sparse part is indefinite: the update decides.
#[test]
fn definiteness_is_judged_with_the_update() {
    let (mut model, q) = filled(4e3);
    let points: Vec<Vector3> =
        model.rows.free_nodes().iter().map(|&node| model.start[node as usize]).collect();
    let (mut rescued, mut refused) = (0, 0);
    for stiffness in [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0] {
        let weights = Weights { mass: 1.0, stiffness, damping: 0.0, contact: 0.0, position: 1.0 };
        fill(&mut model, &q, weights);
        let update = model.zones.update().clone();
        let lowest = |m: DMatrix<f64>| m.symmetric_eigenvalues().min();
        let with = lowest(dense(&LowRankOperator::new(&model.jacobian, &update)));
        let without = lowest(dense(&model.jacobian));
        let sum = Updated { matrix: &model.jacobian, update: &update };
        let (mut linear, mut meter) = (Linear::default(), Meter::default());
        let r = vec![1.0; 3 * points.len()];
        let mut p = r.clone();
        let outcome = linear.definite(sum, &points, &r, &mut p, &mut meter);
        assert_eq!(outcome == Outcome::Solved, with > 0.0, "{with:e} with, {without:e} without");
        rescued += usize::from(with > 0.0 && without < 0.0);
        refused += usize::from(with < 0.0);
    }
    assert!(refused > 0, "{rescued} rescued, {refused} refused");
}
