//! The walls around a process that reads foreign code: what a worker gives up before its first frame.
//!
//! Each wall holds without the others: no limit is raised again, no descriptor but the two pipes is open and no other can
//! be had, and the kernel refuses every system call that a parser does not need. What is refused fails and kills nobody:
//! there is nothing left to try for what goes on, and a library that asks for something it can do without costs no file.

mod descriptors;
#[cfg(target_os = "linux")]
mod landlock;
mod limits;
#[cfg(target_os = "linux")]
mod system_calls;

use std::io;

pub use limits::Limits;
pub(crate) use limits::{keep_no_core_dump, open_as_many_files_as_the_system_allows};

/// Whether a worker may run on a system that cannot refuse system calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Demand {
    /// No.
    Required,
    /// Yes, with the layers that the system offers.
    BestEffort,
}

/// What stands around this process now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// All that this program knows to build on this operating system.
    Whole,
    /// System calls are not refused.
    NoFilter,
}

/// What has to come before the process starts a thread: it keeps only the two pipes, no other process of this user may look into it,
/// it and its threads gain no privilege, and they reach no file, and no port or process outside.
///
/// # Errors
/// The system refuses.
pub fn prepare() -> io::Result<()> {
    std::env::set_current_dir("/")?;
    // While /proc can still be read: without it, each possible descriptor has to be tried, and containers allow a million.
    descriptors::close_all_but_pipes();
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        rustix::thread::set_no_new_privs(true)?;
        // The program was started through a link, so the name that the system would show is the link's.
        rustix::thread::set_name(c"hunkwise-worker")?;
        landlock::deny_all();
    }
    Ok(())
}

/// Builds all other walls, around every thread of the process. It can start no thread after that.
///
/// # Errors
/// The system refuses one that is demanded; says which, for who runs the service.
pub fn enter(limits: &Limits, demand: Demand) -> io::Result<Walls> {
    limits.apply()?;
    match (filter(), demand) {
        (Ok(()), _) => Ok(Walls::Whole),
        (Err(_), Demand::BestEffort) => Ok(Walls::NoFilter),
        (Err(error), Demand::Required) => Err(io::Error::other(format!(
            "this system does not let it filter system calls ({error}); workers.sandbox = \"best-effort\" does without"
        ))),
    }
}

#[cfg(target_os = "linux")]
fn filter() -> Result<(), seccompiler::Error> {
    seccompiler::apply_filter_all_threads(&system_calls::allowed()?)
}

/// Elsewhere the limits are the walls: with no descriptor and no process to be had, little else can be asked for.
#[cfg(not(target_os = "linux"))]
fn filter() -> io::Result<()> {
    Ok(())
}
