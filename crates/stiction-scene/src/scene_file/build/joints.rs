//! Joints and gears.

use stiction::body::{End, Gear, Joint, JointId, JointKind, Motor, Target};

use super::super::decode::{Spanned, did_you_mean};
use super::super::format::{GearTable, JointTable, JointWord, MotorTable, SceneTable};
use super::super::leaves::{Name, Vector};
use super::super::problem::Problems;
use super::super::source::Span;
use super::Bodies;

/// All joints and gears that make sense.
pub(super) struct Joints {
    pub(super) joints: Vec<Joint>,
    /// Names of hinges become numbers when all joints are there.
    gears: Vec<([usize; 2], GearTable)>,
}

impl Joints {
    pub(super) fn read(table: &SceneTable, bodies: &Bodies<'_>, problems: &mut Problems) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for name in table.joint.iter().filter_map(|joint| joint.value.name.as_ref()) {
            if names.contains(&name.value.as_str()) {
                let message = format!("two joints are called `{}`", name.value);
                problems.add(name.span, message, "give each its own name".to_owned());
            }
            names.push(&name.value);
        }
        let joints = table.joint.iter();
        let joints = joints.filter_map(|table| joint(table, bodies, problems)).collect();
        let gears = table.gear.iter().filter_map(|gear| {
            let hinges = gear.value.hinges.0.each_ref();
            let [a, b] = hinges.map(|name| find(name, &table.joint, problems));
            Some(([a?, b?], gear.value.clone()))
        });
        let gears = gears.collect();
        Self { joints, gears }
    }

    pub(super) fn into_scene(self, scene: &mut stiction::Scene) {
        let ids: Vec<JointId> = self.joints.into_iter().map(|joint| scene.joint(joint)).collect();
        for ([a, b], table) in self.gears {
            let gear: &mut Gear = scene.gear(ids[a], ids[b], table.ratio.value.0);
            gear.compliance = table.compliance.map(|compliance| compliance.0);
        }
    }
}

/// Place of the joint with a name.
pub(super) fn find(
    name: &Name,
    joints: &[Spanned<JointTable>],
    problems: &mut Problems,
) -> Option<usize> {
    let names = joints.iter().map(|joint| joint.value.name.as_ref().map(|own| own.value.as_str()));
    let found = names.clone().position(|own| own == Some(name.value.as_str()));
    if found.is_none() {
        let known: Vec<&str> = names.flatten().collect();
        let message = format!("there is no joint `{}`", name.value);
        problems.add(name.span, message, did_you_mean(&name.value, &known));
    }
    found
}

fn joint(
    Spanned { value: table, span }: &Spanned<JointTable>,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<Joint> {
    let b = bodies.find(&table.body, problems);
    let a = match &table.to {
        Some(name) => bodies.find(name, problems).map(End::Body),
        None => Some(End::World),
    };
    let kind = kind(table, *span, problems);
    let turns = table.kind == JointWord::Hinge;
    let motor = match &table.motor {
        Some(motor) => Some(read_motor(motor, turns, problems)?),
        None => None,
    };
    let (a, b) = (a?, b?);
    let mut joint = Joint::ball(a, b, table.at.vector());
    joint.name = table.name.as_ref().map(|name| name.value.clone());
    joint.kind = kind?;
    joint.axis = table.axis.map_or(joint.axis, |axis| axis.vector());
    joint.limits = table.limits.map(|limits| limits.0.map(|limit| in_radians(limit.0, turns)));
    joint.motor = motor;
    joint.damping = table.damping.map_or(0.0, |damping| damping.0);
    joint.compliance = table.compliance.map(|compliance| compliance.0);
    joint.angular_compliance = table.angular_compliance.map(|compliance| compliance.0);
    joint.touching = table.touching.unwrap_or(false);
    Some(joint)
}

/// What moves; keys that a kind needs must be there, and no others.
fn kind(table: &JointTable, span: Span, problems: &mut Problems) -> Option<JointKind> {
    use JointWord::{Ball, Cylindrical, Distance, Fixed, Hinge, Slider, Universal};
    let word = table.kind;
    let leans = word == Ball && table.cone.is_some();
    let needs_axis = leans || matches!(word, Hinge | Slider | Cylindrical | Universal);
    let mut good = true;
    for (key, given, needed, example) in [
        ("axis", table.axis.is_some(), needs_axis, "\"z\""),
        ("second_axis", table.second_axis.is_some(), word == Universal, "\"x\""),
        ("point", table.point.is_some(), word == Distance, "[0, 0, 0]"),
        ("cone", table.cone.is_some(), leans, "30"),
    ] {
        if given && !needed {
            let message = format!("this kind of joint has no `{key}`");
            problems.add(span, message, format!("leave out `{key}`"));
        } else if needed && !given {
            let message = format!("this kind of joint needs `{key}`");
            problems.add(span, message, format!("give one, such as {key} = {example}"));
        }
        good &= given == needed;
    }
    let point = table.point.map(Vector::vector);
    good.then(|| match word {
        Ball => JointKind::Ball { cone: table.cone.map(|cone| cone.0.to_radians()) },
        Hinge => JointKind::Hinge,
        Slider => JointKind::Slider,
        Cylindrical => JointKind::Cylindrical,
        Universal => JointKind::Universal {
            second: table.second_axis.map_or_else(Default::default, |axis| axis.vector()),
        },
        Fixed => JointKind::Fixed,
        Distance => JointKind::Distance { to: point.unwrap_or_default() },
    })
}

fn read_motor(
    Spanned { value: table, span }: &Spanned<MotorTable>,
    turns: bool,
    problems: &mut Problems,
) -> Option<Motor> {
    let target = match (table.speed, table.place) {
        (Some(speed), None) => Target::Speed(in_radians(speed.0, turns)),
        (None, Some(place)) => Target::Place(in_radians(place.0, turns)),
        _ => {
            let help = "for example { speed = 90, strength = 2 } or { place = 45 }".to_owned();
            problems.add(*span, "a motor has a `speed` or a `place`", help);
            return None;
        }
    };
    Some(Motor {
        target,
        strength: table.strength.map_or(f64::INFINITY, |strength| strength.0),
        stiffness: table.stiffness.map(|stiffness| stiffness.0),
        profile: super::control::profile(table.profile.as_ref(), problems),
    })
}

/// Files give angles in degrees.
fn in_radians(value: f64, turns: bool) -> f64 {
    if turns { value.to_radians() } else { value }
}
