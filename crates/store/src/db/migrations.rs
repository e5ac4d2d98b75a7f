//! The migrations, and their variant for CockroachDB, which speaks PostgreSQL's protocol.
//!
//! CockroachDB gets PostgreSQL's migrations without the clause and the lock that it does not support, and the same statements afterwards. So
//! there is no second dialect to test.

use std::{borrow::Cow, future::Future, ops::DerefMut, pin::Pin};

use sqlx::{
    Acquire, AssertSqlSafe, SqlSafeStr, SqlStr,
    migrate::{Migrate, Migration, MigrationType, Migrator},
};

use crate::error::StoreError;

/// Every migration: number, name and SQL. A released entry never changes; add a new one instead.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "initial", include_str!("../migrations/0001_initial.sql")),
    (
        2,
        "model tokens",
        include_str!("../migrations/0002_model_tokens.sql"),
    ),
    (
        3,
        "review guidelines",
        include_str!("../migrations/0003_review_guidelines.sql"),
    ),
    (
        4,
        "audit events",
        include_str!("../migrations/0004_audit_events.sql"),
    ),
    (
        5,
        "organizations by status",
        include_str!("../migrations/0005_organizations_by_status.sql"),
    ),
    (
        6,
        "shared limits",
        include_str!("../migrations/0006_shared_limits.sql"),
    ),
    (
        7,
        "identities",
        include_str!("../migrations/0007_identities.sql"),
    ),
    (
        8,
        "invitations",
        include_str!("../migrations/0008_invitations.sql"),
    ),
    (
        9,
        "makers of tokens",
        include_str!("../migrations/0009_makers_of_tokens.sql"),
    ),
    (
        10,
        "browser sessions",
        include_str!("../migrations/0010_browser_sessions.sql"),
    ),
    (
        11,
        "issuer sign-ins",
        include_str!("../migrations/0011_issuer_sign_ins.sql"),
    ),
    (
        12,
        "status of users",
        include_str!("../migrations/0012_status_of_users.sql"),
    ),
    (
        13,
        "makers of invitations",
        include_str!("../migrations/0013_makers_of_invitations.sql"),
    ),
    (
        14,
        "automatic grants",
        include_str!("../migrations/0014_automatic_grants.sql"),
    ),
];

/// CockroachDB does not support this clause (cockroachdb/cockroach#31632). No statement needs it: referenced rows are
/// inserted first.
const DEFERRED: &str = " DEFERRABLE INITIALLY DEFERRED";

/// The migrations for SQLite and PostgreSQL.
pub(super) fn migrator() -> Migrator {
    let released = |&(version, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(
            version,
            Cow::Borrowed(name),
            MigrationType::Simple,
            SqlStr::from_static(sql),
            false,
        )
    };
    Migrator::with_migrations(MIGRATIONS.iter().map(released).collect())
}

/// The migrations for CockroachDB, with the same checksums and without the advisory lock, which it does not support. If
/// two processes create a table concurrently, one fails because the table exists, and exits.
pub(super) fn cockroachdb_migrator() -> Migrator {
    let adapted = |released: &Migration| {
        let sql = AssertSqlSafe(released.sql.as_str().replace(DEFERRED, "")).into_sql_str();
        Migration {
            sql,
            ..released.clone()
        }
    };
    let mut migrator = Migrator::with_migrations(migrator().iter().map(adapted).collect());
    migrator.set_locking(false);
    migrator
}

/// Boxed, because the compiler cannot otherwise prove that the future is `Send` (rust-lang/rust#110338).
pub(super) fn run<'a, A>(
    migrator: Migrator,
    connection: A,
) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>
where
    A: Acquire<'a> + Send + 'a,
    A::Connection: Send + DerefMut<Target: Migrate + Send>,
{
    Box::pin(async move {
        migrator
            .run(connection)
            .await
            .map_err(StoreError::Migration)
    })
}

#[cfg(test)]
mod tests {
    use super::{DEFERRED, cockroachdb_migrator, migrator};

    #[test]
    fn cockroachdb_gets_the_same_migrations_without_deferred_constraints() {
        let (released, adapted) = (migrator(), cockroachdb_migrator());
        assert!(released.locking && !adapted.locking);
        assert_eq!(released.iter().len(), adapted.iter().len());
        let mut taken_out = 0;
        for (released, adapted) in released.iter().zip(adapted.iter()) {
            assert_eq!(
                (released.version, &released.checksum),
                (adapted.version, &adapted.checksum)
            );
            let (before, after) = (released.sql.as_str(), adapted.sql.as_str());
            taken_out += before.matches(DEFERRED).count();
            assert_eq!(before.replace(DEFERRED, ""), after);
            let statements = after
                .lines()
                .filter(|line| !line.trim_start().starts_with("--"));
            let words: String = statements.map(str::to_ascii_uppercase).collect();
            for refused in [
                "DEFER", "ADVISORY", "TRIGGER", "LISTEN", "NOTIFY", "CTID", "COLLATE", "UNLOGGED",
            ] {
                assert!(
                    !words.contains(refused),
                    "migration {}: {refused}",
                    adapted.version
                );
            }
        }
        assert_eq!(taken_out, 1);
    }
}
