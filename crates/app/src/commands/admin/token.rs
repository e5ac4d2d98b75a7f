//! `hunkwise admin token …`

use clap::Subcommand;
use jiff::Span;
use review::output::counted;
use serde_json::{Value, json};
use settings::Secret;
use store::{
    NewToken, OrganizationId, Revoked, Scope, Token, TokenId, TokenSecret, TracedToken, UnixMillis,
    UserId, names,
};

use super::context::{AdminContext, Answer, PAGE};
use super::values::{end_of, parse_life, parse_name, rfc3339, word};
use crate::database::explain;
use crate::outcome::Error;
use crate::secret_input;

/// The default scopes of a token: sufficient for reviews, but not for creating tokens.
const DEFAULT_SCOPES: &[Scope] = &[
    Scope::OrganizationsRead,
    Scope::OrganizationsWrite,
    Scope::ReviewsWrite,
];

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Make a token; its secret is printed once and not stored
    #[command(after_help = "Example:
  hunkwise admin token create --user usr_01k… --name ci --scope reviews:write --expires-in 90d

Without --scope the token has organizations:read, organizations:write and reviews:write.")]
    Create {
        /// User ID
        #[arg(long, value_name = "ID")]
        user: UserId,
        /// Display name
        #[arg(long, default_value = "token", value_parser = parse_name)]
        name: String,
        /// Permitted use; may be given several times
        #[arg(long = "scope", value_parser = word(Scope::ALL, Scope::as_str))]
        scopes: Vec<Scope>,
        /// The only organization that it may be used in
        #[arg(long, value_name = "ID")]
        organization: Option<OrganizationId>,
        /// How long it is valid, such as 30d or 12h [default: never expires]
        #[arg(long, value_name = "DURATION", value_parser = parse_life)]
        expires_in: Option<Span>,
    },
    /// List the tokens that are not revoked, without their secrets, newest last
    #[command(after_help = "Examples:
  hunkwise admin token list --user usr_01k…
  hunkwise admin token list --json")]
    List {
        /// User ID [default: all users]
        #[arg(long, value_name = "ID")]
        user: Option<UserId>,
    },
    /// Show the owner and the state of a leaked token
    #[command(after_help = "Examples:
  hunkwise admin token find           prompts for the token without showing it
  hunkwise admin token find < leaked  reads it from a file

A token among the arguments would be visible to other users of this machine and remain in the shell's history.")]
    Find {
        /// The token's secret; if it is - or missing, it is read from the terminal or stdin
        #[arg(value_name = "TOKEN", default_value = "-", hide_default_value = true)]
        token: String,
    },
    /// Revoke a token, or all tokens of a user, and everything created with them: tokens, open invitations, browser
    /// sessions
    #[command(after_help = "Examples:
  hunkwise admin token revoke tok_01k…
  hunkwise admin token revoke --all-of usr_01k…")]
    Revoke {
        /// The token's ID (not its secret)
        #[arg(value_name = "ID", required_unless_present = "all_of")]
        token: Option<TokenId>,
        /// All tokens of this user
        #[arg(long, value_name = "USER", conflicts_with = "token")]
        all_of: Option<UserId>,
    },
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Option<Answer>, Error> {
    let answer = match verb {
        Verb::List { user } => return list(context, user).await.map(|()| None),
        Verb::Create {
            user,
            name,
            scopes,
            organization,
            expires_in,
        } => {
            let scopes = if scopes.is_empty() {
                DEFAULT_SCOPES.to_vec()
            } else {
                scopes
            };
            let expires_at = end_of(expires_in, context.now)?;
            create(
                context,
                NewToken {
                    user,
                    name,
                    scopes,
                    organization,
                    expires_at,
                },
            )
            .await
        }
        Verb::Find { token } => find(context, &token).await,
        Verb::Revoke {
            all_of: Some(user), ..
        } => revoke_all(context, user).await,
        Verb::Revoke {
            token: Some(token), ..
        } => revoke(context, token).await,
        Verb::Revoke {
            token: None,
            all_of: None,
        } => Err(Error::usage("name a token, or a user with --all-of")),
    };
    answer.map(Some)
}

async fn list(context: &AdminContext, user: Option<UserId>) -> Result<(), Error> {
    let store = &context.store;
    if let Some(user) = user {
        let known = store.find_user(user).await.map_err(explain)?;
        known.ok_or_else(|| Error::usage(format!("there is no user {user}")))?;
    }
    let page = async |after| match user {
        Some(user) => store.list_tokens(user, after, PAGE).await,
        None => store.list_all_tokens(after, PAGE).await,
    };
    context
        .list("tokens", page, |token| token.id, line, object)
        .await
}

