//! Joints as energies of frames: of each side four nodes, its origin and the tips of three axes.
//!
//! Rigid bodies carry theirs, those of the world and of obstacles are held, and of what deforms a vertex is the origin.

use super::{Build, Hold, Parts, Placed, check};
use crate::assembly::Term;
use crate::body::{Body, BodyId, End, Gear, Joint, JointKind, Motion, Profile, Target};
use crate::element::{Coordinate, GearRow, GearSet, JointRow, JointSet, Law, Spring, SpringSet};
use crate::math::Vector3;
use crate::model::joints::{JointPlaces, Mismatch};
use crate::model::{Named, SceneError, Subject};

/// How far a weight takes a joint, relative to the size of the smaller body.
const DRIFT: f64 = 1e-7;
/// Weights count as on Earth where there is less gravity [m/s²].
const EARTH: f64 = 9.81;
/// Stiffness of a motor, relative to that of its joint: what lags behind its target visibly, but little.
const MOTOR: f64 = 1e-3;

/// Nodes of a frame: origin and tips.
type FrameNodes = [u32; 4];

/// How hard a joint holds.
struct Hardness {
    /// Length of the axes [m].
    arm: f64,
    /// Against gaps [N/m].
    push: f64,
    /// Against tilts [N·m].
    twist: f64,
    /// Of what shakes inside [s].
    relaxation: f64,
}

/// Rows of all joints, so far.
#[derive(Default)]
struct Table {
    rows: Vec<JointRow>,
    starts: Vec<f64>,
    nodes: Vec<[u32; 4]>,
    profiles: Vec<(usize, Profile)>,
}

impl Table {
    fn push(&mut self, nodes: [u32; 4], start: f64, row: JointRow) {
        self.nodes.push(nodes);
        self.starts.push(start);
        self.rows.push(row);
    }
}

