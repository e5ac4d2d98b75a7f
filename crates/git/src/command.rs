//! Builds every git process. None of them may start a program named in the repository under review.
//!
//! These are git's ways to start a program, from `git help config`, `git help attributes` and `git help git`, and why
//! none is left in the commands that we use (`cat-file`, `check-attr`, `check-ignore`, `config`, `diff`, `diff-files`,
//! `diff-index`, `grep`, `hash-object`, `ls-files`, `ls-tree`, `merge-base`, `remote`, `rev-list`, `rev-parse`, `update-index` and `version`):
//!
//! | setting, attribute or variable | why it starts nothing |
//! |---|---|
//! | the configuration of a bare repository that is an ordinary folder of a checkout | `super::discovery` and
//! `safe.bareRepository` refuse it |
//! | `core.fsmonitor` | overridden |
//! | `core.hooksPath`, hooks in `$GIT_DIR/hooks` | overridden |
//! | `hook.*.command` | each is disabled if an index may be written ([`harmless`]) |
//! | `filter.*.clean`, `filter.*.process` | those of the repository's own configuration are emptied if the working tree
//! is read ([`harmless`]); those of the user or the system, such as Git LFS, are the user's programs and run |
//! | `filter.*.smudge`, `merge.*.driver`, `mergetool.*`, `difftool.*`, `rebase.*`, `sequence.editor` | no command of
//! ours checks out or merges |
//! | `diff.external`, `diff.*.command`, `GIT_EXTERNAL_DIFF` | `--no-ext-diff` |
//! | `diff.*.textconv` | `--no-textconv` |
//! | `core.pager`, `pager.*`, `GIT_PAGER` | `--no-pager` |
//! | `core.editor`, `core.askPass`, `gpg.program`, `gpg.*.program`, `trailer.*`, `interactive.diffFilter`,
//! `log.showSignature` | no command of ours edits, asks, signs or verifies |
//! | `alias.*` | never looked up for git's own commands |
//! | transports: `core.sshCommand`, `core.gitProxy`, `core.alternateRefsCommand`, `credential.*.helper`,
//! `remote.*.uploadpack`, `remote.*.vcs`, `url.*.insteadOf`, `uploadpack.packObjectsHook`, `ext::` | nothing is
//! fetched, not even the missing objects of a partial clone: `GIT_NO_LAZY_FETCH` and, before git 2.45,
//! `GIT_ALLOW_PROTOCOL` |
//! | submodules: `submodule.*.update`, and the settings above in a submodule | `--ignore-submodules=dirty`: git does
//! not read them |
//! | `gc.*`, `maintenance.*`, `gc.recentObjectsHook`, `init.templateDir` | no command of ours does maintenance or
//! creates a repository |
//! | a `git` in the folder under review | the search path has only absolute folders |

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::environment::Environment;

/// Settings that override all configuration files. The setting for hooks is added last: see [`Hooks`].
const OVERRIDES: &[&str] = &[
    "safe.bareRepository=explicit",
    // Git before 2.36 would take `false` as the name of a program.
    "core.fsmonitor=", "diff.suppressBlankEmpty=false",
    // Git before 2.28 has neither this setting nor an option to disable it.
    "diff.relative=false",
];

/// An empty environment variable, used as the value of a setting with `--config-env`: git takes it as no program, or as
/// `false`.
const EMPTY: &str = "HUNKWISE_EMPTY";

/// Whether git may see the folder of the checkout's hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hooks {
    /// Git finds no hooks, and so runs none.
    Hidden,
    /// Git can report the folder. Only for commands that run no hooks.
    Shown,
}

/// A git process that starts in a folder, with an empty stdin.
pub(super) fn command(folder: &Path, hooks: Hooks) -> Command {
    let environment = Environment::of_process();
    let mut command = Command::new(&environment.program);
    command.current_dir(folder).arg("--no-pager");
    let hidden = (hooks == Hooks::Hidden).then_some("core.hooksPath=/dev/null");
    for setting in OVERRIDES.iter().copied().chain(hidden) {
        command.args(["-c", setting]);
    }
    for name in &environment.dropped {
        command.env_remove(name);
    }
    if let Some(path) = &environment.path {
        command.env("PATH", path);
    }
    command
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "")
        .env(EMPTY, "");
    // Reading must not take locks that the user's own git would wait for. Messages are compared, so they must be in
    // English.
    command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Arguments of git that disable the programs named in a repository: its own filters, and all hooks in settings.
/// `listed` is the output of [`PROGRAMS`].
pub(super) fn harmless(listed: &[u8]) -> Vec<OsString> {
    let mut fields = listed.split(|byte| *byte == 0);
    let (mut arguments, mut seen) = (Vec::new(), HashSet::new());
    while let (Some(scope), Some(key)) = (fields.next(), fields.next()) {
        let Some(end) = key.iter().rposition(|byte| *byte == b'.') else {
            continue;
        };
        let settings: &[&str] = match scope {
            _ if key.starts_with(b"hook.") => &["enabled"],
            b"local" | b"worktree" => &["clean", "process", "required"],
            _ => continue,
        };
        for setting in settings {
            let name = [&key[..end], b".", setting.as_bytes(), b"="].concat();
            if !seen.insert(name.clone()) {
                continue;
            }
            // Git ends a name after `-c` at the first equals sign. Before 2.31 there is no alternative.
            if key[..end].contains(&b'=') {
                arguments.push(OsString::from_vec(
                    [b"--config-env=", &*name, EMPTY.as_bytes()].concat(),
                ));
            } else {
                arguments.extend(["-c".into(), OsString::from_vec(name)]);
            }
        }
    }
    arguments
}

/// Lists the settings that name a filter or a hook, each with its origin.
pub(super) const PROGRAMS: [&str; 6] = [
    "config", "--show-scope", "--name-only", "-z", "--get-regexp", NAMES,
];

/// The names of these settings.
const NAMES: &str = r"^(filter|hook)\.";

/// Lists them for one scope, without origins.
pub(super) fn programs_of(scope: &'static str) -> [&'static str; 7] {
    [
        "config", scope, "--includes", "--name-only", "-z", "--get-regexp", NAMES,
    ]
}

/// The arguments as the operating system takes them.
pub(super) fn all(arguments: &[OsString]) -> impl Iterator<Item = &OsStr> {
    arguments.iter().map(OsString::as_os_str)
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn filters_of_the_repository_and_all_hooks_are_disabled_once() {
        let listed = b"local\0filter.a=b.clean\0worktree\0filter.a=b.process\0global\0filter.lfs.clean\0system\0hook.x.command\0";
        assert_eq!(
            harmless(listed),
            [
                "--config-env=filter.a=b.clean=HUNKWISE_EMPTY",
                "--config-env=filter.a=b.process=HUNKWISE_EMPTY",
                "--config-env=filter.a=b.required=HUNKWISE_EMPTY",
                "-c",
                "hook.x.enabled=",
            ]
        );
        assert_eq!(
            harmless(b"local\0filter.lfs.clean\0"),
            [
                "-c", "filter.lfs.clean=", "-c", "filter.lfs.process=", "-c",
                "filter.lfs.required="
            ]
        );
        assert!(harmless(b"").is_empty());
    }
}
