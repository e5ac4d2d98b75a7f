//! Looks up properties under the various names that models use.

use super::lenient::{Node, Object};

/// Properties whose value may be an object with a location.
const PLACES: &[&str] = &["location", "position", "place", "range", "start", "lines"];

impl Object {
    /// The values under any of these names, in the order of the names. Case, `_`, `-` and spaces make no difference.
    pub(super) fn all<'o, 'n>(&'o self, names: &'n [&'n str]) -> impl Iterator<Item = &'o Node> {
        names.iter().flat_map(move |name| {
            self.properties
                .iter()
                .filter(move |(key, _)| is_same(key, name))
                .map(|(_, value)| value)
        })
    }

    /// The first non-empty string under these names, or else an empty one; `None` if there is no string. A list of
    /// strings is joined with line breaks.
    pub(super) fn text(&self, names: &[&str]) -> Option<String> {
        let mut texts = self.all(names).filter_map(text).peekable();
        let first = texts.peek().cloned();
        texts.find(|text| !text.trim().is_empty()).or(first)
    }

    /// The same, including strings inside a nested location.
    pub(super) fn text_of_place(&self, names: &[&str]) -> Option<String> {
        let within = |node: &Node| match node {
            Node::Object(place) => place.text(names).or_else(|| {
                let deeper = place.all(PLACES).find_map(|node| {
                    if let Node::Object(place) = node {
                        Some(place)
                    } else {
                        None
                    }
                });
                deeper.and_then(|place| place.text(names))
            }),
            _ => None,
        };
        self.text(names)
            .or_else(|| self.all(names).chain(self.all(PLACES)).find_map(within))
    }
}

fn text(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) => Some(text.clone()),
        Node::List(list) => {
            let texts = list.items.iter().filter_map(|item| {
                if let Node::Text(text) = item {
                    Some(&**text)
                } else {
                    None
                }
            });
            Some(texts.collect::<Vec<_>>().join("\n")).filter(|joined| !joined.is_empty())
        }
        Node::Object(_) | Node::Null => None,
    }
}

fn is_same(key: &str, name: &str) -> bool {
    let letters = |c: &char| c.is_ascii_alphanumeric();
    let of_key = key.chars().filter(letters).map(|c| c.to_ascii_lowercase());
    of_key.eq(name.chars().filter(letters))
}