impl Build<'_> {
    pub(super) fn add_joints(&self, parts: &mut Parts) -> Result<(), SceneError> {
        let mut table = Table::default();
        let mut twists = Vec::new();
        for (joint, id) in self.scene.joints.iter().zip(self.scene.joint_ids()) {
            let by = Subject::Joint(id);
            let whose = || by.named(self.scene);
            check_numbers(joint, &whose)?;
            let hard = self.hardness(parts, joint, by)?;
            twists.push((hard.twist, hard.relaxation));
            let frames = self.frames(parts, joint, &hard, by)?;
            let places = add_joint(parts, &mut table, joint, &hard, frames);
            parts.joints.push(places);
        }
        for (index, gear) in self.scene.gears.iter().enumerate() {
            self.add_gear(parts, Subject::Gear(index), gear, &twists)?;
        }
        if !table.rows.is_empty() {
            parts.joint_term = parts.terms.len();
            let damped = table.rows.iter().any(|row| row.damping > 0.0);
            let set = JointSet::new(table.rows, &table.starts);
            let set =
                table.profiles.into_iter().fold(set, |set, (row, p)| set.with_profile(row, p));
            let beta = if damped { 1.0 } else { 0.0 };
            parts.terms.push(Term::new("joint", set, table.nodes, beta));
        }
        Ok(())
    }

    fn hardness(&self, parts: &Parts, joint: &Joint, by: Subject) -> Result<Hardness, SceneError> {
        let (mut mass, mut size) = (0.0_f64, f64::INFINITY);
        for end in joint.between {
            let End::Body(body) = end else { continue };
            if self.obstacle(by, body)?.is_none() {
                mass = mass.max(parts.vertex_masses[body.index()].iter().sum());
                size = size.min(self.placed(by, body)?.size());
            }
        }
        if joint.between[0] == joint.between[1] || size == f64::INFINITY {
            return Err(SceneError::Value {
                what: "the second body",
                whose: by.named(self.scene),
                value: "one that does not move against the first".into(),
                help: "join two different bodies, or a body and the world",
            });
        }
        let gravity = self.scene.gravity.norm().max(EARTH);
        let push = joint.compliance.map_or(mass * gravity / (DRIFT * size), f64::recip);
        let twist = joint.angular_compliance.map_or(push * size * size, f64::recip);
        // Springs that were asked for may swing.
        let relaxation = if joint.compliance.is_some() { 0.0 } else { 2.0 * (mass / push).sqrt() };
        Ok(Hardness { arm: size, push, twist, relaxation })
    }

    /// The motion of an obstacle; nothing for other bodies.
    fn obstacle(&self, by: Subject, body: BodyId) -> Result<Option<&Motion>, SceneError> {
        let (count, what) = (self.scene.bodies.len(), by.kind());
        match self.scene.bodies.get(body.index()) {
            None => Err(SceneError::UnknownBody { what, by, body, count }),
            Some(Body::Obstacle(obstacle)) => Ok(Some(&obstacle.motion)),
            Some(_) => Ok(None),
        }
    }

    fn frames(
        &self,
        parts: &mut Parts,
        joint: &Joint,
        hard: &Hardness,
        by: Subject,
    ) -> Result<[FrameNodes; 2], SceneError> {
        let whose = &|| by.named(self.scene);
        let axes = axes(joint, whose)?;
        let mut origins = match joint.kind {
            JointKind::Distance { to } => [joint.at, to],
            _ => [joint.at; 2],
        };
        // What deforms has no material at a point but its vertices: the joint goes there.
        let mut frames = [[0; 4]; 2];
        let mut soft = [false; 2];
        for side in 0..2 {
            let End::Body(body) = joint.between[side] else { continue };
            let index = body.index();
            if self.obstacle(by, body)?.is_some()
                || matches!(self.placed[index], Some(Placed::Rigid(_)))
            {
                continue;
            }
            let simple =
                matches!(joint.kind, JointKind::Ball { cone: None } | JointKind::Distance { .. });
            if !simple {
                return Err(SceneError::Value {
                    what: "the kind",
                    whose: whose(),
                    value: format!(
                        "one that needs directions, which body {} has none of, as it deforms",
                        self.scene.name(body)
                    ),
                    help: "hold a solid or cloth by balls and distances; three balls hold it firmly",
                });
            }
            let node = nearest(parts, index, origins[side]);
            soft[side] = true;
            frames[side] = [node; 4];
            let at = parts.positions[node as usize];
            if matches!(joint.kind, JointKind::Distance { .. }) {
                origins[side] = at;
            } else {
                origins = [at; 2];
            }
        }
        for side in (0..2).filter(|&side| !soft[side]) {
            let origin = origins[side];
            let tip = |axis: &Vector3| origin + axis * hard.arm;
            let points = [origin, tip(&axes[0]), tip(&axes[1]), tip(&axes[2])];
            frames[side] = match joint.between[side] {
                End::World => points.map(|point| parts.add_anchor(point)),
                End::Body(body) => match self.obstacle(by, body)? {
                    Some(motion) => parts.add_driven(motion, points),
                    None => parts.add_carried(body, points),
                },
            };
        }
        Ok(frames)
    }

    fn add_gear(
        &self,
        parts: &mut Parts,
        by: Subject,
        gear: &Gear,
        twists: &[(f64, f64)],
    ) -> Result<(), SceneError> {
        let wrong = |what, value: String, help| {
            Err(SceneError::Value { what, whose: by.named(self.scene), value, help })
        };
        for id in gear.hinges {
            let joint = self.scene.joints.get(id.index());
            if joint.is_none_or(|joint| joint.kind != JointKind::Hinge) {
                let value = format!("joint {}", self.scene.joint_name(id));
                return wrong("a hinge", value, "give two joints of the scene that are hinges");
            }
        }
        if gear.hinges[0] == gear.hinges[1] {
            return wrong("the second hinge", "the first".into(), "give two different hinges");
        }
        if !gear.ratio.is_finite() || gear.ratio == 0.0 {
            return wrong("the ratio", gear.ratio.to_string(), "give a number other than zero");
        }
        let compliance = gear.compliance;
        if compliance.is_some_and(|c| !c.is_finite() || c <= 0.0) {
            let value = compliance.unwrap_or_default().to_string();
            return wrong("the compliance", value, "give a number above zero [rad/(N·m)]");
        }
        let [first, second] = gear.hinges.map(|id| parts.joints[id.index()].angle);
        let (twist, relaxation) = twists[gear.hinges[1].index()];
        let stiffness = compliance.map_or(twist, f64::recip);
        let calming = if compliance.is_some() { 0.0 } else { stiffness * relaxation };
        let set = GearSet::new(vec![GearRow { ratio: gear.ratio, stiffness, calming }]);
        let nodes = std::array::from_fn(|a| if a < 4 { first[a] } else { second[a - 4] });
        parts.terms.push(Term::new("gear", set, vec![nodes], 0.0));
        Ok(())
    }
}

