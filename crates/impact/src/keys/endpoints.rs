//! Paths of HTTP endpoints, where a server registers them and where other code requests them.
//!
//! A path is known without the prefix below which a router is mounted, and a request may have one: so a request matches a
//! registered path if it ends with it.

use std::collections::{BTreeSet, HashSet};

use syntax::semantics::vocabulary::words_of;

use super::KeyKind;
use super::kinds::{Defined, KeyUse, is_word, receiver};
use super::text::{Quoted, extension, quoted};

/// A segment that is a parameter.
const PARAMETER: &str = "*";
/// The least number of letters in the fixed segments of a path that can be distinguished from others.
const LETTERS: usize = 8;
/// The minimum length of the name of a constant.
const NAME: usize = 3;
/// Names of objects that register endpoints.
const SERVERS: &[&str] = &[
    "app", "e", "engine", "fastify", "g", "group", "mux", "r", "rg", "route", "router", "routes",
    "server", "sr",
];
/// Endings of such names.
const SERVER_ENDS: &[&str] = &["Router", "router", "Routes", "Group", "App", "Server"];
/// Calls that register an endpoint of such an object. On other objects they request it.
const SCRIPT_CALLS: &[&str] = &[
    ".all(", ".del(", ".delete(", ".get(", ".patch(", ".post(", ".put(", ".route(",
];
const GO_CALLS: &[&str] = &[".Delete(", ".Get(", ".Patch(", ".Post(", ".Put("];
/// Texts that only register endpoints, by extension.
const ONLY: &[(&[&str], &[&str])] = &[
    (
        &["go"],
        &[
            "HandleFunc(", ".Handle(", ".Any(", ".DELETE(", ".GET(", ".PATCH(", ".POST(", ".PUT(",
        ],
    ),
    (
        &["java", "kt"],
        &[
            "Mapping(", "Mapping(value =", "Mapping(path =", "Mapping({", "@Path(",
        ],
    ),
    (
        &["cs"],
        &[
            "[HttpDelete(", "[HttpGet(", "[HttpPatch(", "[HttpPost(", "[HttpPut(", "[Route(",
            ".MapDelete(", ".MapGet(", ".MapPatch(", ".MapPost(", ".MapPut(",
        ],
    ),
    (
        &["php"],
        &[
            "Route::any(", "Route::delete(", "Route::get(", "Route::patch(", "Route::post(",
            "Route::put(", "#[Route(", "#[Route(path:",
        ],
    ),
    (
        &["rs"],
        &[
            "#[delete(", "#[get(", "#[patch(", "#[post(", "#[put(", ".route(",
        ],
    ),
    (
        &["ts"],
        &["@All(", "@Delete(", "@Get(", "@Patch(", "@Post(", "@Put("],
    ),
    (
        &["js", "jsx", "ts", "tsx", "mjs", "cjs"],
        &["path:", "path=", "path={"],
    ),
];
/// Calls that only request an endpoint.
const REQUESTS: &[&str] = &["fetch(", "axios(", "href=", "action="];
/// Calls of decorators in Python.
const DECORATORS: &[&str] = &[".delete(", ".get(", ".patch(", ".post(", ".put(", ".route("];
/// Extensions of files that request endpoints.
const REQUESTING: &[&str] = &[
    "cjs", "cs", "erb", "go", "haml", "hbs", "htm", "html", "java", "js", "jsx", "kt", "mjs",
    "php", "py", "rb", "rs", "slim", "svelte", "swift", "ts", "tsx", "twig", "vue",
];

/// The endpoints that a file registers in its pieces between quotes, with parameters as `*`.
pub(super) fn definitions(path: &str, pieces: &[Quoted<'_>]) -> Vec<Defined> {
    let registered = pieces.iter().filter(|own| registers(path, own));
    let defined = |own: &Quoted<'_>| {
        let key = normalized(own.text).filter(|key| is_distinctive(key))?;
        Some(Defined::without_call(KeyKind::Endpoint, key, own.line))
    };
    registered.filter_map(defined).collect()
}

