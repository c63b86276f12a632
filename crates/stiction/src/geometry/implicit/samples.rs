//! Oriented samples of a mesh or a cloud, and where they come from.

use super::vertex_normal::Rings;
use super::{SampleKind, SurfaceError};
use crate::geometry::neighbours::Neighbours;
use crate::math::Vector3;

/// A triangle or a sum of normals this small next to its lengths is rounding, and has no direction.
pub(super) const FLAT: f64 = 1e-14;

/// Sample points and normals, in the present shape.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) points: Vec<Vector3>,
    pub(super) normals: Vec<Vector3>, // unit; zero where there is none
    pub(super) layout: Layout,
}

/// What the samples depend on.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    Points,
    Faces(Faces),
    Vertices(Rings),
}

/// Samples at centroids.
#[derive(Clone, Debug)]
pub(super) struct Faces {
    pub(super) vertex_count: usize,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) shapes: Vec<FaceShape>,
}

/// What derivatives of a unit face normal need.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceShape {
    pub(super) opposite: [Vector3; 2], // edges opposite to corners 0 and 1; the third closes the loop
    pub(super) inverse: f64,           // 1/|N| with N = (p1 − p0) × (p2 − p0); zero for a flat face
}

impl FaceShape {
    /// Edge `k` is opposite to corner `k`: `o_k = p_{k+2} − p_{k+1}`, and `∂N/∂p_k = [o_k]×`.
    pub(super) fn edges(&self) -> [Vector3; 3] {
        let [o0, o1] = self.opposite;
        [o0, o1, -o0 - o1]
    }

    /// The corners around a centroid.
    pub(super) fn corners(&self, centroid: &Vector3) -> [Vector3; 3] {
        let [o0, o1, o2] = self.edges();
        [o1 - o2, o2 - o0, o0 - o1].map(|three| centroid + three / 3.0)
    }

    /// The shape and the unit normal; zero where there is none.
    pub(super) fn new(p: &[Vector3; 3]) -> (Self, Vector3) {
        let opposite = [p[2] - p[1], p[0] - p[2]];
        let (o0, o1) = (opposite[0], opposite[1]);
        let n = o0.cross(&o1);
        let norm = n.norm();
        let longest_sq = o0.norm_squared().max(o1.norm_squared());
        // Also false for NaN, and for triangles so tiny that 1/|N| would overflow.
        let inverse = if norm > FLAT * longest_sq && norm > 1e-150 { 1.0 / norm } else { 0.0 };
        (Self { opposite, inverse }, n * inverse)
    }
}

impl Samples {
    /// The samples of a mesh and their spacing [m].
    pub(super) fn from_mesh(
        vertices: &[Vector3],
        triangles: &[[u32; 3]],
        kind: SampleKind,
    ) -> Result<(Self, f64), SurfaceError> {
        check_finite(vertices)?;
        let vertex_count = vertices.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertex_count) {
                return Err(SurfaceError::OutOfRange { triangle, vertex, vertex_count });
            }
        }
        let layout = match kind {
            SampleKind::Faces => Layout::Faces(Faces {
                vertex_count,
                triangles: triangles.to_vec(),
                shapes: Vec::with_capacity(triangles.len()),
            }),
            SampleKind::Vertices(weights) => {
                Layout::Vertices(Rings::new(vertex_count, triangles, weights))
            }
        };
        let mut samples = Self { points: Vec::new(), normals: Vec::new(), layout };
        samples.update(|vertex| vertices[vertex as usize]);
        if samples.normals.iter().all(|n| *n == Vector3::zeros()) {
            return Err(SurfaceError::Empty);
        }

        let corners = triangles.iter().map(|t| t.map(|v| vertices[v as usize]));
        let spacing = match kind {
            SampleKind::Faces => corners.map(|p| centroid_to_corner(&p)).fold(0.0, f64::max),
            SampleKind::Vertices(_) => corners.map(|p| longest_edge(&p)).fold(0.0, f64::max),
        };
        Ok((samples, spacing))
    }

    /// The samples of a cloud and their spacing [m].
    pub(super) fn from_points(
        points: &[Vector3],
        normals: &[Vector3],
    ) -> Result<(Self, f64), SurfaceError> {
        if points.len() != normals.len() {
            return Err(SurfaceError::NormalCount { points: points.len(), normals: normals.len() });
        }
        if points.is_empty() {
            return Err(SurfaceError::Empty);
        }
        check_finite(points)?;
        let unit = |(index, normal): (usize, &Vector3)| {
            // By the largest component first, so that no square overflows or vanishes.
            let scaled = normal / normal.amax();
            let unit = scaled / scaled.norm();
            if unit.iter().all(|c| c.is_finite()) {
                Ok(unit)
            } else {
                Err(SurfaceError::NoNormal { index })
            }
        };
        let normals = normals.iter().enumerate().map(unit).collect::<Result<_, _>>()?;
        let samples = Self { points: points.to_vec(), normals, layout: Layout::Points };
        Ok((samples, cloud_spacing(points)))
    }

    pub(super) fn update(&mut self, position: impl Fn(u32) -> Vector3) {
        let Self { points, normals, layout } = self;
        match layout {
            Layout::Points => panic!("a cloud of points has no mesh to follow"),
            Layout::Faces(faces) => {
                points.clear();
                normals.clear();
                faces.shapes.clear();
                for triangle in &faces.triangles {
                    let p = triangle.map(&position);
                    let (shape, normal) = FaceShape::new(&p);
                    points.push((p[0] + p[1] + p[2]) / 3.0);
                    normals.push(normal);
                    faces.shapes.push(shape);
                }
            }
            Layout::Vertices(rings) => rings.update(position, points, normals),
        }
    }

    /// Vertices of the mesh.
    pub(super) fn vertex_count(&self) -> usize {
        match &self.layout {
            Layout::Points => 0,
            Layout::Faces(faces) => faces.vertex_count,
            Layout::Vertices(rings) => rings.vertex_count(),
        }
    }

    /// The mesh vertices a sample depends on, ascending for vertex samples.
    pub(super) fn stencil(&self, sample: u32) -> &[u32] {
        match &self.layout {
            Layout::Points => &[],
            Layout::Faces(faces) => &faces.triangles[sample as usize],
            Layout::Vertices(rings) => rings.stencil(sample),
        }
    }
}

