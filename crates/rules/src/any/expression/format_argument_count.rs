//! Format strings with more placeholders than values, in languages whose compilers do not count them.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint;
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/format-argument-count",
    languages: &["C#", "Ruby", "Kotlin"],
    title: "Format with too few values",
    why: "The call throws an exception as soon as it runs, often in the branch for errors, which no test runs.",
    fix: "Pass one value for each placeholder.",
    references: &["CWE-685"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call, Role::Binary]),
        run,
    },
    positive: &[
        r#"
path: src/A.cs
 class A {
     string Name(string first, string last) {
+        return string.Format("{0}, {1}", last);
^
     }
 }
"#,
        r#"
path: src/A.cs
 class A {
     void Show(string name, int count) {
+        _logger.LogInformation("{Name} has {Count} items", name);
^
     }
 }
"#,
        r#"
path: src/a.rb
+message = format('%s has %d items', name)
^
+other = '%s of %s' % [done]
^
"#,
        r#"
path: src/a.kt
 fun show(name: String) {
+    println("%s has %d items".format(name))
^
+    val line = String.format("%s: %s", name)
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.cs
 class A {
     string Name(string first, string last, object[] parts) {
+        Log(string.Format(CultureInfo.InvariantCulture, "{0}, {1:d2} {{2}}", last, first));
+        return string.Format("{0} {1}", parts);
     }
 }
"#,
        r#"
path: src/a.rb
+message = format('%s has %d items, 100%%', name, count)
+other = format('%<a>s %{b}', a: 1, b: 2)
+third = format("%s #{x} %s", *all)
+fourth = a % b
+fifth = '%s of %s' % pair
"#,
        r#"
path: src/a.kt
 fun show(name: String, all: Array<String>) {
+    println("%s has %d items%n".format(name, 3))
+    println("%s %s".format(*all))
 }
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let found = match (context.file.language, node.call()) {
        ("C#", Some(call)) => indexed(&call),
        ("Ruby", Some(call))
            if matches!(
                call.callee,
                "format" | "sprintf" | "printf" | "Kernel.format"
            ) =>
        {
            printf(
                call.arguments.first().copied(),
                call.arguments.get(1..).unwrap_or_default(),
            )
        }
        ("Ruby", None) => by_percent(node),
        ("Kotlin", Some(call)) if call.callee == "String.format" => printf(
            call.arguments.first().copied(),
            call.arguments.get(1..).unwrap_or_default(),
        ),
        ("Kotlin", Some(call)) if call.name == "format" => printf(call.receiver, &call.arguments),
        _ => None,
    };
    if let Some((wanted, given)) = found.filter(|(wanted, given)| wanted > given) {
        let text = quote(node.text());
        sink.report(
            node,
            format!("The format of `{text}` requires {wanted} values, but gets {given}."),
        );
    }
}

/// `'%s of %s' % [a]`.
fn by_percent(node: Node<'_>) -> Option<(usize, usize)> {
    let binary = node
        .binary()
        .filter(|binary| binary.operator == "%" && binary.right.is(&["array"]))?;
    printf(
        Some(binary.left),
        &binary.right.named_children().collect::<Vec<_>>(),
    )
}

/// The numbers of placeholders and of values.
fn printf(format: Option<Node<'_>>, values: &[Node<'_>]) -> Option<(usize, usize)> {
    let format = taint::argument_value(format?);
    let text = format
        .is(&["string", "string_literal"])
        .then(|| format.text())?;
    let is_spread = |value: &Node<'_>| {
        value.text().starts_with(['*', '&']) || value.is(&["pair", "hash", "splat_argument"])
    };
    if text.contains(['#', '$']) || values.iter().any(is_spread) {
        return None;
    }
    Some((placeholders(text)?, values.len()))
}

/// How many values a format reads; `None` if it names or numbers them.
fn placeholders(text: &str) -> Option<usize> {
    let mut count = 0;
    let mut parts = text.split('%').skip(1);
    while let Some(part) = parts.next() {
        if part.is_empty() {
            // After `%%`, the rest is text.
            parts.next();
            continue;
        }
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ 0.,(".contains(c));
        match rest.chars().next() {
            Some('<' | '{' | '*') => return None,
            Some('n') => {}
            Some(
                's' | 'S' | 'd' | 'i' | 'u' | 'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'x' | 'X' | 'o'
                | 'c' | 'b' | 'p' | 'a',
            ) => count += 1,
            _ => return None,
        }
    }
    Some(count)
}

/// `LogInformation("{Name} has {Count}", name)`, possibly with an exception first. An extra value is not an error.
fn logged(call: &Call<'_>) -> Option<(usize, usize)> {
    let literal = |argument: &Node<'_>| taint::argument_value(*argument).is(&["string_literal"]);
    let place = call
        .arguments
        .iter()
        .position(literal)
        .filter(|place| *place <= 2)?;
    let values = call.arguments.get(place + 1..)?;
    let text = call
        .arguments
        .get(place)
        .map(|format| format.text())?
        .replace("{{", "")
        .replace("}}", "");
    let is_name = |piece: &&str| {
        piece.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '$'))
    };
    let wanted = text.split('{').skip(1).filter(is_name).count();
    // A single value may be an array with all values.
    let is_array = matches!(values, [only] if only.text().ends_with('s'));
    (!is_array).then_some((wanted, values.len()))
}

/// `string.Format("{0} {1}", a)` and functions with the same format.
fn indexed(call: &Call<'_>) -> Option<(usize, usize)> {
    let callee = call.callee.to_ascii_lowercase();
    const LEVELS: &[&str] = &[
        "LogTrace", "LogDebug", "LogInformation", "LogWarning", "LogError", "LogCritical",
    ];
    if LEVELS.contains(&call.name) {
        return logged(call);
    }
    let is_format = callee.ends_with("string.format")
        || call.name == "AppendFormat"
        || matches!(callee.as_str(), "console.writeline" | "console.write");
    let literal = |argument: &Node<'_>| {
        taint::argument_value(*argument).is(&["string_literal", "verbatim_string_literal"])
    };
    let place = call
        .arguments
        .iter()
        .position(literal)
        .filter(|place| is_format && *place <= 1)?;
    let values = call.arguments.get(place + 1..)?;
    // A single value may be an array with all values.
    let is_array = |value: &Node<'_>| {
        let value = taint::argument_value(*value);
        value.text().ends_with('s')
            || value.text().contains("rray")
            || !value.is(&[
                "identifier", "member_access_expression", "string_literal", "integer_literal",
            ])
    };
    if matches!(values, [only] if is_array(only)) {
        return None;
    }
    let text = call
        .arguments
        .get(place)
        .map(|format| format.text())?
        .replace("{{", "")
        .replace("}}", "");
    let number = |piece: &str| {
        piece
            .split(['}', ':', ','])
            .next()
            .and_then(|digits| digits.trim().parse::<usize>().ok())
    };
    let highest = text.split('{').skip(1).filter_map(number).max()?;
    (highest < 100).then_some((highest + 1, values.len()))
}
