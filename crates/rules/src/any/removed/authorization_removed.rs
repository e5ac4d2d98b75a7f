//! An authorization check that was removed or weakened, while the code that it protected remains.

use std::collections::HashSet;

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Line, LineKind, Priority};
use syntax::language::Role;
use syntax::semantics::authorization::{
    is_about_caller, is_about_rights, is_marker, is_mention, is_named_after_right, opens, rank,
    selects,
};
use syntax::semantics::names;
use syntax::semantics::vocabulary::words_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/authorization-removed",
    languages: &[],
    title: "Authorization check removed or weakened",
    why: "The code demanded that the caller is signed in, has a role or owns the object. That demand was removed or \
          weakened, and the protected code is still reachable, so callers who were refused can now use it.",
    fix: "Keep the check. If another layer performs it now, say where in the commit, or move it in the same change.",
    references: &[
        "CWE-862",
        "https://owasp.org/Top10/A01_2021-Broken_Access_Control/",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/blog.py
 @bp.route("/<int:id>/delete", methods=("POST",))
-@login_required
^
 def delete(id):
     db.delete(id)
"#,
        r#"
path: src/users.py
 class ResetPassword(Resource):
-    @require_admin
^
     def post(self, user_id):
         reset(user_id)
"#,
        r#"
path: src/routes.ts
-router.put('/user', auth.required, async (req, res) => {
^
+router.put('/user', async (req, res) => {
   res.json(await update(req.body));
 });
"#,
        r#"
path: src/web.go
 func routes(m *Mux) {
-	m.Post("/delete/*", reqSignIn, reqWriter, repo.DeletePost)
^
+	m.Post("/delete/*", repo.DeletePost)
 }
"#,
        r#"
path: src/a.py
 @router.delete(
     "/{id}",
-    dependencies=[Depends(check_modification_permissions)],
^
     status_code=204,
 )
 async def delete_comment(id: int):
     await comments.delete(id)
"#,
        r#"
path: src/A.java
     @DeleteMapping("/users/{id}")
-    @PreAuthorize("hasRole('ADMIN')")
^
     public void delete(@PathVariable Long id) {
         users.deleteById(id);
     }
"#,
        r#"
path: src/A.cs
-    [Authorize]
^
     public IActionResult Delete(int id)
     {
         return Ok(store.Delete(id));
     }
"#,
        r#"
path: src/A.cs
-    [Authorize(Roles = "Admin")]
^
+    [AllowAnonymous]
     public IActionResult Delete(int id)
     {
         return Ok(store.Delete(id));
     }
"#,
        r#"
path: app/controllers/posts_controller.rb
 class PostsController < ApplicationController
-  before_action :authenticate_user!
^
   def destroy
     Post.find(params[:id]).destroy
   end
"#,
        r#"
path: src/views.py
 class OrderView(APIView):
-    permission_classes = [IsAuthenticated]
^
+    permission_classes = [AllowAny]
     def delete(self, request, pk):
         Order.objects.get(pk=pk).delete()
"#,
        r#"
path: src/a.ts
 export const update = async (article: Article, id: number) => {
   const existing = await find(article.slug);
-  if (existing.author.id !== id) {
^
-    throw new HttpException(403, { message: 'not yours' });
-  }
   return save(existing, article);
 };
"#,
        r#"
path: src/a.rs
 async fn delete(
     id: Id,
-    headers: OwnerHeaders,
+    headers: MemberHeaders,
^
     db: Db,
 ) -> Result<()> {
     db.delete(id).await
 }
"#,
        r#"
path: src/web.php
 <?php
-Route::delete('/users/{id}', [UserController::class, 'destroy'])->middleware('auth');
^
+Route::delete('/users/{id}', [UserController::class, 'destroy']);
"#,
        r#"
path: src/main.kt
 fun Application.main() {
     routing {
-        authenticate("jwt") {
^
-            get("/orders") { call.respond(orders.all()) }
-        }
+        get("/orders") { call.respond(orders.all()) }
     }
 }
"#,
        r#"
path: src/a.py
 @router.delete(
     "/{id}",
-    dependencies=[Depends(check_modification_permissions)],
^
     status_code=204,
 )
 async def delete_comment(
     id: int,
+    _user: User = Depends(get_current_user),
 ):
     await comments.delete(id)
"#,
        r#"
path: src/DestroyNote.php
 <?php
 class DestroyNote
 {
     public function permissions(): array
     {
         return [
-            'author_must_be_vault_editor',
+            'author_must_be_in_vault',
^
         ];
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/invite.ts
 export async function invite(team: Team, emails: string[]) {
-  for (const email of emails) {
-    if (!(await team.isAllowed(email))) throw new ForbiddenError();
-  }
+  const answers = await Promise.all(emails.map((email) => team.isAllowed(email)));
+  if (!answers.every(Boolean)) throw new ForbiddenError();
   await send(emails);
 }
"#,
        r#"
path: src/form.ts
 export async function save(values: Values) {
-  const { username, password, role } = values;
-  await post('/users', { username, password, role });
+  await post('/users', values);
 }
"#,
        r#"
path: src/users.py
 class ResetPassword(Resource):
-    @require_admin
+    decorators = [require_admin] + Resource.decorators
     def post(self, user_id):
         reset(user_id)
"#,
        r#"
path: src/web.go
 func routes(m *Mux) {
-	m.Post("/delete/*", reqSignIn, reqWriter, repo.DeletePost)
+	m.Group("", func() {
+		m.Post("/delete/*", repo.DeletePost)
+	}, reqSignIn, reqWriter)
 }
"#,
        r#"
path: src/blog.py
-@bp.route("/<int:id>/delete", methods=("POST",))
-@login_required
-def delete(id):
-    db.delete(id)
+# Posts are kept.
"#,
        r#"
path: src/blog.py
 @bp.route("/new")
-@login_required
+@permission_required("post.add")
 def new():
     return form()
"#,
        r#"
path: app/controllers/keys_controller.rb
 class KeysController < ApplicationController
   def show
-    authenticate_or_request_with_http_basic do |name, password|
-      user = User.find_for(name, password)
-      key = user.keys.build(name: generate)
-      save_and_respond(key)
-    end
+    render plain: "This endpoint has been retired.", status: :gone
   end
 end
"#,
        r#"
path: src/router.py
 @router.get(
     "/",
     auth=[BearerTokenAuth()],
-    openapi_extra={"security": [{}]},
 )
 def list_documents(request):
     return documents(request)
"#,
        r#"
path: src/A.java
-    @PermitAll
     @GET
     public Response authorize(String client) {
         return answer(client);
     }
"#,
        r#"
path: src/a.py
 def show(user):
-    render(user, is_admin)
+    render(user)
     return user
"#,
        r#"
path: src/A.java
-    @Override
     public void delete(Long id) {
         users.deleteById(id);
     }
"#,
        r#"
path: src/a.ts
 export const update = async (article: Article, id: number) => {
   const existing = await find(article.slug);
-  if (!existing) {
-    throw new HttpException(404, {});
-  }
   return save(existing, article);
 };
"#,
        r#"
path: src/routes.ts
-router.put('/user', auth.required, async (req, res) => {
+router.put('/user', requireUser, async (req, res) => {
   res.json(await update(req.body));
 });
"#,
        r#"
path: src/a.py
 def link(user, ids):
-    if not all(has_permission(user, "change", one) for one in find(ids)):
+    if find(ids).exclude(id__in=permitted_ids(user, "change")).exists():
         raise PermissionDenied("no")
     save(ids)
"#,
        r#"
path: src/a.go
 func change(mode Mode) error {
-	if mode <= ModeNone || mode > ModeOwner {
+	if mode <= ModeNone || mode > ModeAdmin {
 		return nil
 	}
 	return save(mode)
 }
"#,
        r#"
path: src/a.rs
 async fn delete(
     id: Id,
-    headers: MemberHeaders,
+    headers: OwnerHeaders,
     db: Db,
 ) -> Result<()> {
     db.delete(id).await
 }
"#,
    ],
};

/// A removed authorization check.
struct Demand<'t> {
    /// The name that identifies it.
    name: Node<'t>,
    /// The removed code: a decorator, an argument, a statement, a call.
    unit: Node<'t>,
    /// The name of the operation that it protected, if that is visible.
    protected: Option<&'t str>,
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    let inserted: Vec<&str> = context
        .new
        .root()
        .into_iter()
        .flat_map(|root| context.inserted(root))
        .map(Node::text)
        .collect();
    let opened = inserted.iter().copied().find(|name| opens(name));
    let is_replaced = inserted
        .iter()
        .any(|name| (is_mention(name) || selects(name)) && !opens(name));
    // The added check only tests the caller's identity.
    let weaker = inserted
        .iter()
        .copied()
        .find(|name| is_mention(name) && !opens(name));
    let weaker = weaker.filter(|_| {
        inserted
            .iter()
            .all(|name| !is_mention(name) || !is_about_rights(name))
    });
    let mut seen = HashSet::new();
    for demand in demands(context) {
        if !seen.insert(demand.unit.index()) {
            continue;
        }
        let what = quote(demand.unit.text());
        let target = demand
            .protected
            .map(|name| format!(" `{name}`"))
            .unwrap_or_else(|| " the code that it protected".to_owned());
        match opened {
            Some(open) => {
                sink.report(
                    demand.unit,
                    format!(
                        "`{}` was replaced with `{open}`: everyone may now call{target}.",
                        quote(demand.name.text())
                    ),
                );
            }
            None if !is_replaced => {
                let summary = format!(
                    "The authorization check `{what}` was removed: callers who were refused can now reach{target}."
                );
                sink.report(demand.unit, summary)
                    .priority(priority(context));
            }
            None => {
                if let Some(weaker) = weaker.filter(|_| is_about_rights(demand.name.text())) {
                    sink.report(
                        demand.unit,
                        format!(
                            "`{}` was replaced with `{weaker}`, which only asks who the caller is: everyone who is signed in \
                             can now reach{target}.",
                            quote(demand.name.text())
                        ),
                    );
                }
            }
        }
    }
    guards(context, is_replaced, &inserted, sink);
    lower_rights(context, sink);
    lower_demands(context, sink);
}

/// P3 in components that run in a browser: they only choose what is shown, and the server decides.
fn priority(context: &ChangeContext<'_>) -> Priority {
    const SERVER: &[&str] = &[
        "use server", "getServerSideProps", "server-only", "NextResponse", "defineEventHandler",
    ];
    let path = context.file.path;
    let is_component = [".tsx", ".jsx", ".vue", ".svelte"]
        .iter()
        .any(|end| path.ends_with(end));
    let text = context.new.root().map_or("", Node::text);
    let is_on_server = || {
        SERVER.iter().any(|word| text.contains(word))
            || path
                .split('/')
                .any(|folder| matches!(folder, "api" | "server"))
    };
    if is_component && !is_on_server() {
        Priority::P3
    } else {
        RULE.priority
    }
}

/// The removed checks, by the names that identify them.
fn demands<'t>(context: &ChangeContext<'t>) -> Vec<Demand<'t>> {
    let names = context
        .old
        .changed_nodes()
        .filter(|node| node.is_leaf() && is_mention(node.text()))
        // Without a marker that opens a route, the default applies.
        .filter(|node| !opens(node.text()) && !is_documentation(*node));
    let lost = names.filter(|name| context.new_of(*name).is_none() && !context.reappears(*name));
    lost.filter(|name| !context.is_in_removed_function(*name))
        .filter_map(|name| demand(context, name))
        .collect()
}

/// Whether a name is in what only describes the API: `openapi_extra={"security": []}`, `@ApiBearerAuth()`.
fn is_documentation(name: Node<'_>) -> bool {
    const OPTIONS: &[&str] = &[
        "openapi_extra", "openapi", "swagger", "responses", "summary", "description", "tags",
    ];
    const CALLS: &[&str] = &[
        "doc", "swagger_auto_schema", "extend_schema", "SecurityRequirement",
        "SecurityRequirements", "SecurityScheme", "ApiBearerAuth", "ApiSecurity", "ApiOAuth2",
        "ApiCookieAuth", "Operation",
    ];
    name.ancestors().take(12).any(|around| {
        let is_named = |own: &str, list: &[&str]| list.contains(&own);
        let option = around
            .field("name")
            .filter(|_| around.is(&["keyword_argument"]));
        let annotation = around
            .field("name")
            .filter(|_| around.is(&["annotation", "marker_annotation", "attribute"]));
        option.is_some_and(|own| is_named(own.text(), OPTIONS))
            || annotation.is_some_and(|own| is_named(own.text(), CALLS))
            || around.call().is_some_and(|call| is_named(call.name, CALLS))
    })
}

const DECORATORS: &[&str] = &[
    "decorator", "annotation", "marker_annotation", "attribute", "attribute_list",
    "attribute_item", "attribute_group",
];
/// Calls that register a handler for requests and accept checks as further arguments.
const ROUTES: &[&str] = &[
    "get", "post", "put", "patch", "delete", "head", "options", "all", "any", "use", "route",
    "routes", "group", "handle", "handlefunc", "method", "match", "api_route", "add_api_route",
    "add_url_rule", "resource", "resources", "path", "re_path", "url", "scope", "with",
    "include_router", "apirouter", "blueprint",
];
/// Calls that declare checks, named by their arguments.
const DECLARATIONS: &[&str] = &[
    "before_action", "before_filter", "prepend_before_action", "middleware", "use", "before",
    "depends", "security", "useguards", "add_middleware", "pipe_through", "plug", "addfilter",
    "addfilterbefore",
];

fn demand<'t>(context: &ChangeContext<'t>, name: Node<'t>) -> Option<Demand<'t>> {
    let mut inner = name;
    for node in name.ancestors().take(16) {
        if node.is(DECORATORS) && !node.is(&["attribute"])
            || node.is(&["attribute"])
                && node
                    .parent()
                    .is_some_and(|parent| parent.is(&["attribute_list"]))
        {
            return decorated(context, node).map(|protected| Demand {
                name,
                unit: node,
                protected: Some(protected),
            });
        }
        if let Some(call) = node.call() {
            let called = call.name.to_ascii_lowercase();
            // The call itself is the check.
            let is_callee = name.is_inside(node)
                && !call
                    .arguments
                    .iter()
                    .any(|argument| name.is_inside(*argument) || name == *argument);
            if is_callee && is_marker(name.text()) {
                return of_call(context, name, node);
            }
            let keeps = |node: Node<'_>| context.similarity_to_new(node) > 0;
            let is_lost =
                |leaf: Node<'_>| leaf.text() == call.name && context.new_of(leaf).is_none();
            if !is_callee
                && DECLARATIONS.contains(&called.as_str())
                && node.leaves().any(is_lost)
                && let Some(demand) = of_call(context, name, node)
            {
                return Some(demand);
            }
            // `post(url, { role })` sends data.
            let is_data = || {
                let mut around = name.ancestors().take_while(|around| *around != node);
                around.any(|around| around.is(&["object", "dictionary", "hash", "pair"]))
            };
            if !is_callee
                && ROUTES.contains(&called.as_str())
                && !is_data()
                && keeps(node)
                && call.arguments.len() > 1
            {
                return Some(Demand {
                    name,
                    unit: inner,
                    protected: Some(shown_call(node)),
                });
            }
        }
        if let Some(set) = node
            .assignment()
            .filter(|set| is_named_after_right(set.target.text()))
        {
            return Some(Demand {
                name,
                unit: node,
                protected: enclosing_name(context, set.target),
            });
        }
        if [Role::Function, Role::Class, Role::If, Role::Loop]
            .iter()
            .any(|role| node.has_role(*role))
        {
            return None;
        }
        let is_list = node
            .parent()
            .is_some_and(|parent| parent.has_role(Role::Arguments));
        inner = if is_list { node } else { inner };
    }
    None
}

/// A call that is a check: removed as a statement, or no longer around or after a value that remains.
fn of_call<'t>(context: &ChangeContext<'t>, name: Node<'t>, call: Node<'t>) -> Option<Demand<'t>> {
    let statement = call.statement();
    let is_statement = statement.is_all_changed() && context.similarity_to_new(statement) <= 34;
    let is_wrapper = context.similarity_to_new(call) > 0;
    let is_condition = call
        .ancestors()
        .take_while(|node| *node != statement)
        .any(|node| node.has_role(Role::If) || node.has_role(Role::Binary));
    if is_condition || !(is_statement || is_wrapper) {
        return None;
    }
    // A value that the check returns is used elsewhere. An error that is raised is part of a check, which is examined itself.
    let is_value =
        |around: Node<'_>| around.assignment().is_some() || around.is(&["variable_declarator"]);
    let mut within = call
        .ancestors()
        .take_while(|around| *around != statement)
        .chain([statement]);
    if is_statement
        && within.any(|around| {
            is_value(around) || around.has_role(Role::Throw) || around.has_role(Role::Lambda)
        })
    {
        return None;
    }
    if is_statement && is_body_gone(context, call) {
        return None;
    }
    let unit = if is_statement { statement } else { call };
    Some(Demand {
        name,
        unit,
        protected: enclosing_name(context, call),
    })
}

/// Whether the code that a check encloses as a block is gone as well: nothing is left that it protected.
fn is_body_gone<'t>(context: &ChangeContext<'t>, call: Node<'t>) -> bool {
    let block = call.children().find(|part| part.is(&["do_block", "block"]));
    let body = block.and_then(|block| block.field("body").or(Some(block)));
    body.is_some_and(|body| context.similarity_to_new(body) <= 34)
}

