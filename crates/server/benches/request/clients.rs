//! Clients that keep their connections and send the next request as soon as they have the answer. They do as little
//! work as possible, because their cost is part of both figures.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use axum::http::HeaderMap;
use futures_util::future::try_join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CLIENTS: u64 = 16;
const EACH: u64 = 25;
/// Requests in one round.
pub(crate) const REQUESTS: u64 = CLIENTS * EACH;

pub(crate) struct Clients {
    request: String,
    connections: Vec<Connection>,
}

struct Connection {
    socket: TcpStream,
    answer: Vec<u8>,
}

impl Clients {
    pub(crate) async fn connect(address: SocketAddr, request: String) -> Result<Self> {
        let connections = try_join_all((0..CLIENTS).map(|_| Connection::open(address))).await?;
        Ok(Self {
            request,
            connections,
        })
    }

    /// All clients run concurrently, each with one request after the other.
    pub(crate) async fn round(&mut self) -> Result<()> {
        let request = self.request.as_bytes();
        let work = self.connections.iter_mut().map(|connection| async move {
            for _ in 0..EACH {
                connection.ask(request).await?;
            }
            Result::Ok(())
        });
        try_join_all(work).await.map(drop)
    }

    /// The header fields and the body of an answer, without those that HTTP adds to every answer.
    pub(crate) async fn answer(&mut self) -> Result<(HeaderMap, Vec<u8>)> {
        let first = self
            .connections
            .first_mut()
            .ok_or(ErrorKind::NotConnected)?;
        let start = first.ask(self.request.as_bytes()).await?;
        let body = first.answer.split_off(start);
        let head = String::from_utf8_lossy(&first.answer);
        let fields = head.lines().filter_map(|line| line.split_once(": "));
        let fields = fields.filter(|(name, _)| !["date", "content-length"].contains(name));
        let fields = fields.map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)));
        Ok((
            fields
                .collect::<Option<HeaderMap>>()
                .ok_or(ErrorKind::InvalidData)?,
            body,
        ))
    }
}

impl Connection {
    async fn open(address: SocketAddr) -> Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(Self {
            socket,
            answer: Vec::with_capacity(4096),
        })
    }

    /// Sends the request, reads the whole answer, and returns the offset of its body.
    async fn ask(&mut self, request: &[u8]) -> Result<usize> {
        self.socket.write_all(request).await?;
        self.answer.clear();
        loop {
            if self.socket.read_buf(&mut self.answer).await? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if let Some((start, length)) = body_range(&self.answer)?
                && self.answer.len() >= start + length
            {
                return Ok(start);
            }
        }
    }
}

/// The offset and length of the body, once the header is complete.
fn body_range(answer: &[u8]) -> Result<Option<(usize, usize)>> {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let header = answer
        .get(..end)
        .and_then(|header| std::str::from_utf8(header).ok())
        .unwrap_or_default();
    if !header.starts_with("HTTP/1.1 200 ") {
        return Err(Error::other(format!("not a success: {header}")));
    }
    let length = header
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length = length
        .and_then(|length| length.parse().ok())
        .ok_or(ErrorKind::InvalidData)?;
    Ok(Some((end + 4, length)))
}
