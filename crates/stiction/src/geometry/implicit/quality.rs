//! How far a surface is from the mesh it smooths, and whether it has holes.

use rayon::prelude::*;

use super::{FieldJet, ImplicitSurface, Order};
use crate::math::Vector3;

/// How a surface compares with a mesh. See [`ImplicitSurface::hausdorff`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hausdorff {
    /// The largest distance found [m].
    pub distance: f64,
    /// The same relative to the diagonal of the box around the mesh [-].
    pub relative: f64,
    /// Points of the mesh that were tried.
    pub points: usize,
    /// Those with no sample within the radius: above zero, the surface has holes.
    pub holes: usize,
    /// Those with samples, but from which no way led to the surface: it is folded or gone there, as between two
    /// sides closer than the radius.
    pub lost: usize,
}

impl ImplicitSurface {
    /// Measures how far the surface is from a mesh, usually the one it was made from in its present shape.
    ///
    /// From corners, edges and the inside of every triangle, walks along the gradient to the surface. The
    /// longest way bounds the distance between the two over all points tried, in both directions.
    pub fn hausdorff(&self, vertices: &[Vector3], triangles: &[[u32; 3]]) -> Hausdorff {
        self.hausdorff_among(vertices, triangles, |_, _, _| {})
    }

    /// The same where not all samples count: `keep` says which do, given the number of the triangle on which the walk
    /// began and a point on the way.
    pub fn hausdorff_among(
        &self,
        vertices: &[Vector3],
        triangles: &[[u32; 3]],
        keep: impl Fn(usize, &Vector3, &mut Vec<u32>) + Sync,
    ) -> Hausdorff {
        const PARTS: usize = 4; // of each edge: 15 points a triangle
        let fresh = {
            let mut fresh = self.clone();
            fresh.rebuild_search();
            fresh
        };
        let tally = triangles
            .par_iter()
            .enumerate()
            .map_init(
                || (Vec::new(), FieldJet::default()),
                |(candidates, jet), (number, triangle)| {
                    let p = triangle.map(|v| vertices[v as usize]);
                    let keep = |x: &Vector3, candidates: &mut Vec<u32>| keep(number, x, candidates);
                    let mut tally = Tally::default();
                    for i in 0..=PARTS {
                        for j in 0..=PARTS - i {
                            let (s, t) = (i as f64 / PARTS as f64, j as f64 / PARTS as f64);
                            let start = p[0] * (1.0 - s - t) + p[1] * s + p[2] * t;
                            tally.count(fresh.walk_to_surface(&start, keep, candidates, jet));
                        }
                    }
                    tally
                },
            )
            .reduce(Tally::default, Tally::merge);

        let corners = || triangles.iter().flatten().map(|&v| vertices[v as usize]);
        let first = corners().next().unwrap_or_default();
        let low = corners().fold(first, |low, p| low.inf(&p));
        let high = corners().fold(first, |high, p| high.sup(&p));
        let diagonal = (high - low).norm();
        Hausdorff {
            distance: tally.distance,
            relative: if diagonal > 0.0 { tally.distance / diagonal } else { 0.0 },
            points: tally.points,
            holes: tally.holes,
            lost: tally.lost,
        }
    }

    /// Newton's method along the gradient.
    fn walk_to_surface(
        &self,
        start: &Vector3,
        keep: impl Fn(&Vector3, &mut Vec<u32>),
        candidates: &mut Vec<u32>,
        jet: &mut FieldJet,
    ) -> Walk {
        const MOST_STEPS: usize = 50;
        let mut x = *start;
        for step in 0..MOST_STEPS {
            self.candidates(&x, 0.0, candidates);
            keep(&x, candidates);
            if !self.evaluate_fixed(&x, candidates, Order::First, jet) {
                return if step == 0 { Walk::Hole } else { Walk::Lost };
            }
            let (value, gradient) = (jet.value, jet.gradient[0]);
            if value.abs() <= 1e-12 * self.radius {
                return Walk::Arrived((x - start).norm());
            }
            let slope_sq = gradient.norm_squared();
            if slope_sq < 1e-12 {
                return Walk::Lost;
            }
            let newton = gradient * (value / slope_sq);
            // No farther than the samples that made it.
            x -= newton * (0.5 * self.radius / newton.norm()).min(1.0);
        }
        Walk::Lost
    }
}

enum Walk {
    Arrived(f64),
    Hole,
    Lost,
}

/// Counts and a maximum: the same in any order.
#[derive(Default)]
struct Tally {
    distance: f64,
    points: usize,
    holes: usize,
    lost: usize,
}

impl Tally {
    fn count(&mut self, walk: Walk) {
        self.points += 1;
        match walk {
            Walk::Arrived(distance) => self.distance = self.distance.max(distance),
            Walk::Hole => self.holes += 1,
            Walk::Lost => self.lost += 1,
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            distance: self.distance.max(other.distance),
            points: self.points + other.points,
            holes: self.holes + other.holes,
            lost: self.lost + other.lost,
        }
    }
}
