//! The precedence of flags, environment, file and defaults; and the report of all faults together.

use serde_json::{Value, json};

use crate::support::Place;

/// The setting `name` in `hunkwise config --json`: value and source.
fn shown(place: &Place, arguments: &[&str], name: &str) -> (Value, Value) {
    let config = place.json(&[&["config", "--json"], arguments].concat());
    let settings = config["settings"].as_array().unwrap();
    let setting = settings
        .iter()
        .find(|setting| setting["name"] == name)
        .unwrap();
    (setting["value"].clone(), setting["source"].clone())
}

#[test]
fn the_environment_overrides_the_file_and_the_file_overrides_the_default() {
    let file = "[limits]\ndiff_bytes = 1_000\nfindings = 0x20\n";
    let place = Place::new().variable("HUNKWISE_LIMITS__DIFF_BYTES", "2000");
    place.write("a.toml", file);
    let config = ["--config", "a.toml"];
    assert_eq!(
        shown(&place, &config, "limits.diff_bytes"),
        (json!(2000), json!("HUNKWISE_LIMITS__DIFF_BYTES"))
    );
    assert_eq!(
        shown(&place, &config, "limits.findings"),
        (json!(32), json!("a.toml:3:1"))
    );
    assert_eq!(
        shown(&place, &config, "limits.diff_lines"),
        (json!(100_000), json!("default"))
    );
    let place = place.variable("HUNKWISE_CONFIG", "a.toml");
    assert_eq!(shown(&place, &[], "limits.findings").1, json!("a.toml:3:1"));
}

#[test]
fn flags_override_everything() {
    let place = Place::new().variable("HUNKWISE_DATABASE", "sqlite://variable.db");
    place.write("a.toml", "database = 'sqlite://file.db'\n");
    assert_eq!(
        place
            .run(&[
                "migrate", "--config", "a.toml", "--database", "sqlite://flag.db"
            ])
            .status,
        0
    );
    assert!(place.path("flag.db").exists());
    assert!(!place.path("variable.db").exists() && !place.path("file.db").exists());
    assert_eq!(place.run(&["migrate", "--config", "a.toml"]).status, 0);
    assert!(place.path("variable.db").exists() && !place.path("file.db").exists());
}

#[test]
fn all_faults_are_reported_together_with_their_places() {
    let place = Place::new()
        .variable("HUNKWISE_LIMITS_FINDINGS", "3")
        .variable("HUNKWISE_LIMITS__QUEUE_SECONDS", "soon")
        .variable("HUNKWISE_TOKEN", "hw_canary")
        .variable("HUNKWISE_SERVICE_HOST", "10.0.0.1");
    place.write(
        "a.toml",
        "bind = 8080\ndatabse = 'x'\n\n[limits]\n  diff_bytes = 'many'\ndiff_lines = 0\nreviews_total = [1]\n\n[limit]\na = 1\n",
    );
    let message = place.refused(
        2,
        &["serve", "--config", "a.toml", "--shutdown-grace", "never"],
    );
    let lines: Vec<_> = message.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "warning: HUNKWISE_LIMITS_FINDINGS: unknown setting; did you mean HUNKWISE_LIMITS__FINDINGS?",
            "error: the settings are not valid (8 faults):",
            "a.toml:1:1: bind: expected an IP address with a port, such as 127.0.0.1:8080, not 8080",
            "a.toml:2:1: databse: unknown setting; did you mean database?",
            "a.toml:5:3: limits.diff_bytes: expected a whole number from 1 to 1073741824, not \"many\"",
            "a.toml:6:1: limits.diff_lines: expected a whole number from 1 to 1073741824, not 0",
            "a.toml:7:1: limits.reviews_total: expected a whole number from 1 to 1048576, not an array",
            "a.toml:9:2: limit: unknown section; did you mean limits?",
            "HUNKWISE_LIMITS__QUEUE_SECONDS: limits.queue_seconds: expected a whole number from 0 to 86400, not \"soon\"",
            "--shutdown-grace: shutdown_grace_seconds: expected a whole number from 0 to 86400, not \"never\"",
        ]
    );
}

#[test]
fn the_public_url_is_an_https_address_without_a_path() {
    let url = |url: &str| Place::new().variable("HUNKWISE_PUBLIC_URL", url);
    for good in [
        "https://hunkwise.example.com", "https://hunkwise.example.com:8443",
    ] {
        assert_eq!(shown(&url(good), &[], "public_url").0, json!(good));
    }
    for bad in [
        "http://hunkwise.example.com", "hunkwise.example.com", "https://a.example/",
        "https://a.example/x", "https://a.example:443",
    ] {
        let message = url(bad).refused(2, &["config"]);
        assert!(
            message
                .contains("public_url: expected https://HOST or https://HOST:PORT without a path"),
            "{message}"
        );
    }
}

