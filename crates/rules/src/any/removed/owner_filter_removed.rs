//! A query that was limited to data of the caller and no longer is.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::authorization::selects;
use syntax::semantics::vocabulary::{has_word, words_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/owner-filter-removed",
    languages: &[],
    title: "Query no longer limited to the caller's data",
    why: "The query found only what belongs to the user, account or tenant that asks. That condition is gone, so with the \
          right ID anyone can read or change what belongs to others.",
    fix: "Keep the condition, or check the owner after the query.",
    references: &[
        "CWE-639",
        "https://owasp.org/Top10/A01_2021-Broken_Access_Control/",
    ],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.rs
 async fn list(req: Parts) -> Result<Vec<Token>> {
-    let tokens = Token::belonging_to(user)
+    let tokens = tokens::table
^
         .filter(revoked.eq(false))
         .load(&conn);
     Ok(tokens)
 }
"#,
        r#"
path: app/controllers/posts_controller.rb
 def show
-  @post = current_user.posts.find(params[:id])
+  @post = Post.find(params[:id])
^
   render @post
 end
"#,
        r#"
path: src/a.py
 def show(request, pk):
-    post = get_object_or_404(Post, pk=pk, author=request.user)
+    post = get_object_or_404(Post, pk=pk)
^
     return render(post)
"#,
        r#"
path: src/a.ts
 export async function remove(req: Request) {
-  await prisma.note.deleteMany({ where: { id: req.params.id, userId: req.user.id } });
+  await prisma.note.deleteMany({ where: { id: req.params.id } });
^
 }
"#,
        r#"
path: src/a.php
 <?php
 public function show(Request $request, $id)
 {
-    $post = $request->user()->posts()->findOrFail($id);
+    $post = Post::findOrFail($id);
^
     return $post;
 }
"#,
        r#"
path: src/A.java
 class A {
     Order show(Long id, Principal principal) {
-        return orders.findByIdAndOwner(id, principal.getName());
+        return orders.findById(id);
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.rs
 async fn list(req: Parts) -> Result<Vec<Token>> {
-    let tokens = Token::belonging_to(user)
+    let tokens = tokens::table
+        .filter(user_id.eq(user.id))
         .filter(revoked.eq(false))
         .load(&conn);
     Ok(tokens)
 }
"#,
        r#"
path: src/a.py
 def show(request, pk):
-    post = get_object_or_404(Post, pk=pk, author=request.user)
+    post = get_object_or_404(Post, pk=pk)
+    if post.author != request.user:
+        raise PermissionDenied
     return render(post)
"#,
        r#"
path: src/a.py
 def show(request, pk):
-    log.info("show %s", request.user)
+    log.info("show")
     return render(pk)
"#,
        r#"
path: src/a.ts
 export async function profile(req: Request) {
-  return prisma.user.findUnique({ where: { id: req.user.id }, include: { posts: true } });
+  return prisma.user.findUnique({ where: { id: req.user.id } });
 }
"#,
    ],
};

/// Words of calls that find or change stored data.
const QUERIES: &[&str] = &[
    "find", "get", "filter", "where", "first", "query", "select", "belonging", "load", "all",
    "delete", "update", "exists", "count", "one", "fetch", "lookup", "destroy", "by", "eq", "list",
    "search", "many", "scope", "for",
];
/// Words for the caller.
const CALLERS: &[&str] = &[
    "user", "owner", "author", "tenant", "account", "org", "organization", "organisation",
    "principal", "member", "customer", "team", "creator", "uid",
];
/// Words that show that it is the current caller.
const CURRENT: &[&str] = &[
    "current", "request", "req", "ctx", "context", "session", "auth", "headers", "principal", "g",
    "me", "identity", "claims", "user", "self",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    if context
        .added_tokens()
        .any(|leaf| leaf.has_role(Role::Name) && (is_caller(leaf) || selects(leaf.text())))
    {
        return;
    }
    let mut reported = Vec::new();
    for old in context
        .old
        .changed_nodes()
        .filter(|node| node.has_role(Role::Name) && node.is_leaf() && node.is_usable())
    {
        if !is_caller(old) || context.new_of(old).is_some() || context.is_in_removed_function(old) {
            continue;
        }
        let Some(lost) = condition_of(context, old) else {
            continue;
        };
        let Some(call) = query_around(context, old) else {
            continue;
        };
        let Some(now) = context
            .cover(call)
            .map(Node::statement)
            .filter(|now| now.is_usable() && now.touches_change())
        else {
            continue;
        };
        if reported.contains(&now.index()) || context.reappears(lost) {
            continue;
        }
        reported.push(now.index());
        sink.report(
            now,
            format!(
                "`{}` no longer limits the query: it now reaches what belongs to others.",
                quote(lost.text())
            ),
        );
    }
}

fn is_caller(leaf: Node<'_>) -> bool {
    // `Role.Owner` is a value of an enumeration.
    let is_value = leaf.parent().and_then(Node::receiver).is_some_and(|owner| {
        owner != leaf
            && owner.last_name().starts_with(char::is_uppercase)
            && leaf.text().starts_with(char::is_uppercase)
    });
    has_word(leaf.text(), CALLERS) && !is_value
}

/// The part of the query that names the caller: `author=request.user`, `userId: req.user.id`, `belonging_to(user)`,
/// `current_user.posts`.
fn condition_of<'t>(context: &ChangeContext<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let around: Vec<Node<'t>> = name
        .ancestors()
        .take_while(|node| !node.is_statement())
        .take(8)
        .collect();
    let pair = around
        .iter()
        .copied()
        .find(|node| node.is(&["keyword_argument", "pair", "array_element_initializer"]));
    if let Some(pair) = pair {
        let value = pair.named_children().last()?;
        return is_current_caller(value)
            .then_some(pair)
            .filter(|pair| context.similarity_to_new(*pair) < 50);
    }
    // An argument of a step of the chain, or its start.
    let is_step = |node: &Node<'t>| {
        node.call().is_some_and(|call| {
            let named = has_word(call.name, QUERIES) || has_word(call.name, CALLERS);
            named && context.similarity_to_new(*node) < 100
        })
    };
    let argument_of = |step: Node<'t>| {
        step.call()?
            .arguments
            .into_iter()
            .find(|argument| name.is_inside(*argument))
    };
    let steps = || around.iter().copied().filter(is_step);
    if let Some(argument) = steps().find_map(argument_of) {
        return is_current_caller(argument).then_some(argument);
    }
    let step = steps().next()?;
    let chain = around
        .iter()
        .copied()
        .take_while(|node| *node != step)
        .last()
        .unwrap_or(name);
    let is_caller = starts_with_caller(chain);
    is_caller.then_some(chain)
}

