//! Generators of friction: matchsticks, tensors, textures, tables.

use std::sync::Arc;

use crate::support::*;
use stiction::body::Obstacle;
use stiction::contact::Friction;
use stiction::contact::friction::matchstick;
use stiction::contact::friction::materials::{PAIRS, named, pair};
use stiction::contact::friction::tensor::{principal_axes, resistance, tensor};
use stiction::contact::friction::{
    Condition, ContactAt, Directional, FrictionTensor, Grain, Grip, NormalMap, Skin, SurfaceAt,
};
use stiction::math::{Matrix2, Matrix3, Vector2, Vector3};
use stiction::method::smooth::Law;
use stiction::method::smooth::law::Profile;
use stiction::step::Integrator;
use stiction::{Scene, Simulation};

fn grained(direction: Vector3) -> Skin {
    Skin { grain: Some(Grain::Straight(direction)), ..Skin::default() }
}

fn at(skin: &Skin) -> Option<SurfaceAt<'_>> {
    Some(SurfaceAt { skin, carry: Matrix3::identity(), local: Vector3::new(0.01, 0.2, -0.03) })
}

fn contact<'a>(a: &'a Skin, b: &'a Skin, slip: Vector3) -> ContactAt<'a> {
    let (normal, surfaces) = (Vector3::y(), [at(a), at(b)]);
    ContactAt { normal, slip, against: [false; 2], sticking: false, surfaces }.slipped(0.0)
}

fn turned(degrees: f64) -> Vector3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vector3::new(cos, 0.0, sin)
}

/// How hard slip along a direction is resisted: the power that friction takes, per speed and normal force.
fn power(grip: &Grip, normal: Vector3, direction: Vector3) -> f64 {
    let axes = [grip.tangent, normal.cross(&grip.tangent)];
    let part = |k: usize| {
        let along = axes[k].dot(&direction);
        (along * if along >= 0.0 { grip.plus[k] } else { grip.minus[k] }).powi(2)
    };
    (part(0) + part(1)).sqrt()
}

/// Naming bodies the other way round turns normal and slip over, and must not change what is resisted.
fn assert_symmetric(friction: &Friction, a: &Skin, b: &Skin) {
    for k in 0..16 {
        let slip = turned(22.5 * f64::from(k));
        let there = contact(a, b, slip);
        let back = ContactAt {
            normal: -there.normal,
            slip: -slip,
            against: [there.against[1], there.against[0]],
            surfaces: [there.surfaces[1], there.surfaces[0]],
            ..there
        };
        let one = power(&friction.grip(&there), there.normal, slip);
        let other = power(&friction.grip(&back), back.normal, -slip);
        assert!((one - other).abs() < 1e-12, "{k}: {one} {other}");
    }
}

/// V34 of `docs/theory/reference-values.md`.
#[test]
fn matchsticks_have_the_known_coefficients() {
    let table =
        [(0.0, 0.2, 0.8), (30.0, 0.3, 0.7), (45.0, 0.35, 0.65), (60.0, 0.4, 0.6), (90.0, 0.5, 0.5)];
    for (degrees, along, across) in table {
        for sign in [1.0, -1.0] {
            let grains = [Some(Vector3::x()), Some(turned(degrees) * sign)];
            let grip = matchstick::grip(Vector3::y(), grains, 0.5, [0.2, 0.8]);
            let off = (grip.plus[0] - along).abs() + (grip.plus[1] - across).abs();
            assert!(off < 1e-14 && grip.is_even(), "{degrees}°: {grip:?}");
            let halfway = turned(0.5 * degrees).cross(&grip.tangent).norm();
            assert!(degrees > 89.0 || halfway < 1e-14, "{degrees}°: {:?}", grip.tangent);
        }
    }
}

#[test]
fn matchsticks_are_symmetric_and_need_no_second_grain() {
    let direction = Directional::Grain { along: 0.2, across: 0.8 };
    let friction = Friction { direction, ..Friction::coulomb(0.5) };
    let (a, b, none) = (grained(turned(20.0)), grained(turned(-35.0)), Skin::default());
    assert_symmetric(&friction, &a, &b);
    assert_symmetric(&friction, &a, &none);
    let alone = friction.grip(&contact(&none, &a, Vector3::zeros()));
    assert_eq!(Some(alone.plus), Some([0.2, 0.8]));
    assert!(alone.tangent.cross(&turned(20.0)).norm() < 1e-15);
    // At the end of a log the grain points out of the surface.
    let end = grained(Vector3::y());
    let isotropic = friction.grip(&contact(&end, &none, Vector3::zeros()));
    assert_eq!((isotropic.plus, isotropic.minus), ([0.5; 2], [0.5; 2]));
}

