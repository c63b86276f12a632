//! Finding things by name, and guessing what was meant.

use thiserror::Error;

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
                suggestion: nearest(&wanted, &known),
                known,
            })
        }
    }
}

fn normalised(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// The known name with the fewest edits, unless it takes more than a third of the letters.
fn nearest(wanted: &str, known: &[&'static str]) -> Option<&'static str> {
    let distance = |known: &&&str| edit_distance(wanted, known);
    let best = known.iter().min_by_key(distance)?;
    (3 * distance(&best) <= wanted.chars().count().max(3)).then_some(*best)
}

/// Insertions, deletions and substitutions that turn `a` into `b` (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
