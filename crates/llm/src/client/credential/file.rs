//! A key in a file. The file is read again when it changes.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::client::header;
use crate::settings::Key;

/// Maximum bytes of the file.
const BYTES: u64 = 64 * 1024;

pub(in crate::client) struct KeyFile {
    path: PathBuf,
    read: Mutex<Read>,
}

struct Read {
    key: Key,
    /// The file's length and modification time when it was read; `None` before the first read here.
    version: Option<(u64, SystemTime)>,
}

impl KeyFile {
    /// A file that contained this key when the settings were read.
    pub(super) fn new(path: PathBuf, key: Key) -> Self {
        Self {
            path,
            read: Mutex::new(Read { key, version: None }),
        }
    }

    /// The key. If the file cannot be read or contains none, the last key is used: the file may be in the middle of a
    /// change.
    fn current(&self) -> Key {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let version = std::fs::metadata(&self.path)
            .ok()
            .and_then(|metadata| version(&metadata));
        if version.is_some() && version != read.version {
            match key_in(&self.path) {
                Some(key) => *read = Read { key, version },
                None => {
                    tracing::warn!(file = %self.path.display(), "api_key_file contains no key: the last one is used")
                }
            }
        }
        read.key.clone()
    }
}

/// The current key in the file.
pub(super) async fn current(file: &Arc<KeyFile>) -> Key {
    let here = Arc::clone(file);
    let read = tokio::task::spawn_blocking(move || here.current()).await;
    read.unwrap_or_else(|_| {
        file.read
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .key
            .clone()
    })
}

/// The version of a file. Anything else, such as a pipe, cannot be read twice.
fn version(metadata: &Metadata) -> Option<(u64, SystemTime)> {
    metadata.is_file().then_some(())?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn key_in(path: &Path) -> Option<Key> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(path)?.take(BYTES).read_to_string(&mut text)?;
        Ok(text)
    };
    let key = read().ok()?;
    let key = Key::read(&key);
    (!key.expose().is_empty() && header::value(&key).is_some()).then_some(key)
}
