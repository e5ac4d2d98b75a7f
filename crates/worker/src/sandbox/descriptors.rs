//! Closes all descriptors except for the two pipes.

use std::os::fd::RawFd;

/// The first descriptor that is neither of the pipes.
const OTHERS: RawFd = 2;

/// Closes inherited descriptors. This includes standard error: a parser could write text of a diff there, and Rust
/// ignores the failure of its own writes.
pub(super) fn close_all_but_pipes() {
    let open: Vec<RawFd> = close_fds::iter_open_fds(OTHERS).collect();
    for descriptor in open {
        // One of them is the descriptor of the listing itself.
        let _closed_already = nix::unistd::close(descriptor);
    }
}
