//! Settings that expose the internals of a service to everyone.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, LineKind, Priority};
use syntax::semantics::secrets::LazyPattern;

pub(crate) const RULE: Rule = Rule {
    id: "any/management-open",
    languages: &[],
    title: "Management endpoint exposed",
    why: "Management endpoints, consoles and debug pages show the environment with its passwords, memory dumps and source code, and \
          some run code. Scanners look for them.",
    fix: "Expose only what is needed (`health`), and require a login for the rest.",
    references: &[
        "CWE-215",
        "CWE-489",
        "https://docs.spring.io/spring-boot/reference/actuator/endpoints.html",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/app.js
-app.use(cors({ origin: 'https://shop.example.com' }));
+app.use(cors({ origin: '*' }));
^
"#,
        r#"
path: src/app.go
-		AllowedOrigins: []string{"https://shop.example.com"},
+		AllowedOrigins: []string{"*"},
^
"#,
        r#"
path: src/main/resources/application.properties
-management.endpoints.web.exposure.include=health
+management.endpoints.web.exposure.include=*
^
"#,
        r#"
path: src/main/resources/application.yml
 management:
   endpoints:
     web:
       exposure:
-        include: health,info
+        include: "*"
^
"#,
        r#"
path: src/main/resources/application-prod.properties
+spring.h2.console.enabled=true
^
"#,
        r#"
path: shop/settings.py
-DEBUG = os.environ.get("DEBUG") == "1"
+DEBUG = True
^
"#,
        r#"
path: .env
-APP_DEBUG=false
+APP_DEBUG=true
^
"#,
        r#"
path: nginx.conf
-    add_header Access-Control-Allow-Origin https://shop.example.com;
+    add_header Access-Control-Allow-Origin *;
^
"#,
    ],
    negative: &[
        r#"
path: src/app.js
-app.use(cors({ origin: '*' }));
+app.use(cors({ origin: 'https://shop.example.com' }));
"#,
        r#"
path: src/main/resources/application.properties
+management.endpoints.web.exposure.include=health,info
"#,
        r#"
path: src/main/resources/application-dev.properties
+management.endpoints.web.exposure.include=*
+spring.h2.console.enabled=true
"#,
        r#"
path: src/main/resources/application.yml
 management:
   endpoints:
     web:
       exposure:
         include: health
         exclude:
+          - "*"
"#,
        r#"
path: shop/settings.py
-DEBUG = True
+DEBUG = os.environ.get("DEBUG") == "1"
"#,
        r#"
path: shop/settings_local.py
-DEBUG = False
+DEBUG = True
"#,
        r#"
path: src/a.py
-    debug = False
+    debug = True
"#,
    ],
};

/// A setting that exposes the service wherever it is, and its effect.
static SETTINGS: [(LazyPattern, &str); 5] = [
    (
        LazyPattern::new(
            r#"^\s*management\.endpoints\.(?:web|jmx)\.exposure\.include\s*[=:]\s*["']?\*"#,
        ),
        "exposes all management endpoints",
    ),
    (
        LazyPattern::new(r"^\s*management\.security\.enabled\s*[=:]\s*false"),
        "exposes the management endpoints without a login",
    ),
    (
        LazyPattern::new(
            r"^\s*(?:management\.endpoint\.env\.show-values|management\.endpoint\.configprops\.show-values)\s*[=:]\s*always",
        ),
        "shows the values of all settings",
    ),
    (
        LazyPattern::new(r"^\s*spring\.h2\.console\.settings\.web-allow-others\s*[=:]\s*true"),
        "opens the database console to other machines",
    ),
    (
        LazyPattern::new(r"^\s*spring\.h2\.console\.enabled\s*[=:]\s*true"),
        "opens the database console",
    ),
];

