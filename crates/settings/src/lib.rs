//! The settings. Flags override the environment, the environment overrides the file, the file overrides defaults.
//!
//! The lists below define each setting: its name, its allowed values, its default and its meaning. Validation, the
//! names of environment variables, `hunkwise config`, the reference page and the example file are derived from them.
//! Only [`Environment`] reads the environment.
//!
//! The file is read with the `toml` crate's spans instead of a configuration library, because those stop at the first
//! fault and do not report columns. A user should see all faults together, each with its place.

mod environment;
mod field;
mod file;
mod list;
mod load;
mod masked;
mod memory;
mod operation;
mod problem;
mod reference;
mod retired;
mod schema;
mod section;
mod value;

pub use environment::{CiVariable, Environment};
pub use list::{Entitlements, Llm, Model, Oidc, Reviews, Service, Settings, Workers};
pub use load::{Loaded, Overrides, load, unknown_variables};
pub use masked::Url;
pub use operation::{Cors, Proxy, Telemetry, TlsFiles};
pub use problem::Problems;
pub use reference::{example, in_force, reference, shown};
pub use schema::{DRAFT as SCHEMA_DRAFT, schema};
pub use section::{Entry, Values};
pub use value::{Listen, Secret};

#[cfg(test)]
mod tests {
    use super::list::SECTIONS;
    use super::{Environment, Overrides, load};

    #[test]
    fn defaults_match_those_of_the_server() {
        let loaded = load(&Overrides::default(), &Environment::default(), None).unwrap();
        assert_eq!(loaded.settings.limits, server::Limits::default());
        let (ours, theirs) = (loaded.settings.server(None), server::Settings::default());
        assert_eq!(
            (ours.grant_on_create, ours.min_confidence),
            (theirs.grant_on_create, theirs.min_confidence)
        );
        assert_eq!(ours.managed_by, theirs.managed_by);
    }

    #[test]
    fn no_two_settings_share_a_name() {
        let mut names: Vec<_> = SECTIONS
            .iter()
            .flat_map(|section| {
                section.fields.iter().flat_map(|field| {
                    [field.name.to_owned(), format!("{}_file", field.name)]
                        .map(|name| section.full(&name))
                })
            })
            .collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
