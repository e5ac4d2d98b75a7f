//! The comparison as tables.

use std::fmt::{Display, Formatter, Result};

use super::arm::Arm;
use super::bootstrap::interval;
use super::count::{ratio, total};
use super::{Judgement, Row};

impl Display for Judgement {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            items,
            clean,
            left_out,
            ..
        } = self;
        writeln!(
            f,
            "{items} items, {clean} of them without a defect; left out because an arm had no answer: {left_out}\n"
        )?;
        self.quality(f)?;
        self.cost(f)?;
        self.differences(f)?;
        self.steps(f)
    }
}

impl Judgement {
    fn arms(&self) -> impl Iterator<Item = (Arm, &Row)> {
        Arm::ALL.into_iter().zip(&self.rows)
    }

    fn quality(&self, f: &mut Formatter<'_>) -> Result {
        let head = [
            "pool", "recall", "prec.", "F1", "meaning", "per item", "repeats", "disturbed",
        ];
        line(
            f,
            "found, by place; F1 by meaning",
            &head.map(str::to_owned),
        )?;
        for (arm, row) in self.arms() {
            let (place, meaning) = (total(&row.place), total(&row.meaning));
            let numbers = [
                row.pool.recall(),
                place.recall(),
                place.precision(),
                place.f1(),
                meaning.f1(),
            ]
            .map(fixed);
            let [pool, recall, precision, f1, meaning] = numbers;
            let each = format!("{:.2}", ratio(row.findings, self.items));
            let repeats = format!("{:.1} %", 100.0 * ratio(row.repeats, row.findings));
            let disturbed = format!("{}/{}", row.disturbed, self.clean);
            line(
                f,
                arm.name(),
                &[
                    pool, recall, precision, f1, meaning, each, repeats, disturbed,
                ],
            )?;
        }
        writeln!(f)
    }

    fn cost(&self, f: &mut Formatter<'_>) -> Result {
        line(
            f,
            "taken",
            &["calls", "sent", "received"].map(str::to_owned),
        )?;
        for (arm, Row { spent, .. }) in self.arms() {
            let taken = [spent.calls, spent.sent, spent.received];
            line(f, arm.name(), &taken.map(|number| number.to_string()))?;
        }
        writeln!(f)
    }

    fn differences(&self, f: &mut Formatter<'_>) -> Result {
        line(
            f,
            "ours less the other, F1 by place",
            &["less", "from", "to"].map(str::to_owned),
        )?;
        let Some(ours) = self.rows.first() else {
            return Ok(());
        };
        for (arm, row) in self.arms().skip(1) {
            let (low, high) = interval(&ours.place, &row.place);
            let less = total(&ours.place).f1() - total(&row.place).f1();
            line(
                f,
                arm.name(),
                &[less, low, high].map(|number| format!("{number:+.3}")),
            )?;
        }
        writeln!(f)
    }

    fn steps(&self, f: &mut Formatter<'_>) -> Result {
        line(
            f,
            "ours, step by step",
            &["findings", "labels", "of"].map(str::to_owned),
        )?;
        for (name, count) in &self.waterfall {
            line(
                f,
                name,
                &[count.found, count.right, count.labels].map(|number| number.to_string()),
            )?;
        }
        Ok(())
    }
}

fn fixed(number: f64) -> String {
    format!("{number:.3}")
}

fn line(f: &mut Formatter<'_>, name: &str, cells: &[String]) -> Result {
    write!(f, "{name:34}")?;
    cells.iter().try_for_each(|cell| write!(f, " {cell:>9}"))?;
    writeln!(f)
}
