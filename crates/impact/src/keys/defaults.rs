//! Keys that frameworks and libraries define.

use super::KeyKind;
use super::kinds::last_part;
use super::text::extension;

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

/// Whether Django has a default for a setting.
pub(super) fn is_default_setting(key: &str) -> bool {
    DJANGO.iter().any(|start| key.starts_with(start))
}

/// Whether a framework, or its package for signing in, may define a route instead of this file.
pub(super) fn may_be_of_package(kind: KeyKind, path: &str, key: &str) -> bool {
    match kind {
        KeyKind::DjangoRoute => OF_DJANGO.contains(&key),
        KeyKind::LaravelRoute => OF_LARAVEL.contains(&key),
        KeyKind::Endpoint => {
            extension(path) == "php" && PATHS_OF_LARAVEL.iter().any(|start| key.starts_with(start))
        }
        _ => false,
    }
}

/// Whether a framework, or a library, may define a key.
pub(super) fn is_usual(kind: KeyKind, key: &str) -> bool {
    let last = last_part(key);
    match kind {
        KeyKind::DjangoRoute => {
            OF_DJANGO.contains(&key) || OF_RESOURCES.iter().any(|own| last.ends_with(own))
        }
        KeyKind::LaravelRoute => OF_LARAVEL.contains(&key) || OF_RESOURCES.contains(&last),
        KeyKind::Resource => OF_LIBRARIES.iter().any(|start| last.starts_with(start)),
        KeyKind::Setting => is_default_setting(key),
        _ => false,
    }
}
