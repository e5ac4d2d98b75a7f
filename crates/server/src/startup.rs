//! Assembles the service. This module knows all others; none knows this one.

use std::sync::Arc;

use axum::Router;
use review::Engine;
use serde_json::json;
use store::Store;

use crate::mcp::{self, tools};
use crate::state::Documents;
use crate::{Clock, Settings, State, console, layers, openapi, routes};

impl State {
    /// A service on `store` that reviews with `engines`.
    #[must_use]
    pub fn new(store: Store, engines: Vec<Arc<dyn Engine>>, settings: Settings, clock: Clock) -> Self {
        let document = openapi::openapi(&settings.limits);
        let tools =
            tools::of_service(tools::paged_review(mcp::review_schema(&document)), settings.rule_tools.is_some());
        // What the libraries made always serializes.
        let documents =
            Documents { openapi: document.to_json().unwrap_or_default().into(), mcp_tools: json!({ "tools": tools }) };
        Self::documented(store, engines, settings, clock, documents)
    }
}

/// The service, ready to be served.
pub fn router(state: State) -> Router {
    let (routes, _) = routes::table().split_for_parts();
    layers::wrap(routes.merge(console::routes()), &state).with_state(state)
}
