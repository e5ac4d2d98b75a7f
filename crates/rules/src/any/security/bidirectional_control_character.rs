//! Invisible characters that change the direction of text (CVE-2021-42574, "Trojan Source").

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::classify::is_translation;
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/bidirectional-control-character",
    languages: &[],
    title: "Invisible code-reordering character",
    why: "Bidirectional control characters make editors and review tools show the code in another order than the \
          compiler reads it: a comment can look like code, and code like a comment (CVE-2021-42574). Legitimate text \
          closes such a run before the end of the line.",
    fix: "Remove the character, or write it as an escape sequence such as `\\u202E` if it is really needed.",
    references: &["CWE-1007", "https://trojansource.codes"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        "path: src/a.js\n+if (level != \"user\u{202E} \u{2066}// Check if admin\u{2069} \u{2066}\") {\n^\n",
        "path: src/a.c\n+/*\u{202E} } \u{2066}if (isAdmin)\u{2069} \u{2066} begin admins only */\n^\n",
        "path: translations/messages.ar.xlf\n+        <target>\u{202E}إعادة الفتح</target>\n^\n",
        "path: src/a.js\n+const text = '\u{202B}إعادة الفتح';\n^\n",
    ],
    negative: &[
        r#"
path: src/a.js
+if (level != "user") { // check if admin
"#,
        r#"
path: src/a.js
+const escaped = "\u202E";
"#,
        "path: translations/messages.ar.xlf\n+        <target>\u{202B}إعادة الفتح</target>\n",
        "path: messages.properties\n+hello=\u{2067}שלום\u{2069}\n",
        "path: src/a.js\n if (level != \"user\u{202E}\") {\n+  go();\n",
    ],
};

const CLOSE_ISOLATE: char = '\u{2069}';
const CLOSE_EMBEDDING: char = '\u{202C}';

/// Whether a run is still open at the end of the line, so that the code is displayed in another order than it is
/// compiled.
fn leaves_run_open(text: &str) -> bool {
    let (mut isolates, mut embeddings) = (0_i32, 0_i32);
    for c in text.chars() {
        match c {
            '\u{2066}'..='\u{2068}' => isolates += 1,
            CLOSE_ISOLATE => isolates = (isolates - 1).max(0),
            '\u{202A}' | '\u{202B}' | '\u{202D}' | '\u{202E}' => embeddings += 1,
            CLOSE_EMBEDDING => embeddings = (embeddings - 1).max(0),
            _ => {}
        }
    }
    isolates > 0 || embeddings > 0
}

/// Whether the line is in a script that is read from the right, and only has the characters that such text needs.
fn reads_from_right(text: &str) -> bool {
    let is_letter = |c: char| matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FEFC}');
    let is_override = |c: char| matches!(c, '\u{202A}' | '\u{202D}' | '\u{202E}' | '\u{2066}');
    text.contains(is_letter) && !text.contains(is_override)
}

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let is_text = is_translation(context.file.path);
    for line in context
        .added()
        .filter(|line| !line.text.is_ascii() && leaves_run_open(line.text))
        .filter(|line| !(is_text && reads_from_right(line.text)))
    {
        sink.report(
            line,
            "The line contains an invisible character that changes the order in which the code is displayed.",
        );
    }
}