async fn find(context: &AdminContext, given: &str) -> Result<Answer, Error> {
    let secret = match given {
        "-" => secret_input::read("Token: ")?,
        given => Secret::new(given.to_owned()),
    };
    let malformed =
        "not a token issued by Hunkwise, which is hw_ followed by 36 letters and digits";
    let secret = TokenSecret::parse(secret.expose()).ok_or_else(|| Error::usage(malformed))?;
    let found = context
        .store
        .trace_token(&secret.digest(), context.now)
        .await
        .map_err(explain)?;
    let unknown = "this database has no such token: it was created elsewhere, deleted with its user, or deleted after it expired";
    let TracedToken {
        token,
        user_name,
        state,
    } = found.ok_or_else(|| Error::usage(unknown))?;
    let mut json = object(&token);
    json["displayName"] = json!(user_name);
    json["status"] = json!(state.as_str());
    Ok(Answer {
        text: format!("{state}  {}  {}", names::plain(&user_name), line(&token)),
        json,
    })
}

async fn revoke_all(context: &AdminContext, user: UserId) -> Result<Answer, Error> {
    let revoked = context
        .store
        .revoke_all_tokens_of(user, context.now)
        .await
        .map_err(explain)?;
    let mut json = counts(&revoked);
    json["userId"] = json!(user.to_string());
    let text = match (revoked.tokens, created_with(&revoked, 0)) {
        (1, rest) => format!("1 token of {user} is revoked{rest}\n"),
        (tokens, rest) => format!("{tokens} tokens of {user} are revoked{rest}\n"),
    };
    Ok(Answer { text, json })
}

fn line(it: &Token) -> String {
    let time = |time: Option<UnixMillis>| time.map_or_else(|| "never".to_owned(), rfc3339);
    let bound = it
        .organization
        .map_or_else(|| "any organization".to_owned(), |id| id.to_string());
    let scopes: Vec<_> = it.scopes.iter().map(|scope| scope.as_str()).collect();
    format!(
        "{}  {}  {}  expires {}  used {}  {bound}  {}  {}\n",
        it.id,
        it.user,
        rfc3339(it.created_at),
        time(it.expires_at),
        time(it.last_used_at),
        scopes.join(","),
        names::plain(&it.name)
    )
}

fn object(it: &Token) -> Value {
    json!({
        "tokenId": it.id.to_string(),
        "userId": it.user.to_string(),
        "name": it.name,
        "scopes": it.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
        "organizationId": it.organization.map(|id| id.to_string()),
        "createdAt": rfc3339(it.created_at),
        "expiresAt": it.expires_at.map(rfc3339),
        "lastUsedAt": it.last_used_at.map(rfc3339),
    })
}

async fn create(context: &AdminContext, new: NewToken) -> Result<Answer, Error> {
    let (token, secret) = context
        .store
        .issue_token(new, context.now)
        .await
        .map_err(explain)?;
    Ok(Answer {
        text: format!("{}  {}\n", token.id, secret.expose()),
        json: json!({ "tokenId": token.id.to_string(), "token": secret.expose() }),
    })
}

async fn revoke(context: &AdminContext, token: TokenId) -> Result<Answer, Error> {
    let revoked = context
        .store
        .revoke_token(token, context.now)
        .await
        .map_err(explain)?;
    let unknown = || {
        Error::usage(format!(
            "there is no token {token}, or it is already revoked"
        ))
    };
    let revoked = revoked.ok_or_else(unknown)?;
    let mut json = counts(&revoked);
    json["tokenId"] = json!(token.to_string());
    json["status"] = json!("revoked");
    let rest = created_with(&revoked, revoked.tokens - 1);
    Ok(Answer {
        text: format!("{token} is revoked{rest}\n"),
        json,
    })
}

fn counts(revoked: &Revoked) -> Value {
    json!({
        "revokedTokens": revoked.tokens,
        "revokedInvitations": revoked.invitations,
        "endedSessions": revoked.sessions,
    })
}

/// The items that were created with the revoked tokens and ended with them; empty if there are none.
fn created_with(revoked: &Revoked, tokens: u64) -> String {
    let counts = [
        (tokens, "token"),
        (revoked.invitations, "invitation"),
        (revoked.sessions, "session"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, what)| counted(usize::try_from(count).unwrap_or(usize::MAX), what))
        .collect();
    if counts.is_empty() {
        String::new()
    } else {
        format!("; also ended: {}", counts.join(", "))
    }
}