#[test]
fn a_file_that_is_not_toml_is_refused_with_line_and_column() {
    let place = Place::new();
    place.write("a.toml", "# é\nbind = \"é\" x\n[limits\n");
    let message = place.refused(2, &["config", "--config", "a.toml"]);
    assert!(
        message.contains("\n  a.toml:2:12: ") && message.contains("\n  a.toml:3:"),
        "{message}"
    );
    let message = place.refused(2, &["config", "--config", "none.toml"]);
    assert!(
        message.contains("none.toml:1:1: cannot read the file: No such file"),
        "{message}"
    );
}

#[test]
fn a_table_is_not_a_value_and_a_value_is_not_a_table() {
    let place = Place::new();
    place.write(
        "a.toml",
        "bind.port = 1\nlimits = 3\nllm.models = 'gpt'\n[oidc.issuer]\nurl = 1\n",
    );
    let message = place.refused(2, &["config", "--config", "a.toml"]);
    for words in [
        "a.toml:1:1: bind: expected a value, not a table",
        "a.toml:2:1: limits: expected a table, not 3",
        "a.toml:3:5: llm.models: expected a table, not \"gpt\"",
        "a.toml:4:7: oidc.issuer: expected a value, not a table",
    ] {
        assert!(message.contains(words), "{words}\n{message}");
    }
}

#[test]
fn secrets_come_from_files_and_are_never_shown() {
    let place = Place::new().variable("HUNKWISE_DATABASE_FILE", "secret");
    place.write(
        "secret",
        "postgres://me:canary@db/hunkwise?password=canary\n",
    );
    place.write("a.toml", "database = 'postgres://me:canary@elsewhere/x'\n");
    let ended = place.run(&["config", "--config", "a.toml"]);
    assert_eq!(ended.status, 0);
    assert!(
        ended
            .stdout
            .contains("postgres://me:********@db/hunkwise?********"),
        "{}",
        ended.stdout
    );
    assert!(
        ended.stdout.contains("# HUNKWISE_DATABASE_FILE (secret)\n"),
        "{}",
        ended.stdout
    );
    place.write("secret", "mysql://me:canary@db\n");
    let refused = place.refused(2, &["config"]);
    assert!(
        refused.contains("HUNKWISE_DATABASE_FILE: database_file: expected sqlite://PATH"),
        "{refused}"
    );
    assert!(!refused.contains("canary") && !ended.stdout.contains("canary"));
}

/// The file `a.toml` with one model and these settings for it.
fn with_model(settings: &str) -> Place {
    let place = Place::new();
    let needed =
        "protocol = 'openai'\nmodel = 'm'\ncontext_window = 32000\nmax_output_tokens = 1000\n";
    place.write("a.toml", &["[[llm.models]]\n", needed, settings].concat());
    place
}

#[test]
fn passwords_in_urls_are_never_shown() {
    let place = with_model(
        "base_url = 'https://a.example/v1?key=canary'\nproxy = 'http://canary:canary@p.example:3128'\n",
    );
    for arguments in [&["config"][..], &["config", "--json"]] {
        let ended = place.run(&[arguments, &["--config", "a.toml"]].concat());
        assert_eq!(ended.status, 0);
        assert!(
            ended.stdout.contains("http://********@p.example:3128"),
            "{}",
            ended.stdout
        );
        assert!(!ended.stdout.contains("canary"), "{}", ended.stdout);
    }
    for (settings, words) in [
        (
            "base_url = 'https://canary:canary@a.example'\n",
            "llm.models.0.base_url: expected an http or https URL without a user name or a password, not \
             \"https://********@a.example\"; a key belongs in api_key or headers",
        ),
        (
            "base_url = 'https://canary@a.example'\n",
            "llm.models.0.base_url: expected an http or https URL without a user",
        ),
        (
            "base_url = 'https://a.example'\nproxy = 'htp://u:canary@p'\n",
            "llm.models.0.proxy: expected an http or https",
        ),
        (
            "base_url = 'https://a.example'\n[oidc]\nissuer = 'https://u:canary@i'\n",
            "oidc.issuer: expected an https URL",
        ),
        (
            "base_url = 'https://a.example'\n[telemetry]\notlp_endpoint = 'https://canary@o'\n",
            "otlp_headers",
        ),
        (
            "base_url = 'https://a.example'\n[cors]\nallowed_origins = ['https://u:canary@o']\n",
            "an array",
        ),
        (
            "base_url = 'https://a.example'\n[limits]\nfindings = 'https://u:canary@o'\n",
            "https://********@o",
        ),
    ] {
        let message = with_model(settings).refused(2, &["config", "--config", "a.toml"]);
        assert!(
            message.contains(words) && !message.contains("canary"),
            "{words}\n{message}"
        );
    }
}

