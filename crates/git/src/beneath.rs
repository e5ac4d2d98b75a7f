//! Opens files of a checkout that may be hostile.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Opens a file below a folder without following links, not even links in place of folders. Does not block on a pipe.
pub(super) fn open_beneath(top: &Path, path: &str) -> Option<File> {
    Folders::below(top)?.open(path)
}

/// A folder, and the folders below it that contain the file opened last: the next file is often in the same ones.
#[derive(Debug)]
pub(super) struct Folders {
    top: OwnedFd,
    open: Vec<(String, OwnedFd)>,
}

impl Folders {
    /// Opens a folder, which may itself be reached through a link.
    pub(super) fn below(top: &Path) -> Option<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Some(Self {
            top: rustix::fs::open(top, flags, Mode::empty()).ok()?,
            open: Vec::new(),
        })
    }

    /// As [`open_beneath`].
    pub(super) fn open(&mut self, path: &str) -> Option<File> {
        let down = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parts: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).collect();
        let open = self.open.iter().zip(&parts);
        let shared = open.take_while(|((name, _), part)| name == *part).count();
        self.open.truncate(shared);
        for part in parts.into_iter().skip(shared) {
            let folder = rustix::fs::openat(self.last(), part, down, Mode::empty()).ok()?;
            self.open.push((part.to_owned(), folder));
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        rustix::fs::openat(self.last(), name, flags, Mode::empty())
            .ok()
            .map(File::from)
    }

    fn last(&self) -> &OwnedFd {
        self.open.last().map_or(&self.top, |(_, folder)| folder)
    }
}
