//! Probes and fields of contacts: a block that sticks on a ramp feels its weight, one that slides feels Coulomb.

use stiction::body::{BodyId, Obstacle, Shape, Solid};
use stiction::contact::Friction;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::measure::{Probe, ProbeError, Quantity, Reduction, VertexField};
use stiction::mesh::Selection;
use stiction::{Scene, Settings, Simulation};

const G: f64 = 9.81;
/// 0.2 m cube of 1000 kg/m³.
const WEIGHT: f64 = 8.0 * G;
const NORMAL: [f64; 3] = [0.0, 1.0, 0.0];
const DOWNHILL: [f64; 3] = [1.0, 0.0, 0.0];

/// A block on a floor; gravity leans by `degrees`.
fn scene(degrees: f64, friction: f64) -> (Scene, BodyId, BodyId) {
    let mut scene = Scene::new();
    let (sin, cos) = degrees.to_radians().sin_cos();
    scene.gravity = Vector3::new(G * sin, -G * cos, 0.0);
    let plane = Shape::Plane { normal: NORMAL.into(), offset: 0.0 };
    let floor = scene.add(Obstacle::new(plane));
    let damped = Damping { mass: 0.0, stiffness: 5e-3 };
    let material = Material::RUBBER.with_density(1000.0).and_then(|m| m.with_damping(damped));
    let material = material.expect("a material");
    let block = Solid::cuboid([0.2; 3], [2, 2, 2]).expect("a block").material(material);
    let block = scene.add(block.at([0.0, 0.1, 0.0]));
    scene.friction_between(block, floor, friction);
    (scene, floor, block)
}

fn run(scene: &Scene, seconds: f64) -> Simulation {
    let mut simulation = Simulation::with_settings(scene, Settings::default()).expect("a scene");
    while simulation.time() < seconds {
        assert!(simulation.step().converged());
    }
    simulation
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
}

#[test]
fn a_block_that_sticks_is_carried_by_its_weight_and_held_by_its_share_downhill() {
    let (scene, floor, block) = scene(10.0, 0.5);
    let simulation = run(&scene, 2.0);
    let measure =
        |probe: Probe| probe.prepare(&scene, &simulation).expect("a probe").measure(&simulation);
    let of = |quantity: Quantity| Probe::new(quantity).of(block, Selection::All);
    let (sin, cos) = 10.0_f64.to_radians().sin_cos();
    let tolerance = 1e-4 * WEIGHT;
    let near = |found: f64, expected: f64, what: &str| {
        assert_near(found, expected, tolerance, what);
    };
    near(measure(of(Quantity::NormalForce)), WEIGHT * cos, "normal force");
    near(measure(of(Quantity::ContactForce)), WEIGHT, "whole force");
    near(measure(of(Quantity::ContactForce).along(NORMAL)), WEIGHT * cos, "across");
    near(measure(of(Quantity::FrictionForce).along(DOWNHILL)), -WEIGHT * sin, "friction");
    near(measure(of(Quantity::FrictionForce)), WEIGHT * sin, "size of friction");
    near(measure(of(Quantity::FrictionForce).against(floor)), WEIGHT * sin, "against the floor");
    // The floor feels the opposite.
    let floor_feels = Probe::new(Quantity::ContactForce).of(floor, Selection::All);
    near(measure(floor_feels.clone().along(NORMAL)), -WEIGHT * cos, "on the floor");
    near(measure(floor_feels.against(block).along(DOWNHILL)), WEIGHT * sin, "along the floor");
    // Four corners, four edges, one middle; half of them in front.
    assert_near(measure(of(Quantity::ContactCount)), 9.0, 0.0, "contacts");
    assert_near(measure(of(Quantity::SlidingCount)), 0.0, 0.0, "sliding");
    let side = Probe::new(Quantity::ContactCount).of(block, Selection::Tag("x-max".into()));
    assert_near(measure(side), 3.0, 0.0, "contacts of a side");
    let gaps = [Reduction::Min, Reduction::Mean, Reduction::Max]
        .map(|reduction| measure(of(Quantity::Gap).reduced(reduction)));
    assert!(0.0 < gaps[0] && gaps[0] <= gaps[1] && gaps[1] <= gaps[2], "{gaps:?}");
    let layer = simulation.contact_pairs().first().expect("a pair").layer;
    assert!(gaps[2] < layer.thickness);

    // Fields hold the same forces, vertex by vertex.
    let contacts = simulation.contacts();
    let values = |field: VertexField| field.evaluate(&simulation, &contacts, block);
    let total = |field: VertexField| -> Vector3 {
        values(field).as_chunks::<3>().0.iter().map(|v| Vector3::from(*v)).sum()
    };
    near((total(VertexField::ContactForce) + scene.gravity * 8.0).norm(), 0.0, "field of forces");
    near(total(VertexField::FrictionForce).x, -WEIGHT * sin, "field of friction");
    near(total(VertexField::FrictionForce).y, 0.0, "friction across");
    near(total(VertexField::NormalForce).y, WEIGHT * cos, "field of normal forces");
    let (states, own_gaps) = (values(VertexField::ContactState), values(VertexField::Gap));
    let sticking = states.iter().filter(|state| (**state - 1.0).abs() < 0.5).count();
    assert_eq!(
        (sticking, states.len()),
        (contacts.len(), values(VertexField::Displacement).len() / 3)
    );
    assert!(states.iter().zip(&own_gaps).all(|(state, gap)| (*state == 0.0) == (*gap == 0.0)));
    let coefficients = values(VertexField::FrictionCoefficient);
    assert!(states.iter().zip(coefficients).all(|(state, mu)| (mu - 0.5 * state).abs() < 1e-12));
}

