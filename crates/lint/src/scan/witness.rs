//! The second witness of code that does not parse.
//!
//! No grammar knows every valid text of its language, so its error alone says nothing about the author. Whether brackets, blocks,
//! strings and statements end does not depend on new syntax, and the lexical table decides it without the grammar. JSON and YAML
//! have a second parser.

use std::ops::Range;

use review::language::lexical::{Quotes, ends_heredoc};
use review::{Lexical, Line, LineKind, Side};
use serde::de::IgnoredAny;
use syntax::parse::Hunk;

use super::syntax_errors::blamed_change;
use crate::rule::{BRACKET_LANGUAGES, brackets_of_file, indent, text_of};

/// Languages in which a file may consist of text between tags, where quotation marks and brackets mean nothing.
const WITH_TAGS: &[&str] = &["JavaScript", "TSX", "PHP"];
/// Languages with a preprocessor, which may choose one of two openings of the same block.
const WITH_PREPROCESSOR: &[&str] = &["C", "C++", "C#"];
/// Languages in which every simple statement ends with a semicolon, and in which no macro may do so itself.
const WITH_SEMICOLONS: &[&str] = &["Java", "C#", "PHP"];
/// Languages in which commas separate the entries `name: value` of an object or a dictionary.
const WITH_ENTRIES: &[&str] = &["JavaScript", "TSX", "Python", "Go"];
/// Languages in which a string in double quotation marks ends on its line.
const ENDS_STRINGS: &[&str] = &[
    "C", "C++", "C#", "Go", "Java", "JavaScript", "Kotlin", "TSX", "TypeScript",
];
/// Words that start a simple statement.
const SIMPLE: &[&str] = &[
    "return", "throw", "break", "continue", "import", "package", "echo", "use",
];
/// Words that continue a statement on the next line.
const CONTINUE: &[&str] = &[
    "and", "as", "ascending", "by", "descending", "else", "equals", "extends", "from", "group",
    "implements", "in", "instanceof", "insteadof", "into", "is", "join", "let", "on", "or",
    "orderby", "permits", "select", "switch", "throws", "when", "where", "with", "xor",
];
/// Words before a block of Python.
const PYTHON_BLOCKS: &[&str] = &[
    "if", "elif", "else", "for", "while", "def", "class", "try", "except", "finally", "with",
    "async",
];
/// Words before a block of Ruby that starts a line.
const RUBY_BLOCKS: &[&str] = &[
    "def", "class", "module", "if", "unless", "case", "while", "until", "for", "begin",
];

/// The changed line because of which a whole file cannot be valid, although the old one could be. `errors` are the lines at which
/// the parser has failed, by their numbers on the new side.
pub(super) fn witness(hunk: Hunk<'_>, language: &str, errors: &[u32]) -> Option<(Side, u32)> {
    let side = |without: LineKind| -> Vec<&Line<'_>> {
        let lines = hunk.lines.iter();
        lines.filter(|line| line.kind != without).collect()
    };
    let (old, new) = (side(LineKind::Added), side(LineKind::Removed));
    let found = match language {
        "JSON" => is_broken_json(&new).then_some(0..new.len()),
        "YAML" => (is_broken_yaml(&new) && !is_broken_yaml(&old)).then_some(0..new.len()),
        _ => unclosed(&old, &new, language)
            .or_else(|| unended(&new, language, errors))
            .or_else(|| (language == "Ruby").then(|| unended_blocks(&old, &new))?),
    }?;
    let added = |at: usize| {
        let line = new.get(at).filter(|line| line.kind == LineKind::Added)?;
        Some((Side::New, line.new?))
    };
    let last = || new.get(found.end.min(new.len().saturating_sub(1)))?.new;
    added(found.start)
        .or_else(|| added(found.end))
        .or_else(|| blamed_change(hunk, last()? + 1))
}

fn is_broken_json(lines: &[&Line<'_>]) -> bool {
    serde_json::from_str::<IgnoredAny>(&text_of(lines)).is_err()
}

fn is_broken_yaml(lines: &[&Line<'_>]) -> bool {
    serde_saphyr::from_multiple::<IgnoredAny>(&text_of(lines)).is_err()
}

/// The line of a bracket that is not closed and the one that shows it, if all brackets were closed in the old file.
fn unclosed(old: &[&Line<'_>], new: &[&Line<'_>], language: &str) -> Option<Range<usize>> {
    if !BRACKET_LANGUAGES.contains(&language) {
        return None;
    }
    let has = |marks: &[&str]| {
        new.iter()
            .any(|line| marks.iter().any(|mark| line.text.contains(mark)))
    };
    let is_conditional = |line: &&Line<'_>| {
        let text = line.text.trim_start();
        text.starts_with("#if") || text.starts_with("#el")
    };
    // A string of SQL may continue on the next line.
    let spans_lines = |line: &&Line<'_>| line.text.matches('\'').count() % 2 == 1;
    let is_unclear = language == "PHP" && has(&["?>"])
        || language == "SQL" && new.iter().any(spans_lines)
        || old.is_empty() && WITH_TAGS.contains(&language) && has(&["</", "/>"])
        || WITH_PREPROCESSOR.contains(&language) && new.iter().any(is_conditional);
    if is_unclear {
        return None;
    }
    let lexical = Lexical::or_any(Some(language));
    let found = match brackets_of_file(new, language, lexical)? {
        Err(mismatch) => mismatch.opened..mismatch.seen,
        Ok(open) => open.last()?.line..new.len(),
    };
    let was_closed =
        matches!(brackets_of_file(old, language, lexical), Some(Ok(open)) if open.is_empty());
    was_closed.then_some(found)
}

