//! One run: what it is, what came out, how it was computed.

use std::fmt::Write as _;

use super::markup::{Cell, Table, number};
use super::numbers::Numbers;
use super::pictures::Pictures;
use super::run::Run;
use super::{expectations, figures, settings};
use crate::terminal::human;
use crate::xml::escaped;

/// More steps that stopped short than anyone reads of.
const MOST_SHORT: usize = 12;

/// One run. Among others, `number` counts it.
pub(super) fn html(run: &Run, pictures: Option<&Pictures>, number: Option<usize>) -> String {
    let numbers = Numbers::of(run);
    let mut html = String::from("<section class=\"run\">\n");
    if let Some(number) = number {
        let _ = writeln!(
            html,
            "<h2 id=\"run-{number}\">{}: {}</h2>",
            escaped(&run.name),
            escaped(run.title())
        );
    }
    html.push_str(&about(run));
    html.push_str(&facts(run, &numbers));
    html.push_str(&warnings(run, &numbers));
    html.push_str(&pictures.map_or_else(String::new, Pictures::html));
    let _ = write!(html, "<h3>What came out</h3>\n{}", expectations::html(run));
    html.push_str(&probes(run));
    let plots = if number.is_none() { figures::of_one } else { figures::of_one_among_others };
    let _ = write!(html, "<h3>Over time</h3>\n{}", plots(run));
    let _ = write!(html, "<h3>Computing time</h3>\n{}", timing(&numbers));
    let _ = write!(html, "<h3>Settings</h3>\n{}", settings::html(run));
    html + "</section>\n"
}

fn about(run: &Run) -> String {
    let scene = run.scene();
    let line = |class: &str, before: &str, text: &str| match text {
        "" => String::new(),
        text => format!("<p class=\"{class}\">{before}{}</p>\n", escaped(text)),
    };
    line("lead", "", scene["description"].as_str().unwrap_or_default())
        + &line("soft", "After ", scene["source"].as_str().unwrap_or_default())
}

/// The most important numbers, large.
fn facts(run: &Run, numbers: &Numbers) -> String {
    let totals = &run.report["totals"];
    let count = |name: &str| human::count(totals[name].as_u64().unwrap_or(0) as usize);
    let expected = expectations::of(run);
    let holding = expected.iter().filter(|expected| expected.holds).count();
    let mut facts = vec![
        ("status", run.status().to_owned(), if run.status() == "failed" { "bad" } else { "" }),
        ("simulated", format!("{} s", number(numbers.time, 5)), ""),
        ("computed in", human::duration(numbers.seconds), ""),
        ("steps", human::count(numbers.steps), ""),
        ("iterations a step", number(numbers.mean_iterations(), 3), ""),
        ("vertices", count("vertices"), ""),
        ("elements", count("elements"), ""),
    ];
    if numbers.most_contacts > 0.0 {
        facts.push(("contacts at most", human::count(numbers.most_contacts as usize), ""));
    }
    if !expected.is_empty() {
        let class = if holding == expected.len() { "good" } else { "bad" };
        facts.insert(1, ("as expected", expectations::count(&expected), class));
    }
    let facts: String = facts
        .iter()
        .map(|(name, value, class)| {
            format!("<div><dt>{name}</dt><dd class=\"{class}\">{}</dd></div>\n", escaped(value))
        })
        .collect();
    let version = run.report["versions"]["stiction"].as_str().unwrap_or("?");
    let threads = run.report["threads"].as_u64().unwrap_or(0);
    format!(
        "<dl class=\"facts\">\n{facts}</dl>\n<p class=\"soft\">Folder <code>{}</code>, stiction {}, {}.</p>\n",
        escaped(&run.folder.display().to_string()),
        escaped(version),
        human::plural(threads as usize, "thread", "threads")
    )
}

