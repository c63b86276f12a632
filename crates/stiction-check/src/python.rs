//! Independent readers: Python packages that open what we wrote.
//!
//! `./test` installs them into `target/test-python`; `STICTION_TEST_PYTHON` names another interpreter.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a script and returns what it printed, or nothing where there is no interpreter to run it.
///
/// # Panics
/// When the script fails, with its last words. Also without an interpreter, if `CI` is set: there nothing may be
/// skipped.
#[track_caller]
pub fn run(script: &Path, arguments: &[&str]) -> Option<String> {
    let Some(python) = interpreter() else {
        assert!(
            std::env::var_os("CI").is_none(),
            "no Python for {}; `./test` installs it",
            script.display()
        );
        return None;
    };
    let output = Command::new(&python)
        .arg(script)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("cannot start {}: {error}", python.display()));
    assert!(
        output.status.success(),
        "{} {arguments:?} failed:\n{}",
        script.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn interpreter() -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("STICTION_TEST_PYTHON") {
        return Some(python.into());
    }
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-python/bin/python");
    python.exists().then_some(python)
}
