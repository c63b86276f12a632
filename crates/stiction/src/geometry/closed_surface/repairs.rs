//! What is slightly broken about a surface, put right.

use std::fmt;

use super::OpenSurfaceError;
use super::holes::{self, Hole};
use crate::math::Vector3;
use crate::mesh::{BoundingBox, TriSoup, triangle_area};
use crate::union_find::UnionFind;

/// What had to be done to a surface before it had an inside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repairs {
    /// Vertices that were copies of others, or belonged to nothing.
    pub vertices: usize,
    /// Triangles without area, dropped.
    pub degenerate: usize,
    /// Triangles given twice, dropped.
    pub duplicates: usize,
    /// Triangles turned over, to agree with their neighbours.
    pub turned: usize,
    /// Whether all of it was inside out.
    pub inside_out: bool,
    /// Holes that were filled.
    pub holes: usize,
    /// Their area over that of the surface [-].
    pub filled: f64,
    /// Edges around cracks that were left: the winding number bridges them.
    pub open_edges: usize,
}

impl Repairs {
    /// Holes are small if all of them together take no more than this share of the area [-].
    pub const MOST_FILLED: f64 = 0.05;

    /// Copies of vertices closer than this share of the size are one [-]: single precision cannot tell them apart.
    const WELD: f64 = 1e-7;

    /// Whether nothing was wrong; copies of vertices, which STL files are full of, are not.
    pub fn is_clean(&self) -> bool {
        *self == Self { vertices: self.vertices, ..Self::default() }
    }
}

impl fmt::Display for Repairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = Vec::new();
        let mut say = |count: usize, one: &str, many: &str| match count {
            0 => {}
            1 => said.push(format!("1 {one}")),
            n => said.push(format!("{n} {many}")),
        };
        say(self.degenerate, "triangle without area dropped", "triangles without area dropped");
        say(self.duplicates, "triangle given twice dropped", "triangles given twice dropped");
        say(self.turned, "triangle turned over", "triangles turned over");
        say(self.holes, "hole filled", "holes filled");
        say(self.open_edges, "open edge bridged", "open edges bridged");
        if self.inside_out {
            said.push("turned inside out".to_owned());
        }
        f.write_str(&if said.is_empty() { "nothing to repair".to_owned() } else { said.join(", ") })
    }
}

