//! From elements to what is seen of them: triangles and vertices.

use std::collections::HashMap;

use crate::frame::{BodyInfo, BodyKind};

/// The element behind each triangle of a body: of solids the tetrahedron whose face it is, else the triangle itself.
/// A triangle that is no face of any, which only damaged runs have, gets 0.
pub fn elements_of_triangles(body: &BodyInfo) -> Vec<u32> {
    if body.kind != BodyKind::Solid {
        return (0..body.triangles.len() as u32).collect();
    }
    let sorted = |mut corners: [u32; 3]| {
        corners.sort_unstable();
        corners
    };
    let wanted = body.triangles.iter().enumerate();
    let places: HashMap<[u32; 3], usize> = wanted.map(|(k, t)| (sorted(*t), k)).collect();
    let mut elements = vec![0; body.triangles.len()];
    for (element, &[a, b, c, d]) in body.tets.iter().enumerate() {
        for face in [[b, c, d], [a, c, d], [a, b, d], [a, b, c]] {
            if let Some(&place) = places.get(&sorted(face)) {
                elements[place] = element as u32;
            }
        }
    }
    elements
}

/// Values of elements as values of vertices: the mean of the elements around, each counted by its rest size. NaN at
/// vertices without elements.
///
/// # Panics
/// When there is not one value for each element.
pub fn means_at_vertices(body: &BodyInfo, of_elements: &[f64]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); body.start.len()];
    let mut add = |corners: &[u32], size: f64, value: f64| {
        for &corner in corners {
            let (sum, weight) = &mut sums[corner as usize];
            *sum += size * value;
            *weight += size;
        }
    };
    let edge = |a: u32, b: u32| {
        let (a, b) = (body.start[a as usize], body.start[b as usize]);
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    };
    match body.kind {
        BodyKind::Solid => {
            assert_eq!(of_elements.len(), body.tets.len(), "one value a tetrahedron");
            for (tet, value) in body.tets.iter().zip(of_elements) {
                let [a, b, c, d] = *tet;
                let volume = dot(cross(edge(a, b), edge(a, c)), edge(a, d)).abs();
                add(tet, volume, *value);
            }
        }
        BodyKind::Cloth | BodyKind::Rigid | BodyKind::Obstacle => {
            assert_eq!(of_elements.len(), body.triangles.len(), "one value a triangle");
            for (triangle, value) in body.triangles.iter().zip(of_elements) {
                let [a, b, c] = *triangle;
                let normal = cross(edge(a, b), edge(a, c));
                add(triangle, dot(normal, normal).sqrt(), *value);
            }
        }
    }
    sums.into_iter().map(|(sum, weight)| sum / weight).collect()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
