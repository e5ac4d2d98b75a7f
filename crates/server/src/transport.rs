//! The accept loop: the bounds between the socket and the router, so that no client can hold resources it does not use.
//!
//! - A connection must send its first bytes in time. They distinguish HTTP/1.1 from HTTP/2 (with prior knowledge,
//!   RFC 9113 section 3.3), and they are read here, under a deadline, because the usual protocol sniffing has none.
//! - Header, body and idle time have deadlines, and so has a client that does not read its response.
//! - With TLS, the handshake is under the same deadline as the first bytes.
//! - The number of connections is limited, in total and per address. The longest idle one is closed for a new one;
//!   when all are busy, new ones wait in the backlog.
//! - At shutdown, requests in flight may finish within a grace period.

mod activity;
mod body;
mod body_rate;
mod places;
mod stream;
mod tls;

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
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
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::Limits;
use crate::client_address::{Network, Peer};
use activity::Activity;
use body::{BodyGuard, Watched};
use places::{Place, Places};
use stream::Stream;

pub(crate) use body::BodyStalled;
pub(crate) use body_rate::{BodyRate, BodyRateMeter, BodyTooSlow};
pub use tls::{Tls, TlsError};

/// Pause after `accept` failed for lack of resources.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Above the service's own limit, so that most oversized headers get a proper response.
const HEADER_BUFFER_BYTES: usize = 64 << 10;
const HEADER_FIELDS: usize = 200;
const STREAMS_PER_CONNECTION: u32 = 64;
/// Maximum unsent bytes of each stream.
const SEND_BUFFER_BYTES: usize = 16 << 10;

/// Time for an evicted connection to end cleanly.
const PARTING: Duration = Duration::from_millis(100);

/// Time after the grace period in which requests are answered with partial results and the responses are sent. The
/// router answers all requests halfway through.
const LAST_ANSWERS: Duration = Duration::from_millis(900);
/// Time for aborted connections to release their resources.
const CUT_OFF: Duration = Duration::from_millis(150);

/// Deadlines and limits of the socket.
#[derive(Debug, Clone)]
pub struct Transport {
    /// Timeout for the header of each request, including the first.
    pub header: Duration,
    /// Maximum time without progress of a request body.
    pub body: Duration,
    /// Minimum average rate of a body after that time, in decoded bytes per second.
    pub body_bytes_per_second: u64,
    /// Idle timeout of a connection without a request.
    pub idle: Duration,
    /// Maximum time in which a client reads nothing of its response.
    pub write: Duration,
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of connections per address (per network with IPv6), unless it is a proxy's.
    pub connections_per_address: usize,
    /// Proxies, whose connections carry many clients with unknown addresses.
    pub proxies: Vec<Network>,
    /// Grace period for requests in flight at shutdown.
    pub shutdown_grace: Duration,
    /// Cancelled at the end of the grace period: pending requests are answered immediately.
    pub closing: CancellationToken,
    /// TLS; `None` for plain HTTP.
    pub tls: Option<Tls>,
}

impl Transport {
    /// The deadlines that follow from these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            header: Duration::from_secs(limits.header_timeout_seconds),
            body: Duration::from_secs(limits.body_timeout_seconds),
            body_bytes_per_second: limits.body_bytes_per_second,
            idle: Duration::from_secs(60),
            write: Duration::from_secs(30),
            connections: 4_096,
            connections_per_address: 1_024,
            proxies: Vec::new(),
            shutdown_grace: Duration::from_secs(30),
            closing: CancellationToken::new(),
            tls: None,
        }
    }
}

impl Transport {
    /// The address that a connection is counted for.
    fn counted(&self, peer: IpAddr) -> Option<IpAddr> {
        (!self.proxies.iter().any(|network| network.contains(peer))).then_some(peer)
    }
}

impl Default for Transport {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

/// Serves `router` on `listener` until `shutdown` completes, then lets requests in flight finish within the grace
/// period.
///
/// # Errors
/// The listener failed permanently.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    transport: &Transport,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let shared = Arc::new(Shared {
        router,
        transport: transport.clone(),
        stop: CancellationToken::new(),
    });
    let places = Places::new(transport.connections, transport.connections_per_address);
    let (mut connections, mut next) = (JoinSet::new(), None);
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            Some(_) = connections.join_next() => {}
            accepted = accept(&listener, &places, &mut next) => match accepted {
                Ok((stream, address)) => {
                    if let Some(place) = places.enter(transport.counted(address.ip())) {
                        let shared = Arc::clone(&shared);
                        connections.spawn(async move { shared.connection(stream, Peer(address), place).await });
                    }
                }
                Err(error) => recover(error, &places).await?,
            },
        }
    }
    drop(listener);
    shared.stop.cancel();
    drain(connections, transport).await;
    Ok(())
}

/// Waits for a free place, then for the next connection. The connection is stored in `next`, so that it is not lost
/// if the future is dropped; later ones stay in the backlog.
async fn accept(
    listener: &TcpListener,
    places: &Places,
    next: &mut Option<(TcpStream, SocketAddr)>,
) -> io::Result<(TcpStream, SocketAddr)> {
    if next.is_none() {
        *next = Some(listener.accept().await?);
    }
    places.room().await;
    next.take()
        .ok_or_else(|| io::ErrorKind::ConnectionAborted.into())
}

