//! A variable that is set to itself.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "go/self-assignment",
    languages: &["Go"],
    title: "Something is set to itself",
    why: "The assignment changes nothing. Mostly a field was meant on one side, or another variable of a similar name.",
    fix: "Write what was meant on one side, or delete the line.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.9,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["assignment_statement"]), run },
    fires: &[
        "@@ func (u *User) Set(name string) {\n-\tu.name = name\n+\tname = name\n^\n",
        "+func (u *User) Set(name string, age int) {\n+\tu.name, u.age = name, u.age\n^\n+}\n",
    ],
    quiet: &[
        "@@ func (u *User) Set(name string) {\n+\tu.name = name\n",
        "+func run(items []int) {\n+\tfor _, item := range items {\n+\t\titem := item\n+\t\ta, b = b, a\n+\t\t_ = item\n+\t\tx[next()] = x[next()]\n+\t}\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return };
    if node.field("operator").is_some_and(|operator| operator.text() != "=")
        || left.named_children().count() != right.named_children().count()
    {
        return;
    }
    let is_steady = |value: Node<'_>| value.all(Role::Call).next().is_none() && !value.text().contains("<-");
    let same = left
        .named_children()
        .zip(right.named_children())
        .find(|(target, value)| target.text() != "_" && target.says_same(*value) && is_steady(*target));
    if let Some((target, _)) = same {
        sink.report(node, format!("`{}` is set to itself.", quote(target.text())));
    }
}
