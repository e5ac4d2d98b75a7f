//! Recounts the rules' findings on the corpora, and removes verdicts on findings that no longer exist.

use std::collections::{BTreeMap, BTreeSet};

use lint::Evidence;

use super::corpus::{Kind, Label};
use super::score::is_on;
use super::scoring::Scored;
use crate::ledger::{ALL, Counts, Verdict, counts, verdicts, write_counts, write_verdicts};
use crate::run::Result;

/// The kind of measurement of a corpus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Bugs,
    Fixes,
    Arrivals,
    Merged,
    Trees,
    Suites,
    Mistakes,
    Twins,
}

/// Rewrites the ledger's files. Rows that these corpora do not measure are kept.
pub(super) fn update(scored: &[Scored]) -> Result {
    write_counts(&recounted(counts()?, scored))?;
    let mut read = verdicts()?;
    drop_outdated(&mut read, scored);
    write_verdicts(&read)
}

fn recounted(mut ledger: Counts, scored: &[Scored]) -> Counts {
    let ids: BTreeSet<&str> = rules::catalog().ids().chain([ALL]).collect();
    ledger.retain(|id, _| ids.contains(id.as_str()));
    for id in ids {
        ledger.entry(id.to_owned()).or_default();
    }
    for column in scored.iter().filter_map(column).collect::<BTreeSet<_>>() {
        ledger.values_mut().for_each(|of| of.reset(column));
    }
    for one in scored {
        let Some(column) = column(one) else { continue };
        if let Some(all) = ledger.get_mut(ALL) {
            all.add_sample(one, column);
        }
        for (rule, [findings, suites, clean]) in findings_by_rule(one) {
            let Some(of) = ledger.get_mut(rule) else {
                continue;
            };
            match column {
                Column::Suites => {
                    (of.suites, of.suites_clean) = (of.suites + suites, of.suites_clean + clean)
                }
                Column::Trees => of.trees += findings,
                // Without labels, the whole edit counts as the mistake.
                Column::Mistakes => {
                    of.mistakes +=
                        u32::from(suites > 0 || one.item.labels.is_empty() && findings > 0)
                }
                column => *of.cell(column) += 1,
            }
        }
    }
    ledger
}

/// The rules' findings in an item: all, those that a suite expects, and those that it forbids.
fn findings_by_rule(one: &Scored) -> BTreeMap<&str, [u32; 3]> {
    let clean: Vec<&Label> = one
        .item
        .labels
        .iter()
        .filter(|label| label.expect.as_deref() == Some("clean"))
        .collect();
    let mut by_rule: BTreeMap<&str, [u32; 3]> = BTreeMap::new();
    for (finding, is_wanted) in &one.findings {
        let Some(rule) = &finding.rule_id else {
            continue;
        };
        let is_unwanted = !is_wanted && clean.iter().any(|label| is_on(label, finding));
        let [findings, suites, unwanted] = by_rule.entry(rule).or_default();
        *findings += 1;
        *suites += u32::from(*is_wanted);
        *unwanted += u32::from(is_unwanted);
    }
    by_rule
}

fn column(one: &Scored) -> Option<Column> {
    match one.item.kind {
        Kind::Bugs if one.item.source == "szz" => (!one.reversed).then_some(Column::Arrivals),
        Kind::Bugs if one.reversed => Some(Column::Fixes),
        Kind::Bugs => Some(Column::Bugs),
        Kind::Clean if one.item.id.starts_with("trees/") => Some(Column::Trees),
        Kind::Clean => Some(Column::Merged),
        Kind::Rules => Some(Column::Suites),
        Kind::Golden => None,
        Kind::Mistake => Some(Column::Mistakes),
        Kind::Twin => Some(Column::Twins),
    }
}

/// Removes verdicts on findings that a rule no longer reports.
fn drop_outdated(read: &mut Vec<Verdict>, scored: &[Scored]) {
    let reviewed: BTreeSet<&str> = scored.iter().map(|one| one.item.id.as_str()).collect();
    let mut current = BTreeSet::new();
    for one in scored {
        for (finding, _) in &one.findings {
            current.insert((
                one.item.id.as_str(),
                finding.rule_id.as_deref(),
                finding.file_path.as_str(),
            ));
        }
    }
    read.retain(|verdict| {
        !reviewed.contains(verdict.item.as_str())
            || current.contains(&(
                verdict.item.as_str(),
                Some(verdict.rule.as_str()),
                verdict.path.as_str(),
            ))
    });
}

/// The cells of a row.
trait Row {
    fn cell(&mut self, column: Column) -> &mut u32;
    /// Resets a column to zero.
    fn reset(&mut self, column: Column);
    /// Adds an item to the column's sample size.
    fn add_sample(&mut self, one: &Scored, column: Column);
}

impl Row for Evidence {
    fn cell(&mut self, column: Column) -> &mut u32 {
        match column {
            Column::Bugs => &mut self.bugs,
            Column::Fixes => &mut self.fixes,
            Column::Arrivals => &mut self.arrivals,
            Column::Merged => &mut self.merged,
            Column::Trees => &mut self.trees,
            Column::Suites => &mut self.suites,
            Column::Mistakes => &mut self.mistakes,
            Column::Twins => &mut self.twins,
        }
    }

    fn reset(&mut self, column: Column) {
        *self.cell(column) = 0;
        if column == Column::Suites {
            self.suites_clean = 0;
        }
    }

    fn add_sample(&mut self, one: &Scored, column: Column) {
        let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
        match column {
            Column::Suites => {
                self.suites += number(one.score.expected);
                self.suites_clean += number(one.score.clean);
            }
            Column::Trees => self.trees += number(one.item.added),
            column => *self.cell(column) += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::corpus::Item;
    use super::super::score::Score;
    use super::{ALL, Counts, Scored, recounted};
    use crate::eval::corpus::Kind;

    fn item(kind: Kind, reversed: bool) -> Scored {
        let text = r#"{"id": "a", "source": "mined", "language": "Go", "diff": ""}"#;
        let item = Item {
            kind,
            ..serde_json::from_str(text).unwrap()
        };
        let usage = review::TokenUsage::default();
        Scored {
            item,
            reversed,
            findings: Vec::new(),
            score: Score::default(),
            usage,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn rows_that_are_not_measured_are_kept() {
        let mut before = Counts::new();
        let of = lint::Evidence {
            bugs: 3,
            fixes: 2,
            merged: 9,
            trees: 7,
            ..lint::Evidence::default()
        };
        before.insert("any/guard-removed".to_owned(), of);
        before.insert("any/of-yesterday".to_owned(), of);
        let after = recounted(
            before,
            &[
                item(Kind::Bugs, false),
                item(Kind::Bugs, true),
                item(Kind::Clean, false),
            ],
        );
        let of = after["any/guard-removed"];
        assert_eq!((of.bugs, of.fixes, of.merged, of.trees), (0, 0, 0, 7));
        assert_eq!(
            (after[ALL].bugs, after[ALL].fixes, after[ALL].merged),
            (1, 1, 1)
        );
        assert!(!after.contains_key("any/of-yesterday"));
        assert_eq!(after.len(), rules::catalog().ids().count() + 1);
    }
}
