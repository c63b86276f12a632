//! Room between bodies at the start: barriers need some, where other methods begin with bodies that touch.
//!
//! Closed surfaces are looked at a little smaller, so that bodies that touch, or overlap by less, have a way out of
//! each other: the direction between their nearest features. Of all moves that leave every gap along these directions
//! large enough, the least are taken,
//!
//! $$ \min \tfrac12 \sum |\delta_b|^2, \qquad n \cdot (\delta_a - \delta_b) \ge r - g $$
//!
//! by projected Gauss–Seidel on multipliers, one for each constraint.

use super::mesh::{ContactMesh, Vertex};
use super::near::{Filter, pairs};
use crate::body::{Body, BodyId, End, JointKind};
use crate::geometry::intersection::crossings;
use crate::math::{Matrix3, Vector3};
use crate::mesh::BoundingBox;
use crate::model::{Model, SceneError, Subject};
use crate::scene::Scene;
use crate::union_find::UnionFind;

/// How much smaller surfaces are looked at, in diagonals of their boxes; at least twice the room.
const SMALLER: f64 = 1e-3;
/// Times that directions are found anew.
const PASSES: usize = 8;
/// Rounds over all constraints.
const SWEEPS: usize = 20_000;
/// What may be missing of a gap, relative.
const ENOUGH: f64 = 1e-6;

/// A gap that is too small.
#[derive(Clone, Copy, Debug)]
struct Tight {
    /// Roots of what moves together; nothing moves what is held.
    groups: [Option<u32>; 2],
    bodies: [u32; 2],
    /// Out of the second.
    normal: Vector3,
    /// `g` [m].
    gap: f64,
}

/// Moves bodies apart, as little as possible, until they have `room` [m] between them; says who moved, and how far [m].
/// What is held by pins or joined to the world stays, and what is joined or welded moves together, with its joints and
/// the places by which loads and welds choose vertices. Pairs that never touch are left alone.
///
/// # Errors
/// When the scene makes no sense, when bodies overlap deeper than a thousandth of their size, or when what is held
/// leaves no room.
pub fn make_room(scene: &mut Scene, room: f64) -> Result<Vec<(BodyId, Vector3)>, SceneError> {
    crate::method::positive("room", room, "give a distance above zero, such as 1e-4 [m]")?;
    let mut moves = vec![Vector3::zeros(); scene.bodies.len()];
    let mut left = Vec::new();
    for _ in 0..PASSES {
        let (model, q, _) = Model::new(scene, &[])?;
        // What has no triangles is refused by the method itself.
        let Ok(mesh) = ContactMesh::new(scene, &model) else { break };
        left = tight(scene, &mesh, &q, room)?;
        left.retain(|tight| tight.gap < room * (1.0 - ENOUGH));
        if left.is_empty() {
            break;
        }
        for (body, offset) in scene.ids().zip(least_moves(scene, &left, room)) {
            if offset != Vector3::zeros() {
                move_by(scene, body, offset);
                moves[body.index()] += offset;
            }
        }
    }
    if let Some(tight) = left.first() {
        let [a, b] = tight.bodies.map(BodyId);
        return Err(SceneError::Value {
            what: "the start",
            whose: Subject::Body(a).named(scene),
            value: format!("{:.2e} m from {}", tight.gap, scene.name(b)),
            help: "move them apart by hand: what is held leaves no room",
        });
    }
    let moved = scene.ids().zip(moves).filter(|(_, offset)| *offset != Vector3::zeros());
    Ok(moved.collect())
}

/// Which bodies move together: the root of each; nothing for what is held.
fn groups(scene: &Scene) -> Vec<Option<u32>> {
    // The world and all that is held is one more.
    let world = scene.bodies.len() as u32;
    let mut same = UnionFind::new(scene.bodies.len() + 1);
    let held = scene.ids().filter(|id| matches!(scene.bodies[id.index()], Body::Obstacle(_)));
    held.chain(scene.pins.iter().map(|pin| pin.body)).for_each(|id| same.unite(id.0, world));
    scene.welds.iter().for_each(|weld| same.unite(weld.a.0, weld.b.0));
    for joint in &scene.joints {
        let [a, b] = joint.between.map(|end| match end {
            End::World => world,
            End::Body(id) => id.0,
        });
        same.unite(a, b);
    }
    let still = same.root(world);
    (0..world).map(|id| Some(same.root(id)).filter(|root| *root != still)).collect()
}

