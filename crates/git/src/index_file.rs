//! Reads the sizes of the tracked files from git's index file (gitformat-index(5), versions 2 to 4).

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use review::repository::MANY_FILES;

/// The extended flags of an entry follow (version 3 and later).
const EXTENDED: u16 = 0x4000;
/// The bits with the length of the name. If all are set, the name is at least as long.
const NAME_LENGTH: u16 = 0x0fff;
/// The position of the size in an entry, and of the object ID after it.
const SIZE: usize = 36;
const ID: usize = 40;

/// Maximum size of the index that is read, in bytes: enough for [`MANY_FILES`].
const INDEX_BYTES: u64 = 32 << 20;

/// The index of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexFile {
    pub(super) path: PathBuf,
    /// Object IDs have 32 bytes instead of 20.
    pub(super) has_long_ids: bool,
}

impl IndexFile {
    /// The tracked files; `None` if it cannot be read.
    pub(super) fn tracked(&self) -> Option<Tracked> {
        let mut index = Vec::new();
        let file = File::open(&self.path).ok()?;
        file.take(INDEX_BYTES).read_to_end(&mut index).ok()?;
        let id_bytes = if self.has_long_ids { 32 } else { 20 };
        Tracked::of(&index, id_bytes, MANY_FILES)
    }
}

/// The tracked files of a checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tracked {
    /// How many there are.
    pub(super) files: usize,
    /// Their total size by extension, in bytes.
    bytes: HashMap<String, u64>,
}

impl Tracked {
    /// The entries of an index with object IDs of this many bytes. Sizes are read only if there are at most
    /// `most_files`.
    pub(super) fn of(index: &[u8], id_bytes: usize, most_files: usize) -> Option<Self> {
        let version = index
            .strip_prefix(b"DIRC")
            .and_then(|rest| number(rest, 0))?;
        let files = usize::try_from(number(index, 8)?).ok()?;
        let mut tracked = Self {
            files,
            ..Self::default()
        };
        if files > most_files {
            return Some(tracked);
        }
        let (mut rest, mut path) = (index.get(12..)?, Vec::new());
        for _ in 0..files {
            let size = number(rest, SIZE)?;
            rest = match version {
                2 | 3 => padded(rest, id_bytes, &mut path)?,
                4 => compressed(rest, id_bytes, &mut path)?,
                _ => return None,
            };
            let name = str::from_utf8(&path).ok();
            if let Some((_, extension)) = name.and_then(|name| name.rsplit_once('.')) {
                *tracked.bytes.entry(extension.to_owned()).or_default() += u64::from(size);
            }
        }
        Some(tracked)
    }

    /// The total size of the files with these extensions, in bytes.
    pub(super) fn bytes(&self, extensions: &[&str]) -> u64 {
        extensions
            .iter()
            .filter_map(|extension| self.bytes.get(*extension))
            .sum()
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}

/// The flags of an entry, and the position after them.
fn flags(entry: &[u8], id_bytes: usize) -> Option<(u16, usize)> {
    let at = ID + id_bytes;
    let flags = u16::from_be_bytes(*entry.get(at..)?.first_chunk()?);
    let extended = if flags & EXTENDED == 0 { 0 } else { 2 };
    Some((flags, at + 2 + extended))
}

/// Reads the path of an entry whose name is padded with zeros to a multiple of eight bytes. Returns the rest.
fn padded<'a>(entry: &'a [u8], id_bytes: usize, path: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (flags, at) = flags(entry, id_bytes)?;
    let name = entry.get(at..)?;
    let length = match usize::from(flags & NAME_LENGTH) {
        length if length == usize::from(NAME_LENGTH) => name.iter().position(|byte| *byte == 0)?,
        length => length,
    };
    path.clear();
    path.extend_from_slice(name.get(..length)?);
    entry.get((at + length + 8) & !7..)
}

/// Reads the path of an entry that states how much of the end of the path before it to replace. Returns the rest.
fn compressed<'a>(entry: &'a [u8], id_bytes: usize, path: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (_, at) = flags(entry, id_bytes)?;
    let (removed, rest) = offset(entry.get(at..)?)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    path.truncate(path.len().checked_sub(removed)?);
    path.extend_from_slice(rest.get(..end)?);
    rest.get(end + 1..)
}

/// A number in the encoding of offsets in packs (gitformat-pack(5)), and the rest.
fn offset(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(5) {
        value = value << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
        value += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use proptest::prelude::*;

    use super::Tracked;

    #[test]
    fn sizes_are_summed_by_extension_in_every_version() {
        for (format, id_bytes) in [("sha1", 20), ("sha256", 32)] {
            let folder = tempfile::tempdir().unwrap();
            let git = |arguments: &[&str]| {
                let mut command = Command::new("git");
                command.args(arguments).current_dir(folder.path());
                assert!(command.output().unwrap().status.success(), "{arguments:?}");
            };
            git(&["init", "-q", "--object-format", format]);
            let long = format!("{}/{}.py", "f".repeat(200), "g".repeat(200));
            for (path, size) in [
                ("a.py", 10),
                ("a.pyi", 5),
                (&long, 7),
                ("b/c.py", 1_000),
                ("b/none", 3),
                ("b/.env", 2),
            ] {
                let path = folder.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "x".repeat(size)).unwrap();
            }
            git(&["add", "."]);
            for version in ["2", "3", "4"] {
                git(&[
                    "update-index", "--index-version", version, "--force-write-index",
                ]);
                let index = fs::read(folder.path().join(".git/index")).unwrap();
                let tracked = Tracked::of(&index, id_bytes, 6).unwrap();
                let sizes =
                    [&["py"][..], &["pyi", "env"], &["js"]].map(|wanted| tracked.bytes(wanted));
                assert_eq!(
                    (tracked.files, sizes),
                    (6, [1_017, 7, 0]),
                    "{format} {version}"
                );
                assert_eq!(Tracked::of(&index, id_bytes, 5).unwrap().bytes(&["py"]), 0);
                for end in 12..index.len() - 200 {
                    let _ = Tracked::of(&index[..end], id_bytes, 6);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_index_or_none(version in 2_u8..6, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let header = [b'D', b'I', b'R', b'C', 0, 0, 0, version, 0, 0, 0, 3];
            let _ = Tracked::of(&[&header, bytes.as_slice()].concat(), 20, 10);
        }
    }
}
