//! Probes of strain and stress give what closed forms say, however a body is turned.
#![expect(non_snake_case, reason = "F as in the literature")]

use nalgebra::{Rotation3, UnitQuaternion};
use stiction::body::{BodyId, Cloth, Motion, Solid};
use stiction::element::RestAngles;
use stiction::energy::{ElasticDensity, Lame};
use stiction::material::{Fabric, Material, SolidLaw};
use stiction::math::{Matrix3, Vector3};
use stiction::measure::{Field, Probe, Quantity, Reduction};
use stiction::mesh::{Selection, Transform};
use stiction::{Scene, Simulation};
use stiction_check::analytic::Uniaxial;
use stiction_check::shapes::noise;

const TURN: [f64; 3] = [0.3, -1.1, 0.7];

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

fn measured(scene: &Scene, simulation: &Simulation, probe: &Probe) -> f64 {
    probe.prepare(scene, simulation).unwrap().measure(simulation)
}

/// A box that starts with every vertex at `F x`, turned and moved away from the origin.
fn deformed(law: SolidLaw, F: &Matrix3) -> (Scene, BodyId, Material) {
    let material = Material::new(2e5, 0.3, 1000.0).unwrap().with_law(law).unwrap();
    let solid = Solid::cuboid([0.4, 0.2, 0.1], [3, 2, 1]).unwrap().material(material);
    let start = solid.mesh.vertices().iter().map(|x| F * x).collect();
    let turn = UnitQuaternion::new(Vector3::from(TURN));
    let placement =
        Transform::identity().with_rotation(turn).with_translation([3.0, -2.0, 1.0].into());
    let mut scene = Scene::new();
    let body = scene.add(solid.placed(placement).starting_at(start));
    (scene, body, material)
}

/// The direction that an axis of the mesh has when the body is placed.
fn placed_axis(k: usize) -> Vector3 {
    Rotation3::new(Vector3::from(TURN)) * Vector3::ith(k, 1.0)
}

#[test]
fn a_stretched_block_has_the_strains_and_stresses_of_st_venant_kirchhoff() {
    let a = Vector3::new(1.3, 0.9, 1.05);
    let (scene, body, material) =
        deformed(SolidLaw::StVenantKirchhoff, &Matrix3::from_diagonal(&a));
    let simulation = Simulation::new(&scene).unwrap();
    let at = |quantity| Probe::new(quantity).of(body, Selection::All);
    let get = |probe: Probe| measured(&scene, &simulation, &probe);
    let Lame { mu, lambda } = material.lame();
    let green = a.map(|a| 0.5 * (a * a - 1.0));
    let volume = a.product();
    // σᵢ = aᵢ Sᵢ aᵢ / J, with the second Piola–Kirchhoff stress S = 2μE + λ tr E.
    let stress = green.zip_map(&a, |e, a| a * a * (2.0 * mu * e + lambda * green.sum()) / volume);
    for k in 0..3 {
        let axis = placed_axis(k);
        assert_near(get(at(Quantity::Stretch).along(axis)), a[k], 1e-12);
        assert_near(get(at(Quantity::Strain).along(axis)), a[k] - 1.0, 1e-12);
        assert_near(get(at(Quantity::GreenStrain).along(axis * 7.0)), green[k], 1e-12);
        assert_near(get(at(Quantity::Stress).along(axis)), stress[k], 1e-7);
    }
    assert_near(get(at(Quantity::Stretch)), 1.3, 1e-12);
    assert_near(get(at(Quantity::GreenStrain)), green[0], 1e-12);
    assert_near(get(at(Quantity::MinStretch)), 0.9, 1e-12);
    assert_near(get(at(Quantity::VolumeRatio)), volume, 1e-12);
    assert_near(get(at(Quantity::Volume)), 0.4 * 0.2 * 0.1 * volume, 1e-14);
    assert_near(get(at(Quantity::Stress)), stress.max(), 1e-7);
    assert_near(get(at(Quantity::Pressure)), -stress.sum() / 3.0, 1e-7);
    let [s0, s1, s2] = stress.into();
    let von_mises = (0.5 * ((s0 - s1).powi(2) + (s1 - s2).powi(2) + (s2 - s0).powi(2))).sqrt();
    assert_near(get(at(Quantity::VonMises)), von_mises, 1e-7);
    let density = mu * green.norm_squared() + 0.5 * lambda * green.sum().powi(2);
    assert_near(get(at(Quantity::StrainEnergyDensity)), density, 1e-8);
    assert_near(get(at(Quantity::ElasticEnergy)), density * 0.4 * 0.2 * 0.1, 1e-10);
}

