//! Raw lists of vertices and elements, and the repairs that make a mesh of them.
//!
//! A soup may hold anything: files come in as soups. Repairs take it and give it back, so they chain:
//!
//! ```
//! # use stiction::{math::Vector3, mesh::TetSoup};
//! # let vertices = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), Vector3::x()];
//! let mesh = TetSoup::new(vertices, vec![[0, 2, 4, 3]]).welded(1e-6).oriented().build()?;
//! assert_eq!(mesh.tets(), [[0, 2, 3, 1]]);
//! # Ok::<(), stiction::mesh::MeshError>(())
//! ```

use std::collections::VecDeque;

use super::check;
use super::measure::signed_measure;
use super::topology::SurfaceEdges;
use super::{Mesh, MeshError, Tags, TetMesh, TriMesh, weld};
use crate::math::Vector3;

/// Unchecked simplices with `N` corners: 3 for triangles, 4 for tets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soup<const N: usize> {
    /// Positions [m].
    pub vertices: Vec<Vector3>,
    /// Corners of the elements.
    pub elements: Vec<[u32; N]>,
    /// Named groups of vertices.
    pub vertex_tags: Tags,
    /// Named groups of elements.
    pub element_tags: Tags,
}

/// Unchecked tets.
pub type TetSoup = Soup<4>;
/// Unchecked triangles.
pub type TriSoup = Soup<3>;

impl<const N: usize> Soup<N> {
    /// Vertices and elements without tags.
    pub fn new(vertices: Vec<Vector3>, elements: Vec<[u32; N]>) -> Self {
        Self { vertices, elements, vertex_tags: Tags::new(), element_tags: Tags::new() }
    }

    /// Merges vertices no farther apart than `tolerance` [m] into the one with the lowest id.
    ///
    /// Meant to be short against the edges: that is what makes it fast. Elements that lose an edge by it stay,
    /// and are refused later: see [`Self::without_degenerate`].
    #[must_use]
    pub fn welded(mut self, tolerance: f64) -> Self {
        let kept = weld::representatives(&self.vertices, tolerance);
        let mut new_id = vec![None; self.vertices.len()];
        let mut vertices = Vec::new();
        for (v, &original) in kept.iter().enumerate() {
            if original as usize == v {
                new_id[v] = Some(vertices.len() as u32);
                vertices.push(self.vertices[v]);
            } else {
                new_id[v] = new_id[original as usize]; // lower id, so already known
            }
        }
        self.vertices = vertices;
        self.renumber_vertices(&new_id);
        self
    }

    /// Drops vertices that belong to no element.
    #[must_use]
    pub fn without_unused_vertices(mut self) -> Self {
        let mut used = vec![false; self.vertices.len()];
        for &v in self.elements.iter().flatten() {
            if let Some(used) = used.get_mut(v as usize) {
                *used = true;
            }
        }
        let new_id = compact_ids(&used);
        retain_marked(&mut self.vertices, &used);
        self.renumber_vertices(&new_id);
        self
    }

    /// Keeps elements of these groups, and the vertices they need. Groups that do not exist keep nothing.
    #[must_use]
    pub fn only(mut self, groups: &[&str]) -> Self {
        let mut keep = vec![false; self.elements.len()];
        for &e in groups.iter().filter_map(|name| self.element_tags.get(name)).flatten() {
            if let Some(keep) = keep.get_mut(e as usize) {
                *keep = true;
            }
        }
        self.retain_elements(&keep);
        self.without_unused_vertices()
    }

    /// Drops elements with the same corners as an earlier one.
    #[must_use]
    pub fn without_duplicates(mut self) -> Self {
        let mut keep = vec![true; self.elements.len()];
        for (copy, _) in check::duplicates(&self.elements) {
            keep[copy as usize] = false;
        }
        self.retain_elements(&keep);
        self
    }

    /// Drops elements that name a vertex twice or have no volume or area.
    ///
    /// May leave vertices that nothing uses: see [`Self::without_unused_vertices`].
    #[must_use]
    pub fn without_degenerate(mut self) -> Self {
        let keep: Vec<bool> = (self.elements.iter())
            .map(|corners| {
                !check::repeats_a_corner(corners)
                    && self.positions(corners).is_none_or(|x| !check::is_degenerate(&x))
            })
            .collect();
        self.retain_elements(&keep);
        self
    }

