//! `GET /v1/limits` against the settings.

use serde_json::{Map, Value, json};

use crate::client::user;
use crate::support::Place;

const DATABASE: &str = "sqlite://a.db";
/// Limits without a setting: the lengths of an organization's name and of its review guidelines, and the number and
/// size of context files.
const FIXED: usize = 6;

fn shown(place: &Place, token: &str, config: &str) -> Map<String, Value> {
    place.write("a.toml", config);
    let serving = place.serve(&["--database", DATABASE, "--config", "a.toml"]);
    let (status, body) = serving.send("GET", "/v1/limits", token, "");
    assert_eq!(status, 200, "{body}");
    body["limits"].as_object().unwrap().clone()
}

#[test]
fn every_public_limit_follows_its_setting() {
    let place = Place::new();
    let migrated = place.run(&["migrate", "--database", DATABASE]);
    assert_eq!(migrated.status, 0, "{migrated:?}");
    let (_, token) = user(&place, DATABASE);
    let mut expected = shown(&place, &token, "");
    assert_eq!(
        [&expected["providerCallSeconds"], &expected["lookUps"]],
        [&Value::Null; 2],
        "there is no model"
    );
    let mut config = String::from("[limits]\n");
    for limit in server::LIMITS {
        let value = limit.default.unwrap_or(limit.least) + 1;
        assert_ne!(expected[&limit.api_name()], value, "{}", limit.name);
        expected[&limit.api_name()] = json!(value);
        config.push_str(&format!("{} = {value}\n", limit.name));
    }
    expected["providerCallSeconds"] = json!(31);
    expected["lookUps"] = json!(7);
    config.push_str(
        "[llm]\ncall_seconds = 31\nlook_ups = 7\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = 'http://127.0.0.1:9'\n\
         context_window = 32000\nmax_output_tokens = 2000\n",
    );
    assert_eq!(shown(&place, &token, &config), expected);
    assert_eq!(
        expected.len(),
        server::LIMITS.len() + 2 + FIXED,
        "every other limit is a setting"
    );
}
