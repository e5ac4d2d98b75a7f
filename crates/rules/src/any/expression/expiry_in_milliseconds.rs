//! Lifetimes of a token in milliseconds.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, LineKind, Priority};
use syntax::semantics::secrets::LazyPattern;

pub(crate) const RULE: Rule = Rule {
    id: "any/expiry-in-milliseconds",
    languages: &[],
    title: "Token time in milliseconds instead of seconds",
    why: "`exp`, `iat` and `nbf` of a JWT are seconds since 1970. A thousand times as much is a date tens of thousands of years \
          ahead: the token never expires, or is never valid yet.",
    fix: "Divide by 1000 and round down.",
    references: &[
        "CWE-613",
        "https://datatracker.ietf.org/doc/html/rfc7519#section-4.1.4",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/a.ts
     return jwt.sign({
       id: user.id,
-      exp: exp.getTime() / 1000,
+      exp: exp.getTime(),
^
     }, SECRET);
"#,
        r#"
path: src/a.go
+	claims["exp"] = time.Now().Add(time.Hour).UnixMilli()
^
"#,
        r#"
path: src/a.py
+    payload = {"sub": user.id, "exp": int(time.time() * 1000) + 3600}
^
"#,
        r#"
path: src/A.java
+        claims.put("exp", System.currentTimeMillis() + 3600000);
^
"#,
        r#"
path: src/A.cs
+            ["exp"] = DateTimeOffset.UtcNow.AddHours(1).ToUnixTimeMilliseconds(),
^
"#,
        r#"
path: src/a.php
+    $payload = ['iat' => round(microtime(true) * 1000), 'sub' => $id];
^
"#,
        r#"
path: src/a.rb
+    payload = { exp: Time.now.to_i * 1000 }
^
"#,
        r#"
path: src/a.rs
+        exp: Utc::now().timestamp_millis() + 3_600_000,
^
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
     return jwt.sign({
-      exp: exp.getTime() / 1000,
+      exp: Math.floor(exp.getTime() / 1000),
+      iat: Math.floor(Date.now() / 1e3),
     }, SECRET);
"#,
        r#"
path: src/a.go
+	claims["exp"] = time.Now().Add(time.Hour).Unix()
"#,
        r#"
path: src/a.js
+const exp = Date.now() + 1000;
+const left = token.exp * 1000 - Date.now();
+if (exp < Date.now()) throw new Error('expired');
"#,
        r#"
path: src/A.java
+        claims.put("exp", System.currentTimeMillis() / 1000 + 3600);
"#,
    ],
};

/// A claim and the value that it is set to.
static CLAIM: LazyPattern = LazyPattern::new(
    r#"(?:["'](exp|iat|nbf)["']\s*(?:\]\s*=[^=]|:|=>|,)|(?:^|[{,(\s])(exp|iat|nbf):|\.(exp|iat|nbf)\s*=[^=>])(.*)"#,
);

/// Expressions that return milliseconds.
const MILLISECONDS: &[&str] = &[
    ".getTime()", "Date.now()", "currentTimeMillis()", "UnixMilli()", "UnixNano()", "UnixMicro()",
    "toEpochMilli()", "ToUnixTimeMilliseconds()", "timestamp_millis()", "as_millis()",
    "toEpochMilliseconds()", "performance.now()", "time.time() * 1000", "timestamp() * 1000",
    "time() * 1000", "microtime(true) * 1000", "Time.now.to_i * 1000", "Time.now.to_f * 1000",
    ".valueOf()",
];

/// Operations that convert them to seconds.
const DIVIDED: &[&str] = &[
    "/ 1000", "/1000", "/ 1e3", "/1e3", "/ 1_000", "/1_000", "// 1000", "* 0.001", "oSeconds(",
    "nSeconds", "n_seconds", "o_seconds", "div(", "/ MS", "/ time.",
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for line in context
        .added()
        .filter(|line| MILLISECONDS.iter().any(|form| line.text.contains(form)))
    {
        let Some(found) = CLAIM
            .get()
            .and_then(|pattern| pattern.captures(line.text.as_bytes()))
        else {
            continue;
        };
        let part = |index: usize| {
            found
                .get(index)
                .and_then(|part| line.text.get(part.range()))
        };
        let (Some(name), Some(value)) = (part(1).or(part(2)).or(part(3)), part(4)) else {
            continue;
        };
        let form = MILLISECONDS.iter().find(|form| value.contains(**form));
        if let Some(form) = form.filter(|_| !DIVIDED.iter().any(|form| value.contains(form))) {
            let form = form.trim_start_matches('.');
            let summary = format!(
                "`{name}` is given in milliseconds (`{}`), but is read in seconds.",
                quote(form)
            );
            let found = sink.report(line, summary);
            if !is_token(context) {
                found.priority(Priority::P2);
            }
        }
    }
}

/// Whether the code near the change names the claims of a JWT or signs one. A record of the program may use any unit.
fn is_token(context: &TextContext<'_>) -> bool {
    const SIGNS: &[&str] = &["jwt", "claim", "jose", "jws", ".sign(", "nbf", "iat"];
    const SUBJECTS: &[&str] = &["sub:", "\"sub\"", "'sub'", "iss:", "\"iss\"", "'iss'"];
    let lines = context
        .lines()
        .iter()
        .filter(|line| line.kind != LineKind::Removed);
    let mut texts = lines.map(|line| line.text.to_ascii_lowercase());
    texts.any(|text| SIGNS.iter().chain(SUBJECTS).any(|sign| text.contains(sign)))
}
