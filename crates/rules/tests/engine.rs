//! The rule engine with the built-in rules, as a review runs it.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use lint::{InProcess, RuleEngine, RuleSet, scan};
use review::chunk::{Sizes, plan};
use review::{Budget, Diff, Engine as _, Event, Scope, Task};
use syntax::parse::Limits;

/// Two findings on added lines, one of which a comment suppresses.
const FILE: &str = "@@ -0,0 +1,5 @@\n+def f(a, b=[]):\n+    return b\n+# hunkwise:ignore python/mutable-default-argument it is meant\n\
                    +def g(a, b=[]):\n+    return b\n";

#[test]
fn findings_are_counted_file_by_file_before_they_are_reported() {
    let text: String = ["a", "b", "c"]
        .map(|name| format!("--- /dev/null\n+++ b/{name}.py\n{FILE}"))
        .concat();
    let diff = Diff::parse(&text).unwrap();
    let plan = plan(&diff, None, &Sizes::default());
    let (scope, budget) = (Scope::default(), Budget::of_bytes(text.len()));
    let answer = budget.of_answer();
    let task = Task {
        chunks: &plan.chunks,
        files: &[],
        found: &[],
        scope: &scope,
        repository: None,
        max_candidates: 100,
        budget: &budget,
        answer: &answer,
    };
    let (held, found) = (Mutex::new(vec![0]), Mutex::new(0));
    let at_end = Mutex::new(Vec::new());
    let report = |event: Event| match event {
        Event::Held(count) => held.lock().unwrap().push(count),
        Event::Ended { .. } => at_end
            .lock()
            .unwrap()
            .push(*held.lock().unwrap().last().unwrap()),
        Event::Found(candidate) if candidate.suppression.is_none() => *found.lock().unwrap() += 1,
        _ => {}
    };
    let in_process = InProcess {
        limits: Limits::default(),
        rules: Arc::new(RuleSet::new(rules::catalog())),
    };
    let engine = RuleEngine::new(in_process, rules::catalog());
    let mut review = engine.review(&task, &report);
    while review.as_mut().now_or_never().is_none() {}
    assert_eq!(*at_end.lock().unwrap(), [1, 2, 3]);
    assert_eq!(
        (
            *held.lock().unwrap().last().unwrap(),
            *found.lock().unwrap()
        ),
        (0, 3)
    );
}

#[test]
fn the_finding_that_names_the_defect_is_kept_if_two_are_about_one_comparison() {
    let text = "\
--- a/a.js
+++ b/a.js
@@ -1,6 +1,6 @@
 function sum(list) {
-  for (let i = 0; i < list.length; i++) {
+  for (let i = 0; i <= list.length; i++) {
     total += list[i];
   }
-  return total < 9;
+  return total <= 9;
 }
";
    let diff = Diff::parse(text).unwrap();
    let plan = plan(&diff, None, &Sizes::default());
    let report = scan(&plan.chunks[0], rules::built_in(), &Limits::default());
    let reported: Vec<(u32, &str)> = report
        .candidates
        .iter()
        .map(|found| (found.line, found.rule_id().unwrap_or_default()))
        .collect();
    assert_eq!(
        reported,
        [(2, "any/loop-past-the-end"), (5, "any/boundary-changed")]
    );
}
