//! A call of a function of the same file with an argument name that the function does not have.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Node, Tree};

pub(crate) const RULE: Rule = Rule {
    id: "kotlin/unknown-argument-name",
    languages: &["Kotlin"],
    title: "Unknown argument name",
    why: "The function, which this file defines, has no parameter with the name, and lacks an argument that it requires. The \
          code does not compile.",
    fix: "Use the names of the parameters that the function declares.",
    references: &["https://kotlinlang.org/docs/functions.html#named-arguments"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: Page.kt (whole file)
 package notes

 private fun cards(news: News, onSave: () -> Unit, title: String = "") {}

 fun page(news: News, save: () -> Unit) {
+    cards(news = news, onStore = save)
^
 }
"#,
        r#"
path: Page.kt (whole file)
 package notes

 class Page {
     private fun cards(news: News, size: Int, onSave: () -> Unit) {}

     fun show(news: News) {
+        cards(news = news, count = 1) { save() }
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: Page.kt (whole file)
 package notes

 private fun cards(news: News, onSave: () -> Unit, title: String = "") {}

 fun page(news: News, save: () -> Unit) {
+    cards(news = news, onSave = save)
+    cards(news, save, title = "a")
+    cards(title = "a", news = news) { save() }
+    list.cards(news = news, onStore = save)
 }
"#,
        r#"
path: Page.kt (whole file)
 package notes

 import notes.list.item

 fun item(news: News, size: Int) {}

 fun cards(news: News, size: Int) {}
 fun cards(news: News, count: Int, title: String) {}

 class Page : Base() {
     fun show(news: News, size: Int) {}

     fun page(news: News) {
+        item(news = news, key = 1)
+        cards(news = news, count = 1, title = "")
+        show(news = news, key = 1)
     }
 }
"#,
    ],
};

/// A function with more parameters than this is not judged.
const MANY: usize = 40;

fn run(call: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = call.tree();
    let Some(callee) = call
        .named_children()
        .next()
        .filter(|callee| callee.is(&["simple_identifier"]) && tree.is_readable_file())
    else {
        return;
    };
    let Some((function, passed)) = function(tree, callee).zip(Passed::of(call)) else {
        return;
    };
    let Some(parameters) = parameters(function) else {
        return;
    };
    let is_known = |name: &str| parameters.iter().any(|own| own.name == name);
    let unknown: Vec<Node<'_>> = passed
        .names
        .iter()
        .filter(|name| !is_known(name.text()))
        .copied()
        .collect();
    let [unknown] = unknown.as_slice() else {
        return;
    };
    // A function of another file may have this name too. It would hardly share the other names.
    let shares_names = passed.names.len() > 1;
    let is_passed = |(at, own): (usize, &Parameter<'_>)| {
        at < passed.placed
            || passed.names.iter().any(|name| name.text() == own.name)
            || passed.has_lambda && at + 1 == parameters.len()
    };
    let lacks_one = parameters
        .iter()
        .enumerate()
        .any(|(at, own)| own.is_required && !is_passed((at, own)));
    if shares_names && lacks_one {
        let (function, name) = (quote(callee.text()), quote(unknown.text()));
        sink.report(*unknown, format!("`{function}` has no parameter `{name}`."));
    }
}

/// The only function of the file with a name, if a call cannot refer to an imported or inherited one.
fn function<'t>(tree: &'t Tree<'t>, callee: Node<'t>) -> Option<Node<'t>> {
    let mentions = tree.places(named);
    let mut named = mentions.within(tree, callee.text(), 0..usize::MAX);
    let function = named.next().filter(|_| named.next().is_none())?;
    let class = function.enclosing(Role::Class);
    let has_base = |class: Node<'_>| class.child_of_kind(&["delegation_specifier"]).is_some();
    let is_own = class.is_none_or(|class| callee.is_inside(class) && !has_base(class));
    (function.is(&["function_declaration"]) && is_own).then_some(function)
}

/// The definitions of a name: functions, classes and imports.
fn named(name: Node<'_>) -> Option<Node<'_>> {
    const DEFINITIONS: &[&str] = &[
        "function_declaration", "class_declaration", "object_declaration", "import_alias",
    ];
    let around = name.parent()?;
    let is_imported = || {
        around.is(&["identifier"])
            && around
                .parent()
                .is_some_and(|head| head.is(&["import_header"]))
            && around.named_children().last() == Some(name)
    };
    (around.is(DEFINITIONS) || is_imported()).then_some(around)
}

struct Parameter<'t> {
    name: &'t str,
    is_required: bool,
}

/// The parameters of a function.
fn parameters(function: Node<'_>) -> Option<Vec<Parameter<'_>>> {
    let list = function
        .child_of_kind(&["function_value_parameters"])
        .filter(|list| list.is_usable())?;
    let mut found: Vec<Parameter<'_>> = Vec::new();
    for part in list.children() {
        if part.is(&["parameter"]) {
            let name = part.named_children().next()?.text();
            found.push(Parameter {
                name,
                is_required: true,
            });
        } else if part.text() == "=" {
            found.last_mut()?.is_required = false;
        } else if part.is(&["parameter_modifiers"]) && part.text().contains("vararg")
            || found.len() > MANY
        {
            return None;
        }
    }
    Some(found)
}

/// The arguments of a call.
struct Passed<'t> {
    names: Vec<Node<'t>>,
    placed: usize,
    has_lambda: bool,
}

impl<'t> Passed<'t> {
    fn of(call: Node<'t>) -> Option<Self> {
        let suffix = call.child_of_kind(&["call_suffix"])?;
        let list = suffix.child_of_kind(&["value_arguments"])?;
        let mut found = Self {
            names: Vec::new(),
            placed: 0,
            has_lambda: suffix.child_of_kind(&["annotated_lambda"]).is_some(),
        };
        for argument in list
            .named_children()
            .filter(|part| part.is(&["value_argument"]))
        {
            let is_named = argument
                .children()
                .nth(1)
                .is_some_and(|sign| sign.text() == "=");
            if is_named {
                found.names.extend(argument.named_children().next());
            } else {
                found.placed += 1;
            }
        }
        Some(found)
    }
}