#[test]
fn a_pulled_bar_answers_with_the_stress_times_its_section() {
    for law in [SolidLaw::NeoHookean, SolidLaw::StableNeoHookean, SolidLaw::Corotated] {
        let material = Material::new(2e5, 0.3, 1000.0).unwrap().with_law(law).unwrap();
        let [length, width] = [0.4, 0.1];
        let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
        let bar = Solid::cuboid([length, width, width], [4, 2, 2]).unwrap().material(material);
        let bar = scene.add(bar);
        let tag = |name: &str| Selection::Tag(name.into());
        // Planes of symmetry, and one end that is pulled: the strain is the same everywhere.
        scene.pin(bar, tag("x-min")).axes([true, false, false]);
        scene.pin(bar, tag("y-min")).axes([false, true, false]);
        scene.pin(bar, tag("z-min")).axes([false, false, true]);
        let pulled = Motion::Keyframes {
            frames: vec![stiction::body::Keyframe {
                translation: [0.25 * length, 0.0, 0.0].into(),
                ..Default::default()
            }],
            center: Vector3::zeros(),
            interpolation: Default::default(),
        };
        scene.pin(bar, tag("x-max")).axes([true, false, false]).motion(pulled);
        let mut simulation = Simulation::new(&scene).unwrap();
        assert!(simulation.settle().unwrap().converged());
        let expected = Uniaxial::solid(law, material.lame(), 1.25);
        let b = expected.lateral_stretch;
        let get = |quantity: Quantity, place: Selection, along: [f64; 3]| {
            let probe = Probe::new(quantity).of(bar, place).along(along);
            measured(&scene, &simulation, &probe)
        };
        let x = [1.0, 0.0, 0.0];
        let force = expected.nominal_stress * width * width;
        assert_near(get(Quantity::Reaction, tag("x-max"), x), force, 1e-4 * force);
        assert_near(get(Quantity::Reaction, tag("x-min"), x), -force, 1e-4 * force);
        let cauchy = expected.nominal_stress / (b * b);
        assert_near(get(Quantity::Stress, Selection::All, x), cauchy, 1e-4 * cauchy);
        assert_near(get(Quantity::Stress, Selection::All, [0.0, 1.0, 0.0]), 0.0, 1e-4 * cauchy);
        assert_near(get(Quantity::Stretch, Selection::All, [0.0, 0.0, 1.0]), b, 1e-6);
        let largest = Probe::new(Quantity::Stretch).of(bar, Selection::All);
        for reduction in [Reduction::Min, Reduction::Mean, Reduction::Max] {
            let probe = largest.clone().reduced(reduction);
            assert_near(measured(&scene, &simulation, &probe), 1.25, 1e-6);
        }
    }
}

