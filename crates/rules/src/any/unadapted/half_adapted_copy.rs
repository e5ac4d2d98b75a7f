//! Two similar consecutive statements, of which the second was adapted in all places but one.

use std::collections::BTreeMap;

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/half-adapted-copy",
    languages: &[],
    title: "Incompletely adapted copy of a line",
    why: "The statement is a copy of the one before it, with one name changed into another. The old name remains in \
          one place although the rest of the copy follows the change, so the copy reads the value of the first line.",
    fix: "Change the name there too, if the copy is intended to use it everywhere.",
    references: &["CWE-682"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(ROLES),
        run,
    },
    positive: &[
        r#"
path: src/a.js
 function clamp(box, area) {
+  if (box.left < area.left) box.left = area.left;
+  if (box.right < area.right) box.right = area.left;
^
 }
"#,
        r#"
path: src/a.py
 def merge(a, b):
+    a.first = pick(a.first, b.first)
+    a.last = pick(a.last, b.first)
^
     return a
"#,
        r#"
path: src/A.java
@@ void copy(Point from, Point to) {
+        to.x = from.x;
+        to.y = from.x;
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function clamp(box, area) {
+  if (box.left < area.left) box.left = area.left;
+  if (box.right < area.right) box.right = area.right;
 }
"#,
        r#"
path: src/a.py
 def merge(a, b):
+    a.first = pick(a, b)
+    a.last = pick(a, b)
     return a
"#,
        r#"
path: src/a.py
 def sizes(rows):
+    low = min(rows.low, rows.low + 1)
+    top = max(rows.low, rows.low + 1)
     return low, top
"#,
        r#"
path: src/a.js
 function copy(from, to) {
   to.x = from.x;
   to.y = from.x;
+  to.z = from.z;
 }
"#,
    ],
};

const ROLES: &[Role] = &[Role::Assign, Role::If, Role::Call, Role::Return];

/// A statement with more tokens than this is not a copied line.
const LONGEST: usize = 80;

/// Blocks with more nodes than this are skipped.
const LARGEST: usize = 5_000;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let size = |node: Node<'_>| node.descendants().size_hint().0;
    let statement = node.statement();
    // Finding the previous statement costs a walk over the block.
    if size(statement) > 3 * LONGEST || statement.parent().is_none_or(|block| size(block) > LARGEST)
    {
        return;
    }
    // The rule is called for several nodes of a statement; only the first one is used.
    let has_rule_role = |inner: &Node<'_>| ROLES.iter().any(|role| inner.has_role(*role));
    let is_first = std::iter::once(statement)
        .chain(statement.descendants())
        .find(has_rule_role)
        == Some(node);
    let alike =
        |before: &Node<'_>| before.kind() == statement.kind() && size(*before) == size(statement);
    let Some(before) = statement.previous().filter(alike) else {
        return;
    };
    if !is_first || !statement.is_usable() || !before.is_usable() || !statement.is_all_changed() {
        return;
    }
    let (first, copy) = (tokens(before), tokens(statement));
    if (5..=LONGEST).contains(&copy.len())
        && first.len() == copy.len()
        && let Some((old, new, place)) = left_behind(&first, &copy)
    {
        let left = quote(around(place).text());
        sink.report(
            place,
            format!("The line before has `{old}` where this one has `{new}`, but `{old}` is still used in `{left}`."),
        );
    }
}

fn tokens(statement: Node<'_>) -> Vec<Node<'_>> {
    statement.leaves().take(LONGEST + 1).collect()
}

/// The token that was not adapted in the copy, with the one before it.
fn around(place: Node<'_>) -> Node<'_> {
    place
        .parent()
        .filter(|parent| parent.has_role(Role::Member) || parent.has_role(Role::Index))
        .unwrap_or(place)
}

/// The changed name, its replacement, and the one place where the old name was left.
fn left_behind<'t>(first: &[Node<'t>], copy: &[Node<'t>]) -> Option<(&'t str, &'t str, Node<'t>)> {
    let mut changed = BTreeMap::<&str, &str>::new();
    for (old, new) in first.iter().zip(copy) {
        if old.text() == new.text() {
            continue;
        }
        if old.kind() != new.kind()
            || !old.has_role(Role::Name)
            || is_other(&changed, old.text(), new.text())
        {
            return None;
        }
        changed.insert(old.text(), new.text());
    }
    let [(old, new)] = changed.into_iter().collect::<Vec<_>>().try_into().ok()?;
    let here = first
        .iter()
        .zip(copy)
        .filter(|(first, _)| first.text() == old);
    let (left, followed): (Vec<_>, Vec<_>) = here.partition(|(old, new)| old.text() == new.text());
    let [(_, place)] = left.as_slice() else {
        return None;
    };
    let is_field = |node: &Node<'t>| is_member_name(*node);
    let alike = followed
        .iter()
        .all(|(old, _)| is_field(old) == is_field(place));
    let enough = followed.len() >= 2
        || (is_field(place) && is_plain_copy(**place, new) && are_twins(old, new));
    (alike && enough).then_some((old, new, **place))
}

fn is_other(changed: &BTreeMap<&str, &str>, old: &str, new: &str) -> bool {
    changed.get(old).is_some_and(|known| *known != new)
}

/// Whether it is the `b` of `a.b`.
fn is_member_name(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        parent.has_role(Role::Member) && parent.named_children().last() == Some(node)
    })
}

/// Whether the statement only copies a field: `a.x = b.x`.
fn is_plain_copy(place: Node<'_>, new: &str) -> bool {
    let set = place.ancestors().find_map(Node::assignment);
    set.is_some_and(|set| {
        set.target.last_name() == new
            && set.value.has_role(Role::Member)
            && place.is_inside(set.value)
    })
}

/// Whether two names form a series, so that using one next to the other is deliberate.
fn are_twins(one: &str, other: &str) -> bool {
    const TWINS: &[[&str; 2]] = &[
        ["x", "y"],
        ["y", "z"],
        ["left", "right"],
        ["top", "bottom"],
        ["width", "height"],
        ["min", "max"],
        ["start", "end"],
        ["first", "last"],
        ["begin", "end"],
        ["row", "column"],
        ["from", "to"],
        ["source", "target"],
        ["low", "high"],
        ["lat", "lng"],
        ["lat", "lon"],
        ["latitude", "longitude"],
        ["r", "g"],
        ["g", "b"],
        ["red", "green"],
        ["green", "blue"],
        ["before", "after"],
        ["old", "new"],
        ["in", "out"],
        ["input", "output"],
        ["major", "minor"],
        ["minor", "patch"],
    ];
    TWINS
        .iter()
        .any(|twins| twins.contains(&one) && twins.contains(&other))
}
