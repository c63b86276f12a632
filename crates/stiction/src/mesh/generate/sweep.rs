//! Prisms between copies of a triangulated section, cut into tets so that neighbours match.
//!
//! Each quadrilateral is cut by the diagonal through its lowest vertex. Both prisms that share it agree on
//! that, and no prism is left without a valid cut [DLVC99].

/// Tets between consecutive `layers`, each the vertex ids of one copy of the section.
///
/// `triangles` index into the layers; seen from the next layer they run counterclockwise.
pub(super) fn swept(triangles: &[[u32; 3]], layers: &[&[u32]]) -> Vec<[u32; 4]> {
    let mut tets = Vec::with_capacity(3 * triangles.len() * layers.len().saturating_sub(1));
    for pair in layers.windows(2) {
        for triangle in triangles {
            let bottom = triangle.map(|k| pair[0][k as usize]);
            let top = triangle.map(|k| pair[1][k as usize]);
            tets.extend(cut_prism(bottom, top));
        }
    }
    tets
}

/// Three positive tets; `bottom` runs counterclockwise seen from `top`.
fn cut_prism(bottom: [u32; 3], top: [u32; 3]) -> [[u32; 4]; 3] {
    // Turn the prism until its lowest vertex is v0; if that was on top, stand it on its head.
    let (low, high) = (lowest(bottom), lowest(top));
    let upright = bottom[low] < top[high];
    let [v0, v1, v2] = if upright { turned(bottom, low) } else { reversed(turned(top, high)) };
    let [v3, v4, v5] = if upright { turned(top, low) } else { reversed(turned(bottom, high)) };
    if v1.min(v5) < v2.min(v4) {
        [[v0, v1, v2, v5], [v0, v1, v5, v4], [v0, v4, v5, v3]]
    } else {
        [[v0, v1, v2, v4], [v0, v4, v2, v5], [v0, v4, v5, v3]]
    }
}

fn lowest(corners: [u32; 3]) -> usize {
    (0..3).min_by_key(|&k| corners[k]).unwrap_or(0)
}

fn turned(corners: [u32; 3], first: usize) -> [u32; 3] {
    [0, 1, 2].map(|k| corners[(first + k) % 3])
}

fn reversed([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}