/// Gaps below `room` between different groups: the least along each direction.
fn tight(
    scene: &Scene,
    mesh: &ContactMesh,
    q: &[f64],
    room: f64,
) -> Result<Vec<Tight>, SceneError> {
    let groups = groups(scene);
    let x = mesh.positions(q, 0.0);
    let body = |v: u32| mesh.vertices[v as usize].body;
    let free: Vec<bool> =
        mesh.vertices.iter().map(|vertex| groups[vertex.body as usize].is_some()).collect();
    let filter = Filter { mesh, free: &free };
    let (smaller, reach) = smaller(mesh, &x, room);
    let apart = |a: u32, b: u32| groups[a as usize] != groups[b as usize];
    let counts = |a: u32, b: u32| {
        let [ta, tb] = [a, b].map(|t| mesh.triangles[t as usize]);
        apart(body(ta[0]), body(tb[0])) && filter.layer(&ta, &tb).is_some()
    };
    // Positions that are not finite are refused elsewhere.
    let deep = crossings(&smaller, &mesh.triangles, counts).unwrap_or_default();
    if let Some(&[a, b]) = deep.first() {
        let [a, b] = [a, b].map(|t| BodyId(body(mesh.triangles[t as usize][0])));
        return Err(SceneError::Value {
            what: "the start",
            whose: Subject::Body(a).named(scene),
            value: format!("deep inside {}", scene.name(b)),
            help: "move them apart by hand: which way is not to be told from here",
        });
    }
    let mut all = Vec::new();
    for pair in pairs(filter, [&smaller, &smaller], reach).unwrap_or_default() {
        let bodies = [body(pair.vertices[0]), body(pair.vertices[3])];
        if !apart(bodies[0], bodies[1]) {
            continue;
        }
        let Some((weights, normal)) = pair.closest(&pair.vertices.map(|v| smaller[v as usize]))
        else {
            continue;
        };
        let each = pair.vertices.iter().zip(weights);
        let gap = each.map(|(&v, c)| normal.dot(&x[v as usize]) * c).sum();
        all.push(Tight { groups: bodies.map(|b| groups[b as usize]), bodies, normal, gap });
    }
    for (plane, (normal, origin)) in mesh.planes.iter().zip(mesh.standing(&mesh.poses(0.0))) {
        for (vertex, x) in mesh.vertices.iter().zip(&x).filter(|(v, _)| v.node().is_some()) {
            let bodies = [vertex.body, plane.body];
            if groups[vertex.body as usize].is_some() && mesh.layer(bodies[0], bodies[1]).is_some()
            {
                let gap = normal.dot(&(x - origin));
                let groups = [groups[vertex.body as usize], None];
                all.push(Tight { groups, bodies, normal, gap });
            }
        }
    }
    all.retain(|tight| tight.gap < 2.0 * room);
    let name = |tight: &Tight| (tight.groups, tight.normal.map(|c| (c * 1e6).round() as i64));
    all.sort_by(|a, b| {
        let [one, other] = [a, b].map(name);
        let order = one.0.cmp(&other.0).then_with(|| one.1.as_slice().cmp(other.1.as_slice()));
        order.then(a.gap.total_cmp(&b.gap))
    });
    all.dedup_by(|a, b| name(a) == name(b));
    Ok(all)
}

