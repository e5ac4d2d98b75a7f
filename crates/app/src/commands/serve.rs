//! `hunkwise serve`: the service.

mod args;
mod demo;
mod metrics;
mod service;
mod signals;
mod tls;

use super::{Context, block_on};
use crate::logging;
use crate::outcome::{Error, Outcome};
use crate::telemetry;

pub(crate) use args::Args;
use service::{Listeners, Service, listen, listen_for_metrics};
use settings::Settings;
use signals::Signals;
use worker::sandbox::{self, keep_no_core_dump};

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    if args.demo {
        return demo::run(args, context);
    }
    keep_no_core_dump().map_err(Error::failure)?;
    sandbox::open_as_many_files_as_the_system_allows().map_err(Error::failure)?;
    let settings = context.loaded(&args.overrides())?.settings;
    block_on(async {
        let traces = settings
            .telemetry
            .as_ref()
            .map(telemetry::start)
            .transpose()?;
        let _log = logging::start(
            settings.service.log_level,
            tracing::Level::INFO,
            traces.as_ref(),
        )?;
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
    let service = Service::open(settings, None).await?;
    service.run(Listeners { api, metrics }, signals).await
}
