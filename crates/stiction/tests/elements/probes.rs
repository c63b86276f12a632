//! Probes of places, sums and forces; what they refuse; and that rows do not depend on how a run was cut.

use stiction::body::{Anchor, BodyId, Cloth, Motion, Obstacle, Solid, Spring, Zone};
use stiction::energy::VolumeModel;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::measure::{PreparedProbe, Probe, ProbeError, Quantity, Reduction};
use stiction::mesh::Selection;
use stiction::mesh::generate::{CuboidSplit, cuboid};
use stiction::{Scene, Simulation};

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

fn tag(name: &str) -> Selection {
    Selection::Tag(name.into())
}

fn measured(scene: &Scene, simulation: &Simulation, probe: &Probe) -> f64 {
    probe.prepare(scene, simulation).unwrap().measure(simulation)
}

/// Two welded blocks, one of them tied to a point, and a sheet, all in motion.
fn crowd() -> (Scene, [BodyId; 3]) {
    let mut scene = Scene::new();
    let block = || Solid::cuboid([0.2, 0.2, 0.2], [2, 2, 2]).unwrap();
    let heavy = Material::new(1e5, 0.3, 3000.0).unwrap();
    let a = scene.add(block().spin([0.0, 3.0, 1.0]));
    let b = scene.add(block().at([0.2, 0.0, 0.0]).material(heavy).velocity([0.5, 0.2, 0.0]));
    scene.weld(a, tag("x-max"), b);
    let c = Cloth::sheet([0.3, 0.3], [4, 4]).unwrap().at([0.0, 1.0, 0.0]).spin([1.0, 0.0, 0.0]);
    let c = scene.add(c);
    let hook = Anchor::Point([0.1, 0.5, 0.0].into());
    scene.spring(Spring::new(Anchor::Vertex(a, 0), hook, 50.0).rest_length(0.1));
    (scene, [a, b, c])
}

#[test]
fn bodies_add_up_to_the_scene() {
    let (scene, bodies) = crowd();
    let mut simulation = Simulation::new(&scene).unwrap();
    for _ in 0..5 {
        assert!(simulation.step().converged());
    }
    let sum = |probe: Probe| -> f64 {
        let of = |&body| measured(&scene, &simulation, &probe.clone().of(body, Selection::All));
        bodies.iter().map(of).sum()
    };
    let all = |probe: Probe| measured(&scene, &simulation, &probe);
    let energies = simulation.energies();
    let spring = {
        let x = simulation.positions(bodies[0])[0];
        0.5 * 50.0 * ((x - Vector3::new(0.1, 0.5, 0.0)).norm() - 0.1).powi(2)
    };
    assert!(spring > 0.1 && energies.elastic > 1.01 * spring);
    for (quantity, expected, apart) in [
        (Quantity::KineticEnergy, energies.kinetic, 0.0),
        (Quantity::ElasticEnergy, energies.elastic, spring),
        (Quantity::GravitationalEnergy, energies.gravitational, 0.0),
        (Quantity::Energy, energies.total(), spring),
    ] {
        let scale = energies.kinetic + energies.elastic + energies.gravitational.abs();
        assert_near(all(Probe::new(quantity)), expected, 1e-13 * scale);
        assert_near(sum(Probe::new(quantity)) + apart, expected, 1e-13 * scale);
    }
    let (linear, angular) = simulation.momentum();
    for k in 0..3 {
        let axis = Vector3::ith(k, 1.0);
        let (p, l) = (Probe::new(Quantity::Momentum), Probe::new(Quantity::AngularMomentum));
        assert_near(all(p.clone().along(axis)), linear[k], 1e-13 * linear.norm());
        assert_near(sum(p.along(axis)), linear[k], 1e-13 * linear.norm());
        assert_near(sum(l.along(axis)), angular[k], 1e-12 * angular.norm());
    }
    let about = Vector3::new(1.0, -2.0, 0.5);
    let moved = Probe::new(Quantity::AngularMomentum).about(about);
    assert_near(all(moved), (angular - about.cross(&linear)).norm(), 1e-12 * angular.norm());
    assert_near(all(Probe::new(Quantity::Momentum)), linear.norm(), 1e-13 * linear.norm());
}

