//! Three tenants on one service for a while: one that attacks it in turn with all that it should withstand, one that
//! reviews real code, one that reviews single lines. Workers are killed meanwhile, and where PostgreSQL is installed the
//! connections to it. In the end no review of the two good tenants has failed, they were answered in time, slots and
//! quota are exact, and memory is what it was.
//!
//! It takes minutes and judges times, so it is no part of the tests: `cargo xtask soak --seconds N` runs it.

#![cfg(target_os = "linux")]

#[cfg(test)]
mod attacks;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the service use more of it")]
#[path = "../service/client.rs"]
mod client;
#[cfg(test)]
mod diffs;
#[cfg(test)]
mod memory;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the service use more of it")]
#[path = "../service/postgres.rs"]
mod postgres;
#[cfg(test)]
mod report;
#[cfg(test)]
mod run;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the service use more of it")]
#[path = "../service/support.rs"]
mod support;
#[cfg(test)]
mod tenant;
