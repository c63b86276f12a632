//! Every quantity that a probe can measure, in a scene with contacts whose answer is known. Claims are named
//! as quantities.

use stiction::Scene;
use stiction::body::{BodyId, End, Joint, JointId};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::measure::{Probe, Quantity, Reduction};
use stiction::mesh::Selection;
use stiction_check::scenes::{self, GRAVITY, ball, block, flat_sheet, floor, of, soft_block};

use crate::harness::{Run, Verdict, claims, holds, near, within};
use crate::methods::Method;

claims!(
    "probes": position, displacement, velocity, speed, center_of_mass, length, area, volume, stretch, strain,
    green_strain,
    min_stretch, volume_ratio, area_ratio, strain_energy_density, stress, von_mises, pressure, kinetic_energy,
    elastic_energy, gravitational_energy, energy, momentum, angular_momentum, spin, reaction, reaction_torque,
    contact_force, normal_force, friction_force, slip, slip_velocity, gap, contact_count, sliding_count, intersections,
    travel, drift,
    tilt
);

/// A quantity without a cell is a hole in the table.
#[test]
fn every_quantity_has_its_cell() {
    for quantity in Quantity::ALL {
        let claim = format!("probes/{quantity}");
        assert!(CLAIMS.contains(&claim.as_str()), "{claim} is not claimed by any test");
    }
    assert_eq!(CLAIMS.len(), Quantity::ALL.len(), "one each");
}

// A rigid block of 4 kg slides over a floor, from 1 m/s, and has lost about half of it.

const H: f64 = 2e-3;
const MU: f64 = 0.5;
const MASS: f64 = 4.0;
const START: f64 = 1.0;
const TIME: f64 = 0.1;
/// Half of the block's height [m].
const HALF: f64 = 0.05;

/// What methods leave between bodies, at most [m].
const LAYER: f64 = 0.03 * HALF;

/// Speed after [`TIME`] [m/s].
const LEFT: f64 = START - MU * GRAVITY * TIME;
/// Way until then [m].
const WAY: f64 = START * TIME - 0.5 * MU * GRAVITY * TIME * TIME;
/// What a step more or less is worth [m].
const STEP: f64 = START * H;

fn on_floor(height: f64, speed: f64) -> (Scene, BodyId, BodyId) {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let slider = block([0.2, 2.0 * HALF, 0.2]).at([0.0, height, 0.0]).velocity([speed, 0.0, 0.0]);
    let slider = scene.add(slider);
    scene.friction_between(slider, floor, MU);
    (scene, slider, floor)
}

/// A block that has come to rest, each method where it lets it rest.
fn resting(method: &Method) -> Verdict<Run> {
    let (scene, slider, _) = on_floor(HALF, 0.0);
    Run::new(method, scene, slider, H)?.to(0.4)
}

/// The same, thrown along the floor a while ago.
pub(crate) fn sliding(method: &Method, since: f64) -> Verdict<Run> {
    let (scene, slider, _) = on_floor(resting(method)?.center().y, START);
    Run::new(method, scene, slider, H)?.to(since)
}

fn position(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::Position, Vector3::x())?, WAY, STEP)?;
    near("y", run.along(Quantity::Position, Vector3::y())?, HALF, LAYER)
}

fn displacement(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::Displacement, Vector3::x())?, WAY, STEP)?;
    near("y", run.along(Quantity::Displacement, Vector3::y())?, 0.0, 0.005 * HALF)
}

fn velocity(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::Velocity, Vector3::x())?, LEFT, 0.01)?;
    near("y", run.along(Quantity::Velocity, Vector3::y())?, 0.0, 0.01)
}

fn speed(method: &Method) -> Verdict {
    near("speed", sliding(method, TIME)?.measure(Quantity::Speed)?, LEFT, 0.01)
}

fn center_of_mass(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::CenterOfMass, Vector3::x())?, WAY, STEP)?;
    near("y", run.along(Quantity::CenterOfMass, Vector3::y())?, HALF, LAYER)
}

