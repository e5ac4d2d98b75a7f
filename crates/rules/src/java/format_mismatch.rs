//! A format string and arguments that do not match.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/format-mismatch",
    languages: &["Java"],
    title: "Format string does not match its arguments",
    why: "`String.format` throws if an argument is missing or has the wrong type, and silently ignores extra \
          arguments. Loggers and `MessageFormat` leave the placeholder in the message. The call is often in an error \
          message, where the mistake appears only after another failure.",
    fix: "Pass one argument of the right type for each placeholder.",
    references: &[
        "CWE-685",
        "CWE-686",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Formatter.html",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
@@ void check(int n) {
-        String text = String.format("%d of %s", n, name);
+        String text = String.format("%d of %s", n);
^
"#,
        r#"
+log.info("loaded {} of {}", count);
^
+System.out.printf("%s%n", name, count);
^
"#,
        r#"
+String text = "%d".formatted("a");
^
+String other = String.format("%d", 1.5);
^
+String third = MessageFormat.format("{0} is {1}", name);
^
"#,
    ],
    negative: &[
        r#"
@@ void check(int n) {
+        String text = String.format("%d of %s, 100 %%%n", n, name);
"#,
        r#"
+log.info("loaded {} of {}", count, all);
+log.error("failed {}", name, exception);
+log.info("\\{} {}", name);
+String all = String.format("%s %s", names);
+String again = String.format("%1$s %1$s %<s", name);
+log.warn(MARKER, "{} {}", name, count);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let arguments = call.arguments.as_slice();
    let receiver = call.receiver.map_or("", Node::text);
    let problem = match call.name {
        "format" if receiver.ends_with("MessageFormat") => arguments
            .split_first()
            .and_then(|(format, rest)| numbered(&literal(*format)?, rest)),
        "format" | "printf"
            if receiver == "String" || receiver.starts_with("System.") || call.name == "printf" =>
        {
            let skip = usize::from(
                arguments
                    .first()
                    .is_some_and(|first| first.text().contains("Locale")),
            );
            arguments
                .get(skip..)
                .and_then(<[Node<'_>]>::split_first)
                .and_then(|(format, rest)| percent(&literal(*format)?, rest))
        }
        "formatted" => call
            .receiver
            .and_then(literal)
            .and_then(|format| percent(&format, arguments)),
        "trace" | "debug" | "info" | "warn" | "error" if is_logger(receiver) => {
            let skip = arguments
                .iter()
                .position(|argument| literal(*argument).is_some())
                .filter(|at| *at <= 1)
                .unwrap_or(0);
            arguments
                .get(skip..)
                .and_then(<[Node<'_>]>::split_first)
                .and_then(|(format, rest)| braces(&literal(*format)?, rest))
        }
        _ => None,
    };
    if let Some(problem) = problem {
        sink.report(node, format!("`{}`: {problem}", quote(node.text())));
    }
}

/// The text of a literal, or of concatenated literals.
fn literal(node: Node<'_>) -> Option<String> {
    let node = node.unparenthesised();
    if let Some(binary) = node.binary().filter(|binary| binary.operator == "+") {
        return Some(literal(binary.left)? + &literal(binary.right)?);
    }
    node.string_value()
        .filter(|_| node.has_role(Role::Text) && !node.text().starts_with("\"\"\""))
        .map(str::to_owned)
}

fn is_logger(receiver: &str) -> bool {
    let last = receiver
        .rsplit('.')
        .next()
        .unwrap_or(receiver)
        .to_ascii_lowercase();
    matches!(
        last.as_str(),
        "log" | "logger" | "_log" | "_logger" | "slf4jlogger"
    )
}

/// Whether an argument is an array, or may be one, and represents any number of arguments.
fn is_open(arguments: &[Node<'_>]) -> bool {
    let [only] = arguments else { return false };
    if let Some(kind) = type_of(*only) {
        return kind.ends_with("[]");
    }
    let name = only.last_name().to_ascii_lowercase();
    let many = name.ends_with('s')
        || ["arg", "arr", "param", "list"]
            .iter()
            .any(|part| name.contains(part));
    many || only.text().contains("rray")
        || only.is(&["array_creation_expression", "method_reference"])
}

fn count(places: usize, arguments: usize) -> String {
    let plural = |n: usize, what: &str| {
        if n == 1 {
            format!("one {what}")
        } else {
            format!("{n} {what}s")
        }
    };
    format!(
        "the format has {}, but the call passes {}.",
        plural(places, "placeholder"),
        plural(arguments, "argument")
    )
}

fn braces(format: &str, arguments: &[Node<'_>]) -> Option<String> {
    if format.contains("\\\\{")
        || format.contains("{0}")
        || format.contains("#0")
        || format.contains('%')
    {
        return None;
    }
    let places = format.matches("{}").count();
    let given = arguments.len();
    let last_is_exception = arguments.last().is_some_and(|last| {
        let text = last.text();
        let kind = type_of(*last).unwrap_or_default();
        matches!(
            text,
            "e" | "ex" | "t" | "exception" | "cause" | "error" | "err" | "throwable"
        ) || kind.ends_with("Exception")
            || kind.ends_with("Error")
            || kind == "Throwable"
            || text.to_ascii_lowercase().contains("exception")
            || text.contains("ause")
            || text.contains("hrowable")
    });
    let first = arguments.first().copied();
    let array = given == 1
        && places > 1
        && first.is_some_and(|first| type_of(first).is_none_or(|kind| kind.ends_with("[]")));
    let known = given > 0 || places > 0;
    let more = given > places
        && !(given == places + 1
            && (last_is_exception
                || arguments
                    .last()
                    .is_some_and(|last| last.has_role(Role::Name) && type_of(*last).is_none())));
    let open = array
        && !first.is_some_and(|first| first.has_role(Role::Call) || first.has_role(Role::Name));
    (known && !open && (given < places && given > 0 || more)).then(|| count(places, given))
}

/// Checks the `{0}` placeholders of `MessageFormat`.
fn numbered(format: &str, arguments: &[Node<'_>]) -> Option<String> {
    let highest = (0..20)
        .rev()
        .find(|n| format.contains(&format!("{{{n}}}")) || format.contains(&format!("{{{n},")))?;
    let single_quoted = format.contains('\'');
    (!single_quoted && !is_open(arguments) && highest >= arguments.len() && !arguments.is_empty())
        .then(|| count(highest + 1, arguments.len()))
}

/// The placeholders of a printf format: the argument's index and the conversion.
fn places(format: &str) -> Option<Vec<(usize, char)>> {
    let mut out = Vec::new();
    let mut rest = format;
    let mut next = 0;
    while let Some((_, after)) = rest.split_once('%') {
        let length = after
            .bytes()
            .take_while(|b| !b.is_ascii_alphabetic() && *b != b'%')
            .count();
        let flags = after.get(..length)?;
        let conversion = after.get(length..)?.chars().next()?;
        rest = after.get(length + conversion.len_utf8()..)?;
        if conversion == 't' || conversion == 'T' {
            rest = rest.get(1..)?;
        }
        if matches!(conversion, '%' | 'n') {
            continue;
        }
        if flags.contains(['{', ' ', '*', '"', '\\']) && !flags.starts_with([' ', '-']) {
            return None;
        }
        if flags.contains('<') {
            continue;
        }
        if let Some((number, _)) = flags.split_once('$') {
            out.push((
                number
                    .trim_matches(|c: char| !c.is_ascii_digit())
                    .parse::<usize>()
                    .ok()?
                    .checked_sub(1)?,
                conversion,
            ));
        } else {
            out.push((next, conversion));
            next += 1;
        }
    }
    Some(out)
}

fn percent(format: &str, arguments: &[Node<'_>]) -> Option<String> {
    let places = places(format)?;
    if is_open(arguments) && places.len() != 1 {
        return None;
    }
    let wanted = places.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
    if wanted > arguments.len() || (arguments.len() > wanted && !is_open(arguments)) {
        return Some(count(wanted, arguments.len()));
    }
    places.iter().find_map(|(at, conversion)| {
        let argument = arguments.get(*at)?;
        let kind = type_of(*argument)?;
        let wrong = match conversion {
            'd' | 'x' | 'X' | 'o' => matches!(
                kind.as_str(),
                "String"
                    | "double"
                    | "float"
                    | "Double"
                    | "Float"
                    | "boolean"
                    | "Boolean"
                    | "char"
                    | "BigDecimal"
            ),
            'f' | 'e' | 'E' | 'g' => matches!(
                kind.as_str(),
                "String"
                    | "int"
                    | "long"
                    | "Integer"
                    | "Long"
                    | "boolean"
                    | "Boolean"
                    | "char"
                    | "BigInteger"
                    | "short"
                    | "byte"
            ),
            'c' => matches!(
                kind.as_str(),
                "String" | "double" | "float" | "boolean" | "long"
            ),
            _ => false,
        };
        wrong.then(|| {
            format!(
                "`%{conversion}` does not accept `{}` of type `{kind}`.",
                quote(argument.text())
            )
        })
    })
}
