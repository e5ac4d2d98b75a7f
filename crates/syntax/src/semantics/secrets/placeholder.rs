//! Recognizes placeholders for secrets, and measures the randomness of a text.

/// Bits of information per character (Shannon).
pub fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    let shares = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / all);
    shares.map(|share| -share * share.log2()).sum()
}

/// How often letters change to digits, or lower case to upper case and back. Random text does so frequently.
pub(crate) fn switches(value: &str) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    value
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if class(*a) != class(*b)))
        .count()
}

/// Whether a text is random: letters and digits mixed without order, unlike words and paths.
pub fn is_random(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let signs = value.len() - digits - letters;
    let is_hexadecimal = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let needed = if is_hexadecimal { 3.0 } else { 3.7 };
    let is_uuid = value.len() == 36 && value.bytes().filter(|byte| *byte == b'-').count() == 4;
    digits >= 3
        && letters >= 5
        && signs * 6 <= value.len()
        && !is_uuid
        && switches(value) * 4 >= value.len()
        && entropy(value) >= needed
        && !is_placeholder(value)
}

/// Whether a value is a key that its service intends for public web pages: PostHog, Stripe, Mapbox.
pub fn is_for_web_pages(value: &str) -> bool {
    ["phc_", "pk_live_", "pk_test_", "pk.eyJ"]
        .iter()
        .any(|start| value.starts_with(start))
}

/// Whether a value is a placeholder for a secret.
pub fn is_placeholder(value: &str) -> bool {
    const SIGNS: &[&str] = &[
        "${", "{{", "<", ">", "%(", "$(", "#{", "%s", "…", "@{", "\\(",
    ];
    let lower = value.to_ascii_lowercase();
    has_few_letters(value)
        || is_sequence(&lower)
        || STAND_INS
            .iter()
            .chain(WORDS)
            .any(|word| lower.contains(word))
        || SIGNS.iter().any(|sign| value.contains(sign))
        || value.starts_with('[') && value.ends_with(']')
        || value.starts_with('$')
        || value.starts_with('%') && value.ends_with('%')
}

/// Whether a part of a line is long and mixed enough to be a secret. Most lines of code have none, and the check is
/// fast.
pub(super) fn has_dense_piece(line: &str) -> bool {
    line.as_bytes()
        .split(|byte| CLASSES[usize::from(*byte)] == OTHER)
        .any(is_dense)
}

fn is_dense(piece: &[u8]) -> bool {
    let class = |byte: &u8| CLASSES[usize::from(*byte)];
    piece.len() >= 12
        && (piece.len() >= 30
            || piece.iter().any(|byte| class(byte) == DIGIT)
            || piece.len() >= 16 && piece.iter().all(|byte| class(byte) == CAPITAL))
}

const OTHER: u8 = 0;
const PART: u8 = 1;
const CAPITAL: u8 = 2;
const DIGIT: u8 = 3;

/// The character class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' => CAPITAL,
            b'a'..=b'z' | b'_' | b'-' | b'+' | b'/' | b'=' | b'~' | b'%' | b'|' => PART,
            _ => OTHER,
        };
        byte += 1;
    }
    classes
};

/// Words that people write in place of a secret. All are long or unusual enough not to appear in random text.
pub(super) const STAND_INS: &[&str] = &[
    "example", "sample", "dummy", "placeholder", "changeme", "change-me", "change_me", "changeit",
    "your", "xxxx", "fake", "todo", "redact", "insert", "replace", "abcdef", "deadbeef",
    "cafebabe", "foobar", "undefined", "****", "....", "----", "____", "aaaa", "0000", "1111",
    "letmein", "qwerty", "notreal", "not-real", "not_real", "invalid", "censored", "masked",
    "removed", "lorem", "asdf", "goes-here", "goeshere",
];

/// Words that show that a random-looking text is a placeholder, but that can be part of a password.
const WORDS: &[&str] = &[
    "mock", "012345", "123456", "987654", "secret", "password", "passwd", "test", "none", "null",
    "default", "process.env", "hunter2", "hidden", "_here", "-here",
];

pub(super) fn has_few_letters(value: &str) -> bool {
    let mut letters: Vec<char> = value.chars().collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len() < 5
}

/// Whether most of a value counts up or down: `abcdefgh12345678`.
pub(super) fn is_sequence(value: &str) -> bool {
    let steps = value
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.abs_diff(*b) == 1))
        .count();
    value.len() >= 8 && steps * 2 >= value.len()
}

#[cfg(test)]
mod tests {
    use super::{entropy, is_placeholder, switches};

    #[test]
    fn placeholders_are_recognized() {
        for text in [
            "YOUR_API_KEY", "${TOKEN}", "xxxxxxxxxxxx", "%DEPLOY_KEY%", "{{ vault.key }}",
            "<token>", "zyxwvutsrqponmlk", "put-token-here", "%s",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        assert!(!is_placeholder("hu7Gq1zzPw9LmKd"));
    }

    #[test]
    fn random_text_has_more_entropy_and_changes_more_often() {
        assert!(entropy("") < 0.1 && entropy("aaaa") < 0.1 && entropy("hu7Gq1zzPw9LmKd") > 3.0);
        assert_eq!(switches("aaBB11"), 2);
    }
}
