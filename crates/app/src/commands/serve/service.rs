//! A running service: its addresses, its database, its engines, and its end.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use server::{Clock, State, Tls, Transport};
use store::Store;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::timeout;
use tracing::info;

use super::signals::Signals;
use super::{metrics, tls};
use crate::commands::mcp::BuiltinRules;
use crate::engines::{self, Engines};
use crate::outcome::{Error, Exit, Outcome};
use crate::settings::{Listen, Settings};
use crate::{database, logging, sign_in};

/// Connections that wait to be accepted; the system may allow fewer.
const BACKLOG: u32 = 4_096;
/// After the last answer: to reap the workers, and to give back what requests held that were cut off. With what the
/// transport takes for the last answers this stays well within the two seconds that are promised after the grace.
const GIVING_BACK: Duration = Duration::from_millis(400);
/// Then, to close the database.
const CLOSING: Duration = Duration::from_millis(200);

/// Where a service is reached.
pub(super) struct Listeners {
    pub(super) api: TcpListener,
    pub(super) metrics: Option<TcpListener>,
}

/// Takes the address of the metrics, if they are wanted.
///
/// # Errors
/// The address cannot be had.
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

/// Takes the address. Before the database is touched: whose address is taken is most often started twice.
///
/// # Errors
/// The address cannot be had.
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
    // Who starts again after a crash finds the address free.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// All that a running service holds.
pub(super) struct Service {
    pub(super) store: Store,
    pub(super) state: State,
    engines: Engines,
    settings: Settings,
    tls: Option<Tls>,
}

impl Service {
    /// Opens the database and starts the engines. The console offers the sample, if there is one.
    ///
    /// # Errors
    /// Either cannot be had.
    pub(super) async fn open(
        settings: Settings,
        sample_diff: Option<&'static str>,
    ) -> Result<Self, Error> {
        let tls = settings.tls.as_ref().map(tls::read).transpose()?;
        let store = database::open_with(
            &settings.service.database,
            settings.service.database_connections,
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

    /// Serves until the first signal, and then until the requests in flight are answered, the time for that is over
    /// or a second signal comes.
    ///
    /// # Errors
    /// The second signal came.
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
            never = forget_what_is_over(&self.store) => match never {},
            () = signals.stop_at_once() => return Err(Error::failure("stopped at once: requests in flight were cut off")),
        };
        // What does not let go by then is cut off with the process.
        if timeout(
            GIVING_BACK,
            join(self.engines.stop(), requests.given_back()),
        )
        .await
        .is_err()
        {
            tracing::warn!("not all that requests held could be given back in time");
        }
        let _late = timeout(CLOSING, self.store.close()).await;
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

    /// Completes when new connections are not to be taken any more. From the first signal on the service says that it is
    /// not ready, and then goes on for as long as load balancers need to hear of it.
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

/// Idempotency keys end after a day, browser sessions after a week and attempts to sign in after minutes, and limits that replicas share mean nothing when nobody
/// uses them; what is left of them goes every hour.
async fn forget_what_is_over(store: &Store) -> Infallible {
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
                "browser sessions that are over were not deleted"
            );
        }
        if let Err(error) = store.delete_expired_attempts(clock.now()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "attempts to sign in that are over were not deleted"
            );
        }
        if let Some(limits) = store.shared_limits()
            && let Err(error) = limits.delete_idle().await
        {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "limits that nobody uses were not deleted"
            );
        }
    }
}
