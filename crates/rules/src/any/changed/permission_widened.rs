//! File permissions that were extended to more users.

use lint::{ChangeContext, Check, Rule, Sink, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/permission-widened",
    languages: &[],
    title: "File permission widened",
    why: "The new mode grants the group or all users rights that they did not have before. Any process on the machine \
          may then read the file, or replace its content.",
    fix: "Grant the least right that works, usually `0600` for files and `0700` for folders.",
    references: &["CWE-732"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func save(p string, b []byte) error {
-	return os.WriteFile(p, b, 0600)
+	return os.WriteFile(p, b, 0666)
^
 }
"#,
        r#"
path: src/a.py
-os.chmod(path, 0o700)
+os.chmod(path, 0o777)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func save(p string, b []byte) error {
-	return os.WriteFile(p, b, 0644)
+	return os.WriteFile(p, b, 0600)
 }
"#,
        r#"
path: src/a.py
-x = 0o100
+x = 0o700
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.pairs() {
        let (before, after) = (modes(old.text), modes(new.text));
        if let ([was], [now]) = (before.as_slice(), after.as_slice()) {
            let gained = (now & 0o077) & !(was & 0o077);
            if gained != 0 && (was & 0o700) != 0 && mentions_modes(new.text) {
                let place = sink.report(
                    new,
                    format!("The mode was {was:04o} and is now {now:04o}, which grants more users access."),
                );
                if gained & 0o022 == 0 {
                    place.priority(Priority::P2);
                }
            }
        }
    }
}

/// The octal numbers of a line that can be modes: `0644`, `0o644`.
fn modes(line: &str) -> Vec<u32> {
    let tokens = line.split(|c: char| !c.is_alphanumeric());
    let digits =
        tokens.filter_map(|token| token.strip_prefix("0o").or_else(|| token.strip_prefix('0')));
    let octal = digits.filter(|digits| {
        digits.len() == 3 || (digits.len() == 4 && digits.starts_with(['0', '1', '2', '4']))
    });
    octal
        .filter_map(|digits| u32::from_str_radix(digits, 8).ok())
        .collect()
}

fn mentions_modes(line: &str) -> bool {
    const SIGNS: &[&str] = &[
        "chmod", "mode", "perm", "mkdir", "open", "write", "umask", "create", "file", "dir",
    ];
    let line = line.to_lowercase();
    SIGNS.iter().any(|sign| line.contains(sign))
}
