//! Regular expressions that take exponential time on some inputs.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-explosive-repetition",
    languages: regexp::LANGUAGES,
    title: "Regex with exponential backtracking",
    why: "A repetition contains another one that can match the same characters, so the input can be divided in \
          exponentially many ways, and the engine tries all of them when the rest does not match. A few dozen \
          characters can occupy a processor for hours.",
    fix: "Rewrite the pattern so that each character can match in only one way: drop the inner quantifier, or make \
          the alternatives mutually exclusive.",
    references: &["CWE-1333"],
    priority: Priority::P2,
    category: Category::Performance,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const ok = /^(a+)+$/.test(text);
^
"#,
        r#"
path: src/a.py
 def valid(text):
+    return re.match(r"^(\w+\s?)*$", text)
^
"#,
        r#"
path: src/A.java
 class A {
+    static final Pattern P = Pattern.compile("(x|x)*y");
^
 }
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^(a+)+$");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^(a+)+$");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("^(a+)+$")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /^a+$/.test(text);
+const ip = /^(\d+\.)+$/.test(text);
+const quoted = /"([^"\\]|\\.)*"/.test(text);
"#,
        r#"
path: src/a.py
+words = re.findall(r"(\w+)*", text)
+rows = re.match(r"(.*\n)*x", text)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^a+$");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^a+$");
"#,
        r#"
path: src/a.kt
+val name = Regex("^a+$")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose()) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    if explodes(&tree, false) {
        let summary = format!(
            "`{}` repeats a part that can match the same input in many ways, which can take exponential time.",
            quote(&regexp.text)
        );
        sink.report(regexp.node, summary);
    }
}

/// Whether some repetition in it is ambiguous and something after it can fail.
fn explodes(item: &Item, followed: bool) -> bool {
    match item {
        Item::Sequence(items) => items.iter().enumerate().any(|(place, part)| {
            let has_more = items
                .iter()
                .skip(place + 1)
                .any(|next| !next.can_be_empty() || *next == Item::End);
            explodes(part, followed || has_more)
        }),
        Item::Repeat(inner, _, None) if followed && is_ambiguous(inner.unwrapped()) => true,
        other => other
            .inner()
            .into_iter()
            .any(|inner| explodes(inner, followed)),
    }
}

fn is_ambiguous(body: &Item) -> bool {
    match body {
        Item::Repeat(inner, _, None) => is_single(inner.unwrapped()),
        Item::Sequence(items) => {
            let heavy = |item: &Item| matches!(item, Item::Repeat(inner, _, None) if is_single(inner.unwrapped()));
            let others = |place: usize| {
                items
                    .iter()
                    .enumerate()
                    .filter(move |(other, _)| *other != place)
                    .map(|(_, item)| item)
            };
            items.iter().enumerate().any(|(place, item)| match item {
                // `(a+b?)+`, and `(.*,)*` where the inner part also matches its neighbour.
                Item::Repeat(inner, ..) if heavy(item) => others(place).all(|other| {
                    is_optional(other) || (is_single(other) && meet(inner.unwrapped(), other))
                }),
                // `(a?.)*`: the optional part can match a repetition by itself.
                Item::Repeat(inner, 0, Some(1)) if is_single(inner.unwrapped()) => {
                    items.len() == 2
                        && others(place)
                            .all(|other| is_single(other) && meet(inner.unwrapped(), other))
                }
                _ => false,
            })
        }
        Item::Alternation(branches) => {
            let plain: Vec<&Item> = branches
                .iter()
                .map(|branch| essence(branch.unwrapped()))
                .collect();
            plain.iter().any(|branch| is_ambiguous_branch(branch)) || overlap(&plain)
        }
        _ => false,
    }
}

fn is_optional(item: &Item) -> bool {
    item.can_be_empty() && matches!(item, Item::Repeat(..))
}

/// The only item of a sequence that cannot be omitted.
fn essence(branch: &Item) -> &Item {
    let Item::Sequence(items) = branch else {
        return branch;
    };
    let mut needed = items.iter().filter(|item| !is_optional(item));
    match (needed.next(), needed.next()) {
        (Some(only), None) => only.unwrapped(),
        _ => branch,
    }
}

fn is_ambiguous_branch(branch: &Item) -> bool {
    matches!(branch, Item::Repeat(inner, _, None) if is_single(inner.unwrapped()))
}

fn is_single(item: &Item) -> bool {
    item.takes('a').is_some()
}

/// Whether two branches match the same input: the same character, or one matches character by character what the
/// other matches as a whole.
fn overlap(branches: &[&Item]) -> bool {
    let pairs = branches.iter().enumerate().flat_map(|(place, one)| {
        branches
            .iter()
            .skip(place + 1)
            .map(move |other| (*one, *other))
    });
    pairs.into_iter().any(|(one, other)| {
        let covers = |single: &Item, whole: &Item| match (single, whole) {
            (Item::Sequence(some), Item::Sequence(items)) => {
                some.len() == items.len()
                    && !items.is_empty()
                    && some.iter().zip(items).all(|(one, other)| meet(one, other))
            }
            (_, Item::Sequence(items)) => {
                !items.is_empty()
                    && is_single(single)
                    && items.iter().all(|item| meet(single, item))
            }
            _ => meet(single, whole),
        };
        covers(one, other) || covers(other, one)
    })
}

fn meet(one: &Item, other: &Item) -> bool {
    let mut samples = (' '..='~').chain(['\n', '\t', 'é']);
    samples.any(|c| one.takes(c) == Some(true) && other.takes(c) == Some(true))
}