/// The name of the function or class that a decorator is on, if it remains.
fn decorated<'t>(context: &ChangeContext<'t>, decorator: Node<'t>) -> Option<&'t str> {
    let is_definition =
        |node: &Node<'t>| node.has_role(Role::Function) || node.has_role(Role::Class);
    let around = decorator.ancestors().take(3);
    let definition = around.into_iter().find_map(|node| {
        if is_definition(&node) {
            return Some(node);
        }
        node.named_children()
            .filter(|child| child.start() >= decorator.end())
            .find(|child| is_definition(child))
    })?;
    kept_name(context, definition)
}

/// The name of the function or class around a node, if it remains.
fn enclosing_name<'t>(context: &ChangeContext<'t>, node: Node<'t>) -> Option<&'t str> {
    let around = node
        .enclosing(Role::Function)
        .or_else(|| node.enclosing(Role::Class))?;
    kept_name(context, around)
}

/// The name of a function or class, if it remains.
fn kept_name<'t>(context: &ChangeContext<'t>, definition: Node<'t>) -> Option<&'t str> {
    let name = definition
        .function()
        .map(|function| function.name)
        .or_else(|| definition.field("name"))?;
    context
        .new_of(name.leaves().next().unwrap_or(name))
        .map(|_| name.text())
}

