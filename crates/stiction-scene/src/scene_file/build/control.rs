//! Pins, loads, springs, welds, and what they select and how they move.

use stiction::body::{
    Anchor, Body, BodyId, Interpolation, Keyframe, Load, LoadKind, Motion, Pin, Profile, Spring,
    Weld,
};
use stiction::math::Vector3;
use stiction::mesh::{Selection, SelectionError, Transform};

use super::super::decode::{List, Spanned, did_you_mean};
use super::super::format::{
    AnchorTable, KeyframeTable, LoadTable, MotionTable, PinTable, SpringTable, WeldTable, Where,
    WhereTable,
};
use super::super::leaves::{Index, Name, NameOr, Number, Pair, Vector};
use super::super::problem::Problems;
use super::super::source::Span;
use super::Bodies;
use super::files::{self, Inputs};
use crate::motion_file;

impl Bodies<'_> {
    /// The body of this name.
    pub(super) fn find(&self, name: &Name, problems: &mut Problems) -> Option<BodyId> {
        let found = self.names.iter().position(|known| *known == name.value);
        let Some(found) = found else {
            if self.written.contains(&name.value) {
                return None;
            }
            let mut known: Vec<&str> =
                self.names.iter().chain(self.written).map(String::as_str).collect();
            known.sort_unstable();
            known.dedup();
            let message = format!("there is no body `{}`", name.value);
            problems.add(name.span, message, did_you_mean(&name.value, &known));
            return None;
        };
        // Bodies that failed have been reported; what hangs on them is not at fault.
        self.ids[found]
    }

    /// The body of this name, which must have vertices of its own.
    pub(super) fn find_deformable(&self, name: &Name, problems: &mut Problems) -> Option<BodyId> {
        let id = self.find(name, problems)?;
        if let Body::Obstacle(_) = self.scene.bodies[id.index()] {
            let message =
                format!("`{}` is an obstacle and cannot be held, pushed or joined", name.value);
            problems.add(name.span, message, "move an obstacle by its own `motion`".to_owned());
            return None;
        }
        Some(id)
    }

    /// A selection that catches something of this body.
    pub(super) fn selection(
        &self,
        given: Option<&Where>,
        body: BodyId,
        problems: &mut Problems,
    ) -> Option<Selection> {
        let Some(given) = given else { return Some(Selection::All) };
        let selection = selection(given);
        let vertices = match &self.scene.bodies[body.index()] {
            Body::Solid(solid) => caught(&selection, &solid.mesh, &solid.placement),
            Body::Cloth(cloth) => caught(&selection, &cloth.mesh, &cloth.placement),
            Body::Rigid(rigid) => caught(&selection, &rigid.mesh, &rigid.placement),
            Body::Obstacle(_) => return Some(selection),
        };
        problems.note(given.span, vertices)?;
        Some(selection)
    }

    /// Where a vertex of a body starts [m].
    fn starts(&self, body: BodyId) -> Vec<Vector3> {
        let placed = |vertices: &[Vector3], placement: &Transform| {
            vertices.iter().map(|x| placement.apply(x)).collect()
        };
        match &self.scene.bodies[body.index()] {
            Body::Solid(solid) => placed(solid.mesh.vertices(), &solid.placement),
            Body::Cloth(cloth) => placed(cloth.mesh.vertices(), &cloth.placement),
            Body::Rigid(rigid) => placed(rigid.mesh.vertices(), &rigid.placement),
            Body::Obstacle(_) => Vec::new(),
        }
    }
}

fn caught<const N: usize>(
    selection: &Selection,
    mesh: &stiction::mesh::Mesh<N>,
    placement: &Transform,
) -> Result<Vec<u32>, SelectionError>
where
    stiction::mesh::Mesh<N>: stiction::mesh::Selectable,
{
    // A placement that breaks the mesh is found elsewhere.
    match mesh.transformed(placement) {
        Ok(placed) => selection.vertices(&placed),
        Err(_) => Ok(Vec::new()),
    }
}

