//! What tells a real secret from a placeholder: the form of known tokens, their checksums, and how random a text is.
//!
//! Values are never shown: [`masked`] keeps the few characters that say what kind of token it is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

/// A kind of token that can be told by its form.
pub(crate) struct Form {
    /// What it is, for the finding.
    pub(crate) name: &'static str,
    /// A text that every such token holds; lines without one are not looked at.
    keyword: &'static str,
    /// The token: group 1, or all of it.
    pattern: &'static str,
    /// Bits a character that it must have at least; 0 where the form is proof enough.
    entropy: f64,
    check: Proof,
}

/// What proves that a token is real.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// Its form.
    Form,
    /// The last six characters are the CRC-32 of those before, in base 62.
    Crc,
}

const fn form(name: &'static str, keyword: &'static str, pattern: &'static str, entropy: f64) -> Form {
    Form { name, keyword, pattern, entropy, check: Proof::Form }
}

const fn checked(name: &'static str, keyword: &'static str, pattern: &'static str) -> Form {
    Form { name, keyword, pattern, entropy: 3.0, check: Proof::Crc }
}

/// Forms that the services themselves document.
static FORMS: &[Form] = &[
    form("an access key of AWS", "AKIA", r"\b(AKIA[A-Z2-7]{16})\b", 3.0),
    form("a temporary access key of AWS", "ASIA", r"\b(ASIA[A-Z2-7]{16})\b", 3.0),
    form(
        "a secret key of AWS",
        "aws_secret",
        r#"(?i:aws_secret(?:_access)?_key)["']?\s*[:=]+>?\s*["']?([A-Za-z0-9/+]{40})(?:["'\s]|$)"#,
        4.0,
    ),
    checked("a token of GitHub", "ghp_", r"\b(ghp_[A-Za-z0-9]{36})\b"),
    checked("a token of GitHub", "gho_", r"\b(gho_[A-Za-z0-9]{36})\b"),
    checked("a token of GitHub", "ghu_", r"\b(ghu_[A-Za-z0-9]{36})\b"),
    checked("a token of GitHub", "ghs_", r"\b(ghs_[A-Za-z0-9]{36})\b"),
    checked("a token of GitHub", "ghr_", r"\b(ghr_[A-Za-z0-9]{36})\b"),
    form("a token of GitHub", "github_pat_", r"\b(github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b", 3.5),
    checked("a token of npm", "npm_", r"\b(npm_[A-Za-z0-9]{36})\b"),
    form("a token of GitLab", "glpat-", r"\b(glpat-[A-Za-z0-9_-]{20})(?:[^A-Za-z0-9_-]|$)", 3.0),
    form("a token of GitLab", "gldt-", r"\b(gldt-[A-Za-z0-9_-]{20})(?:[^A-Za-z0-9_-]|$)", 3.0),
    form("a runner token of GitLab", "glrt-", r"\b(glrt-[A-Za-z0-9_-]{20})(?:[^A-Za-z0-9_-]|$)", 3.0),
    form("a trigger token of GitLab", "glptt-", r"\b(glptt-[0-9a-f]{40})\b", 2.5),
    form("a token of Slack", "xoxb-", r"\b(xoxb-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9]{20,34})\b", 3.0),
    form("a token of Slack", "xoxp-", r"\b(xoxp-[0-9]{10,13}-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9]{28,34})\b", 3.0),
    form("an app token of Slack", "xapp-", r"\b(xapp-[0-9]-[A-Z0-9]{9,12}-[0-9]{10,13}-[a-f0-9]{64})\b", 3.0),
    form(
        "an address that posts to Slack",
        "hooks.slack.com/services",
        r"hooks\.slack\.com/services/(T[A-Z0-9]{7,12}/B[A-Z0-9]{7,12}/[A-Za-z0-9]{20,26})\b",
        3.0,
    ),
    form("a live key of Stripe", "_live_", r"\b([sr]k_live_[A-Za-z0-9]{20,100})\b", 3.0),
    form("a signing secret of Stripe", "whsec_", r"\b(whsec_[A-Za-z0-9+/]{32,64})\b", 3.5),
    form("an API key of Google", "AIza", r"\b(AIza[0-9A-Za-z_-]{35})(?:[^0-9A-Za-z_-]|$)", 3.5),
    form("a client secret of Google", "GOCSPX-", r"\b(GOCSPX-[A-Za-z0-9_-]{28})(?:[^A-Za-z0-9_-]|$)", 3.5),
    form("a token of PyPI", "pypi-AgEIcHlwaS5vcmc", r"\b(pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,})", 3.5),
    form("a key of SendGrid", "SG.", r"\b(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?:[^A-Za-z0-9_-]|$)", 3.5),
    form("a key of OpenAI", "T3BlbkFJ", r"\b(sk-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,})", 3.5),
    form("a key of Anthropic", "sk-ant-", r"\b(sk-ant-(?:api|admin)[0-9]{2}-[A-Za-z0-9_-]{80,})", 3.5),
    form("a token of Hugging Face", "hf_", r"\b(hf_[A-Za-z]{34})\b", 3.5),
    form("a token of DigitalOcean", "_v1_", r"\b(do[opr]_v1_[a-f0-9]{64})\b", 3.0),
    form("a token of Shopify", "shp", r"\b(shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})\b", 3.0),
    form("a token of a Telegram bot", ":AA", r"\b([0-9]{8,10}:AA[A-Za-z0-9_-]{33})(?:[^A-Za-z0-9_-]|$)", 3.5),
    form("a storage key of Azure", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86}==)", 4.0),
    form("a token of Databricks", "dapi", r"\b(dapi[0-9a-f]{32})\b", 3.0),
    form("a token of Vault", "hvs.", r"\b(hvs\.[A-Za-z0-9_-]{90,})", 3.5),
    form("a token of Terraform Cloud", ".atlasv1.", r"\b([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,})", 3.5),
    form("a token of Docker Hub", "dckr_pat_", r"\b(dckr_pat_[A-Za-z0-9_-]{27})(?:[^A-Za-z0-9_-]|$)", 3.5),
    form("a token of Grafana", "glsa_", r"\b(glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})\b", 3.0),
    form("a key of Postman", "PMAK-", r"\b(PMAK-[a-f0-9]{24}-[a-f0-9]{34})\b", 3.0),
    form("a key of Linear", "lin_api_", r"\b(lin_api_[A-Za-z0-9]{40})\b", 3.5),
    form("a token of Doppler", "dp.pt.", r"\b(dp\.pt\.[A-Za-z0-9]{43})\b", 3.5),
    form("a key of New Relic", "NRAK-", r"\b(NRAK-[A-Z0-9]{27})\b", 3.0),
    form("a key of Mailgun", "key-", r#"(?i:mailgun)[^\n]{0,40}["'=:\s](key-[0-9a-f]{32})\b"#, 3.0),
    form("a key of age", "AGE-SECRET-KEY-1", r"\b(AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})\b", 3.0),
    form(
        "an address that posts to Discord",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,80})",
        3.5,
    ),
];

