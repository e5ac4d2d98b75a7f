//! Combines the four sources into checked settings, or a list of all faults.
//!
//! Each source is converted to (name, raw value, place). Later sources replace values of earlier ones by name. The
//! result is checked against the list of settings. Checking does not stop at the first fault.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use address::{is_local_network, is_private};

use super::environment::{Environment, PREFIX};
use super::field::{Default as Preset, Field, Kind};
use super::file;
use super::list::{LLM, LLM_MODELS, OIDC, SECTIONS, Settings, fill};
use super::problem::{Problem, Problems, nearest};
use super::retired::replaced_by;
use super::section::{Entry, Presence, Section, Values, join};
use super::value::{Raw, Source, Value};

/// The settings given by flags of the command line.
#[derive(Debug, Default)]
pub struct Overrides(Vec<(&'static str, &'static str, String)>);

impl Overrides {
    /// Sets the setting `name` to the value of `flag`, if it was given.
    pub fn set(mut self, name: &'static str, flag: &'static str, value: Option<String>) -> Self {
        self.0.extend(value.map(|value| (name, flag, value)));
        self
    }
}

/// The settings in force, and their sources.
#[derive(Debug)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// The same with their sources.
    pub values: Values,
    /// One line for each setting that no longer has an effect.
    pub warnings: Vec<String>,
}

/// Reads and checks all sources.
///
/// # Errors
/// Every fault found, each with its place.
pub fn load(
    flags: &Overrides,
    environment: &Environment,
    config: Option<&Path>,
) -> Result<Loaded, Problems> {
    let mut loader = Loader::default();
    if let Some(path) = config {
        loader.take_file(path);
    }
    loader.take_environment(environment);
    loader.take_flags(flags);
    let values = loader.resolve();
    if !loader.problems.is_empty() {
        loader
            .problems
            .sort_by(|one, other| one.place.cmp(&other.place));
        return Err(Problems(loader.problems));
    }
    match fill(&values) {
        Some(settings) => Ok(Loaded {
            settings,
            values,
            warnings: loader.warnings(),
        }),
        None => Err(Problems(vec![Problem {
            place: Source::Default,
            message: "a setting in the list has a type that does not match its field".to_owned(),
        }])),
    }
}

/// Warnings about variables of ours that are not settings. They are not errors, because a pipeline may export
/// `HUNKWISE_VERSION` for its own purpose.
pub fn unknown_variables(environment: &Environment) -> Vec<String> {
    let variables = environment
        .settings()
        .map(|(variable, _)| variable)
        .filter(|_| !environment.is_strict());
    let is_known = |name: &str| setting_of(name).is_some() || replaced_by(name).is_some();
    variables
        .filter(|variable| !is_known(&name_of(variable)))
        .map(unknown_variable)
        .collect()
}

fn unknown_variable(variable: &str) -> String {
    let name = name_of(variable);
    let near = nearest(&name, &known_names(&name)).map(variable_of);
    format!("{variable}: unknown setting{}", suggestion(near.as_deref()))
}

/// A setting from one source.
#[derive(Debug)]
struct Provided {
    raw: Raw,
    source: Source,
    /// Whether `raw` is the path of a file with the secret.
    in_file: bool,
}

#[derive(Debug, Default)]
struct Loader {
    given: BTreeMap<String, Provided>,
    /// The places of optional sections in the file.
    tables: BTreeMap<String, Source>,
    /// The places of settings that no longer have an effect.
    retired: BTreeMap<String, Vec<Source>>,
    problems: Vec<Problem>,
}

