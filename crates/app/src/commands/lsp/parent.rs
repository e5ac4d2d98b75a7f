//! Watches the process of the client, which may end without closing stdin.

use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Polling interval.
const PAUSE: Duration = Duration::from_secs(1);

/// Waits until a process has ended. A process that does not exist at the start is in another container or on another
/// machine, and is never reported as ended.
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

/// Whether the process exists, even if it belongs to another user.
fn is_alive(pid: Pid) -> bool {
    test_kill_process(pid) != Err(Errno::SRCH)
}
