//! Friction laws against the vectors of `docs/theory/reference-values.md`, "Anchored friction", and their derivatives
//! against differences.

use stiction::contact::parallel_transport::ParallelTransport;
use stiction::math::{Matrix3, Vector3};
use stiction::method::smooth::law::{
    Anchored, Coefficients, Corner, Elliptic, Normal, Profile, Smoothed, Viscous,
};
use stiction::method::smooth::penalty::{Penalty, Push};

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}: {a}, should be {b}");
}

/// Scalar law: μ = 0.3, k = 2e4, τ = 0.01, β = 0.005.
#[test]
fn scalar_law_reproduces_the_vectors() {
    let rows = [
        // w, ŝ, u, λ, t, ∂t/∂u, ∂t/∂λ, s, Δp
        [0.0, 1.2, 0.001, 10.0, 1.5, 300.0, 0.0, 1.3, 0.0],
        [0.0, 1.2, 0.02, 10.0, 3.0, 0.0, 0.3, 1.8, 7e-5],
        [0.0, -2.5, -0.0005, 10.0, -2.65, 300.0, 0.0, -2.55, 0.0],
        [0.0, 2.0, 0.003, 8.0, 2.4, 0.0, 0.3, 2.133333333333333, 8.333333333333e-6],
        [
            0.1,
            2.9,
            0.0,
            10.0,
            2.866666666666667,
            200.0,
            0.09333333333333,
            2.888888888888889,
            5.555555555556e-7,
        ],
    ];
    let beta = 0.005;
    let along = Vector3::x();
    for [w, s_hat, u, lambda, t, by_u, by_lambda, s, plastic] in rows {
        let law = Anchored {
            coefficient: 0.3,
            compliance: 1.0 / 6e4,
            elastic_share: 2e4 / 6e4,
            scaling: 6e4,
            corner: Corner(w),
        };
        let (slip, memory) = (along * (beta * u), along * s_hat);
        let (traction, response) = law.primal(slip, memory, lambda);
        close(traction.x, t, 1e-13, "traction");
        close(response.by_slip[(0, 0)] * beta, by_u, 1e-12, "by velocity");
        close(response.by_normal.x, by_lambda, 1e-12, "by normal force");
        close(law.elastic(traction, memory).x, s, 1e-13, "elastic traction");
        close(law.plastic_slip(traction, slip, memory).x, plastic, 1e-12, "plastic slip");
        // The mixed form is short of nothing there, and its step is the primal derivative.
        let mixed = law.respond(traction, slip, memory, lambda);
        close(mixed.residual.norm(), 0.0, 1e-14, "residual");
        if w == 0.0 {
            let looser = Anchored { scaling: 7e3, ..law }.respond(traction, slip, memory, lambda);
            close(looser.residual.norm(), 0.0, 1e-14, "residual, other scaling");
            close(looser.by_slip[(0, 0)] * beta, by_u, 1e-9, "mixed step by velocity");
        }
    }
}

