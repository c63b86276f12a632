//! Any two cores: apart by GJK, inside each other by EPA, then what their faces have in common.

use super::pair::{Pair, Witness, Writer};
use super::{clip, epa, gjk};

pub(super) fn contacts(pair: &Pair, writer: &mut Writer) {
    let Some(witness) = witness(pair, writer.reach + pair.radii()) else { return };
    let lowest = clip::faces(pair, &witness.normal, writer);
    if lowest > witness.gap + pair.tolerance() {
        writer.push_witness(pair, &witness);
    }
}

/// The nearest points of the cores, if they are no farther apart than `limit`.
pub(super) fn witness(pair: &Pair, limit: f64) -> Option<Witness> {
    match gjk::nearest(pair, limit) {
        gjk::Nearest::Beyond => None,
        gjk::Nearest::Apart(witness) => Some(witness),
        gjk::Nearest::Overlap => Some(epa::deepest(pair)),
    }
}
