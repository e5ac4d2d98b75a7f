//! No secret reaches a model. Each kind is planted at each place of a request, and searched for in everything that is
//! sent.

use proptest::prelude::*;
use proptest::string::string_regex;

use super::*;
use crate::fallback::{Chain, RetryPolicy};

/// Tokens with a recognizable form, wherever they appear.
const TOKENS: &[(&str, &str)] = &[
    ("AWS", "AKIA[A-Z2-7]{16}"),
    ("GitHub", "ghp_[A-Za-z0-9]{36}"),
    ("GitLab", "glpat-[A-Za-z0-9]{20}"),
    ("Slack", "xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}"),
    ("Stripe", "sk_live_[A-Za-z0-9]{24}"),
    ("Google", "AIza[A-Za-z0-9]{35}"),
    ("npm", "npm_[a-z0-9]{36}"),
    ("PyPI", "pypi-AgEIcHlwaS5vcmc[A-Za-z0-9]{70}"),
    ("Hunkwise", "hw_[A-Za-z0-9]{36}"),
    ("SendGrid", "SG\\.[A-Za-z0-9]{22}\\.[A-Za-z0-9]{43}"),
    (
        "age",
        "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
    ),
    (
        "JWT",
        "eyJhbGciOiJIUzI1NiJ9\\.eyJ[A-Za-z0-9]{40}\\.[A-Za-z0-9]{43}",
    ),
    ("Docker Hub", "dckr_pat_[A-Za-z0-9]{27}"),
    ("bcrypt", "\\$2y\\$10\\$[A-Za-z0-9]{53}"),
];

/// Contexts of a token: a string, a comment, a data language, on its own.
const WRITTEN: &[&str] = &[
    "x = \"@\"", "x = '@'", "f(@)", "# see @, please", "// @", "@", "a: @", "a=@",
    "{\"a\": \"@\"}", "<a>@</a>",
];

/// Secrets that only their surroundings reveal. `NAME` is in any case.
const NAMED: &[&str] = &[
    "NAMEpassword = \"@\"",
    "# NAMEpassword: @",
    "NAMEdb_password=@",
    "NAMEapi-key: @",
    "  NAMEsecret = @",
    "{\"NAMEclientSecret\": \"@\"}",
    "<NAMEpassword>@</NAMEpassword>",
    "<add key=\"NAMEpassword\" value=\"@\"/>",
    "let NAMEtoken: &str = \"@\";",
    "NAMEauthorization: Bearer @",
    "headers[\"NAMEauthorization\"] = \"basic @\"",
    "curl -H 'NAMEauthorization: bEaReR @' https://a.io",
    "curl -u shop:@ https://a.io",
    "tool --NAMEpassword @ run",
    "NAMEpostgres://shop:@@db.internal/orders",
    "NAMEmongodb+srv://shop:p%40@@cluster.mongodb.net",
    "NAMEredis://:@@cache:6379",
    "NAMEamqps://worker:@@10.2.0.4",
    "jdbc:oracle:thin:shop/@@db:1521/x",
    "jdbc:mysql://db/x?user=shop&NAMEpassword=@",
    "\"Server=db;User Id=shop;NAMEPassword=@;Encrypt=true\"",
    "https://a.io/x?NAMEaccess_token=@&y=1",
    "//registry.npmjs.org/:_NAMEauthToken=@",
    "machine a.io login shop NAMEpassword @",
    "NAMEcookie: theme=dark; sid=@; Path=/",
    "NAMEset-cookie: session=@; HttpOnly",
    "aws_NAMEsecret_access_key = @",
    "x-NAMEapi-key: @",
];

/// A value that resembles no word and no name.
const VALUE: &str = "([a-z][0-9][A-Z]){6}";

/// Texts of several lines in files of specific kinds. `NAME` and `@` as above; each `@@@@` is a line of a key.
const BLOCKS: &[(&str, &[&str])] = &[
    (
        "deploy.yaml",
        &["kind: Secret", "stringData:", "  plain: @"],
    ),
    (
        "deploy.yaml",
        &["apiVersion: v1", "data:", "  config: @", "kind: Secret"],
    ),
    ("deploy.yaml", &["kind: Secret", "data: {a: @, b: c}"]),
    (
        "deploy.json",
        &["{\"kind\": \"Secret\", \"data\": {\"a\": \"@\"}}"],
    ),
    ("values.yaml", &["password: |-", "  @"]),
    ("values.yaml", &["token: >", "  first part", "  @"]),
    (".netrc", &["machine a.io", "  login shop", "  password @"]),
    ("app/.env.production", &["export SMTP_PASS=@"]),
    (".npmrc", &["//r.io/:_password=@", "_auth=@"]),
    (".pypirc", &["[pypi]", "username = shop", "password: @"]),
    ("conf/.htpasswd", &["shop:@"]),
    ("home/.pgpass", &["db:5432:orders:shop:@"]),
    ("aws/credentials", &["[default]", "aws_session_token=@"]),
    ("redis.conf", &["requirepass @"]),
    ("src/a.py", &["password = (", "    \"@\"", ")"]),
    ("src/a.xml", &["<password>", "  @", "</password>"]),
    (
        "src/a.pem",
        &[
            "-----BEGIN RSA PRIVATE KEY-----", "@@@@", "@@@@", "@", "-----END RSA PRIVATE KEY-----",
        ],
    ),
    ("src/a.pem", &["@@@@", "@@@@", "@"]),
    ("src/a.java", &["    \"@@@@\\n\" +", "    \"@@@@\\n\" +"]),
    (
        "src/a.pem",
        &["@@@@", "@", "-----END OPENSSH PRIVATE KEY-----"],
    ),
    (
        "src/a.asc",
        &[
            "-----BEGIN PGP PRIVATE KEY BLOCK-----", "Version: 1", "", "@@@@", "@",
        ],
    ),
    ("a.ppk", &["Private-Lines: 2", "@@@@", "@"]),
    (
        "src/a.js",
        &["const k = \"-----BEGIN PRIVATE KEY-----\\n@@@@\\n@\\n-----END PRIVATE KEY-----\""],
    ),
];

