//! Syntax that the oldest version of the language that the project declares does not have.

use std::collections::HashSet;

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority, Version};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/newer-than-declared",
    languages: &[
        "C#", "Go", "Java", "PHP", "Python", "Rust", "TSX", "TypeScript",
    ],
    title: "Syntax newer than the declared version",
    why: "The project declares that it supports an older version of the language, which does not have this syntax. With that version the file \
          does not compile or cannot be loaded.",
    fix: "Write it without the newer syntax, or raise the version that the project declares.",
    references: &[],
    priority: Priority::P3,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["compilation_unit", "module", "program", "source_file"]),
        run,
    },
    positive: &[
        r#"
path: src/Shop/Cart.php (whole file)
 <?php
 class Cart {
     public function size($items) {
+        return $items?->count();
^
     }
 }
path: composer.json (unchanged)
 {"require": {"php": "^7.4 || ^8.0"}}
"#,
        r#"
path: shop/cart.py (whole file)
 def size(items):
+    match items:
^
+        case []:
+            return 0
     return len(items)
path: pyproject.toml (unchanged)
 [project]
 requires-python = ">=3.9"
"#,
        r#"
path: shop/cart.go (whole file)
 package shop
 
 func run() {
+	for i := range 10 {
^
+		work(i)
+	}
 }
path: go.mod (unchanged)
 module example.com/shop
 
 go 1.21
"#,
        r#"
path: src/main/java/shop/Cart.java (whole file)
 package shop;
 
 class Cart {
+    record Row(int id) {}
^
 }
path: pom.xml (unchanged)
 <project><properties><java.version>11</java.version></properties></project>
"#,
        r#"
path: src/cart.rs (whole file)
 fn size(items: Option<u8>, more: bool) -> u8 {
+    if let Some(size) = items && more {
^
+        return size;
+    }
     0
 }
path: Cargo.toml (unchanged)
 [package]
 edition = "2021"
"#,
        r#"
path: src/Shop/Cart.cs (whole file)
 namespace Shop
 {
     public class Cart
     {
+        public record Row(int Id);
^
     }
 }
path: src/Shop/Shop.csproj (unchanged)
 <Project><PropertyGroup><TargetFramework>netstandard2.0</TargetFramework></PropertyGroup></Project>
"#,
        r#"
path: src/cart.ts (whole file)
 const limits = {
   rows: 10,
+} satisfies Limits;
^
 export default limits;
path: package.json (unchanged)
 {"devDependencies": {"typescript": "^4.7.2"}}
"#,
        r#"
path: src/Cart.tsx (whole file)
 export const limits = {
   rows: 10,
+} satisfies Limits;
^
 export const Cart = () => <b>{limits.rows}</b>;
path: package.json (unchanged)
 {"devDependencies": {"typescript": "^4.7.2"}}
"#,
    ],
    negative: &[
        // A newer version, an unknown one, and a file that has such syntax already.
        r#"
path: src/Shop/Cart.php (whole file)
 <?php
 class Cart {
     public function size($items) {
+        return $items?->count();
     }
 }
path: composer.json (unchanged)
 {"require": {"php": "^8.0"}}
"#,
        r#"
path: shop/cart.py (whole file)
 def size(items: list[int]):
+    match items:
+        case []:
+            return 0
     return len(items)
path: other/pyproject.toml (unchanged)
 [project]
 requires-python = ">=3.9"
"#,
        r#"
path: shop/cart.go (whole file)
 package shop
 
 func run(all []int) {
 	for i := range 3 {
 		work(i)
 	}
+	for i := range 10 {
+		work(i)
+	}
+	for i := range all {
+		work(i)
+	}
 }
path: go.mod (unchanged)
 module example.com/shop
 
 go 1.21
"#,
        r#"
path: src/main/java/shop/Cart.java (whole file)
 package shop;
 
 class Cart<T> {
+    record Row(int id) {}
+    boolean is(Object other) { return other instanceof Cart; }
 }
path: pom.xml (unchanged)
 <project><properties><java.version>17</java.version></properties></project>
"#,
        r#"
path: src/cart.rs (whole file)
 fn size(items: Option<u8>, more: bool) -> u8 {
+    if let Some(size) = items && more {
+        return size;
+    }
     0
 }
path: Cargo.toml (unchanged)
 [package]
 edition = "2024"
"#,
        r#"
path: src/Shop/Cart.cs (whole file)
 namespace Shop
 {
     public class Cart
     {
+        public record Row(int Id);
     }
 }
path: src/Shop/Shop.csproj (unchanged)
 <Project><PropertyGroup><TargetFramework>net48</TargetFramework><LangVersion>latest</LangVersion></PropertyGroup></Project>
"#,
        r#"
path: src/cart.ts (whole file)
 const limits = {
   rows: 10,
+} satisfies Limits;
 export default limits;
path: package.json (unchanged)
 {"devDependencies": {"typescript": "^5.4.0"}}
"#,
        r#"
path: src/Cart.tsx (whole file)
 export const limits = {
   rows: 10,
+} satisfies Limits;
 export const Cart = () => <b>{limits.rows}</b>;
path: package.json (unchanged)
 {"devDependencies": {"typescript": "^5.4.0"}}
"#,
    ],
};