#[test]
fn grains_of_lathes_and_rays_are_at_right_angles() {
    let (axis, through) = (Vector3::y() * 2.0, Vector3::new(0.1, 5.0, 0.0));
    let x = Vector3::new(0.4, 0.0, 0.3);
    let around = Grain::Around { axis, through }.at(x);
    let from = Grain::From { axis, through }.at(x);
    assert!((around.norm() - 1.0).abs() < 1e-15 && around.dot(&from).abs() < 1e-15);
    assert!((from - Vector3::new(0.3, 0.0, 0.3).normalize()).norm() < 1e-15, "{from}");
    // On the axis there is no direction.
    assert_eq!(Grain::Around { axis, through }.at(through), Vector3::zeros());
}

/// V35 of `docs/theory/reference-values.md`: positive definite tensors always take energy, and most of what their
/// ellipse can take only along eigenvectors. Forces are on the ellipse `fᵀ C f = 1`, `C = L⁻ᵀL⁻¹`.
#[test]
fn tensors_dissipate_but_not_most() {
    let q = |a: f64, b: f64, c: f64| FrictionTensor {
        forward: Matrix2::new(a, c, c, b),
        backward: None,
    };
    let a = Skin { tensor: Some(q(0.3, 0.7, 0.1)), ..grained(turned(15.0)) };
    let b = Skin { tensor: Some(q(0.5, 0.2, -0.05)), ..grained(turned(-50.0)) };
    let friction = Friction { direction: Directional::Tensor(0.8), ..Friction::NONE };
    assert_symmetric(&friction, &a, &b);
    let t = contact(&a, &b, Vector3::x()).grains()[0].expect("a grain");
    let l = tensor(&contact(&a, &b, Vector3::x()), t, 0.8).expect("a tensor");
    assert!((l - l.transpose()).norm() < 1e-15, "sum of symmetric ones: {l}");
    let inverse = l.try_inverse().expect("regular");
    let c = inverse.transpose() * inverse;
    let n = Vector3::y();
    let (mut along_axes, mut between) = (0, 0);
    let (axis, semi_axes) = principal_axes(l);
    assert!((l * axis - axis * semi_axes[0]).norm() < 1e-14);
    for k in 0..360 {
        let degrees = f64::from(k);
        let v = t * degrees.to_radians().cos() + n.cross(&t) * degrees.to_radians().sin();
        let f = resistance(&contact(&a, &b, v * 0.3), 0.8);
        assert!(f.dot(&v) < -0.1, "{degrees}°: {}", f.dot(&v));
        let flat = Vector2::new(f.dot(&t), f.dot(&n.cross(&t)));
        assert!((flat.dot(&(c * flat)) - 1.0).abs() < 1e-12);
        let most = power(&friction.grip(&contact(&a, &b, v)), n, v);
        let lost = most + f.dot(&v);
        assert!(lost > -1e-12, "more than the ellipse can take: {lost}");
        let flat = Vector2::new(v.dot(&t), v.dot(&n.cross(&t)));
        let off = (axis.x * flat.y - axis.y * flat.x).abs();
        let off = off.min(axis.dot(&flat).abs());
        if off < 0.02 {
            assert!(lost < 2e-4, "{degrees}°: {lost}");
            along_axes += 1;
        } else if off > 0.5 {
            assert!(lost > 1e-3, "{degrees}°: {lost}");
            between += 1;
        }
    }
    assert!(along_axes >= 4 && between > 50, "{along_axes} {between}");
}

#[test]
fn asymmetric_tensors_resist_one_way_more() {
    let forward = Matrix2::new(0.6, 0.0, 0.0, 0.6);
    let backward = Some(Matrix2::new(0.1, 0.0, 0.0, 0.1));
    let scales =
        Skin { tensor: Some(FrictionTensor { forward, backward }), ..grained(turned(0.0)) };
    let none = Skin::default();
    // The other body comes along the grain of B, or against it.
    let hold = |a: &Skin, b: &Skin, slip: Vector3| resistance(&contact(a, b, slip), 1.0).norm();
    assert!((hold(&none, &scales, Vector3::x()) - 0.6).abs() < 1e-15);
    assert!((hold(&none, &scales, -Vector3::x()) - 0.1).abs() < 1e-15);
    // The same surface on the body that moves: B comes towards it from the other side.
    assert!((hold(&scales, &none, Vector3::x()) - 0.1).abs() < 1e-15);
    assert!(hold(&none, &scales, Vector3::zeros()) <= 0.0);
}

