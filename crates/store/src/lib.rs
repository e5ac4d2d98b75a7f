//! Users, organizations, members, invitations, tokens, entitlements, idempotency keys, guidelines, usage counts and audit
//! events, on SQLite or PostgreSQL.
//!
//! The store knows nothing of reviews or HTTP: it keeps who may do what, and how often it was done. One SQL text
//! serves both databases; `db` is the only module that knows there are two. A table is a file with its types, its
//! statements and the methods that it adds to [`Store`].
//!
//! Time is a parameter everywhere. Randomness comes from [`ids`] alone.

mod answers;
mod audit_events;
mod backup;
mod db;
mod entitlements;
mod error;
mod idempotency;
mod identities;
pub mod ids;
mod invitations;
mod members;
mod model_tokens;
mod operators;
mod organizations;
mod review_guidelines;
pub mod secret;
mod shared_limits;
mod time;
mod times;
mod tokens;
mod usage;
mod users;
mod words;

pub use audit_events::{Action, Actor, AuditEvent};
pub use entitlements::{Entitlement, EntitlementChange, EntitlementStatus, NewEntitlement};
pub use error::{ParseError, StoreError};
pub use idempotency::{IDEMPOTENCY_KEY_LIFE, IdempotencyKey, Once};
pub use ids::{AuditEventId, InvitationId, OrganizationId, TokenId, UserId};
pub use invitations::{Acceptance, Invitation, InvitationEnd, Invited, OPEN_INVITATIONS};
pub use members::{Member, MemberChange, Membership, Role};
pub use organizations::{Organization, Status};
pub use review_guidelines::ReviewGuidelines;
pub use secret::{InvitationCode, InvitationDigest, TokenDigest, TokenSecret};
pub use shared_limits::{GrantedRequests, REVIEW_SLOT_LIFE, RequestRate, ReviewSlot, SharedLimits};
pub use time::UnixMillis;
pub use times::{Counted, Ending, Step, TIME_BOUNDS, Times};
pub use tokens::{AuthenticatedToken, NewToken, Scope, Token};
pub use usage::{Usage, UsageDelta, UsageOfDay, UsageOfMember};
pub use users::User;

pub use db::Connections;

use std::sync::Arc;

use answers::Answers;
use db::Db;

/// Connections to a PostgreSQL server, unless told otherwise.
pub const CONNECTIONS: u32 = 16;

/// The open database. A clone shares its connections.
#[derive(Clone, Debug)]
pub struct Store {
    db: Db,
    answers: Option<Arc<Answers>>,
}

impl Store {
    /// Opens the database at `url`, creates what is missing and brings its tables up to date.
    ///
    /// `sqlite://PATH` is a file (made with mode 0600 when it is not there), `sqlite::memory:` a database that lives
    /// as long as the store, `postgres://USER@HOST/NAME` a server of version 14 or later.
    ///
    /// # Errors
    /// [`StoreError::Url`] for another scheme or a malformed URL, [`StoreError::Unavailable`] when the database cannot
    /// be reached, [`StoreError::Migration`] when its tables are newer than this program or cannot be changed.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, CONNECTIONS).await
    }

    /// As [`Store::open`], with at most so many connections to a PostgreSQL server.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        let db = Db::open(url, connections).await?;
        let answers = db.answers().await.map(Arc::new);
        Ok(Self { db, answers })
    }

    /// Brings the tables of the database at `url` up to date and closes it again.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn migrate(url: &str) -> Result<(), StoreError> {
        Self::open(url).await?.close().await;
        Ok(())
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it gives none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.db.ping().await
    }

    /// Its connections at the moment.
    #[must_use]
    pub fn connections(&self) -> Connections {
        self.db.connections()
    }

    /// How long it was waited for so far.
    #[must_use]
    pub fn times(&self) -> &Arc<Times> {
        self.db.times()
    }

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        self.db.close().await;
        if let Some(answers) = &self.answers {
            answers.close().await;
        }
    }

    /// Prepares every statement of this crate and returns how many there are. It is the check, against a real
    /// database, that the compiler cannot make for two databases at once.
    ///
    /// # Errors
    /// The first statement that the database refuses, and why.
    pub async fn prepare_statements(&self) -> Result<usize, (&'static str, StoreError)> {
        let statements = [
            db::ALL,
            users::ALL,
            organizations::ALL,
            operators::ALL,
            members::ALL,
            tokens::ALL,
            entitlements::ALL,
            idempotency::ALL,
            identities::ALL,
            usage::ALL,
            model_tokens::ALL,
            review_guidelines::ALL,
            audit_events::ALL,
            invitations::ALL,
        ]
        .concat();
        let own: &[&'static str] = if matches!(self.db, Db::Postgres(_)) { shared_limits::ALL } else { &[] };
        let statements = [&statements, own].concat();
        for statement in &statements {
            self.db.prepare(statement).await.map_err(|error| (*statement, error))?;
        }
        Ok(statements.len())
    }
}

#[cfg(test)]
mod tests {
    /// What is not in the lists of statements is prepared by no test.
    #[test]
    fn every_query_names_a_statement() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut queries = 0;
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(source) = std::fs::read_to_string(&file) else { continue };
            let (code, _tests) = source.split_once("#[cfg(test)]").unwrap_or((&source, ""));
            for call in code.split("sqlx::query").skip(1) {
                let argument = call.split_once('(').map_or("", |(_, rest)| rest.trim_start());
                let named = argument.starts_with(|letter: char| letter.is_ascii_uppercase());
                assert!(named, "{}: {:.60}", file.display(), argument);
                queries += 1;
            }
        }
        assert!(queries > 20, "{queries}");
    }
}
