//! The hull as triangles, by quickhull [BDH96]: the point farthest in front of a face is joined to the rim of what it
//! sees.
//!
//! A point closer to all faces than a tolerance is on the hull already. A face whose plane a new point lies in within
//! that tolerance is seen as well, and replaced: so no triangle can end up without area between a new point and an
//! edge it is in line with. The result is checked; if rounding has torn it, it is made again with a wider tolerance.

use crate::geometry::shape::ShapeError;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// Tolerances tried, relative to the size of the cloud.
const TOLERANCES: [f64; 4] = [1e-13, 1e-12, 1e-11, 1e-10];

struct Face {
    corners: [u32; 3],
    normal: Vector3,
    offset: f64,
    /// Points in front of this face; each point is in front of one face only.
    outside: Vec<u32>,
}

impl Face {
    fn new(points: &[Vector3], corners: [u32; 3]) -> Self {
        let [a, b, c] = corners.map(|v| points[v as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector3::zeros);
        Self { corners, normal, offset: normal.dot(&((a + b + c) / 3.0)), outside: Vec::new() }
    }

    fn height(&self, x: &Vector3) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

/// Triangles of the hull of finite points, outward.
pub(super) fn triangles(points: &[Vector3]) -> Result<Vec<[u32; 3]>, ShapeError> {
    let size = BoundingBox::of(points).diagonal();
    // About the middle, for the sake of rounding.
    let middle = BoundingBox::of(points).center();
    let centred: Vec<Vector3> = points.iter().map(|x| x - middle).collect();
    let first = first_tet(&centred, size)?;
    for tolerance in TOLERANCES {
        let hull = grown(&centred, first, tolerance * size);
        if is_sound(&centred, &hull, 10.0 * tolerance * size) {
            return Ok(hull);
        }
    }
    Err(ShapeError::Unclean { count: points.len() })
}

/// Four points as far from each other as is easily found, positive.
fn first_tet(points: &[Vector3], size: f64) -> Result<[u32; 4], ShapeError> {
    let flat = |thickness| ShapeError::Flat { count: points.len(), thickness, width: size };
    let farthest = |measure: &dyn Fn(&Vector3) -> f64| {
        let mut most = (0.0, 0);
        for (v, x) in points.iter().enumerate() {
            let m = measure(x);
            if m > most.0 {
                most = (m, v);
            }
        }
        most
    };
    if points.is_empty() {
        return Err(flat(0.0));
    }
    let a = points[0];
    let (_, v0) = farthest(&|x| (x - a).norm());
    let a = points[v0];
    let (width, v1) = farthest(&|x| (x - a).norm());
    if width <= 1e-9 * size || width <= 0.0 {
        return Err(flat(width));
    }
    let along = (points[v1] - a) / width;
    let (breadth, v2) = farthest(&|x| (x - a).cross(&along).norm());
    if breadth <= 1e-9 * size {
        return Err(flat(breadth));
    }
    let normal = along.cross(&(points[v2] - a)) / breadth;
    let (thickness, v3) = farthest(&|x| normal.dot(&(x - a)).abs());
    if thickness <= 1e-9 * size {
        return Err(flat(thickness));
    }
    let [v0, v1, v2, v3] = [v0, v1, v2, v3].map(|v| v as u32);
    let above = normal.dot(&(points[v3 as usize] - a)) > 0.0;
    Ok(if above { [v0, v1, v2, v3] } else { [v0, v2, v1, v3] })
}

fn grown(points: &[Vector3], [a, b, c, d]: [u32; 4], tolerance: f64) -> Vec<[u32; 3]> {
    let mut faces: Vec<Face> = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]]
        .map(|corners| Face::new(points, corners))
        .into();
    let everyone: Vec<u32> = (0..points.len() as u32).collect();
    assign(points, &everyone, &mut faces, 0, tolerance);
    let mut next = 0;
    while next < faces.len() {
        let Some(apex) = farthest(points, &faces[next]) else {
            next += 1;
            continue;
        };
        let x = points[apex as usize];
        let (seen, mut kept): (Vec<Face>, Vec<Face>) =
            faces.into_iter().partition(|face| face.height(&x) > -tolerance);
        let mut rim: Vec<[u32; 2]> = seen.iter().flat_map(|face| edges(face.corners)).collect();
        rim.sort_unstable();
        let inner = rim.clone();
        rim.retain(|&[a, b]| inner.binary_search(&[b, a]).is_err());
        let first_new = kept.len();
        kept.extend(rim.iter().map(|&[a, b]| Face::new(points, [a, b, apex])));
        let orphans: Vec<u32> = seen.iter().flat_map(|face| &face.outside).copied().collect();
        assign(points, &orphans, &mut kept, first_new, tolerance);
        faces = kept;
        next = 0;
    }
    faces.iter().map(|face| face.corners).collect()
}

/// Gives each point to the face it is farthest in front of, if there is any.
fn assign(points: &[Vector3], who: &[u32], faces: &mut [Face], from: usize, tolerance: f64) {
    for &v in who {
        let x = &points[v as usize];
        let mut most = (tolerance, None);
        for (k, face) in faces.iter().enumerate().skip(from) {
            let height = face.height(x);
            if height > most.0 {
                most = (height, Some(k));
            }
        }
        if let Some(k) = most.1 {
            faces[k].outside.push(v);
        }
    }
}

fn farthest(points: &[Vector3], face: &Face) -> Option<u32> {
    let mut most = (f64::NEG_INFINITY, None);
    for &v in &face.outside {
        let height = face.height(&points[v as usize]);
        if height > most.0 {
            most = (height, Some(v));
        }
    }
    most.1
}

pub(super) fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// Whether every edge has one triangle on each side, and nothing is in front of any triangle.
fn is_sound(points: &[Vector3], triangles: &[[u32; 3]], tolerance: f64) -> bool {
    let mut all: Vec<[u32; 2]> = triangles.iter().copied().flat_map(edges).collect();
    all.sort_unstable();
    let distinct = all.windows(2).all(|pair| pair[0] != pair[1]);
    let paired = all.iter().all(|&[a, b]| all.binary_search(&[b, a]).is_ok());
    let mut used: Vec<u32> = all.iter().map(|edge| edge[0]).collect();
    used.dedup();
    let sphere = used.len() + triangles.len() == all.len() / 2 + 2;
    let behind = triangles.iter().all(|&corners| {
        let face = Face::new(points, corners);
        face.normal != Vector3::zeros() && points.iter().all(|x| face.height(x) <= tolerance)
    });
    distinct && paired && sphere && behind
}
