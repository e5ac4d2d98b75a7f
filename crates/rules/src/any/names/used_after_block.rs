//! A use of a local variable after the end of the block that declares it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::Symbols;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/used-after-block",
    languages: &["Ruby", "Java", "C#"],
    title: "Variable used outside its block",
    why: "The variable exists only in the block that declares it, which ends before this line. Java and C# do not compile \
          the code; Ruby calls a method of that name, which fails when the line runs.",
    fix: "Declare the variable before the block.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["program", "compilation_unit"]),
        run,
    },
    positive: &[
        r#"
path: app/cart.rb (whole file)
 class Cart
   def clear
     count = 0
     lines.each do |line|
+      last_title = line.title
       count += 1
     end
-    "Removed #{count}"
+    count == 1 ? "Removed #{last_title}" : "Removed #{count}"
^
   end
 end
"#,
        r#"
path: src/A.java (whole file)
 class A {
     String load(Path path) {
         try {
+            String text = Files.readString(path);
             check(path);
         } catch (IOException error) {
             log(error);
         }
+        return text;
^
     }
 }
"#,
        r#"
path: src/A.cs (whole file)
 class A
 {
     string Load(string path)
     {
         try
         {
+            string text = File.ReadAllText(path);
             Check(path);
         }
         catch (IOException error)
         {
             Log(error);
         }
+        return text;
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: app/cart.rb (whole file)
 class Cart
   attr_reader :title
   def clear
     last_title = nil
     lines.each do |line|
+      last_title = line.title
+      name = line.name
     end
+    lines.each { |line| title = line.title }
+    other { |name| puts name }
+    [last_title, title, name('a')]
   end
 end
"#,
        r#"
path: src/A.java (whole file)
 class A {
     private String text;
     String load(Path path) {
         {
+            String text = Files.readString(path);
             check(path, text);
         }
+        return text;
     }
 }
"#,
        r#"
path: src/A.cs (whole file)
 class A
 {
     string Load(string path)
     {
+        string text = null;
         try
         {
+            text = File.ReadAllText(path);
             Check(path);
         }
         catch (IOException error)
         {
             Log(error);
         }
+        return text;
     }
 }
"#,
    ],
};

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = root.tree();
    let Some(symbols) = Symbols::of(tree) else {
        return;
    };
    for ended in symbols.uses_after_block(tree) {
        let line = ended.declared.line().unwrap_or_default();
        let name = ended.used.text();
        let summary =
            format!("`{name}` is declared only in the block of line {line}, which has ended here.");
        sink.report(ended.used, summary);
    }
}
