//! `hunkwise admin entitlement …`

use clap::Subcommand;
use jiff::Span;
use serde_json::json;
use store::{Actor, Entitlement, EntitlementStatus, NewEntitlement, OrganizationId, UserId};

use super::context::{AdminContext, Answer};
use super::values::{end_of, parse_life, rfc3339};
use crate::database::explain;
use crate::outcome::Error;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Grant an entitlement, replacing an earlier one
    #[command(after_help = "Example:
  hunkwise admin entitlement grant --organization org_01k… --user usr_01k… --expires-in 30d --monthly-reviews 500")]
    Grant {
        #[command(flatten)]
        holder: Holder,
        /// How long it is valid, such as 30d [default: never expires]
        #[arg(long, value_name = "DURATION", value_parser = parse_life)]
        expires_in: Option<Span>,
        /// Reviews in a calendar month [default: no limit]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
        monthly_reviews: Option<i64>,
    },
    /// Suspend an entitlement until it is activated again
    #[command(
        after_help = "Example: hunkwise admin entitlement suspend --organization org_01k… --user usr_01k…"
    )]
    Suspend(Holder),
    /// Activate a suspended entitlement
    #[command(
        after_help = "Example: hunkwise admin entitlement activate --organization org_01k… --user usr_01k…"
    )]
    Activate(Holder),
    /// Revoke an entitlement permanently; only a new grant restores it
    #[command(
        after_help = "Example: hunkwise admin entitlement revoke --organization org_01k… --user usr_01k…"
    )]
    Revoke(Holder),
}

#[derive(Debug, clap::Args)]
pub(super) struct Holder {
    /// Organization ID
    #[arg(long, value_name = "ID")]
    organization: OrganizationId,
    /// User ID
    #[arg(long, value_name = "ID")]
    user: UserId,
    /// Product
    #[arg(long, default_value = "diff-review", value_parser = ["diff-review"])]
    product: String,
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Answer, Error> {
    match verb {
        Verb::Grant {
            holder,
            expires_in,
            monthly_reviews,
        } => {
            let expires_at = end_of(expires_in, context.now)?;
            grant(context, holder, expires_at, monthly_reviews).await
        }
        Verb::Suspend(holder) => set_status(context, holder, EntitlementStatus::Suspended).await,
        Verb::Activate(holder) => set_status(context, holder, EntitlementStatus::Active).await,
        Verb::Revoke(holder) => set_status(context, holder, EntitlementStatus::Revoked).await,
    }
}

async fn grant(
    context: &AdminContext,
    holder: Holder,
    expires_at: Option<store::UnixMillis>,
    monthly_review_limit: Option<i64>,
) -> Result<Answer, Error> {
    let Holder {
        organization,
        user,
        product,
    } = holder;
    let new = NewEntitlement {
        product,
        expires_at,
        monthly_review_limit,
    };
    let granted = context
        .store
        .grant_entitlement(organization, user, &new, Actor::CommandLine, context.now)
        .await;
    granted.map(|granted| answer(&granted)).map_err(explain)
}

async fn set_status(
    context: &AdminContext,
    holder: Holder,
    status: EntitlementStatus,
) -> Result<Answer, Error> {
    let Holder {
        organization,
        user,
        product,
    } = holder;
    let (actor, now) = (Actor::CommandLine, context.now);
    let moved = context
        .store
        .set_entitlement_status(organization, user, &product, status, actor, now)
        .await;
    moved.map(|moved| answer(&moved)).map_err(explain)
}

fn answer(it: &Entitlement) -> Answer {
    let expires = it.expires_at.map_or_else(
        || "never expires".to_owned(),
        |end| format!("expires {}", rfc3339(end)),
    );
    let limit = it
        .monthly_review_limit
        .map_or_else(String::new, |limit| format!(", {limit} reviews a month"));
    Answer {
        text: format!(
            "{} in {}: {} is {}, {expires}{limit}\n",
            it.user, it.organization, it.product, it.status
        ),
        json: json!({
            "organizationId": it.organization.to_string(),
            "userId": it.user.to_string(),
            "product": it.product,
            "status": it.status.as_str(),
            "startsAt": rfc3339(it.starts_at),
            "expiresAt": it.expires_at.map(rfc3339),
            "monthlyReviewLimit": it.monthly_review_limit,
        }),
    }
}