/// The library's selection.
fn selection(given: &Where) -> Selection {
    let table = match &given.value {
        NameOr::Name(name) => {
            return match name.value.as_str() {
                "all" => Selection::All,
                "boundary" => Selection::Boundary,
                tag => Selection::Tag(tag.to_owned()),
            };
        }
        NameOr::Table(table) => table,
    };
    let each = |parts: &[Where]| parts.iter().map(selection).collect();
    match table {
        WhereTable::Box(region) => {
            Selection::Box { min: region.min.vector(), max: region.max.vector() }
        }
        WhereTable::Sphere(region) => {
            Selection::Sphere { center: region.center.vector(), radius: region.radius.0 }
        }
        WhereTable::HalfSpace(region) => {
            Selection::HalfSpace { point: region.point.vector(), normal: region.normal.vector() }
        }
        WhereTable::Ids(ids) => Selection::Ids(ids.0.iter().map(|id| id.0).collect()),
        WhereTable::Tag(name) => Selection::Tag(name.clone()),
        WhereTable::And(parts) => Selection::And(each(&parts.0)),
        WhereTable::Or(parts) => Selection::Or(each(&parts.0)),
        WhereTable::Not(part) => Selection::Not(Box::new(selection(part))),
    }
}

/// The library's motion.
pub(super) fn motion(
    given: Option<&Spanned<MotionTable>>,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Motion> {
    let Some(Spanned { value: given, span }) = given else { return Some(Motion::Still) };
    let or_origin = |point: Option<Vector>| point.map_or_else(Vector3::zeros, Vector::vector);
    Some(match given {
        MotionTable::Velocity(velocity) => Motion::Velocity(velocity.vector()),
        MotionTable::Turn(turn) => Motion::Rotation {
            center: or_origin(turn.center),
            rate: turn.axis.vector() * turn.degrees_per_second.0.to_radians(),
        },
        MotionTable::Keyframes(keys) => {
            let frames = match (&keys.frames, &keys.file) {
                (Some(frames), None) => keyframes(frames, *span, problems)?,
                (None, Some(path)) => {
                    let place = files::found(path, inputs, problems)?;
                    problems.note(path.span, motion_file::read(&place))?
                }
                _ => {
                    let help = "for example `keyframes = { file = \"path.csv\" }`".to_owned();
                    problems.add(*span, "keyframes are either `frames` or a `file`", help);
                    return None;
                }
            };
            let smooth = keys.smooth.unwrap_or(true);
            let interpolation = if smooth { Interpolation::Smooth } else { Interpolation::Linear };
            let motion =
                Motion::Keyframes { frames, center: or_origin(keys.center), interpolation };
            if !motion.is_valid() {
                let help =
                    "give at least one, with times that grow from one to the next".to_owned();
                problems.add(*span, "these keyframes do not ascend in time", help);
                return None;
            }
            motion
        }
    })
}

fn keyframes(
    given: &List<KeyframeTable>,
    span: Span,
    problems: &mut Problems,
) -> Option<Vec<Keyframe>> {
    let or_origin = |point: Option<Vector>| point.map_or_else(Vector3::zeros, Vector::vector);
    let mut frames = Vec::with_capacity(given.0.len());
    for frame in &given.0 {
        let degrees = frame.degrees.unwrap_or(Number(0.0)).0;
        let rotation = match frame.axis {
            Some(axis) => axis.vector() * degrees.to_radians(),
            None if degrees == 0.0 => Vector3::zeros(),
            None => {
                let help = "add `axis = \"y\"` to the keyframe".to_owned();
                problems.add(span, "a keyframe with `degrees` needs an `axis`", help);
                return None;
            }
        };
        let translation = or_origin(frame.r#move);
        frames.push(Keyframe { time: frame.time.0, translation, rotation });
    }
    Some(frames)
}

pub(super) fn pin(
    table: &PinTable,
    bodies: &Bodies<'_>,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Pin> {
    let body = bodies.find_deformable(&table.body, problems);
    let motion = motion(table.motion.as_ref(), inputs, problems);
    let axes = match &table.axes {
        None => Some([true; 3]),
        Some(name) => axes(name, problems),
    };
    let body = body?;
    let selection = bodies.selection(table.r#where.as_ref(), body, problems)?;
    let release = table.release.map(|time| time.0);
    Some(Pin { body, selection, axes: axes?, motion: motion?, release })
}

/// Letters out of `x`, `y`, `z`.
fn axes(name: &Name, problems: &mut Problems) -> Option<[bool; 3]> {
    let letters = ['x', 'y', 'z'];
    let axes = letters.map(|axis| name.value.contains(axis));
    if name.value.is_empty() || name.value.chars().any(|letter| !letters.contains(&letter)) {
        let help = "write the held axes, such as \"xyz\", \"y\" or \"xz\"".to_owned();
        problems.add(name.span, format!("`{}` names no axes", name.value), help);
        return None;
    }
    Some(axes)
}

pub(super) fn load(
    table: &LoadTable,
    span: Span,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<Load> {
    let body = bodies.find_deformable(&table.body, problems);
    let kind = match (table.force, table.traction, table.pressure) {
        (Some(force), None, None) => Some(LoadKind::Force(force.vector())),
        (None, Some(traction), None) => Some(LoadKind::Traction(traction.vector())),
        (None, None, Some(pressure)) => Some(LoadKind::Pressure(pressure.0)),
        _ => {
            let message = "a load is exactly one of `force`, `traction` and `pressure`";
            problems.add(span, message, "for example `force = [0, -1, 0]`".to_owned());
            None
        }
    };
    let profile = profile(table.profile.as_ref(), problems);
    let body = body?;
    let selection = bodies.selection(table.r#where.as_ref(), body, problems)?;
    Some(Load { body, selection, kind: kind?, profile })
}

/// Factors in time; one by default.
pub(super) fn profile(
    given: Option<&Spanned<List<Pair<Number>>>>,
    problems: &mut Problems,
) -> Profile {
    let Some(Spanned { value, span }) = given else { return Profile::Constant };
    let points = value.0.iter().map(|point| (point.0[0].0, point.0[1].0)).collect();
    let profile = Profile::Points(points);
    if !profile.is_valid() {
        let help = "give `[[time, factor], …]` with times that grow".to_owned();
        problems.add(*span, "this profile does not ascend in time", help);
    }
    profile
}

pub(super) fn spring(
    table: &SpringTable,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<Spring> {
    let ends = [anchor(&table.from, bodies, problems), anchor(&table.to, bodies, problems)];
    let [Some(a), Some(b)] = ends else { return None };
    Some(Spring {
        ends: [a, b],
        stiffness: table.stiffness.0,
        rest_length: table.rest_length.map(|length| length.0),
        damping: table.damping.map_or(0.0, |damping| damping.0),
    })
}

fn anchor(
    given: &Spanned<AnchorTable>,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<Anchor> {
    let Spanned { value: table, span } = given;
    match (table.point, &table.body, table.vertex, table.nearest) {
        (Some(point), None, None, None) => Some(Anchor::Point(point.vector())),
        (None, Some(body), Some(Index(vertex)), None) => {
            Some(Anchor::Vertex(bodies.find_deformable(body, problems)?, vertex))
        }
        (None, Some(body), None, Some(place)) => {
            let body = bodies.find_deformable(body, problems)?;
            let distance = |x: &Vector3| (x - place.vector()).norm();
            let starts = bodies.starts(body);
            let nearest = (0..starts.len())
                .min_by(|&i, &j| distance(&starts[i]).total_cmp(&distance(&starts[j])))?;
            Some(Anchor::Vertex(body, nearest as u32))
        }
        _ => {
            let message = "an end of a spring is a `point`, or a `body` with a `vertex` or the `nearest` one to a \
                 place";
            let help =
                "for example { point = [0, 1, 0] } or { body = \"ball\", nearest = [0, 0.1, 0] }";
            problems.add(*span, message, help.to_owned());
            None
        }
    }
}

pub(super) fn weld(
    table: &WeldTable,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<Weld> {
    let a = bodies.find_deformable(&table.body, problems);
    let b = bodies.find_deformable(&table.to, problems);
    let (a, b) = (a?, b?);
    let selection = bodies.selection(table.r#where.as_ref(), a, problems)?;
    Some(Weld { a, selection, b, tolerance: table.tolerance.map(|tolerance| tolerance.0) })
}
