//! The committed OpenAPI document matches the code. `UPDATE_SNAPSHOTS=1` rewrites it.

use std::path::Path;

use server::Limits;

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the environment says whether the snapshot is to be written"
)]
fn the_committed_document_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let made = server::openapi(&Limits::default())
        .to_pretty_json()
        .unwrap()
        + "\n";
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        made == committed,
        "docs/openapi.json is out of date: run the tests with UPDATE_SNAPSHOTS=1 and look at the change"
    );
}

#[test]
fn every_reference_has_its_schema_and_every_operation_its_name() {
    let document = serde_json::to_value(server::openapi(&Limits::default())).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(
            document["components"]["schemas"].get(name).is_some(),
            "{name} is missing"
        );
    }
    let mut names: Vec<String> = Vec::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            names.push(operation["operationId"].as_str().unwrap().to_owned());
            assert!(operation["summary"].is_string(), "{operation}");
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "operation names are unique");
}

#[test]
fn the_document_shows_the_limits_in_force() {
    let limits = Limits {
        diff_bytes: 4_711,
        client_reference_characters: 33,
        ..Limits::default()
    };
    let document = serde_json::to_value(server::openapi(&limits)).unwrap();
    let properties = &document["components"]["schemas"]["ReviewRequest"]["properties"];
    assert!(
        properties["diff"]["description"]
            .as_str()
            .unwrap()
            .contains("4711 bytes")
    );
    assert_eq!(properties["clientReference"]["maxLength"], 33);
    assert!(
        document["info"]["description"]
            .as_str()
            .unwrap()
            .contains("| `diffBytes` | 4711 |")
    );
}