/// The forms by their keyword, and the patterns, made once.
static FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(FORMS.iter().map(|form| form.keyword)).ok());
static PATTERNS: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| FORMS.iter().map(|form| compiled(form.pattern)).collect());

/// A pattern over bytes, without the tables of Unicode.
pub(crate) fn compiled(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).build().ok()
}

/// A token that was found.
pub(crate) struct Token<'a> {
    /// What it is.
    pub(crate) name: &'static str,
    /// The token itself: not for showing.
    pub(crate) value: &'a str,
    /// Its checksum is right.
    pub(crate) proven: bool,
}

/// The known tokens in a line.
pub(crate) fn tokens(line: &str) -> Vec<Token<'_>> {
    let Some(finder) = FINDER.as_ref() else { return Vec::new() };
    let mut wanted: Vec<usize> = finder.find_overlapping_iter(line).map(|found| found.pattern().as_usize()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted.into_iter().filter_map(|index| token(line, index)).collect()
}

fn token(line: &str, index: usize) -> Option<Token<'_>> {
    let form = FORMS.get(index)?;
    let found = PATTERNS.get(index)?.as_ref()?.captures(line.as_bytes())?;
    let place = found.get(1)?;
    let value = line.get(place.range())?;
    if is_placeholder(value) || entropy(value) < form.entropy {
        return None;
    }
    let proven = form.check == Proof::Crc && has_right_checksum(value);
    (form.check == Proof::Form || proven).then_some(Token { name: form.name, value, proven })
}

