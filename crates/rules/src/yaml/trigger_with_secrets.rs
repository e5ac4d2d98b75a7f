//! Workflows that run the code of a pull request and get access to secrets through a changed trigger.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, LineKind, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "yaml/trigger-with-secrets",
    languages: &["YAML"],
    title: "Trigger gives secrets to the code of pull requests",
    why: "`pull_request_target` and `workflow_run` run with the secrets and the write token of the repository, also for pull requests \
          from forks. This workflow checks out their code: the author of a pull request can run any code with them.",
    fix: "Use `pull_request`, or check out only the base.",
    references: &[
        "CWE-829",
        "https://securitylab.github.com/resources/github-actions-preventing-pwn-requests/",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: .github/workflows/ci.yml
 on:
-  pull_request:
+  pull_request_target:
^
 jobs:
   test:
     steps:
       - uses: actions/checkout@v4
         with:
           ref: ${{ github.event.pull_request.head.sha }}
"#,
        r#"
path: .github/workflows/ci.yml
-on: [push, pull_request]
+on: [push, pull_request_target]
^
 jobs:
   test:
     steps:
       - uses: actions/checkout@v4
         with:
           ref: ${{ github.head_ref }}
"#,
    ],
    negative: &[
        r#"
path: .github/workflows/ci.yml
 on:
-  pull_request_target:
+  pull_request:
 jobs:
   test:
     steps:
       - uses: actions/checkout@v4
         with:
           ref: ${{ github.event.pull_request.head.sha }}
"#,
        r#"
path: .github/workflows/label.yml
 on:
-  pull_request:
+  pull_request_target:
 jobs:
   label:
     steps:
       - uses: actions/labeler@v5
"#,
    ],
};

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    const HEADS: &[&str] = &[
        "github.event.pull_request.head.", "github.head_ref", "github.event.workflow_run.head_",
        "refs/pull/",
    ];
    let is_trigger = |text: &str| {
        let text = text.split('#').next().unwrap_or_default().trim();
        let is_list = text.starts_with("on:")
            || text.starts_with('-')
            || text.starts_with('[')
            || text.ends_with(':');
        is_list && (text.contains("pull_request_target") || text.contains("workflow_run"))
    };
    let mut new = context
        .lines()
        .iter()
        .filter(|line| line.kind != LineKind::Removed);
    let checks_out = new.any(|line| {
        let text = line.text.trim_start().trim_start_matches("- ");
        text.starts_with("ref:") && HEADS.iter().any(|head| text.contains(head))
    });
    if !checks_out || context.removed().any(|line| is_trigger(line.text)) {
        return;
    }
    if let Some(line) = context.added().find(|line| is_trigger(line.text)) {
        sink.report(
            line,
            "This trigger runs the pull request's code, which the workflow checks out, with the repository's secrets.",
        );
    }
}