/// What a reader must know before believing the rest.
fn warnings(run: &Run, numbers: &Numbers) -> String {
    let mut warnings: Vec<String> = Vec::new();
    match run.status() {
        "running" => warnings
            .push("The run has not come to its end: it still goes on, or was killed.".into()),
        "stopped" => warnings.push("The run was stopped before its end.".into()),
        "failed" => warnings.push("The run failed before its end.".into()),
        _ => {}
    }
    let notes = run.report["notes"].as_array().into_iter().flatten();
    warnings.extend(notes.filter_map(|note| note.as_str()).map(str::to_owned));
    if !numbers.short.is_empty() {
        let (short, steps) = (numbers.short.len(), numbers.steps);
        warnings.push(format!("{short} of {steps} steps stopped short of their tolerance."));
    }
    let (deepest, time) = numbers.deepest;
    if numbers.overlapping > 0 {
        warnings.push(format!(
            "Bodies overlapped at the end of {} of {} steps, deepest by {} at {} s.",
            numbers.overlapping,
            numbers.steps,
            human::length(deepest),
            number(time, 4)
        ));
    }
    let (frames, most) = numbers.crossing;
    if frames > 0 {
        warnings.push(format!(
            "Bodies pass through each other or themselves in {}: up to {} of triangles cross.",
            human::plural(frames, "frame", "frames"),
            human::plural(most as usize, "pair", "pairs")
        ));
    }
    if numbers.failed_attempts > 0.0 {
        let failed = human::plural(numbers.failed_attempts as usize, "attempt", "attempts");
        warnings.push(format!("{failed} at a step failed and went on in halves."));
    }
    let mut html: String = warnings
        .iter()
        .map(|text| format!("<p class=\"warning\">{}</p>\n", escaped(text)))
        .collect();
    if !numbers.short.is_empty() {
        let heads =
            [Cell::text("step"), Cell::text("time"), Cell::text("status"), Cell::text("residual")];
        let mut table = Table::new(heads);
        for short in numbers.short.iter().take(MOST_SHORT) {
            table.row([
                Cell::text(&number(short.step, 9)),
                Cell::number(&format!("{} s", number(short.time, 5))),
                Cell::text(&short.status),
                Cell::number(&format!("{} {}", number(short.residual, 3), short.unit)),
            ]);
        }
        let more = numbers.short.len().saturating_sub(MOST_SHORT);
        let more = if more > 0 {
            format!("<p class=\"soft\">and {more} more</p>\n")
        } else {
            String::new()
        };
        let _ = write!(
            html,
            "<details><summary>Which steps</summary>\n{}{more}</details>\n",
            table.html()
        );
    }
    html
}

/// What was followed.
fn probes(run: &Run) -> String {
    let heads = ["probe", "start", "least", "largest", "end", "unit"];
    let heads = heads.into_iter().enumerate().map(|(k, head)| {
        let class = if (1..5).contains(&k) { "number" } else { "" };
        Cell::text(head).class(class)
    });
    let mut table = Table::new(heads);
    for probe in run.probe_columns() {
        let finite = || probe.numbers.iter().copied().filter(|x| !x.is_nan());
        let ends = [probe.numbers.first(), probe.numbers.last()].map(|x| *x.unwrap_or(&f64::NAN));
        let [least, largest] =
            [finite().fold(f64::NAN, f64::min), finite().fold(f64::NAN, f64::max)];
        let cells = [ends[0], least, largest, ends[1]].map(|x| Cell::number(&number(x, 5)));
        let unit = Cell::text(if probe.unit == "1" { "" } else { &probe.unit }).class("soft");
        table.row([Cell::text(&probe.name)].into_iter().chain(cells).chain([unit]));
    }
    if table.is_empty() { String::new() } else { table.html() }
}

/// Where the time went.
fn timing(numbers: &Numbers) -> String {
    if numbers.seconds <= 0.0 {
        return "<p class=\"soft\">No step was taken yet.</p>\n".to_owned();
    }
    let named: f64 = numbers.phases.iter().map(|(_, seconds)| seconds).sum();
    let mut phases = numbers.phases.clone();
    phases.push(("everything else".to_owned(), (numbers.seconds - named).max(0.0)));
    phases.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut table = Table::new([]);
    for (name, seconds) in phases.iter().filter(|(_, seconds)| *seconds > 0.0) {
        let share = 100.0 * seconds / numbers.seconds;
        table.row([
            Cell::text(name),
            Cell::number(&human::duration(*seconds)),
            Cell::number(&format!("{share:.1} %")),
            Cell::html(format!(
                "<span class=\"bar\" style=\"width:{:.1}%\"></span>",
                share.min(100.0)
            ))
            .class("bars"),
        ]);
    }
    let step = human::duration(numbers.seconds / numbers.steps.max(1) as f64);
    format!("{}<p class=\"soft\">{step} a step, on the average.</p>\n", table.html())
}
