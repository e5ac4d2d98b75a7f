//! The open documents, with their text as the editor shows it.

use std::collections::BTreeMap;
use std::sync::Arc;

use gen_lsp_types::{
    DidChangeTextDocumentParams, TextDocumentContentChangeEvent, TextDocumentContentChangePartial,
    TextDocumentItem,
};

use super::positions::{Encoding, Lines};
use super::reviewer::Reviewed;
use super::running::Running;

/// An open document.
pub(super) struct Document {
    pub(super) version: i32,
    pub(super) language: String,
    pub(super) text: Arc<str>,
    /// The review under way.
    pub(super) running: Option<Running>,
    /// The findings of the last review, which may be of an older text.
    pub(super) reviewed: Option<Reviewed>,
}

/// The documents by URI.
#[derive(Default)]
pub(super) struct Documents(pub(super) BTreeMap<String, Document>);

impl Documents {
    /// Opens a document, replacing an open one.
    pub(super) fn open(&mut self, item: TextDocumentItem) -> String {
        let TextDocumentItem {
            uri,
            language_id,
            version,
            text,
        } = item;
        let (language, text) = (String::from(language_id), text.into());
        self.0.insert(
            uri.0.clone(),
            Document {
                version,
                language,
                text,
                running: None,
                reviewed: None,
            },
        );
        uri.0
    }

    /// Applies a change; `None` if the document is not open.
    pub(super) fn change(
        &mut self,
        params: DidChangeTextDocumentParams,
        encoding: Encoding,
    ) -> Option<String> {
        let uri = params.text_document.text_document_identifier.uri.0;
        let document = self.0.get_mut(&uri)?;
        document.text = changed(&document.text, params.content_changes, encoding).into();
        document.version = params.text_document.version;
        Some(uri)
    }

    pub(super) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.0.get_mut(uri)
    }

    pub(super) fn uris(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Applies changes to a text, each to the result of the one before.
fn changed(text: &str, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change {
            TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                let TextDocumentContentChangePartial {
                    range, text: new, ..
                } = part;
                let lines = Lines::of(&text, encoding);
                let (start, end) = (lines.offset(range.start), lines.offset(range.end));
                text.replace_range(start..end.max(start), &new);
            }
            TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                text = whole.text
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Document, Documents, changed};
    use crate::commands::lsp::positions::Encoding;

    fn after(text: &str, changes: serde_json::Value) -> String {
        changed(
            text,
            serde_json::from_value(changes).unwrap(),
            Encoding::Utf16,
        )
    }

    fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> serde_json::Value {
        let position = |(line, character)| json!({ "line": line, "character": character });
        json!({ "range": { "start": position(from), "end": position(to) }, "text": text })
    }

    #[test]
    fn each_change_applies_to_the_result_of_the_one_before() {
        let changes = json!([
            edit((0, 0), (0, 0), "😀\n"),
            edit((0, 2), (1, 1), "x"),
            edit((0, 3), (9, 9), "")
        ]);
        assert_eq!(after("ab\ncd\n", changes), "😀x");
        assert_eq!(
            after("ab", json!([{ "text": "new" }, edit((0, 3), (0, 3), "er")])),
            "newer"
        );
    }

    #[test]
    fn invalid_ranges_are_harmless() {
        assert_eq!(
            after("ab\ncd", json!([edit((1, 1), (0, 0), "x")])),
            "ab\ncxd"
        );
        assert_eq!(after("", json!([edit((7, 7), (9, 9), "x")])), "x");
    }

    #[test]
    fn a_change_of_an_unopened_document_is_ignored() {
        let params = json!({ "textDocument": { "uri": "file:///a", "version": 2 }, "contentChanges": [{ "text": "b" }] });
        let mut documents = Documents::default();
        assert_eq!(
            documents.change(
                serde_json::from_value(params.clone()).unwrap(),
                Encoding::Utf8
            ),
            None
        );
        let item = json!({ "uri": "file:///a", "languageId": "ours", "version": 1, "text": "a" });
        documents.open(serde_json::from_value(item).unwrap());
        assert!(
            documents
                .change(serde_json::from_value(params).unwrap(), Encoding::Utf8)
                .is_some()
        );
        let Document {
            version,
            language,
            text,
            ..
        } = &documents.0["file:///a"];
        assert_eq!(
            (*version, language.as_str(), text.as_ref()),
            (2, "ours", "b")
        );
    }
}
