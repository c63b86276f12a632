//! The record of a contact says the same thing, whoever found it.

use stiction::body::BodyId;
use stiction::contact::friction::{Directional, Grain};
use stiction::contact::{Contact, Friction};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::{Scene, Simulation};
use stiction_check::scenes::{ball, block, flat_sheet, floor, mean, soft_block};

use crate::harness::{Run, Verdict, claims, holds, near, near_vector, run, within};
use crate::methods::Method;
use crate::probes::sliding;

claims!(
    "records": forces_add_up, forces_come_in_pairs, forces_on_what_deforms_turn_it_as_the_contact_does,
    forces_on_rigid_bodies_turn_them_as_the_contact_does, normals_point_out_of_surfaces, friction_is_within_its_cone,
    points_lie_between_the_bodies, the_coefficient_is_that_of_the_pair,
    the_coefficient_of_what_sticks_is_that_of_the_pair,
    the_coefficient_along_a_grain_is_that_of_the_pair, the_way_slid_is_counted, sliding_is_told,
    counts_agree_with_the_report
);

const SMALL: f64 = 0.1;

/// Something small on something large that lies on a floor; what carries and what is carried.
#[derive(Clone, Copy, Debug)]
enum Pile {
    RigidOnRigid,
    BallOnRigid,
    SoftOnRigid,
    RigidOnSoft,
    SoftOnSoft,
    RigidOnSheet,
}

const PILES: [Pile; 6] = [
    Pile::RigidOnRigid,
    Pile::BallOnRigid,
    Pile::SoftOnRigid,
    Pile::RigidOnSoft,
    Pile::SoftOnSoft,
    Pile::RigidOnSheet,
];

impl Pile {
    /// Leans a little, so that there is friction.
    fn rest(self, method: &Method) -> Verdict<Run> {
        let mut scene = Scene::new();
        scene.gravity = Vector3::new(0.1, -1.0, 0.0).normalize() * 9.81;
        scene.friction = Friction::coulomb(0.5);
        scene.add(floor());
        // Off the middle, so that corners are not near.
        let (x, z) = (0.03, 0.02);
        let top = match self {
            Self::RigidOnSoft | Self::SoftOnSoft => {
                let low = soft_block([0.4, 0.1, 0.4], [4, 1, 4]);
                scene.add(low.at([0.0, 0.0505, 0.0]));
                0.101
            }
            Self::RigidOnSheet => {
                let sheet = scene.add(flat_sheet([0.4; 2], [4; 2]).at([0.0, 0.1, 0.0]));
                scene.pin(sheet, Selection::All);
                0.101
            }
            _ => {
                scene.add(block([0.4, 0.1, 0.4]).at([0.0, 0.05, 0.0]));
                0.1
            }
        };
        let at = [x, top + 0.5 * SMALL, z];
        let small = match self {
            Self::BallOnRigid => scene.add(ball(0.5 * SMALL).at(at).turned([1.0, 0.3, 0.0], 0.1)),
            Self::SoftOnRigid | Self::SoftOnSoft => {
                scene.add(soft_block([SMALL; 3], [2; 3]).at(at))
            }
            _ => scene.add(block([SMALL; 3]).at(at)),
        };
        Run::new(method, scene, small, 5e-3)?.to(0.1)
    }
}

fn force(contact: &Contact) -> Vector3 {
    contact.normal * contact.normal_force + contact.friction
}

/// Forces on nodes of a body, and where these are.
fn forces_on(
    simulation: &Simulation,
    contact: &Contact,
    body: BodyId,
) -> Option<Vec<(Vector3, Vector3)>> {
    let nodes = simulation.model().nodes(body);
    let q = &simulation.trajectory().q;
    let place = |node: u32| Vector3::from_column_slice(&q[3 * node as usize..][..3]);
    let own = contact.forces.iter().filter(|(node, _)| nodes.contains(node));
    (!nodes.is_empty()).then(|| own.map(|&(node, force)| (place(node), force)).collect())
}

