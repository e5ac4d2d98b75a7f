//! Git as the tests run it.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder; it must succeed.
pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(folder);
    assert!(command.output().unwrap().status.success(), "{arguments:?}");
}
