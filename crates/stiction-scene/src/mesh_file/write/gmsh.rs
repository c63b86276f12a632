//! Gmsh `.msh` 4.1 and 2.2, as text or little-endian binary.
//!
//! Groups become physical groups of points, surfaces and volumes. In 4.1 an entity can be in several of them: elements
//! that share their groups form one entity. In 2.2 an element has one; it keeps the first by name.
//! Format: Gmsh reference manual, "MSH file format".

use std::collections::BTreeMap;

use stiction::mesh::Tags;

use super::{Precision, arrays};
use crate::mesh_file::MeshFile;
use crate::mesh_file::gmsh::UNGROUPED;

/// Elements of one dimension: points, triangles or tets.
struct Kind<'a> {
    dimension: i32,
    /// Gmsh's number of the element type.
    code: i32,
    groups: &'a Tags,
    /// Elements by the groups they share; points only where they have groups.
    parts: BTreeMap<Vec<usize>, Vec<u32>>,
    corners: Vec<Vec<u64>>,
}

impl Kind<'_> {
    /// Physical tags of elements that share these groups. Where anything in the file is grouped, what is not gets a
    /// group of its own, as Gmsh itself would have it: meshio refuses files that are only partly grouped.
    fn tags(&self, groups: &[usize], grouped: bool) -> Vec<i32> {
        if groups.is_empty() && grouped {
            return vec![self.groups.len() as i32 + 1];
        }
        groups.iter().map(|&group| group as i32 + 1).collect()
    }
}

fn kinds(mesh: &MeshFile) -> Vec<Kind<'_>> {
    let tag = |&v: &u32| u64::from(v) + 1;
    let mut points = arrays::by_groups(&mesh.vertex_groups, mesh.vertices.len());
    points.remove(&Vec::new());
    let kinds = [
        Kind {
            dimension: 0,
            code: 15,
            groups: &mesh.vertex_groups,
            parts: points,
            corners: (1..=mesh.vertices.len() as u64).map(|tag| vec![tag]).collect(),
        },
        Kind {
            dimension: 2,
            code: 2,
            groups: &mesh.triangle_groups,
            parts: arrays::by_groups(&mesh.triangle_groups, mesh.triangles.len()),
            corners: mesh.triangles.iter().map(|t| t.iter().map(tag).collect()).collect(),
        },
        Kind {
            dimension: 3,
            code: 4,
            groups: &mesh.tet_groups,
            parts: arrays::by_groups(&mesh.tet_groups, mesh.tets.len()),
            corners: mesh.tets.iter().map(|t| t.iter().map(tag).collect()).collect(),
        },
    ];
    kinds.into_iter().collect()
}

pub(super) fn version_41(mesh: &MeshFile, text: bool) -> Vec<u8> {
    let mut out = Numbers { text, bytes: Vec::new() };
    let kinds = kinds(mesh);
    out.header("4.1");
    let grouped = physical_names(&mut out, &kinds);

    // Nodes must belong to an entity: the first of the highest dimension, or a point made for them.
    let home = kinds.iter().rev().find(|kind| !kind.parts.is_empty());
    let home_dimension = home.map_or(0, |kind| kind.dimension);
    out.line("$Entities");
    let counts = kinds.iter().map(|kind| kind.parts.len() as u64).collect::<Vec<_>>();
    let points = if home.is_none() { 1 } else { counts[0] };
    out.sizes(&[points, 0, counts[1], counts[2]]);
    out.end_row();
    let [low, high] = bounds(mesh);
    if home.is_none() {
        out.ints(&[1]);
        out.doubles(&low);
        out.sizes(&[0]);
        out.end_row();
    }
    for kind in &kinds {
        for (tag, groups) in (1..).zip(kind.parts.keys()) {
            out.ints(&[tag]);
            out.doubles(&low);
            if kind.dimension > 0 {
                out.doubles(&high);
            }
            let tags = kind.tags(groups, grouped);
            out.sizes(&[tags.len() as u64]);
            out.ints(&tags);
            if kind.dimension > 0 {
                out.sizes(&[0]); // bounding entities
            }
            out.end_row();
        }
    }
    out.end_section("$EndEntities");

    out.line("$Nodes");
    let count = mesh.vertices.len() as u64;
    out.sizes(&[1, count, 1.min(count), count]);
    out.end_row();
    out.ints(&[home_dimension, 1, 0]);
    out.sizes(&[count]);
    out.end_row();
    for tag in 1..=count {
        out.sizes(&[tag]);
        out.end_row();
    }
    for v in &mesh.vertices {
        out.doubles(&[v.x, v.y, v.z]);
        out.end_row();
    }
    out.end_section("$EndNodes");

    let parts = || kinds.iter().flat_map(|kind| kind.parts.values());
    let (blocks, total) = (parts().count() as u64, parts().map(|p| p.len() as u64).sum());
    out.line("$Elements");
    out.sizes(&[blocks, total, 1.min(total), total]);
    out.end_row();
    let mut element = 0;
    for kind in &kinds {
        for (tag, ids) in (1..).zip(kind.parts.values()) {
            out.ints(&[kind.dimension, tag, kind.code]);
            out.sizes(&[ids.len() as u64]);
            out.end_row();
            for &id in ids {
                element += 1;
                out.sizes(&[element]);
                out.sizes(&kind.corners[id as usize]);
                out.end_row();
            }
        }
    }
    out.end_section("$EndElements");
    out.bytes
}

