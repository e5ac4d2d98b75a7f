//! The HTTP service: routes, layers, extractors, handlers, wire types, the OpenAPI document and the console.
//!
//! The path of a request: [`transport`] (socket deadlines and limits) → `layers` (request ID, log line, header
//! limits, panics) → `routes` → extractors, in the order of the contract's checks → handler → wire type. Every
//! refusal is a `Problem`, which one place writes according to RFC 9457. The crate knows neither the engines nor any
//! SQL: both are passed in with [`State`].

mod body_memory;
mod client_address;
mod clock;
mod coding;
mod concurrency;
mod console;
mod context;
mod error;
mod extract;
mod fixed;
mod handlers;
mod layers;
mod limits;
mod loopback;
mod metrics;
mod offload;
mod oidc;
mod openapi;
mod product;
mod rate_limiter;
mod reference;
mod refusals;
mod release_tasks;
mod routes;
mod rule_catalog;
mod rule_pages;
mod scrape;
mod settings;
mod sign_in_links;
mod startup;
mod state;
mod token_last_used;
mod traces;
pub mod transport;
mod web;
mod wire;

pub use client_address::{AddressHeader, Network, TrustedProxies};
pub use clock::Clock;
pub use console::ROUTES as CONSOLE_ROUTES;
pub use limits::{Exceeded, LIMITS, Limit, Limits};
pub use metrics::{Durations, Metrics, PREFIX as METRICS_PREFIX, Timer, durations};
pub use oidc::{CALLBACK_PATH, CodeFlow, Fetch, SignIn};
pub use openapi::openapi;
pub use rule_catalog::RuleCatalog;
pub use scrape::metrics_router;
pub use settings::{GrantOnCreate, ManagedBy, Settings};
pub use startup::router;
pub use state::State;
pub use traces::TRACES;
pub use transport::{Tls, TlsError, Transport, serve};