/// A call up to its first argument.
fn shown_call(call: Node<'_>) -> &str {
    let text = call.text();
    let end = text.find([',', '\n']).unwrap_or(text.len());
    text.get(..end).unwrap_or(text).trim_end_matches(')')
}

/// Reports removed guards that rejected a caller.
fn guards(context: &ChangeContext<'_>, is_replaced: bool, inserted: &[&str], sink: &mut Sink<'_>) {
    if is_replaced {
        return;
    }
    for old in context
        .removed(Role::If)
        .filter(|old| context.times_removed(*old) <= 2)
    {
        let Some(branch) = old
            .branch()
            .filter(|branch| branch.then.ends_in_exit() && refuses(branch.then))
        else {
            continue;
        };
        let asks_again = || {
            let calls = branch.condition.descendants().filter_map(Node::call);
            let names: Vec<&str> = calls
                .map(|call| call.name)
                .filter(|name| name.len() >= 5)
                .collect();
            let is_kept = |leaf: Node<'_>| {
                names.contains(&leaf.text())
                    && (inserted.contains(&leaf.text()) || context.new_of(leaf).is_some())
            };
            branch.condition.leaves().any(is_kept)
        };
        let is_gone = !context.reappears(branch.condition)
            && !asks_again()
            && !context.names_removed_identifier(branch.condition)
            && !context.is_in_removed_function(old);
        if is_gone {
            let place = enclosing_name(context, old)
                .map(|name| format!(" of `{name}`"))
                .unwrap_or_default();
            let condition = quote(branch.condition.text());
            let summary = format!(
                "The permission check `{condition}` was removed: the rest{place} now runs for every caller."
            );
            let least = if asks_for_state(branch.condition) {
                Priority::P2
            } else {
                Priority::P1
            };
            sink.report(old, summary)
                .priority(priority(context).max(least));
        }
    }
}

