//! An added read of a member of the object itself that nothing in the file sets, with a name similar to that of an
//! existing member.

use std::collections::{HashMap, HashSet};

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::is_near;
use syntax::tree::{Node, Tree};

pub(crate) const RULE: Rule = Rule {
    id: "any/member-misspelt",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "PHP"],
    title: "Probable typo in a member's name",
    why: "Nothing in the file defines or sets this member of the object, whose class has no base. A member with a very \
          similar name exists. In Python the line fails when it runs; JavaScript and PHP read nothing.",
    fix: "Correct the spelling, or define the member.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program"]),
        run,
    },
    positive: &[
        r#"
path: shop/cart.py (whole file)
 class Cart:
     def __init__(self, prices):
         self.prices = prices
 
     def total(self):
+        return sum(self.pirces)
^
"#,
        r#"
path: src/cart.js (whole file)
 class Cart {
   addItem(item) {
     this.items = [item];
   }
   add(item) {
+    this.addItm(item);
^
   }
 }
 module.exports = Cart;
"#,
        r#"
path: src/Cart.php (whole file)
 <?php
 class Cart
 {
     private array $prices = [];
     public function total(): int
     {
+        return array_sum($this->price);
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: shop/cart.py (whole file)
 class Cart:
     def __init__(self, prices):
         self.prices = prices
 
     def total(self):
+        return sum(self.prices) + self.weight
"#,
        r#"
path: shop/cart.py (whole file)
 class Cart(Model):
     def __init__(self, prices):
         self.prices = prices
 
     def total(self):
+        return sum(self.price)
"#,
        r#"
path: shop/cart.py (whole file)
 class PriceMixin:
     def __init__(self, prices):
         self.prices = prices
 
     def total(self):
+        return sum(self.price)
"#,
        r#"
path: shop/cart.py (whole file)
 class Cart:
     def __init__(self, prices):
         self.prices = prices
         for name in prices:
             setattr(self, name, 1)
 
     def total(self):
+        return sum(self.price)
"#,
        r#"
path: src/cart.js (whole file)
 class Cart {
   constructor(prices) {
     this.prices = prices;
   }
   total() {
+    return this.price ? this.price : 0;
   }
 }
 export const make = (price) => Object.assign(new Cart([]), { price });
"#,
        r#"
path: src/Cart.php (whole file)
 <?php
 class Cart
 {
     use Priced;
     private array $prices = [];
     public function total(): int
     {
+        return array_sum($this->price);
     }
 }
"#,
    ],
};

/// Code that sets members with names that it does not show.
const DYNAMIC: &[&str] = &[
    "setattr", "__dict__", "__slots__", "vars", "__getattr__", "__getattribute__", "__get",
    "__call", "assign", "defineProperty", "defineProperties", "setPrototypeOf", "Proxy", "extract",
];
/// A class with more unknown members than this gets them from elsewhere.
const MANY: usize = 5;

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = root.tree();
    if !tree.is_readable_file() {
        return;
    }
    let mut classes = Classes::default();
    let is_read = |leaf: Node<'_>| own_access(leaf).is_some_and(|access| !is_set(access));
    let has_read = tree
        .changed_nodes()
        .any(|leaf| leaf.is_leaf() && is_read(leaf) && classes.closed(leaf).is_some());
    if !has_read {
        return;
    }
    let Some(found) = Members::of(tree, &mut classes) else {
        return;
    };
    for (class, reads) in &found.reads {
        let unknown = |read: &&Node<'_>| !found.known.contains(bare(read.text()));
        let unknown: Vec<Node<'_>> = reads.iter().filter(unknown).copied().collect();
        let names: HashSet<&str> = unknown.iter().map(|read| bare(read.text())).collect();
        let own = found.own.get(class).map_or(&[][..], Vec::as_slice);
        if names.len() > MANY {
            continue;
        }
        for read in unknown.into_iter().filter(|read| read.touches_change()) {
            let name = bare(read.text());
            if let Some(similar) = own.iter().find(|other| is_near(name, other)) {
                sink.report(
                    read,
                    format!("the member `{name}` is never set; did you mean `{similar}`?"),
                );
            }
        }
    }
}

/// The members of the classes of a file.
#[derive(Default)]
struct Members<'t> {
    /// The reads of members of the object itself, by class.
    reads: HashMap<usize, Vec<Node<'t>>>,
    /// The names of the members that a class defines or sets.
    own: HashMap<usize, Vec<&'t str>>,
    /// All other names and strings of the file.
    known: HashSet<&'t str>,
}

