//! Layers near a point: faces that hang together by edges are one sheet, and each sheet is one contact.
//!
//! What is near a vertex of a crumpled cloth may be several layers of it. A surface blended of all of them would lie
//! in between; a single nearest face would hide the others. So candidates are taken apart: a vertex between two
//! layers has two contacts.

use crate::geometry::features::Surface;

/// Faces that hang together by edges, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    faces: Vec<u32>,
}

impl Sheet {
    /// Its faces, ascending.
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// The lowest of its faces: no two sheets of one search have the same.
    pub fn name(&self) -> u32 {
        self.faces[0]
    }

    /// Whether a face is one of it.
    pub fn holds(&self, face: u32) -> bool {
        self.faces.binary_search(&face).is_ok()
    }
}

/// The connected pieces of some faces of a surface, ascending by name. The order of candidates makes no difference,
/// nor do repeats.
#[doc(alias = "connected components")]
pub fn sheets(candidates: &[u32], surface: &Surface) -> Vec<Sheet> {
    let mut faces = candidates.to_vec();
    faces.sort_unstable();
    faces.dedup();
    let mut seen = vec![false; faces.len()];
    let mut found = Vec::new();
    let mut stack = Vec::new();
    for first in 0..faces.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut piece = Vec::new();
        stack.push(first);
        while let Some(place) = stack.pop() {
            piece.push(faces[place]);
            for beside in neighbours(faces[place], surface) {
                if let Ok(place) = faces.binary_search(&beside)
                    && !std::mem::replace(&mut seen[place], true)
                {
                    stack.push(place);
                }
            }
        }
        piece.sort_unstable();
        found.push(Sheet { faces: piece });
    }
    found
}

/// Which sheet goes on from the one that held a contact at this face before: the one that has it, or else, after it
/// slid out of sight, the first one that has a face beside it.
pub fn holding(sheets: &[Sheet], face: u32, surface: &Surface) -> Option<usize> {
    let at = |face: u32| sheets.iter().position(|sheet| sheet.holds(face));
    at(face).or_else(|| {
        let known = (face as usize) < surface.triangles().len();
        let beside = known.then(|| neighbours(face, surface).filter_map(at).min());
        beside.flatten()
    })
}

/// Faces that share an edge with this one, and the face itself.
fn neighbours(face: u32, surface: &Surface) -> impl Iterator<Item = u32> + '_ {
    surface.edges_around(face).into_iter().flat_map(|edge| surface.beside(edge))
}