/// Whether a condition only asks for the state of some data, `list.isArchived()`: then it refused all callers.
fn asks_for_state(condition: Node<'_>) -> bool {
    let has_arguments = |call: Node<'_>| call.call().is_some_and(|call| !call.arguments.is_empty());
    let is_compared = condition.all(Role::Binary).next().is_some();
    !is_compared
        && !condition.all(Role::Call).any(has_arguments)
        && !condition.leaves().any(|leaf| is_about_caller(leaf.text()))
}

/// Whether a block responds that the caller is not authorized.
fn refuses(block: Node<'_>) -> bool {
    const WORDS: &[&str] = &[
        "forbidden", "forbid", "unauthorized", "unauthorised", "permissiondenied",
        "permission_denied", "accessdenied", "access_denied", "notauthorized", "not_authorized",
        "notallowed", "notauthenticated", "not_authenticated", "unauthenticated",
        "authorizationerror", "authenticationerror", "permissionerror",
    ];
    block.leaves().any(|leaf| {
        let text = leaf.text();
        let is_status = leaf.has_role(Role::Number) && matches!(text, "401" | "403");
        let name = text.to_ascii_lowercase();
        is_status
            || !leaf.has_role(Role::Comment)
                && text.len() < 60
                && WORDS.iter().any(|word| name.contains(word))
    })
}

