//! One contact: the vectors of `docs/theory/reference-values.md`, "One contact", and all solvers against each other.

use super::problems::{Random, one_contact_vectors};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::maps::fischer_burmeister_cone;
use stiction::solve::complementarity::cone::one_contact::{
    LocalSolver, Prepared, newton, quartic_slides, real_roots,
};
use stiction::solve::complementarity::cone::projection::{
    project_cone, project_cone_derivative, project_disc, project_polar,
};
use stiction::solve::complementarity::cone::{ContactLaw, Map, Model};

const MAPS: [Map; 3] = [Map::Natural, Map::AlartCurnier, Map::FischerBurmeister];

fn solvers() -> Vec<LocalSolver> {
    let mut all = vec![LocalSolver::Enumeration, LocalSolver::Quartic];
    all.extend(MAPS.map(LocalSolver::Newton));
    all
}

#[test]
fn every_local_solver_finds_the_known_vectors() {
    let (w, cases) = one_contact_vectors();
    // There r = W u + d; here u = W⁻¹ r − W⁻¹ d.
    let inverse = w.try_inverse().unwrap();
    for (mu, d, u, r) in cases {
        let q = -(inverse * Vector3::from(d));
        let prepared = Prepared::new(inverse, mu, Model::Coulomb).unwrap();
        for solver in solvers() {
            let found = prepared.solve_by(solver, q, Vector3::zeros());
            let velocity = inverse * found + q;
            assert!((found - Vector3::from(r)).norm() < 1e-10, "{solver:?} mu {mu}: {found}");
            assert!((velocity - Vector3::from(u)).norm() < 1e-10, "{solver:?} mu {mu}: {velocity}");
        }
        // Newton alone, without the enumeration that would step in.
        for map in MAPS {
            let found = newton(map, prepared.law(), &inverse, q, Vector3::zeros()).unwrap();
            assert!((found - Vector3::from(r)).norm() < 1e-10, "{map:?} mu {mu}: {found}");
        }
    }
}

#[test]
fn fischer_burmeister_has_the_known_values() {
    let (x, y) = (Vector3::new(1.2, 0.5, -0.3), Vector3::new(0.7, -0.4, 0.9));
    let (f, by_x, by_y) = fischer_burmeister_cone(x, y);
    assert!((f - Vector3::new(0.115354359155, -0.079307304866, 0.448709461520)).norm() < 1e-11);
    #[rustfmt::skip]
    let (expected_x, expected_y) = (
        Matrix3::new(0.329916358, -0.216348669, 0.229060906,
            -0.212842874, 0.349334637, -0.023014257, 0.224905889, 0.018340620, 0.308179327),
        Matrix3::new(0.621455712, 0.268177249, -0.479334181,
            0.262167315, 0.580820908, 0.048159768, -0.472211296, -0.022734306, 0.648400075),
    );
    assert!((by_x - expected_x).amax() < 1e-9 && (by_y - expected_y).amax() < 1e-9);
    let law = ContactLaw { mu: 0.3, model: Model::Coulomb, mass: 1.0 };
    let value = Map::FischerBurmeister.value(
        &law,
        Vector3::new(1.0, 0.2, -0.1),
        Vector3::new(0.05, 0.3, 0.1),
    );
    assert!((value - Vector3::new(0.098340331552, 0.079228720188, 0.004031392081)).norm() < 1e-11);
}

#[test]
fn derivatives_of_maps_are_their_differences() {
    let mut random = Random(1);
    for map in MAPS {
        for k in 0..300 {
            let model = [Model::Coulomb, Model::Associated][k % 2];
            let mu = [0.0, 0.3, 1.5][k % 3];
            let law = ContactLaw { mu, model, mass: 0.7 };
            let (r, u) = (random.vector() + Vector3::x(), random.vector());
            let at = map.linearise(&law, r, u);
            assert!((at.value - map.value(&law, r, u)).norm() < 1e-14);
            let (dr, du) = (random.vector(), random.vector());
            let h = 1e-6;
            let difference = (map.value(&law, r + dr * h, u + du * h)
                - map.value(&law, r - dr * h, u - du * h))
                / (2.0 * h);
            let error = (difference - at.by_impulse * dr - at.by_velocity * du).norm();
            assert!(error < 1e-7, "{map:?} {model:?} mu {mu}: {error:e}");
        }
    }
}

