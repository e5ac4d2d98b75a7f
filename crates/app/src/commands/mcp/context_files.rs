//! `contextFiles`: files of the repository that a client sends with a diff.

use std::collections::HashSet;

use review::repository::{ContextFileFault, ContextFiles, RequestRepository};
use review::{Diff, Side};
use serde::Deserialize;

use crate::outcome::Error;

/// The name of the argument.
const NAME: &str = "contextFiles";

/// A file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextFile {
    path: String,
    content: String,
}

/// The repository of these files, with the limits and the rules for paths of the HTTP API.
///
/// # Errors
/// A path is not valid or is that of a file of the diff, or the files exceed a limit. The message names the first one.
pub(super) fn repository(
    files: Vec<ContextFile>,
    diff: &Diff<'_>,
) -> Result<RequestRepository, Error> {
    let changed: HashSet<&str> = diff
        .files
        .iter()
        .flat_map(|file| [Side::Old, Side::New].map(|side| file.path_on(side)))
        .collect();
    let mut known = ContextFiles::default();
    for (at, ContextFile { path, content }) in files.into_iter().enumerate() {
        if changed.contains(&*path) {
            let why = "is the path of a file of the diff";
            return Err(Error::usage(format!("{NAME}/{at}/path: {why}")));
        }
        known.add(path, content).map_err(|fault| {
            let property = match fault {
                ContextFileFault::Path | ContextFileFault::Duplicate => "/path",
                ContextFileFault::TooLarge => "/content",
                ContextFileFault::TooMany => "",
            };
            Error::usage(format!("{NAME}/{at}{property}: {fault}"))
        })?;
    }
    Ok(RequestRepository::new(known))
}
