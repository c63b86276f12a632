//! Rigid bodies: shapes and masses.

use std::f64::consts::{FRAC_PI_2, TAU};

use nalgebra::UnitQuaternion;
use stiction::body::{Rigid, Shape};
use stiction::geometry::Pose;
use stiction::geometry::shape::{Compound, Convex, Hull, Part};
use stiction::math::Vector3;
use stiction::mesh::TriMesh;
use stiction::rigid::MassProperties;

use super::super::decode::Spanned;
use super::super::format::{BlockTable, BodyTable, RigidShape, SolidShape};
use super::super::leaves::Positive;
use super::super::problem::Problems;
use super::super::source::Span;
use super::bodies::{placement, solid_mesh};
use super::files::{Inputs, read_mesh};

/// Density where nothing is said: that of water [kg/m³].
const DENSITY: Positive = Positive(1000.0);

/// A rigid body, not yet placed; writes into `table` what was chosen for it.
pub(super) fn rigid(
    table: &mut BodyTable,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Rigid> {
    if table.mass.is_none() {
        table.density.get_or_insert(DENSITY);
    }
    let density = table.density.unwrap_or(DENSITY);
    let shape = table.rigid.as_mut()?;
    let (span, of_parts) = (shape.span, matches!(shape.value, RigidShape::Parts(_)));
    let body = shaped(shape, density, inputs, problems)?;
    match (table.density, table.mass) {
        (Some(_), Some(_)) => {
            let help = "keep one of `density` and `mass`".to_owned();
            problems.add(span, "a body has a density or a mass", help);
            None
        }
        (None, Some(mass)) => {
            let found = problems.note(span, body.properties())?;
            let density = body.material.density * mass.0 / found.mass();
            Some(body.density(density))
        }
        // Parts have theirs already.
        _ if of_parts => Some(body),
        _ => Some(body.density(density.0)),
    }
}

/// The shape alone; only parts have their densities yet.
fn shaped(
    Spanned { value: shape, span }: &mut Spanned<RigidShape>,
    density: Positive,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Rigid> {
    let span = *span;
    Some(match shape {
        RigidShape::Parts(parts) => {
            let mut bodies = Vec::new();
            for part in &mut parts.0 {
                let body = shaped(&mut part.shape, density, inputs, problems);
                let placement = placement(part.place.as_ref(), problems);
                let own = part.density.unwrap_or(density);
                bodies.push(body.zip(placement).map(|(body, at)| body.density(own.0).placed(at)));
            }
            let bodies: Vec<Rigid> = bodies.into_iter().collect::<Option<_>>()?;
            problems.note(span, Rigid::joined(&bodies))?
        }
        RigidShape::Ball(ball) => {
            let radius = ball.radius.0;
            let edge = ball.edge_length.get_or_insert(Positive(0.1 * radius));
            let segments = (TAU * radius / edge.0).round().clamp(12.0, 1200.0) as usize;
            problems.note(span, Rigid::shape(&Shape::Sphere { radius }, segments))?
        }
        RigidShape::Mesh(path) => {
            let file = read_mesh(path, inputs, problems)?;
            let body = Rigid::new(problems.note(path.span, file.into_surface())?);
            match convex(&body) {
                Some(hull) => body.shaped(Compound::from(hull)),
                None => body,
            }
        }
        RigidShape::Hull(table) => {
            let points: Vec<Vector3> = table.points.0.iter().map(|x| x.vector()).collect();
            let hull = Convex::Hull(problems.note(span, Hull::new(&points))?);
            problems.note(span, Rigid::convex(hull, 1))?
        }
        _ => {
            let body = Rigid::new(outside(shape, span, inputs, problems)?);
            match exact(shape).and_then(|parts| Compound::new(parts).ok()) {
                Some(exact) => body.shaped(exact),
                None => body,
            }
        }
    })
}

/// What a shape is made of, if that is convex.
fn exact(shape: &RigidShape) -> Option<Vec<Part>> {
    let upright = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
    let along_z = |shape| vec![Part { shape, pose: Pose::new(Vector3::zeros(), upright) }];
    Some(match shape {
        RigidShape::Cuboid(table) => {
            let size = Vector3::from(table.size.0.map(|length| length.0));
            vec![Part { shape: Convex::cuboid(size), pose: Pose::identity() }]
        }
        RigidShape::Cylinder(table) => {
            along_z(Convex::Cylinder { radius: table.radius.0, length: table.length.0 })
        }
        RigidShape::Capsule(table) => {
            along_z(Convex::Capsule { radius: table.radius.0, length: table.length.0 })
        }
        RigidShape::Blocks(table) if table.boxes.0.iter().all(|block| block.lean.is_none()) => {
            let part = |block: &BlockTable| {
                let (min, max) = (block.min.vector(), block.max.vector());
                Part { shape: Convex::cuboid(max - min), pose: Pose::at((min + max) * 0.5) }
            };
            table.boxes.0.iter().map(part).collect()
        }
        _ => return None,
    })
}

/// The hull of a body that fills it.
fn convex(body: &Rigid) -> Option<Convex> {
    let hull = Convex::Hull(Hull::new(body.mesh.vertices()).ok()?);
    let filled = MassProperties::of_shape(&hull, 1.0).ok()?.mass();
    let own = MassProperties::of_surface(&body.mesh, 1.0).ok()?.mass();
    (filled - own <= 1e-6 * filled).then_some(hull)
}

/// The solid of the same name; nothing for hulls, and for parts, which are looked at one by one.
pub(super) fn solid_of(shape: &RigidShape) -> Option<SolidShape> {
    Some(match shape.clone() {
        RigidShape::Cuboid(table) => SolidShape::Cuboid(table),
        RigidShape::Ball(table) => SolidShape::Ball(table),
        RigidShape::HollowBall(table) => SolidShape::HollowBall(table),
        RigidShape::Cylinder(table) => SolidShape::Cylinder(table),
        RigidShape::Tube(table) => SolidShape::Tube(table),
        RigidShape::Capsule(table) => SolidShape::Capsule(table),
        RigidShape::Torus(table) => SolidShape::Torus(table),
        RigidShape::Bowl(table) => SolidShape::Bowl(table),
        RigidShape::Blocks(table) => SolidShape::Blocks(table),
        RigidShape::Mesh(path) => SolidShape::Mesh(path),
        RigidShape::Hull(_) | RigidShape::Parts(_) => return None,
    })
}

/// The outside of the solid of the same name.
fn outside(
    shape: &mut RigidShape,
    span: Span,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<TriMesh> {
    let mut solid = solid_of(shape)?;
    let mesh = solid_mesh(&mut solid, span, inputs, problems)?;
    // Defaults were written into the copy.
    match (shape, solid) {
        (RigidShape::Cuboid(table), SolidShape::Cuboid(chosen)) => *table = chosen,
        (RigidShape::Ball(table), SolidShape::Ball(chosen)) => *table = chosen,
        (RigidShape::HollowBall(table), SolidShape::HollowBall(chosen))
        | (RigidShape::Bowl(table), SolidShape::Bowl(chosen)) => *table = chosen,
        (RigidShape::Cylinder(table), SolidShape::Cylinder(chosen))
        | (RigidShape::Capsule(table), SolidShape::Capsule(chosen)) => *table = chosen,
        (RigidShape::Tube(table), SolidShape::Tube(chosen)) => *table = chosen,
        (RigidShape::Torus(table), SolidShape::Torus(chosen)) => *table = chosen,
        (RigidShape::Blocks(table), SolidShape::Blocks(chosen)) => *table = chosen,
        _ => {}
    }
    Some(mesh.boundary().surface)
}
