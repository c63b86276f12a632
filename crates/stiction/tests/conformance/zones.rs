//! Gas and liquid that bodies enclose, while they touch.

use stiction::Scene;
use stiction::body::{Cloth, Solid, Zone};
use stiction::energy::ATMOSPHERE;
use stiction::material::{Damping, Fabric};
use stiction::measure::{Probe, Quantity};
use stiction_check::scenes::{GRAVITY, contact_force, floor};

use crate::harness::{Run, Verdict, claims, near, within};
use crate::methods::Method;

claims!("zones": a_balloon_rests_on_a_floor);

fn a_balloon_rests_on_a_floor(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.add(floor());
    let shell = Solid::ball(0.1, 0.06).expect("a ball").mesh.boundary().surface;
    let damping = Damping { mass: 5.0, stiffness: 5e-3 };
    let fabric = Fabric::COTTON.with_damping(damping).expect("valid");
    let balloon = scene.add(Cloth::new(shell).material(fabric).at([0.0, 0.101, 0.0]));
    let air = scene.zone(Zone::inside(balloon).gauge_pressure(2000.0));
    let volume = || Probe::new(Quantity::Volume).of_zone(air);
    let run = Run::new(method, scene, balloon, 5e-3)?.to(0.5)?;
    let weight = run.mass() * GRAVITY;
    let force = contact_force(&run.simulation, balloon, None).y;
    near("force", force, weight, 0.05 * weight)?;
    let pressure = run.probe(Probe::new(Quantity::Pressure).of_zone(air))?;
    within("pressure", pressure, 10.0, 2000.0)?;
    // Boyle's law.
    let start = Run::new(method, run.scene.clone(), balloon, 5e-3)?;
    let amount = (ATMOSPHERE + 2000.0) * start.probe(volume())?;
    let found = (ATMOSPHERE + pressure) * run.probe(volume())?;
    near("amount of air", found, amount, 1e-6 * amount)
}
