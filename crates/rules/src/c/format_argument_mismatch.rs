//! `printf` and `scanf` calls with arguments that do not match their format.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{Value, declared, value_of};
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "c/format-argument-mismatch",
    languages: &["C", "C++"],
    title: "Argument does not match the format",
    why: "The function relies on the format for the number and the types of its arguments. A wrong type prints \
          garbage, a missing argument reads an undefined value, and a number taken for a pointer usually crashes. All \
          are undefined behavior.",
    fix: "Make the format and the arguments agree: `%s` for a string, `%d` for `int`, `%ld` for `long`, `%zu` for \
          `size_t`, `%f` for `double`.",
    references: &["CWE-686", "https://en.cppreference.com/w/c/io/fprintf"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
@@ void lcs(client *c) {
     if (size > (size_t)server.limit) {
-        replyError(c, "too long");
+        replyErrorFormat(c, "too long: %s bytes", size);
^
         return;
     }
"#,
        r#"
+void show(const char *name, int count) {
+    printf("%s has %d items\n", name);
^
+}
"#,
        r#"
@@ void show(const char *name, int count)
+    int count = 3;
+    printf("%s items\n", count);
^
"#,
        r#"
+void show(long long size, double part) {
+    printf("%d\n", size);
^
+    printf("%d\n", part);
^
+    printf("done\n", part);
^
+    printf("%#d\n", 3);
^
+}
"#,
        r#"
+int read(void) {
+    int n = 0;
+    scanf("%d", n);
^
+    return n;
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.c
+#define BOTH(x) x, plural(x)
 void f(int n, int i) {
+    char names[2][16];
+    printf("%d item%s\n", BOTH(n));
+    printf("%s\n", names[i]);
 }
"#,
        r#"
path: src/a.cc
+int generate(int channels, double seconds) {
+    int size = (int)(seconds * 25);
+    std::vector<float> noise(channels * size);
+    fprintf(stderr, "%d\n", size);
+    return (int)noise.size();
+}
"#,
        r#"
@@ void lcs(client *c) {
     if (size > (size_t)server.limit) {
+        replyErrorFormat(c, "too long: %llu bytes, %s", size, name);
         return;
     }
"#,
        r#"
+void show(const char *name, int count, size_t size, unsigned char c) {
+    printf("%s has %d items of %zu bytes, 100%% %c%5.2f %*d\n", name, count, size, c, 1.5, 3, count);
+}
"#,
        r#"
+void show(struct item *item, time_t t) {
+    printf("%d %lu" PRIu64 "\n", item->count, t);
+    fprintf(stderr, message, item);
+    printf("%m %pV\n", item);
+}
"#,
        r#"
+int read(void) {
+    int n; char word[20];
+    return scanf("%d %19s %*d %c", &n, word, word + 1);
+}
"#,
    ],
};

/// Functions with a format string, and its position.
const PRINTERS: &[(&str, usize)] = &[
    ("printf", 0),
    ("fprintf", 1),
    ("sprintf", 1),
    ("snprintf", 2),
    ("dprintf", 1),
    ("syslog", 1),
    ("asprintf", 1),
    ("printf_s", 0),
    ("fprintf_s", 1),
    ("g_print", 0),
    ("g_printerr", 0),
    ("g_strdup_printf", 0),
    ("wprintf", 0),
    ("fwprintf", 1),
    ("swprintf", 2),
    ("_snprintf", 2),
    ("errx", 1),
    ("err", 1),
    ("warnx", 0),
    ("warn", 0),
];
const SCANNERS: &[(&str, usize)] = &[("scanf", 0), ("fscanf", 1), ("sscanf", 1)];

/// One conversion specification of a format string.
#[derive(Debug, Clone)]
struct Piece<'a> {
    text: &'a str,
    flags: &'a str,
    stars: usize,
    precision: bool,
    length: &'a str,
    letter: char,
    ignored: bool,
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let name = call.callee.trim_start_matches("std::");
    let place = |list: &[(&str, usize)]| {
        list.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, place)| *place)
    };
    let (place, scans) = match (place(PRINTERS), place(SCANNERS)) {
        (Some(place), _) => (place, false),
        (None, Some(place)) => (place, true),
        _ => return own_formatter(&call, sink),
    };
    let Some(format) = call
        .arguments
        .get(place)
        .filter(|format| format.is(&["string_literal"]))
    else {
        return;
    };
    let Some(pieces) = pieces(format.text(), scans) else {
        return;
    };
    let given = call.arguments.get(place + 1..).unwrap_or_default();
    // A macro may expand to several arguments.
    let is_macro = |argument: &Node<'_>| {
        let call = argument.unparenthesised().call();
        call.is_some_and(|call| !call.name.bytes().any(|byte| byte.is_ascii_lowercase()))
    };
    if given
        .iter()
        .any(|argument| argument.text().contains("...") || is_macro(argument))
        || is_inside_variadic_macro(node)
    {
        return;
    }
    count(node, &pieces, given, sink);
    let is_wide = name.contains("wprintf");
    let mut arguments = given.iter();
    for piece in &pieces {
        for _ in 0..piece.stars {
            let width = arguments.next();
            if let Some(width) = width.filter(|width| {
                matches!(
                    value_of(**width),
                    Some(Value::Text | Value::Pointer | Value::Double | Value::Object)
                )
            }) {
                sink.report(
                    *width,
                    format!(
                        "The `*` in `{}` requires an `int`, but `{}` is not one.",
                        quote(piece.text),
                        quote(width.text())
                    ),
                );
            }
        }
        if piece.ignored {
            continue;
        }
        let Some(argument) = arguments.next() else {
            break;
        };
        let problem = if scans {
            scanned(piece, *argument)
        } else {
            printed(piece, *argument, is_wide)
        };
        if let Some((problem, priority)) = problem {
            sink.report(*argument, problem).priority(priority);
        }
    }
    if let Some(piece) = pieces
        .iter()
        .find(|piece| !scans && has_undefined_flag(piece))
    {
        sink.report(
            *format,
            format!(
                "The flags or the length in `{}` are not valid with `{}`: the result is undefined.",
                quote(piece.text),
                piece.letter
            ),
        )
        .priority(Priority::P2);
    }
}

