//! The code actions for a finding: apply its replacement, or suppress it with a comment.

use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Edit, OptionalVersionedTextDocumentIdentifier,
    Range, TextDocumentEdit, TextDocumentIdentifier, TextEdit, WorkspaceEdit,
};
use lint::suppression_comment;
use review::Language;
use review::output::json::ReplacementBody;
use syntax::language::Grammar;

use super::diagnostics::diagnostic;
use super::positions::Lines;
use super::reviewer::{Located, Reviewed};

/// The document to edit.
pub(super) struct Target<'d> {
    pub(super) uri: &'d str,
    /// `None` for a client that does not support versioned edits.
    pub(super) version: Option<i32>,
}

/// The actions for the findings in a range.
pub(super) fn all(
    params: &CodeActionParams,
    reviewed: &Reviewed,
    lines: &Lines<'_>,
    target: &Target<'_>,
) -> Vec<CodeAction> {
    let wanted =
        |kind: &CodeActionKind| matches!(kind, CodeActionKind::QuickFix | CodeActionKind::Empty);
    if params
        .context
        .only
        .as_ref()
        .is_some_and(|only| !only.iter().any(wanted))
    {
        return Vec::new();
    }
    let mut actions = Vec::new();
    for located in &reviewed.findings {
        let diagnostic = diagnostic(target.uri, located, lines);
        if !touch(diagnostic.range, params.range) {
            continue;
        }
        let fix = located
            .finding
            .replacement
            .as_ref()
            .map(|edit| ("Apply the fix", replaced(edit, lines), true));
        let comment = suppressed(located, reviewed.language, lines);
        let comment =
            comment.map(|edit| ("Suppress with a comment (add your reason)", edit, false));
        for (title, edit, preferred) in fix.into_iter().chain(comment) {
            actions.push(CodeAction {
                title: titled(title, located),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![diagnostic.clone()]),
                is_preferred: Some(preferred),
                edit: Some(target.edit(edit)),
                ..CodeAction::default()
            });
        }
    }
    actions
}

fn titled(title: &str, located: &Located) -> String {
    let rule = located.finding.rule_id.as_deref();
    rule.map_or_else(|| title.to_owned(), |rule| format!("{title} ({rule})"))
}

/// Whether two ranges share a line. A cursor anywhere on the line of a finding requests its actions.
fn touch(one: Range, other: Range) -> bool {
    one.start.line <= other.end.line && other.start.line <= one.end.line
}

fn replaced(edit: &ReplacementBody, lines: &Lines<'_>) -> TextEdit {
    let start = lines.diff_offset(edit.start_line, edit.start_column);
    let end = lines.diff_offset(edit.end_line, edit.end_column).max(start);
    TextEdit::new(
        lines.range(start, end),
        edit.text.replace('\n', lines.line_end(edit.start_line)),
    )
}

/// A comment on a separate line above the finding. `None` if the line above is continued on the next one.
fn suppressed(
    located: &Located,
    language: Option<Language>,
    lines: &Lines<'_>,
) -> Option<TextEdit> {
    let rule = located.finding.rule_id.as_deref()?;
    let comment = suppression_comment(Grammar::find(language?.name())?, rule)?;
    let (start, text) = lines.line(located.line);
    let is_continued = located.line > 1 && lines.line(located.line - 1).1.ends_with('\\');
    let indentation = text
        .get(..text.len() - text.trim_start().len())
        .unwrap_or_default();
    let new = format!("{indentation}{comment}{}", lines.line_end(located.line));
    (!is_continued).then(|| TextEdit::new(lines.range(start, start), new))
}

