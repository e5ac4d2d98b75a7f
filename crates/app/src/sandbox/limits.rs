//! The limits of a worker. Nothing raises them again but that of processor time, which moves on with each file.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// What a worker may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Address space; what asks for more aborts.
    pub memory_bytes: u64,
    /// Processor time of one file. The pool's deadline is shorter; this one holds when the pool's process is gone.
    pub cpu_seconds: u64,
}

impl Limits {
    /// Lowers the limits of this process, for good.
    ///
    /// # Errors
    /// The system refuses one. Linux refuses none of them.
    pub(super) fn apply(&self) -> io::Result<()> {
        for (resource, most) in [
            (Resource::As, self.memory_bytes),
            // No file grows, and no process is forked. Of descriptors there are none to be had, not even for one that is
            // closed: those that are open stay open.
            (Resource::Fsize, 0),
            (Resource::Nproc, 0),
            (Resource::Nofile, 0),
        ] {
            lower(resource, most)?;
        }
        keep_no_core_dump()?;
        self.renew_cpu()
    }

    /// Gives the next file its processor time. The system counts what a process used since its start, so the limit moves
    /// on with it.
    ///
    /// # Errors
    /// As [`Limits::apply`].
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

/// From now on this process leaves no core dump: it would hold text of a diff under review.
///
/// # Errors
/// The system refuses.
pub(crate) fn keep_no_core_dump() -> io::Result<()> {
    lower(Resource::Core, 0)
}

/// Each connection of a client is an open file, and many systems allow 1,024 of them unless asked for more.
///
/// # Errors
/// The system refuses.
pub(crate) fn open_as_many_files_as_the_system_allows() -> io::Result<()> {
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
