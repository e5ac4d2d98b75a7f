//! What a model said, as far as it can be read. Nothing here is believed yet.
//!
//! [`lenient`] reads the JSON, [`search`] finds the list in it, under various names and in various wrappings, and each kind of
//! [`Item`] reads its own properties.

mod finding;
mod lenient;
mod object;
mod quoted;
mod search;
#[cfg(test)]
mod tests;
mod verdict;
mod words;

pub(crate) use finding::RawFinding;
pub(crate) use lenient::Object;
pub(crate) use verdict::Verdict;

use lenient::{ITEMS, Node, roots};
use search::Search;

/// An item of the list in a reply.
pub(crate) trait Item: PartialEq + Sized {
    /// Other names that models use for the list.
    const OTHER_NAMES: &'static [&'static str];

    /// Reads an item; `None` if a required property is missing.
    fn read(object: &Object) -> Option<Self>;

    /// Whether an object is recognizable as such an item outside a list.
    fn is_like(object: &Object) -> bool;

    /// Identifies the item to the model that reported it. This is the model's text, so it must be masked before use.
    fn told(&self) -> String;
}

/// The readable part of a reply.
#[derive(Debug, PartialEq)]
pub(crate) struct Items<T> {
    pub(crate) items: Vec<T>,
    /// Items that could not be read, or were too many.
    pub(crate) unreadable: usize,
    /// The reply broke off: there may have been more.
    pub(crate) cut: bool,
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self { items: Vec::new(), unreadable: 0, cut: false }
    }
}

impl<T: PartialEq> Items<T> {
    /// Adds the rest of the same answer.
    pub(crate) fn extend(&mut self, rest: Self) {
        let new: Vec<T> = rest.items.into_iter().filter(|item| !self.items.contains(item)).collect();
        self.unreadable += rest.unreadable + (self.items.len() + new.len()).saturating_sub(ITEMS);
        self.items.extend(new);
        self.items.truncate(ITEMS);
        self.cut = rest.cut;
    }
}

/// Reads the list called `name` of a reply: the last complete one, or else the complete items of one that was cut off.
///
/// # Errors
/// The fault, worded for the model: the reply holds no such list.
pub(crate) fn read<T: Item>(text: &str, name: &str) -> Result<Items<T>, &'static str> {
    let text = &unpacked(text);
    let (answer, in_thought) = after_thought(text);
    let mut search = Search::new(name);
    roots(answer).for_each(|root| search.look_at(&root, 0));
    match search.found() {
        // A list inside an unfinished thought may be a draft.
        Some(items) => Ok(Items { cut: items.cut || in_thought, ..items }),
        None if is_empty_list(answer) => Ok(Items::default()),
        None => Err("there is no JSON object with the list in it"),
    }
}

/// The reply, decoded if all of it is one JSON string.
fn unpacked(text: &str) -> String {
    let packed = Some(text.trim()).filter(|text| text.starts_with('"'));
    packed.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| text.to_owned())
}

/// The reply after the model's thoughts, which may hold drafts, and whether the thoughts are unfinished. Some chat templates
/// supply the opening tag, so it may be missing; the closing tag must then begin a line, which it cannot do inside JSON.
fn after_thought(text: &str) -> (&str, bool) {
    let begun = ["<think", "<thought", "<reasoning"].iter().any(|tag| text.trim_start().starts_with(tag));
    let is_end = |at: usize| begun || text.get(..at).is_some_and(|before| before.ends_with('\n'));
    let ends = ["</think>", "</thinking>", "</thought>", "</reasoning>"].iter();
    let end = ends.filter_map(|tag| text.find(tag).filter(|at| is_end(*at)).map(|at| at + tag.len())).min();
    end.and_then(|end| text.get(end..)).map_or((text, begun), |answer| (answer, false))
}

/// Whether the whole reply is an empty list. An empty list inside a sentence does not count.
fn is_empty_list(text: &str) -> bool {
    let words = text.trim().trim_matches('`').trim_start_matches("json");
    let mut chars = words.chars().filter(|c| !c.is_whitespace());
    (chars.next(), chars.next(), chars.next()) == (Some('['), Some(']'), None)
}

/// The first object in a text, for an item that is itself encoded as a text.
fn object_in(text: &str) -> Option<Object> {
    roots(text).find_map(|root| match root {
        Node::Object(object) => Some(object),
        _ => None,
    })
}