/// Whether a chain of calls starts with the caller: `current_user.posts`, `request.user.posts`, `$request->user()->posts()`.
fn starts_with_caller(chain: Node<'_>) -> bool {
    const REQUESTS: &[&str] = &[
        "request", "req", "ctx", "context", "session", "auth", "self", "this",
    ];
    let mut names = chain
        .names()
        .map(|name| name.text().trim_start_matches('$').to_ascii_lowercase());
    let Some(first) = names.next() else {
        return false;
    };
    let is_subject = |name: &str| {
        let words = words_of(name);
        let is_one = |word: &String| {
            CALLERS.contains(&word.as_str()) || matches!(word.as_str(), "current" | "me")
        };
        name != "principal" && words.iter().all(is_one)
    };
    is_subject(&first)
        || REQUESTS.contains(&first.as_str())
            && names.next().is_some_and(|second| is_subject(&second))
}

/// Whether a value is the current caller: `request.user`, `current_user`, `user.id`, `principal.getName()`.
fn is_current_caller(value: Node<'_>) -> bool {
    let words: Vec<String> = value
        .names()
        .flat_map(|name| words_of(name.text()))
        .collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    value.text().len() < 120 && has(CALLERS) && has(CURRENT)
}

/// The outermost call that finds or changes stored data, and of which a part remains.
fn query_around<'t>(context: &ChangeContext<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let around: Vec<Node<'t>> = name
        .ancestors()
        .take_while(|node| !node.is_statement())
        .collect();
    around.into_iter().rev().find(|node| {
        node.call().is_some_and(|call| {
            let is_query = has_word(call.callee, QUERIES);
            let stays = context.similarity_to_new(*node);
            is_query && (25..100).contains(&stays)
        })
    })
}
