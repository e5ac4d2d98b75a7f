//! The service over HTTP: the real router with a fresh database (SQLite, then PostgreSQL), a clock that the test sets,
//! and a scripted engine. Tests of deadlines and connections use real sockets.

#[cfg(test)]
mod support;

#[cfg(test)]
mod access;
#[cfg(test)]
mod admin;
#[cfg(test)]
mod audit_events;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod both_databases;
#[cfg(test)]
mod codings;
#[cfg(test)]
mod console;
#[cfg(test)]
mod context;
#[cfg(test)]
mod entitlements;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod invitations;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod me;
#[cfg(test)]
mod members;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod model_tokens;
#[cfg(test)]
mod offboarding;
#[cfg(test)]
mod order;
#[cfg(test)]
mod organizations;
#[cfg(test)]
mod quotas;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod release;
#[cfg(test)]
mod review_guidelines;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod secrecy;
#[cfg(test)]
mod service;
#[cfg(test)]
mod sign_in;
#[cfg(test)]
mod sign_in_keys;
#[cfg(test)]
mod sign_in_refused;
#[cfg(test)]
mod sockets;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod usage;
