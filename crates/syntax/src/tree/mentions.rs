//! Positions by name, in document order, to look up the nearest one before a node without a walk.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::node::{Node, Tree};
use super::places::{Asked, Key, Mentions};
use crate::language::Role;

/// A query on an occurrence of a name, which may return a related node. It examines only the surroundings of that
/// occurrence.
pub(crate) type Of = for<'t> fn(Node<'t>) -> Option<Node<'t>>;

fn ask<'t>(tree: &'t Tree<'t>, of: Of, key: Key) -> Box<Asked> {
    let places = tree.meter.apart(|| mentions(tree, of, key));
    Box::new(Asked {
        of: of as usize,
        key,
        places,
        next: OnceCell::new(),
    })
}

impl<'t> Tree<'t> {
    /// The results of a query on the occurrences of names, by name.
    pub fn places(&'t self, of: Of) -> &'t Mentions {
        self.answer(of, Key::AsWritten)
    }

    /// The same, by names in lower case (ASCII).
    pub(crate) fn places_in_any_case(&'t self, of: Of) -> &'t Mentions {
        self.answer(of, Key::LowerCase)
    }

    fn answer(&'t self, of: Of, key: Key) -> &'t Mentions {
        let mut slot = &self.asked;
        loop {
            let known = slot.get_or_init(|| ask(self, of, key));
            if known.of == of as usize && known.key == key {
                return &known.places;
            }
            slot = &known.next;
        }
    }

    /// The functions of each name.
    pub fn functions(&'t self) -> &'t Mentions {
        self.places(defined_by)
    }

    /// The occurrences of each name.
    pub fn mentions(&'t self) -> &'t Mentions {
        self.places(itself)
    }
}

/// How many levels of nodes above a name are searched for the function that it names.
const LEVELS: usize = 6;

/// The function that this name defines.
fn defined_by(mention: Node<'_>) -> Option<Node<'_>> {
    let function = mention
        .ancestors()
        .take(LEVELS)
        .find(|node| node.has_role(Role::Function))?;
    function
        .function()
        .is_some_and(|of| of.name == mention)
        .then_some(function)
}

fn itself(name: Node<'_>) -> Option<Node<'_>> {
    Some(name).filter(|name| name.has_role(Role::Name))
}

fn mentions<'t>(tree: &'t Tree<'t>, of: Of, key: Key) -> Mentions {
    let mut places = HashMap::<Box<str>, Vec<u32>>::new();
    for name in tree
        .nodes()
        .filter(|node| node.has_role(Role::Name) || node.is(&["type_identifier"]))
    {
        if let Some(place) = of(name) {
            let text = match key {
                Key::AsWritten => Cow::Borrowed(name.text()),
                Key::LowerCase => Cow::Owned(name.text().to_ascii_lowercase()),
            };
            match places.get_mut(&*text) {
                Some(known) => known.push(place.index),
                None => {
                    places.insert(text.into(), vec![place.index]);
                }
            }
        }
    }
    for known in places.values_mut() {
        known.sort_unstable();
        known.dedup();
    }
    Mentions(places)
}

impl Mentions {
    /// The positions of a name in a range of the document.
    pub fn within<'t>(
        &'t self,
        tree: &'t Tree<'t>,
        name: &str,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Node<'t>> + use<'t> {
        let all = self.0.get(name).map_or(&[][..], Vec::as_slice);
        let at = |limit: usize| all.partition_point(|place| (*place as usize) < limit);
        let own = all.get(at(range.start)..at(range.end)).unwrap_or_default();
        own.iter().filter_map(|place| tree.node(*place))
    }
}

impl Node<'_> {
    /// The positions within a node, in document order.
    pub fn inside(self) -> Range<usize> {
        let start = self.index() + 1;
        start..(self.entry().end as usize).max(start)
    }
}
