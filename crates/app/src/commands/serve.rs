//! `hunkwise serve`: the service.

mod metrics;
mod signals;
mod tls;

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use server::{Clock, State, Tls, Transport};
use store::Store;
use tokio::net::TcpListener;
use tracing::info;

use super::worker::limits::keep_no_core_dump;
use super::{Context, Error, Exit, Outcome, block_on, demo};
use crate::engines::{self, Engines};
use crate::settings::{Listen, Overrides, Settings};
use crate::telemetry::{self, Traces};
use crate::{database, logging};

pub(super) use signals::Signals;

/// Run the service
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise serve --demo
  hunkwise serve --bind 0.0.0.0:8080 --database sqlite:///var/lib/hunkwise/hunkwise.db

SIGTERM or SIGINT: not ready any more, then no new connections; reviews in flight may finish; a second signal ends it at
once. SIGHUP: the TLS certificate is read again.")]
pub(crate) struct Args {
    /// Where to listen [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub(super) bind: Option<String>,

    /// Where to serve the metrics, or "off" [default: 127.0.0.1:9464]
    #[arg(long, value_name = "ADDRESS")]
    pub(super) metrics_bind: Option<String>,

    /// The database, made and migrated on start: sqlite://PATH or postgres://USER@HOST/DATABASE
    /// [default: sqlite://hunkwise.db]
    #[arg(long, value_name = "URL", conflicts_with = "demo")]
    database: Option<String>,

    /// Seconds that reviews in flight have to finish after the first signal [default: 30]
    #[arg(long, value_name = "SECONDS")]
    shutdown_grace: Option<String>,

    /// Try it: a service in a temporary folder, with a user, an organization and a token, that reviews a sample diff
    #[arg(long)]
    demo: bool,

    /// End after the demo's review
    #[arg(long, requires = "demo")]
    pub(super) exit: bool,
}

impl Args {
    /// The settings that the flags give.
    pub(super) fn overrides(&self) -> Overrides {
        let seconds = self.shutdown_grace.as_ref().map(|text| text.trim_end_matches('s').trim().to_owned());
        Overrides::default()
            .set("bind", "--bind", self.bind.clone())
            .set("metrics_bind", "--metrics-bind", self.metrics_bind.clone())
            .set("database", "--database", self.database.clone())
            .set("shutdown_grace_seconds", "--shutdown-grace", seconds)
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    if args.demo {
        return demo::run(args, context);
    }
    keep_no_core_dump().map_err(Error::failure)?;
    let settings = context.loaded(&args.overrides())?.settings;
    block_on(async {
        let traces = settings.telemetry.as_ref().map(telemetry::start).transpose()?;
        logging::start(settings.service.log_level, tracing::Level::INFO, traces.as_ref().map(Traces::tracer));
        let served = serve(settings).await;
        if let Some(traces) = traces {
            traces.end().await;
        }
        served
    })
}

async fn serve(settings: Settings) -> Outcome {
    let signals = Signals::listen()?;
    let api = listen(settings.service.bind).await?;
    let metrics = listen_for_metrics(settings.service.metrics_bind).await?;
    let service = Service::open(settings).await?;
    service.run(Listeners { api, metrics }, signals).await
}

/// Where a service is reached.
pub(super) struct Listeners {
    pub(super) api: TcpListener,
    pub(super) metrics: Option<TcpListener>,
}

/// Takes the address of the metrics, if they are wanted.
///
/// # Errors
/// The address cannot be had.
pub(super) async fn listen_for_metrics(Listen(address): Listen) -> Result<Option<TcpListener>, Error> {
    match address {
        Some(address) => Ok(Some(listen_at(address, "--metrics-bind, or none with --metrics-bind off").await?)),
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
    TcpListener::bind(address).await.map_err(|error| {
        let reason = match error.kind() {
            ErrorKind::AddrInUse => "the address is in use".to_owned(),
            ErrorKind::AddrNotAvailable => "this machine does not have the address".to_owned(),
            ErrorKind::PermissionDenied => "not permitted".to_owned(),
            _ => error.to_string(),
        };
        Error::usage(format!("cannot listen on {address}: {reason}; choose another with {flag}"))
    })
}

/// All that a running service holds.
pub(super) struct Service {
    pub(super) store: Store,
    engines: Engines,
    settings: Settings,
    tls: Option<Tls>,
}

impl Service {
    /// Opens the database and starts the engines.
    ///
    /// # Errors
    /// Either cannot be had.
    pub(super) async fn open(settings: Settings) -> Result<Self, Error> {
        let tls = settings.tls.as_ref().map(tls::read).transpose()?;
        let store = database::open_with(&settings.service.database, settings.service.database_connections).await?;
        let engines = engines::start(&settings, &[])?;
        engines.warm_up().await?;
        Ok(Self { store, engines, settings, tls })
    }

    /// Serves until the first signal, and then until the requests in flight are answered, the time for that is over
    /// or a second signal comes.
    ///
    /// # Errors
    /// The second signal came.
    pub(super) async fn run(self, listeners: Listeners, signals: Signals) -> Outcome {
        self.announce(&listeners);
        let Listeners { api, metrics } = listeners;
        let state =
            State::new(self.store.clone(), self.engines.list().to_vec(), self.settings.server(), Clock::system());
        metrics::register(&state, &self.engines);
        let (transport, stop) = (self.transport(), self.stop(&state, &signals));
        let ended = tokio::select! {
            served = server::serve(api, server::router(state.clone()), &transport, stop) => served,
            failed = metrics::serve(metrics, state) => failed,
            never = tls::watch(self.tls.as_ref(), self.settings.tls.as_ref()) => match never? {},
            never = forget_what_is_over(&self.store) => match never {},
            () = signals.stop_at_once() => return Err(Error::failure("stopped at once: requests in flight were cut off")),
        };
        self.engines.stop().await;
        self.store.close().await;
        ended.map_err(|error| Error::failure(format!("the service ended: {error}")))?;
        info!(target: logging::START, "stopped");
        Ok(Exit::Success)
    }

    fn transport(&self) -> Transport {
        let shutdown_grace = Duration::from_secs(self.settings.service.shutdown_grace_seconds);
        Transport { shutdown_grace, tls: self.tls.clone(), ..Transport::new(&self.settings.limits) }
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

/// Idempotency keys end after a day, and limits that replicas share mean nothing when nobody uses them; what is left of
/// them goes every hour.
async fn forget_what_is_over(store: &Store) -> Infallible {
    let clock = Clock::system();
    let mut hours = tokio::time::interval(Duration::from_secs(3_600));
    loop {
        hours.tick().await;
        if let Err(error) = store.delete_expired_idempotency_keys(clock.now()).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "expired idempotency keys were not deleted");
        }
        if let Some(limits) = store.shared_limits()
            && let Err(error) = limits.forget_idle().await
        {
            tracing::warn!(error = &error as &dyn std::error::Error, "limits that nobody uses were not deleted");
        }
    }
}