#[test]
fn a_spinning_block_has_the_momentum_of_its_spin() {
    let mut scene = Scene::new();
    let block = Solid::cuboid([0.2, 0.2, 0.2], [2, 2, 2]).unwrap();
    let block =
        scene.add(block.at([1.0, 0.0, 0.0]).spin([0.0, 0.0, 4.0]).velocity([0.0, 2.0, 0.0]));
    let simulation = Simulation::new(&scene).unwrap();
    let get = |probe: Probe| measured(&scene, &simulation, &probe.of(block, Selection::All));
    let mass = 0.008 * Material::SILICONE.density();
    let center = get(Probe::new(Quantity::CenterOfMass).along([1.0, 0.0, 0.0]));
    assert_near(center, 1.0, 1e-2);
    assert_near(get(Probe::new(Quantity::Momentum).along([0.0, 1.0, 0.0])), 2.0 * mass, 1e-12);
    // Spin and flight add up: energy is ½ m v² + ½ ω·L, with L about the centre.
    let about = Vector3::new(center, 0.0, 0.0)
        + Vector3::y() * get(Probe::new(Quantity::CenterOfMass).along([0.0, 1.0, 0.0]));
    let spin = get(Probe::new(Quantity::AngularMomentum).about(about).along([0.0, 0.0, 1.0]));
    let kinetic = 0.5 * mass * 4.0 + 0.5 * 4.0 * spin;
    assert_near(get(Probe::new(Quantity::KineticEnergy)), kinetic, 1e-12 * kinetic);
    // Lumped masses sit farther out than the mass of a cube, m a²/6.
    let moment = spin / 4.0 / (mass * 0.04 / 6.0);
    assert!((1.0..1.6).contains(&moment), "{moment}");
    let speed = get(Probe::new(Quantity::Speed).reduced(Reduction::Max));
    assert!((2.0..2.0 + 4.0 * 0.15).contains(&speed), "{speed}");
}

#[test]
fn spin_is_what_a_body_was_given_however_it_flies_and_whatever_its_shape() {
    let mut scene = Scene::new();
    let given = Vector3::new(3.0, -1.0, 2.0);
    let block = Solid::cuboid([0.4, 0.1, 0.2], [4, 1, 2]).unwrap();
    let block = scene.add(block.at([5.0, -3.0, 1.0]).spin(given).velocity([7.0, 0.0, -2.0]));
    let simulation = Simulation::new(&scene).unwrap();
    let spin = |selection: &Selection, axis| {
        let probe = Probe::new(Quantity::Spin).of(block, selection.clone()).along(axis);
        measured(&scene, &simulation, &probe)
    };
    for k in 0..3 {
        // A part turns with the whole, though its centre flies elsewhere.
        for selection in [Selection::All, tag("x-max")] {
            assert_near(spin(&selection, Vector3::ith(k, 1.0)), given[k], 1e-10);
        }
    }
    let size = measured(&scene, &simulation, &Probe::new(Quantity::Spin));
    assert_near(size, given.norm(), 1e-10);
}

#[test]
fn spin_about_a_line_of_mass_counts_as_none() {
    let mut scene = Scene::new();
    let block = Solid::cuboid([0.4, 0.1, 0.2], [4, 1, 2]).unwrap();
    let block = scene.add(block.spin([3.0, -1.0, 2.0]));
    let simulation = Simulation::new(&scene).unwrap();
    let vertices = simulation.positions(block);
    let twin = |v: &Vector3| (v - vertices[0]).yz().norm() < 1e-9 && v.x > vertices[0].x + 0.05;
    let other = vertices.iter().position(twin).unwrap() as u32;
    let spin = |ids: &[u32], k| {
        let probe = Probe::new(Quantity::Spin).of(block, Selection::Ids(ids.to_vec()));
        measured(&scene, &simulation, &probe.along(Vector3::ith(k, 1.0)))
    };
    for (k, expected) in [(0, 0.0), (1, -1.0), (2, 2.0)] {
        assert_near(spin(&[0, other], k), expected, 1e-12);
        assert_near(spin(&[0], k), 0.0, 0.0);
    }
}

