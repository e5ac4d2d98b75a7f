//! Takes secrets out of the lines that a model is shown.
//!
//! What a secret looks like is known elsewhere: the function that masks one line is handed in. Here is only what needs more
//! than one line: a private key goes on until it says that it ends.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Masks the secret values of one line.
type MaskLine = dyn Fn(&str) -> Cow<'_, str> + Send + Sync;

/// What stands for a line of a private key.
const HIDDEN: &str = "[line of a private key]";

/// Masks secrets. Clones share the same function.
#[derive(Clone)]
pub struct Redactor(Arc<MaskLine>);

impl Redactor {
    /// A redactor that masks the values in a line with this function.
    #[must_use]
    pub fn new(mask: impl Fn(&str) -> Cow<'_, str> + Send + Sync + 'static) -> Self {
        Self(Arc::new(mask))
    }

    /// The lines without the secrets in them.
    pub(crate) fn lines<'a>(&self, lines: impl Iterator<Item = &'a str>) -> Vec<Cow<'a, str>> {
        let mut inside = false;
        let mask = |text: &'a str| {
            let (was_inside, ends) = (inside, is_fence(text, "END"));
            inside = !ends && (inside || is_fence(text, "BEGIN"));
            if was_inside && !ends { Cow::Borrowed(HIDDEN) } else { (self.0)(text) }
        };
        lines.map(mask).collect()
    }
}

/// The first or last line of a private key (RFC 7468, section 2).
fn is_fence(text: &str, word: &str) -> bool {
    text.match_indices("-----").any(|(at, fence)| {
        let label = text.get(at + fence.len()..).and_then(|rest| rest.strip_prefix(word)?.split("-----").next());
        label.is_some_and(|label| label.ends_with("PRIVATE KEY"))
    })
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{HIDDEN, Redactor};

    fn lines<'a>(text: &'a [&'a str]) -> Vec<Cow<'a, str>> {
        Redactor::new(|line| Cow::Owned(line.replace("hunter2", "hunt…"))).lines(text.iter().copied())
    }

    #[test]
    fn a_private_key_is_hidden_to_its_end() {
        let key = [
            "a = 1",
            "k = '''-----BEGIN RSA PRIVATE KEY-----",
            "MIIEow",
            "qwerty",
            "-----END RSA PRIVATE KEY-----'''",
            "b",
        ];
        assert_eq!(lines(&key), [key[0], key[1], HIDDEN, HIDDEN, key[4], key[5]]);
    }

    #[test]
    fn a_key_that_is_cut_off_is_hidden_to_the_end_of_the_hunk() {
        assert_eq!(lines(&["-----BEGIN PRIVATE KEY-----", "MIIEow"])[1], HIDDEN);
        assert_eq!(lines(&["-----BEGIN CERTIFICATE-----", "MIIEow"])[1], "MIIEow");
    }

    #[test]
    fn the_values_of_a_line_are_masked() {
        assert_eq!(lines(&["password = 'hunter2'"]), ["password = 'hunt…'"]);
    }
}
