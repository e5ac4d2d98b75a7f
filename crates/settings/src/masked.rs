//! URLs in settings, which may contain a password.

use std::fmt;

/// Shown instead of a secret.
pub(super) const MASK: &str = "********";

/// A URL, shown without its password and its query: a parameter may be a key.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(String);

impl Url {
    /// A URL with this text, which is not checked.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The URL as written, for connecting to it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Url {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&masked(&self.0))
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", masked(&self.0))
    }
}

/// The text without the secrets of a URL in it. Other text is unchanged.
pub(super) fn masked(text: &str) -> String {
    let Some((scheme, rest)) = text
        .split_once("://")
        .filter(|(scheme, _)| *scheme != "sqlite")
    else {
        return text.to_owned();
    };
    let (rest, query) = rest
        .split_once('?')
        .map_or((rest, ""), |(rest, _)| (rest, "?********"));
    // A password may contain an unencoded slash, so in an invalid URL the last @ ends it.
    let (user, place) = match rest.rsplit_once('@').filter(|_| !has_no_user(text)) {
        Some((user, place)) => (shown_user(scheme, user) + "@", place),
        None => (String::new(), rest),
    };
    format!("{scheme}://{user}{place}{query}")
}

fn has_no_user(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| url.username().is_empty() && url.password().is_none())
}

/// The user of a database is not secret, but the user name for a provider or a proxy may be a token.
fn shown_user(scheme: &str, user: &str) -> String {
    match user.split_once(':') {
        _ if !scheme.starts_with("postgres") => MASK.to_owned(),
        Some((user, _)) => format!("{user}:{MASK}"),
        None => user.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Url;

    #[test]
    fn passwords_in_urls_are_masked_in_any_position() {
        for (url, shown) in [
            ("sqlite://a?b.db", "sqlite://a?b.db"),
            ("postgres://host/db", "postgres://host/db"),
            ("postgres://me@host/db", "postgres://me@host/db"),
            (
                "postgres://me:p@ss:w/rd@host/db", "postgres://me:********@host/db",
            ),
            (
                "postgresql://host/db?password=secret", "postgresql://host/db?********",
            ),
            ("http://me:secret@proxy:3128", "http://********@proxy:3128"),
            ("http://secret@proxy", "http://********@proxy"),
            ("https://host/@scope/x", "https://host/@scope/x"),
            ("https://host/x?key=secret", "https://host/x?********"),
            ("htp://me:se/cr@et@proxy", "htp://********@proxy"),
            ("no URL", "no URL"),
        ] {
            let url = Url::new(url.to_owned());
            assert_eq!(
                (url.to_string().as_str(), format!("{url:?}")),
                (shown, format!("{shown:?}"))
            );
        }
    }
}
