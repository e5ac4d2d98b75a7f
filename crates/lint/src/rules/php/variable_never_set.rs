//! A variable that is read although nothing in its function assigns it.

use std::collections::BTreeMap;

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::php;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/variable-never-set",
    languages: &["PHP"],
    title: "Unassigned variable",
    why: "Variables are local to their function, so one that is not assigned there is null. PHP only emits a warning, \
          and the code continues without a value. Usually the name is misspelled, or a `use` is missing.",
    fix: "Assign the variable first, or use the intended name.",
    references: &[
        "CWE-457",
        "https://www.php.net/manual/en/language.variables.scope.php",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "function_definition",
            "method_declaration",
            "anonymous_function",
        ]),
        run,
    },
    positive: &[
        r#"
+function total($items) {
+    $sum = 0;
+    foreach ($items as $item) {
+        $sum += $itm->price;
^
+    }
+    return $sum;
+}
"#,
        r#"
+class A {
+    function load($id) {
+        return array_map(function ($row) {
+            return $row . $id;
^
+        }, $this->rows($id));
+    }
+}
"#,
        r#"
+function size() {
+    $n = $m + 1;
^
+    $m = 2;
+    return $n;
+}
"#,
    ],
    negative: &[
        r#"
+function total($items, &$out) {
+    global $config;
+    static $calls = 0;
+    list($a, $b) = pair();
+    [$c, 'd' => $d] = pair();
+    preg_match('/x/', $a, $found);
+    if (isset($maybe) && ($other ?? false)) {}
+    $list[] = 1;
+    foreach ($items as $key => [$e, $f]) { $last = $f; }
+    try { run(); } catch (E $error) { log($error); }
+    $g = fn($h) => $h + $c;
+    $i = function () use ($a, &$j) { return $a . $j; };
+    return $found . $config . $calls . $b . $d . $list . $e . $last . $key . $this->x . $_GET['q'] . $j . Foo::$bar;
+}
"#,
        r#"
+function view($values) {
+    extract($values);
+    return $title;
+}
+function part() {
+    include 'part.php';
+    return $title;
+}
"#,
    ],
};

const SUPERGLOBALS: &[&str] = &[
    "$this",
    "$_GET",
    "$_POST",
    "$_REQUEST",
    "$_COOKIE",
    "$_SERVER",
    "$_SESSION",
    "$_FILES",
    "$_ENV",
    "$GLOBALS",
    "$argc",
    "$argv",
    "$http_response_header",
    "$php_errormsg",
];

/// The role of an occurrence of a variable.
#[derive(PartialEq, Eq)]
enum Mention {
    Sets,
    Reads,
    Asks,
}

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(body) = node
        .field("body")
        .filter(|body| node.is_within_hunk() && body.is_usable())
    else {
        return;
    };
    if is_open(body) || context.file.path.ends_with(".phtml") {
        return;
    }
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let header = node.children().filter(|part| *part != body);
    for name in header
        .flat_map(|part| part.descendants())
        .filter(|part| part.is(&["variable_name"]))
    {
        known.insert(name.text(), 0);
    }
    let mentions: Vec<Node<'_>> = body
        .descendants()
        .filter(|part| part.is(&["variable_name"]) && is_own(*part, node))
        .collect();
    for name in &mentions {
        if mention(*name) == Mention::Sets {
            let place = effect(*name);
            let first = known.entry(name.text()).or_insert(place);
            *first = place.min(*first);
        }
    }
    let mut reported: Vec<&str> = Vec::new();
    for name in mentions {
        let text = name.text();
        if mention(name) != Mention::Reads
            || SUPERGLOBALS.contains(&text)
            || reported.contains(&text)
        {
            continue;
        }
        let is_loop = name
            .ancestors()
            .take_while(|around| *around != body)
            .any(|around| around.has_role(Role::Loop) || around.is(&["goto_statement"]));
        let problem = match known.get(text) {
            None => "this function never assigns it",
            Some(place) if *place > name.index() && !is_loop => "it is assigned only later",
            Some(_) => continue,
        };
        if is_behind_exit(name, body) {
            continue;
        }
        reported.push(text);
        sink.report(
            name,
            format!("`{}` is read here, but {problem}.", quote(text)),
        );
    }
}

/// Nothing after a `return` in the body itself ever runs.
fn is_behind_exit(name: Node<'_>, body: Node<'_>) -> bool {
    body.named_children()
        .take_while(|statement| statement.index() < name.index())
        .any(|statement| {
            let is_end = statement.is(&["return_statement"]) || statement.is(&["exit_statement"]);
            is_end && !name.is_inside(statement)
        })
}

