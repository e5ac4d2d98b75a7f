//! The system calls that a worker needs once it runs. The kernel refuses all others.
//!
//! What is left reads one pipe, writes the other, manages memory that is never code, and ends the process: there is no
//! call in it that names a file, a socket, or another process.
//!
//! The crate `seccompiler` compiles the filter, so that no `unsafe` of ours is needed.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition, SeccompFilter, SeccompRule,
};

/// Number of a system call → the ways in which it may be called; none: any.
type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

/// With any arguments.
const ANY: &[libc::c_long] = &[
    // Memory, beside what is below.
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    // Threads that are there, and the end of the process.
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // What a crash needs to be one, rather than a signal over and over.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_gettid,
    // The seeds of hash tables, and the processor time that was used.
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
];

/// The filter as the kernel takes it.
pub(super) fn allowed() -> Result<BpfProgram, BackendError> {
    let mut rules: Rules = ANY.iter().map(|call| (*call, Vec::new())).collect();
    rules.extend(restricted()?);
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(
        rules,
        refused,
        SeccompAction::Allow,
        std::env::consts::ARCH.try_into()?,
    )?
    .try_into()
}

/// Those that may be called in one way only.
fn restricted() -> Result<Rules, BackendError> {
    let own = u64::from(std::process::id());
    let [abort, executable, anonymous, processor_time] = [
        libc::SIGABRT,
        libc::PROT_EXEC,
        libc::MAP_ANONYMOUS,
        libc::RLIMIT_CPU as libc::c_int,
    ]
    .map(bits);
    Ok(BTreeMap::from([
        (
            libc::SYS_read,
            vec![rule([argument(0, Is::Eq, bits(libc::STDIN_FILENO))?])?],
        ),
        (
            libc::SYS_write,
            vec![rule([argument(0, Is::Eq, bits(libc::STDOUT_FILENO))?])?],
        ),
        (
            libc::SYS_mmap,
            vec![rule([
                argument(2, Is::MaskedEq(executable), 0)?,
                argument(3, Is::MaskedEq(anonymous), anonymous)?,
            ])?],
        ),
        (
            libc::SYS_mprotect,
            vec![rule([argument(2, Is::MaskedEq(executable), 0)?])?],
        ),
        (
            libc::SYS_tgkill,
            vec![rule([
                argument(0, Is::Eq, own)?,
                argument(2, Is::Eq, abort)?,
            ])?],
        ),
        // `Limits::renew_cpu`: of no other process, and no other limit.
        (
            libc::SYS_prlimit64,
            vec![rule([
                argument(0, Is::Eq, 0)?,
                argument(1, Is::Eq, processor_time)?,
            ])?],
        ),
    ]))
}

/// A rule whose conditions hold together.
fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into())
}

/// What is said of an argument. All of them are `int` or flags in the low half.
fn argument(index: u8, is: Is, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, Length::Dword, is, value)
}

fn bits(constant: libc::c_int) -> u64 {
    u64::from(constant.unsigned_abs())
}