pub(super) fn repaired(soup: TriSoup) -> Result<Repaired, OpenSurfaceError> {
    let mut repairs = Repairs::default();
    let vertices = soup.vertices.len();
    // Only what can be pointed at: repairs must not hide vertices that do not exist or are not numbers.
    let finite = soup.vertices.iter().all(|x| x.iter().all(|c| c.is_finite()));
    let in_range = soup.elements.iter().flatten().all(|&v| (v as usize) < vertices);
    if !finite || !in_range || soup.elements.is_empty() {
        soup.build()?;
        return Err(OpenSurfaceError::Nothing);
    }
    let size = BoundingBox::of(&soup.vertices).size().norm();
    let soup = soup.welded(Repairs::WELD * size);
    let given = soup.elements.len();
    let soup = soup.without_degenerate();
    repairs.degenerate = given - soup.elements.len();
    let given = soup.elements.len();
    let soup = soup.without_duplicates().without_unused_vertices();
    repairs.duplicates = given - soup.elements.len();
    repairs.vertices = vertices - soup.vertices.len();
    if soup.elements.is_empty() {
        return Err(OpenSurfaceError::Nothing);
    }
    let mut soup = turned(soup, &mut repairs);
    repairs.inside_out = six_volume(&soup.vertices, &soup.elements) < 0.0;
    if repairs.inside_out {
        soup.elements.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    let holes = fill(&mut soup, &mut repairs);
    Ok(Repaired { soup, repairs, holes })
}

/// A surface, what was done to it, and the holes that are left.
pub(super) struct Repaired {
    pub(super) soup: TriSoup,
    pub(super) repairs: Repairs,
    pub(super) holes: Vec<Hole>,
}

/// Turns triangles over that disagree with most of the area of their piece.
fn turned(soup: TriSoup, repairs: &mut Repairs) -> TriSoup {
    let given = soup.elements.clone();
    let mut soup = soup.oriented_consistently();
    let mut pieces = UnionFind::new(soup.vertices.len());
    for &[a, b, c] in &soup.elements {
        pieces.unite(a, b);
        pieces.unite(b, c);
    }
    // Area that stayed minus area that was turned, by piece.
    let mut agreement = vec![0.0; soup.vertices.len()];
    let mut piece = |t: usize| pieces.root(given[t][0]) as usize;
    for t in 0..given.len() {
        let corners = given[t].map(|v| soup.vertices[v as usize]);
        let kept = if soup.elements[t] == given[t] { 1.0 } else { -1.0 };
        agreement[piece(t)] += kept * triangle_area(&corners);
    }
    for t in 0..given.len() {
        if agreement[piece(t)] < 0.0 {
            soup.elements[t].swap(1, 2);
        }
    }
    let changed = soup.elements.iter().zip(&given).filter(|(now, before)| now != before);
    repairs.turned = changed.count();
    soup
}

/// Fills small holes, the smallest first; gives back those that are left.
fn fill(soup: &mut TriSoup, repairs: &mut Repairs) -> Vec<Hole> {
    let mut holes: Vec<Hole> = holes::find(soup.vertices.len(), &soup.elements)
        .into_iter()
        .map(|rim| Hole::new(rim, &soup.vertices))
        .collect();
    holes.sort_by(|a, b| a.area.total_cmp(&b.area).then_with(|| a.rim.cmp(&b.rim)));
    let whole = area(&soup.vertices, &soup.elements);
    let mut filled = 0.0;
    while let Some(hole) =
        holes.first().filter(|hole| filled + hole.area <= Repairs::MOST_FILLED * whole)
    {
        filled += hole.area;
        repairs.holes += 1;
        hole.fill(soup);
        holes.remove(0);
    }
    repairs.filled = filled / whole;
    repairs.open_edges = holes.iter().map(|hole| hole.rim.len()).sum();
    holes
}

/// Refuses holes that the winding number cannot bridge: where they are, a point is neither inside nor outside.
///
/// Two rims that lie on each other are a crack, however long, and leave no doubt.
pub(super) fn refuse_open(
    holes: &[Hole],
    vertices: &[Vector3],
    whole: f64,
    winding: impl Fn(&Vector3) -> f64,
) -> Result<(), OpenSurfaceError> {
    let doubtful = |hole: &Hole| -> f64 {
        let fan = hole.fan(vertices).map(|corners| {
            let w = winding(&(corners.iter().sum::<Vector3>() / 3.0));
            if (w - w.round()).abs() > DOUBT { triangle_area(&corners) } else { 0.0 }
        });
        fan.sum()
    };
    let missing: Vec<f64> = holes.iter().map(doubtful).collect();
    let share = missing.iter().sum::<f64>() / whole;
    if share <= Repairs::MOST_FILLED {
        return Ok(());
    }
    let largest = (0..holes.len()).max_by(|&a, &b| missing[a].total_cmp(&missing[b]));
    let edges = holes.iter().map(|hole| hole.rim.len()).sum();
    Err(OpenSurfaceError::Open { edges, share, place: largest.map(|hole| holes[hole].center) })
}

/// A winding number this far from a whole one says neither inside nor outside.
const DOUBT: f64 = 0.15;

pub(super) fn six_volume(vertices: &[Vector3], triangles: &[[u32; 3]]) -> f64 {
    let origin = BoundingBox::of(vertices).center();
    let six = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| vertices[v as usize] - origin);
        a.dot(&b.cross(&c))
    };
    triangles.iter().map(six).sum()
}

pub(super) fn area(vertices: &[Vector3], triangles: &[[u32; 3]]) -> f64 {
    triangles.iter().map(|corners| triangle_area(&corners.map(|v| vertices[v as usize]))).sum()
}