/// The few characters of a secret that may be shown.
pub(crate) fn masked(value: &str) -> String {
    let shown: String = value.chars().take(4).collect();
    format!("{shown}…")
}

/// Bits of information a character (Shannon).
pub(crate) fn entropy(text: &str) -> f64 {
    let mut counts: BTreeMap<u8, f64> = BTreeMap::new();
    for byte in text.bytes() {
        *counts.entry(byte).or_default() += 1.0;
    }
    let all: f64 = counts.values().sum();
    counts.values().map(|count| -(count / all) * (count / all).log2()).sum()
}

/// Whether a value only stands for a secret.
pub(crate) fn is_placeholder(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "example",
        "sample",
        "dummy",
        "placeholder",
        "changeme",
        "change-me",
        "change_me",
        "your",
        "xxxx",
        "fake",
        "mock",
        "todo",
        "redact",
        "insert",
        "replace",
        "abcdef",
        "012345",
        "123456",
        "deadbeef",
        "secret",
        "password",
        "passwd",
        "foobar",
        "test",
        "none",
        "null",
        "undefined",
        "****",
        "....",
        "aaaa",
        "0000",
        "default",
        "process.env",
        "hunter2",
        "letmein",
        "qwerty",
        "notreal",
        "invalid",
        "censored",
        "hidden",
        "masked",
        "removed",
    ];
    const SIGNS: &[&str] = &["${", "{{", "<", ">", "%(", "$(", "#{", "%s", "…", "@{", "\\("];
    let lower = value.to_ascii_lowercase();
    let mut letters: Vec<char> = value.chars().collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len() < 5
        || WORDS.iter().any(|word| lower.contains(word))
        || SIGNS.iter().any(|sign| value.contains(sign))
        || value.starts_with('$')
}

/// GitHub's and npm's tokens end in the CRC-32 of their random part, in base 62
/// (<https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/>).
fn has_right_checksum(token: &str) -> bool {
    let Some((_, body)) = token.split_once('_') else { return false };
    let Some((random, sum)) = body.len().checked_sub(6).and_then(|end| body.split_at_checked(end)) else {
        return false;
    };
    base62(crc32(random.as_bytes())) == sum
}

fn base62(number: u32) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = number;
    let mut digits: Vec<char> = Vec::new();
    for _ in 0..6 {
        digits.extend(DIGITS.get((rest % 62) as usize).map(|digit| char::from(*digit)));
        rest /= 62;
    }
    digits.iter().rev().collect()
}

/// CRC-32 as in zip (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        let start = sum ^ u32::from(*byte);
        (0..8).fold(start, |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::{FORMS, base62, compiled, crc32, entropy, has_right_checksum, is_placeholder, masked, tokens};

    #[test]
    fn forms_compile_and_hold_their_keyword() {
        for form in FORMS {
            assert!(compiled(form.pattern).is_some(), "{}", form.pattern);
            assert!(!form.keyword.is_empty());
        }
    }

    #[test]
    fn checksum_is_that_of_zip() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(base62(61 + 62), "00001z");
    }

    #[test]
    fn tokens_with_a_wrong_checksum_are_not_taken() {
        let random = "u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsA";
        let token = format!("ghp_{random}{}", base62(crc32(random.as_bytes())));
        assert!(has_right_checksum(&token));
        assert_eq!(tokens(&format!("t = \"{token}\"")).len(), 1);
        assert!(tokens(&format!("t = \"ghp_{random}AAAAAA\"")).is_empty());
    }

    #[test]
    fn values_are_masked_and_placeholders_known() {
        assert_eq!(masked(concat!("AKIA", "QYLPMN5HHHFPZAM2")), "AKIA…");
        assert!(is_placeholder("YOUR_API_KEY") && is_placeholder("${TOKEN}") && is_placeholder("xxxxxxxxxxxx"));
        assert!(!is_placeholder("hu7Gq1zzPw9LmKd"));
        assert!(entropy("aaaa") < 0.1 && entropy("hu7Gq1zzPw9LmKd") > 3.0);
    }
}
