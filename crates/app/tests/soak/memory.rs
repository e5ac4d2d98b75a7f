//! The memory of the service's processes, as reported by the system.

use std::fmt;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::postgres::children;

/// Maximum memory of the service's own process under any load, in MiB.
const SERVICE_MIB: u64 = 900;
/// Maximum growth from the middle of the run to its end, in MiB.
const GROWTH_MIB: u64 = 300;
/// Maximum memory of one worker, in MiB.
const WORKER_MIB: u64 = 400;

/// Samples over a run, in MiB.
pub(crate) struct Memory {
    service: Vec<u64>,
    largest_worker: u64,
}

impl Memory {
    /// Takes samples while `goes_on` returns true.
    pub(crate) fn watch(service: i32, goes_on: impl Fn() -> bool) -> Self {
        let mut seen = Self {
            service: Vec::new(),
            largest_worker: 0,
        };
        while goes_on() {
            seen.service.extend(resident(service));
            let workers = children(service).into_iter().filter_map(resident).max();
            seen.largest_worker = seen.largest_worker.max(workers.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(200));
        }
        seen
    }

    fn most(&self) -> u64 {
        self.service.iter().copied().max().unwrap_or(0)
    }

    /// The median of one quarter of the run.
    fn quarter(&self, quarter: usize) -> u64 {
        let length = self.service.len().div_ceil(4).max(1);
        let mut part = self
            .service
            .chunks(length)
            .nth(quarter)
            .unwrap_or_default()
            .to_vec();
        part.sort_unstable();
        part.get(part.len() / 2).copied().unwrap_or(0)
    }

    pub(crate) fn check(&self) {
        assert!(self.most() <= SERVICE_MIB, "{self}");
        assert!(self.quarter(3) <= self.quarter(1) + GROWTH_MIB, "{self}");
        assert!(self.largest_worker <= WORKER_MIB, "{self}");
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quarters = [0, 1, 2, 3]
            .map(|at| self.quarter(at).to_string())
            .join(", ");
        let (most, worker) = (self.most(), self.largest_worker);
        write!(
            f,
            "service {most} MiB at most, by quarters {quarters}; largest worker {worker} MiB"
        )
    }
}

/// Kills the worker that has used the most processor time.
pub(crate) fn kill_a_worker(service: i32) {
    let busiest = children(service)
        .into_iter()
        .max_by_key(|pid| resident(*pid));
    if let Some(pid) = busiest.and_then(Pid::from_raw) {
        // The process may have ended in the meantime.
        let _ended = kill_process(pid, Signal::KILL);
    }
}

/// In MiB; `None` if the process is gone.
fn resident(pid: i32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim()
        .strip_suffix(" kB")?
        .parse::<u64>()
        .ok()
        .map(|kib| kib / 1024)
}
