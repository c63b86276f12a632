//! Bodies that are written once and meant many times.

use super::decode::Spanned;
use super::format::{BodyTable, CopiesTable, PlaceTable};
use super::leaves::Vector;
use super::problem::Problems;
use stiction::math::Vector3;

/// More copies than this of one body are a mistake.
const MOST: u64 = 100_000;

/// Writes copies out, each a body with a name and a place of its own.
pub(super) fn write_out(bodies: &mut Vec<Spanned<BodyTable>>, problems: &mut Problems) {
    let mut all = Vec::with_capacity(bodies.len());
    for mut body in std::mem::take(bodies) {
        let Some(Spanned { value: copies, span }) = body.value.copies.take() else {
            all.push(body);
            continue;
        };
        let [x, y, z] = copies.count.0.map(|count| u64::from(count.0));
        if x.saturating_mul(y).saturating_mul(z) > MOST {
            let help = format!("give at most {MOST} in all");
            problems.add(span, format!("{x} × {y} × {z} copies are too many"), help);
            continue;
        }
        for k in 0..x * y * z {
            let [i, j, l] = [k % x, k / (x * z), k / x % z];
            let mut copy = body.clone();
            if let Some(name) = &mut copy.value.name {
                name.value = format!("{}-{k}", name.value);
            }
            let by = offset(&copies, [i, j, l]);
            let place = copy.value.place.get_or_insert(Spanned {
                value: PlaceTable { scale: None, rotate: None, r#move: None },
                span,
            });
            let from = place.value.r#move.map_or_else(Vector3::zeros, Vector::vector);
            place.value.r#move = Some(Vector((from + by).into()));
            all.push(copy);
        }
    }
    *bodies = all;
}

fn offset(copies: &CopiesTable, place: [u64; 3]) -> Vector3 {
    let number = Vector3::from(place.map(|k| k as f64));
    let stagger = copies.stagger.filter(|_| place[1] % 2 == 1);
    copies.spacing.vector().component_mul(&number)
        + stagger.map_or_else(Vector3::zeros, Vector::vector)
}
