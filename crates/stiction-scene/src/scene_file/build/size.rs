//! How large meshes of shapes will be, before they are made.

use std::f64::consts::{PI, TAU};

use stiction::Scene;
use stiction::body::{Body, Shape};

use super::super::decode::Spanned;
use super::super::format::{
    BodyTable, ClothShape, CuboidSplitWord, MethodTable, ObstacleShape, RigidShape, SceneTable,
    SolidShape, SolverWord,
};
use super::super::leaves::{Count as Number, Positive, Several};
use super::super::problem::Problems;
use super::super::source::Span;
use super::bodies::{cells, rolled_cells};
use super::rigid::solid_of;
use crate::memory::{self, Count, Role};

/// A cube of this edge has as much volume as a tetrahedron of lattices, over its own edge.
const TETS_IN_A_CUBE: f64 = 6.0;

/// Triangles in a square of their edge.
const TRIANGLES_IN_A_SQUARE: f64 = 2.3;

/// Refuses scenes whose meshes the machine cannot hold; whether they may be made.
pub(super) fn refuse_too_large(table: &SceneTable, problems: &mut Problems) -> bool {
    let direct = is_direct(table);
    let counts: Vec<(Count, Span)> =
        table.body.iter().filter_map(|body| Some((count(&body.value)?, of_shape(body)))).collect();
    fits(&counts, direct, problems)
}

/// Where its shape is written.
fn of_shape(body: &Spanned<BodyTable>) -> Span {
    let BodyTable { solid, cloth, rigid, obstacle, .. } = &body.value;
    let spans = [
        solid.as_ref().map(|shape| shape.span),
        cloth.as_ref().map(|shape| shape.span),
        rigid.as_ref().map(|shape| shape.span),
        obstacle.as_ref().map(|shape| shape.span),
    ];
    spans.into_iter().flatten().next().unwrap_or(body.span)
}

/// Whether there is memory for all of these; notes it at the place of the largest if not.
pub(super) fn fits(counts: &[(Count, Span)], direct: bool, problems: &mut Problems) -> bool {
    let needed = memory::needed(counts.iter().map(|(count, _)| count), direct);
    let Some(limit) = memory::limit().filter(|limit| needed > *limit) else { return true };
    let largest = counts.iter().max_by(|(a, _), (b, _)| a.elements.total_cmp(&b.elements));
    let Some((largest, span)) = largest else { return true };
    let what = if largest.role == Role::Sheet { "triangles" } else { "tetrahedra" };
    let message = format!(
        "the scene needs about {:.1} GB of memory, and there are {:.1} GB: the largest body has about {:.1e} {what}",
        needed / 1e9,
        limit / 1e9,
        largest.elements
    );
    let solver = match direct {
        true => ", or take `solver = \"matrix-free\"` in [method.smooth], which keeps no factor",
        false => "",
    };
    let help = format!(
        "make the mesh coarser (`cells`, `edge_length`, `resolution`){solver}; STICTION_MEMORY=unlimited tries anyway"
    );
    problems.add(*span, message, help);
    false
}

/// Of bodies that are made.
pub(super) fn of_scene(scene: &Scene) -> Vec<Count> {
    let count = |elements: usize, nodes: usize, role: Role| {
        let (elements, nodes) = (elements as f64, nodes as f64);
        Count { elements, nodes, role, across: 1.0 }
    };
    let of_body = |body: &Body| match body {
        Body::Solid(solid) => {
            let mesh = &solid.mesh;
            let count = count(mesh.element_count(), mesh.vertex_count(), Role::Solid);
            let mut size: [f64; 3] = mesh.bounding_box().size().into();
            size.sort_by(f64::total_cmp);
            let edge = (size.iter().product::<f64>() / count.nodes).cbrt();
            Count { across: (size[0] * size[1]).sqrt() / edge, ..count }
        }
        Body::Cloth(cloth) => {
            count(cloth.mesh.element_count(), cloth.mesh.vertex_count(), Role::Sheet)
        }
        Body::Rigid(rigid) => {
            count(rigid.mesh.element_count(), rigid.mesh.vertex_count(), Role::Surface)
        }
        Body::Obstacle(obstacle) => {
            let mesh = match &obstacle.shape {
                Shape::Mesh(mesh) => mesh.element_count(),
                Shape::Grid(gridded) => gridded.grid().values().len() / 16,
                _ => 0,
            };
            count(mesh, 0, Role::Surface)
        }
    };
    scene.bodies.iter().map(of_body).collect()
}