#[test]
fn no_key_is_sent_over_plain_http_beyond_private_networks() {
    let config = ["config", "--config", "a.toml"];
    for secret in ["api_key = 'canary'\n", "headers = 'x: canary'\n"] {
        for url in [
            "http://llm.example.com/v1", "http://8.8.8.8:8000", "http://[2001:db8::1]/",
        ] {
            let message = with_model(&format!("base_url = '{url}'\n{secret}")).refused(2, &config);
            let (name, _) = secret.split_once(' ').unwrap();
            let words = format!(
                "a.toml:6:1: llm.models.0.base_url: over plain http anyone on the network path can read {name}; use https"
            );
            assert!(
                message.contains(&words) && !message.contains("canary"),
                "{message}"
            );
        }
        for url in [
            "https://llm.example.com", "http://127.0.0.1:1", "http://localhost", "http://10.1.2.3",
            "http://vllm:8000",
        ] {
            assert_eq!(
                with_model(&format!("base_url = '{url}'\n{secret}"))
                    .run(&config)
                    .status,
                0,
                "{url}"
            );
        }
    }
    assert_eq!(
        with_model("base_url = 'http://llm.example.com'\n")
            .run(&config)
            .status,
        0,
        "there is no key to read"
    );
    let place = Place::new().variable("HUNKWISE_TELEMETRY__OTLP_HEADERS", "x: canary");
    place.write(
        "a.toml",
        "[telemetry]\notlp_endpoint = 'http://otlp.example.com:4318'\n",
    );
    assert!(
        place
            .refused(2, &config)
            .contains("telemetry.otlp_endpoint: over plain http anyone")
    );
}

#[test]
fn a_secret_and_its_file_variant_in_one_source_are_rejected() {
    let place = Place::new();
    place.write(
        "a.toml",
        "database = 'sqlite://a.db'\ndatabase_file = 'secret'\n",
    );
    let message = place.refused(2, &["config", "--config", "a.toml"]);
    assert!(
        message.contains("a.toml:2:1: database: set here and at a.toml:1:1"),
        "{message}"
    );
}

#[test]
fn missing_and_invalid_values_are_reported_together_with_their_places() {
    let place = Place::new().variable("HUNKWISE_LLM__MODELS__0__API_KEY", "canary");
    place.write(
        "a.toml",
        "[oidc]\nissuer = 'http://id.example.com'\n[llm]\norganization_monthly_tokens = -7\n[[llm.models]]\nmodel = ''\n",
    );
    let message = place.refused(2, &["config", "--config", "a.toml"]);
    for words in [
        "a.toml:1:2: oidc.audience: missing; expected a non-empty string",
        "a.toml:2:1: oidc.issuer: expected an https URL (plain http to this machine only)",
        "a.toml:4:1: llm.organization_monthly_tokens: expected a whole number, at least 0, not -7",
        "a.toml:6:1: llm.models.0.model: expected a non-empty string, not \"\"",
        "llm.models.0.protocol: missing; expected one of \"openai\", \"openai-responses\", \"anthropic\", \"gemini\"",
    ] {
        assert!(message.contains(words), "{words}\n{message}");
    }
    assert!(!message.contains("canary"), "{message}");
}

