//! Three tenants use one service for a while: one runs all attacks that it should withstand, one reviews real code, and
//! one reviews single lines. Meanwhile workers are killed, and connections to PostgreSQL if it is installed. In the
//! end, no review of the two good tenants has failed, all were answered in time, slots and quotas are exact, and memory
//! has not grown.
//!
//! It takes minutes and measures times, so it is not part of the tests: `cargo xtask soak --seconds N` runs it.

#![cfg(target_os = "linux")]

#[cfg(test)]
mod attacks;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the service use the rest")]
#[path = "../service/client.rs"]
mod client;
#[cfg(test)]
mod diffs;
#[cfg(test)]
mod memory;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the service use the rest")]
#[path = "../service/postgres.rs"]
mod postgres;
#[cfg(test)]
mod report;
#[cfg(test)]
mod run;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the service use the rest")]
#[path = "../service/support.rs"]
mod support;
#[cfg(test)]
mod tenant;