impl Loader {
    fn take_file(&mut self, path: &Path) {
        let (contents, problems) = file::read(path, is_table_value);
        if !problems.is_empty() {
            // A file that is not valid TOML does not reliably show its intention.
            return self.problems.extend(problems);
        }
        let mut unknown: Vec<String> = Vec::new();
        for (table, source) in contents.tables {
            if is_table(&table) {
                self.tables.insert(table, source);
            } else if !unknown.iter().any(|outer| is_within(&table, outer)) {
                let message = match setting_of(&table) {
                    Some(_) => format!("{table}: expected a value, not a table"),
                    None => format!(
                        "{table}: unknown section{}",
                        suggestion(nearest(&table, &section_names()))
                    ),
                };
                self.refuse(source, message);
                unknown.push(table);
            }
        }
        let mut layer = BTreeMap::new();
        for (name, raw, source) in contents.values {
            if replaced_by(&name).is_some() {
                self.retired.entry(name).or_default().push(source);
            } else if !unknown.iter().any(|table| is_within(&name, table)) {
                self.take(&mut layer, &name, raw, source, |known| known.to_owned());
            }
        }
        self.given.extend(layer);
    }

    fn take_environment(&mut self, environment: &Environment) {
        let mut layer = BTreeMap::new();
        for (variable, value) in environment.settings() {
            let source = Source::Environment(variable.to_owned());
            let name = name_of(variable);
            match value.to_str() {
                _ if replaced_by(&name).is_some() => {
                    self.retired.entry(name).or_default().push(source)
                }
                _ if setting_of(&name).is_none() => {
                    if environment.is_strict() {
                        self.refuse(source, unknown_variable(variable));
                    }
                }
                Some(text) => self.take(
                    &mut layer,
                    &name,
                    Raw::Words(text.to_owned()),
                    source,
                    variable_of,
                ),
                None => self.refuse(source, "the value is not UTF-8".to_owned()),
            }
        }
        self.given.extend(layer);
    }

    fn take_flags(&mut self, flags: &Overrides) {
        let mut layer = BTreeMap::new();
        for (name, flag, value) in &flags.0 {
            self.take(
                &mut layer,
                name,
                Raw::Words(value.clone()),
                Source::Flag(flag),
                |known| known.to_owned(),
            );
        }
        self.given.extend(layer);
    }

    /// Adds one value of a source, if its name is a setting. `spell` formats a known name as that source would write
    /// it.
    fn take(
        &mut self,
        layer: &mut BTreeMap<String, Provided>,
        name: &str,
        raw: Raw,
        source: Source,
        spell: fn(&str) -> String,
    ) {
        let Some((full, in_file)) = setting_of(name) else {
            let message = if is_table(name) {
                format!("{name}: expected a table, not {raw}")
            } else {
                let near = nearest(name, &known_names(name)).map(spell);
                format!(
                    "{}: unknown setting{}",
                    spell(name),
                    suggestion(near.as_deref())
                )
            };
            return self.refuse(source, message);
        };
        if let Some(twin) = layer.get(&full) {
            let message = format!("{full}: set here and at {}: keep only one", twin.source);
            return self.refuse(source, message);
        }
        layer.insert(
            full,
            Provided {
                raw,
                source,
                in_file,
            },
        );
    }

    fn refuse(&mut self, place: Source, message: String) {
        self.problems.push(Problem { place, message });
    }

    /// One line for each setting that no longer has an effect.
    fn warnings(&self) -> Vec<String> {
        let line = |(name, places): (&String, &Vec<Source>)| {
            let places: Vec<String> = places.iter().map(Source::to_string).collect();
            let reason = replaced_by(name).unwrap_or_default();
            format!(
                "{}: {name} no longer has an effect and can be removed: {reason}",
                places.join(", ")
            )
        };
        self.retired.iter().map(line).collect()
    }

    /// Checks the combined settings.
    fn resolve(&mut self) -> Values {
        let mut values = Values::new();
        for section in SECTIONS {
            for table in self.tables_of(section) {
                for field in section.fields {
                    let name = join(&table, field.name);
                    if let Some(entry) = self.resolve_field(&table, &name, field) {
                        values.insert(name, entry);
                    }
                }
            }
        }
        self.check_plain_http(&values);
        for table in self
            .tables_of(&LLM)
            .iter()
            .filter(|_| !values.keys().any(|name| is_within(name, LLM_MODELS.path)))
        {
            self.refuse(
                self.place_of(table),
                format!("[{table}]: no model; add [[{}]]", LLM_MODELS.path),
            );
        }
        if let Some(client) = values.get(&OIDC.full("client_id"))
            && !values.contains_key(&OIDC.full("redirect_url"))
        {
            let message = format!(
                "oidc.redirect_url: missing; client_id needs {}",
                Kind::Callback.expectation()
            );
            self.refuse(client.source.clone(), message);
        }
        values
    }

