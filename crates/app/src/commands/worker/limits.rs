//! What a worker process gives up before it reads its first job.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// What a worker may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Address space; what asks for more aborts.
    pub(super) memory_bytes: u64,
    /// Processor time of one file. The pool's deadline is shorter; this one holds when the pool's process is gone.
    pub(super) cpu_seconds: u64,
}

impl Limits {
    /// Lowers the limits of this process, for good.
    ///
    /// # Errors
    /// The system refuses one. Linux refuses none of them.
    pub(super) fn apply(&self) -> io::Result<()> {
        for (resource, most) in [
            (Resource::As, self.memory_bytes),
            // No file grows, no process is forked, and nothing is opened beyond stdin, stdout and stderr: with no
            // descriptor to be had there is no socket either, hence no network.
            (Resource::Fsize, 0),
            (Resource::Nproc, 0),
            (Resource::Nofile, 3),
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
    pub(super) fn renew_cpu(&self) -> io::Result<()> {
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
        let until = u64::try_from(used).unwrap_or(0).saturating_add(1).saturating_add(self.cpu_seconds);
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

fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let inherited = rustix::process::getrlimit(resource).maximum;
    let most = Some(inherited.map_or(most, |inherited| inherited.min(most)));
    Ok(setrlimit(resource, Rlimit { current: most, maximum: most })?)
}

/// Other processes of the same user may not look into this one, and neither it nor a thread that it starts later can gain
/// a privilege.
///
/// # Errors
/// The system refuses.
#[cfg(target_os = "linux")]
pub(super) fn harden() -> io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    rustix::thread::set_no_new_privs(true)?;
    // The program was started through a link, so the name that the system would show is the link's.
    Ok(rustix::thread::set_name(c"hunkwise-worker")?)
}

/// Only Linux has these.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub(super) fn harden() -> io::Result<()> {
    Ok(())
}
