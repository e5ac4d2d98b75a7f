//! Handles the client's requests.

use gen_lsp_types::{CodeActionParams, DocumentDiagnosticParams, ErrorCodes};
use serde_json::{Value, json};

use super::{Phase, Server};
use crate::commands::lsp::actions::{self, Target};
use crate::commands::lsp::capabilities::{Options, Supports, folders, introduction, process};
use crate::commands::lsp::messages::{self, Refusal};
use crate::commands::lsp::positions::Lines;

impl Server {
    /// Answers a request, immediately or after its review.
    pub(super) async fn request(&mut self, id: Value, method: &str, params: Value) {
        let result = match (self.phase, method) {
            (Phase::New, "initialize") => self.initialize(&params),
            (Phase::Serving, "initialize") => Err(Refusal::new(
                ErrorCodes::InvalidRequest,
                "initialize was sent before",
            )),
            (Phase::Serving, "shutdown") => self.shut_down().await,
            (Phase::Serving, "textDocument/codeAction") => self.actions(params),
            (Phase::Serving, "textDocument/diagnostic") => match self.diagnose(&id, params).await {
                Ok(None) => return,
                Ok(Some(now)) => Ok(now),
                Err(refusal) => Err(refusal),
            },
            _ => Err(self.refused(method)),
        };
        self.client.answer(&id, result).await;
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, Refusal> {
        self.options =
            Options::of(params).map_err(|why| Refusal::new(ErrorCodes::InvalidParams, why))?;
        self.supports = Supports::of(params);
        self.workspace.add(folders(params));
        if let Some(process) = process(params) {
            self.watch(process);
        }
        self.phase = Phase::Serving;
        Ok(serde_json::to_value(introduction(&self.supports)).unwrap_or_default())
    }

    /// Aborts all reviews and drops the documents.
    async fn shut_down(&mut self) -> Result<Value, Refusal> {
        for uri in self.documents.uris() {
            self.stop(&uri, &Refusal::cancelled()).await;
        }
        self.documents.0.clear();
        self.phase = Phase::ShutDown;
        Ok(Value::Null)
    }

    /// The actions for a range. There are none before the text is reviewed.
    fn actions(&mut self, params: Value) -> Result<Value, Refusal> {
        let params: CodeActionParams = messages::params(params)?;
        let uri = params.text_document.uri.0.as_str();
        let supports = self.supports;
        let Some(document) = self.documents.get_mut(uri) else {
            return Ok(json!([]));
        };
        let reviewed = document
            .reviewed
            .as_ref()
            .filter(|reviewed| reviewed.text == document.text);
        let Some(reviewed) = reviewed else {
            return Ok(json!([]));
        };
        let target = Target {
            uri,
            version: supports.versioned_edits.then_some(document.version),
        };
        Ok(json!(actions::all(
            &params,
            reviewed,
            &Lines::of(&reviewed.text, supports.encoding),
            &target
        )))
    }

    /// The diagnostics of a document; `None` if they have to wait for a review.
    async fn diagnose(&mut self, id: &Value, params: Value) -> Result<Option<Value>, Refusal> {
        let params: DocumentDiagnosticParams = messages::params(params)?;
        let uri = params.text_document.uri.0;
        let is_running = self
            .documents
            .get_mut(&uri)
            .is_some_and(|document| document.running.is_some());
        if !is_running && !self.review(&uri).await {
            return Ok(Some(json!({ "kind": "full", "items": [] })));
        }
        let running = self
            .documents
            .get_mut(&uri)
            .and_then(|document| document.running.as_mut());
        running
            .into_iter()
            .for_each(|running| running.waiting.push(id.clone()));
        Ok(None)
    }
}
