//! Nodes of Gmsh by number: any numbers, in any order, mostly 1, 2, 3.

/// From the numbers of nodes in the file to ours.
#[derive(Debug)]
pub(super) enum NodeIds {
    /// Counted in order from this one.
    InOrder { first: i64, count: usize },
    /// A table for the range from `first`.
    Table { first: i64, ids: Vec<u32> },
    /// Far apart: sorted pairs.
    Sorted(Vec<(i64, u32)>),
}

impl Default for NodeIds {
    fn default() -> Self {
        Self::InOrder { first: 0, count: 0 }
    }
}

impl NodeIds {
    /// Refuses, with its tag, a node that is there twice.
    pub(super) fn new(tags: Vec<i64>) -> Result<Self, i64> {
        let (Some(&first), Some(&last)) = (tags.iter().min(), tags.iter().max()) else {
            return Ok(Self::default());
        };
        let count = tags.len();
        if tags.iter().zip(first..).all(|(&tag, expected)| tag == expected) {
            return Ok(Self::InOrder { first, count });
        }
        // A table up to four times the nodes is smaller than sorted pairs, and faster.
        let span = last.abs_diff(first);
        if span < 4 * count as u64 {
            let mut ids = vec![u32::MAX; span as usize + 1];
            for (id, &tag) in tags.iter().enumerate() {
                let slot = &mut ids[(tag - first) as usize];
                if *slot != u32::MAX {
                    return Err(tag);
                }
                *slot = id as u32;
            }
            return Ok(Self::Table { first, ids });
        }
        let mut pairs: Vec<(i64, u32)> = tags.into_iter().zip(0..).collect();
        pairs.sort_unstable();
        match pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(pair[0].0),
            None => Ok(Self::Sorted(pairs)),
        }
    }

    #[inline]
    pub(super) fn get(&self, tag: i64) -> Option<u32> {
        match self {
            Self::InOrder { first, count } => {
                let offset = usize::try_from(tag.checked_sub(*first)?).ok()?;
                (offset < *count).then_some(offset as u32)
            }
            Self::Table { first, ids } => {
                let offset = usize::try_from(tag.checked_sub(*first)?).ok()?;
                ids.get(offset).copied().filter(|&id| id != u32::MAX)
            }
            Self::Sorted(pairs) => {
                let at = pairs.binary_search_by_key(&tag, |pair| pair.0).ok()?;
                Some(pairs[at].1)
            }
        }
    }
}
