//! A `#`, with which MySQL begins a comment, and PostgreSQL an operator such as `#>>`.

use super::{BEFORE, CONDITIONS, EVENTS, LIMITS, STARTS, Scan, tag, word};

/// Words that matter for what is before a comment with them.
const WORDS: &[&str] = &["BEGIN", "CASE", "FROM"];
/// Words before a name or a value, as those of other lists.
const OPENERS: &[&str] = &[
    "FROM", "INTO", "SET", "TABLE", "COLUMN", "ONLY", "IGNORE", "LOW_PRIORITY", "EXISTS", "NOT",
];

impl Scan<'_> {
    /// Reads a `#` that is a comment everywhere, or an operator after which the rest of the line would hide nothing as a comment.
    pub(super) fn number_sign(&mut self) -> Option<()> {
        let rest = self.rest();
        let line = rest.lines().next()?;
        if self.tokens.is_empty() {
            // Elsewhere the next statement is an error, and not run.
            let is_comment = !line.contains(['\'', '"', '`', ';', '$', '\\', '/']);
            self.skips_no_delimiter(line)?;
            self.at += line.len();
            return is_comment.then_some(());
        }
        let is_operator = line.starts_with("#>") || line.starts_with("#-");
        let next = rest.get(line.len()..)?.trim_start();
        let is_compared_below = next.starts_with(['=', '<', '>', '!']);
        if !is_operator || !self.follows_value() || is_compared_below || !is_alike(line) {
            return None;
        }
        self.push(1, rest.get(..1)?);
        Some(())
    }

    /// Whether the last token ends a name or a value.
    fn follows_value(&self) -> bool {
        let text = self.tokens.last().map_or("(", |token| token.text);
        let is_sign = text.len() == 1 && text != ")" && word(text).is_empty();
        let mut words = [OPENERS, BEFORE, CONDITIONS, EVENTS, LIMITS, STARTS]
            .into_iter()
            .flatten();
        !is_sign && (text == ")" || !words.any(|own| text.eq_ignore_ascii_case(own)))
    }
}

/// Whether the rest of a line means the same for the code around it, either as a comment or as code.
fn is_alike(line: &str) -> bool {
    let mut at = 1;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let word = word(rest);
        let matters = |own: &&&str| word.eq_ignore_ascii_case(own);
        if rest.starts_with("--") {
            return true;
        }
        let is_tag = first == '$' && tag(rest).is_some();
        if rest.starts_with("/*")
            || is_tag
            || matches!(first, '\\' | '`')
            || LIMITS.iter().chain(WORDS).any(|own| matters(&own))
        {
            return false;
        }
        at += match (matches!(first, '\'' | '"'), word.len()) {
            (true, _) => match rest.get(1..).and_then(|inner| inner.find(first)) {
                Some(length) => length + 2,
                None => return false,
            },
            (false, 0) => first.len_utf8(),
            (false, length) => length,
        };
    }
    true
}
