//! Tables of bodies to bodies, with defaults for what was left out.

use nalgebra::{Unit, UnitQuaternion};
use stiction::body::{Body, Cloth, Deformable, Obstacle, Shape, Solid};
use stiction::element::RestAngles;
use stiction::math::Vector3;
use stiction::mesh::generate::{self, CuboidSplit, Diagonals};
use stiction::mesh::{Mesh, MeshError, Soup, TetMesh, TetSoup, Transform, TriMesh, TriSoup};

use super::super::decode::{List, Spanned, did_you_mean};
use super::super::format::{
    BlockTable, BodyTable, ClothShape, CuboidSplitWord, DiagonalsWord, ObstacleShape, PlaceTable,
    Scale, SolidShape,
};
use super::super::leaves::{Count, Direction, Name, Number, Several};
use super::super::problem::Problems;
use super::super::source::Span;
use super::control::motion;
use super::files::{Inputs, filled, gridded, read_mesh};
use super::{materials, rigid, surfaces};

/// Makes a body, and writes into `table` what was chosen for it.
pub(super) fn body(
    table: &mut Spanned<BodyTable>,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Body> {
    let span = table.span;
    let table = &mut table.value;
    // Bodies without a name were given one when the file was read.
    let name = table.name.as_ref()?.value.clone();
    only_on_kind(table, span, problems);
    let surface = surfaces::surface(table, problems);
    // Problems of the material and the placement are of interest even if the shape is wrong.
    if table.rigid.is_some()
        && table.solid.is_none()
        && table.cloth.is_none()
        && table.obstacle.is_none()
    {
        let rigid = rigid::rigid(table, inputs, problems);
        let placement = placement(table.place.as_ref(), problems);
        return Some(start(rigid?.named(name).placed(placement?).surface(surface), table).into());
    }
    match (&mut table.solid, &mut table.cloth, &mut table.obstacle) {
        (Some(shape), None, None) if table.rigid.is_none() => {
            let mesh = solid_mesh(&mut shape.value, shape.span, inputs, problems);
            let mesh = mesh.and_then(|mesh| part(mesh, &table.only, TetSoup::build, problems));
            let material = materials::solid(&mut table.material, span, problems);
            let placement = placement(table.place.as_ref(), problems);
            let solid = Solid::new(mesh?).material(material?).named(name).placed(placement?);
            let touches_itself = *table.touches_itself.get_or_insert(false);
            let solid = solid.surface(surface).touching_itself(touches_itself);
            Some(start(solid, table).into())
        }
        (None, Some(shape), None) if table.rigid.is_none() => {
            let mesh = cloth_mesh(&mut shape.value, shape.span, inputs, problems);
            let mesh =
                mesh.and_then(|mesh| part(mesh, &table.only, TriSoup::build_cloth, problems));
            let fabric = materials::fabric(&mut table.material, span, problems);
            let placement = placement(table.place.as_ref(), problems);
            let warp = table.warp.get_or_insert(Direction([1.0, 0.0, 0.0])).vector();
            let flat = *table.flat.get_or_insert(false);
            let mut cloth =
                Cloth::new(mesh?).material(fabric?).named(name).placed(placement?).warp(warp);
            if let Some(Spanned { value: hung, .. }) = &mut table.hung {
                let rest =
                    problems.note(span, cloth.mesh.transformed(&cloth.placement.stretch()))?;
                let middle = hung.middle.get_or_insert(Number(0.0)).0;
                let start = generate::hung_over_cylinder(rest.vertices(), hung.radius.0, middle);
                cloth = cloth.starting_at(start);
            }
            let angles = if flat { RestAngles::Flat } else { RestAngles::FromShape };
            let touches_itself = *table.touches_itself.get_or_insert(false);
            let cloth = cloth.rest_angles(angles).surface(surface).touching_itself(touches_itself);
            Some(start(cloth, table).into())
        }
        (None, None, Some(shape)) if table.rigid.is_none() => {
            let built = obstacle_shape(&mut shape.value, shape.span, inputs, problems);
            let placement = placement(table.place.as_ref(), problems);
            let motion = motion(table.motion.as_ref(), inputs, problems);
            let mut obstacle = Obstacle::new(built?).named(name).motion(motion?).surface(surface);
            obstacle.placement = placement?;
            if matches!(obstacle.shape, Shape::Grid(_)) && !obstacle.is_valid() {
                let help = "give `scale` one number, or stretch the mesh before".to_owned();
                let message = "a distance grid can only be scaled alike along all axes";
                problems.add(shape.span, message, help);
                return None;
            }
            if !obstacle.is_valid() {
                let help =
                    "rounding is at most half the shortest edge, and a tube thinner than its ring";
                problems.add(shape.span, "this is no shape", help.to_owned());
                return None;
            }
            Some(obstacle.into())
        }
        (None, None, None) => {
            let help =
                "give it `solid = { … }`, `cloth = { … }`, `rigid = { … }` or `obstacle = { … }`"
                    .to_owned();
            problems.add(span, format!("body `{name}` has no shape"), help);
            None
        }
        _ => {
            let message = format!("body `{name}` has several shapes");
            let help = "keep one of `solid`, `cloth`, `rigid` and `obstacle`".to_owned();
            problems.add(span, message, help);
            None
        }
    }
}

/// Notes keys that mean nothing for this kind of body: they would be ignored, and somebody meant something by them.
fn only_on_kind(table: &BodyTable, span: Span, problems: &mut Problems) {
    let mut refuse = |given: bool, key: &str, kind: &str| {
        if given {
            let help = "leave it out".to_owned();
            problems.add(span, format!("`{key}` means nothing for {kind}"), help);
        }
    };
    if table.obstacle.is_some() {
        refuse(table.material.is_some(), "material", "an obstacle");
        refuse(table.velocity.is_some(), "velocity", "an obstacle; use `motion`");
        refuse(table.spin.is_some(), "spin", "an obstacle; use `motion`");
        refuse(table.only.is_some(), "only", "an obstacle");
    } else {
        let instead = match table.rigid {
            Some(_) => "a rigid body; make it an obstacle",
            None => "what deforms; use a pin",
        };
        refuse(table.motion.is_some(), "motion", instead);
    }
    if table.rigid.is_some() {
        refuse(table.material.is_some(), "material", "a rigid body; use `density`");
        refuse(table.only.is_some(), "only", "a rigid body");
        refuse(
            table.place.as_ref().is_some_and(|p| p.value.scale.is_some()) && table.mass.is_some(),
            "mass",
            "a rigid body that is stretched; use `density`",
        );
    } else {
        refuse(table.density.is_some(), "density", "anything but a rigid body; use `material`");
        refuse(table.mass.is_some(), "mass", "anything but a rigid body; use `material`");
    }
    if table.cloth.is_none() && table.solid.is_none() {
        refuse(table.touches_itself.is_some(), "touches_itself", "anything but a solid or cloth");
    }
    if table.cloth.is_none() {
        refuse(table.warp.is_some(), "warp", "anything but cloth");
        refuse(table.flat.is_some(), "flat", "anything but cloth");
        refuse(table.hung.is_some(), "hung", "anything but cloth");
    }
}

fn start<const N: usize, M>(body: Deformable<N, M>, table: &BodyTable) -> Deformable<N, M> {
    let or_zero = |vector: Option<super::super::leaves::Vector>| {
        vector.map_or_else(Vector3::zeros, super::super::leaves::Vector::vector)
    };
    body.velocity(or_zero(table.velocity)).spin(or_zero(table.spin))
}

pub(super) fn placement(
    table: Option<&Spanned<PlaceTable>>,
    problems: &mut Problems,
) -> Option<Transform> {
    let Some(Spanned { value: table, span }) = table else { return Some(Transform::identity()) };
    let mut transform = Transform::identity();
    if let Some(rotate) = &table.rotate {
        let axis = Unit::new_unchecked(rotate.axis.vector());
        let rotation = UnitQuaternion::from_axis_angle(&axis, rotate.degrees.0.to_radians());
        transform = transform.with_rotation(rotation);
    }
    if let Some(translation) = table.r#move {
        transform = transform.with_translation(translation.vector());
    }
    let scale = match table.scale {
        None => return Some(transform),
        Some(Scale::Uniform(factor)) => Vector3::repeat(factor.0),
        Some(Scale::Axes(Several(factors))) => factors.map(|factor| factor.0).into(),
    };
    problems.note(*span, transform.with_scale(scale))
}

