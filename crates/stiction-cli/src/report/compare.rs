//! Several runs beside each other: a row a run, and what differs.

use super::markup::{Cell, Table, number};
use super::numbers::Numbers;
use super::run::Run;
use super::{expectations, settings};
use crate::terminal::human;
use crate::xml::escaped;

/// Tables with a row for each run.
pub(super) fn html(runs: &[Run]) -> String {
    let part = |title: &str, table: Option<Table>| match table {
        Some(table) => format!("<h3>{title}</h3>\n{}", table.html()),
        None => String::new(),
    };
    part("At a glance", Some(overview(runs)))
        + &part("What came out", expected(runs))
        + &part("Probes at the end", probes(runs))
        + &differences(runs)
}

/// The name of a run, which leads to its part of the page.
fn link(run: &Run, number: usize) -> Cell {
    Cell::html(format!("<a href=\"#run-{number}\">{}</a>", escaped(&run.name)))
}

fn heads(first: &str, rest: impl IntoIterator<Item = String>) -> Vec<Cell> {
    [Cell::text(first)]
        .into_iter()
        .chain(rest.into_iter().map(|head| Cell::number(&head)))
        .collect()
}

fn overview(runs: &[Run]) -> Table {
    const HEADS: [&str; 11] = [
        "run",
        "status",
        "integrator",
        "time step",
        "steps",
        "computed in",
        "iterations a step",
        "stopped short",
        "deepest overlap",
        "unresisted slip",
        "as expected",
    ];
    let mut table = Table::new(
        HEADS.iter().enumerate().map(
            |(k, head)| {
                if k < 3 { Cell::text(head) } else { Cell::number(head) }
            },
        ),
    );
    for (k, run) in runs.iter().enumerate() {
        let numbers = Numbers::of(run);
        let expected = expectations::of(run);
        let holding = expected.iter().filter(|expected| expected.holds).count();
        let (method, settings) = method(run);
        let integrator = settings["integrator"].as_str();
        let short = Cell::number(&human::count(numbers.short.len()));
        let deepest = match numbers.deepest.0 {
            depth if depth > 0.0 => Cell::number(&human::length(depth)).class("number bad"),
            _ => Cell::number("none"),
        };
        table.row([
            link(run, k),
            match run.status() {
                "finished" => Cell::text("finished"),
                status => Cell::text(status).class("bad"),
            },
            Cell::text(&integrator.map_or(method.clone(), |name| format!("{method}, {name}"))),
            Cell::number(&format!(
                "{} s",
                number(settings["time_step"].as_f64().unwrap_or(f64::NAN), 6)
            )),
            Cell::number(&human::count(numbers.steps)),
            Cell::number(&human::duration(numbers.seconds)),
            Cell::number(&number(numbers.mean_iterations(), 3)),
            if numbers.short.is_empty() { short } else { short.class("number bad") },
            deepest,
            match numbers.unresisted {
                none if none <= 0.0 => Cell::number("none"),
                slip => Cell::number(&format!("{} m/s", number(slip, 2))),
            },
            match expected.len() {
                0 => Cell::number("–"),
                all if all == holding => {
                    Cell::number(&expectations::count(&expected)).class("number good")
                }
                _ => Cell::number(&expectations::count(&expected)).class("number bad"),
            },
        ]);
    }
    table
}

/// The method that a run was computed by, and its settings.
fn method(run: &Run) -> (String, &serde_json::Value) {
    let methods = &run.scene()["method"];
    let first = methods.as_object().and_then(|methods| methods.iter().next());
    first.map_or((String::new(), methods), |(name, settings)| (name.clone(), settings))
}

/// Values of expectations, by name.
fn expected(runs: &[Run]) -> Option<Table> {
    let all: Vec<_> = runs.iter().map(expectations::of).collect();
    let names = distinct(all.iter().flatten().map(|expected| expected.name.to_owned()));
    let mut table = Table::new(heads("run", names.iter().cloned()));
    for (k, run) in runs.iter().enumerate() {
        let cell = |name: &String| match all[k].iter().find(|expected| expected.name == name) {
            None => Cell::number("–"),
            Some(expected) => {
                let (mark, class) =
                    if expected.holds { ("✓", "number good") } else { ("✗", "number bad") };
                Cell::number(&format!("{mark} {}", number(expected.value, 5))).class(class)
            }
        };
        table.row([link(run, k)].into_iter().chain(names.iter().map(cell)));
    }
    (!names.is_empty()).then_some(table)
}

/// Last values of probes, by name and unit.
fn probes(runs: &[Run]) -> Option<Table> {
    let head = |name: &str, unit: &str| match unit {
        "" | "1" => name.to_owned(),
        unit => format!("{name} [{unit}]"),
    };
    let columns = runs.iter().flat_map(Run::probe_columns);
    let names = distinct(columns.map(|probe| head(&probe.name, &probe.unit)));
    let mut table = Table::new(heads("run", names.iter().cloned()));
    for (k, run) in runs.iter().enumerate() {
        let cell = |name: &String| {
            let own =
                run.probe_columns().iter().find(|probe| head(&probe.name, &probe.unit) == *name);
            let last = own.and_then(|probe| probe.numbers.last());
            Cell::number(&last.map_or("–".to_owned(), |&last| number(last, 5)))
        };
        table.row([link(run, k)].into_iter().chain(names.iter().map(cell)));
    }
    (!names.is_empty()).then_some(table)
}

/// A row for each setting that is not the same in all runs; what differs from the first run stands out. What was
/// chosen for pairs of bodies, often by one method alone, is folded away.
fn differences(runs: &[Run]) -> String {
    let all: Vec<_> = runs.iter().map(settings::of).collect();
    let value = |run: usize, path: &str| {
        all[run].iter().find(|(own, _)| own == path).map(|(_, value)| value.as_str())
    };
    let table = |paths: &[&String]| {
        let names = runs.iter().enumerate().map(|(k, run)| link(run, k));
        let mut table = Table::new([Cell::text("setting")].into_iter().chain(names));
        for path in paths {
            let first = value(0, path);
            let cell = |run: usize| {
                let value = value(run, path);
                let cell = Cell::text(value.unwrap_or("–"));
                if value == first { cell } else { cell.class("other") }
            };
            table.row([Cell::text(path)].into_iter().chain((0..runs.len()).map(cell)));
        }
        table.html()
    };
    let paths = distinct(all.iter().flatten().map(|(path, _)| path.clone()));
    let differs = |path: &&String| (1..runs.len()).any(|run| value(run, path) != value(0, path));
    let (of_pairs, others): (Vec<&String>, Vec<&String>) =
        paths.iter().filter(differs).partition(|path| path.starts_with("contact."));
    if of_pairs.is_empty() && others.is_empty() {
        return String::new();
    }
    let mut html = "<h3>Settings that differ</h3>\n".to_owned();
    if !others.is_empty() {
        html += &table(&others);
    }
    if !of_pairs.is_empty() {
        let count = human::plural(of_pairs.len(), "setting", "settings");
        html += &format!("<details><summary>Pairs of bodies, {count}</summary>\n");
        html += &table(&of_pairs);
        html += "</details>\n";
    }
    html
}

/// Each once, in the order in which they come.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}
