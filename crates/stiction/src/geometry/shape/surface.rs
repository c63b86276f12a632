//! Shapes as triangles, to be looked at and to check moments with.

use std::f64::consts::TAU;

use super::{Convex, Core, Hull, Rounded};
use crate::math::Vector3;
use crate::mesh::generate::half_sphere;
use crate::mesh::{TriMesh, TriSoup};

impl Convex {
    /// The surface as triangles, closed and outward; nothing for half-spaces, and for shapes that [`Convex::check`]
    /// refuses.
    ///
    /// Vertices lie on the true surface, with `segments` of them around a circle, rounded up to a multiple of twelve:
    /// the area inside a circle is too small by `1 − sin(2π/n)/(2π/n)`, 0.6 % for 36.
    pub fn surface(&self, segments: usize) -> Option<TriMesh> {
        let Rounded { core, radius } = self.rounded()?;
        let twelfths = segments.div_ceil(12).max(1);
        let hull = match core {
            Core::Hull(hull) => return mesh(hull),
            Core::Box { half } => {
                let corner = |k: usize| {
                    Vector3::from_fn(|a, _| half[a] * (2 * (k >> a & 1)) as f64 - half[a])
                };
                let around = if radius > 0.0 { sphere(twelfths) } else { vec![Vector3::zeros()] };
                let points: Vec<Vector3> = (0..8)
                    .flat_map(|k| around.iter().map(move |x| corner(k) + x * radius))
                    .collect();
                Hull::new(&points)
            }
            Core::Cylinder { radius, half_length } => {
                let count = 12 * twelfths;
                let points: Vec<Vector3> = (0..2 * count)
                    .map(|k| {
                        let (sin, cos) = (TAU * (k / 2) as f64 / count as f64).sin_cos();
                        let y = if k % 2 == 0 { -half_length } else { half_length };
                        Vector3::new(radius * cos, y, radius * sin)
                    })
                    .collect();
                Hull::new(&points)
            }
        };
        mesh(&hull.ok()?)
    }
}

fn mesh(hull: &Hull) -> Option<TriMesh> {
    TriSoup::new(hull.vertices().to_vec(), hull.triangles().collect()).build().ok()
}

/// Points of the unit sphere, on all six half axes too.
fn sphere(twelfths: usize) -> Vec<Vector3> {
    let (upper, _) = half_sphere(2 * twelfths as u32);
    let lower = upper.iter().filter(|x| x.z > 0.0).map(|x| Vector3::new(x.x, x.y, -x.z));
    upper.iter().copied().chain(lower).collect()
}
