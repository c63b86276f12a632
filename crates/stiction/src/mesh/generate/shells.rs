//! Tets between concentric shells, each shell a subdivided triangulation of the sphere.
//!
//! Every triangle of a coarse triangulation, joined to the centre, is a coarse tet. Its lattice points have
//! weights `(p, q, r)` on the triangle's corners; `s = p + q + r` is the shell they lie on. Between shell `s`
//! and `s + 1` the lattice leaves
//!
//! - a tet for each upright triangle of shell `s + 1`, its tip on shell `s`;
//! - an octahedron for each triangle pair that lies the other way, cut in four along a diagonal;
//! - a tet for each inverted triangle of shell `s`, its tip on shell `s + 1`.
//!
//! Neighbours meet in lattice triangles, so any diagonal conforms; the shortest is taken.

use crate::math::Vector3;

/// A lattice point, named independently of the triangle it was reached from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LatticePoint {
    /// Shell, 0 at the centre.
    pub(super) shell: u32,
    /// Coarse corners with weights above zero, ascending, then fillers; weights add up to the shell.
    pub(super) weights: [(u32, u32); 3],
}

/// Fills up the weights of points on coarse edges and corners.
pub(super) const NO_CORNER: (u32, u32) = (u32::MAX, 0);

/// Vertices and tets from shell `first` to shell `last`.
///
/// Tets may be turned either way; coarse triangles must be distinct and conform. Coordinates come from
/// `position`, called once per point.
pub(super) fn shells(
    coarse: &[[u32; 3]],
    first: u32,
    last: u32,
    position: impl Fn(&LatticePoint) -> Vector3,
) -> (Vec<LatticePoint>, Vec<Vector3>, Vec<[u32; 4]>) {
    let mut points = Vec::new();
    for corners in coarse {
        for s in first..=last {
            for p in 0..=s {
                points.extend((0..=s - p).map(|q| lattice_point(corners, [p, q, s - p - q])));
            }
        }
    }
    points.sort_unstable();
    points.dedup();
    let vertices: Vec<Vector3> = points.iter().map(position).collect();
    let id = |point: LatticePoint| {
        points.binary_search(&point).expect("every lattice point was listed") as u32
    };

    let mut tets = Vec::new();
    for corners in coarse {
        let at = |weights: [u32; 3]| id(lattice_point(corners, weights));
        for s in first..last {
            for p in 0..=s {
                for q in 0..=s - p {
                    let r = s - p - q;
                    let up = [[p + 1, q, r], [p, q + 1, r], [p, q, r + 1]].map(at);
                    tets.push([at([p, q, r]), up[0], up[1], up[2]]);
                }
            }
            // Octahedra hang from (p, q, r) on shell s − 1: three corners on shell s, three on s + 1.
            for p in 0..s {
                for q in 0..s - p {
                    let r = s - 1 - p - q;
                    let low = [[p + 1, q, r], [p, q + 1, r], [p, q, r + 1]].map(at);
                    let high = [[p, q + 1, r + 1], [p + 1, q, r + 1], [p + 1, q + 1, r]].map(at);
                    tets.extend(cut_octahedron(low, high, &vertices));
                }
            }
            for p in 0..s.saturating_sub(1) {
                for q in 0..s - 1 - p {
                    let r = s - 2 - p - q;
                    let low = [[p, q + 1, r + 1], [p + 1, q, r + 1], [p + 1, q + 1, r]].map(at);
                    tets.push([at([p + 1, q + 1, r + 1]), low[0], low[1], low[2]]);
                }
            }
        }
    }
    (points, vertices, tets)
}

/// Vertices and triangles of shell `n` alone, normals away from the centre.
///
/// `position` gives the place of a point as [`shells`] asks for it.
pub(super) fn sphere(
    coarse: &[[u32; 3]],
    n: u32,
    position: impl Fn(&LatticePoint) -> Vector3,
) -> (Vec<Vector3>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    for corners in coarse {
        for p in 0..=n {
            points.extend((0..=n - p).map(|q| lattice_point(corners, [p, q, n - p - q])));
        }
    }
    points.sort_unstable();
    points.dedup();
    let vertices: Vec<Vector3> = points.iter().map(position).collect();

    let mut triangles = Vec::new();
    for corners in coarse {
        let at = |weights: [u32; 3]| {
            let point = lattice_point(corners, weights);
            points.binary_search(&point).expect("every lattice point was listed") as u32
        };
        for p in 0..n {
            for q in 0..n - p {
                let r = n - 1 - p - q;
                triangles.push([[p + 1, q, r], [p, q + 1, r], [p, q, r + 1]].map(at));
                if r > 0 {
                    let r = r - 1;
                    triangles
                        .push([[p, q + 1, r + 1], [p + 1, q, r + 1], [p + 1, q + 1, r]].map(at));
                }
            }
        }
    }
    for triangle in &mut triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        if a.dot(&b.cross(&c)) < 0.0 {
            triangle.swap(1, 2);
        }
    }
    (vertices, triangles)
}

fn lattice_point(corners: &[u32; 3], weights: [u32; 3]) -> LatticePoint {
    let mut named = [NO_CORNER; 3];
    for k in 0..3 {
        if weights[k] > 0 {
            named[k] = (corners[k], weights[k]);
        }
    }
    named.sort_unstable();
    LatticePoint { shell: weights.iter().sum(), weights: named }
}

/// Four tets around the shortest diagonal; `low[k]` and `high[k]` are opposite.
fn cut_octahedron(low: [u32; 3], high: [u32; 3], vertices: &[Vector3]) -> [[u32; 4]; 4] {
    let length = |k: usize| (vertices[low[k] as usize] - vertices[high[k] as usize]).norm();
    // Symmetric octahedra have equal diagonals up to rounding, which must not choose.
    let shorter =
        |best: usize, k: usize| if length(k) < (1.0 - 1e-9) * length(best) { k } else { best };
    let k = [1, 2].into_iter().fold(0, shorter);
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let ring = [low[i], low[j], high[i], high[j]];
    [0, 1, 2, 3].map(|n| [low[k], high[k], ring[n], ring[(n + 1) % 4]])
}
