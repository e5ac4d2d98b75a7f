//! The sandbox of a worker process, which it enters before its first frame.
//!
//! Its layers are independent: limits cannot be raised again, only the two pipes are open and no other descriptors can
//! be created, and the kernel refuses every system call that a parser does not need. A refused call fails instead of
//! killing the process: an attacker gains nothing from another attempt, and a library that tries an optional call does
//! not cost a file.

mod descriptors;
#[cfg(target_os = "linux")]
mod landlock;
mod limits;
#[cfg(target_os = "linux")]
mod system_calls;

use std::io;

pub use limits::Limits;
pub use limits::{keep_no_core_dump, open_as_many_files_as_the_system_allows};

/// Whether a worker may run on a system that cannot filter system calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// No.
    Required,
    /// Yes, with the layers that the system supports.
    BestEffort,
}

/// The strength of the sandbox around this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// All layers that this program supports on this operating system.
    Full,
    /// System calls are not filtered.
    NoFilter,
}

/// The layers that must be applied before the process starts a thread: only the two pipes stay open, other processes of
/// this user cannot inspect it, no thread can gain privileges, and files, ports and other processes are out of reach.
///
/// # Errors
/// The system refuses.
pub fn prepare() -> io::Result<()> {
    std::env::set_current_dir("/")?;
    // While /proc can still be read: without it, every possible descriptor has to be tried, and containers allow a
    // million.
    descriptors::close_all_but_pipes();
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        rustix::thread::set_no_new_privs(true)?;
        // The program was started through a link, and the system would show the name of the link.
        rustix::thread::set_name(c"hunkwise-worker")?;
        landlock::deny_all();
    }
    Ok(())
}

/// Applies the remaining layers to all threads of the process. After that it cannot start threads.
///
/// # Errors
/// The system refuses a required layer. The message names it for the operator.
pub fn enter(limits: &Limits, demand: Demand) -> io::Result<Protection> {
    limits.apply()?;
    match (filter(), demand) {
        (Ok(()), _) => Ok(Protection::Full),
        (Err(_), Demand::BestEffort) => Ok(Protection::NoFilter),
        (Err(error), Demand::Required) => Err(io::Error::other(format!(
            "this system does not support filtering system calls ({error}); workers.sandbox = \"best-effort\" runs without it"
        ))),
    }
}

#[cfg(target_os = "linux")]
fn filter() -> Result<(), seccompiler::Error> {
    seccompiler::apply_filter_all_threads(&system_calls::allowed()?)
}

/// On other systems the limits are the sandbox: without descriptors or processes, little else can be requested.
#[cfg(not(target_os = "linux"))]
fn filter() -> io::Result<()> {
    Ok(())
}