/// Reports a right that was replaced by a lower one: `OwnerHeaders` → `MemberHeaders`.
fn lower_rights(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.pairs() {
        if let Some((was, now)) = only_difference(old.text, new.text)
            .filter(|(was, now)| is_lower(was, now) && !is_upper_bound(context, new, now))
        {
            report_lower(new, was, now, sink);
        }
    }
}

/// Whether a line refuses what is above a right: `if mode > Admin { return }`. A lower right then refuses more.
fn is_upper_bound(context: &ChangeContext<'_>, line: &Line<'_>, right: &str) -> bool {
    let before = line.text.find(right).and_then(|at| line.text.get(..at));
    let is_greater = before.is_some_and(|text| {
        let text = text.trim_end();
        (text.ends_with('>') || text.ends_with(">=")) && !text.ends_with("->")
    });
    let grants = |node: Node<'_>| {
        let body = node.branch().map(|branch| branch.then);
        let runs_on = |body: Node<'_>| !body.statements().is_empty() && !body.ends_in_exit();
        node.line() == line.new && body.is_some_and(runs_on)
    };
    let root = context.new.root();
    is_greater && !root.is_some_and(|root| root.all(Role::If).any(grants))
}

/// Whether two names differ only in the permission, and the second is weaker.
fn is_lower(was: &str, now: &str) -> bool {
    let (Some((right, high)), Some((other, low))) = (rank(was), rank(now)) else {
        return false;
    };
    let without = |name: &str, word: &str| name.to_ascii_lowercase().replace(word, "");
    low < high && without(was, &right) == without(now, &other)
}