/// The places of a file that request or register lost endpoints.
pub(super) fn uses<'k>(
    path: &str,
    pieces: &[Quoted<'_>],
    keys: impl Iterator<Item = (usize, &'k str)>,
    named: &HashSet<&str>,
) -> Vec<(usize, KeyUse)> {
    let keys: Vec<(usize, &str)> = keys.collect();
    if keys.is_empty() || !REQUESTING.contains(&extension(path)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for own in pieces {
        let Some(asked) = normalized(own.text) else {
            continue;
        };
        // `path="/a/b"` became `path={Paths.AB}`, and this is the constant.
        let is_constant = own
            .lead
            .split(|c| !is_word(c))
            .any(|name| named.contains(name));
        let is_registered = is_constant || registers(path, own);
        for (at, key) in &keys {
            if !accepts(key, &asked) {
                continue;
            }
            let line = own.line;
            if is_registered {
                found.push((*at, KeyUse::Defined));
            } else if own.text.contains('/') || requests(own) {
                let is_certain = false;
                found.push((*at, KeyUse::Read { line, is_certain }));
            }
        }
    }
    found
}

/// The members that lines of code name, such as `AB` of `Paths.AB`.
pub(crate) fn members<'l>(lines: &[(u32, &'l str)]) -> impl Iterator<Item = &'l str> {
    let parts = lines.iter().flat_map(|(_, line)| line.split('.').skip(1));
    parts
        .filter_map(|rest| rest.split(|c| !is_word(c)).next())
        .filter(|name| name.len() >= NAME)
}

/// The segment of a path with which it is found.
pub(super) fn word(key: &str) -> &str {
    let fixed = key.split('/').filter(|segment| *segment != PARAMETER);
    fixed.max_by_key(|segment| segment.len()).unwrap_or(key)
}

/// Endpoints that are registered, or may be, with the last segment first.
#[derive(Default)]
pub(crate) struct Registered(BTreeSet<String>);

impl Registered {
    /// Those among some keys.
    pub(crate) fn among<'k>(keys: impl Iterator<Item = &'k (KeyKind, String)>) -> Self {
        let endpoints = keys.filter(|(kind, _)| *kind == KeyKind::Endpoint);
        Self(endpoints.map(|(_, key)| reversed(key)).collect())
    }

    /// Adds the paths in quotes on lines that the change adds, except requests: a call that is not known, or the prefix of a
    /// router, may register them.
    pub(crate) fn add_unless_requested(&mut self, lines: &[(u32, &str)]) {
        let pieces = quoted(lines).into_iter().filter(|own| !requests(own));
        self.add(pieces);
    }

    /// All paths in quotes in the file that registered an endpoint: another call may register it now.
    pub(super) fn in_file(lines: &[(u32, &str)]) -> Self {
        let mut found = Self::default();
        found.add(quoted(lines).into_iter());
        found
    }

    fn add<'t>(&mut self, pieces: impl Iterator<Item = Quoted<'t>>) {
        let paths = pieces.filter_map(|own| normalized(own.text));
        let distinctive = paths.filter(|path| is_distinctive(path));
        self.0.extend(distinctive.map(|path| reversed(&path)));
    }

    /// Whether one of them may be this endpoint, perhaps below another prefix.
    pub(crate) fn may_have(&self, key: &str) -> bool {
        let own = reversed(key);
        let longer = format!("{own}/");
        let is_longer = self
            .0
            .range(longer.clone()..)
            .next()
            .is_some_and(|other| other.starts_with(&longer));
        let mut ends = own.match_indices('/').map(|(at, _)| at);
        self.0.contains(&own)
            || is_longer
            || ends.any(|end| own.get(..end).is_some_and(|part| self.0.contains(part)))
    }
}

fn reversed(key: &str) -> String {
    key.rsplit('/').collect::<Vec<_>>().join("/")
}

/// Whether a requested path ends with a registered one.
fn accepts(registered: &str, asked: &str) -> bool {
    let mut asked = asked.rsplit('/');
    registered.rsplit('/').all(|own| {
        asked
            .next()
            .is_some_and(|other| own == PARAMETER || own == other)
    })
}