#[test]
fn projections_split_any_vector_into_orthogonal_parts() {
    let mut random = Random(2);
    for _ in 0..300 {
        let mu = 2.0 * random.uniform();
        let z = random.vector();
        let (inside, polar) = (project_cone(mu, z), project_polar(mu, z));
        assert!(inside.y.hypot(inside.z) <= mu * inside.x + 1e-14);
        assert!(mu * polar.y.hypot(polar.z) <= -polar.x + 1e-14);
        assert!(inside.dot(&polar).abs() < 1e-13);
        let h = random.vector() * 1e-6;
        let change = project_cone(mu, z + h) - project_cone(mu, z - h);
        assert!((change - project_cone_derivative(mu, z) * h * 2.0).norm() < 1e-10);
        let disc = project_disc(mu, z.yz());
        assert!(disc.norm() <= mu + 1e-14);
    }
    for push in [-1.0, 2.0] {
        let along = Vector3::x() * push;
        assert_eq!(project_cone(0.0, along), Vector3::x() * push.max(0.0));
    }
}

/// A random symmetric positive definite block with a given spread of eigenvalues.
fn block(random: &mut Random, spread: f64) -> Matrix3 {
    let q = random.frame();
    let d = Vector3::from_fn(|_, _| spread.powf(random.uniform() - 0.5));
    q.transpose() * Matrix3::from_diagonal(&d) * q
}

#[test]
fn every_local_solver_solves_random_contacts() {
    let mut random = Random(3);
    for k in 0..3000 {
        let mu = [0.05, 0.3, 0.6, 1.0, 5.0][k % 5];
        let model = [Model::Coulomb, Model::Associated][k / 5 % 2];
        let w = block(&mut random, 100.0);
        let q = random.vector();
        let prepared = Prepared::new(w, mu, model).unwrap();
        for solver in solvers() {
            let r = prepared.solve_by(solver, q, Vector3::zeros());
            let residual = prepared.law().natural(r, w * r + q).norm();
            let tolerance = if solver == LocalSolver::Quartic { 1e-9 } else { 1e-11 };
            assert!(residual < tolerance, "{solver:?} {model:?} mu {mu}: {residual:e}\n{w}{q}");
        }
        if model == Model::Associated {
            // Convex: one solution.
            let a = prepared.solve(q);
            for map in MAPS {
                if let Some(b) = newton(map, prepared.law(), &w, q, Vector3::zeros()) {
                    assert!((a - b).norm() < 1e-8 * (1.0 + a.norm()), "{map:?} mu {mu}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn newton_alone_seldom_fails() {
    let mut random = Random(4);
    for map in MAPS {
        let mut failed = 0;
        for _ in 0..1000 {
            let w = block(&mut random, 10.0);
            let law = ContactLaw { mu: 0.6, model: Model::Coulomb, mass: 3.0 / w.trace() };
            failed +=
                usize::from(newton(map, &law, &w, random.vector(), Vector3::zeros()).is_none());
        }
        assert!(failed < 20, "{map:?} failed {failed} times in 1000");
    }
}

#[test]
fn large_friction_can_slide_in_several_ways_and_all_are_found() {
    let mut random = Random(5);
    let mut several = 0;
    for _ in 0..20_000 {
        let w = block(&mut random, 1000.0);
        let q = random.vector();
        let slides = quartic_slides(&w, q, 3.0);
        for r in &slides {
            let u = w * r + q;
            assert!(u.x.abs() < 1e-7 * (1.0 + r.norm()) && u.yz().dot(&r.yz()) <= 1e-9);
        }
        several += usize::from(slides.len() > 1);
    }
    assert!(several > 0);
}

#[test]
fn roots_of_polynomials_are_all_found() {
    // (x − 1)(x − 2)(x + 3)(x − 0.5)
    let roots = real_roots(&[-3.0, 9.5, -7.0, -0.5, 1.0].map(|c| c * 2.0));
    for (found, expected) in roots.iter().zip([-3.0, 0.5, 1.0, 2.0]) {
        assert!((found - expected).abs() < 1e-12, "{roots:?}");
    }
    assert_eq!(roots.len(), 4);
    assert!(real_roots(&[1.0, 0.0, 1.0]).is_empty() && real_roots(&[0.0, 0.0]).is_empty());
}

#[test]
fn singular_blocks_are_solved_by_increments() {
    // No mobility along the second tangent.
    let w = Matrix3::from_diagonal(&Vector3::new(2.0, 1.0, 0.0));
    let prepared = Prepared::new(w, 0.5, Model::Coulomb).unwrap();
    let q = Vector3::new(-1.0, 0.1, 0.2);
    let mut r = Vector3::zeros();
    for _ in 0..50 {
        let u = w * r + q;
        r = prepared.solve(u - prepared.block() * r);
    }
    let residual = prepared.law().natural(r, w * r + q).norm();
    assert!(residual < 1e-12, "{residual:e}");
    assert!(Prepared::new(Matrix3::zeros(), 0.5, Model::Coulomb).is_none());
    assert!(Prepared::new(w * f64::NAN, 0.5, Model::Coulomb).is_none());
}
