//! The worker processes of a review: their sandbox and their end.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{BAD, Folder, added, ended};

/// Files that keep workers busy until a test has observed them: large and many, but otherwise ordinary.
fn slow() -> String {
    let text: String = (0..6_000)
        .map(|n| format!("int value_{n}(int a) {{ return a + {n}; }}\n"))
        .collect();
    (0..16)
        .map(|n| added(&format!("slow{n}.cpp"), &text))
        .collect()
}

/// Starts a review of a diff.
fn start(folder: &Folder, diff: String) -> Child {
    let file = fs::File::open(folder.write("change.diff", diff)).unwrap();
    let mut command = folder.command();
    command
        .args(["review", "-", "--format", "json"])
        .stdin(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn a_killed_worker_affects_only_the_file_that_it_was_parsing() {
    let folder = Folder::new();
    let mut review = start(&folder, slow() + &added("later.py", BAD));
    kill(busy_worker(&mut review));
    let run = ended(review);
    assert_eq!(
        run.findings(),
        ["later.py:1 python/mutable-default-argument"]
    );
    let warnings = run.warnings();
    let lost: Vec<&String> = warnings
        .iter()
        .filter(|w| w.starts_with("FILE_SKIPPED_PARSER_FAILED slow"))
        .collect();
    assert_eq!(lost.len(), 1, "{warnings:?}");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn the_limits_of_a_worker_are_set() {
    let folder = Folder::new();
    let mut review = start(&folder, slow());
    let worker = busy_worker(&mut review);
    let limits = fs::read_to_string(format!("/proc/{worker}/limits")).unwrap();
    let hard = |name: &str| {
        let line = limits
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    for (name, most) in [
        ("Max core file size", "0"),
        ("Max file size", "0"),
        ("Max processes", "0"),
        ("Max open files", "0"),
        ("Max address space", "402653184"),
    ] {
        assert_eq!(hard(name), most, "{limits}");
    }
    kill(review.id());
    assert_eq!(ended(review).status, -1);
}

#[test]
fn the_workers_of_a_review_are_fully_sandboxed() {
    let folder = Folder::new();
    let mut review = start(&folder, slow());
    let worker = busy_worker(&mut review);
    let threads: Vec<String> = fs::read_dir(format!("/proc/{worker}/task"))
        .unwrap()
        .map(|thread| fs::read_to_string(thread.unwrap().path().join("status")).unwrap())
        .collect();
    assert_eq!(threads.len(), 2, "{threads:?}");
    for status in threads {
        for wall in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
            assert!(status.lines().any(|line| line == wall), "{wall} {status}");
        }
    }
    // The system shows these only to root, because the worker cannot be inspected.
    if let Ok(open) = fs::read_dir(format!("/proc/{worker}/fd")) {
        let mut open: Vec<_> = open.map(|entry| entry.unwrap().file_name()).collect();
        open.sort();
        assert_eq!(open, ["0", "1"]);
        assert_eq!(
            fs::read_link(format!("/proc/{worker}/cwd"))
                .unwrap()
                .to_str(),
            Some("/")
        );
        let environment = fs::read_to_string(format!("/proc/{worker}/environ")).unwrap();
        // The allocator splits its settings in place.
        let settings = environment.strip_prefix("GLIBC_TUNABLES=").unwrap();
        let mut settings = settings.split_terminator(['\0', ':']);
        assert!(
            settings.all(|setting| setting.starts_with("glibc.malloc.")),
            "{environment}"
        );
    }
    kill(review.id());
    assert_eq!(ended(review).status, -1);
}

#[test]
fn workers_end_with_their_parent() {
    let folder = Folder::new();
    let mut review = start(&folder, slow());
    let worker = busy_worker(&mut review);
    kill(review.id());
    assert_eq!(ended(review).status, -1);
    let give_up = Instant::now() + Duration::from_secs(60);
    while runs(worker) {
        assert!(Instant::now() < give_up, "the worker outlived its parent");
        std::thread::yield_now();
    }
}

#[test]
fn a_worker_ends_with_its_input_and_rejects_invalid_jobs() {
    let folder = Folder::new();
    for (input, status) in [
        (&b""[..], 0),
        (b"\x03\0\0\0abc", 3),
        (b"\xff\xff\xff\xff", 3),
        (b"\x09\0\0\0abc", 3),
    ] {
        let mut command = folder.command();
        command
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut worker = command.spawn().unwrap();
        worker.stdin.take().unwrap().write_all(input).unwrap();
        let mut greeting = Vec::new();
        worker
            .stdout
            .take()
            .unwrap()
            .read_to_end(&mut greeting)
            .unwrap();
        assert!(
            greeting.windows(15).any(|text| text == b"hunkwise worker"),
            "{greeting:?}"
        );
        assert_eq!(worker.wait().unwrap().code(), Some(status), "{input:?}");
    }
}

#[test]
fn an_interrupt_ends_the_review_and_its_workers() {
    let folder = Folder::new();
    let mut review = start(&folder, slow());
    let worker = busy_worker(&mut review);
    send(review.id(), rustix::process::Signal::INT);
    let run = ended(review);
    assert_eq!(
        (run.status, run.stdout.as_str(), run.stderr.as_str()),
        (130, "", "error: interrupted\n")
    );
    assert!(!runs(worker), "the worker is gone with the review");
}

/// A worker of this process that has been parsing for a while.
fn busy_worker(parent: &mut Child) -> u32 {
    let give_up = Instant::now() + Duration::from_secs(60);
    while Instant::now() < give_up && parent.try_wait().unwrap().is_none() {
        let busy = children(parent.id())
            .into_iter()
            .find(|id| ticks(*id).is_some_and(|ticks| ticks >= 10));
        if let Some(id) = busy {
            return id;
        }
        std::thread::yield_now();
    }
    panic!("no worker was ever busy");
}

/// The child processes of a process.
pub(crate) fn children(id: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{id}/task")) else {
        return Vec::new();
    };
    let lists = tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Processor time of a process, in hundredths of a second.
fn ticks(id: u32) -> Option<u64> {
    stat(id)?.get(11)?.parse().ok()
}

/// Whether the process exists and is not a zombie.
fn runs(id: u32) -> bool {
    stat(id).is_some_and(|fields| fields.first().is_some_and(|state| state != "Z"))
}

/// The fields of `/proc/…/stat` after the name.
fn stat(id: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    Some(
        stat.rsplit(')')
            .next()?
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    )
}

fn kill(id: u32) {
    send(id, rustix::process::Signal::KILL);
}

fn send(id: u32, signal: rustix::process::Signal) {
    let process = rustix::process::Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
    rustix::process::kill_process(process, signal).unwrap();
}