/// Vector law: a point on a unit sphere, with the history turned to the new normal.
#[test]
fn vector_law_on_a_sphere_reproduces_the_vectors() {
    let law = Anchored {
        coefficient: 0.4,
        compliance: 1.0 / (3e4 * 2.0),
        elastic_share: 0.5,
        scaling: 6e4,
        corner: Corner(0.0),
    };
    let penalty = Penalty { thickness: 1e-3, stiffness: 1e4, push: Push::default() };
    let case = |n: Vector3, v: Vector3, old: Vector3, law: Anchored| {
        let normal = penalty.force(0.0004);
        let transport = ParallelTransport::between(Vector3::z(), n);
        let slip = (v - n * n.dot(&v)) * 0.01;
        let (t, _) = law.primal(slip, transport.apply(old), normal);
        (t, n * normal - t)
    };
    let n = Vector3::new(0.006, -0.008, 0.9999_f64.sqrt());
    let (v, old) = (Vector3::new(0.001, -0.0007, 0.0003), Vector3::new(2.5, -2.3, 0.0));
    let (_, f) = case(n, v, old, law);
    let expected = [-3.0339780915, 2.63197078866, 10.8398016385];
    (0..3).for_each(|k| close(f[k], expected[k], 1e-10, "stick"));
    let (t, f) = case(n, v, old, Anchored { corner: Corner(0.2), ..law });
    let expected = [3.00220613934, -2.63365405, -0.0390844235061];
    (0..3).for_each(|k| close(t[k], expected[k], 1e-9, "corner"));
    close(f.z, 10.83854441, 1e-9, "corner, force");
    let n = Vector3::new(0.06, -0.08, 0.99_f64.sqrt());
    let (v, old) = (Vector3::new(0.03, -0.02, 0.01), Vector3::new(1.5, -0.5, 0.0));
    let (t, f) = case(n, v, old, law);
    let expected = [3.650018929015, -2.275370656131, -0.4030511072557];
    (0..3).for_each(|k| close(t[k], expected[k], 1e-11, "slip"));
    close(f.z, 11.14891542801, 1e-11, "slip, force");
}

/// `smooth-friction` §5.7.
#[test]
fn smoothed_law_reproduces_the_vectors() {
    let table = [
        (0.0, [0.0, 200.0], [0.0, 100.0]),
        (0.002, [0.36, 160.0], [0.166666666666667, 69.4444444444444]),
        (0.0075, [0.9375, 50.0], [0.428571428571428, 32.6530612244898]),
        (0.05, [1.0, 0.0], [0.833333333333333, 2.77777777777778]),
    ];
    for (x, quadratic, rational) in table {
        for (profile, [s, ds]) in [(Profile::Quadratic, quadratic), (Profile::Rational, rational)] {
            let (value, slope) = profile.at(x, 0.01);
            close(value, s, 1e-13, "s");
            close(slope, ds, 1e-13, "s'");
        }
    }
    close(Profile::Quadratic.integral(0.004, 0.01), 0.00472, 1e-14, "S_a");
    close(Profile::Rational.integral(0.004, 0.01), 0.000635277633787871, 1e-14, "S_b");
    let law =
        |profile| Smoothed { profile, epsilon: 0.01, kinetic: 1.0, stick: 1.0, stribeck: 0.0 };
    let u = Vector3::new(0.003, -0.004, 0.0);
    let (t, response) = law(Profile::Quadratic).respond(u, 1.0, 1.0);
    close(t.x, 0.45, 1e-14, "η");
    close(t.y, -0.6, 1e-14, "η");
    let expected = Matrix3::new(132.0, 24.0, 0.0, 24.0, 118.0, 0.0, 0.0, 0.0, 150.0);
    assert!((response.by_slip - expected).norm() < 1e-10, "{}", response.by_slip);
    let (t, _) = law(Profile::Rational).respond(u, 1.0, 1.0);
    close(t.y, -0.266666666666667, 1e-14, "η_b");
}

#[test]
fn penalty_reproduces_the_vectors() {
    let penalty = Penalty { thickness: 1e-3, stiffness: 1e4, push: Push::default() };
    close(penalty.energy(4e-4), 2.16e-3, 1e-14, "b");
    close(penalty.force(4e-4), 10.8, 1e-13, "λ");
    close(penalty.slope(4e-4), 3.6e4, 1e-13, "k_N");
    close(penalty.bump(-2e-4), 5.76, 1e-13, "bump");
    assert_eq!(penalty.force(1e-3).to_bits(), 0.0_f64.to_bits(), "nothing beyond the layer");
    let (gap, stiffer) = (4e-4, Penalty { stiffness: 5.76e4, ..penalty });
    let lower = gap + penalty.lowering(gap, 5.76);
    close(stiffer.force(lower), penalty.force(gap), 1e-13, "the same force, stiffer and lower");
    close(stiffer.energy(lower), penalty.energy(gap) / 2.4, 1e-13, "with less energy");
    let carrying = Penalty::carrying(9.81, 1e-3);
    close(carrying.force(5e-4), 9.81, 1e-13, "load at half the thickness");
}

