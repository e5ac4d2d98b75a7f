//! The part of the environment that git processes get.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The part of the environment that our git processes may see. It is global rather than a parameter, because it is the
/// same for all git processes.
#[derive(Debug)]
pub(super) struct Environment {
    /// Variables of git that our processes must not have: they name programs, trace to files or change the format of a
    /// diff.
    pub(super) dropped: Vec<OsString>,
    /// The search path, without folders that are relative to the current one.
    pub(super) path: Option<OsString>,
    /// The git program. With its path, the system starts it without copying this process.
    pub(super) program: PathBuf,
    /// Whether `GIT_DIR` names the repository, so that git does not search for it.
    pub(super) names_repository: bool,
    /// Whether `GIT_WORK_TREE` names the working tree.
    pub(super) names_work_tree: bool,
}

/// Variables of git that locate the repository and the user's configuration. `git` itself sets some for its hooks.
const GIT_VARIABLES: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_QUARANTINE_PATH",
    // With this variable git trusts no repository, so it can only refuse more.
    "GIT_TEST_ASSUME_DIFFERENT_OWNER", "GIT_WORK_TREE",
];

impl Environment {
    /// The environment of this process, read once.
    #[expect(
        clippy::disallowed_methods,
        reason = "only this module reads the environment"
    )]
    pub(super) fn of_process() -> &'static Self {
        static READ: OnceLock<Environment> = OnceLock::new();
        READ.get_or_init(|| Self::new(std::env::vars_os()))
    }

    fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut found = Self {
            dropped: Vec::new(),
            path: None,
            program: "git".into(),
            names_repository: false,
            names_work_tree: false,
        };
        for (name, value) in variables {
            let text = name.to_string_lossy();
            if text == "PATH" {
                let absolute = std::env::split_paths(&value).filter(|folder| folder.is_absolute());
                // An empty search path would mean the current folder; without a search path the system uses its
                // default.
                match std::env::join_paths(absolute) {
                    Ok(path) if !path.is_empty() => {
                        found.program = program(&path).unwrap_or(found.program);
                        found.path = Some(path);
                    }
                    _ => found.dropped.push(name),
                }
            } else if text == "GIT_DIR" {
                found.names_repository = true;
            } else if text == "GIT_WORK_TREE" {
                found.names_work_tree = true;
            } else if text.starts_with("GIT_")
                && !text.starts_with("GIT_CONFIG")
                && !GIT_VARIABLES.contains(&text.as_ref())
            {
                found.dropped.push(name);
            }
        }
        found
    }
}

/// The first git program in a search path.
fn program(path: &OsStr) -> Option<PathBuf> {
    let is_program = |file: &Path| {
        fs::metadata(file)
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(path)
        .map(|folder| folder.join("git"))
        .find(|file| is_program(file))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::{Environment, program};

    #[test]
    fn git_gets_locations_but_no_programs() {
        let variables = [
            ("GIT_DIR", ".git"),
            ("GIT_INDEX_FILE", "index"),
            ("GIT_CONFIG_COUNT", "0"),
            ("GIT_EXTERNAL_DIFF", "rm"),
            ("GIT_DIFF_OPTS", "-u0"),
            ("GIT_TRACE", "/tmp/trace"),
            ("PATH", ":/bin:here:/usr/bin:."),
            ("GITHUB_TOKEN", "x"),
        ];
        let found = Environment::new(variables.map(|(name, value)| (name.into(), value.into())));
        assert_eq!(
            found.dropped,
            ["GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_TRACE"]
        );
        assert_eq!(
            (found.path, found.names_repository),
            (Some("/bin:/usr/bin".into()), true)
        );
        let found = Environment::new([("PATH".into(), ".:".into())]);
        assert_eq!(
            (found.dropped, found.path, found.names_repository),
            (vec!["PATH".into()], None, false)
        );
    }

    #[test]
    fn the_program_is_the_first_executable_file_of_that_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let path = std::env::join_paths(["no", "folder", "text", "one", "two"].map(at)).unwrap();
        assert_eq!(program(&path), None);
        fs::create_dir_all(at("folder/git")).unwrap();
        for (name, mode) in [("text", 0o644), ("one", 0o755), ("two", 0o755)] {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("git"), "").unwrap();
            fs::set_permissions(at(name).join("git"), Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!(program(&path), Some(at("one/git")));
    }
}