/// A feature of a language and its first version: the name, the kind of its node, and the field by which it is in its parent, if only there.
type Feature = (&'static str, &'static str, &'static str, (u16, u16));

const FEATURES: &[(&str, &[Feature])] = &[
    (
        "C#",
        &[
            ("A `switch` expression", "switch_expression", "", (8, 0)),
            ("A record", "record_declaration", "", (9, 0)),
            (
                "`new` without a type",
                "implicit_object_creation_expression",
                "",
                (9, 0),
            ),
            ("`with`", "with_expression", "", (9, 0)),
            (
                "A namespace for the whole file",
                "file_scoped_namespace_declaration",
                "",
                (10, 0),
            ),
            ("A raw string", "raw_string_literal", "", (11, 0)),
            ("A list pattern", "list_pattern", "", (11, 0)),
            (
                "A collection expression",
                "collection_expression",
                "",
                (12, 0),
            ),
        ],
    ),
    (
        "Go",
        &[
            ("A type parameter", "type_parameter_list", "", (1, 18)),
            ("A loop over a number", "int_literal", "right", (1, 22)),
        ],
    ),
    (
        "Java",
        &[
            ("An arrow in `switch`", "switch_rule", "", (14, 0)),
            ("`yield`", "yield_statement", "", (14, 0)),
            ("A text block", "multiline_string_fragment", "", (15, 0)),
            ("A record", "record_declaration", "", (16, 0)),
            ("`permits`", "permits", "", (17, 0)),
            ("A pattern in `switch`", "type_pattern", "", (21, 0)),
            ("A record pattern", "record_pattern", "", (21, 0)),
            ("An unnamed pattern", "underscore_pattern", "", (22, 0)),
        ],
    ),
    (
        "PHP",
        &[
            ("`match`", "match_expression", "", (8, 0)),
            ("`?->`", "nullsafe_member_access_expression", "", (8, 0)),
            ("`?->`", "nullsafe_member_call_expression", "", (8, 0)),
            (
                "A promoted parameter",
                "property_promotion_parameter",
                "",
                (8, 0),
            ),
            ("A union type", "union_type", "", (8, 0)),
            ("An enumeration", "enum_declaration", "", (8, 1)),
            ("`readonly`", "readonly_modifier", "", (8, 1)),
            ("A property hook", "property_hook", "", (8, 4)),
        ],
    ),
    (
        "Python",
        &[
            ("`:=`", "named_expression", "", (3, 8)),
            ("`match`", "match_statement", "", (3, 10)),
            ("A type alias", "type_alias_statement", "", (3, 12)),
            (
                "A type parameter",
                "type_parameter",
                "type_parameters",
                (3, 12),
            ),
        ],
    ),
    (
        "Rust",
        &[("`let` in a chain of conditions", "let_chain", "", (2024, 0))],
    ),
    ("TSX", TYPESCRIPT),
    ("TypeScript", TYPESCRIPT),
];

const TYPESCRIPT: &[Feature] = &[
    (
        "A template literal type",
        "template_literal_type",
        "",
        (4, 1),
    ),
    ("`override`", "override_modifier", "", (4, 3)),
    ("`satisfies`", "satisfies_expression", "", (4, 9)),
    ("An import attribute", "import_attribute", "", (5, 3)),
];

fn run(root: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let features = FEATURES
        .iter()
        .find(|(language, _)| *language == context.file.language);
    let (Some(declared), Some((language, features))) = (context.file.version, features) else {
        return;
    };
    let newer: Vec<&Feature> = features
        .iter()
        .filter(|(.., (major, minor))| {
            declared
                < Version {
                    major: *major,
                    minor: *minor,
                }
        })
        .collect();
    if newer.is_empty() {
        return;
    }
    let feature = |node: Node<'_>| {
        let is_such = |(_, kind, field, _): &&&Feature| {
            node.kind() == *kind
                && (field.is_empty() || node.own_field() == *field && is_in_place(node))
        };
        newer.iter().find(is_such).copied()
    };
    // A project that uses it already declares an older version than it needs.
    let known: HashSet<&str> = root
        .tree()
        .nodes()
        .filter(|node| !node.touches_change())
        .filter_map(|node| Some(feature(node)?.1))
        .collect();
    let mut reported = HashSet::new();
    for node in root.tree().changed_nodes() {
        let Some((name, kind, _, (major, minor))) = feature(node) else {
            continue;
        };
        if known.contains(kind) || !reported.insert(name) {
            continue;
        }
        let edition = |number: u16| format!("the {number} edition");
        let (has, supports) = match *language {
            "Rust" => (edition(*major), edition(declared.major)),
            "Java" => (format!("Java {major}"), format!("Java {}", declared.major)),
            "TSX" => (
                format!("TypeScript {major}.{minor}"),
                format!("TypeScript {declared}"),
            ),
            name => (
                format!("{name} {major}.{minor}"),
                format!("{name} {declared}"),
            ),
        };
        sink.report(
            node,
            format!("{name} needs {has}; the project declares {supports}."),
        );
    }
}

/// Whether a number is what a loop of Go ranges over.
fn is_in_place(node: Node<'_>) -> bool {
    !node.is(&["int_literal"])
        || node
            .parent()
            .is_some_and(|parent| parent.is(&["range_clause"]))
}
