//! The framing of messages: one JSON object per line, of a bounded length.

use mcp::{Error, Invalid, Message};
use review::output::printable_json;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;

/// The longest line that is read, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;

/// The client's lines.
pub(super) struct Lines<R>(BufReader<R>);

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self(BufReader::new(input))
    }

    /// The message on the next line; the inner `None` is a line that needs no response. `None` at the end of the input.
    pub(super) async fn next(&mut self) -> Option<Result<Option<Message>, Invalid>> {
        let line = self.line().await?;
        Some(match line {
            None => Err(too_long()),
            Some(line) if line.trim_ascii().is_empty() => Ok(None),
            Some(line) => Message::read(&line),
        })
    }

    /// The next line without its end; the inner `None` is a line that is too long, which is discarded.
    async fn line(&mut self) -> Option<Option<Vec<u8>>> {
        let (mut line, mut too_long) = (Vec::new(), false);
        loop {
            let bytes = self.0.fill_buf().await.ok()?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let (taken, is_end) = (part.len() + usize::from(end.is_some()), bytes.is_empty());
            too_long |= line.len() + part.len() > LONGEST;
            if too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            self.0.consume(taken);
            if is_end && line.is_empty() && !too_long {
                return None;
            }
            if is_end || end.is_some() {
                return Some(Some(line).filter(|_| !too_long));
            }
        }
    }
}

fn too_long() -> Invalid {
    let message = format!("the message is longer than {LONGEST} bytes: review the change in parts");
    Invalid {
        id: None,
        error: Error::invalid_request(message),
    }
}

/// Writes the lines until all senders are dropped. If the client stops reading, the end of its input ends the session.
pub(super) async fn write_all(
    mut lines: mpsc::Receiver<String>,
    mut output: impl AsyncWrite + Unpin,
) {
    while let Some(line) = lines.recv().await {
        if output.write_all(line.as_bytes()).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

/// Encodes a message as a line.
pub(super) fn encode(message: &Value) -> String {
    printable_json(message.to_string()) + "\n"
}

#[cfg(test)]
mod tests {
    use mcp::{Error, Message};
    use serde_json::{Value, json};

    use super::{LONGEST, Lines, encode};

    #[test]
    fn lines_contain_no_control_characters_or_ci_commands() {
        let output = "##vso[x] ##[y] \u{9b}\u{202e}\u{2028}";
        let line = encode(&mcp::error(None, &Error::invalid_request(output)));
        assert!(
            line.trim_end()
                .chars()
                .all(|c| c.is_ascii_graphic() || c == ' ')
                && !line.contains("##"),
            "{line}"
        );
        assert_eq!(
            serde_json::from_str::<Value>(&line).unwrap()["error"]["message"],
            output
        );
    }

    #[tokio::test]
    async fn a_too_long_line_does_not_affect_others() {
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
        for long in [LONGEST + 1, 2 * LONGEST] {
            let text = format!("{}\n\n{ping}\n{}", "x".repeat(long), "x".repeat(long));
            let mut lines = Lines::new(text.as_bytes());
            let refused = lines.next().await.unwrap().unwrap_err();
            assert!(
                refused
                    .error
                    .message
                    .starts_with("the message is longer than"),
                "{refused:?}"
            );
            assert_eq!(lines.next().await.unwrap(), Ok(None));
            assert!(matches!(
                lines.next().await.unwrap(),
                Ok(Some(Message::Request { .. }))
            ));
            assert!(
                lines.next().await.unwrap().is_err(),
                "the last line has no end"
            );
            assert!(lines.next().await.is_none());
        }
        let text = "x".repeat(LONGEST);
        assert_eq!(
            Lines::new(text.as_bytes())
                .next()
                .await
                .unwrap()
                .unwrap_err()
                .error
                .code,
            -32700
        );
    }
}
