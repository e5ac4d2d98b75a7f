//! The kinds of keys as data: where each is defined and read, in which forms, and which keys frameworks define themselves.
//!
//! A framework or a library is a row here, or a word in one, and nowhere else among the keys.

use super::KeyKind;
use super::kinds::{KeyUse, ends_with_any, last_part};
use super::lines::{
    ANDROID_RESOURCES, DEPLOYMENT, ENVIRONMENT, LineForm, MESSAGES, RAILS_ROUTES, SETTINGS,
};
use super::text::{extension, folders, stem};
use super::words::{self, Word};

/// A kind of keys.
pub(super) struct Row {
    pub(super) kind: KeyKind,
    /// The noun for it in messages.
    pub(super) noun: &'static str,
    /// The text before the quote where a key is defined, in these files.
    pub(super) definers: &'static [&'static str],
    pub(super) defined_in: Files,
    /// Lines of other forms that define a key.
    pub(super) lines: &'static [LineForm],
    /// The text before the quote where a key is read, and the read fails if there is no such key.
    pub(super) strict: &'static [&'static str],
    /// The same for reads that don't fail.
    pub(super) lenient: &'static [&'static str],
    /// Filters of templates that read a key.
    pub(super) pipes: &'static [&'static str],
    /// The extensions of files in which these texts show the kind of a key.
    pub(super) read_in: &'static [&'static str],
    /// Only behind one of these texts, anywhere on the line, is it a read.
    pub(super) within: &'static [&'static str],
    /// Directly behind these texts it is something else.
    pub(super) not_behind: &'static [&'static str],
    /// A text may mean the key that it is below, or one in a namespace.
    pub(super) is_nested: bool,
    /// Any other call with the key may define it.
    pub(super) may_be_defined_elsewhere: bool,
    /// The effect of a missing value on a read.
    pub(super) absence: Absence,
    /// The texts in quotes that mean a key, with `{key}`, `{last}` for its last part and `{file}` for the name of its file.
    pub(super) quoted: &'static [&'static str],
    /// The same for words outside of quotes.
    pub(super) words: &'static [&'static str],
    /// How such a word uses the key.
    pub(super) word_use: fn(&str, Word<'_>) -> Option<KeyUse>,
    /// Keys that a framework or the system defines, with a value of its own.
    pub(super) defaults: Names,
    /// Keys that packages of a framework define instead of the file.
    pub(super) packages: &'static [Package],
    /// The last parts of keys that libraries define.
    pub(super) libraries: Names,
    /// Classes that define keys with a hyphen.
    pub(super) definers_with_hyphen: &'static [&'static str],
}

/// The effect of a missing value on a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absence {
    /// It fails, whatever follows it.
    Fails,
    /// With a second argument it may succeed.
    MayBeDefault,
    /// A text as the second argument is used instead.
    IsText,
    /// A second argument is used instead, or the code after the read handles it.
    IsHandled,
}

/// Files by their extensions and, if there are any, by the names of a folder or of the file.
pub(super) struct Files {
    extensions: &'static [&'static str],
    names: &'static [&'static str],
}

impl Files {
    pub(super) fn has(&self, path: &str) -> bool {
        let mut names = folders(path).chain([stem(path)]);
        self.extensions.contains(&extension(path))
            && (self.names.is_empty() || names.any(|part| self.names.contains(&part)))
    }
}

/// Names, whole or by their beginnings or ends.
pub(super) struct Names {
    whole: &'static [&'static str],
    starts: &'static [&'static str],
    ends: &'static [&'static str],
}

impl Names {
    const NONE: Self = Self {
        whole: &[],
        starts: &[],
        ends: &[],
    };

    pub(super) fn has(&self, name: &str) -> bool {
        self.whole.contains(&name)
            || self.starts.iter().any(|start| name.starts_with(start))
            || self.ends.iter().any(|end| name.ends_with(end))
    }
}

