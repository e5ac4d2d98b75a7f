//! Commits generated from the functions of a language, the same on every run.

use std::fmt::Write;

use crate::languages::Language;

const NOUNS: &[&str] = &[
    "invoice", "order", "ticket", "parcel", "account", "session", "customer", "shipment",
    "payment", "refund", "basket", "voucher", "supplier", "warehouse", "carrier", "contract",
    "meter", "booking", "passenger", "route", "vehicle", "sensor", "reading", "alarm",
];

/// Pseudo-random numbers, the same on every run (a linear congruential generator, Knuth's MMIX constants).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % count.max(1)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len()))
            .copied()
            .unwrap_or_default()
    }

    /// A function with its words filled in: `AAA`, `BBB` and `CCC` are nouns, `NNN` is a number.
    fn function(&mut self, language: &Language) -> String {
        let template = self.pick(language.functions);
        let name = format!("{}{}", self.pick(NOUNS), self.below(10_000));
        let text = template
            .replace("AAA", &name)
            .replace("BBB", self.pick(NOUNS))
            .replace("CCC", self.pick(NOUNS));
        text.replace("NNN", &self.below(500).to_string())
    }
}

/// A new file with about this many bytes of code.
pub(crate) fn added(language: &Language, bytes: usize) -> String {
    let (mut dice, mut body) = (Dice(1), language.head.to_owned());
    while body.len() < bytes {
        body.push_str(&dice.function(language));
    }
    body.push_str(language.foot);
    let mut diff = String::with_capacity(body.len() * 11 / 10);
    let path = format!("src/module.{}", language.extension);
    let _ = write!(
        diff,
        "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
    );
    let _ = writeln!(diff, "@@ -0,0 +1,{} @@", body.lines().count());
    for line in body.lines() {
        let _ = writeln!(diff, "+{line}");
    }
    diff
}

/// A commit of about this many bytes that changes files. In each file, one function is edited and one is new.
pub(crate) fn changes(language: &Language, bytes: usize) -> String {
    let (mut dice, mut diff) = (Dice(2), String::new());
    for number in 0.. {
        if diff.len() >= bytes {
            break;
        }
        let path = format!("src/module{number}.{}", language.extension);
        let _ = write!(
            diff,
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
        );
        let mut hunk = Hunk::default();
        hunk.edit(&dice.function(language), dice.pick(NOUNS));
        hunk.add(&dice.function(language));
        hunk.keep(dice.function(language).lines().take(3));
        let _ = write!(
            diff,
            "@@ -20,{} +20,{} @@\n{}",
            hunk.old, hunk.new, hunk.text
        );
    }
    diff
}

#[derive(Default)]
struct Hunk {
    text: String,
    old: usize,
    new: usize,
}

impl Hunk {
    fn keep<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        for line in lines {
            let _ = writeln!(self.text, " {line}");
            (self.old, self.new) = (self.old + 1, self.new + 1);
        }
    }

    fn add(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "+{line}");
            self.new += 1;
        }
    }

    /// Adds a function with one changed word, on the line in its middle.
    fn edit(&mut self, text: &str, word: &str) {
        let lines: Vec<&str> = text.lines().collect();
        let (before, after) = lines.split_at(lines.len() / 2);
        let Some((edited, after)) = after.split_first() else {
            return;
        };
        self.keep(before.iter().copied());
        let (indent, code) = edited.split_at(edited.len() - edited.trim_start().len());
        let _ = writeln!(
            self.text,
            "-{indent}{}",
            code.replacen(first_word(code), word, 1)
        );
        self.old += 1;
        self.add(edited);
        self.keep(after.iter().copied());
    }
}

/// The first word in lower case. Keywords are words too, so the old side is not always valid code.
fn first_word(code: &str) -> &str {
    code.split(|c: char| !c.is_ascii_lowercase())
        .find(|word| word.len() > 4)
        .unwrap_or("result")
}