#[test]
fn a_token_issuer_is_checked_and_shown() {
    let place = Place::new().variable("HUNKWISE_OIDC__SCOPES", "reviews:write organizations:read");
    let issuer = "[oidc]\nissuer = 'https://id.example.com/realms/x'\naudience = 'hunkwise'\n";
    place.write("a.toml", issuer);
    let config = ["--config", "a.toml"];
    assert_eq!(
        shown(&place, &config, "oidc.issuer").0,
        json!("https://id.example.com/realms/x")
    );
    assert_eq!(
        shown(&place, &config, "oidc.scopes").0,
        json!("reviews:write organizations:read")
    );
    for (line, words) in [
        (
            "scopes = 'reviews:read'",
            "oidc.scopes: expected some of \"organizations:read\", ",
        ),
        (
            "scopes = ['reviews:write']",
            "oidc.scopes: expected some of \"organizations:read\", ",
        ),
        (
            "jwks_url = 'http://id.example.com/keys'",
            "oidc.jwks_url: expected an https URL (plain http to this machine only)",
        ),
        (
            "client_id = 'console'",
            "oidc.redirect_url: missing; client_id needs an https URL",
        ),
        (
            "redirect_url = 'https://hunkwise.example.com/'\nclient_id = 'console'",
            "oidc.redirect_url: expected an https URL (plain http to this machine only) with the path /sign-in/callback, such as https://hunkwise.example.com/sign-in/callback, not \"https://hunkwise.example.com/\"",
        ),
        (
            "redirect_url = 'http://hunkwise.example.com/sign-in/callback'",
            "oidc.redirect_url: expected an https URL",
        ),
        (
            "redirect_url = 'https://hunkwise.example.com/sign-in/callback?x'",
            "oidc.redirect_url: expected an https URL",
        ),
        (
            "jwks_uri = 'https://id.example.com/keys'",
            "oidc.jwks_uri: unknown setting; did you mean oidc.jwks_url?",
        ),
    ] {
        let place = Place::new();
        place.write("a.toml", &[issuer, line].concat());
        let message = place.refused(2, &["config", "--config", "a.toml"]);
        assert!(
            message.contains("a.toml:4:1: ") && message.contains(words),
            "{words}\n{message}"
        );
    }
    place.write("a.toml", &issuer.replace("https", "http"));
    assert!(
        place
            .refused(2, &["serve", "--config", "a.toml"])
            .contains("a.toml:2:1: oidc.issuer: expected an https URL")
    );
}

#[test]
fn lists_are_arrays_or_comma_separated_variables() {
    let place = Place::new().variable("HUNKWISE_PROXY__TRUSTED", "10.0.0.0/8, fd00::/8");
    place.write(
        "a.toml",
        "[cors]\nallowed_origins = ['https://a.example', 'http://localhost:3000']\n",
    );
    let config = ["--config", "a.toml"];
    assert_eq!(
        shown(&place, &config, "proxy.trusted").0,
        json!(["10.0.0.0/8", "fd00::/8"])
    );
    assert_eq!(
        shown(&place, &config, "cors.allowed_origins").0,
        json!(["https://a.example", "http://localhost:3000"])
    );
    assert_eq!(
        shown(&Place::new(), &[], "cors.allowed_origins").0,
        json!([])
    );
    // The form that messages show is accepted everywhere.
    for (name, text, list) in [
        (
            "proxy.trusted",
            r#"["127.0.0.1/32"]"#,
            json!(["127.0.0.1/32"]),
        ),
        (
            "proxy.trusted",
            r#" ["10.0.0.0/8", "fd00::/8"] "#,
            json!(["10.0.0.0/8", "fd00::/8"]),
        ),
        ("proxy.trusted", "[]", json!([])),
        (
            "cors.allowed_origins",
            r#"["https://a.example"]"#,
            json!(["https://a.example"]),
        ),
    ] {
        let variable = format!("HUNKWISE_{}", name.replace('.', "__").to_uppercase());
        let place = Place::new().variable(&variable, text);
        assert_eq!(shown(&place, &[], name).0, list, "{text}");
    }
    for text in [
        r#"["127.0.0.1/32""#, r#"["127.0.0.1/32", 1]"#, "[10.0.0.0/8]",
    ] {
        let place = Place::new().variable("HUNKWISE_PROXY__TRUSTED", text);
        let message = place.refused(2, &["config", "check"]);
        assert!(message.contains("expected a list of networks"), "{message}");
    }
    let place = Place::new();
    for (text, words) in [
        (
            "[proxy]\ntrusted = ['10.0.0.1/8']\n",
            "a.toml:2:1: proxy.trusted: expected a list of networks, such as",
        ),
        (
            "[proxy]\ntrusted = '10.0.0.0/8'\n",
            "a.toml:2:1: proxy.trusted: expected a list of networks, such as",
        ),
        (
            "[cors]\nallowed_origins = ['*']\n",
            "a.toml:2:1: cors.allowed_origins: expected a list of origins, such as",
        ),
        (
            "[cors]\nallowed_origins = ['https://a.example/']\n",
            "cors.allowed_origins: expected a list of origins",
        ),
        (
            "[tls]\ncertificate_file = 'a.pem'\n", "a.toml:1:2: tls.key_file: missing",
        ),
        (
            "metrics_bind = 'on'\n",
            "a.toml:1:1: metrics_bind: expected an IP address with a port, such as 127.0.0.1:9464",
        ),
        (
            "[telemetry]\notlp_endpoint = 'http://c:4318'\nsampling_ratio = 2\n",
            "a.toml:3:1: telemetry.sampling_ratio",
        ),
    ] {
        place.write("a.toml", text);
        let message = place.refused(2, &["config", "--config", "a.toml"]);
        assert!(message.contains(words), "{words}\n{message}");
    }
}

