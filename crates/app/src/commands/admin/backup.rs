//! `hunkwise admin backup`

use std::path::PathBuf;

use serde_json::json;
use settings::Url;
use store::{Store, StoreError};

use super::context::Answer;
use crate::database::explain;
use crate::outcome::Error;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: hunkwise admin backup --database sqlite:///var/lib/hunkwise/hunkwise.db \\
           --to /var/backups/hunkwise-2026-11-22.db

The service can keep running during the backup. To restore: stop the service, replace the database with the copy, delete
the database's -wal and -shm files, and start the service."
)]
pub(super) struct Verb {
    /// The file to write, readable by its owner only; it must not exist
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

/// Does not open the database as the other verbs do, because that would migrate an old one.
pub(super) async fn act(database: &Url, Verb { to }: Verb) -> Result<Answer, Error> {
    let bytes = Store::backup(database.expose(), &to)
        .await
        .map_err(|error| {
            if matches!(error, StoreError::NoFile(_) | StoreError::NoTables) {
                return explain(error);
            }
            let Error { exit, message } = explain(error);
            Error {
                exit,
                message: format!("{}: {message}", to.display()),
            }
        })?;
    let file = to.display().to_string();
    Ok(Answer {
        text: format!("{file}: {bytes} bytes\n"),
        json: json!({ "file": file, "bytes": bytes }),
    })
}
