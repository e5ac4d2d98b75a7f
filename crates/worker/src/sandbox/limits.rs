//! The resource limits of a worker. None of them is raised again, except for processor time, which is renewed for each
//! file.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// The resources of a worker.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Address space. Allocations beyond it abort the process.
    pub memory_bytes: u64,
    /// Processor time for one file. The pool's deadline is shorter; this limit matters if the pool's process is gone.
    pub cpu_seconds: u64,
}

impl Limits {
    /// Lowers the limits of this process permanently.
    ///
    /// # Errors
    /// The system refuses one. Linux accepts all of them.
    pub(super) fn apply(&self) -> io::Result<()> {
        for (resource, most) in [
            (Resource::As, self.memory_bytes),
            // Files cannot grow, and processes cannot be forked. New descriptors cannot be created, not even in place
            // of closed ones; open ones remain.
            (Resource::Fsize, 0),
            (Resource::Nproc, 0),
            (Resource::Nofile, 0),
        ] {
            lower(resource, most)?;
        }
        keep_no_core_dump()?;
        self.renew_cpu()
    }

    /// Renews the processor time for the next file. The system counts from the start of the process, so the limit is
    /// raised with it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn renew_cpu(&self) -> io::Result<()> {
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
        let until = u64::try_from(used)
            .unwrap_or(0)
            .saturating_add(1)
            .saturating_add(self.cpu_seconds);
        let maximum = rustix::process::getrlimit(Resource::Cpu).maximum;
        let current = Some(maximum.map_or(until, |maximum| maximum.min(until)));
        Ok(setrlimit(Resource::Cpu, Rlimit { current, maximum })?)
    }
}

/// Disables core dumps of this process, because they would contain text of a diff under review.
///
/// # Errors
/// The system refuses.
pub fn keep_no_core_dump() -> io::Result<()> {
    lower(Resource::Core, 0)
}

/// Raises the limit of open files to its maximum. Each client connection is an open file, and many systems allow 1,024
/// of them by default.
///
/// # Errors
/// The system refuses.
pub fn open_as_many_files_as_the_system_allows() -> io::Result<()> {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    Ok(setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            ..limit
        },
    )?)
}

fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let inherited = rustix::process::getrlimit(resource).maximum;
    let most = Some(inherited.map_or(most, |inherited| inherited.min(most)));
    Ok(setrlimit(
        resource,
        Rlimit {
            current: most,
            maximum: most,
        },
    )?)
}
