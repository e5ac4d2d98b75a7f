//! Authentication: the token's user and scopes. A browser's session has the rights of the token that opened it.

use async_recursion::async_recursion as boxed;
use std::marker::PhantomData;

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use store::{AuthenticatedToken, OrganizationId, Scope, TokenId, TokenSecret, UnixMillis, UserId};

use super::session::{self, ByBrowser};
use super::{Principal, access};
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::oidc::{AuthError, Issuer};
use crate::{State, client_address};

/// The scope that an operation needs, as a type.
pub(crate) trait RequiredScope: Send + Sync + 'static {
    /// The scope; `None` if any token will do.
    const SCOPE: Option<Scope>;
}

macro_rules! needs {
    ($($(#[$doc:meta])* $name:ident = $scope:expr;)*) => {
        $($(#[$doc])* pub(crate) struct $name;
        impl RequiredScope for $name {
            const SCOPE: Option<Scope> = $scope;
        })*
    };
}

needs! {
    /// Any token.
    AnyScope = None;
    /// `organizations:read`
    OrganizationsRead = Some(Scope::OrganizationsRead);
    /// `organizations:write`
    OrganizationsWrite = Some(Scope::OrganizationsWrite);
    /// `reviews:write`
    ReviewsWrite = Some(Scope::ReviewsWrite);
    /// `tokens:write`
    TokensWrite = Some(Scope::TokensWrite);
}

/// The owner of a token that has the scope `N`.
pub(crate) struct Caller<N> {
    pub(crate) user: UserId,
    /// The user's name.
    pub(crate) name: String,
    pub(crate) token: TokenId,
    /// The scopes of the token.
    pub(crate) scopes: Vec<Scope>,
    /// The token is refused from this millisecond on.
    pub(crate) expires_at: Option<UnixMillis>,
    /// Whether the user is an operator.
    pub(crate) operator: bool,
    /// The only organization in which the token may be used.
    pub(crate) bound_to: Option<OrganizationId>,
    needs: PhantomData<fn() -> N>,
}

impl<N> Caller<N> {
    /// The token, if it is one of the service's own; `None` for one of the issuer, which vouches that its user signed
    /// in.
    pub(crate) fn own_token(&self) -> Option<TokenId> {
        (self.token != TokenId::of_issuer_tokens(self.user)).then_some(self.token)
    }
}

impl<N: RequiredScope> Principal for Caller<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let token = match parts.extensions.get::<ByBrowser>() {
            Some(ByBrowser) => session::authenticate(parts, state).await?,
            None => authenticate(&parts.headers, state)
                .await
                .map_err(|problem| failed(problem, parts, state))?,
        };
        context.set_user(token.user_id);
        access::count(token.token_id, token.user_id, context, state).await?;
        let caller = Caller::<AnyScope> {
            user: token.user_id,
            name: token.user_name,
            token: token.token_id,
            scopes: token.scopes,
            expires_at: token.expires_at,
            operator: token.operator,
            bound_to: token.organization,
            needs: PhantomData,
        };
        caller.with_scope()
    }
}

impl<N> Caller<N> {
    /// The same caller, if the token has the scope `M`.
    pub(super) fn with_scope<M: RequiredScope>(self) -> Result<Caller<M>, Problem> {
        if let Some(scope) = M::SCOPE.filter(|scope| !self.scopes.contains(scope)) {
            return Err(Problem::new(
                Code::InsufficientScope,
                format!("The operation needs the scope `{scope}`."),
            ));
        }
        let Self {
            user,
            name,
            token,
            scopes,
            operator,
            bound_to,
            expires_at,
            needs: _,
        } = self;
        Ok(Caller {
            user,
            name,
            token,
            scopes,
            operator,
            bound_to,
            expires_at,
            needs: PhantomData,
        })
    }
}

impl<N> Caller<N> {
    /// The same caller, for an operation that needs the scope `M`.
    ///
    /// # Errors
    /// [`Code::InsufficientScope`].
    pub(crate) fn also<M: RequiredScope>(&self) -> Result<Caller<M>, Problem> {
        let Self {
            user,
            name,
            token,
            scopes,
            operator,
            bound_to,
            expires_at,
            needs,
        } = self;
        let (name, scopes) = (name.clone(), scopes.clone());
        let same = Self {
            user: *user,
            name,
            token: *token,
            scopes,
            operator: *operator,
            bound_to: *bound_to,
            expires_at: *expires_at,
            needs: *needs,
        };
        same.with_scope()
    }
}

/// The owner of a token that is not bound to one organization.
pub(crate) struct UnscopedToken<N>(pub(crate) Caller<N>);

impl<N: RequiredScope> Principal for UnscopedToken<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        Self::of(Caller::admit(parts, context, state).await?)
    }
}

