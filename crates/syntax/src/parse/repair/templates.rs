//! Leaves the actions of a template out of a data file.

use std::ops::Range;

use tree_sitter::Tree;

use super::text::{blank, fill};
use crate::parse::fragment::Fragment;
use crate::parse::limits::Limits;

const ACTIONS: &[(&str, &str)] = &[("{{", "}}"), ("{%", "%}")];
/// Before the braces, it marks an expression of a workflow, which is data of YAML.
const EXPRESSION: char = '$';
/// The delimiters of comments, which alone may span lines.
const COMMENT: (&str, &str) = ("/*", "*/");
/// Maximum number of bytes of an action.
const BYTES: usize = 1_000;

/// The text without the actions of a template.
pub(super) fn read(fragment: &Fragment, limits: &Limits) -> Option<(Fragment, Tree)> {
    let text = without_actions(fragment.text())?;
    fragment.with_text(&text, limits)
}

/// Blanks the lines that only have actions, and puts a word in place of the other actions; `None` if there are none, or
/// if one of them could be data.
fn without_actions(text: &str) -> Option<String> {
    let actions = actions(text)?;
    let mut result = text.to_owned();
    for action in &actions {
        blank(&mut result, action.clone());
    }
    let alone = result.clone();
    let row = |at: usize| {
        let from = text
            .get(..at)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |at| at + 1);
        let to = text
            .get(at..)
            .and_then(|after| after.find('\n'))
            .map_or(text.len(), |end| at + end);
        from..to
    };
    for action in actions {
        let (first, last) = (row(action.start), row(action.end));
        let has_data = alone
            .get(first.start..last.end)
            .is_some_and(|line| !line.trim().is_empty());
        if has_data {
            fill(&mut result, action, b'x');
        }
    }
    Some(result)
}

/// The actions of a text, in order.
fn actions(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let open =
            |(open, close): &(&'static str, &'static str)| Some((rest.find(open)?, *open, *close));
        let Some((from, open, close)) = ACTIONS.iter().filter_map(open).min() else {
            break;
        };
        let start = at + from + open.len();
        let inner = text.get(start..)?;
        let inner = inner.get(..inner.find(close)?)?;
        at = start + inner.len() + close.len();
        let before = text.get(..start - open.len())?;
        if before.ends_with(EXPRESSION) {
            continue;
        }
        if could_be_data(inner) {
            return None;
        }
        found.push(before.len()..at);
    }
    (!found.is_empty()).then_some(found)
}

/// Whether the text in the braces could be a mapping of YAML, or hides a part of the file.
fn could_be_data(inner: &str) -> bool {
    let text = inner.trim_matches(['-', ' ']);
    let is_comment = text.starts_with(COMMENT.0) && text.ends_with(COMMENT.1);
    inner.len() > BYTES || inner.contains(": ") || inner.contains('\n') && !is_comment
}

#[cfg(test)]
mod tests {
    use super::without_actions;

    #[test]
    fn actions_become_blanks_or_words() {
        let text = "a:\n{{- if .x }}\n  b: {{ .y }}\n{{- end }}\n";
        let read = "a:\n            \n  b: xxxxxxxx\n          \n";
        assert_eq!(without_actions(text).as_deref(), Some(read));
        let text = "run: ${{ a }}\n{{- /* why\n*/ -}}\n";
        let read = "run: ${{ a }}\n          \n      \n";
        assert_eq!(without_actions(text).as_deref(), Some(read));
        for text in [
            "a: 1\n",
            "a: ${{ b }}\n",
            "{{ a: b }}\n",
            "{{ x\n",
            "{{ if\n x }}\n",
            "{{/* a\nb\n{{ c }}\n",
        ] {
            assert_eq!(without_actions(text), None, "{text}");
        }
    }
}