fn filled(text: &str, name: &str, value: &str) -> String {
    // An `@` after a password in an address belongs to the address.
    let text = text
        .replace(
            "@@@@",
            &format!("\u{1}{}", "q7Hm2ZxP".repeat(6).split_at(46).0),
        )
        .replace("@@", &format!("{value}\u{2}"));
    let text = text.replace(['@', '\u{1}'], value).replace('\u{2}', "@");
    text.replace("NAME", name)
}

/// The place of a text in a request.
#[derive(Debug, Clone, Copy)]
enum Place {
    Added,
    Removed,
    Context,
    FirstAndLast,
    Heading,
    Path,
    Renamed,
    Neighbour,
    Guidelines,
    Description,
    Hint,
    Finding,
}

const EVERYWHERE: &[Place] = &[
    Place::Added,
    Place::Removed,
    Place::Context,
    Place::FirstAndLast,
    Place::Heading,
    Place::Path,
    Place::Renamed,
    Place::Neighbour,
    Place::Guidelines,
    Place::Description,
    Place::Hint,
    Place::Finding,
];
const LINES: &[Place] = &[
    Place::Added,
    Place::Removed,
    Place::Context,
    Place::FirstAndLast,
];

fn diff(locate: Place, path: &str, lines: &[String]) -> String {
    let marked = |mark: char| {
        lines
            .iter()
            .map(|line| format!("{mark}{line}\n"))
            .collect::<String>()
    };
    let text = lines.join(" ");
    let plain = "@@ -1,1 +1,2 @@\n before\n+after\n";
    let count = lines.len();
    match locate {
        Place::Added => format!(
            "--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,{} @@\n one\n{} two\n",
            count + 2,
            marked('+')
        ),
        Place::Removed => {
            format!(
                "--- a/{path}\n+++ b/{path}\n@@ -1,{} +1,2 @@\n one\n{} two\n",
                count + 2,
                marked('-')
            )
        }
        Place::Context => {
            format!(
                "--- a/{path}\n+++ b/{path}\n@@ -1,{} +1,{} @@\n{}+new\n",
                count,
                count + 1,
                marked(' ')
            )
        }
        Place::FirstAndLast => format!(
            "--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{count} @@\n{}",
            marked('+')
        ),
        Place::Heading => {
            format!("--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,2 @@ {text}\n before\n+after\n")
        }
        Place::Path => format!("--- a/x/{text}/a.py\n+++ b/x/{text}/a.py\n{plain}"),
        Place::Renamed => format!(
            "diff --git a/old/{text}/a.py b/x/{text}/a.py\nsimilarity index 90%\nrename from old/{text}/a.py\nrename to x/{text}/a.py\n--- a/old/{text}/a.py\n+++ b/x/{text}/a.py\n{plain}"
        ),
        Place::Neighbour => {
            format!(
                "--- a/x/pay.py\n+++ b/x/pay.py\n{plain}--- a/x/test_pay.py\n+++ b/x/test_pay.py\n@@ -1,1 +1,{} @@\n one\n{}",
                count + 1,
                marked('+')
            )
        }
        Place::Guidelines | Place::Description | Place::Hint | Place::Finding => {
            format!("--- a/a.py\n+++ b/a.py\n{plain}")
        }
    }
}

