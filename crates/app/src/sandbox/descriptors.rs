//! The two pipes, and nothing beside them.

use std::os::fd::RawFd;

/// The first descriptor that is neither of the pipes.
const OTHERS: RawFd = 2;

/// Closes what was inherited. Standard error goes as well: what a parser writes there could be text of a diff, and what
/// Rust writes there is lost without an error.
pub(super) fn close_all_but_pipes() {
    let open: Vec<RawFd> = close_fds::iter_open_fds(OTHERS).collect();
    for descriptor in open {
        // Among them is the one by which they were listed.
        let _closed_already = nix::unistd::close(descriptor);
    }
}
