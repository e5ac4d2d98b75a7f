//! A use of a variable that is set on some of the paths before it only.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::Symbols;
use syntax::semantics::symbols::partly::Path;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/set-on-some-paths",
    languages: &["Python", "PHP"],
    title: "Variable not set on every path",
    why: "Only one branch of the code above sets the variable. On the other path it has no value: Python raises \
          `UnboundLocalError`, and PHP warns and continues with null.",
    fix: "Set the variable before the branch, or use it only inside.",
    references: &["CWE-457"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["module", "program"]),
        run,
    },
    positive: &[
        r#"
path: a.py (whole file)
 def sign_up(form):
     try:
         user = find(form)
     except NotFound:
         zone = form["zone"]
         user = make(form, zone)
     profile = user.profile
+    if zone and profile.zone is None:
^
+        profile.zone = zone
     return profile
"#,
        r#"
path: a.py (whole file)
 def load(path):
     try:
+        text = path.read_text()
         check(path)
     except OSError as error:
         log(error)
+    return text.strip()
^
"#,
        r#"
path: a.php (whole file)
 <?php
 function total($lines, $rate)
 {
     if ($rate > 0) {
+        $tax = $rate * count($lines);
         log($rate);
     }
+    return count($lines) + $tax;
^
 }
"#,
    ],
    negative: &[
        r#"
path: a.php (whole file)
 <?php
 class Box
 {
     public function open($text, $list)
     {
+        if (!$this->inner instanceof Inner) {
+            $inner = ($this->inner)($this);
+            $this->inner = $inner;
+        }
+        if ($name = trim($text)) {
+            $name = 'a';
+        }
+        if ($list) {
+            $size = 1;
+            $rest = 2;
+            $last = 3;
+        }
+        if (isset($size)) {
+            log($size);
+        }
+        end($last);
+        return [$this->inner, $name, $rest ?? 0];
     }
 }
"#,
        r#"
path: a.py (whole file)
 def load(path, key, parser):
     try:
+        text = path.read_text()
     except OSError:
+        parser.error("cannot read")
+    if "{" in (name := text.strip()):
+        name = name.format(key)
+    return name
"#,
        r#"
path: a.py (whole file)
 def sign_up(form, is_new):
     zone = None
     try:
         user = find(form)
     except NotFound:
+        zone = form["zone"]
+        made = True
     else:
+        made = False
     if is_new:
+        name = form["name"]
+    if is_new and zone:
+        log(name)
     if not made:
         return None
     return user
"#,
        r#"
path: a.py (whole file)
 def load(path, cached):
     try:
+        text = path.read_text()
     except OSError as error:
         log(error)
         raise
+    for line in text.split():
+        if line:
+            first = line
+    if cached:
+        return None
+    else:
+        data = text
     return data, first
"#,
        r#"
path: a.py (whole file)
 def load(path):
     error = None
     if not path.exists():
+        return None
     found = False
     if path.is_file():
+        found = True
+        size = path.size()
+    if found:
+        log(size)
     return size if found else 0
"#,
    ],
};

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = root.tree();
    let Some(symbols) = Symbols::of(tree).filter(|_| tree.is_readable_file()) else {
        return;
    };
    for partly in symbols.partly_set(tree) {
        let place = [partly.used, partly.set]
            .into_iter()
            .find(|place| place.touches_change());
        let Some(place) = place else { continue };
        let name = partly.used.text();
        let line = |node: Node<'_>| node.line().unwrap_or_default();
        let path = match partly.path {
            Path::NotEntered => "if the condition is false",
            Path::NoError => "if no error occurs",
            Path::Error => "if an error occurs",
        };
        let summary = if place == partly.used {
            let set = line(partly.set);
            format!("`{name}` has no value here {path}: only line {set} sets it.")
        } else {
            let used = line(partly.used);
            format!("line {used} uses `{name}`, which has no value {path}.")
        };
        sink.report(place, summary);
    }
}
