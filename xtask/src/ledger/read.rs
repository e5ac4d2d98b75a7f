//! Reading and writing the ledger's two files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lint::Evidence;

use crate::run::{Result as Done, root};

const EVIDENCE: &str = "eval/evidence.tsv";
const EVIDENCE_HEAD: &str =
    "rule\tbugs\tfixes\tarrivals\tmerged\ttrees\tsuites\tsuites-clean\tmistakes\ttwins";
const VERDICTS: &str = "eval/verdicts.tsv";
const VERDICTS_HEAD: &str = "rule\titem\tpath\tline\tside\tverdict\tcause";

/// The counts by rule.
pub(crate) type Counts = BTreeMap<String, Evidence>;

/// A reader's verdict on a finding.
pub(crate) struct Verdict {
    pub(crate) rule: String,
    /// The labelled change, or the file of a tree.
    pub(crate) item: String,
    pub(crate) path: String,
    line: String,
    side: String,
    /// `useful`, `intended` or `false`.
    verdict: String,
    cause: String,
}

/// Reads the counts.
pub(crate) fn counts() -> Result<Counts, String> {
    let read = |cells: [String; 10]| {
        let [rule, numbers @ ..] = cells;
        let number = |text: String| {
            text.parse()
                .map_err(|_| format!("{EVIDENCE}: {rule}: {text:?} is not a number"))
        };
        let numbers = numbers
            .into_iter()
            .map(number)
            .collect::<Result<Vec<u32>, _>>()?;
        let [
            bugs,
            fixes,
            arrivals,
            merged,
            trees,
            suites,
            suites_clean,
            mistakes,
            twins,
        ] = numbers[..]
        else {
            return Err(format!("{EVIDENCE}: {rule}: not nine numbers"));
        };
        let (useful, wrong) = (0, 0);
        let evidence = Evidence {
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
        };
        Ok((rule, evidence))
    };
    rows(EVIDENCE, EVIDENCE_HEAD)?
        .into_iter()
        .map(read)
        .collect()
}

/// Reads the verdicts.
pub(crate) fn verdicts() -> Result<Vec<Verdict>, String> {
    let read = |cells: [String; 7]| {
        let [rule, item, path, line, side, verdict, cause] = cells;
        if !["useful", "intended", "false"].contains(&verdict.as_str()) {
            return Err(format!("{VERDICTS}: {rule}: {verdict:?} is not a verdict"));
        }
        Ok(Verdict {
            rule,
            item,
            path,
            line,
            side,
            verdict,
            cause,
        })
    };
    rows(VERDICTS, VERDICTS_HEAD)?
        .into_iter()
        .map(read)
        .collect()
}

/// Counts the useful and the other findings of each rule. A location that was judged in a commit and again in the
/// tree counts once.
pub(super) fn by_rule(verdicts: &[Verdict]) -> BTreeMap<&str, (u32, u32)> {
    let mut seen = BTreeSet::new();
    let mut read: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for one in verdicts
        .iter()
        .filter(|one| seen.insert((&one.rule, &one.path, &one.line)))
    {
        let (useful, wrong) = read.entry(&one.rule).or_default();
        *(if one.verdict == "useful" {
            useful
        } else {
            wrong
        }) += 1;
    }
    read
}

/// The rows of a table with `N` columns.
fn rows<const N: usize>(file: &str, head: &str) -> Result<Vec<[String; N]>, String> {
    let text =
        std::fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"))?;
    let rest = text
        .strip_prefix(head)
        .ok_or_else(|| format!("{file}: the columns are not {head:?}"))?;
    let row = |line: &str| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        cells
            .try_into()
            .map_err(|_| format!("{file}: not {N} columns: {line}"))
    };
    rest.lines()
        .filter(|line| !line.is_empty())
        .map(row)
        .collect()
}

/// Writes the counts.
pub(crate) fn write_counts(counts: &Counts) -> Done {
    let mut out = format!("{EVIDENCE_HEAD}\n");
    for (rule, of) in counts {
        let numbers = [
            of.bugs, of.fixes, of.arrivals, of.merged, of.trees, of.suites, of.suites_clean,
            of.mistakes, of.twins,
        ];
        let _ = writeln!(
            out,
            "{rule}\t{}",
            numbers.map(|number| number.to_string()).join("\t")
        );
    }
    write(EVIDENCE, out)
}

/// Writes the verdicts.
pub(crate) fn write_verdicts(verdicts: &[Verdict]) -> Done {
    let mut out = format!("{VERDICTS_HEAD}\n");
    for Verdict {
        rule,
        item,
        path,
        line,
        side,
        verdict,
        cause,
    } in verdicts
    {
        let _ = writeln!(
            out,
            "{rule}\t{item}\t{path}\t{line}\t{side}\t{verdict}\t{cause}"
        );
    }
    write(VERDICTS, out)
}

fn write(file: &str, text: String) -> Done {
    std::fs::write(root().join(file), text).map_err(|error| format!("{file}: {error}"))
}
