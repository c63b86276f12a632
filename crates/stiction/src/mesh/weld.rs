//! Which vertices coincide, found on a grid with cells as wide as the tolerance.

use crate::math::Vector3;

/// For every vertex the lowest vertex it is merged into; itself if it is kept.
///
/// A vertex is merged only into a kept one, so no chain of near vertices can drift farther than `tolerance`.
pub(super) fn representatives(vertices: &[Vector3], tolerance: f64) -> Vec<u32> {
    let extent = vertices.iter().fold(0.0_f64, |m, x| m.max(x.amax()));
    // Zero tolerance merges exact copies only, which need cells of some width all the same.
    let width = tolerance.max(1e-12 * extent).max(f64::MIN_POSITIVE);
    let cell = |x: &Vector3| [0, 1, 2].map(|k| (x[k] / width).floor() as i64); // saturates

    let mut sorted: Vec<([i64; 3], u32)> =
        vertices.iter().enumerate().map(|(v, x)| (cell(x), v as u32)).collect();
    sorted.sort_unstable();

    let mut kept: Vec<u32> = (0..vertices.len() as u32).collect();
    for (v, x) in vertices.iter().enumerate() {
        let [i, j, k] = cell(x);
        let mut best = v as u32;
        for (di, dj) in (-1..=1).flat_map(|di| (-1..=1).map(move |dj| (di, dj))) {
            // Cells k−1, k, k+1 of a column are neighbours in the sorted list.
            let column =
                |dk: i64| [i.saturating_add(di), j.saturating_add(dj), k.saturating_add(dk)];
            let from = sorted.partition_point(|entry| entry.0 < column(-1));
            let candidates = sorted[from..].iter().take_while(|entry| entry.0 <= column(1));
            for &(_, other) in candidates {
                let is_kept = kept[other as usize] == other;
                if other < best && is_kept && (vertices[other as usize] - x).norm() <= tolerance {
                    best = other;
                }
            }
        }
        kept[v] = best;
    }
    kept
}
