//! A small review for the tests of the formats.

use crate::diff::{Diff, Side};
use crate::engine::TokenUsage;
use crate::finding::{Category, Priority};
use crate::output::json::{
    FindingBody, Metadata, RelatedLocation, ReplacementBody, ReviewBody, SuppressionBody,
    WarningBody,
};
use crate::output::{Gate, RuleText, Subject};

/// The reviewed diff.
pub(super) const DIFF: &str = "\
diff --git a/src/cart.py b/src/cart.py
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,4 +1,3 @@
-def add(item, basket):
+def add(item, basket=[]):
     basket.append(item)
-    check(basket)
     return basket
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
";

pub(super) fn finding() -> FindingBody {
    FindingBody {
        file_path: "src/cart.py".into(),
        line_number: 1,
        line_side: Side::New,
        old_line_number: None,
        hunk_header: "@@ -1,4 +1,3 @@".into(),
        priority: Priority::P1,
        category: Category::LogicBug,
        summary: "The default `basket=[]` is made once: all calls share it.".into(),
        suggested_fix: Some("Use `None` as the default.".into()),
        rule_id: Some("python/mutable-default-argument".into()),
        fingerprint: "6f1d2c3b4a59".into(),
        confidence: 0.95,
        start_column: Some(15),
        end_line: Some(1),
        end_column: Some(24),
        replacement: Some(ReplacementBody {
            start_line: 1,
            start_column: 22,
            end_line: 1,
            end_column: 24,
            text: "None".into(),
        }),
        related_locations: vec![RelatedLocation {
            file_path: "src/cart.py".into(),
            line_number: 2,
            line_side: Side::New,
        }],
        references: Vec::new(),
        baseline_state: None,
        suppression: None,
    }
}

/// A model's finding on the removed line.
fn removed() -> FindingBody {
    FindingBody {
        line_number: 3,
        line_side: Side::Old,
        old_line_number: Some(3),
        priority: Priority::P3,
        category: Category::SecretExposure,
        summary: "The check is gone.".into(),
        suggested_fix: None,
        rule_id: None,
        fingerprint: "0a1b2c3d4e5f".into(),
        confidence: 0.6,
        start_column: None,
        end_line: None,
        end_column: None,
        replacement: None,
        related_locations: Vec::new(),
        references: Vec::new(),
        ..finding()
    }
}

pub(super) fn warning(code: &str, message: &str) -> WarningBody {
    WarningBody {
        code: code.into(),
        message: message.into(),
        file_path: None,
        model_only: false,
    }
}

pub(super) fn body(findings: Vec<FindingBody>) -> ReviewBody {
    let metadata = Metadata {
        processing_ms: 12,
        chunks_analyzed: 1,
        token_usage: TokenUsage::default(),
        warnings: Vec::new(),
        engines: vec!["rules".into()],
        model: None,
        model_use: None,
        chunks_by_model: 0,
        test_files: Vec::new(),
        suppressed_findings: Vec::new(),
    };
    ReviewBody {
        request_id: "0193-id".into(),
        client_reference: None,
        findings,
        metadata,
    }
}

/// A finding on the second line, which a comment on the first suppresses.
fn suppressed() -> FindingBody {
    FindingBody {
        line_number: 2,
        priority: Priority::P2,
        summary: "The basket may be missing.".into(),
        suggested_fix: None,
        rule_id: Some("python/unchecked-none".into()),
        fingerprint: "5e6f7a8b9c0d".into(),
        confidence: 0.7,
        start_column: None,
        end_line: None,
        end_column: None,
        replacement: None,
        related_locations: Vec::new(),
        references: Vec::new(),
        suppression: Some(SuppressionBody {
            line_number: 1,
            reason: "callers always pass one".into(),
        }),
        ..finding()
    }
}

/// Two findings, a suppressed one, a file that was not reviewed, and a remark.
pub(super) fn sample() -> ReviewBody {
    let mut body = body(vec![finding(), removed()]);
    body.metadata.suppressed_findings = vec![suppressed()];
    let binary = warning("FILE_SKIPPED_BINARY", "Binary files are not reviewed.");
    body.metadata.warnings = vec![
        WarningBody {
            file_path: Some("logo.png".into()),
            ..binary
        },
        warning(
            "FINDINGS_SUPPRESSED",
            "1 finding was suppressed by comments in the code: python/unchecked-none (1).",
        ),
    ];
    body
}

fn rule_text(id: &str) -> Option<RuleText> {
    (id == "python/mutable-default-argument").then(|| RuleText {
        title: "Mutable default argument".into(),
        why: "The default is made once, when the function is defined.".into(),
        fix: "Use None and make the value in the function.".into(),
        page: "# Mutable default argument\n\nThe default is made once.\n".into(),
        consequence: Some(Priority::P0),
    })
}

/// The input of a format, with the gate at P2.
pub(super) fn subject<'a>(body: &'a ReviewBody, diff: &'a Diff<'a>) -> Subject<'a> {
    let gate = "P2".parse().unwrap_or(Gate::OPEN);
    Subject {
        body,
        diff,
        gate,
        rules: &rule_text,
        mask: |_, line| line.to_owned(),
    }
}