#[test]
fn free_fall_moves_the_centre_of_mass() {
    let (mut scene, [_, _, cloth]) = crowd();
    scene.springs.clear();
    let mut simulation = Simulation::new(&scene).unwrap();
    let up = [0.0, 1.0, 0.0];
    let probe = |quantity| Probe::new(quantity).of(cloth, Selection::All).along(up);
    let height = probe(Quantity::CenterOfMass).prepare(&scene, &simulation).unwrap();
    let start = height.measure(&simulation);
    let fallen = probe(Quantity::Displacement).prepare(&scene, &simulation).unwrap();
    assert_near(fallen.measure(&simulation), 0.0, 0.0);
    let speed = Probe::new(Quantity::Momentum).of(cloth, Selection::All).along(up);
    for _ in 0..10 {
        assert!(simulation.step().converged());
    }
    let drop = start - height.measure(&simulation);
    assert_near(drop, 0.5 * 9.81 * 0.01, 1e-9);
    assert!(fallen.measure(&simulation) < -0.03);
    let mass: f64 = simulation.model().vertex_masses(cloth).iter().sum();
    assert_near(measured(&scene, &simulation, &speed), -9.81 * 0.1 * mass, 1e-6 * mass);
}

#[test]
fn lengths_areas_and_volumes_are_those_of_the_box() {
    let mut scene = Scene::new();
    let mesh = cuboid([0.4, 0.2, 0.1], [4, 2, 1], CuboidSplit::default()).unwrap();
    let bag = scene.add(Cloth::new(mesh.boundary().surface).warp([1.0, 0.5, 0.3]));
    let block = scene.add(Solid::new(mesh).at([5.0, 1.0, 0.0]));
    let simulation = Simulation::new(&scene).unwrap();
    let get = |probe: Probe| measured(&scene, &simulation, &probe);
    for body in [bag, block] {
        let of = |quantity| Probe::new(quantity).of(body, Selection::All);
        assert_near(get(of(Quantity::Volume)), 0.008, 1e-16);
        assert_near(get(of(Quantity::Area)), 2.0 * (0.08 + 0.04 + 0.02), 1e-14);
        let end = Probe::new(Quantity::Area).of(body, tag("x-max"));
        assert_near(get(end), 0.02, 1e-15);
        let long = Probe::new(Quantity::Length).of(body, tag("x-min")).to(body, tag("x-max"));
        assert_near(get(long.clone()), 0.4, 1e-14);
        assert_near(get(long.along([-2.0, 0.0, 0.0])), -0.4, 1e-14);
    }
    let between = Probe::new(Quantity::Length).of(bag, Selection::All).to(block, Selection::All);
    assert_near(get(between.along([0.0, 3.0, 0.0])), 1.0, 1e-14);
    let top = Probe::new(Quantity::Position).of(block, Selection::All).along([1.0, 0.0, 0.0]);
    assert_near(get(top.clone()), 5.0, 1e-14);
    assert_near(get(top.clone().reduced(Reduction::Min)), 4.8, 1e-14);
    assert_near(get(top.reduced(Reduction::Max)), 5.2, 1e-14);
}

fn hanging(damping: Damping) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let material = Material::new(1e5, 0.3, 1000.0).unwrap().with_damping(damping).unwrap();
    let bar = scene.add(Solid::cuboid([0.1, 0.3, 0.1], [1, 3, 1]).unwrap().material(material));
    scene.pin(bar, tag("y-max")).motion(Motion::Velocity([0.1, 0.0, 0.0].into()));
    (scene, bar)
}

