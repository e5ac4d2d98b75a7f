//! The event loop that owns the documents and handles messages and review results in order.

mod requests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gen_lsp_types::{DidCloseTextDocumentParams, DidOpenTextDocumentParams, ErrorCodes};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use super::capabilities::{Options, Supports, registration};
use super::client::Client;
use super::documents::Documents;
use super::frames::{Fault, Frame};
use super::messages::{self, Message, Refusal};
use super::repositories::Repositories;
use super::reviewer::{Job, Outcome, Reviewed, language_of, review};
use super::running::Running;
use super::workspace::Workspace;
use super::{diagnostics, parent};
use crate::commands::file_uri;
use crate::outcome::{self, Error, Exit};

/// Capacity of the event queue.
const WAITING: usize = 64;

/// An event.
pub(super) enum Event {
    Message(Frame),
    /// The client's input has ended.
    Closed,
    /// The client's input is invalid.
    Broken(Fault),
    /// The client's process has ended.
    ClientEnded,
    /// A review has completed.
    Reviewed {
        uri: String,
        number: u64,
        outcome: Outcome,
    },
}

pub(super) type Sender = mpsc::Sender<Event>;

pub(super) fn events() -> (Sender, mpsc::Receiver<Event>) {
    mpsc::channel(WAITING)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Serving,
    ShutDown,
}

/// The server.
pub(super) struct Server {
    client: Client,
    repositories: Repositories,
    events: Sender,
    phase: Phase,
    supports: Supports,
    options: Options,
    workspace: Workspace,
    documents: Documents,
    /// The number of the last review.
    reviews: u64,
    /// Why the last review of each document failed.
    failures: BTreeMap<String, String>,
    parent: Option<AbortOnDropHandle<()>>,
}

impl Server {
    pub(super) fn new(client: Client, repositories: Repositories, events: Sender) -> Self {
        Self {
            client,
            repositories,
            events,
            phase: Phase::New,
            supports: Supports::default(),
            options: Options::default(),
            workspace: Workspace::default(),
            documents: Documents::default(),
            reviews: 0,
            failures: BTreeMap::new(),
            parent: None,
        }
    }

    /// Serves until the client exits or disappears.
    ///
    /// # Errors
    /// The client's input is invalid.
    pub(super) async fn run(mut self, mut events: mpsc::Receiver<Event>) -> outcome::Outcome {
        while let Some(event) = events.recv().await {
            match event {
                Event::Message(Frame::TooLong(bytes)) => {
                    self.client
                        .log(&format!(
                            "a message of {bytes} bytes is too long and was skipped"
                        ))
                        .await;
                }
                Event::Message(Frame::Content(content)) => {
                    if let Some(exit) = self.message(&content).await {
                        return Ok(exit);
                    }
                }
                Event::Closed | Event::ClientEnded => break,
                Event::Broken(fault) => return Err(Error::failure(format!("stdin: {fault}"))),
                Event::Reviewed {
                    uri,
                    number,
                    outcome,
                } => self.reviewed(&uri, number, outcome).await,
            }
        }
        Ok(self.exit())
    }

    fn exit(&self) -> Exit {
        if self.phase == Phase::ShutDown {
            Exit::Success
        } else {
            Exit::Unannounced
        }
    }

    /// Handles a message; returns the exit status if it is the last one.
    async fn message(&mut self, content: &[u8]) -> Option<Exit> {
        match messages::parse(content) {
            Err((id, refusal)) => self.client.answer(&id, Err(refusal)).await,
            Ok(Message::Answer) => {}
            Ok(Message::Request { id, method, params }) => self.request(id, &method, params).await,
            Ok(Message::Notification { method, .. }) if method == "exit" => {
                return Some(self.exit());
            }
            Ok(Message::Notification { method, params }) if self.phase == Phase::Serving => {
                if self.notification(&method, params).await.is_err() {
                    self.client
                        .log(&format!("{method}: the parameters are not valid"))
                        .await;
                }
            }
            Ok(Message::Notification { .. }) => {}
        }
        None
    }

    /// Handles a notification.
    ///
    /// # Errors
    /// Its parameters do not match its method.
    async fn notification(&mut self, method: &str, params: Value) -> Result<(), Refusal> {
        // Typing creates no files.
        if method != "textDocument/didChange" {
            self.repositories.discard_lists();
        }
        match method {
            "initialized" if self.supports.watch => {
                self.client
                    .request("client/registerCapability", registration())
                    .await;
            }
            "textDocument/didOpen" => {
                let opened: DidOpenTextDocumentParams = messages::params(params)?;
                let uri = self.documents.open(opened.text_document);
                self.changed(&uri).await;
            }
            "textDocument/didChange" => {
                if let Some(uri) = self
                    .documents
                    .change(messages::params(params)?, self.supports.encoding)
                {
                    self.changed(&uri).await;
                }
            }
            "textDocument/didSave" => {
                self.saved(params.pointer("/textDocument/uri").and_then(Value::as_str))
                    .await
            }
            "textDocument/didClose" => {
                let closed: DidCloseTextDocumentParams = messages::params(params)?;
                self.close(&closed.text_document.uri.0).await;
            }
            "workspace/didChangeWatchedFiles" => self.refresh().await,
            "workspace/didChangeWorkspaceFolders" => {
                let event = params.get("event").cloned().unwrap_or_default();
                self.workspace.change(messages::params(event)?);
                self.refresh().await;
            }
            "$/cancelRequest" => self.cancel(params.get("id")).await,
            _ => {}
        }
        Ok(())
    }

