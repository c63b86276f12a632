//! Work for all threads, where it takes longer than handing it over: some ten microseconds if they sleep.

use rayon::prelude::*;

/// What `f` makes of each item and its number, in their order, on threads if there are more than `alone`.
pub(crate) fn map_each<T: Sync, U: Send>(
    items: &[T],
    alone: usize,
    f: impl Fn(usize, &T) -> U + Sync + Send,
) -> Vec<U> {
    if items.len() <= alone {
        return items.iter().enumerate().map(|(i, item)| f(i, item)).collect();
    }
    let items = items.par_iter().with_min_len(alone);
    items.enumerate().map(|(i, item)| f(i, item)).collect()
}

/// Calls `f` with the number and the values of each block of three, on threads if there are more blocks than `alone`.
/// No block sees another, so threads do not change the bits.
pub(crate) fn for_each_block(
    values: &mut [f64],
    alone: usize,
    f: impl Fn(usize, &mut [f64]) + Sync + Send,
) {
    if values.len() <= 3 * alone {
        values.chunks_exact_mut(3).enumerate().for_each(|(i, block)| f(i, block));
    } else {
        let blocks = values.par_chunks_exact_mut(3).with_min_len(alone);
        blocks.enumerate().for_each(|(i, block)| f(i, block));
    }
}
