//! A protective option that was disabled.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::{names, vocabulary};

pub(crate) const RULE: Rule = Rule {
    id: "any/security-option-off",
    languages: &[],
    title: "Security option disabled",
    why: "The option made the program check certificates, hosts or signatures, or protected its cookies. It was on \
          and is now off.",
    fix: "Enable the option again; if a test needs it off, disable it in the configuration of that test.",
    references: &["CWE-693"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def fetch(url):
-    return requests.get(url, verify=True)
+    return requests.get(url, verify=False)
^
"#,
        r#"
path: src/a.js
 const agent = new Agent({
-  rejectUnauthorized: true,
+  rejectUnauthorized: false,
^
 });
"#,
        r#"
path: src/a.go
@@ func client() *tls.Config {
-	return &tls.Config{InsecureSkipVerify: false}
+	return &tls.Config{InsecureSkipVerify: true}
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def fetch(url):
-    return requests.get(url, stream=True)
+    return requests.get(url, stream=False)
"#,
        r#"
path: src/a.py
 def fetch(url):
-    return requests.get(url, verify=False)
+    return requests.get(url, verify=True)
"#,
    ],
};

/// Words of options that protect when they are on.
const GUARDS: &[&str] = &[
    "verify", "verification", "rejectunauthorized", "reject", "secure", "httponly", "csrf",
    "strict", "authenticate", "validate", "validation", "ssl", "tls", "escape", "autoescape",
    "sanitize", "signed", "encrypt", "encrypted", "noopen", "peer", "verifypeer", "verifyhost",
    "checks", "check",
];
/// Words of options that weaken security when they are on.
const HOLES: &[&str] = &[
    "insecure", "skip", "unsafe", "anonymous", "trust", "bypass", "disable", "ignore", "disabled",
    "permissive", "unsanitized", "privileged",
];
/// Words that show that a name is about security.
const TOPICS: &[&str] = &[
    "verify", "verification", "ssl", "tls", "cert", "certificate", "auth", "authentication",
    "csrf", "security", "secure", "insecure", "host", "hostname", "peer", "unauthorized",
    "httponly", "signature", "signed", "encrypt", "escape", "autoescape", "xss", "privileged",
    "sanitize", "anonymous", "rejectunauthorized", "verifypeer", "verifyhost", "trust", "sandbox",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.pairs() {
        let (before, after): (Vec<&str>, Vec<&str>) = (
            names::words(old.text).collect(),
            names::words(new.text).collect(),
        );
        if before.len() != after.len() {
            continue;
        }
        let mut differ = before
            .iter()
            .zip(&after)
            .enumerate()
            .filter(|(_, (old, new))| old != new);
        let (Some((at, (was, now))), None) = (differ.next(), differ.next()) else {
            continue;
        };
        let Some(name) = at.checked_sub(1).and_then(|before| after.get(before)) else {
            continue;
        };
        let words = vocabulary::words_of(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let turned_off = is_on(was) && is_off(now) && has(GUARDS) && !has(HOLES);
        let turned_on = is_off(was) && is_on(now) && has(HOLES);
        if has(TOPICS) && (turned_off || turned_on) {
            let effect = effect(&words);
            sink.report(
                new,
                format!(
                    "`{}` was `{was}` and is now `{now}`: {effect}.",
                    quote(name)
                ),
            );
        }
    }
}

/// The protection that the option provided, as far as its name shows.
fn effect(words: &[String]) -> &'static str {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let verifies = has(&["verify", "verification", "check", "validate", "validation"]);
    if has(&[
        "cert", "certificate", "rejectunauthorized", "unauthorized", "verifypeer", "verifyhost",
    ]) || verifies && has(&["ssl", "tls", "insecure", "peer", "host", "hostname"])
    {
        "TLS certificates are no longer verified"
    } else {
        "a protection is off"
    }
}

fn is_on(token: &str) -> bool {
    matches!(
        token,
        "true"
            | "True"
            | "TRUE"
            | "1"
            | "1L"
            | "on"
            | "yes"
            | "2"
            | "CERT_REQUIRED"
            | "VERIFY_PEER"
            | "required"
    )
}

fn is_off(token: &str) -> bool {
    matches!(
        token,
        "false"
            | "False"
            | "FALSE"
            | "0"
            | "0L"
            | "off"
            | "no"
            | "None"
            | "CERT_NONE"
            | "VERIFY_NONE"
            | "none"
    )
}