/// A setting that was off, and its effect when it is on. The pattern is that of the added line; a removed line has the
/// same name.
static SWITCHED: [(LazyPattern, &str); 5] = [
    (
        LazyPattern::new(r"^\s*(DEBUG)\s*=\s*True\s*(?:#.*)?$"),
        "shows source code and settings in error pages",
    ),
    (
        LazyPattern::new(
            r#"^\s*(?:export\s+)?(?:- )?((?:APP|FLASK|DJANGO|RAILS|SYMFONY|WP)_DEBUG)\s*[=:]\s*["']?(?:true|1|True)["']?\s*$"#,
        ),
        "shows the inside of the program in error pages",
    ),
    (
        LazyPattern::new(r"(?i)^\s*(display_errors)\s*=\s*(?:on|1)\s*$"),
        "shows errors of the program to its visitors",
    ),
    (
        LazyPattern::new(
            r#"\b(origin|AllowedOrigins|AllowOrigins|allowedOrigins|allow_origins|origins)["']?\s*[:=]?\s*(?:\[\]string\{|\[|\()?\s*["']\*["']"#,
        ),
        "lets every web site use the service on behalf of its users",
    ),
    (
        LazyPattern::new(r#"(?i)(Access-Control-Allow-Origin)["']?[\s:=]+["']?\*"#),
        "lets every web site read the answers",
    ),
];

const OWN: &[&str] = &[
    "dev", "develop", "development", "local", "test", "tests", "example", "examples", "sample",
    "demo", "docs", "e2e", "ci",
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let path = context.file.path.to_ascii_lowercase();
    if path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| OWN.contains(&part))
    {
        return;
    }
    let is_spring =
        path.ends_with(".properties") || path.ends_with(".yml") || path.ends_with(".yaml");
    let name = |text: &str| {
        text.trim()
            .split(['=', ':'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    const KEYS: &[&str] = &["debug", "display_errors", "origin"];
    /// Maximum number of removed lines that are compared with each added one.
    const MOST: usize = 32;
    let names_key = |line: &&review::Line<'_>| {
        let lower = line.text.to_ascii_lowercase();
        KEYS.iter().any(|key| lower.contains(key))
    };
    let former: Vec<_> = context.removed().filter(names_key).take(MOST).collect();
    for line in context.added() {
        let matches = |(pattern, _): &&(LazyPattern, &str)| pattern.is_match(line.text);
        if is_spring && let Some((_, what)) = SETTINGS.iter().find(matches) {
            sink.report(line, format!("`{}` {what}.", quote(&name(line.text))));
        }
        if former.is_empty() {
            continue;
        }
        // These languages have their own rules about other origins.
        let has_own = matches!(context.file.language, "Python" | "Java" | "C#" | "PHP")
            && line.text.to_ascii_lowercase().contains("origin");
        for (pattern, what) in SWITCHED.iter().filter(|_| !has_own) {
            let Some(found) = pattern
                .get()
                .and_then(|own| own.captures(line.text.as_bytes()))
            else {
                continue;
            };
            let Some(key) = found.get(1).and_then(|part| line.text.get(part.range())) else {
                continue;
            };
            let was_off =
                |old: &review::Line<'_>| old.text.contains(key) && !pattern.is_match(old.text);
            if former.iter().any(|old| was_off(old)) {
                sink.report(line, format!("`{}` {what}.", quote(key)));
            }
        }
    }
    if is_spring {
        exposure(context, sink);
    }
}

/// `exposure:` with `include: "*"` below it.
fn exposure(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let mut above: Vec<&str> = Vec::new();
    for line in context
        .lines()
        .iter()
        .filter(|line| line.kind != LineKind::Removed)
    {
        let text = line.text.trim();
        let value = text
            .trim_start_matches("include:")
            .trim_start_matches('-')
            .trim()
            .trim_matches(['"', '\'']);
        let is_all = value == "*" && (text.starts_with("include:") || text.starts_with('-'));
        let is_exposed = above
            .iter()
            .rev()
            .take(2)
            .any(|own| own.starts_with("exposure:"))
            && (text.starts_with("include:")
                || above.last().is_some_and(|own| own.starts_with("include:")));
        if line.kind == LineKind::Added && is_all && is_exposed {
            sink.report(line, "`exposure.include` exposes all management endpoints.");
        }
        if !text.is_empty() && !text.starts_with('#') {
            above.push(text);
        }
    }
}
