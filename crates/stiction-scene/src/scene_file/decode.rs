//! From a tree to typed tables, noting everything that does not fit.
//!
//! One declaration of a table ([`record!`]), of alternatives ([`choice!`]) or of words ([`word!`]) gives the Rust type,
//! its reader, its JSON Schema and its way back to JSON. Readers go on after a mistake: a file with five of them is
//! read once, not five times.

use super::problem::Problems;
use super::source::Span;
use super::tree::{Entry, Node, Value};
use stiction::names::nearest;

/// A type that can be read from a node. `None` means that a problem has been noted.
pub(super) trait Decode: Sized {
    /// What can be written, where that is a list of words: said where a table lacks one.
    const WORDS: &'static [&'static str] = &[];

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self>;
}

/// A field of a table: needed, optional, or a list that may be missing.
pub(super) trait Field: Sized {
    fn field(table: &Table<'_>, key: &str, problems: &mut Problems) -> Option<Self>;
}

impl<T: Decode> Field for T {
    fn field(table: &Table<'_>, key: &str, problems: &mut Problems) -> Option<Self> {
        let Some(entry) = table.get(key) else {
            let help = match T::WORDS {
                [] => format!("add `{key} = …`; docs/scenes.md shows one"),
                words => format!("give one of: {}", words.join(", ")),
            };
            problems.add(table.span, format!("{} needs `{key}`", table.what), help);
            return None;
        };
        T::decode(&entry.node, problems)
    }
}

impl<T: Decode> Field for Option<T> {
    fn field(table: &Table<'_>, key: &str, problems: &mut Problems) -> Option<Self> {
        match table.get(key) {
            // A JSON `null` says the same as leaving the key out.
            None | Some(Entry { node: Node { value: Value::Null, .. }, .. }) => Some(None),
            Some(entry) => T::decode(&entry.node, problems).map(Some),
        }
    }
}

impl<T: Decode> Field for Vec<T> {
    fn field(table: &Table<'_>, key: &str, problems: &mut Problems) -> Option<Self> {
        let Some(entry) = table.get(key) else { return Some(Vec::new()) };
        // A single table is a list of one. Items that fail are left out, so that the others can be looked at further.
        match &entry.node.value {
            Value::Array(items) => {
                Some(items.iter().filter_map(|item| T::decode(item, problems)).collect())
            }
            _ => T::decode(&entry.node, problems).map(|item| vec![item]),
        }
    }
}

/// Exactly a list: for lists inside values, such as a line of points.
#[derive(Clone, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct List<T>(pub Vec<T>);

impl<T: Decode> Decode for List<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::Array(items) = &node.value else {
            return wrong(node, "a list", None, problems);
        };
        let items: Vec<Option<T>> = items.iter().map(|item| T::decode(item, problems)).collect();
        items.into_iter().collect::<Option<_>>().map(Self)
    }
}

/// A value that remembers where it was written.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    #[serde(skip)]
    pub span: Span,
}

impl<T: Decode> Decode for Spanned<T> {
    const WORDS: &'static [&'static str] = T::WORDS;

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        T::decode(node, problems).map(|value| Self { value, span: node.span })
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        T::decode(node, problems).map(Self::new)
    }
}

/// A table whose keys are known.
pub(super) struct Table<'a> {
    entries: &'a [Entry],
    span: Span,
    what: &'static str,
}

impl<'a> Table<'a> {
    /// Notes keys that are not among `known`, each with what was perhaps meant.
    pub(super) fn open(
        node: &'a Node,
        what: &'static str,
        known: &[&'static str],
        problems: &mut Problems,
    ) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            return wrong(node, what, Some(format!("known keys: {}", known.join(", "))), problems);
        };
        for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let message = format!("{what} has no key `{}`", entry.key);
            problems.add(entry.key_span, message, did_you_mean(&entry.key, known));
        }
        Some(Self { entries, span: node.span, what })
    }

    fn get(&self, key: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The one entry of a table of alternatives.
    pub(super) fn only(
        &self,
        known: &[&'static str],
        problems: &mut Problems,
    ) -> Option<&'a Entry> {
        let mut given = self.entries.iter().filter(|entry| known.contains(&entry.key.as_str()));
        let Some(first) = given.next() else {
            // A mistyped key has been noted already.
            if self.entries.is_empty() {
                let help = format!("give one of: {}", known.join(", "));
                problems.add(self.span, format!("{} is empty", self.what), help);
            }
            return None;
        };
        if let Some(second) = given.next() {
            let message = format!(
                "{} is either `{}` or `{}`, but both are given",
                self.what, first.key, second.key
            );
            problems.add(second.key_span, message, "leave one out".to_owned());
            return None;
        }
        (self.entries.len() == 1).then_some(first)
    }
}

