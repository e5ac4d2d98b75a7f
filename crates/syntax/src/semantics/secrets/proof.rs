//! Checks the inside of a token. Many formats contain a checksum or a readable part, by which a made-up token is
//! recognized.

use super::coding::{BASE36, BASE62, base32, base64, crc32, in_base, is_bech32};

/// The result of checking the inside of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Its checksum is correct, which does not happen by chance.
    Proven,
    /// There is no evidence against it.
    Plausible,
    /// It is made up, or is not a secret.
    Refuted,
}

/// The detectors of formats that can be checked.
pub(super) const CHECKED: &[&str] = &[
    "age-secret-key",
    "aws-access-token",
    "azure-storage-key",
    "discord-bot-token",
    "github-app-token",
    "github-oauth",
    "github-pat",
    "github-refresh-token",
    "gitlab-pat-routable",
    "gitlab-runner-authentication-token-routable",
    "grafana-service-account-token",
    "hunkwise-token",
    "jwt",
    "jwt-base64",
    "npm-access-token",
    "private-key",
];

/// Checks the inside of a token, depending on the detector that found it.
pub(super) fn verdict(detector: &str, value: &str) -> Verdict {
    match detector {
        "github-pat"
        | "github-oauth"
        | "github-app-token"
        | "github-refresh-token"
        | "npm-access-token"
        | "hunkwise-token" => checked(has_crc_in_base62(value)),
        "gitlab-pat-routable" | "gitlab-runner-authentication-token-routable" => {
            checked(has_crc_in_base36(value))
        }
        "grafana-service-account-token" => checked(has_crc_in_hexadecimal(value)),
        "age-secret-key" => checked(is_bech32(value)),
        "azure-storage-key" => azure(value),
        "aws-access-token" => possible(is_aws_key_id(value)),
        "jwt" => possible(is_private_jwt(value)),
        "jwt-base64" => possible(base64(value).is_some_and(|inner| starts_as_jwt(&inner))),
        "discord-bot-token" => possible(names_discord_user(value)),
        _ => Verdict::Plausible,
    }
}

fn checked(right: bool) -> Verdict {
    if right {
        Verdict::Proven
    } else {
        Verdict::Refuted
    }
}

fn possible(right: bool) -> Verdict {
    if right {
        Verdict::Plausible
    } else {
        Verdict::Refuted
    }
}

/// GitHub's, npm's and our own tokens end in the CRC-32 of their random part, in base 62
/// (<https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/>).
fn has_crc_in_base62(token: &str) -> bool {
    let Some((_, body)) = token.split_once('_') else {
        return false;
    };
    split_end(body, 6)
        .is_some_and(|(random, sum)| in_base(crc32(random.as_bytes()), BASE62, 6) == sum)
}

/// GitLab's routable tokens end in the CRC-32 of everything before it, in base 36
/// (<https://handbook.gitlab.com/handbook/engineering/architecture/design-documents/cells/routable_tokens/>).
fn has_crc_in_base36(token: &str) -> bool {
    split_end(token, 7)
        .is_some_and(|(before, sum)| in_base(crc32(before.as_bytes()), BASE36, 7) == sum)
}

/// Grafana's tokens end in the CRC-32 of the text before the last underscore, lowest byte first.
fn has_crc_in_hexadecimal(token: &str) -> bool {
    let Some((before, sum)) = token.rsplit_once('_') else {
        return false;
    };
    format!("{:08x}", crc32(before.as_bytes()).swap_bytes()).eq_ignore_ascii_case(sum)
}

fn split_end(text: &str, length: usize) -> Option<(&str, &str)> {
    text.len()
        .checked_sub(length)
        .and_then(|end| text.split_at_checked(end))
}

/// Azure puts a fixed mark into the storage keys that it generates.
fn azure(value: &str) -> Verdict {
    if value.get(76..).is_some_and(|end| end.starts_with("+ASt")) {
        Verdict::Proven
    } else {
        Verdict::Plausible
    }
}

/// The bits after the prefix are the account's number, which has twelve digits. Old IDs (first bit 0) do not contain
/// one.
fn is_aws_key_id(value: &str) -> bool {
    let Some(bytes) = value.get(4..).and_then(base32) else {
        return false;
    };
    let bits = bytes
        .iter()
        .take(6)
        .fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
    bits >> 47 == 0 || (bits >> 7) & 0xFF_FFFF_FFFF < 1_000_000_000_000
}

