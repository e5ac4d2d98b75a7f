//! The cost of all rules, compared with tree-sitter's parse alone of the same text. The ratio is comparable between
//! machines. The code is generated from a few functions of each language with changing names.

mod commit;
mod languages;
mod masking;

use std::error::Error;
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use lint::scan;
use review::chunk::{Plan, Sizes, plan};
use review::{Diff, LineKind};
use syntax::parse::Limits;

use languages::{LANGUAGES, Language};

/// Bytes of added code in the large commit. Outside of `cargo bench` everything runs once, as a test.
fn large() -> usize {
    if std::env::args().any(|argument| argument == "--bench") {
        1_000_000
    } else {
        20_000
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    for language in LANGUAGES {
        measure(
            &mut criterion,
            language,
            "commit 10 kB",
            &commit::changes(language, 10_000),
        )?;
        measure(
            &mut criterion,
            language,
            "added 1 MB",
            &commit::added(language, large()),
        )?;
    }
    masking::measure(&mut criterion);
    criterion.final_summary();
    Ok(())
}

/// Scans a commit as the service does, chunk by chunk, and parses its new side.
fn measure(
    criterion: &mut Criterion,
    language: &Language,
    what: &str,
    text: &str,
) -> Result<(), Box<dyn Error>> {
    let diff = Diff::parse(text)?;
    let plan = plan(&diff, None, &Sizes::default());
    let new_side = new_side(&diff);
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&(language.grammar)())?;

    let mut group = criterion.benchmark_group(format!("{} {what}", language.name));
    group.throughput(Throughput::Bytes(u64::try_from(new_side.len())?));
    group.bench_function("all rules", |bencher| bencher.iter(|| scan_all(&plan)));
    group.bench_function("parse alone", |bencher| {
        bencher.iter(|| parser.parse(black_box(&new_side), None))
    });
    group.finish();
    Ok(())
}

/// The number of candidates, which keeps the work from being optimized away.
fn scan_all(plan: &Plan<'_>) -> usize {
    let limits = Limits::default();
    let files = plan.chunks.iter();
    files
        .map(|file| {
            scan(black_box(file), rules::built_in(), &limits)
                .candidates
                .len()
        })
        .sum()
}

fn new_side(diff: &Diff<'_>) -> String {
    let hunks = diff.files.iter().flat_map(|file| &file.hunks);
    let lines = hunks
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind != LineKind::Removed);
    lines.flat_map(|line| [line.text, "\n"]).collect()
}
