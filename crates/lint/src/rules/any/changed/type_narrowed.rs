//! A numeric type that became narrower.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/type-narrowed",
    languages: &["C", "C++", "Java", "C#", "Rust", "Go", "Kotlin"],
    title: "Numeric type narrowed",
    why: "The variable has a smaller range than before. Sizes, offsets, products and times that used to fit can now \
          wrap around or turn negative.",
    fix: "Keep the wider type, or prove that every value fits.",
    references: &["CWE-197"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.c\n@@ static int read_all(struct s *s)\n-\tsize_t total = 0;\n+\tint total = 0;\n^\n \ttotal += s->len;\n",
        "path: src/A.java\n@@ void sum(int[] a) {\n-        long sum = 0;\n+        int sum = 0;\n^\n         for (int x : a) sum += x;\n",
    ],
    negative: &[
        "path: src/a.c\n@@ static int read_all(struct s *s)\n-\tint total = 0;\n+\tsize_t total = 0;\n \ttotal += s->len;\n",
        "path: src/a.c\n@@ static int read_all(struct s *s)\n-\tlong total = 0;\n+\tint count = 0;\n \ttotal += s->len;\n",
    ],
};

/// Types by width in bits; a change between signed and unsigned types of one width is not a narrowing.
const WIDTHS: &[(&str, u32)] = &[
    ("uint8_t", 8),
    ("u8", 8),
    ("byte", 8),
    ("int8_t", 8),
    ("i8", 8),
    ("short", 16),
    ("uint16_t", 16),
    ("int16_t", 16),
    ("u16", 16),
    ("i16", 16),
    ("int", 32),
    ("int32_t", 32),
    ("uint32_t", 32),
    ("u32", 32),
    ("i32", 32),
    ("unsigned", 32),
    ("uint", 32),
    ("int32", 32),
    ("uint32", 32),
    ("long", 64),
    ("int64_t", 64),
    ("uint64_t", 64),
    ("size_t", 64),
    ("ssize_t", 64),
    ("u64", 64),
    ("i64", 64),
    ("usize", 64),
    ("isize", 64),
    ("int64", 64),
    ("uint64", 64),
    ("ulong", 64),
    ("off_t", 64),
    ("u128", 128),
    ("i128", 128),
    ("double", 64),
    ("float", 32),
    ("f64", 64),
    ("f32", 32),
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.pairs() {
        let (before, after) = (words(old.text), words(new.text));
        if before.len() != after.len() {
            continue;
        }
        let mut differ = before.iter().zip(&after).enumerate().filter(|(_, (old, new))| old != new);
        let (Some((at, (was, now))), None) = (differ.next(), differ.next()) else { continue };
        let (Some(wide), Some(narrow)) = (width(was), width(now)) else { continue };
        let same_family = is_float(was) == is_float(now);
        if narrow < wide && same_family && at < 3 {
            sink.report(new, format!("The type was `{was}` and is now `{now}`, which has a smaller range."));
        }
    }
}

fn width(word: &str) -> Option<u32> {
    WIDTHS.iter().find(|(name, _)| *name == word).map(|(_, width)| *width)
}

fn is_float(word: &str) -> bool {
    matches!(word, "double" | "float" | "f64" | "f32")
}

fn words(line: &str) -> Vec<&str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|token| !token.is_empty()).collect()
}
