//! Format strings with placeholders that do not match the values.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/format-arguments-mismatch",
    languages: &["Python"],
    title: "Mismatch of placeholders and values",
    why: "The placeholders of the format string do not match the values. The line raises an error, or drops a value, \
          often in a message that is produced only when something else has failed.",
    fix: "Match each placeholder with one value.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Binary, Role::Call]),
        run,
    },
    positive: &[
        r#"
+message = "%s of %s" % (done,)
^
"#,
        r#"
+message = "{} of {}".format(done)
^
"#,
        r#"
@@ def f(a):
+    return "%(name)s is %d" % {"name": a}
^
"#,
        r#"
+text = "{name}".format(nam=user)
^
"#,
        r#"
+text = "{}".format(first, second)
^
+more = "%d files" % "3"
^
"#,
    ],
    negative: &[
        r#"
+message = "%s of %s" % (done, total)
+message = "%s" % value
+rate = "%d%%" % (rate,)
+wide = "%*d" % (width, n)
+any = "%s %s" % pair
+all = "%s %s" % (*pair,)
"#,
        r#"
+message = "{} of {}".format(done, total)
+message = "{0} {0}".format(done)
+text = "{a.b} {c[0]} {{}}".format(a=a, c=c)
+more = "{x}".format(**values)
+args = "{} {}".format(*values)
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let reason = match node.call() {
        Some(call) if call.name == "format" => call
            .receiver
            .filter(|text| text.is(&["string"]))
            .and_then(|text| braces(text.string_value()?, &call.arguments)),
        Some(_) => None,
        None => node
            .binary()
            .filter(|binary| binary.operator == "%" && binary.left.is(&["string"]))
            .and_then(|binary| {
                let is_bytes = binary.left.text().starts_with(['b', 'B']);
                percent(
                    binary.left.string_value().filter(|_| !is_bytes)?,
                    binary.right.unparenthesised(),
                )
            }),
    };
    if let Some(reason) = reason {
        sink.report(node, format!("`{}`: {reason}", quote(node.text())));
    }
}

/// The problem with `text % right`.
fn percent(text: &str, right: Node<'_>) -> Option<String> {
    let Some(placeholders) = percent_placeholders(text) else {
        return Some("the format string contains an invalid placeholder.".to_owned());
    };
    let named: Vec<&str> = placeholders
        .iter()
        .filter_map(|placeholder| placeholder.name)
        .collect();
    if !named.is_empty() {
        if named.len() < placeholders.len() {
            return Some("placeholders with and without names are mixed.".to_owned());
        }
        if right.is(&["tuple", "list", "string", "integer"]) {
            return Some(
                "the placeholders have names, so the right operand must be a dict.".to_owned(),
            );
        }
        let keys: Option<Vec<&str>> = right
            .named_children()
            .map(|pair| pair.field("key").and_then(Node::string_value))
            .collect();
        let missing = keys
            .filter(|_| right.is(&["dictionary"]))
            .and_then(|keys| named.iter().find(|name| !keys.contains(name)).copied());
        return missing.map(|name| format!("no value is passed for `{name}`."));
    }
    let wanted: usize = placeholders
        .iter()
        .map(|placeholder| 1 + placeholder.stars)
        .sum();
    let given = if right.is(&["tuple"]) {
        if right.named_children().any(|part| part.is(&["list_splat"])) {
            return None;
        }
        right.named_children().count()
    } else if right.is(&[
        "string", "integer", "float", "none", "list", "list_comprehension",
    ]) {
        1
    } else if right.is(&["dictionary", "dictionary_comprehension"]) {
        return (wanted > 1)
            .then(|| format!("{wanted} placeholders have no name, but the value is a dict."));
    } else {
        return None;
    };
    if wanted != given {
        return Some(format!(
            "there are {wanted} placeholders and {given} values."
        ));
    }
    let values: Vec<Node<'_>> = if right.is(&["tuple"]) {
        right.named_children().collect()
    } else {
        vec![right]
    };
    let wrong = placeholders
        .iter()
        .zip(&values)
        .find(|(placeholder, value)| !takes(placeholder, **value));
    wrong.map(|(placeholder, value)| {
        format!(
            "`%{}` does not take `{}`.",
            placeholder.sign,
            quote(value.text())
        )
    })
}

/// Whether a placeholder accepts a literal.
fn takes(placeholder: &Placeholder<'_>, value: Node<'_>) -> bool {
    let is_text = value.is(&[
        "string", "list", "dictionary", "none", "set", "tuple", "list_comprehension",
    ]);
    match placeholder.sign {
        'd' | 'i' | 'u' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => !is_text,
        'o' | 'x' | 'X' => !is_text && !value.is(&["float"]),
        'c' => !value.is(&["float", "list", "dictionary", "none"]),
        _ => true,
    }
}