fn each_contact(
    method: &Method,
    piles: &[Pile],
    check: impl Fn(&Simulation, &Contact) -> Verdict,
) -> Verdict {
    for pile in piles {
        let run = pile.rest(method)?;
        let contacts = run.simulation.contacts();
        holds(&format!("{pile:?}: nothing touches"), !contacts.is_empty())?;
        for contact in &contacts {
            check(&run.simulation, contact).map_err(|fault| match fault {
                crate::harness::Fault::Wrong(what) => {
                    crate::harness::Fault::Wrong(format!("{pile:?}, {what}"))
                }
                refused => refused,
            })?;
        }
    }
    Ok(())
}

fn forces_add_up(method: &Method) -> Verdict {
    each_contact(method, &PILES, |simulation, contact| {
        let whole = force(contact);
        let Some(forces) = forces_on(simulation, contact, contact.collider) else { return Ok(()) };
        let sum = forces.iter().map(|(_, force)| force).sum();
        near_vector("sum on the collider", sum, whole, 1e-9 * whole.norm())
    })
}

fn forces_come_in_pairs(method: &Method) -> Verdict {
    each_contact(method, &PILES, |simulation, contact| {
        let whole = force(contact);
        let Some(forces) = forces_on(simulation, contact, contact.surface) else { return Ok(()) };
        let sum = forces.iter().map(|(_, force)| force).sum();
        near_vector("sum on the surface", sum, -whole, 1e-9 * whole.norm())
    })
}

/// Torque about the contact point of forces on nodes, as a length: over the force.
fn arm(simulation: &Simulation, contact: &Contact, body: BodyId) -> Option<f64> {
    let forces = forces_on(simulation, contact, body)?;
    let torque = |(x, force): &(Vector3, Vector3)| (x - contact.point).cross(force);
    let torque: Vector3 = forces.iter().map(torque).sum();
    Some(torque.norm() / force(contact).norm())
}

fn turned_alike(method: &Method, piles: &[Pile], rigid: bool) -> Verdict {
    each_contact(method, piles, |simulation, contact| {
        for body in [contact.collider, contact.surface] {
            let is_rigid = simulation.rigid_state(body).is_some();
            let arm = arm(simulation, contact, body).filter(|_| is_rigid == rigid);
            within("lever arm of what has none", arm.unwrap_or(0.0), 0.0, 0.02 * SMALL)?;
        }
        Ok(())
    })
}

fn forces_on_what_deforms_turn_it_as_the_contact_does(method: &Method) -> Verdict {
    turned_alike(method, &PILES[2..], false)
}

fn forces_on_rigid_bodies_turn_them_as_the_contact_does(method: &Method) -> Verdict {
    turned_alike(method, &PILES, true)
}

fn normals_point_out_of_surfaces(method: &Method) -> Verdict {
    each_contact(method, &PILES, |simulation, contact| {
        near("length", contact.normal.norm(), 1.0, 1e-9)?;
        let place = |body: BodyId| match simulation.positions(body) {
            points if points.is_empty() => -Vector3::y(),
            points => mean(&points),
        };
        let apart = place(contact.collider) - place(contact.surface);
        holds("the normal points inside", contact.normal.y * apart.y > 0.0)?;
        within("normal force", contact.normal_force, 0.0, f64::INFINITY)
    })
}

fn friction_is_within_its_cone(method: &Method) -> Verdict {
    each_contact(method, &PILES, |_, contact| {
        let size = contact.normal_force;
        near("friction across", contact.friction.dot(&contact.normal), 0.0, 1e-6 * size)?;
        within("friction", contact.friction.norm(), 0.0, 0.5 * size * (1.0 + 1e-4) + 1e-9)
    })
}

