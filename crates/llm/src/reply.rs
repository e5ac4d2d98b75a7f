//! Parses a model's reply as far as possible. The result is not yet verified.
//!
//! [`lenient`] reads the JSON, [`search`] finds the list of findings in it under various names and in various
//! wrappings, and [`finding`] reads the properties of a finding. Unreadable replies are requested once more
//! (`engine/call.rs`), so only forms that models often use are supported.

mod decisions;
mod finding;
mod items;
mod lenient;
mod lookups;
mod object;
mod quoted;
mod search;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;

pub(crate) use decisions::{Decisions, Kept, read as read_decisions};
pub(crate) use finding::RawFinding;
pub(crate) use items::Items;
pub(crate) use words::Evidence;

use lenient::roots;
use search::Search;

/// Reads the list of findings in a reply: the last complete list, or else the complete items of one that was cut off.
///
/// # Errors The defect, worded for the model: the reply contains no such list.
pub(crate) fn read(text: &str) -> Result<Items, &'static str> {
    let unwrapped = unwrapped(text);
    let (answer, in_thought) = after_thought(&unwrapped);
    let mut search = Search::default();
    let mut lookups = Vec::new();
    roots(answer).for_each(|root| {
        search.look_at(&root);
        lookups.extend(lookups::of(&root));
    });
    match search.found() {
        // A list inside unfinished reasoning may be a draft.
        Some(items) => Ok(Items {
            cut: items.cut || in_thought,
            lookups,
            ..items
        }),
        None if !lookups.is_empty() => Ok(Items {
            lookups,
            ..Items::default()
        }),
        None if is_empty_list(answer) => Ok(Items::default()),
        None => Err("there is no JSON object with the list in it"),
    }
}

/// The reply, or the text in it if the whole reply is one JSON string.
fn unwrapped(text: &str) -> Cow<'_, str> {
    let is_string = text.trim_start().starts_with('"');
    let inner = is_string.then(|| serde_json::from_str(text).ok()).flatten();
    inner.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The reply after the model's reasoning, which may contain drafts, and whether the reasoning is unfinished. A tag
/// counts only at the beginning of the reply or of a line, which is impossible inside JSON. Some chat templates supply
/// the opening tag, so it may be missing.
fn after_thought(text: &str) -> (&str, bool) {
    let begins_line = |at: usize| {
        text.get(..at)
            .is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('\n'))
    };
    let begins = |at: usize| {
        begins_line(at)
            || text
                .get(..at)
                .is_some_and(|before| before.trim().is_empty())
    };
    let opened = ["<think", "<thought", "<reasoning"]
        .iter()
        .flat_map(|tag| text.match_indices(tag));
    let opened = opened.map(|(at, _)| at).filter(|at| begins(*at)).min();
    let is_end = |at: usize| opened.is_some_and(|opened| opened < at) || begins_line(at);
    let ends = ["</think>", "</thinking>", "</thought>", "</reasoning>"].iter();
    let ends = ends.filter_map(|tag| {
        let mut found = text.match_indices(tag).map(|(at, _)| at);
        found.find(|at| is_end(*at)).map(|at| at + tag.len())
    });
    ends.min()
        .and_then(|end| text.get(end..))
        .map_or((text, opened.is_some()), |answer| (answer, false))
}

/// Whether the whole reply is an empty list. An empty list inside a sentence does not count.
fn is_empty_list(text: &str) -> bool {
    let words = text.trim().trim_matches('`').trim_start_matches("json");
    let mut chars = words.chars().filter(|c| !c.is_whitespace());
    (chars.next(), chars.next(), chars.next()) == (Some('['), Some(']'), None)
}
