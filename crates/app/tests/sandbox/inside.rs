//! The worker's side: enters the sandbox, tries everything, and reports the refused actions on stdout.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, parent_id};
use std::path::Path;
use std::process::{Command, id};
use std::thread;

use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;
use worker::sandbox::{self, Demand, Limits, Protection};

/// The sandbox of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    /// None: shows that the actions would work without a sandbox.
    NoSandbox,
    /// The layers before the first thread, mainly Landlock.
    Prepared,
    /// All layers.
    Whole,
    /// All layers, on a system that cannot filter system calls, with a required filter.
    Demanded,
    /// The same, but the filter is not required.
    NoFilter,
    /// All layers, before the first job.
    Waiting,
    /// All layers, and the parser aborts.
    Abort,
    /// All layers, and the parser overflows its stack.
    Overflow,
}

const SCENES: [(&str, Scene); 8] = [
    ("scene:no-protection", Scene::NoSandbox),
    ("scene:prepared", Scene::Prepared),
    ("scene:whole", Scene::Whole),
    ("scene:demanded", Scene::Demanded),
    ("scene:no-filter", Scene::NoFilter),
    ("scene:waiting", Scene::Waiting),
    ("scene:abort", Scene::Abort),
    ("scene:overflow", Scene::Overflow),
];

impl Scene {
    pub(crate) fn named(name: &str) -> Option<Self> {
        SCENES
            .into_iter()
            .find_map(|(known, scene)| (known == name).then_some(scene))
    }

    pub(crate) fn name(self) -> &'static str {
        SCENES
            .into_iter()
            .find_map(|(name, scene)| (scene == self).then_some(name))
            .unwrap()
    }
}

/// `arguments`: the scene, a folder with the file `secret`, and a port with a listener.
pub(crate) fn play(scene: Scene, arguments: &[String]) {
    let [_, folder, port] = arguments else { return };
    let (folder, port) = (folder.clone(), port.parse().unwrap());
    if matches!(scene, Scene::Demanded | Scene::NoFilter) {
        refuse_filters();
    }
    if scene != Scene::NoSandbox {
        sandbox::prepare().unwrap();
    }
    let worker = thread::spawn(move || {
        if build(scene) {
            match scene {
                Scene::Waiting => print_line(
                    "read",
                    &io::stdin()
                        .read_to_end(&mut Vec::new())
                        .unwrap()
                        .to_string(),
                ),
                Scene::Abort => std::process::abort(),
                Scene::Overflow => print_line("depth", &overflow_stack(0).to_string()),
                _ => try_all(scene, Path::new(&folder), port),
            }
        }
    });
    worker.join().unwrap();
}

/// Applies the last layers. Returns whether there are actions to try.
fn build(scene: Scene) -> bool {
    let demand = if scene == Scene::NoFilter {
        Demand::BestEffort
    } else {
        Demand::Required
    };
    if matches!(scene, Scene::NoSandbox | Scene::Prepared) {
        return true;
    }
    match sandbox::enter(
        &Limits {
            memory_bytes: 384 << 20,
            cpu_seconds: 20,
        },
        demand,
    ) {
        Ok(protection) => {
            print_line(
                "protection",
                if protection == Protection::Full {
                    "whole"
                } else {
                    "no filter"
                },
            );
            true
        }
        Err(error) => {
            print_line("protection", &error.to_string());
            false
        }
    }
}

/// Simulates a container with a profile that prevents filtering system calls.
fn refuse_filters() {
    use nix::libc::{EPERM, SYS_seccomp};
    use seccompiler::{SeccompAction, SeccompFilter};
    let refused = SeccompAction::Errno(EPERM.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(
        [(SYS_seccomp, vec![])].into(),
        SeccompAction::Allow,
        refused,
        arch,
    )
    .unwrap();
    seccompiler::apply_filter(&seccompiler::BpfProgram::try_from(filter).unwrap()).unwrap();
}

/// The last actions prevent any further ones.
fn try_all(scene: Scene, folder: &Path, port: u16) {
    let parent = parent_id();
    report("open a file", &File::open(folder.join("secret")));
    report("create a file", &File::create(folder.join("made")));
    report("list the root", &fs::read_dir("/"));
    report("look at a file", &fs::metadata(folder.join("secret")));
    report("change the folder", &std::env::set_current_dir(folder));
    report("connect", &TcpStream::connect(("127.0.0.1", port)));
    report("listen", &TcpListener::bind(("127.0.0.1", 0)));
    report("make sockets", &UnixStream::pair());
    report("make a pipe", &io::pipe());
    report(
        "open the parent's memory",
        &File::open(format!("/proc/{parent}/mem")),
    );
    report("open its own map", &File::open("/proc/self/maps"));
    report("start a process", &Command::new("/bin/true").status());
    report(
        "start a thread",
        &thread::Builder::new()
            .spawn(|| ())
            .map(thread::JoinHandle::join),
    );
    report(
        "signal the parent",
        &nix::sys::signal::kill(Pid::from_raw(parent.cast_signed()), None),
    );
    report("read a process's memory", &read_memory());
    report(
        "write to another descriptor",
        &nix::unistd::write(io::stdin().as_fd(), b"x"),
    );
    report("take 1 GiB", &Vec::<u8>::new().try_reserve_exact(1 << 30));
    report("set a limit", &set_limit());
    let _may_be_refused = nix::unistd::close(0);
    report(
        "open where standard input was",
        &File::open(folder.join("secret")),
    );
    // A traced process stops at exec.
    if scene == Scene::Whole {
        report("be traced", &nix::sys::ptrace::traceme());
    }
    let replaced: io::Result<()> = Err(Command::new("/bin/echo")
        .arg("become another program: done")
        .exec());
    report("become another program", &replaced);
}

/// Its own memory, which no rule between processes protects.
fn read_memory() -> nix::Result<usize> {
    let there = [7u8; 8];
    let mut here = [0u8; 8];
    let remote = RemoteIoVec {
        base: there.as_ptr() as usize,
        len: there.len(),
    };
    let own = Pid::from_raw(id().cast_signed());
    process_vm_readv(own, &mut [io::IoSliceMut::new(&mut here)], &[remote])
}

/// To the current value, which is permitted wherever the call is.
fn set_limit() -> rustix::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    )
}

fn overflow_stack(depth: u64) -> u64 {
    let page = std::hint::black_box([depth; 512]);
    if depth == u64::MAX {
        depth
    } else {
        overflow_stack(depth + 1) + page.len() as u64
    }
}

fn report<T, E>(what: &str, tried: &Result<T, E>) {
    print_line(what, if tried.is_ok() { "done" } else { "refused" });
}

fn print_line(what: &str, outcome: &str) {
    // Flushed, because another program may replace this one.
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{what}: {outcome}").unwrap();
    stdout.flush().unwrap();
}
