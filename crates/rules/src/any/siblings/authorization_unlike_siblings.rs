//! New code without the authorization that all code next to it has.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::siblings::{Lack, What, lacking, listed};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/authorization-unlike-siblings",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby",
    ],
    title: "New code lacks the authorization of its siblings",
    why: "All functions, routes or classes next to it that do the same check what the caller may do or whom the data belongs to. \
          The new one doesn't, so callers who are refused elsewhere can read or change the data here.",
    fix: "Add the check that the siblings have. If the new code is open on purpose, say so in a comment.",
    references: &["CWE-862", "CWE-639"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program", "source_file", "compilation_unit"]),
        run,
    },
    positive: &[
        r#"
path: src/views.py
 @authorize
 def pause(request, code):
     check = get_object_or_404(Check, code=code)
     if check.project_id != request.project.id:
         return HttpResponseForbidden()
     check.pause()
     return HttpResponse()

 @authorize
 def resume(request, code):
     check = get_object_or_404(Check, code=code)
     if check.project_id != request.project.id:
         return HttpResponseForbidden()
     check.resume()
     return HttpResponse()

+@authorize
+def history(request, code):
+    check = get_object_or_404(Check, code=code)
^
+    return JsonResponse({"flips": check.flips()})
"#,
        r#"
path: src/StationController.php
 <?php
 class StationController extends Controller
 {
     #[NotInDemo]
     public function update(StationRequest $request, Station $station)
     {
         $this->authorize('edit', $station);
         return StationResource::make($this->service->update($station, $request->toDto()));
     }

+    #[NotInDemo]
+    public function toggle(Station $station)
^
+    {
+        $station->change(['is_public' => !$station->is_public]);
+        return StationResource::make($station);
+    }
+
     #[NotInDemo]
     public function destroy(Station $station)
     {
         $this->authorize('delete', $station);
         $station->erase();
         return response()->noContent();
     }
 }
"#,
        r#"
path: src/application.go
 func (a *API) Delete(ctx *gin.Context) {
 	app, err := a.DB.GetApplicationByID(id)
 	if err != nil {
 		return
 	}
 	if app != nil && app.UserID == auth.GetUserID(ctx) {
 		a.DB.Erase(app)
 	} else {
 		ctx.AbortWithError(404, missing)
 	}
 }

 func (a *API) Rename(ctx *gin.Context) {
 	app, err := a.DB.GetApplicationByID(id)
 	if err != nil {
 		return
 	}
 	if app != nil && app.UserID == auth.GetUserID(ctx) {
 		a.DB.Rename(app)
 	} else {
 		ctx.AbortWithError(404, missing)
 	}
 }

+func (a *API) Show(ctx *gin.Context) {
+	app, err := a.DB.GetApplicationByID(id)
^
+	if err != nil || app == nil {
+		return
+	}
+	ctx.JSON(200, app)
+}
"#,
        r#"
path: src/links.js
 router.get("/admin", handle(auth.login), handle(auth.admin), handle(link.list));

 router.post("/admin/ban/:id", handle(auth.login), handle(auth.admin), handle(link.ban));

 router.put("/admin/:id", handle(auth.login), handle(auth.admin), handle(link.edit));

+router.post("/admin/unban/:id", handle(auth.login), handle(link.unban));
^
"#,
        r#"
path: src/views.py
 class RoomList(PermissionRequiredMixin, ListView):
     permission_required = ("core.view_room",)
     model = Room

 class RoomAdd(PermissionRequiredMixin, CreateView):
     permission_required = ("core.add_room",)
     model = Room

 class RoomDelete(PermissionRequiredMixin, DeleteView):
     permission_required = ("core.delete_room",)
     model = Room

+class RoomExport(View):
^
+    def get(self, request):
+        return csv_of(Room.objects.all())
"#,
        r#"
path: src/documents.ts
 export async function rename(documentId: string, title: string, teamId: number) {
   const document = await prisma.document.findFirstOrThrow({ where: { id: documentId, teamId } });
   return save({ ...document, title });
 }

 export async function archive(documentId: string, teamId: number) {
   const document = await prisma.document.findFirstOrThrow({ where: { id: documentId, teamId } });
   return save({ ...document, archived: true });
 }

+export async function publish(documentId: string) {
+  const document = await prisma.document.findFirstOrThrow({ where: { id: documentId } });
^
+  return save({ ...document, published: true });
+}
"#,
        r#"
path: src/Rooms.java
 class RoomController {
     @PreAuthorize("hasRole('ADMIN')")
     @PostMapping("/rooms")
     Room add(@RequestBody Room room) {
         return rooms.store(room);
     }

     @PreAuthorize("hasRole('ADMIN')")
     @PostMapping("/rooms/close")
     Room close(@RequestBody Room room) {
         return rooms.store(room.closed());
     }

+    @PostMapping("/rooms/open")
+    Room open(@RequestBody Room room) {
^
+        return rooms.store(room.opened());
+    }
 }
"#,
        r#"
path: src/RoomsController.cs
 public class RoomsController : Controller
 {
     [HttpPost("close")]
     [Authorize(Policy = "Admin")]
     public async Task<Room> Close(RoomRequest request)
     {
         return await _rooms.CloseRoomAsync(request.Id);
     }

     [HttpPost("lock")]
     [Authorize(Policy = "Admin")]
     public async Task<Room> Lock(RoomRequest request)
     {
         return await _rooms.CloseRoomAsync(request.Id);
     }

+    [HttpPost("open")]
+    public async Task<Room> Open(RoomRequest request)
^
+    {
+        return await _rooms.CloseRoomAsync(request.Id);
+    }
 }
"#,
        r#"
path: app/controllers/users_controller.rb
 class UsersController < ApplicationController
   before_action :require_admin, only: [:ban, :unban]

   def ban
     target = User.find_by_name(params[:name])
     target.ban!
     redirect_to user_path(target)
   end

   def unban
     target = User.find_by_name(params[:name])
     target.unban!
     redirect_to user_path(target)
   end

+  def mute
^
+    target = User.find_by_name(params[:name])
+    target.mute!
+    redirect_to user_path(target)
+  end
 end
"#,
    ],
    negative: &[
        r#"
path: src/Rooms.java
 class RoomController {
     @PreAuthorize("hasRole('ADMIN')")
     @PostMapping("/rooms")
     Room add(@RequestBody Room room) {
         return rooms.store(room);
     }

     @PreAuthorize("hasRole('ADMIN')")
     @PostMapping("/rooms/close")
     Room close(@RequestBody Room room) {
         return rooms.store(room.closed());
     }

+    @Secured("ADMIN")
+    @PostMapping("/rooms/open")
+    Room open(@RequestBody Room room) {
+        return rooms.store(room.opened());
+    }
 }
"#,
        r#"
path: src/RoomsController.cs
 public class RoomsController : Controller
 {
     [HttpPost("close")]
     [Authorize(Policy = "Admin")]
     public async Task<Room> Close(RoomRequest request)
     {
         return await _rooms.CloseRoomAsync(request.Id);
     }

     [HttpPost("lock")]
     [Authorize(Policy = "Admin")]
     public async Task<Room> Lock(RoomRequest request)
     {
         return await _rooms.CloseRoomAsync(request.Id);
     }

+    [HttpPost("open")]
+    public async Task<Room> Open(RoomRequest request)
+    {
+        if (!request.Caller.IsAdmin)
+        {
+            return Forbid();
+        }
+        return await _rooms.CloseRoomAsync(request.Id);
+    }
 }
"#,
        r#"
path: app/controllers/users_controller.rb
 class UsersController < ApplicationController
   before_action :require_admin, only: [:ban, :unban, :mute]

   def ban
     target = User.find_by_name(params[:name])
     target.ban!
     redirect_to user_path(target)
   end

   def unban
     target = User.find_by_name(params[:name])
     target.unban!
     redirect_to user_path(target)
   end

+  def mute
+    target = User.find_by_name(params[:name])
+    target.mute!
+    redirect_to user_path(target)
+  end
 end
"#,
        r#"
path: src/application.go
 func (a *API) Delete(ctx *gin.Context) {
 	app, err := a.DB.GetApplicationByID(id)
 	if app != nil && app.UserID == auth.GetUserID(ctx) {
 		a.DB.Erase(app)
 	} else {
 		ctx.AbortWithError(404, missing)
 	}
 }

 func (a *API) Rename(ctx *gin.Context) {
 	app, err := a.DB.GetApplicationByID(id)
 	if app != nil && app.UserID == auth.GetUserID(ctx) {
 		a.DB.Rename(app)
 	} else {
 		ctx.AbortWithError(404, missing)
 	}
 }

+func (a *API) Show(ctx *gin.Context) {
+	app, err := a.DB.GetApplicationByID(id)
+	if err != nil || app == nil || app.UserID != callerOf(ctx) {
+		return
+	}
+	ctx.JSON(200, app)
+}
"#,
        r#"
path: src/views.py
 @authorize
 def pause(request, code):
     check = get_object_or_404(Check, code=code)
     if check.project_id != request.project.id:
         return HttpResponseForbidden()
     check.pause()
     return HttpResponse()

 @authorize
 def resume(request, code):
     check = get_object_or_404(Check, code=code)
     if check.project_id != request.project.id:
         return HttpResponseForbidden()
     check.resume()
     return HttpResponse()

+@authorize
+def history(request, code):
+    check = get_object_or_404(Check, code=code, project=request.project)
+    return JsonResponse({"flips": check.flips()})
"#,
        r#"
path: src/StationController.php
 <?php
 class StationController extends Controller
 {
     #[NotInDemo]
     public function update(StationRequest $request, Station $station)
     {
         $this->authorize('edit', $station);
         return StationResource::make($this->service->update($station, $request->toDto()));
     }

+    #[NotInDemo]
+    public function toggle(Station $station)
+    {
+        abort_unless($this->user->can('edit', $station), 403);
+        $station->change(['is_public' => !$station->is_public]);
+        return StationResource::make($station);
+    }
+
+    private function shown(Station $station)
+    {
+        $station->change(['is_shown' => true]);
+        return StationResource::make($station);
+    }
+
     #[NotInDemo]
     public function destroy(Station $station)
     {
         $this->authorize('delete', $station);
         $station->erase();
         return response()->noContent();
     }
 }
"#,
        r#"
path: src/links.js
 router.get("/admin", handle(auth.login), handle(auth.admin), handle(link.list));

 router.post("/admin/ban/:id", handle(auth.login), handle(auth.admin), handle(link.ban));

 router.put("/admin/:id", handle(auth.login), handle(auth.admin), handle(link.edit));

+router.post("/links/report/:id", handle(auth.login), handle(link.report));
"#,
        r#"
path: src/views.py
 class RoomList(PermissionRequiredMixin, ListView):
     permission_required = ("core.view_room",)
     model = Room

 class RoomAdd(PermissionRequiredMixin, CreateView):
     permission_required = ("core.add_room",)
     model = Room

 class RoomDelete(PermissionRequiredMixin, DeleteView):
     permission_required = ("core.delete_room",)
     model = Room

+class RoomExport(RoomList):
+    def render_to_response(self, context):
+        return csv_of(Room.objects.all())
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
    Some(match &lack.what {
        What::Authorization(check) => {
            format!("`{name}` has no `{check}`, but {siblings} have it.")
        }
        What::Owner { call, member } => format!(
            "`{name}` doesn't compare `{member}` of what `{}` returns with the caller, as {siblings} do.",
            quote(call)
        ),
        What::Filter { call, name: filter } => format!(
            "`{name}` calls `{}` without `{filter}`, by which {siblings} limit it to the caller's data.",
            quote(call)
        ),
        _ => return None,
    })
}