/// Reports a call of one of the program's own functions that, by its name, formats like `printf`, and has as many
/// arguments as its format has conversions. Only a number in the place of a string is certain.
fn own_formatter(call: &Call<'_>, sink: &mut Sink<'_>) {
    const NAMES: &[&str] = &[
        "printf", "format", "fmt", "log", "error", "warn", "fatal", "debug", "trace", "die",
    ];
    let lower = call.name.to_ascii_lowercase();
    let literal = call
        .arguments
        .iter()
        .position(|argument| argument.is(&["string_literal"]));
    let Some(place) = literal.filter(|_| NAMES.iter().any(|name| lower.contains(name))) else {
        return;
    };
    let Some(pieces) = call
        .arguments
        .get(place)
        .and_then(|format| pieces(format.text(), false))
    else {
        return;
    };
    let given = call.arguments.get(place + 1..).unwrap_or_default();
    let is_plain = pieces
        .iter()
        .all(|piece| piece.stars == 0 && piece.length.is_empty() || piece.letter != 's');
    if pieces.len() != given.len() || !is_plain {
        return;
    }
    for (piece, argument) in pieces
        .iter()
        .zip(given)
        .filter(|(piece, _)| piece.letter == 's')
    {
        let value = value_of(*argument);
        let is_number = matches!(
            value,
            Some(
                Value::Int
                    | Value::Long
                    | Value::LongLong
                    | Value::Size
                    | Value::Wide
                    | Value::Double
                    | Value::LongDouble
            )
        );
        if is_number || value.is_none() && is_counted(*argument) {
            let what = value.filter(|_| is_number).map_or("a number", describe);
            sink.report(
                *argument,
                format!(
                    "`{}` requires a string, but `{}` is {what}.",
                    quote(piece.text),
                    quote(argument.text())
                ),
            );
        }
    }
}

