//! Names that are safe as folders on every system, from names that people type.

/// Names of devices that Windows knows in every folder.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];
const LONGEST: usize = 48;

/// One path name for each name: letters, digits, `-` and `_` only, different even where case does not count.
pub(super) fn path_names<'a>(
    names: impl IntoIterator<Item = &'a str>,
    taken: &[&str],
) -> Vec<String> {
    let mut used: Vec<String> = taken.iter().map(|name| (*name).to_owned()).collect();
    let mut paths = Vec::new();
    for name in names {
        let base = safe(name);
        let mut path = base.clone();
        for number in 2.. {
            if !used.contains(&path.to_ascii_lowercase()) {
                break;
            }
            path = format!("{base}-{number}");
        }
        used.push(path.to_ascii_lowercase());
        paths.push(path);
    }
    paths
}

/// Whether a name may be part of a path, wherever it comes from.
pub(super) fn is_safe(path: &str) -> bool {
    !path.is_empty() && path.chars().all(allowed)
}

fn allowed(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')
}

fn safe(name: &str) -> String {
    let letters = name.chars().map(|letter| if allowed(letter) { letter } else { '_' });
    // Zarr keeps names that begin with `__` for itself.
    let path: String = letters.skip_while(|&letter| letter == '_').take(LONGEST).collect();
    let lower = path.to_ascii_lowercase();
    let port = lower.len() == 4 && (lower.starts_with("com") || lower.starts_with("lpt"));
    match path.as_str() {
        "" => "unnamed".into(),
        _ if port || DEVICES.contains(&lower.as_str()) => format!("{path}_"),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_safe, path_names};

    #[test]
    fn every_name_becomes_a_path_of_its_own() {
        let names =
            ["ball", "Ball", "a/b", "a b", "../..", "", "__x", "Größe", "con", "com1", "日本"];
        let paths = path_names(names, &["positions"]);
        assert!(paths.iter().all(|path| is_safe(path)), "{paths:?}");
        assert_eq!(
            paths,
            [
                "ball",
                "Ball-2",
                "a_b",
                "a_b-2",
                "unnamed",
                "unnamed-2",
                "x",
                "Gr__e",
                "con_",
                "com1_",
                "unnamed-3"
            ]
        );
        assert_eq!(path_names(["positions"], &["positions"]), ["positions-2"]);
        assert!(!is_safe("..") && !is_safe("a/b") && !is_safe(""));
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let (a, b) = ("x".repeat(300), "x".repeat(301));
        let paths = path_names([a.as_str(), b.as_str()], &[]);
        assert!(paths[0].len() < 60 && paths[0] != paths[1]);
    }
}