    /// The text of a document changed: a review of the old text is aborted.
    async fn changed(&mut self, uri: &str) {
        self.stop(uri, &Refusal::outdated()).await;
        if !self.supports.pull {
            self.review(uri).await;
        }
    }

    /// Saving does not change a text, but a saved configuration takes effect.
    async fn saved(&mut self, uri: Option<&str>) {
        match uri {
            Some(uri) if uri.ends_with("/.hunkwise.toml") || uri.contains("/.hunkwise/rules/") => {
                self.refresh().await
            }
            Some(uri) if !self.supports.pull => self.changed(uri).await,
            _ => {}
        }
    }

    async fn close(&mut self, uri: &str) {
        self.stop(uri, &Refusal::outdated()).await;
        self.failures.remove(uri);
        if self.documents.0.remove(uri).is_some() && !self.supports.pull {
            self.client.publish(uri, None, Vec::new()).await;
        }
    }

    /// The inputs of reviews changed: all documents are reviewed again.
    async fn refresh(&mut self) {
        for uri in self.documents.uris() {
            self.changed(&uri).await;
        }
        if self.supports.pull && self.supports.refresh {
            self.client
                .request("workspace/diagnostic/refresh", Value::Null)
                .await;
        }
    }

    /// Aborts the review of a document.
    async fn stop(&mut self, uri: &str, why: &Refusal) {
        let running = self
            .documents
            .get_mut(uri)
            .and_then(|document| document.running.take());
        for id in running.into_iter().flat_map(|running| running.waiting) {
            self.client.answer(&id, Err(why.clone())).await;
        }
    }

    /// Cancels a request that waits for a review, and aborts the review if no other request waits for it.
    async fn cancel(&mut self, id: Option<&Value>) {
        let Some(id) = id else { return };
        for document in self.documents.0.values_mut() {
            let Some(running) = &mut document.running else {
                continue;
            };
            let Some(at) = running.waiting.iter().position(|waiting| waiting == id) else {
                continue;
            };
            running.waiting.remove(at);
            if running.waiting.is_empty() && self.supports.pull {
                document.running = None;
            }
            self.client.answer(id, Err(Refusal::cancelled())).await;
        }
    }

    /// Starts the review of a document after the pause. Returns whether it was started.
    async fn review(&mut self, uri: &str) -> bool {
        let Some(document) = self.documents.get_mut(uri) else {
            return false;
        };
        let file = file_uri::path(uri).filter(|file| self.workspace.contains(file));
        let Some(file) = file else {
            self.client
                .log(&format!(
                    "{uri}: not reviewed: not a file in the folders that are open"
                ))
                .await;
            return false;
        };
        self.reviews += 1;
        let (number, pause) = (
            self.reviews,
            Duration::from_millis(self.options.pause_milliseconds),
        );
        let (text, language) = (Arc::clone(&document.text), document.language.clone());
        let job = Job {
            file,
            text,
            language,
            base: self.options.base.clone(),
        };
        let (repositories, events, uri) = (
            self.repositories.clone(),
            self.events.clone(),
            uri.to_owned(),
        );
        let work = async move {
            tokio::time::sleep(pause).await;
            let outcome = review(&repositories, job).await;
            let _ended = events
                .send(Event::Reviewed {
                    uri,
                    number,
                    outcome,
                })
                .await;
        };
        document.running = Some(Running::start(number, work));
        true
    }

    /// Handles the result of a review, unless it is outdated.
    async fn reviewed(&mut self, uri: &str, number: u64, outcome: Outcome) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        let Some(running) = document.running.take_if(|running| running.number == number) else {
            return;
        };
        let Outcome {
            findings,
            log,
            failure,
        } = outcome;
        let text = Arc::clone(&document.text);
        let language = language_of(uri, &text, &document.language);
        let reviewed = Reviewed {
            text,
            language,
            findings,
        };
        let (version, all) = (
            document.version,
            diagnostics::all(uri, &reviewed, self.supports.encoding),
        );
        document.reviewed = Some(reviewed);
        if let Some(message) = log {
            self.client.log(&message).await;
        }
        self.show_failure(uri, failure).await;
        for id in running.waiting {
            self.client
                .answer(&id, Ok(json!({ "kind": "full", "items": all })))
                .await;
        }
        if !self.supports.pull {
            self.client.publish(uri, Some(version), all).await;
        }
    }

    /// Shows why a review failed. The same message is shown only once, for one document or several.
    async fn show_failure(&mut self, uri: &str, failure: Option<String>) {
        let Some(failure) = failure else {
            self.failures.remove(uri);
            return;
        };
        let is_known = self.failures.values().any(|known| *known == failure);
        self.failures.insert(uri.to_owned(), failure.clone());
        if !is_known {
            self.client.show(&failure).await;
        }
    }

    /// Watches for the end of the client's process.
    fn watch(&mut self, process: i32) {
        let events = self.events.clone();
        let wait = async move {
            parent::ended(process).await;
            let _ended = events.send(Event::ClientEnded).await;
        };
        self.parent = Some(AbortOnDropHandle::new(tokio::spawn(wait)));
    }

    fn refused(&self, method: &str) -> Refusal {
        match self.phase {
            Phase::New => Refusal::new(ErrorCodes::ServerNotInitialized, "send initialize first"),
            Phase::ShutDown => Refusal::new(
                ErrorCodes::InvalidRequest,
                "the server is shut down: send exit",
            ),
            Phase::Serving => {
                Refusal::new(ErrorCodes::MethodNotFound, format!("there is no {method}"))
            }
        }
    }
}
