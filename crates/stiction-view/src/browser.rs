//! Opening the browser of the system.

use std::process::{Command, Stdio};

/// Opens an address in the user's browser, if there is one; says whether something was started.
pub fn open_browser(address: &str) -> bool {
    let Some((program, arguments)) = opener() else { return false };
    let started = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // Its end is waited for elsewhere, so that it leaves no zombie.
    started.map(|mut child| std::thread::spawn(move || child.wait())).is_ok()
}

fn opener() -> Option<(&'static str, &'static [&'static str])> {
    if cfg!(target_os = "macos") {
        return Some(("open", &[]));
    }
    if cfg!(target_os = "windows") {
        return Some(("rundll32", &["url.dll,FileProtocolHandler"]));
    }
    // Without a display, `xdg-open` would start a browser for the terminal in the middle of our own output.
    let display =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    display.then_some(("xdg-open", &[]))
}