/// Whether matrices are factored.
pub(super) fn is_direct(table: &SceneTable) -> bool {
    let iterative = Some(SolverWord::MatrixFree);
    !matches!(&table.method, Some(MethodTable::Smooth(smooth)) if smooth.solver == iterative)
}

/// Of a body that is generated; nothing of those that are read, which are as large as their files.
fn count(body: &BodyTable) -> Option<Count> {
    let surface = |count: Count| Count { role: Role::Surface, ..count };
    match (&body.solid, &body.cloth, &body.rigid, &body.obstacle) {
        (Some(shape), ..) => of_solid(&shape.value),
        (_, Some(shape), ..) => of_cloth(&shape.value),
        // Its surface is made at once, of a bounded number of triangles.
        (_, _, Some(Spanned { value: RigidShape::Ball(_), .. }), _) => None,
        (_, _, Some(shape), _) => of_solid(&solid_of(&shape.value)?).map(surface),
        (.., Some(Spanned { value: ObstacleShape::Faceted(solid), .. })) => {
            of_solid(solid).map(surface)
        }
        _ => None,
    }
}

fn of_solid(shape: &SolidShape) -> Option<Count> {
    let or = |edge: Option<Positive>, default: f64| edge.map_or(default, |edge| edge.0);
    let cube = |x: f64| x.powi(3);
    Some(match shape {
        SolidShape::Cuboid(table) => {
            let given = table.cells.unwrap_or_else(|| Several(cells(table.size.0.map(|l| l.0), 2)));
            let [x, y, z] = given.0.map(|count: Number| f64::from(count.0));
            let five = table.split == Some(CuboidSplitWord::Five);
            let tets = if five { 5.0 } else { 6.0 };
            let nodes = [x + 1.0, y + 1.0, z + 1.0];
            let [all, most] =
                [nodes.iter().product::<f64>(), nodes.iter().copied().fold(1.0, f64::max)];
            Count { across: (all / most).sqrt(), ..solid(tets * x * y * z, all) }
        }
        SolidShape::Ball(table) => {
            let volume = 4.0 / 3.0 * PI * cube(table.radius.0);
            filled(volume, or(table.edge_length, table.radius.0 / 6.0))
        }
        SolidShape::HollowBall(table) | SolidShape::Bowl(table) => {
            let (inner, outer) = (table.inner_radius.0, table.outer_radius.0);
            let whole = 4.0 / 3.0 * PI * (cube(outer) - cube(inner)).abs();
            let share = if matches!(shape, SolidShape::Bowl(_)) { 0.5 } else { 1.0 };
            filled(share * whole, or(table.edge_length, 0.5 * (outer - inner).abs()))
        }
        SolidShape::Cylinder(table) => {
            let volume = PI * table.radius.0.powi(2) * table.length.0;
            rod(volume, 2.0 * table.radius.0, or(table.edge_length, table.radius.0 / 3.0))
        }
        SolidShape::Capsule(table) => {
            let radius = table.radius.0;
            let volume = PI * radius.powi(2) * (table.length.0 + 4.0 / 3.0 * radius);
            rod(volume, 2.0 * radius, or(table.edge_length, radius / 3.0))
        }
        SolidShape::Tube(table) => {
            let (inner, outer) = (table.inner_radius.0, table.outer_radius.0);
            let volume = PI * (outer.powi(2) - inner.powi(2)).abs() * table.length.0;
            let edge = or(table.edge_length, 0.5 * (outer - inner).abs());
            rod(volume, 2.0 * outer, edge)
        }
        SolidShape::Torus(table) => {
            let volume = TAU * table.ring_radius.0 * PI * table.tube_radius.0.powi(2);
            let edge = or(table.edge_length, table.tube_radius.0 / 2.0);
            rod(volume, 2.0 * table.tube_radius.0, edge)
        }
        SolidShape::LayeredBall(table) => {
            let (layers, cells) = (table.radii.0.len() as f64 - 1.0, f64::from(table.cells.0));
            solid(60.0 * cells.powi(2) * layers, 10.0 * cells.powi(2) * (layers + 1.0))
        }
        SolidShape::Belt(table) => {
            let [x, y, z] = table
                .cells
                .map_or([400.0, 1.0, 4.0], |cells| cells.0.map(|count: Number| f64::from(count.0)));
            solid(6.0 * x * y * z, x * (y + 1.0) * (z + 1.0))
        }
        SolidShape::Blocks(table) => {
            let volume = |size: [f64; 3]| size.into_iter().map(f64::abs).product::<f64>();
            let boxes = table.boxes.0.iter();
            let whole = boxes.map(|block| volume((block.max.vector() - block.min.vector()).into()));
            filled(whole.sum(), table.edge_length.0)
        }
        SolidShape::Mesh(_) | SolidShape::Surface(_) => return None,
    })
}

