//! The body-centred cubic lattice: corners and centres of cubes, and the tets between them.
//!
//! Nodes are named by whole coordinates in half cells: all even for corners, all odd for centres. Two centres of cubes
//! that share a face are joined through it by a long edge, one cell long; a centre and a corner of its cube by a short
//! one. Each tet has two long edges, opposite to each other, and four short ones. All tets are alike.

use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// A lattice that covers a box.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    origin: Vector3,
    /// Length of a long edge [m].
    pub(super) cell: f64,
    /// Cubes along each axis.
    cubes: [usize; 3],
}

/// The fourteen edges of a node, long ones first; the first three and the four after the sixth go to higher nodes.
pub(super) const WAYS: [[i32; 3]; 14] = [
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
    [-2, 0, 0],
    [0, -2, 0],
    [0, 0, -2],
    [1, 1, 1],
    [-1, 1, 1],
    [1, -1, 1],
    [-1, -1, 1],
    [-1, -1, -1],
    [1, -1, -1],
    [-1, 1, -1],
    [1, 1, -1],
];

/// Whether a way is a long edge.
pub(super) fn is_long(way: usize) -> bool {
    way < 6
}

/// The way back.
pub(super) fn opposite(way: usize) -> usize {
    if is_long(way) { (way + 3) % 6 } else { 6 + (way - 6 + 4) % 8 }
}

/// Whether a way leads away from the end where its edge is kept.
pub(super) fn is_forward(way: usize) -> bool {
    way < 3 || (6..10).contains(&way)
}

impl Lattice {
    /// Around a box, with a layer of cubes to spare.
    pub(super) fn around(bounds: &BoundingBox, cell: f64) -> Self {
        let cubes = bounds.size().map(|side| (side / cell - 1e-9).ceil().max(1.0) + 2.0);
        let origin = bounds.center() - cubes * (0.5 * cell);
        Self { origin, cell, cubes: [0, 1, 2].map(|axis| cubes[axis] as usize) }
    }

    /// How many nodes there would be.
    pub(super) fn count(bounds: &BoundingBox, cell: f64) -> f64 {
        2.0 * bounds.size().map(|side| (side / cell).ceil() + 2.5).product()
    }

    fn corner_count(&self) -> usize {
        self.cubes.iter().map(|n| n + 1).product()
    }

    pub(super) fn node_count(&self) -> usize {
        self.corner_count() + self.cubes.iter().product::<usize>()
    }

    /// The number of the node at these coordinates; none outside.
    pub(super) fn node(&self, place: [i32; 3]) -> Option<u32> {
        let odd = place[0] & 1;
        let (mut number, mut stride) = (0, 1);
        for axis in 0..3 {
            let count = self.cubes[axis] + usize::from(odd == 0);
            let index = usize::try_from(place[axis] >> 1).ok().filter(|index| *index < count)?;
            number += index * stride;
            stride *= count;
        }
        Some((number + odd as usize * self.corner_count()) as u32)
    }

    /// Where a node is, in half cells.
    pub(super) fn place(&self, node: u32) -> [i32; 3] {
        let node = node as usize;
        let odd = usize::from(node >= self.corner_count());
        let mut rest = node - odd * self.corner_count();
        let mut place = [0; 3];
        for axis in 0..3 {
            let count = self.cubes[axis] + 1 - odd;
            place[axis] = (2 * (rest % count) + odd) as i32;
            rest /= count;
        }
        place
    }

    /// Where a node is [m].
    pub(super) fn position(&self, place: [i32; 3]) -> Vector3 {
        self.origin + Vector3::from(place.map(f64::from)) * (0.5 * self.cell)
    }

    /// The node at the other end of an edge.
    pub(super) fn neighbour(&self, node: u32, way: usize) -> Option<u32> {
        let (place, step) = (self.place(node), WAYS[way]);
        self.node([0, 1, 2].map(|axis| place[axis] + step[axis]))
    }

    /// The tets around the long edge from a centre along an axis, positive.
    pub(super) fn tets(&self, center: u32, axis: usize) -> Option<[[u32; 4]; 4]> {
        let place = self.place(center);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let at = |along: i32, x: i32, y: i32| {
            let mut there = place;
            there[axis] += along;
            there[u] += x;
            there[v] += y;
            self.node(there)
        };
        let next = at(2, 0, 0)?;
        let ring = [at(1, 1, 1)?, at(1, -1, 1)?, at(1, -1, -1)?, at(1, 1, -1)?];
        Some([0, 1, 2, 3].map(|k| [center, next, ring[k], ring[(k + 1) % 4]]))
    }

    /// Numbers of the centres of cubes.
    pub(super) fn centers(&self) -> std::ops::Range<u32> {
        self.corner_count() as u32..self.node_count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice() -> Lattice {
        let bounds = BoundingBox { min: Vector3::zeros(), max: Vector3::new(3.0, 2.0, 4.0) };
        Lattice::around(&bounds, 1.0)
    }

    #[test]
    fn numbers_and_places_belong_together() {
        let lattice = lattice();
        for node in 0..lattice.node_count() as u32 {
            assert_eq!(lattice.node(lattice.place(node)), Some(node));
        }
        assert_eq!(lattice.node([-1, 1, 1]), None);
        assert_eq!(lattice.node([1000, 2, 2]), None);
    }

    #[test]
    fn ways_lead_back() {
        for way in 0..WAYS.len() {
            assert_eq!(WAYS[opposite(way)], WAYS[way].map(|step| -step));
            assert_ne!(is_forward(way), is_forward(opposite(way)));
            assert_eq!(is_long(way), is_long(opposite(way)));
        }
    }

    #[test]
    fn tets_fill_space_and_are_positive() {
        let lattice = lattice();
        let mut volume = 0.0;
        for center in lattice.centers() {
            for axis in 0..3 {
                for tet in lattice.tets(center, axis).into_iter().flatten() {
                    let x = tet.map(|node| lattice.position(lattice.place(node)));
                    let six = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0]));
                    assert!((six - 0.5).abs() < 1e-12, "{six}");
                    volume += six / 6.0;
                }
            }
        }
        // Of 5 × 4 × 6 cubes, all but half a pyramid at each outer face.
        let faces = 2.0 * (5.0 * 4.0 + 4.0 * 6.0 + 5.0 * 6.0);
        assert!((volume - (120.0 - faces / 6.0)).abs() < 1e-9, "{volume}");
    }
}