/// Whether a condition around the use divides or multiplies the variable, or compares it with a size, which is not done
/// with a pointer.
fn is_counted(used: Node<'_>) -> bool {
    const MOST: usize = 8;
    if !used.is(&["identifier"]) {
        return false;
    }
    let conditions = used.ancestors().filter_map(Node::condition).take(MOST);
    conditions
        .flat_map(|condition| std::iter::once(condition).chain(condition.descendants()))
        .any(|node| {
            let Some(binary) = node.binary() else {
                return false;
            };
            let is_own = |side: Node<'_>| side.text() == used.text();
            let is_size = |side: Node<'_>| {
                side.text().starts_with("(size_t)")
                    || side.text().ends_with("SIZE_MAX")
                    || side.is(&["sizeof_expression"])
            };
            let counts = matches!(binary.operator, "/" | "*" | "%" | "<<" | ">>");
            counts && (is_own(binary.left) || is_own(binary.right))
                || matches!(binary.operator, "<" | ">" | "<=" | ">=")
                    && (is_own(binary.left) && is_size(binary.right)
                        || is_own(binary.right) && is_size(binary.left))
        })
}

fn count(node: Node<'_>, pieces: &[Piece<'_>], given: &[Node<'_>], sink: &mut Sink<'_>) {
    let wanted: usize = pieces
        .iter()
        .map(|piece| piece.stars + usize::from(!piece.ignored))
        .sum();
    if given.len() < wanted {
        sink.report(
            node,
            format!(
                "The format requires {wanted} arguments, but the call passes {}.",
                given.len()
            ),
        );
    } else if let Some(extra) = given.get(wanted) {
        sink.report(
            *extra,
            format!(
                "The format uses {wanted} arguments, so `{}` is never used.",
                quote(extra.text())
            ),
        )
        .priority(Priority::P2);
    }
}

/// The conversions of a format; `None` if one of them is an extension of some library.
fn pieces(literal: &str, scans: bool) -> Option<Vec<Piece<'_>>> {
    let mut found = Vec::new();
    let mut rest = literal;
    while let Some(start) = rest.find('%') {
        rest = rest.get(start..)?;
        if let Some(tail) = rest.strip_prefix("%%") {
            rest = tail;
            continue;
        }
        let (piece, tail) = piece(rest, scans)?;
        found.push(piece);
        rest = tail;
    }
    Some(found)
}

fn piece(text: &str, scans: bool) -> Option<(Piece<'_>, &str)> {
    let body = text.get(1..)?;
    let flags_end = body.find(|c: char| !"-+ #0'".contains(c))?;
    let (flags, rest) = body.split_at(flags_end);
    let width_end = rest.find(|c: char| !(c.is_ascii_digit() || c == '*'))?;
    let (width, mut rest) = rest.split_at(width_end);
    let mut stars = width.matches('*').count();
    let mut precision = false;
    if let Some(tail) = rest.strip_prefix('.') {
        precision = true;
        let end = tail.find(|c: char| !(c.is_ascii_digit() || c == '*'))?;
        stars += tail.get(..end)?.matches('*').count();
        rest = tail.get(end..)?;
    }
    const LENGTHS: &[&str] = &["hh", "h", "ll", "l", "j", "z", "t", "L", "q"];
    let length = LENGTHS
        .iter()
        .find(|length| rest.starts_with(**length))
        .copied()
        .unwrap_or("");
    rest = rest.get(length.len()..)?;
    let letter = rest.chars().next()?;
    let mut end = letter.len_utf8();
    if scans && letter == '[' {
        let from = if rest.starts_with("[]") {
            2
        } else if rest.starts_with("[^]") {
            3
        } else {
            1
        };
        end = from + rest.get(from..)?.find(']')? + 1;
    } else if !"diouxXeEfFgGaAcspnCS".contains(letter) {
        return None;
    }
    let tail = rest.get(end..)?;
    // The kernel and some libraries extend `%p` with additional letters.
    if letter == 'p' && tail.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let ignored = scans && stars > 0;
    let whole = text.get(..text.len() - tail.len())?;
    Some((
        Piece {
            text: whole,
            flags,
            stars: if scans { 0 } else { stars },
            precision,
            length,
            letter,
            ignored,
        },
        tail,
    ))
}

/// Combinations that the standard leaves undefined (C17 7.21.6.1).
fn has_undefined_flag(piece: &Piece<'_>) -> bool {
    let has = |flag: char| piece.flags.contains(flag);
    let is = |letters: &str| letters.contains(piece.letter);
    (has('#') && is("diucsp"))
        || (has('0') && is("csp"))
        || (has('\'') && is("oxXeEcspn"))
        || (piece.precision && is("cpn"))
        || (piece.length == "L" && is("diouxXcspn"))
        || (matches!(piece.length, "h" | "hh" | "j" | "z" | "t") && is("eEfFgGaA"))
        || (matches!(piece.length, "ll" | "j" | "z" | "t") && is("csp"))
}

