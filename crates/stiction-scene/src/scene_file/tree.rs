//! A file as a tree of values that know where they were written, whatever its notation.

use super::problem::Problems;
use super::source::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) span: Span,
}

/// What TOML and JSON have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Table(Vec<Entry>),
    Array(Vec<Node>),
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Null,
    /// Dates, and numbers beyond 64 bits: known to the notation, not to us.
    Other(&'static str),
}

/// A key of a table, and what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) node: Node,
}

impl Node {
    /// Names of the items of a list at the root, also of those that are wrong otherwise.
    pub(super) fn names(&self, list: &str) -> Vec<String> {
        let Value::Table(entries) = &self.value else { return Vec::new() };
        let Some(entry) = entries.iter().find(|entry| entry.key == list) else { return Vec::new() };
        match &entry.node.value {
            Value::Array(items) => items.iter().filter_map(Self::name).map(str::to_owned).collect(),
            _ => entry.node.name().map(str::to_owned).into_iter().collect(),
        }
    }

    /// Gives items of a list at the root that have no name one of their place: `body-0`, `body-1`, ….
    pub(super) fn name_items(&mut self, list: &str) {
        let Value::Table(entries) = &mut self.value else { return };
        let Some(entry) = entries.iter_mut().find(|entry| entry.key == list) else { return };
        let items = match &mut entry.node.value {
            Value::Array(items) => items.as_mut_slice(),
            _ => std::slice::from_mut(&mut entry.node),
        };
        for (number, Self { value, span }) in items.iter_mut().enumerate() {
            let Value::Table(entries) = value else { continue };
            // A JSON `null` says the same as leaving the key out.
            entries.retain(|entry| entry.key != "name" || entry.node.value != Value::Null);
            if !entries.iter().any(|entry| entry.key == "name") {
                let node = Self { value: Value::Text(format!("{list}-{number}")), span: *span };
                entries.push(Entry { key: "name".into(), key_span: *span, node });
            }
        }
    }

    /// Whether the root has this key, and not as an empty list.
    pub(super) fn has(&self, list: &str) -> bool {
        let Value::Table(entries) = &self.value else { return false };
        let empty = |node: &Self| matches!(&node.value, Value::Array(items) if items.is_empty());
        entries.iter().any(|entry| entry.key == list && !empty(&entry.node))
    }

    /// A table with these keys only.
    pub(super) fn only(&self, keys: &[&str]) -> Self {
        let Value::Table(entries) = &self.value else { return self.clone() };
        let kept = entries.iter().filter(|entry| keys.contains(&entry.key.as_str()));
        Self { value: Value::Table(kept.cloned().collect()), span: self.span }
    }

    /// The `name` of a table.
    pub(super) fn name(&self) -> Option<&str> {
        let Value::Table(entries) = &self.value else { return None };
        match &entries.iter().find(|entry| entry.key == "name")?.node.value {
            Value::Text(name) => Some(name),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub(super) fn kind(&self) -> String {
        match &self.value {
            Value::Table(_) => "a table".into(),
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Text(text) if text.chars().count() <= 24 => format!("the text \"{text}\""),
            Value::Text(_) => "a text".into(),
            Value::Integer(number) => format!("the number {number}"),
            Value::Float(number) => format!("the number {number}"),
            Value::Boolean(value) => format!("{value}"),
            Value::Null => "null".into(),
            Value::Other(what) => (*what).into(),
        }
    }
}

/// Reads TOML. Syntax errors are noted; what could be read is returned.
pub(super) fn from_toml(text: &str, source: usize, problems: &mut Problems) -> Node {
    let (table, errors) = toml::de::DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let help =
            "texts go into quotes, lists into brackets, tables into braces on one line".to_owned();
        problems.add(Span::new(source, span), error.message().to_owned(), help);
    }
    let span = Span::new(source, table.span());
    toml_table(table.get_ref(), span, source)
}

/// Reads one TOML value, as on the right of `=`.
pub(super) fn from_toml_value(text: &str, source: usize) -> Option<Node> {
    let value = toml::de::DeValue::parse(text).ok()?;
    Some(toml_node(&value, source))
}

fn toml_table(table: &toml::de::DeTable<'_>, span: Span, source: usize) -> Node {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_span: Span::new(source, key.span()),
            node: toml_node(value, source),
        })
        .collect();
    // The order of the file, whatever the order of the map.
    entries.sort_by_key(|entry| entry.key_span.range().start);
    Node { value: Value::Table(entries), span }
}

fn toml_node(value: &toml::Spanned<toml::de::DeValue<'_>>, source: usize) -> Node {
    use toml::de::DeValue;
    let span = Span::new(source, value.span());
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Value::Other("a number beyond 64 bits"), Value::Integer),
        DeValue::Float(number) => {
            number.as_str().parse().map_or(Value::Other("a number beyond 64 bits"), Value::Float)
        }
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| toml_node(item, source)).collect())
        }
        DeValue::Table(table) => return toml_table(table, span, source),
    };
    Node { value, span }
}

/// Reads JSON, comments and trailing commas allowed.
pub(super) fn from_json(text: &str, source: usize, problems: &mut Problems) -> Node {
    let empty = Node { value: Value::Table(Vec::new()), span: Span::new(source, 0..0) };
    let options = jsonc_parser::ParseOptions::default();
    let collect = jsonc_parser::CollectOptions::default();
    match jsonc_parser::parse_to_ast(text, &collect, &options) {
        Ok(parsed) => match parsed.value {
            Some(value) => json_node(&value, source, problems),
            None => empty,
        },
        Err(error) => {
            let range = error.range();
            let span = Span::new(source, range.start..range.end);
            let help = "keys and texts go into quotes, with commas between".to_owned();
            problems.add(span, error.kind().to_string(), help);
            empty
        }
    }
}

fn json_node(value: &jsonc_parser::ast::Value<'_>, source: usize, problems: &mut Problems) -> Node {
    use jsonc_parser::ast::{ObjectPropName, Value as Json};
    use jsonc_parser::common::Ranged as _;
    let span = |range: jsonc_parser::common::Range| Span::new(source, range.start..range.end);
    let node = match value {
        Json::StringLit(text) => Value::Text(text.value.to_string()),
        Json::NumberLit(number) => json_number(number.value),
        Json::BooleanLit(literal) => Value::Boolean(literal.value),
        Json::NullKeyword(_) => Value::Null,
        Json::Array(array) => {
            let items = array.elements.iter();
            Value::Array(items.map(|item| json_node(item, source, problems)).collect())
        }
        Json::Object(object) => {
            let mut entries: Vec<Entry> = Vec::new();
            let mut keys = std::collections::BTreeSet::new();
            for property in &object.properties {
                let (key, range) = match &property.name {
                    ObjectPropName::String(text) => (text.value.to_string(), text.range),
                    ObjectPropName::Word(word) => (word.value.to_string(), word.range),
                };
                if !keys.insert(key.clone()) {
                    let help = "keep one of them".to_owned();
                    problems.add(span(range), format!("`{key}` is given twice"), help);
                }
                let node = json_node(&property.value, source, problems);
                entries.push(Entry { key, key_span: span(range), node });
            }
            Value::Table(entries)
        }
    };
    Node { value: node, span: span(value.range()) }
}

/// Integers stay integers, so that a count is not taken for a length.
fn json_number(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>() {
        return Value::Integer(number);
    }
    text.parse().map_or(Value::Other("a number we cannot read"), Value::Float)
}
