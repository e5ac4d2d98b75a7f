//! An added call of an own asynchronous method whose task is dropped.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::only_function;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/task-not-awaited",
    languages: &["C#"],
    title: "Task not awaited",
    why: "The method returns a task that is not awaited. The code continues before the work is done, and an exception in it is lost.",
    fix: "Await the call. If it should run in the background, write `_ =` before it and handle its exceptions.",
    references: &["CWE-390"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
 public class Cache
 {
     public async Task RefreshAsync(string key)
     {
         var items = await _items.ListAsync();
+        StoreAsync(key, items);
^
     }
 
     private async Task StoreAsync(string key, List<Item> items)
     {
         await _storage.SetAsync(key, items);
     }
 }
"#,
        r#"
 public class Cache
 {
     public async Task<int> CountAsync()
     {
-        await this.LoadAsync();
+        this.LoadAsync();
^
         return _items.Count;
     }
 
     private Task LoadAsync() => _storage.LoadAsync();
 }
"#,
    ],
    negative: &[
        r#"
 public class Cache
 {
     public async Task RefreshAsync(string key)
     {
+        await StoreAsync(key);
+        _ = StoreAsync(key);
+        Log(key);
+        other.StoreAsync(key);
     }
 
     private async Task StoreAsync(string key) => await _storage.SetAsync(key);
 
     private void Log(string key) {}
 }
"#,
        r#"
 public class Cache
 {
     public void Refresh(string key)
     {
+        StoreAsync(key);
     }
 
     private async Task StoreAsync(string key) => await _storage.SetAsync(key);
 
     public async Task StartAsync(string key)
     {
+        Watch(key);
+        Run(() => { StoreAsync(key); });
         await Done();
     }
 
     private void Watch(string key) {}
 
     private async Task Watch(int key) {}
 }
"#,
    ],
};

fn run(statement: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let expression = statement.named_children().next();
    let Some(call) = expression.and_then(Node::call) else {
        return;
    };
    let is_own = call
        .receiver
        .is_none_or(|receiver| matches!(receiver.text(), "this" | "base"));
    // A cut hunk may show neither the head of the function nor the class.
    let function = statement.enclosing_function();
    let Some(around) = function.filter(|own| is_own && own.is_usable()) else {
        return;
    };
    let Some(class) = statement.enclosing(Role::Class) else {
        return;
    };
    let is_task = |function: Node<'_>| {
        let returned = function.any_field(&["returns", "type"]);
        returned.is_some_and(|own| {
            let text = own.text();
            ["Task", "ValueTask"]
                .iter()
                .any(|task| text == *task || text.starts_with(&format!("{task}<")))
        })
    };
    let called = only_function(statement, call.name).filter(|own| {
        own.is_usable() && is_task(*own) && own.enclosing(Role::Class) == Some(class)
    });
    if called.is_some() && is_async(around) {
        let name = quote(call.name);
        sink.report(
            statement,
            format!("`{name}` returns a task, and nothing awaits it."),
        );
    }
}

fn is_async(function: Node<'_>) -> bool {
    let body = function.field("body").map_or(usize::MAX, Node::index);
    let mut head = function.leaves().take_while(|leaf| leaf.index() < body);
    head.any(|leaf| leaf.text() == "async")
}
