//! Everything that a run was computed with, by the paths that `--set` takes.

use serde_json::Value;

use super::markup::{Cell, Table};
use super::run::Run;
use crate::xml::escaped;

/// Longer values are cut; the scene below has all of them.
const LONGEST: usize = 120;
/// Longer scenes are cut.
const LONGEST_SCENE: usize = 400_000;

/// Paths and values, without what is shown elsewhere.
pub(super) fn of(run: &Run) -> Vec<(String, String)> {
    const ELSEWHERE: [&str; 5] = ["title", "description", "source", "probe", "expect"];
    let mut list = Vec::new();
    for (key, value) in run.scene().as_object().into_iter().flatten() {
        if !ELSEWHERE.contains(&key.as_str()) {
            flatten(key, value, &mut list);
        }
    }
    list
}

/// Tables by first word of the path, and the scene itself.
pub(super) fn html(run: &Run) -> String {
    let list = of(run);
    let mut html = String::new();
    let (mut general, mut group): (Table, Option<(&str, Table)>) = (table(), None);
    let mut finish = |group: Option<(&str, Table)>| {
        if let Some((name, table)) = group {
            html.push_str(&format!("<div><h4>{}</h4>\n{}</div>\n", escaped(name), table.html()));
        }
    };
    for (path, value) in &list {
        let Some((first, rest)) = path.split_once('.') else {
            general.row([Cell::text(path), Cell::text(value)]);
            continue;
        };
        if group.as_ref().is_none_or(|(name, _)| *name != first) {
            finish(group.take());
        }
        let (_, table) = group.get_or_insert_with(|| (first, table()));
        table.row([Cell::text(rest), Cell::text(value)]);
    }
    finish(group);
    if !general.is_empty() {
        html = format!("<div><h4>general</h4>\n{}</div>\n{html}", general.html());
    }
    format!("<div class=\"settings\">\n{html}</div>\n{}", whole_scene(run.scene()))
}

fn table() -> Table {
    Table::new([])
}

fn whole_scene(scene: &Value) -> String {
    let text = format!("{scene:#}");
    let end = text.char_indices().nth(LONGEST_SCENE).map(|(end, _)| end);
    let (text, rest) = match end {
        Some(end) => (&text[..end], "\n… the rest is in scene.json"),
        None => (&text[..], ""),
    };
    let lines: Vec<String> = text.lines().map(escaped).collect();
    format!(
        "<details><summary>The whole scene, as it was resolved</summary>\n<pre>{}{rest}</pre>\n</details>\n",
        lines.join("\n")
    )
}

/// Lists of tables are named by what names their entries.
fn flatten(path: &str, value: &Value, list: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members.iter().filter(|(key, _)| *key != "name") {
                flatten(&format!("{path}.{key}"), value, list);
            }
        }
        Value::Array(entries) if entries.iter().any(Value::is_object) => {
            for (k, entry) in entries.iter().enumerate() {
                flatten(&format!("{path}.{}", name(entry, k)), entry, list);
            }
        }
        value => list.push((path.to_owned(), short(value))),
    }
}

fn name(entry: &Value, place: usize) -> String {
    let own = entry["name"].as_str().map(str::to_owned);
    own.unwrap_or_else(|| place.to_string())
}

fn short(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().take(LONGEST).map(short).collect();
            format!("[{}]", parts.join(", "))
        }
        value => value.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
