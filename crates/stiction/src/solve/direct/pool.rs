//! Buffers used again and again: fresh memory from the system costs a page fault per 4 KiB.

use std::sync::{Mutex, PoisonError};

/// Free buffers. Their contents are left over from earlier use.
#[derive(Debug, Default)]
pub(super) struct Pool {
    free: Mutex<Vec<Vec<f64>>>,
}

impl Pool {
    /// Buffers shorter than this come from the allocator, which keeps them at hand itself.
    const SMALL: usize = 4096;

    /// A buffer of at least `length`, with arbitrary finite contents.
    pub(super) fn take(&self, length: usize) -> Vec<f64> {
        if length >= Self::SMALL {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = (0..free.len()).filter(|&k| free[k].len() >= length);
            if let Some(best) = fits.min_by_key(|&k| free[k].len()) {
                return free.swap_remove(best);
            }
        }
        vec![0.0; length]
    }

    /// Takes a buffer back.
    pub(super) fn give(&self, buffer: Vec<f64>) {
        if buffer.len() >= Self::SMALL {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
        }
    }
}

impl Clone for Pool {
    /// A copy starts without buffers.
    fn clone(&self) -> Self {
        Self::default()
    }
}
