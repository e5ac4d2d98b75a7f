//! Any text is parsed or refused, and what is parsed has the numbers that its headers announce.

#![no_main]

#[path = "../../crates/review/tests/diff_text/consistent.rs"]
mod consistent;

use libfuzzer_sys::fuzz_target;
use review::diff::{Diff, DiffText, OwnedDiff};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    consistent::check(&text);
    let borrowed = Diff::parse(&text);
    let owned = OwnedDiff::parse(text.clone().into_owned());
    // The text of a coloured diff or of an encoded mail is another one once it is owned.
    if let Ok(borrowed) = borrowed
        && DiffText::of(text.clone().into_owned()).as_str() == text
    {
        assert_eq!(owned.as_ref().map(OwnedDiff::diff), Ok(&borrowed));
    }
});
