//! An added call of a method of the object itself that its type does not have, while it has one with a similar name.

use std::collections::{HashMap, HashSet};

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::vocabulary::{is_near, words_of};
use syntax::tree::{Node, Tree};

pub(crate) const RULE: Rule = Rule {
    id: "rust/unknown-own-method",
    languages: &["Rust"],
    title: "Call of a missing method",
    why: "The type, which this file defines, has no such method, but one with a similar name. The code does not compile. Types \
          that traits of other files or macros may extend are not judged.",
    fix: "Call the method by its name, or define the one that is called.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["source_file"]),
        run,
    },
    positive: &[
        r#"
path: src/walk.rs (whole file)
 use std::io::Write;

 #[derive(Debug, Clone)]
 struct Printer<W> {
     flag: bool,
     out: W,
 }

 impl<W: Write> Printer<W> {
     fn print(&mut self) {
-        if self.flag {
+        if self.is_interrupted() {
^
             return;
         }
     }

+    fn interrupted(&self) -> bool {
+        self.flag
+    }
 }
"#,
        r#"
path: src/cart.rs (whole file)
 use std::fmt;

 enum Cart {
     Empty,
     Full(Vec<u32>),
 }

 impl fmt::Display for Cart {
     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
+        write!(f, "")?;
+        let total = self.total_prices(true);
^
         Ok(())
     }
 }

 impl Cart {
     fn total_price(&self, taxed: bool) -> u32 {
         0
     }
 }
"#,
    ],
    negative: &[
        // Traits and macros may add methods.
        r#"
path: src/walk.rs (whole file)
 use crate::named::Named;

 struct Printer {
     flag: bool,
 }

 impl Named for Printer {}

 impl Printer {
     fn print(&mut self) {
+        self.is_interrupted();
     }

+    fn interrupted(&self) -> bool {
         self.flag
     }
 }

 #[derive(Clone)]
 struct Copied;

 impl Copied {
     fn clone_all(&self) -> Self {
+        self.clone()
     }
 }

 #[derive(EnumIs)]
 enum Kind {
     Open,
 }

 impl Kind {
     fn open(&self) -> bool {
+        self.is_open()
     }
 }
"#,
        r#"
path: src/walk.rs (whole file)
 pub struct Printer {
     flag: bool,
 }

 impl Printer {
     fn print(&mut self) {
+        self.is_interrupted();
+        self.reset_all(1);
+        self.interrupt();
     }

     fn interrupted(&self) -> bool {
         self.flag
     }

     fn reset(&self) {}
 }

 struct Page(Printer);

 impl std::ops::Deref for Page {
     type Target = Printer;
     fn deref(&self) -> &Printer {
         &self.0
     }
 }

 impl Page {
     fn show(&self) {
+        self.is_shown();
     }

     fn shown(&self) {}
 }
"#,
        r#"
path: src/walk.rs (whole file)
 use crate::prelude::*;

 struct Printer {
     flag: bool,
 }

 impl Printer {
     fn print(&mut self) {
+        self.is_interrupted();
     }

     fn interrupted(&self) -> bool {
         self.flag
     }
 }
"#,
        r#"
path: src/walk.rs (whole file)
 struct Printer {
     flag: bool,
 }

 impl Printer {
     fn print(&mut self) {
+        self.is_interrupted();
     }

     fn interrupted(&self) -> bool {
         self.flag
     }
 }

 setters! {
     Printer { is_interrupted }
 }
"#,
    ],
};

/// Attributes that add no methods.
const ATTRIBUTES: &[&str] = &[
    "allow", "cfg", "deny", "deprecated", "derive", "doc", "expect", "must_use", "non_exhaustive",
    "repr", "warn",
];
/// Traits whose methods have other names.
const TRAITS: &[&str] = &[
    "Clone", "Copy", "Debug", "Default", "Display", "Drop", "Eq", "From", "FromStr", "Hash", "Ord",
    "PartialEq", "PartialOrd", "Send", "Sync", "Unpin",
];
/// Methods that traits of the standard library give to many types.
const UNIVERSAL: &[&str] = &[
    "as_ref", "borrow", "borrow_mut", "clamp", "clone", "clone_from", "clone_into", "cmp", "eq",
    "fmt", "ge", "gt", "hash", "into", "le", "lt", "max", "min", "ne", "partial_cmp", "to_owned",
    "to_string", "try_into", "type_id",
];
/// No more methods of a type than this are compared.
const MANY: usize = 200;
/// A type with more `impl`s than this is not judged.
const FEW: usize = 20;

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = root.tree();
    if !tree.is_readable_file() {
        return;
    }
    let calls = tree.changed_nodes().filter_map(own_call);
    let calls: Vec<Node<'_>> = calls.filter(|name| name.touches_change()).collect();
    let Some(file) = (!calls.is_empty()).then(|| Types::of(tree)).flatten() else {
        return;
    };
    for name in calls {
        if let Some(similar) = file.similar(name) {
            let (name_text, similar) = (quote(name.text()), quote(similar));
            sink.report(
                name,
                format!("`{name_text}` is not defined: `{similar}` may be intended."),
            );
        }
    }
}

/// The name of the method that a call of `self.method()` calls.
fn own_call(call: Node<'_>) -> Option<Node<'_>> {
    let function = call
        .field("function")
        .filter(|function| call.is(&["call_expression"]) && function.is(&["field_expression"]))?;
    let is_own = function.field("value")?.is(&["self"]);
    function.field("field").filter(|_| is_own)
}

/// The types of a file, and what can be known about their methods.
#[derive(Default)]
struct Types<'t> {
    /// The definitions of structs and enums.
    types: HashMap<&'t str, Vec<Node<'t>>>,
    impls: HashMap<&'t str, Vec<Node<'t>>>,
    /// All names except those of called methods and of fields.
    names: HashSet<&'t str>,
    has_files: bool,
}

