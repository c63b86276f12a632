//! Delaunay triangulation of points in a rectangle, exact.
//!
//! Points are inserted one by one; the triangle they fall in is split, then edges are flipped until no
//! circumcircle holds a neighbour's corner [Law77]. Coordinates are integers below `2^24`, so the
//! determinants that decide fit into an `i128`: no rounding, no special cases by tolerance.

/// A point with integer coordinates.
pub(super) type GridPoint = [i64; 2];

/// Coordinates must be at most this.
pub(super) const GRID: i64 = 1 << 24;

/// Counterclockwise triangles over all points.
///
/// The first four points are the corners of the rectangle, counterclockwise; the others lie in it or on its
/// sides, no two alike. Works in any order, fast if neighbours in the list are near in the plane.
pub(super) fn triangulate(points: &[GridPoint]) -> Vec<[u32; 3]> {
    let mut mesh = Triangulation::rectangle(points);
    for p in 4..points.len() as u32 {
        mesh.insert(p);
    }
    mesh.triangles
}

const NONE: u32 = u32::MAX;

struct Triangulation<'a> {
    points: &'a [GridPoint],
    triangles: Vec<[u32; 3]>,
    /// The triangle across the edge opposite to each corner.
    across: Vec<[u32; 3]>,
    /// Where to start looking: the last triangle made.
    last: u32,
}

impl<'a> Triangulation<'a> {
    fn rectangle(points: &'a [GridPoint]) -> Self {
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        let across = vec![[NONE, 1, NONE], [NONE, NONE, 0]];
        Self { points, triangles, across, last: 0 }
    }

    fn insert(&mut self, p: u32) {
        let (t, on_edge) = self.locate(p);
        let mut suspects = match on_edge {
            None => self.split_triangle(t, p),
            Some(k) => self.split_edge(t, k, p),
        };
        self.last = suspects[0].0;
        // Each suspect is a triangle with corner `p` at a known place; the edge across from it may flip.
        while let Some((t, k)) = suspects.pop() {
            let other = self.across[t as usize][k];
            if other == NONE {
                continue;
            }
            let m = self.place_across(other, t);
            let apex = self.triangles[other as usize][m];
            let [a, b, c] = self.triangles[t as usize].map(|v| self.points[v as usize]);
            if in_circle(a, b, c, self.points[apex as usize]) {
                suspects.extend(self.flip(t, k, other, m));
            }
        }
    }

    /// The triangle that holds `p`, and the place of the edge it lies on, if it does.
    fn locate(&self, p: u32) -> (u32, Option<usize>) {
        let x = self.points[p as usize];
        let mut t = self.last;
        // Walks through edges that have `p` beyond them; ends in any Delaunay triangulation.
        'walk: loop {
            let corners = self.triangles[t as usize];
            let mut on_edge = None;
            for k in 0..3 {
                let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
                let side = turn(self.points[a as usize], self.points[b as usize], x);
                if side < 0 {
                    t = self.across[t as usize][k];
                    continue 'walk;
                }
                if side == 0 {
                    on_edge = Some(k);
                }
            }
            return (t, on_edge);
        }
    }

    fn split_triangle(&mut self, t: u32, p: u32) -> Vec<(u32, usize)> {
        let [a, b, c] = self.triangles[t as usize];
        let [over_a, over_b, over_c] = self.across[t as usize];
        let (u, v) = (self.triangles.len() as u32, self.triangles.len() as u32 + 1);
        // t = (p, b, c), u = (p, c, a), v = (p, a, b)
        self.triangles[t as usize] = [p, b, c];
        self.triangles.extend([[p, c, a], [p, a, b]]);
        self.across[t as usize] = [over_a, u, v];
        self.across.extend([[over_b, v, t], [over_c, t, u]]);
        self.relink(over_b, t, u);
        self.relink(over_c, t, v);
        vec![(t, 0), (u, 0), (v, 0)]
    }

    /// Splits the edge opposite to corner `k` of `t`, and the triangle beyond it if there is one.
    fn split_edge(&mut self, t: u32, k: usize, p: u32) -> Vec<(u32, usize)> {
        let [a, b, c] = [0, 1, 2].map(|n| self.triangles[t as usize][(k + n) % 3]); // p on bc
        let [other, over_b, over_c] = [0, 1, 2].map(|n| self.across[t as usize][(k + n) % 3]);
        let u = self.triangles.len() as u32;
        // t = (p, a, b), u = (p, c, a)
        self.triangles[t as usize] = [p, a, b];
        self.triangles.push([p, c, a]);
        if other == NONE {
            self.across[t as usize] = [over_c, NONE, u];
            self.across.push([over_b, t, NONE]);
            self.relink(over_b, t, u);
            return vec![(t, 0), (u, 0)];
        }
        let m = self.place_across(other, t);
        let d = self.triangles[other as usize][m]; // other = (d, c, b)
        let [over_other_c, over_other_b] = [1, 2].map(|n| self.across[other as usize][(m + n) % 3]);
        let w = u + 1;
        // other = (p, d, c), w = (p, b, d)
        self.triangles[other as usize] = [p, d, c];
        self.triangles.push([p, b, d]);
        self.across[t as usize] = [over_c, w, u];
        self.across.push([over_b, t, other]);
        self.across[other as usize] = [over_other_b, u, w];
        self.across.push([over_other_c, other, t]);
        self.relink(over_b, t, u);
        self.relink(over_other_c, other, w);
        vec![(t, 0), (u, 0), (other, 0), (w, 0)]
    }

    /// Replaces the edge between `t` and `other` by the one between their opposite corners.
    fn flip(&mut self, t: u32, k: usize, other: u32, m: usize) -> [(u32, usize); 2] {
        let [p, b, c] = [0, 1, 2].map(|n| self.triangles[t as usize][(k + n) % 3]);
        let [_, over_b, over_c] = [0, 1, 2].map(|n| self.across[t as usize][(k + n) % 3]);
        let d = self.triangles[other as usize][m]; // other = (d, c, b)
        let [over_other_c, over_other_b] = [1, 2].map(|n| self.across[other as usize][(m + n) % 3]);
        // t = (p, b, d), other = (p, d, c)
        self.triangles[t as usize] = [p, b, d];
        self.across[t as usize] = [over_other_c, other, over_c];
        self.triangles[other as usize] = [p, d, c];
        self.across[other as usize] = [over_other_b, over_b, t];
        self.relink(over_other_c, other, t);
        self.relink(over_b, t, other);
        [(t, 0), (other, 0)]
    }

    /// The place in `of` whose edge leads to `neighbour`.
    fn place_across(&self, of: u32, neighbour: u32) -> usize {
        let place = self.across[of as usize].iter().position(|&t| t == neighbour);
        place.expect("neighbours know each other")
    }

    /// Tells `of` that its neighbour `before` is `now` another.
    fn relink(&mut self, of: u32, before: u32, now: u32) {
        if of != NONE {
            let place = self.place_across(of, before);
            self.across[of as usize][place] = now;
        }
    }
}

