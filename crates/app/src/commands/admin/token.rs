//! `hunkwise admin token …`

use clap::Subcommand;
use jiff::Span;
use serde_json::json;
use store::{NewToken, OrganizationId, Scope, TokenId, UserId};

use super::context::{AdminContext, Answer};
use super::values::{end_of, parse_life, parse_name, word};
use crate::database::explain;
use crate::outcome::Error;

/// The default scopes of a token: all that reviewing takes, but not creating further tokens.
const USUAL: &[Scope] = &[Scope::OrganizationsRead, Scope::OrganizationsWrite, Scope::ReviewsWrite];

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Make a token; its secret is printed once and kept nowhere
    #[command(after_help = "Example:
  hunkwise admin token create --user usr_01k… --name ci --scope reviews:write --expires-in 90d

Without --scope the token has organizations:read, organizations:write and reviews:write.")]
    Create {
        /// Whose it is
        #[arg(long, value_name = "ID")]
        user: UserId,
        /// For people to read
        #[arg(long, default_value = "token", value_parser = parse_name)]
        name: String,
        /// What it may be used for; may be given several times
        #[arg(long = "scope", value_parser = word(Scope::ALL, Scope::as_str))]
        scopes: Vec<Scope>,
        /// The only organization that it may be used in
        #[arg(long, value_name = "ID")]
        organization: Option<OrganizationId>,
        /// How long it is good for, such as 30d or 12h; for ever when not given
        #[arg(long, value_name = "DURATION", value_parser = parse_life)]
        expires_in: Option<Span>,
    },
    /// Make a token worthless from now on
    #[command(after_help = "Example: hunkwise admin token revoke tok_01k…")]
    Revoke {
        /// The token's ID (not its secret)
        #[arg(value_name = "ID")]
        token: TokenId,
    },
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Answer, Error> {
    match verb {
        Verb::Create { user, name, scopes, organization, expires_in } => {
            let scopes = if scopes.is_empty() { USUAL.to_vec() } else { scopes };
            let expires_at = end_of(expires_in, context.now)?;
            create(context, NewToken { user, name, scopes, organization, expires_at }).await
        }
        Verb::Revoke { token } => revoke(context, token).await,
    }
}

async fn create(context: &AdminContext, new: NewToken) -> Result<Answer, Error> {
    let (token, secret) = context.store.issue_token(new, context.now).await.map_err(explain)?;
    Ok(Answer {
        text: format!("{}  {}\n", token.id, secret.expose()),
        json: json!({ "tokenId": token.id.to_string(), "token": secret.expose() }),
    })
}

async fn revoke(context: &AdminContext, token: TokenId) -> Result<Answer, Error> {
    if !context.store.revoke_token(token, context.now).await.map_err(explain)? {
        return Err(Error::usage(format!("there is no token {token}, or it was revoked before")));
    }
    Ok(Answer {
        text: format!("{token} is revoked\n"),
        json: json!({ "tokenId": token.to_string(), "status": "revoked" }),
    })
}
