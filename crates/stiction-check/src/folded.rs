//! Cloth in layers: folded strips, stacks of sheets that are one body, and a slow count of what crosses.

use std::f64::consts::PI;

use stiction::math::Vector3;
use stiction::mesh::generate::{Diagonals, sheet};
use stiction::mesh::{TriMesh, TriSoup};

/// A strip in the plane `z = 0`, along `x` from zero.
#[derive(Clone, Debug)]
pub struct Strip {
    /// Flat.
    pub mesh: TriMesh,
    length: f64,
}

impl Strip {
    /// Of so many cells along and across.
    ///
    /// # Panics
    /// When a length or a number of cells is not above zero.
    pub fn new(length: f64, width: f64, cells: [usize; 2]) -> Self {
        let flat = sheet([length, width], cells, Diagonals::Alternating)
            .expect("lengths and cells above zero");
        let moved = flat.vertices().iter().map(|x| x + Vector3::x() * (0.5 * length)).collect();
        let mesh = TriSoup::new(moved, flat.triangles().to_vec())
            .build_cloth()
            .expect("lengths and cells above zero");
        Self { mesh, length }
    }

    /// Where it is when it is folded into `layers` of equal length, one `apart` above the other, with round creases.
    pub fn folded(&self, layers: usize, apart: f64) -> Vec<Vector3> {
        let r = 0.5 * apart;
        let crease = PI * r;
        let flat = (self.length - crease * (layers - 1) as f64) / layers as f64;
        let place = |x: &Vector3| {
            let mut s = x.x.clamp(0.0, self.length);
            let layer = ((s / (flat + crease)).floor() as usize).min(layers - 1);
            s -= layer as f64 * (flat + crease);
            let right = layer.is_multiple_of(2);
            let z = layer as f64 * apart;
            // Along the layer, then around the crease at its end.
            let (along, up) = if s <= flat {
                (s, z)
            } else {
                let angle = (s - flat) / r;
                (flat + r * angle.sin(), z + r - r * angle.cos())
            };
            Vector3::new(if right { along } else { flat - along }, x.y, up)
        };
        self.mesh.vertices().iter().map(place).collect()
    }

    /// Which layer a vertex belongs to.
    pub fn layer(&self, vertex: u32, layers: usize) -> usize {
        let part = self.mesh.vertices()[vertex as usize].x / self.length;
        ((part * layers as f64).floor() as usize).min(layers - 1)
    }
}

/// Several sheets of `cells`, one `apart` above the other, that are one body. Every second one is turned a little.
///
/// # Panics
/// When a length or a number is not above zero.
pub fn stack(count: usize, size: f64, cells: usize, apart: f64) -> TriMesh {
    let one =
        sheet([size; 2], [cells; 2], Diagonals::Alternating).expect("lengths and cells above zero");
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..count {
        let first = vertices.len() as u32;
        let turn = if k % 2 == 1 { 0.2_f64 } else { 0.0 };
        vertices.extend(one.vertices().iter().map(|x| {
            let (sin, cos) = turn.sin_cos();
            Vector3::new(cos * x.x - sin * x.y, sin * x.x + cos * x.y, k as f64 * apart)
        }));
        triangles.extend(one.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    TriSoup::new(vertices, triangles).build_cloth().expect("lengths and cells above zero")
}

/// Pairs of an edge and a triangle without a common vertex that cross.
pub fn crossings(mesh: &TriMesh, x: &[Vector3]) -> usize {
    let at = |v: u32| x[v as usize];
    let volume =
        |a: Vector3, b: Vector3, c: Vector3, d: Vector3| (b - a).cross(&(c - a)).dot(&(d - a));
    let edges = mesh.edges();
    let crosses = |[p, q]: [u32; 2], t: [u32; 3]| {
        let ([p, q], [a, b, c]) = ([p, q].map(at), t.map(at));
        let sides = volume(a, b, c, p) * volume(a, b, c, q) < 0.0;
        let around = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        let all = |sign: f64| around.iter().all(|v| v * sign > 0.0);
        sides && (all(1.0) || all(-1.0))
    };
    let of = |t: &[u32; 3]| {
        let apart = edges.iter().filter(|edge| !edge.iter().any(|v| t.contains(v)));
        apart.filter(|edge| crosses(**edge, *t)).count()
    };
    mesh.triangles().iter().map(of).sum()
}
