//! An argument that was changed into one that the call already passes.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/argument-became-twin",
    languages: &[],
    title: "Same argument passed twice",
    why: "The call passed two different values and now passes one of them twice. That is a typical copy-and-paste \
          slip: one name was changed and the other forgotten.",
    fix: "Check whether the other value is intended.",
    references: &["CWE-688"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function copy(from, to) {\n-  move(from.path, to.path);\n+  move(from.path, from.path);\n^\n }\n",
    ],
    negative: &[
        "path: src/a.js\n function copy(from, to) {\n-  move(from.path, to.path);\n+  move(from.path, to.file);\n }\n",
        "path: src/a.js\n function copy(from, to) {\n-  move(0, 1);\n+  move(0, 0);\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Call) {
        let (Some(before), Some(after)) = (old.call(), new.call()) else { continue };
        if before.callee != after.callee || before.arguments.len() != after.arguments.len() {
            continue;
        }
        let pairs: Vec<(Node<'_>, Node<'_>)> =
            before.arguments.iter().copied().zip(after.arguments.iter().copied()).collect();
        let changed: Vec<&(Node<'_>, Node<'_>)> = pairs.iter().filter(|(old, new)| !context.same(*old, *new)).collect();
        let [(was, now)] = changed.as_slice() else { continue };
        let is_value = now.has_role(Role::Name) || now.has_role(Role::Member) || now.has_role(Role::Index);
        let twin = after.arguments.iter().any(|other| other != now && other.says_same(*now));
        let was_twin = before.arguments.iter().any(|other| other != was && other.says_same(*was));
        if is_value && twin && !was_twin {
            sink.report(
                *now,
                format!(
                    "`{}` is passed twice to `{}`; one of them was `{}`.",
                    quote(now.text()),
                    quote(after.callee),
                    quote(was.text())
                ),
            );
        }
    }
}
