//! Messages as lines: one JSON object each, of a bounded length.
//!
//! What is no message is answered, where the library's own transport would drop it and leave its sender waiting.

use std::io;

use review::output::printable_json;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Bytes of a line.
const LONGEST: usize = 16 * 1024 * 1024;
/// Lines that wait to be written.
const WAITING: usize = 64;

/// The client's lines, and the way to the task that writes ours.
pub(super) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
    /// `initialize` was sent.
    begun: bool,
    refusal: Option<String>,
    /// `None` once it is closed.
    write: Option<mpsc::Sender<String>>,
}

/// What the next line is.
enum Line {
    Message(Box<ClientJsonRpcMessage>),
    Refused(ErrorData, Option<RequestId>),
    /// Nothing that wants an answer.
    Ignored,
}

/// Reads from `input`, and writes to `output` in a task that ends when all is written and the lines are closed.
pub(super) fn open<R: AsyncRead + Unpin>(
    input: R,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> (Lines<R>, JoinHandle<()>) {
    let (sender, waiting) = mpsc::channel(WAITING);
    let read = BufReader::new(input);
    let lines = Lines { read, line: Vec::new(), too_long: false, begun: false, refusal: None, write: Some(sender) };
    (lines, tokio::spawn(write_all(waiting, output)))
}

/// That the client does not read any more shows on its other end as well.
async fn write_all(mut waiting: mpsc::Receiver<String>, mut output: impl AsyncWrite + Unpin) {
    while let Some(line) = waiting.recv().await {
        if output.write_all(line.as_bytes()).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

fn encode(message: &ServerJsonRpcMessage) -> io::Result<String> {
    Ok(printable_json(serde_json::to_string(message)?) + "\n")
}

impl<R: AsyncRead + Send + Unpin + 'static> Lines<R> {
    /// The next line without its end; `None` when there is no more. A line that is too long is empty, and said so.
    ///
    /// Dropped in the middle it loses nothing: what was read of a line is kept.
    async fn next(&mut self) -> Option<(Vec<u8>, bool)> {
        loop {
            let bytes = self.read.fill_buf().await.ok()?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let (taken, is_end) = (part.len() + usize::from(end.is_some()), bytes.is_empty());
            self.too_long |= self.line.len() + part.len() > LONGEST;
            if self.too_long {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            self.read.consume(taken);
            if is_end && self.line.is_empty() {
                return None;
            }
            if is_end || end.is_some() {
                return Some((std::mem::take(&mut self.line), std::mem::take(&mut self.too_long)));
            }
        }
    }

    fn read(&mut self, line: &[u8]) -> Line {
        if line.trim_ascii().is_empty() {
            return Line::Ignored;
        }
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return Line::Refused(ErrorData::parse_error(format!("not JSON: {error}"), None), None),
        };
        let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
        let is_notification = value.get("method").is_some() && value.get("id").is_none();
        match serde_json::from_value(value) {
            Ok(message) => self.in_order(Box::new(message), id),
            // Nobody waits for the answer to a notification.
            Err(_) if is_notification => Line::Ignored,
            Err(_) => Line::Refused(ErrorData::invalid_request("not a message of JSON-RPC 2.0", None), id),
        }
    }

    /// Refuses what comes before `initialize`, but for what may come there.
    fn in_order(&mut self, message: Box<ClientJsonRpcMessage>, id: Option<RequestId>) -> Line {
        let ClientJsonRpcMessage::Request(request) = message.as_ref() else {
            return if self.begun { Line::Message(message) } else { Line::Ignored };
        };
        self.begun |= matches!(request.request, ClientRequest::InitializeRequest(_));
        match request.request {
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => Line::Message(message),
            _ if self.begun => Line::Message(message),
            _ => {
                Line::Refused(ErrorData::invalid_request("the session has not begun: send initialize first", None), id)
            }
        }
    }

    /// Sends the refusal that waits. Dropped in the middle it loses nothing.
    async fn refuse(&mut self) -> Option<()> {
        let permit = self.write.as_ref()?.reserve().await.ok()?;
        if let Some(line) = self.refusal.take() {
            permit.send(line);
        }
        Some(())
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let write = self.write.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            write.ok_or_else(closed)?.send(encode(&message)?).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.refusal.is_some() {
                self.refuse().await?;
            }
            let (line, too_long) = self.next().await?;
            let line = if too_long { too_long_a_line() } else { self.read(&line) };
            match line {
                Line::Message(message) => return Some(*message),
                Line::Refused(error, id) => self.refusal = encode(&ServerJsonRpcMessage::error(error, id)).ok(),
                Line::Ignored => (),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.write = None;
        Ok(())
    }
}

fn too_long_a_line() -> Line {
    let message = format!("the message is longer than {LONGEST} bytes: review the change in parts");
    Line::Refused(ErrorData::invalid_request(message, None), None)
}

#[cfg(test)]
mod tests {
    use rmcp::model::{ErrorData, ServerJsonRpcMessage};
    use serde_json::Value;

    use super::encode;

    #[test]
    fn a_line_has_nothing_that_a_terminal_or_a_ci_system_acts_on() {
        let said = "##vso[x] ##[y] \u{9b}\u{202e}\u{2028}";
        let line = encode(&ServerJsonRpcMessage::error(ErrorData::invalid_request(said, None), None)).unwrap();
        assert!(line.trim_end().chars().all(|c| c.is_ascii_graphic() || c == ' ') && !line.contains("##"), "{line}");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["error"]["message"], said);
    }
}
