//! Measures CPU time and memory of a program and all its descendants.
//!
//! The kernel reports the use of terminated children after they are waited for. So each run has its own measuring process
//! (`cargo xtask measured`), which also adopts the program's orphans and therefore counts its workers.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process_group, wait, waitid,
};
use serde::{Deserialize, Serialize};

use crate::run::{self, Result};

/// Interval of the checks for the program's end.
const TICK: Duration = Duration::from_millis(10);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program's standard input.
    #[arg(long)]
    stdin: PathBuf,
    /// The program's standard output.
    #[arg(long)]
    stdout: PathBuf,
    #[arg(long)]
    stderr: PathBuf,
    /// Kill it after this many seconds.
    #[arg(long)]
    seconds: u64,
    program: PathBuf,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// The cost of one run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Cost {
    /// `None` if it was killed.
    pub(super) status: Option<i32>,
    /// CPU seconds of the program and all its descendants.
    pub(super) cpu: f64,
    /// CPU seconds of the program alone.
    pub(super) own: f64,
    /// Peak memory of any one of these processes, in bytes.
    pub(super) memory: u64,
    /// It was killed because of the timeout.
    pub(super) late: bool,
}

/// Runs a program within a measuring process.
pub(super) fn measure(
    program: &Path,
    words: &[&str],
    files: [&Path; 3],
    seconds: u64,
) -> std::result::Result<Cost, String> {
    let failed = |what: &dyn std::fmt::Display| format!("measuring {}: {what}", program.display());
    let mut command = Command::new(std::env::current_exe().map_err(|error| failed(&error))?);
    command.arg("measured");
    for (option, path) in ["--stdin", "--stdout", "--stderr"].into_iter().zip(files) {
        command.arg(option).arg(path);
    }
    command
        .arg("--seconds")
        .arg(seconds.to_string())
        .arg(program)
        .arg("--")
        .args(words);
    // The program's own timeout per file would hide the cost and, on a busy machine, make it random.
    command.env("HUNKWISE_WORKERS__FILE_TIMEOUT_SECONDS", "600");
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(&error))?;
    serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))
}

/// The measuring process: writes a [`Cost`] as JSON.
pub(crate) fn measured(args: &Args) -> Result {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    adopt_orphans()?;
    let mut child = Command::new(&args.program)
        .args(&args.words)
        .stdin(File::open(&args.stdin).map_err(|error| text(&error))?)
        .stdout(File::create(&args.stdout).map_err(|error| text(&error))?)
        .stderr(File::create(&args.stderr).map_err(|error| text(&error))?)
        // Its workers are in its process group and are killed with it.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("{}: {error}", args.program.display()))?;
    let group = i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .ok_or("a process without a number")?;
    let late = !ends_within(group, Duration::from_secs(args.seconds))?;
    if late {
        kill_process_group(group, Signal::KILL).map_err(|error| text(&error))?;
    }
    ends_within(group, Duration::from_secs(60))?;
    let own = own_seconds(group);
    let status = child.wait().map_err(|error| text(&error))?;
    // The remaining processes end by themselves: a worker exits when its input is closed.
    while wait(WaitOptions::empty()).is_ok() {}
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| text(&error))?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let cpu = seconds(usage.user_time()) + seconds(usage.system_time());
    let memory = u64::try_from(usage.max_rss()).unwrap_or(0) * MEMORY_UNIT;
    let cost = Cost {
        status: status.code(),
        cpu,
        own,
        memory,
        late,
    };
    run::print(&serde_json::to_string(&cost).map_err(|error| text(&error))?)
}

/// The unit in which the system reports resident memory.
const MEMORY_UNIT: u64 = if cfg!(target_os = "macos") { 1 } else { 1024 };

#[cfg(target_os = "linux")]
fn adopt_orphans() -> Result {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() -> Result {
    Ok(())
}

/// Whether the process ends within this time. It is not reaped, so that its use can still be read.
fn ends_within(pid: Pid, time: Duration) -> std::result::Result<bool, String> {
    let start = Instant::now();
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        if waitid(WaitId::Pid(pid), options)
            .map_err(|error| error.to_string())?
            .is_some()
        {
            return Ok(true);
        }
        if start.elapsed() > time {
            return Ok(false);
        }
        std::thread::sleep(TICK);
    }
}

/// CPU seconds of a terminated process without its children; 0 where the system does not report them.
fn own_seconds(pid: Pid) -> f64 {
    let stat =
        std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    // The program's name is in parentheses and can contain anything.
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks = |index: usize| {
        fields
            .get(index)
            .and_then(|field| field.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (ticks(11) + ticks(12)) / rustix::param::clock_ticks_per_second() as f64
}
