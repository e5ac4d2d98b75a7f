//! Memory used or freed again after it was freed in the same block.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::uses;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/used-after-free",
    languages: &["C", "C++"],
    title: "Use after free",
    why: "The allocator may already have reused the block. Reading it returns unrelated data, and writing to it or \
          freeing it again corrupts the heap, which attackers use to run their own code.",
    fix: "Free the memory after its last use, and set a pointer with a longer lifetime to null.",
    references: &["CWE-416", "CWE-415"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(STATEMENTS),
        run,
    },
    positive: &[
        r#"
+void drop(struct item *item) {
+    free(item);
+    log_drop(item->name);
^
+}
"#,
        r#"
@@ void drop(struct item *item)
     free(item->name);
+    free(item->name);
^
"#,
        r#"
path: src/a.cpp
+void drop(Node* node) {
+    delete node;
+    if (node->next)
^
+        drop(node->next);
+}
"#,
    ],
    negative: &[
        r#"
+void drop(struct item *item) {
+    free(item);
+    item = NULL;
+    use(item);
+}
+void drop_all(struct item *item) {
+    if (item->shared) {
+        free(item);
+        return;
+    }
+    use(item);
+}
"#,
        r#"
+void walk(struct item *item) {
+    while (item) {
+        free(item->name);
+        item = item->next;
+        free(item->name);
+    }
+    free(buffer);
+    buffer = malloc(10);
+    read(&buffer);
+}
"#,
    ],
};

/// Maximum number of statements to search backwards for a free.
const FAR: usize = 20;

const STATEMENTS: &[&str] = &[
    "expression_statement", "return_statement", "declaration", "if_statement", "while_statement",
    "for_statement", "do_statement", "switch_statement",
];

/// Searches backwards from each statement, because the free may be old and the use new.
fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_list = |parent: Node<'_>| {
        parent.has_role(Role::Block) || parent.is(&["translation_unit", "case_statement"])
    };
    if !node.parent().is_some_and(is_list) {
        return;
    }
    let mut between: Vec<Node<'_>> = Vec::new();
    for earlier in node.preceding().take(FAR) {
        if earlier.is_exit()
            || earlier.is(&[
                "labeled_statement", "case_statement", "preproc_if", "preproc_ifdef",
            ])
        {
            return;
        }
        let done = earlier
            .is(&["expression_statement"])
            .then(|| earlier.named_children().next().and_then(freed))
            .flatten();
        if let Some(freed) = done
            && between
                .iter()
                .all(|other| first_use(*other, freed).is_none())
            && let Some(Use::Read(at)) = first_use(node, freed)
        {
            let again = at
                .ancestors()
                .take(2)
                .find_map(self::freed)
                .is_some_and(|again| again == at);
            let what = if again { "freed a second time" } else { "used" };
            sink.report(
                at,
                format!(
                    "`{}` is {what} here after it was freed on line {}.",
                    quote(freed.text()),
                    earlier.line().unwrap_or_default()
                ),
            );
            return;
        }
        between.push(earlier);
    }
}

const FREES: &[&str] = &[
    "free", "std::free", "kfree", "vfree", "kvfree", "g_free", "xfree", "zfree", "efree", "pfree",
    "av_free", "xmlFree", "gdFree", "sdsfree", "PyMem_Free", "OPENSSL_free",
];

/// The variable or member that a call or a `delete` frees.
fn freed(node: Node<'_>) -> Option<Node<'_>> {
    let value = match node.call() {
        Some(call) if FREES.contains(&call.callee) && call.arguments.len() == 1 => {
            *call.arguments.first()?
        }
        None if node.is(&["delete_expression"]) => node.named_children().last()?,
        _ => return None,
    };
    let is_chain = |value: Node<'_>| {
        value.descendants().all(|part| {
            part.is(&[
                "identifier", "field_identifier", "field_expression", "this", ".", "->",
            ])
        })
    };
    (value.is(&["identifier", "field_expression"]) && is_chain(value)).then_some(value)
}

enum Use<'t> {
    Read(Node<'t>),
    Renewed,
}

fn first_use<'t>(statement: Node<'t>, freed: Node<'t>) -> Option<Use<'t>> {
    let names: Vec<&str> = freed
        .leaves()
        .filter(|leaf| leaf.is(&["identifier"]))
        .map(Node::text)
        .collect();
    let renews = |node: Node<'_>| {
        let target = node
            .assignment()
            .filter(|assignment| assignment.operator == "=")
            .map(|assignment| assignment.target);
        let target = target.or_else(|| {
            node.is(&["update_expression"])
                .then(|| node.field("argument"))
                .flatten()
        });
        target.is_some_and(|target| target.says_same(freed) || names.contains(&target.text()))
            || (node.is(&["pointer_expression"])
                && node.text().starts_with('&')
                && node
                    .field("argument")
                    .is_some_and(|of| of.says_same(freed) || names.contains(&of.text())))
            || node.is(&["declaration"])
                && node.named_children().any(|part| {
                    part.is(&["init_declarator", "identifier", "pointer_declarator"])
                        && part.leaves().any(|leaf| names.contains(&leaf.text()))
                        && !part.is(&["init_declarator"])
                })
    };
    let renewed = std::iter::once(statement)
        .chain(statement.descendants())
        .filter(|node| renews(*node))
        .map(|node| node.index())
        .min();
    let read = uses(statement, freed).find(|at| is_read(*at));
    match (read, renewed) {
        (Some(at), Some(renewed)) if is_right_side(at, freed) || at.index() < renewed => {
            Some(Use::Read(at))
        }
        (_, Some(_)) => Some(Use::Renewed),
        (Some(at), None) => Some(Use::Read(at)),
        (None, None) => None,
    }
}

/// `p = p->next` reads `p` before it is set.
fn is_right_side(at: Node<'_>, freed: Node<'_>) -> bool {
    let assignment = at.ancestors().find_map(Node::assignment);
    assignment.is_some_and(|assignment| {
        at.is_inside(assignment.value) && assignment.target.says_same(freed)
    })
}

/// Whether the memory is accessed. Comparing the pointer, taking its size or assigning it does not access the memory.
fn is_read(at: Node<'_>) -> bool {
    let Some(parent) = at.parent() else {
        return false;
    };
    let is_compared = parent.comparison().is_some()
        || parent.negated().is_some()
        || parent.condition() == Some(at)
        || parent.is(&["sizeof_expression", "condition_clause"]);
    let is_shadowed = at
        .ancestors()
        .any(|around| around.is(&["sizeof_expression", "lambda_expression"]));
    let is_written = parent
        .assignment()
        .is_some_and(|assignment| assignment.target == at)
        || parent.is(&[
            "init_declarator", "parameter_declaration", "pointer_declarator",
        ]) && parent.field("value") != Some(at);
    let is_cast_to_void = parent.is(&["cast_expression"]) && parent.text().starts_with("(void)");
    // A macro such as `FREE_AND_NULL`, or a setter, may assign it again.
    let is_macro = at
        .enclosing(Role::Call)
        .and_then(Node::call)
        .is_some_and(|call| call.name.chars().all(|c| !c.is_ascii_lowercase()));
    let is_wrapped = parent.is(&["parenthesized_expression"])
        && parent
            .parent()
            .is_some_and(|around| around.condition() == Some(at));
    !(is_compared || is_shadowed || is_written || is_cast_to_void || is_macro || is_wrapped)
}
