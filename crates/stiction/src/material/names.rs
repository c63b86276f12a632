//! Finding things by name, and guessing what was meant.

use thiserror::Error;

use crate::names::nearest;

/// A name nothing has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no {kind} called {name:?}\n  help: {}known: {}", hint(.suggestion), .known.join(", "))]
pub struct UnknownPreset {
    /// What was looked for.
    pub kind: &'static str,
    /// The name given.
    pub name: String,
    /// The nearest known name, if one is near.
    pub suggestion: Option<&'static str>,
    /// All names.
    pub known: Vec<&'static str>,
}

fn hint(suggestion: &Option<&'static str>) -> String {
    suggestion.map(|name| format!("did you mean {name:?}? ")).unwrap_or_default()
}

/// Looks up `name` in a table.
pub(super) fn find<T: Copy>(
    kind: &'static str,
    name: &str,
    table: &[(&'static str, T)],
) -> Result<T, UnknownPreset> {
    let wanted = normalised(name);
    match table.iter().find(|(known, _)| *known == wanted) {
        Some((_, value)) => Ok(*value),
        None => {
            let known: Vec<_> = table.iter().map(|(known, _)| *known).collect();
            Err(UnknownPreset {
                kind,
                name: name.into(),
                suggestion: nearest(&wanted, known.iter().copied()),
                known,
            })
        }
    }
}

fn normalised(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}
