//! Sheets without a grain: scattered points, triangulated and smoothed.
//!
//! Points are thrown at a distance from each other until no more fit [Bri07], triangulated by Delaunay, then
//! moved to the middle of their neighbours a few times. Bending and tearing see no preferred direction.

use super::delaunay::{GRID, GridPoint, triangulate};
use super::random::SplitMix64;
use super::sheet::sides;
use super::{divisions, require_budget, require_length};
use crate::math::{Vector2, Vector3};
use crate::mesh::topology::{Adjacency, unique_edges};
use crate::mesh::{MeshError, TriMesh, TriSoup};

/// Points keep this distance, in edge lengths: with it, the mean edge comes out as asked.
const SPACING: f64 = 0.73;
/// Throws around each point before it is given up [Bri07].
const THROWS: usize = 30;
/// After this many rounds of smoothing the worst angle hardly changes.
const SMOOTHING_ROUNDS: usize = 8;

/// A sheet of `size` [m] in the plane `z = 0`, of irregular triangles with edges of about `edge_length` [m],
/// its normal along `z`. The same seed gives the same sheet.
///
/// Groups: `left`, `right`, `bottom`, `top`, `corners`.
///
/// # Errors
/// When a length is not finite and above zero.
pub fn unstructured_sheet(
    size: [f64; 2],
    edge_length: f64,
    seed: u64,
) -> Result<TriMesh, MeshError> {
    let name = "unstructured_sheet";
    for s in size {
        require_length(name, "size", s)?;
    }
    require_length(name, "edge_length", edge_length)?;
    let count = size.map(|s| (s / edge_length).max(1.0));
    // Integer coordinates must resolve an edge well.
    let finest = count[0].max(count[1]) / 4096.0;
    require_budget(
        name,
        "edge_length",
        edge_length,
        (2.4 * count[0] * count[1]).max(finest * 1e8),
    )?;

    require_width(size)?;

    let mut points = rim(size, edge_length);
    let fixed = points.len();
    scatter(&mut points, size, SPACING * edge_length, &mut SplitMix64::new(seed));
    sort_in_stripes(&mut points[fixed..], edge_length);

    let mut triangles = triangulate(&on_grid(&points, size));
    for _ in 0..SMOOTHING_ROUNDS {
        smooth(&mut points, fixed, &triangles);
        triangles = triangulate(&on_grid(&points, size));
    }
    let vertices = points.iter().map(|p| Vector3::new(p.x, p.y, 0.0)).collect();
    let mut soup = TriSoup::new(vertices, triangles);
    soup.vertex_tags = sides(&soup.vertices, size);
    soup.build_cloth()
}

/// Refuses a strip so narrow that its sides would fall together on the grid.
fn require_width(size: [f64; 2]) -> Result<(), MeshError> {
    let (narrow, wide) = (size[0].min(size[1]), size[0].max(size[1]));
    if narrow >= 1e-5 * wide {
        return Ok(());
    }
    let help = "a strip this narrow is a thread; use `sheet` with one cell across".to_owned();
    let value = format!("{size:?}");
    Err(MeshError::Argument { function: "unstructured_sheet", argument: "size", value, help })
}

/// The four corners counterclockwise, then evenly spaced points on the sides.
fn rim(size: [f64; 2], edge_length: f64) -> Vec<Vector2> {
    let half = Vector2::new(0.5 * size[0], 0.5 * size[1]);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| Vector2::new(x * half.x, y * half.y));
    let mut points = corners.to_vec();
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        let n = divisions(size[k % 2], edge_length, 1);
        points.extend((1..n).map(|i| {
            let t = i as f64 / n as f64;
            // Each coordinate that is the same at both ends stays so to the last bit.
            Vector2::from_fn(|r, _| a[r] + (b[r] - a[r]) * t)
        }));
    }
    points
}

