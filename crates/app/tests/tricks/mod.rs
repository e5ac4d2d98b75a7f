//! A clone that makes git run programs in every possible way. Each trick leaves a file with its name.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Python with one finding of priority P2 (`python/mutable-default-argument`) on its first line.
const BAD: &str = "def add(item, basket=[]):\n    return basket + [item]\n";
/// Python without findings.
const GOOD: &str = "def add(item, basket):\n    return basket + [item]\n";

/// Folders of the clone in which commands start, each with a changed file.
pub(crate) const PLACES: [(&str, &str); 5] = [
    (".", "a.py"),
    ("bare", "main.py"),
    ("linked", "main.py"),
    ("sub", "a.py"),
    ("sub/bare", "main.py"),
];

/// The clone, and the tricks that ran.
pub(crate) struct Tricks(TempDir);

impl Tricks {
    pub(crate) fn new() -> Self {
        let tricks = Self(tempfile::tempdir().unwrap());
        for folder in ["ran", "module", "origin"] {
            fs::create_dir(tricks.path(folder)).unwrap();
        }
        for origin in ["module", "origin"] {
            tricks.git(origin, &["init", "--quiet", "--initial-branch=main"]);
            tricks.write(&format!("{origin}/a.py"), GOOD);
            tricks.embedded(&format!("{origin}/bare"), "bare");
            tricks.git(origin, &["add", "--all"]);
            tricks.git(origin, &["commit", "--quiet", "--message", "start"]);
        }
        tricks.linked("origin");
        tricks.write("origin/.gitattributes", "*.py filter=x diff=x merge=x\n");
        tricks.script("origin/git", "program");
        let module = tricks.path("module").display().to_string();
        tricks.git(
            "origin",
            &[
                "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &module, "sub",
            ],
        );
        tricks.git("origin", &["add", "--all"]);
        tricks.git("origin", &["commit", "--quiet", "--message", "tricks"]);
        let clone = [
            "-c", "protocol.file.allow=always", "clone", "--quiet", "--recurse-submodules",
            "origin", "clone",
        ];
        tricks.git(".", &clone);
        // A clone does not include these, but an archive or a shared folder does.
        for (config, what) in [
            ("clone/.git/config", "own"),
            ("clone/.git/modules/sub/config", "module"),
        ] {
            let old = fs::read_to_string(tricks.path(config)).unwrap();
            tricks.write(config, &(old + &tricks.settings(what)));
        }
        for hook in [
            "post-index-change", "fsmonitor-watchman", "pre-auto-gc", "reference-transaction",
        ] {
            tricks.script(&format!("clone/.git/hooks/{hook}"), &format!("hook-{hook}"));
        }
        // Before anything can run, the committed files are changed on disk.
        for (folder, file) in PLACES {
            tricks.write(&format!("clone/{folder}/{file}"), BAD);
        }
        tricks.write("clone/new.py", BAD);
        tricks.reset();
        tricks
    }

    /// The clone, with links resolved.
    pub(crate) fn clone_folder(&self) -> PathBuf {
        self.path("clone").canonicalize().unwrap()
    }

    /// The names of the tricks that ran.
    pub(crate) fn ran(&self) -> Vec<String> {
        let names = fs::read_dir(self.path("ran"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Deletes the record of tricks that ran.
    pub(crate) fn reset(&self) {
        for name in self.ran() {
            fs::remove_file(self.path("ran").join(name)).unwrap();
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file, such as `clone/a.py`.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn script(&self, path: &str, name: &str) {
        self.write(path, &format!("#!/bin/sh\n{}", self.trick(name)));
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs git in a folder, such as `clone`.
    pub(crate) fn git(&self, folder: &str, arguments: &[&str]) {
        let mut command = git(&self.path(folder));
        command.args([
            "-c", "user.name=A Tester", "-c", "user.email=tester@example.com", "-c",
            "commit.gpgsign=false",
        ]);
        assert!(
            command.args(arguments).status().unwrap().success(),
            "git {arguments:?}"
        );
    }

    /// A shell command that leaves a file with a name.
    fn trick(&self, name: &str) -> String {
        format!("touch '{}/{name}'; cat", self.path("ran").display())
    }

    /// All settings that start a program.
    fn settings(&self, what: &str) -> String {
        let trick = |name: &str| self.trick(&format!("{what}-{name}"));
        format!(
            "[core]\n\tfsmonitor = \"{0}; false\"\n\tpager = \"{1}\"\n\tsshCommand = \"{2}\"\n\teditor = \"{3}\"\n\
             [pager]\n\tdiff = \"{1}\"\n\tlog = \"{1}\"\n\
             [diff]\n\texternal = \"{4}\"\n\
             [diff \"x\"]\n\tcommand = \"{5}\"\n\ttextconv = \"{6}; true\"\n\
             [filter \"x\"]\n\tclean = \"{7}\"\n\tsmudge = \"{7}\"\n\trequired = true\n\
             [filter \"y=z\"]\n\tclean = \"{7}\"\n\
             [merge \"x\"]\n\tdriver = \"{8}\"\n\
             [alias]\n\tdiff = \"!{9}\"\n\trev-parse = \"!{9}\"\n\
             [hook \"x\"]\n\tcommand = \"{10}\"\n\tevent = post-index-change\n",
            trick("fsmonitor"),
            trick("pager"),
            trick("ssh"),
            trick("editor"),
            trick("external-diff"),
            trick("diff-command"),
            trick("textconv"),
            trick("filter"),
            trick("merge"),
            trick("alias"),
            trick("hook"),
        )
    }

    /// A folder of ordinary files that git accepts as a repository.
    fn embedded(&self, folder: &str, what: &str) {
        let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\thooksPath = hooks\n";
        self.write(
            &format!("{folder}/config"),
            &format!("{config}{}", self.settings(what)),
        );
        self.write(&format!("{folder}/HEAD"), "ref: refs/heads/x\n");
        for path in ["objects/keep", "refs/heads/.keep"] {
            self.write(&format!("{folder}/{path}"), "");
        }
        self.script(
            &format!("{folder}/hooks/post-index-change"),
            &format!("{what}-hook-file"),
        );
        self.write(&format!("{folder}/.gitattributes"), "* filter=x diff=x\n");
        self.write(&format!("{folder}/main.py"), GOOD);
    }

    /// A folder that git accepts as a linked working tree, with its repository in another folder of ordinary files.
    fn linked(&self, origin: &str) {
        self.embedded(&format!("{origin}/common"), "linked");
        let config = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tworktreeConfig = true\n";
        self.write(
            &format!("{origin}/common/config"),
            &format!("{config}{}", self.settings("linked")),
        );
        self.write(&format!("{origin}/linked/HEAD"), "ref: refs/heads/x\n");
        self.write(&format!("{origin}/linked/commondir"), "../common\n");
        self.write(
            &format!("{origin}/linked/config.worktree"),
            "[core]\n\tworktree = .\n",
        );
        self.write(&format!("{origin}/linked/main.py"), GOOD);
    }
}

/// Git without this machine's configuration.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
}
