//! Validation or limits of request data that are no longer enabled.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/input-check-removed",
    languages: &[
        "Java", "Kotlin", "C#", "Ruby", "PHP", "TypeScript", "JavaScript", "TSX", "Python",
    ],
    title: "Check of the request's data removed",
    why: "The framework checked what the request sends, or took only the named fields of it. That is gone, so invalid values \
          arrive in the code, or a request sets fields that its sender must not set (ID, role, owner).",
    fix: "Keep the check, or do the same by hand.",
    references: &["CWE-20", "CWE-915"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/A.java
 class A {
     @PostMapping("/owners/{id}/edit")
-    public String update(@Valid Owner owner, BindingResult result) {
+    public String update(Owner owner, BindingResult result) {
^
         return save(owner, result);
     }
 }
"#,
        r#"
path: src/A.java
 class A {
     @InitBinder
     public void setAllowedFields(WebDataBinder binder) {
-        binder.setDisallowedFields("id");
^
         binder.setAutoGrowCollectionLimit(9);
     }
 }
"#,
        r#"
path: app/controllers/users_controller.rb
 def update
-  @user.update(params.require(:user).permit(:name, :email))
+  @user.update(params[:user])
^
 end
"#,
        r#"
path: src/UserController.php
 <?php
 public function update(UserRequest $request, User $user)
 {
-    $user->update($request->validated());
+    $user->update($request->all());
^
 }
"#,
        r#"
path: src/A.cs
 class A {
     [HttpPost]
-    [ValidateAntiForgeryToken]
^
     public IActionResult Edit(Item item)
     {
         return Save(item);
     }
 }
"#,
        r#"
path: src/a.kt
 class Owners {
     @PostMapping("/owners/{id}/edit")
-    fun update(@Valid owner: Owner, result: BindingResult): String {
+    fun update(owner: Owner, result: BindingResult): String {
^
         return save(owner, result)
     }
 }
"#,
        r#"
path: src/a.ts
 class Owners {
   @Post()
-  update(@Body(new ValidationPipe()) owner: Owner) {
+  update(@Body() owner: Owner) {
^
     return this.save(owner);
   }
 }
"#,
        r#"
path: src/a.js
 async function update(request) {
-  const owner = await validateOrReject(readOwner(request));
+  const owner = await readOwner(request);
^
   return save(owner);
 }
"#,
        r#"
path: src/a.py
 class Owners:
-    @csrf_protect
^
     def update(self, request):
         return save(request)
"#,
    ],
    negative: &[
        r#"
path: src/A.java
 class A {
     @PostMapping("/owners/{id}/edit")
-    public String update(@Valid Owner owner, BindingResult result) {
+    public String update(@Validated Owner owner, BindingResult result) {
         return save(owner, result);
     }
 }
"#,
        r#"
path: src/UserController.php
 <?php
 public function update(UserRequest $request, User $user)
 {
-    $user->update($request->validated());
+    $user->update($request->only(['name']));
 }
"#,
        r#"
path: src/A.java
 class A {
-    @PostMapping("/owners")
-    public String create(@Valid Owner owner) {
-        return save(owner);
-    }
     int size() {
         return 1;
     }
 }
"#,
        r#"
path: src/a.kt
 class Owners {
     @PostMapping("/owners/{id}/edit")
-    fun update(@Valid owner: Owner, result: BindingResult): String {
+    fun update(@Validated owner: Owner, result: BindingResult): String {
         return save(owner, result)
     }
 }
"#,
        r#"
path: src/A.cs
 class Owners : Controller
 {
     [HttpPost]
-    [ValidateAntiForgeryToken]
+    [AutoValidateAntiforgeryToken]
     public IActionResult Update(Owner owner)
     {
         return Save(owner);
     }
 }
"#,
        r#"
path: src/a.rb
 class OwnersController
   def update
-    owner.update(params.permit(:name, :city))
+    owner.update(params.permit(:name))
   end
 end
"#,
        r#"
path: src/a.ts
 class Owners {
   @Post()
-  update(@Body(new ValidationPipe()) owner: Owner) {
+  update(@Body(new ValidationPipe({ transform: true })) owner: Owner) {
     return this.save(owner);
   }
 }
"#,
        r#"
path: src/a.js
 async function update(request) {
-  const owner = await validateOrReject(readOwner(request));
+  const owner = schema.parse(readOwner(request));
   return save(owner);
 }
"#,
        r#"
path: src/a.py
 class Owners:
     def update(self, request):
         owner = read_owner(request)
-        owner.full_clean()
+        owner.full_clean(exclude=["id"])
         return save(owner)
"#,
    ],
};

/// Names that enable the check, each with those that may replace it.
const CHECKS: &[&str] = &[
    "Valid", "Validated", "setDisallowedFields", "setAllowedFields", "ValidateAntiForgeryToken",
    "AutoValidateAntiforgeryToken", "permit", "validated", "ValidationPipe", "csrf_protect",
    "full_clean", "TryValidateModel", "safe", "validateOrReject", "protect_from_forgery",
];
/// Names with the same effect.
const SUBSTITUTES: &[&str] = &[
    "only", "except", "safe", "expect", "validate", "validateBody", "checkSchema", "schema",
    "parse", "safeParse", "slice", "Bind", "pick",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let checks =
        |leaf: Node<'_>| CHECKS.contains(&leaf.text()) || SUBSTITUTES.contains(&leaf.text());
    if !context.is_small_change() || context.added_tokens().any(checks) {
        return;
    }
    for old in context
        .old
        .changed_nodes()
        .filter(|leaf| leaf.is_leaf() && CHECKS.contains(&leaf.text()) && leaf.is_usable())
    {
        if context.new_of(old).is_some() || context.reappears(old) {
            continue;
        }
        let is_annotation = old.ancestors().take(3).any(|around| {
            around.is(&["marker_annotation", "annotation", "attribute", "decorator"])
        });
        let is_call = old
            .ancestors()
            .take(4)
            .any(|around| around.call().is_some_and(|call| call.name == old.text()));
        let limits = matches!(old.text(), "setDisallowedFields" | "setAllowedFields");
        let is_weak = matches!(old.text(), "safe" | "permit" | "validated" | "full_clean");
        let is_request = || {
            let text = old.statement().text();
            ["request", "params", "form", "Request", "input"]
                .iter()
                .any(|word| text.contains(word))
        };
        let around = old.ancestors().find(|around| {
            context
                .new_of(around.leaves().next().unwrap_or(*around))
                .is_some()
        });
        let is_gone_too = context.is_in_removed_function(old) && !limits;
        // A parameter or a value that remains.
        let subject_stays = limits
            || old.ancestors().take(5).skip(1).any(|around| {
                let kept = context.similarity_to_new(around);
                (25..100).contains(&kept)
            })
            || is_annotation && annotates_kept_definition(context, old);
        if !(is_annotation || is_call)
            || is_gone_too
            || !subject_stays
            || around.is_none()
            || is_weak && !is_request()
        {
            continue;
        }
        let unit = old
            .ancestors()
            .take(3)
            .find(|around| {
                around.is(&[
                    "marker_annotation", "annotation", "attribute_list", "decorator",
                ])
            })
            .unwrap_or(old);
        let what = quote(unit.text());
        let summary = if limits {
            format!("`{what}` was removed: a request can now set every field of the object.")
        } else {
            format!("`{what}` is gone: the request's data is no longer checked here.")
        };
        match context
            .pairs()
            .iter()
            .find(|(before, _)| before.number() == old.line())
        {
            Some((_, after)) => sink.report(*after, summary),
            None => sink.report(old, summary),
        };
        return;
    }
}

/// Whether an annotation on its own line is on a definition that remains.
fn annotates_kept_definition(context: &ChangeContext<'_>, old: Node<'_>) -> bool {
    let definition = old.ancestors().find(|around| around.function().is_some());
    definition.and_then(Node::function).is_some_and(|own| {
        own.name
            .leaves()
            .next()
            .is_some_and(|leaf| context.new_of(leaf).is_some())
    })
}
