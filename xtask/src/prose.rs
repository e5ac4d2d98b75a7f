//! The style of English texts. No text contains a phrase that is unidiomatic in English technical writing. The title of
//! a rule names the defect.

#[cfg(test)]
mod code;

use std::sync::LazyLock;

use lint::{RuleInfo, RuleSet};
use regex::Regex;
use review::Category;

/// Maximum length of a title, in characters.
const TITLE: usize = 60;

/// Minimum number of examples of each sort; the second should differ in shape from the first.
const EXAMPLES: usize = 2;

/// Banned phrases, and what to write instead.
const BANNED: &[(&str, &str)] = &[
    (
        r"(?i)\b[a-z]+body\b",
        "name the person or thing: the caller, the compiler, an attacker, nothing",
    ),
    (
        r"(?i)\bwho(ever|soever)\b",
        "name the person: the caller, an attacker, the author",
    ),
    (r"(^|[.:;!?] )Who(se)? [^?]*([.]|$)", "name the subject"),
    (
        r"(^|[.;:!?] )What(ever)? [^?]*([.]|$)",
        "do not begin a sentence with a headless `what`: name the subject",
    ),
    (
        r"(?i)\b(is|was|were|are|be) meant\b",
        "say `intended`, or what the code should do",
    ),
    (
        r"(?i)\b(stands?|stood|standing)\b", "say `is`, or `appears`",
    ),
    (r"(?i)\b(goes|go|going|went) on\b", "say `continues`"),
    (
        r"(?i)\b(it|this|that|which|they) (is|are|was|were) no [a-kn-z]",
        "say `is not a`",
    ), // but `no longer`, `no more`, `no less`
    (
        r"(?i)\bon (every|each|this|that|one|all|another) ways?\b",
        "say `path`",
    ),
    (
        r"(?i)\bgives? (back|nothing|null|nil|none|false|true|a|an|the|what|only|up to)\b",
        "say `returns`",
    ),
    (r"(?i)\basked for\b", "say `requested`, `checked` or `read`"),
    (
        r"(?i)\bpiece of text\b|\bglued\b", "say `string`, `concatenated`",
    ),
    (
        r"(?i)\b(not|nothing|never)\b[^.]* any ?more\b",
        "say `no longer`",
    ),
    (r"(?i)\bbe it\b", "say `either … or`"),
    (r"(?i)\bbites?\b", "say what happens"),
];

/// Phrases that are also banned in rule texts.
const BANNED_IN_RULES: &[(&str, &str)] = &[
    (r"(?i)\bbehind\b", "say `after`"),
    (
        r"(?i)\b[A-Z_]+`? (is|are|was|were) no [a-kn-z]",
        "say `is not a`",
    ),
];

/// Phrases that are also banned in code (comments, messages and names of tests), documents and pages.
#[cfg(test)]
const BANNED_IN_CODE: &[(&str, &str)] = &[
    (r"(?i)\bmend(s|ed|ing)?\b", "say `fix`"),
    (
        r"(?i)\b(tells?|told)\b", "say `returns`, `reports` or `shows`",
    ),
    (
        r"(?i)\b(is|are|was|were|be) said\b|\bspeaks? of\b",
        "say `reported`, `stated`, or name the content",
    ),
    (
        r"(?i)\b(it|this|that|which) (is|are|was) none\b",
        "say `is not a`, `is invalid`",
    ),
    (
        r"(?i)\bfor ever\b",
        "say `forever`, `permanently` or `never expires`",
    ),
    (r"(?i)\bby way of\b", "say `through` or `with`"),
    (
        r"(?i)\b(be|are|is|not) (to be )?had\b",
        "say `available`, `fetched` or `obtained`",
    ),
    (
        r"(?i)\bso (many|much)\b|\b(for|as) so long\b",
        "say `this many`, or name the number",
    ),
    (r"(?i)\bat once\b", "say `immediately` or `concurrently`"),
    (r"(?i)\bbesides?\b", "say `next to`, `in addition to`"),
    (r"(?i)\bwhose\b[^.]*\bwhose\b", "split the sentence"),
    (
        r"(?i)\blets? (\w+ )?in[.,;:]|\blets? in\b",
        "say `accepts`, `admits`",
    ),
    (
        r"(?i)\bof no use\b|\bworth nothing\b", "say `unusable`, `invalid`",
    ),
    (
        r"(?i)\bdoes not hold[.,;:]|\bdoes not hold$",
        "say `is invalid`",
    ),
    (r"(?i)\bat first sight\b", "say `on first use`"),
    (r"(?i)\bas yet\b", "say `yet`, or leave it out"),
    (r"(?i)\bkept nowhere\b", "say `not stored`"),
    (r"(?i)\bforgets?\b", "say `deletes`, `removes`"),
    (
        r"(?i)\b(is|are) no (part|pair)\b", "say `not part of`, `do not match`",
    ),
    (r"(?i)\bin sight\b", "say `visible`"),
    (r"(?i)\bsurely\b", "say `certainly`"),
    (r"(?i)\bsmall letters\b", "say `lower case`"),
    (
        r"(?i)\bhand(s|ed|ing)? (over|on)\b", "say `pass`, `pass on`",
    ),
    (r"(?i)\bif need be\b", "say `if necessary`"),
    (r"(?i)\bhad better\b", "say `should`"),
    (
        r"(?i)\b(brings?|brought|go|goes) along\b",
        "say `contains`, `includes` or `is sent`",
    ),
    (
        r"(?i)\bfor want of\b",
        "say `because … is missing`, `for lack of`",
    ),
    (r"(?i)\bin the name of\b", "say `on behalf of`"),
];