/// Facets at 45° on half of the pitch: `½ sin 45° (2/π)(π/4)` across the ridges, nothing along them.
#[test]
fn a_symmetric_sawtooth_resists_across_its_ridges_only() {
    let map = NormalMap::sawtooth(0.004, 0.002, 0.5).expect("valid");
    let [along, back, left, right] =
        map.ploughing([0.3, -0.1], [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]);
    assert!(along.abs().max(back.abs()) <= 0.0, "{along} {back}");
    let expected = 0.25 * 0.5f64.sqrt();
    assert!((left - expected).abs() < 1e-12 && (right - expected).abs() < 1e-12, "{left} {right}");
}

#[test]
fn textures_are_symmetric_and_add_up() {
    let map = |rise| Some(Arc::new(NormalMap::sawtooth(0.004, 0.001, rise).expect("valid")));
    let a = Skin { texture: map(0.3), ..grained(turned(10.0)) };
    let b = Skin { texture: map(0.8), ..grained(turned(10.0)) };
    let none = Skin::default();
    let friction = Friction { direction: Directional::Texture, ..Friction::coulomb(0.1) };
    assert_symmetric(&friction, &a, &b);
    assert_symmetric(&friction, &none, &b);
    let plus = |a: &Skin, b: &Skin| friction.grip(&contact(a, b, Vector3::zeros())).plus[1];
    let (both, one, other) = (plus(&a, &b), plus(&a, &none), plus(&none, &b));
    assert!((both - (one + other - 0.1)).abs() < 1e-12, "{both} {one} {other}");
    let grip = friction.grip(&contact(&none, &b, Vector3::zeros()));
    assert!(!grip.is_even() && (grip.plus[0] - 0.1).abs() < 1e-15, "{grip:?}");
}

#[test]
fn bumps_resist_the_same_in_all_main_directions() {
    let map = NormalMap::bumps(0.01, 0.004).expect("valid");
    let d = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let mu = map.ploughing([0.002, 0.001], d);
    assert!(mu.iter().all(|m| (m / mu[0] - 1.0).abs() < 0.05 && *m > 0.05), "{mu:?}");
}

#[test]
fn textures_that_make_no_sense_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(NormalMap::sawtooth(bad, 0.1, 0.5).is_err());
        assert!(NormalMap::sawtooth(0.1, bad, 0.5).is_err());
        assert!(NormalMap::bumps(bad, 0.1).is_err());
        assert!(NormalMap::bumps(0.1, 0.1).expect("valid").with_patch(bad).is_err());
    }
    assert!(NormalMap::sawtooth(0.1, 0.1, 1.0).is_err());
    assert!(NormalMap::from_heights([2, 2], [0.1; 2], &[0.0; 3]).is_err());
    assert!(NormalMap::from_heights([0, 0], [0.1; 2], &[]).is_err());
    assert!(NormalMap::from_heights([1, 1], [0.1; 2], &[f64::NAN]).is_err());
}

/// [AEF22, tab. 1].
#[test]
fn the_table_has_its_rows_in_either_order() {
    let mu = |name: &str| {
        let friction = named(name).expect(name).friction();
        (friction.stick(), friction.coefficient)
    };
    assert_eq!(mu("steel on steel, dry"), (0.65, 0.42));
    assert_eq!(mu("steel on steel"), (0.65, 0.42));
    assert_eq!(mu("steel on steel, castor oil"), (0.15, 0.081));
    assert_eq!(mu("asphalt on rubber"), (0.9, 0.65));
    assert_eq!(mu("leather on oak"), (0.61, 0.52));
    assert_eq!(mu("tyre on grass, dry"), (0.35, 0.35));
    // Listed with more kinetic than static friction.
    let (stick, slide) = mu("aluminium on aluminium");
    assert!((stick - 1.2).abs() < 1e-15 && (stick - slide).abs() <= 0.0, "{stick} {slide}");
    for row in &PAIRS {
        let [a, b] = row.materials;
        assert_eq!(pair(b, a, Some(row.condition)), Some(row), "{}", row.name);
        assert_eq!(named(row.name).ok(), Some(row));
    }
    assert!(pair("steel", "cheese", None).is_none());
    assert!(pair("tyre", "grass", Some(Condition::Greasy)).is_none());
    let wrong = named("steal on steel, dry").expect_err("no such pair").to_string();
    assert!(wrong.contains("did you mean `steel on steel, dry`"), "{wrong}");
}