struct Placeholder<'t> {
    name: Option<&'t str>,
    stars: usize,
    sign: char,
}

/// The placeholders of a text for `%`; `None` if one is malformed.
fn percent_placeholders(text: &str) -> Option<Vec<Placeholder<'_>>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once('%') {
        let (name, after) = match tail
            .strip_prefix('(')
            .and_then(|inner| inner.split_once(')'))
        {
            Some((name, after)) => (Some(name), after),
            None => (None, tail),
        };
        let flags = after.find(|c: char| !"#0- +*.123456789hlL".contains(c))?;
        let (middle, end) = after.split_at(flags);
        let sign = end.chars().next()?;
        if !"diouxXeEfFgGcrsa%".contains(sign) {
            return None;
        }
        if sign != '%' {
            found.push(Placeholder {
                name,
                stars: middle.matches('*').count(),
                sign,
            });
        }
        rest = end.get(sign.len_utf8()..)?;
    }
    Some(found)
}

/// The problem with `text.format(arguments)`.
fn braces(text: &str, arguments: &[Node<'_>]) -> Option<String> {
    let named: Vec<&str> = arguments
        .iter()
        .filter(|argument| argument.is(&["keyword_argument"]))
        .filter_map(|argument| argument.field("name"))
        .map(Node::text)
        .collect();
    let spreads = |kind: &str| arguments.iter().any(|argument| argument.is(&[kind]));
    let (some_positions, some_names) = (spreads("list_splat"), spreads("dictionary_splat"));
    let given = arguments
        .iter()
        .filter(|argument| {
            !argument.is(&[
                "keyword_argument", "list_splat", "dictionary_splat", "comment",
            ])
        })
        .count();
    let mut next = 0;
    let mut highest = 0;
    let fields = brace_fields(text)?;
    let (mut automatic, mut numbered) = (false, false);
    for field in &fields {
        let name = field.split(['.', '[', '!', ':']).next().unwrap_or_default();
        let place = if name.is_empty() {
            automatic = true;
            next += 1;
            next - 1
        } else if let Ok(number) = name.parse::<usize>() {
            numbered = true;
            highest = highest.max(number + 1);
            number
        } else {
            if !some_names && !named.contains(&name) {
                return Some(format!("no value is passed for `{name}`."));
            }
            continue;
        };
        if place >= given && !some_positions {
            return Some(format!("value number {} is missing.", place + 1));
        }
    }
    if let Some(unused) = unused(arguments, &fields, next.max(highest)) {
        return Some(format!("no placeholder uses `{}`.", quote(unused.text())));
    }
    (automatic && numbered).then(|| "placeholders with and without numbers are mixed.".to_owned())
}

/// A value that is passed but not used.
fn unused<'t>(arguments: &[Node<'t>], fields: &[&str], positions: usize) -> Option<Node<'t>> {
    if arguments
        .iter()
        .any(|argument| argument.is(&["list_splat", "dictionary_splat"]))
    {
        return None;
    }
    let shows = |name: &str| {
        fields.iter().any(|field| {
            field
                .split(['.', '[', '!', ':'])
                .next()
                .is_some_and(|own| own == name)
        })
    };
    let (named, plain): (Vec<Node<'t>>, Vec<Node<'t>>) = arguments
        .iter()
        .filter(|argument| !argument.is(&["comment"]))
        .partition(|one| one.is(&["keyword_argument"]));
    let lost = named
        .into_iter()
        .find(|one| one.field("name").is_some_and(|name| !shows(name.text())));
    lost.or_else(|| plain.get(positions).copied())
}

/// The fields of a string for `format`; `None` if it has nested fields, or braces that do not match.
fn brace_fields(text: &str) -> Option<Vec<&str>> {
    let mut fields = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let doubled = chars.peek().is_some_and(|(_, next)| *next == c);
        match c {
            '{' | '}' if open.is_empty() && doubled => {
                chars.next();
            }
            '{' => {
                // Nested fields take values in a different order.
                if !open.is_empty() {
                    return None;
                }
                open.push(at + 1);
                fields.push((at + 1, at + 1));
            }
            '}' => {
                let start = open.pop()?;
                fields
                    .iter_mut()
                    .filter(|field| field.0 == start)
                    .for_each(|field| field.1 = at);
            }
            // `\\N{DASH}` is not a field.
            '\\' if chars.peek().is_some_and(|(_, next)| *next == 'N') => return None,
            _ => {}
        }
    }
    open.is_empty().then(|| {
        fields
            .iter()
            .filter_map(|(start, end)| text.get(*start..*end))
            .collect()
    })
}
