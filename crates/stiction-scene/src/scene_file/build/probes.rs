//! Probes, expectations and stored fields.

use stiction::measure::{PreparedProbe, Probe, Quantity, Reduction, VertexField};
use stiction::{Scene, Simulation};

use super::super::SceneFile;
use super::super::decode::{List, Spanned, did_you_mean};
use super::super::format::{
    ExpectTable, JointTable, OutputTable, ProbeTable, ReductionWord, SceneTable, SpanReduction,
    When, ZoneTable,
};
use super::super::leaves::{Name, Vector};
use super::super::problem::Problems;
use super::super::source::Span;
use super::{Bodies, joints, zones};
use crate::capture::Stored;
use crate::expectation::{Claim, Expectation, Moment, Take};

/// A probe that is followed during a run.
#[derive(Debug)]
pub struct NamedProbe {
    /// Head of its column.
    pub name: String,
    /// Measures it.
    pub probe: PreparedProbe,
}

/// A probe of a table, before the simulation exists.
pub(super) struct Draft {
    name: String,
    probe: Probe,
    /// Place of its zone in the list.
    zone: Option<usize>,
    /// Place of its joint in the list.
    joint: Option<usize>,
    span: Span,
}

/// Zones and joints that probes may name.
pub(super) struct Named<'a> {
    pub(super) zones: &'a [Spanned<ZoneTable>],
    /// Also those that could not be read.
    pub(super) written_zones: &'a [String],
    pub(super) joints: &'a [Spanned<JointTable>],
}

/// Fields to store with each frame, if the scene says.
pub(super) fn fields(
    output: Option<&OutputTable>,
    problems: &mut Problems,
) -> Option<Option<Vec<Stored>>> {
    let Some(names) = output.and_then(|output| output.fields.as_ref()) else {
        return Some(None);
    };
    let fields: Vec<Option<Stored>> = names
        .0
        .iter()
        .map(|name| problems.note(name.span, Stored::from_name(&name.value)))
        .collect();
    fields.into_iter().collect::<Option<Vec<Stored>>>().map(Some)
}

/// Fields where the scene says nothing: where things can touch, all about contacts.
pub(super) fn default_fields(output: &mut Option<OutputTable>, touching: bool) -> Vec<Stored> {
    let fields = if touching { &VertexField::OF_CONTACTS[..] } else { &[] };
    if let Some(output) = output.as_mut().filter(|_| touching) {
        let name = |field: &VertexField| Name { value: field.name().into(), span: Span::default() };
        output.fields = Some(List(fields.iter().map(name).collect()));
    }
    fields.iter().copied().map(Stored::Vertex).collect()
}

pub(super) fn probes(
    tables: &[Spanned<ProbeTable>],
    bodies: &Bodies<'_>,
    named: &Named<'_>,
    problems: &mut Problems,
) -> Vec<Draft> {
    let mut names: Vec<&str> = Vec::new();
    let mut drafts = Vec::new();
    for Spanned { value: table, span } in tables {
        let name = table.name.value.as_str();
        if names.contains(&name) {
            let message = format!("two probes are called `{name}`");
            problems.add(table.name.span, message, "give each its own name".to_owned());
        }
        if name.contains(['"', '\n', '\r', ',']) {
            let help =
                "it heads a column of a table: leave out commas, quotes and line breaks".to_owned();
            problems.add(table.name.span, format!("`{name}` is no name for a probe"), help);
        }
        names.push(name);
        drafts.extend(draft(table, *span, bodies, named, problems));
    }
    drafts
}

