//! Names of authorization checks.

use super::vocabulary::{has_word, words_of};

/// Words that name an authorization check by themselves.
const CHECKS: &[&str] = &[
    "authorize", "authorizes", "authorized", "authorization", "authorizer", "authorise",
    "authorised", "authenticate", "authenticates", "authenticated", "authentication",
    "preauthorize", "postauthorize", "secured", "rolesallowed", "isgranted", "useguards",
    "permission", "permissions", "authguard",
];
/// Words for an identity, or for what it may do.
const SUBJECTS: &[&str] = &[
    "auth", "authn", "authz", "login", "logged", "signin", "sign", "signed", "role", "roles",
    "admin", "admins", "owner", "staff", "superuser", "privilege", "privileges", "acl", "jwt",
    "moderator", "editor", "writer", "member", "user", "granted", "rights", "scopes",
];
/// Words that demand a right or an identity.
const DEMANDS: &[&str] = &[
    "require", "required", "requires", "req", "check", "checks", "ensure", "verify", "only",
    "must", "guard", "guards", "has", "is", "assert", "validate", "need", "needs", "protect",
    "protected", "restrict", "restricted", "allowed", "allow", "passes", "current", "in",
];
/// First words of functions that handle data.
const DATA: &[&str] = &[
    "add", "build", "create", "fetch", "find", "format", "get", "list", "load", "make", "map",
    "parse", "read", "save", "set", "show", "store", "to", "update", "write",
];
/// Words that check wherever they are in a name: `load_and_authorize_resource`.
const ACTS: &[&str] = &[
    "authorize", "authorise", "authenticate", "authorized", "authenticated", "isgranted",
];
/// Names that count as authorization checks only where one is expected: as a decorator, or as an argument of a route.
const PLAIN: &[&str] = &[
    "auth", "login", "jwt", "roles", "role", "guards", "acl", "admin", "protect", "authz",
    "security",
];
/// Names that allow access without authorization.
const OPEN: &[&str] = &[
    "allowany", "allow_any", "permitall", "permit_all", "allowanonymous", "allow_anonymous",
    "anonymous", "skip_authorization", "skipauth", "skip_before_action",
    "isauthenticatedorreadonly", "public", "nologinrequired", "withoutmiddleware",
];

/// Words for the caller, and for what the caller may do.
const CALLER: &[&str] = &[
    "access", "account", "allowed", "can", "caller", "claim", "claims", "current", "identity",
    "me", "permission", "permissions", "policy", "principal", "request", "req", "scope", "session",
    "tenant", "token", "viewer",
];

/// Whether a name is about the caller, or about what the caller may do.
pub fn is_about_caller(name: &str) -> bool {
    let is_one =
        |word: &String| CALLER.contains(&word.as_str()) || SUBJECTS.contains(&word.as_str());
    name.len() <= 80 && (words_of(name).iter().any(is_one) || is_marker(name))
}

/// Whether a name selects what the caller may see or change: `permitted_ids`.
pub fn selects(name: &str) -> bool {
    let words = words_of(name);
    let mut words = words.iter().map(String::as_str);
    words.any(|word| matches!(word, "permitted" | "accessible" | "allowed" | "viewable"))
}

/// Whether a name says that authorization is checked.
pub fn is_marker(name: &str) -> bool {
    if name.len() > 80 {
        return false;
    }
    // A text: `isUser() and hasRole('ADMIN')` has such a name in it, `[UserId] IS NOT NULL` has only its words.
    if name.contains(char::is_whitespace) {
        return name.split_whitespace().any(is_marker);
    }
    let words = words_of(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // `getPermissions` returns data, and `AddAuthorization` registers a service.
    let is_about_data = words
        .first()
        .is_some_and(|first| DATA.contains(&first.as_str()));
    if is_about_data && !has(ACTS) && !has(DEMANDS) {
        return false;
    }
    has(CHECKS) || (has(SUBJECTS) && has(DEMANDS))
}

/// Whether a name is that of a check, in a place where a check is expected.
pub fn is_mention(name: &str) -> bool {
    let plain = name.trim_matches(|c: char| !c.is_alphanumeric());
    is_marker(plain) || opens(plain) || PLAIN.contains(&plain.to_ascii_lowercase().as_str())
}

/// Whether a check is about what the caller may do, and not only about the caller's identity.
pub fn is_about_rights(name: &str) -> bool {
    const RIGHT: &[&str] = &[
        "permission", "permissions", "permit", "owner", "owns", "admin", "admins", "role", "roles",
        "superuser", "staff", "moderator", "editor", "writer", "maintainer", "privilege",
        "privileges", "rights", "acl", "scope", "scopes", "policy", "can", "granted", "isgranted",
        "rolesallowed", "preauthorize",
    ];
    has_word(name, RIGHT)
}

/// Whether a name allows access without authorization.
pub fn opens(name: &str) -> bool {
    OPEN.contains(
        &name
            .trim_matches([':', '\'', '"'])
            .to_ascii_lowercase()
            .as_str(),
    )
}

/// Whether an assignment target configures authorization: `permission_classes`.
pub fn is_named_after_right(target: &str) -> bool {
    let name = target.to_ascii_lowercase();
    [
        "permission_classes", "permissions", "authentication_classes", "required_permissions",
        "required_roles",
    ]
    .contains(&name.as_str())
}

/// Words for rights, the highest first.
const RIGHTS: &[&[&str]] = &[
    &["superuser", "superadmin", "root"],
    &["owner"],
    &["admin", "administrator"],
    &["maintainer", "manager", "moderator", "staff"],
    &["editor", "writer", "contributor"],
    &["member", "user"],
    &["reader", "viewer"],
    &["guest", "anonymous", "anyone", "public"],
];

/// The word for a right in a name that is about rights, and the rank of that right.
pub fn rank(name: &str) -> Option<(String, usize)> {
    let words = words_of(name);
    // A single word is usually data: `admin`, `user`.
    if words.len() < 2 {
        return None;
    }
    let mut found = words.into_iter().filter_map(|word| {
        let at = RIGHTS
            .iter()
            .position(|rights| rights.contains(&word.as_str()))?;
        Some((word, RIGHTS.len() - at))
    });
    let only = found.next()?;
    found.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests {
    use super::{is_marker, is_mention, opens, rank};

    #[test]
    fn checks_are_recognized_by_name() {
        for name in [
            "login_required", "require_admin", "requireAuth", "reqSignIn", "PreAuthorize",
            "check_permission", "isAuthenticated", "adminOnly", "authenticate_user!",
            "permission_required", "get_current_active_superuser", "ensureLoggedIn",
        ] {
            assert!(is_marker(name), "{name}");
        }
        for name in [
            "author", "requires", "user", "admin", "check", "authors", "session", "loginUrl",
            "is_valid", "permit",
        ] {
            assert!(!is_marker(name), "{name}");
        }
        assert!(
            is_mention("auth") && !is_mention("author") && opens("AllowAny") && opens(":anonymous")
        );
    }

    #[test]
    fn rights_are_ranked() {
        let of = |name| rank(name).map(|(_, rank)| rank);
        assert!(of("OwnerHeaders") > of("AdminHeaders") && of("requireAdmin") > of("requireUser"));
        assert_eq!(
            (of("admin"), of("user_admin_id"), of("Headers")),
            (None, None, None)
        );
    }
}
