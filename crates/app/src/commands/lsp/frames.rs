//! The framing of messages: a header with the length, an empty line, and that many bytes of JSON.

use tokio::io::{self, AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

/// Maximum length of a message's content, in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;
/// Maximum length of a header line, in bytes.
const LONGEST_LINE: u64 = 4 * 1024;

/// The content of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Content(Vec<u8>),
    /// It was skipped.
    TooLong(u64),
}

/// Why nothing more can be read from the stream: the start of the next message is unknown.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("the header of a message has a line that is longer than {LONGEST_LINE} bytes")]
    LongLine,
    #[error("expected `Content-Length: <bytes>` in the header of a message")]
    NoLength,
}

/// The next message; `None` at the end of the stream, even if that is in the middle of one.
///
/// # Errors
/// The header is invalid.
pub(super) async fn read(input: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<Frame>, Fault> {
    let mut length = None;
    loop {
        let Some(line) = line(input).await? else {
            return Ok(None);
        };
        if line.is_empty() {
            break;
        }
        length = length.or(content_length(&line));
    }
    let length = length.ok_or(Fault::NoLength)?;
    let mut content = input.take(length);
    if length > LONGEST {
        let passed = io::copy_buf(&mut content, &mut io::sink()).await;
        return Ok(passed
            .ok()
            .filter(|passed| *passed == length)
            .map(Frame::TooLong));
    }
    let mut bytes = Vec::new();
    let read = content.read_to_end(&mut bytes).await;
    Ok((read.is_ok() && bytes.len() as u64 == length).then_some(Frame::Content(bytes)))
}

/// A line of the header without its end; `None` at the end of the stream.
async fn line(input: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<Vec<u8>>, Fault> {
    let mut line = Vec::new();
    let read = input.take(LONGEST_LINE).read_until(b'\n', &mut line).await;
    if read.is_err() || line.is_empty() {
        return Ok(None);
    }
    match line.strip_suffix(b"\n") {
        Some(line) => Ok(Some(line.trim_ascii_end().to_vec())),
        None if line.len() as u64 == LONGEST_LINE => Err(Fault::LongLine),
        None => Ok(None),
    }
}

fn content_length(line: &[u8]) -> Option<u64> {
    let (name, value) = str::from_utf8(line).ok()?.split_once(':')?;
    name.trim()
        .eq_ignore_ascii_case("Content-Length")
        .then(|| value.trim().parse().ok())?
}

/// Encodes a message.
pub(super) fn encode(content: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{content}", content.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{Fault, Frame, LONGEST, LONGEST_LINE, encode, read};

    async fn all(mut bytes: &[u8]) -> Result<Vec<Frame>, Fault> {
        let mut frames = Vec::new();
        while let Some(frame) = read(&mut bytes).await? {
            frames.push(frame);
        }
        Ok(frames)
    }

    fn content(text: &str) -> Frame {
        Frame::Content(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn messages_are_read_in_order() {
        let two = [encode("{}"), encode("\"é\"")].concat();
        assert_eq!(all(&two).await.unwrap(), [content("{}"), content("\"é\"")]);
        let typed =
            b"content-length:2\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n{}";
        assert_eq!(all(typed).await.unwrap(), [content("{}")]);
    }

    #[tokio::test]
    async fn an_incomplete_message_at_the_end_is_ignored() {
        for text in [
            "", "Content-Le", "Content-Length: 3\r\n", "Content-Length: 3\r\n\r\n{}",
        ] {
            assert_eq!(all(text.as_bytes()).await.unwrap(), [], "{text:?}");
        }
    }

    #[tokio::test]
    async fn a_message_without_a_length_is_an_error() {
        for text in [
            "\r\n{}", "{\"jsonrpc\": \"2.0\"}\r\n\r\n", "Content-Length: -1\r\n\r\n",
            "\u{feff}\n\n",
        ] {
            assert_eq!(
                all(text.as_bytes()).await.unwrap_err(),
                Fault::NoLength,
                "{text:?}"
            );
        }
        let long = vec![b'x'; usize::try_from(LONGEST_LINE).unwrap()];
        assert_eq!(all(&long).await.unwrap_err(), Fault::LongLine);
    }

    #[tokio::test]
    async fn too_long_messages_are_skipped() {
        let length = LONGEST + 1;
        let mut stream = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        stream.resize(stream.len() + usize::try_from(length).unwrap(), b'x');
        stream.extend(encode("{}"));
        assert_eq!(
            all(&stream).await.unwrap(),
            [Frame::TooLong(length), content("{}")]
        );
        let endless = format!("Content-Length: {}\r\n\r\nx", u64::MAX);
        assert_eq!(all(endless.as_bytes()).await.unwrap(), []);
    }
}
