//! A variable that is read although nothing in its function assigns it.

use std::collections::{HashMap, HashSet};

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::symbols::Symbols;
use syntax::semantics::symbols::locals::{Local, is_asked};
use syntax::tree::Node;

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
        on: On::Kinds(&["program"]),
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
        r#"
+class Facade {
+    static function version() {
+        return $instance->version();
^
+    }
+    static function boot() {
+        $instance->boot();
+    }
+    static function ready() {
+        return $instance->ready();
+    }
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
+    $this->first = 1;
+    $this->use($this, $_GET['x']);
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

const FUNCTIONS: &[&str] = &[
    "function_definition", "method_declaration", "anonymous_function",
];
/// A name that this many functions of a file read without a value is given to them in some way.
const SHARED: usize = 3;

/// A read of a variable without a value.
struct Unset<'t> {
    name: Node<'t>,
    /// Nothing in the function assigns it.
    is_never_set: bool,
}

fn run(root: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(symbols) = Symbols::of(root.tree()).filter(|_| !context.file.path.ends_with(".phtml"))
    else {
        return;
    };
    let functions = root.descendants().filter(|node| node.is(FUNCTIONS));
    let found: Vec<Unset<'_>> = functions
        .flat_map(|function| unset(function, symbols))
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for one in found.iter().filter(|one| one.is_never_set) {
        *counts.entry(one.name.text()).or_default() += 1;
    }
    let mut shown = HashSet::new();
    for one in found {
        let text = one.name.text();
        let count = counts.get(text).copied().unwrap_or_default();
        if !one.is_never_set || count < SHARED {
            report(&one, sink);
        } else if shown.insert(text) {
            let summary = format!(
                "`{}` is read in {count} functions, none of which assigns it.",
                quote(text)
            );
            sink.report(one.name, summary).priority(Priority::P2);
        }
    }
}

fn report(one: &Unset<'_>, sink: &mut Sink<'_>) {
    let problem = if one.is_never_set {
        "this function never assigns it"
    } else {
        "it is assigned only later"
    };
    let summary = format!("`{}` is read here, but {problem}.", quote(one.name.text()));
    sink.report(one.name, summary);
}

/// The first reads in a function of the variables that have no value there.
fn unset<'t>(node: Node<'t>, symbols: &'t Symbols) -> Vec<Unset<'t>> {
    let mut found = Vec::new();
    let Some(body) = node
        .field("body")
        .filter(|body| node.is_within_hunk() && body.is_usable())
    else {
        return found;
    };
    let uses = symbols.locals_used_in(node);
    let may_be_unset = uses.iter().filter(|(name, _)| is_asked(*name));
    let mut known: HashSet<&str> = may_be_unset.map(|(name, _)| name.text()).collect();
    for (name, local) in uses {
        let is_never_set = match first_setting(name, &local) {
            None => true,
            Some(place) if place > name.index() && !is_repeated(name, body) => false,
            Some(_) => continue,
        };
        if !is_behind_exit(name, body) && name.touches_change() && known.insert(name.text()) {
            found.push(Unset { name, is_never_set });
        }
    }
    found
}

/// The position at which a variable that is used here first has a value.
fn first_setting(used: Node<'_>, local: &Local) -> Option<usize> {
    let Local::Defined(settings) = local else {
        return None;
    };
    let settings = settings
        .iter()
        .filter_map(|setting| used.tree().node(*setting));
    settings
        .filter(|setting| !needs_value(*setting))
        .map(|setting| {
            if setting == used {
                used.index()
            } else {
                effect(setting)
            }
        })
        .min()
}

/// Whether a variable that is set must already have a value: `$a += 1`, `$a++`.
fn needs_value(setting: Node<'_>) -> bool {
    setting.parent().is_some_and(|parent| match parent.kind() {
        "update_expression" => true,
        "augmented_assignment_expression" => parent
            .field("operator")
            .is_none_or(|operator| operator.text() != "??="),
        _ => false,
    })
}

/// Whether code after a use may run before it.
fn is_repeated(name: Node<'_>, body: Node<'_>) -> bool {
    let jumps = |node: Node<'_>| node.is(&["goto_statement", "named_label_statement"]);
    name.ancestors()
        .take_while(|around| *around != body)
        .any(|around| around.has_role(Role::Loop))
        || body.descendants().any(jumps)
}

/// Whether it is after a `return` of the body itself, where nothing runs.
fn is_behind_exit(name: Node<'_>, body: Node<'_>) -> bool {
    body.named_children()
        .take_while(|statement| statement.index() < name.index())
        .any(|statement| {
            let is_end = statement.is(&["return_statement"]) || statement.is(&["exit_statement"]);
            is_end && !name.is_inside(statement)
        })
}

/// The position at which an assignment takes effect: after its right side. Everything else takes effect in place.
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
