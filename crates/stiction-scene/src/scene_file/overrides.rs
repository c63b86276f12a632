//! Changing values by path: `body.block.material.youngs_modulus = 2e6`.
//!
//! A step of a path is a key of a table, or the `name` or number of an item of a list. Tables that are missing are
//! made; whether they make sense is found when the scene is read. Steps with dots in them are written in quotes.

use super::decode::{Decode, did_you_mean, wrong};
use super::format::MethodTable;
use super::problem::Problems;
use super::source::{Sources, Span};
use super::tree::{Entry, Node, Value, from_toml_value};

/// Values changed in a variant of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes(pub(super) Vec<Change>);

/// Keys of an expectation that say how far it may be off.
const LIMITS: [&str; 5] = ["value", "tolerance", "relative", "above", "below"];
/// Before a source that speaks of other limits.
const COARSE_LIMITS: &str = "limits of --coarse; without it: ";

impl Node {
    /// What a table has under a key, or a list under a name or number.
    fn find(&mut self, step: &str) -> Option<&mut Self> {
        if self.is_item(step) {
            return Some(self);
        }
        match &mut self.value {
            Value::Table(entries) => {
                entries.iter_mut().find(|entry| entry.key == step).map(|entry| &mut entry.node)
            }
            Value::Array(items) => item(items, step).map(|at| &mut items[at]),
            _ => None,
        }
    }
}

/// A path, and what is put there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) path_span: Span,
    pub(super) node: Node,
}

impl Changes {
    /// Makes the changes, in order.
    pub(super) fn apply(&self, root: &mut Node, problems: &mut Problems) {
        for change in &self.0 {
            change.apply(root, problems);
        }
    }

    /// Makes the changes of the coarse scene. Where they set other limits of an expectation and keep its source, the
    /// source says so: it speaks of the limits that the scene has otherwise.
    pub(super) fn apply_coarse(&self, root: &mut Node, problems: &mut Problems) {
        self.apply(root, problems);
        let paths: Vec<Vec<String>> =
            self.0.iter().filter_map(|change| steps(&change.path)).collect();
        let mut marked: Vec<&str> = Vec::new();
        for path in &paths {
            let [list, name, key] = &path[..] else { continue };
            let own = |other: &Vec<String>| other[..] == [list.as_str(), name, "source"];
            if list == "expect"
                && LIMITS.contains(&key.as_str())
                && !paths.iter().any(own)
                && !marked.contains(&name.as_str())
                && let Some(Value::Text(source)) = root
                    .find(list)
                    .and_then(|list| list.find(name)?.find("source"))
                    .map(|n| &mut n.value)
            {
                *source = format!("{COARSE_LIMITS}{source}");
                marked.push(name);
            }
        }
    }
}

impl Change {
    /// Reads `path=value`, as on a command line. What is no TOML value is a text.
    pub(super) fn from_argument(
        argument: &str,
        sources: &mut Sources,
        problems: &mut Problems,
    ) -> Option<Self> {
        let source = sources.add("--set", argument);
        let Some((path, text)) = argument.split_once('=') else {
            problems.add(
                Span::new(source, 0..argument.len()),
                "expected PATH=VALUE",
                "for example body.block.material.youngs_modulus=2e6".to_owned(),
            );
            return None;
        };
        let value_start = argument.len() - text.trim_start().len();
        let value_span = Span::new(source, value_start..value_start + text.trim().len());
        let mut node = from_toml_value(text.trim(), source).unwrap_or_else(|| Node {
            value: Value::Text(text.trim().to_owned()),
            span: value_span,
        });
        relocate(&mut node, value_span);
        let path_span = Span::new(source, 0..path.len());
        Some(Self { path: path.trim().to_owned(), path_span, node })
    }

