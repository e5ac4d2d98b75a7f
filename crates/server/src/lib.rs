//! The HTTP service: routes, layers, extractors, handlers, wire types and the OpenAPI document.
//!
//! A request goes one way: [`transport`] (deadlines and caps of the socket) → `layers` (request ID, log line, limits of
//! the header, panics) → `routes` → extractors, whose order is the order of the contract's checks → handler → wire type.
//! Every refusal is a `Problem`, written as RFC 9457 says in one place. The crate knows neither which engines exist
//! nor any SQL: both are handed in with [`State`].

mod client_address;
mod clock;
mod context;
mod error;
mod extract;
mod handlers;
mod layers;
mod limits;
mod metrics;
mod offload;
mod oidc;
mod openapi;
mod pace;
mod room;
mod routes;
mod settings;
mod slots;
mod state;
mod tiers;
mod traces;
pub mod transport;
mod uses;
mod wire;

pub use client_address::{AddressHeader, Network, TrustedProxies};
pub use clock::Clock;
pub use limits::Limits;
pub use metrics::{Durations, Metrics, PREFIX as METRICS_PREFIX, Timer, durations, metrics_router};
pub use oidc::{Fetch, SignIn};
pub use openapi::openapi;
pub use routes::router;
pub use settings::{GrantOnCreate, ManagedBy, Settings};
pub use state::State;
pub use traces::TRACES;
pub use transport::{Tls, TlsError, Transport, serve};
