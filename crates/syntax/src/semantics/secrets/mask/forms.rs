//! Credentials that are recognized by their surroundings: URLs, headers, cookies, password hashes, commands.

use std::ops::Range;

use super::value::{Doubt, is_credential, is_reference};
use crate::semantics::secrets::coding::base64;
use crate::semantics::secrets::lazy::LazyPattern;
use crate::semantics::secrets::scanner::windows;

/// The surroundings of a credential, and the group that is the credential.
struct Form {
    /// A line without any of these is not looked at. In lower case.
    hints: &'static [&'static str],
    pattern: LazyPattern,
    doubt: Doubt,
}

const fn form(hints: &'static [&'static str], pattern: &'static str, doubt: Doubt) -> Form {
    Form {
        hints,
        pattern: LazyPattern::new(pattern),
        doubt,
    }
}

static FORMS: [Form; 10] = [
    // The last @ before the path ends the password, regardless of its characters.
    form(
        &["://"],
        r#"://[^\s:/@"'`<>]{0,256}:([^\s/"'`<>]{1,1024})@"#,
        Doubt::None,
    ),
    form(
        &["://"],
        r#"://[^\s:/@"'`<>]{0,256}:([^\s/"'`<>@]{0,200}[^\s/"'`<>@0-9][^\s"'`<>@]{0,200})@[A-Za-z0-9]"#,
        Doubt::Some,
    ),
    form(&["://"], r#"://([A-Za-z0-9_~.%+-]{16,512})@"#, Doubt::Some),
    form(
        &["jdbc:oracle"],
        r#"(?i)jdbc:oracle:[a-z]{1,10}:[^\s/@"']{1,64}/([^\s@"']{1,256})@"#,
        Doubt::None,
    ),
    form(
        &["authorization", "x-auth"],
        r#"(?i)(?:authorization|x-auth)["'`\])]{0,3}\s{0,8}(?:[:=,(>]\s{0,8}){1,3}["'`]{0,3}(?:[a-z][a-z0-9-]{1,24}\s{1,4})?([A-Za-z0-9+/=._~:%|-]{8,})"#,
        Doubt::Some,
    ),
    form(
        &["bearer", "basic", "token "],
        r"(?i)\b(?:bearer|basic|token)\s{1,4}([A-Za-z0-9+/=._~-]{12,})",
        Doubt::Some,
    ),
    // MD5, SHA and bcrypt as in htpasswd and shadow; PHC string format; LDAP.
    form(
        &["$"],
        r#"(\$(?:apr1|1|2[abxy]?|5|6|7|y|gy|argon2i?d?|scrypt|pbkdf2[a-z0-9-]{0,12})\$[A-Za-z0-9./$=,+-]{16,})"#,
        Doubt::None,
    ),
    form(
        &["{ssha", "{sha", "{md5}", "{smd5}", "{crypt}"],
        r"(?i)\{(?:s?sha(?:256|384|512)?|s?md5|crypt)\}([A-Za-z0-9+/=./$]{12,})",
        Doubt::None,
    ),
    form(
        &[
            "sshpass", "mysql", "login", "redis-cli", "mongo", "ldap", "smbclient", "mariadb",
            "curl", "wget", "http",
        ],
        r#"\b(?:sshpass|mysql\w{0,10}|mariadb|login|redis-cli|mongo\w{0,8}|ldap\w{1,10}|smbclient|wget)\b[^|;&]{0,256}?\s(?:-p|-a|-w)\s{0,2}["']?([^\s"'-][^\s"']{5,})"#,
        Doubt::Some,
    ),
    form(
        &["curl", "http"],
        r#"\b(?:curl|https?)\b[^|;]{0,512}?\s(?:-u|--user|-a|--auth|--proxy-user|-U)[\s=]{0,2}["']?[^\s"':]{1,64}:([^\s"']{4,})"#,
        Doubt::None,
    ),
];

/// Adds the credentials of a line.
pub(super) fn find(line: &str, path: &str, add: &mut dyn FnMut(Range<usize>)) {
    for (offset, window) in windows(line) {
        let lower = window.to_ascii_lowercase();
        for form in FORMS
            .iter()
            .filter(|form| form.hints.iter().any(|hint| lower.contains(hint)))
        {
            let captures = form
                .pattern
                .get()
                .into_iter()
                .flat_map(|pattern| pattern.captures_iter(window.as_bytes()));
            for range in captures.filter_map(|captures| Some(captures.get(1)?.range())) {
                if window
                    .get(range.clone())
                    .is_some_and(|value| is_masked(value, form.doubt))
                {
                    add(offset + range.start..whole(line, offset, window, range.end));
                }
            }
        }
        if lower.contains("cookie") {
            cookies(window, &lower, &mut |range| {
                add(offset + range.start..whole(line, offset, window, range.end))
            });
        }
    }
    record(line, path, add);
}

/// The end of a value. If the edge of a window truncates it, the value continues after the edge.
fn whole(line: &str, offset: usize, window: &str, end: usize) -> usize {
    crate::semantics::secrets::scanner::whole_end(line, offset, window, end)
}

fn is_masked(value: &str, doubt: Doubt) -> bool {
    let is_login = || {
        base64(value).is_some_and(|inner| {
            inner.contains(&b':') && inner.iter().all(|byte| (b' '..=b'~').contains(byte))
        })
    };
    is_credential(value, doubt)
        || value.len() >= 8 && doubt == Doubt::Some && !is_reference(value) && is_login()
}

/// The values of a `Cookie` or `Set-Cookie` header.
fn cookies(window: &str, lower: &str, add: &mut dyn FnMut(Range<usize>)) {
    const ATTRIBUTES: &[&str] = &["path", "domain", "expires", "max-age", "samesite"];
    let mut done = 0;
    for (at, word) in lower.match_indices("cookie") {
        let start = at + word.len();
        if start < done {
            continue;
        }
        let tail = window.get(start..).unwrap_or_default();
        let given = tail.trim_start_matches(['"', '\'', '`', ']', ')', ' ']);
        let Some(values) = given.strip_prefix([':', '=', ',', '(']) else {
            continue;
        };
        let values = values.trim_start_matches([' ', '"', '\'', '`']);
        let mut place = window.len() - values.len();
        let end = values
            .find(['"', '\'', '`'])
            .map_or(window.len(), |length| place + length);
        for pair in window.get(place..end).unwrap_or_default().split(';') {
            if let Some((name, value)) = pair.split_once('=')
                && !ATTRIBUTES.contains(&name.trim().to_ascii_lowercase().as_str())
                && value.len() >= 8
                && is_credential(value.trim(), Doubt::Some)
            {
                add(place + name.len() + 1..place + pair.len());
            }
            place += pair.len() + 1;
        }
        done = end;
    }
}

/// The last field of a line of `htpasswd`, `shadow` or `.pgpass`.
fn record(line: &str, path: &str, add: &mut dyn FnMut(Range<usize>)) {
    let name = path.rsplit('/').next().unwrap_or_default();
    let field = if name.ends_with("pgpass") || name == "pgpass.conf" {
        4
    } else if name.ends_with("htpasswd") || name == "shadow" {
        1
    } else if name.ends_with("htdigest") {
        2
    } else {
        return;
    };
    let Some(value) = line
        .splitn(field + 1, ':')
        .nth(field)
        .filter(|_| !line.starts_with('#'))
    else {
        return;
    };
    let end = if field == 1 {
        value.find(':').unwrap_or(value.len())
    } else {
        value.len()
    };
    let start = line.len() - value.len();
    if end >= 4 {
        add(start..start + end);
    }
}
