//! Probes, limits and restrictions that were removed from a deployment.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/limit-removed",
    languages: &["YAML", "Dockerfile", "HCL"],
    title: "Probe, limit or restriction of a service removed",
    why: "Without probes, requests reach a service that is not ready or hangs; without limits, one container can take the \
          memory of its host or a job can run for hours; without restrictions, a compromised container can do more.",
    fix: "Keep it, or write why the service does not need it.",
    references: &[
        "https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
    ],
    priority: Priority::P2,
    category: Category::Configuration,
    tests: Tests::Skip,
    check: Check::Text { run },
    positive: &[
        r#"
path: k8s/shop.yml
             httpGet:
               path: /livez
               port: http
-          readinessProbe:
^
-            httpGet:
-              path: /readyz
-              port: http
           volumeMounts:
             - mountPath: /data
"#,
        r#"
path: k8s/shop.yml
           image: shop:1.2
-          resources:
-            limits:
^
-              memory: 512Mi
           ports:
"#,
        r#"
path: k8s/shop.yml
           securityContext:
-            runAsNonRoot: true
^
             capabilities:
"#,
        r#"
path: compose.yml
   db:
     image: postgres:16
-    healthcheck:
^
-      test: ["CMD", "pg_isready"]
     volumes:
"#,
        r#"
path: .github/workflows/ci.yml
   build:
     runs-on: ubuntu-latest
-    timeout-minutes: 10
^
     steps:
"#,
        r#"
path: Dockerfile
 FROM debian:12
-HEALTHCHECK CMD curl -f http://localhost/ || exit 1
^
 CMD ["shop"]
"#,
        r#"
path: main.tf
 resource "aws_db_instance" "orders" {
   engine = "postgres"
   lifecycle {
-    prevent_destroy = true
^
     ignore_changes = [tags]
   }
 }
"#,
    ],
    negative: &[
        r#"
path: k8s/shop.yml
-          readinessProbe:
-            httpGet:
-              path: /readyz
+          readinessProbe:
+            exec:
+              command: [ready]
"#,
        r#"
path: k8s/shop.yml
-        - name: sidecar
-          image: proxy:1
-          readinessProbe:
-            httpGet:
-              path: /readyz
         - name: shop
"#,
        r#"
path: k8s/shop.yml
           image: shop:1.2
-          resources:
-            limits:
-              memory: 512Mi
+          resources: {{ toYaml .Values.resources | nindent 12 }}
"#,
        r#"
path: .github/workflows/ci.yml
-  build:
-    runs-on: ubuntu-latest
-    timeout-minutes: 10
-    steps:
-      - run: make
   test:
"#,
        r#"
path: .github/workflows/ci.yml
   build:
-    timeout-minutes: 10
+    timeout-minutes: 20
"#,
        r#"
path: Dockerfile
 FROM alpine
-HEALTHCHECK CMD wget -q http://localhost/
+HEALTHCHECK --interval=5s CMD wget -q http://localhost/
"#,
        r#"
path: main.tf
 resource "aws_db_instance" "orders" {
   engine = "postgres"
   lifecycle {
-    prevent_destroy = true
+    prevent_destroy = var.is_production
     ignore_changes = [tags]
   }
 }
"#,
    ],
};

/// The start of a line with a limit, and the protection that is lost with it.
const LIMITS: &[(&str, &str)] = &[
    ("readinessProbe:", "the readiness probe"),
    ("livenessProbe:", "the liveness probe"),
    ("startupProbe:", "the startup probe"),
    ("healthcheck:", "the health check"),
    ("HEALTHCHECK ", "the health check"),
    ("limits:", "the limits of its resources"),
    ("mem_limit:", "the limit of its memory"),
    ("timeout-minutes:", "the time limit"),
    ("activeDeadlineSeconds:", "the time limit"),
    (
        "runAsNonRoot: true", "the rule that it must not run as root",
    ),
    ("readOnlyRootFilesystem: true", "its read-only file system"),
    (
        "allowPrivilegeEscalation: false", "the ban on gaining privileges",
    ),
    ("no-new-privileges", "the ban on gaining privileges"),
    (
        "deletion_protection = true", "the protection against deletion",
    ),
    (
        "prevent_destroy = true", "the protection against destruction",
    ),
];

/// Lines of the service or job itself. If one of them is removed, the limit is removed with its owner.
const OWNERS: &[&str] = &[
    "image:", "name:", "container_name:", "runs-on:", "uses:", "steps:", "kind:", "FROM ",
    "containers:", "services:", "resource \"", "securityContext:",
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    /// An edit that adds more lines than this may replace the limit with something else.
    const FEW: usize = 8;
    /// An edit that removes more lines than this is a redesign.
    const MOST: usize = 20;
    let added: String = context.added().flat_map(|line| [line.text, "\n"]).collect();
    // A template, an anchor or another file may set the limit.
    if ["<<:", "extends", "{{"]
        .iter()
        .any(|sign| added.contains(sign))
    {
        return;
    }
    let stays: Vec<bool> = LIMITS
        .iter()
        .map(|(key, _)| added.contains(word_of(key)))
        .collect();
    for edit in context
        .edits()
        .into_iter()
        .filter(|edit| edit.added.len() <= FEW)
    {
        let removed: Vec<_> = edit
            .removed
            .iter()
            .filter(|line| !is_blank(line.text))
            .collect();
        // A limit is removed with the service that it belongs to.
        if removed.len() > MOST || removed.iter().any(|line| is_owner(line.text)) {
            continue;
        }
        let lost = removed.iter().find_map(|line| {
            let text = without_mark(line.text);
            let limit = LIMITS
                .iter()
                .zip(&stays)
                .find(|((key, _), stays)| !**stays && text.starts_with(key));
            limit.map(|((_, what), _)| (line, what))
        });
        if let Some((line, what)) = lost {
            sink.report(
                **line,
                format!("The change takes away {what}, and nothing replaces it."),
            );
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty() || text.trim_start().starts_with('#')
}

fn without_mark(text: &str) -> &str {
    text.trim_start().trim_start_matches("- ")
}

fn is_owner(text: &str) -> bool {
    OWNERS
        .iter()
        .any(|owner| without_mark(text).starts_with(owner))
}

/// A key without its value.
fn word_of(key: &str) -> &str {
    key.split([':', ' ']).next().unwrap_or(key)
}
