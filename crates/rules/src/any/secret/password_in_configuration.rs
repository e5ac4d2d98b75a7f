//! Passwords and keys in configuration.

use std::collections::HashSet;

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, LineKind, Priority};
use syntax::parse::FileContext;
use syntax::semantics::secrets::{
    Style, TOKENS, assigned, is_document, is_example, is_random_secret, is_secret, named,
};

pub(crate) const RULE: Rule = Rule {
    id: "any/password-in-configuration",
    languages: &[],
    title: "Password or key in configuration",
    why: "Every reader of the repository, its history, a fork or a built image has the password. It stays in the history after \
          the line is deleted, and every installation shares it.",
    fix: "Change the password, and refer to a variable of the environment or to a secret store.",
    references: &["CWE-260", "CWE-798"],
    priority: Priority::P1,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: compose.yml
     environment:
-      - POSTGRES_PASSWORD=${POSTGRES_PASSWORD:?Variable not set}
+      - POSTGRES_PASSWORD=Tr0ub4dor&3xKq9
^
       - POSTGRES_DB=app
"#,
        r#"
path: src/main/resources/application.properties
 spring.jpa.open-in-view=false
+spring.datasource.password=Sup3rS3cretPw!42
^
"#,
        r#"
path: config/app.yaml
 db:
+  password: hunter22secret
^
"#,
        r#"
path: deploy/app.yaml
         env:
           - name: DB_PASSWORD
+            value: w3gTlcrhDFLGWrhh
^
"#,
        r#"
path: .env
+DB_PASSWORD=w3gTlcrhDFLGWrhh
^
"#,
        r#"
path: settings.json
 {
+  "smtp": { "user": "shop", "password": "w3gTlcrhDFLGWrhh" },
^
+  "Default": "Server=db;User=sa;Password=w3gTlcrhDFLGWrhh;"
^
 }
"#,
        r#"
path: main.tf
 variable "db_password" {
   type = string
+  default = "w3gTlcrhDFLGWrhh"
^
 }
"#,
        r#"
path: deploy.sh
+export API_TOKEN=w3gTlcrhDFLGWrhh
^
"#,
        r#"
path: config.toml
+secret_key = "w3gTlcrhDFLGWrhh"
^
"#,
        r#"
path: web.xml
+    <property name="db.password" value="w3gTlcrhDFLGWrhh"/>
^
"#,
    ],
    negative: &[
        r#"
path: compose.yml
     environment:
+      - POSTGRES_PASSWORD=${POSTGRES_PASSWORD:?Variable not set}
+      - REDIS_PASSWORD=changeme
+      - PASSWORD_FILE=/run/secrets/db2password
"#,
        r#"
path: deploy/app.yaml
         env:
           - name: DB_PASSWORD
             valueFrom:
+              secretKeyRef: {name: shop-db-v2, key: password}
           - name: SHOP_REVISION
+            value: w3gTlcrhDFLGWrhh
"#,
        r#"
path: config/app.yaml
 db:
+  password: "{{ vault_db_password }}"
+  token: vault:secret/data/db#token
+  secret: ENC[AES256_GCM,data:x8Zq==,iv:q8Zr]
+  api_key: !Ref ApiKey2
+  checksum: w3gTlcrhDFLGWrhh
+  public_key: w3gTlcrhDFLGWrhh
"#,
        r#"
path: config/app.yaml
-  db_password: w3gTlcrhDFLGWrhh
+  password: w3gTlcrhDFLGWrhh
"#,
        r#"
path: main.tf
+  password = random_password.db1.result
+  token = var.token2
"#,
        r#"
path: .env.example
+DB_PASSWORD=w3gTlcrhDFLGWrhh
"#,
        r#"
path: examples/app.yaml
+password: w3gTlcrhDFLGWrhh
"#,
        r#"
path: deploy.sh
+if [ "$PASSWORD" = w3gTlcrhDFLGWrhh ]; then
+export TOKEN="$(cat /run/secrets/token2)"
"#,
    ],
};

