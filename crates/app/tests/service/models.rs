//! `hunkwise serve` with a fake language model.

#[cfg(feature = "telemetry")]
mod traces;

use llm::Protocol;
use llm::testing::{FaultKind, Script, ScriptedProvider, Turn};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Place, Serving};

pub(crate) const DATABASE: &str = "sqlite://a.db";
const GUIDELINES: &str = "A basket that was not given is a new one.";
/// Two files, the first of which has a rule finding.
const DIFF: &str = "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n import os\n+def add(x, basket=[]): return basket\n\
    --- a/docs/b.rb\n+++ b/docs/b.rb\n@@ -1 +1,2 @@\n a = 1\n+b = 2\n";

/// A service with a model that uses 120 tokens per call, and this monthly limit.
fn serve(place: &Place, provider: &str, monthly: u64) -> Serving {
    serve_with(place, provider, monthly, "")
}

/// The same, with more settings for the model.
fn serve_with(place: &Place, provider: &str, monthly: u64, more: &str) -> Serving {
    let config = format!(
        "database = '{DATABASE}'\n[llm]\norganization_monthly_tokens = {monthly}\nreview_tokens = 20000\n\
         [[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = '{provider}'\ncontext_window = 32000\n\
         max_output_tokens = 2000\n{more}\n"
    );
    place.write("a.toml", &config);
    place.serve(&["--config", "a.toml"])
}

pub(crate) fn ended(serving: Serving) {
    serving.process.signal(Signal::TERM);
    assert_eq!(serving.process.end().status, 0);
}

/// A user who owns an organization and may review in it: the token, and the organization's path.
pub(crate) fn reviewer(place: &Place, serving: &Serving) -> (String, String) {
    let admin = |line: String| {
        let words: Vec<&str> = line.split(' ').collect();
        place.json(&[&["admin", "--json", "--database", DATABASE], &words[..]].concat())
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let user = text(&admin("user create --name Ada".to_owned())["userId"]);
    let token = text(&admin(format!("token create --user {user}"))["token"]);
    let (_, made) = serving.send("POST", "/v1/organizations", &token, r#"{"name":"Acme"}"#);
    let organization = text(&made["organizationId"]);
    admin(format!(
        "entitlement grant --organization {organization} --user {user}"
    ));
    (token, format!("/v1/organizations/{organization}"))
}

fn review(serving: &Serving, token: &str, path: &str) -> Value {
    let body = json!({ "diff": DIFF }).to_string();
    let (status, review) = serving.send("POST", &format!("{path}/reviews/diff/sync"), token, &body);
    assert_eq!(status, 200, "{review}");
    let rules: Vec<_> = review["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| &finding["ruleId"])
        .collect();
    assert!(
        rules.contains(&&json!("python/mutable-default-argument")),
        "{review}"
    );
    review
}

/// The files in the warnings of a kind.
fn warned(review: &Value, code: &str) -> Vec<String> {
    let warnings = review["metadata"]["warnings"].as_array().unwrap().iter();
    let files = warnings
        .filter(|warning| warning["code"] == code)
        .map(|warning| warning["filePath"].as_str());
    files.map(|path| path.unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn guidelines_reach_the_model_and_an_exhausted_month_leaves_only_the_rules() {
    let script = Script::always(Turn::say(r#"{"findings":[]}"#));
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    let url = provider.base_url().to_owned();
    let used = tokio::task::spawn_blocking(move || {
        let place = Place::new();
        let serving = serve(&place, &url, 20_000);
        let (token, path) = reviewer(&place, &serving);
        let body = json!({ "guidelines": GUIDELINES }).to_string();
        assert_eq!(
            serving
                .send("PUT", &format!("{path}/review-guidelines"), &token, &body)
                .0,
            200
        );
        let first = review(&serving, &token, &path);
        assert_eq!(warned(&first, "TOKEN_BUDGET_REACHED"), [""; 0]);
        let used = first["metadata"]["tokenUsage"]["totalTokens"]
            .as_u64()
            .unwrap();
        ended(serving);

        // The second service sees the usage of the first one, which exceeds its limit.
        let serving = serve(&place, &url, 100);
        let second = review(&serving, &token, &path);
        assert_eq!(
            warned(&second, "TOKEN_BUDGET_REACHED"),
            ["a.py", "docs/b.rb"]
        );
        assert_eq!(second["metadata"]["tokenUsage"]["totalTokens"], 0);
        ended(serving);
        used
    });
    let used = used.await.unwrap();
    let requests = provider.requests();
    assert!(used > 100 && used == 120 * requests.len() as u64, "{used}");
    assert!(
        requests
            .iter()
            .all(|request| request.user.contains(GUIDELINES)),
        "{}",
        requests[0].user
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_refers_members_to_the_operator() {
    let script = Script::always(Turn::fail(FaultKind::WrongKey));
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    let url = provider.base_url().to_owned();
    let review = tokio::task::spawn_blocking(move || {
        let place = Place::new();
        let serving = serve(&place, &url, 20_000);
        let (token, path) = reviewer(&place, &serving);
        let review = review(&serving, &token, &path);
        ended(serving);
        review
    });
    let warnings = review.await.unwrap()["metadata"]["warnings"].to_string();
    assert!(
        warnings.contains("ask the operator of this service") && !warnings.contains("api_key"),
        "{warnings}"
    );
}