/// Within a gap of the surface it lies on: here all of them are horizontal.
fn points_lie_between_the_bodies(method: &Method) -> Verdict {
    each_contact(method, &PILES, |simulation, contact| {
        let point = contact.point;
        let (low, high) = match simulation.positions(contact.surface) {
            points if points.is_empty() => (0.0, 0.0),
            points => {
                let y = points.iter().map(|x| x.y);
                (y.clone().fold(f64::INFINITY, f64::min), y.fold(f64::NEG_INFINITY, f64::max))
            }
        };
        within("height", point.y, low - 5e-3, high + 5e-3)?;
        within("gap", contact.gap, -2e-3, 5e-3)
    })
}

fn coefficients(method: &Method, friction: Friction, grain: bool) -> Verdict {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.2, -1.0, 0.0).normalize() * 9.81;
    let floor = scene.add(floor());
    let small = scene.add(block([SMALL; 3]).at([0.0, 0.5 * SMALL, 0.0]));
    if grain {
        scene.skin(floor).grain = Some(Grain::Straight(Vector3::x()));
    }
    scene.contact(small, floor).friction = friction;
    let mut simulation = method.start(&scene, 5e-3)?;
    run(&mut simulation, 0.1)?;
    let contacts = simulation.contacts();
    holds("nothing touches", !contacts.is_empty())?;
    for contact in &contacts {
        near("coefficient", contact.coefficient, friction.coefficient, 1e-12)?;
    }
    Ok(())
}

fn the_coefficient_is_that_of_the_pair(method: &Method) -> Verdict {
    coefficients(method, Friction::coulomb(0.3), false)?;
    coefficients(method, Friction::coulomb(0.1), false)
}

fn the_coefficient_of_what_sticks_is_that_of_the_pair(method: &Method) -> Verdict {
    let friction = Friction { static_coefficient: Some(0.6), ..Friction::coulomb(0.4) };
    coefficients(method, friction, false)
}

fn the_coefficient_along_a_grain_is_that_of_the_pair(method: &Method) -> Verdict {
    let direction = Directional::Grain { along: 0.3, across: 0.6 };
    coefficients(method, Friction { direction, ..Friction::coulomb(0.4) }, true)
}

fn the_way_slid_is_counted(method: &Method) -> Verdict {
    let run = sliding(method, 0.1)?;
    let way = run.center().x;
    for contact in run.simulation.contacts() {
        near("slid", contact.slid, way, 0.01 * way)?;
    }
    Ok(())
}

fn sliding_is_told(method: &Method) -> Verdict {
    let run = sliding(method, 0.1)?;
    let contacts = run.simulation.contacts();
    holds("all of them slide", contacts.len() == 4 && contacts.iter().all(|c| c.sliding))?;
    let sign = |c: &Contact| if c.collider == run.body { 1.0 } else { -1.0 };
    for contact in &contacts {
        let slip = contact.slip_velocity * sign(contact);
        near_vector("slip velocity", slip, run.velocity(), 0.01)?;
        let against = contact.friction.dot(&contact.slip_velocity);
        let size = contact.friction.norm() * contact.slip_velocity.norm();
        near("friction against slip", against, -size, 1e-6 * size)?;
    }
    let rest = run.to(0.3)?;
    let contacts = rest.simulation.contacts();
    holds("none of them slides", contacts.len() == 4 && contacts.iter().all(|c| !c.sliding))
}

fn counts_agree_with_the_report(method: &Method) -> Verdict {
    let mut run = sliding(method, 0.1)?;
    let report = run.simulation.step();
    let contacts = run.simulation.contacts();
    let sliding = contacts.iter().filter(|contact| contact.sliding).count();
    near("touching", report.contact.touching as f64, contacts.len() as f64, 0.0)?;
    near("sliding", report.contact.sliding as f64, sliding as f64, 0.0)?;
    let gap = contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    near("smallest gap", report.contact.smallest_gap, gap, 1e-5)
}
