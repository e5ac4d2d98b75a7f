//! The way to the database, and its errors in words for an operator.

use std::error::Error as _;

use store::{Store, StoreError};

use crate::outcome::Error;
use crate::settings::Url;

/// Opens the database, makes it if need be, and brings its tables up to date.
///
/// # Errors
/// What keeps it from being opened.
pub(crate) async fn open(url: &Url) -> Result<Store, Error> {
    open_with(url, store::CONNECTIONS).await
}

/// As [`open`], with at most so many connections to a PostgreSQL server.
///
/// # Errors
/// What keeps it from being opened.
pub(crate) async fn open_with(url: &Url, connections: u32) -> Result<Store, Error> {
    let url = url.expose();
    Store::open_with(url, connections)
        .await
        .map_err(|error| match error {
            // The file's name tells more than the reason; a server's address could hold a password.
            StoreError::Unavailable(_) if url.starts_with("sqlite:") => {
                Error::failure(format!("{url}: {}", with_causes(&error)))
            }
            error => explain(error),
        })
}

/// A store's error as a command's: what the operator asked for is status 2, what the database did is status 3.
pub(crate) fn explain(error: StoreError) -> Error {
    match error {
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
    use crate::settings::Url;

    #[tokio::test]
    async fn a_file_that_cannot_be_had_is_named_with_one_reason() {
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
    async fn a_server_that_cannot_be_had_is_not_named_for_its_address_could_hold_a_password() {
        let url = "postgres://someone:hunter2@127.0.0.1:1/x".to_owned();
        let error = open(&Url::new(url)).await.err().unwrap().message;
        assert!(
            !error.contains("hunter2") && error.contains("cannot be reached"),
            "{error}"
        );
        assert_eq!(error.matches("refused").count(), 1, "{error}");
    }
}