fn draft(
    table: &ProbeTable,
    span: Span,
    bodies: &Bodies<'_>,
    named: &Named<'_>,
    problems: &mut Problems,
) -> Option<Draft> {
    let quantity = problems.note(table.quantity.span, Quantity::from_name(&table.quantity.value));
    let body = match &table.body {
        None => None,
        Some(name) => Some(bodies.find(name, problems)?),
    };
    let zone = match &table.zone {
        None => None,
        Some(name) => Some(zones::find(name, named.zones, named.written_zones, problems)?),
    };
    let joint = match &table.joint {
        None => None,
        Some(name) => Some(joints::find(name, named.joints, problems)?),
    };
    if let (Some(other), None) = (&table.to_body, &table.to) {
        let help = "add `to = \"all\"`, or some of its vertices".to_owned();
        problems.add(other.span, "`to_body` without `to` means nothing", help);
    }
    let mut probe = Probe::new(quantity?);
    match body {
        Some(body) => {
            probe = probe.of(body, bodies.selection(table.r#where.as_ref(), body, problems)?);
        }
        None if table.r#where.is_some() => {
            let help = "add `body = …`".to_owned();
            problems.add(span, "`where` selects vertices of a body, but none is named", help);
            return None;
        }
        None => {}
    }
    if let Some(to) = &table.to {
        let other = match &table.to_body {
            Some(name) => Some(bodies.find(name, problems)?),
            None => body,
        };
        let Some(other) = other else {
            let help = "add `body = …`, or `to_body = …`".to_owned();
            problems.add(to.span, "`to` selects vertices of a body, but none is named", help);
            return None;
        };
        probe = probe.to(other, bodies.selection(Some(to), other, problems)?);
    }
    if let Some(name) = &table.against {
        probe.against = Some(bodies.find(name, problems)?);
    }
    probe.along = table.along.map(|direction| direction.vector());
    probe.about = table.about.map(Vector::vector);
    probe.reduction = table.reduce.map(|word| match word {
        ReductionWord::Mean => Reduction::Mean,
        ReductionWord::Min => Reduction::Min,
        ReductionWord::Max => Reduction::Max,
        ReductionWord::Sum => Reduction::Sum,
    });
    Some(Draft { name: table.name.value.clone(), probe, zone, joint, span })
}

pub(super) fn prepare(
    drafts: Vec<Draft>,
    scene: &Scene,
    simulation: &Simulation,
    problems: &mut Problems,
) -> Option<Vec<NamedProbe>> {
    let prepared: Vec<Option<NamedProbe>> = drafts
        .into_iter()
        .map(|Draft { name, mut probe, zone, joint, span }| {
            probe.zone = zone.and_then(|k| scene.zone_ids().nth(k));
            probe.joint = joint.and_then(|k| scene.joint_ids().nth(k));
            let probe = problems.note(span, probe.prepare(scene, simulation))?;
            Some(NamedProbe { name, probe })
        })
        .collect();
    prepared.into_iter().collect()
}

/// What must come out of this variant of the scene.
pub(super) fn expectations(
    table: &mut SceneTable,
    file: &SceneFile,
    end: f64,
    problems: &mut Problems,
) -> Vec<Expectation> {
    let probes: Vec<&str> =
        table.probe.iter().map(|probe| probe.value.name.value.as_str()).collect();
    let variants: Vec<&str> = file.written.variants.iter().map(String::as_str).collect();
    let mut expectations = Vec::new();
    let mut resolved = Vec::new();
    for Spanned { value: expect, span } in &table.expect {
        let mut applies = expect.variants.is_none();
        for name in expect.variants.iter().flat_map(|names| &names.0) {
            applies |= file.variant.as_ref() == Some(&name.value);
            if !file.written.variants.contains(&name.value) {
                let message = format!("the scene has no variant `{}`", name.value);
                problems.add(name.span, message, did_you_mean(&name.value, &variants));
            }
        }
        let probe = probes.iter().position(|probe| *probe == expect.probe.value);
        if probe.is_none() && !file.written.probes.contains(&expect.probe.value) {
            let message = format!("there is no probe `{}`", expect.probe.value);
            problems.add(expect.probe.span, message, did_you_mean(&expect.probe.value, &probes));
        }
        let (moment, claim) =
            (moment(expect, end, *span, problems), claim(expect, *span, problems));
        if let (Some(probe), Some(moment), Some(claim), true) = (probe, moment, claim, applies) {
            let name = expect.name.as_ref().unwrap_or(&expect.probe).value.clone();
            let (kind, source) = (expect.kind, expect.source.clone());
            expectations.push(Expectation { name, probe, moment, claim, kind, source });
            let value = ExpectTable { variants: None, ..expect.clone() };
            resolved.push(Spanned { value, span: *span });
        }
    }
    // The resolved scene is this variant and no other.
    table.expect = resolved;
    expectations
}

fn moment(expect: &ExpectTable, end: f64, span: Span, problems: &mut Problems) -> Option<Moment> {
    let ranged = expect.from.is_some() || expect.until.is_some();
    let late = |time: f64| time > end * (1.0 + 1e-9);
    let moment = match (expect.at, ranged, expect.take) {
        (Some(_), true, _) | (Some(_), _, Some(_)) => {
            let help = "keep `at`, or `from`, `until` and `take`".to_owned();
            problems.add(span, "an expectation is at a time, or over a range of times", help);
            return None;
        }
        (Some(When::Time(time)), ..) => Moment::At(time),
        (Some(When::End), ..) | (None, false, None) => Moment::At(end),
        (None, _, take) => {
            let from = expect.from.map_or(0.0, |time| time.0);
            let until = expect.until.map_or(end, |time| time.0);
            match take {
                None => Moment::Throughout { from, until },
                Some(take) => Moment::Over { from, until, take: taken(take) },
            }
        }
    };
    let last = match moment {
        Moment::At(time) => time,
        Moment::Throughout { from, until } | Moment::Over { from, until, .. } => {
            if from > until {
                let message = format!("the range from {from} s to {until} s is empty");
                problems.add(span, message, "let `from` come before `until`".to_owned());
            }
            until
        }
    };
    if late(last) {
        let help = "lengthen `duration`, or look earlier".to_owned();
        problems.add(span, format!("the run ends at {end} s, before {last} s"), help);
        return None;
    }
    Some(moment)
}

fn taken(take: SpanReduction) -> Take {
    match take {
        SpanReduction::Mean => Take::Mean,
        SpanReduction::Min => Take::Min,
        SpanReduction::Max => Take::Max,
        SpanReduction::Range => Take::Range,
    }
}

fn claim(expect: &ExpectTable, span: Span, problems: &mut Problems) -> Option<Claim> {
    let bounds = expect.above.is_some() || expect.below.is_some();
    let tolerance = match (expect.tolerance, expect.relative, expect.value) {
        (Some(tolerance), None, Some(_)) => Some(tolerance.0),
        (None, Some(relative), Some(value)) => Some(relative.0 * value.0.abs()),
        (None, None, None) if bounds => None,
        (Some(_), Some(_), _) => {
            let help = "keep one of them".to_owned();
            problems.add(span, "`tolerance` and `relative` are both given", help);
            return None;
        }
        _ => {
            let message = "an expectation is a `value` with a `tolerance` or `relative`, or a bound `above`, `below`";
            problems.add(span, message, "for example `value = 0.25, relative = 0.01`".to_owned());
            return None;
        }
    };
    if let (Some(value), Some(tolerance)) = (expect.value, tolerance) {
        if bounds {
            let help = "write two expectations".to_owned();
            problems.add(span, "a `value` and a bound are both given", help);
            return None;
        }
        return Some(Claim::near(value.0, tolerance));
    }
    let low = expect.above.map_or(f64::NEG_INFINITY, |bound| bound.0);
    let high = expect.below.map_or(f64::INFINITY, |bound| bound.0);
    if low > high {
        let message = format!("nothing is above {low} and below {high}");
        problems.add(span, message, "let `above` be less than `below`".to_owned());
        return None;
    }
    Some(Claim { value: None, low, high })
}
