//! `hunkwise lsp`, as an editor uses it: the real binary, real pipes, real git.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing setup fails the test"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "json! arguments are passed by value"
)]

mod actions;
mod diagnostics;
mod ends;
mod neovim;
mod protocol;
mod pull;
mod repository;
mod session;
#[path = "../tricks/mod.rs"]
mod tricks;
mod untrusted;
