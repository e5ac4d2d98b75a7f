//! `hunkwise mcp`, as a coding agent uses it: the real binary, real pipes, real git.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing setup fails the test"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "json! arguments are passed by value"
)]

mod bad_input;
mod cancelling;
mod context_files;
mod python;
mod session;
mod tools;
#[path = "../tricks/mod.rs"]
mod tricks;
mod untrusted;
mod working_tree;
