//! Log calls with placeholders that do not match the values.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::output::counted;
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/logging-arguments-mismatch",
    languages: &["Python"],
    title: "Log call with mismatched placeholders",
    why: "Logging formats the message only when the record is emitted, and catches the error: the log shows a \
          traceback instead of the message.",
    fix: "Pass one value for each placeholder, and none without placeholders.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+logging.info("%s of %s done", done)
^
"#,
        r#"
@@ def f(error):
+    logger.error("failed", error)
^
"#,
    ],
    negative: &[
        r#"
+logging.info("%s of %s done", done, total)
+logger.info("done")
+logger.error("failed", exc_info=True)
+log.info("%(a)s", {"a": 1})
+logger.info("x", *values)
+math.log("a", 2)
+logger.info("{} done", n)
"#,
        r#"
@@ def f(error):
     logger.error("failed", error)
+    logger.error("failed: %s", error)
+    logging.warning(f"{error} failed")
+    logger.log(20, "%d%% of %s", 3, error)
"#,
    ],
};

const LEVELS: &[&str] = &[
    "debug", "info", "warning", "warn", "error", "exception", "critical", "fatal",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| LEVELS.contains(&call.name)) else {
        return;
    };
    let Some(receiver) = call
        .receiver
        .map(|receiver| receiver.last_name().to_ascii_lowercase())
    else {
        return;
    };
    if !matches!(
        receiver.as_str(),
        "logging" | "logger" | "log" | "_logger" | "_log" | "getlogger"
    ) || call
        .arguments
        .iter()
        .any(|argument| argument.is(&["list_splat", "dictionary_splat"]))
    {
        return;
    }
    let values: Vec<_> = call
        .arguments
        .iter()
        .filter(|argument| !argument.is(&["keyword_argument", "comment"]))
        .collect();
    let Some((text, values)) = values.split_first() else {
        return;
    };
    let Some(text) = text
        .string_value()
        .filter(|text| !text.contains("%(") && !text.contains('{'))
    else {
        return;
    };
    let wanted = placeholders(text);
    let is_dict = values.len() == 1
        && values
            .first()
            .is_some_and(|value| value.is(&["dictionary"]));
    if wanted.is_some_and(|wanted| wanted != values.len() && !(values.is_empty())) && !is_dict {
        let wanted = wanted.unwrap_or_default();
        sink.report(
            node,
            format!(
                "The message of this log call has {}, but the call passes {}.",
                counted(wanted, "placeholder"),
                counted(values.len(), "value")
            ),
        );
    }
}

/// The number of values that the string takes; `None` if that is unknown.
fn placeholders(text: &str) -> Option<usize> {
    let mut count = 0;
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once('%') {
        let at = tail.find(|c: char| !"#0- +.123456789*".contains(c))?;
        let (middle, end) = tail.split_at(at);
        let sign = end
            .chars()
            .next()
            .filter(|sign| "diouxXeEfFgGcrsa%".contains(*sign))?;
        count += usize::from(sign != '%') + middle.matches('*').count();
        rest = end.get(1..)?;
    }
    Some(count)
}
