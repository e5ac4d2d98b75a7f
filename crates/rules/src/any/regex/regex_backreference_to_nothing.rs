//! Backreferences that always match the empty string.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Group, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-backreference-to-nothing",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Backreference to an unset group",
    why: "A backreference matches what its group has captured so far. Inside the group, before it, in another \
          alternative or outside a negative lookahead nothing is captured, and in JavaScript the reference then \
          matches the empty string: it has no effect.",
    fix: "Move the reference after the group, or correct its number.",
    references: &[
        "CWE-185",
        "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Regular_expressions/Backreference",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const ok = /\1(a)/.test(text);
^
"#,
        r#"
path: src/a.js
+const a = /(b\1)/;
^
+const c = /(a)|\1/;
^
+const d = /(?!(a))\1/;
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /(a)\1/.test(text);
+const both = /(?:(a)|b)\1/;
+const look = /(?=(a))\1/;
"#,
        r#"
path: src/a.ts
@@ function quoted(text: string) {
   const old = /\1(a)/.test(text);
+  return text.match(/(["'])(.*?)\1/) || text.match(/(?<q>`).*\k<q>/);
"#,
    ],
};

/// The position of an item in the tree.
#[derive(Clone, Default)]
struct Place {
    /// Alternations around it: their number and the branch.
    branches: Vec<(usize, usize)>,
    /// Negative lookarounds around it.
    negative: Vec<usize>,
    /// Lookbehinds around it.
    back: Vec<usize>,
    /// Groups around it.
    groups: Vec<usize>,
}

/// The groups and references of the tree, in order.
#[derive(Default)]
struct Walk {
    count: usize,
    groups: Vec<(u32, Option<String>, usize, Place)>,
    references: Vec<(Option<u32>, Option<String>, usize, Place)>,
}

impl Walk {
    fn visit(&mut self, item: &Item, place: &Place) {
        self.count += 1;
        let own = self.count;
        match item {
            Item::Back(number) => self
                .references
                .push((Some(*number), None, own, place.clone())),
            Item::BackNamed(name) => {
                self.references
                    .push((None, Some(name.clone()), own, place.clone()))
            }
            Item::Alternation(branches) => {
                for (branch, inner) in branches.iter().enumerate() {
                    let mut place = place.clone();
                    place.branches.push((own, branch));
                    self.visit(inner, &place);
                }
            }
            Item::Group(group, inner) => {
                let mut inside = place.clone();
                match group {
                    Group::Capture(number, name) => {
                        self.groups
                            .push((*number, name.clone(), own, place.clone()));
                        inside.groups.push(own);
                    }
                    Group::Look(negative, back) => {
                        inside.negative.extend(negative.then_some(own));
                        inside.back.extend(back.then_some(own));
                    }
                    Group::Plain => {}
                }
                self.visit(inner, &inside);
            }
            other => other
                .inner()
                .into_iter()
                .for_each(|inner| self.visit(inner, place)),
        }
    }

    fn has_empty_reference(&self) -> bool {
        self.references.iter().any(|(number, name, at, place)| {
            let referenced = self.groups.iter().filter(|group| {
                (number.is_some() && Some(group.0) == *number)
                    || (name.is_some() && group.1 == *name)
            });
            let mut verdicts = referenced.map(|(_, _, start, group)| {
                let inside = place.groups.contains(start);
                let looks_back = place.back.iter().any(|look| group.back.contains(look));
                let order = if looks_back { start < at } else { start > at };
                let apart = group.branches.iter().any(|(alternation, branch)| {
                    place
                        .branches
                        .iter()
                        .any(|(other, way)| other == alternation && way != branch)
                });
                let negated = group
                    .negative
                    .iter()
                    .any(|look| !place.negative.contains(look));
                inside || order || apart || negated
            });
            let first = verdicts.next();
            first == Some(true) && verdicts.all(|verdict| verdict)
        })
    }
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    let mut walk = Walk::default();
    walk.visit(&tree, &Place::default());
    if walk.has_empty_reference() {
        sink.report(
            regexp.node,
            format!(
                "A backreference in `{}` is used where its group has captured nothing.",
                quote(&regexp.text)
            ),
        );
    }
}