/// The smooth method: points on a slope with a grain hold along and across it as they should, and slide where `a ∥ v`.
#[test]
fn points_on_a_slope_follow_the_grain() {
    let run = |pull: [f64; 2]| {
        let mut scene = Scene::new();
        scene.gravity = Vector3::new(pull[0], -1.0, pull[1]) * GRAVITY;
        let points = scene.add(flat().at([0.0, 0.5 * THICKNESS, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        let rule = scene.contact(points, plane);
        let direction = Directional::Grain { along: 0.2, across: 0.7 };
        rule.friction = Friction { direction, ..Friction::coulomb(0.5) };
        (rule.thickness, rule.stiffness) = (Some(THICKNESS), Some(carrying(GRAVITY)));
        scene.skin(plane).grain = Some(Grain::Straight(Vector3::x()));
        let settings = settings(Integrator::BackwardEuler, 0.01, anchored(100.0));
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, 50);
        simulation.velocities(points)[0]
    };
    for (pull, slides) in
        [([0.19, 0.0], false), ([0.21, 0.0], true), ([0.0, 0.69], false), ([0.0, 0.71], true)]
    {
        let speed = run(pull).norm();
        assert_eq!(speed > 1e-3, slides, "{pull:?}: {speed}");
    }
    let v = run([0.8, 0.8]);
    let length = (0.2 * v.x).hypot(0.7 * v.z);
    let a = Vector3::new(0.8 - 0.04 * v.x / length, 0.0, 0.8 - 0.49 * v.z / length) * GRAVITY;
    assert!((v - a * 0.5).norm() < 0.01 * v.norm() && v.x > 1.5 * v.z, "{v:?}, not {:?}", a * 0.5);
}

/// The smooth method on saw teeth that rise slowly and fall steeply: what comes along +z is resisted by 0.1891, what
/// comes back by 0.1460.
#[test]
fn points_on_saw_teeth_are_held_more_one_way_than_the_other() {
    let map = Arc::new(NormalMap::sawtooth(0.004, 0.001, 0.8).expect("valid"));
    let [forth, back] = [0.1 + 0.089_077, 0.1 + 0.045_964];
    let run = |law: Law, pull: f64, velocity: f64, steps: usize| {
        let mut scene = Scene::new();
        scene.gravity = Vector3::new(0.0, -1.0, pull) * GRAVITY;
        let points = flat().at([0.0, 0.5 * THICKNESS, 0.0]).velocity([0.0, 0.0, velocity]);
        let points = scene.add(points);
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        let rule = scene.contact(points, plane);
        rule.friction = Friction { direction: Directional::Texture, ..Friction::coulomb(0.1) };
        (rule.thickness, rule.stiffness) = (Some(THICKNESS), Some(carrying(GRAVITY)));
        let skin = scene.skin(plane);
        skin.grain = Some(Grain::Straight(Vector3::x()));
        skin.texture = Some(map.clone());
        let settings = settings(Integrator::BackwardEuler, 0.01, law);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, steps);
        simulation.velocities(points)[0].z
    };
    let primal = Law::Anchored { ratio: 100.0, damping: 1.0, corner: 0.0, mixed: false };
    let smoothed = Law::Smoothed { profile: Profile::Quadratic, epsilon: 1e-4 };
    for law in [anchored(100.0), primal, Law::Exact, smoothed] {
        let near = |found: f64, expected: f64, what: &str| {
            assert!((found - expected).abs() < 2e-3, "{law:?}, {what}: {found}, not {expected}");
        };
        near(run(law, 0.165, 0.0, 50), 0.0, "held along +z");
        near(run(law, -0.165, 0.0, 50), -0.5 * (0.165 - back) * GRAVITY, "slides along -z");
        near(run(law, 0.2, 0.0, 50), 0.5 * (0.2 - forth) * GRAVITY, "slides along +z");
        // Thrown against the pull it stands still for a moment: held one way, on its way back the other.
        near(run(law, 0.165, -0.5, 40), 0.0, "comes to rest");
        let rises = 0.5 / ((0.165 + forth) * GRAVITY);
        let returns = -(0.4 - rises) * (0.165 - back) * GRAVITY;
        near(run(law, -0.165, 0.5, 40), returns, "comes back");
    }
}
