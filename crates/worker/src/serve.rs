//! The other side of the pool: the rule engine in a process of its own.
//!
//! It sends a greeting, then answers each frame on stdin with a frame on stdout, and ends when stdin is closed. Before
//! that it drops all privileges that it does not need, because its input may be hostile.

use std::io;
use std::thread;

use impact::{Question, Surrounding};
use lint::custom::{self, RuleFile};
use review::{Warning, WarningCode};

use crate::frame;
use crate::job::{Job, ReceivedJob};
use crate::sandbox::{self, Demand, Limits, Protection};

/// The stack size of the parsing thread: the same on all systems, whatever the default.
const STACK_BYTES: usize = 32 * 1024 * 1024;

/// The kind of jobs that a worker runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jobs {
    /// Reviews files with the built-in rules, and searches the texts of requests.
    Review,
    /// Reviews files with the built-in rules and the custom rules in the first frame.
    ReviewWithCustomRules,
    /// Parses files of custom rules, and runs these on their examples if the job asks for it.
    InspectRules,
}

/// Makes this process a worker, which serves until stdin ends. Must be called before the process starts a thread.
///
/// # Errors
/// The system refuses a part of the sandbox, a frame is invalid, or a pipe fails.
pub fn serve(jobs: Jobs, limits: Limits, demand: Demand) -> io::Result<()> {
    sandbox::prepare()?;
    let worker = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || serve_sandboxed(jobs, &limits, demand))?;
    worker
        .join()
        .unwrap_or_else(|_panic| Err(io::Error::other("the worker failed")))
}