fn printed(piece: &Piece<'_>, argument: Node<'_>, is_wide: bool) -> Option<(String, Priority)> {
    let value = value_of(argument)?;
    let what = describe(value);
    let say = |wanted: &str, priority: Priority| {
        Some((
            format!(
                "`{}` requires {wanted}, but `{}` is {what}.",
                quote(piece.text),
                quote(argument.text())
            ),
            priority,
        ))
    };
    let is_number = matches!(
        value,
        Value::Int | Value::Long | Value::LongLong | Value::Size | Value::Wide
    );
    let is_pointer = matches!(value, Value::Text | Value::WideText | Value::Pointer);
    match piece.letter {
        's' if is_number || matches!(value, Value::Double | Value::LongDouble | Value::Object) => {
            say("a string", Priority::P0)
        }
        's' if value == Value::WideText && piece.length.is_empty() && !is_wide => {
            say("a narrow string", Priority::P1)
        }
        's' if value == Value::Text && piece.length == "l" => say("a wide string", Priority::P1),
        'S' if value == Value::Text && !is_wide => say("a wide string", Priority::P1),
        'p' if is_number || value == Value::Double => say("a pointer", Priority::P1),
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A' if is_number || is_pointer => {
            say("a floating-point number", Priority::P1)
        }
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A'
            if (value == Value::LongDouble) != matches!(piece.length, "L" | "ll" | "q") =>
        {
            say("another floating-point type", Priority::P1)
        }
        'd' | 'i' | 'o' | 'u' | 'x' | 'X' | 'c'
            if is_pointer || matches!(value, Value::Double | Value::LongDouble | Value::Object) =>
        {
            say("an integer", Priority::P1)
        }
        'd' | 'i' | 'o' | 'u' | 'x' | 'X' if is_number => {
            width(piece.length, value).and_then(|wanted| say(wanted, Priority::P2))
        }
        'c' if matches!(
            value,
            Value::Long | Value::LongLong | Value::Size | Value::Wide
        ) =>
        {
            say("a character", Priority::P2)
        }
        'n' if is_number => say("a pointer to store the count", Priority::P1),
        _ => None,
    }
}

/// The type that the length modifier requires, if the value has another width.
fn width(length: &str, value: Value) -> Option<&'static str> {
    match (length, value) {
        ("" | "h" | "hh", Value::Long | Value::LongLong | Value::Size | Value::Wide) => {
            Some("an int")
        }
        ("l", Value::Int | Value::LongLong) => Some("a long"),
        ("ll", Value::Int | Value::Long | Value::Size) | ("q", Value::Int) => Some("a long long"),
        ("z" | "t", Value::Int | Value::LongLong) => Some("a size"),
        ("j", Value::Int) => Some("an intmax_t"),
        _ => None,
    }
}

fn scanned(piece: &Piece<'_>, argument: Node<'_>) -> Option<(String, Priority)> {
    let argument = argument.unparenthesised();
    let variable = declared(argument)?;
    let is_plain = variable.stars == 0 && variable.array.is_none() && !variable.is_reference;
    let is_number = matches!(
        variable.value_kind(),
        Value::Int | Value::Long | Value::LongLong | Value::Size | Value::Wide | Value::Double
    );
    (is_plain && is_number).then(|| {
        (
            format!(
                "`{}` stores through a pointer, but `{}` is the value itself: `&` is missing.",
                quote(piece.text),
                quote(argument.text())
            ),
            Priority::P0,
        )
    })
}

fn describe(value: Value) -> &'static str {
    match value {
        Value::Int => "an int",
        Value::Long => "a long",
        Value::LongLong => "a long long",
        Value::Size => "a size_t",
        Value::Wide => "a 64-bit integer",
        Value::Double => "a double",
        Value::LongDouble => "a long double",
        Value::Text => "a pointer to a string",
        Value::WideText => "a pointer to a wide string",
        Value::Pointer => "a pointer",
        Value::Object => "an object",
    }
}

/// Whether it is inside the body of a macro, where names are parameters.
fn is_inside_variadic_macro(node: Node<'_>) -> bool {
    node.ancestors()
        .any(|around| around.is(&["preproc_function_def"]))
}
