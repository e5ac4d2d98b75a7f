//! Parses server-sent events as specified in the HTML standard (section 9.2.6, "Interpreting an event stream"), with
//! limits.
//!
//! IDs and reconnection times are ignored, because a broken stream is not resumed.

/// An event with data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// `message` if the stream has no name for it.
    pub(super) name: String,
    pub(super) data: String,
}

/// An event or a line is longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is longer than {0} bytes")]
pub(super) struct TooLong(usize);

/// A parser that accepts a stream in pieces of any size.
#[derive(Debug)]
pub(super) struct Parser {
    /// Maximum size of an event, in bytes.
    most: usize,
    /// The line so far.
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed that follows belongs to it.
    after_return: bool,
    /// A line was complete, so a byte order mark can no longer follow.
    begun: bool,
    name: String,
    /// The lines of data, each with a line feed.
    data: String,
}

impl Parser {
    /// A parser for events of at most this many bytes.
    pub(super) fn new(most: usize) -> Self {
        let (name, data) = (String::new(), String::new());
        Self {
            most,
            line: Vec::new(),
            after_return: false,
            begun: false,
            name,
            data,
        }
    }

    /// Takes the next bytes and returns the events that they complete. An event that is incomplete at the end of the
    /// stream is dropped.
    ///
    /// # Errors
    /// An event is too long.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        while let Some((&first, tail)) = bytes.split_first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                bytes = tail;
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let (line, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            if self.line.len() + line.len() + self.name.len() + self.data.len() > self.most {
                return Err(TooLong(self.most));
            }
            self.line.extend_from_slice(line);
            bytes = rest;
            if let Some((ending, tail)) = rest.split_first() {
                self.after_return = *ending == b'\r';
                events.extend(self.end_line());
                bytes = tail;
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let mark = if std::mem::replace(&mut self.begun, true) {
            None
        } else {
            line.strip_prefix('\u{feff}')
        };
        let line = mark.unwrap_or(&line);
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            // An empty field is a comment.
            _ => (),
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let (name, mut data) = (
            std::mem::take(&mut self.name),
            std::mem::take(&mut self.data),
        );
        data.pop()?;
        Some(Event {
            name: if name.is_empty() {
                "message".to_owned()
            } else {
                name
            },
            data,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Event, Parser, TooLong};

    fn event(name: &str, data: &str) -> Event {
        Event {
            name: name.to_owned(),
            data: data.to_owned(),
        }
    }

    fn events(stream: impl AsRef<[u8]>) -> Vec<Event> {
        Parser::new(1_000).feed(stream.as_ref()).unwrap()
    }

    /// The examples in the standard, and cases that follow from its rules.
    #[test]
    fn events_are_parsed_as_the_standard_specifies() {
        for (stream, expected) in [
            (
                "data: YHOO\ndata: +2\ndata: 10\n\n",
                vec![event("message", "YHOO\n+2\n10")],
            ),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                vec![
                    event("message", "first event"),
                    event("message", "second event"),
                    event("message", " third event"),
                ],
            ),
            (
                "data\n\ndata\ndata\n\ndata:",
                vec![event("message", ""), event("message", "\n")],
            ),
            (
                "data:test\n\ndata: test\n\n",
                vec![event("message", "test"), event("message", "test")],
            ),
            (
                "event: add\ndata: 1\n\ndata: 2\n\n",
                vec![event("add", "1"), event("message", "2")],
            ),
            ("event: lost\n\ndata: 2\n\n", vec![event("message", "2")]),
            (
                "event: a\nevent: b\ndata: 1:2\nretry: 5\nwhat: x\n\n",
                vec![event("b", "1:2")],
            ),
            (
                "data: 1\r\rdata: 2\r\n\r\ndata: 3\n\r",
                vec![
                    event("message", "1"),
                    event("message", "2"),
                    event("message", "3"),
                ],
            ),
            (
                "\u{feff}data: 1\n\n\u{feff}data: 2\n\n",
                vec![event("message", "1")],
            ),
            ("data: 1", vec![]),
            ("data: 1\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(events(stream), expected, "{stream:?}");
        }
        assert_eq!(events(b"data: \xff\n\n"), [event("message", "\u{fffd}")]);
    }

    #[test]
    fn no_bytes_are_buffered_beyond_the_limit() {
        let mut line = Parser::new(10);
        assert_eq!(line.feed(b"data: 1234"), Ok(vec![]));
        assert_eq!(line.feed(b"5"), Err(TooLong(10)));
        let mut lines = Parser::new(10);
        assert_eq!(
            lines.feed("data: 1\n".repeat(3).as_bytes()),
            Err(TooLong(10))
        );
        let mut comments = Parser::new(10);
        assert_eq!(comments.feed(":\n".repeat(1_000).as_bytes()), Ok(vec![]));
    }

    proptest! {
        #[test]
        fn splitting_a_stream_does_not_change_its_events(
            lines in prop::collection::vec("(data|event|id|:|x)?:? ?[a-z\u{e9}\u{feff}]{0,3}(\r|\n|\r\n)", 0..20),
            size in 1usize..7,
        ) {
            let stream = lines.concat();
            let mut parser = Parser::new(1_000);
            let pieces = stream.as_bytes().chunks(size).flat_map(|piece| parser.feed(piece).unwrap());
            prop_assert_eq!(pieces.collect::<Vec<_>>(), events(&stream));
        }

        #[test]
        fn written_events_are_read_back(
            sent in prop::collection::vec(("[a-z]{1,8}", "[^\r\n]{0,9}(\n[^\r\n]{0,9}){0,3}"), 0..6),
            ending in prop::sample::select(vec!["\n", "\r", "\r\n"]),
        ) {
            let write = |(name, data): &(String, String)| {
                let data: String = data.split('\n').map(|line| format!("data: {line}{ending}")).collect();
                format!(": comment{ending}event: {name}{ending}{data}{ending}")
            };
            let stream: String = sent.iter().map(write).collect();
            let expected: Vec<Event> = sent.iter().map(|(name, data)| event(name, data)).collect();
            prop_assert_eq!(events(stream), expected);
        }

        #[test]
        fn any_bytes_are_accepted(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Parser::new(50).feed(&bytes);
        }
    }
}