/// The rows of one joint.
fn add_joint(
    parts: &mut Parts,
    table: &mut Table,
    joint: &Joint,
    hard: &Hardness,
    [a, b]: [FrameNodes; 2],
) -> JointPlaces {
    let mut places = JointPlaces { angle: [a[0], a[1], a[2], b[2]], ..JointPlaces::default() };
    let arm = hard.arm;
    let mut hold = |nodes: [u32; 4], scale: f64, stiffness: f64, list: &mut Vec<Mismatch>| {
        let coordinate = Coordinate::Product { scale };
        let law = Law::Spring { stiffness, rest: 0.0 };
        let calming = stiffness * hard.relaxation;
        table.push(nodes, 0.0, JointRow { coordinate, law, damping: 0.0, calming });
        list.push(Mismatch { nodes, coordinate });
    };
    // Axis i of the first side against axis j of the second.
    for &(i, j) in match joint.kind {
        JointKind::Hinge | JointKind::Cylindrical => &[(1, 2), (1, 3)][..],
        JointKind::Slider | JointKind::Fixed => &[(1, 2), (2, 3), (3, 1)],
        JointKind::Universal { .. } => &[(1, 2)],
        JointKind::Ball { .. } | JointKind::Distance { .. } => &[],
    } {
        hold([a[0], a[i], b[0], b[j]], arm.powi(-2), hard.twist, &mut places.tilts);
    }
    match joint.kind {
        JointKind::Slider | JointKind::Cylindrical => {
            for axis in [2, 3] {
                hold([a[0], b[0], a[0], a[axis]], arm.recip(), hard.push, &mut places.gaps);
            }
        }
        JointKind::Distance { .. } => {}
        _ => {
            let set = SpringSet::new(vec![Spring { stiffness: hard.push, rest_length: 0.0 }]);
            parts.terms.push(Term::new("joint", set, vec![[a[0], b[0]]], hard.relaxation));
            let nodes = [a[0], b[0], a[0], a[0]];
            places.gaps.push(Mismatch { nodes, coordinate: Coordinate::Distance });
        }
    }
    if let JointKind::Ball { cone: Some(cone) } = joint.kind {
        let law = Law::Limits { stiffness: hard.twist, least: cone.cos(), most: f64::INFINITY };
        let coordinate = Coordinate::Product { scale: arm.powi(-2) };
        let calming = hard.twist * hard.relaxation;
        let row = JointRow { coordinate, law, damping: 0.0, calming };
        table.push([a[0], a[1], b[0], b[1]], 1.0, row);
    }
    let (coordinate, nodes, stiffness, start) = match joint.kind {
        JointKind::Hinge => (Coordinate::Angle, places.angle, hard.twist, 0.0),
        JointKind::Slider | JointKind::Cylindrical => {
            let coordinate = Coordinate::Product { scale: arm.recip() };
            (coordinate, [a[0], b[0], a[0], a[1]], hard.push, 0.0)
        }
        JointKind::Distance { .. } => {
            let apart = parts.positions[b[0] as usize] - parts.positions[a[0] as usize];
            (Coordinate::Distance, [a[0], b[0], a[0], a[0]], hard.push, apart.norm())
        }
        _ => return places,
    };
    places.row = Some(table.rows.len());
    let row = JointRow { coordinate, law: Law::Free, damping: joint.damping, calming: 0.0 };
    table.push(nodes, start, row);
    let mut add = |law, calming| {
        table.push(nodes, start, JointRow { coordinate, law, damping: 0.0, calming });
    };
    match joint.limits {
        Some([least, most]) => {
            add(Law::Limits { stiffness, least, most }, stiffness * hard.relaxation);
        }
        None if coordinate == Coordinate::Distance => {
            add(Law::Spring { stiffness, rest: start }, stiffness * hard.relaxation);
        }
        None => {}
    }
    if let Some(motor) = &joint.motor {
        let stiffness = motor.stiffness.unwrap_or(MOTOR * stiffness);
        let (rest, speed, waits) = match motor.target {
            Target::Speed(speed) => (start, speed, true),
            Target::Place(place) => (place, 0.0, false),
        };
        let strength = motor.strength;
        add(Law::Drive { stiffness, rest, speed, strength, waits }, 0.0);
        if motor.profile != Profile::Constant {
            table.profiles.push((table.rows.len() - 1, motor.profile.clone()));
        }
    }
    places
}

/// Three unit vectors across each other: the axis, the second one if there is one, and the rest.
fn axes(joint: &Joint, whose: &impl Fn() -> Named) -> Result<[Vector3; 3], SceneError> {
    let help = "give a direction, such as (0, 0, 1)";
    let unit = |what, axis: Vector3| {
        check(what, whose, &axis, help)?;
        axis.try_normalize(1e-300).ok_or_else(|| SceneError::Value {
            what,
            whose: whose(),
            value: "(0, 0, 0)".into(),
            help,
        })
    };
    let first = unit("axis", joint.axis)?;
    let second = match joint.kind {
        JointKind::Universal { second } => {
            let second = unit("second axis", second)?;
            if first.dot(&second).abs() > 1e-3 {
                return Err(SceneError::Value {
                    what: "second axis",
                    whose: whose(),
                    value: format!("({}, {}, {})", second.x, second.y, second.z),
                    help: "give one at a right angle to the first",
                });
            }
            second
        }
        _ => Vector3::ith(first.iamin(), 1.0),
    };
    let third = first.cross(&second).normalize();
    Ok([first, third.cross(&first), third])
}