/// Keys of a package, for files with these extensions.
pub(super) struct Package {
    extensions: &'static [&'static str],
    keys: Names,
}

/// A kind without any of it.
const PLAIN: Row = Row {
    kind: KeyKind::Text,
    noun: "name",
    definers: &[],
    defined_in: Files {
        extensions: &[],
        names: &[],
    },
    lines: &[],
    strict: &[],
    lenient: &[],
    pipes: &[],
    read_in: &[],
    within: &[],
    not_behind: &[],
    is_nested: false,
    may_be_defined_elsewhere: false,
    absence: Absence::Fails,
    quoted: &[],
    words: &[],
    word_use: |_, _| None,
    defaults: Names::NONE,
    packages: &[],
    libraries: Names::NONE,
    definers_with_hyphen: &[],
};
static TEXT: Row = PLAIN;

const HANDLERS: &[&str] = &[
    ".on(", ".once(", ".addListener(", ".handle(", ".handleOnce(",
];
const EMITTERS: &[&str] = &[
    ".emit(", ".invoke(", ".send(", ".sendSync(", ".emitWithAck(",
];

const EVENTS_IN: Files = Files {
    extensions: &[
        "js", "ts", "jsx", "tsx", "mjs", "cjs", "vue", "svelte", "html", "py",
    ],
    names: &[],
};
/// Beginnings of the settings for which Django has defaults.
const DJANGO: &[&str] = &[
    "ADMINS", "ALLOWED_", "APPEND_", "AUTH_", "AUTHENTICATION_", "CACHE", "CSRF_", "DATABASE",
    "DATA_UPLOAD_", "DATE", "DEBUG", "DEFAULT_", "DISALLOWED_", "EMAIL_", "FILE_", "FIRST_",
    "FIXTURE_", "FORCE_", "FORMAT_", "FORMS_", "INSTALLED_", "INTERNAL_", "LANGUAGE", "LOCALE_",
    "LOGGING", "LOGIN_", "LOGOUT_", "MANAGERS", "MEDIA_", "MESSAGE_", "MIDDLEWARE", "MIGRATION_",
    "MONTH_", "NUMBER_", "PASSWORD_", "PREPEND_", "ROOT_", "SECRET_KEY", "SECURE_", "SERVER_",
    "SESSION_", "SHORT_", "SIGNING_", "SILENCED_", "SITE_ID", "STATIC", "STORAGES", "TEMPLATES",
    "TEST_", "THOUSAND_", "TIME_", "USE_", "WSGI_", "X_FRAME", "YEAR_",
];
/// The last parts of the names of routes that Laravel's and Django's resource routes define.
const OF_RESOURCES: &[&str] = &[
    "index", "create", "store", "show", "edit", "update", "destroy", "list", "detail", "add",
    "change", "changelist", "delete",
];
/// The names of the routes that Django itself defines.
const OF_DJANGO: &[&str] = &[
    "login", "logout", "password_change", "password_change_done", "password_reset",
    "password_reset_done", "password_reset_confirm", "password_reset_complete",
];
/// The names of the routes for signing in that Laravel's packages Fortify and UI define.
const OF_LARAVEL: &[&str] = &[
    "login", "logout", "register", "password.confirm", "password.confirmation", "password.email",
    "password.request", "password.reset", "password.update", "two-factor.login",
    "verification.notice", "verification.resend", "verification.send", "verification.verify",
];
/// Beginnings of the paths of these routes.
const PATHS_OF_LARAVEL: &[&str] = &[
    "confirm-password", "email/resend", "email/verif", "forgot-password", "password/",
    "reset-password", "two-factor-challenge", "user/confirm", "verify-email",
];
/// Beginnings of the names of resources that libraries and build plugins define.
const OF_LIBRARIES: &[&str] = &[
    "abc_", "androidx_", "com_", "default_web_", "exo_", "firebase_", "gcm_", "google_", "m3_",
    "material_", "mtrl_", "project_id",
];