    /// Rejects sending secrets over plain HTTP to places where others can read them.
    fn check_plain_http(&mut self, values: &Values) {
        for (name, entry) in values {
            let Value::Url(url) = &entry.value else {
                continue;
            };
            let table = name.rsplit_once('.').map_or("", |(table, _)| table);
            let sent = entry
                .field
                .secrets
                .iter()
                .find(|secret| values.contains_key(&join(table, secret)));
            let is_safe = |url: &url::Url| is_private(url) || is_local_network(url);
            if let Some(secret) = sent
                && !url::Url::parse(url.expose()).is_ok_and(|url| is_safe(&url))
            {
                let message = format!(
                    "{name}: over plain http anyone on the network path can read {secret}; use https (plain http is for this \
                     machine and private networks: an address such as 10.0.0.1, or a name such as vllm or vllm.corp.internal)"
                );
                self.refuse(entry.source.clone(), message);
            }
        }
    }

    /// The existing tables of this section: itself, or its members by number.
    fn tables_of(&self, section: &Section) -> Vec<String> {
        let mut mentioned = self.given.keys().chain(self.tables.keys());
        match section.presence {
            Presence::Always => vec![section.path.to_owned()],
            Presence::Optional => {
                let there = mentioned.any(|name| is_within(name, section.path));
                there.then(|| section.path.to_owned()).into_iter().collect()
            }
            Presence::List => {
                let numbers: BTreeSet<u64> = mentioned
                    .filter_map(|name| number_in(name, section.path))
                    .collect();
                numbers
                    .into_iter()
                    .map(|number| join(section.path, &number.to_string()))
                    .collect()
            }
        }
    }

    /// The place of a table, or else the first place of one of its settings.
    fn place_of(&self, table: &str) -> Source {
        let inside = self
            .given
            .iter()
            .find(|(name, _)| is_within(name, table))
            .map(|(_, given)| &given.source);
        self.tables
            .get(table)
            .or(inside)
            .cloned()
            .unwrap_or(Source::Default)
    }

    fn resolve_field(&mut self, table: &str, name: &str, field: &Field) -> Option<Entry> {
        let Some(given) = self.given.remove(name) else {
            return self.resolve_default(table, name, field);
        };
        let checked = open_secret(&given).and_then(|raw| check(field, &raw));
        match checked {
            Ok(value) => {
                let secret_file = given
                    .raw
                    .text()
                    .filter(|_| given.in_file)
                    .map(str::to_owned);
                // The table remains, for the message about the section as a whole.
                self.tables
                    .entry(table.to_owned())
                    .or_insert_with(|| given.source.clone());
                Some(Entry {
                    field: *field,
                    value,
                    source: given.source,
                    secret_file,
                })
            }
            Err(fault) => {
                self.tables
                    .entry(table.to_owned())
                    .or_insert_with(|| given.source.clone());
                self.refuse(
                    given.source,
                    format!(
                        "{name}{}: {fault}",
                        if given.in_file { "_file" } else { "" }
                    ),
                );
                None
            }
        }
    }

    fn resolve_default(&mut self, table: &str, name: &str, field: &Field) -> Option<Entry> {
        match field.default {
            Preset::Is(_) | Preset::Number(_) | Preset::Absent => {
                let value = field.default_value()?;
                Some(Entry {
                    field: *field,
                    value,
                    source: Source::Default,
                    secret_file: None,
                })
            }
            Preset::Required => {
                self.refuse(
                    self.place_of(table),
                    format!("{name}: missing; expected {}", field.kind.expectation()),
                );
                None
            }
        }
    }
}