/// A connection that broke before it was accepted is ignored, and a shortage of resources may pass.
async fn recover(error: io::Error, places: &Places) -> io::Result<()> {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, InvalidInput};
    match error.kind() {
        ConnectionAborted | ConnectionRefused | ConnectionReset => Ok(()),
        InvalidInput => Err(error),
        _ => {
            tracing::warn!(%error, "could not accept a connection");
            places.make_room();
            tokio::time::sleep(ACCEPT_PAUSE).await;
            Ok(())
        }
    }
}

/// Waits for requests in flight, then for their early responses; remaining connections are closed. A task that
/// computes is not waited for: it ends at its next await, or with the process.
async fn drain(mut connections: JoinSet<()>, transport: &Transport) {
    if timeout(transport.shutdown_grace, ended(&mut connections))
        .await
        .is_ok()
    {
        return;
    }
    transport.closing.cancel();
    if timeout(LAST_ANSWERS, ended(&mut connections)).await.is_ok() {
        return;
    }
    tracing::warn!(
        connections = connections.len(),
        "connections were closed after the grace period"
    );
    connections.abort_all();
    let _computing = timeout(CUT_OFF, ended(&mut connections)).await;
    connections.detach_all();
}

async fn ended(connections: &mut JoinSet<()>) {
    while connections.join_next().await.is_some() {}
}

/// State shared by all connections.
struct Shared {
    router: Router,
    transport: Transport,
    stop: CancellationToken,
}

impl Shared {
    async fn connection(&self, stream: TcpStream, peer: Peer, place: Place) {
        // Small responses must not be delayed. Where this option is not supported, they are.
        let _ = stream.set_nodelay(true);
        let opening = Stream::open(stream, self.transport.tls.as_ref(), self.transport.write);
        let stream = tokio::select! {
            () = self.stop.cancelled() => return,
            () = place.gives_way.cancelled() => return,
            opened = tokio::time::timeout(self.transport.header, opening) => match opened {
                Ok(Ok(stream)) => stream,
                Ok(Err(_)) | Err(_) => return,
            },
        };
        let service = self.service(&place.activity, peer);
        if stream.is_http2() {
            self.run(
                self.http2().serve_connection(TokioIo::new(stream), service),
                &place,
            )
            .await;
        } else {
            self.run(
                self.http1().serve_connection(TokioIo::new(stream), service),
                &place,
            )
            .await;
        }
    }

    fn http1(&self) -> http1::Builder {
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(self.transport.header);
        builder
            .max_buf_size(HEADER_BUFFER_BYTES)
            .max_headers(HEADER_FIELDS);
        builder
    }

    fn http2(&self) -> http2::Builder<TokioExecutor> {
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder
            .timer(TokioTimer::new())
            .keep_alive_interval(self.transport.header);
        builder
            .keep_alive_timeout(self.transport.header)
            .max_concurrent_streams(STREAMS_PER_CONNECTION);
        builder.max_send_buf_size(SEND_BUFFER_BYTES);
        builder.max_header_list_size(u32::try_from(HEADER_BUFFER_BYTES).unwrap_or(u32::MAX));
        builder
    }

    /// The router, with a watch on the request's body and a record of requests in flight.
    fn service(
        &self,
        activity: &Activity,
        peer: Peer,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<BodyGuard>,
        Error = std::convert::Infallible,
        Future: Send + 'static,
    > + Clone
    + use<> {
        let (router, activity, deadline) =
            (self.router.clone(), activity.clone(), self.transport.body);
        let rate = BodyRate {
            bytes_per_second: self.transport.body_bytes_per_second,
            grace: deadline,
        };
        service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(rate);
            let (router, busy) = (router.clone(), activity.begin());
            let request = Watched::wrap(request, deadline);
            async move {
                router
                    .oneshot(request)
                    .await
                    .map(|response| response.map(|body| BodyGuard::new(body, busy)))
            }
        })
    }

    /// Drives a connection to its end. Shuts it down gracefully when the server stops or the connection was idle for
    /// too long, and aborts it if that has no effect.
    async fn run(&self, connection: impl GracefulConnection, place: &Place) {
        let mut connection = pin!(connection);
        let (activity, mut asked) = (&place.activity, false);
        loop {
            tokio::select! {
                // How a connection ends is up to its client.
                _ = connection.as_mut() => return,
                () = self.stop.cancelled(), if !asked => {}
                () = place.gives_way.cancelled(), if !asked => {
                    connection.as_mut().graceful_shutdown();
                    if timeout(PARTING, connection.as_mut()).await.is_ok() || activity.idle_since().is_some() {
                        return;
                    }
                }
                () = activity.idle_for(self.transport.idle) => if asked { return },
                // A client that answers pings can still stop reading.
                () = activity.stalled_for(self.transport.write) => return,
            }
            asked = true;
            connection.as_mut().graceful_shutdown();
        }
    }
}
