//! The service's side: starts a scene and reads its reports.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus, Stdio};

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
};

use super::inside::Scene;

const TESTS: [(&str, fn()); 6] = [
    (
        "without_a_sandbox_all_actions_succeed", without_a_sandbox_all_actions_succeed,
    ),
    (
        "a_sandboxed_worker_can_do_nothing", a_sandboxed_worker_can_do_nothing,
    ),
    (
        "a_worker_closes_inherited_descriptors", a_worker_closes_inherited_descriptors,
    ),
    (
        "landlock_works_without_the_filter", landlock_works_without_the_filter,
    ),
    (
        "without_a_filter_a_worker_runs_only_if_permitted",
        without_a_filter_a_worker_runs_only_if_permitted,
    ),
    (
        "a_crashing_parser_ends_its_sandboxed_worker",
        a_crashing_parser_ends_its_sandboxed_worker,
    ),
];

/// Runs the tests with names that contain one of the words, like the standard test runner.
pub(crate) fn run(arguments: &[String]) {
    let words: Vec<&String> = arguments
        .iter()
        .filter(|word| !word.starts_with('-'))
        .collect();
    let wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut passed = 0;
    for (name, test) in TESTS.into_iter().filter(|(name, _)| wanted(name)) {
        // A failing test ends the program.
        test();
        println!("test {name} ... ok");
        passed += 1;
    }
    println!(
        "\ntest result: ok. {passed} passed; 0 failed; 0 ignored; 0 measured; {} filtered out",
        TESTS.len() - passed
    );
}

/// The report of a scene on each action, and its exit status.
struct Played {
    reports: BTreeMap<String, String>,
    status: ExitStatus,
}

impl Played {
    /// The actions that were not refused.
    fn done(&self) -> Vec<&str> {
        self.reports
            .iter()
            .filter(|(_, outcome)| *outcome == "done")
            .map(|(what, _)| what.as_str())
            .collect()
    }

    fn refused(&self) -> Vec<&str> {
        self.reports
            .iter()
            .filter(|(_, outcome)| *outcome == "refused")
            .map(|(what, _)| what.as_str())
            .collect()
    }
}

fn command(scene: Scene, folder: &tempfile::TempDir, listener: &TcpListener) -> Command {
    std::fs::write(folder.path().join("secret"), "code of another tenant").unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .arg(scene.name())
        .arg(folder.path())
        .arg(listener.local_addr().unwrap().port().to_string());
    command
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

fn play(scene: Scene) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    // Writing to a pipe's read end would be refused anyway.
    let (stdin, _kept) = UnixStream::pair().unwrap();
    let output = command(scene, &folder, &listener)
        .stdin(OwnedFd::from(stdin))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let reports = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(what, how)| (what.into(), how.into()));
    Played {
        reports: reports.collect(),
        status: output.status,
    }
}

fn without_a_sandbox_all_actions_succeed() {
    let played = play(Scene::NoSandbox);
    assert_eq!((played.refused(), played.done().len()), (vec![], 20));
}

fn a_sandboxed_worker_can_do_nothing() {
    let played = play(Scene::Whole);
    assert_eq!(played.reports["protection"], "whole");
    assert_eq!((played.done(), played.refused().len()), (vec![], 21));
    assert!(played.status.success(), "{}", played.status);
}

fn a_worker_closes_inherited_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let (mut reader, writer) = io::pipe().unwrap();
    // A started process inherits a copy.
    let inherited = rustix::io::dup(&writer).unwrap();
    let mut worker = command(Scene::Waiting, &folder, &listener)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    drop((writer, inherited));
    let mut lines = BufReader::new(worker.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "protection: whole");
    rustix::io::ioctl_fionbio(&reader, true).unwrap();
    assert_eq!(
        reader.read(&mut [0]).unwrap(),
        0,
        "another process still holds the other end"
    );
    assert!(worker.try_wait().unwrap().is_none());
    drop(worker.stdin.take());
    assert_eq!(lines.next().unwrap().unwrap(), "read: 0");
    assert!(worker.wait().unwrap().success());
}

fn landlock_works_without_the_filter() {
    let hard = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    if hard
        .handle_access(AccessFs::from_all(ABI::V6))
        .and_then(Ruleset::create)
        .is_err()
    {
        eprintln!("SKIPPED: a kernel with Landlock");
        return;
    }
    let played = play(Scene::Prepared);
    for what in [
        "open a file", "create a file", "list the root", "connect", "listen", "signal the parent",
    ] {
        assert_eq!(played.reports[what], "refused", "{what}");
    }
}

fn without_a_filter_a_worker_runs_only_if_permitted() {
    let refused = play(Scene::Demanded);
    assert!(
        refused.reports["protection"].contains("workers.sandbox"),
        "{:?}",
        refused.reports
    );
    assert_eq!(refused.done().len(), 0);
    let played = play(Scene::NoFilter);
    assert_eq!(played.reports["protection"], "no filter");
    for what in [
        "open a file", "connect", "make sockets", "make a pipe", "open where standard input was",
        "take 1 GiB",
    ] {
        assert_eq!(played.reports[what], "refused", "{what}");
    }
}

fn a_crashing_parser_ends_its_sandboxed_worker() {
    for scene in [Scene::Abort, Scene::Overflow] {
        let played = play(scene);
        assert_eq!(played.reports.keys().collect::<Vec<_>>(), ["protection"]);
        assert!(
            played.status.signal().is_some(),
            "{scene:?} {}",
            played.status
        );
    }
}