/// Newton's step of the mixed form solves the linearised law, for any scaling, corner and iterate.
#[test]
fn responses_are_the_derivative_of_the_law() {
    let random = |seed: u64, k: u64| ((seed * 7919 + k * 104_729) as f64 * 0.618).sin();
    for seed in 0..200 {
        let vector =
            |k: u64| Vector3::new(random(seed, k), random(seed, k + 1), random(seed, k + 2));
        let corner = Corner(if seed % 3 == 0 { 0.2 } else { 0.0 });
        let law = Anchored {
            coefficient: 0.5,
            compliance: if seed % 5 == 0 { 0.0 } else { 0.01 },
            elastic_share: 0.5,
            scaling: 30.0 + 20.0 * random(seed, 50),
            corner,
        };
        let (t, e, s, n) = (vector(1), vector(10) * 0.1, vector(20), 1.5 + random(seed, 30));
        let response = law.respond(t, e, s, n);
        let (de, ds, dn) = (vector(40) * 0.1, vector(60), random(seed, 70));
        let dt = response.correction
            + response.by_slip * (de + ds * law.compliance)
            + response.by_normal * dn;
        let at = |h: f64| law.respond(t + dt * h, e + de * h, s + ds * h, n + dn * h).residual;
        // Along the Newton step the residual falls in proportion, up to the square of the length. The elimination of
        // exact friction is regularised by 1e-6, so there it falls a little less.
        let left = |h: f64| (at(h) - response.residual * (1.0 - h)).norm();
        let allowed = 1e-12 + if law.compliance > 0.0 { 0.0 } else { 3e-6 * 1e-6 * dt.norm() };
        assert!(left(1e-6) < 0.02 * left(1e-5) + allowed, "{seed}: {} {}", left(1e-6), left(1e-5));
    }
}

/// Quarters of ellipses and an ellipsoid: semi-axes along `t = x`, `b = n × t = −z`, and along the normal `y`.
fn quarters() -> (Coefficients, Vector3) {
    let coefficients = Coefficients { along: [0.5, 0.2], across: [0.3, 0.4], spin: Some(0.25) };
    (coefficients, Vector3::y())
}

/// What slides is resisted by that force of the set which takes most of its energy, in every octant, by every law.
#[test]
fn quarters_of_ellipses_take_most_energy() {
    let (coefficients, n) = quarters();
    let stretched =
        Elliptic::new(Vector3::x(), &coefficients).and_then(|e| e.at(n)).expect("uneven");
    let most = coefficients.most();
    let (stick, load, beta) = (most, 3.0, 0.01);
    let smoothed = Smoothed {
        profile: Profile::Quadratic,
        epsilon: 1e-9,
        kinetic: most,
        stick,
        stribeck: 0.0,
    };
    let primal = Anchored {
        coefficient: most,
        compliance: 1e-9,
        elastic_share: 1.0,
        scaling: 1e9,
        corner: Corner(0.0),
    };
    for k in 0..200 {
        let at = |j: f64| (1.7 * f64::from(k) * j + 0.4 * j).sin();
        let slip = Vector3::new(at(1.0), at(1.3), at(1.7));
        let axis = |positive: bool, [plus, minus]: [f64; 2]| if positive { plus } else { minus };
        let semi = Vector3::new(
            axis(slip.x > 0.0, coefficients.along),
            0.25,
            axis(-slip.z > 0.0, coefficients.across),
        );
        let scaled = slip.component_mul(&semi);
        let expected = scaled.component_mul(&semi) * (load / scaled.norm());
        let (seen, memory) = stretched.see(slip, Vector3::zeros(), 0.0);
        let (traction, _) = smoothed.respond(seen, load, beta);
        let by_speed = stretched.traction(traction);
        let (traction, _) = primal.primal(seen, memory, load);
        let anchored = stretched.traction(traction);
        let back = stretched.restore(anchored);
        let mixed = primal.respond(back, seen, memory, load).residual;
        for found in [by_speed, anchored] {
            assert!((found - expected).norm() < 1e-7, "{k}: {found:?} {expected:?}");
        }
        assert!((back - traction).norm() < 1e-12 && mixed.norm() < 1e-7, "{k}: {mixed:?}");
    }
}

