//! Names of bodies and fields, made fit for files, prims and properties.

use std::collections::BTreeSet;

/// Letters, digits, `_` and `-` of ASCII stay; every run of others becomes one `_`. Names that become the same,
/// or differ by case only, are told apart by `_2`, `_3`…
pub(crate) fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    unique(names, BTreeSet::new(), |c| c.is_ascii_alphanumeric() || c == '_' || c == '-', false)
}

/// As [`file_names`], but never one of `taken`.
pub(crate) fn file_names_beside<'a>(
    names: impl Iterator<Item = &'a str>,
    taken: &[&str],
) -> Vec<String> {
    let taken = taken.iter().map(|&name| name.to_owned()).collect();
    unique(names, taken, |c| c.is_ascii_alphanumeric() || c == '_' || c == '-', false)
}

/// As [`file_names`], and identifiers: no `-`, and no digit first.
pub(crate) fn identifiers<'a>(names: impl Iterator<Item = &'a str>, taken: &[&str]) -> Vec<String> {
    let taken = taken.iter().map(|&name| name.to_owned()).collect();
    unique(names, taken, |c| c.is_ascii_alphanumeric() || c == '_', true)
}

/// On one line: what a text format may hold between a keyword and the end of the line.
pub(crate) fn one_line(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = clean.split_whitespace().collect();
    if words.is_empty() { "body".to_owned() } else { words.join(" ") }
}

fn unique<'a>(
    names: impl Iterator<Item = &'a str>,
    mut taken: BTreeSet<String>,
    keeps: impl Fn(char) -> bool,
    is_identifier: bool,
) -> Vec<String> {
    names
        .map(|name| {
            let mut clean = String::new();
            for c in name.chars() {
                if keeps(c) {
                    clean.push(c);
                } else if !clean.ends_with('_') {
                    clean.push('_');
                }
            }
            if clean.is_empty() {
                clean.push_str("body");
            }
            if is_identifier && clean.starts_with(|c: char| c.is_ascii_digit()) {
                clean.insert(0, '_');
            }
            let mut candidate = clean.clone();
            let mut number = 2;
            while !taken.insert(candidate.to_ascii_lowercase()) {
                candidate = format!("{clean}_{number}");
                number += 1;
            }
            candidate
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_become_plain_and_stay_apart() {
        let names = ["a b", "a/b", "A_B", "a_b_2", "", "Würfel", "7", "../x"];
        let files = ["a_b", "a_b_2", "A_B_3", "a_b_2_2", "body", "W_rfel", "7", "_x"];
        assert_eq!(file_names(names.into_iter()), files);
        let prims = identifiers(names.into_iter(), &["body"]);
        assert_eq!(prims, ["a_b", "a_b_2", "A_B_3", "a_b_2_2", "body_2", "W_rfel", "_7", "_x"]);
    }

    #[test]
    fn names_for_text_stay_on_their_line() {
        assert_eq!(one_line(" a\nv 1 2 3 "), "a v 1 2 3");
        assert_eq!(one_line("\t"), "body");
    }
}