fn kinetic_energy(method: &Method) -> Verdict {
    let expected = 0.5 * MASS * LEFT * LEFT;
    let found = sliding(method, TIME)?.measure(Quantity::KineticEnergy)?;
    near("energy", found, expected, 0.03 * expected)
}

fn gravitational_energy(method: &Method) -> Verdict {
    let expected = MASS * GRAVITY * HALF;
    let found = sliding(method, TIME)?.measure(Quantity::GravitationalEnergy)?;
    near("energy", found, expected, MASS * GRAVITY * LAYER)
}

/// What is gone is the work of friction.
fn energy(method: &Method) -> Verdict {
    let gone = sliding(method, 0.0)?.probe(Probe::new(Quantity::Energy))?
        - sliding(method, TIME)?.probe(Probe::new(Quantity::Energy))?;
    let work = MU * MASS * GRAVITY * WAY;
    near("energy that is gone", gone, work, 0.02 * work)
}

fn momentum(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::Momentum, Vector3::x())?, MASS * LEFT, 0.01 * MASS)?;
    near("z", run.along(Quantity::Momentum, Vector3::z())?, 0.0, 1e-6 * MASS)
}

fn contact_force(method: &Method) -> Verdict {
    let weight = MASS * GRAVITY;
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::ContactForce, Vector3::x())?, -MU * weight, 0.01 * weight)?;
    near("y", run.along(Quantity::ContactForce, Vector3::y())?, weight, 0.01 * weight)?;
    let size = f64::hypot(1.0, MU) * weight;
    near("size", run.measure(Quantity::ContactForce)?, size, 0.01 * weight)?;
    let rest = resting(method)?;
    near("y at rest", rest.along(Quantity::ContactForce, Vector3::y())?, weight, 1e-3 * weight)
}

fn normal_force(method: &Method) -> Verdict {
    let weight = MASS * GRAVITY;
    near(
        "while it slides",
        sliding(method, TIME)?.measure(Quantity::NormalForce)?,
        weight,
        0.01 * weight,
    )?;
    near("at rest", resting(method)?.measure(Quantity::NormalForce)?, weight, 1e-3 * weight)
}

fn friction_force(method: &Method) -> Verdict {
    let limit = MU * MASS * GRAVITY;
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::FrictionForce, Vector3::x())?, -limit, 0.01 * limit)?;
    let normal = run.measure(Quantity::NormalForce)?;
    near("Coulomb", run.measure(Quantity::FrictionForce)?, MU * normal, 1e-5 * normal)?;
    near("at rest", resting(method)?.measure(Quantity::FrictionForce)?, 0.0, 1e-4 * limit)
}

/// The way it has slid, on the way and for good: `v₀²/2μg`.
fn slip(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    let way = run.along(Quantity::Displacement, Vector3::x())?;
    near("on the way", run.measure(Quantity::Slip)?, way, 0.01 * WAY)?;
    let run = run.to(0.3)?;
    let whole = START * START / (2.0 * MU * GRAVITY);
    let way = run.along(Quantity::Displacement, Vector3::x())?;
    near("where it stops", way, whole, STEP)?;
    near("slid", run.measure(Quantity::Slip)?, whole, 1.5 * STEP)?;
    let least = run.probe(of(run.body, Quantity::Slip).reduced(Reduction::Min))?;
    near("slid at least", least, whole, 1.5 * STEP)
}

fn slip_velocity(method: &Method) -> Verdict {
    let run = sliding(method, TIME)?;
    near("x", run.along(Quantity::SlipVelocity, Vector3::x())?, LEFT, 0.01)?;
    near("at rest", run.to(0.3)?.measure(Quantity::SlipVelocity)?, 0.0, 1e-6)
}

/// As near as nothing, in sizes of the body.
fn gap(method: &Method) -> Verdict {
    for run in [resting(method)?, sliding(method, TIME)?] {
        for reduction in [Reduction::Min, Reduction::Mean, Reduction::Max] {
            let gap = run.probe(of(run.body, Quantity::Gap).reduced(reduction))?;
            near("gap", gap, run.center().y - HALF, 5e-3 * HALF)?;
            within("gap", gap, -2e-3 * HALF, LAYER)?;
        }
    }
    let (scene, slider, _) = on_floor(2.0, 0.0);
    let falling = Run::new(method, scene, slider, H)?.to(2.0 * H)?;
    holds("a gap to nothing is infinite", falling.measure(Quantity::Gap)?.is_infinite())
}

