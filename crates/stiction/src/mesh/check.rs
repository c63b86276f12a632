//! Everything a mesh must satisfy, checked in one pass over lists that may hold anything.
//!
//! Size is relative: a tet is degenerate when `|6V| < ε L³`, a triangle when `2A < ε L²`, with `L` its
//! longest edge. As `6V ≤ 2A·L` for each face, the faces of a sound tet are sound triangles.

use super::measure::signed_measure;
use super::topology::{Adjacency, SurfaceEdges, TET_FACES};
use super::{MeshError, Problem, Sample, Soup, Tags, TetSoup, TriSoup};
use crate::math::Vector3;
use crate::union_find::UnionFind;

/// Rounding of coordinates a thousand edge lengths from the origin leaves about `1e-13`; nothing that
/// anyone meant to simulate is flatter than this.
const DEGENERATE: f64 = 1e-9;

/// "tet" or "triangle".
pub(super) fn element_name(corners: usize) -> &'static str {
    if corners == 3 { "triangle" } else { "tet" }
}

/// "tets" or "triangles".
pub(super) fn element_names(corners: usize) -> &'static str {
    if corners == 3 { "triangles" } else { "tets" }
}

/// An error, if there is a problem.
pub(super) fn refuse<const N: usize>(problems: Vec<Problem>) -> Result<(), MeshError> {
    if problems.is_empty() { Ok(()) } else { Err(MeshError::Broken { corners: N, problems }) }
}

/// Refuses more than ids can count. `u32::MAX` itself is never an id.
pub(super) fn countable<const N: usize>(
    vertex_count: usize,
    element_count: usize,
) -> Result<(), MeshError> {
    let too_large = vertex_count.max(element_count) > u32::MAX as usize;
    refuse::<N>(
        too_large
            .then_some(Problem::TooLarge { vertex_count, element_count })
            .into_iter()
            .collect(),
    )
}

/// Refuses ids of `count` or above in a group.
pub(super) fn tag_in_range<const N: usize>(
    name: &str,
    ids: &[u32],
    count: usize,
    of: &'static str,
) -> Result<(), MeshError> {
    let mut problems = Vec::new();
    tag_problem(name, ids, count, of, &mut problems);
    refuse::<N>(problems)
}

/// What is wrong with a tet mesh.
pub(super) fn tet_problems(soup: &TetSoup) -> Vec<Problem> {
    let mut problems = common_problems(soup);
    inverted(soup).report(&mut problems, Problem::Inverted);
    crowded_faces(soup).report(&mut problems, Problem::CrowdedFace);
    problems
}

/// What is wrong with a triangle surface.
pub(super) fn triangle_problems(soup: &TriSoup) -> Vec<Problem> {
    common_problems(soup)
}

/// What keeps a triangle surface from being cloth. Elements that are wrong by themselves are passed over.
pub(super) fn cloth_problems(soup: &TriSoup) -> Vec<Problem> {
    let mut problems = Vec::new();
    let sound: Vec<[u32; 3]> =
        sound_elements(soup).iter().map(|&e| soup.elements[e as usize]).collect();
    let edges = SurfaceEdges::new(soup.vertices.len(), &sound);

    let mut crowded = Sample::new();
    let mut clash = Sample::new();
    for k in 0..edges.len() {
        match edges.sides(k) {
            [_] => {}
            [a, b] if a.forward != b.forward => {}
            [_, _] => clash.push(edges.edge(k)),
            _ => crowded.push(edges.edge(k)),
        }
    }
    crowded.report(&mut problems, Problem::CrowdedEdge);

    let around = Adjacency::of_vertices(soup.vertices.len(), &sound);
    let mut pinched = Sample::new();
    for v in 0..soup.vertices.len() {
        if !is_one_fan(v as u32, around.of(v).iter().map(|&t| sound[t as usize])) {
            pinched.push(v as u32);
        }
    }
    pinched.report(&mut problems, Problem::PinchedVertex);
    clash.report(&mut problems, Problem::OrientationClash);
    problems
}

