//! The tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::corpus::Kind;
use super::score::is_apart;
use super::scoring::Scored;

/// The label in place of a rule for findings of a language model.
const MODEL: &str = "(language model)";

/// Every counted finding as one JSON object per line.
pub(crate) fn findings(scored: &[Scored]) -> String {
    let mut out = String::new();
    for one in scored {
        for (finding, on) in &one.findings {
            let row = serde_json::json!({
                "item": one.item.id, "reversed": one.reversed, "onLabel": on, "ruleId": finding.rule_id,
                "filePath": finding.file_path, "lineNumber": finding.line_number, "lineSide": finding.line_side,
                "priority": finding.priority, "summary": finding.summary,
            });
            let _ = writeln!(out, "{row}");
        }
    }
    out
}

/// All tables.
pub(crate) fn tables(scored: &[Scored], by_rule: bool) -> String {
    let mut out = String::new();
    bugs(&mut out, scored);
    clean(&mut out, scored);
    labelled(
        &mut out,
        scored,
        Kind::Rules,
        "rules: other analysers' suites",
    );
    labelled(
        &mut out,
        scored,
        Kind::Golden,
        "golden: comments that people checked",
    );
    if by_rule {
        rules(&mut out, scored);
    }
    out
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        "-".to_owned()
    } else {
        format!("{:.1} %", 100.0 * part as f64 / whole as f64)
    }
}

/// Groups by a key, keeping the order of the keys.
fn grouped<'a>(
    rows: impl Iterator<Item = &'a Scored>,
    key: impl Fn(&Scored) -> String,
) -> BTreeMap<String, Vec<&'a Scored>> {
    let mut groups: BTreeMap<String, Vec<&Scored>> = BTreeMap::new();
    for row in rows {
        groups.entry(key(row)).or_default().push(row);
    }
    groups
}

fn bugs(out: &mut String, scored: &[Scored]) {
    let rows: Vec<&Scored> = scored
        .iter()
        .filter(|s| s.item.kind == Kind::Bugs)
        .collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "bugs: a finding within 2 lines of a label\n{:26} {:>6} {:>8} {:>8} {:>9}",
        "", "items", "bugs", "fixes", "findings"
    );
    let mut line = |name: &str, rows: &[&Scored]| {
        let (fixes, bugs): (Vec<&Scored>, Vec<&Scored>) = rows.iter().partition(|s| s.reversed);
        let hit = |rows: &[&Scored]| share(rows.iter().filter(|s| s.score.hit).count(), rows.len());
        let findings: usize = bugs.iter().map(|s| s.score.findings).sum();
        let _ = writeln!(
            out,
            "{name:26} {:>6} {:>8} {:>8} {findings:>9}",
            bugs.len(),
            hit(&bugs),
            hit(&fixes)
        );
    };
    let total: Vec<&Scored> = rows
        .iter()
        .copied()
        .filter(|s| !is_apart(&s.item.source))
        .collect();
    line("TOTAL (see is_apart)", &total);
    for (source, rows) in grouped(rows.iter().copied(), |s| s.item.source.clone()) {
        line(
            &format!(
                "{source}{}",
                if is_apart(&source) { " (apart)" } else { "" }
            ),
            &rows,
        );
    }
    for (language, rows) in grouped(total.iter().copied(), |s| s.item.language.clone()) {
        line(&format!("  {language}"), &rows);
    }
    out.push('\n');
}

fn clean(out: &mut String, scored: &[Scored]) {
    let rows: Vec<&Scored> = scored
        .iter()
        .filter(|s| s.item.kind == Kind::Clean)
        .collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "clean: noise on reviewed commits\n{:26} {:>6} {:>8} {:>9} {:>10} {:>8}",
        "", "items", "added", "findings", "per 1,000", "quiet"
    );
    let mut line = |name: &str, rows: &[&Scored]| {
        let findings: usize = rows.iter().map(|s| s.score.findings).sum();
        let added: usize = rows.iter().map(|s| s.item.added).sum();
        let quiet = rows.iter().filter(|s| s.score.findings == 0).count();
        let rate = 1_000.0 * findings as f64 / added.max(1) as f64;
        let _ = writeln!(
            out,
            "{name:26} {:>6} {added:>8} {findings:>9} {rate:>10.2} {:>8}",
            rows.len(),
            share(quiet, rows.len())
        );
    };
    line("TOTAL", &rows);
    for (language, rows) in grouped(rows.iter().copied(), |s| s.item.language.clone()) {
        line(&format!("  {language}"), &rows);
    }
    out.push('\n');
}

fn labelled(out: &mut String, scored: &[Scored], kind: Kind, title: &str) {
    let rows: Vec<&Scored> = scored.iter().filter(|s| s.item.kind == kind).collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "{title}\n{:26} {:>6} {:>9} {:>8} {:>7} {:>13}",
        "", "items", "expected", "found", "clean", "false alarms"
    );
    let mut line = |name: &str, rows: &[&Scored]| {
        let sum = |of: fn(&Scored) -> usize| rows.iter().map(|s| of(s)).sum::<usize>();
        let (expected, clean) = (sum(|s| s.score.expected), sum(|s| s.score.clean));
        let (found, alarms) = (sum(|s| s.score.found), sum(|s| s.score.false_alarms));
        let _ = writeln!(
            out,
            "{name:26} {:>6} {expected:>9} {:>8} {clean:>7} {:>13}",
            rows.len(),
            share(found, expected),
            share(alarms, clean)
        );
    };
    line("TOTAL", &rows);
    for (source, rows) in grouped(rows.iter().copied(), |s| s.item.source.clone()) {
        line(&source, &rows);
    }
    for (language, rows) in grouped(rows.iter().copied(), |s| s.item.language.clone()) {
        line(&format!("  {language}"), &rows);
    }
    out.push('\n');
}

/// Per rule: items of each kind with a finding of it. A good rule has high counts on the left and low ones on the
/// right.
fn rules(out: &mut String, scored: &[Scored]) {
    let mut counts: BTreeMap<String, [usize; 6]> = BTreeMap::new();
    for one in scored {
        for (finding, on) in &one.findings {
            let row = counts
                .entry(finding.rule_id.clone().unwrap_or_else(|| MODEL.to_owned()))
                .or_default();
            let column = match (one.item.kind, one.reversed, on) {
                (Kind::Bugs, _, _) if one.item.source == "szz" => 5,
                (Kind::Bugs, false, _) => 0,
                (Kind::Bugs, true, _) => 1,
                (Kind::Clean, _, _) => 2,
                (_, _, true) => 3,
                (_, _, false) => 4,
            };
            row[column] += 1;
        }
    }
    let _ = writeln!(
        out,
        "findings by rule\n{:44} {:>6} {:>6} {:>6} {:>8} {:>8} {:>5}",
        "", "bugs", "fixes", "clean", "suites +", "suites -", "szz"
    );
    for (rule, [bugs, fixes, clean, right, wrong, szz]) in counts {
        let _ = writeln!(
            out,
            "{rule:44} {bugs:>6} {fixes:>6} {clean:>6} {right:>8} {wrong:>8} {szz:>5}"
        );
    }
}
