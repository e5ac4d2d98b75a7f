//! An index of the fields of nodes with many children.

use std::collections::HashMap;

/// Up to this number, children are searched linearly.
pub(super) const FEW: usize = 16;

/// By node: its fields, each with the first child in it.
#[derive(Debug, Default)]
pub(super) struct Fields(HashMap<u32, Vec<(u16, u32)>>);

impl Fields {
    /// Built from the parents of all nodes, in order, and the field of each; 0 means none.
    pub(super) fn of(nodes: impl ExactSizeIterator<Item = (u32, u16)> + Clone) -> Self {
        let mut children = vec![0_u32; nodes.len()];
        for (parent, _) in nodes.clone() {
            if let Some(count) = children.get_mut(parent as usize) {
                *count += 1;
            }
        }
        let is_wide = |parent: u32| {
            children
                .get(parent as usize)
                .is_some_and(|count| *count as usize > FEW)
        };
        let mut fields = HashMap::<u32, Vec<(u16, u32)>>::new();
        for (index, (parent, field)) in (0_u32..)
            .zip(nodes)
            .filter(|(_, (parent, field))| *field != 0 && is_wide(*parent))
        {
            let known = fields.entry(parent).or_default();
            if known.iter().all(|(other, _)| *other != field) {
                known.push((field, index));
            }
        }
        Self(fields)
    }

    /// The first child of a node in a field.
    pub(super) fn find(&self, node: u32, is_it: impl Fn(u16) -> bool) -> Option<u32> {
        self.0
            .get(&node)?
            .iter()
            .filter(|(field, _)| is_it(*field))
            .map(|(_, child)| *child)
            .min()
    }
}
