//! Fewer contacts that hold as well: the deepest, and those that span the most area.

use super::ManifoldPoint;
use crate::math::Vector3;

/// Leaves at most `count` points of a manifold, from `start` to the end of the list: the deepest, the one farthest
/// from it, then always the one that adds the most area. They end up in the order of their features.
///
/// For the points of one pair, which share a normal.
pub fn reduce(points: &mut Vec<ManifoldPoint>, start: usize, count: usize) {
    let manifold = &mut points[start..];
    if manifold.len() <= count {
        return;
    }
    // Chosen ones are swapped to the front, where they run around the area they span.
    for chosen in 0..count {
        let (ring, others) = manifold.split_at(chosen);
        let mut best = (f64::NEG_INFINITY, 0, chosen);
        for (k, point) in others.iter().enumerate() {
            let (gain, place) = gain(ring, point);
            if gain > best.0 {
                best = (gain, k, place);
            }
        }
        let (_, k, place) = best;
        manifold[place..=chosen + k].rotate_right(1);
    }
    points.truncate(start + count);
    points[start..].sort_by_key(|point| point.feature);
}

/// What a point adds to those chosen, and where around them it belongs.
fn gain(ring: &[ManifoldPoint], point: &ManifoldPoint) -> (f64, usize) {
    let x = point.point_b;
    match ring {
        [] => (-point.gap, 0),
        [a] => ((x - a.point_b).norm_squared(), 1),
        [a, b] => {
            let area = twice_area(&a.point_b, &b.point_b, &x, &point.normal);
            // Counter-clockwise.
            (area.abs(), if area < 0.0 { 1 } else { 2 })
        }
        _ => {
            let mut best = (f64::NEG_INFINITY, ring.len());
            for k in 0..ring.len() {
                let (a, b) = (&ring[k].point_b, &ring[(k + 1) % ring.len()].point_b);
                // Outside of an edge, the triangle with it runs the other way round.
                let area = -twice_area(a, b, &x, &point.normal);
                if area > best.0 {
                    best = (area, k + 1);
                }
            }
            best
        }
    }
}

fn twice_area(a: &Vector3, b: &Vector3, c: &Vector3, normal: &Vector3) -> f64 {
    (b - a).cross(&(c - a)).dot(normal)
}
