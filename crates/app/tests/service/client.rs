//! A client with a persistent connection, and helpers for setting up a service.

use std::io::{BufRead as _, BufReader, Error, ErrorKind, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::support::Place;

/// Longer than any response takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Sends requests sequentially.
pub(crate) struct Client {
    address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
}

/// A response: status, header in lower case, body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            stream: None,
        }
    }

    /// Sends a request. An error means that there was no response; the next request reconnects.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<Answer> {
        let answer = self.exchange(method, path, token, body);
        if answer.is_err() {
            self.stream = None;
        }
        answer
    }

    fn exchange(&mut self, method: &str, path: &str, token: &str, body: &str) -> Result<Answer> {
        if self.stream.is_none() {
            let stream = TcpStream::connect(self.address)?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            stream.set_nodelay(true)?;
            self.stream = Some(BufReader::new(stream));
        }
        let stream = self.stream.as_mut().unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.get_mut().write_all(request.as_bytes())?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        let head = head.to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let mut bytes = vec![0; length.ok_or_else(|| Error::other(format!("no length: {head}")))?];
        stream.read_exact(&mut bytes)?;
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .ok_or(ErrorKind::InvalidData)?;
        Ok(Answer {
            status,
            head,
            body: serde_json::from_slice(&bytes)?,
        })
    }
}

/// Creates a user in the database and a token with all scopes.
pub(crate) fn user(place: &Place, database: &str) -> (String, String) {
    let admin = |line: &str| {
        place.json(
            &[
                &["admin", "--json", "--database", database],
                &line.split(' ').collect::<Vec<_>>()[..],
            ]
            .concat(),
        )
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let user = text(&admin("user create --name Ada")["userId"]);
    let scopes = "--scope organizations:read --scope organizations:write --scope reviews:write --scope tokens:write";
    let token = text(&admin(&format!("token create --user {user} {scopes}"))["token"]);
    (user, token)
}

/// Creates an organization and returns its ID.
pub(crate) fn organization(client: &mut Client, token: &str) -> String {
    let made = client
        .send("POST", "/v1/organizations", token, r#"{"name":"Acme"}"#)
        .unwrap();
    assert_eq!(made.status, 201, "{made:?}");
    made.body["organizationId"].as_str().unwrap().to_owned()
}