/// The file, and what it could not keep.
pub(super) fn version_22(mesh: &MeshFile, text: bool) -> (Vec<u8>, Vec<String>) {
    let mut out = Numbers { text, bytes: Vec::new() };
    let kinds = kinds(mesh);
    out.header("2.2");
    let grouped = physical_names(&mut out, &kinds);
    out.line(&format!("$Nodes\n{}", mesh.vertices.len()));
    for (tag, v) in (1..).zip(&mesh.vertices) {
        out.ints(&[tag]);
        out.doubles(&[v.x, v.y, v.z]);
        out.end_row();
    }
    out.end_section("$EndNodes");

    let total: usize = kinds.iter().flat_map(|kind| kind.parts.values()).map(Vec::len).sum();
    out.line(&format!("$Elements\n{total}"));
    let mut element = 0;
    let mut lost = Vec::new();
    for kind in &kinds {
        let mut dropped = vec![0; kind.groups.len()];
        for (entity, (groups, ids)) in (1..).zip(&kind.parts) {
            if !text {
                out.ints(&[kind.code, ids.len() as i32, 2]);
            }
            for &group in groups.iter().skip(1) {
                dropped[group] += ids.len();
            }
            let physical = kind.tags(groups, grouped).first().copied().unwrap_or(0);
            for &id in ids {
                element += 1;
                if text {
                    out.ints(&[element, kind.code, 2, physical, entity]);
                } else {
                    out.ints(&[element, physical, entity]);
                }
                kind.corners[id as usize].iter().for_each(|&tag| out.ints(&[tag as i32]));
                out.end_row();
            }
        }
        let word = ["vertex", "", "triangle", "tet"][kind.dimension as usize];
        let names = kind.groups.names().zip(dropped).filter(|&(_, count)| count > 0);
        lost.extend(names.map(|(name, count)| {
            format!("{count} members of {word} group `{name}`, which are in another group too")
        }));
    }
    out.end_section("$EndElements");
    (out.bytes, lost)
}

/// Writes names of groups, and says whether there are any.
fn physical_names(out: &mut Numbers, kinds: &[Kind<'_>]) -> bool {
    if kinds.iter().all(|kind| kind.groups.is_empty()) {
        return false;
    }
    let mut lines = Vec::new();
    for kind in kinds {
        let rest = kind.parts.contains_key(&Vec::new()).then_some(UNGROUPED);
        for (tag, name) in (1..).zip(kind.groups.names().chain(rest)) {
            let name: String =
                name.chars().map(|c| if c.is_control() || c == '"' { '_' } else { c }).collect();
            lines.push(format!("{} {tag} \"{name}\"", kind.dimension));
        }
    }
    out.line(&format!("$PhysicalNames\n{}", lines.len()));
    lines.iter().for_each(|line| out.line(line));
    out.line("$EndPhysicalNames");
    true
}

fn bounds(mesh: &MeshFile) -> [[f64; 3]; 2] {
    let bound = |pick: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|i| mesh.vertices.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0))
    };
    [bound(f64::min), bound(f64::max)]
}

/// Numbers as text in rows, or as bytes without any.
struct Numbers {
    text: bool,
    bytes: Vec<u8>,
}

impl Numbers {
    fn header(&mut self, version: &str) {
        self.line(&format!("$MeshFormat\n{version} {} 8", u8::from(!self.text)));
        if !self.text {
            self.ints(&[1]);
            self.bytes.push(b'\n');
        }
        self.line("$EndMeshFormat");
    }

    fn line(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn ints(&mut self, values: &[i32]) {
        values.iter().for_each(|v| self.number(&v.to_le_bytes(), || v.to_string()));
    }

    fn sizes(&mut self, values: &[u64]) {
        values.iter().for_each(|v| self.number(&v.to_le_bytes(), || v.to_string()));
    }

    fn doubles(&mut self, values: &[f64]) {
        for v in values {
            self.number(&v.to_le_bytes(), || Precision::Double.text(*v));
        }
    }

    fn number(&mut self, bytes: &[u8], text: impl FnOnce() -> String) {
        if !self.text {
            self.bytes.extend(bytes);
            return;
        }
        if self.bytes.last() != Some(&b'\n') {
            self.bytes.push(b' ');
        }
        self.bytes.extend(text().as_bytes());
    }

    fn end_row(&mut self) {
        if self.text {
            self.bytes.push(b'\n');
        }
    }

    fn end_section(&mut self, name: &str) {
        if !self.text {
            self.bytes.push(b'\n');
        }
        self.line(name);
    }
}
