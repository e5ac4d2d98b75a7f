//! A socket whose first bytes were inspected, with a timeout for a peer that does not read.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tokio_rustls::server::TlsStream;

use super::Tls;

/// The connection preface of a client with prior knowledge of HTTP/2 (RFC 9113 section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The socket.
pub(super) struct Stream {
    socket: Socket,
    /// Bytes that were read and not yet passed on.
    opening: Vec<u8>,
    http2: bool,
    write_deadline: Duration,
    /// Runs while the peer reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

/// With or without TLS.
enum Socket {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Calls the same method of either variant.
macro_rules! either {
    ($socket:expr, $inner:ident => $call:expr) => {
        match $socket {
            Socket::Plain($inner) => $call,
            Socket::Tls($inner) => $call,
        }
    };
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        either!(self.get_mut(), inner => Pin::new(inner).poll_read(cx, buffer))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        either!(self.get_mut(), inner => Pin::new(inner).poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        either!(self.get_mut(), inner => Pin::new(inner).poll_write_vectored(cx, bytes))
    }

    fn is_write_vectored(&self) -> bool {
        either!(self, inner => inner.is_write_vectored())
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        either!(self.get_mut(), inner => Pin::new(inner).poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        either!(self.get_mut(), inner => Pin::new(inner).poll_shutdown(cx))
    }
}

impl Stream {
    /// Does the TLS handshake, if enabled, and reads until the client's protocol is clear: at most as many bytes as
    /// the HTTP/2 preface has.
    pub(super) async fn open(
        socket: TcpStream,
        tls: Option<&Tls>,
        write_deadline: Duration,
    ) -> io::Result<Self> {
        let mut socket = match tls {
            Some(tls) => Socket::Tls(Box::new(tls.accept(socket).await?)),
            None => Socket::Plain(socket),
        };
        let mut opening = Vec::with_capacity(PREFACE.len());
        loop {
            let left = PREFACE.len() - opening.len();
            if (&mut socket)
                .take(left as u64)
                .read_buf(&mut opening)
                .await?
                == 0
            {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let http2 = opening == PREFACE;
            if http2 || !PREFACE.starts_with(&opening) {
                return Ok(Self {
                    socket,
                    opening,
                    http2,
                    write_deadline,
                    stalled: None,
                });
            }
        }
    }

    /// Whether the client sent the HTTP/2 preface.
    pub(super) fn is_http2(&self) -> bool {
        self.http2
    }

    /// Returns the result of a write, or an error if the peer read nothing for too long.
    fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.stalled = None;
            return result;
        }
        let deadline = self.write_deadline;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(deadline)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.opening.is_empty() {
            return Pin::new(&mut self.socket).poll_read(cx, buffer);
        }
        let count = buffer.remaining().min(self.opening.len());
        buffer.put_slice(self.opening.drain(..count).as_slice());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.watch(cx, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.socket).poll_write_vectored(cx, bytes);
        self.watch(cx, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.socket).poll_flush(cx);
        self.watch(cx, result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // TLS sends a closing message.
        let result = Pin::new(&mut self.socket).poll_shutdown(cx);
        self.watch(cx, result)
    }
}
