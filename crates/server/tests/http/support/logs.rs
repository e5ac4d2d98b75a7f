//! Everything that is logged during the tests, in the service's format.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use serde_json::Value;

static BUFFER: LazyLock<Arc<Mutex<Vec<u8>>>> = LazyLock::new(Arc::default);
static CAPTURE: LazyLock<()> = LazyLock::new(|| {
    let writer = || Buffer(Arc::clone(&BUFFER));
    tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(writer)
        .init();
});

/// The log of this process.
pub(crate) struct Logs;

impl Logs {
    /// Starts capturing, once for all tests.
    pub(crate) fn capture() {
        LazyLock::force(&CAPTURE);
    }

    /// The log so far.
    pub(crate) fn text() -> String {
        String::from_utf8(BUFFER.lock().unwrap().clone()).unwrap()
    }

    /// The request line with this request ID.
    pub(crate) fn line_of(request_id: &str) -> Value {
        let of_request = |line: &Value| {
            line["span"]["request_id"] == request_id && line["fields"]["message"] == "request"
        };
        let mut own: Vec<Value> = Self::lines()
            .filter(of_request)
            .map(|mut line| line["fields"].take())
            .collect();
        assert_eq!(own.len(), 1, "one line per request");
        own.remove(0)
    }

    /// The warnings in the log of the request with this ID.
    pub(crate) fn warnings_of(request_id: &str) -> Vec<String> {
        let own = Self::lines()
            .filter(|line| line["span"]["request_id"] == request_id && line["level"] == "WARN");
        own.map(|line| line["fields"]["message"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The statuses of a user's requests, in the order in which they ended.
    pub(crate) fn statuses_of(user_id: &str) -> Vec<u64> {
        Self::lines_with("user_id", user_id)
            .iter()
            .map(|line| line["status"].as_u64().unwrap())
            .collect()
    }

    fn lines_with(field: &str, value: &str) -> Vec<Value> {
        Self::lines()
            .map(|mut line| line["fields"].take())
            .filter(|fields| fields[field] == value)
            .collect()
    }

    fn lines() -> impl Iterator<Item = Value> {
        let lines: Vec<Value> = Self::text()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        lines.into_iter()
    }
}

struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
