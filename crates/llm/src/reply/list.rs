//! Reads the list of findings in a reply.

use super::items::Items;
use super::lenient::roots;
use super::lookups;
use super::search::Search;
use super::thought::{after_thought, unwrapped};

/// Reads the list of findings in a reply: the last complete list, or else the complete items of one that was cut off.
///
/// # Errors
/// The defect, worded for the model: the reply contains no such list.
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

/// Whether the whole reply is an empty list. An empty list inside a sentence does not count.
fn is_empty_list(text: &str) -> bool {
    let words = text.trim().trim_matches('`').trim_start_matches("json");
    let mut chars = words.chars().filter(|c| !c.is_whitespace());
    (chars.next(), chars.next(), chars.next()) == (Some('['), Some(']'), None)
}