/// Variables can come from elsewhere: other files, `extract`, computed names.
fn is_open(body: Node<'_>) -> bool {
    body.descendants().any(|node| {
        let is_call = node.is(&["function_call_expression"])
            && node.field("function").is_some_and(|name| {
                matches!(
                    name.text()
                        .trim_start_matches('\\')
                        .to_ascii_lowercase()
                        .as_str(),
                    "extract"
                        | "parse_str"
                        | "eval"
                        | "get_defined_vars"
                        | "compact"
                        | "func_get_args"
                        | "mb_parse_str"
                )
            });
        is_call
            || node.is(&[
                "include_expression",
                "include_once_expression",
                "require_expression",
                "require_once_expression",
                "dynamic_variable_name",
                "goto_statement",
                "named_label_statement",
                "text_interpolation",
                "function_definition",
            ])
    })
}

/// It belongs to this function and not to a nested one; arrow functions see outer variables, except their parameters.
fn is_own(name: Node<'_>, function: Node<'_>) -> bool {
    let mut inner = name;
    for around in name.ancestors() {
        if around == function {
            return true;
        }
        let is_inner_function = around.is(&[
            "anonymous_function",
            "method_declaration",
            "anonymous_class",
            "class_declaration",
            "declaration_list",
        ]);
        if is_inner_function
            && !(around.is(&["anonymous_function"]) && inner.is(&["anonymous_function_use_clause"]))
        {
            return false;
        }
        if around.is(&["arrow_function"])
            && (inner.is(&["formal_parameters"])
                || around.field("parameters").is_some_and(|list| {
                    list.descendants()
                        .any(|part| part.is(&["variable_name"]) && part.text() == name.text())
                }))
        {
            return false;
        }
        inner = around;
    }
    false
}

fn mention(name: Node<'_>) -> Mention {
    let mut inner = name;
    for around in name.ancestors().take(12) {
        match around.kind() {
            "subscript_expression" if around.named_children().next() == Some(inner) => {}
            "member_access_expression" | "nullsafe_member_access_expression"
                if around.field("object") == Some(inner) => {}
            "list_literal"
            | "array_creation_expression"
            | "array_element_initializer"
            | "pair"
            | "parenthesized_expression" => {}
            "by_ref" => return Mention::Sets,
            "scoped_property_access_expression" if around.field("name") == Some(inner) => {
                return Mention::Asks;
            }
            "assignment_expression" | "reference_assignment_expression" => {
                let is_reference = around.is(&["reference_assignment_expression"]);
                return if around.field("left") == Some(inner) || is_reference {
                    Mention::Sets
                } else {
                    Mention::Reads
                };
            }
            "augmented_assignment_expression" => {
                let is_default = around.text().contains("??=");
                let is_target = around.field("left") == Some(inner);
                return if is_target && (is_default || inner.is(&["subscript_expression"])) {
                    Mention::Sets
                } else {
                    Mention::Reads
                };
            }
            "foreach_statement" => {
                let is_source = around.named_children().next() == Some(inner);
                return if is_source {
                    Mention::Reads
                } else {
                    Mention::Sets
                };
            }
            "catch_clause" | "global_declaration" | "static_variable_declaration" => {
                return Mention::Sets;
            }
            "unset_statement" => return Mention::Asks,
            "binary_expression"
                if around
                    .binary()
                    .is_some_and(|binary| binary.operator == "??" && binary.left == inner) =>
            {
                return Mention::Asks;
            }
            "error_suppression_expression" => return Mention::Asks,
            "anonymous_function_use_clause" => return Mention::Reads,
            "argument" => return argument(around),
            _ => return Mention::Reads,
        }
        inner = around;
    }
    Mention::Reads
}

/// A function may take its argument by reference and assign it, except for those that certainly do not.
fn argument(argument: Node<'_>) -> Mention {
    let Some(call) = argument.ancestors().nth(1) else {
        return Mention::Asks;
    };
    let name = call
        .field("function")
        .map(|name| name.text().trim_start_matches('\\').to_ascii_lowercase())
        .unwrap_or_default();
    if name == "isset" || name == "empty" {
        Mention::Asks
    } else if php::types::reads_only(&name) {
        Mention::Reads
    } else {
        Mention::Sets
    }
}

/// Where an assignment takes effect: after its right side; everything else takes effect in place.
fn effect(name: Node<'_>) -> usize {
    let assignment = name
        .ancestors()
        .take(6)
        .find(|around| around.is(&["assignment_expression"]));
    assignment
        .filter(|around| {
            around
                .field("left")
                .is_some_and(|left| name.is_inside(left))
        })
        .map_or(name.index(), |around| {
            around.field("right").map_or(name.index(), |right| {
                right.descendants().last().unwrap_or(right).index()
            })
        })
}
