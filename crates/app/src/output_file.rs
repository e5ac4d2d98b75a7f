//! Writes files that the user names, and the program's own.
//!
//! Files are replaced atomically. The path may be in the checkout of a pull request, which can contain symbolic links.
//! They are not followed, because they could point to any file of the user.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use git::discovery;
use tempfile::NamedTempFile;

/// Permissions of a new file, before the umask is applied.
pub(crate) const SHARED: u32 = 0o666;
/// Permissions of a new file that only its owner may read.
pub(crate) const PRIVATE: u32 = 0o600;

/// Writes a file, replacing one of that name. Pipes, devices and open files (`/dev/stdout`) are written to directly.
///
/// # Errors
/// The file cannot be written, or its path leads through a link of a checkout. The message is one line with the file,
/// the reason and what to do.
pub(crate) fn write(file: &Path, content: &[u8]) -> Result<(), String> {
    let write = |place: &Path| match fs::symlink_metadata(place) {
        Ok(known) if known.is_dir() => Err("it is a folder; name a file".to_owned()),
        Ok(known) if !known.is_file() => send(place, content).map_err(|error| error.to_string()),
        _ => replace(place, content).map_err(|error| explain(file, &error)),
    };
    locate(file)
        .and_then(|place| write(&place))
        .map_err(|reason| unwritable(file, reason))
}

/// Creates a folder and its parents, unless they exist.
///
/// # Errors
/// The folder cannot be created, or its path leads through a link of a checkout. The message is one line with the
/// folder, the reason and what to do.
pub(crate) fn create_folder(folder: &Path) -> Result<(), String> {
    let create = |place: PathBuf| fs::create_dir_all(place).map_err(|error| error.to_string());
    let failed = |reason| format!("cannot create the folder {}: {reason}", folder.display());
    follow(folder, false).and_then(create).map_err(failed)
}

/// Appends to a file of the CI system, such as GitHub's step summary.
///
/// # Errors
/// The file cannot be written. The message is one line with the file and the reason.
pub(crate) fn append(file: &Path, text: &str) -> Result<(), String> {
    let open = OpenOptions::new().append(true).create(true).open(file);
    open.and_then(|mut open| open.write_all(text.as_bytes()))
        .map_err(|error| unwritable(file, error))
}

/// Replaces a file atomically. If it is a link, the link itself is replaced, not its target.
///
/// # Errors
/// The folder does not exist or is read-only, or the disk is full.
pub(crate) fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    stage(file, content, SHARED)?.persist(file)?;
    Ok(())
}

/// Writes the new content of a file to a temporary file in the same folder, for the caller to persist.
///
/// # Errors
/// As [`replace`].
pub(crate) fn stage(file: &Path, content: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut staged = tempfile::Builder::new()
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    staged.write_all(content)?;
    Ok(staged)
}

/// The absolute path of a file in its resolved folder, without links that must not be followed.
///
/// # Errors
/// There is such a link in the path. The message names it and says what to do.
pub(crate) fn locate(file: &Path) -> Result<PathBuf, String> {
    follow(file, true)
}

fn follow(path: &Path, is_file: bool) -> Result<PathBuf, String> {
    let here = std::env::current_dir()
        .map_err(|error| format!("the current folder is unknown: {error}"))?;
    let mut place = here.clone();
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let name = match part {
            Component::Normal(name) => name,
            Component::ParentDir => {
                place.pop();
                continue;
            }
            Component::RootDir => {
                place = PathBuf::from("/");
                continue;
            }
            Component::CurDir | Component::Prefix(_) => continue,
        };
        let next = place.join(name);
        let is_last = is_file && parts.peek().is_none();
        place = if !next.is_symlink() || (is_last && has_open_files(&place)) {
            next
        } else if is_last {
            return Err("it is a symbolic link, which is not followed; remove the link or name another file".to_owned());
        } else if is_of_checkout(&place, &here) {
            let link = next.strip_prefix(&here).unwrap_or(&next).display();
            return Err(format!(
                "{link} is a symbolic link in a checkout, which is not followed; remove the link or name the folder it \
                 leads to"
            ));
        } else {
            fs::canonicalize(&next).map_err(|error| format!("{}: {error}", next.display()))?
        };
    }
    Ok(place)
}

/// Whether a folder has the kernel's links to open files: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`.
fn has_open_files(folder: &Path) -> bool {
    folder == Path::new("/dev") || (folder.starts_with("/proc") && folder.ends_with("fd"))
}

/// Whether the content of a folder may come from a pull request: it is part of a git checkout, or of the current
/// folder, which may be a checkout with its `.git` elsewhere.
fn is_of_checkout(folder: &Path, here: &Path) -> bool {
    let is_below = here.parent().is_some() && folder.starts_with(here);
    is_below || discovery::checkout(folder).is_some()
}

/// Writes to something other than a regular file. A closed pipe is not an error.
fn send(place: &Path, content: &[u8]) -> io::Result<()> {
    let open = OpenOptions::new().append(true).open(place);
    match open.and_then(|mut open| open.write_all(content)) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn explain(file: &Path, error: &io::Error) -> String {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    match error.kind() {
        ErrorKind::NotFound => format!(
            "the folder {} does not exist; create it first",
            folder.display()
        ),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            format!(
                "the folder {} is not writable ({error}); name a file in another folder",
                folder.display()
            )
        }
        _ => error.to_string(),
    }
}

fn unwritable(file: &Path, reason: impl std::fmt::Display) -> String {
    format!("cannot write {}: {reason}", file.display())
}

#[cfg(test)]
mod tests;
