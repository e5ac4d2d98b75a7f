//! Parsing speed. Throughput should be about the same for the small and the large diff: the parser is linear.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use review::Diff;

const WORDS: &[&str] = &[
    "total", "order", "request", "value", "index", "result", "handler", "buffer", "customer",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("Diff::parse");
    for (name, bytes) in [("10 kB", 10_000), ("1 MB", 1_000_000)] {
        let text = many_files(bytes);
        let files = Diff::parse(&text)?.files.len();
        group.throughput(Throughput::Bytes(u64::try_from(text.len())?));
        group.bench_function(format!("{name}, {files} files"), |bencher| {
            bencher.iter(|| Diff::parse(black_box(&text)).map(|diff| diff.files.len()));
        });
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

/// Changed files, each with a few hunks of context, removed and added lines, up to the given size.
fn many_files(bytes: usize) -> String {
    let mut diff = String::with_capacity(bytes + 4096);
    for file in 0.. {
        if diff.len() >= bytes {
            break;
        }
        let path = format!("src/part{}/file{file}.rs", file % 7);
        let _ = write!(
            diff,
            "diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n--- a/{path}\n+++ b/{path}\n"
        );
        for hunk in 0..=file % 5 {
            add_hunk(&mut diff, file, hunk);
        }
    }
    diff
}

fn add_hunk(diff: &mut String, file: usize, hunk: usize) {
    let (removed, added) = ((file + hunk) % 6, (file * 3 + hunk) % 20 + 1);
    let start = 100 * hunk + 10;
    let _ = writeln!(
        diff,
        "@@ -{start},{} +{start},{} @@ fn part{hunk}()",
        6 + removed,
        6 + added
    );
    add_lines(diff, ' ', 3, file);
    add_lines(diff, '-', removed, file + 1);
    add_lines(diff, '+', added, file + 2);
    add_lines(diff, ' ', 3, file + 3);
}

fn add_lines(diff: &mut String, sign: char, count: usize, seed: usize) {
    let word = |number: usize| WORDS.get(number % WORDS.len()).copied().unwrap_or_default();
    for line in seed..seed + count {
        let _ = writeln!(
            diff,
            "{sign}    let {}_{line} = {}.{}({line});",
            word(line),
            word(line + 4),
            word(line + 7)
        );
    }
}
