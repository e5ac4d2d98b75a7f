//! An HTTP server for tests, which responds with a function and records its requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

/// A request: `GET /path?query`, its header in lower case, its body.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// A response: status, additional header lines, body.
pub(crate) struct Reply(pub(crate) u16, pub(crate) String, pub(crate) Value);

/// The state and the responses of a host.
pub(crate) trait Service: Send + 'static {
    fn answer(&mut self, request: &Request) -> Reply;
}

/// A host that runs until the end of the tests.
pub(crate) struct Server<S> {
    pub(crate) base: String,
    service: Arc<Mutex<S>>,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl<S: Service> Server<S> {
    pub(crate) fn start(service: S) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = Self {
            base,
            service: Arc::new(Mutex::new(service)),
            requests: Arc::default(),
        };
        let (service, requests) = (Arc::clone(&server.service), Arc::clone(&server.requests));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (service, requests) = (Arc::clone(&service), Arc::clone(&requests));
                thread::spawn(move || handle_connection(stream, &service, &requests));
            }
        });
        server
    }

    /// Reads or changes the state of the host.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut S) -> T) -> T {
        work(&mut self.service.lock().unwrap())
    }

    /// The first lines of the write requests since the last call.
    pub(crate) fn writes(&self) -> Vec<String> {
        let requests = std::mem::take(&mut *self.requests.lock().unwrap());
        requests
            .into_iter()
            .filter(|request| !is_question(request))
            .map(|request| request.line)
            .collect()
    }
}

fn is_question(request: &Request) -> bool {
    let query = request.body["query"].as_str().unwrap_or_default();
    request.line.starts_with("GET ") || query.starts_with("query")
}

fn handle_connection<S: Service>(
    stream: TcpStream,
    service: &Mutex<S>,
    requests: &Mutex<Vec<Request>>,
) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = receive(&mut stream) {
        let Reply(status, extra, body) = service.lock().unwrap().answer(&request);
        requests.lock().unwrap().push(request);
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} -\r\ncontent-length: {}\r\n{extra}\r\n",
            body.len()
        );
        if stream
            .get_mut()
            .write_all((head + &body).as_bytes())
            .is_err()
        {
            return;
        }
    }
}

fn receive(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let line = head
        .lines()
        .next()?
        .trim_end_matches(" HTTP/1.1")
        .to_owned();
    let head = head.to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Request {
        line,
        head,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

/// A page of a list, with a link to the next one. Pages are short, so that there are several.
pub(crate) fn page(base: &str, line: &str, entries: &[Value]) -> Reply {
    let number = line
        .split("page=")
        .nth(2)
        .and_then(|rest| rest.split('&').next()?.parse().ok())
        .unwrap_or(1);
    let (path, size) = (
        line.trim_start_matches("GET ").split('?').next().unwrap(),
        2,
    );
    let rest = entries.iter().skip((number - 1) * size);
    let next = format!(
        "link: <{base}{path}?per_page=100&page={}>; rel=\"next\"\r\n",
        number + 1
    );
    let has_more = entries.len() > number * size;
    Reply(
        200,
        if has_more { next } else { String::new() },
        rest.take(size).cloned().collect(),
    )
}

/// The old and new numbers of the lines in a file's hunks.
pub(crate) fn numbers(patch: &str) -> Vec<(Option<u64>, Option<u64>)> {
    let (mut old, mut new, mut lines) = (0, 0, Vec::new());
    for line in patch.lines() {
        let start = |part: &str| part[1..].split(',').next().unwrap().parse::<u64>().unwrap();
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["@@", before, after, ..] => (old, new) = (start(before), start(after)),
            _ if line.starts_with('+') => {
                lines.push((None, Some(new)));
                new += 1;
            }
            _ if line.starts_with('-') => {
                lines.push((Some(old), None));
                old += 1;
            }
            _ => {
                lines.push((Some(old), Some(new)));
                (old, new) = (old + 1, new + 1);
            }
        }
    }
    lines
}
