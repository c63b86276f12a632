//! Irregular meshes and what is measured on them.

use stiction::math::Vector3;
use stiction::mesh::{Mesh, Selectable, Soup};

/// Noise that is the same on every machine: three numbers in −1 to 1 for each `(seed, index)`.
pub fn noise(seed: u64, index: usize) -> Vector3 {
    Vector3::from_fn(|axis, _| {
        // SplitMix64 [SLF14], one draw.
        let mut z = seed ^ (3 * index as u64 + axis as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64 * 2.0 - 1.0
    })
}

/// Vertices that are not on the boundary.
pub fn interior<const N: usize>(mesh: &Mesh<N>) -> Vec<u32>
where
    Mesh<N>: Selectable,
{
    let boundary = mesh.boundary_vertices();
    (0..mesh.vertex_count() as u32).filter(|v| boundary.binary_search(v).is_err()).collect()
}

/// The raw mesh with vertices inside moved by up to `amount` along each axis [m].
pub fn jittered<const N: usize>(mesh: Mesh<N>, amount: Vector3, seed: u64) -> Soup<N>
where
    Mesh<N>: Selectable,
{
    let inside = interior(&mesh);
    let mut soup = mesh.into_soup();
    for v in inside {
        soup.vertices[v as usize] += noise(seed, v as usize).component_mul(&amount);
    }
    soup
}

/// The largest distance between partners [m]; infinite where one is not a number.
pub fn farthest(a: &[Vector3], b: &[Vector3]) -> f64 {
    assert_eq!(a.len(), b.len(), "points come in pairs");
    let distances = a.iter().zip(b).map(|(a, b)| (a - b).norm());
    distances.fold(0.0, |most, d| if d.is_nan() { f64::INFINITY } else { d.max(most) })
}
