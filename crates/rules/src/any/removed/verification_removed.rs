//! A removed check that a token, signature or code is genuine.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::{has_word, words_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/verification-removed",
    languages: &[],
    title: "Token or signature no longer verified",
    why: "The code asked whether a token, signature, webhook or one-time code was genuine and refused it otherwise. That \
          check is gone, so a forged or expired one is accepted.",
    fix: "Keep the check.",
    references: &["CWE-347", "CWE-345"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
 func user(token *jwt.Token) uint {
-	if claims, ok := token.Claims.(jwt.MapClaims); ok && token.Valid {
+	if claims, ok := token.Claims.(jwt.MapClaims); ok {
^
 		return id(claims)
 	}
 	return 0
 }
"#,
        r#"
path: src/a.js
 app.post('/hook', (req, res) => {
-  if (!verifySignature(req.body, req.headers.signature)) {
^
-    return res.status(400).end();
-  }
   handle(req.body);
 });
"#,
        r#"
path: src/a.py
 def hook(request):
-    webhook.verify_signature(request.body, request.headers)
^
     handle(request.body)
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func user(token *jwt.Token) uint {
-	if claims, ok := token.Claims.(jwt.MapClaims); ok && token.Valid {
+	claims, ok := token.Claims.(jwt.MapClaims)
+	if ok && token.Valid {
 		return id(claims)
 	}
 	return 0
 }
"#,
        r#"
path: src/a.js
 app.post('/hook', (req, res) => {
-  if (!verifySignature(req.body, req.headers.signature)) {
+  if (!verifySignature(req.rawBody, req.headers.signature)) {
     return res.status(400).end();
   }
   handle(req.body);
 });
"#,
        r#"
path: src/a.js
 function next(tokens) {
-  if (tokens.valid && tokens.left) {
+  if (tokens.left) {
     return tokens.shift();
   }
 }
"#,
    ],
};

/// Verbs of such checks.
const VERBS: &[&str] = &[
    "valid", "verify", "verified", "verifies", "verification", "validate", "check", "authentic",
    "is", "matches", "expired",
];
/// Words for the thing that must be genuine.
const OF: &[&str] = &[
    "token", "jwt", "signature", "csrf", "hmac", "claims", "webhook", "otp", "totp", "captcha",
    "recaptcha", "nonce", "sig", "certificate", "xsrf", "issuer", "audience", "mac", "digest",
    "checksum", "passcode",
];

/// Whether an expression checks whether something is genuine.
fn is_verification(node: Node<'_>) -> bool {
    let words: Vec<String> = node
        .names()
        .flat_map(|name| words_of(name.text()))
        .collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_strong = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "verify" | "verified" | "verifies" | "verification" | "valid" | "validate" | "expired"
        )
    });
    let is_check = node
        .all(Role::Call)
        .any(|call| call.call().is_some_and(|call| has_word(call.name, VERBS)));
    node.text().len() < 200 && has(OF) && has(VERBS) && (is_strong || is_check)
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let has_new_check = |leaf: Node<'_>| {
        let words = words_of(leaf.text());
        leaf.text().len() < 60
            && words
                .iter()
                .any(|word| VERBS.contains(&word.as_str()) && word != "is")
    };
    if !context.is_small_change() || context.added_tokens().any(has_new_check) {
        return;
    }
    for lost in context.lost_clauses() {
        if is_verification(lost.clause)
            && lost.is_condition()
            && context.mostly_takes_away(lost.chain)
        {
            let clause = quote(lost.clause.text());
            let summary = format!(
                "The condition no longer asks for `{clause}`: a forged or expired one is accepted."
            );
            if lost.left.touches_change() {
                sink.report(lost.left, summary);
            } else {
                sink.report(lost.clause, summary);
            }
        }
    }
    for old in context.removed(Role::If) {
        let Some(branch) = old
            .branch()
            .filter(|branch| is_verification(branch.condition) && branch.then.ends_in_exit())
        else {
            continue;
        };
        let is_gone = context.is_gone(branch.condition)
            && !context.is_in_removed_function(old)
            && context.mostly_takes_away(old);
        if is_gone && !context.names_removed_identifier(branch.condition) {
            sink.report(
                old,
                format!(
                    "The check `{}` was removed: a forged or expired one is accepted.",
                    quote(branch.condition.text())
                ),
            );
        }
    }
    for old in context.removed_calls() {
        if is_verification(old.statement)
            && has_word(old.call.name, &["verify", "validate", "check", "verifies"])
        {
            sink.report(
                old.statement,
                format!(
                    "`{}` was removed: a forged or expired one is accepted.",
                    quote(old.call.callee)
                ),
            );
        }
    }
}
