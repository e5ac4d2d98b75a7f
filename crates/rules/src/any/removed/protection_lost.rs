//! A check before an act that is gone after the code was rewritten, while the act is still there.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::protection::{Kind, Loss, checks_lost};

pub(crate) const RULE: Rule = Rule {
    id: "any/protection-lost",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "C#", "PHP", "Ruby",
        "Rust",
    ],
    title: "Check lost in rewritten code",
    why: "The code was rewritten or moved to another function. It still does the same, but none of its functions makes the check that came \
          first, so values and callers that were refused before are now accepted.",
    fix: "Make the check in the new code too, or in every function that calls it.",
    references: &["CWE-862", "CWE-770"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/loader.py (whole file)
 def load(url):
     with fetch(url) as response:
-        if response.status_code >= 300:
-            return None
-        length = int(response.headers["Content-Length"])
-        if length > settings.MAX_IMAGE_SIZE:
^
-            return None
-        return store_image(response)
+        if not has_image(response):
+            return None
+        return store_image(response)
+
+
+def has_image(response):
+    return response.status_code < 300 and "Content-Length" in response.headers
"#,
        r#"
path: src/photos.py (whole file)
 def hide(request, hashes):
+    photos = Photo.objects.in_bulk(hashes)
     for key in hashes:
-        photo = Photo.objects.get(key=key)
-        if photo.owner == request.user and not photo.hidden:
^
-            photo.hide_photo()
+        photo = photos.get(key)
+        if photo is None or photo.hidden:
+            continue
+        photo.hide_photo()
"#,
        r#"
path: src/server.rs (whole file)
 impl Server {
     async fn copy(&self, path: &Path, req: &Request) -> Result<()> {
-        let dest = self.extract_dest(req)?;
-        if self.guard_root_contained(&dest).await {
^
-            return Err(Error::Invalid);
-        }
-        copy_file(path, &dest).await
+        let dest = self.prepare_dest(req).await?;
+        copy_file(path, &dest).await
+    }
+
+    async fn prepare_dest(&self, req: &Request) -> Result<PathBuf> {
+        let dest = self.extract_dest(req)?;
+        create_parent(&dest).await?;
+        Ok(dest)
     }
 }
"#,
        r#"
path: src/Login.kt (whole file)
 class Login(private val attempts: Attempts) {
-    fun byPassword(credentials: Credentials): Result {
-        if (isBruteForceBlocked(credentials.ip)) {
^
-            return refused()
-        }
-        val result = findAuthenticator(credentials)
-        trackAttempt(credentials.ip, result)
-        return result
-    }
+    fun byPassword(credentials: Credentials): Result =
+        search(credentials).also { trackAttempt(credentials.ip, it) }
+
+    private fun search(credentials: Credentials): Result {
+        val result = findAuthenticator(credentials)
+        return result
+    }
 }
"#,
        r#"
path: src/page.ts (whole file)
+function parsePage(query: Query): Page {
+  const requested = parsePositiveInt(query.limit);
+  return { limit: requested || 50 };
+}
+
 export function list(request: Request) {
   const query = request.query;
-  const requested = parsePositiveInt(query.limit);
-  const limit = Math.min(requested || 50, MAX_PAGE_SIZE);
^
-  return storage.listMessages(limit);
+  const page = parsePage(query);
+  return storage.listMessages(page.limit);
 }
"#,
        r#"
path: src/Images.java (whole file)
 class Images {
     void upload(File file, Type type) throws IOException {
-        try (var input = open(file); var output = media.createFileStream(type)) {
-            long transferred = 0;
-            int read;
-            while ((read = input.read(buffer)) >= 0) {
-                output.write(buffer, 0, read);
-                transferred += read;
-                if (transferred > IMAGE_SIZE_LIMIT) {
^
-                    throw new IllegalArgumentException("too large");
-                }
-            }
-        }
+        storeImage(file, type);
+    }
+
+    private void storeImage(File file, Type type) throws IOException {
+        try (var input = open(file); var output = media.createFileStream(type)) {
+            input.transferTo(output);
+        }
     }
 }
"#,
        r#"
path: src/handler.go (whole file)
 package api
 
 func (h *Handler) Rename(w http.ResponseWriter, r *http.Request) {
-	doc := h.store.FindDocument(r.FormValue("id"))
-	if !h.isAllowed(r, doc) {
^
-		w.WriteHeader(http.StatusForbidden)
-		return
-	}
-	h.store.RenameDocument(doc, r.FormValue("name"))
+	h.rename(r.FormValue("id"), r.FormValue("name"))
+}
+
+func (h *Handler) rename(id, name string) {
+	doc := h.store.FindDocument(id)
+	h.store.RenameDocument(doc, name)
 }
"#,
        r#"
path: src/PostController.php (whole file)
 <?php
 class PostController
 {
     public function publish(Request $request, Post $post)
     {
-        $this->authorize('publish', $post);
^
-        $post->publishNow($request->input('at'));
-        return $this->redirectToPost($post);
+        return $this->publishAndShow($post, $request->input('at'));
+    }
+
+    private function publishAndShow(Post $post, $at)
+    {
+        $post->publishNow($at);
+        return $this->redirectToPost($post);
     }
 }
"#,
        r#"
path: app/exports_controller.rb (whole file)
 class ExportsController
   def show
-    export = Export.find(params[:id])
-    if current_user.suspended?
^
-      return head :forbidden
-    end
-    send_export(export)
+    deliver(params[:id])
+  end
+
+  def deliver(id)
+    export = Export.find(id)
+    send_export(export)
   end
 end
"#,
        r#"
path: src/Downloads.cs (whole file)
 class Downloads
 {
     public IActionResult Get(string name)
     {
-        var path = _root.Combine(name);
-        if (!IsContained(path))
^
-        {
-            return NotFound();
-        }
-        return PhysicalFile(path, "application/zip");
+        return Send(name);
+    }
+
+    private IActionResult Send(string name)
+    {
+        var path = _root.Combine(name);
+        return PhysicalFile(path, "application/zip");
     }
 }
"#,
        r#"
path: src/list.js (whole file)
 function render(entries) {
-  return entries
-    .map((entry) => `<li title="${escapeAttribute(entry.title)}">${escapeHtml(entry.name)}</li>`)
^
-    .join("");
+  const rows = [];
+  for (const entry of entries) {
+    rows.push(row(entry.title, entry.name));
+  }
+  return rows.join("");
 }
+
+function row(title, name) {
+  return `<li title="${title}">${name}</li>`;
+}
"#,
    ],
    negative: &[
        r#"
path: src/list.js (whole file)
 function render(entries) {
-  return entries.map((entry) => `<li>${escapeHtml(entry.name)}</li>`).join("");
+  return entries.map((entry) => row(entry.name)).join("");
 }
+
+function row(name) {
+  return `<li>${escapeHtml(name)}</li>`;
+}
"#,
        r#"
path: src/loader.py (whole file)
 def load(url):
     with fetch(url) as response:
-        length = int(response.headers["Content-Length"])
-        if length > settings.MAX_IMAGE_SIZE:
-            return None
-        return store_image(response)
+        if is_too_large(response):
+            return None
+        return store_image(response)
+
+
+def is_too_large(response):
+    return int(response.headers["Content-Length"]) > settings.MAX_IMAGE_SIZE
"#,
        r#"
path: src/photos.py (whole file)
 def hide(request, hashes):
+    photos = Photo.objects.filter(owner=request.user).in_bulk(hashes)
     for key in hashes:
-        photo = Photo.objects.get(key=key)
-        if photo.owner == request.user and not photo.hidden:
-            photo.hide_photo()
+        photo = photos.get(key)
+        if photo is None or photo.hidden:
+            continue
+        photo.hide_photo()
"#,
        r#"
path: src/server.rs (whole file)
 impl Server {
     async fn copy(&self, path: &Path, req: &Request) -> Result<()> {
-        let dest = self.extract_dest(req)?;
-        if self.guard_root_contained(&dest).await {
-            return Err(Error::Invalid);
-        }
-        copy_file(path, &dest).await
+        let dest = self.prepare_dest(req).await?;
+        copy_file(path, &dest).await
+    }
+
+    async fn prepare_dest(&self, req: &Request) -> Result<PathBuf> {
+        let dest = self.extract_dest(req)?;
+        if self.guard_root_contained(&dest).await {
+            return Err(Error::Invalid);
+        }
+        Ok(dest)
     }
 }
"#,
        r#"
path: src/Login.kt (whole file)
 class Login(private val attempts: Attempts) {
     fun byPassword(credentials: Credentials): Result {
-        if (isBruteForceBlocked(credentials.ip)) {
+        if (attempts.isBlocked(credentials.ip)) {
             return refused()
         }
         return findAuthenticator(credentials)
     }
 }
"#,
        r#"
path: src/page.ts (whole file)
+function parsePage(query: Query): Page {
+  const requested = parsePositiveInt(query.limit);
+  return { limit: Math.min(requested || 50, MAX_PAGE_SIZE) };
+}
+
 export function list(request: Request) {
   const query = request.query;
-  const requested = parsePositiveInt(query.limit);
-  const limit = Math.min(requested || 50, MAX_PAGE_SIZE);
-  return storage.listMessages(limit);
+  return storage.listMessages(parsePage(query).limit);
 }
"#,
        r#"
path: src/Images.java (whole file)
 class Images {
     void upload(File file, Type type) throws IOException {
-        if (file.length() > IMAGE_SIZE_LIMIT) {
-            throw new IllegalArgumentException("too large");
-        }
-        media.storeImage(file, type);
+        store(file, type);
+    }
+
+    private void store(File file, Type type) throws IOException {
+        limits.checkMaxSize(file);
+        media.storeImage(file, type);
     }
 }
"#,
        r#"
path: src/handler.go (whole file)
 package api
 
 func (h *Handler) Rename(w http.ResponseWriter, r *http.Request) {
-	doc := h.store.FindDocument(r.FormValue("id"))
-	if !h.isAllowed(r, doc) {
-		w.WriteHeader(http.StatusForbidden)
-		return
-	}
-	h.store.RenameDocument(doc, r.FormValue("name"))
+	doc := h.store.FindAllowedDocument(r, r.FormValue("id"))
+	h.store.RenameDocument(doc, r.FormValue("name"))
 }
"#,
        r#"
path: src/PostController.php (whole file)
 <?php
 class PostController
 {
     public function publish(Request $request, Post $post)
     {
-        $this->authorize('publish', $post);
-        $post->publishNow($request->input('at'));
+        $this->publishNow($post, $request->input('at'));
         return $this->redirectToPost($post);
     }
+
+    private function publishNow(Post $post, $at)
+    {
+        $this->authorize('publish', $post);
+        $post->publishNow($at);
+    }
 }
"#,
        r#"
path: app/exports_controller.rb (whole file)
 class ExportsController
   def show
-    export = Export.find(params[:id])
-    if current_user.suspended?
-      return head :forbidden
-    end
-    send_export(export)
+    refuse_suspended or send_export(Export.find(params[:id]))
   end
 end
"#,
        r#"
path: src/Downloads.cs (whole file)
 class Downloads
 {
     public IActionResult Get(string name)
     {
         var path = _root.Combine(name);
-        if (!IsContained(path))
+        if (!_guard.IsContained(path, _root))
         {
             return NotFound();
         }
         return PhysicalFile(path, "application/zip");
     }
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.old.is_whole() || !context.new.is_whole() {
        return;
    }
    for loss in checks_lost(context.old, context.new) {
        if let Some(summary) = summary(&loss) {
            sink.report(loss.at, summary);
        }
    }
}

fn summary(loss: &Loss<'_>) -> Option<String> {
    let now = quote(loss.now.text());
    match loss.kind {
        Kind::Check(name) => Some(format!(
            "The check `{name}` came first here. The rewritten code still calls `{now}`, without that check."
        )),
        Kind::Owner(name) => Some(format!(
            "`{name}` was compared with the caller here. The rewritten code still calls `{now}`, for the data of any owner."
        )),
        Kind::Escape(name) => Some(format!(
            "`{name}` made this value safe. The rewritten code uses `{now}` as it is."
        )),
        Kind::Limit(name) => Some(format!(
            "`{name}` limited a value here. The rewritten code still calls `{now}`, without a limit."
        )),
        _ => None,
    }
}
