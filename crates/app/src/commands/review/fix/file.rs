//! Reads and replaces a file of the checkout.

use std::fs;
use std::io;
use std::path::Path;

use crate::output_file::{PRIVATE, stage};

/// The content of a file that may be changed.
///
/// # Errors
/// It may not be changed or cannot be read. The message says why.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("cannot read the file: {error}");
    let metadata = fs::symlink_metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    if metadata.permissions().readonly() {
        return Err("the file is read-only".to_owned());
    }
    fs::read(path).map_err(unreadable)
}

/// Replaces a file atomically and keeps its permissions.
///
/// # Errors
/// It cannot be written, or no longer has the old content.
pub(super) fn replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let staged = stage(path, new, PRIVATE)?;
    staged.as_file().sync_all()?;
    fs::set_permissions(staged.path(), fs::metadata(path)?.permissions())?;
    if fs::read(path)? != old {
        return Err(io::Error::other(
            "the file was changed in the meantime; run hunkwise again",
        ));
    }
    staged.persist(path)?;
    Ok(())
}

/// The change as a patch that `git apply` accepts.
///
/// # Errors
/// The content is not UTF-8.
pub(super) fn patch(path: &str, old: &[u8], new: &[u8]) -> Result<String, String> {
    let mut options = diffy::DiffOptions::new();
    options.set_original_filename(format!("a/{path}"));
    options.set_modified_filename(format!("b/{path}"));
    let text = |content| {
        str::from_utf8(content).map_err(|_| "a patch of it would not be UTF-8".to_owned())
    };
    // As bytes, because diffy garbles non-ASCII letters in a quoted name if the patch is text.
    let patch = options.create_patch(text(old)?, text(new)?).to_bytes();
    String::from_utf8(patch).map_err(|_| "a patch of it would not be UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::{patch, read, replace};

    #[test]
    fn a_file_keeps_its_permissions_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.sh");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        replace(&path, b"old", b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o755
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_was_changed_in_the_meantime_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        fs::write(&path, "theirs").unwrap();
        let error = replace(&path, b"old", b"new").unwrap_err();
        assert!(
            error.to_string().contains("changed in the meantime"),
            "{error}"
        );
        assert_eq!(
            (
                fs::read(&path).unwrap(),
                fs::read_dir(folder.path()).unwrap().count()
            ),
            (b"theirs".to_vec(), 1)
        );
    }

    #[test]
    fn only_regular_writable_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.py"), folder.path().join("link.py"));
        fs::write(&file, "x").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(read(&file).unwrap(), b"x");
        assert!(read(&link).unwrap_err().contains("not a regular file"));
        assert!(
            read(folder.path())
                .unwrap_err()
                .contains("not a regular file")
        );
        assert!(
            read(&folder.path().join("none"))
                .unwrap_err()
                .contains("cannot read")
        );
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(read(&file).unwrap_err().contains("read-only"));
    }

    #[test]
    fn a_patch_names_the_file_on_both_sides() {
        let text = patch("src/a.py", b"a\nb\n", b"a\nc\n").unwrap();
        assert_eq!(
            text,
            "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
        );
        assert!(
            patch("größe \"a\".py", b"a\n", b"b\n")
                .unwrap()
                .contains("+++ \"b/größe \\\"a\\\".py\"\n")
        );
        assert!(patch("a", b"\xff\na\n", b"\xff\nb\n").is_err());
    }
}
