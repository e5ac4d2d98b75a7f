//! A format string and arguments that do not match.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::output::counted;
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/format-mismatch",
    languages: &["Go"],
    title: "Format string not matching its arguments",
    why: "A verb without an argument prints `%!d(MISSING)`, an argument without a verb `%!(EXTRA …)`, and a wrong \
          verb `%!d(string=…)`. The message is then unreadable, often in an error path where its values are \
          needed.",
    fix: "Pass one argument for each verb, and use a verb that fits the type of its argument.",
    references: &["https://pkg.go.dev/fmt"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
@@ func load(name string) error {
-	return fmt.Errorf("load %s: %w", name, err)
+	return fmt.Errorf("load %s: %w", name)
^
"#,
        r#"
+log.Printf("loaded %d", n, all)
^
+fmt.Printf("%d", "a")
^
"#,
        r#"
+func show(name string) {
+	fmt.Fprintf(os.Stdout, "%d items of %s", name, 5)
^
+}
"#,
    ],
    negative: &[
        r#"
@@ func load(name string) error {
+	return fmt.Errorf("load %s: %w, 100%%", name, err)
"#,
        r#"
+fmt.Printf("%*d %v %[1]d %x", width, n, all, "a")
+fmt.Printf("%d %d", values...)
+fmt.Println("%d")
+log.Printf(format, n)
+fmt.Printf("%s %d", split())
"#,
    ],
};

/// Functions with a format string, and the position of that argument.
const FUNCTIONS: &[(&str, usize)] = &[
    ("fmt.Printf", 0),
    ("fmt.Sprintf", 0),
    ("fmt.Errorf", 0),
    ("fmt.Fprintf", 1),
    ("log.Printf", 0),
    ("log.Fatalf", 0),
    ("log.Panicf", 0),
    ("t.Errorf", 0),
    ("t.Fatalf", 0),
    ("t.Logf", 0),
    ("b.Fatalf", 0),
    ("b.Errorf", 0),
    ("t.Skipf", 0),
    ("logger.Printf", 0),
    ("fmt.Sscanf", 9),
    ("errors.Errorf", 0),
    ("glog.Infof", 0),
    ("glog.Errorf", 0),
    ("klog.Infof", 0),
    ("klog.Errorf", 0),
    ("log.Infof", 0),
    ("log.Errorf", 0),
    ("log.Warnf", 0),
    ("log.Debugf", 0),
    ("fmt.Appendf", 1),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let Some((_, at)) = FUNCTIONS.iter().find(|(name, _)| *name == call.callee) else {
        return;
    };
    let Some((format, rest)) = call
        .arguments
        .get(*at..)
        .and_then(<[Node<'_>]>::split_first)
    else {
        return;
    };
    let Some(text) = format
        .string_value()
        .filter(|_| format.has_role(Role::Text))
    else {
        return;
    };
    let open = rest
        .iter()
        .any(|argument| argument.is(&["variadic_argument"]) || argument.text().ends_with("..."))
        || node
            .text()
            .trim_end_matches(')')
            .trim_end()
            .ends_with("...");
    // A single call may return several values.
    let several = matches!(rest, [only] if only.has_role(Role::Call));
    let Some(places) = places(text) else { return };
    if open {
        return;
    }
    let wanted = places
        .iter()
        .map(|place| place.argument + 1)
        .max()
        .unwrap_or(0);
    let indexed = text.contains("%[");
    let problem = if several && wanted > 1 {
        None
    } else if wanted > rest.len() || wanted < rest.len() && !indexed {
        Some(format!(
            "the format needs {}, but the call passes {}.",
            counted(wanted, "argument"),
            rest.len()
        ))
    } else {
        places
            .iter()
            .find_map(|place| wrong(place, *rest.get(place.argument)?))
    };
    if let Some(problem) = problem {
        sink.report(node, format!("`{}`: {problem}", quote(node.text())));
    }
}

struct Place {
    argument: usize,
    verb: char,
}

fn places(format: &str) -> Option<Vec<Place>> {
    let mut out = Vec::new();
    let mut rest = format;
    let mut next = 0;
    while let Some((_, after)) = rest.split_once('%') {
        let length = after
            .bytes()
            .take_while(|b| b"+-# 0123456789.*[]".contains(b))
            .count();
        let flags = after.get(..length)?;
        let Some(verb) = after.get(length..)?.chars().next() else {
            break;
        };
        rest = after.get(length + verb.len_utf8()..)?;
        if verb == '%' {
            continue;
        }
        if verb == '\\' || flags.contains(']') && flags.contains('*') {
            return None;
        }
        for _ in flags.matches('*') {
            out.push(Place {
                argument: next,
                verb: '*',
            });
            next += 1;
        }
        if let Some((_, index)) = flags.split_once('[') {
            next = index
                .split(']')
                .next()?
                .parse::<usize>()
                .ok()?
                .checked_sub(1)?;
        }
        out.push(Place {
            argument: next,
            verb,
        });
        next += 1;
    }
    Some(out)
}

fn wrong(place: &Place, argument: Node<'_>) -> Option<String> {
    let kind = type_of(argument)?;
    let plain = kind.as_str();
    let whole = matches!(
        plain,
        "int"
            | "int8"
            | "int16"
            | "int32"
            | "int64"
            | "uint"
            | "uint8"
            | "uint16"
            | "uint32"
            | "uint64"
            | "byte"
            | "rune"
            | "char"
            | "uintptr"
    );
    let part = matches!(plain, "float32" | "float64" | "double");
    let complex = matches!(plain, "complex64" | "complex128");
    let truth = matches!(plain, "bool" | "boolean");
    let text = matches!(plain, "string" | "[]byte");
    if !(whole || part || complex || truth || text || plain == "error") {
        return None;
    }
    let fits = match place.verb {
        'v' | 'T' => true,
        'd' | 'o' | 'O' | 'c' | 'U' => {
            whole || (plain == "[]byte" && matches!(place.verb, 'd' | 'o'))
        }
        'b' => whole || part || complex,
        's' => text || plain == "error",
        'q' => text || whole || plain == "error",
        'x' | 'X' => whole || part || complex || text || plain == "error",
        'f' | 'F' | 'e' | 'E' | 'g' | 'G' => part || complex,
        't' => truth,
        'w' => plain == "error",
        '*' => whole,
        'p' => plain == "[]byte",
        _ => false,
    };
    (!fits).then(|| {
        format!(
            "`%{}` does not fit `{}`, which has the type {plain}.",
            place.verb,
            quote(argument.text())
        )
    })
}
