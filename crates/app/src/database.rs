//! Opens the database and formats its errors for operators.

use std::error::Error as _;

use settings::Url;
use store::{Store, StoreError};

use crate::outcome::Error;

/// Opens the database, creating it if necessary, and migrates its tables.
///
/// # Errors
/// It cannot be opened.
pub(crate) async fn open(url: &Url) -> Result<Store, Error> {
    open_with(url, store::CONNECTIONS).await
}

/// As [`open`], but a database that does not exist is an error: a mistyped path must not create an empty one.
///
/// # Errors
/// It does not exist or cannot be opened.
pub(crate) async fn open_existing(url: &Url) -> Result<Store, Error> {
    let url = url.expose();
    Store::open_existing(url)
        .await
        .map_err(|error| explain_opening(error, url))
}

/// As [`open`], with at most this many connections to a PostgreSQL server.
///
/// # Errors
/// It cannot be opened.
pub(crate) async fn open_with(url: &Url, connections: u32) -> Result<Store, Error> {
    let url = url.expose();
    Store::open_with(url, connections)
        .await
        .map_err(|error| explain_opening(error, url))
}

/// The name of the file explains more than the reason. The address of a server is not shown, because it may contain a
/// password.
fn explain_opening(error: StoreError, url: &str) -> Error {
    match error {
        StoreError::Unavailable(_) | StoreError::Unwritable(_) if url.starts_with("sqlite:") => {
            Error::failure(format!("{url}: {}", with_causes(&error)))
        }
        error => explain(error),
    }
}

/// Converts a store error: errors of the operator have status 2, failures of the database status 3.
pub(crate) fn explain(error: StoreError) -> Error {
    match error {
        StoreError::NoFile(_) | StoreError::NoTables => Error::usage(format!(
            "{error}; `hunkwise serve` and `hunkwise migrate` create a database"
        )),
        StoreError::NotFound(_)
        | StoreError::Conflict(_)
        | StoreError::Illegal { .. }
        | StoreError::Full { .. }
        | StoreError::Invalid(_)
        | StoreError::Url => Error::usage(error),
        _ => Error::failure(with_causes(&error)),
    }
}

/// An error and its causes; a cause that its error already includes is not repeated.
fn with_causes(error: &StoreError) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !message.ends_with(&words) {
            message.push_str(": ");
            message.push_str(&words);
        }
        cause = error.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use super::open;
    use settings::Url;

    #[tokio::test]
    async fn an_unusable_database_file_is_named_with_one_reason() {
        let folder = tempfile::tempdir().unwrap();
        let missing = format!("sqlite://{}/missing/x.db", folder.path().display());
        let error = open(&Url::new(missing.clone()))
            .await
            .err()
            .unwrap()
            .message;
        assert!(error.starts_with(&missing), "{error}");
        assert_eq!(error.matches("No such file").count(), 1, "{error}");
    }

    #[tokio::test]
    async fn the_address_of_an_unreachable_server_is_not_shown() {
        let url = "postgres://someone:hunter2@127.0.0.1:1/x".to_owned();
        let error = open(&Url::new(url)).await.err().unwrap().message;
        assert!(
            !error.contains("hunter2") && error.contains("cannot be reached"),
            "{error}"
        );
        assert_eq!(error.matches("refused").count(), 1, "{error}");
    }
}
