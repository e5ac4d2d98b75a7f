//! `GET /v1/limits` against the settings.

use serde_json::{Map, Value, json};

use crate::client::user;
use crate::support::Place;

const DATABASE: &str = "sqlite://a.db";
/// Limits of the product, which no setting changes.
const FIXED: [&str; 2] = ["organizationNameCharacters", "reviewGuidelinesBytes"];

fn shown(place: &Place, token: &str, config: &str) -> Map<String, Value> {
    place.write("a.toml", config);
    let serving = place.serve(&["--database", DATABASE, "--config", "a.toml"]);
    let (status, body) = serving.send("GET", "/v1/limits", token, "");
    assert_eq!(status, 200, "{body}");
    body["limits"].as_object().unwrap().clone()
}

/// The name of a limit's setting: `diffBytes` is `diff_bytes`.
fn setting(limit: &str) -> String {
    let mut name = String::new();
    for c in limit.chars() {
        if c.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[test]
fn every_limit_that_callers_see_follows_its_setting() {
    let place = Place::new();
    let (_, token) = user(&place, DATABASE);
    let mut expected = shown(&place, &token, "");
    assert_eq!(expected["providerCallSeconds"], Value::Null, "there is no model");
    let mut config = String::from("[limits]\n");
    for (limit, value) in expected.iter_mut().filter(|(limit, _)| !FIXED.contains(&limit.as_str())) {
        if let Some(preset) = value.as_u64() {
            *value = json!(preset + 1);
            config.push_str(&format!("{} = {value}\n", setting(limit)));
        }
    }
    expected["providerCallSeconds"] = json!(31);
    config.push_str(
        "[llm]\ncall_seconds = 31\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = 'http://127.0.0.1:9'\n\
         context_window = 32000\nmax_output_tokens = 2000\n",
    );
    assert_eq!(shown(&place, &token, &config), expected);
}
