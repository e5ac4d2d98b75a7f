//! Opens files of a checkout that may be hostile.

use std::fs::File;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Opens a file below a folder without following links, not even links in place of folders. Does not block on a pipe.
pub(super) fn open_beneath(top: &Path, path: &str) -> Option<File> {
    let down = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    // The top folder itself may be reached through a link.
    let mut folder = rustix::fs::open(
        top,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .ok()?;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        folder = rustix::fs::openat(&folder, part, down, Mode::empty()).ok()?;
    }
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    rustix::fs::openat(&folder, name, flags, Mode::empty())
        .ok()
        .map(File::from)
}