/// Everything that is sent with the text at this place: by the finder, after an unreadable reply, for the rest of a
/// reply, and to a second model.
async fn sent(locate: Place, path: &str, lines: &[String]) -> String {
    let text = lines.join("\n");
    // Without a path, it is the only file.
    let file = if matches!(locate, Place::Neighbour) {
        "x/pay.py"
    } else {
        ""
    };
    let raw = |summary: &str| {
        let finding = serde_json::json!({
            "file": file, "line": "NEW:1", "quote": "", "priority": "P1", "category": "LOGIC_BUG",
            "summary": summary, "fix": "", "evidence": "depends"
        });
        findings(&[finding.to_string()])
    };
    // An answer that is cut off after its finding.
    let cut = |act: Act| act.map(|(text, finish)| (text.trim_end_matches("]}").to_owned(), finish));
    let summary = if matches!(locate, Place::Finding) {
        &text
    } else {
        "It is wrong."
    };
    let first = Script::new(std::iter::repeat_with(|| Err(CallError::Declined)).take(9));
    let second = Script::new([answers("I cannot say."), cut(raw(summary))]);
    let models = [&first, &second].map(|model| Arc::clone(model) as Arc<dyn ChatModel>);
    let chain = Chain::new(models.into(), RetryPolicy::default(), Arc::new(|| 0.0)).unwrap();
    let engine = ModelEngine::new(
        Arc::new(chain),
        &Settings::default(),
        Redactor::new(syntax::semantics::secrets::secret_places),
    );
    let guidelines = matches!(locate, Place::Guidelines).then(|| text.clone());
    let hints = [Candidate {
        summary: if matches!(locate, Place::Hint) {
            text.clone()
        } else {
            "A check is gone.".to_owned()
        },
        ..hint(2, Priority::P1, Category::LogicBug)
    }];
    let change_description = matches!(locate, Place::Description).then(|| lines.join("\n"));
    let scope = Scope {
        guidelines,
        change_description,
        ..Scope::default()
    };
    let text = diff(locate, path, lines);
    review_as(&engine, &scope, &text, &hints).await;
    let asked: Vec<String> = [&first, &second]
        .iter()
        .flat_map(|model| {
            model
                .asked
                .lock()
                .unwrap()
                .iter()
                .map(|prompt| format!("{}{}", prompt.system, prompt.user))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(
        asked.len() >= 4,
        "the first model, the second, its second try, the rest: {locate:?} {}",
        asked.len()
    );
    asked.concat()
}

/// Whether a text contains a piece of a value that is long enough to be useful.
fn leaks(value: &str, text: &str) -> bool {
    const PIECE: usize = 12;
    (0..value.len().saturating_sub(PIECE - 1))
        .any(|start| text.contains(&value[start..start + PIECE]))
}

async fn missed(value: &str, locate: Place, path: &str, lines: &[String]) -> Option<String> {
    let sent = sent(locate, path, lines).await;
    leaks(value, &sent).then(|| format!("{locate:?} of {path}: {lines:?}"))
}

async fn all_missed(tokens: &[String], value: &str, name: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for locate in EVERYWHERE {
        for (token, (at, written)) in tokens.iter().flat_map(|token| {
            WRITTEN
                .iter()
                .enumerate()
                .map(move |written| (token, written))
        }) {
            // A path is a single word. Elsewhere one context for each kind is enough.
            if matches!(locate, Place::Added) || at == token.len() % WRITTEN.len() {
                missing.extend(
                    missed(token, *locate, "src/a.py", &[written.replace('@', token)]).await,
                );
            }
        }
        for text in NAMED {
            missing.extend(missed(value, *locate, "src/a.py", &[filled(text, name, value)]).await);
        }
    }
    for locate in LINES {
        for (path, lines) in BLOCKS {
            let lines: Vec<String> = lines.iter().map(|line| filled(line, "", value)).collect();
            missing.extend(missed(value, *locate, path, &lines).await);
        }
        for token in tokens {
            let (start, end) = token.split_at(token.len() / 2);
            for lines in [
                [format!("x = \"{start}\" \\"), format!("    \"{end}\"")],
                [format!("x = \"{start}\" +"), format!("  \"{end}\";")],
            ] {
                missing.extend(missed(token, *locate, "src/a.js", &lines).await);
            }
        }
    }
    missing
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_kind_of_secret_at_any_place_is_sent(
        tokens in TOKENS.iter().map(|(_, pattern)| string_regex(pattern).unwrap()).collect::<Vec<_>>(),
        value in string_regex(VALUE).unwrap(),
        upper in any::<bool>(),
    ) {
        // Upper-case names begin with an upper-case word, while the rest of each is lower case.
        let name = if upper { "PROD_" } else { "" };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let missing = runtime.block_on(all_missed(&tokens, &value, name));
        prop_assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}

#[tokio::test]
async fn text_that_only_resembles_a_secret_is_shown() {
    let lines = [
        "token = next_token(stream)",
        "password: String,",
        "if line.startswith(\"-----BEGIN RSA PRIVATE KEY-----\"):",
        "    return parse(line)",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "secret_name = \"projects/shop/secrets/db\"",
        "id = \"123e4567-e89b-12d3-a456-426614174000\"",
        "token_limit: 4096",
    ];
    let shown = sent(Place::Added, "src/a.py", &lines.map(str::to_owned)).await;
    for line in lines {
        assert!(shown.contains(line), "{line}");
    }
}
