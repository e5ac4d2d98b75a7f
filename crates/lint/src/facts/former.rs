//! The former IDs of rules that became part of another one. Suppressions, baselines and configurations may still have them.

use review::Language;

use crate::language::ROWS;

/// The former and the current IDs, sorted by the former.
pub(crate) fn renamed() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../rules/renamed.txt")
        .lines()
        .filter_map(|line| line.split_once(' '))
}

/// The current ID of a rule with this former one.
pub(crate) fn current_id(former: &str) -> Option<&'static str> {
    renamed()
        .find(|(id, _)| *id == former)
        .map(|(_, current)| current)
}

/// The former IDs under which a finding of a rule in a file of this language may be known. A rule in the folder of one
/// language never reported on another.
pub(crate) fn former_ids(
    current: &str,
    language: Option<Language>,
) -> impl Iterator<Item = &'static str> {
    let folder = language
        .and_then(|language| ROWS.iter().find(|row| row.name == language.name()))
        .map(|row| row.folder);
    let may_report = move |id: &str| {
        let own = id.split('/').next().unwrap_or_default();
        own == "any" || Some(own) == folder || (own == "javascript" && folder == Some("typescript"))
    };
    renamed()
        .filter(move |(id, now)| *now == current && may_report(id))
        .map(|(id, _)| id)
}
