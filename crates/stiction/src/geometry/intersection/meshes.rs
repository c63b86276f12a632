//! All triangles of meshes that cross.

use rayon::prelude::*;

use super::cross::{Shared, crosses};
use super::sign::Scale;
use crate::geometry::bvh::Bvh;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// Pairs that one thread looks at in one go.
const TOGETHER: usize = 4096;

/// A corner that is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "intersections: a corner of triangle {triangle} is not finite\n  help: check where the coordinates come from"
)]
pub struct NotFinite {
    /// Of which triangle.
    pub triangle: usize,
}

/// All pairs of triangles that cross, of those that count: each once as `[lower, higher]`, ascending. Triangles of
/// several meshes may stand in one list, over points of all of them.
///
/// ```
/// use stiction::geometry::intersection::crossings;
/// use stiction::math::Vector3;
///
/// let points = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
///     [1.0, 1.0, -1.0], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]];
/// let points = points.map(Vector3::from);
/// assert_eq!(crossings(&points, &[[0, 1, 2], [3, 4, 5]], |_, _| true)?, [[0, 1]]);
/// # Ok::<(), stiction::geometry::intersection::NotFinite>(())
/// ```
///
/// # Errors
/// When a corner is not finite.
///
/// # Panics
/// When a corner is not among the points.
pub fn crossings(
    points: &[Vector3],
    triangles: &[[u32; 3]],
    counts: impl Fn(u32, u32) -> bool + Sync,
) -> Result<Vec<[u32; 2]>, NotFinite> {
    let corners = triangles.iter().flatten().map(|&v| &points[v as usize]);
    let scale = Scale::of(corners).ok_or_else(|| {
        let is_finite = |v: &u32| points[*v as usize].iter().all(|x| x.is_finite());
        let triangle = triangles.iter().position(|corners| !corners.iter().all(is_finite));
        NotFinite { triangle: triangle.unwrap_or_default() }
    })?;
    let scaled: Vec<Vector3> = points.iter().map(|x| scale.apply(x)).collect();
    let at = |t: u32| triangles[t as usize].map(|v| scaled[v as usize]);
    let boxes: Vec<BoundingBox> = (0..triangles.len() as u32)
        .map(|t| {
            let [p, q, r] = at(t);
            BoundingBox { min: p.inf(&q).inf(&r), max: p.sup(&q).sup(&r) }
        })
        .collect();
    let tree = Bvh::new(&boxes).map_err(|not| NotFinite { triangle: not.index })?;
    let mut near = Vec::new();
    tree.self_pairs(&mut near);
    let is_crossing = |[a, b]: &[u32; 2]| {
        counts(*a, *b) && {
            let shared = Shared::of(&triangles[*a as usize], &triangles[*b as usize]);
            crosses(&at(*a), &at(*b), shared)
        }
    };
    let found: Vec<Vec<[u32; 2]>> = near
        .par_chunks(TOGETHER)
        .map(|pairs| pairs.iter().copied().filter(is_crossing).collect())
        .collect();
    let mut found = found.concat();
    found.sort_unstable();
    Ok(found)
}
