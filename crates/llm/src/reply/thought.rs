//! The answer within a reply: without the model's reasoning, and unwrapped.

use std::borrow::Cow;

/// The reply, or the text in it if the whole reply is one JSON string.
pub(super) fn unwrapped(text: &str) -> Cow<'_, str> {
    let is_string = text.trim_start().starts_with('"');
    let inner = is_string.then(|| serde_json::from_str(text).ok()).flatten();
    inner.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The reply after the model's reasoning, which may contain drafts, and whether the reasoning is unfinished. A tag
/// counts only at the beginning of the reply or of a line, which is impossible inside JSON. Some chat templates supply
/// the opening tag, so it may be missing.
pub(super) fn after_thought(text: &str) -> (&str, bool) {
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
