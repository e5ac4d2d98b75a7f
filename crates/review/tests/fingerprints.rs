//! The same defect has the same fingerprint in every review that finds it.
#![expect(
    clippy::unwrap_used,
    reason = "a test whose preparation fails has failed"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_executor::block_on;
use futures_util::future::{BoxFuture, FutureExt as _};
use proptest::prelude::*;
use review::{
    Budget, Candidate, Category, Chunk, ChunkStatus, Diff, Engine, Event, Options, Origin,
    Priority, Report, Request, Side, Task, review,
};

/// Reports the defects that each line states: `bad a` is a defect for the rule `any/a`.
struct Rules;

/// Reports many lines, some with the same claims as the rules.
struct Model(u32);

fn candidate(chunk: &Chunk<'_>, line: u32, origin: Origin, summary: &str) -> Candidate {
    Candidate {
        file: chunk.index,
        side: Side::New,
        line,
        origin,
        priority: Priority::P2,
        category: Category::LogicBug,
        summary: summary.to_owned(),
        suggested_fix: None,
        confidence: 0.8,
        scope: None,
        span: None,
        related: Vec::new(),
        references: Vec::new(),
        replacement: None,
        lowered_in_test_code: false,
        suppression: None,
    }
}

fn each_line(
    task: &Task<'_, '_>,
    report: &dyn Report,
    of: impl Fn(&Chunk<'_>, u32, &str) -> Option<Candidate>,
) {
    for (at, chunk) in task.chunks.iter().enumerate() {
        for line in chunk
            .hunks
            .iter()
            .flat_map(|hunk| hunk.lines.iter())
            .filter(|line| line.old.is_none())
        {
            let found = line.new.and_then(|number| of(chunk, number, line.text));
            found
                .into_iter()
                .for_each(|found| report.report(Event::Found(found)));
        }
        report.report(Event::Ended {
            chunk: at,
            status: ChunkStatus::Done,
        });
    }
}

impl Engine for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        each_line(task, report, |chunk, line, text| {
            let rule = text.trim().strip_prefix("bad ")?.trim();
            let origin = Origin::Rule(format!("any/{rule}").as_str().into());
            Some(candidate(
                chunk,
                line,
                origin,
                &format!("The value {rule} is never checked."),
            ))
        });
        std::future::ready(()).boxed()
    }
}

impl Engine for Model {
    fn name(&self) -> &'static str {
        "model"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        each_line(task, report, |chunk, line, text| {
            let summary_text = match (line + self.0) % 4 {
                0 => format!("Nobody checks the value {text} here."),
                1 => "The lock is held while the file is read.".to_owned(),
                2 => "The value a is never checked.".to_owned(),
                _ => return None,
            };
            Some(candidate(chunk, line, Origin::Model, &summary_text))
        });
        std::future::ready(()).boxed()
    }
}

/// The diff that adds lines to a file, with this many unchanged lines before each and this much indentation.
fn change(path: &str, lines: &[&str], apart: usize, indentation: usize) -> String {
    let (old, new) = (lines.len() * apart, lines.len() * (apart + 1));
    let start = apart * 7 + 1;
    let context = " same\n".repeat(apart);
    let body: String = lines
        .iter()
        .map(|line| format!("{context}+{}{line}\n", " ".repeat(indentation)))
        .collect();
    format!(
        "--- a/{path}\n+++ b/{path}\n@@ -{start},{old} +{start},{new} @@ def near_{apart}():\n{body}"
    )
}

/// How often each fingerprint occurs in the rules' findings in a file.
fn fingerprints(text: &str, path: &str, model: Option<u32>) -> BTreeMap<(String, String), usize> {
    let diff = Diff::parse(text).unwrap();
    let mut engines: Vec<Arc<dyn Engine>> = vec![Arc::new(Rules)];
    engines.extend(model.map(|seed| Arc::new(Model(seed)) as Arc<dyn Engine>));
    let (options, budget) = (Options::default(), Budget::of_bytes(text.len()));
    let request = Request {
        context: review::DiffContext::default(),
        diff: &diff,
        target_language: None,
        engines: &engines,
        filters: &[],
        options: &options,
        repository: None,
        budget: &budget,
        mask: review::TextMask::default(),
    };
    let review = block_on(review(request, std::future::pending(), &mut |_| ())).unwrap();
    let mut counts = BTreeMap::new();
    for finding in review
        .findings
        .iter()
        .filter(|finding| finding.file_path() == path)
    {
        if let Some(rule) = finding.rule_id() {
            let key = (rule.to_owned(), finding.fingerprint().to_owned());
            *counts.entry(key).or_default() += 1 + finding.related().len();
        }
    }
    counts
}

fn lines() -> impl Strategy<Value = Vec<&'static str>> {
    let line = prop_oneof![
        Just("bad a"),
        Just("bad b"),
        Just("bad  a"),
        Just("fine"),
        Just("bad c")
    ];
    proptest::collection::vec(line, 1..10)
}

proptest! {
    #[test]
    fn a_fingerprint_depends_only_on_rule_path_and_line(
        own in lines(), others in proptest::collection::vec(lines(), 0..4),
        apart in 0usize..5, indentation in 0usize..9, before in any::<bool>(), model in proptest::option::of(0u32..4),
    ) {
        let alone = fingerprints(&change("src/x.py", &own, 1, 0), "src/x.py", None);
        let mut files: Vec<String> =
            (0..).zip(&others).map(|(n, lines): (u32, _)| change(&format!("src/{n}.py"), lines, 2, 0)).collect();
        files.insert(if before { 0 } else { files.len() }, change("src/x.py", &own, apart, indentation));
        prop_assert_eq!(alone, fingerprints(&files.concat(), "src/x.py", model));
    }

    #[test]
    fn a_fingerprint_can_be_computed_from_rule_path_and_line(own in lines()) {
        let found = fingerprints(&change("src/x.py", &own, 1, 0), "src/x.py", None);
        for line in own.iter().filter(|line| **line != "fine") {
            let rule = format!("any/{}", line.trim_start_matches("bad").trim());
            let expected = review::fingerprint(&rule, "src/x.py", line);
            prop_assert!(found.contains_key(&(rule, expected)));
        }
    }
}

#[test]
fn another_rule_path_or_line_is_another_fingerprint() {
    let one = review::fingerprint("any/a", "x.py", "bad a");
    for (rule, path, line) in [
        ("any/b", "x.py", "bad a"),
        ("any/a", "y.py", "bad a"),
        ("any/a", "x.py", "bada"),
    ] {
        assert_ne!(review::fingerprint(rule, path, line), one);
    }
    assert_eq!(review::fingerprint("any/a", "x.py", "\tbad   a\r"), one);
}
