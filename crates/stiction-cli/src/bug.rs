//! What a panic says: it is our mistake, never the user's.

use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::PanicHookInfo;

/// Replaces Rust's message for panics by one that asks for a report.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        // Nothing more can be done where even stderr is gone.
        let _ = anstream::stderr().write_all(message(info).as_bytes());
    }));
}

fn message(info: &PanicHookInfo<'_>) -> String {
    // `panic!` makes one or the other, depending on whether it has arguments.
    let payload = info.payload();
    let what = (payload.downcast_ref::<&str>().copied())
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no message)");
    let place =
        info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
    let command: Vec<String> = std::env::args().collect();
    let mut text = format!("\nerror: stiction stopped because of a bug\n  {what}{place}\n");
    let _ = write!(
        text,
        "  help: this is our mistake; please tell us at {}/issues\n        with these lines, the files you used, \
         and:\n          \
         stiction {} on {} {}\n          {}\n",
        env!("CARGO_PKG_REPOSITORY"),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        command.join(" "),
    );
    match std::env::var_os("RUST_BACKTRACE") {
        Some(_) => {
            let _ = writeln!(text, "{}", std::backtrace::Backtrace::force_capture());
        }
        None => text.push_str("        RUST_BACKTRACE=1 adds where it came from\n"),
    }
    text
}
