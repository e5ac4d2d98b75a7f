//! The system calls that a running worker needs. The kernel refuses all others.
//!
//! They read one pipe, write the other, manage non-executable memory, and end the process. None of them refers to a
//! file, a socket, or another process.
//!
//! The crate `seccompiler` compiles the filter, so that no `unsafe` of ours is needed.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition, SeccompFilter, SeccompRule,
};

/// Number of a system call → its permitted arguments; empty for any.
type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

/// Calls with any arguments.
const ANY: &[libc::c_long] = &[
    // Memory, in addition to the restricted calls below.
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    // Existing threads, and the end of the process.
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // These let a crash end the process instead of repeating a signal forever.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_gettid,
    // The seeds of hash tables, and the processor time used.
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
];

/// The filter in the kernel's format.
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

/// Calls with restricted arguments.
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
        // `Limits::renew_cpu`: only this process and this limit.
        (
            libc::SYS_prlimit64,
            vec![rule([
                argument(0, Is::Eq, 0)?,
                argument(1, Is::Eq, processor_time)?,
            ])?],
        ),
    ]))
}

/// A rule that requires all of its conditions.
fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into())
}

/// A condition on an argument. All arguments are `int`s or flags in the low half.
fn argument(index: u8, is: Is, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, Length::Dword, is, value)
}

fn bits(constant: libc::c_int) -> u64 {
    u64::from(constant.unsigned_abs())
}