#[test]
fn a_strip_has_the_stress_of_its_width() {
    let fabric = Fabric::COTTON;
    let a = 1.04;
    let expected = Uniaxial::sheet(fabric.stretch(), a);
    let b = expected.lateral_stretch;
    let cloth = Cloth::sheet([0.4, 0.2], [4, 2]).unwrap().material(fabric);
    let start = cloth.mesh.vertices().iter().map(|x| Vector3::new(a * x.x, b * x.y, x.z)).collect();
    let turn = UnitQuaternion::new(Vector3::from(TURN));
    let mut scene = Scene::new();
    let placement = Transform::identity().with_rotation(turn);
    let cloth = scene.add(cloth.placed(placement).starting_at(start));
    let simulation = Simulation::new(&scene).unwrap();
    let prepared = |quantity, axis: Option<usize>| {
        let probe = Probe::new(quantity).of(cloth, Selection::All);
        let probe = Probe { along: axis.map(placed_axis), ..probe };
        probe.prepare(&scene, &simulation).unwrap()
    };
    let get = |quantity, axis| prepared(quantity, axis).measure(&simulation);
    // Force per rest width, on a width that is `b` times that.
    let stress = expected.nominal_stress / b;
    assert_near(get(Quantity::Stress, Some(0)), stress, 1e-9 * stress);
    assert_near(get(Quantity::Stress, Some(1)), 0.0, 1e-9 * stress);
    assert_near(get(Quantity::Stress, None), stress, 1e-9 * stress);
    assert_near(get(Quantity::VonMises, None), stress, 1e-9 * stress);
    assert_near(get(Quantity::Stretch, Some(0)), a, 1e-12);
    assert_near(get(Quantity::Stretch, Some(1)), b, 1e-12);
    assert_near(get(Quantity::MinStretch, None), b, 1e-12);
    assert_near(get(Quantity::AreaRatio, None), a * b, 1e-12);
    assert_near(get(Quantity::Area, None), 0.4 * 0.2 * a * b, 1e-12);
    assert_eq!(prepared(Quantity::Stress, None).unit(), "N/m");
    assert_eq!(prepared(Quantity::StrainEnergyDensity, None).unit(), "J/m²");
    // Across both warp and weft, stretches mix as in any plane.
    let diagonal = placed_axis(0) + placed_axis(1);
    let probe = Probe::new(Quantity::Stretch).of(cloth, Selection::All).along(diagonal);
    let expected = (0.5 * (a * a + b * b)).sqrt();
    assert_near(measured(&scene, &simulation, &probe), expected, 1e-12);
}

/// A solid and a curved cloth, each vertex of which starts somewhat off, then turned about the origin.
fn crumpled(turn: Vector3) -> (Scene, [BodyId; 2]) {
    let rotation = Rotation3::new(turn);
    let start = |vertices: &[Vector3], amount: f64| {
        let moved = |(k, x): (usize, &Vector3)| rotation * (x + noise(5, k) * amount);
        vertices.iter().enumerate().map(moved).collect::<Vec<_>>()
    };
    let mut scene = Scene::new();
    let solid = Solid::cuboid([0.4, 0.2, 0.2], [4, 2, 2]).unwrap();
    let at = start(solid.mesh.vertices(), 0.01);
    let solid = scene.add(solid.starting_at(at));
    let cloth = Cloth::sheet([0.3, 0.3], [6, 6]).unwrap().rest_angles(RestAngles::FromShape);
    let at = start(cloth.mesh.vertices(), 0.005);
    let cloth = scene.add(cloth.starting_at(at));
    (scene, [solid, cloth])
}

#[test]
fn fields_do_not_change_when_everything_is_turned() {
    let turn = Vector3::new(2.0, -0.4, 1.3);
    let [(still, bodies), (turned, _)] = [Vector3::zeros(), turn].map(crumpled);
    let [a, b] = [&still, &turned].map(|scene| Simulation::new(scene).unwrap());
    for body in bodies {
        for field in Field::ALL {
            if field.unit(&still.bodies[body.index()]).is_none() {
                continue;
            }
            let (mut before, mut after) = (Vec::new(), Vec::new());
            field.evaluate(&a, body, &mut before);
            field.evaluate(&b, body, &mut after);
            let size = before.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert!(before.len() >= 72 && size > 0.0);
            let change = before.iter().zip(&after).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(change < 1e-11 * size, "{field:?} changes by {change:e} of {size:e}");
        }
    }
}

