//! The accept loop: what stands between the socket and the router, so that no client can hold what it does not use.
//!
//! - A connection must say what it wants in time. The first bytes tell HTTP/1.1 from HTTP/2 (with prior knowledge,
//!   RFC 9113 section 3.3), and they are read here, under a deadline, because the usual protocol sniffing has none.
//! - Header, body and idle time have deadlines; so has a client that does not read its response.
//! - With TLS the handshake is under the same deadline as the first bytes.
//! - There are only so many connections; further ones wait in the backlog.
//! - At shutdown requests in flight may finish within a grace.

mod activity;
mod body;
mod stream;
mod tls;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::Limits;
use crate::client_address::Peer;
use activity::Activity;
use body::{Held, Watched};
use stream::Stream;

pub(crate) use body::BodyStalled;
pub use tls::{Tls, TlsError};

/// How long to wait after `accept` failed for want of resources, which only time can heal.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Above what the service's own limit allows, so that most of what is too large gets a proper answer.
const HEADER_BUFFER_BYTES: usize = 64 << 10;
const HEADER_FIELDS: usize = 200;
const STREAMS_PER_CONNECTION: u32 = 64;

/// Deadlines and caps of the socket.
#[derive(Debug, Clone)]
pub struct Transport {
    /// In which the header of a request must arrive, the first as every other.
    pub header: Duration,
    /// In which the body of a request must make progress.
    pub body: Duration,
    /// After which a connection without a request is closed.
    pub idle: Duration,
    /// In which a client must read something of what is sent to it.
    pub write: Duration,
    /// Connections at once.
    pub connections: usize,
    /// How long requests in flight may go on after shutdown began.
    pub shutdown_grace: Duration,
    /// Plain HTTP without it.
    pub tls: Option<Tls>,
}

impl Transport {
    /// The deadlines of these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            header: Duration::from_secs(limits.header_seconds),
            body: Duration::from_secs(limits.body_seconds),
            idle: Duration::from_secs(60),
            write: Duration::from_secs(60),
            connections: 4_096,
            shutdown_grace: Duration::from_secs(30),
            tls: None,
        }
    }
}

impl Default for Transport {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

/// Serves `router` on `listener` until `shutdown` completes, then lets the requests in flight finish within the grace.
///
/// # Errors
/// When the listener is of no use any more.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    transport: &Transport,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let shared = Arc::new(Shared { router, transport: transport.clone(), stop: CancellationToken::new() });
    let places = Arc::new(Semaphore::new(transport.connections.clamp(1, Semaphore::MAX_PERMITS)));
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = async {
            // The place is taken first, so that what cannot be served stays in the backlog.
            let place = Arc::clone(&places).acquire_owned().await.ok();
            (listener.accept().await, place)
        };
        tokio::select! {
            () = &mut shutdown => break,
            Some(_) = connections.join_next() => {}
            (accepted, place) = accepted => match accepted {
                Ok((stream, address)) => {
                    let shared = Arc::clone(&shared);
                    connections.spawn(async move {
                        shared.connection(stream, Peer(address)).await;
                        drop(place);
                    });
                }
                Err(error) => recover(error).await?,
            },
        }
    }
    drop(listener);
    shared.stop.cancel();
    drain(connections, transport.shutdown_grace).await;
    Ok(())
}

/// A connection that broke before it was accepted is nobody's concern, and a shortage may pass.
async fn recover(error: io::Error) -> io::Result<()> {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, InvalidInput};
    match error.kind() {
        ConnectionAborted | ConnectionRefused | ConnectionReset => Ok(()),
        InvalidInput => Err(error),
        _ => {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(ACCEPT_PAUSE).await;
            Ok(())
        }
    }
}

async fn drain(mut connections: JoinSet<()>, grace: Duration) {
    let all = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(grace, all).await.is_err() {
        tracing::warn!(connections = connections.len(), "connections were cut off after the grace");
        connections.shutdown().await;
    }
}

/// What every connection shares.
struct Shared {
    router: Router,
    transport: Transport,
    stop: CancellationToken,
}

impl Shared {
    async fn connection(&self, stream: TcpStream, peer: Peer) {
        // Small responses must not wait for more to send; where that cannot be had, they do.
        let _ = stream.set_nodelay(true);
        let opening = Stream::open(stream, self.transport.tls.as_ref(), self.transport.write);
        let stream = tokio::select! {
            () = self.stop.cancelled() => return,
            opened = tokio::time::timeout(self.transport.header, opening) => match opened {
                Ok(Ok(stream)) => stream,
                Ok(Err(_)) | Err(_) => return,
            },
        };
        let activity = Activity::new();
        let service = self.service(&activity, peer);
        if stream.is_http2() {
            self.run(self.http2().serve_connection(TokioIo::new(stream), service), &activity).await;
        } else {
            self.run(self.http1().serve_connection(TokioIo::new(stream), service), &activity).await;
        }
    }

    fn http1(&self) -> http1::Builder {
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.transport.header);
        builder.max_buf_size(HEADER_BUFFER_BYTES).max_headers(HEADER_FIELDS);
        builder
    }

    fn http2(&self) -> http2::Builder<TokioExecutor> {
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.timer(TokioTimer::new()).keep_alive_interval(self.transport.header);
        builder.keep_alive_timeout(self.transport.header).max_concurrent_streams(STREAMS_PER_CONNECTION);
        builder.max_header_list_size(u32::try_from(HEADER_BUFFER_BYTES).unwrap_or(u32::MAX));
        builder
    }

    /// The router, with a watch over the request's body and a note of what is in flight.
    fn service(
        &self,
        activity: &Activity,
        peer: Peer,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<Held>,
        Error = std::convert::Infallible,
        Future: Send + 'static,
    > + Clone
    + use<> {
        let (router, activity, deadline) = (self.router.clone(), activity.clone(), self.transport.body);
        service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            let (router, busy) = (router.clone(), activity.begin());
            let request = Watched::wrap(request, deadline);
            async move { router.oneshot(request).await.map(|response| response.map(|body| Held::new(body, busy))) }
        })
    }

    /// Drives a connection to its end, asks it to end when the server stops or nothing was asked for long, and insists
    /// when nothing came of the asking.
    async fn run(&self, connection: impl GracefulConnection, activity: &Activity) {
        let mut connection = pin!(connection);
        let mut asked = false;
        loop {
            tokio::select! {
                // How a connection ended is its client's business.
                _ = connection.as_mut() => return,
                () = self.stop.cancelled(), if !asked => {}
                () = activity.idle_for(self.transport.idle) => if asked { return },
            }
            asked = true;
            connection.as_mut().graceful_shutdown();
        }
    }
}
