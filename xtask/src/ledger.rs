//! The ledger: the findings of each rule on real changes, how readers judged them, and the resulting confidence.
//!
//! `eval/evidence.tsv` has the counts, `eval/verdicts.tsv` the judged findings. The rule engine's table is generated
//! from both.

mod formula;
mod read;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use lint::{Evidence, RuleInfo};

pub(crate) use self::read::{Counts, Verdict, counts, verdicts, write_counts, write_verdicts};

const TABLE: &str = "crates/rules/data/evidence.rs";
/// The name in place of a rule in the row with the totals.
pub(crate) const ALL: &str = "*";

/// The files generated from the ledger.
pub(crate) fn files() -> Result<BTreeMap<PathBuf, String>, String> {
    Ok(BTreeMap::from([(
        PathBuf::from(TABLE),
        table(&counts()?, &verdicts()?)?,
    )]))
}

/// The rule engine's table.
fn table(counts: &Counts, verdicts: &[Verdict]) -> Result<String, String> {
    let looked_at = counts.get(ALL).ok_or("eval/evidence.tsv has no row `*`")?;
    let read = read::by_rule(verdicts);
    let all = Evidence {
        useful: sum(&read, |of| of.0),
        wrong: sum(&read, |of| of.1),
        ..*looked_at
    };
    let mut out = format!(
        "// Made from eval/evidence.tsv and eval/verdicts.tsv by `cargo xtask codegen`.\nTable {{\n    looked_at: \
         counts({}),\n    rules: &[\n",
        numbers(&all)
    );
    for rule in rules::built_in().rules() {
        let (useful, wrong) = read.get(rule.id.as_str()).copied().unwrap_or_default();
        let evidence = Evidence {
            useful,
            wrong,
            ..counts.get(&rule.id).copied().unwrap_or_default()
        };
        row(
            &mut out,
            rule,
            &evidence,
            formula::confidence(rule, &evidence, looked_at),
        );
    }
    out.push_str("    ],\n}\n");
    Ok(out)
}

fn row(out: &mut String, rule: &RuleInfo, evidence: &Evidence, confidence: f64) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "        row({:?}, {confidence:.3}, {}),",
        rule.id,
        numbers(evidence)
    );
}

fn numbers(of: &Evidence) -> String {
    let Evidence {
        bugs,
        fixes,
        arrivals,
        merged,
        trees,
        suites,
        suites_clean,
        mistakes,
        twins,
        useful,
        wrong,
    } = of;
    format!(
        "[{bugs}, {fixes}, {arrivals}, {merged}, {trees}, {suites}, {suites_clean}, {mistakes}, {twins}], [{useful}, {wrong}]"
    )
}

fn sum(read: &BTreeMap<&str, (u32, u32)>, part: fn(&(u32, u32)) -> u32) -> u32 {
    read.values().map(part).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ALL, counts, verdicts};

    #[test]
    fn the_ledger_mentions_only_existing_rules() {
        let ids: BTreeSet<&str> = rules::catalog().ids().collect();
        let counted = counts().unwrap();
        let unknown: Vec<&String> = counted
            .keys()
            .filter(|id| *id != ALL && !ids.contains(id.as_str()))
            .collect();
        assert_eq!(unknown, Vec::<&String>::new(), "in eval/evidence.tsv");
        let read = verdicts().unwrap();
        let unknown: BTreeSet<&str> = read
            .iter()
            .map(|one| one.rule.as_str())
            .filter(|id| !ids.contains(id))
            .collect();
        assert_eq!(unknown, BTreeSet::new(), "in eval/verdicts.tsv");
    }
}
