//! Startup latency of `hunkwise review --staged`, the time that a pre-commit hook adds, compared with `git diff
//! --staged` (which it includes) and with a process that does nothing. The staged change adds a function at each end of
//! two files of 200 lines.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use criterion::Criterion;

const HUNKWISE: &str = env!("CARGO_BIN_EXE_hunkwise");
const AUTHOR: [&str; 4] = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

fn main() -> Result<(), Box<dyn Error>> {
    let repository = repository()?;
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("staged");
    let cases: [(&str, &str, &[&str]); 3] = [
        ("git diff", "git", &["diff", "--staged"]),
        ("nothing", HUNKWISE, &["--version"]),
        (
            "hunkwise review",
            HUNKWISE,
            &["review", "--staged", "--format", "agent"],
        ),
    ];
    for (name, program, arguments) in cases {
        let run = || run(program, arguments, repository.path());
        run()?;
        group.bench_function(name, |bencher| bencher.iter(|| black_box(run().is_ok())));
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{program} {arguments:?}: {output:?}").into())
    }
}

/// A repository with a staged change.
fn repository() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let write = |text: &str| {
        ["a.py", "b.py"]
            .iter()
            .try_for_each(|name| std::fs::write(folder.path().join(name), text))
    };
    let git = |arguments: &[&str]| run("git", arguments, folder.path());
    let mut text = String::from("import json\n\n");
    for number in 0..66 {
        write!(
            text,
            "def read_{number}(text):\n    return json.loads(text)\n\n"
        )?;
    }
    git(&["init", "--quiet"])?;
    write(&text)?;
    git(&["add", "."])?;
    git(&[&AUTHOR[..], &["commit", "--quiet", "--message", "a"]].concat())?;
    let added = "def merge(old, new):\n    result = dict(old)\n    result.update(new)\n    return result\n\n";
    write(&format!("{added}{text}{added}"))?;
    git(&["add", "."])?;
    Ok(folder)
}