/// Problems an element can have whatever its shape.
fn common_problems<const N: usize>(soup: &Soup<N>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (vertex_count, element_count) = (soup.vertices.len(), soup.elements.len());
    if element_count == 0 {
        return vec![Problem::Empty];
    }
    if vertex_count.max(element_count) > u32::MAX as usize {
        return vec![Problem::TooLarge { vertex_count, element_count }];
    }

    let mut not_finite = Sample::new();
    for (v, x) in soup.vertices.iter().enumerate() {
        if !is_finite(x) {
            not_finite.push(v as u32);
        }
    }
    not_finite.report(&mut problems, Problem::NotFinite);

    let mut out_of_range = Sample::new();
    let mut repeated = Sample::new();
    let mut used = vec![false; vertex_count];
    for (e, corners) in soup.elements.iter().enumerate() {
        for &v in corners {
            match used.get_mut(v as usize) {
                Some(used) => *used = true,
                None => out_of_range.push((e as u32, v)),
            }
        }
        if repeats_a_corner(corners) {
            repeated.push(e as u32);
        }
    }
    out_of_range.report(&mut problems, |corners| Problem::OutOfRange { corners, vertex_count });
    repeated.report(&mut problems, Problem::RepeatedCorner);
    degenerate(soup).report(&mut problems, Problem::Degenerate);

    let mut copies = Sample::new();
    for pair in duplicates(&soup.elements) {
        copies.push(pair);
    }
    copies.report(&mut problems, Problem::Duplicate);

    let mut unused = Sample::new();
    for (v, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        unused.push(v as u32);
    }
    unused.report(&mut problems, Problem::Unused);

    tag_problems(&soup.vertex_tags, vertex_count, "vertex", &mut problems);
    tag_problems(&soup.element_tags, element_count, element_name(N), &mut problems);
    problems
}

/// What moving the vertices of a sound mesh can break.
pub(super) fn moved_problems<const N: usize>(soup: &Soup<N>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut not_finite = Sample::new();
    for (v, _) in soup.vertices.iter().enumerate().filter(|(_, x)| !is_finite(x)) {
        not_finite.push(v as u32);
    }
    not_finite.report(&mut problems, Problem::NotFinite);
    degenerate(soup).report(&mut problems, Problem::Degenerate);
    inverted(soup).report(&mut problems, Problem::Inverted);
    problems
}

/// True when two corners are the same vertex.
pub(super) fn repeats_a_corner<const N: usize>(corners: &[u32; N]) -> bool {
    (1..N).any(|i| corners[..i].contains(&corners[i]))
}

/// True when the element has no volume or area to speak of.
pub(super) fn is_degenerate<const N: usize>(x: &[Vector3; N]) -> bool {
    let mut longest_sq = 0.0_f64;
    for i in 0..N {
        for j in 0..i {
            longest_sq = longest_sq.max((x[i] - x[j]).norm_squared());
        }
    }
    let longest = longest_sq.sqrt();
    let size = if N == 3 { longest_sq } else { longest_sq * longest };
    let relative = signed_measure(x).abs() / size;
    relative < DEGENERATE || relative.is_nan() // 0/0 when all corners coincide
}

/// Elements sound in themselves: corners in range, distinct and finite, a volume or area, no copy.
pub(super) fn sound_elements<const N: usize>(soup: &Soup<N>) -> Vec<u32> {
    let mut sound: Vec<bool> = (soup.elements.iter())
        .map(|corners| {
            let x = soup.positions(corners);
            !repeats_a_corner(corners)
                && x.is_some_and(|x| x.iter().all(is_finite) && !is_degenerate(&x))
        })
        .collect();
    for (copy, _) in duplicates(&soup.elements) {
        sound[copy as usize] = false;
    }
    (0..soup.elements.len() as u32).filter(|&e| sound[e as usize]).collect()
}

/// Elements with the same corners as an earlier one, as `(copy, original)`, by copy.
pub(super) fn duplicates<const N: usize>(elements: &[[u32; N]]) -> Vec<(u32, u32)> {
    let sorted = |mut corners: [u32; N]| {
        corners.sort_unstable();
        corners
    };
    let lowest = |corners: &[u32; N]| corners.iter().copied().min().unwrap_or(0);
    // Grouped by lowest corner first: short groups sort faster than one long list. Ids out of range
    // share the last group.
    let groups = elements.len().min(u32::MAX as usize);
    let group = |corners: &[u32; N]| lowest(corners).min(groups.saturating_sub(1) as u32);
    let keyed = elements.iter().enumerate().map(|(e, c)| (group(c), (sorted(*c), e as u32)));
    let mut keyed = Adjacency::grouped(groups, keyed);
    keyed.sort_groups();
    let mut copies = Vec::new();
    for g in 0..groups {
        let mut original: Option<([u32; N], u32)> = None;
        for &(corners, e) in keyed.of(g) {
            match original {
                Some((same, first)) if same == corners => copies.push((e, first)),
                _ => original = Some((corners, e)),
            }
        }
    }
    copies.sort_unstable();
    copies
}

