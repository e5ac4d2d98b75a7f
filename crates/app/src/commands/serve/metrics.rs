//! The metrics of this process: those of the service, its workers, its providers and the process itself.

use std::io;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use server::{Clock, METRICS_PREFIX, State, Transport};
use tokio::net::TcpListener;
use worker::WorkerPool;

use crate::engines::Engines;
use crate::logging;

/// Scrapers are few, and their requests are small.
const CONNECTIONS: usize = 64;

/// Registers the metrics that the service itself does not have.
pub(super) fn register(state: &State, engines: &Engines) {
    let started = Duration::from_millis(u64::try_from(Clock::system().now().0).unwrap_or_default());
    state.metrics().register(|root| {
        root.register_collector(Box::new(Process { started }));
        let registry = root.sub_registry_with_prefix(METRICS_PREFIX);
        registry.register_collector(Box::new(Log));
        registry.register_collector(Box::new(Workers(engines.pool().clone())));
        engines.calls().register(registry);
    });
}

/// Serves the metrics until dropped. Without a listener, it never completes.
///
/// # Errors
/// The listener failed.
pub(super) async fn serve(listener: Option<TcpListener>, state: State) -> io::Result<()> {
    let Some(listener) = listener else {
        return std::future::pending().await;
    };
    let transport = Transport {
        connections: CONNECTIONS,
        ..Transport::default()
    };
    server::serve(
        listener,
        server::metrics_router(state),
        &transport,
        std::future::pending(),
    )
    .await
}

#[derive(Debug)]
struct Workers(WorkerPool);

impl Collector for Workers {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let counts = self.0.counts();
        let unavailable = u64::from(self.0.unavailable().is_some());
        gauge(
            &mut encoder,
            "workers",
            "Maximum number of worker processes",
            self.0.size() as u64,
        )?;
        gauge(
            &mut encoder, "workers_busy", "Worker processes that have a job", counts.busy as u64,
        )?;
        let about = "Whether the last worker process could not be started";
        gauge(&mut encoder, "workers_unavailable", about, unavailable)?;
        counter(
            &mut encoder, "worker_starts", "Worker processes that were started", counts.starts,
        )?;
        counter(
            &mut encoder,
            "worker_failures",
            "Jobs that failed without a result from a worker process",
            counts.failures,
        )
    }
}

#[derive(Debug)]
struct Log;

impl Collector for Log {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let dropped = logging::dropped_lines() as u64;
        counter(
            &mut encoder,
            "log_lines_dropped",
            "Log lines that were dropped because they were not read in time",
            dropped,
        )
    }
}

/// The standard process metrics, under the names that every exporter uses.
#[derive(Debug)]
struct Process {
    /// Since the epoch.
    started: Duration,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let started = ConstGauge::new(self.started.as_secs_f64());
        put(
            &mut encoder,
            "process_start_time_seconds",
            "When the process started, since the epoch",
            &started,
        )?;
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let used = Duration::try_from(used).unwrap_or_default();
        let used = ConstCounter::new(used.as_secs_f64());
        put(
            &mut encoder,
            "process_cpu_seconds",
            "Processor time that the process used, without its workers",
            &used,
        )?;
        if let Some(bytes) = resident_bytes() {
            let about = "Memory of the process, without its workers";
            gauge(&mut encoder, "process_resident_memory_bytes", about, bytes)?;
        }
        if let Some(count) = open_files() {
            gauge(
                &mut encoder, "process_open_fds", "Files and sockets that are open", count,
            )?;
        }
        if let Some(most) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
            gauge(
                &mut encoder, "process_max_fds", "Files and sockets that may be open", most,
            )?;
        }
        Ok(())
    }
}

/// Only Linux reports this; elsewhere the metric is missing.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim()
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

/// The descriptor of the folder itself is open during the count.
fn open_files() -> Option<u64> {
    Some(
        std::fs::read_dir("/proc/self/fd")
            .ok()?
            .count()
            .saturating_sub(1) as u64,
    )
}

fn gauge(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    about: &str,
    value: u64,
) -> std::fmt::Result {
    put(encoder, name, about, &ConstGauge::new(value))
}

fn counter(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    about: &str,
    value: u64,
) -> std::fmt::Result {
    put(encoder, name, about, &ConstCounter::new(value))
}

fn put(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    about: &str,
    metric: &impl EncodeMetric,
) -> std::fmt::Result {
    let kind: MetricType = metric.metric_type();
    metric.encode(encoder.encode_descriptor(name, &format!("{about}."), None, kind)?)
}
