//! A field, an argument or an arm that now has the value of a neighbouring one.

use std::collections::BTreeMap;

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/value-of-neighbour",
    languages: &[],
    title: "Value of a neighbouring field",
    why: "The entry had the value that belongs to its name and now has a neighbouring entry's value, or a setter or getter \
          uses a different field than before. That happens when a line is copied and only one of its two names is adapted.",
    fix: "Use the value of the same name, or rename the entry if the other value is intended.",
    references: &["CWE-682"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def to_dict(self):
     return {
         "updated_at": self.updated_at,
-        "created_at": self.created_at,
+        "created_at": self.updated_at,
^
         "active_at": self.active_at,
     }
"#,
        r#"
path: src/a.rs
 fn key(&self) -> &'static str {
     match self {
         Action::PublishUpdate => "PUBLISH_UPDATE",
-        Action::YankUnyank => "YANK_UNYANK",
+        Action::YankUnyank => "PUBLISH_UPDATE",
^
     }
 }
"#,
        r#"
path: src/A.kt
 fun share() {
     save(
         file_owner = fileOwner,
-        owner = owner,
+        owner = fileOwner,
^
         url = url,
     )
 }
"#,
        r#"
path: src/A.java
 class Owner {
     public void setCity(String city) {
-        this.city = city;
+        this.address = city;
^
     }
 }
"#,
        r#"
path: src/a.ts
 class Owner {
   getCity(): string {
-    return this.city;
+    return this.address;
^
   }
 }
"#,
        r#"
path: src/a.go
 func show(row Row) View {
 	return View{
 		Updated: row.Updated,
-		Created: row.Created,
+		Created: row.Updated,
^
 	}
 }
"#,
        r#"
path: src/A.cs
 View Show(Row row)
 {
     return new View
     {
         Updated = row.Updated,
-        Created = row.Created,
+        Created = row.Updated,
^
     };
 }
"#,
        r#"
path: src/a.php
 <?php
 $view = [
     'updated' => $row->updated,
-    'created' => $row->created,
+    'created' => $row->updated,
^
 ];
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def to_dict(self):
     return {
         "created_at": self.created_at,
+        "last_seen_at": self.active_at,
         "active_at": self.active_at,
     }
"#,
        r#"
path: src/a.rs
 fn key(&self) -> &'static str {
     match self {
-        Action::PublishUpdate => "PUBLISH_UPDATE",
         Action::YankUnyank => "YANK_UNYANK",
+        Action::PublishUpdate => "PUBLISH_UPDATE",
     }
 }
"#,
        r#"
path: src/A.kt
 fun share() {
     save(
         file_owner = fileOwner,
-        owner = owner,
+        owner = owner ?: fileOwner,
         url = url,
     )
 }
"#,
        r#"
path: src/A.java
 class Owner {
-    private String city;
+    private String town;
     public void setCity(String city) {
-        this.city = city;
+        this.town = city;
     }
 }
"#,
        r#"
path: src/a.py
 def show(row):
     width = row.width
-    height = row.height
+    height = row.size
     return width * height
"#,
    ],
};

/// Kinds of nodes that assign a value to a name, in addition to assignments.
const ENTRIES: &[&str] = &[
    "pair", "keyword_argument", "field_initializer", "keyed_element", "value_argument", "argument",
    "match_arm", "when_entry", "array_element_initializer", "switch_expression_arm",
    "match_conditional_expression", "switch_rule",
];

/// Maximum number of entries of a hunk that are compared.
const MOST: usize = 400;

struct Entry<'t> {
    node: Node<'t>,
    key: Node<'t>,
    value: Node<'t>,
}

impl<'t> Entry<'t> {
    fn of(node: Node<'t>) -> Option<Self> {
        if let Some(set) = node.assignment().filter(|set| set.operator == "=") {
            return Some(Self {
                node,
                key: set.target,
                value: set.value,
            });
        }
        if !node.is(ENTRIES) {
            return None;
        }
        let mut parts = node.named_children();
        let key = node
            .any_field(&["key", "name", "pattern", "field"])
            .or_else(|| parts.next())?;
        let value = node
            .any_field(&["value", "body"])
            .or_else(|| node.named_children().last())?;
        (value.index() > key.index() && !value.is_inside(key)).then_some(Self {
            node,
            key,
            value: only(value),
        })
    }

    /// Whether the value has the name of its key.
    fn fits(&self) -> bool {
        plain(self.key) == plain(self.value)
    }
}

/// The innermost node with the same content.
fn only(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.is(&[
        "expression_statement", "control_structure_body", "literal_element",
    ]) {
        let mut inner = node.named_children();
        let (Some(first), None) = (inner.next(), inner.next()) else {
            break;
        };
        node = first;
    }
    node
}

