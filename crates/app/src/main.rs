//! The binary; all code is in the library.
//!
//! It keeps the system's allocator. A memory limit must hold the peak, and with 64 concurrent reviews of 2.3 MB the peak is lowest with
//! glibc: 494 MB; jemalloc 533 (and it needs `make`), Debian's mimalloc 584, the crate `mimalloc` 945. The others return more memory
//! afterwards; glibc reuses it for the next reviews.

use std::process::ExitCode;

fn main() -> ExitCode {
    hunkwise::run()
}
