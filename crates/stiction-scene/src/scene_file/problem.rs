//! What is wrong with a scene file: all of it at once, each with its place and a remedy.

use std::fmt;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::source::{Sources, Span};

/// Problems that are shown with excerpts; nobody reads more.
const MAX_SHOWN: usize = 50;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What.
    pub message: String,
    /// Where, unless it is the file as a whole.
    pub span: Option<Span>,
    /// The remedy.
    pub help: Option<String>,
}

/// Gathers problems while a file is read, so that one reading finds them all.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) list: Vec<Problem>,
}

impl Problems {
    pub(super) fn add(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.list.push(Problem { message: message.into(), span: Some(span), help: help.into() });
    }

    /// Takes an error of the library, whose message ends with its own `help:` line.
    pub(super) fn add_error(&mut self, span: Span, error: &dyn fmt::Display) {
        let (message, help) = split_help(&in_words_of_scenes(&error.to_string()));
        let help =
            help.unwrap_or_else(|| "change it; docs/scenes.md tells what it may be".to_owned());
        self.add(span, message, help);
    }

    /// The value, or its error noted at `span`.
    pub(super) fn note<T, E: fmt::Display>(
        &mut self,
        span: Span,
        result: Result<T, E>,
    ) -> Option<T> {
        result.map_err(|error| self.add_error(span, &error)).ok()
    }
}

/// What the library calls by its functions, as those know it who write scenes.
const WORDS: [(&str, &str); 9] = [
    ("`Soup::without_degenerate`", "`stiction mesh convert IN OUT --repair`"),
    ("`Soup::without_duplicates`", "`stiction mesh convert IN OUT --repair`"),
    ("`Soup::without_unused_vertices`", "`stiction mesh convert IN OUT --repair`"),
    ("`TetSoup::oriented`", "`stiction mesh convert IN OUT --repair`"),
    ("`TriSoup::oriented_consistently`", "`stiction mesh convert IN OUT --repair`"),
    ("use `Soup::welded` first", "add `--weld 1e-6`"),
    ("`Transform::with_scale`: scale", "`scale`"),
    ("`cuboid`:", "`box`:"),
    ("`tetrahedralise`:", "`surface`:"),
];

fn in_words_of_scenes(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (function, words)| text.replace(function, words))
}

/// Splits `message\n  help: remedy`, as errors and notes are written.
pub fn split_help(text: &str) -> (String, Option<String>) {
    match text.split_once("\n  help: ") {
        Some((message, help)) => (message.to_owned(), Some(help.to_owned())),
        None => (text.to_owned(), None),
    }
}

/// A scene that cannot be simulated as it is written.
#[derive(Debug, Clone)]
pub struct SceneFileError {
    sources: Sources,
    problems: Vec<Problem>,
}

impl SceneFileError {
    /// Problems in the order of the file, then of the command line.
    pub(super) fn new(sources: Sources, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.span.map(|span| span.order()));
        Self { sources, problems }
    }

    /// All that is wrong, in the order of the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// File, line and column of a problem.
    pub fn place(&self, problem: &Problem) -> Option<(&str, usize, usize)> {
        let span = problem.span?;
        let (line, column) = self.sources.line_column(span);
        Some((&self.sources.of(span).name, line, column))
    }

    /// All problems as text with excerpts, for people; with colours if asked for.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let one = |problem: &Problem| {
            let title = Level::ERROR.primary_title(problem.message.as_str());
            let mut group = match problem.span {
                None => title.elements([] as [Snippet<'_, annotate_snippets::Annotation<'_>>; 0]),
                Some(span) => {
                    let source = self.sources.of(span);
                    title.element(
                        Snippet::source(source.text.as_str())
                            .path(source.name.as_str())
                            .annotation(AnnotationKind::Primary.span(within(span, &source.text))),
                    )
                }
            };
            if let Some(help) = &problem.help {
                group = group.element(Level::HELP.message(help.as_str()));
            }
            renderer.render(&[group])
        };
        let mut texts: Vec<String> = self.problems.iter().take(MAX_SHOWN).map(one).collect();
        if let more @ 1.. = self.problems.len().saturating_sub(MAX_SHOWN) {
            texts.push(format!("… and {more} more"));
        }
        texts.join("\n\n")
    }
}

/// The span, kept inside the text and on whole characters, and never longer than its first line.
fn within(span: Span, text: &str) -> std::ops::Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (floor(span.range().start), floor(span.range().end));
    let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
    start..end.clamp(start, line_end)
}

impl fmt::Display for SceneFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for SceneFileError {}
