//! Charts with a bar for each day of a period.

use jiff::civil::Date;

use super::bars::{Bars, HEIGHT, STEP};
use crate::console::numbers::grouped;
use crate::wire::usage::{Counts, UsageOfDay};

/// The charts of a period. A table on the page has the same numbers.
pub(super) struct Charts {
    /// The box of the bars.
    pub(super) view: String,
    pub(super) charts: Vec<Chart>,
}

/// A bar chart, possibly of stacked parts.
pub(super) struct Chart {
    pub(super) title: &'static str,
    /// A description in words.
    pub(super) words: String,
    /// Class and path data of each part of the bars.
    pub(super) parts: Vec<(&'static str, String)>,
    pub(super) has_priorities: bool,
}

/// The parts of a bar, from the bottom: class and number.
type Part = (&'static str, fn(&Counts) -> u64);

const REVIEWS: &[Part] = &[("bar", |counts| counts.reviews)];
const FINDINGS: &[Part] = &[
    ("P0", |counts| counts.findings.p0),
    ("P1", |counts| counts.findings.p1),
    ("P2", |counts| counts.findings.p2),
    ("P3", |counts| counts.findings.p3),
];
const TOKENS: &[Part] = &[
    ("bar", |counts| counts.prompt_tokens),
    ("soft", |counts| counts.completion_tokens),
];

impl Charts {
    /// The charts of the days from one to another; `days` lists those with any usage.
    pub(super) fn of(from: &str, to: &str, days: &[UsageOfDay]) -> Self {
        let all = every_day(from, to);
        let counts: Vec<Option<&Counts>> = all
            .iter()
            .map(|day| {
                days.iter()
                    .find(|counted| counted.day == *day)
                    .map(|day| &day.counts)
            })
            .collect();
        let used = |parts: &[Part]| counts.iter().flatten().any(|counts| sum(parts, counts) > 0);
        let mut charts = vec![
            chart("Reviews", REVIEWS, &all, &counts),
            chart("Findings", FINDINGS, &all, &counts),
        ];
        if used(TOKENS) {
            charts.push(chart("Model tokens", TOKENS, &all, &counts));
        }
        let width = STEP.saturating_mul(u64::try_from(all.len()).unwrap_or_default());
        Self {
            view: format!("0 0 {width} {HEIGHT}"),
            charts,
        }
    }
}

fn every_day(from: &str, to: &str) -> Vec<String> {
    let (Ok(from), Ok(to)) = (from.parse::<Date>(), to.parse::<Date>()) else {
        return Vec::new();
    };
    from.series(jiff::Span::new().days(1))
        .take_while(|day| *day <= to)
        .map(|day| day.to_string())
        .collect()
}

fn sum(parts: &[Part], counts: &Counts) -> u64 {
    parts
        .iter()
        .fold(0, |sum, (_, number)| sum.saturating_add(number(counts)))
}

fn chart(
    title: &'static str,
    parts: &[Part],
    days: &[String],
    counts: &[Option<&Counts>],
) -> Chart {
    let sums = counts
        .iter()
        .map(|counts| counts.map_or(0, |counts| sum(parts, counts)));
    // The first of several maxima.
    let top = sums.clone().zip(days).rev().max_by_key(|(sum, _)| *sum);
    let max = top.map_or(0, |(max, _)| max);
    let total = sums.fold(0, u64::saturating_add);
    let words = match top {
        Some((max, day)) if max > 0 => format!(
            "{} in total; most on {day}: {}",
            grouped(total),
            grouped(max)
        ),
        _ => "none".to_owned(),
    };
    let mut bars = Bars::new(days.len(), max);
    let column = |number: fn(&Counts) -> u64| -> Vec<u64> {
        counts
            .iter()
            .map(|counts| counts.map_or(0, number))
            .collect()
    };
    let drawn = parts
        .iter()
        .map(|(class, number)| (*class, bars.stack(&column(*number))))
        .collect();
    Chart {
        title,
        words,
        parts: drawn,
        has_priorities: title == "Findings",
    }
}

#[cfg(test)]
mod tests {
    use super::Charts;
    use crate::wire::usage::{Counts, FindingCounts, UsageOfDay};

    fn day(day: &str, reviews: u64, tokens: u64) -> UsageOfDay {
        let findings = FindingCounts {
            p0: reviews,
            p1: 0,
            p2: 1,
            p3: 0,
        };
        let counts = Counts {
            reviews,
            findings,
            prompt_tokens: tokens,
            completion_tokens: tokens,
            total_tokens: 2 * tokens,
        };
        UsageOfDay {
            day: day.to_owned(),
            counts,
        }
    }

    #[test]
    fn every_day_of_the_period_has_a_column() {
        let days = [day("2026-02-27", 2, 0), day("2026-03-01", 1_000, 0)];
        let charts = Charts::of("2026-02-26", "2026-03-01", &days);
        assert_eq!(
            (charts.view.as_str(), charts.charts.len()),
            ("0 0 40 1000", 2)
        );
        let reviews = &charts.charts[0];
        assert_eq!(reviews.words, "1,002 in total; most on 2026-03-01: 1,000");
        assert_eq!(
            reviews.parts,
            [("bar", "M11 988h8v12h-8zM31 0h8v1000h-8z".to_owned())]
        );
        assert_eq!(charts.charts[1].parts.len(), 4);
    }

    #[test]
    fn tokens_have_a_chart_only_where_models_are_used() {
        assert_eq!(
            Charts::of("2026-02-26", "2026-02-26", &[day("2026-02-26", 1, 1)])
                .charts
                .len(),
            3
        );
        let none = Charts::of("2026-02-26", "2026-02-26", &[]);
        assert!(
            none.charts.iter().all(|chart| chart.words == "none"
                && chart.parts.iter().all(|(_, path)| path.is_empty()))
        );
    }
}