#[test]
fn reactions_are_there_before_the_first_step() {
    let (scene, bar) = hanging(Damping::NONE);
    let mut simulation = Simulation::new(&scene).unwrap();
    let probe = Probe::new(Quantity::Reaction).of(bar, Selection::All).along([0.0, 1.0, 0.0]);
    let reaction = probe.prepare(&scene, &simulation).unwrap();
    // Nothing is stretched yet: the pin carries only the masses it holds.
    let (nodes, x) = (simulation.model().vertex_masses(bar), simulation.positions(bar));
    let held: f64 = nodes.iter().zip(&x).filter(|(_, x)| x.y > 0.149).map(|(m, _)| m).sum();
    assert_near(reaction.measure(&simulation), 9.81 * held, 1e-9);
    simulation.settle().unwrap();
    assert_near(reaction.measure(&simulation), 9.81 * 3.0, 1e-5);
    let each = probe.reduced(Reduction::Mean).prepare(&scene, &simulation).unwrap();
    assert_near(4.0 * each.measure(&simulation), 9.81 * 3.0, 1e-5);
    // The torque of the pin and that of the weight, which acts at the centre of mass, balance about any point.
    let x = Probe::new(Quantity::CenterOfMass).of(bar, Selection::All).along([1.0, 0.0, 0.0]);
    let x = measured(&scene, &simulation, &x);
    let torque =
        Probe::new(Quantity::ReactionTorque).of(bar, Selection::All).along([0.0, 0.0, 1.0]);
    assert_near(measured(&scene, &simulation, &torque), x * 9.81 * 3.0, 1e-5);
    let moved = measured(&scene, &simulation, &torque.about([1.0, 7.0, 0.0]));
    assert_near(moved, (x - 1.0) * 9.81 * 3.0, 1e-5);
}

fn rows(simulation: &mut Simulation, probes: &[PreparedProbe], steps: usize) -> Vec<Vec<u64>> {
    let mut row = || {
        assert!(simulation.step().converged());
        probes.iter().map(|probe| probe.measure(simulation).to_bits()).collect()
    };
    (0..steps).map(|_| row()).collect()
}

#[test]
fn a_resumed_run_writes_the_rows_of_an_uninterrupted_one() {
    let (scene, bar) = hanging(Damping { mass: 0.5, stiffness: 1e-3 });
    let mut whole = Simulation::new(&scene).unwrap();
    let of = |quantity| Probe::new(quantity).of(bar, Selection::All);
    let probes = [
        of(Quantity::Reaction),
        of(Quantity::ReactionTorque).along([0.0, 0.0, 1.0]),
        of(Quantity::VonMises).reduced(Reduction::Max),
        Probe::new(Quantity::Energy),
    ];
    let prepare = |probe: &Probe| probe.prepare(&scene, &whole).unwrap();
    let probes: Vec<PreparedProbe> = probes.iter().map(prepare).collect();
    rows(&mut whole, &probes, 4);
    let state = whole.state();
    let at_checkpoint = probes[0].measure(&whole);
    let expected = rows(&mut whole, &probes, 4);
    let mut resumed = Simulation::new(&scene).unwrap();
    resumed.restore(&state).unwrap();
    // Found anew, with damping frozen a little elsewhere.
    assert_near(probes[0].measure(&resumed), at_checkpoint, 1e-3 * at_checkpoint);
    assert_eq!(rows(&mut resumed, &probes, 4), expected);
}

#[test]
fn reactions_are_found_anew_after_restore() {
    let (scene, bar) = hanging(Damping::NONE);
    let mut simulation = Simulation::new(&scene).unwrap();
    for _ in 0..5 {
        simulation.step();
    }
    let (state, before) = (simulation.state(), simulation.reactions(bar));
    let mut other = Simulation::new(&scene).unwrap();
    other.restore(&state).unwrap();
    for (a, b) in before.iter().zip(other.reactions(bar)) {
        assert!((a - b).norm() < 1e-9, "{a} {b}");
    }
    assert!(before.iter().map(Vector3::norm).sum::<f64>() > 1.0);
}

