//! Ctrl-C: the first ends a run cleanly after the step under way, the second ends the process.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::exit;
use crate::terminal::Terminal;

static PRESSED: AtomicUsize = AtomicUsize::new(0);

/// From now on, [`requested`] tells. Where signals cannot be caught, Ctrl-C ends the process as ever; runs survive
/// that too.
pub fn listen(terminal: &Terminal) {
    let caught = ctrlc::set_handler(|| {
        if PRESSED.fetch_add(1, Ordering::SeqCst) > 0 {
            std::process::exit(i32::from(exit::STOPPED));
        }
    });
    if let Err(error) = caught {
        terminal.detail(format!("Ctrl-C cannot be caught: {error}"));
    }
}

/// Whether the run should end.
pub fn requested() -> bool {
    PRESSED.load(Ordering::SeqCst) > 0
}
