//! /tokens/new: a form that creates an access token, whose secret is shown once.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::names::plain;
use store::{Scope, UnixMillis};

use super::once::{Once, Secret};
use super::own_organizations::own_organizations;
use super::times::{in_days, minute};
use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::extract::caller::{Caller, UnscopedToken};
use crate::extract::form::{Filled, Form, OfForm};
use crate::extract::json::Fields;
use crate::extract::session::Session;
use crate::extract::{Call, Nothing, TokensWrite};
use crate::handlers::tokens::create::{self, CreateTokenRequest};
use crate::handlers::written;
use crate::web::page::{Frame, again, respond};
use crate::wire::organization::Organization;

/// The choices of an expiry: days and label.
const EXPIRIES: [(&str, &str); 4] = [
    ("7", "in 7 days"),
    ("30", "in 30 days"),
    ("90", "in 90 days"),
    ("365", "in a year"),
];

#[derive(Template)]
#[template(path = "new_token.html")]
struct Page {
    frame: Frame,
    /// The scopes that the session may grant, each with an explanation.
    scopes: Vec<(&'static str, &'static str)>,
    organizations: Vec<Organization>,
    /// The expiry of the session's own token, which is the latest expiry of a new one.
    latest: Option<String>,
    typed: Typed,
    problem: Option<Problem>,
}

/// The submitted values.
struct Typed {
    name: String,
    scopes: Vec<String>,
    organization: String,
    days: String,
}

impl Typed {
    fn of(form: &Form) -> Self {
        let text = |name| form.text(name).to_owned();
        let scopes = form.all("scope").map(str::to_owned).collect();
        Self {
            name: text("name"),
            scopes,
            organization: text("organization"),
            days: text("days"),
        }
    }
}

impl Default for Typed {
    /// The preset for a pipeline's token.
    fn default() -> Self {
        let (name, organization) = (String::new(), String::new());
        Self {
            name,
            scopes: vec![Scope::ReviewsWrite.to_string()],
            organization,
            days: "90".to_owned(),
        }
    }
}

impl Page {
    async fn new(
        state: &State,
        session: &Session,
        context: &Context,
        caller: &Caller<TokensWrite>,
    ) -> Result<Self, Problem> {
        Ok(Self {
            frame: Frame::of(caller.name.clone(), session.form_token()),
            scopes: caller
                .scopes
                .iter()
                .map(|scope| (scope.as_str(), explained(*scope)))
                .collect(),
            organizations: own_organizations(state, context, caller).await?,
            latest: caller.expires_at.map(|time| minute(&written(time))),
            typed: Typed::default(),
            problem: None,
        })
    }

    fn has(&self, scope: &str) -> bool {
        self.typed.scopes.iter().any(|typed| typed == scope)
    }
}

/// The meaning of a scope.
fn explained(scope: Scope) -> &'static str {
    match scope {
        Scope::OrganizationsRead => "see your organizations, their members and their usage",
        Scope::OrganizationsWrite => "create and change organizations, invite and change members",
        Scope::ReviewsWrite => "run reviews: the only scope a pipeline needs",
        Scope::TokensWrite => "see, create and revoke your tokens",
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<UnscopedToken<TokensWrite>, Nothing>,
) -> Result<Response, Problem> {
    Ok(respond(
        StatusCode::OK,
        &Page::new(&state, &session, &call.context, &call.principal.0).await?,
    ))
}

pub(super) async fn submit(
    Shared(state): Shared<State>,
    session: Session,
    once: Once,
    call: Call<UnscopedToken<TokensWrite>, Filled<CreateTokenRequest>>,
) -> Result<Response, Problem> {
    let page = Page::new(&state, &session, &call.context, &call.principal.0).await?;
    let (form, call) = call.unfold();
    let created = match call {
        Ok(call) => create::create(Shared(state), call).await,
        Err(problem) => Err(problem),
    };
    match created {
        Ok((_, Json(new))) => {
            once.lead(&format!("/tokens/{}", new.properties.token_id), &new.token)
        }
        Err(problem) => again(problem, |problem| {
            respond(
                problem.code.status(),
                &Page {
                    typed: Typed::of(&form),
                    problem: Some(problem),
                    ..page
                },
            )
        }),
    }
}

impl OfForm for CreateTokenRequest {
    fn of_form(form: &Form, _: &Parts, now: UnixMillis) -> Result<Self, Problem> {
        let organization = Some(form.text("organization")).filter(|id| !id.is_empty());
        let fields = [
            ("name", form.text("name").into()),
            ("scopes", form.all("scope").collect()),
            ("organizationId", organization.into()),
            ("expiresAt", in_days(form.text("days"), now).into()),
        ];
        Self::of(Fields::of_small_form(fields), now)
    }
}

#[derive(Template)]
#[template(path = "token_secret.html")]
struct SecretPage {
    frame: Frame,
    /// `None` if the token was already shown.
    secret: Option<Secret>,
}

/// The page that shows the secret.
pub(super) async fn show_secret(
    session: Session,
    once: Once,
    call: Call<UnscopedToken<TokensWrite>, Nothing>,
) -> Result<Response, Problem> {
    let frame = Frame::of(call.principal.0.name, session.form_token());
    once.end(respond(
        StatusCode::OK,
        &SecretPage {
            frame,
            secret: once.secret(),
        },
    ))
}
