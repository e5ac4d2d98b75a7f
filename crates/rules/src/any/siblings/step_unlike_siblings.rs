//! New code without a step that all code next to it takes: a test of a result, a handler, a validation, a lock.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::siblings::{Lack, What, lacking, listed};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/step-unlike-siblings",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "PHP",
    ],
    title: "New code lacks a step of its siblings",
    why: "All functions next to it that do the same take one more step: they handle the case that nothing was found, validate their \
          input, hold a lock, or drop what is cached. The new one doesn't, so it fails or leaves wrong data where they don't.",
    fix: "Take the step that the siblings take, or say in the code why it isn't needed.",
    references: &["CWE-754", "CWE-476"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["module", "program", "source_file"]),
        run,
    },
    positive: &[
        r#"
path: src/server.ts
 class Server {
   setup() {
     this.app.get('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.body
     })
     this.app.delete('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.erase()
     })
     this.app.put('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.keep()
     })
+    this.app.patch('/email/:id/unread', async (request, reply) => {
+      const email = await this.storage.getById(request.params.id)
^
+      await this.storage.save(email.id, { read: false })
+      return {}
+    })
   }
 }
"#,
        r#"
path: src/photos.py
 class SetDeleted(APIView):
     def post(self, request):
         for one in request.data["ids"]:
             try:
                 photo = Photo.objects.get(image_hash=one)
             except Photo.DoesNotExist:
                 continue
             photo.deleted = True

 class SetFavorite(APIView):
     def post(self, request):
         for one in request.data["ids"]:
             try:
                 photo = Photo.objects.get(image_hash=one)
             except Photo.DoesNotExist:
                 continue
             photo.favorite = True

 class SetPublic(APIView):
     def post(self, request):
         for one in request.data["ids"]:
             try:
                 photo = Photo.objects.get(image_hash=one)
             except Photo.DoesNotExist:
                 continue
             photo.public = True

+class SetRating(APIView):
+    def post(self, request):
+        for one in request.data["ids"]:
+            photo = Photo.objects.get(image_hash=one)
^
+            photo.rating = request.data["rating"]
"#,
        r#"
path: src/server.js
 class Server {
   setup() {
     this.app.get('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.body
     })
     this.app.delete('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.erase()
     })
     this.app.put('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.keep()
     })
+    this.app.patch('/email/:id/unread', async (request, reply) => {
+      const email = await this.storage.getById(request.params.id)
^
+      await this.storage.save(email.id, { read: false })
+      return {}
+    })
   }
 }
"#,
        r#"
path: src/Carts.java
 class Carts {
     Cart add(long cartId, Item item) {
         Cart cart = carts.loadCart(cartId);
         quantities.validateQuantity(item);
         cart.add(item);
         return carts.keep(cart);
     }

     Cart replace(long cartId, Item item) {
         Cart cart = carts.loadCart(cartId);
         quantities.validateQuantity(item);
         cart.replace(item);
         return carts.keep(cart);
     }

     Cart merge(long cartId, Item item) {
         Cart cart = carts.loadCart(cartId);
         quantities.validateQuantity(item);
         cart.merge(item);
         return carts.keep(cart);
     }

+    Cart change(long cartId, Item item) {
^
+        Cart cart = carts.loadCart(cartId);
+        cart.change(item);
+        return carts.keep(cart);
+    }
 }
"#,
        r#"
path: src/tokens.go
 func (s *Store) Add(ctx context.Context, token Token) error {
 	s.mutex.Lock()
 	defer s.mutex.Unlock()
 	tokens := s.LoadTokens(ctx)
 	return s.SaveTokens(ctx, append(tokens, token))
 }

 func (s *Store) Remove(ctx context.Context, token Token) error {
 	s.mutex.Lock()
 	defer s.mutex.Unlock()
 	tokens := s.LoadTokens(ctx)
 	return s.SaveTokens(ctx, without(tokens, token))
 }

+func (s *Store) Keep(ctx context.Context, token Token) error {
^
+	tokens := s.LoadTokens(ctx)
+	return s.SaveTokens(ctx, only(tokens, token))
+}
"#,
        r#"
path: src/WebhookController.php
 <?php
 class WebhookController extends Controller
 {
     public function store(Request $request)
     {
         $webhook = Webhook::query()->findOrFail($request->id);
         $webhook->save();
         $this->logActivity('store', $webhook);
         return redirect('/');
     }

     public function update(Request $request)
     {
         $webhook = Webhook::query()->findOrFail($request->id);
         $webhook->save();
         $this->logActivity('update', $webhook);
         return redirect('/');
     }

     public function rename(Request $request)
     {
         $webhook = Webhook::query()->findOrFail($request->id);
         $webhook->save();
         $this->logActivity('rename', $webhook);
         return redirect('/');
     }

+    public function toggle(Request $request)
^
+    {
+        $webhook = Webhook::query()->findOrFail($request->id);
+        $webhook->save();
+        return redirect('/');
+    }
 }
"#,
    ],
    negative: &[
        r#"
path: src/server.js
 class Server {
   setup() {
     this.app.get('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.body
     })
     this.app.delete('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.erase()
     })
     this.app.put('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.keep()
     })
+    this.app.patch('/email/:id/unread', async (request, reply) => {
+      const email = await this.storage.getById(request.params.id)
+      return email?.unread()
+    })
   }
 }
"#,
        r#"
