//! Where bodies start: inside each other, on the wrong side of a surface, or through themselves.

use stiction::body::{Body, BodyId};
use stiction::measure::{Facing, Overlap, Overlaps};
use stiction::{Scene, Simulation};

use super::{first_of, short, shown};

pub(super) fn doubts(scene: &Scene, simulation: &Simulation) -> Vec<String> {
    let name = |body: BodyId| scene.bodies[body.index()].name().unwrap_or_default();
    let found = Overlaps::of(scene, simulation);
    let mut doubts: Vec<String> =
        found.facings.iter().flat_map(|facing| of_facing(facing, &name)).collect();
    let mut pairs = found.pairs;
    pairs.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    let pairs = pairs.iter().map(|overlap| of_overlap(overlap, &name)).collect();
    doubts.extend(first_of(pairs, "pairs of bodies that start inside each other"));
    doubts.extend(first_of(crossings(scene, simulation, &name), "pairs of bodies that cross"));
    doubts
}

fn of_overlap<'a>(overlap: &Overlap, name: &impl Fn(BodyId) -> &'a str) -> String {
    let [body, inside] = [overlap.body, overlap.inside].map(name);
    format!(
        "`{body}` starts inside `{inside}`: {} m deep at {}\n  help: move one of them in its `place`; bodies that \
         shall pass through each other need [[contact]] with between = [\"{body}\", \"{inside}\"], enabled = false",
        short(overlap.depth),
        shown(&overlap.place)
    )
}

fn of_facing<'a>(facing: &Facing, name: &impl Fn(BodyId) -> &'a str) -> Vec<String> {
    let own = name(facing.body);
    let mut doubts = Vec::new();
    if let Some(&first) = facing.behind.first() {
        let more = match facing.behind.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (what, where_) = match facing.closed {
            true => ("look inward: the volume they enclose is negative, and", "outside"),
            false => ("look away from everything that touches it:", "behind it"),
        };
        let help = match facing.closed {
            true => ", or use `distance_grid` in place of `mesh`, which turns them",
            false => "",
        };
        doubts.push(format!(
            "the triangles of `{own}` {what} `{}`{more} starts {where_}\n  help: turn its normals over in the \
             program it comes from{help}",
            name(first)
        ));
    }
    if facing.clashes > 0 {
        doubts.push(format!(
            "{} edges of `{own}` are between triangles that look to different sides\n  help: `stiction mesh convert \
             IN OUT --repair` turns them; so does `distance_grid` in place of `mesh`",
            facing.clashes
        ));
    }
    doubts
}

/// Cloth that crosses, and what is folded through itself. Solids in each other have been found, with their depth.
fn crossings<'a>(
    scene: &Scene,
    simulation: &Simulation,
    name: &impl Fn(BodyId) -> &'a str,
) -> Vec<String> {
    let is_cloth = |body: BodyId| matches!(scene.bodies[body.index()], Body::Cloth(_));
    let found = simulation.intersections();
    let of_pair = |&(a, b, count): &(BodyId, BodyId, usize)| {
        let triangles = match count {
            1 => "1 pair of triangles crosses".to_owned(),
            count => format!("{count} pairs of triangles cross"),
        };
        if a == b {
            return Some(format!(
                "`{}` passes through itself: {triangles}\n  help: mend the mesh; nothing keeps apart what starts \
                 crossed",
                name(a)
            ));
        }
        (is_cloth(a) && is_cloth(b)).then(|| {
            let [a, b] = [a, b].map(name);
            format!(
                "`{a}` starts through `{b}`: {triangles}\n  help: move one of them in its `place`; nothing keeps \
                 apart what starts crossed"
            )
        })
    };
    found.pairs.iter().filter_map(of_pair).collect()
}
