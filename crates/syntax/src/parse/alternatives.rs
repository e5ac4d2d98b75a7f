//! Other code that may enclose a hunk.
//!
//! A context only makes a text parse. Whether the text is really in an asynchronous function, a loop, a `try` or `main`
//! is unknown. A finding counts only if the rule also makes it in the other contexts in which the text parses equally
//! well (see `scan::file`).
//!
//! Other contexts are parsed only for hunks with findings, so they cost nothing elsewhere. The check applies to all rules, in Rust and in YAML.

use super::context::Context;
use super::contexts::{at_bottom, lowest_indentation};
use crate::language::{Alternative, Grammar};

/// Words for members that an interface cannot have.
const CLASS_ONLY: &[&str] = &[
    "abstract", "override", "private", "protected", "static", "this",
];

/// First words of statements that cannot be in a class body.
const STATEMENTS: &[&str] = &[
    "assert", "await", "del", "for", "if", "raise", "return", "try", "while", "with", "yield",
    "else", "elif", "except",
];

/// An alternative of the language for one text.
pub struct Alternate {
    /// `None` if it does not apply.
    pub context: Option<Context>,
    /// It encloses the text in additional blocks.
    pub is_wider: bool,
}

/// The alternatives to a context for `text`, one for each that the language has. Alternatives that the heading or the
/// text rules out do not apply.
pub(super) fn alternatives(
    grammar: Grammar,
    text: &str,
    heading: &str,
    context: &Context,
) -> Vec<Alternate> {
    let shows_async =
        has_word(heading, "async") || has_word(heading, "suspend") || has_word(text, "await");
    let shows_other_function =
        heading.contains('(') && !has_word(heading, "main") && !has_word(heading, "Main");
    let shows_def = grammar.name() == "Python" && has_word(heading, "def");
    let shows_class = CLASS_ONLY.iter().any(|word| has_word(text, word));
    let is_indented = lowest_indentation(text) > 0;
    let make = |Alternative {
                    opener,
                    instead,
                    close,
                    ..
                }: &Alternative| {
        let becomes = |word: &str| has_word(instead, word) && !has_word(opener, word);
        let is_refuted = shows_async && has_word(opener, "async") && !has_word(instead, "async")
            || shows_other_function && (becomes("main") || becomes("Main"))
            || shows_class && becomes("interface")
            || shows_def && has_word(opener, "def") && !has_word(instead, "def")
            || *instead == "class _C:" && !at_bottom(text).all(may_be_in_class);
        match opener.is_empty() {
            _ if is_refuted => None,
            true => is_indented.then(|| around(context, instead, close)),
            false => replaced(context, opener, instead, close),
        }
    };
    let all = grammar.row().alternatives.iter();
    all.map(|alternative| Alternate {
        context: make(alternative),
        is_wider: alternative.is_wider,
    })
    .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|own| own == word)
}

/// Whether a line of Python may be directly in a class.
fn may_be_in_class(line: &str) -> bool {
    line.starts_with(['@', '#', '"', '\''])
        || line.contains([':', '=']) && !first_word_is(line, STATEMENTS)
}

fn first_word_is(line: &str, words: &[&str]) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .is_some_and(|word| words.contains(&word))
}

/// A context within additional blocks.
fn around(Context { before, after }: &Context, instead: &str, close: &str) -> Context {
    Context {
        before: format!("{instead}\n{before}"),
        after: format!("{after}\n{close}\n"),
    }
}

/// A context with another opener. The innermost opener is replaced if the alternative opens additional blocks.
fn replaced(
    Context { before, after }: &Context,
    opener: &str,
    instead: &str,
    close: &str,
) -> Option<Context> {
    if close.is_empty() {
        return before.contains(opener).then(|| Context {
            before: before.replace(opener, instead),
            after: after.clone(),
        });
    }
    let at = before.rmatch_indices(opener).map(|(at, _)| at).find(|at| {
        let starts = before
            .get(..*at)
            .is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        starts
            && before
                .get(at + opener.len()..)
                .is_some_and(|rest| rest.starts_with('\n'))
    })?;
    let (head, rest) = (before.get(..at)?, before.get(at + opener.len()..)?);
    // The closers of the opener and of the code around it come last.
    let depth = head.matches('{').count() + 1;
    let braces = after.len() - after.trim_end_matches('}').len();
    let (inner, outer) = after.split_at(after.len() - if braces >= depth { depth } else { 0 });
    Some(Context {
        before: format!("{head}{instead}{rest}"),
        after: format!("{inner}{close}{outer}"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::context::Context;
    use super::alternatives;
    use crate::language::Grammar;

    fn contexts(
        language: &str,
        text: &str,
        heading: &str,
        before: &str,
        after: &str,
    ) -> Vec<(String, String)> {
        let context = Context {
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let all = alternatives(Grammar::find(language).unwrap(), text, heading, &context);
        all.into_iter()
            .filter_map(|other| other.context)
            .map(|context| (context.before, context.after))
            .collect()
    }

    #[test]
    fn blocks_are_closed_where_they_were_opened() {
        let all = contexts(
            "C#", "  f();\n", "", "class _C {\nasync void _m() {\n", "\n}}",
        );
        let tried = (
            "class _C {\nasync void _m() { try {\n".to_owned(),
            "\n} catch (Exception) {}}}".to_owned(),
        );
        assert!(all.contains(&tried), "{all:#?}");
        assert!(
            all.iter()
                .any(|(before, _)| before == "class _C {\nvoid _m() {\n"),
            "{all:#?}"
        );
    }

    #[test]
    fn alternatives_ruled_out_by_the_text_or_the_heading_do_not_apply() {
        let before = "async def _f():\n";
        let is_sync = |(before, _): &(String, String)| before.starts_with("def _f()");
        assert!(
            contexts("Python", "    f()\n", "def f():", before, "\n")
                .iter()
                .any(is_sync)
        );
        assert!(
            !contexts("Python", "    f()\n", "async def f():", before, "\n")
                .iter()
                .any(is_sync)
        );
        assert!(
            !contexts("Python", "    await f()\n", "", before, "\n")
                .iter()
                .any(is_sync)
        );
    }

    #[test]
    fn code_without_indentation_is_not_enclosed() {
        assert!(contexts("Ruby", "f\n", "", "", "\n").is_empty());
        assert!(
            contexts("Ruby", "  f\n", "", "", "\n")
                .iter()
                .any(|(before, _)| before.contains("def _m"))
        );
    }
}
