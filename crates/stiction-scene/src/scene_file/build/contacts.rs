//! How bodies touch, and the numbers that were chosen for them.
//!
//! Friction may stand in a `[[friction]]` or in a `[[contact]]` table, for each pair once. The resolved scene has one
//! `[[contact]]` for each pair that can touch, with everything in it.

use stiction::body::{Body, BodyId};
use stiction::contact::friction::Combination;
use stiction::contact::{ContactRule, Friction, Roles};
use stiction::method::{Chosen, MethodSettings};
use stiction::{Scene, Simulation};

use super::super::decode::{Spanned, did_you_mean};
use super::super::format::{ContactTable, FrictionTable, SceneTable};
use super::super::leaves::{Name, NotNegative, NumberOr, OneOrMore, Pair, Positive, Several};
use super::super::problem::Problems;
use super::super::source::Span;
use super::Bodies;
use super::frictions;

/// What the scene says about bodies that touch. Afterwards `table.contact` holds all of it but the friction of pairs
/// that no table names, which `table.friction` holds.
pub(super) struct Contacts {
    pub(super) rules: Vec<ContactRule>,
    pub(super) friction: Friction,
    pub(super) combination: Combination,
}

pub(super) fn contacts(
    table: &mut SceneTable,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Contacts {
    let given = table.friction.take().map_or(Vec::new(), |given| given.0);
    let mut default = friction_of_all(&given, problems);
    merge(&given, &mut table.contact, problems);
    let (mut friction, mut combination) = (Friction::default(), Combination::default());
    match default.as_mut().map(|item| (&mut item.value, item.span)) {
        Some((NumberOr::Number(coefficient), _)) => friction = Friction::coulomb(coefficient.0),
        Some((NumberOr::Table(all), span)) => {
            let mut pair = all.of_pair();
            friction = frictions::friction(&mut pair, span, problems).unwrap_or_default();
            combination = frictions::combination(all.combine.as_ref());
            // What was found in tables, or chosen, is what the resolved scene says.
            (all.coefficient, all.static_coefficient) = (pair.coefficient, pair.static_coefficient);
            all.preset = None;
        }
        None => {}
    }
    let shown = default.unwrap_or(Spanned {
        value: NumberOr::Number(NotNegative(friction.coefficient)),
        span: Span::default(),
    });
    table.friction = Some(OneOrMore(vec![shown]));

    let mut rules: Vec<ContactRule> = Vec::new();
    for Spanned { value: contact, span } in &mut table.contact {
        let Some(rule) = rule(contact, (friction, combination), bodies, problems) else { continue };
        let [a, b] = rule.between;
        if rules.iter().any(|other| other.between == [a, b] || other.between == [b, a]) {
            let [a, b] = &contact.between.value.0;
            let message = format!("contact of `{}` and `{}` is given twice", a.value, b.value);
            problems.add(*span, message, "say all of it in one table".to_owned());
            continue;
        }
        rules.push(rule);
    }
    Contacts { rules, friction, combination }
}

/// What pairs get that no table names.
fn friction_of_all(
    given: &[Spanned<NumberOr<FrictionTable>>],
    problems: &mut Problems,
) -> Option<Spanned<NumberOr<FrictionTable>>> {
    let of_all = |item: &&Spanned<NumberOr<FrictionTable>>| match &item.value {
        NumberOr::Number(_) => true,
        NumberOr::Table(table) => table.between.is_none(),
    };
    let mut all = given.iter().filter(of_all);
    let first = all.next()?;
    if let Some(second) = all.next() {
        let help = "say for which bodies with `between = [\"…\", \"…\"]`".to_owned();
        problems.add(second.span, "friction of all bodies is given twice", help);
    }
    Some(first.clone())
}

/// Moves friction of pairs into their contacts.
fn merge(
    given: &[Spanned<NumberOr<FrictionTable>>],
    contacts: &mut Vec<Spanned<ContactTable>>,
    problems: &mut Problems,
) {
    let mut seen: Vec<[&str; 2]> = Vec::new();
    for Spanned { value, span } in given {
        let NumberOr::Table(table) = value else { continue };
        let Some(between) = &table.between else { continue };
        if let Some(combine) = &table.combine {
            let help = "say it in the table without `between`, which is for all pairs".to_owned();
            problems.add(combine.span, "`combine` is not for one pair", help);
        }
        let [a, b] = between.value.0.each_ref().map(|name| name.value.as_str());
        let friction = Spanned { value: NumberOr::Table(table.of_pair()), span: *span };
        let is_it = |contact: &&mut Spanned<ContactTable>| {
            let [c, d] = contact.value.between.value.0.each_ref().map(|name| name.value.as_str());
            [a, b] == [c, d] || [b, a] == [c, d]
        };
        let twice = seen.contains(&[a, b]) || seen.contains(&[b, a]);
        match contacts.iter_mut().find(is_it) {
            Some(contact) if twice || contact.value.friction.is_some() => {
                let message = format!("friction of `{a}` and `{b}` is given twice");
                problems.add(*span, message, "keep one of them".to_owned());
            }
            Some(contact) => contact.value.friction = Some(friction),
            None => {
                let mut contact = blank(between.clone());
                contact.name.clone_from(&table.name);
                contact.friction = Some(friction);
                contacts.push(Spanned { value: contact, span: *span });
            }
        }
        seen.push([a, b]);
    }
}

fn blank(between: Spanned<Pair<Name>>) -> ContactTable {
    ContactTable {
        restitution: None,
        name: None,
        between,
        friction: None,
        thickness: None,
        stiffness: None,
        fracture: None,
        surface: None,
        enabled: None,
    }
}

fn rule(
    table: &mut ContactTable,
    (default, combination): (Friction, Combination),
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<ContactRule> {
    let [first, second] = &table.between.value.0;
    let given = table.friction.as_mut().map(|given| match &mut given.value {
        NumberOr::Number(coefficient) => Friction::coulomb(coefficient.0),
        NumberOr::Table(own) => frictions::friction(own, given.span, problems).unwrap_or_default(),
    });
    let (a, b) = (bodies.find(first, problems), bodies.find(second, problems));
    let (a, b) = (a?, b?);
    if a == b && !matches!(bodies.scene.bodies[a.index()], Body::Solid(_) | Body::Cloth(_)) {
        let help = "name another body; solids and cloth touch themselves".to_owned();
        problems.add(second.span, format!("`{}` is named twice", first.value), help);
        return None;
    }
    let friction =
        given.unwrap_or_else(|| frictions::of_skins(bodies.scene, [a, b], default, combination));
    let is_obstacle = |body: BodyId| matches!(bodies.scene.bodies[body.index()], Body::Obstacle(_));
    if is_obstacle(a) && is_obstacle(b) {
        let message = format!(
            "`{}` and `{}` are obstacles: nothing can move them",
            first.value, second.value
        );
        let help = "name a body that deforms, or leave the contact out".to_owned();
        problems.add(table.between.span, message, help);
        return None;
    }
    let by_default = || Name { value: "auto".into(), span: Span::default() };
    let surface = table.surface.get_or_insert_with(by_default);
    let roles = match surface.value.as_str() {
        "auto" => Roles::Auto,
        "both" => Roles::Both,
        name if name == first.value => Roles::FirstIsSurface,
        name if name == second.value => Roles::SecondIsSurface,
        name => {
            let known = ["auto", "both", first.value.as_str(), second.value.as_str()];
            let message = format!("`{name}` is not the surface of this contact");
            problems.add(surface.span, message, did_you_mean(name, &known));
            return None;
        }
    };
    let points = match roles {
        Roles::FirstIsSurface => Some((second, b)),
        Roles::SecondIsSurface => Some((first, a)),
        Roles::Auto | Roles::Both => None,
    };
    if let Some((name, _)) = points.filter(|(_, body)| is_obstacle(*body)) {
        let message = format!("the obstacle `{}` has no points that could touch", name.value);
        let help = format!("make it the surface: `surface = \"{}\"`", name.value);
        problems.add(surface.span, message, help);
        return None;
    }
    Some(ContactRule {
        between: [a, b],
        friction,
        restitution: table.restitution.map_or(0.0, |part| part.0),
        thickness: table.thickness.map(|thickness| thickness.0),
        stiffness: table.stiffness.map(|stiffness| stiffness.0),
        fracture: table.fracture.map(|fracture| fracture.0),
        roles,
        enabled: *table.enabled.get_or_insert(true),
    })
}

/// Writes into the tables what was chosen for each pair. Says which pairs a table names that feel nothing.
pub(super) fn write_chosen(
    table: &mut SceneTable,
    scene: &Scene,
    names: &[String],
    simulation: &Simulation,
) -> Vec<String> {
    let chosen: Vec<_> = simulation
        .contact_pairs()
        .into_iter()
        .map(|Chosen { points, surface, layer }| (points, surface, layer))
        .collect();
    let same = |a: BodyId, b: BodyId, c: BodyId, d: BodyId| (a, b) == (c, d) || (a, b) == (d, c);
    for (k, &(points, surface, penalty)) in chosen.iter().enumerate() {
        // Each may be the surface of the other.
        if chosen[..k].iter().any(|&(a, b, _)| same(a, b, points, surface)) {
            continue;
        }
        // Where each is the surface of the other, both choices must agree to be written as one.
        let unlike = |&&(a, b, other): &&(BodyId, BodyId, _)| {
            same(a, b, points, surface) && other != penalty
        };
        if chosen.iter().any(|other| unlike(&other)) {
            continue;
        }
        let is_it = |rule: &ContactRule| same(rule.between[0], rule.between[1], points, surface);
        let at = scene.contacts.iter().position(is_it).unwrap_or_else(|| {
            let between = [points, surface]
                .map(|body| Spanned { value: names[body.index()].clone(), span: Span::default() });
            let between = Spanned { value: Several(between), span: Span::default() };
            let mut contact = blank(between);
            contact.surface = Some(Name { value: "auto".into(), span: Span::default() });
            contact.enabled = Some(true);
            table.contact.push(Spanned { value: contact, span: Span::default() });
            table.contact.len() - 1
        });
        let contact = &mut table.contact[at].value;
        contact.thickness = Some(Positive(penalty.thickness));
        contact.stiffness = Some(Positive(penalty.stiffness));
    }
    let feels = |rule: &ContactRule| {
        chosen.iter().any(|&(a, b, _)| same(a, b, rule.between[0], rule.between[1]))
    };
    let silent = scene.contacts.iter().filter(|rule| rule.enabled && !feels(rule));
    // Methods that choose nothing by pair have no list, and where nothing touches there is none.
    let listed = match &simulation.settings().method {
        MethodSettings::Smooth(own) => own.solver.contact.enabled,
        MethodSettings::Impulse(_) | MethodSettings::Barrier(_) => false,
    };
    silent
        .filter(|_| listed)
        .map(|rule| {
            let [a, b] = rule.between.map(|body| names[body.index()].as_str());
            format!("`{a}` and `{b}` do not feel each other: they are welded together, or one has no surface")
        })
        .collect()
}
