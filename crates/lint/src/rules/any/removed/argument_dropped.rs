//! An argument that a call no longer passes, while the rest of the call stays.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/argument-dropped",
    languages: &[],
    title: "Argument dropped from a call",
    why: "The call passes one argument less than before and is otherwise the same. The function now uses its default \
          for it (no limit, no timeout, another mode), or an overload is called instead.",
    fix: "Pass the argument, or confirm that the default is intended here.",
    references: &["CWE-685"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.py\n def get(url):\n-    return session.get(url, timeout=10)\n+    return session.get(url)\n^\n",
        "path: src/A.java\n@@ String read(byte[] b) {\n-        return new String(b, UTF_8);\n+        return new String(b);\n^\n     }\n",
    ],
    negative: &[
        "path: src/a.py\n def get(url):\n-    return session.get(url, timeout=10)\n+    return client.get(url)\n",
        "path: src/a.py\n def get(url):\n-    return session.get(url, 10)\n+    return session.get(url.with_timeout(10))\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in
        context.old.with_role(Role::Call).filter(|node| node.touches_change() && context.times_removed(*node) <= 2)
    {
        let Some((now, dropped)) = shorter_call(context, old).filter(|_| context.mostly_takes_away(old)) else {
            continue;
        };
        let (argument, name) = (quote(dropped.text()), now.call().map_or("the function", |call| call.name));
        sink.report(now, format!("`{argument}` is no longer passed to `{name}`; the other arguments are unchanged."));
    }
}

/// The new form of a call that lost arguments and gained none, and the first argument that it lost.
fn shorter_call<'a>(context: &ChangeContext<'a>, old: Node<'a>) -> Option<(Node<'a>, Node<'a>)> {
    let call = old.call()?;
    let name = old.leaves().take_while(|leaf| call.arguments.first().is_none_or(|first| leaf.index() < first.index()));
    let name = name.filter(|leaf| leaf.text() == call.name).last()?;
    let now = context.new_of(name)?.enclosing(Role::Call)?;
    let after = now.call().filter(|after| after.name == call.name && after.arguments.len() < call.arguments.len())?;
    let fresh = after.arguments.iter().flat_map(|argument| context.inserted(*argument)).count();
    let same_receiver = call.receiver.zip(after.receiver).is_none_or(|(old, new)| old.says_same(new));
    let dropped = call.arguments.into_iter().find(|argument| context.similarity_to_new(*argument) <= 34)?;
    // A value that no longer exists here was removed with its source, in all places.
    let names = context.new_names();
    let is_constant = |name: &str| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let still_known = !dropped.has_role(Role::Name) || names.contains(dropped.text()) || is_constant(dropped.text());
    (fresh <= 1
        && !context.names_removed_identifier(dropped)
        && same_receiver
        && now.is_usable()
        && now.touches_change()
        && still_known)
        .then_some((now, dropped))
}
