//! A running service: its listeners, its database, its engines, and its shutdown.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use server::{Clock, State, Tls, Transport};
use settings::{Listen, Settings};
use store::Store;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::timeout;
use tracing::info;

use super::signals::Signals;
use super::{metrics, tls};
use crate::commands::mcp::BuiltinRules;
use crate::engines::{self, Engines};
use crate::outcome::{Error, Exit, Outcome};
use crate::{database, logging, sign_in};

/// Backlog of connections to be accepted; the system may allow fewer.
const BACKLOG: u32 = 4_096;
/// Time after the last response to reap the workers and to release the reservations of aborted requests. Together with
/// the transport's time for the last responses, this is well within the two seconds that are promised after the grace
/// period.
const RELEASE_TIME: Duration = Duration::from_millis(400);
/// Time for closing the database after that.
const CLOSE_TIME: Duration = Duration::from_millis(200);

/// The listeners of a service.
pub(super) struct Listeners {
    pub(super) api: TcpListener,
    pub(super) metrics: Option<TcpListener>,
}

/// Listens for metrics requests, if they are enabled.
///
/// # Errors
/// The address is unavailable.
pub(super) async fn listen_for_metrics(
    Listen(address): Listen,
) -> Result<Option<TcpListener>, Error> {
    match address {
        Some(address) => Ok(Some(
            listen_at(address, "--metrics-bind, or none with --metrics-bind off").await?,
        )),
        None => Ok(None),
    }
}

/// Listens on the address. This comes before opening the database, because an address in use usually means that the
/// service was started twice.
///
/// # Errors
/// The address is unavailable.
pub(super) async fn listen(address: SocketAddr) -> Result<TcpListener, Error> {
    listen_at(address, "--bind").await
}

async fn listen_at(address: SocketAddr, flag: &str) -> Result<TcpListener, Error> {
    open(address).map_err(|error| {
        let reason = match error.kind() {
            ErrorKind::AddrInUse => "the address is in use".to_owned(),
            ErrorKind::AddrNotAvailable => "this machine does not have the address".to_owned(),
            ErrorKind::PermissionDenied => "not permitted".to_owned(),
            _ => error.to_string(),
        };
        Error::usage(format!(
            "cannot listen on {address}: {reason}; choose another with {flag}"
        ))
    })
}

fn open(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()
    } else {
        TcpSocket::new_v6()
    }?;
    // After a crash, a restart must be able to listen again.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// A running service.
pub(super) struct Service {
    pub(super) store: Store,
    pub(super) state: State,
    engines: Engines,
    settings: Settings,
    tls: Option<Tls>,
}

impl Service {
    /// Opens the database and starts the engines. The console offers the sample if there is one.
    ///
    /// # Errors
    /// Either is unavailable.
    pub(super) async fn open(
        settings: Settings,
        sample_diff: Option<&'static str>,
    ) -> Result<Self, Error> {
        let tls = settings.tls.as_ref().map(tls::read).transpose()?;
        let store = database::open_with(
            &settings.service.database, settings.service.database_connections,
        )
        .await?;
        let engines = engines::start_service(&settings)?;
        engines.warm_up().await?;
        let of_server = server::Settings {
            sample_diff,
            rules: Some(Arc::new(BuiltinRules)),
            ..settings.server(settings.oidc.as_ref().map(sign_in::of))
        };
        let state = State::new(
            store.clone(),
            engines.list().to_vec(),
            of_server,
            Clock::system(),
        );
        Ok(Self {
            store,
            state,
            engines,
            settings,
            tls,
        })
    }

    /// Serves until the first signal, and then until the requests in flight are answered, the grace period is over or a
    /// second signal arrives.
    ///
    /// # Errors
    /// A second signal arrived.
    pub(super) async fn run(self, listeners: Listeners, signals: Signals) -> Outcome {
        self.announce(&listeners);
        let Listeners { api, metrics } = listeners;
        let state = self.state.clone();
        metrics::register(&state, &self.engines);
        let requests = state.clone();
        let (transport, stop) = (self.transport(&state), self.stop(&state, &signals));
        let ended = tokio::select! {
            served = server::serve(api, server::router(state.clone()), &transport, stop) => served,
            failed = metrics::serve(metrics, state) => failed,
            never = tls::watch(self.tls.as_ref(), self.settings.tls.as_ref()) => match never? {},
            never = delete_expired(&self.store) => match never {},
            () = signals.stop_immediately() => return Err(Error::failure("stopped immediately: requests in flight were cut off")),
        };
        // Anything not released by then is cut off with the process.
        if timeout(
            RELEASE_TIME,
            join(self.engines.stop(), requests.given_back()),
        )
        .await
        .is_err()
        {
            tracing::warn!("the reservations of some requests could not be released in time");
        }
        let _late = timeout(CLOSE_TIME, self.store.close()).await;
        ended.map_err(|error| Error::failure(format!("the service ended: {error}")))?;
        info!(target: logging::START, "stopped");
        Ok(Exit::Success)
    }

    fn transport(&self, state: &State) -> Transport {
        let shutdown_grace = Duration::from_secs(self.settings.service.shutdown_grace_seconds);
        Transport {
            shutdown_grace,
            connections: self.settings.service.connections,
            connections_per_address: self.settings.service.connections_per_address,
            proxies: self.settings.proxy.trusted.clone(),
            closing: state.closing().clone(),
            tls: self.tls.clone(),
            ..Transport::new(&self.settings.limits)
        }
    }

    /// Completes when new connections are to be refused. After the first signal, the service reports that it is not
    /// ready and keeps accepting connections until load balancers have noticed.
    fn stop(&self, state: &State, signals: &Signals) -> impl Future<Output = ()> + use<> {
        let delay = Duration::from_secs(self.settings.service.shutdown_delay_seconds);
        let (state, signals) = (state.clone(), signals.clone());
        async move {
            signals.stop().await;
            state.stop();
            tokio::time::sleep(delay).await;
        }
    }

    fn announce(&self, listeners: &Listeners) {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        if let Some(Ok(address)) = listeners.metrics.as_ref().map(TcpListener::local_addr) {
            info!(target: logging::START, "metrics at http://{address}/metrics");
        }
        if let Ok(address) = listeners.api.local_addr() {
            info!(target: logging::START, "listening on {scheme}://{address}");
        }
    }
}

/// Deletes expired data every hour: idempotency keys (valid for a day), browser sessions (a week), sign-in attempts
/// (minutes), and unused limits that replicas share.
async fn delete_expired(store: &Store) -> Infallible {
    let clock = Clock::system();
    let mut hours = tokio::time::interval(Duration::from_secs(3_600));
    loop {
        hours.tick().await;
        if let Err(error) = store.delete_expired_idempotency_keys(clock.now()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "expired idempotency keys were not deleted"
            );
        }
        if let Err(error) = store.delete_expired_sessions(clock.now()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "expired browser sessions were not deleted"
            );
        }
        if let Err(error) = store.delete_expired_attempts(clock.now()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "expired sign-in attempts were not deleted"
            );
        }
        if let Some(limits) = store.shared_limits()
            && let Err(error) = limits.delete_idle().await
        {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "unused limits were not deleted"
            );
        }
    }
}