    /// Positions of an element's corners, if they exist.
    pub(super) fn positions(&self, corners: &[u32; N]) -> Option<[Vector3; N]> {
        let in_range = corners.iter().all(|&v| (v as usize) < self.vertices.len());
        in_range.then(|| corners.map(|v| self.vertices[v as usize]))
    }

    fn renumber_vertices(&mut self, new_id: &[Option<u32>]) {
        for v in self.elements.iter_mut().flatten() {
            // A vertex out of range stays out of range: u32::MAX is never a vertex.
            *v = new_id.get(*v as usize).copied().flatten().unwrap_or(u32::MAX);
        }
        self.vertex_tags.renumber(new_id);
    }

    fn retain_elements(&mut self, keep: &[bool]) {
        self.element_tags.renumber(&compact_ids(keep));
        retain_marked(&mut self.elements, keep);
    }
}

impl TetSoup {
    /// Swaps the last two corners of every tet with negative volume.
    #[must_use]
    pub fn oriented(mut self) -> Self {
        for e in 0..self.elements.len() {
            if self.positions(&self.elements[e]).is_some_and(|x| signed_measure(&x) < 0.0) {
                self.elements[e].swap(2, 3);
            }
        }
        self
    }

    /// Checks everything.
    ///
    /// # Errors
    /// With all problems, if there are any.
    pub fn build(self) -> Result<TetMesh, MeshError> {
        check::refuse::<4>(check::tet_problems(&self))?;
        Ok(Mesh { soup: self })
    }
}

impl TriSoup {
    /// Turns triangles over until neighbours agree: each piece follows its first triangle.
    ///
    /// Edges in more than two triangles are not crossed. On a Möbius band no choice agrees; the
    /// clash that must remain is found by [`Self::build_cloth`].
    #[must_use]
    pub fn oriented_consistently(mut self) -> Self {
        let sound = check::sound_elements(&self);
        let triangles: Vec<[u32; 3]> = sound.iter().map(|&e| self.elements[e as usize]).collect();
        let edges = SurfaceEdges::new(self.vertices.len(), &triangles);

        // Neighbours over manifold edges, and whether the pair disagrees as given.
        let mut neighbours = vec![Vec::new(); triangles.len()];
        for k in 0..edges.len() {
            if let [a, b] = edges.sides(k) {
                let clash = a.forward == b.forward;
                neighbours[a.triangle as usize].push((b.triangle, clash));
                neighbours[b.triangle as usize].push((a.triangle, clash));
            }
        }
        let mut turn: Vec<Option<bool>> = vec![None; triangles.len()];
        let mut queue = VecDeque::new();
        for first in 0..triangles.len() {
            if turn[first].is_none() {
                turn[first] = Some(false);
                queue.push_back((first, false));
            }
            while let Some((t, turned)) = queue.pop_front() {
                for &(other, clash) in &neighbours[t] {
                    if turn[other as usize].is_none() {
                        turn[other as usize] = Some(turned ^ clash);
                        queue.push_back((other as usize, turned ^ clash));
                    }
                }
            }
        }
        for (&e, turn) in sound.iter().zip(turn) {
            if turn == Some(true) {
                self.elements[e as usize].swap(1, 2);
            }
        }
        self
    }

    /// Checks what any triangle surface must satisfy.
    ///
    /// # Errors
    /// With all problems, if there are any.
    pub fn build(self) -> Result<TriMesh, MeshError> {
        check::refuse::<3>(check::triangle_problems(&self))?;
        Ok(Mesh { soup: self })
    }

    /// Checks what cloth must satisfy: a manifold surface, one side up.
    ///
    /// # Errors
    /// With all problems, if there are any.
    pub fn build_cloth(self) -> Result<TriMesh, MeshError> {
        let mut problems = check::triangle_problems(&self);
        problems.extend(check::cloth_problems(&self));
        check::refuse::<3>(problems)?;
        Ok(Mesh { soup: self })
    }
}

/// New ids of the marked, counted in order.
fn compact_ids(marked: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&marked: &bool| {
        marked.then(|| {
            next += 1;
            next - 1
        })
    };
    marked.iter().map(number).collect()
}

fn retain_marked<T>(items: &mut Vec<T>, marked: &[bool]) {
    let mut marks = marked.iter();
    items.retain(|_| *marks.next().expect("one mark per item"));
}
