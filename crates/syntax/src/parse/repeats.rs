//! Texts that repeat a few bytes many times.
//!
//! If each repetition is an error, the number of ways to recover explodes: 25 kB can take gigabytes, and the parser's
//! progress does not show it. So such a text is first tried with few repetitions.

use std::ops::Range;

/// Maximum length of the repeated unit.
const LONGEST: usize = 32;
/// A text with more repetitions than this is first tried with fewer.
const MANY: usize = 200;
/// The number of repetitions in the shortened text.
const FEW: usize = 24;

/// The first long repetition of a text: its start, and the range that may be cut out.
pub(super) fn find(text: &str) -> Option<(usize, Range<usize>)> {
    const STEP: usize = 512;
    let bytes = text.as_bytes();
    (0..bytes.len())
        .step_by(STEP)
        .find_map(|at| around(bytes, at))
}

fn around(bytes: &[u8], at: usize) -> Option<(usize, Range<usize>)> {
    let rest = bytes.get(at..)?;
    let unit = (1..=LONGEST).find(|unit| {
        let window = 4 * LONGEST;
        rest.get(..window)
            .is_some_and(|here| rest.get(*unit..unit + window) == Some(here))
    })?;
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let up = rest
        .iter()
        .zip(rest.iter().skip(unit))
        .take_while(same)
        .count();
    let before = bytes.get(..at + unit)?;
    let down = before
        .iter()
        .rev()
        .skip(unit)
        .zip(before.iter().rev())
        .take_while(same)
        .count();
    let times = (down + up) / unit;
    let start = at - down.min(at);
    let is_blank = rest.iter().take(unit).all(u8::is_ascii_whitespace);
    (times > MANY && !is_blank).then(|| (start, start + FEW * unit..start + times * unit))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_long_repetition_is_found_with_its_start() {
        let text = format!("int a[] = {{{}}};", "0, ".repeat(1_000));
        let (start, cut) = find(&text).unwrap();
        let left = format!("{}{}", &text[..cut.start], &text[cut.end..]);
        assert!((11..13).contains(&start), "{start}");
        assert!(
            left.starts_with("int a[] = {0, 0, ") && left.ends_with("0, };") && left.len() < 120,
            "{left}"
        );
        assert_eq!(find(&"int a = 1;\nint b = 2;\n".repeat(9)), None);
        assert_eq!(find(&" ".repeat(5_000)), None);
        assert_eq!(find(""), None);
    }
}