/// The letters and digits of a name or a literal, in lower case.
fn plain(node: Node<'_>) -> String {
    let text = node.string_value().unwrap_or_else(|| {
        if node.is_leaf() {
            node.text()
        } else {
            node.last_name()
        }
    });
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// A name, a member or a literal text.
fn is_simple(node: Node<'_>) -> bool {
    let is_path =
        node.has_role(Role::Member) || node.is(&["scoped_identifier", "qualified_identifier"]);
    let has_call =
        || node.all(Role::Call).next().is_some() || node.all(Role::Index).next().is_some();
    node.has_role(Role::Name) || node.string_value().is_some() || (is_path && !has_call())
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    entries(context, sink);
    accessors(context, sink);
}

fn entries(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let old: Vec<Entry<'_>> = context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is_usable())
        .filter_map(Entry::of)
        .take(MOST)
        .collect();
    if old.is_empty() {
        return;
    }
    let mut before = BTreeMap::<&str, Option<&Entry<'_>>>::new();
    for entry in &old {
        before
            .entry(entry.key.text())
            .and_modify(|known| *known = None)
            .or_insert(Some(entry));
    }
    let new: Vec<Entry<'_>> = context
        .new
        .nodes()
        .filter(|node| node.is_usable())
        .filter_map(Entry::of)
        .take(MOST)
        .collect();
    let mut owners = BTreeMap::<&str, &Entry<'_>>::new();
    for entry in new
        .iter()
        .filter(|entry| is_simple(entry.value) && entry.fits())
    {
        owners.insert(entry.value.text(), entry);
    }
    for entry in new
        .iter()
        .filter(|entry| entry.node.touches_change() && is_simple(entry.value) && !entry.fits())
    {
        let Some(Some(was)) = before.get(entry.key.text()) else {
            continue;
        };
        let Some(owner) = owners.get(entry.value.text()) else {
            continue;
        };
        let is_beside =
            owner.node.kind() == entry.node.kind() && owner.node.parent() == entry.node.parent();
        // In another statement, a key named `x_id` may be the `id` of an `x`.
        let is_key = ["pk", "id"].contains(&plain(entry.key).as_str());
        let is_neighbour = is_beside
            || !is_key && owner.node.statement().parent() == entry.node.statement().parent();
        if was.fits()
            && is_simple(was.value)
            && was.value.kind() == entry.value.kind()
            && is_neighbour
        {
            let summary = format!(
                "`{}` was `{}` and is now `{}`, the value of `{}`.",
                quote(entry.key.text()),
                quote(was.value.text()),
                quote(entry.value.text()),
                quote(owner.key.text()),
            );
            let finding = sink.report(entry.value, summary);
            // In another language, two texts are often the same word.
            if is_translation(context.file.path) {
                finding.priority(Priority::P3);
            }
        }
    }
}

/// Whether a file contains texts in a human language, by the names of its folders.
fn is_translation(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "i18n", "intl", "l10n", "lang", "langs", "language", "languages", "locale", "locales",
        "messages", "translation", "translations",
    ];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_folder = |part: &str| FOLDERS.contains(&&*part.to_ascii_lowercase());
    folders.split('/').any(is_folder) || name.split(['.', '_', '-']).any(is_folder)
}

/// A setter or getter that used the field in its name and now uses another one.
fn accessors(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    let replaced = context.replaced_names();
    for (was, now) in replaced.iter().copied() {
        let Some(function) = now.enclosing(Role::Function).and_then(Node::function) else {
            continue;
        };
        let name = plain(function.name);
        let field = ["set", "get", "is", "with"]
            .iter()
            .find_map(|start| name.strip_prefix(start));
        let is_field = |node: Node<'_>| {
            node.parent()
                .is_some_and(|around| is_own_field(around, node))
        };
        let used = is_set(now) || is_returned(now);
        let still_used = context
            .new
            .with_role(Role::Name)
            .any(|other| other.text() == was.text());
        let times = replaced
            .iter()
            .filter(|(old, new)| old.text() == was.text() && new.text() == now.text())
            .count();
        let is_renamed = times > 1 || (is_set(now) && !still_used);
        if field == Some(plain(was).as_str()) && is_field(now) && used && !is_renamed {
            let function = quote(function.name.text());
            sink.report(
                now,
                format!(
                    "`{function}` used `{}` and now uses `{}`.",
                    quote(was.text()),
                    quote(now.text())
                ),
            );
        }
    }
}

/// `name` in `this.name`.
fn is_own_field(around: Node<'_>, name: Node<'_>) -> bool {
    const OWN: &[&str] = &["this", "self", "$this", "@"];
    around.has_role(Role::Member)
        && around.last_name_node() == name
        && around
            .receiver()
            .is_some_and(|receiver| OWN.contains(&receiver.text()))
}

fn is_set(field: Node<'_>) -> bool {
    let set = field.ancestors().find_map(Node::assignment);
    set.is_some_and(|set| field.is_inside(set.target) && set.value.has_role(Role::Name))
}

fn is_returned(field: Node<'_>) -> bool {
    field
        .ancestors()
        .nth(1)
        .is_some_and(|around| around.has_role(Role::Return))
}
