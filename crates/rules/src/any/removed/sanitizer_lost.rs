//! A value that a known function sanitized and that is now used unsanitized.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::semantics::vocabulary::{makes_safe, squeezed};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/sanitizer-lost",
    languages: &[],
    title: "Value no longer escaped",
    why: "The value went through a function that makes it harmless in markup, a shell command, a query, a path or a URL. It \
          now gets there without it, so a person who controls the value can inject code there.",
    fix: "Keep the call around the value.",
    references: &["CWE-116", "CWE-79"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
 func write(buf *bytes.Buffer, text string) {
-	buf.WriteString(html.EscapeString(text))
+	buf.WriteString(strings.TrimRight(text, "\r"))
^
 }
"#,
        r#"
path: src/a.php
 <?php
-echo '<b>' . htmlspecialchars($name) . '</b>';
+echo '<b>' . $name . '</b>';
^
"#,
        r#"
path: src/a.py
 def run(path):
-    os.system("tar xf " + shlex.quote(path))
+    os.system("tar xf " + path)
^
"#,
        r#"
path: src/a.js
 function show(html) {
-  box.innerHTML = DOMPurify.sanitize(html);
+  box.innerHTML = html;
^
 }
"#,
        r#"
path: src/a.py
 def save(upload):
-    upload.save(os.path.join(FOLDER, secure_filename(upload.filename)))
+    upload.save(os.path.join(FOLDER, upload.filename))
^
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func write(buf *bytes.Buffer, text string) {
+	escaped := html.EscapeString(text)
-	buf.WriteString(html.EscapeString(text))
+	buf.WriteString(escaped)
 }
"#,
        r#"
path: src/a.php
 <?php
-echo '<b>' . htmlspecialchars($name) . '</b>';
+echo '<b>' . e($name) . '</b>';
"#,
        r#"
path: src/a.js
 function show(html) {
-  box.innerHTML = DOMPurify.sanitize(html);
+  box.textContent = html;
 }
"#,
        r#"
path: src/a.js
 function show(name) {
-  return trim(name);
+  return name;
 }
"#,
    ],
};

/// Library functions that sanitize a value, by their names in lower case without separators.
pub(crate) const KNOWN: &[&str] = &[
    "escapestring", "htmlspecialchars", "htmlentities", "eschtml", "escattr", "escurl", "wpkses",
    "escapehtml", "htmlescape", "escapeshellarg", "escapeshellcmd", "securefilename",
    "sanitizehtml", "sanitize", "htmlencode", "urlencode", "escapexml", "realescapestring",
    "mysqlirealescapestring", "quoteplus", "shellescape", "bleachclean", "purify",
    "encodeuricomponent", "javascriptescape", "escapejs", "addslashes", "forhtml",
    "forhtmlattribute", "escapehtml4", "htmlattributeencode", "javascriptstringencode",
    "queryescape", "pathescape", "htmlescapestring", "conditionalescape", "sanitizetextfield",
    "escapesql", "stripalltags", "sanitizebytes", "htmlescaper", "jsescapestring",
];

/// Whether a call is one of them. Some names count only with their owner.
pub(crate) fn is_known(callee: &str, name: &str) -> bool {
    let plain = squeezed(name);
    KNOWN.contains(&plain.as_str())
        || matches!(
            callee,
            "html.escape"
                | "markupsafe.escape"
                | "shlex.quote"
                | "pipes.quote"
                | "urllib.parse.quote"
                | "escape"
                | "CGI.escapeHTML"
                | "ERB::Util.html_escape"
                | "Shellwords.escape"
                | "bleach.clean"
                | "DOMPurify.sanitize"
                | "re.escape"
                | "os.path.basename"
                | "filepath.Base"
                | "path.basename"
                | "basename"
                | "mysql.escape"
                | "connection.escape"
                | "Regexp.escape"
                | "Pattern.quote"
                | "regexp.QuoteMeta"
                | "sanitize_sql_like"
                | "validator.escape"
                | "he.encode"
                | "xss"
        )
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() || adds_sanitizer(context) {
        return;
    }
    let mut seen = Vec::new();
    for old in context
        .old
        .with_role(Role::Call)
        .filter(|node| node.touches_change())
    {
        let Some(call) = old.call().filter(|call| is_known(call.callee, call.name)) else {
            continue;
        };
        let name = old
            .leaves()
            .filter(|leaf| leaf.text() == call.name)
            .find(|leaf| context.new_of(*leaf).is_none());
        let Some(value) = call
            .arguments
            .first()
            .map(|first| handed_over(*first))
            .filter(|_| name.is_some())
        else {
            continue;
        };
        if value.has_role(Role::Text)
            || context.similarity_to_new(value) < 99
            || context.is_in_removed_function(old)
        {
            continue;
        }
        let Some(now) = context
            .cover(value)
            .filter(|now| now.is_usable() && now.touches_change())
        else {
            continue;
        };
        let is_safe =
            now.ancestors()
                .take_while(|node| !node.is_statement())
                .any(|around| {
                    around.call().is_some_and(|call| {
                        makes_safe(call.callee) || is_known(call.callee, call.name)
                    }) || around.has_role(Role::Lambda)
                });
        let is_text = now
            .statement()
            .names()
            .any(|name| matches!(name.text(), "textContent" | "innerText" | "createTextNode"));
        if !is_safe && !is_text && !seen.contains(&now.index()) {
            seen.push(now.index());
            let summary = format!(
                "`{}` no longer goes through `{}` here.",
                quote(value.text()),
                quote(call.callee)
            );
            let found = sink.report(now, summary);
            if goes_elsewhere(context, now) {
                found.priority(Priority::P2);
            }
        }
    }
}

/// Whether the value is now passed to a function of the project that the code did not call before, which may sanitize it.
fn goes_elsewhere(context: &ChangeContext<'_>, value: Node<'_>) -> bool {
    let around = value.ancestors().take_while(|node| !node.is_statement());
    let mut calls = around.filter_map(|node| Some((node, node.call()?)));
    calls.next().is_some_and(|(node, call)| {
        call.receiver.is_none()
            && node
                .leaves()
                .filter(|leaf| leaf.text() == call.name)
                .any(|leaf| is_fresh(context, leaf))
    })
}

/// Whether a sanitizer was added.
fn adds_sanitizer(context: &ChangeContext<'_>) -> bool {
    let mut calls = context
        .new
        .with_role(Role::Call)
        .filter(|node| node.touches_change());
    calls.any(|node| {
        let Some(call) = node.call() else {
            return false;
        };
        let is_safe = is_known(call.callee, call.name) || makes_safe(call.name) || call.name == "e";
        is_safe
            && node
                .leaves()
                .filter(|leaf| leaf.text() == call.name)
                .any(|leaf| is_fresh(context, leaf))
    })
}

fn is_fresh(context: &ChangeContext<'_>, leaf: Node<'_>) -> bool {
    context.old_of(leaf).is_none()
}
