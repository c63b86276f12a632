//! A surface as pixels: parallel projection, a depth buffer, flat shading, thin edges.
//!
//! Depths are compared per sample, so surfaces that touch or cross come out right, and time grows with
//! pixels and triangles only. Each pixel averages `SAMPLES²` samples.

use stiction::math::Vector3;
use stiction::mesh::TriMesh;

use super::color::{self, Rgb};

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;
/// Edges are this wide [pixels], and fade where triangles are smaller than `FADE` pixels.
const EDGE_WIDTH: f64 = 1.3;
const FADE: f64 = 14.0;
/// Part of the image that stays free on each side.
const MARGIN: f64 = 0.04;

/// Pixels in rows from the top, red, green, blue, opacity; colours are not multiplied by opacity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<[u8; 4]>,
}

/// Renders a surface whose triangles have these qualities, 0 to 1.
pub(super) fn surface(mesh: &TriMesh, quality: &[f64], width: usize, height: usize) -> Image {
    let (columns, rows) = (width * SAMPLES, height * SAMPLES);
    let view = View::of(mesh, columns as f64, rows as f64);
    let mut depth = vec![f64::NEG_INFINITY; columns * rows];
    let mut color = vec![[0u8; 3]; columns * rows];
    for (triangle, &quality) in quality.iter().enumerate() {
        let x = mesh.corners(triangle);
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0])).normalize();
        let fill = shaded(color::of_quality(quality), view.brightness(&normal));
        let p = x.map(|x| view.project(&x));
        draw(&p, fill, columns, rows, &mut depth, &mut color);
    }
    averaged(width, height, &depth, &color)
}

/// Where the eye is. Rows of the axes: right, up, toward the eye.
struct View {
    axes: [Vector3; 3],
    center: [f64; 2],
    scale: f64,
    middle: [f64; 2],
}

impl View {
    fn of(mesh: &TriMesh, columns: f64, rows: f64) -> Self {
        let size = mesh.bounding_box().size();
        let mut toward = Vector3::new(0.55, -0.8, 0.5);
        // Flat things are seen from above, or there would be little to see.
        let thinnest = size.imin();
        if size[thinnest] < 0.05 * size.max() {
            toward = Vector3::new(0.08, -0.3, 0.2);
            toward[thinnest] = if thinnest == 1 { -1.0 } else { 1.0 };
        }
        let toward = toward.normalize();
        let right = Vector3::z().cross(&toward).normalize(); // never vertical
        let axes = [right, toward.cross(&right), toward];
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for x in mesh.vertices() {
            for k in 0..2 {
                let c = axes[k].dot(x);
                (min[k], max[k]) = (min[k].min(c), max[k].max(c));
            }
        }
        let span = [max[0] - min[0], max[1] - min[1]];
        let room = 1.0 - 2.0 * MARGIN;
        let scale = (room * columns / span[0]).min(room * rows / span[1]);
        let center = [0, 1].map(|k| 0.5 * (min[k] + max[k]));
        Self { axes, center, scale, middle: [0.5 * columns, 0.5 * rows] }
    }

    /// Sample coordinates, `y` downward, and the depth, larger when nearer.
    fn project(&self, x: &Vector3) -> [f64; 3] {
        let [right, up, toward] = self.axes.map(|axis| axis.dot(x));
        [
            self.middle[0] + self.scale * (right - self.center[0]),
            self.middle[1] - self.scale * (up - self.center[1]),
            self.scale * toward,
        ]
    }

    /// Light from above the left shoulder; both sides of a triangle are lit alike.
    fn brightness(&self, normal: &Vector3) -> f64 {
        let light = (self.axes[2] - 0.55 * self.axes[0] + 0.75 * self.axes[1]).normalize();
        let facing = if normal.dot(&self.axes[2]) < 0.0 { -normal } else { *normal };
        0.72 + 0.32 * facing.dot(&light).max(0.0)
    }
}

fn shaded(color: Rgb, brightness: f64) -> Rgb {
    color.map(|c| (f64::from(c) * brightness).clamp(0.0, 255.0) as u8)
}

fn draw(
    p: &[[f64; 3]; 3],
    fill: Rgb,
    columns: usize,
    rows: usize,
    depth: &mut [f64],
    color: &mut [Rgb],
) {
    let twice_area = cross(p[0], p[1], p[2]);
    if twice_area.abs() < 1e-12 {
        return; // seen from its edge
    }
    let lengths = [0, 1, 2].map(|k| {
        let (a, b) = (p[(k + 1) % 3], p[(k + 2) % 3]);
        (a[0] - b[0]).hypot(a[1] - b[1])
    });
    let shortest_height = twice_area.abs() / lengths.iter().copied().fold(0.0, f64::max);
    let samples = SAMPLES as f64;
    let strength = (shortest_height / (FADE * samples)).clamp(0.12, 1.0) * 0.5;
    let range = |axis: usize, count: usize| {
        let values = || p.iter().map(|p| p[axis]);
        let low = values().fold(f64::INFINITY, f64::min).floor().max(0.0) as usize;
        let high = values().fold(f64::NEG_INFINITY, f64::max).ceil().min(count as f64) as usize;
        low..high
    };
    let line = fill.map(|c| (f64::from(c) * (1.0 - strength)) as u8);
    for row in range(1, rows) {
        for column in range(0, columns) {
            let at = [column as f64 + 0.5, row as f64 + 0.5, 0.0];
            let weights = [0, 1, 2].map(|k| cross(p[(k + 1) % 3], p[(k + 2) % 3], at) / twice_area);
            if weights.iter().any(|w| *w < 0.0) {
                continue;
            }
            let z: f64 = (0..3).map(|k| weights[k] * p[k][2]).sum();
            let sample = row * columns + column;
            if z > depth[sample] {
                depth[sample] = z;
                // Half of an edge's width on either side.
                let near = (0..3).any(|k| {
                    weights[k] * twice_area.abs() / lengths[k] < 0.5 * EDGE_WIDTH * samples
                });
                color[sample] = if near { line } else { fill };
            }
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn averaged(width: usize, height: usize, depth: &[f64], color: &[Rgb]) -> Image {
    let mut pixels = Vec::with_capacity(width * height);
    for row in 0..height {
        for column in 0..width {
            let mut sum = [0usize; 3];
            let mut hit = 0;
            for y in 0..SAMPLES {
                for x in 0..SAMPLES {
                    let sample = (row * SAMPLES + y) * width * SAMPLES + column * SAMPLES + x;
                    if depth[sample] > f64::NEG_INFINITY {
                        hit += 1;
                        for c in 0..3 {
                            sum[c] += usize::from(color[sample][c]);
                        }
                    }
                }
            }
            let [r, g, b] = sum.map(|s| (s / hit.max(1)) as u8);
            pixels.push([r, g, b, (255 * hit / (SAMPLES * SAMPLES)) as u8]);
        }
    }
    Image { width, height, pixels }
}