fn check_numbers(joint: &Joint, whose: &impl Fn() -> Named) -> Result<(), SceneError> {
    let wrong =
        |what, value: String, help| Err(SceneError::Value { what, whose: whose(), value, help });
    check("place", whose, &joint.at, "give three finite numbers")?;
    if let JointKind::Distance { to } = joint.kind {
        check("second place", whose, &to, "give three finite numbers")?;
    }
    if !joint.damping.is_finite() || joint.damping < 0.0 {
        return wrong("damping", joint.damping.to_string(), "give a number, at least zero");
    }
    for (what, value) in
        [("compliance", joint.compliance), ("angular compliance", joint.angular_compliance)]
    {
        if let Some(value) = value.filter(|value| !value.is_normal() || *value < 0.0) {
            return wrong(what, value.to_string(), "give a number above zero, or none");
        }
    }
    let distance = matches!(joint.kind, JointKind::Distance { .. });
    let moves = distance
        || matches!(joint.kind, JointKind::Hinge | JointKind::Slider | JointKind::Cylindrical);
    if let Some([least, most]) = joint.limits {
        if !moves {
            let help = "only hinges, sliders, cylinders and distances have them; a ball has a cone";
            return wrong("limits", format!("{least} to {most}"), help);
        }
        // One of them may be infinite.
        if least.is_nan() || most.is_nan() || least > most || (distance && least < 0.0) {
            let help = "give the smaller one first; distances are not negative";
            return wrong("limits", format!("{least} to {most}"), help);
        }
    }
    if let JointKind::Ball { cone: Some(cone) } = joint.kind
        && !(cone > 0.0 && cone < std::f64::consts::PI)
    {
        return wrong("cone", cone.to_string(), "give an angle between 0 and π [rad]");
    }
    let Some(motor) = &joint.motor else { return Ok(()) };
    if !motor.profile.is_valid() {
        let value = "with gaps".into();
        return wrong("profile of the motor", value, "give finite numbers, times ascending");
    }
    let (Target::Speed(target) | Target::Place(target)) = motor.target;
    if !moves || distance {
        return wrong("motor", "given".into(), "drive hinges, sliders or cylinders");
    }
    if !target.is_finite() {
        return wrong("target", target.to_string(), "give a finite number");
    }
    if motor.strength.is_nan() || motor.strength <= 0.0 {
        return wrong("strength", motor.strength.to_string(), "give a number above zero");
    }
    if let Some(stiffness) = motor.stiffness.filter(|k| !k.is_normal() || *k < 0.0) {
        return wrong("stiffness of the motor", stiffness.to_string(), "give a number above zero");
    }
    Ok(())
}

/// The node of a body nearest to a point.
fn nearest(parts: &Parts, body: usize, to: Vector3) -> u32 {
    let far = |node: u32| (parts.positions[node as usize] - to).norm_squared();
    let nodes = parts.nodes[body].iter().copied();
    nodes.min_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b))).unwrap_or(0)
}

impl Parts {
    /// Nodes that a rigid body carries besides its vertices.
    pub(super) fn add_carried(&mut self, body: BodyId, points: [Vector3; 4]) -> FrameNodes {
        let nodes = points.map(|point| self.add_massless(point));
        let rigid = self.rigid.iter_mut().find(|rigid| rigid.nodes.body == body.0);
        if let Some(rigid) = rigid {
            let center = self.positions[rigid.nodes.center as usize];
            for (node, point) in nodes.into_iter().zip(points) {
                rigid.carry(node, point - center);
            }
        }
        nodes
    }

    /// Nodes that move as an obstacle does.
    fn add_driven(&mut self, motion: &Motion, points: [Vector3; 4]) -> FrameNodes {
        self.motions.push(motion.clone());
        let motion = self.motions.len() - 1;
        points.map(|start| {
            let node = self.add_massless(start);
            let (axes, release) = ([true; 3], f64::INFINITY);
            self.holds.push(Hold { node, axes, motion, start, release });
            node
        })
    }

    pub(super) fn add_massless(&mut self, point: Vector3) -> u32 {
        self.positions.push(point);
        self.velocities.push(Vector3::zeros());
        self.masses.push(0.0);
        self.mass_damping.push(0.0);
        self.positions.len() as u32 - 1
    }
}
