//! A name that was changed into a similar one that appears nowhere else, and a variable that is set under a name
//! similar to one that is read.

use lint::{ChangeContext, Check, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::symbols::{Symbols, misspelt_constants};
use syntax::semantics::vocabulary::{is_near, is_transposed};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/name-misspelt",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Python", "Ruby", "PHP", "Shell", "Go", "Java",
        "Kotlin", "C#", "Rust", "C", "C++",
    ],
    title: "Probable typo in a changed name",
    why: "Only this use of the name changed, into one that differs by a letter or two and appears nowhere else, while \
          the old name is still used around it. That is usually a typo; the code does not \
          compile, or fails with an undefined name when it runs.",
    fix: "Check the spelling, or rename all uses.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.js
 function check(options) {
-  if (!options || typeof options === 'string') {
+  if (!options || typeof option === 'string') {
^
     return options;
   }
 }
"#,
        r#"
path: src/a.py
 def total(prices):
     result = sum(prices)
-    log(prices)
+    log(pricess)
^
     return result
"#,
        r#"
path: src/a.go
 func remove(c *Context) {
 	slug := c.Param("slug")
-	err := drop(&Article{Slug: slug})
+	err := drop(&Article{Slug: slgu})
^
 	c.fail(err)
 }
"#,
        r#"
path: Files.php (whole file)
 class Files
 {
     public function read($path)
     {
         $contents = '';
         if ($handle = fopen($path, 'rb')) {
-            $contents = stream_get_contents($handle);
+            $contens = stream_get_contents($handle);
^
             fclose($handle);
         }
+        $this->note($hnadle);
^
         return $contents;
     }
 }
"#,
        r#"
path: base.rb (whole file)
 class Base
   def send_file(path, opts = {})
     disposition = opts[:disposition]
     disposition = :attachment if disposition.nil?
-    attachment(path, disposition)
+    attachment(path, dispositon)
^
     disposition
   end
 end
"#,
        r#"
path: inbox.rb (whole file)
 class Inbox < Page
+  NOTES_PER_PAGE = 25
+
   def all
-    @notes = notes.limit(25)
+    @notes = notes.limit(NOTE_PER_PAGE)
^
   end
 end
"#,
        r#"
path: src/a.sh
 prefix=/usr/local
 install() {
-  cp hunk "$prefix/bin"
+  cp hunk "$prefx/bin"
^
 }
"#,
        r#"
path: src/A.java
 class A {
     boolean check(Options options) {
-        if (options == null || options.isEmpty()) {
+        if (options == null || optoins.isEmpty()) {
^
             return false;
         }
         return true;
     }
 }
"#,
        r#"
path: src/a.kt
 fun check(options: Options): Boolean {
-    if (options.isEmpty()) {
+    if (optoins.isEmpty()) {
^
         return false
     }
     return options.isValid()
 }
"#,
        r#"
path: src/A.cs
 class A
 {
     bool Check(Options options)
     {
-        if (options == null || options.IsEmpty())
+        if (options == null || optoins.IsEmpty())
^
         {
             return false;
         }
         return true;
     }
 }
"#,
        r#"
path: src/a.rs
 fn check(options: &Options) -> bool {
-    if options.is_empty() {
+    if optoins.is_empty() {
^
         return false;
     }
     options.is_valid()
 }
"#,
        r#"
path: src/a.c
 int check(struct options *options) {
-    if (!options->count) {
+    if (!optoins->count) {
^
         return 0;
     }
     return valid(options);
 }
"#,
    ],
    negative: &[
        r#"
path: inbox.rb (whole file)
 class Inbox < Page
   NOTES_PER_PAGE = 25
   MAX_SIZE_1 = 1
   class Other
     ITEMS_PER_PAGE = 5
   end
   def all
+    @notes = notes.limit(NOTES_PER_PAGE).limit(Page::NOTE_PER_PAGE)
+    @more = notes.limit(ITEM_PER_PAGE).size(MAX_SIZE_2)
+    @most = notes.limit(NOTICES_PER_PAGE) + MIN_SIZE_1 if defined?(NOTE_PER_PAGE)
   end
 end
"#,
        r#"
path: base.rb (whole file)
 class Base
   attr_reader :adress
   def send_file(address, message, opts = {})
+    mesage = 1
+    send(adress, opts)
+    send(mesage, messages)
     each { |x| message << x } if address
   end
 end
"#,
        r#"
path: Files.php (whole file)
 class Files
 {
     public function read($string, $line1)
     {
+        $strings = explode($string, $this->text);
+        $line2 = next($this->lines);
+        $this->check($string, $errors);
+        $strnig = 1;
         return $line1 . $string . $this->use($strnig);
     }
     public function write($content)
     {
+        $contnet = 1;
+        extract($this->all);
         return $content;
     }
 }
"#,
        r#"
path: src/a.go
 func remove(c *Context) {
 	slug := c.Param("slug")
-	err := drop(&Article{Slug: slug})
+	err := drop(&Article{Slug: slugs})
 	c.fail(err)
 }
"#,
        r#"
path: src/a.php
 <?php
-if (0 === strpos($url, 'http')) {
+if (0 === stripos($url, 'http')) {
     return strpos($url, '{') === 0;
 }
"#,
        r#"
path: src/a.js
 function check(options) {
-  if (!options || typeof options === 'string') {
+  if (!options || typeof settings === 'string') {
     return options;
   }
 }
"#,
        r#"
path: src/a.js
 function check(item, items) {
-  use(item);
+  use(items);
   return [item, items];
 }
"#,
        r#"
path: src/a.py
 def total(prices):
     result = sum(prices)
-    log(prices)
+    log(prices, result)
     return result
"#,
        r#"
path: src/a.sh
 prefix=/usr/local
 install() {
-  cp hunk "$prefix/bin"
+  cp hunk "$prefix/sbin"
 }
"#,
        r#"
path: src/A.java
 class A {
     boolean check(Options options) {
-        if (options == null || options.isEmpty()) {
+        if (options == null || options.isBlank()) {
             return false;
         }
         return true;
     }
 }
"#,
        r#"
path: src/a.kt
 fun check(options: Options): Boolean {
-    if (options.isEmpty()) {
+    if (options.isBlank()) {
         return false
     }
     return options.isValid()
 }
"#,
        r#"
path: src/A.cs
 class A
 {
     bool Check(Options options)
     {
-        if (options == null || options.IsEmpty())
+        if (options == null || options.IsBlank())
         {
             return false;
         }
         return true;
     }
 }
"#,
        r#"
path: src/a.rs
 fn check(options: &Options) -> bool {
-    if options.is_empty() {
+    if options.is_blank() {
         return false;
     }
     options.is_valid()
 }
"#,
        r#"
path: src/a.c
 int check(struct options *options) {
-    if (!options->count) {
+    if (!options->size) {
         return 0;
     }
     return valid(options);
 }
"#,
    ],
};

/// The languages in which a wrong name causes an error only at run time.
const SCRIPTS: &[&str] = &[
    "JavaScript", "TypeScript", "TSX", "Python", "Ruby", "PHP", "Shell",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let symbols = Symbols::of(context.new);
    let misspelt = symbols.map(|symbols| {
        let mut found = symbols.misspelt_variables(context.new);
        found.extend(symbols.misspelt_calls(context.new));
        found
    });
    let mut misspelt = misspelt.unwrap_or_default();
    misspelt.extend(misspelt_constants(context.new));
    for found in &misspelt {
        let (name, meant) = (found.name.text(), found.meant);
        let summary = format!("`{name}` is mentioned only here; `{meant}` is probably meant.");
        sink.report(found.name, summary).priority(Priority::P1);
    }
    let is_reported = |name: Node<'_>| misspelt.iter().any(|found| name.is_inside(found.name));
    let count = |name: &str| {
        context
            .new
            .nodes()
            .filter(|node| node.is_leaf() && node.text() == name)
            .count()
    };
    // Compiled code of which only a part is shown may use a field or function with a name that differs by one letter.
    let is_compiled = !SCRIPTS.contains(&context.file.language);
    for (old, new) in context.replaced_names() {
        let (was, now) = (old.text(), new.text());
        let known_before = context
            .old
            .nodes()
            .any(|node| node.is_leaf() && node.text() == now);
        let is_value = !new.parent().is_some_and(|parent| {
            parent.has_role(Role::Member) && parent.named_children().last() == Some(new)
        });
        let both_exist = context.file.language == "PHP"
            && is_called(new)
            && is_of_strings(was)
            && is_of_strings(now);
        let is_slip = if is_compiled {
            is_transposed(was, now)
        } else {
            is_near(was, now)
        };
        if is_value
            && !is_reported(new)
            && !both_exist
            && is_slip
            && !known_before
            && count(now) == 1
            && count(was) >= 1
        {
            sink.report(
                new,
                format!("`{was}` became `{now}` only here; `{now}` appears nowhere else, and `{was}` is still used."),
            );
        }
    }
}

/// Whether it is the name of the called function.
fn is_called(name: Node<'_>) -> bool {
    name.ancestors()
        .take(2)
        .filter_map(Node::call)
        .any(|call| call.name == name.text())
}

/// PHP functions for strings and arrays, with names that differ in a letter or two.
fn is_of_strings(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "str", "mb_", "array_", "preg_", "ctype_", "is_", "iconv_", "json_", "url",
    ];
    const OTHERS: &[&str] = &[
        "sort", "rsort", "usort", "uasort", "uksort", "ksort", "krsort", "asort", "arsort",
        "natsort", "trim", "ltrim", "rtrim", "ucfirst", "lcfirst", "sprintf", "printf", "vsprintf",
        "vprintf", "fprintf", "min", "max", "htmlentities", "ceil", "floor", "round", "intval",
        "floatval", "boolval", "strval", "md5", "sha1", "substr", "explode", "implode",
    ];
    STARTS.iter().any(|start| name.starts_with(start)) || OTHERS.contains(&name)
}
