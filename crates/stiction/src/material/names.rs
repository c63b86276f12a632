//! Finding presets and laws by name.

use crate::names::UnknownName;

/// Looks up `name` in a table.
pub(super) fn find<T: Copy>(
    kind: &'static str,
    name: &str,
    table: &[(&'static str, T)],
) -> Result<T, UnknownName> {
    let wanted = normalised(name);
    match table.iter().find(|(known, _)| *known == wanted) {
        Some((_, value)) => Ok(*value),
        None => {
            let known = table.iter().map(|(known, _)| *known).collect();
            Err(UnknownName { name: name.into(), ..UnknownName::new(kind, &wanted, known) })
        }
    }
}

fn normalised(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}
