//! Two boxes, by the separation along fifteen axes [GLM96].
//!
//! Along a unit axis `l` boxes are apart by
//!
//! $$ s(l) = |l \cdot d| - \sum_i h_i^A |a_i \cdot l| - \sum_i h_i^B |b_i \cdot l| $$
//!
//! with `d` between the centres. The largest `s` over the normals of faces and the cross products of edges is minus
//! the depth, if it is negative; if it is positive, no distance is shorter, and it is the distance if the features it
//! stands for meet. Corners that point at each other, or at edges, leave it open: then GJK decides.

use super::box_faces::Side;
use super::pair::{Pair, Witness, Writer};
use super::{box_faces, clip, convex};
use crate::geometry::shape::Core;
use crate::math::{Matrix3, Vector3};

/// Sines of angles between edges below this make no axis; faces tell the same.
const PARALLEL: f64 = 1e-5;
/// Faces win over edges that are deeper by no more than this, and those of B over those of A, relative to the size.
const TIE: f64 = 1e-7;

pub(super) fn contacts(pair: &Pair, writer: &mut Writer) {
    let (Core::Box { half: half_a }, Core::Box { half: half_b }) = (&pair.a.core, &pair.b.core)
    else {
        return;
    };
    let limit = writer.reach + pair.radii();
    let Some(axis) = separation(half_a, half_b, &pair.turn, &pair.shift, limit) else { return };
    let start = writer.out.len();
    let lowest = match axis.face {
        // A box without width has fewer corners than sides.
        Some(face) if half_a.min() > 0.0 && half_b.min() > 0.0 => {
            box_faces::contacts(pair, half_a, half_b, face, writer)
        }
        _ => clip::faces(pair, &axis.normal, writer),
    };
    let tolerance = pair.tolerance() + TIE * pair.extent();
    if lowest <= axis.separation + tolerance {
        return;
    }
    if axis.separation <= 0.0 {
        writer.push_witness(pair, &axis.witness(pair, half_b));
        return;
    }
    writer.out.truncate(start);
    convex::contacts(pair, writer);
}

/// Where two boxes are the farthest apart, or the least deep.
struct Axis {
    separation: f64,
    /// From B to A.
    normal: Vector3,
    /// Whose face it belongs to.
    face: Option<Side>,
    /// Axes of A and B if it is across two edges.
    edges: Option<[usize; 2]>,
}

/// Nothing if the boxes are farther apart than `limit` along some axis. `turn` and `d` take A to the frame of B.
fn separation(
    half_a: &Vector3,
    half_b: &Vector3,
    turn: &Matrix3,
    d: &Vector3,
    limit: f64,
) -> Option<Axis> {
    let tie = TIE * (half_a.sum() + half_b.sum());
    let widths = turn.abs();
    let towards = |along: f64| if along < 0.0 { -1.0 } else { 1.0 };
    let mut best =
        Axis { separation: f64::NEG_INFINITY, normal: Vector3::x(), face: None, edges: None };
    let of_b = d.abs() - half_b - widths * half_a;
    for k in 0..3 {
        if of_b[k] > limit {
            return None;
        }
        if of_b[k] > best.separation + tie {
            let normal = Vector3::ith(k, towards(d[k]));
            let face = Some(Side { of_a: false, axis: k, sign: towards(d[k]) });
            best = Axis { separation: of_b[k], normal, face, edges: None };
        }
    }
    let along_a = turn.tr_mul(d);
    let of_a = along_a.abs() - half_a - widths.tr_mul(half_b);
    for k in 0..3 {
        if of_a[k] > limit {
            return None;
        }
        if of_a[k] > best.separation + tie {
            let normal = turn.column(k) * towards(along_a[k]);
            let face = Some(Side { of_a: true, axis: k, sign: -towards(along_a[k]) });
            best = Axis { separation: of_a[k], normal, face, edges: None };
        }
    }
    for i in 0..3 {
        // Across axis `i` of B, `(d × e_i)` and the like are two components each.
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // The axis is e_i × a_j: zero along i, −a_j[i2] along i1, a_j[i1] along i2; its length is the sine.
            let along = d[i2] * turn[(i1, j)] - d[i1] * turn[(i2, j)];
            let reach = half_b[i1] * widths[(i2, j)]
                + half_b[i2] * widths[(i1, j)]
                + half_a[j1] * widths[(i, j2)]
                + half_a[j2] * widths[(i, j1)];
            // Divided by a sine it only gets deeper: most need no root.
            let scaled = along.abs() - reach;
            if scaled <= 0.0 && scaled <= best.separation + tie {
                continue;
            }
            let sine_squared = turn[(i1, j)].powi(2) + turn[(i2, j)].powi(2);
            if sine_squared < PARALLEL * PARALLEL {
                continue;
            }
            let sine = sine_squared.sqrt();
            let separation = scaled / sine;
            if separation > limit {
                return None;
            }
            if separation > best.separation + tie {
                let mut normal = Vector3::zeros();
                let scale = towards(along) / sine;
                (normal[i1], normal[i2]) = (-turn[(i2, j)] * scale, turn[(i1, j)] * scale);
                best = Axis { separation, normal, face: None, edges: Some([j, i]) };
            }
        }
    }
    Some(best)
}

impl Axis {
    /// The deepest corner, or where the two edges cross.
    fn witness(&self, pair: &Pair, half_b: &Vector3) -> Witness {
        let (normal, gap) = (self.normal, self.separation);
        let (a, b) = (pair.support_a(&-normal).x, pair.b.core.support(&normal).x);
        let Some([j, i]) = self.edges else {
            return Witness { normal, gap, b: a - normal * gap };
        };
        // Both edges run through their support points; in the plane across the normal they cross.
        let (along_a, along_b) = (pair.turn.column(j).into_owned(), Vector3::ith(i, 1.0));
        let between = a - b;
        let cosine = along_a.dot(&along_b);
        let (p, q) = (along_a.dot(&between), along_b.dot(&between));
        let t = (q - cosine * p) / (1.0 - cosine * cosine);
        let t = (b[i] + t).clamp(-half_b[i], half_b[i]);
        let mut on_b = b;
        on_b[i] = t;
        Witness { normal, gap, b: on_b }
    }
}
