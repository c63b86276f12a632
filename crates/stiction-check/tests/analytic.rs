//! The closed forms themselves: known values, equations they must satisfy, limits they must reach.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use stiction::energy::{ElasticDensity, Lame, MembraneDensity};
use stiction::material::{Fabric, Material, SolidLaw};
use stiction::math::{Matrix3, Matrix3x2, Vector3};
use stiction_check::analytic::{
    Beam, Catenary, Elastica, HollowBall, Oscillator, Uniaxial, free_fall, pendulum_period,
    torsion_constant_circle, torsion_constant_rectangle,
};
use stiction_check::differences::assert_is_derivative;

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, not {expected}");
}

/// Solved with the library's tensors, the sides are free and the pull is the same.
#[test]
fn stretched_bars_have_free_sides() {
    for (name, law) in SolidLaw::NAMES {
        let material = Material::FOAM.with_law(law).unwrap();
        for a in [0.7, 0.95, 1.0, 1.1, 1.5] {
            let Uniaxial { lateral_stretch: b, nominal_stress } =
                Uniaxial::solid(law, material.lame(), a);
            let stress = material.model().stress(&Matrix3::from_diagonal(&Vector3::new(a, b, b)));
            let scale = material.youngs_modulus();
            assert!(stress[(1, 1)].abs() < 1e-12 * scale, "{name}: {stress}");
            assert!((stress[(0, 0)] - nominal_stress).abs() < 1e-12 * scale, "{name}: {stress}");
        }
        let small = Uniaxial::solid(law, material.lame(), 1.0 + 1e-6);
        assert_near(small.nominal_stress / 1e-6 / material.youngs_modulus(), 1.0, 1e-5);
        assert_near((1.0 - small.lateral_stretch) / 1e-6, material.poissons_ratio(), 1e-5);
    }
}

#[test]
fn stretched_sheets_have_free_sides() {
    for (name, fabric) in Fabric::PRESETS {
        for a in [0.95, 1.02, 1.2] {
            let pulled = Uniaxial::sheet(fabric.stretch(), a);
            let b = pulled.lateral_stretch;
            let stress = fabric.model().stress(&Matrix3x2::new(a, 0.0, 0.0, b, 0.0, 0.0));
            let scale = pulled.nominal_stress.abs();
            assert!(stress[(1, 1)].abs() < 1e-11 * scale, "{name}: {stress}");
            assert!((stress[(0, 0)] - pulled.nominal_stress).abs() < 1e-11 * scale, "{name}");
        }
    }
}

#[test]
fn beams_have_their_textbook_values() {
    let beam =
        Beam { length: 2.0, width: 0.1, height: 0.2, youngs_modulus: 1e9, poissons_ratio: 0.25 };
    assert_near(beam.second_moment(), 0.1 * 0.008 / 12.0, 1e-18);
    // 3 EI = 2e5, so 1 N over 8 m³.
    assert_near(beam.end_load_euler(1.0), 8.0 / 2e5, 1e-17);
    assert_near(beam.uniform_load_euler(1.0), 16.0 / (8.0 * 1e9 * beam.second_moment()), 1e-17);
    // κ = 10 · 1.25 / 14.75 and G = 4e8.
    let shear = 12.5 / 14.75 * 0.02 * 4e8;
    assert_near(beam.end_load_timoshenko(1.0) - beam.end_load_euler(1.0), 2.0 / shear, 1e-17);
    assert_near(
        beam.uniform_load_timoshenko(1.0) - beam.uniform_load_euler(1.0),
        2.0 / shear,
        1e-17,
    );
    assert_near(beam.hanging_elongation(1000.0, 10.0), 2e-5, 1e-18);
}

#[test]
fn catenaries_have_their_length_and_slope() {
    for (span, length) in [(1.0, 1.001), (1.0, 1.5), (2.0, 10.0)] {
        let chain = Catenary::hung(span, length);
        let a = chain.parameter();
        assert_near(2.0 * a * (0.5 * span / a).sinh(), length, 1e-12 * length);
        assert_near(chain.height(0.5 * span), 0.0, 1e-12);
        let (x, height) = chain.at_length(0.5 * length);
        assert_near(x, 0.5 * span, 1e-9);
        assert_near(height, 0.0, 1e-9);
        // Vertical pull at the end: half the weight; horizontal pull: everywhere w a.
        let tension = chain.tension(0.5 * span, 3.0);
        assert_near(tension * tension, (1.5 * length).powi(2) + (3.0 * a).powi(2), 1e-9 * tension);
        let x = 0.3 * span;
        assert_is_derivative(|t| chain.height(x + t * a), a * (x / a).sinh(), a);
    }
}

