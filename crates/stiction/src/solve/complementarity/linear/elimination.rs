//! Gaussian elimination that goes on when columns depend on each other: their unknowns stay zero.

/// A pivot this small beside the largest entry its column began with is none.
const DEPENDENT: f64 = 1e-13;

/// Solves `M x = r` with rows one after the other in `m`; both are used up. Returns the rank.
pub(crate) fn eliminate(m: &mut [f64], r: &mut [f64], x: &mut [f64]) -> usize {
    let n = r.len();
    let size = |m: &[f64], j: usize| (0..n).fold(0.0_f64, |worst, i| worst.max(m[i * n + j].abs()));
    let sizes: Vec<f64> = (0..n).map(|j| size(m, j)).collect();
    let mut pivots = Vec::with_capacity(n);
    for j in 0..n {
        let top = pivots.len();
        let pivot = (top..n)
            .max_by(|&a, &b| m[a * n + j].abs().total_cmp(&m[b * n + j].abs()).then(b.cmp(&a)));
        let Some(pivot) = pivot.filter(|&p| m[p * n + j].abs() > DEPENDENT * sizes[j]) else {
            continue;
        };
        if pivot != top {
            let (above, below) = m.split_at_mut(pivot * n);
            above[top * n..(top + 1) * n].swap_with_slice(&mut below[..n]);
            r.swap(top, pivot);
        }
        let (above, below) = m.split_at_mut((top + 1) * n);
        let row = &above[top * n..];
        for (i, other) in below.chunks_exact_mut(n).enumerate() {
            let factor = other[j] / row[j];
            if factor != 0.0 {
                for (o, v) in other[j..].iter_mut().zip(&row[j..]) {
                    *o -= factor * v;
                }
                r[top + 1 + i] -= factor * r[top];
            }
        }
        pivots.push(j);
    }
    x.fill(0.0);
    for (i, &j) in pivots.iter().enumerate().rev() {
        let row = &m[i * n..(i + 1) * n];
        let known: f64 = row[j + 1..].iter().zip(&x[j + 1..]).map(|(a, b)| a * b).sum();
        x[j] = (r[i] - known) / row[j];
    }
    pivots.len()
}