/// Vertices of closed surfaces moved inwards, and how far apart features may then be whose bodies have no room [m].
fn smaller(mesh: &ContactMesh, x: &[Vector3], room: f64) -> (Vec<Vector3>, f64) {
    // Of the faces around a vertex, by angle so that it does not matter how they are cut: `Σ n nᵀ` and `Σ n`.
    let mut around = vec![(Matrix3::zeros(), Vector3::zeros()); x.len()];
    let mut sides = std::collections::BTreeMap::<[u32; 2], i32>::new();
    for &[a, b, c] in &mesh.triangles {
        for [at, next, last] in [[a, b, c], [b, c, a], [c, a, b]] {
            let [p, q, r] = [at, next, last].map(|v| x[v as usize]);
            let (u, v) = (q - p, r - p);
            let (normal, angle) = (u.cross(&v).normalize(), u.angle(&v));
            around[at as usize].0 += normal * normal.transpose() * angle;
            around[at as usize].1 += normal * angle;
            *sides.entry([at.min(next), at.max(next)]).or_default() +=
                if at < next { 1 } else { -1 };
        }
    }
    let mut inset = vec![0.0_f64; mesh.bodies.len()];
    let of_one = |run: &[(&Vertex, &Vector3)]| BoundingBox::of(run.iter().map(|(_, x)| *x));
    let placed: Vec<_> = mesh.vertices.iter().zip(x).collect();
    for run in placed.chunk_by(|(a, _), (b, _)| a.body == b.body) {
        inset[run[0].0.body as usize] = (SMALLER * of_one(run).diagonal()).max(2.0 * room);
    }
    for ([a, _], sum) in sides {
        if sum != 0 {
            // Open: it has no inside.
            inset[mesh.vertices[a as usize].body as usize] = 0.0;
        }
    }
    let place = |(at, x): (usize, &Vector3)| {
        let (squares, sum) = around[at];
        x - outward(squares, sum) * inset[mesh.vertices[at].body as usize]
    };
    let most = inset.iter().fold(0.0, |most: f64, inset| most.max(*inset));
    (x.iter().enumerate().map(place).collect(), 2.0 * (room + most))
}

/// The move that takes all faces around a vertex outwards by one, in the sense of least squares: flat sides stay flat.
fn outward(squares: Matrix3, sum: Vector3) -> Vector3 {
    /// Directions in which faces hardly look.
    const FLAT: f64 = 1e-3;
    /// The farthest move, of sharp tips.
    const FARTHEST: f64 = 4.0;
    let eigen = squares.symmetric_eigen();
    let least = FLAT * eigen.eigenvalues.max();
    let parts = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
    let kept = parts.filter(|(value, _)| **value > least);
    let outward: Vector3 = kept.map(|(value, way)| way * (way.dot(&sum) / value)).sum();
    outward.cap_magnitude(FARTHEST)
}

/// Moves of all bodies [m].
fn least_moves(scene: &Scene, all: &[Tight], room: f64) -> Vec<Vector3> {
    let groups = groups(scene);
    let mut moves = vec![Vector3::zeros(); scene.bodies.len()];
    let mut multipliers = vec![0.0; all.len()];
    for _ in 0..SWEEPS {
        let mut worst = 0.0_f64;
        for (tight, multiplier) in all.iter().zip(&mut multipliers) {
            let of = |group: Option<u32>| group.map_or_else(Vector3::zeros, |g| moves[g as usize]);
            let [a, b] = tight.groups;
            let parts = f64::from(u8::from(a.is_some()) + u8::from(b.is_some()));
            let missing = room - tight.gap - tight.normal.dot(&(of(a) - of(b)));
            let push = (missing / parts).max(-*multiplier);
            *multiplier += push;
            worst = worst.max(push.abs());
            for (group, sign) in [(a, 1.0), (b, -1.0)] {
                if let Some(group) = group {
                    moves[group as usize] += tight.normal * (sign * push);
                }
            }
        }
        if worst <= 0.01 * ENOUGH * room {
            break;
        }
    }
    groups.iter().map(|group| group.map_or_else(Vector3::zeros, |g| moves[g as usize])).collect()
}

/// Moves a body, the joints that begin at it, and the places by which its vertices are chosen.
fn move_by(scene: &mut Scene, id: BodyId, offset: Vector3) {
    let placement = match &mut scene.bodies[id.index()] {
        Body::Solid(body) => &mut body.placement,
        Body::Cloth(body) => &mut body.placement,
        Body::Rigid(body) => &mut body.placement,
        Body::Obstacle(body) => &mut body.placement,
    };
    *placement = placement.with_translation(placement.translation() + offset);
    for joint in &mut scene.joints {
        let [first, second] = joint.between;
        if first == End::Body(id) || first == End::World && second == End::Body(id) {
            joint.at += offset;
        }
        if let (JointKind::Distance { to }, true) = (&mut joint.kind, second == End::Body(id)) {
            *to += offset;
        }
    }
    for load in scene.loads.iter_mut().filter(|load| load.body == id) {
        load.selection.move_by(offset);
    }
    for weld in scene.welds.iter_mut().filter(|weld| weld.a == id) {
        weld.selection.move_by(offset);
    }
}
