//! The former IDs of rules that were merged into another rule. Suppressions, baselines and configurations may still use
//! them.

use review::Language;
use syntax::language::ROWS;

/// The former and the current IDs of renamed rules.
#[derive(Clone, Copy, Default)]
pub struct RenamedRules(&'static str);

impl RenamedRules {
    /// Parses lines, each with a former ID, a space and the current ID, sorted.
    #[must_use]
    pub const fn new(lines: &'static str) -> Self {
        Self(lines)
    }

    /// The former and the current IDs, in the order of the text.
    pub fn pairs(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.lines().filter_map(|line| line.split_once(' '))
    }

    /// The current ID of a rule with this former one.
    pub(crate) fn current_id(self, former: &str) -> Option<&'static str> {
        self.pairs()
            .find(|(id, _)| *id == former)
            .map(|(_, current)| current)
    }

    /// The former IDs under which a finding of a rule may be known in a file of this language. A rule in the folder of
    /// one language never reported on another.
    pub(crate) fn former_ids(
        self,
        current: &str,
        language: Option<Language>,
    ) -> impl Iterator<Item = &'static str> {
        let folder = language
            .and_then(|language| ROWS.iter().find(|row| row.name == language.name()))
            .map(|row| row.folder);
        let may_report = move |id: &str| {
            let own = id.split('/').next().unwrap_or_default();
            own == "any"
                || Some(own) == folder
                || (own == "javascript" && folder == Some("typescript"))
        };
        self.pairs()
            .filter(move |(id, now)| *now == current && may_report(id))
            .map(|(id, _)| id)
    }
}