/// Whether a piece in quotes is registered as an endpoint.
fn registers(path: &str, own: &Quoted<'_>) -> bool {
    let (lead, extension) = (own.lead, extension(path));
    let ends = |calls: &[&str]| calls.iter().any(|call| lead.ends_with(call));
    let is_server = || {
        let name = receiver(lead);
        SERVERS.contains(&name) || SERVER_ENDS.iter().any(|end| name.ends_with(end))
    };
    let only =
        |(extensions, calls): &(&[&str], &[&str])| extensions.contains(&extension) && ends(calls);
    if ONLY.iter().any(only) {
        return true;
    }
    match extension {
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" => ends(SCRIPT_CALLS) && is_server(),
        "go" => ends(GO_CALLS) && is_server(),
        "py" => lead.trim_start().starts_with('@') && ends(DECORATORS),
        "rb" => {
            let verbs = ["get", "post", "put", "patch", "delete", "match"];
            path.contains("config/routes") && verbs.contains(&lead.trim())
        }
        _ => false,
    }
}

/// Whether a piece in quotes is the path of a request, unless it is registered.
fn requests(own: &Quoted<'_>) -> bool {
    let mut calls = SCRIPT_CALLS.iter().chain(GO_CALLS).chain(REQUESTS);
    calls.any(|call| own.lead.ends_with(call))
}

/// Whether a path can be distinguished from others.
fn is_distinctive(key: &str) -> bool {
    let fixed: Vec<&str> = key.split('/').filter(|own| *own != PARAMETER).collect();
    let letters: usize = fixed.iter().map(|own| own.len()).sum();
    let has_words = |own: &&str| words_of(own).len() > 1;
    letters >= LETTERS && (fixed.len() > 1 || fixed.iter().any(has_words))
}

/// A path without its host, query and outer slashes, with parameters as `*`; `None` if the text is not a path.
fn normalized(text: &str) -> Option<String> {
    let text = text
        .split_once(' ')
        .filter(|(method, _)| method.bytes().all(|byte| byte.is_ascii_uppercase()))
        .map_or(text, |(_, path)| path);
    let text = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => text,
    };
    let path = without_query(text)?.trim_matches('/');
    let segments: Option<Vec<&str>> = path.split('/').map(segment).collect();
    Some(segments?.join("/"))
}

/// The text before `?` or `#`. In braces, `?` marks an optional parameter.
fn without_query(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let end = text.char_indices().find(|(_, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, '?' | '#')
    });
    text.get(..end.map_or(text.len(), |(at, _)| at))
}