/// Classes of Django REST framework that give names to routes.
const ROUTERS: &[&str] = &["DefaultRouter", "SimpleRouter"];

pub(super) static ROWS: &[Row] = &[
    Row {
        kind: KeyKind::Handler,
        noun: "handler of",
        definers: HANDLERS,
        defined_in: EVENTS_IN,
        strict: EMITTERS,
        may_be_defined_elsewhere: true,
        quoted: &["{key}"],
        ..PLAIN
    },
    Row {
        kind: KeyKind::Emission,
        noun: "emission of",
        definers: EMITTERS,
        defined_in: EVENTS_IN,
        lenient: HANDLERS,
        may_be_defined_elsewhere: true,
        quoted: &["{key}"],
        ..PLAIN
    },
    Row {
        kind: KeyKind::Translation,
        noun: "translation",
        lines: &[MESSAGES],
        strict: &[
            "t(", "$t(", "tc(", "$tc(", "t", "__(", "trans(", "@lang(", "Lang::get(", "translate(",
            "trans_choice(", "@choice(", "i18nKey=", "keypath=", "v-t=", "instant(",
            "FormattedMessage id=", "getMessage(", "message code=", "#{",
        ],
        lenient: &["{id:", "{ id:"],
        pipes: &["trans", "t ", "t}"],
        is_nested: true,
        absence: Absence::IsText,
        quoted: &["{key}", "{file}:{key}", "{file}.{key}"],
        ..PLAIN
    },
    Row {
        kind: KeyKind::Resource,
        noun: "resource",
        lines: &[ANDROID_RESOURCES],
        words: &["{last}"],
        word_use: words::resource,
        libraries: Names {
            starts: OF_LIBRARIES,
            ..Names::NONE
        },
        ..PLAIN
    },
    Row {
        kind: KeyKind::Config,
        noun: "configuration value",
        strict: &[
            "config(", "Config(", "Config::get(", "config()->get(", "@config(",
        ],
        read_in: &["php"],
        is_nested: true,
        absence: Absence::MayBeDefault,
        quoted: &["{key}"],
        ..PLAIN
    },
    Row {
        kind: KeyKind::Setting,
        noun: "setting",
        lines: &[SETTINGS],
        words: &["{key}"],
        word_use: words::setting,
        defaults: Names {
            starts: DJANGO,
            ..Names::NONE
        },
        ..PLAIN
    },
    Row {
        kind: KeyKind::DjangoRoute,
        noun: "route",
        definers: &["name=", "name ="],
        defined_in: Files {
            extensions: &["py"],
            names: &["urls"],
        },
        strict: &[
            "reverse(", "reverse_lazy(", "redirect(", "resolve_url(", "{% url", "{%- url", "url(",
        ],
        read_in: &["py", "html", "txt"],
        is_nested: true,
        quoted: &["{key}"],
        packages: &[Package {
            extensions: &["py"],
            keys: Names {
                whole: OF_DJANGO,
                ..Names::NONE
            },
        }],
        libraries: Names {
            ends: OF_RESOURCES,
            ..Names::NONE
        },
        definers_with_hyphen: ROUTERS,
        ..PLAIN
    },
    Row {
        kind: KeyKind::LaravelRoute,
        noun: "route",
        definers: &["->name("],
        defined_in: Files {
            extensions: &["php"],
            names: &["routes"],
        },
        strict: &[
            "route(", "to_route(", "URL::signedRoute(", "temporarySignedRoute(",
        ],
        read_in: &["php"],
        not_behind: &["request->route(", "request()->route("],
        quoted: &["{key}"],
        packages: &[Package {
            extensions: &["php"],
            keys: Names {
                whole: OF_LARAVEL,
                ..Names::NONE
            },
        }],
        libraries: Names {
            whole: OF_RESOURCES,
            ..Names::NONE
        },
        ..PLAIN
    },
    Row {
        kind: KeyKind::RailsRoute,
        noun: "route",
        lines: &[RAILS_ROUTES],
        words: &["{key}_path", "{key}_url"],
        word_use: words::route_helper,
        ..PLAIN
    },
    Row {
        kind: KeyKind::VueRoute,
        noun: "route",
        definers: &["name:"],
        defined_in: Files {
            extensions: &["js", "ts"],
            names: &["router", "routes", "routers"],
        },
        strict: &["name:"],
        within: &["push(", "replace(", "resolve(", "to=", "to:", "redirect:"],
        quoted: &["{key}"],
        ..PLAIN
    },
    Row {
        kind: KeyKind::Endpoint,
        noun: "path",
        packages: &[Package {
            extensions: &["php"],
            keys: Names {
                starts: PATHS_OF_LARAVEL,
                ..Names::NONE
            },
        }],
        ..PLAIN
    },
    Row {
        kind: KeyKind::Variable,
        noun: "environment variable",
        definers: &["WithEnvironment("],
        defined_in: Files {
            extensions: &["cs"],
            names: &[],
        },
        lines: &[DEPLOYMENT, ENVIRONMENT],
        strict: &[
            "environ[", "ENV.fetch(", "env!(", "env.str(", "env.bool(", "env.int(",
        ],
        lenient: &[
            "process.env[", "environ.get(", "getenv(", "os.Getenv(", "os.LookupEnv(", "ENV[",
            "env(", "Env::get(", "env::var(", "env::var_os(", "GetEnvironmentVariable(", "$_ENV[",
            "Deno.env.get(",
        ],
        absence: Absence::IsHandled,
        quoted: &["{key}"],
        words: &["{key}"],
        word_use: words::variable,
        defaults: Names {
            whole: &[
                "NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "LC_ALL", "PYTHONPATH",
            ],
            ..Names::NONE
        },
        ..PLAIN
    },
    Row {
        kind: KeyKind::Namespace,
        noun: "namespace",
        ..PLAIN
    },
    Row {
        kind: KeyKind::Column,
        noun: "column",
        ..PLAIN
    },
];

