//! Reads the change that the arguments name.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use git::{Change, Git, GitError};
use server::Limits;

use super::task::{Checkout, FileContext, Source};
use crate::analysis::input::{
    Input, OVERSIZE_FACTOR, decode, diff_of_file, of_checkout, of_checkout_with_untracked,
};
use crate::out;
use crate::outcome::Error;
use crate::project::skips::Skips;

/// Reads the change from a file, stdin or the checkout.
///
/// # Errors
/// The change cannot be read, or is far too large.
pub(super) fn read(
    (source, context): (&Source, Option<FileContext>),
    git: &Result<Git, GitError>,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let input = read_source(source, git, skips, limits)?;
    let is_diff = matches!(source, Source::Stdin | Source::File(_));
    Ok(match context {
        Some(FileContext::Hunks) => input.of_hunks(),
        Some(FileContext::File) if is_diff => input.of_whole_files(),
        Some(FileContext::Repository) if is_diff => {
            return Err(Error::usage(
                "--context repository: a diff from a file or stdin has no repository; leave it out",
            ));
        }
        None if is_diff => input.of_hunks_as_shown(),
        Some(FileContext::Repository | FileContext::File) | None => input,
    })
}

fn read_source(
    source: &Source,
    git: &Result<Git, GitError>,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let most = limits.diff_bytes.saturating_mul(OVERSIZE_FACTOR);
    let (name, bytes) = match source {
        Source::Stdin => (
            "stdin".to_owned(),
            read_from("stdin", io::stdin().lock(), most)?,
        ),
        Source::File(file) => (file.display().to_string(), read_file(file, most)?),
        Source::Code(file) => return of_code(file, limits),
        Source::Checkout(checkout) => return read_checkout(checkout, git, skips, limits),
    };
    Input::of(name, bytes, limits)
}

fn read_file(file: &Path, most: usize) -> Result<Vec<u8>, Error> {
    let name = file.display().to_string();
    let open =
        File::open(file).map_err(|error| Error::usage(format!("cannot read {name}: {error}")))?;
    read_from(&name, open, most)
}

fn read_from(name: &str, source: impl Read, most: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = source.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::usage(format!("cannot read {name}: {error}")))?;
    if bytes.len() > most {
        return Err(Error::usage(format!(
            "{name}: larger than {most} bytes: review it in parts"
        )));
    }
    Ok(bytes)
}

fn read_checkout(
    Checkout {
        change,
        paths,
        untracked,
    }: &Checkout,
    git: &Result<Git, GitError>,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let git = git.as_ref().map_err(Clone::clone)?;
    let below = git.below(paths)?;
    let input = if *untracked {
        of_checkout_with_untracked(&below, change, skips, limits)?
    } else {
        of_checkout(&below, change, skips, limits)?
    };
    match paths.as_slice() {
        [file] if *change == Change::Uncommitted && input.is_unchanged() && is_file(file) => {
            whole_file(git, file, skips, limits)
        }
        _ => Ok(input),
    }
}

/// A file without changes, or one that git ignores. The user named it, so it is reviewed whole.
fn whole_file(git: &Git, file: &Path, skips: &Skips<'_>, limits: &Limits) -> Result<Input, Error> {
    let git = git.below(&[file.to_owned()])?;
    let untracked = git.untracked_or_ignored()?;
    let git = if untracked.count() == 0 {
        git
    } else {
        git.and_untracked(&untracked)?
    };
    let input = of_checkout(&git, &Change::Whole, skips, limits)?;
    if !input.is_unchanged() {
        out::note(&format!(
            "note: {} has no uncommitted change, so the whole file was reviewed",
            file.display()
        ));
    }
    Ok(input)
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file())
}

/// A file outside of a checkout, reviewed as if all of its lines were added.
fn of_code(file: &Path, limits: &Limits) -> Result<Input, Error> {
    let name = file.display().to_string();
    let bytes = read_file(file, limits.diff_bytes)?;
    let path = path_in_diff(file)
        .ok_or_else(|| Error::usage(format!("{name}: the name of the file is not plain text")))?;
    let (text, warnings) = decode(bytes);
    if text.is_empty() {
        return Input::of(name, Vec::new(), limits);
    }
    let mut input = Input::of(name, diff_of_file(&path, None, &text).into_bytes(), limits)?;
    input.warnings = warnings;
    Ok(input.of_whole_files())
}

/// The path of a file in a diff: relative to the current folder, or only its name.
fn path_in_diff(file: &Path) -> Option<String> {
    let file = file.strip_prefix(".").unwrap_or(file);
    let is_below = file
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = if is_below {
        file.to_str()
    } else {
        file.file_name()?.to_str()
    }?;
    (!path.contains(|c: char| c.is_control() || c == '"' || c == '\\')).then(|| path.to_owned())
}
