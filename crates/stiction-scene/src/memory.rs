//! How much memory a simulation takes, before it is taken, and how much the machine has.
//!
//! Memory that is not there ends a process without a word to its user, so scenes that are too large are refused. The
//! limit is what the machine has, or what its control group may have; `STICTION_MEMORY` sets another one, such as
//! `16 GB`, or none with `unlimited`. Where neither is known, nothing is refused.

use std::fs;

/// Bytes a tetrahedron takes: its mesh, its rest shape, its places in the matrix. Here and below: by the peak of
/// processes that took a step of cubes of 1 to 20 cells along an edge, and sheets of 50 and 150, pinned at one side.
const OF_TET: f64 = 400.0;

/// The same of a triangle of cloth with its hinges.
const OF_TRIANGLE: f64 = 2500.0;

/// The same of an element of a mesh that is made only for its surface.
const OF_SURFACE: f64 = 200.0;

/// Bytes a node takes, besides the factor: state, masses, rows of the matrix.
const OF_NODE: f64 = 1500.0;

/// Bytes of the factor of a solid, over its nodes and its cells across.
const OF_SOLID_FACTOR: f64 = 1250.0;

/// Bytes of the factor of a sheet of `n` nodes, over `n log₂ n`.
const OF_SHEET_FACTOR: f64 = 400.0;

/// What the process takes with an empty scene.
const OF_NOTHING: f64 = 2e7;

/// How large a mesh is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Count {
    /// Tetrahedra or triangles.
    pub(crate) elements: f64,
    pub(crate) nodes: f64,
    pub(crate) role: Role,
    /// Of a solid: the root of the nodes in its smallest cross section, which fill the factor of its matrix.
    pub(crate) across: f64,
}

/// What a mesh is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It deforms, and is of tetrahedra.
    Solid,
    /// It deforms, and is of triangles.
    Sheet,
    /// Only its surface is kept.
    Surface,
}

impl Count {
    /// What a mesh takes, with the factor of its matrix or without [bytes].
    fn bytes(&self, direct: bool) -> f64 {
        let Self { elements, nodes, role, across } = *self;
        let (of_element, of_node, factor) = match role {
            Role::Solid => (OF_TET, OF_NODE, OF_SOLID_FACTOR * nodes * across),
            Role::Sheet => (OF_TRIANGLE, OF_NODE, OF_SHEET_FACTOR * nodes * nodes.max(2.0).log2()),
            Role::Surface => (OF_SURFACE, 0.0, 0.0),
        };
        of_element * elements + of_node * nodes + if direct { factor } else { 0.0 }
    }
}

/// What a scene of these meshes takes, about: within a factor of two of what was measured [bytes].
pub(crate) fn needed<'a>(counts: impl IntoIterator<Item = &'a Count>, direct: bool) -> f64 {
    OF_NOTHING + counts.into_iter().map(|count| count.bytes(direct)).sum::<f64>()
}

/// How many bytes there are, if that is known.
pub(crate) fn limit() -> Option<f64> {
    match std::env::var("STICTION_MEMORY") {
        Ok(text) => parse(&text),
        Err(_) => of_machine(),
    }
}

/// A number of bytes; nothing if there is no limit.
fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| number * factor)
}

/// What Linux says of the machine and of its control group; others are asked in no portable way.
fn of_machine() -> Option<f64> {
    let total = || {
        let info = fs::read_to_string("/proc/meminfo").ok()?;
        let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024.0)
    };
    let of_group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let of_group = of_group
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<f64>().ok());
    total().into_iter().chain(of_group).reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_with_units_or_none() {
        let cases = [
            ("16 GB", Some(16e9)),
            ("1.5GiB", Some(1.5 * 1_073_741_824.0)),
            ("4096", Some(4096.0)),
            ("200 mb", Some(2e8)),
            ("unlimited", None),
            ("", None),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse(text), bytes, "{text}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_machine_has_some() {
        assert!(of_machine().is_some_and(|bytes| bytes > 1e8));
    }
}