impl KeyKind {
    /// The row of a kind.
    pub(super) fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.kind == self).unwrap_or(&TEXT)
    }

    /// The noun for it in messages.
    #[must_use]
    pub fn noun(self) -> &'static str {
        self.row().noun
    }

    /// Classes of a framework that define keys with a hyphen, which are not to be seen.
    pub(crate) fn definers_with_hyphen(self) -> &'static [&'static str] {
        self.row().definers_with_hyphen
    }
}

/// The form of the lines of a file that define keys, with their kind.
pub(super) fn line_form(path: &str) -> Option<(KeyKind, &'static LineForm)> {
    let forms = ROWS
        .iter()
        .flat_map(|row| row.lines.iter().map(move |form| (row.kind, form)));
    let mut own = forms.filter(|(_, form)| (form.is_in)(path));
    own.next()
}

/// The kind of the keys that a text before a quote reads in a file.
pub(super) fn kind_of_read(path: &str, lead: &str) -> Option<KeyKind> {
    let reads =
        |row: &&Row| row.read_in.contains(&extension(path)) && ends_with_any(lead, row.strict);
    ROWS.iter().find(reads).map(|row| row.kind)
}

/// Whether a framework, or its package for signing in, may define a route instead of this file.
pub(super) fn may_be_of_package(kind: KeyKind, path: &str, key: &str) -> bool {
    let may_be = |own: &Package| own.extensions.contains(&extension(path)) && own.keys.has(key);
    kind.row().packages.iter().any(may_be)
}

/// Whether a framework, or a library, may define a key.
pub(super) fn is_usual(kind: KeyKind, key: &str) -> bool {
    let row = kind.row();
    row.defaults.has(key)
        || row.libraries.has(last_part(key))
        || row.packages.iter().any(|own| own.keys.has(key))
}
