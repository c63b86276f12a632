//! The page as a whole.

use super::pictures::Pictures;
use super::run::Run;
use super::{compare, figures, section};
use crate::xml::escaped;

/// All runs on one page; with several, first what they have in common.
pub(super) fn page(runs: &[Run], pictures: &[Option<Pictures>], title: Option<&str>) -> String {
    let title = title.map_or_else(|| default_title(runs), str::to_owned);
    let mut main = String::new();
    if runs.len() > 1 {
        main.push_str(&format!(
            "<section>\n<h2>Compared</h2>\n{}<h3>Over time</h3>\n{}</section>\n",
            compare::html(runs),
            figures::of_many(runs)
        ));
    }
    for (k, (run, pictures)) in runs.iter().zip(pictures).enumerate() {
        main.push_str(&section::html(run, pictures.as_ref(), (runs.len() > 1).then_some(k)));
    }
    document(&title, &main)
}

/// A page that needs nothing else.
pub(crate) fn document(title: &str, main: &str) -> String {
    // Nothing may be loaded or run, whatever got into the page.
    const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta \
         charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <title>{0}</title>\n<style>\n{1}{3}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{main}\
         <footer>Written by stiction {2}. SI units.</footer>\n</main>\n</body>\n</html>\n",
        escaped(title),
        include_str!("style.css"),
        env!("CARGO_PKG_VERSION"),
        include_str!("chart.css")
    )
}

/// The title that all runs share, or those of all.
fn default_title(runs: &[Run]) -> String {
    let mut titles: Vec<&str> = Vec::new();
    for title in runs.iter().map(Run::title) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    match (&titles[..], runs.len()) {
        ([title], 1) => (*title).to_owned(),
        ([title], count) => format!("{title}: {count} runs"),
        (titles, _) => titles.join(", "),
    }
}
