//! A name that the change uses but does not define, while it defines nearly the same name.

use std::collections::HashSet;

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, LineKind, Priority};
use syntax::semantics::names::words;
use syntax::semantics::symbols::garbled::garbled;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/new-name-misspelt",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Python", "Ruby", "PHP", "Go", "Java", "Kotlin", "C#",
        "Rust",
    ],
    title: "New name used under another spelling",
    why: "The change introduces a name and uses a nearly identical one that occurs nowhere else in the file: in another \
          order of its words, in the plural, or with a typing error. The code does not compile, or fails when it runs.",
    fix: "Use the name as it is defined.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program", "source_file", "compilation_unit"]),
        run,
    },
    positive: &[
        r#"
path: src/A.java (whole file)
 class A extends Task {
     void run(Response response) {
+        final var headers = response.getHeaders();
+        setTag(headers.get("ETag"));
+        setDate(header.get("Date"));
^
     }
 }
"#,
        r#"
path: a.py (whole file)
 class Command(BaseCommand):
     text = "Sent to %s"
+    nag_text = "Sent nag to %s"
 
     def send(self, user):
+        self.stdout.write(self.text_nag % user.email)
^
"#,
        r#"
path: app/messages.rb (whole file)
 class Messages < Base
   def destroy
+    mark_as_deleted(@message)
^
     @message.save!
   end
 
   private
 
+  def mark_deleted(message)
+    message.deleted = true
+  end
 end
"#,
        r#"
path: src/a.rs (whole file)
 fn show(settings: &Settings) -> bool {
-    settings.mode() == Mode::Diff
+    let diff_mode = settings.mode() == Mode::Diff;
+    match settings.kind() {
+        Kind::File if diff_mode => true,
+        _ if is_diff_mode => false,
^
+        _ => diff_mode,
+    }
 }
"#,
        r#"
path: src/a.js (whole file)
 class Runner extends Task {
   run(response) {
+    const headers = response.headers();
+    this.setTag(headers.get("ETag"));
+    this.setDate(header.get("Date"));
^
   }
 }
"#,
        r#"
path: a.php (whole file)
 <?php
 class Runner extends Task
 {
     public function run($response)
     {
+        $headers = $response->headers();
+        $this->setTag($headers->get("ETag"));
+        $this->setDate($header->get("Date"));
^
     }
 }
"#,
        r#"
path: src/A.cs (whole file)
 class Runner : Task
 {
     void Run(Response response)
     {
+        var headers = response.Headers();
+        SetTag(headers.Get("ETag"));
+        SetDate(header.Get("Date"));
^
     }
 }
"#,
        r#"
path: src/a.go (whole file)
 package a

 func save(u *User) error {
+	return sendMial(u)
^
 }

+func sendMail(u *User) error {
+	return nil
+}
"#,
        r#"
path: src/a.kt (whole file)
 class A {
     fun save(user: User) {
+        sendMial(user)
^
     }
 
+    private fun sendMail(user: User) {
+        mails.send(user)
+    }
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java (whole file)
 class A extends Task {
     void run(Response response, Settings settings) {
+        final var headers = response.getHeaders();
+        for (Header header : headers) {
+            log(header);
+        }
+        final var timeout = settings.timeout;
+        use(headers, timeout == 0 ? defaultTimeout : timeout);
     }
 }
"#,
        r#"
path: src/a.go (whole file)
 package a
 
 func save(u *User) error {
+	config := newConfig(u)
+	return saveUserInfo(config)
 }
 
+func saveUser(u *User) error {
+	return nil
+}
"#,
        r#"
path: src/a.kt (whole file)
 class A {
     fun run(items: List<Item>) {
+        val names = items.map { name -> name.text }
+        send(title = names, header = items)
+        val headers = items.size
+        use(headers)
     }
 }
"#,
        r#"
path: a.py (whole file)
 class Command(BaseCommand):
+    nag_text = "Sent nag to %s"
+
     def send(self, user):
         self.stdout.write(self.text_nag % user.email)
"#,
        r#"
path: src/a.js (whole file)
 class Runner extends Task {
   run(response) {
+    const headers = response.headers();
+    this.setTag(headers.get("ETag"));
+    this.setDate(headers.get("Date"));
   }
 }
"#,
        r#"
path: a.rb (whole file)
 class Runner < Task
   def run(response)
+    headers = response.headers
+    set_tag(headers["ETag"])
+    set_date(headers["Date"])
   end
 end
"#,
        r#"
path: a.php (whole file)
 <?php
 class Runner extends Task
 {
     public function run($response)
     {
+        $headers = $response->headers();
+        $this->setTag($headers->get("ETag"));
+        $this->setDate($headers->get("Date"));
     }
 }
"#,
        r#"
path: src/A.cs (whole file)
 class Runner : Task
 {
     void Run(Response response)
     {
+        var headers = response.Headers();
+        SetTag(headers.Get("ETag"));
+        SetDate(headers.Get("Date"));
     }
 }
"#,
        r#"
path: a.rs (whole file)
 fn run(response: &Response) {
+    let headers = response.headers();
+    set_tag(headers.get("ETag"));
+    set_date(headers.get("Date"));
 }
"#,
    ],
};

fn run(root: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let removed: HashSet<&str> = context
        .lines()
        .iter()
        .filter(|line| line.kind == LineKind::Removed)
        .flat_map(|line| words(line.text))
        .collect();
    for found in garbled(root.tree(), &removed) {
        let (name, meant) = (found.name.text(), found.meant);
        let summary = format!(
            "`{name}` is defined nowhere in this file; `{meant}`, which this change adds, is probably meant."
        );
        sink.report(found.name, summary);
    }
}
