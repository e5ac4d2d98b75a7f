//! Assembles the service. This module depends on all others; none depends on it.

use std::sync::Arc;

use axum::Router;
use review::Engine;
use store::Store;

use crate::state::Documents;
use crate::{Clock, Settings, State, console, layers, openapi, routes};

/// The instructions for agents at `/mcp`.
const INSTRUCTIONS: &str = "Hunkwise reviews code changes. After an edit call review_diff with the output of `git diff`, \
                            fix what it finds and call it again; explain_rule describes a finding's rule. Unless \
                            the access token is bound to an organization, review_diff needs an organizationId: ask the \
                            user for it.";

impl State {
    /// A service on `store` that reviews with `engines`.
    #[must_use]
    pub fn new(
        store: Store,
        engines: Vec<Arc<dyn Engine>>,
        settings: Settings,
        clock: Clock,
    ) -> Self {
        let document = openapi::openapi(&settings.limits);
        let tools = mcp::of_service(&document, settings.rules.is_some());
        let documents = Documents {
            // A document made by the library always serializes.
            openapi: document.to_json().unwrap_or_default().into(),
            mcp: mcp::Server::new(INSTRUCTIONS, &tools),
        };
        Self::documented(store, engines, settings, clock, documents)
    }
}

/// The router of the service.
pub fn router(state: State) -> Router {
    let (routes, _) = routes::table().split_for_parts();
    layers::wrap(routes.merge(console::routes()), &state).with_state(state)
}