#[test]
fn turning_alone_strains_nothing() {
    let turn = Rotation3::new(Vector3::new(0.5, 2.0, -1.0)).into_inner();
    for law in [SolidLaw::StableNeoHookean, SolidLaw::Corotated, SolidLaw::NeoHookean] {
        let (scene, body, material) = deformed(law, &turn);
        let simulation = Simulation::new(&scene).unwrap();
        let get = |quantity| {
            let probe = Probe::new(quantity).of(body, Selection::All).reduced(Reduction::Max);
            measured(&scene, &simulation, &probe)
        };
        assert_near(get(Quantity::Stretch), 1.0, 1e-13);
        assert_near(get(Quantity::MinStretch), 1.0, 1e-13);
        assert_near(get(Quantity::VonMises), 0.0, 1e-12 * material.youngs_modulus());
        assert_near(get(Quantity::Stress), 0.0, 1e-12 * material.youngs_modulus());
    }
}

#[test]
fn fields_are_those_of_the_models() {
    let (scene, [solid, _]) = crumpled(Vector3::zeros());
    let simulation = Simulation::new(&scene).unwrap();
    let stiction::body::Body::Solid(body) = &scene.bodies[0] else { panic!("a solid") };
    let model = body.material.model();
    let (mut energy, mut pressure) = (Vec::new(), Vec::new());
    Field::StrainEnergyDensity.evaluate(&simulation, solid, &mut energy);
    Field::Pressure.evaluate(&simulation, solid, &mut pressure);
    let x = simulation.positions(solid);
    let edges = |c: &[u32; 4], x: &[Vector3]| {
        Matrix3::from_columns(&[1, 2, 3].map(|k| x[c[k] as usize] - x[c[0] as usize]))
    };
    for (e, corners) in body.mesh.tets().iter().enumerate() {
        let rest = edges(corners, body.mesh.vertices());
        let F = edges(corners, &x) * rest.try_inverse().unwrap();
        let density = model.value(&F) - model.value(&Matrix3::identity());
        assert_near(energy[e], density, 1e-6);
        // tr σ = P : F / J
        let mean = -model.stress(&F).dot(&F) / F.determinant() / 3.0;
        assert_near(pressure[e], mean, 1e-9 * mean.abs().max(1e5));
    }
}

/// The work of a small turn is the torque: no other part of the library says so.
#[test]
fn the_torque_at_a_twisted_end_is_the_change_of_energy_with_its_angle() {
    let tag = |name: &str| Selection::Tag(name.into());
    let twisted = |angle: f64| {
        let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
        let bar = Solid::cuboid([0.4, 0.1, 0.1], [4, 2, 2]).unwrap().at([1.0, 0.5, -0.2]);
        let bar = scene.add(bar);
        scene.pin(bar, tag("x-min"));
        let frame =
            stiction::body::Keyframe { rotation: [angle, 0.0, 0.0].into(), ..Default::default() };
        let center = [0.0, 0.5, -0.2].into();
        let interpolation = Default::default();
        let motion = Motion::Keyframes { frames: vec![frame], center, interpolation };
        scene.pin(bar, tag("x-max")).motion(motion);
        let mut settings = stiction::Settings::default();
        settings.smooth().solver.tolerance = 1e-8;
        let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
        assert!(simulation.settle().unwrap().converged());
        let torque = |end: &str| {
            let probe = Probe::new(Quantity::ReactionTorque).of(bar, tag(end));
            let probe = probe.along([1.0, 0.0, 0.0]).about([7.0, 0.5, -0.2]);
            measured(&scene, &simulation, &probe)
        };
        (
            measured(&scene, &simulation, &Probe::new(Quantity::Energy)),
            torque("x-max"),
            torque("x-min"),
        )
    };
    let (angle, h) = (0.6, 1e-3);
    let (_, torque, opposite) = twisted(angle);
    let work = (twisted(angle + h).0 - twisted(angle - h).0) / (2.0 * h);
    assert!(torque > 1.0);
    assert_near(torque, work, 1e-5 * torque);
    assert_near(opposite, -torque, 1e-6 * torque);
}
