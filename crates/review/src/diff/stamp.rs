//! Time stamps and revisions at the end of a file label.

/// The shapes of a time stamp's words, from the last to the first: `2026-01-02 10:00:00`, `1 Jan 2026 10:00:00`, and
/// `Thu Jan 01 10:00:00 2026`. Digits are written as `0` and letters as `a`; fractions of a second are omitted.
const STAMPS: [&[&str]; 3] = [
    &["00:00:00", "0000-00-00"],
    &["00:00:00", "0000", "aaa", "00"],
    &["0000", "00:00:00", "00", "aaa", "aaa"],
];
/// svn's notes.
const NOTES: [&str; 4] = ["(working copy)", "(nonexistent)", "(.../", "(revision "];

/// The position of the blanks before a stamp at the end of a text.
pub(super) fn start(text: &str) -> Option<usize> {
    let name = match NOTES.iter().find_map(|note| text.rfind(note)) {
        Some(at) if text.ends_with(')') => text.get(..at)?,
        _ => before_stamp(text)?,
    };
    let kept = name.trim_end().len();
    (kept > 0 && kept < name.len()).then_some(kept)
}

/// The text before a time stamp, which may be followed by a time zone and a revision of CVS.
fn before_stamp(text: &str) -> Option<&str> {
    let zone = before_word(text).filter(|(_, word)| matches!(&*shape(word), "+0000" | "-0000"));
    let text = zone.map_or(text, |(before, _)| before);
    STAMPS.iter().find_map(|stamp| {
        stamp.iter().try_fold(text, |text, expected| {
            let (before, word) = before_word(text)?;
            let shape = shape(word);
            let fits = shape == *expected || *expected == "00" && shape == "0";
            fits.then_some(before)
        })
    })
}

/// The last word, and the text before it.
fn before_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let at = text.rfind([' ', '\t'])? + 1;
    text.split_at_checked(at)
}

fn shape(word: &str) -> String {
    let whole = word.split_once('.').map_or(word, |(whole, _)| whole);
    let kind = |c: char| match c {
        '0'..='9' => '0',
        'a'..='z' | 'A'..='Z' => 'a',
        other => other,
    };
    whole.chars().take(16).map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn a_stamp_is_found_where_the_tab_became_blanks() {
        for stamp in [
            "2026-11-25 10:00:00.123456789 +0100", "2026-11-25 10:00:00",
            "1970-01-01 01:00:00.000000000 +0100", "Thu Jan 01 00:00:00 1970 +0000",
            "Thu Jan  1 00:00:00 1970", "1 Jan 2026 00:00:00 -0000", "(revision 12)",
            "(working copy)", "(nonexistent)",
        ] {
            for blanks in [" ", "   ", "\t"] {
                assert_eq!(
                    start(&format!("src/a b.py{blanks}{stamp}")),
                    Some(10),
                    "{stamp}"
                );
            }
            assert_eq!(start(stamp), None);
        }
        for name in [
            "", "a", "a b", "a 10:00:00", "a 2026-11-25", "a-2026-11-25 10:00:00x",
            "a 25 10:00:00", "a (b)",
        ] {
            assert_eq!(start(name), None, "{name}");
        }
    }
}