#[test]
fn the_example_file_has_the_defaults() {
    let place = Place::new();
    let values = |arguments: &[&str]| -> Vec<(Value, Value)> {
        let config = place.json(&[&["config", "--json"], arguments].concat());
        let settings = config["settings"].as_array().unwrap().iter();
        settings
            .map(|setting| (setting["name"].clone(), setting["value"].clone()))
            .collect()
    };
    place.write("example.toml", &place.run(&["config", "--example"]).stdout);
    assert_eq!(values(&["--config", "example.toml"]), values(&[]));
    assert!(values(&[]).len() > 15);
}

#[test]
fn a_model_engine_needs_a_valid_model() {
    let place = Place::new();
    for (text, words) in [
        (
            "[llm]\ncache = true\n",
            "a.toml:1:2: [llm]: no model; add [[llm.models]]",
        ),
        (
            "[[llm.models]]\nmodel = 'm'\nbase_url = 'http://127.0.0.1:1'\n",
            "llm.models.0.protocol: missing",
        ),
    ] {
        place.write("a.toml", text);
        let message = place.refused(2, &["config", "--config", "a.toml"]);
        assert!(message.contains(words), "{words}\n{message}");
    }
}

#[test]
fn a_retired_setting_is_accepted_with_one_warning_that_names_its_places() {
    let place = Place::new().variable("HUNKWISE_LLM__EFFORT", "any");
    let alone = place.run(&["--strict-config", "config"]);
    let warning = "no longer has an effect and can be removed: a language model reads each part of a change once\n";
    assert_eq!(
        (alone.status, &*alone.stderr),
        (
            0,
            &*format!("warning: HUNKWISE_LLM__EFFORT: llm.effort {warning}")
        )
    );
    assert!(!alone.stdout.contains("effort"), "{}", alone.stdout);
    place.write(
        "a.toml",
        "[llm]\neffort = 7\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = 'http://127.0.0.1:1'\n\
         context_window = 9\nmax_output_tokens = 9\n",
    );
    let both = place.run(&["config", "--config", "a.toml"]);
    assert_eq!(
        (both.status, both.stderr.matches("warning").count()),
        (0, 1),
        "{both:?}"
    );
    assert_eq!(
        both.stderr,
        format!("warning: a.toml:2:1, HUNKWISE_LLM__EFFORT: llm.effort {warning}")
    );
    assert!(!both.stdout.contains("effort"), "{}", both.stdout);
    for more in ["--example", "--reference"] {
        assert!(
            !place.run(&["config", more]).stdout.contains("effort ="),
            "{more}"
        );
    }
}

#[test]
fn the_setting_for_managing_entitlements_is_checked() {
    let place = Place::new().variable("HUNKWISE_ENTITLEMENTS__MANAGED_BY", "owners");
    assert_eq!(
        shown(&place, &[], "entitlements.managed_by").0,
        json!("owners")
    );
    let message = Place::new()
        .variable("HUNKWISE_ENTITLEMENTS__MANAGED_BY", "members")
        .refused(2, &["config"]);
    assert!(
        message.contains("entitlements.managed_by: expected one of \"operators\", \"owners\""),
        "{message}"
    );
}

#[cfg(not(feature = "telemetry"))]
#[test]
fn a_build_without_traces_refuses_to_start_with_a_collector() {
    let place = Place::new().variable("HUNKWISE_TELEMETRY__OTLP_ENDPOINT", "http://127.0.0.1:1");
    let refusal = place.refused(2, &["serve", "--bind", "127.0.0.1:0"]);
    assert!(
        refusal.contains("[telemetry]") && refusal.contains("--features telemetry"),
        "{refusal}"
    );
    assert!(place.run(&["config"]).stdout.contains("otlp_endpoint"));
}
