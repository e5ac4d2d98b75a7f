//! POST /v1/tokens

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::request::Parts;
use jiff::Timestamp;
use store::{NewToken, OrganizationId, Scope, Token, TokenId, TokenSecret, UnixMillis};

use super::{visible, written};
use crate::State;
use crate::error::{Code, FieldError, Problem};
use crate::extract::caller::UnscopedToken;
use crate::extract::json::{self, Fields};
use crate::extract::organization::not_found;
use crate::extract::{Call, Input, TokensWrite, name, no_parameters_and_no_key};
use crate::refusals::problems;
use crate::wire::token::{CreateTokenBody, NewTokenBody};

problems!(EVERY, V1, BODY; OrganizationNotFound, Conflict);

/// Create a token
///
/// Creates a token for the caller, with at most the scopes of the token that makes the request. A token created with
/// another token of this service also expires no later and is revoked with it; one created with a token of the OpenID
/// Connect issuer has its own lifetime. If the caller already has `tokensPerUser` valid tokens, the result is
/// `CONFLICT`. The token itself is only in this response, so an `Idempotency-Key` is refused: if the response is lost,
/// list the tokens and revoke the new one. The caller's token must not be bound to one organization.
#[utoipa::path(
    post,
    path = "/v1/tokens",
    operation_id = "createToken",
    tag = "Tokens",
    security(("bearer" = ["tokens:write"])),
    request_body = CreateTokenBody,
    responses((status = 201, description = "The token, with its secret", body = NewTokenBody), Problems)
)]
pub(crate) async fn create(
    Shared(state): Shared<State>,
    call: Call<UnscopedToken<TokensWrite>, CreateTokenRequest>,
) -> Result<(StatusCode, Json<NewTokenBody>), Problem> {
    let (caller, wanted) = (&call.principal.0, call.input);
    if let Some(scope) = wanted
        .scopes
        .iter()
        .find(|scope| !caller.scopes.contains(scope))
    {
        let detail = format!(
            "A token with the scope `{scope}` can only be created with a token that has it."
        );
        return Err(Problem::new(Code::InsufficientScope, detail));
    }
    if let Some(organization) = wanted.organization {
        let id = organization.unwrap_or_else(|| OrganizationId::new(state.now()));
        state
            .store()
            .find_membership(caller.user, id)
            .await?
            .ok_or_else(not_found)?;
    }
    let expires_at = within(caller.expires_at, wanted.expires_at)?;
    let CreateTokenRequest {
        name,
        scopes,
        organization,
        ..
    } = wanted;
    let new = NewToken {
        user: caller.user,
        name,
        scopes,
        organization: organization.flatten(),
        expires_at,
    };
    let (token, secret) = insert(&state, caller.own_token(), new).await?;
    let body = NewTokenBody {
        request_id: call.context.request_id().to_owned(),
        properties: visible(token),
        token: secret.expose().to_owned(),
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// The expiry of the new token, no later than that of the token that creates it.
fn within(
    makers: Option<UnixMillis>,
    asked: Option<UnixMillis>,
) -> Result<Option<UnixMillis>, Problem> {
    match (makers, asked) {
        (Some(latest), Some(asked)) if asked > latest => {
            let detail = format!(
                "must not be later than the expiry of the token that makes the request, {}",
                written(latest)
            );
            Err(Problem::invalid(vec![FieldError::at("expiresAt", detail)]))
        }
        (latest, asked) => Ok(asked.or(latest)),
    }
}

async fn insert(
    state: &State,
    maker: Option<TokenId>,
    new: NewToken,
) -> Result<(Token, TokenSecret), Problem> {
    Ok(match maker {
        Some(maker) => {
            state
                .store()
                .insert_token_by(maker, new, state.now())
                .await?
        }
        None => state.store().insert_token(new, state.now()).await?,
    })
}

/// A validated request.
pub(crate) struct CreateTokenRequest {
    name: String,
    scopes: Vec<Scope>,
    /// The inner `None` is a malformed ID: an organization that does not exist.
    organization: Option<Option<OrganizationId>>,
    expires_at: Option<UnixMillis>,
}

impl Input for CreateTokenRequest {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let now = state.now();
        let read = move |fields: Fields, _: &_| Self::of(fields, now);
        Ok(
            json::read(parts, body, state, no_parameters_and_no_key(parts), read)
                .await?
                .0,
        )
    }
}

impl CreateTokenRequest {
    /// Reads the properties.
    pub(crate) fn of(mut fields: Fields, now: UnixMillis) -> Result<Self, Problem> {
        let (name, scopes) = (name::take(&mut fields), scopes(&mut fields));
        let organization = fields
            .optional_text("organizationId")
            .map(|text| text.parse().ok());
        let expires_at = expiry(&mut fields, now);
        let both = name.zip(scopes);
        fields.finish(both.map(|(name, scopes)| Self {
            name,
            scopes,
            organization,
            expires_at,
        }))
    }
}

fn scopes(fields: &mut Fields) -> Option<Vec<Scope>> {
    let given = fields.required_texts("scopes")?;
    let scopes: Option<Vec<Scope>> = given.iter().map(|text| text.parse().ok()).collect();
    if scopes.as_ref().is_none_or(Vec::is_empty) {
        let known: Vec<String> = Scope::ALL
            .iter()
            .map(|scope| format!("`{scope}`"))
            .collect();
        fields.fault(
            "scopes",
            format!("must be one or more of {}", known.join(", ")),
        );
        return None;
    }
    scopes
}

/// The expiry, if any.
fn expiry(fields: &mut Fields, now: UnixMillis) -> Option<UnixMillis> {
    let given = fields.optional_text("expiresAt")?;
    let time = given
        .parse::<Timestamp>()
        .ok()
        .map(|time| UnixMillis(time.as_millisecond()));
    let time = time.filter(|time| *time > now);
    if time.is_none() {
        fields.fault(
            "expiresAt",
            "must be a time in the future (RFC 3339), such as `2030-01-01T00:00:00Z`",
        );
    }
    time
}
