//! Users, organizations, members, invitations, tokens, browser sessions, entitlements, idempotency keys, guidelines, usage
//! counts and audit events, on SQLite or PostgreSQL.
//!
//! The store knows nothing of reviews or HTTP: it records who may do what, and how often it was done. One SQL text serves
//! both databases; only `db` knows that there are two. Each table has one file with its types, its statements and its
//! methods of [`Store`].
//!
//! Time is always a parameter. Randomness comes only from [`ids`].

mod audit_events;
mod automatic_grants;
mod backup;
mod browser_sessions;
mod caps;
mod db;
mod entitlements;
mod error;
mod idempotency;
mod identities;
pub mod ids;
mod invitations;
mod latency;
mod members;
mod model_tokens;
mod month;
pub mod names;
mod offboarding;
mod operators;
mod organization;
mod organizations;
mod review_guidelines;
mod revocations;
pub mod secret;
mod shared_limits;
mod sign_in_attempts;
mod statements;
mod store;
mod time;
mod tokens;
mod usage;
mod user;
mod users;
mod words;

pub use audit_events::{Action, Actor, AuditEvent};
pub use browser_sessions::{ISSUER_SESSION_LIFE, SESSION_IDLE, SESSION_LIFE};
pub use caps::Caps;
pub use entitlements::{Entitlement, EntitlementChange, EntitlementStatus, NewEntitlement};
pub use error::{ParseError, StoreError};
pub use idempotency::{IDEMPOTENCY_KEY_LIFE, IdempotencyKey, Once};
pub use ids::{AuditEventId, InvitationId, OrganizationId, TokenId, UserId};
pub use invitations::{
    Acceptance, INVITATION_LIFE, Invitation, InvitationEnd, Invited, MAX_INVITATION_LIFE,
};
pub use latency::{Counted, LATENCY_BOUNDS, LatencyHistogram, Operation, Outcome};
pub use members::{Member, MemberChange, Membership, Role};
pub use model_tokens::ReservedTokens;
pub use month::Month;
pub use offboarding::Deletion;
pub use organization::{Organization, Status};
pub use review_guidelines::ReviewGuidelines;
pub use revocations::Revoked;
pub use secret::{
    AttemptDigest, AttemptSecret, InvitationCode, InvitationDigest, SessionDigest, SessionSecret,
    SignInCode, SignInDigest, TokenDigest, TokenSecret,
};
pub use shared_limits::{GrantedRequests, REVIEW_SLOT_LIFE, RequestRate, ReviewSlot, SharedLimits};
pub use sign_in_attempts::ATTEMPT_LIFE;
pub use time::UnixMillis;
pub use tokens::{AuthenticatedToken, NewToken, Scope, Token, TokenState, TracedToken};
pub use usage::{Usage, UsageDelta, UsageOfDay, UsageOfMember};
pub use user::{User, UserStatus};

pub use db::Connections;
pub use store::{CONNECTIONS, Store};