fn contact_count(method: &Method) -> Verdict {
    near("corners", sliding(method, TIME)?.measure(Quantity::ContactCount)?, 4.0, 0.0)?;
    near("corners at rest", resting(method)?.measure(Quantity::ContactCount)?, 4.0, 0.0)
}

fn sliding_count(method: &Method) -> Verdict {
    near("corners", sliding(method, TIME)?.measure(Quantity::SlidingCount)?, 4.0, 0.0)?;
    near("where it stopped", sliding(method, 0.3)?.measure(Quantity::SlidingCount)?, 0.0, 0.0)
}

/// A sheet of two triangles that nothing keeps from a cube: it crosses its four sides, each of two triangles.
fn intersections(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let sheet =
        scene.add(flat_sheet([8.0, 8.0], [1, 1]).at([0.0, 0.645, 0.0]).velocity([0.0, -10.0, 0.0]));
    let cube = scene.add(soft_block([1.0; 3], [1; 3]).at([2.5, 0.0, 0.1]));
    scene.contact(sheet, cube).enabled = false;
    let run = Run::new(method, scene, sheet, H)?;
    near("above", run.measure(Quantity::Intersections)?, 0.0, 0.0)?;
    near("through", run.to(0.05)?.measure(Quantity::Intersections)?, 8.0, 0.0)
}

// A ball thrown along a floor: what friction takes of its speed it gives to its spin, until it rolls.

const RADIUS: f64 = 0.1;

fn thrown_ball(method: &Method, until: f64) -> Verdict<Run> {
    let start = |height: f64, speed: f64| {
        let mut scene = Scene::new();
        let floor = scene.add(floor());
        let thrown = ball(RADIUS).at([0.0, height, 0.0]).velocity([speed, 0.0, 0.0]);
        let thrown = scene.add(thrown);
        scene.friction_between(thrown, floor, 0.3);
        Run::new(method, scene, thrown, H)
    };
    start(start(RADIUS, 0.0)?.to(0.4)?.center().y, START)?.to(until)
}

/// About a point of the floor it stays.
fn angular_momentum(method: &Method) -> Verdict {
    let run = thrown_ball(method, 0.05)?;
    let about = |run: &Run| run.probe(of(run.body, Quantity::AngularMomentum).along(Vector3::z()));
    let expected = -run.mass() * START * RADIUS;
    near("while it slips", about(&run)?, expected, 0.01 * expected.abs())?;
    near("when it rolls", about(&run.to(0.3)?)?, expected, 0.01 * expected.abs())
}

/// It rolls with five sevenths of its speed.
fn spin(method: &Method) -> Verdict {
    let expected = 5.0 / 7.0 * START / RADIUS;
    let run = thrown_ball(method, 0.3)?;
    near("spin", run.along(Quantity::Spin, Vector3::z())?, -expected, 0.01 * expected)?;
    let rolls = run.velocity().x / RADIUS;
    near("rolls", run.measure(Quantity::Spin)?, rolls, 1e-3 * expected)
}

// A soft cube under its own weight, on a floor without friction: stresses are known on the average, whatever
// the mesh.

const SIDE: f64 = 0.2;
const YOUNGS_MODULUS: f64 = 2e5;
const POISSONS_RATIO: f64 = 0.3;
/// Of the floor at rest [Pa]; half of it on the average.
const FLOOR_PRESSURE: f64 = 1000.0 * GRAVITY * SIDE;
/// Mean strain along gravity, without its sign [-].
const STRAIN: f64 = 0.5 * FLOOR_PRESSURE / YOUNGS_MODULUS;

