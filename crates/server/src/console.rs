//! The console: server-rendered pages that work without a script.
//!
//! A page's handler takes the same principals as the API's operations and calls the same functions. A caller is
//! identified by the browser's session, which has scopes like an access token, so the console allows nothing that the
//! API refuses.
//!
//! Its routes are marked (`ByBrowser`): only there does a session cookie identify the caller, so no cookie opens the API. Because no page
//! needs a script, tests check what a browser shows as text.

mod accept;
mod cookie;
mod entitlement;
mod home;
mod invitations;
mod issuer_sign_in;
mod member;
mod members;
mod new_organization;
mod new_token;
mod numbers;
mod once;
mod organizations;
mod own_organizations;
mod place;
mod review;
mod sign_in;
mod sign_in_link;
mod sign_out;
mod times;
mod tokens;
mod usage;

use axum::routing::{get, post};
use axum::{Extension, Router};

use crate::State;
use crate::extract::session::ByBrowser;
use crate::web::assets;

/// Declares the pages: the list of their routes, and the router.
macro_rules! pages {
    ($($method:ident $path:literal => $handler:path;)*) => {
        /// Method and path template of every console route.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        /// The pages, for callers with a session.
        pub(crate) fn routes() -> Router<State> {
            Router::new()$(.route($path, pages!(@$method $handler)))*.layer(Extension(ByBrowser))
        }
    };
    (@GET $handler:path) => { get($handler) };
    (@POST $handler:path) => { post($handler) };
}

pages! {
    GET "/" => home::show;
    GET "/sign-in" => sign_in::show;
    POST "/sign-in" => sign_in::submit;
    GET "/sign-in/issuer" => issuer_sign_in::start;
    GET "/sign-in/callback" => issuer_sign_in::callback;
    GET "/sign-in/link/{code}" => sign_in_link::show;
    POST "/sign-in/link" => sign_in_link::redeem;
    POST "/sign-out" => sign_out::submit;
    GET "/organizations" => organizations::show;
    GET "/organizations/new" => new_organization::show;
    POST "/organizations" => new_organization::submit;
    GET "/organizations/{organizationId}/review" => review::show;
    POST "/organizations/{organizationId}/review" => review::submit;
    GET "/organizations/{organizationId}/members" => members::show;
    GET "/organizations/{organizationId}/members/{userId}" => member::show;
    POST "/organizations/{organizationId}/members/{userId}/role" => member::change_role;
    POST "/organizations/{organizationId}/members/{userId}/remove" => member::leave_or_remove;
    POST "/organizations/{organizationId}/members/{userId}/entitlement" => entitlement::change;
    POST "/organizations/{organizationId}/members/{userId}/entitlement/revoke" => entitlement::revoke;
    GET "/organizations/{organizationId}/invitations" => invitations::show;
    POST "/organizations/{organizationId}/invitations" => invitations::create;
    GET "/organizations/{organizationId}/invitations/{invitationId}" => invitations::show_link;
    POST "/organizations/{organizationId}/invitations/{invitationId}/revoke" => invitations::revoke;
    GET "/organizations/{organizationId}/usage" => usage::show;
    GET "/invitations/{code}" => accept::show;
    POST "/invitations/accept" => accept::submit;
    GET "/tokens" => tokens::show;
    POST "/tokens" => new_token::submit;
    GET "/tokens/new" => new_token::show;
    GET "/tokens/{tokenId}" => new_token::show_secret;
    POST "/tokens/{tokenId}/revoke" => tokens::revoke;
    GET "/assets/{file}" => assets::show;
}
