//! Named groups of ids: how scenes speak of "the left edge" without counting vertices.

/// Named groups of vertices or elements, ordered by name; each group sorted, without repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    groups: Vec<(String, Vec<u32>)>,
}

impl Tags {
    /// No groups.
    pub fn new() -> Self {
        Self::default()
    }

    /// The ids of group `name`, ascending.
    pub fn get(&self, name: &str) -> Option<&[u32]> {
        self.position(name).ok().map(|k| self.groups[k].1.as_slice())
    }

    /// All groups, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.groups.iter().map(|(name, ids)| (name.as_str(), ids.as_slice()))
    }

    /// Names of all groups, ascending.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|(name, _)| name.as_str())
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// True when there are no groups.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Adds ids to group `name`, which is created if missing.
    pub fn add(&mut self, name: &str, ids: &[u32]) {
        let group = match self.position(name) {
            Ok(k) => &mut self.groups[k].1,
            Err(k) => {
                self.groups.insert(k, (name.to_owned(), Vec::new()));
                &mut self.groups[k].1
            }
        };
        group.extend_from_slice(ids);
        group.sort_unstable();
        group.dedup();
    }

    /// Removes group `name`; true if there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        self.position(name).map(|k| self.groups.remove(k)).is_ok()
    }

    /// Adds the groups of `other`, with `offset` added to their ids.
    pub(super) fn append(&mut self, other: &Self, offset: u32) {
        for (name, ids) in other.iter() {
            let shifted: Vec<u32> = ids.iter().map(|id| id + offset).collect();
            self.add(name, &shifted);
        }
    }

    /// Renumbers ids by `new_id`; ids it maps to nothing leave their groups.
    ///
    /// Ids outside the map stay as they are, for the check to find.
    pub(super) fn renumber(&mut self, new_id: &[Option<u32>]) {
        for (_, ids) in &mut self.groups {
            let renumbered =
                ids.iter().filter_map(|&id| new_id.get(id as usize).map_or(Some(id), |&new| new));
            *ids = renumbered.collect();
            ids.sort_unstable();
            ids.dedup();
        }
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.groups.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}