impl<N> UnscopedToken<N> {
    /// This caller, if the token is not bound.
    pub(super) fn of(caller: Caller<N>) -> Result<Self, Problem> {
        if caller.bound_to.is_some() {
            Err(bound_elsewhere())
        } else {
            Ok(Self(caller))
        }
    }
}

/// The refusal for a token outside the organization that it is bound to.
pub(super) fn bound_elsewhere() -> Problem {
    Problem::new(
        Code::InsufficientScope,
        "The token is bound to one organization and cannot be used beyond it.",
    )
}

/// The response to a failed authentication. Failures are counted by client address, and only failures beyond the
/// limit are refused with 429, so that callers with a valid token are not affected by others at their address.
fn failed(problem: Problem, parts: &Parts, state: &State) -> Problem {
    let client = client_address::of_parts(parts, &state.settings().trusted_proxies);
    match (problem.code, client) {
        (Code::Unauthenticated | Code::InvalidToken, Some(client)) => state
            .failure_limiter()
            .count(client)
            .err()
            .unwrap_or(problem),
        _ => problem,
    }
}

#[boxed]
async fn authenticate(headers: &HeaderMap, state: &State) -> Result<AuthenticatedToken, Problem> {
    let text = bearer(headers).ok_or_else(|| {
        Problem::new(
            Code::Unauthenticated,
            "The operation needs a header `Authorization: Bearer <ACCESS_TOKEN>`.",
        )
    })?;
    let token = match (TokenSecret::parse(text), state.issuer()) {
        (Some(secret), _) => {
            let found = state
                .store()
                .find_token(&secret.digest(), state.now())
                .await?;
            found.inspect(|token| state.token_last_used().note(token.token_id, state.now()))
        }
        (None, Some(issuer)) => Box::pin(of_issuer(issuer, text, state)).await?,
        (None, None) => None,
    };
    token.ok_or_else(Problem::invalid_token)
}

/// Resolves an issuer token to a user, creating the user on first use; `None` if the token is invalid. The failed check
/// is only logged.
async fn of_issuer(
    issuer: &Issuer,
    token: &str,
    state: &State,
) -> Result<Option<AuthenticatedToken>, Problem> {
    let identity = match issuer.identify(token).await {
        Ok(identity) => identity,
        Err(AuthError::NoKeys) => return Err(Problem::no_keys()),
        Err(refusal) => {
            tracing::info!(reason = %refusal, "a token was refused: it is not one of the service's own");
            return Ok(None);
        }
    };
    let Some(user) = issuer.user(&identity, state.store()).await? else {
        tracing::info!("a disabled or deleted user was refused");
        return Ok(None);
    };
    Ok(Some(AuthenticatedToken {
        token_id: TokenId::of_issuer_tokens(user.id),
        user_id: user.id,
        user_name: user.name,
        operator: user.operator,
        scopes: identity.scopes,
        organization: None,
        expires_at: None,
    }))
}

/// The token in the `Authorization` header field, of which there must be one (RFC 6750 section 2.1; the scheme is
/// case-insensitive).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut fields = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(field), None) = (fields.next(), fields.next()) else {
        return None;
    };
    let (scheme, token) = field.to_str().ok()?.split_once(' ')?;
    let token = token.trim_matches(' ');
    let sound = !token.is_empty() && token.bytes().all(is_token68);
    (scheme.eq_ignore_ascii_case("bearer") && sound).then_some(token)
}

fn is_token68(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::bearer;

    fn headers(fields: &[&str]) -> HeaderMap {
        fields
            .iter()
            .map(|field| (header::AUTHORIZATION, HeaderValue::from_str(field).unwrap()))
            .collect()
    }

    #[test]
    fn only_a_single_well_formed_bearer_field_is_accepted() {
        for good in ["Bearer abc", "bearer abc", "BEARER  abc "] {
            assert_eq!(bearer(&headers(&[good])), Some("abc"), "{good}");
        }
        for bad in [
            &[][..],
            &["Bearer"],
            &["Bearer "],
            &["Basic abc"],
            &["Bearer a b"],
            &["abc"],
            &["Bearer a", "Bearer b"],
        ] {
            assert_eq!(bearer(&headers(bad)), None, "{bad:?}");
        }
    }
}