fn serve_sandboxed(jobs: Jobs, limits: &Limits, demand: Demand) -> io::Result<()> {
    let greeting = match sandbox::enter(limits, demand) {
        Ok(Protection::Full) => frame::GREETING,
        Ok(Protection::NoFilter) => frame::UNFILTERED_GREETING,
        Err(error) => {
            greet((frame::REFUSAL, &error.to_string()))?;
            return Err(error);
        }
    };
    let custom = match jobs {
        Jobs::Review => None,
        Jobs::ReviewWithCustomRules => Some(custom_rules()?),
        Jobs::InspectRules => {
            greet(greeting)?;
            return answer_all(limits, inspect);
        }
    };
    let rules = custom.as_ref().unwrap_or_else(|| rules::built_in());
    let bounds = syntax::parse::Limits::default();
    greet(greeting)?;
    answer_all(limits, |payload| {
        let job: Option<(u64, ReceivedJob<'_>)> = frame::decode(payload);
        match job.ok_or(io::ErrorKind::InvalidData)? {
            (number, Job::Scan(file)) => {
                answer(number, &file.path, lint::scan(&file, rules, &bounds))
            }
            (number, Job::Ask(question)) => answer_question(number, &question, &bounds),
            (number, Job::Query(query)) => {
                frame::encode(&(number, query.answer()), frame::ANSWER_BYTES)
            }
        }
    })
}

/// Sends the greeting, or the reason for not serving.
fn greet(words: (&str, &str)) -> io::Result<()> {
    write(
        &mut io::stdout().lock(),
        &frame::encode(&words, frame::GREETING_BYTES)?,
    )
}

/// Answers each frame with another.
fn answer_all(limits: &Limits, answer: impl Fn(&[u8]) -> io::Result<Vec<u8>>) -> io::Result<()> {
    let mut stdin = io::stdin().lock();
    let mut stdout = io::stdout().lock();
    while let Some(payload) = frame::read_blocking(&mut stdin, frame::REQUEST_BYTES)? {
        limits.renew_cpu()?;
        write(&mut stdout, &answer(&payload)?)?;
    }
    Ok(())
}

/// The built-in rules and those in the first frame, which were checked before.
fn custom_rules() -> io::Result<lint::RuleSet> {
    let payload = frame::read_blocking(&mut io::stdin().lock(), frame::REQUEST_BYTES)?;
    let files: Vec<RuleFile> = payload
        .as_deref()
        .and_then(frame::decode)
        .ok_or(io::ErrorKind::InvalidData)?;
    lint::RuleSet::with_files(rules::catalog(), &files)
        .map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// Parses a file of rules, and with `test` runs them on their examples.
fn inspect(payload: &[u8]) -> io::Result<Vec<u8>> {
    let job: Option<(u64, (RuleFile, bool))> = frame::decode(payload);
    let (number, (file, test)) = job.ok_or(io::ErrorKind::InvalidData)?;
    let contents = if test {
        custom::test(&file)
    } else {
        custom::read(&file)
    };
    frame::encode(&(number, contents), frame::ANSWER_BYTES)
}

/// Encodes the answer as a frame. One that is too large for a frame counts as none.
fn answer_question(
    number: u64,
    question: &Question<'_>,
    bounds: &syntax::parse::Limits,
) -> io::Result<Vec<u8>> {
    let answer = question.answer(bounds);
    frame::encode(&(number, answer), frame::ANSWER_BYTES)
        .or_else(|_| frame::encode(&(number, None::<Surrounding>), frame::ANSWER_BYTES))
}

/// Encodes the report as a frame. If it is too large for a frame, only the most important findings are kept, with a
/// warning.
fn answer(number: u64, path: &str, mut report: lint::Report) -> io::Result<Vec<u8>> {
    let whole = frame::encode(&(number, &report), frame::ANSWER_BYTES);
    if whole.is_ok() {
        return whole;
    }
    report
        .candidates
        .sort_by_key(|candidate| (candidate.priority, candidate.line));
    let message =
        "the rules fired so often on this file that only the most important findings were kept";
    report
        .warnings
        .push(Warning::file(WarningCode::FindingsTruncated, path, message));
    loop {
        report.candidates.truncate(report.candidates.len() / 2);
        let part = frame::encode(&(number, &report), frame::ANSWER_BYTES);
        if part.is_ok() {
            return part;
        }
        if report.candidates.is_empty() {
            break;
        }
    }
    // The findings fit, so the facts for other files are too large.
    report.facts = lint::Facts {
        file: report.facts.file,
        path: report.facts.path,
        cut: true,
        ..lint::Facts::default()
    };
    frame::encode(&(number, report), frame::ANSWER_BYTES)
}

fn write(stdout: &mut impl io::Write, frame: &[u8]) -> io::Result<()> {
    stdout.write_all(frame)?;
    stdout.flush()
}

#[cfg(test)]
mod tests {
    use lint::Facts;
    use review::{Candidate, Category, Origin, Priority, Side, WarningCode};

    use super::{answer, frame};

    fn report(findings: u32) -> lint::Report {
        let candidate = |line| Candidate {
            file: 0,
            side: Side::New,
            line,
            origin: Origin::Rule("any/x".into()),
            priority: if line % 1_000 == 0 {
                Priority::P0
            } else {
                Priority::P2
            },
            category: Category::LogicBug,
            summary: "x".repeat(100),
            suggested_fix: None,
            confidence: 1.0,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        };
        lint::Report {
            candidates: (1..=findings).map(candidate).collect(),
            ..lint::Report::default()
        }
    }

    fn answered(report: lint::Report) -> lint::Report {
        let frame = answer(7, "a.py", report).unwrap();
        let (number, report) = frame::decode::<(u64, lint::Report)>(&frame[4..]).unwrap();
        assert_eq!(number, 7);
        report
    }

    #[test]
    fn a_report_too_large_for_a_frame_keeps_the_most_important_findings_with_a_warning() {
        assert_eq!(answered(report(100)), report(100));
        let cut = answered(report(60_000));
        assert!(
            cut.candidates.len() > 5_000 && cut.candidates.len() < 60_000,
            "{}",
            cut.candidates.len()
        );
        assert_eq!(
            cut.candidates
                .iter()
                .filter(|candidate| candidate.priority == Priority::P0)
                .count(),
            60
        );
        let codes: Vec<_> = cut
            .warnings
            .iter()
            .map(|warning| (warning.code, warning.file_path.as_deref()))
            .collect();
        assert_eq!(codes, [(WarningCode::FindingsTruncated, Some("a.py"))]);
    }
    #[test]
    fn facts_too_large_for_a_frame_are_dropped_and_the_file_counts_as_incomplete() {
        let facts = Facts {
            file: 3,
            path: "a.py".to_owned(),
            added: vec![u64::MAX; 1 << 18],
            ..Facts::default()
        };
        let cut = answered(lint::Report {
            facts,
            ..report(10)
        });
        assert_eq!(
            (cut.facts.file, cut.facts.path.as_str(), cut.facts.cut),
            (3, "a.py", true)
        );
        assert!(cut.facts.added.is_empty());
        assert_eq!(cut.warnings.len(), 1);
    }
}
