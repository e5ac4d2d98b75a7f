//! A function that returned its error and now reports success.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/error-return-became-nil",
    languages: &["Go"],
    title: "Returned error replaced by nil",
    why: "On this path the error was returned to the caller. Now the caller learns that the call succeeded.",
    fix: "Return the error.",
    references: &["CWE-394"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func Load(p string) error {
 	if err := read(p); err != nil {
-		return err
+		return nil
^
 	}
"#,
        r#"
path: src/b.go
@@ func Load(p string) (*T, error) {
 	if t == nil {
-		return nil, fmt.Errorf("no %s", p)
+		return nil, nil
^
 	}
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func Load(p string) error {
 	if err := read(p); err != nil {
-		return err
+		return wrap(err)
 	}
"#,
        r#"
path: src/a.go
@@ func Find(p string) (*T, error) {
 	if t == nil {
-		return nil, nil
+		return nil, fmt.Errorf("no %s", p)
 	}
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .old
        .with_role(Role::Return)
        .filter(|node| node.touches_change())
    {
        let keyword = old.leaves().next().and_then(|leaf| context.new_of(leaf));
        let Some(new) = keyword
            .and_then(|leaf| leaf.enclosing(Role::Return))
            .filter(|new| new.is_usable() && new.touches_change())
        else {
            continue;
        };
        let (Some(before), Some(after)) = (last_value(old), last_value(new)) else {
            continue;
        };
        let was_error = before
            .names()
            .any(|name| name.text().to_lowercase().contains("err"));
        let alone = context
            .edit_block_of(old)
            .is_some_and(|run| run.removed <= 2 && run.added <= 2);
        if was_error && after.is_null() && !before.is_null() && alone {
            sink.report(
                new,
                format!(
                    "`{}` was returned here and is now `nil`.",
                    quote(before.text())
                ),
            );
        }
    }
}

fn last_value(node: Node<'_>) -> Option<Node<'_>> {
    let value = node.named_children().last()?;
    if value.is(&["expression_list"]) {
        value.named_children().last()
    } else {
        Some(value)
    }
}