/// Degenerate elements that no other check names.
fn degenerate<const N: usize>(soup: &Soup<N>) -> Sample<u32> {
    let mut found = Sample::new();
    for (e, corners) in soup.elements.iter().enumerate() {
        let Some(x) = soup.positions(corners) else { continue };
        if !repeats_a_corner(corners) && x.iter().all(is_finite) && is_degenerate(&x) {
            found.push(e as u32);
        }
    }
    found
}

/// Elements with negative volume; triangles have none.
fn inverted<const N: usize>(soup: &Soup<N>) -> Sample<u32> {
    let mut found = Sample::new();
    for (e, corners) in soup.elements.iter().enumerate() {
        let Some(x) = soup.positions(corners) else { continue };
        if !repeats_a_corner(corners) && signed_measure(&x) < 0.0 && !is_degenerate(&x) {
            found.push(e as u32);
        }
    }
    found
}

/// Faces with more than two tets, or two on one side. Inverted tets are counted as if turned.
fn crowded_faces(soup: &TetSoup) -> Sample<[u32; 3]> {
    let sound = sound_elements(soup);
    let faces = sound.iter().flat_map(|&e| {
        let corners = soup.elements[e as usize];
        let inverted = signed_measure(&corners.map(|v| soup.vertices[v as usize])) < 0.0;
        TET_FACES.map(|face| {
            let (sorted, even) = sorted_face(face.map(|k| corners[k]));
            (sorted[0], ([sorted[1], sorted[2]], even ^ inverted))
        })
    });
    let mut faces = Adjacency::grouped(soup.vertices.len(), faces);
    faces.sort_groups();
    let mut crowded = Sample::new();
    for v in 0..soup.vertices.len() {
        for same in faces.of(v).chunk_by(|a, b| a.0 == b.0) {
            if same.len() > 2 || (same.len() == 2 && same[0].1 == same[1].1) {
                crowded.push([v as u32, same[0].0[0], same[0].0[1]]);
            }
        }
    }
    crowded
}

/// Corners ascending, and whether the order is an even permutation of the one given.
pub(super) fn sorted_face([a, b, c]: [u32; 3]) -> ([u32; 3], bool) {
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    let even = sorted == [a, b, c] || sorted == [b, c, a] || sorted == [c, a, b];
    (sorted, even)
}

/// True when the triangles around `v` hang together by edges at `v`.
fn is_one_fan(v: u32, triangles: impl Iterator<Item = [u32; 3]>) -> bool {
    // The link: each triangle joins two neighbours of `v`. One fan is a connected link.
    let link: Vec<[u32; 2]> = triangles
        .map(|[a, b, c]| match v {
            v if v == a => [b, c],
            v if v == b => [c, a],
            _ => [a, b],
        })
        .collect();
    let mut neighbours: Vec<u32> = link.iter().flatten().copied().collect();
    neighbours.sort_unstable();
    neighbours.dedup();
    let local = |w: u32| neighbours.partition_point(|&other| other < w) as u32;
    let mut pieces = UnionFind::new(neighbours.len());
    for [a, b] in link {
        pieces.unite(local(a), local(b));
    }
    pieces.piece_count() <= 1
}

fn is_finite(x: &Vector3) -> bool {
    x.iter().all(|c| c.is_finite())
}

fn tag_problems(tags: &Tags, count: usize, of: &'static str, problems: &mut Vec<Problem>) {
    for (name, ids) in tags.iter() {
        tag_problem(name, ids, count, of, problems);
    }
}

fn tag_problem(
    name: &str,
    ids: &[u32],
    count: usize,
    of: &'static str,
    problems: &mut Vec<Problem>,
) {
    let mut outside = Sample::new();
    for &id in ids.iter().filter(|&&id| id as usize >= count) {
        outside.push(id);
    }
    let tag = name.to_owned();
    outside.report(problems, |ids| Problem::TagOutOfRange { tag, of, ids, count });
}
