//! Heredocs: strings that end in a line with their name. A fragment may start inside one.

use review::language::lexical::ends_heredoc;

use crate::language::Row;

/// The opener of a heredoc, up to its name.
pub(super) fn sign(row: &Row) -> Option<&'static str> {
    match row.folder {
        "ruby" => Some("<<~"),
        "php" => Some("<<<"),
        "shell" => Some("cat <<"),
        _ => None,
    }
}

/// The range of the terminator of the heredoc with this name.
pub(super) fn end(text: &str, name: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if ends_heredoc(line, name) {
            return Some((at, at + line.len() - code.len() + name.len()));
        }
        at += line.len();
    }
    None
}

/// The name of the heredoc that a text starts in: the text has its terminator but not its opener.
pub(super) fn cut<'t>(row: &Row, text: &'t str) -> Option<&'t str> {
    sign(row)?;
    let ends = |line: &&str| {
        let code = line.trim();
        let code = if row.folder == "php" {
            code.trim_end_matches([';', ',', ')', ']'])
        } else {
            code
        };
        code.len() > 1
            && word(code) == code
            && code.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
    };
    let line = text.lines().find(ends)?;
    let own = word(line.trim_start());
    let before = text.get(..end(text, own)?.0)?;
    let begins = |(at, _): (usize, &str)| {
        before
            .get(at..)
            .and_then(|rest| row.lexical().heredoc_name(rest))
            == Some(own)
    };
    (!before.match_indices("<<").any(begins)).then_some(own)
}

fn word(text: &str) -> &str {
    let end = text
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count();
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{cut, end};
    use crate::language::Grammar;

    #[test]
    fn a_heredoc_ends_in_a_line_with_its_name() {
        assert_eq!(end("a\n  EOT;\nb\n", "EOT"), Some((2, 7)));
        assert_eq!(end("EOTS\n", "EOT"), None);
    }

    #[test]
    fn a_text_with_only_the_end_of_a_heredoc_starts_inside_it() {
        let ruby = Grammar::find("Ruby").unwrap().row();
        assert_eq!(cut(ruby, "  WHERE a = 1\nSQL\nend\n"), Some("SQL"));
        assert_eq!(cut(ruby, "run(<<~SQL)\n  WHERE a = 1\nSQL\nend\n"), None);
        assert_eq!(cut(ruby, "[\n  FIRST,\n  SECOND,\n]\n"), None);
    }
}
