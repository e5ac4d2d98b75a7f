//! A `catch` clause that never runs: an earlier one catches its exceptions, or nothing in the `try` block can throw.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/handler-never-reached",
    languages: &["PHP"],
    title: "Unreachable catch clause",
    why: "PHP runs the first matching `catch` clause. After a clause for the same class or a parent class, or when \
          the `try` block cannot throw, this clause never runs, and its handling of the error is lost.",
    fix: "Put the clause for the more specific class first, or remove the unreachable one.",
    references: &[
        "CWE-561",
        "https://www.php.net/manual/en/language.exceptions.php",
    ],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["try_statement"]),
        run,
    },
    positive: &[
        r#"
+try {
+    load();
+} catch (\Exception $e) {
+    stop();
+} catch (\RuntimeException $e) {
^
+    again();
+}
"#,
        r#"
+class Missing extends NotFound {}
+class NotFound extends Exception {}
+try {
+    load();
+} catch (NotFound | TypeError $e) {
+} catch (Missing $e) {
^
+}
+try {
+    $size = 1;
+} catch (Exception $e) {
^
+}
"#,
    ],
    negative: &[
        r#"
+try {
+    load();
+} catch (\RuntimeException $e) {
+    again();
+} catch (\Exception $e) {
+    stop();
+}
"#,
        r#"
+try {
+    $size = $rows[0] + size();
+} catch (OutOfBounds $e) {
+} catch (LogicException $e) {
+} catch (RuntimeException $e) {
+} catch (TypeError $e) {
+}
+try {
+    $this->size = 4;
+} catch (TypeError $e) {}
"#,
    ],
};

/// Built-in classes and their parent classes.
const PARENTS: &[(&str, &str)] = &[
    ("exception", "throwable"),
    ("error", "throwable"),
    ("errorexception", "exception"),
    ("typeerror", "error"),
    ("valueerror", "error"),
    ("argumentcounterror", "typeerror"),
    ("arithmeticerror", "error"),
    ("divisionbyzeroerror", "arithmeticerror"),
    ("assertionerror", "error"),
    ("unhandledmatcherror", "error"),
    ("parseerror", "error"),
    ("jsonexception", "exception"),
    ("pdoexception", "runtimeexception"),
    ("logicexception", "exception"),
    ("badfunctioncallexception", "logicexception"),
    ("badmethodcallexception", "badfunctioncallexception"),
    ("domainexception", "logicexception"),
    ("invalidargumentexception", "logicexception"),
    ("lengthexception", "logicexception"),
    ("outofrangeexception", "logicexception"),
    ("runtimeexception", "exception"),
    ("outofboundsexception", "runtimeexception"),
    ("overflowexception", "runtimeexception"),
    ("rangeexception", "runtimeexception"),
    ("underflowexception", "runtimeexception"),
    ("unexpectedvalueexception", "runtimeexception"),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let cannot_throw = node.field("body").is_some_and(is_harmless);
    let mut taken: Vec<String> = Vec::new();
    for handler in node
        .named_children()
        .filter(|part| part.is(&["catch_clause"]))
    {
        let Some(list) = handler.field("type") else {
            return;
        };
        let mut own = Vec::new();
        for class in list.named_children() {
            let name = php::types::plain(class.text());
            let mut all = vec![name.clone()];
            all.extend(comes_from(class, &name));
            if let Some(earlier) = taken.iter().find(|taken| all.contains(taken)) {
                sink.report(
                    class,
                    format!(
                        "`{}` is already caught by the earlier clause for `{earlier}`.",
                        quote(class.text())
                    ),
                );
            }
            own.push(name);
        }
        if cannot_throw {
            sink.report(
                list,
                format!(
                    "Nothing in the `try` block can throw `{}`.",
                    quote(list.text())
                ),
            );
        }
        taken.extend(own);
    }
}

/// The ancestors of a class, as far as they are known.
fn comes_from(at: Node<'_>, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = name.to_owned();
    while found.len() < 12 {
        let own = php::types::only_class(at, &current)
            .and_then(|class| class.child_of_kind(&["base_clause"]))
            .and_then(|base| base.named_children().next())
            .map(|base| php::types::plain(base.text()));
        let known = || {
            PARENTS
                .iter()
                .find(|(class, _)| *class == current)
                .map(|(_, parent)| (*parent).to_owned())
        };
        let Some(parent) = own.or_else(known) else {
            break;
        };
        found.push(parent.clone());
        current = parent;
    }
    found
}

/// Whether a body consists only of assignments of literals and variables.
fn is_harmless(body: Node<'_>) -> bool {
    let mut statements = body.named_children().peekable();
    let is_plain = |statement: Node<'_>| {
        let set = statement
            .named_children()
            .next()
            .filter(|_| statement.is(&["expression_statement"]));
        set.and_then(Node::assignment).is_some_and(|set| {
            set.target.is(&["variable_name"])
                && set.value.is(&[
                    "integer", "float", "string", "boolean", "null", "variable_name",
                ])
        })
    };
    statements.peek().is_some() && statements.all(is_plain)
}