/// `dσ_r/dr + 2(σ_r − σ_θ)/r = 0`, the pressures at both ends, and Hooke's law between.
#[test]
fn hollow_balls_are_in_balance() {
    let lame = Lame { mu: 3.0, lambda: 5.0 };
    let ball = HollowBall { inner_radius: 0.5, outer_radius: 1.25, lame };
    let (p, q) = (0.7, -0.2);
    assert_near(ball.stress(0.5, p, q).0, -p, 1e-14);
    assert_near(ball.stress(1.25, p, q).0, -q, 1e-14);
    for r in [0.5, 0.8, 1.1] {
        let (radial, tangential) = ball.stress(r, p, q);
        assert_is_derivative(|t| ball.stress(r + t, p, q).0, -2.0 * (radial - tangential) / r, 1.0);
        let along = (radial - lame.lambda * 2.0 * ball.displacement(r, p, q) / r)
            / (2.0 * lame.mu + lame.lambda);
        assert_is_derivative(|t| ball.displacement(r + t, p, q), along, 1.0);
        let across = ball.displacement(r, p, q) / r;
        assert_near(
            tangential,
            2.0 * lame.mu * across + lame.lambda * (along + 2.0 * across),
            1e-14,
        );
    }
}

#[test]
fn torsion_constants_have_their_textbook_values() {
    // [TG70, art. 109]: 0.1406 a⁴ for a square, 0.229 a b³ at 2 : 1, ⅓ a b³ for a thin strip.
    assert_near(torsion_constant_rectangle(1.0, 1.0), 0.140_577, 1e-6);
    assert_near(torsion_constant_rectangle(1.0, 2.0), 2.0 * 0.228_68, 2e-5);
    assert_near(torsion_constant_rectangle(1000.0, 1.0), 1000.0 / 3.0 - 0.210_08, 1e-4);
    assert_near(torsion_constant_circle(2.0), 8.0 * PI, 1e-14);
}

/// Under a load at the tip: table 1 of [BD45] by elliptic integrals. Little bent: beam theory, both loads added.
#[test]
fn the_elastica_has_its_published_shapes_and_its_small_limit() {
    for (load, along, down) in
        [(1.0, 0.943_57, 0.301_72), (2.0, 0.839_36, 0.493_46), (10.0, 0.445_0, 0.810_61)]
    {
        let strip = Elastica { length: 2.0, rigidity: 3.0, tip_load: 0.75 * load, weight: 0.0 };
        let (x, z) = strip.tip();
        assert_near(x / 2.0, along, 5e-5);
        assert_near(z / 2.0, down, 5e-5);
    }
    let strip = Elastica { length: 2.0, rigidity: 3.0, tip_load: 1e-4, weight: 2e-4 };
    let beam = 1e-4 * 8.0 / (3.0 * 3.0) + 2e-4 * 16.0 / (8.0 * 3.0);
    assert_near(strip.tip().1 / beam, 1.0, 1e-6);
}

#[test]
fn oscillators_obey_their_equation() {
    for damping in [0.0, 1.0, 12.0, 40.0] {
        let oscillator = Oscillator { mass: 2.0, stiffness: 18.0, damping };
        let (q, v) = oscillator.at(0.0, 0.3, -0.7);
        assert_near(q, 0.3, 1e-15);
        assert_near(v, -0.7, 1e-15);
        for t in [0.1, 0.5, 2.0] {
            let (q, v) = oscillator.at(t, 0.3, -0.7);
            assert_is_derivative(|dt| oscillator.at(t + dt, 0.3, -0.7).0, v, 1.0);
            let acceleration = -(18.0 * q + damping * v) / 2.0;
            assert_is_derivative(|dt| oscillator.at(t + dt, 0.3, -0.7).1, acceleration, 1.0);
        }
    }
}

#[test]
fn pendulums_slow_down_with_amplitude() {
    // A point on a string of 1 m.
    let period = |amplitude: f64| pendulum_period(1.0, 1.0, 1.0, 9.81, amplitude);
    assert_near(period(0.0), TAU / 9.81_f64.sqrt(), 1e-15);
    // 2K(sin 45°)/π.
    assert_near(period(FRAC_PI_2) / period(0.0), 1.180_340_599_016_096, 1e-14);
    assert_near(free_fall(2.0, 1.0, 3.0, -10.0).0, -13.0, 1e-15);
}
