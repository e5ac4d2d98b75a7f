//! Errors: a few that callers handle, and opaque ones for the rest.
//!
//! No message contains a stored or a requested value. The source of an opaque error is only logged.

use std::path::PathBuf;

use sqlx::{error::ErrorKind, migrate::MigrateError};

/// A text that could not be parsed. The message names the expected form and never repeats the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {0}")]
pub struct ParseError(pub(crate) &'static str);

/// Why the store could not carry out a request.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The named object does not exist.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The object exists already or was changed concurrently.
    #[error("{0}")]
    Conflict(&'static str),
    /// The state machine has no such transition.
    #[error("the {what} is {from} and cannot become {to}")]
    Illegal {
        /// The kind of object.
        what: &'static str,
        /// The current state.
        from: &'static str,
        /// The requested state.
        to: &'static str,
    },
    /// A cap has been reached: see [`crate::Caps`].
    #[error("the cap `{cap}` of {most} has been reached")]
    Full {
        /// The cap's name.
        cap: &'static str,
        /// Its value.
        most: u32,
    },
    /// A value that cannot be stored.
    #[error("{0}")]
    Invalid(&'static str),
    /// The database URL is malformed. It may contain a password, so it is not repeated.
    #[error("the database URL is not valid: use sqlite://PATH or postgres://USER@HOST/NAME")]
    Url,
    /// The file of a SQLite database does not exist.
    #[error("there is no database at {}", .0.display())]
    NoFile(PathBuf),
    /// The database exists, but without the tables of this program.
    #[error("the database does not belong to Hunkwise: its tables are missing")]
    NoTables,
    /// The database cannot be reached or is overloaded.
    #[error("the database cannot be reached")]
    Unavailable(#[source] sqlx::Error),
    /// The database can be read but not written: the disk is full, or it is read-only.
    #[error("the database cannot be written")]
    Unwritable(#[source] sqlx::Error),
    /// The tables could not be migrated.
    #[error("the tables of the database could not be migrated")]
    Migration(#[source] MigrateError),
    /// The copy of the database could not be written.
    #[error("the copy could not be written")]
    Backup(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A defect: the database rejected a statement or returned an impossible value.
    #[error("the database rejected a statement")]
    Database(#[source] sqlx::Error),
}

impl StoreError {
    /// Translates a constraint violation: `taken` for a duplicate key, `missing` for a dangling reference.
    pub(crate) fn constraint(
        error: sqlx::Error,
        taken: &'static str,
        missing: &'static str,
    ) -> Self {
        match error.as_database_error().map(|database| database.kind()) {
            Some(ErrorKind::UniqueViolation) => Self::Conflict(taken),
            Some(ErrorKind::ForeignKeyViolation) => Self::NotFound(missing),
            _ => error.into(),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let database = error.as_database_error();
        if database.is_some_and(|database| database.kind() == ErrorKind::CheckViolation) {
            return Self::Invalid("a value is out of range");
        }
        let code = database.and_then(|database| database.code());
        match code.is_some_and(|code| is_refused_write(&code)) {
            true => Self::Unwritable(error),
            false if is_outage(&error) => Self::Unavailable(error),
            false => Self::Database(error),
        }
    }
}

/// Whether an error reports an outage of the database rather than a faulty statement.
pub(crate) fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(database) => {
            database.code().is_some_and(|code| is_outage_code(&code))
        }
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        _ => false,
    }
}

/// Rejects U+0000, which SQLite stores and PostgreSQL does not.
pub(crate) fn check_text(text: &str) -> Result<(), StoreError> {
    if text.contains('\0') {
        return Err(StoreError::Invalid(
            "text must not contain the character U+0000",
        ));
    }
    Ok(())
}

/// Whether an error code reports an outage.
///
/// PostgreSQL's SQLSTATE (appendix A of its manual) has five characters: class 08 connection, 25006 standby, 25P03 and
/// 57 terminated, 28 authorization, 3D no such database, 40 retry (deadlock, serialization), 53 resources, 55P03 lock
/// timeout, 58 system error. SQLite's result codes are numbers whose low byte is the primary code: 5 busy, 6 locked,
/// 7 out of memory, 8 read-only, 10 I/O, 11 corrupt, 13 full, 14 cannot open, 15 locking protocol, 22 file too large, 26 not
/// a database.
fn is_outage_code(code: &str) -> bool {
    if code.len() == 5 {
        let outages = [
            "08", "25006", "25P03", "28", "3D", "40", "53", "55P03", "57", "58",
        ];
        return outages.iter().any(|outage| code.starts_with(outage));
    }
    code.parse::<i32>().is_ok_and(|code| {
        matches!(
            code & 0xff,
            5 | 6 | 7 | 8 | 10 | 11 | 13 | 14 | 15 | 22 | 26
        )
    })
}

/// Whether an error code says that the disk is full or that the database is read-only.
fn is_refused_write(code: &str) -> bool {
    match code.len() {
        5 => matches!(code, "25006" | "53100"),
        _ => code
            .parse::<i32>()
            .is_ok_and(|code| matches!(code & 0xff, 8 | 13)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_are_distinguished_from_defects() {
        for outage in [
            "08006", "25006", "28P01", "3D000", "40001", "53300", "57014", "57P01", "5", "517",
            "7", "11", "13", "14", "3082",
        ] {
            assert!(is_outage_code(outage), "{outage}");
        }
        for defect in ["42601", "23505", "25001", "1", "787", "", "x"] {
            assert!(!is_outage_code(defect), "{defect}");
        }
    }

    #[test]
    fn a_refused_write_is_distinguished_from_a_lost_database() {
        for refused in ["8", "13", "1032", "25006", "53100"] {
            assert!(
                is_refused_write(refused) && is_outage_code(refused),
                "{refused}"
            );
        }
        for other in ["5", "10", "53300", "08006", "x"] {
            assert!(!is_refused_write(other), "{other}");
        }
    }

    #[test]
    fn a_lost_connection_is_an_outage() {
        assert!(matches!(
            sqlx::Error::PoolTimedOut.into(),
            StoreError::Unavailable(_)
        ));
        assert!(matches!(
            sqlx::Error::RowNotFound.into(),
            StoreError::Database(_)
        ));
    }
}
