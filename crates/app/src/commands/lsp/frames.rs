//! Messages on a stream: a header with the length, an empty line, and so many bytes of JSON.

use tokio::io::{self, AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

/// Bytes of a message's content.
const LONGEST: u64 = 64 * 1024 * 1024;
/// Bytes of a header's line.
const LONGEST_LINE: u64 = 4 * 1024;

/// The content of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Content(Vec<u8>),
    /// It was passed over.
    TooLong(u64),
}

/// Why nothing can be read from the stream any more: where the next message begins is not known.
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
/// What came is no header.
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

/// A message as it is sent.
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
    async fn messages_are_read_one_after_the_other() {
        let two = [encode("{}"), encode("\"é\"")].concat();
        assert_eq!(all(&two).await.unwrap(), [content("{}"), content("\"é\"")]);
        let typed =
            b"content-length:2\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n{}";
        assert_eq!(all(typed).await.unwrap(), [content("{}")]);
    }

    #[tokio::test]
    async fn an_end_in_the_middle_is_an_end() {
        for text in [
            "",
            "Content-Le",
            "Content-Length: 3\r\n",
            "Content-Length: 3\r\n\r\n{}",
        ] {
            assert_eq!(all(text.as_bytes()).await.unwrap(), [], "{text:?}");
        }
    }

    #[tokio::test]
    async fn what_has_no_length_is_no_message() {
        for text in [
            "\r\n{}",
            "{\"jsonrpc\": \"2.0\"}\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
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
    async fn a_message_that_is_too_long_is_passed_over() {
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
