//! What can go wrong: a few answers that a caller expects, and the rest, which is opaque.
//!
//! No message holds a value that was stored or asked for. The cause below an opaque error is for the log.

use sqlx::{error::ErrorKind, migrate::MigrateError};

/// A text that is not what it was read as; it says what was wanted, never what was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {0}")]
pub struct ParseError(pub(crate) &'static str);

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What is named does not exist.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// It exists already, or was changed by someone else at the same time.
    #[error("{0}")]
    Conflict(&'static str),
    /// The state machine has no such step.
    #[error("the {what} is {from} and cannot become {to}")]
    Illegal {
        /// What has the state.
        what: &'static str,
        /// Its state.
        from: &'static str,
        /// The state asked for.
        to: &'static str,
    },
    /// There is as much as there may be: see [`crate::Caps`].
    #[error("the cap `{cap}` is {most}, and that many there are")]
    Full {
        /// The cap's name.
        cap: &'static str,
        /// Its value.
        most: u32,
    },
    /// A value that cannot be kept.
    #[error("{0}")]
    Invalid(&'static str),
    /// The database's URL cannot be understood. It may hold a password, so it is not repeated.
    #[error("the database URL is not valid: use sqlite://PATH or postgres://USER@HOST/NAME")]
    Url,
    /// The database cannot be reached, or has no time for us now.
    #[error("the database cannot be reached")]
    Unavailable(#[source] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("the tables of the database could not be brought up to date")]
    Migration(#[source] MigrateError),
    /// The copy of the database could not be written.
    #[error("the copy could not be written")]
    Backup(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A defect: the database refused a statement, or gave what cannot be.
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
}

impl StoreError {
    /// Names a broken rule of the schema: `taken` where the row exists already, `missing` where it points to nothing.
    pub(crate) fn constraint(error: sqlx::Error, taken: &'static str, missing: &'static str) -> Self {
        match error.as_database_error().map(|database| database.kind()) {
            Some(ErrorKind::UniqueViolation) => Self::Conflict(taken),
            Some(ErrorKind::ForeignKeyViolation) => Self::NotFound(missing),
            _ => error.into(),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(database) => match database.kind() {
                ErrorKind::CheckViolation => Self::Invalid("a value is out of its range"),
                _ if database.code().is_some_and(|code| is_outage(&code)) => Self::Unavailable(error),
                _ => Self::Database(error),
            },
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }
}

/// Refuses the one character that SQLite would keep and PostgreSQL would not.
pub(crate) fn check_text(text: &str) -> Result<(), StoreError> {
    if text.contains('\0') {
        return Err(StoreError::Invalid("a text with the character U+0000 cannot be kept"));
    }
    Ok(())
}

/// Whether a code says that the database, not the statement, is in trouble.
///
/// PostgreSQL's SQLSTATE (appendix A of its manual) has five characters: class 08 connection, 25006 a standby, 25P03 and
/// 57 cut off, 28 authorization, 3D no such database, 40 to be tried again (deadlock, serialization), 53 resources, 55P03
/// a lock that was not to be had in time, 58 the machine. SQLite's result codes are numbers, whose low byte is the primary
/// code: 5 busy, 6 locked, 8 read-only, 10 I/O, 11 corrupt, 13 full, 14 cannot open, 26 not a database.
fn is_outage(code: &str) -> bool {
    if code.len() == 5 {
        let outages = ["08", "25006", "25P03", "28", "3D", "40", "53", "55P03", "57", "58"];
        return outages.iter().any(|outage| code.starts_with(outage));
    }
    code.parse::<i32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 11 | 13 | 14 | 26))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_are_told_from_defects() {
        for outage in
            ["08006", "25006", "28P01", "3D000", "40001", "53300", "57014", "57P01", "5", "517", "11", "13", "14"]
        {
            assert!(is_outage(outage), "{outage}");
        }
        for defect in ["42601", "23505", "25001", "1", "787", "", "x"] {
            assert!(!is_outage(defect), "{defect}");
        }
    }

    #[test]
    fn a_lost_connection_is_an_outage() {
        assert!(matches!(sqlx::Error::PoolTimedOut.into(), StoreError::Unavailable(_)));
        assert!(matches!(sqlx::Error::RowNotFound.into(), StoreError::Database(_)));
    }
}
