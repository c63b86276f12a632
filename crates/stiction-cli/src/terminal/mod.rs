//! Everything a command says: text on a terminal or in a pipe, or JSON lines.
//!
//! | call | where | `--quiet` | `--json` |
//! |---|---|---|---|
//! | [`Terminal::print`]: the answer that was asked for | stdout | shown | left out |
//! | [`Terminal::note`]: what is good to know beside it | stderr | left out | left out |
//! | [`Terminal::detail`]: the same for `--verbose` | stderr | left out | left out |
//! | [`Terminal::warn`] | stderr | shown | as event, on stdout |
//! | [`Terminal::error`] | stderr | shown | as event, too |
//! | [`Terminal::event`]: one JSON line | stdout | – | shown |
//! | [`Terminal::progress`]: a bar; see [`Progress`] | stderr | left out | as events |
//! | [`Terminal::patiently`]: a line, if something takes more than a second | stderr | left out | left out |
//!
//! A reader that closes the pipe (`stiction … | head`) has seen enough: what follows is dropped without a
//! word, and the work goes on. A full disk behind stdout is an error: see [`Terminal::finish`].
//!
//! Text may be styled with the functions of [`style`]; colours are taken out where they are not wanted.

pub mod human;
mod progress;
pub mod style;
mod table;

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Mutex;

use anstream::ColorChoice;
use serde::Serialize;
use stiction_scene::scene_file::split_help;

pub use progress::Progress;
pub use table::{Column, Table};

use crate::command::{Color, Output};

/// Where a command speaks.
#[derive(Debug)]
pub struct Terminal {
    quiet: bool,
    verbose: bool,
    json: bool,
    /// The first failure of stdout; nothing is written after it.
    failure: Mutex<Option<io::Error>>,
}

/// The envelope of every JSON line.
#[derive(Serialize)]
struct Event<'a, T> {
    event: &'a str,
    #[serde(flatten)]
    data: T,
}

/// The data of a warning or an error.
#[derive(Serialize)]
struct Message<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl Terminal {
    /// Speaks as the flags say.
    pub fn new(output: &Output) -> Self {
        let choice = match output.color {
            Color::Auto => ColorChoice::Auto, // heeds the environment
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
        let Output { quiet, verbose, json, .. } = *output;
        Self { quiet, verbose, json, failure: Mutex::new(None) }
    }

    /// True under `--json`: the answer is then an [`Self::event`].
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// True under `--verbose`.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints a line of the answer.
    pub fn print(&self, text: impl Display) {
        if !self.json {
            self.stdout(&format!("{text}\n"));
        }
    }

    /// Prints exactly this to stdout, whatever the flags: scripts, schemas.
    pub fn raw(&self, text: &str) {
        self.stdout(text);
    }

    /// Prints a JSON document: laid out for people, or on one line under `--json`.
    pub fn document(&self, value: &serde_json::Value) {
        let text = if self.json { value.to_string() } else { format!("{value:#}") };
        self.stdout(&format!("{text}\n"));
    }

    /// Says something beside the answer.
    pub fn note(&self, text: impl Display) {
        if !self.quiet && !self.json {
            stderr(&format!("{text}\n"));
        }
    }

    /// Says something for those who asked for more.
    pub fn detail(&self, text: impl Display) {
        if self.verbose {
            self.note(style::dim(text));
        }
    }

    /// Warns; `help` says what to do about it.
    pub fn warn(&self, message: &str, help: Option<&str>) {
        self.event("warning", Message { message, help });
        if !self.json {
            stderr(&format!("{} {message}\n", style::warning("warning:")));
            if let Some(help) = help {
                stderr(&format!("  {} {help}\n", style::help("help:")));
            }
        }
    }

    /// Warns with a note that may end with its remedy.
    pub fn remark(&self, note: &str) {
        let (message, help) = split_help(note);
        self.warn(&message, help.as_deref());
    }

    /// Shows errors that are laid out already; as events they have been said one by one.
    pub fn problems(&self, text: &str) {
        stderr(&format!("{text}\n"));
    }

    /// Says why a command failed. A line `  help: …` in the error is its remedy.
    pub fn error(&self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        let (message, help) = match text.rsplit_once("\n  help: ") {
            Some((message, help)) => (message, Some(help)),
            None => (text.as_str(), None),
        };
        self.event("error", Message { message, help });
        stderr(&format!("{} {}\n", style::error("error:"), with_styled_help(&text)));
    }

    /// Writes a JSON line, under `--json` only.
    ///
    /// `data` must serialize to an object; its members follow `"event": kind`.
    pub fn event(&self, kind: &str, data: impl Serialize) {
        if self.json {
            let line = serde_json::to_string(&Event { event: kind, data })
                .expect("events are objects with text for keys");
            self.stdout(&format!("{line}\n"));
        }
    }

    /// Shows how far a long task is; see [`Progress`].
    pub fn progress(&self, task: &str) -> Progress<'_> {
        Progress::new(self, task)
    }

    /// Whether everything for stdout got there. A closed pipe counts as such.
    ///
    /// # Errors
    /// When stdout failed in another way.
    pub fn finish(&self) -> io::Result<()> {
        match self.failure.lock().expect("no panic while holding it").take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    fn stdout(&self, text: &str) {
        let mut failure = self.failure.lock().expect("no panic while holding it");
        if failure.is_none() {
            let mut out = anstream::stdout().lock();
            *failure = out.write_all(text.as_bytes()).and_then(|()| out.flush()).err();
        }
    }
}

/// Where even stderr is gone, nobody listens.
fn stderr(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// The text with every `help:` that begins a line in colour.
fn with_styled_help(text: &str) -> String {
    let line = |line: &str| {
        let rest = line.trim_start();
        match rest.strip_prefix("help:") {
            Some(help) => {
                format!("{}{}{help}", &line[..line.len() - rest.len()], style::help("help:"))
            }
            None => line.to_owned(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