/// Help for a name that is not known.
pub(super) fn did_you_mean(wanted: &str, known: &[&str]) -> String {
    match nearest(wanted, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? known: {}", known.join(", ")),
        None if known.is_empty() => "there are none to choose from".to_owned(),
        None => format!("known: {}", known.join(", ")),
    }
}

/// Notes that a node is not what it should be.
pub(super) fn wrong<T>(
    node: &Node,
    expected: &str,
    help: Option<String>,
    problems: &mut Problems,
) -> Option<T> {
    let help = help.unwrap_or_else(|| format!("write {expected} here"));
    problems.add(node.span, format!("expected {expected}, found {}", node.kind()), help);
    None
}

/// A key without the mark that lets Rust use its own words as names.
pub(super) const fn key_name(identifier: &'static str) -> &'static str {
    match identifier.as_bytes() {
        [b'r', b'#', ..] => identifier.split_at(2).1,
        _ => identifier,
    }
}

/// Declares a table: `what it is called in messages`, then its fields.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident, $what:literal {
        $($(#[$field_doc:meta])* $field:ident: $kind:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])*
            #[serde(skip_serializing_if = "crate::scene_file::decode::Missing::is_missing")]
            pub $field: $kind,)*
        }

        impl $crate::scene_file::decode::Decode for $name {
            fn decode(
                node: &$crate::scene_file::tree::Node,
                problems: &mut $crate::scene_file::problem::Problems,
            ) -> Option<Self> {
                use $crate::scene_file::decode::{Field, Table, key_name};
                const KEYS: &[&str] = &[$(key_name(stringify!($field))),*];
                let table = Table::open(node, $what, KEYS, problems)?;
                // All fields are read before the first failure counts.
                $(let $field = <$kind as Field>::field(&table, key_name(stringify!($field)), problems);)*
                Some(Self { $($field: $field?,)* })
            }
        }
    };
}

/// Declares alternatives: a table with exactly one of these keys.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident, $what:literal {
        $($(#[$variant_doc:meta])* $key:literal => $variant:ident($kind:ty),)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
        #[allow(clippy::large_enum_variant, reason = "a few of them a scene")]
        pub enum $name {
            $($(#[$variant_doc])*
            #[serde(rename = $key)]
            $variant($kind),)*
        }

        impl $crate::scene_file::decode::Decode for $name {
            fn decode(
                node: &$crate::scene_file::tree::Node,
                problems: &mut $crate::scene_file::problem::Problems,
            ) -> Option<Self> {
                const KEYS: &[&str] = &[$($key),*];
                let table =
                    $crate::scene_file::decode::Table::open(node, $what, KEYS, problems)?;
                let entry = table.only(KEYS, problems)?;
                match entry.key.as_str() {
                    $($key => <$kind as $crate::scene_file::decode::Decode>::decode(&entry.node, problems)
                        .map(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// Declares a word out of a list.
macro_rules! word {
    ($(#[$doc:meta])* $name:ident, $what:literal {
        $($(#[$variant_doc:meta])* $text:literal => $variant:ident,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$variant_doc])*
            #[serde(rename = $text)]
            $variant,)*
        }

        impl $name {
            /// As it is written.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl $crate::scene_file::decode::Decode for $name {
            const WORDS: &'static [&'static str] = &[$($text),*];

            fn decode(
                node: &$crate::scene_file::tree::Node,
                problems: &mut $crate::scene_file::problem::Problems,
            ) -> Option<Self> {
                let $crate::scene_file::tree::Value::Text(text) = &node.value else {
                    let help = format!("known: {}", Self::WORDS.join(", "));
                    return $crate::scene_file::decode::wrong(node, $what, Some(help), problems);
                };
                match text.as_str() {
                    $($text => Some(Self::$variant),)*
                    _ => {
                        let help = $crate::scene_file::decode::did_you_mean(text, Self::WORDS);
                        problems.add(node.span, format!("`{text}` is not {}", $what), help);
                        None
                    }
                }
            }
        }
    };
}

pub(super) use {choice, record, word};

/// What need not be written back.
pub(super) trait Missing {
    fn is_missing(&self) -> bool;
}

impl<T: Decode> Missing for T {
    fn is_missing(&self) -> bool {
        false
    }
}

impl<T> Missing for Option<T> {
    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl<T> Missing for Vec<T> {
    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}
