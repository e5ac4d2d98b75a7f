//! Log attributes that do not come in pairs.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/key-without-value",
    languages: &["Go"],
    title: "Log attribute without a value",
    why: "Structured logging takes keys and values in turn. If one is missing, the last key is logged as the value \
          of `!BADKEY`, or all later pairs are shifted, and a search for the attribute finds nothing.",
    fix: "Pass a value for each key.",
    references: &["https://pkg.go.dev/log/slog"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
@@ func load(name string) {
-	slog.Info("loaded", "name", name)
+	slog.Info("loaded", "name")
^
"#,
        r#"
+slog.Error("failed", err)
^
+logger.Infow("loaded", "name", name, "count")
^
"#,
    ],
    negative: &[
        r#"
@@ func load(name string) {
+	slog.Info("loaded", "name", name)
"#,
        r#"
+slog.Info("loaded", slog.String("name", name), "count", n)
+slog.Info("loaded", attributes...)
+slog.ErrorContext(ctx, "failed", "error", err)
+log.Info("loaded", name)
+slog.Info("loaded", slog.Group("a", "b", 1))
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    const NAMES: &[&str] = &[
        "Info", "Warn", "Error", "Debug", "Log", "With", "Group", "Panic", "Fatal", "DPanic",
    ];
    let Some(call) = node.call() else { return };
    // Finding the type of the receiver requires reading the whole function.
    if !NAMES.iter().any(|name| call.name.starts_with(name)) {
        return;
    }
    let receiver = call.receiver.map_or("", Node::text);
    let lower = receiver.to_ascii_lowercase();
    let is_slog = receiver == "slog"
        || receiver.starts_with("slog.")
        || syntax::semantics::types::type_of(call.receiver.unwrap_or(node))
            .is_some_and(|kind| kind == "*slog.Logger");
    let is_sugar = lower.contains("log") || lower.contains("sugar");
    let skip = match call.name {
        "Info" | "Warn" | "Error" | "Debug" if is_slog => 1,
        "InfoContext" | "WarnContext" | "ErrorContext" | "DebugContext" if is_slog || is_sugar => 2,
        "With" if is_slog => 0,
        "Group" if receiver == "slog" => 1,
        "Log" if is_slog => 3,
        "Infow" | "Warnw" | "Errorw" | "Debugw" | "Fatalw" | "Panicw" | "DPanicw" if is_sugar => 1,
        "Info" if lower.contains("klog") || lower.contains("logr") => 1,
        "InfoS" if lower.contains("klog") => 1,
        "ErrorS" if lower.contains("klog") => 2,
        "Error" if lower.contains("logr") => 2,
        "WithValues" if is_sugar => 0,
        _ => return,
    };
    let Some(attributes) = call.arguments.get(skip..) else {
        return;
    };
    if attributes
        .iter()
        .any(|argument| argument.is(&["variadic_argument"]))
        || node.text().contains("...")
    {
        return;
    }
    let mut rest = attributes;
    while let Some((first, others)) = rest.split_first() {
        if is_attribute(*first) {
            rest = others;
            continue;
        }
        let is_key = first.has_role(Role::Text)
            || first.has_role(Role::Name)
            || first.has_role(Role::Member)
            || first.has_role(Role::Binary)
            || first.has_role(Role::Call);
        if first.has_role(Role::Number)
            || first.is(&["true", "false", "nil", "composite_literal"])
            || (is_error(*first) && is_slog)
        {
            sink.report(
                node,
                format!(
                    "`{}` is passed where the key of an attribute is expected.",
                    quote(first.text())
                ),
            );
            return;
        }
        if others.is_empty() {
            // A variable may hold a complete attribute.
            if is_key && first.has_role(Role::Text)
                || !is_slog
                    && is_key
                    && attributes.len() % 2 == 1
                    && attributes.iter().any(|one| one.has_role(Role::Text))
            {
                sink.report(
                    node,
                    format!("The attribute `{}` has no value.", quote(first.text())),
                );
            }
            return;
        }
        rest = others.get(1..).unwrap_or_default();
    }
}

fn is_error(node: Node<'_>) -> bool {
    matches!(node.text(), "err" | "e")
        || syntax::semantics::types::type_of(node).is_some_and(|kind| kind == "error")
}

/// A value that is a complete attribute.
fn is_attribute(node: Node<'_>) -> bool {
    node.call().is_some_and(|call| {
        let of = call.receiver.map_or("", Node::text);
        of == "slog"
            || of == "zap"
            || of == "logtransform"
            || call.name.contains("Attr")
            || call.receiver.is_none()
    }) || syntax::semantics::types::type_of(node).is_some_and(|kind| kind.ends_with("Attr"))
        || node.text().to_ascii_lowercase().contains("attr")
}
