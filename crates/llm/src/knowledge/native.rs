//! C, C++, Rust and Swift.

use super::item::Item;

const C: &[&str] = &["C", "C++", "Objective-C"];
const RUST: &[&str] = &["Rust"];

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: C,
        marks: &["malloc", "free(", "new ", "delete", "return"],
        text: "Memory or a handle that leaks on an early return, is used after it was freed, or is freed twice.",
        unless: "a destructor or a `goto` to common cleanup releases it",
    },
    Item {
        languages: C,
        marks: &["memcpy", "strcpy", "strcat", "sprintf", "[", "size"],
        text: "A copy or index not bounded by the size of its target; a multiplication of sizes that overflows.",
        unless: "the same variable was checked above",
    },
    Item {
        languages: C,
        marks: &["->", "*"],
        text: "A pointer that may be null is dereferenced, or is checked only after its use.",
        unless: "all shown callers pass a valid address",
    },
    Item {
        languages: C,
        marks: &["int ", "unsigned", "size_t", "-1"],
        text: "Signed and unsigned values compared or subtracted, so that a negative result becomes very large.",
        unless: "the order was checked before",
    },
    Item {
        languages: RUST,
        marks: &["unwrap()", "expect(", "[", " as "],
        text: "`unwrap`, indexing or `as` on external input, which panics or truncates the value.",
        unless: "it is test code, or the line above ensures that it succeeds",
    },
    Item {
        languages: RUST,
        marks: &["lock()", "await", "spawn", "select!"],
        text: "A lock held across an `await`; a future that loses its state when `select!` drops it.",
        unless: "the guard is dropped before, or the future is cancellation-safe",
    },
    Item {
        languages: RUST,
        marks: &["unsafe", "from_raw", "transmute"],
        text: "`unsafe` code whose safety conditions (aliasing, lifetime, length, alignment) a caller can violate.",
        unless: "the conditions are checked next to it",
    },
    Item {
        languages: &["Swift", "Objective-C"],
        marks: &["!", "self.", "try"],
        text: "A forced unwrap of a value that may be nil; a closure that retains its owner.",
        unless: "`[weak self]` is used, or it is an outlet that is already set",
    },
];