/// Tetrahedra of two sizes, moved about.
fn crumpled() -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let block = Solid::new(cuboid([0.2; 3], [9; 3], CuboidSplit::Five).unwrap());
    let moved = |(k, x): (usize, &Vector3)| x + stiction_check::shapes::noise(3, k) * 1e-3;
    let start = block.mesh.vertices().iter().enumerate().map(moved).collect();
    let block = scene.add(block.starting_at(start));
    (scene, block)
}

#[test]
fn the_mean_volume_ratio_is_that_of_the_whole() {
    let (scene, block) = crumpled();
    let simulation = Simulation::new(&scene).unwrap();
    let get =
        |quantity| measured(&scene, &simulation, &Probe::new(quantity).of(block, Selection::All));
    let volume = get(Quantity::Volume);
    assert!((volume / 0.008 - 1.0).abs() > 1e-5);
    assert_near(get(Quantity::VolumeRatio), volume / 0.008, 1e-13);
}

#[test]
fn threads_do_not_change_a_bit() {
    let (scene, block) = crumpled();
    let simulation = Simulation::new(&scene).unwrap();
    let of = |quantity| Probe::new(quantity).of(block, Selection::All);
    for probe in [of(Quantity::VonMises), of(Quantity::ElasticEnergy), of(Quantity::Volume)] {
        let probe = probe.prepare(&scene, &simulation).unwrap();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| probe.measure(&simulation)).to_bits()
        };
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_help() {
    let mut scene = Scene::new();
    let block = scene.add(Solid::cuboid([0.2; 3], [2; 3]).unwrap().named("block"));
    let sheet = scene.add(Cloth::sheet([0.3, 0.3], [2, 2]).unwrap().named("sheet"));
    let floor = scene.add(Obstacle::plane([0.0, 1.0, 0.0], -1.0).named("floor"));
    scene.pin(block, tag("x-min"));
    let simulation = Simulation::new(&scene).unwrap();
    let up = [0.0, 1.0, 0.0];
    let of = |quantity, body| Probe::new(quantity).of(body, Selection::All);
    let at = |quantity, place| Probe::new(quantity).of(block, place);
    let mut larger = scene.clone();
    let stranger = larger.add(Obstacle::plane(up, 0.0));
    let cases: Vec<(Probe, &str)> = vec![
        (Probe::new(Quantity::Position).along(up), "needs `body`"),
        (Probe { body: None, ..at(Quantity::Energy, tag("x-min")) }, "needs `body`"),
        (of(Quantity::Position, block), "needs `along`"),
        (of(Quantity::Velocity, block), "or probe `speed`"),
        (of(Quantity::Speed, block).along(up), "no use for `along`"),
        (of(Quantity::Energy, block).along(up), "no use for `along`"),
        (of(Quantity::Momentum, block).about(up), "no use for `about`"),
        (of(Quantity::Spin, block).about(up), "no use for `about`"),
        (of(Quantity::Momentum, block).along([0.0; 3]), "is (0, 0, 0)"),
        (of(Quantity::Momentum, block).along([f64::NAN, 0.0, 1.0]), "three finite numbers"),
        (of(Quantity::AngularMomentum, block).about([f64::INFINITY; 3]), "three finite numbers"),
        (of(Quantity::Length, block), "needs `to`"),
        (of(Quantity::Area, block).to(sheet, Selection::All), "no use for `to`"),
        (of(Quantity::Speed, block).reduced(Reduction::Sum), "use mean, min, max"),
        (of(Quantity::Energy, block).reduced(Reduction::Max), "leave the reduction out"),
        (of(Quantity::Speed, floor), "is an obstacle"),
        (of(Quantity::Speed, stranger), "refers to body 3, but the scene has 3"),
        (at(Quantity::Speed, tag("x-mix")), "x-min"),
        (at(Quantity::Stretch, Selection::Ids(vec![0, 1])), "no whole tetrahedron"),
        (at(Quantity::Area, Selection::Ids(vec![0])), "no whole face"),
        (of(Quantity::Volume, sheet), "8 open edges"),
        (of(Quantity::Pressure, sheet), "needs a solid, but body 'sheet' is a cloth"),
        (of(Quantity::AreaRatio, block), "needs a cloth, but body 'block' is a solid"),
        (at(Quantity::Reaction, tag("x-max")), "no pin holds"),
        (of(Quantity::Stretch, sheet).along([0.0, 0.0, 1.0]), "perpendicular to cloth 'sheet'"),
    ];
    for (probe, expected) in cases {
        let message = probe.prepare(&scene, &simulation).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}\n  should say: {expected}");
        assert!(message.contains("\n  help: "), "{message}");
    }
    let mut other = Scene::new();
    let bigger = other.add(Solid::cuboid([0.2; 3], [3; 3]).unwrap());
    let error = of(Quantity::Speed, bigger).prepare(&other, &simulation).unwrap_err();
    assert!(matches!(error, ProbeError::OtherScene { given: 64, simulated: 27, .. }), "{error}");
}

