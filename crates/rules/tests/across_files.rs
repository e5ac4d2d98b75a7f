//! Facts that the files of a diff exchange.

use lint::{Report, conclude_at_once, scan};
use review::chunk::{Sizes, plan};
use review::{Candidate, Diff, Side, Suppression};
use syntax::parse::Limits;

/// The reports of each file of a diff, before the cross-file analysis.
#[expect(clippy::unwrap_used, reason = "the diffs are those of the tests below")]
fn reports(diff: &str) -> Vec<Report> {
    let diff = Diff::parse(diff).unwrap();
    let plan = plan(&diff, None, &Sizes::default());
    let files = plan.chunks.iter();
    files
        .map(|file| scan(file, rules::built_in(), &Limits::default()))
        .collect()
}

/// The findings on the whole diff; `backwards` reverses the order of files.
fn found(diff: &str, backwards: bool) -> Vec<Candidate> {
    let mut reports = reports(diff);
    if backwards {
        reports.reverse();
    }
    let candidates = reports
        .iter()
        .flat_map(|report| report.candidates.clone())
        .collect();
    let facts = reports.into_iter().map(|report| report.facts).collect();
    let mut found = conclude_at_once(rules::catalog(), facts, candidates).candidates;
    found.sort_by(|a, b| (a.file, a.line, &a.origin).cmp(&(b.file, b.line, &b.origin)));
    found
}

fn rules(found: &[Candidate]) -> Vec<&str> {
    found
        .iter()
        .filter_map(|candidate| candidate.rule_id())
        .collect()
}

const GUARD_GONE: &str = "--- a/src/cart.py
+++ b/src/cart.py
@@ -1,4 +1,2 @@ def total(cart):
 def total(cart):
-    if cart.owner is None:
-        raise MissingOwner(cart)
     return sum(cart.owner.items)
";

const GUARD_ELSEWHERE: &str = "--- a/src/owner.py
+++ b/src/owner.py
@@ -1,2 +1,4 @@
 def owner_of(cart):
+        if cart.owner is None:
+            raise MissingOwner(cart)
     return cart.owner
";

const SIGNATURE: &str = "--- a/src/geometry.py
+++ b/src/geometry.py
@@ -1,2 +1,2 @@
-def area(width):
+def area(width, height):
     return width * 2
";

const CALL: &str = "--- a/src/show.py
+++ b/src/show.py
@@ -1,3 +1,4 @@
 from geometry import area
 def show(box):
+    print(box)
     return area(box.width)
";

#[test]
fn a_check_that_moved_to_another_file_is_not_removed() {
    let alone = found(GUARD_GONE, false);
    assert_eq!(rules(&alone), ["any/guard-removed"]);
    assert_eq!((alone[0].side, alone[0].line), (Side::Old, 2));
    let moved = format!("{GUARD_GONE}{GUARD_ELSEWHERE}");
    assert!(
        rules(&found(&moved, false)).is_empty(),
        "{:?}",
        found(&moved, false)
    );
}

#[test]
fn a_call_in_another_file_is_compared_with_the_changed_function() {
    let diff = format!("{SIGNATURE}{CALL}");
    let forward = found(&diff, false);
    assert_eq!(rules(&forward), ["any/call-not-adapted"]);
    assert_eq!(
        (forward[0].file, forward[0].side, forward[0].line),
        (0, Side::New, 1)
    );
    assert_eq!(forward, found(&diff, true));
    assert!(found(CALL, false).is_empty() && found(SIGNATURE, false).is_empty());
}

#[test]
fn a_comment_suppresses_a_cross_file_finding() {
    let off = SIGNATURE
        .replace("@@ -1,2 +1,2 @@", "@@ -1,2 +1,3 @@")
        .replace(
            "+def",
            "+# hunkwise:ignore any/call-not-adapted the default is set by a decorator\n+def",
        );
    let reports = reports(&format!("{off}{CALL}"));
    let conclusion = conclude_at_once(
        rules::catalog(),
        reports.into_iter().map(|report| report.facts).collect(),
        Vec::new(),
    );
    let kept: Vec<_> = conclusion
        .candidates
        .iter()
        .map(|found| found.suppression.as_ref())
        .collect();
    let expected = Suppression {
        line: 1,
        reason: "the default is set by a decorator".to_owned(),
    };
    assert_eq!(kept, [Some(&expected)]);
    assert_eq!(conclusion.warnings.len(), 1);
}

#[test]
fn facts_of_a_failed_file_are_not_required() {
    let reports = reports(&format!("{SIGNATURE}{CALL}"));
    let lost = reports
        .into_iter()
        .skip(1)
        .map(|report| report.facts)
        .collect();
    assert!(
        conclude_at_once(rules::catalog(), lost, Vec::new())
            .candidates
            .is_empty()
    );
}

/// One function that changes in several files, and the same number of calls of it in another file.
fn crowd(files: usize) -> String {
    let mut diff = String::new();
    for at in 0..files {
        diff += &SIGNATURE.replace("geometry", &format!("geometry{at}"));
    }
    let calls = files * 10;
    let calling = "+show(area(1))\n".repeat(calls);
    diff += &format!("--- /dev/null\n+++ b/src/show.py\n@@ -0,0 +1,{calls} @@\n{calling}");
    diff
}

#[test]
fn an_ambiguous_call_is_one_finding_at_linear_cost() {
    let conclusion = |files: usize| {
        let facts = reports(&crowd(files))
            .into_iter()
            .map(|report| report.facts.into())
            .collect();
        let budget = review::Budget::new(u64::MAX / 2, 10 << 20);
        let found = futures_executor::block_on(lint::conclude(
            rules::catalog(),
            facts,
            Vec::new(),
            &budget,
        ))
        .candidates;
        assert_eq!(rules(&found), vec!["any/call-not-adapted"; files * 10]);
        budget.taken() as f64
    };
    let (one, ten) = (conclusion(20), conclusion(200));
    assert!(ten / one <= 10f64.powf(1.2), "{one} {ten}");
}

#[test]
fn a_truncated_conclusion_has_a_warning() {
    let facts: Vec<_> = reports(&crowd(20))
        .into_iter()
        .map(|report| report.facts.into())
        .collect();
    let budget = review::Budget::new(300, 10 << 20);
    let conclusion =
        futures_executor::block_on(lint::conclude(rules::catalog(), facts, Vec::new(), &budget));
    let codes: Vec<_> = conclusion
        .warnings
        .iter()
        .map(|warning| warning.code)
        .collect();
    assert_eq!(codes, [review::WarningCode::SearchLimited]);
}