fn pressed(method: &Method) -> Verdict<Run> {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let cube = scene.add(soft_block([SIDE; 3], [3; 3]).at([0.0, 0.5 * SIDE, 0.0]));
    scene.contact(cube, floor).friction = Friction::NONE;
    Run::new(method, scene, cube, 0.01)?.to(1.0)
}

fn length(method: &Method) -> Verdict {
    let run = pressed(method)?;
    let [bottom, top] = ["y-min", "y-max"].map(|tag| Selection::Tag(tag.into()));
    let height = Probe::new(Quantity::Length).of(run.body, bottom).to(run.body, top);
    near("shorter by", SIDE - run.probe(height)?, STRAIN * SIDE, 0.05 * STRAIN * SIDE)
}

/// Of a flat sheet as it was; of a cube less by what its faces tell.
fn area(method: &Method) -> Verdict {
    let whole = 6.0 * SIDE * SIDE;
    let less = (4.0 - 8.0 * POISSONS_RATIO) / 6.0 * STRAIN * whole;
    near("less by", whole - pressed(method)?.measure(Quantity::Area)?, less, 0.2 * less)?;
    near("sheet", lying_sheet(method)?.measure(Quantity::Area)?, 0.09, 1e-4)
}

fn volume(method: &Method) -> Verdict {
    let whole = SIDE.powi(3);
    let less = (1.0 - 2.0 * POISSONS_RATIO) * STRAIN * whole;
    near("less by", whole - pressed(method)?.measure(Quantity::Volume)?, less, 0.05 * less)
}

fn stretch(method: &Method) -> Verdict {
    let found = pressed(method)?.along(Quantity::Stretch, Vector3::y())?;
    near("stretch", found - 1.0, -STRAIN, 0.05 * STRAIN)
}

fn strain(method: &Method) -> Verdict {
    let run = pressed(method)?;
    near("along", run.along(Quantity::Strain, Vector3::y())?, -STRAIN, 0.05 * STRAIN)?;
    let across = POISSONS_RATIO * STRAIN;
    near("across", run.along(Quantity::Strain, Vector3::x())?, across, 0.05 * STRAIN)
}

fn green_strain(method: &Method) -> Verdict {
    let found = pressed(method)?.along(Quantity::GreenStrain, Vector3::y())?;
    near("strain", found, -STRAIN, 0.05 * STRAIN)
}

fn min_stretch(method: &Method) -> Verdict {
    near("stretch", pressed(method)?.measure(Quantity::MinStretch)? - 1.0, -STRAIN, 0.1 * STRAIN)
}

fn volume_ratio(method: &Method) -> Verdict {
    let less = (1.0 - 2.0 * POISSONS_RATIO) * STRAIN;
    near("less by", 1.0 - pressed(method)?.measure(Quantity::VolumeRatio)?, less, 0.05 * less)
}

fn stress(method: &Method) -> Verdict {
    let run = pressed(method)?;
    let expected = -0.5 * FLOOR_PRESSURE;
    near("along", run.along(Quantity::Stress, Vector3::y())?, expected, 0.03 * FLOOR_PRESSURE)?;
    near("across", run.along(Quantity::Stress, Vector3::x())?, 0.0, 0.03 * FLOOR_PRESSURE)
}

fn von_mises(method: &Method) -> Verdict {
    let expected = 0.5 * FLOOR_PRESSURE;
    near("stress", pressed(method)?.measure(Quantity::VonMises)?, expected, 0.1 * expected)
}

fn pressure(method: &Method) -> Verdict {
    let expected = FLOOR_PRESSURE / 6.0;
    near("pressure", pressed(method)?.measure(Quantity::Pressure)?, expected, 0.06 * expected)
}

fn elastic_energy(method: &Method) -> Verdict {
    let expected = SIDE.powi(3) * FLOOR_PRESSURE.powi(2) / (6.0 * YOUNGS_MODULUS);
    near("energy", pressed(method)?.measure(Quantity::ElasticEnergy)?, expected, 0.1 * expected)
}

