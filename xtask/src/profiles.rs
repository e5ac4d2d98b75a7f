//! The profile of what is shipped: a profile inherits what another one says of single packages, whatever it says of all.

const MANIFEST: &str = include_str!("../../Cargo.toml");

#[test]
fn what_is_shipped_is_optimised_fully_whatever_development_says_of_single_packages() {
    let manifest: toml::Table = toml::from_str(MANIFEST).unwrap();
    let profiles = &manifest["profile"];
    assert_eq!(
        (profiles["dist"]["inherits"].as_str(), profiles["dist"]["opt-level"].as_integer()),
        (Some("dev"), Some(3))
    );
    let named = profiles["dev"]["package"].as_table().unwrap();
    assert!(named.contains_key("lint"));
    for package in named.keys() {
        let shipped = profiles["dist"]["package"].get(package).and_then(|of| of.get("opt-level")?.as_integer());
        assert_eq!(shipped, Some(3), "[profile.dist.package.{package}]");
    }
}
