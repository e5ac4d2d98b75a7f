//! A file is reviewed in its language regardless of its name, or a warning names the file.

use std::collections::BTreeMap;

use lint::{RuleInfo, scan};
use review::chunk::{Sizes, plan};
use review::{Diff, Language};
use syntax::language::Grammar;
use syntax::parse::Limits;

/// A rule for one language, and code that it reports.
struct Planted {
    rule: String,
    /// Added lines, each with its marker.
    code: String,
    lines: usize,
}

fn planted(language: &str) -> Option<Planted> {
    let of_language = |info: &&RuleInfo| info.languages.iter().any(|name| name == language);
    let example = |info: &RuleInfo| {
        let text = info.positive.first()?;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('^')).collect();
        let is_plain = lines.iter().all(|line| line.starts_with('+'));
        let code: String = lines.iter().map(|line| format!("{line}\n")).collect();
        is_plain.then(|| Planted {
            rule: info.id.clone(),
            code,
            lines: lines.len(),
        })
    };
    let rules = rules::built_in().rules();
    // The rules of one language report nothing in another.
    let own = rules
        .iter()
        .filter(of_language)
        .filter(|info| info.languages.len() == 1)
        .find_map(example);
    own.or_else(|| rules.iter().filter(of_language).find_map(example))
}

/// The outcome for a file of this name.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Found,
    Warned,
    /// Neither; the language that was detected.
    Silent(Option<&'static str>),
}

#[expect(clippy::panic, reason = "the text is made here")]
fn fate(path: &str, planted: &Planted) -> Fate {
    let quoted = format!("{:?}", format!("b/{path}"));
    let text = format!(
        "--- /dev/null\n+++ {quoted}\n@@ -0,0 +1,{} @@\n{}",
        planted.lines, planted.code
    );
    let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(diff.files[0].path(), path);
    let plan = plan(&diff, None, &Sizes::default());
    let files: Vec<_> = plan.chunks.iter().collect();
    let reports: Vec<_> = files
        .iter()
        .map(|file| scan(file, rules::built_in(), &Limits::default()))
        .collect();
    let rule = Some(planted.rule.as_str());
    let mut warnings = plan
        .warnings
        .iter()
        .chain(reports.iter().flat_map(|report| &report.warnings));
    if reports
        .iter()
        .flat_map(|report| &report.candidates)
        .any(|found| found.rule_id() == rule)
    {
        Fate::Found
    } else if warnings.any(|warning| warning.file_path.as_deref() == Some(path)) {
        Fate::Warned
    } else {
        Fate::Silent(
            files
                .first()
                .and_then(|file| file.language)
                .map(Language::name),
        )
    }
}

/// A name as people, programs and attackers write it.
fn spellings(stem: &str, suffix: &str) -> Vec<String> {
    let plain = format!("{stem}{suffix}");
    let mut all = vec![
        plain.to_uppercase(),
        format!("{stem}.min{suffix}"),
        format!("{stem}.txt{suffix}"),
    ];
    let title: String = suffix
        .char_indices()
        .map(|(at, c)| if at == 1 { c.to_ascii_uppercase() } else { c })
        .collect();
    // Of two suffixes, the last one decides if the first is spelt unusually.
    all.extend((suffix.matches('.').count() == 1).then(|| format!("{stem}{title}")));
    all.extend(
        [".", " ", "\"", "'", "`", "~", ". ", "\t"].map(|litter| format!("{plain}{litter}")),
    );
    all.extend(["src/", "a b/", "ü/", "\\"].map(|folder| format!("{folder}{plain}")));
    all
}

/// By suffix: the languages that claim it.
fn claims() -> BTreeMap<String, Vec<&'static str>> {
    let mut claims = BTreeMap::<String, Vec<&'static str>>::new();
    for (name, language) in linguist::definitions::LANGUAGES.iter() {
        for suffix in language.extensions.iter().flatten() {
            claims.entry(suffix.to_lowercase()).or_default().push(name);
        }
    }
    claims
}

#[test]
fn code_is_reviewed_under_any_file_name_or_has_a_warning() {
    let claims = claims();
    let mut wrong = Vec::new();
    let mut names = 0;
    for language in Grammar::all().map(Grammar::name) {
        let Some(planted) = planted(language) else {
            continue;
        };
        let definition = &linguist::definitions::LANGUAGES[language];
        for (place, suffix) in definition.extensions.iter().flatten().enumerate() {
            let plain = fate(&format!("code{suffix}"), &planted);
            // The first suffix is the most common one.
            let is_clear = place == 0 || claims[&suffix.to_lowercase()].len() == 1;
            if is_clear && plain != Fate::Found {
                wrong.push(format!("{language}: code{suffix}: {plain:?}"));
            }
            for name in spellings("code", suffix) {
                names += 1;
                let fate = fate(&name, &planted);
                if fate != plain && fate != Fate::Warned {
                    wrong.push(format!(
                        "{language}: {name:?}: {fate:?}, and code{suffix}: {plain:?}"
                    ));
                }
            }
        }
        for name in ["code", "CODE", "code.", "code.unknown", ".code", "code "] {
            names += 1;
            if let Fate::Silent(taken_for) = fate(name, &planted) {
                wrong.push(format!("{language}: {name:?} is taken for {taken_for:?}"));
            }
        }
    }
    assert!(names > 1_000, "{names}");
    assert!(
        wrong.is_empty(),
        "{} of {names}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
