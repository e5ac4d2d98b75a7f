//! The service is put together: here alone everything is known, and nobody else knows of this.

use std::sync::Arc;

use axum::Router;
use review::Engine;
use store::Store;

use crate::{Clock, Settings, State, layers, openapi, routes};

impl State {
    /// A service on `store` that reviews with `engines`.
    #[must_use]
    pub fn new(store: Store, engines: Vec<Arc<dyn Engine>>, settings: Settings, clock: Clock) -> Self {
        let document = openapi::render(&settings.limits);
        Self::documented(store, engines, settings, clock, document)
    }
}

/// The service, ready to be served.
pub fn router(state: State) -> Router {
    let (routes, _) = routes::table().split_for_parts();
    layers::wrap(routes, &state).with_state(state)
}
