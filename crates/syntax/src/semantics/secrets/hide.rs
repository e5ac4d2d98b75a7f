//! Masks the secrets that a text itself shows to be secret.

use std::borrow::Cow;
use std::ops::Range;

use super::mask::secret_places;

/// The replacement of a secret.
pub(super) const HIDDEN: char = '…';
/// A text with the secrets masked that its own words show to be secret.
pub(super) fn mask_own(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for (line, found) in lines
        .iter()
        .zip(secret_places("", &[&lines]).into_iter().flatten())
    {
        places.extend(found.iter().filter_map(|range| {
            // The quotation mark of the sentence is not part of the code that it quotes.
            let value = line.get(range.clone())?;
            Some(start + range.start..start + range.start + value.trim_end_matches('`').len())
        }));
        start += line.len() + 1;
    }
    hide(text, places)
}

/// A text with the given places masked.
pub(super) fn hide(text: &str, mut places: Vec<Range<usize>>) -> Cow<'_, str> {
    places.retain(|place| {
        text.get(place.clone())
            .is_some_and(|value| !value.is_empty() && value != "…")
    });
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for place in places {
        out.push_str(text.get(done..place.start).unwrap_or_default());
        done = done.max(place.end);
        if !out.ends_with(HIDDEN) && !text.get(done..).unwrap_or_default().starts_with(HIDDEN) {
            out.push(HIDDEN);
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}
