//! A property that reads or writes the field of another property.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/property-of-wrong-field",
    languages: &["C#"],
    title: "Property using the field of another property",
    why: "By its name, a field of the class belongs to this property, but the accessor uses another one. Two \
          properties then share a value, and the right field is never set or read; usually the accessor was copied \
          and not adapted.",
    fix: "Use the field that belongs to the property.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["accessor_declaration", "arrow_expression_clause"]),
        run,
    },
    positive: &[
        r#"
+class Box
+{
+    private int width;
+    private int height;
+    public int Height
+    {
+        get { return width; }
^
+        set { height = value; }
+    }
+    public int Width => height;
^
+}
"#,
        r#"
+class User
+{
+    private string _name;
+    private string _email;
+    public string Name { get => _name; set => _name = value; }
+    public string Email { get => _email; set => _name = value; }
^
+}
"#,
    ],
    negative: &[
        r#"
+class Box
+{
+    private int _width;
+    private int _height;
+    public int Height
+    {
+        get { return _height; }
+        set { _height = value; _width = 0; }
+    }
+    public int Area => _width * _height;
+    public int Size => _width;
+}
"#,
        r#"
+class User
+{
+    private string _first;
+    private string _last;
+    public string First => _first;
+    public string Name => _first + _last;
+    public string Last
+    {
+        get => _last ?? _first;
+        set => _last = value;
+    }
+}
"#,
    ],
};

/// The name of a field or property, without its conventional prefix.
fn bare(name: &str) -> String {
    let name = name.strip_prefix("this.").unwrap_or(name);
    name.trim_start_matches("m_")
        .trim_start_matches("s_")
        .trim_matches('_')
        .to_ascii_lowercase()
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(property) = node
        .ancestors()
        .take(3)
        .find(|around| around.is(&["property_declaration"]))
    else {
        return;
    };
    let Some(class) = property
        .parent()
        .filter(|class| class.is(&["declaration_list"]))
    else {
        return;
    };
    let (Some(name), Some(used)) = (property.field("name"), used(node)) else {
        return;
    };
    let fields = fields_of(class);
    let plain = used.text().strip_prefix("this.").unwrap_or(used.text());
    let kind = property.field("type").map(Node::text);
    let Some(own) = fields
        .iter()
        .find(|field| bare(field.name) == bare(name.text()) && Some(field.kind) == kind)
    else {
        return;
    };
    if fields.iter().any(|field| field.name == plain) && bare(plain) != bare(name.text()) {
        sink.report(
            node,
            format!(
                "The property `{}` uses `{plain}` here, but its own field is `{}`.",
                name.text(),
                own.name
            ),
        );
    }
}

struct Field<'t> {
    name: &'t str,
    kind: &'t str,
}

fn fields_of<'t>(class: Node<'t>) -> Vec<Field<'t>> {
    let mut all = Vec::new();
    for field in class
        .named_children()
        .filter(|child| child.is(&["field_declaration"]))
    {
        let Some(list) = field.child_of_kind(&["variable_declaration"]) else {
            continue;
        };
        let kind = list.field("type").map_or("", Node::text);
        let names = list
            .named_children()
            .filter(|one| one.is(&["variable_declarator"]))
            .filter_map(|one| one.named_children().next());
        all.extend(names.map(|name| Field {
            name: name.text(),
            kind,
        }));
    }
    all
}

/// The field that an accessor returns or sets, if it does nothing else.
fn used<'t>(node: Node<'t>) -> Option<Node<'t>> {
    if node.is(&["arrow_expression_clause"]) {
        let value = node.named_children().next()?;
        if let Some(set) = value.assignment() {
            return Some(set.target).filter(|_| set.value.text() == "value");
        }
        return Some(value).filter(|value| is_field(*value));
    }
    let block = node.child_of_kind(&["block"])?;
    let mut statements = block.named_children();
    let (only, None) = (statements.next()?, statements.next()) else {
        return None;
    };
    match only.kind() {
        "return_statement" => only
            .named_children()
            .next()
            .map(Node::unparenthesised)
            .filter(|value| is_field(*value)),
        "expression_statement" => {
            let set = only.named_children().next()?.assignment()?;
            Some(set.target).filter(|target| set.value.text() == "value" && is_field(*target))
        }
        _ => None,
    }
}

fn is_field(node: Node<'_>) -> bool {
    node.is(&["identifier"])
        || node.is(&["member_access_expression"])
            && node.text().starts_with("this.")
            && node.text().matches('.').count() == 1
}