/// Phrases that are banned only in titles.
const BANNED_IN_TITLES: &[(&str, &str)] = &[
    (
        r"(?i)\b(that|which|who|whom|whose)\b",
        "a title has no relative clause: name the defect",
    ),
    (
        r"^(What|Where|When|How|It|There|This|That)\b",
        "a title begins with what is wrong",
    ),
    (r"[.!?]$", "a title is not a sentence"),
];

static TEXTS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| compiled(&[BANNED, BANNED_IN_RULES]));
static TITLES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| compiled(&[BANNED_IN_TITLES]));

fn compiled(lists: &[&[(&'static str, &'static str)]]) -> Vec<(Regex, &'static str)> {
    lists
        .iter()
        .copied()
        .flatten()
        .filter_map(|(pattern, advice)| Some((Regex::new(pattern).ok()?, *advice)))
        .collect()
}

/// The style problems of a rule in a set, one per line.
pub(crate) fn faults(set: &RuleSet, rule: &RuleInfo) -> Vec<String> {
    let mut faults = found(&TITLES, &rule.title, "title");
    if rule.title.chars().count() > TITLE {
        faults.push(format!("title: longer than {TITLE} characters"));
    }
    for (name, examples) in [("positive", &rule.positive), ("negative", &rule.negative)] {
        if examples.len() < EXAMPLES {
            faults.push(format!("{name}: fewer than {EXAMPLES} examples"));
        }
    }
    if rule.category == Category::Security
        && !rule.references.iter().any(|text| text.starts_with("CWE-"))
    {
        faults.push("references: a security rule names its CWE".to_owned());
    }
    let summaries = lint::testing::summaries(set, rule);
    let texts = [
        ("title", &rule.title),
        ("why", &rule.why),
        ("fix", &rule.fix),
    ]
    .into_iter();
    for (name, text) in texts.chain(summaries.iter().map(|text| ("summary", text))) {
        faults.extend(found(&TEXTS, text, name));
    }
    faults.sort();
    faults.dedup();
    faults
        .into_iter()
        .map(|fault| format!("{}: {fault}", rule.id))
        .collect()
}

fn found(banned: &[(Regex, &str)], text: &str, name: &str) -> Vec<String> {
    // Quoted code is not checked.
    let prose = text.split('`').step_by(2).collect::<Vec<_>>().join("`x`");
    let hits = banned
        .iter()
        .filter_map(|(pattern, advice)| Some((pattern.find(&prose)?, advice)));
    hits.map(|(hit, advice)| format!("{name}: {:?}: {advice}", hit.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{BANNED, BANNED_IN_RULES, BANNED_IN_TITLES, TEXTS, TITLES, faults, found};

    #[test]
    fn rules_are_in_plain_english() {
        let set = rules::built_in();
        let faults: Vec<String> = set
            .rules()
            .iter()
            .flat_map(|rule| faults(set, rule))
            .collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn unidiomatic_phrases_are_found_and_code_is_ignored() {
        assert_eq!(
            TEXTS.len(),
            BANNED.len() + BANNED_IN_RULES.len(),
            "every pattern is valid"
        );
        assert_eq!(
            TITLES.len(),
            BANNED_IN_TITLES.len(),
            "every pattern is valid"
        );
        assert_eq!(
            found(&TEXTS, "Null asked for behind the use", "why").len(),
            2
        );
        assert_eq!(
            found(&TITLES, "Lock that is never released", "title").len(),
            1
        );
        assert!(
            found(
                &TEXTS,
                "`nobody stands behind` is a name, and the lock is no longer held.",
                "why"
            )
            .is_empty()
        );
    }
}
