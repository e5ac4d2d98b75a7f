//! Finds the list of findings in a reply.

use super::finding::RawFinding;
use super::items::Items;
use super::lenient::{ITEMS, List, Node, Object, roots};

/// The name of the list.
const NAME: &[&str] = &["findings"];
/// Other names that models use for it.
const OTHER_NAMES: &[&str] = &[
    "issues", "defects", "bugs", "problems", "comments", "review_comments", "results", "items",
];

/// A search for the list through all values of a reply.
#[derive(Default)]
pub(super) struct Search {
    /// The last complete list.
    complete: Option<Items>,
    /// A later list that was cut off.
    cut: Option<Items>,
    /// Findings outside any list.
    single: Items,
    /// The current value was inside a string.
    in_text: bool,
}

impl Search {
    /// The list, once all values have been visited.
    pub(super) fn found(self) -> Option<Items> {
        match (self.complete, self.cut) {
            // It may be a draft of the one that was cut off.
            (Some(items), Some(_)) => Some(Items { cut: true, ..items }),
            (Some(items), None) | (None, Some(items)) => Some(items),
            (None, None) => {
                Some(self.single).filter(|single| !single.items.is_empty() || single.cut)
            }
        }
    }

    /// Visits a value and everything inside it.
    pub(super) fn look_at(&mut self, node: &Node) {
        match node {
            Node::Object(object) => self.look_in_object(object),
            Node::List(list) if holds_findings(node) => self.take(list),
            Node::List(list) => list.items.iter().for_each(|item| self.look_at(item)),
            Node::Text(_) | Node::Null => {}
        }
    }

    fn look_in_object(&mut self, object: &Object) {
        let other = || object.all(OTHER_NAMES).next();
        if let Some(list) = object.all(NAME).next() {
            self.look_at_named(list, true);
        } else if RawFinding::is_like(object) && !other().is_some_and(holds_findings) {
            self.take_single(object);
        } else if let Some(list) = other() {
            self.look_at_named(list, false);
        } else {
            object
                .properties
                .iter()
                .for_each(|(_, value)| self.look_at(value));
        }
    }

    /// Visits the value of a property with one of the names. A list of unrecognizable items only counts under the right
    /// name.
    fn look_at_named(&mut self, node: &Node, is_right: bool) {
        match node {
            Node::List(list) if is_right || list.items.is_empty() => self.take(list),
            Node::Null => self.take(&List {
                complete: true,
                ..List::default()
            }),
            // The list as a string. Followed only once, because a hostile reply can nest strings without limit.
            Node::Text(text) if !self.in_text => {
                self.in_text = true;
                roots(text).for_each(|root| self.look_at(&root));
                self.in_text = false;
            }
            _ => self.look_at(node),
        }
    }

    fn take(&mut self, list: &List) {
        let mut items = Items {
            unreadable: list.more,
            cut: !list.complete,
            ..Items::default()
        };
        for node in &list.items {
            match node {
                Node::Object(object) if object.complete => items.add(object),
                Node::Object(_) => items.cut = true,
                _ => items.unreadable += 1,
            }
        }
        match items.cut {
            true => self.cut = Some(items),
            false => (self.complete, self.cut) = (Some(items), None),
        }
    }

    fn take_single(&mut self, object: &Object) {
        match object.complete {
            true if self.single.items.len() < ITEMS => self.single.add(object),
            true => self.single.unreadable += 1,
            false => self.single.cut = true,
        }
    }
}

impl Items {
    fn add(&mut self, object: &Object) {
        match RawFinding::read(object) {
            Some(item) => self.items.push(item),
            None => self.unreadable += 1,
        }
    }
}

fn holds_findings(node: &Node) -> bool {
    let is_like = |item: &Node| matches!(item, Node::Object(object) if RawFinding::is_like(object));
    matches!(node, Node::List(list) if list.items.iter().any(is_like))
}
