//! Groups in the forms that formats have for them: parts that share their groups, and integer arrays.

use std::collections::BTreeMap;

use stiction::mesh::Tags;

use crate::mesh_file::MeshFile;

/// Elements by the groups they are in, those in none among them; groups by their place among the names.
pub(super) fn by_groups(groups: &Tags, count: usize) -> BTreeMap<Vec<usize>, Vec<u32>> {
    let mut of_element: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (group, (_, ids)) in groups.iter().enumerate() {
        for &id in ids {
            of_element[id as usize].push(group);
        }
    }
    let mut parts: BTreeMap<Vec<usize>, Vec<u32>> = BTreeMap::new();
    for (id, groups) in of_element.into_iter().enumerate() {
        parts.entry(groups).or_default().push(id as u32);
    }
    parts
}

/// Integer arrays over tets, then triangles; see [`super`] for what they hold.
pub(super) fn of_cells(mesh: &MeshFile) -> Vec<(String, Vec<i32>)> {
    let count = mesh.tets.len() + mesh.triangles.len();
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (name, ids) in mesh.tet_groups.iter() {
        groups.entry(name).or_default().extend(ids.iter().map(|&id| id as usize));
    }
    for (name, ids) in mesh.triangle_groups.iter() {
        let cells = ids.iter().map(|&id| mesh.tets.len() + id as usize);
        groups.entry(name).or_default().extend(cells);
    }
    let mut families: BTreeMap<&str, Vec<(i32, &[usize])>> = BTreeMap::new();
    let mut arrays = Vec::new();
    for (name, cells) in &groups {
        match numbered(name) {
            Some((array, value)) => families.entry(array).or_default().push((value, cells)),
            None => arrays.push(((*name).to_owned(), membership(count, cells))),
        }
    }
    for (array, members) in families {
        match merged(count, &members) {
            Some(values) => arrays.push((array.to_owned(), values)),
            None => arrays.extend(
                members.iter().map(|(v, cells)| (format!("{array}={v}"), membership(count, cells))),
            ),
        }
    }
    arrays
}

/// `material=3` as `material` and 3.
fn numbered(name: &str) -> Option<(&str, i32)> {
    let (array, value) = name.rsplit_once('=')?;
    if array.is_empty() { None } else { Some((array, value.parse().ok()?)) }
}

fn membership(count: usize, cells: &[usize]) -> Vec<i32> {
    let mut values = vec![0; count];
    cells.iter().for_each(|&cell| values[cell] = 1);
    values
}

/// One array for groups that do not overlap. Cells in none get 0, or −1 and less where 0 is a group.
fn merged(count: usize, members: &[(i32, &[usize])]) -> Option<Vec<i32>> {
    let outside = (0_i32..).map(|k| -k).find(|k| members.iter().all(|(value, _)| value != k))?;
    let mut values = vec![outside; count];
    for &(value, cells) in members {
        for &cell in cells {
            if values[cell] != outside {
                return None;
            }
            values[cell] = value;
        }
    }
    Some(values)
}