path: src/Carts.java
 class Carts {
     Cart add(long cartId, Item item) {
         Cart cart = carts.loadCart(cartId);
         quantities.validateQuantity(item);
         cart.add(item);
         return carts.keep(cart);
     }

     Cart replace(long cartId, Item item) {
         Cart cart = carts.loadCart(cartId);
         quantities.validateQuantity(item);
         cart.replace(item);
         return carts.keep(cart);
     }

     Cart merge(long cartId, Item item) {
         Cart cart = carts.loadCart(cartId);
         quantities.validateQuantity(item);
         cart.merge(item);
         return carts.keep(cart);
     }

+    Cart change(long cartId, Item item) {
+        Cart cart = carts.loadCart(cartId);
+        validateQuantityOf(item);
+        cart.change(item);
+        return carts.keep(cart);
+    }
+
+    private Cart copied(long cartId) {
+        Cart cart = carts.loadCart(cartId);
+        return carts.keep(cart);
+    }
 }
"#,
        r#"
path: src/tokens.go
 func (s *Store) Add(ctx context.Context, token Token) error {
 	s.mutex.Lock()
 	defer s.mutex.Unlock()
 	tokens := s.LoadTokens(ctx)
 	return s.SaveTokens(ctx, append(tokens, token))
 }

 func (s *Store) Remove(ctx context.Context, token Token) error {
 	s.mutex.Lock()
 	defer s.mutex.Unlock()
 	tokens := s.LoadTokens(ctx)
 	return s.SaveTokens(ctx, without(tokens, token))
 }

+func (s *Store) Keep(ctx context.Context, token Token) error {
+	defer s.locked()()
+	tokens := s.LoadTokens(ctx)
+	return s.SaveTokens(ctx, only(tokens, token))
+}
"#,
        r#"
path: src/WebhookController.php
 <?php
 class WebhookController extends Controller
 {
     public function store(Request $request)
     {
         $webhook = Webhook::query()->findOrFail($request->id);
         $webhook->save();
         $this->logActivity('store', $webhook);
         return redirect('/');
     }

     public function update(Request $request)
     {
         $webhook = Webhook::query()->findOrFail($request->id);
         $webhook->save();
         $this->logActivity('update', $webhook);
         return redirect('/');
     }

     public function rename(Request $request)
     {
         $webhook = Webhook::query()->findOrFail($request->id);
         $webhook->save();
         $this->logActivity('rename', $webhook);
         return redirect('/');
     }

+    public function toggle(Request $request)
+    {
+        $webhook = Webhook::query()->findOrFail($request->id);
+        $webhook->save();
+        $this->logActivity('toggled', $webhook);
+        return redirect('/');
+    }
 }
"#,
        r#"
path: src/photos.py
 class SetDeleted(APIView):
     def post(self, request):
         try:
             photo = Photo.objects.get(pk=request.data["id"])
         except Photo.DoesNotExist:
             return missing()
         photo.delete_now()

 class SetFavorite(APIView):
     def post(self, request):
         try:
             photo = Photo.objects.get(pk=request.data["id"])
         except Photo.DoesNotExist:
             return missing()
         photo.like()

 class SetPublic(APIView):
     def post(self, request):
         try:
             photo = Photo.objects.get(pk=request.data["id"])
         except Photo.DoesNotExist:
             return missing()
         photo.show()

+class SetHidden(APIView):
+    def post(self, request):
+        photo = Photo.objects.filter(pk=request.data["id"]).first()
+        if photo:
+            photo.hide()
"#,
        r#"
path: src/server.ts
 class Server {
   setup() {
     this.app.get('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.body
     })
     this.app.delete('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.erase()
     })
     this.app.put('/email/:id', async (request, reply) => {
       const email = await this.storage.getById(request.params.id)
       if (!email) {
         return reply.status(404).send({})
       }
       return email.keep()
     })
+    this.app.patch('/email/:id/unread', async (request, reply) => {
+      const email = await this.storage.getById(request.params.id)
+      return email?.unread()
+    })
+    this.app.patch('/email/:id/read', async (request, reply) => {
+      const email = await this.storage.getById(request.params.id)
+      if (email && !email.read) {
+        await email.keep()
+      }
+      return {}
+    })
   }
 }
"#,
    ],
};

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for lack in lacking(root.tree()) {
        if let Some(summary) = summary(&lack) {
            sink.report(lack.at, summary);
        }
    }
}

fn summary(lack: &Lack<'_>) -> Option<String> {
    let name = quote(lack.name);
    let siblings = listed(&lack.siblings);
    match &lack.what {
        What::Test { call } => Some(format!(
            "`{name}` uses what `{}` returns without a test; {siblings} test it first.",
            quote(call)
        )),
        What::Handler { call, exception } => Some(format!(
            "`{name}` doesn't handle `{exception}` of `{}`, as {siblings} do.",
            quote(call)
        )),
        What::FollowUp { call, method } => Some(format!(
            "`{name}` doesn't call `{method}` on what `{}` returns, as {siblings} do.",
            quote(call)
        )),
        What::Close { call } => Some(format!(
            "`{name}` doesn't close what `{}` returns, as {siblings} do.",
            quote(call)
        )),
        What::Step(step) => Some(format!("`{name}` doesn't call `{step}`, as {siblings} do.")),
        What::Authorization(_) | What::Owner { .. } | What::Filter { .. } => None,
    }
}
