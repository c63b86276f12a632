//! Guessing what a mistyped name was meant to be.

/// The most similar of `known`, unless more than a third of its letters are wrong: then it is another
/// word, not a slip.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) =
        known.into_iter().map(|name| (edit_distance(wanted, name), name)).min()?;
    (3 * distance <= best.chars().count().max(3)).then_some(best)
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