/// Newton's step of a stretched mixed law solves it linearised, also where traction, slip and memory are in different
/// quarters.
#[test]
fn responses_of_quarters_are_derivatives() {
    let (coefficients, n) = quarters();
    let stretched =
        Elliptic::new(Vector3::x(), &coefficients).and_then(|e| e.at(n)).expect("uneven");
    let mut apart = 0;
    for seed in 0..200 {
        let random = |k: u64| ((seed * 7919 + k * 104_729) as f64 * 0.618).sin();
        let vector = |k: u64| Vector3::new(random(k), random(k + 1), random(k + 2));
        let law = Anchored {
            coefficient: coefficients.most(),
            compliance: 0.03,
            elastic_share: 0.5,
            scaling: 20.0 + 10.0 * random(50),
            corner: Corner(0.0),
        };
        let (t, e, s, load) = (vector(1), vector(10) * 0.1, vector(20), 2.5 + random(30));
        let (de, ds, dn) = (vector(40) * 0.1, vector(60), random(70));
        let respond = |t: Vector3, e: Vector3, s: Vector3, load: f64| {
            let (seen, memory) = stretched.see(e, s, law.compliance);
            let own = stretched.restore(t);
            (law.respond(own, seen, memory, load), own)
        };
        let (plain, own) = respond(t, e, s, load);
        let (response, turned) = stretched.respond(&plain, own, e, s, law.compliance);
        let dt = response.correction
            + response.by_slip * de
            + turned.by_memory * ds * law.compliance
            + response.by_normal * dn;
        let left = |h: f64| {
            let (there, _) = respond(t + dt * h, e + de * h, s + ds * h, load + dn * h);
            (there.residual - plain.residual * (1.0 - h)).norm()
        };
        apart += usize::from(!stretched.is_alike(t, s));
        assert!(left(1e-7) < 0.02 * left(1e-6) + 1e-12, "{seed}: {} {}", left(1e-7), left(1e-6));
    }
    assert!(apart > 50, "{apart} of 200 are in different quarters");
}

#[test]
fn parallel_transport_is_a_rotation_and_its_derivative_is_right() {
    let a = Vector3::new(0.3, -0.5, 0.8).normalize();
    for b in [a, Vector3::new(0.31, -0.4, 0.7).normalize(), -a + Vector3::new(1e-3, 0.0, 0.0)] {
        let b = b.normalize();
        let y = Vector3::new(1.0, 2.0, -0.3);
        let transport = ParallelTransport::between(a, b);
        close((transport.apply(a) - b).norm(), 0.0, 1e-9, "a goes to b");
        close(transport.apply(y).norm(), y.norm(), 1e-9, "lengths stay");
    }
    let half = ParallelTransport::between(a, -a);
    close((half.apply(a) + a).norm(), 0.0, 1e-12, "half a turn");
    let b = Vector3::new(0.31, -0.4, 0.7).normalize();
    let y = Vector3::new(1.0, 2.0, -0.3);
    let d = Vector3::new(0.2, 0.1, -0.4);
    let h = 1e-6;
    let to = |b: Vector3| ParallelTransport::between(a, b);
    let difference = (to(b + d * h).apply(y) - to(b - d * h).apply(y)) / (2.0 * h);
    assert!((to(b).by_end(y) * d - difference).norm() < 1e-8);
}

const PUSHES: [Push; 5] = [
    Push::Power(1.0),
    Push::Power(2.0),
    Push::Power(3.5),
    Push::Exponential(0.125),
    Push::Exponential(2.0),
];