    pub(super) fn apply(&self, root: &mut Node, problems: &mut Problems) {
        let Some(steps) = steps(&self.path) else {
            let help = "separate keys by dots, and quote those that hold dots".to_owned();
            problems.add(self.path_span, format!("`{}` is no path", self.path), help);
            return;
        };
        let mut node = root;
        let mut parent = "";
        for (depth, step) in steps.iter().enumerate() {
            let last = depth + 1 == steps.len();
            expand_preset(node, parent);
            let kind = node.kind();
            // A single table is a list of one.
            if depth > 0 && !last && node.is_item(step) {
                parent = step;
                continue;
            }
            node = match &mut node.value {
                Value::Table(entries) => {
                    let at = entries.iter().position(|entry| entry.key == *step);
                    let at = at.unwrap_or_else(|| {
                        let node = Node { value: Value::Table(Vec::new()), span: self.path_span };
                        entries.push(Entry { key: step.clone(), key_span: self.path_span, node });
                        entries.len() - 1
                    });
                    if last {
                        entries[at].key_span = self.path_span;
                    }
                    &mut entries[at].node
                }
                Value::Array(items) => match item(items, step) {
                    Some(at) => &mut items[at],
                    None => {
                        let names: Vec<&str> = items.iter().filter_map(Node::name).collect();
                        let help = did_you_mean(step, &names);
                        let what = if parent.is_empty() { "item" } else { parent };
                        let message = format!("there is no {what} `{step}` to change");
                        problems.add(self.path_span, message, help);
                        return;
                    }
                },
                _ => {
                    let message = format!("`{parent}` is {kind} and has no `{step}`");
                    let help = "end the path before, or name another key".to_owned();
                    problems.add(self.path_span, message, help);
                    return;
                }
            };
            parent = step;
        }
        *node = self.node.clone();
    }
}

/// `material = "rubber"` is short for `material = { preset = "rubber" }`.
fn expand_preset(node: &mut Node, key: &str) {
    if let (Value::Text(_), "material") = (&node.value, key) {
        let preset = node.clone();
        let entry = Entry { key: "preset".into(), key_span: node.span, node: preset };
        node.value = Value::Table(vec![entry]);
    }
}

impl Node {
    /// Whether this is a table of that name, and the name not one of its keys.
    fn is_item(&self, name: &str) -> bool {
        let Value::Table(entries) = &self.value else { return false };
        self.name() == Some(name) && !entries.iter().any(|entry| entry.key == name)
    }
}

/// The item of a list with this name, or this number.
fn item(items: &[Node], step: &str) -> Option<usize> {
    let named = items.iter().position(|item| item.name() == Some(step));
    named.or_else(|| step.parse().ok().filter(|&at: &usize| at < items.len()))
}

/// The steps of a path; nothing if one is empty or a quote stays open.
fn steps(path: &str) -> Option<Vec<String>> {
    let mut steps = vec![String::new()];
    let mut quoted = false;
    for letter in path.chars() {
        match letter {
            '"' => quoted = !quoted,
            '.' if !quoted => steps.push(String::new()),
            letter => steps.last_mut()?.push(letter),
        }
    }
    let complete = !quoted && steps.iter().all(|step| !step.trim().is_empty());
    complete.then(|| steps.into_iter().map(|step| step.trim().to_owned()).collect())
}

/// Gives a whole tree one place: positions inside a command-line value are of no use.
fn relocate(node: &mut Node, span: Span) {
    node.span = span;
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| relocate(item, span)),
        Value::Table(entries) => {
            for entry in entries {
                entry.key_span = span;
                relocate(&mut entry.node, span);
            }
        }
        _ => {}
    }
}

impl Decode for Changes {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            return wrong(node, "a table of paths and values", None, problems);
        };
        let mut changes = Vec::with_capacity(entries.len());
        for Entry { key, key_span, node } in entries {
            if let (Value::Table(_), false) = (&node.value, key.contains('.')) {
                problems.add(
                    *key_span,
                    format!("`{key}` is a table, not a value"),
                    format!("write the whole path in quotes, such as \"{key}.…\" = …"),
                );
                continue;
            }
            changes.push(Change { path: key.clone(), path_span: *key_span, node: node.clone() });
        }
        Some(Self(changes))
    }
}

/// A method in the place of the scene's, as a variant has it.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherMethod(Node);

impl OtherMethod {
    /// Puts it there, with nothing left of the other one.
    pub(super) fn apply(&self, root: &mut Node, problems: &mut Problems) {
        let (path, path_span) = ("method".to_owned(), self.0.span);
        Change { path, path_span, node: self.0.clone() }.apply(root, problems);
    }
}

impl Decode for OtherMethod {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        MethodTable::decode(node, problems).map(|_| Self(node.clone()))
    }
}

impl serde::Serialize for OtherMethod {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl schemars::JsonSchema for OtherMethod {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OtherMethod".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        MethodTable::json_schema(generator)
    }
}

impl serde::Serialize for Changes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|change| (&change.path, &change.node)))
    }
}

impl schemars::JsonSchema for Changes {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Changes".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "additionalProperties": true })
    }
}

impl serde::Serialize for Node {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Table(entries) => {
                serializer.collect_map(entries.iter().map(|entry| (&entry.key, &entry.node)))
            }
            Value::Array(items) => serializer.collect_seq(items),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::Float(number) => serializer.serialize_f64(*number),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Null | Value::Other(_) => serializer.serialize_none(),
        }
    }
}
