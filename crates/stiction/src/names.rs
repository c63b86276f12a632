//! Guessing what a mistyped name was meant to be.

/// The most similar of `known`, unless more than a third of its letters are wrong: then it is another
/// word, not a slip.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) =
        known.into_iter().map(|name| (edit_distance(wanted, name), name)).min()?;
    (3 * distance <= best.chars().count().max(3)).then_some(best)
}

/// A name nothing has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {kind} called `{name}`\n  help: {}known: {}", hint(.suggestion), .known.join(", "))]
pub struct UnknownName {
    /// What was looked for.
    pub kind: &'static str,
    /// The name given.
    pub name: String,
    /// The nearest known name, if one is near.
    pub suggestion: Option<&'static str>,
    /// All names.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// With the nearest of all `known` names.
    pub fn new(kind: &'static str, name: &str, known: Vec<&'static str>) -> Self {
        let suggestion = nearest(name, known.iter().copied());
        Self { kind, name: name.into(), suggestion, known }
    }
}

fn hint(suggestion: &Option<&'static str>) -> String {
    suggestion.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default()
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (Damerau–Levenshtein, each
/// letter touched once).
fn edit_distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<char>>());
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let substitution = row[j] + usize::from(a[i] != b[j]);
            next[j + 1] = substitution.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                next[j + 1] = next[j + 1].min(above[j - 1] + 1);
            }
        }
        above = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}