impl Target<'_> {
    fn edit(&self, edit: TextEdit) -> WorkspaceEdit {
        let mut all = WorkspaceEdit::default();
        if self.version.is_some() {
            let document = TextDocumentIdentifier::new(self.uri.into());
            let document = OptionalVersionedTextDocumentIdentifier::new(self.version, document);
            all.document_changes = Some(vec![
                TextDocumentEdit::new(document, vec![Edit::from(edit)]).into(),
            ]);
        } else {
            all.changes = Some([(self.uri.into(), vec![edit])].into());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gen_lsp_types::CodeActionParams;
    use review::Language;
    use review::output::json::ReplacementBody;
    use serde_json::{Value, json};

    use super::{Target, all};
    use crate::commands::lsp::diagnostics::tests::located;
    use crate::commands::lsp::positions::{Encoding, Lines};
    use crate::commands::lsp::reviewer::{Located, Reviewed};

    fn params(line: u32, only: Value) -> CodeActionParams {
        let at = json!({ "line": line, "character": 0 });
        let mut params = json!({
            "textDocument": { "uri": "file:///a.py" }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] },
        });
        if !only.is_null() {
            params["context"]["only"] = only;
        }
        serde_json::from_value(params).unwrap()
    }

    fn actions(
        text: &str,
        located: Located,
        language: &str,
        params: &CodeActionParams,
    ) -> Vec<Value> {
        let language = Language::find(language);
        let reviewed = Reviewed {
            text: Arc::from(text),
            language,
            findings: vec![located],
        };
        let target = Target {
            uri: "file:///a.py",
            version: Some(3),
        };
        let actions = all(
            params,
            &reviewed,
            &Lines::of(text, Encoding::Utf16),
            &target,
        );
        actions
            .iter()
            .map(|action| serde_json::to_value(action).unwrap())
            .collect()
    }

    fn edit(action: &Value) -> (Value, Value) {
        let change = &action["edit"]["documentChanges"][0];
        assert_eq!(
            change["textDocument"],
            json!({ "uri": "file:///a.py", "version": 3 })
        );
        (
            change["edits"][0]["range"]["start"].clone(),
            change["edits"][0]["newText"].clone(),
        )
    }

    #[test]
    fn a_replacement_keeps_the_line_ends_of_the_file() {
        let mut finding = located(1, Some((1, 2)));
        let edit_of_it = ReplacementBody {
            start_line: 1,
            start_column: 1,
            end_line: 1,
            end_column: 2,
            text: "b\nc".into(),
        };
        finding.finding.replacement = Some(edit_of_it);
        let found = actions("a = 1\r\n", finding, "Python", &params(0, Value::Null));
        assert_eq!(
            edit(&found[0]),
            (json!({ "line": 0, "character": 0 }), json!("b\r\nc"))
        );
        assert_eq!((&found[0]["isPreferred"], found.len()), (&json!(true), 2));
    }

    #[test]
    fn a_comment_is_above_the_line_with_its_indentation() {
        let found = actions(
            "a\n    b\n",
            located(2, None),
            "Python",
            &params(1, json!(["quickfix"])),
        );
        let text = json!("    # hunkwise:ignore python/wrong ...\n");
        assert_eq!(
            edit(&found[0]),
            (json!({ "line": 1, "character": 0 }), text)
        );
        let title = found[0]["title"].as_str().unwrap();
        assert!(
            title.starts_with("Suppress") && title.contains("python/wrong"),
            "{title}"
        );
    }

    #[test]
    fn there_are_no_actions_on_other_lines_or_without_a_place_for_a_comment() {
        let none = |text: &str, language: &str, params: CodeActionParams| {
            assert!(
                actions(text, located(2, None), language, &params).is_empty(),
                "{text:?} {language}"
            );
        };
        none("a\nb\n", "Python", params(0, Value::Null));
        none(
            "a\nb\n",
            "Python",
            params(1, json!(["source.organizeImports"])),
        );
        none("a \\\nb\n", "Shell", params(1, Value::Null));
        none("{\n}\n", "JSON", params(1, Value::Null));
        none("a\nb\n", "Markdown", params(1, Value::Null));
    }
}
