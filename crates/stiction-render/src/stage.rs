//! What is in a picture.

use crate::math::{Bounds, Vec3};

/// Linear red, green, blue; 1 is as bright as paper in the light.
pub type Colour = [f32; 3];

/// Surfaces on grounds.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// What can be seen from all sides.
    pub surfaces: Vec<Surface>,
    /// Planes without end. They fade away around what the picture is about, and are not there from behind.
    pub grounds: Vec<Ground>,
}

/// A plane: points with `normal · x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Of length one, to the side that is seen.
    pub normal: Vec3,
    /// Distance from the origin along the normal.
    pub offset: f32,
}

/// A triangulated surface.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Where its vertices are.
    pub vertices: Vec<Vec3>,
    /// Corners.
    pub triangles: Vec<[u32; 3]>,
    /// What colour it has.
    pub paint: Paint,
    /// Whether edges flatter than [`Surface::CREASE`] are rounded by light.
    pub smooth: bool,
    /// Draws the edges of its triangles.
    pub wires: bool,
    /// Takes light away from others and hides them. Arrows do not.
    pub casts: bool,
    /// What casts no shadow may shine through what hides it.
    pub through: bool,
}

/// Colours of a surface.
#[derive(Clone, Debug)]
pub enum Paint {
    /// One colour.
    Plain(Colour),
    /// A number from 0 to 1 for each vertex, blended in between.
    Map {
        /// What the numbers mean: colours at equal distances, at least one.
        colours: Vec<Colour>,
        /// One for each vertex. Where one is not a number, the triangle is painted `none`.
        numbers: Vec<f32>,
        /// Where there are no numbers.
        none: Colour,
    },
    /// One for each triangle.
    Triangles(Vec<Colour>),
}

impl Surface {
    /// Cosine of the angle between triangles from which on their edge is a crease.
    pub const CREASE: f32 = 0.75;

    /// Colour of a place on a triangle.
    pub(crate) fn colour(&self, triangle: usize, shares: [f32; 3]) -> Colour {
        match &self.paint {
            Paint::Plain(colour) => *colour,
            Paint::Triangles(colours) => colours[triangle],
            Paint::Map { colours, numbers, none } => {
                let corners = self.triangles[triangle].map(|v| numbers[v as usize]);
                let number: f32 = (0..3).map(|k| corners[k] * shares[k]).sum();
                if number.is_nan() {
                    return *none;
                }
                let place = number.clamp(0.0, 1.0) * (colours.len() - 1) as f32;
                let low = (place as usize).min(colours.len().saturating_sub(2));
                let (a, b) = (colours[low], colours[(low + 1).min(colours.len() - 1)]);
                std::array::from_fn(|k| a[k] + (b[k] - a[k]) * (place - low as f32))
            }
        }
    }

    /// Unit normals at the corners of each triangle: the mean, by angle, of those triangles around that are not beyond
    /// a crease.
    pub(crate) fn normals(&self) -> Vec<[Vec3; 3]> {
        let corners = |t: &[u32; 3]| t.map(|v| self.vertices[v as usize]);
        let of_face: Vec<Vec3> = self
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = corners(t);
                (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
            })
            .collect();
        if !self.smooth {
            return of_face.iter().map(|&n| [n; 3]).collect();
        }
        let mut around: Vec<Vec<(u32, f32)>> = vec![Vec::new(); self.vertices.len()];
        for (t, number) in self.triangles.iter().zip(0..) {
            let p = corners(t);
            for k in 0..3 {
                let (e, f) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
                around[t[k] as usize].push((number, e.angle(&f)));
            }
        }
        self.triangles
            .iter()
            .zip(&of_face)
            .map(|(t, own)| {
                t.map(|v| {
                    let near = around[v as usize]
                        .iter()
                        .filter(|(other, _)| of_face[*other as usize].dot(own) > Self::CREASE);
                    let sum: Vec3 =
                        near.map(|(other, angle)| of_face[*other as usize] * *angle).sum();
                    sum.try_normalize(0.0).unwrap_or(*own)
                })
            })
            .collect()
    }
}

impl Stage {
    /// Around all surfaces.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.surfaces.iter().flat_map(|surface| &surface.vertices))
    }
}