/// An added line near an error that lacks the end of its statement, or the colon before its block.
fn unended(lines: &[&Line<'_>], language: &str, errors: &[u32]) -> Option<Range<usize>> {
    let lexical = Lexical::or_any(Some(language));
    let code = |line: &Line<'_>| lexical.without_line_comment(line.text).trim().to_owned();
    let is_near = |line: &Line<'_>| {
        let number = line.new.unwrap_or_default();
        errors
            .iter()
            .any(|error| (number..=number + 1).contains(error))
    };
    let near = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind == LineKind::Added && is_near(line));
    for (at, line) in near {
        let Some(next) = lines
            .iter()
            .skip(at + 1)
            .find(|next| !next.text.trim().is_empty())
        else {
            continue;
        };
        if ENDS_STRINGS.contains(&language) && has_open_string(line.text, lexical) {
            return Some(at..at);
        }
        let (own, after) = (code(line), code(next));
        let is_unended = if WITH_ENTRIES.contains(&language)
            && is_entry(&own)
            && is_entry(&after)
            && indent(next.text) == indent(line.text)
        {
            !own.ends_with([',', '{', '[', '(', ';', ':'])
        } else if WITH_SEMICOLONS.contains(&language) {
            is_simple(&own) && starts_statement(&after)
        } else if language == "Python" {
            let word = first_word(&own);
            PYTHON_BLOCKS.contains(&word)
                && !own.ends_with([':', '\\', ',', '(', '[', '{'])
                && is_balanced(&own)
                && !own.contains(": ")
                && indent(next.text) > indent(line.text)
        } else {
            false
        };
        if is_unended {
            return Some(at..at);
        }
    }
    None
}

/// Whether a string that starts on a line does not end on it.
fn has_open_string(line: &str, lexical: &Lexical) -> bool {
    // Verbatim strings of C# and the text of JSX.
    if line.contains("@\"") || line.contains('<') {
        return false;
    }
    let mut quotes = Quotes::default();
    let mut at = 0;
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        if lexical.comment_at(line, at).is_some()
            || lexical
                .long_string(line.get(at..).unwrap_or_default())
                .is_some()
        {
            return false;
        }
        match lexical.string_end(line, at, &mut quotes) {
            Some(end) if end > at => at = end,
            _ if c == '"' => return !line.ends_with('\\'),
            _ => at += c.len_utf8(),
        }
    }
    false
}

/// Whether a line is `name: value` or `"name": value`.
fn is_entry(line: &str) -> bool {
    let Some((name, value)) = line.split_once(": ") else {
        return false;
    };
    let plain = name.trim_matches(['"', '\'']);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    !plain.is_empty()
        && plain.chars().all(is_name)
        && !value.trim().is_empty()
        && !matches!(plain, "case" | "default")
}

fn first_word(line: &str) -> &str {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .unwrap_or_default()
}

fn is_balanced(text: &str) -> bool {
    let count = |brackets: [char; 3]| text.matches(brackets).count();
    count(['(', '[', '{']) == count([')', ']', '}'])
}

/// Whether a line is a simple statement up to its end, without the semicolon.
fn is_simple(line: &str) -> bool {
    let ends_value =
        line.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '"' | '\''));
    let word = first_word(line);
    let first = line.split(['(', ' ']).next().unwrap_or_default();
    let is_call = line.ends_with(')')
        && (first.contains('.') || first.contains("->") || first.contains("::"));
    ends_value
        && is_balanced(line)
        && !line.starts_with(['@', '[', '#', '*', '/', '.', '?', ':', '&', '|'])
        && (SIMPLE.contains(&word) || line.starts_with('$') || is_call || line.contains(" = "))
}

fn starts_statement(line: &str) -> bool {
    let word = first_word(line);
    line.starts_with('}') || line.starts_with('$') || !word.is_empty() && !CONTINUE.contains(&word)
}

/// The last changed line, if the blocks of a Ruby file had as many beginnings as ends and now have not.
fn unended_blocks(old: &[&Line<'_>], new: &[&Line<'_>]) -> Option<Range<usize>> {
    let last = new.iter().rposition(|line| line.kind == LineKind::Added)?;
    let is_even = !old.is_empty() && ruby_depth(old) == Some(0);
    (is_even && ruby_depth(new).is_some_and(|depth| depth != 0)).then_some(last..last)
}

/// The number of beginnings of blocks less the number of ends, by the words at the start and at the end of lines; `None` if some
/// lines may be text.
fn ruby_depth(lines: &[&Line<'_>]) -> Option<i64> {
    let lexical = Lexical::or_any(Some("Ruby"));
    let mut depth = 0;
    let mut heredoc = None;
    for line in lines {
        if let Some(name) = heredoc {
            if ends_heredoc(line.text, name) {
                heredoc = None;
            }
            continue;
        }
        if line.text.starts_with("=begin") || line.text == "__END__" {
            return None;
        }
        let own = lexical.without_line_comment(line.text).trim();
        heredoc = lexical.opened_heredoc(own);
        let first = first_word(own);
        let is_short = own.ends_with("; end") || own.ends_with(" end") && first != "end";
        let is_endless = first == "def" && own.contains(" = ");
        let is_value = ["if", "unless", "case", "begin", "while"]
            .iter()
            .any(|word| own.ends_with(&format!("= {word}")) || own.contains(&format!("= {word} ")));
        let has_do = own.ends_with(" do") || own.ends_with('|') && own.contains(" do |");
        let is_loop = matches!(first, "while" | "until" | "for");
        let opens = RUBY_BLOCKS.contains(&first) && !is_endless || is_value || has_do && !is_loop;
        depth += i64::from(opens && !is_short) - i64::from(first == "end");
    }
    heredoc.is_none().then_some(depth)
}
