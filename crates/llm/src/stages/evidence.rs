//! Whether a finding depends on code that the model was not shown. Such findings are wrong more often, at least those
//! of small models, so they are marked. They are not dropped, because their quote was found in the change.

use std::collections::HashSet;

use super::names::{identifiers, in_back_ticks};
use crate::locate::Located;
use crate::prompt_batch::PromptBatch;
use crate::reply::Evidence;

/// Names that a finding may mention for any code: literals, and errors raised by a runtime.
const COMMON: &[&str] = &[
    "none", "null", "nil", "undefined", "nan", "true", "false", "self", "this", "super", "void",
];
const RAISED: &[&str] = &["error", "exception", "panic", "warning", "segfault"];

/// The identifiers that a batch shows, its paths and headings included.
pub(crate) struct Symbols(HashSet<String>);

impl Symbols {
    pub(crate) fn of(batch: &PromptBatch<'_>) -> Self {
        let mut names = HashSet::new();
        for file in &batch.files {
            names.extend(identifiers(file.shown_path.as_str()));
            for hunk in &file.hunks {
                names.extend(identifiers(hunk.heading.as_str()));
                hunk.lines
                    .iter()
                    .for_each(|line| names.extend(identifiers(line.shown.as_str())));
            }
        }
        Self(names)
    }

    /// The same, with the results of look-ups in the repository.
    pub(crate) fn and<'t>(mut self, texts: impl Iterator<Item = &'t str>) -> Self {
        texts.for_each(|text| self.0.extend(identifiers(text)));
        self
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
            || COMMON.contains(&name)
            || RAISED.iter().any(|end| name.ends_with(end))
    }
}

/// Marks a finding that names something in back ticks that is not shown.
pub(crate) fn gate(found: Located, symbols: &Symbols) -> Located {
    match in_back_ticks(&found.summary)
        .iter()
        .all(|name| symbols.has(name))
    {
        true => found,
        false => Located {
            evidence: Evidence::Depends,
            ..found
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Symbols, gate};
    use crate::locate::Located;
    use crate::reply::Evidence;

    fn judged(summary: &str, evidence: Evidence) -> Evidence {
        let symbols = Symbols(HashSet::from(["order", "total"].map(str::to_owned)));
        gate(
            Located {
                evidence,
                ..Located::sample(0, summary)
            },
            &symbols,
        )
        .evidence
    }

    #[test]
    fn findings_that_mention_only_shown_code_are_shown() {
        for summary in [
            "`Order.total` may be `None`.", "`total` raises a `KeyError`.", "The check is gone.",
        ] {
            assert_eq!(
                judged(summary, Evidence::Shown),
                Evidence::Shown,
                "{summary}"
            );
        }
        assert_eq!(
            judged("The check is gone.", Evidence::Depends),
            Evidence::Depends,
            "as its finder stated"
        );
    }

    #[test]
    fn findings_that_mention_other_code_depend_on_it() {
        assert_eq!(
            judged("`order` is not checked by `validate`.", Evidence::Shown),
            Evidence::Depends
        );
    }
}