/// A segment of a path, `*` for a parameter; `None` if it is not one.
fn segment(text: &str) -> Option<&str> {
    let is_parameter = text.starts_with([':', '*'])
        || text.contains(['{', '<'])
        || matches!(text, "%d" | "%s" | "%v" | "%i" | "%q");
    let is_fixed = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
    if is_parameter {
        let is_closed = !text.contains(['"', '\'', ' ', '\\']);
        is_closed.then_some(PARAMETER)
    } else {
        let is_name =
            text.chars().all(is_fixed) && text.contains(|c: char| c.is_ascii_alphanumeric());
        is_name.then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::{Registered, accepts, definitions, is_distinctive, normalized, uses};
    use crate::keys::{KeyKind, KeyUse, quoted};

    #[test]
    fn paths_are_normalized() {
        for (text, expected) in [
            ("/users/:id/feeds/", Some("users/*/feeds")),
            ("users/{userID:[0-9]+}/feeds", Some("users/*/feeds")),
            ("GET /users/{id}", Some("users/*")),
            ("genres/{genre?}/songs", Some("genres/*/songs")),
            ("genres/${name}/songs?${query}", Some("genres/*/songs")),
            ("https://example.org/v1/users/%d?full=1", Some("v1/users/*")),
            ("${API}/users/${user.id}/feeds", Some("*/users/*/feeds")),
            ("documents.unpublish", Some("documents.unpublish")),
            ("/users/<int:id>", Some("users/*")),
            ("../users/a", None),
            ("/a b/c", None),
            ("", None),
            ("/", None),
            ("https://example.org", None),
        ] {
            assert_eq!(normalized(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_request_may_have_a_prefix_and_values_for_parameters() {
        for asked in ["users/*/feeds", "v1/users/7/feeds", "*/users/*/feeds"] {
            assert!(accepts("users/*/feeds", asked), "{asked}");
        }
        for other in [
            "feeds", "users/7/feeds/refresh", "users/feeds", "users/7/items",
        ] {
            assert!(!accepts("users/*/feeds", other), "{other}");
        }
        assert!(!accepts("users/me/feeds", "users/*/feeds"));
    }

    #[test]
    fn an_endpoint_may_move_below_another_prefix() {
        let keys = ["users/*/feeds", "api/v1/users/*", "reset-password-form"];
        let keys = keys.map(|key| (KeyKind::Endpoint, key.to_owned()));
        let registered = Registered::among(keys.iter());
        for moved in [
            "users/*/feeds", "api/users/*/feeds", "users/*", "v1/users/*",
        ] {
            assert!(registered.may_have(moved), "{moved}");
        }
        for lost in [
            "users/*/items", "feed", "s/*/feeds", "reset-password", "users",
        ] {
            assert!(!registered.may_have(lost), "{lost}");
        }
    }

    #[test]
    fn short_and_common_paths_are_not_distinctive() {
        for path in ["users/*/feeds", "documents.unpublish", "reset-password"] {
            assert!(is_distinctive(path), "{path}");
        }
        for path in ["users", "users/*", "a/b", "*", "subscriptions"] {
            assert!(!is_distinctive(path), "{path}");
        }
    }

    #[test]
    fn endpoints_are_registered_in_the_ways_of_their_frameworks() {
        for (path, line) in [
            ("a.js", "router.get('/users/:id/feeds', list)"),
            ("a.ts", "@Get('users/:id/feeds')"),
            ("a.ts", "  path: '/users/:id/feeds',"),
            (
                "a.go",
                "sr.HandleFunc(\"/users/{id}/feeds\", h.list).Methods(http.MethodGet)",
            ),
            ("a.go", "r.Get(\"/users/{id}/feeds\", list)"),
            ("a.go", "mux.HandleFunc(\"GET /users/{id}/feeds\", list)"),
            ("a.py", "@app.get(\"/users/{id}/feeds\")"),
            ("A.java", "@GetMapping(\"/users/{id}/feeds\")"),
            ("A.cs", "[HttpGet(\"users/{id}/feeds\")]"),
            (
                "a.php",
                "Route::get('/users/{id}/feeds', [Feeds::class, 'list']);",
            ),
            (
                "config/routes.rb",
                "  get \"/users/:id/feeds\", to: \"feeds#list\"",
            ),
            (
                "a.rs",
                "let app = app.route(\"/users/{id}/feeds\", get(list));",
            ),
        ] {
            let found = definitions(path, &quoted(&[(1, line)]));
            assert_eq!(found.len(), 1, "{path}: {line}");
            assert_eq!(found[0].key, "users/*/feeds", "{path}: {line}");
        }
        for (path, line) in [
            ("a.js", "axios.get('/users/1/feeds')"),
            ("a.js", "request(app).get('/users/1/feeds')"),
            ("a.go", "c.request.Get(\"/users/1/feeds\")"),
            ("a.py", "client.get('/users/1/feeds')"),
            ("a.ts", "http.get('users/1/feeds')"),
        ] {
            assert_eq!(
                definitions(path, &quoted(&[(1, line)])),
                [],
                "{path}: {line}"
            );
            let found = uses(
                path,
                &quoted(&[(1, line)]),
                [(0, "users/*/feeds")].into_iter(),
                &HashSet::new(),
            );
            let is_certain = false;
            assert_eq!(
                found,
                [(
                    0,
                    KeyUse::Read {
                        line: 1,
                        is_certain
                    }
                )],
                "{line}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([a-z/:{}<>$%*?#. '\"]|\\PC){0,100}") {
            normalized(&text);
            let line = format!("router.get('{text}')");
            definitions("a.js", &quoted(&[(1, &line)]));
            uses("a.js", &quoted(&[(1, &line)]), [(0, "users/*/feeds")].into_iter(), &HashSet::new());
        }
    }
}