/// Positive when `a`, `b`, `c` turn counterclockwise: twice their area.
fn turn(a: GridPoint, b: GridPoint, c: GridPoint) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// True when `d` lies inside the circle through counterclockwise `a`, `b`, `c`.
fn in_circle(a: GridPoint, b: GridPoint, c: GridPoint, d: GridPoint) -> bool {
    let [a, b, c] = [a, b, c].map(|p| [i128::from(p[0] - d[0]), i128::from(p[1] - d[1])]);
    let lift = |p: [i128; 2]| p[0] * p[0] + p[1] * p[1];
    let cross = |p: [i128; 2], q: [i128; 2]| p[0] * q[1] - p[1] * q[0];
    lift(a) * cross(b, c) + lift(b) * cross(c, a) + lift(c) * cross(a, b) > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::random::SplitMix64;

    const SQUARE: [GridPoint; 4] = [[0, 0], [GRID, 0], [GRID, GRID], [0, GRID]];

    fn area(points: &[GridPoint], triangles: &[[u32; 3]]) -> i64 {
        triangles
            .iter()
            .map(|t| turn(points[t[0] as usize], points[t[1] as usize], points[t[2] as usize]))
            .sum()
    }

    #[track_caller]
    fn assert_delaunay(points: &[GridPoint]) {
        let triangles = triangulate(points);
        assert_eq!(area(points, &triangles), 2 * GRID * GRID, "the rectangle is covered once");
        for t in &triangles {
            let [a, b, c] = t.map(|v| points[v as usize]);
            assert!(turn(a, b, c) > 0, "{t:?} is flat or turned over");
            assert!(
                !points.iter().any(|&p| in_circle(a, b, c, p)),
                "a point lies in the circle of {t:?}"
            );
        }
    }

    #[test]
    fn no_circumcircle_holds_a_point() {
        let mut random = SplitMix64::new(7);
        let mut points = SQUARE.to_vec();
        points.extend(
            (0..300)
                .map(|_| [random.below(GRID as usize) as i64, random.below(GRID as usize) as i64]),
        );
        assert_delaunay(&points);
    }

    #[test]
    fn points_on_a_grid_are_all_cocircular_and_still_work() {
        let mut points = SQUARE.to_vec();
        for i in 0..=8 {
            points.extend(
                (0..=8).map(|j| [i * GRID / 8, j * GRID / 8]).filter(|p| !SQUARE.contains(p)),
            );
        }
        assert_delaunay(&points);
    }
}