#[test]
fn zones_have_volume_pressure_and_energy() {
    let mut scene = Scene::new();
    let block = scene.add(Solid::cuboid([0.2, 0.1, 0.1], [2, 1, 1]).unwrap());
    let water = VolumeModel::NearlyIncompressible { compressibility: 0.01 };
    let zone = scene.zone(Zone::inside(block).model(water).gauge_pressure(300.0));
    let mut simulation = Simulation::new(&scene).unwrap();
    let probe = |quantity| Probe::new(quantity).of_zone(zone);
    let measured =
        |simulation: &Simulation, quantity| measured(&scene, simulation, &probe(quantity));
    assert_near(measured(&simulation, Quantity::Volume), 2e-3, 1e-15);
    assert_near(measured(&simulation, Quantity::Pressure), 300.0, 1e-9);
    assert_near(measured(&simulation, Quantity::Energy), 0.0, 1e-15);
    (0..3).for_each(|_| drop(simulation.step()));
    let energies = simulation.energies();
    assert!(energies.zones < 0.0, "the filling pushes the walls out: {energies:?}");
    assert_near(measured(&simulation, Quantity::Energy), energies.zones, 1e-15);
    let whole = Probe::new(Quantity::Energy).prepare(&scene, &simulation).unwrap();
    assert_near(whole.measure(&simulation), energies.total(), 1e-12);
    assert_eq!(probe(Quantity::Pressure).prepare(&scene, &simulation).unwrap().unit(), "Pa");

    for (probe, expected) in [
        (probe(Quantity::Speed), "no use for `zone`"),
        (probe(Quantity::Volume).of(block, Selection::All), "no use for `body`"),
        (probe(Quantity::Volume).along([1.0, 0.0, 0.0]), "no use for `along`"),
    ] {
        let message = probe.prepare(&scene, &simulation).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    let stranger = scene.clone().zone(Zone::inside(block));
    let error = Probe::new(Quantity::Volume).of_zone(stranger).prepare(&scene, &simulation);
    assert!(matches!(error.unwrap_err(), ProbeError::UnknownZone { zone: 1, count: 1 }));
}

#[test]
fn names_lead_back_to_quantities() {
    for (quantity, name) in Quantity::ALL.into_iter().zip(Quantity::NAMES) {
        assert_eq!(quantity.name(), name);
        assert_eq!(Quantity::from_name(name), Ok(quantity));
        assert!(name.chars().all(|c| c == '_' || c.is_ascii_lowercase()), "{name}");
    }
    let unknown = Quantity::from_name("kinetic_enrgy").unwrap_err();
    assert_eq!(unknown.suggestion, Some("kinetic_energy"));
    assert!(unknown.to_string().contains("did you mean `kinetic_energy`?"), "{unknown}");
    assert_eq!(Reduction::from_name("max"), Ok(Reduction::Max));
    assert_eq!(
        stiction::measure::Field::from_name("von_misses").unwrap_err().suggestion,
        Some("von_mises")
    );
}
