//! GET /tokens: the caller's access tokens, with their last use.

use std::collections::HashMap;

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;
use store::TokenId;

use super::own_organizations::own_organizations;
use super::times::{day, minute};
use crate::State;
use crate::error::Problem;
use crate::extract::caller::UnscopedToken;
use crate::extract::form::Filled;
use crate::extract::session::Session;
use crate::extract::{Call, Named, Page, TokensWrite};
use crate::handlers::tokens::{list, revoke as revocation};
use crate::web::page::{Frame, lead, respond};
use crate::web::shown::{Name, shown};
use crate::wire::token::Token;

#[derive(Template)]
#[template(path = "tokens.html")]
struct Tokens {
    frame: Frame,
    tokens: Vec<Token>,
    /// The names of organizations by ID.
    names: HashMap<String, String>,
    /// The token that the session was signed in with.
    own: String,
    /// The current time, in the API's format.
    now: String,
    next_cursor: Option<String>,
}

impl Tokens {
    /// The organization that the token is bound to, by its name or else its ID.
    fn organization<'a>(&'a self, id: &'a str) -> Name<'a> {
        shown(self.names.get(id).map_or(id, String::as_str))
    }

    fn is_over(&self, token: &Token) -> bool {
        token
            .expires_at
            .as_ref()
            .is_some_and(|end| *end <= self.now)
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<UnscopedToken<TokensWrite>, Page<TokenId>>,
) -> Result<Response, Problem> {
    let caller = &call.principal.0;
    let frame = Frame::of(caller.name.clone(), session.form_token());
    let own = caller.token.to_string();
    let organizations = own_organizations(&state, &call.context, caller).await?;
    let names = organizations
        .into_iter()
        .map(|one| (one.organization_id, one.name))
        .collect();
    let now = crate::handlers::written(state.now());
    let Json(list) = list::list(Shared(state), call).await?;
    let page = Tokens {
        frame,
        tokens: list.tokens,
        names,
        own,
        now,
        next_cursor: list.next_cursor,
    };
    Ok(respond(StatusCode::OK, &page))
}

pub(super) async fn revoke(
    Shared(state): Shared<State>,
    call: Call<UnscopedToken<TokensWrite>, Filled<Named<TokenId>>>,
) -> Result<Response, Problem> {
    let own = call.principal.0.token;
    let call = call.unfold().1?;
    let ends_session = call.input.0 == Some(own);
    revocation::revoke(Shared(state), call).await?;
    Ok(lead(if ends_session { "/sign-in" } else { "/tokens" }))
}
