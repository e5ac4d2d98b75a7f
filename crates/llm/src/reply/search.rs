//! Finds the list in a reply.

use std::borrow::Cow;

use super::item::{Item, Items};
use super::lenient::{ITEMS, List, Node, Object, roots};

/// How deeply JSON may be encoded as a string in JSON.
const PACKED: u32 = 3;

/// A search for the list with one name through all values of a reply.
pub(super) struct Search<'n, T> {
    name: &'n str,
    /// The last complete list.
    complete: Option<Items<T>>,
    /// A later list that was cut off.
    cut: Option<Items<T>>,
    /// Items outside any list.
    single: Items<T>,
}

impl<'n, T: Item> Search<'n, T> {
    pub(super) fn new(name: &'n str) -> Self {
        Self { name, complete: None, cut: None, single: Items::default() }
    }

    /// The list, once all values have been visited.
    pub(super) fn found(self) -> Option<Items<T>> {
        match (self.complete, self.cut) {
            // It may be a draft of the one that was cut off.
            (Some(items), Some(_)) => Some(Items { cut: true, ..items }),
            (Some(items), None) | (None, Some(items)) => Some(items),
            (None, None) => Some(self.single).filter(|single| !single.items.is_empty() || single.cut),
        }
    }

    /// Visits a value and everything inside it; `packed` counts the strings that it was decoded from.
    pub(super) fn look_at(&mut self, node: &Node, packed: u32) {
        match node {
            Node::Object(object) => self.look_in_object(object, packed),
            Node::List(list) if holds_items::<T>(node) => self.take(list),
            Node::List(list) => list.items.iter().for_each(|item| self.look_at(item, packed)),
            Node::Text(text) if packed < PACKED && text.trim_start().starts_with(['{', '[']) => {
                roots(text).for_each(|root| self.look_at(&root, packed + 1));
            }
            Node::Text(_) | Node::Null => {}
        }
    }

    fn look_in_object(&mut self, object: &Object, packed: u32) {
        let other = || object.all(T::OTHER_NAMES).next();
        if let Some(list) = object.all(&[self.name]).next() {
            self.look_at_named(list, true, packed);
        } else if is_item::<T>(object) && !other().is_some_and(holds_items::<T>) {
            self.take_single(object);
        } else if let Some(list) = other() {
            self.look_at_named(list, false, packed);
        } else {
            object.properties.iter().for_each(|(_, value)| self.look_at(value, packed));
        }
    }

    /// Visits the value of a property with one of the names. Only the right name makes a list of unrecognizable items count.
    fn look_at_named(&mut self, node: &Node, is_right: bool, packed: u32) {
        match node {
            Node::List(list) if is_right || list.items.is_empty() => self.take(list),
            Node::Null => self.take(&List { complete: true, ..List::default() }),
            Node::Text(text) if packed < PACKED && text.trim_start().starts_with(['{', '[']) => {
                roots(text).for_each(|root| self.look_at_named(&root, is_right, packed + 1));
            }
            _ => self.look_at(node, packed),
        }
    }

    fn take(&mut self, list: &List) {
        let mut items = Items { items: Vec::new(), unreadable: list.more, cut: !list.complete };
        for node in &list.items {
            match object_of(node).filter(|object| object.complete) {
                Some(object) => items.add(T::read(&object)),
                None if matches!(node, Node::Object(_)) => items.cut = true,
                None => items.add(text_of(node).and_then(T::read_text)),
            }
        }
        match items.cut {
            true => self.cut = Some(items),
            false => (self.complete, self.cut) = (Some(items), None),
        }
    }

    fn take_single(&mut self, object: &Object) {
        match object.complete {
            true if self.single.items.len() < ITEMS => self.single.add(T::read(object)),
            true => self.single.unreadable += 1,
            false => self.single.cut = true,
        }
    }
}

impl<T> Items<T> {
    fn add(&mut self, item: Option<T>) {
        match item {
            Some(item) => self.items.push(item),
            None => self.unreadable += 1,
        }
    }
}

fn object_of(node: &Node) -> Option<Cow<'_, Object>> {
    match node {
        Node::Object(object) => Some(Cow::Borrowed(object)),
        Node::Text(text) => object_in(text).map(Cow::Owned),
        Node::List(_) | Node::Null => None,
    }
}

fn text_of(node: &Node) -> Option<&str> {
    if let Node::Text(text) = node { Some(text) } else { None }
}

fn holds_items<T: Item>(node: &Node) -> bool {
    let is_like = |item: &Node| {
        object_of(item).is_some_and(|object| is_item::<T>(&object)) || text_of(item).and_then(T::read_text).is_some()
    };
    matches!(node, Node::List(list) if list.items.iter().any(is_like))
}

/// Whether an object is such an item. Every kind of item has two properties at least, which rules out most of a hostile reply.
fn is_item<T: Item>(object: &Object) -> bool {
    object.properties.len() > 1 && T::is_like(object)
}

/// The first object in a text, for an item that is itself encoded as a text.
fn object_in(text: &str) -> Option<Object> {
    roots(text).find_map(|root| match root {
        Node::Object(object) => Some(object),
        _ => None,
    })
}