/// Longer lines are data.
const LONGEST: usize = 500;
/// Lines between the name of a variable and its value: `variable "password" {`, `- name: PASSWORD`.
const APART: usize = 5;

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let Some(style) = style(&context.file) else {
        return;
    };
    if is_document(&context.file) || context.file.is_test || is_example(context.file.path) {
        return;
    }
    // A value that already existed is not due to the change.
    let former: HashSet<&str> = context
        .removed()
        .flat_map(|line| assigned(line.text, style))
        .map(|own| own.value)
        .collect();
    let mut carried: Option<(&str, usize)> = None;
    for (at, line) in context.lines().iter().enumerate() {
        if line.kind == LineKind::Removed || line.text.len() > LONGEST || is_comment(line.text) {
            continue;
        }
        let found = assigned(line.text, style);
        if let Some(name) = declared(line.text) {
            carried = Some((name, at));
        }
        for own in &found {
            if matches!(own.name, "name" | "key" | "Name" | "Key") {
                carried = named(own.value).map(|_| (own.value, at));
            }
            let is_value = matches!(own.name, "value" | "default" | "Value" | "defaultValue");
            let name = match carried.filter(|(_, from)| is_value && at <= from + APART) {
                Some((name, _)) => name,
                None => own.name,
            };
            let is_real = if style == Style::Code {
                is_random_secret
            } else {
                is_secret
            };
            if line.kind == LineKind::Added
                && is_real(name, own.value)
                && !(is_plain(own.value, line.text) && has_sign_of_yaml(own.value, context))
                && !former.contains(own.value)
                && !TOKENS.knows(line.text)
            {
                let summary = format!(
                    "`{}` is set to a password or key in plain text.",
                    quote(name)
                );
                let place = sink.report(line, summary);
                if is_for_development(context.file.path) {
                    place.priority(Priority::P2);
                }
                break;
            }
        }
    }
}

/// How a file writes values, if it is configuration.
fn style(file: &FileContext<'_>) -> Option<Style> {
    let path = file.path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let end = name.rsplit('.').next().unwrap_or_default();
    match (file.language, end) {
        ("YAML", _) => Some(Style::Lines),
        ("Shell" | "Dockerfile", _) => Some(Style::Words),
        ("JSON" | "JSON with Comments" | "JSON5" | "HCL" | "TOML" | "XML", _) => {
            Some(Style::Quoted)
        }
        (
            _,
            "yml" | "yaml" | "properties" | "ini" | "cfg" | "conf" | "cnf" | "env" | "config"
            | "desktop",
        ) => Some(if end == "config" {
            Style::Quoted
        } else {
            Style::Lines
        }),
        (
            _,
            "toml" | "json" | "jsonc" | "json5" | "tf" | "tfvars" | "hcl" | "xml" | "plist" | "nix",
        ) => Some(Style::Quoted),
        (_, "sh" | "bash" | "zsh" | "envrc" | "ps1" | "bat" | "cmd") => Some(Style::Words),
        _ if name.starts_with(".env") || name == "credentials" || name == "dockerfile" => {
            Some(Style::Lines)
        }
        _ => None,
    }
}

/// The name in `variable "db_password" {`.
fn declared(line: &str) -> Option<&str> {
    let name = line
        .trim_start()
        .strip_prefix("variable \"")?
        .split('"')
        .next()?;
    named(name).map(|_| name)
}

fn is_comment(line: &str) -> bool {
    ["#", "//", ";", "<!--", "--"]
        .iter()
        .any(|mark| line.trim_start().starts_with(mark))
}

/// Whether a value has no quotation marks.
fn is_plain(value: &str, line: &str) -> bool {
    !["\"", "'"]
        .iter()
        .any(|mark| line.contains(&format!("{mark}{value}{mark}")))
}

/// An anchor, an alias or a tag of YAML.
fn has_sign_of_yaml(value: &str, context: &TextContext<'_>) -> bool {
    context.file.language == "YAML" && value.starts_with(['*', '&', '!', '|', '>', '@'])
}

/// Files that only developers and their builds use.
fn is_for_development(path: &str) -> bool {
    const WORDS: &[&str] = &[
        "dev", "develop", "development", "devcontainer", "local", "ci", "github", "gitlab",
        "vagrant",
    ];
    let path = path.to_ascii_lowercase();
    path.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| WORDS.contains(&part))
}
