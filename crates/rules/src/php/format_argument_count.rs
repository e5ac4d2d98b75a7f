//! A call of `sprintf` or a similar function with values that do not match the placeholders of the format.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/format-argument-count",
    languages: &["PHP"],
    title: "Number of values does not match the format",
    why: "With too few values, `sprintf` throws an `ArgumentCountError` (a warning before PHP 8). Extra values are \
          silently ignored, so data is missing from the output. `sscanf` rejects any mismatch.",
    fix: "Pass exactly one value for each placeholder of the format.",
    references: &[
        "CWE-685",
        "https://www.php.net/manual/en/function.sprintf.php",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["function_call_expression"]),
        run,
    },
    positive: &[
        r#"
+$line = sprintf('%s has %d items', $name);
^
"#,
        r#"
+printf('%05.1f', $a, $b);
^
+$format = '%2$s %1$s';
+echo sprintf($format, 'a');
^
+fprintf($file, "%'*10s|%-5d\n", $a);
^
+sscanf($text, '%d %*s %d', $a);
^
"#,
    ],
    negative: &[
        "+$line = sprintf('%s has %d items', $name, $count);\n",
        r#"
+printf('100 %%');
+printf('%1$s and %1$s', $a);
+sprintf($unknown, $a);
+sprintf('%s %s', ...$all);
+sprintf("%s $more", $a, $b);
+sscanf($text, '%d%d');
+sprintf('%*d', 5, 1);
+sscanf($text, '%[a-z]%n%d', $word, $n, $d);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node
        .field("function")
        .filter(|name| name.text().ends_with("f"))
    else {
        return;
    };
    let (place, reads) = match php::types::plain(name.text()).as_str() {
        "sprintf" | "printf" => (0, false),
        "fprintf" => (1, false),
        "sscanf" | "fscanf" => (1, true),
        _ => return,
    };
    let Some(given) = php::calls::arguments(node) else {
        return;
    };
    let format = given
        .get(place)
        .and_then(|argument| php::calls::handed(*argument))
        .map(php::types::source_of);
    let Some(text) = format
        .filter(|format| format.is(&["string", "encapsed_string"]))
        .and_then(php::types::literal_text)
    else {
        return;
    };
    let values = given.len() - place - 1;
    let Some(places) = (if reads {
        read_places(text)
    } else {
        places(text)
    }) else {
        return;
    };
    if values != places && !(reads && values == 0) {
        let name = quote(name.text());
        sink.report(
            node,
            format!(
                "The number of placeholders in the format is {places}, but the number of values passed to `{name}` is \
                 {values}."
            ),
        );
    }
}

/// How many values a format requires; `None` if it uses `*`, or is not a valid format.
fn places(format: &str) -> Option<usize> {
    let mut chars = format.chars().peekable();
    let (mut running, mut highest) = (0, 0);
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        let mut digits = String::new();
        let mut is_numbered = false;
        loop {
            let next = chars.next()?;
            match next {
                '%' => break,
                '*' => return None,
                '$' => {
                    highest = highest.max(digits.parse().unwrap_or(0));
                    is_numbered = true;
                }
                '\'' => {
                    chars.next()?;
                }
                '0'..='9' => digits.push(next),
                '+' | '-' | ' ' | '.' | 'l' => {}
                'b' | 'c' | 'd' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'h' | 'H' | 'o' | 's'
                | 'u' | 'x' | 'X' => {
                    running += usize::from(!is_numbered);
                    break;
                }
                _ => return None,
            }
        }
    }
    Some(running.max(highest))
}

/// How many variables `sscanf` fills.
fn read_places(format: &str) -> Option<usize> {
    let mut chars = format.chars().peekable();
    let mut count = 0;
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        let mut is_dropped = false;
        loop {
            match chars.next()? {
                '%' => break,
                '*' => is_dropped = true,
                '$' => return None,
                '0'..='9' | 'l' | 'h' | 'L' | '.' => {}
                '[' => {
                    let mut length = 0;
                    while let Some(c) = chars.next().filter(|c| *c != ']' || length == 0) {
                        length += usize::from(c != '^');
                    }
                    count += usize::from(!is_dropped);
                    break;
                }
                _ => {
                    count += usize::from(!is_dropped);
                    break;
                }
            }
        }
    }
    Some(count)
}
