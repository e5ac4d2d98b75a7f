//! Any text, added as a file of any language, is scanned without a panic of a rule, the same way every time, and what is
//! found is on its lines.

#![no_main]

use std::fmt::Write;

use libfuzzer_sys::fuzz_target;
use lint::scan;
use review::chunk::{Sizes, plan};
use review::{Diff, Language, Side};
use syntax::language::Grammar;
use syntax::parse::Limits;

// A panic of a rule is caught by the scan, but not before the fuzzer's hook has ended the process.
fuzz_target!(|bytes: &[u8]| {
    let Some((first, content)) = bytes.split_first() else {
        return;
    };
    let grammars = Grammar::all().count();
    let language = Grammar::all()
        .nth(usize::from(*first) % grammars)
        .and_then(|grammar| Language::find(grammar.name()));
    let content = String::from_utf8_lossy(content);
    let diff = added_file(&content);
    // Escape sequences are a diff in colour, which is refused.
    let Ok(diff) = Diff::parse(&diff) else { return };
    let lines = diff
        .files
        .iter()
        .flat_map(|file| &file.hunks)
        .map(|hunk| hunk.lines.len())
        .sum::<usize>();
    let plan = plan(&diff, language, &Sizes::default());
    for file in plan.chunks.iter() {
        let report = scan(file, rules::built_in(), &Limits::default());
        for candidate in &report.candidates {
            let line = usize::try_from(candidate.line).unwrap_or(usize::MAX);
            assert!(
                candidate.side == Side::New && (1..=lines).contains(&line),
                "{candidate:?} of {lines} lines"
            );
        }
        assert_eq!(report, scan(file, rules::built_in(), &Limits::default()));
    }
});

fn added_file(content: &str) -> String {
    let lines: Vec<&str> = content.split('\n').collect();
    let mut diff = format!(
        "--- /dev/null\n+++ b/src/file\n@@ -0,0 +1,{} @@\n",
        lines.len()
    );
    for line in lines {
        let _ = writeln!(diff, "+{line}");
    }
    diff
}
