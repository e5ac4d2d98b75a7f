//! A local variable read before it is initialized.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::c::types::{following, uses};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/value-never-set",
    languages: &["C", "C++"],
    title: "Uninitialized variable read",
    why: "An uninitialized local variable holds an indeterminate value. The result changes from run to run, and \
          because the read is usually undefined behavior, compilers may drop code that depends on it.",
    fix: "Initialize the variable at its declaration.",
    references: &["CWE-457"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["declaration"]), run },
    positive: &[
        "+int sum(const int *values, int n) {\n+    int total;\n+    for (int i = 0; i < n; i++)\n+        total += values[i];\n^\n+    return total;\n+}\n",
        "+int get(void) {\n+    int result;\n+    return result;\n^\n+}\n",
    ],
    negative: &[
        "+int sum(const int *values, int n) {\n+    int total, i;\n+    static int calls;\n+    struct item item;\n+    char text[10];\n+    read_total(&total);\n+    scanf(\"%d\", &i);\n+    calls++;\n+    return total + i + text[0];\n+}\n+int first(int n) {\n+    int x;\n+    if (n) x = 1; else x = 2;\n+    return x;\n+}\n",
        "+int read_all(int fd) {\n+    int n;\n+    do {\n+        n = read(fd, buffer, 10);\n+    } while (n > 0);\n+    return n;\n+}\n",
    ],
};

const KINDS: &[&str] = &[
    "int",
    "unsigned",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "short",
    "char",
    "unsigned char",
    "double",
    "float",
    "size_t",
    "bool",
    "uint32_t",
    "uint64_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "unsigned long long",
    "ssize_t",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_plain = node.field("type").is_some_and(|kind| KINDS.contains(&kind.text()))
        && !node.children().any(|child| child.is(&["storage_class_specifier"]));
    if !is_plain
        || !node.parent().is_some_and(|parent| parent.is(&["compound_statement"]))
        || node.enclosing(Role::Function).is_none()
    {
        return;
    }
    for name in node.named_children().filter(|child| child.is(&["identifier"])) {
        for later in following(node) {
            let Some(first) = uses(later, name).min_by_key(|at| at.index()) else {
                if later.is(&["labeled_statement", "case_statement", "preproc_if", "preproc_ifdef", "asm_statement"]) {
                    break;
                }
                continue;
            };
            if is_surely_read(first) && !is_set_in(later, name, first) {
                sink.report(
                    first,
                    format!(
                        "`{}` is read here, but has not been set since its declaration on line {}.",
                        quote(name.text()),
                        node.line().unwrap_or_default()
                    ),
                );
            }
            break;
        }
    }
}

/// Whether the value itself is read there.
fn is_surely_read(at: Node<'_>) -> bool {
    let Some(parent) = at.parent() else { return false };
    let is_operand = parent.binary().is_some_and(|binary| !matches!(binary.operator, "<<" | ">>"))
        && parent.parent().is_some_and(|around| !around.is(&["template_argument_list"]));
    let is_returned = parent.has_role(Role::Return);
    let is_updated = parent.is(&["update_expression"])
        || parent.assignment().is_some_and(|assignment| assignment.target == at && assignment.operator != "=");
    let is_value = parent.assignment().is_some_and(|assignment| {
        assignment.value == at && at.index() > assignment.target.index() && assignment.operator != "="
    });
    let is_hidden = at.ancestors().any(|around| {
        around.is(&[
            "sizeof_expression",
            "lambda_expression",
            "decltype",
            "preproc_function_def",
            "alignof_expression",
            "gnu_asm_expression",
        ]) || around.has_role(Role::Case)
    });
    let in_macro = at
        .enclosing(Role::Call)
        .and_then(Node::call)
        .is_some_and(|call| call.name.chars().all(|c| !c.is_ascii_lowercase()));
    (is_operand || is_returned || is_updated || is_value) && !is_hidden && !in_macro
}

/// Set in the same statement, for example by a call or an assignment that is evaluated first.
fn is_set_in(statement: Node<'_>, name: Node<'_>, first: Node<'_>) -> bool {
    statement.descendants().any(|node| {
        let is_set = node
            .assignment()
            .is_some_and(|assignment| assignment.operator == "=" && assignment.target.text() == name.text());
        is_set
            || node.is(&["pointer_expression"])
                && node.text().starts_with('&')
                && node.field("argument").is_some_and(|of| of.text() == name.text())
            || node.is(&["binary_expression"]) && node.text().contains(">>") && node.index() < first.index()
    })
}
