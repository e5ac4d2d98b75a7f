//! The process that started the client's side: without it nobody is left to speak with.

use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// Waits until a process has ended. One that is not there at the beginning is in another container or on another machine, and
/// is waited for without end.
pub(super) async fn ended(process: i32) {
    let Some(pid) = Pid::from_raw(process).filter(|_| process > 0 && is_there(process)) else {
        return std::future::pending().await;
    };
    while is_alive(pid) {
        tokio::time::sleep(PAUSE).await;
    }
}

fn is_there(process: i32) -> bool {
    Pid::from_raw(process).is_some_and(is_alive)
}

/// Whether there is such a process, be it somebody else's.
fn is_alive(pid: Pid) -> bool {
    test_kill_process(pid) != Err(Errno::SRCH)
}