fn strain_energy_density(method: &Method) -> Verdict {
    let expected = FLOOR_PRESSURE.powi(2) / (6.0 * YOUNGS_MODULUS);
    let found = pressed(method)?.measure(Quantity::StrainEnergyDensity)?;
    near("density", found, expected, 0.1 * expected)
}

/// A sheet that lies flat is as large as it was made.
fn lying_sheet(method: &Method) -> Verdict<Run> {
    let mut scene = Scene::new();
    scene.add(floor());
    let sheet = scene.add(flat_sheet([0.3; 2], [3; 2]).at([0.0, 2e-3, 0.0]));
    Run::new(method, scene, sheet, 0.01)?.to(0.3)
}

fn area_ratio(method: &Method) -> Verdict {
    near("ratio", lying_sheet(method)?.measure(Quantity::AreaRatio)?, 1.0, 1e-3)
}

// A block of 1 kg on a sheet that is held everywhere: pins carry both.

const OFFSET: f64 = 0.05;

fn carried(method: &Method) -> Verdict<Run> {
    let mut scene = Scene::new();
    let sheet = scene.add(flat_sheet([0.4; 2], [16; 2]));
    scene.pin(sheet, Selection::All);
    scene.add(block([0.1; 3]).at([OFFSET, 0.051, 0.0]));
    Run::new(method, scene, sheet, 5e-3)?.to(0.5)
}

fn reaction(method: &Method) -> Verdict {
    let run = carried(method)?;
    let weight = (run.mass() + 1.0) * GRAVITY;
    near("y", run.along(Quantity::Reaction, Vector3::y())?, weight, 1e-3 * weight)?;
    near("x", run.along(Quantity::Reaction, Vector3::x())?, 0.0, 1e-3 * weight)
}

fn reaction_torque(method: &Method) -> Verdict {
    let run = carried(method)?;
    let torque = GRAVITY * OFFSET;
    let about = Vector3::zeros();
    let probe = of(run.body, Quantity::ReactionTorque).about(about).along(Vector3::z());
    near("about z", run.probe(probe)?, torque, 5e-3 * torque)
}

// A rod on a hinge, let down on a floor.

/// Half of the thickness of the rod, and how far below the hinge the floor is [m].
const ROD: [f64; 2] = [0.05, 0.2];

fn leaning(method: &Method) -> Verdict<(Run, JointId)> {
    let mut scene = Scene::new();
    let rod = scene.add(block([1.0, 2.0 * ROD[0], 0.1]).at([0.5, 0.0, 0.0]));
    let hinge = Joint::hinge(End::World, rod, [0.0; 3], [0.0, 0.0, 1.0]).damping(5.0);
    let hinge = scene.joint(hinge);
    let floor = scene.add(floor().at([0.0, -ROD[1], 0.0]));
    scene.friction_between(rod, floor, 0.0);
    Ok((Run::new(method, scene, rod, 0.01)?.to(1.0)?, hinge))
}

/// The angle at which the lower edge of its end is at the floor.
fn leans() -> f64 {
    ROD[0].atan() - (ROD[1] / f64::hypot(1.0, ROD[0])).asin()
}

fn travel(method: &Method) -> Verdict {
    let (run, hinge) = leaning(method)?;
    let found = run.probe(Probe::new(Quantity::Travel).of_joint(hinge))?;
    near("angle", found, leans(), 5e-3)
}

fn drift(method: &Method) -> Verdict {
    let (run, hinge) = leaning(method)?;
    near("drift", run.probe(Probe::new(Quantity::Drift).of_joint(hinge))?, 0.0, 1e-6)
}

/// While hinge and floor share the load.
fn tilt(method: &Method) -> Verdict {
    let (run, hinge) = leaning(method)?;
    near("tilt", run.probe(Probe::new(Quantity::Tilt).of_joint(hinge))?, 0.0, 1e-6)?;
    let carried = scenes::contact_force(&run.simulation, run.body, None).y;
    let (sin, cos) = leans().sin_cos();
    let expected = 10.0 * GRAVITY * 0.5 * cos / (cos + ROD[0] * sin);
    near("share of the floor", carried, expected, 0.02 * expected)
}
