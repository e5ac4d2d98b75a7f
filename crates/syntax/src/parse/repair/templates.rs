//! Leaves the actions of a template out of a data file or a Dockerfile.

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
/// Actions around a text that is used elsewhere.
const NAMED: &[&str] = &["macro ", "set ", "define "];
/// Actions before the next branch of a condition.
const ELSE: &[&str] = &["else", "elif"];
/// The start of an action that removes the line feed before it.
const JOINED: &str = "{%-";
/// In place of an action before a part of a command.
const COMMAND: &str = "RUN";
/// The end of a line that continues on the next.
const CONTINUED: &str = "\\";
const INSTRUCTIONS: &[&str] = &[
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL",
    "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
];

/// The text without the actions of a template.
pub(super) fn read(fragment: &Fragment, limits: &Limits) -> Option<(Fragment, Tree)> {
    let is_commands = fragment.grammar.name() == "Dockerfile";
    let text = without_actions(fragment.text(), is_commands)?;
    fragment.with_text(&text, limits)
}

/// Blanks the lines that only have actions, and puts a word in place of the other actions; `None` if there are none, or
/// if one of them could be data.
fn without_actions(text: &str, is_commands: bool) -> Option<String> {
    let actions = actions(text)?;
    let mut result = text.to_owned();
    for action in &actions {
        blank(&mut result, action.clone());
    }
    let alone = result.clone();
    let commands = is_commands.then(|| Commands::of(&alone));
    // Line feeds that an action removes.
    let mut joined = Vec::new();
    for action in actions {
        let (first, last) = (row(text, action.start), row(text, action.end));
        let line = alone.get(first.start..last.end).unwrap_or_default().trim();
        let own = text.get(action.clone()).unwrap_or_default();
        let is_alone = line.is_empty() || line == CONTINUED;
        match &commands {
            Some(commands) if is_alone && begins_part(own) && commands.begin_at(first.start) => {
                let end = action.start + COMMAND.len();
                result.replace_range(action.start..end, COMMAND);
                if line.is_empty() {
                    result.replace_range(action.end - 1..action.end, CONTINUED);
                }
            }
            Some(_) if line == CONTINUED && own.starts_with(JOINED) && first.start > 0 => {
                blank(&mut result, first.clone());
                comment(&mut result, first.start);
                joined.push(first.start - 1);
            }
            _ if !line.is_empty() => fill(&mut result, action, b'x'),
            // An empty line would end some instructions.
            Some(_) => comment(&mut result, first.start),
            None => {}
        }
    }
    for at in joined.into_iter().rev() {
        result.insert_str(at, " \\");
    }
    Some(result)
}

/// The places between the lines of a Dockerfile.
struct Commands {
    /// The start of each line, and whether what follows is a part of a command although the lines before it end an instruction.
    lines: Vec<(usize, bool)>,
}

impl Commands {
    fn of(text: &str) -> Self {
        let mut lines = Vec::new();
        let (mut at, mut is_continued) = (0, false);
        for line in text.split_inclusive('\n') {
            lines.push((at, !is_continued));
            at += line.len();
            if is_code(line) {
                is_continued = line.trim_end().ends_with(CONTINUED);
            }
        }
        let mut is_part = false;
        for (line, (_, begins)) in text.split_inclusive('\n').rev().zip(lines.iter_mut().rev()) {
            *begins &= is_part;
            if is_code(line) {
                let word = line.split_whitespace().next().unwrap_or_default();
                is_part = !INSTRUCTIONS.contains(&word);
            }
        }
        Self { lines }
    }

    fn begin_at(&self, at: usize) -> bool {
        let found = self.lines.binary_search_by_key(&at, |(start, _)| *start);
        found.is_ok_and(|index| self.lines.get(index).is_some_and(|(_, begins)| *begins))
    }
}

/// Whether a line is neither empty nor a comment.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line != CONTINUED && !line.starts_with('#')
}

/// Whether the text after an action is used elsewhere, or in place of the text before it.
fn begins_part(action: &str) -> bool {
    let action = action.trim_start_matches(['{', '%', '-', ' ']);
    let is_named = NAMED.iter().any(|word| action.starts_with(word)) && !action.contains('=');
    is_named || ELSE.iter().any(|word| action.starts_with(word))
}

/// The line at a place.
fn row(text: &str, at: usize) -> Range<usize> {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    start..at + after.find('\n').unwrap_or(after.len())
}

/// Makes a blank line a comment.
fn comment(text: &mut String, at: usize) {
    if text.get(at..).is_some_and(|line| line.starts_with(' ')) {
        fill(text, at..at + 1, b'#');
    }
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
        assert_eq!(without_actions(text, false).as_deref(), Some(read));
        let text = "run: ${{ a }}\n{{- /* why\n*/ -}}\n";
        let read = "run: ${{ a }}\n          \n      \n";
        assert_eq!(without_actions(text, false).as_deref(), Some(read));
        let text = "{% macro a(b) %}\n# why\nb \\\n{% endmacro %}\nENV A=1\n{%- if c %} \\\n  B=2\n{% else %}\n  B=3\n{% endif %}\n";
        let read = "RUN            \\\n# why\nb \\\n#             \nENV A=1 \\\n#            \n  B=2\nRUN      \\\n  B=3\n#          \n";
        assert_eq!(without_actions(text, true).as_deref(), Some(read));
        for text in [
            "a: 1\n", "a: ${{ b }}\n", "{{ a: b }}\n", "{{ x\n", "{{ if\n x }}\n",
            "{{/* a\nb\n{{ c }}\n",
        ] {
            assert_eq!(without_actions(text, false), None, "{text}");
        }
    }
}
