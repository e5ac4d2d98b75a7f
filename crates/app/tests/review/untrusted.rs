//! Repositories that try to make git run their programs, and partial clones that git would complete.

use std::process::Stdio;

use crate::support::{BAD, Folder, GOOD, finish, found, search_path};
use crate::tricks::{PLACES, Tricks};

/// The commands that start git.
const COMMANDS: &[&[&str]] = &[
    &["review"],
    &["review", "--no-untracked"],
    &["review", "--staged"],
    &["review", "--base", "HEAD"],
    &["review", "--commit", "HEAD"],
    &["review", "HEAD~1..HEAD"],
    &["review", "HEAD~1...HEAD"],
    &["review", "--", "a.py", "main.py"],
    &["review", "--fix", "--diff"],
    &["rules", "list"],
    &["config", "check"],
    &["baseline", "prune", "baseline.json"],
    &["install-hook"],
];

/// Runs git as a user would, in a folder of the clone; it may fail.
fn plain_git(tricks: &Tricks, folder: &str, arguments: &[&str]) {
    let outside = Folder::new();
    let mut command = outside.command_of("git");
    command
        .args(arguments)
        .current_dir(tricks.clone_folder().join(folder))
        .env_remove("GIT_CEILING_DIRECTORIES");
    finish(command.stdin(Stdio::null()));
}

#[test]
fn plain_git_runs_programs_named_in_the_repository() {
    // Otherwise the tests below would prove nothing.
    let tricks = Tricks::new();
    plain_git(&tricks, ".", &["diff"]);
    let ran = tricks.ran();
    for name in ["own-diff-command", "own-filter", "own-fsmonitor"] {
        assert!(
            ran.iter().any(|ran| ran == name),
            "{name} is not in {ran:?}"
        );
    }
    for (folder, what) in [("bare", "bare"), ("linked", "linked"), ("sub/bare", "bare")] {
        tricks.reset();
        plain_git(&tricks, folder, &["diff"]);
        plain_git(&tricks, folder, &["ls-files", "--others"]);
        let ran = tricks.ran();
        assert!(
            ran.contains(&format!("{what}-fsmonitor")),
            "{folder}: {ran:?}"
        );
    }
    tricks.reset();
    plain_git(&tricks, ".", &["diff", "--no-ext-diff", "--submodule=diff"]);
    assert!(
        tricks.ran().iter().any(|name| name == "module-filter"),
        "{:?}",
        tricks.ran()
    );
}

#[test]
fn no_command_runs_programs_named_in_the_repository() {
    let tricks = Tricks::new();
    let outside = Folder::new();
    for (folder, _) in PLACES {
        for arguments in COMMANDS {
            // An empty entry in the search path would find a `git` in the repository.
            let mut command = outside.command();
            command
                .args(*arguments)
                .current_dir(tricks.clone_folder().join(folder))
                .stdin(Stdio::null());
            command
                .env_remove("GIT_CEILING_DIRECTORIES")
                .env("PATH", format!(":{}", search_path()));
            let run = finish(&mut command);
            assert_eq!(
                tricks.ran(),
                Vec::<String>::new(),
                "{folder}: {arguments:?}: {run:?}"
            );
            if matches!(folder, "bare" | "linked" | "sub/bare") && arguments[0] == "review" {
                assert_eq!(run.status, 2, "{folder}: {arguments:?}: {run:?}");
                assert!(
                    run.stderr.contains("looks like a bare git repository"),
                    "{folder}: {run:?}"
                );
            }
        }
    }
    let mut command = outside.command();
    command
        .args(["review", "--format", "json"])
        .current_dir(tricks.clone_folder())
        .env_remove("GIT_CEILING_DIRECTORIES");
    assert_eq!(
        finish(&mut command).findings(),
        found(&["a.py:1", "bare/main.py:1", "linked/main.py:1", "new.py:1"])
    );
}

#[test]
fn a_search_of_other_files_runs_no_programs_named_in_the_repository() {
    let tricks = Tricks::new();
    let outside = Folder::new();
    let other = "def load_other():\n    return 2\n";
    let both = format!("def load_total():\n    return 1\n\n\n{other}");
    tricks.write("clone/lib.py", &both);
    tricks.write(
        "clone/use.py",
        "from lib import load_total\n\nprint(load_total())\n",
    );
    let commit = |message: &str| {
        tricks.git("clone", &["add", "lib.py", "use.py"]);
        tricks.git("clone", &["commit", "--quiet", "--message", message]);
    };
    commit("one");
    tricks.write("clone/lib.py", other);
    let check = |arguments: &[&str]| {
        tricks.reset();
        let mut command = outside.command();
        command
            .args(arguments)
            .current_dir(tricks.clone_folder())
            .env_remove("GIT_CEILING_DIRECTORIES");
        let run = finish(command.stdin(Stdio::null()));
        assert_eq!(tricks.ran(), Vec::<String>::new(), "{arguments:?}: {run:?}");
        // The search took place.
        assert!(run.stdout.contains("load_total"), "{arguments:?}: {run:?}");
    };
    check(&["review"]);
    tricks.git("clone", &["add", "lib.py"]);
    check(&["review", "--staged"]);
    commit("two");
    check(&["review", "--commit", "HEAD"]);
}

#[test]
fn a_filter_of_the_user_runs_and_one_of_the_repository_does_not() {
    let folder = Folder::repository(&[("a.py", GOOD), (".gitattributes", "*.py filter=basket\n")]);
    folder.write("a.py", BAD);
    let user = Folder::new();
    let clean = "sed s/basket=.../basket/";
    let config = user.write(
        "config",
        format!("[filter \"basket\"]\n\tclean = {clean}\n"),
    );
    let run = finish(
        folder
            .command()
            .args(["review", "--format", "json"])
            .env("GIT_CONFIG_GLOBAL", &config),
    );
    assert_eq!(run.findings(), Vec::<String>::new(), "{run:?}");
    folder.git(&["config", "filter.basket.clean", clean]);
    assert_eq!(folder.review(&[]).findings(), found(&["a.py:1"]));
}

#[test]
fn nothing_is_fetched_for_a_partial_clone_and_the_command_for_it_is_named() {
    let origin = Folder::repository(&[("a.py", GOOD)]);
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    origin.write("a.py", BAD);
    origin.commit("bad");
    let folder = Folder::new();
    let url = format!("file://{}", origin.path().display());
    folder.git(&["clone", "--quiet", "--filter=blob:none", &url, "."]);
    let marker = folder.path().join("ran");
    let program = format!("ext::touch {}", marker.display());
    for (name, value) in [
        ("remote.origin.url", program.as_str()),
        ("protocol.ext.allow", "always"),
    ] {
        folder.git(&["config", name, value]);
    }
    let run = folder.review(&["--commit", "HEAD"]);
    assert_eq!(run.status, 2, "{run:?}");
    let (_, rest) = run.stderr.split_once("run `git ").unwrap();
    let (command, _) = rest.split_once('`').unwrap();
    assert!(!marker.exists());
    folder.git(&["config", "remote.origin.url", &url]);
    folder.git(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(
        folder.review(&["--commit", "HEAD"]).findings(),
        found(&["a.py:1"])
    );
}