/// Whether a check became one that names no right: `must_be_vault_editor` → `must_be_in_vault`.
fn lost_right(was: &str, now: &str) -> bool {
    const REST: &[&str] = &[
        "in", "of", "any", "member", "exists", "known", "belong", "to", "a", "the",
    ];
    let (old, new) = (words_of(was), words_of(now));
    let Some((right, _)) = rank(was) else {
        return false;
    };
    let gone: Vec<&String> = old.iter().filter(|word| !new.contains(word)).collect();
    let came = new.iter().filter(|word| !old.contains(word));
    let shared = new.iter().filter(|word| old.contains(word)).count();
    let demands = [
        "must", "require", "requires", "required", "check", "ensure", "only", "can", "may",
    ];
    matches!(gone.as_slice(), [only] if **only == right)
        && shared >= 2
        && old.iter().any(|word| demands.contains(&word.as_str()))
        && came.into_iter().all(|word| REST.contains(&word.as_str()))
}

/// Reports a check in a string that no longer names a right.
fn lower_demands(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for pair in context.lines().windows(2) {
        let [old, new] = pair else { continue };
        if old.kind == LineKind::Removed
            && new.kind == LineKind::Added
            && let Some((was, now)) =
                only_difference(old.text, new.text).filter(|(was, now)| lost_right(was, now))
        {
            report_lower(new, was, now, sink);
        }
    }
}

fn report_lower(at: &Line<'_>, was: &str, now: &str, sink: &mut Sink<'_>) {
    let (was, now) = (quote(was), quote(now));
    sink.report(
        at,
        format!("`{was}` became `{now}`: callers with fewer rights may now do this."),
    );
}

/// The only word in which two lines differ.
fn only_difference<'t>(old: &'t str, new: &'t str) -> Option<(&'t str, &'t str)> {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (names::words(old).collect(), names::words(new).collect());
    let mut differ = before.iter().zip(&after).filter(|(was, now)| was != now);
    let (was, now) = differ.next()?;
    (before.len() == after.len() && differ.next().is_none()).then_some((*was, *now))
}