impl<'t> Members<'t> {
    /// The members of a file; `None` if it may set members that it does not show.
    fn of(tree: &'t Tree<'t>, classes: &mut Classes) -> Option<Self> {
        let mut found = Self::default();
        for node in tree.nodes() {
            found.known.extend(node.string_value());
            if !node.is_leaf() || node.has_role(Role::Comment) {
                continue;
            }
            let text = bare(node.text());
            if DYNAMIC.contains(&text) {
                return None;
            }
            match own_access(node) {
                Some(access) if !is_set(access) => {
                    if let Some(class) = classes.closed(access) {
                        found.reads.entry(class.index()).or_default().push(node);
                    }
                }
                Some(access) => {
                    found.known.insert(text);
                    if let Some(class) = classes.closed(access) {
                        found.own.entry(class.index()).or_default().push(text);
                    }
                }
                None => {
                    found.known.insert(text);
                    if let Some(class) = declared_in(node).and_then(|own| classes.closed(own)) {
                        found.own.entry(class.index()).or_default().push(text);
                    }
                }
            }
        }
        Some(found)
    }
}

/// A name without the `$` of PHP and the `#` of private members.
fn bare(name: &str) -> &str {
    name.trim_start_matches(['$', '#'])
}

/// The access to a member of the object itself with the leaf as its name: `self.name`, `this.name`, `$this->name`.
fn own_access(leaf: Node<'_>) -> Option<Node<'_>> {
    let access = leaf.parent()?;
    let object = access
        .field("object")
        .filter(|_| access.is(&["attribute", "member_expression", "member_access_expression"]))?;
    let is_own = matches!(object.text(), "self" | "this" | "$this");
    (is_own && object != leaf && matches!(leaf.own_field(), "attribute" | "property" | "name"))
        .then_some(access)
}

/// Whether an access to a member writes or deletes it, or tests whether it exists.
fn is_set(access: Node<'_>) -> bool {
    let Some(around) = access.parent() else {
        return true;
    };
    access.own_field() == "left"
        || around.is(&[
            "pattern_list", "tuple_pattern", "delete_statement", "update_expression",
            "augmented_assignment", "augmented_assignment_expression", "unary_expression",
            "array_pattern", "object_pattern", "pair_pattern", "as_pattern_target",
            "unset_statement", "list_literal", "reference_assignment_expression",
        ])
        || around.is(&["argument"])
            && around.enclosing(Role::Call).is_some_and(|call| {
                matches!(call.text().split('(').next(), Some("isset" | "empty"))
            })
        || around
            .binary()
            .is_some_and(|binary| binary.operator == "??" && binary.left == access)
}

/// Which classes of a file have no bases, and no members that other code adds, by their indices.
#[derive(Default)]
struct Classes(HashMap<usize, bool>);

impl Classes {
    /// The enclosing class, if it is one of them.
    fn closed<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let class = node.enclosing(Role::Class)?;
        let known = self.0.entry(class.index());
        known.or_insert_with(|| is_closed(class)).then_some(class)
    }
}

fn is_closed(class: Node<'_>) -> bool {
    let name = class.field("name").map_or("", Node::text);
    let is_open = class.is(&["trait_declaration", "interface_declaration"])
        || class
            .child_of_kind(&[
                "class_heritage", "base_clause", "class_interface_clause", "decorator",
            ])
            .is_some()
        || class
            .parent()
            .is_some_and(|around| around.is(&["decorated_definition"]))
        || name.contains("Mixin");
    let has_bases = class
        .field("superclasses")
        .is_some_and(|bases| bases.named_children().any(|base| base.text() != "object"));
    let has_traits = class
        .field("body")
        .is_some_and(|body| body.child_of_kind(&["use_declaration"]).is_some());
    !is_open && !has_bases && !has_traits && class.is_usable()
}

/// The declaration of a member of a class, if a leaf is the name in it.
fn declared_in(leaf: Node<'_>) -> Option<Node<'_>> {
    let is_name = matches!(leaf.own_field(), "name" | "property" | "left")
        || leaf
            .parent()
            .is_some_and(|around| around.is(&["variable_name"]));
    let declaration = leaf.ancestors().take(5).find(|around| {
        around.is(&[
            "function_definition", "method_definition", "field_definition",
            "public_field_definition", "property_element", "method_declaration",
            "expression_statement", "required_parameter", "property_promotion_parameter",
        ])
    })?;
    if !is_name {
        return None;
    }
    let around = declaration
        .ancestors()
        .take(5)
        .find(|around| around.has_role(Role::Class) || around.has_role(Role::Function))?;
    around.has_role(Role::Class).then_some(declaration)
}
