//! Lumped masses: each element shares its mass equally among its points.

/// Mass of every vertex [kg], for elements of a common `density` with rest `measures`:
/// volumes [m³] with [kg/m³], areas [m²] with [kg/m²].
///
/// # Panics
/// When an index is out of range or the lengths differ; element sets have checked both.
pub fn lumped_masses<const N: usize>(
    elements: &[[u32; N]],
    measures: &[f64],
    density: f64,
    vertex_count: usize,
) -> Vec<f64> {
    assert_eq!(elements.len(), measures.len(), "every element has one measure");
    let mut masses = vec![0.0; vertex_count];
    for (element, measure) in elements.iter().zip(measures) {
        let share = density * measure / N as f64;
        for &vertex in element {
            masses[vertex as usize] += share;
        }
    }
    masses
}
