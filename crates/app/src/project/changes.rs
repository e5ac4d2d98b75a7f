//! Detects changes to the inputs of their own review: the configuration, the rules, the baseline.

use std::collections::BTreeSet;
use std::path::Path;

use review::{Diff, Side, Warning, WarningCode};

use super::{CONFIG, RULES, Sources, State, Texts};

/// Maximum number of files that a message names.
const NAMED: usize = 3;

impl Sources {
    /// The files that were read and that the change modifies, by name.
    pub(crate) fn changes(
        &self,
        texts: &Texts,
        state: State<'_>,
        root: Option<&Path>,
        changed: &BTreeSet<&str>,
    ) -> Vec<String> {
        match state {
            // Independent of the diff: git may not track a file yet, and a diff can be limited to some paths.
            State::Commit(_) => self.read(State::Checkout(root)).map_or_else(
                |_unreadable| vec!["the configuration or the rules".to_owned()],
                |now| texts.differing(&now),
            ),
            State::Checkout(_) if self.no_project_config => Vec::new(),
            State::Checkout(_) => changed
                .iter()
                .filter(|path| is_own(path))
                .map(|path| (*path).to_owned())
                .collect(),
        }
    }
}

impl Texts {
    /// The names of the files that differ.
    fn differing(&self, other: &Self) -> Vec<String> {
        let rules = |texts: &Self| -> BTreeSet<(String, String)> {
            texts
                .files
                .iter()
                .map(|file| (file.name.clone(), file.text.clone()))
                .collect()
        };
        let names: BTreeSet<String> = rules(self)
            .symmetric_difference(&rules(other))
            .map(|(name, _)| name.clone())
            .collect();
        let config = (self.config != other.config).then(|| CONFIG.to_owned());
        config.into_iter().chain(names).collect()
    }
}

/// The paths of the files that a change modifies, adds, deletes or renames, including those that are not in the diff
/// but in warnings.
pub(crate) fn paths<'d>(diff: &'d Diff<'_>, left_out: &'d [Warning]) -> BTreeSet<&'d str> {
    let in_diff = diff
        .files
        .iter()
        .flat_map(|file| [file.path_on(Side::Old), file.path_on(Side::New)]);
    in_diff
        .chain(
            left_out
                .iter()
                .filter_map(|warning| warning.file_path.as_deref()),
        )
        .collect()
}

/// The warning about the files with these names; `None` if there are none.
pub(crate) fn warning(names: &[String], state: State<'_>) -> Option<Warning> {
    let named: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| name.escape_debug().to_string())
        .collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let files = format!("{}{more}", named.join(", "));
    let message = match state {
        State::Commit(_) => format!(
            "the change to {files} takes effect once it is merged: this review used the version of the merge base; \
             --config-from checkout uses the version of the checkout"
        ),
        State::Checkout(_) => {
            format!(
                "the change to {files} is already in effect: this review used the version of the checkout"
            )
        }
    };
    (!names.is_empty()).then(|| Warning::review(WarningCode::ConfigurationChanged, message))
}

fn is_own(path: &str) -> bool {
    path == CONFIG
        || path
            .strip_prefix(RULES)
            .is_some_and(|rest| rest.starts_with('/'))
}