/// The value, read from its file if it is in one.
fn open_secret(given: &Provided) -> Result<Raw, String> {
    if !given.in_file {
        return Ok(given.raw.clone());
    }
    let path = given
        .raw
        .text()
        .ok_or_else(|| format!("expected the path of a file, not {}", given.raw))?;
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    Ok(Raw::Words(text.trim_end_matches(['\r', '\n']).to_owned()))
}

fn check(field: &Field, raw: &Raw) -> Result<Value, String> {
    field.kind.read(raw).ok_or_else(|| {
        let shown = if field.secret {
            "the given value".to_owned()
        } else {
            raw.to_string()
        };
        let hint = match field.secrets {
            [] => String::new(),
            _ if !shown.contains('@') => String::new(),
            secrets => format!("; a key belongs in {}", secrets.join(" or ")),
        };
        format!("expected {}, not {shown}{hint}", field.kind.expectation())
    })
}

/// The name of the setting of a variable.
fn name_of(variable: &str) -> String {
    variable
        .strip_prefix(PREFIX)
        .unwrap_or(variable)
        .to_lowercase()
        .replace("__", ".")
}

/// The environment variable of a setting.
pub(super) fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.to_uppercase().replace('.', "__"))
}

/// The setting with a name, and whether `name` is its file variant.
fn setting_of(name: &str) -> Option<(String, bool)> {
    let (table, last) = name.rsplit_once('.').unwrap_or(("", name));
    let section = section_of(table)?;
    let is = |wanted: &str| section.fields.iter().find(|field| field.name == wanted);
    if is(last).is_some() {
        return Some((name.to_owned(), false));
    }
    let twin = last.strip_suffix("_file")?;
    is(twin)
        .filter(|field| field.secret)
        .map(|_| (join(table, twin), true))
}

/// Whether the value of the setting with this name is a table.
fn is_table_value(name: &str) -> bool {
    let (table, last) = name.rsplit_once('.').unwrap_or(("", name));
    let fields = section_of(table).map_or(&[][..], |section| section.fields);
    fields
        .iter()
        .any(|field| field.name == last && matches!(field.kind, Kind::Table))
}

/// The section of a table or of a member of a list.
fn section_of(table: &str) -> Option<&'static Section> {
    let is_member = |list: &str| {
        number_in(table, list).is_some_and(|number| join(list, &number.to_string()) == table)
    };
    SECTIONS.iter().find(|section| match section.presence {
        Presence::List => is_member(section.path),
        _ => section.path == table,
    })
}

fn is_table(name: &str) -> bool {
    section_of(name).is_some() || SECTIONS.iter().any(|section| section.path == name)
}

fn is_within(name: &str, table: &str) -> bool {
    name.strip_prefix(table)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The number in `name` if it is, or belongs to, a member of `list`.
fn number_in(name: &str, list: &str) -> Option<u64> {
    let rest = name.strip_prefix(list)?.strip_prefix('.')?;
    rest.split('.').next()?.parse().ok()
}

/// All valid names, with the numbers in `like` for members of lists.
fn known_names(like: &str) -> Vec<String> {
    let number = like
        .split('.')
        .find(|part| part.parse::<u64>().is_ok())
        .unwrap_or("0");
    let of_section = |section: &'static Section| {
        let table = match section.presence {
            Presence::List => join(section.path, number),
            _ => section.path.to_owned(),
        };
        section.fields.iter().flat_map(move |field| {
            let name = join(&table, field.name);
            let twin = field.secret.then(|| format!("{name}_file"));
            std::iter::once(name).chain(twin)
        })
    };
    SECTIONS.iter().flat_map(of_section).collect()
}

fn section_names() -> Vec<String> {
    SECTIONS
        .iter()
        .map(|section| section.path.to_owned())
        .filter(|path| !path.is_empty())
        .collect()
}

fn suggestion(near: Option<&str>) -> String {
    near.map(|known| format!("; did you mean {known}?"))
        .unwrap_or_default()
}