/// Central differences, over the size of what they are of.
fn difference(f: impl Fn(f64) -> f64, x: f64, step: f64) -> f64 {
    (f(x + step) - f(x - step)) / (2.0 * step)
}

#[test]
fn every_push_carries_its_load_at_half_the_thickness_and_derives_from_its_energy() {
    for push in PUSHES {
        let penalty = Penalty { push, ..Penalty::carrying(9.81, 1e-3) };
        close(penalty.force(5e-4), 9.81, 1e-13, "load");
        for gap in [9e-4, 3e-4, -4e-4] {
            let force = -difference(|gap| penalty.energy(gap), gap, 1e-8);
            assert!((force / penalty.force(gap) - 1.0).abs() < 1e-6, "{push:?}: {force}");
            let slope = -difference(|gap| penalty.force(gap), gap, 1e-8);
            assert!((slope / penalty.slope(gap) - 1.0).abs() < 1e-6, "{push:?}: {slope}");
        }
        assert!(penalty.force(1e-3 - 1e-9) < 1e-4, "{push:?} begins without a jump");
        for gap in [1e-3, 2e-3] {
            let nothing = [penalty.force(gap), penalty.slope(gap), penalty.energy(gap)];
            assert!(nothing.iter().all(|x| x.to_bits() == 0), "{push:?}: {nothing:?}");
        }
        let stiffer = Penalty { stiffness: 3.0 * penalty.stiffness, ..penalty };
        let lower = 4e-4 + penalty.lowering(4e-4, 3.0);
        close(stiffer.force(lower), penalty.force(4e-4), 1e-12, "the same force, lower");
        close(penalty.bump(-1e-3), penalty.force(-1e-3) / 9.81, 1e-12, "bump");
    }
}

#[test]
fn damped_and_lossy_layers_have_the_slope_they_say_and_never_pull() {
    for push in PUSHES {
        let penalty = Penalty { push, ..Penalty::carrying(9.81, 1e-3) };
        for (damper, rebound) in [(20.0, 1.0), (0.0, 0.3), (5.0, 0.6)] {
            let normal = Normal { damper, rebound, start: 3e-4, since: 1e-2, bond: None };
            let mut before = 0.0;
            // From outside to deep inside, through where it started.
            for k in 0..400 {
                let gap = 1.2e-3 - 3e-6 * f64::from(k);
                let [force, slope] = normal.at(&penalty, gap);
                assert!(force >= before, "{push:?} {normal:?}: falls to {force} at {gap}");
                let about = difference(|gap| normal.at(&penalty, gap)[0], gap, 1e-9);
                let near_corner = force == 0.0 || normal.at(&penalty, gap + 1e-8)[0] == 0.0;
                assert!(near_corner || (about + slope).abs() < 2e-3 * slope, "{about}, {slope}");
                before = force;
            }
        }
    }
}

#[test]
fn viscous_friction_resists_up_to_the_limit() {
    let law = Viscous { resistance: 50.0, coefficient: 0.4 };
    let respond = |x: f64, y: f64, n: f64| law.respond(Vector3::new(x, y, 0.0), n, 0.1);
    let (t, response) = respond(0.03, -0.04, 10.0);
    assert!((t - Vector3::new(1.5, -2.0, 0.0)).norm() < 1e-14);
    close(response.by_slip[(0, 0)], 500.0, 1e-12, "k_f per slip");
    let (t, response) = respond(0.3, -0.4, 10.0);
    assert!((t - Vector3::new(2.4, -3.2, 0.0)).norm() < 1e-14, "the limit");
    let step = 1e-6;
    let by_x = (respond(0.3 + step, -0.4, 10.0).0 - respond(0.3 - step, -0.4, 10.0).0) / step / 0.2;
    assert!((by_x - response.by_slip.column(0)).norm() < 1e-6);
    let by_n = (respond(0.3, -0.4, 10.1).0 - t) / 0.1;
    assert!((by_n - response.by_normal).norm() < 1e-12);
}
