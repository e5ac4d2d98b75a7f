//! The arguments of `hunkwise serve`, and their settings.

use settings::Overrides;

/// Run the service
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise serve --demo
  hunkwise serve --bind 0.0.0.0:8080 --database sqlite:///var/lib/hunkwise/hunkwise.db

SIGTERM or SIGINT: graceful shutdown. The service reports that it is not ready, then refuses new connections; reviews in
flight may finish. A second signal stops it immediately. SIGHUP: reloads the TLS certificate.")]
pub(crate) struct Args {
    /// Listen address [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub(super) bind: Option<String>,

    /// Listen address for the metrics, or "off" [default: 127.0.0.1:9464]
    #[arg(long, value_name = "ADDRESS")]
    pub(super) metrics_bind: Option<String>,

    /// The database, created and migrated on start: sqlite://PATH or postgres://USER@HOST/DATABASE [default:
    /// sqlite://hunkwise.db]
    #[arg(long, value_name = "URL", conflicts_with = "demo")]
    database: Option<String>,

    /// Grace period for reviews in flight after the first signal, in seconds [default: 30]
    #[arg(long, value_name = "SECONDS")]
    shutdown_grace: Option<String>,

    /// Start a demo: a service in a temporary folder, with a user, an organization and a token, that reviews a sample
    /// diff
    #[arg(long)]
    pub(super) demo: bool,

    /// Exit after the demo's review
    #[arg(long, requires = "demo")]
    pub(super) exit: bool,
}

impl Args {
    /// The settings given by flags.
    pub(super) fn overrides(&self) -> Overrides {
        let seconds = self
            .shutdown_grace
            .as_ref()
            .map(|text| text.trim_end_matches('s').trim().to_owned());
        Overrides::default()
            .set("bind", "--bind", self.bind.clone())
            .set("metrics_bind", "--metrics-bind", self.metrics_bind.clone())
            .set("database", "--database", self.database.clone())
            .set("shutdown_grace_seconds", "--shutdown-grace", seconds)
    }
}
