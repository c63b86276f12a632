//! The triangles of a body with the vertices they use: what formats for drawing want.

use crate::frame::BodyInfo;

/// A surface whose vertices are counted from 0, and which vertices of the body they are.
pub(super) struct Surface {
    /// Vertices of the body, ascending.
    pub(super) vertices: Vec<u32>,
    /// Corners, as places in `vertices`.
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Surface {
    pub(super) fn of(body: &BodyInfo) -> Self {
        let mut place = vec![u32::MAX; body.start.len()];
        for &corner in body.triangles.iter().flatten() {
            place[corner as usize] = 0;
        }
        let vertices: Vec<u32> =
            (0..place.len() as u32).filter(|&v| place[v as usize] == 0).collect();
        for (index, &v) in vertices.iter().enumerate() {
            place[v as usize] = index as u32;
        }
        let triangles = body.triangles.iter().map(|t| t.map(|v| place[v as usize])).collect();
        Self { vertices, triangles }
    }

    /// Values of its vertices, out of those of the body.
    pub(super) fn pick<'a, T: Copy>(&'a self, of_body: &'a [T]) -> impl Iterator<Item = T> + 'a {
        self.vertices.iter().map(|&v| of_body[v as usize])
    }

    /// Unit normals of its vertices: those of the triangles around, weighted by area.
    pub(super) fn normals(&self, positions: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let mut sums = vec![[0.0; 3]; positions.len()];
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            let (u, w) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
            let doubled_area =
                [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
            for &v in t {
                for i in 0..3 {
                    sums[v as usize][i] += doubled_area[i];
                }
            }
        }
        sums.into_iter().map(unit_or_up).collect()
    }
}

/// Degenerate triangles have no normal, but formats demand unit length.
fn unit_or_up(n: [f64; 3]) -> [f64; 3] {
    let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { n.map(|c| c / length) } else { [0.0, 1.0, 0.0] }
}
