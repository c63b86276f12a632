//! Which points are within a distance of another: a grid of cells kept in a hash table.
//!
//! Every point lies in one cubic cell; cells are hashed into about as many buckets as there are points, and
//! the points are sorted by bucket (a counting sort). Building is linear in time and memory however large the
//! box around the points is, so there is nothing to refit: after a motion, build again. A query visits the
//! cells that its ball touches. When those outnumber the points, all points are tested instead.
//!
//! Answers are sorted by index and exact: the same set as testing every point.

use crate::math::Vector3;

/// Points in cells.
#[derive(Clone, Debug, Default)]
#[doc(alias("spatial hash"))]
pub struct Neighbours {
    inverse_cell: f64,    // [1/m]
    starts: Vec<u32>,     // of each bucket, and the end
    points: Vec<Vector3>, // by bucket
    indices: Vec<u32>,    // of `points`
    bucket_of: Vec<u32>,  // of each point, scratch of the build
}

impl Neighbours {
    /// Sorts `points` into cells of the given size [m]; about the distance of later queries is best.
    pub fn new(points: &[Vector3], cell: f64) -> Self {
        let mut neighbours = Self::default();
        neighbours.rebuild(points, cell);
        neighbours
    }

    /// As [`new`](Self::new), reusing the memory.
    pub fn rebuild(&mut self, points: &[Vector3], cell: f64) {
        self.inverse_cell = if cell > 0.0 && cell.is_finite() { 1.0 / cell } else { 1.0 };
        let bucket_count = points.len().next_power_of_two();
        self.starts.clear();
        self.starts.resize(bucket_count + 1, 0);
        self.bucket_of.clear();
        for point in points {
            let bucket = self.bucket(self.cell(point));
            self.bucket_of.push(bucket as u32);
            self.starts[bucket + 1] += 1;
        }
        for bucket in 0..bucket_count {
            self.starts[bucket + 1] += self.starts[bucket];
        }
        self.points.resize(points.len(), Vector3::zeros());
        self.indices.resize(points.len(), 0);
        // Each start moves to the end of its bucket, which is the start of the next.
        for (index, point) in points.iter().enumerate() {
            let start = &mut self.starts[self.bucket_of[index] as usize];
            self.points[*start as usize] = *point;
            self.indices[*start as usize] = index as u32;
            *start += 1;
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// All points at most `reach` [m] from `x`, ascending. Replaces what is in `found`.
    pub fn within(&self, x: &Vector3, reach: f64, found: &mut Vec<u32>) {
        found.clear();
        let reach_sq = reach * reach;
        // Wider by some units in the last place: rounding may not lose a point on the very edge.
        let corner = Vector3::repeat(reach + 8.0 * f64::EPSILON * (reach + x.amax()));
        let (low, high) = (self.cell(&(x - corner)), self.cell(&(x + corner)));
        let cells: f64 = (0..3).map(|axis| (high[axis] - low[axis]) as f64 + 1.0).product();
        if cells > self.points.len() as f64 {
            self.test(0..self.points.len(), x, reach_sq, found);
        } else {
            for i in low[0]..=high[0] {
                for j in low[1]..=high[1] {
                    for k in low[2]..=high[2] {
                        let bucket = self.bucket([i, j, k]);
                        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
                        self.test(range, x, reach_sq, found);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup(); // cells may share a bucket
    }

    fn test(
        &self,
        range: std::ops::Range<usize>,
        x: &Vector3,
        reach_sq: f64,
        found: &mut Vec<u32>,
    ) {
        let near = |&slot: &usize| (self.points[slot] - x).norm_squared() <= reach_sq;
        found.extend(range.filter(near).map(|slot| self.indices[slot]));
    }

    fn cell(&self, point: &Vector3) -> [i64; 3] {
        // Far below the range of integers, so that sums of cells cannot overflow.
        const FARTHEST: f64 = 1e15;
        let coordinate = |axis: usize| {
            (point[axis] * self.inverse_cell).floor().clamp(-FARTHEST, FARTHEST) as i64
        };
        [coordinate(0), coordinate(1), coordinate(2)]
    }

    fn bucket(&self, cell: [i64; 3]) -> usize {
        // Large odd factors spread neighbouring cells; the high bits of a product are the well mixed ones.
        let mixed = (cell[0] as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (cell[1] as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            ^ (cell[2] as u64).wrapping_mul(0x1656_67b1_9e37_79f9);
        let mask = self.starts.len() as u64 - 2;
        (((mixed >> 29) ^ mixed) & mask) as usize
    }
}
