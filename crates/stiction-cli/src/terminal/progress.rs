//! How far a long task is: a bar on a terminal, a line now and then in a log, events under `--json`.

use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::{Terminal, human, stderr};

/// A log that grows a line each ten seconds can still be read.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// Programs that follow a run want to know each second.
const EVENT_INTERVAL: Duration = Duration::from_secs(1);
/// Work that is done sooner needs no words.
const PATIENCE: Duration = Duration::from_secs(1);
/// The bar counts in these; finer than any terminal is wide.
const TICKS: f64 = 1e6;

/// A task on its way; made by [`Terminal::progress`], removed from the screen when dropped.
#[derive(Debug)]
pub struct Progress<'a> {
    terminal: &'a Terminal,
    task: String,
    kind: Kind,
    started: Instant,
}

#[derive(Debug)]
enum Kind {
    /// A live bar.
    Bar(ProgressBar),
    /// Lines or events, the last one at this time.
    Lines { last: Instant, interval: Duration },
    /// Nothing.
    Silent,
}

#[derive(Serialize)]
struct ProgressData<'a> {
    task: &'a str,
    fraction: f64,
    message: &'a str,
}

impl<'a> Progress<'a> {
    pub(super) fn new(terminal: &'a Terminal, task: &str) -> Self {
        let now = Instant::now();
        let kind = if terminal.json {
            Kind::Lines { last: now, interval: EVENT_INTERVAL }
        } else if terminal.quiet {
            Kind::Silent
        } else if std::io::stderr().is_terminal() {
            Kind::Bar(bar(task))
        } else {
            Kind::Lines { last: now, interval: LOG_INTERVAL }
        };
        Self { terminal, task: task.to_owned(), kind, started: now }
    }

    /// Says that `fraction` of the task is done, 0 to 1. `message` is asked only when it will be seen.
    pub fn set(&mut self, fraction: f64, message: impl FnOnce() -> String) {
        let fraction = fraction.clamp(0.0, 1.0);
        match &mut self.kind {
            Kind::Silent => {}
            Kind::Bar(bar) => {
                bar.set_position((fraction * TICKS) as u64);
                bar.set_message(message());
            }
            Kind::Lines { last, interval } => {
                if last.elapsed() < *interval {
                    return;
                }
                *last = Instant::now();
                let message = message();
                let data = ProgressData { task: &self.task, fraction, message: &message };
                self.terminal.event("progress", data);
                if !self.terminal.json {
                    let left = self.started.elapsed().as_secs_f64() * (1.0 - fraction) / fraction;
                    let left = human::duration(left);
                    stderr(&format!(
                        "{} {:.0} %, {left} left  {message}\n",
                        self.task,
                        100.0 * fraction
                    ));
                }
            }
        }
    }

    /// Takes the bar away while `speak` prints.
    pub fn suspend<T>(&self, speak: impl FnOnce() -> T) -> T {
        match &self.kind {
            Kind::Bar(bar) => bar.suspend(speak),
            _ => speak(),
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
        }
    }
}

impl Terminal {
    /// Does something that may take a while, and says so if it takes more than a second.
    pub fn patiently<T>(&self, task: &str, work: impl FnOnce() -> T) -> T {
        if self.quiet || self.json {
            return work();
        }
        let (done, finished) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                if finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    stderr(&format!("{task} …\n"));
                }
            });
            let made = work();
            drop(done);
            made
        })
    }
}

fn bar(task: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix} {bar:30.cyan/black.bright} {percent:>3} %  {eta} left  {wide_msg}",
    )
    .expect("the template is sound")
    .progress_chars("━╸━");
    let bar = ProgressBar::with_draw_target(Some(TICKS as u64), ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar.set_prefix(task.to_owned());
    bar
}