/// Throws points around those there are, at least `spacing` from each other, until no more fit.
fn scatter(points: &mut Vec<Vector2>, size: [f64; 2], spacing: f64, random: &mut SplitMix64) {
    let half = Vector2::new(0.5 * size[0], 0.5 * size[1]);
    let mut bins = Bins::new(size, spacing);
    for (k, p) in points.iter().enumerate() {
        bins.add(p, k as u32);
    }
    let mut active: Vec<u32> = (0..points.len() as u32).collect();
    while !active.is_empty() {
        let pick = random.below(active.len());
        let around = points[active[pick] as usize];
        let fitting = (0..THROWS).find_map(|_| {
            let p = around + thrown(random) * (2.0 * spacing);
            // Half a spacing from the sides, where the rim's own points stand.
            let inside = (0..2).all(|k| p[k].abs() < half[k] - 0.5 * spacing);
            (inside && bins.is_free(&p, points, spacing)).then_some(p)
        });
        match fitting {
            Some(p) => {
                let id = points.len() as u32;
                bins.add(&p, id);
                points.push(p);
                active.push(id);
            }
            None => {
                active.swap_remove(pick);
            }
        }
    }
}

/// Uniform in the ring between half the unit disk and all of it.
fn thrown(random: &mut SplitMix64) -> Vector2 {
    loop {
        let p = Vector2::new(2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0);
        if (0.25..=1.0).contains(&p.norm_squared()) {
            return p;
        }
    }
}

/// Square bins as wide as the spacing.
struct Bins {
    half: Vector2,
    width: f64,
    columns: usize,
    rows: usize,
    bins: Vec<Vec<u32>>,
}

impl Bins {
    fn new(size: [f64; 2], width: f64) -> Self {
        let [columns, rows] = size.map(|s| (s / width) as usize + 1);
        let half = Vector2::new(0.5 * size[0], 0.5 * size[1]);
        Self { half, width, columns, rows, bins: vec![Vec::new(); columns * rows] }
    }

    fn bin(&self, p: &Vector2) -> (usize, usize) {
        let [i, j] = [0, 1].map(|k| ((p[k] + self.half[k]) / self.width) as usize);
        (i.min(self.columns - 1), j.min(self.rows - 1))
    }

    fn add(&mut self, p: &Vector2, id: u32) {
        let (i, j) = self.bin(p);
        self.bins[i + self.columns * j].push(id);
    }

    fn is_free(&self, p: &Vector2, points: &[Vector2], spacing: f64) -> bool {
        let (i, j) = self.bin(p);
        let rows = j.saturating_sub(1)..=(j + 1).min(self.rows - 1);
        let columns = i.saturating_sub(1)..=(i + 1).min(self.columns - 1);
        let mut near = rows.flat_map(|j| columns.clone().map(move |i| i + self.columns * j));
        near.all(|bin| self.bins[bin].iter().all(|&q| (points[q as usize] - p).norm() >= spacing))
    }
}

/// Orders points so that neighbours in the list are near in the plane: up one stripe, down the next.
fn sort_in_stripes(points: &mut [Vector2], edge_length: f64) {
    let width = 4.0 * edge_length;
    let stripe = |p: &Vector2| (p.x / width).floor() as i64;
    let along = |p: &Vector2| if stripe(p) % 2 == 0 { p.y } else { -p.y };
    points.sort_by(|p, q| stripe(p).cmp(&stripe(q)).then(along(p).total_cmp(&along(q))));
}

/// Moves every free point to the middle of its neighbours.
fn smooth(points: &mut [Vector2], fixed: usize, triangles: &[[u32; 3]]) {
    let edges = unique_edges(points.len(), triangles);
    let both = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
    let neighbours = Adjacency::grouped(points.len(), both);
    // Neighbours move at the same time, so that the order of points does not matter.
    let before = points.to_vec();
    for (v, p) in points.iter_mut().enumerate().skip(fixed) {
        let sum: Vector2 = neighbours.of(v).iter().map(|&w| before[w as usize]).sum();
        *p = sum / neighbours.of(v).len() as f64;
    }
}

/// Integer coordinates; sides land on sides.
fn on_grid(points: &[Vector2], size: [f64; 2]) -> Vec<GridPoint> {
    let scale = GRID as f64 / size[0].max(size[1]);
    // The corners of the shorter axis are rounded like all others, so points on a side stay on it.
    points.iter().map(|p| [0, 1].map(|k| ((p[k] + 0.5 * size[k]) * scale).round() as i64)).collect()
}
