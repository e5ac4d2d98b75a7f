//! Measures how well the hunks of the corpora can be parsed without the rest of their files, and at what cost.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use lint::testing::{Reading, readings};
use review::chunk::{Sizes, plan};
use review::{Chunk, ChunkHunk, Diff, LineKind, Side, Status};
use rustix::time::{ClockId, clock_gettime};

use super::corpus::{self, Kind};
use crate::run::{self, Result};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the corpora, or single files in it. Only changes of real projects count.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only hunks of this language, by Linguist's name.
    #[arg(long)]
    language: Option<String>,
    /// Instead, count files whose whole text is in the diff, and how many of them have a syntax error. Since the code
    /// compiles, each is a gap in its grammar: `syntax_errors` in the `lint` crate is based on these counts.
    #[arg(long, conflicts_with_all = ["longest"])]
    whole: bool,
    /// Also show this many of the sides with the worst results.
    #[arg(long, default_value_t = 0)]
    worst: usize,
    /// Also show this many of the sides that took the most attempts.
    #[arg(long, default_value_t = 0, conflicts_with = "worst")]
    longest: usize,
}

/// The results of one side.
#[derive(Default)]
struct Sides {
    count: usize,
    clean: usize,
    bytes: usize,
    error_bytes: usize,
    tries: usize,
}

/// The results of one language.
#[derive(Default)]
struct Row {
    new: Sides,
    old: Sides,
    microseconds: f64,
}

/// A side with a bad result, to be shown.
struct Bad {
    reading: Reading,
    place: String,
    text: String,
}

impl Sides {
    fn add(&mut self, reading: &Reading) {
        self.count += 1;
        self.clean += usize::from(reading.clean);
        self.bytes += reading.bytes;
        self.error_bytes += reading.error_bytes;
        self.tries += reading.tries;
    }
}

pub(crate) fn run(args: &Args) -> Result {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut bad = Vec::new();
    for item in corpus::read(&args.paths)?
        .iter()
        .filter(|item| matches!(item.kind, Kind::Bugs | Kind::Clean))
    {
        let diff = match Diff::parse(&item.diff) {
            Ok(diff) => diff,
            Err(error) => {
                run::say(&format!("not parsed: {}: {error}", item.id));
                continue;
            }
        };
        let plan = plan(&diff, None, &Sizes::default());
        for file in plan.chunks.iter() {
            read_file(file, args, &item.id, &mut rows, &mut bad);
        }
    }
    let badness = |reading: &Reading| {
        if args.worst > 0 {
            reading.error_bytes
        } else {
            reading.tries
        }
    };
    bad.sort_by_key(|bad| std::cmp::Reverse(badness(&bad.reading)));
    bad.truncate(args.worst.max(args.longest));
    run::print(&(table(&rows) + &gallery(&bad)))
}

fn read_file(
    file: &Chunk<'_>,
    args: &Args,
    item: &str,
    rows: &mut BTreeMap<String, Row>,
    bad: &mut Vec<Bad>,
) {
    let language = file
        .language
        .map(review::Language::name)
        .unwrap_or_default();
    let is_whole = matches!(file.status, Status::Added | Status::Removed);
    if is_whole != args.whole
        || args
            .language
            .as_ref()
            .is_some_and(|wanted| wanted != language)
    {
        return;
    }
    for hunk in &file.hunks {
        let part = Chunk {
            hunks: vec![hunk.clone()],
            ..file.clone()
        };
        let start = cpu_microseconds();
        let read = readings(&part, &syntax::parse::Limits::default());
        let microseconds = cpu_microseconds() - start;
        if read.is_empty() {
            continue;
        }
        let row = rows.entry(language.to_owned()).or_default();
        row.microseconds += microseconds;
        for reading in read {
            let sides = if reading.side == Side::New {
                &mut row.new
            } else {
                &mut row.old
            };
            sides.add(&reading);
            if (!reading.clean && args.worst > 0) || (reading.tries > 1 && args.longest > 0) {
                let place = format!("{item} {} @@ {}", file.path, hunk.heading);
                bad.push(Bad {
                    text: side_text(hunk, reading.side),
                    reading,
                    place,
                });
            }
        }
    }
}

/// Processor time of this thread, which depends little on the load of the machine.
fn cpu_microseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

fn side_text(hunk: &ChunkHunk<'_>, side: Side) -> String {
    let other = if side == Side::New {
        LineKind::Removed
    } else {
        LineKind::Added
    };
    let lines = hunk.lines.iter().filter(|line| line.kind != other);
    lines.flat_map(|line| ["    ", line.text, "\n"]).collect()
}

fn table(rows: &BTreeMap<String, Row>) -> String {
    let mut out = format!(
        "{:12} {:>6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>6} {:>10}\n",
        "hunks of",
        "hunks",
        "KB",
        "clean new",
        "clean old",
        "error new",
        "error old",
        "tries",
        "µs a KB"
    );
    let mut total = Row::default();
    for (language, row) in rows {
        line(&mut out, language, row);
        total.new.merge(&row.new);
        total.old.merge(&row.old);
        total.microseconds += row.microseconds;
    }
    line(&mut out, "TOTAL", &total);
    out
}

impl Sides {
    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.clean += other.clean;
        self.bytes += other.bytes;
        self.error_bytes += other.error_bytes;
        self.tries += other.tries;
    }
}

fn line(out: &mut String, name: &str, row: &Row) {
    let (new, old) = (&row.new, &row.old);
    let bytes = new.bytes + old.bytes;
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{name:12} {:>6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>6.2} {:>10.0}",
        new.count.max(old.count),
        bytes / 1024,
        percent(new.clean, new.count),
        percent(old.clean, old.count),
        percent(new.error_bytes, new.bytes),
        percent(old.error_bytes, old.bytes),
        (new.tries + old.tries) as f64 / (new.count + old.count).max(1) as f64,
        row.microseconds * 1024.0 / bytes.max(1) as f64,
    );
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        "-".to_owned()
    } else {
        format!("{:.2} %", 100.0 * part as f64 / whole as f64)
    }
}

fn gallery(bad: &[Bad]) -> String {
    let mut out = String::new();
    for Bad {
        reading,
        place,
        text,
    } in bad
    {
        let Reading {
            side,
            bytes,
            error_bytes,
            tries,
            context: (before, after),
            ..
        } = reading;
        let _ = writeln!(
            out,
            "\n{place}\n{side:?}: {error_bytes} of {bytes} bytes in {tries} tries"
        );
        let _ = write!(out, "<<<< {before:?}\n{text}>>>> {after:?}\n");
    }
    out
}