pub(super) fn solid_mesh(
    shape: &mut SolidShape,
    span: Span,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<TetMesh> {
    use super::super::leaves::Positive;
    let mesh: Result<TetMesh, MeshError> = match shape {
        SolidShape::Cuboid(table) => {
            let size = table.size.0.map(|length| length.0);
            let cells = table.cells.get_or_insert_with(|| Several(cells(size, 2)));
            generate::cuboid(size, counts(*cells), split(&mut table.split))
        }
        SolidShape::Ball(table) => {
            let edge = table.edge_length.get_or_insert(Positive(table.radius.0 / 6.0));
            generate::ball(table.radius.0, edge.0)
        }
        SolidShape::HollowBall(table) => {
            let (inner, outer) = (table.inner_radius.0, table.outer_radius.0);
            let edge = table.edge_length.get_or_insert(Positive(0.5 * (outer - inner).abs()));
            generate::hollow_ball(inner, outer, edge.0)
        }
        SolidShape::Cylinder(table) => {
            let edge = table.edge_length.get_or_insert(Positive(table.radius.0 / 3.0));
            generate::cylinder(table.radius.0, table.length.0, edge.0)
        }
        SolidShape::Tube(table) => {
            let (inner, outer) = (table.inner_radius.0, table.outer_radius.0);
            let edge = table.edge_length.get_or_insert(Positive(0.5 * (outer - inner).abs()));
            generate::tube(inner, outer, table.length.0, edge.0)
        }
        SolidShape::Capsule(table) => {
            let edge = table.edge_length.get_or_insert(Positive(table.radius.0 / 3.0));
            generate::capsule(table.radius.0, table.length.0, edge.0)
        }
        SolidShape::Torus(table) => {
            let edge = table.edge_length.get_or_insert(Positive(table.tube_radius.0 / 2.0));
            generate::torus(table.ring_radius.0, table.tube_radius.0, edge.0)
        }
        SolidShape::LayeredBall(table) => {
            let radii: Vec<f64> = table.radii.0.iter().map(|radius| radius.0).collect();
            generate::layered_ball(&radii, table.cells.0 as usize)
        }
        SolidShape::Bowl(table) => {
            let (inner, outer) = (table.inner_radius.0, table.outer_radius.0);
            let edge = table.edge_length.get_or_insert(Positive(0.5 * (outer - inner).abs()));
            generate::bowl(inner, outer, edge.0)
        }
        SolidShape::Belt(table) => {
            let radii = table.radii.0.map(|radius| radius.0);
            let (distance, width) = (table.distance.0, table.width.0);
            let around = 2.0 * distance + std::f64::consts::PI * (radii[0] + radii[1]);
            let along = nearest_count(4.0 * around / width);
            let cells = table.cells.get_or_insert(Several([along, Count(1), Count(4)]));
            generate::belt(radii, distance, table.thickness.0, width, counts(*cells))
        }
        SolidShape::Blocks(table) => {
            let block = |block: &mut BlockTable| generate::Block {
                name: block.name.as_ref().map_or("block", |name| &name.value).to_owned(),
                min: block.min.vector(),
                max: block.max.vector(),
                lean: block.lean.get_or_insert(Several([Number(0.0); 2])).0.map(|lean| lean.0),
            };
            let blocks: Vec<generate::Block> = table.boxes.0.iter_mut().map(block).collect();
            generate::blocks(&blocks, table.edge_length.0, split(&mut table.split))
        }
        SolidShape::Mesh(path) => {
            let file = read_mesh(path, inputs, problems)?;
            return problems.note(path.span, file.into_tets());
        }
        SolidShape::Surface(table) => return filled(table, span, inputs, problems),
    };
    problems.note(span, mesh)
}

fn cloth_mesh(
    shape: &mut ClothShape,
    span: Span,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<TriMesh> {
    use super::super::leaves::{Index, Positive};
    let mesh: Result<TriMesh, MeshError> = match shape {
        ClothShape::Sheet(table) => {
            let size = table.size.0.map(|length| length.0);
            let cells = table.cells.get_or_insert_with(|| Several(cells(size, 20)));
            generate::sheet(size, counts(*cells), diagonals(&mut table.diagonals))
        }
        ClothShape::UnstructuredSheet(table) => {
            let size = table.size.0.map(|length| length.0);
            let edge = table.edge_length.get_or_insert(Positive(size[0].min(size[1]) / 20.0));
            let seed = table.seed.get_or_insert(Index(0));
            generate::unstructured_sheet(size, edge.0, u64::from(seed.0))
        }
        ClothShape::Disk(table) => {
            let edge = table.edge_length.get_or_insert(Positive(table.radius.0 / 6.0));
            generate::disk(table.radius.0, edge.0)
        }
        ClothShape::Sleeve(table) => {
            let (radius, length) = (table.radius, table.length.0);
            let bottom = table.bottom_radius.get_or_insert(radius).0;
            let cells = table.cells.get_or_insert_with(|| rolled_cells(40, radius.0, length));
            let diagonals = diagonals(&mut table.diagonals);
            generate::sleeve([bottom, radius.0], length, counts(*cells), diagonals)
        }
        ClothShape::TankTop(table) => {
            let (radius, length) = (table.radius, table.length.0);
            let hem = table.hem_radius.get_or_insert(radius).0;
            let cells = table.cells.get_or_insert_with(|| rolled_cells(48, radius.0, length));
            let strap = table.strap_cells.get_or_insert(Count(3)).0 as usize;
            generate::tank_top([hem, radius.0], length, counts(*cells), strap)
        }
        ClothShape::Tyre(table) => {
            let (rim, outer, width) = (table.rim_radius.0, table.outer_radius.0, table.width.0);
            let height = (outer - rim).abs();
            let rounding = table.rounding.get_or_insert(Positive(width.min(height) / 3.0)).0;
            let perimeter = 2.0 * (width + height) - (8.0 - std::f64::consts::TAU) * rounding;
            let cells = table.cells.get_or_insert_with(|| rolled_cells(96, outer, perimeter));
            generate::tyre(rim, outer, width, rounding, counts(*cells))
        }
        ClothShape::Mesh(path) => {
            let file = read_mesh(path, inputs, problems)?;
            return problems.note(path.span, file.into_surface());
        }
    };
    problems.note(span, mesh)
}

/// The elements of the groups that were asked for.
fn part<const N: usize>(
    mesh: Mesh<N>,
    only: &Option<Spanned<List<Name>>>,
    build: fn(Soup<N>) -> Result<Mesh<N>, MeshError>,
    problems: &mut Problems,
) -> Option<Mesh<N>> {
    let Some(Spanned { value: List(names), span }) = only else { return Some(mesh) };
    let known: Vec<&str> = mesh.element_tags().names().collect();
    let mut sound = true;
    for name in names.iter().filter(|name| !known.contains(&name.value.as_str())) {
        let message = format!("the shape has no group of elements `{}`", name.value);
        problems.add(name.span, message, did_you_mean(&name.value, &known));
        sound = false;
    }
    let groups: Vec<&str> = names.iter().map(|name| name.value.as_str()).collect();
    if sound { problems.note(*span, build(mesh.into_soup().only(&groups))) } else { None }
}

/// Divisions that give the shortest side `shortest` of them, and cells that are nearly cubes or squares.
pub(super) fn cells<const N: usize>(size: [f64; N], shortest: u32) -> [Count; N] {
    let smallest = size.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    // Long thin rods are kept to a size that runs at once.
    size.map(|length| {
        Count((length / smallest * f64::from(shortest)).round().clamp(1.0, 400.0) as u32)
    })
}

/// Cells around a circle and along a length that make them nearly squares; an even number along.
pub(super) fn rolled_cells(around: u32, radius: f64, length: f64) -> Several<Count, 2> {
    let edge = std::f64::consts::TAU * radius / f64::from(around);
    Several([Count(around), Count(2 * nearest_count(0.5 * length / edge).0)])
}

/// A whole number of divisions, at most what runs at once.
fn nearest_count(wished: f64) -> Count {
    Count(wished.round().clamp(1.0, 400.0) as u32)
}

fn counts<const N: usize>(cells: Several<Count, N>) -> [usize; N] {
    cells.0.map(|count| count.0 as usize)
}

fn split(word: &mut Option<CuboidSplitWord>) -> CuboidSplit {
    match word.get_or_insert(CuboidSplitWord::Kuhn) {
        CuboidSplitWord::Kuhn => CuboidSplit::Kuhn,
        CuboidSplitWord::MirroredKuhn => CuboidSplit::MirroredKuhn,
        CuboidSplitWord::Five => CuboidSplit::Five,
    }
}

fn diagonals(word: &mut Option<DiagonalsWord>) -> Diagonals {
    match word.get_or_insert(DiagonalsWord::Alternating) {
        DiagonalsWord::Regular => Diagonals::Regular,
        DiagonalsWord::Alternating => Diagonals::Alternating,
    }
}

fn obstacle_shape(
    shape: &mut ObstacleShape,
    span: Span,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Shape> {
    use super::super::leaves::NotNegative;
    Some(match shape {
        ObstacleShape::Plane(table) => Shape::Plane {
            normal: table.normal.get_or_insert(Direction([0.0, 1.0, 0.0])).vector(),
            offset: table.offset.get_or_insert(Number(0.0)).0,
        },
        ObstacleShape::Sphere(table) => Shape::Sphere { radius: table.radius.0 },
        ObstacleShape::Cuboid(table) => Shape::Box {
            size: table.size.0.map(|length| length.0).into(),
            rounding: table.rounding.get_or_insert(NotNegative(0.0)).0,
        },
        ObstacleShape::Capsule(table) => {
            Shape::Capsule { radius: table.radius.0, length: table.length.0 }
        }
        ObstacleShape::Cylinder(table) => {
            Shape::Cylinder { radius: table.radius.0, length: table.length.0 }
        }
        ObstacleShape::Torus(table) => {
            Shape::Torus { ring_radius: table.ring_radius.0, tube_radius: table.tube_radius.0 }
        }
        ObstacleShape::Faceted(solid) => {
            Shape::Mesh(solid_mesh(solid, span, inputs, problems)?.boundary().surface)
        }
        ObstacleShape::Mesh(path) => {
            let file = read_mesh(path, inputs, problems)?;
            Shape::Mesh(problems.note(path.span, file.into_surface())?)
        }
        ObstacleShape::Grid(table) => gridded(table, span, inputs, problems)?,
        ObstacleShape::Points(path) => {
            let file = read_mesh(path, inputs, problems)?;
            Shape::Points(problems.note(path.span, file.into_cloud())?)
        }
    })
}