/// Whether a JSON web token was really issued: it is neither the one of the tutorials nor a public one.
fn is_private_jwt(token: &str) -> bool {
    const PUBLIC: &[&str] = &[
        "\"sub\":\"1234567890\"", "John Doe", "\"role\":\"anon\"", "example",
    ];
    let mut parts = token.split('.');
    let mut part = || parts.next().and_then(base64);
    let (Some(head), Some(body)) = (part(), part()) else {
        return false;
    };
    let text = String::from_utf8_lossy(&body);
    starts_as_jwt(&head) && text.starts_with('{') && !PUBLIC.iter().any(|mark| text.contains(mark))
}

fn starts_as_jwt(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let text = base64(text.split('.').next().unwrap_or_default()).map_or_else(
        || text.clone().into_owned(),
        |inner| String::from_utf8_lossy(&inner).into_owned(),
    );
    text.starts_with('{')
        && (text.contains("\"alg\"") || text.contains("\"typ\""))
        && !text.contains("\"none\"")
}

/// Whether the first part of a bot's token is the number of its user.
fn names_discord_user(token: &str) -> bool {
    let number = token.split('.').next().and_then(base64).unwrap_or_default();
    (17..=20).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_crc(prefix: &str, random: &str) -> String {
        format!(
            "{prefix}{random}{}",
            in_base(crc32(random.as_bytes()), BASE62, 6)
        )
    }

    #[test]
    fn checksums_of_github_npm_and_our_own_tokens() {
        let random = "u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsA";
        for (detector, prefix) in [
            ("github-pat", "ghp_"),
            ("npm-access-token", "npm_"),
            ("hunkwise-token", "hw_"),
        ] {
            assert_eq!(
                verdict(detector, &with_crc(prefix, random)),
                Verdict::Proven
            );
            assert_eq!(
                verdict(detector, &format!("{prefix}{random}AAAAAA")),
                Verdict::Refuted
            );
        }
        assert_eq!(verdict("github-pat", "ghp_é"), Verdict::Refuted);
    }

    #[test]
    fn checksums_of_gitlab_grafana_and_age() {
        let before = concat!(
            "glp",
            "at-bzoxCnU6MQpwOjI0eKu8Kd93nQw0ZrTy5LmPcXv7BgHj2NsA.01.0z"
        );
        let token = format!("{before}{}", in_base(crc32(before.as_bytes()), BASE36, 7));
        assert_eq!(verdict("gitlab-pat-routable", &token), Verdict::Proven);
        assert_eq!(
            verdict("gitlab-pat-routable", &format!("{before}0000000")),
            Verdict::Refuted
        );

        let before = concat!("gls", "a_u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsAx7");
        let token = format!("{before}_{:08x}", crc32(before.as_bytes()).swap_bytes());
        assert_eq!(
            verdict("grafana-service-account-token", &token),
            Verdict::Proven
        );
        assert_eq!(
            verdict(
                "grafana-service-account-token",
                &format!("{before}_01234567")
            ),
            Verdict::Refuted
        );

        assert_eq!(
            verdict("age-secret-key", "AGE-SECRET-KEY-1QQQQ"),
            Verdict::Refuted
        );
    }

    #[test]
    fn aws_key_ids_contain_a_number_of_twelve_digits() {
        assert_eq!(
            verdict("aws-access-token", concat!("ASIA", "Y34FZKBOKMUTVV7A")),
            Verdict::Plausible
        );
        assert_eq!(
            verdict("aws-access-token", concat!("AKIA", "7777777777777777")),
            Verdict::Refuted
        );
        assert_eq!(
            verdict("aws-access-token", concat!("AKIA", "IQYLPMN5HHHFPZAM")),
            Verdict::Plausible
        );
    }

    #[test]
    fn web_tokens_are_decoded() {
        let head = "eyJhbGciOiJIUzI1NiJ9";
        let tutorial = "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0";
        let real = "eyJzdWIiOiJvcmRlcnMiLCJhZG1pbiI6dHJ1ZX0";
        let token = |head: &str, body: &str| format!("{head}.{body}.c2lnbmF0dXJl");
        assert_eq!(verdict("jwt", &token(head, real)), Verdict::Plausible);
        assert_eq!(verdict("jwt", &token(head, tutorial)), Verdict::Refuted);
        assert_eq!(
            verdict("jwt", &token("eyJhbGciOiJub25lIn0", real)),
            Verdict::Refuted
        );
        assert_eq!(verdict("jwt", &token("eyJ!", real)), Verdict::Refuted);
        assert_eq!(verdict("jwt", "eyJ"), Verdict::Refuted);
    }
}