/// As long as wide, until something else is said.
fn solid(elements: f64, nodes: f64) -> Count {
    Count { elements, nodes, role: Role::Solid, across: nodes.cbrt() }
}

fn sheet(elements: f64, nodes: f64) -> Count {
    Count { elements, nodes, role: Role::Sheet, across: 1.0 }
}

/// Long and thin.
fn rod(volume: f64, width: f64, edge: f64) -> Count {
    let count = filled(volume, edge);
    Count { across: count.across.min(width / edge), ..count }
}

/// Of a volume filled with tetrahedra of an edge length.
pub(super) fn filled(volume: f64, edge: f64) -> Count {
    let cells = volume / edge.powi(3);
    solid(TETS_IN_A_CUBE * cells, cells)
}

fn of_cloth(shape: &ClothShape) -> Option<Count> {
    let grid = |cells: [Number; 2]| {
        let [x, y] = cells.map(|count| f64::from(count.0));
        sheet(2.0 * x * y, (x + 1.0) * (y + 1.0))
    };
    let covered = |area: f64, edge: f64| {
        let squares = area / edge.powi(2);
        sheet(TRIANGLES_IN_A_SQUARE * squares, 0.5 * TRIANGLES_IN_A_SQUARE * squares)
    };
    Some(match shape {
        ClothShape::Sheet(table) => {
            let size = table.size.0.map(|length| length.0);
            grid(table.cells.unwrap_or_else(|| Several(cells(size, 20))).0)
        }
        ClothShape::UnstructuredSheet(table) => {
            let [x, y] = table.size.0.map(|length| length.0);
            covered(x * y, table.edge_length.map_or(x.min(y) / 20.0, |edge| edge.0))
        }
        ClothShape::Disk(table) => {
            let radius = table.radius.0;
            covered(PI * radius.powi(2), table.edge_length.map_or(radius / 6.0, |edge| edge.0))
        }
        ClothShape::Sleeve(table) => {
            let default = || rolled_cells(40, table.radius.0, table.length.0);
            grid(table.cells.unwrap_or_else(default).0)
        }
        ClothShape::TankTop(table) => {
            let default = || rolled_cells(48, table.radius.0, table.length.0);
            grid(table.cells.unwrap_or_else(default).0)
        }
        ClothShape::Tyre(table) => grid(table.cells?.0),
        ClothShape::Mesh(_) => return None,
    })
}