impl<'t> Types<'t> {
    /// Those of a tree; `None` if macros or unknown traits may add methods to them.
    fn of(tree: &'t Tree<'t>) -> Option<Self> {
        let mut found = Self::default();
        for node in tree.nodes() {
            match node.kind() {
                "struct_item" | "enum_item" | "union_item" => {
                    let own = found.types.entry(node.field("name")?.text());
                    own.or_default().push(node);
                }
                "impl_item" => {
                    let own = found.impls.entry(type_name(node).unwrap_or_default());
                    own.or_default().push(node);
                }
                "use_wildcard" if !is_of_tests(node) && !is_of_enum(node) => return None,
                "macro_invocation" if is_item(node) => return None,
                "mod_item" => found.has_files |= node.field("body").is_none(),
                _ if node.is_leaf() && !node.is(&["field_identifier"]) => {
                    found.names.insert(node.text());
                }
                "field_identifier" if !node.parent()?.is(&["field_expression"]) => {
                    found.names.insert(node.text());
                }
                _ => {}
            }
        }
        Some(found)
    }

    /// The method that is probably meant by the name of one that certainly does not exist.
    fn similar(&self, name: Node<'t>) -> Option<&'t str> {
        let own = name
            .ancestors()
            .find(|around| around.is(&["impl_item", "trait_item"]))?;
        let owner = type_name(own)?;
        let [definition] = self.types.get(owner)?.as_slice() else {
            return None;
        };
        let impls = self.impls.get(owner).filter(|all| all.len() <= FEW)?;
        if UNIVERSAL.contains(&name.text())
            || self.names.contains(name.text())
            || !is_plain(*definition)
            || !impls.iter().all(|own| is_plain(*own))
        {
            return None;
        }
        let arguments = name.ancestors().nth(1)?.field("arguments")?;
        let methods = impls
            .iter()
            .filter_map(|own| own.field("body"))
            .flat_map(Node::named_children)
            .filter(|item| item.is(&["function_item"]))
            .take(MANY);
        // Another file may have methods of a type that it can name, but hardly those of code that is new here.
        let is_private =
            !self.has_files && definition.child_of_kind(&["visibility_modifier"]).is_none();
        let is_new = |method: &Node<'t>| {
            let name = method.field("name");
            name.is_some_and(Node::touches_change)
        };
        let fits = |method: &Node<'t>| {
            let list = method.field("parameters");
            let parameters = list.into_iter().flat_map(Node::named_children);
            let has_self =
                list.is_some_and(|list| list.child_of_kind(&["self_parameter"]).is_some());
            has_self && count(parameters) == count(arguments.named_children()) + 1
        };
        methods
            .filter(|method| (is_private || is_new(method)) && fits(method))
            .filter_map(|method| method.field("name"))
            .map(Node::text)
            .find(|known| is_similar(known, name.text()))
    }
}

/// How many parameters or arguments there are.
fn count<'t>(list: impl Iterator<Item = Node<'t>>) -> usize {
    list.filter(|node| !node.is(&["line_comment", "block_comment", "attribute_item"]))
        .count()
}

/// Whether one name differs from another by a letter or two, or consists of its words and others.
fn is_similar(one: &str, other: &str) -> bool {
    let (one_words, other_words) = (words_of(one), words_of(other));
    let all_in = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    is_near(one, other) || all_in(&one_words, &other_words) || all_in(&other_words, &one_words)
}

/// The name of the type that an `impl` is for.
fn type_name(own: Node<'_>) -> Option<&str> {
    let of = own.field("type")?;
    let of = if of.is(&["generic_type"]) {
        of.field("type")?
    } else {
        of
    };
    of.is(&["type_identifier"]).then(|| of.text())
}

/// Whether no macro can add methods to a type or an `impl`, and no trait of an `impl` has a similar one.
fn is_plain(item: Node<'_>) -> bool {
    let mut before = item
        .preceding()
        .take_while(|node| node.is(&["attribute_item"]));
    let is_known = |path: &str| TRAITS.contains(&path.rsplit("::").next().unwrap_or(path).trim());
    let is_harmless = |attribute: Node<'_>| {
        let name = attribute.named_children().next().map_or("", Node::text);
        let list = attribute.field("arguments").map_or("", Node::text);
        ATTRIBUTES.contains(&name)
            && (name != "derive"
                || list
                    .trim_matches(['(', ')'])
                    .split(',')
                    .all(|path| path.trim().is_empty() || is_known(path)))
    };
    let has_known_trait = item.field("trait").is_none_or(|of| {
        let of = of
            .field("type")
            .filter(|_| of.is(&["generic_type"]))
            .unwrap_or(of);
        is_known(of.text())
    });
    has_known_trait && before.all(|node| node.child_of_kind(&["attribute"]).is_none_or(is_harmless))
}

/// Whether a node is in a module of tests.
fn is_of_tests(node: Node<'_>) -> bool {
    node.ancestors().any(|around| {
        around.is(&["mod_item"])
            && around
                .field("name")
                .is_some_and(|name| name.text() == "tests")
    })
}

/// Whether an import takes all cases of an enum, and no traits.
fn is_of_enum(wildcard: Node<'_>) -> bool {
    let path = wildcard.named_children().next();
    path.is_some_and(|path| {
        path.last_name()
            .starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// Whether a call of a macro expands to items.
fn is_item(call: Node<'_>) -> bool {
    let around = call
        .ancestors()
        .find(|around| !around.is(&["expression_statement"]));
    around.is_some_and(|around| around.is(&["source_file", "declaration_list"]))
}
