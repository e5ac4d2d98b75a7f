//! The command `DELIMITER`, with which clients of MySQL send the body of a function as one statement.
//!
//! A `;` ends a statement nonetheless, so that what another client runs is a statement here as well. Nothing is left out if a string,
//! a comment or a body contains the delimiter: there, clients disagree about where a statement ends.

use super::Scan;

impl<'t> Scan<'t> {
    /// Reads the command, which ends with its line, or a name in a statement.
    pub(super) fn command(&mut self, word: &'t str) -> Option<()> {
        let rest = self.rest();
        let line = rest.lines().next()?;
        let mut words = line.split_whitespace().skip(1);
        let delimiter = words.next().unwrap_or_default();
        if !self.tokens.is_empty() {
            // A client sees the command there as well.
            self.push(word.len(), word);
            let is_command = delimiter != ";" && is_delimiter(delimiter);
            return (!is_command).then_some(());
        }
        if words.next().is_some() || !self.tags.is_empty() {
            return None;
        }
        self.delimiter = match delimiter {
            ";" => None,
            _ if is_delimiter(delimiter) => Some(delimiter),
            _ => return None,
        };
        self.push(word.len(), word);
        self.at += line.len() - word.len();
        self.send_to(self.at)
    }

    /// Whether the delimiter is next; `None` if it begins within the next word.
    pub(super) fn is_at_delimiter(&self, word: &str) -> Option<bool> {
        let Some(delimiter) = self.delimiter else {
            return Some(false);
        };
        let rest = self.rest();
        let end = rest.len().min(word.len() + delimiter.len());
        match memchr::memmem::find(rest.as_bytes().get(..end)?, delimiter.as_bytes()) {
            Some(0) => Some(true),
            Some(within) if within < word.len() => None,
            _ => Some(false),
        }
    }

    /// Ends the statement at the delimiter.
    pub(super) fn send(&mut self) -> Option<()> {
        self.at += self.delimiter?.len();
        self.tags.is_empty().then(|| self.send_to(self.at))?
    }

    fn send_to(&mut self, at: usize) -> Option<()> {
        self.end(at);
        if let Some(last) = self.found.last_mut() {
            // Without a statement, the delimiter belongs to the one before it.
            last.range.end = at;
            last.is_sent = true;
        }
        Some(())
    }

    /// `None` if a string or a comment contains the delimiter: clients disagree about whether the statement ends there.
    pub(super) fn skips_no_delimiter(&self, text: &str) -> Option<()> {
        let ends = self.delimiter.is_some_and(|own| text.contains(own));
        (!ends).then_some(())
    }

    /// A comment up to the end of its line. Only PostgreSQL sees the delimiter of a body in it.
    pub(super) fn line_comment(&mut self) -> Option<()> {
        let comment = self.rest().lines().next()?;
        if self.delimiter.is_some_and(|own| own.contains('$')) {
            self.skips_no_delimiter(comment)?;
        }
        self.at += comment.len();
        Some(())
    }
}

/// Whether a text can be found in code: it begins neither a string nor a comment, and is no name.
fn is_delimiter(text: &str) -> bool {
    let is_sign = |byte: u8| b"/$|;!@%^&~".contains(&byte);
    let mut bytes = text.bytes();
    bytes.all(|byte| is_sign(byte) || byte.is_ascii_alphanumeric() || byte == b'_')
        && text.bytes().any(is_sign)
}