#[test]
fn a_block_that_slides_feels_the_coefficient_and_counts_its_way() {
    let (scene, _, block) = scene(10.0, 0.1);
    let simulation = run(&scene, 1.0);
    let measure =
        |probe: Probe| probe.prepare(&scene, &simulation).expect("a probe").measure(&simulation);
    let of = |quantity: Quantity| Probe::new(quantity).of(block, Selection::All);
    let (normal, friction) =
        (measure(of(Quantity::NormalForce)), measure(of(Quantity::FrictionForce)));
    assert_near(friction, 0.1 * normal, 1e-6 * normal, "Coulomb");
    let count = measure(of(Quantity::ContactCount));
    assert!(count >= 1.0);
    assert_near(measure(of(Quantity::SlidingCount)), count, 0.0, "all of them slide");
    let speed = measure(of(Quantity::Velocity).along(DOWNHILL));
    let slips = measure(of(Quantity::SlipVelocity).along(DOWNHILL).reduced(Reduction::Mean));
    assert_near(slips, speed, 0.02 * speed, "slip velocity");
    let way = measure(of(Quantity::Displacement).along(DOWNHILL));
    let slip = measure(of(Quantity::Slip));
    assert!(slip <= way * 1.02 && slip > 0.8 * way, "slid {slip} of {way}");
    let least = measure(of(Quantity::Slip).reduced(Reduction::Min));
    assert!(0.0 < least && least <= slip, "{least} {slip}");
}

#[test]
fn where_nothing_touches_forces_are_zero_and_gaps_infinite() {
    let (mut scene, floor, block) = scene(0.0, 0.5);
    scene.friction = Friction::NONE;
    let other = scene.add(Solid::cuboid([0.1; 3], [1, 1, 1]).expect("a block").at([0.0, 5.0, 0.0]));
    let simulation = run(&scene, 0.1);
    let measure = |quantity: Quantity, body: BodyId, against: BodyId| {
        let probe = Probe::new(quantity).of(body, Selection::All).against(against);
        probe.prepare(&scene, &simulation).expect("a probe").measure(&simulation)
    };
    for (body, against) in [(other, floor), (floor, other), (block, other)] {
        for quantity in Quantity::ALL.into_iter().filter(|q| q.name().contains("force")) {
            if quantity != Quantity::Reaction {
                assert_near(measure(quantity, body, against), 0.0, 0.0, quantity.name());
            }
        }
        assert_near(measure(Quantity::Slip, body, against), 0.0, 0.0, "slip");
        assert!(measure(Quantity::Gap, body, against).is_infinite());
    }
    assert!(measure(Quantity::ContactCount, block, floor) > 0.0);
}

#[test]
fn probes_of_contacts_refuse_what_they_do_not_look_at() {
    let (scene, floor, block) = scene(0.0, 0.5);
    let simulation = Simulation::new(&scene).expect("a scene");
    let error = |probe: Probe| probe.prepare(&scene, &simulation).expect_err("an error");
    let unused = |probe: Probe, name: &str| match error(probe) {
        ProbeError::Unused { part, .. } => assert_eq!(part, name),
        other => panic!("{other}"),
    };
    unused(Probe::new(Quantity::Area).of(block, Selection::All).against(floor), "against");
    unused(Probe::new(Quantity::Slip).of(block, Selection::All).against(block), "against");
    unused(Probe::new(Quantity::NormalForce).of(block, Selection::All).along(NORMAL), "along");
    let nobody = error(Probe::new(Quantity::ContactForce));
    assert!(matches!(nobody, ProbeError::Missing { part: "body", .. }), "{nobody}");
    let sum = Probe::new(Quantity::Gap).of(block, Selection::All).reduced(Reduction::Sum);
    assert!(matches!(error(sum), ProbeError::Reduction { .. }));
    let some = Probe::new(Quantity::Gap).of(floor, Selection::Boundary);
    assert!(matches!(error(some), ProbeError::WrongBody { .. }));
}