fn check_finite(points: &[Vector3]) -> Result<(), SurfaceError> {
    match points.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        Some(index) => Err(SurfaceError::NotFinite { index }),
        None => Ok(()),
    }
}

fn centroid_to_corner(p: &[Vector3; 3]) -> f64 {
    let centroid = (p[0] + p[1] + p[2]) / 3.0;
    p.iter().map(|corner| (corner - centroid).norm()).fold(0.0, f64::max)
}

fn longest_edge(p: &[Vector3; 3]) -> f64 {
    (p[1] - p[0]).norm().max((p[2] - p[1]).norm()).max((p[0] - p[2]).norm())
}

/// The distance to the third neighbour that 95 % of the points do not exceed.
fn cloud_spacing(points: &[Vector3]) -> f64 {
    const NEIGHBOUR: usize = 3;
    let mut low = points[0];
    let mut high = points[0];
    for point in points {
        (low, high) = (low.inf(point), high.sup(point));
    }
    let diagonal = (high - low).norm();
    if diagonal <= 0.0 {
        return 0.0;
    }
    // What it would be for points spread over a square; less for a crowd with a few points far away.
    let mut guess = diagonal / (points.len() as f64).sqrt();
    let mut search = Neighbours::new(points, guess);
    while is_crowded(points, &search, guess) && guess > 1e-9 * diagonal {
        guess *= 0.5;
        search.rebuild(points, guess);
    }
    let mut found = Vec::new();
    let mut distances: Vec<f64> = points
        .iter()
        .map(|point| {
            let mut reach = guess;
            loop {
                search.within(point, reach, &mut found);
                if found.len() > NEIGHBOUR || found.len() == points.len() {
                    break;
                }
                reach *= 2.0;
            }
            let mut near: Vec<f64> =
                found.iter().map(|&other| (points[other as usize] - point).norm()).collect();
            near.sort_unstable_by(f64::total_cmp);
            near[NEIGHBOUR.min(near.len() - 1)] // the first is the point itself
        })
        .collect();
    distances.sort_unstable_by(f64::total_cmp);
    distances[(distances.len() - 1) * 95 / 100]
}

/// Whether most points have far more neighbours within `reach` than a search should return.
fn is_crowded(points: &[Vector3], search: &Neighbours, reach: f64) -> bool {
    const MANY: usize = 32;
    let mut found = Vec::new();
    let probes = points.iter().step_by(points.len().div_ceil(64));
    let crowded = probes.clone().filter(|point| {
        search.within(point, reach, &mut found);
        found.len() > MANY
    });
    2 * crowded.count() > probes.len()
}
