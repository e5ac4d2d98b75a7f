//! Server-sent events (WHATWG HTML, 9.2), limited to what providers use: the data of each event.
//!
//! The existing crates do not limit the length of an event.

/// Reads events from the bytes of a stream, in pieces of any size.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The current line.
    line: Vec<u8>,
    /// The data lines of the current event.
    data: Option<Vec<u8>>,
    /// The last byte was a carriage return, so a line feed that follows does not end another line.
    after_return: bool,
}

impl Events {
    /// Takes the next bytes, and passes the data of each completed event to `event`, which may stop the reading.
    pub(super) fn take<E>(
        &mut self,
        bytes: &[u8],
        mut event: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for byte in bytes {
            let is_second = self.after_return && *byte == b'\n';
            self.after_return = *byte == b'\r';
            match byte {
                _ if is_second => {}
                b'\n' | b'\r' => {
                    if let Some(data) = self.end_line() {
                        event(&data)?;
                    }
                }
                _ => self.line.push(*byte),
            }
        }
        Ok(())
    }

    /// The last event, if the stream ends without the empty line after it.
    pub(super) fn end(&mut self) -> Option<Vec<u8>> {
        self.end_line().or_else(|| self.data.take())
    }

    /// Bytes of the current event.
    pub(super) fn pending(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// Ends a line. An empty line ends the event.
    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line);
        if line.is_empty() {
            return self.data.take();
        }
        // Other fields add nothing to the data.
        if let Some(value) = line.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            }
        }
        None
    }
}

/// Whether a body is a stream of events: it begins with a field or a comment. The content type is not trusted.
pub(super) fn is_stream(body: &[u8]) -> bool {
    let body = body
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(body)
        .trim_ascii_start();
    let fields: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];
    fields.into_iter().any(|field| body.starts_with(field))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The data of all events of a stream, read in pieces of at most `size` bytes.
    fn all(stream: &[u8], size: usize) -> Vec<String> {
        let mut events = Events::default();
        let mut found = Vec::new();
        let mut keep = |data: &[u8]| found.push(String::from_utf8_lossy(data).into_owned());
        for piece in stream.chunks(size) {
            let taken: Result<(), ()> = events.take(piece, |data| {
                keep(data);
                Ok(())
            });
            taken.unwrap();
        }
        if let Some(data) = events.end() {
            keep(&data);
        }
        found
    }

    #[test]
    fn data_is_extracted_from_among_other_fields() {
        let stream = "\u{feff}: hello\n\nevent: a\ndata: one\nid: 1\n\nretry: 5\n\ndata:two\ndata:  lines\n\ndata: last";
        assert_eq!(
            all(stream.as_bytes(), 1_000),
            ["one", "two\n lines", "last"]
        );
        assert_eq!(all(b"database: no\n\ndata\n\n", 3), Vec::<String>::new());
    }

    #[test]
    fn a_stream_is_distinguished_from_json_by_its_beginning() {
        for stream in [
            "data: {}", "event: ping", ": comment", "\n\nid: 1", "\u{feff}data:",
        ] {
            assert!(is_stream(stream.as_bytes()), "{stream}");
        }
        for other in ["", "{\"data:\": 1}", "[]", "<html>", "dat", "error: x"] {
            assert!(!is_stream(other.as_bytes()), "{other}");
        }
    }

    proptest! {
        #[test]
        fn events_round_trip_however_the_bytes_are_split(
            texts in prop::collection::vec("[^\r\n\u{feff}]{0,20}(\n[^\r\n\u{feff}]{0,20}){0,2}", 0..6),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
            size in 1_usize..9,
        ) {
            let stream: String = texts
                .iter()
                .map(|text| text.split('\n').map(|line| format!("data: {line}{end}")).collect::<String>() + end)
                .collect();
            prop_assert_eq!(all(stream.as_bytes(), size), texts);
        }

        #[test]
        fn any_bytes_are_read_alike_however_they_are_split(
            bytes in prop::collection::vec(prop::sample::select(b"data: \r\n:x".to_vec()), 0..60),
            size in 1_usize..9,
        ) {
            prop_assert_eq!(all(&bytes, size), all(&bytes, 1_000));
        }
    }
}
