//! The installation steps of the GitHub Action, started in the checkout of a hostile pull request.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::{integration, top};
use crate::support::{Folder, Run, finish};

/// A fake of rustup's cargo: records its folder, honours the `rust-toolchain.toml` of that folder or a parent, and
/// "builds" the program.
const CARGO: &str = r#"#!/bin/bash
echo "$PWD" >> "$RECORD"
folder=$PWD
while [ "$folder" != / ]; do
  if [ -e "$folder/rust-toolchain.toml" ]; then
    exec "$(sed -n 's/^path = "\(.*\)"/\1/p' "$folder/rust-toolchain.toml")/bin/cargo" "$@"
  fi
  folder=$(dirname "$folder")
done
while [ "$1" != --root ]; do shift; done
mkdir -p "$2/bin"
echo built > "$2/bin/hunkwise"
chmod +x "$2/bin/hunkwise"
"#;

/// A runner with cargo, and a checkout with files that run code if they are used.
struct Runner {
    folder: Folder,
}

fn program(folder: &Folder, path: &str, text: &str) {
    fs::set_permissions(folder.write(path, text), fs::Permissions::from_mode(0o755)).unwrap();
}

impl Runner {
    fn new() -> Self {
        let folder = Folder::new();
        program(&folder, "tools/cargo", CARGO);
        fs::create_dir(folder.path().join("temp")).unwrap();
        let toolchain = folder.path().join("checkout/toolchain");
        folder.write(
            "checkout/rust-toolchain.toml",
            format!("[toolchain]\npath = \"{}\"\n", toolchain.display()),
        );
        folder.write(
            "checkout/.cargo/config.toml", "[build]\nrustc-wrapper = \"./cargo\"\n",
        );
        let hostile = format!(
            "#!/bin/sh\ntouch '{}'\n",
            folder.path().join("ran").display()
        );
        let places = [
            "checkout", "checkout/node_modules/.bin", "checkout/toolchain/bin",
        ];
        for name in [
            "cargo", "rustup", "hunkwise", "git", "sed", "find", "sort", "tar", "curl", "cut",
            "mkdir",
        ] {
            places
                .iter()
                .for_each(|place| program(&folder, &format!("{place}/{name}"), &hostile));
        }
        Self { folder }
    }

    /// Runs a step of the action as GitHub does, with a relative folder on the path.
    fn step(&self, name: &str, inputs: &[(&str, &str)]) -> Run {
        let text = integration("github/action.yml");
        let step = text
            .split("    - name: ")
            .find(|step| step.lines().next() == Some(name))
            .unwrap();
        let script = step.split_once("      run: |\n").unwrap().1;
        let at = |path: &str| self.folder.path().join(path);
        let mut command = self.folder.command_of("/bin/bash");
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
            .current_dir(at("checkout"));
        command.env(
            "PATH",
            format!("node_modules/.bin:{}:/usr/bin:/bin", at("tools").display()),
        );
        command.env("GITHUB_ACTION_PATH", top().join("integrations/github"));
        command
            .env("RUNNER_TEMP", at("temp"))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64");
        command
            .env("GITHUB_OUTPUT", at("output"))
            .env("GITHUB_PATH", at("path"))
            .env("RECORD", at("record"));
        command
            .envs([("ARCHIVE", ""), ("ARCHIVE_SHA256", "")])
            .envs(inputs.iter().copied());
        let run = finish(&mut command);
        assert!(
            !at("ran").exists(),
            "{name}: code of the pull request ran: {run:?}"
        );
        run
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap_or_default()
    }
}

#[test]
fn the_action_builds_in_its_own_folder_and_runs_no_code_of_the_pull_request() {
    let runner = Runner::new();
    for _ in 0..2 {
        assert_eq!(runner.step("Look for hunkwise", &[]).status, 0);
    }
    let outputs = runner.read("output");
    let lines: Vec<&str> = outputs.lines().collect();
    let prefix = format!("key=hunkwise-{}-Linux-X64-", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (lines.len(), &lines[..2]),
        (4, &lines[2..]),
        "the key depends on the sources and the platform only"
    );
    let hash = lines[0].strip_prefix(&prefix).unwrap();
    assert!(hash.len() == 40 && lines[1] == "from=sources", "{outputs}");
    assert_eq!(runner.step("Install hunkwise", &[]).status, 0);
    assert_eq!(Path::new(runner.read("record").trim()), top());
    assert_eq!(runner.read("temp/hunkwise/bin/hunkwise"), "built\n");
    assert_eq!(
        runner.read("path"),
        format!(
            "{}\n",
            runner.folder.path().join("temp/hunkwise/bin").display()
        )
    );
}

#[test]
fn the_action_does_not_compile_if_the_program_is_cached_or_on_the_path() {
    let runner = Runner::new();
    program(&runner.folder, "temp/hunkwise/bin/hunkwise", "cached");
    assert_eq!(runner.step("Install hunkwise", &[]).status, 0);
    assert_eq!(
        (
            runner.read("temp/hunkwise/bin/hunkwise").as_str(),
            runner.read("record").as_str()
        ),
        ("cached", "")
    );
    assert!(runner.read("path").ends_with("/temp/hunkwise/bin\n"));
    program(&runner.folder, "tools/hunkwise", "");
    assert_eq!(
        runner
            .step("Look for hunkwise", &[("ARCHIVE", "/x")])
            .status,
        0
    );
    assert_eq!(runner.read("output"), "from=path\n");
}

#[test]
fn the_action_installs_an_archive_with_the_right_checksum() {
    let runner = Runner::new();
    runner
        .folder
        .write("release/hunkwise-0.1.0-target/hunkwise", "packaged");
    let tar = [
        "-czf", "release.tar.gz", "-C", "release", "hunkwise-0.1.0-target",
    ];
    assert_eq!(finish(runner.folder.command_of("tar").args(tar)).status, 0);
    let sum = finish(runner.folder.command_of("sha256sum").arg("release.tar.gz")).stdout;
    let archive = runner.folder.path().join("release.tar.gz");
    let (archive, sum) = (archive.to_str().unwrap(), sum.split(' ').next().unwrap());
    let wrong = "0".repeat(64);
    for (archive, sum, wanted) in [
        (archive, "", "the input 'archive' needs 'archive-sha256'"),
        (archive, &wrong, "correct the input 'archive-sha256'"),
        (
            "release.tar.gz",
            sum,
            "expected an https address or an absolute path, not 'release.tar.gz'",
        ),
        (
            "http://127.0.0.1/release.tar.gz", sum, "expected an https address",
        ),
    ] {
        let run = runner.step(
            "Install hunkwise",
            &[("ARCHIVE", archive), ("ARCHIVE_SHA256", sum)],
        );
        assert_eq!(
            (run.status, run.stderr.contains(wanted)),
            (2, true),
            "{run:?}"
        );
        assert_eq!(
            (
                runner.read("path"),
                runner.read("temp/hunkwise/bin/hunkwise")
            ),
            (String::new(), String::new())
        );
    }
    let inputs = [("ARCHIVE", archive), ("ARCHIVE_SHA256", sum)];
    assert_eq!(runner.step("Look for hunkwise", &inputs).status, 0);
    assert_eq!(runner.read("output"), "from=archive\n");
    assert_eq!(runner.step("Install hunkwise", &inputs).status, 0);
    assert_eq!(runner.read("temp/hunkwise/bin/hunkwise"), "packaged");
    assert_eq!(runner.read("record"), "", "nothing is compiled");
}
