//! Groups under construction.

use std::collections::BTreeMap;

use stiction::mesh::Tags;

/// Ids by the name of their group; a group is sorted once, at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups(BTreeMap<String, Vec<u32>>);

impl Groups {
    pub(super) fn add(&mut self, name: &str, ids: impl IntoIterator<Item = u32>) {
        // Look first: `entry` would allocate a name for every element.
        match self.0.get_mut(name) {
            Some(group) => group.extend(ids),
            None => {
                let group: Vec<u32> = ids.into_iter().collect();
                if !group.is_empty() {
                    self.0.insert(name.to_owned(), group);
                }
            }
        }
    }

    pub(super) fn finish(self) -> Tags {
        let mut tags = Tags::new();
        for (name, ids) in &self.0 {
            tags.add(name, ids);
        }
        tags
    }
}

/// Cell arrays with more values than this number things instead of grouping them.
const MOST_VALUES: usize = 64;

/// Groups `array=value` of the elements with that value; none if the array is a numbering.
///
/// `ids[cell]` are the elements the cell became, as a range.
pub(super) fn by_value(groups: &mut Groups, array: &str, values: &[i64], ids: &[[u32; 2]]) {
    let mut found: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for (&value, &[start, end]) in values.iter().zip(ids) {
        found.entry(value).or_default().extend(start..end);
        if found.len() > MOST_VALUES {
            return;
        }
    }
    for (value, ids) in found {
        groups.add(&format!("{array}={value}"), ids);
    }
}
