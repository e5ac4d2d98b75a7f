//! C, C++, Rust and Swift.

use super::item::Item;

const C: &[&str] = &["C", "C++", "Objective-C"];
const RUST: &[&str] = &["Rust"];

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: C,
        marks: &["malloc", "free(", "new ", "delete", "return"],
        text: "Memory or a handle that an early return leaks, that is used after it was freed, or freed twice.",
        unless: "an owner with a destructor, or a `goto` to the common end",
    },
    Item {
        languages: C,
        marks: &["memcpy", "strcpy", "strcat", "sprintf", "[", "size"],
        text: "A copy or an index that is not bounded by the size of its target; a product of sizes that overflows.",
        unless: "the bound is checked above with the same variable",
    },
    Item {
        languages: C,
        marks: &["->", "*"],
        text: "A pointer that may be null is followed, or the check comes after the use.",
        unless: "all callers shown pass an address",
    },
    Item {
        languages: C,
        marks: &["int ", "unsigned", "size_t", "-1"],
        text: "Signed and unsigned compared or subtracted: below zero becomes very large.",
        unless: "the order was checked before",
    },
    Item {
        languages: RUST,
        marks: &["unwrap()", "expect(", "[", " as "],
        text: "`unwrap`, indexing or `as` on what comes from outside: a panic, or a value that is cut off.",
        unless: "tests, or the line above establishes it",
    },
    Item {
        languages: RUST,
        marks: &["lock()", "await", "spawn", "select!"],
        text: "A lock held over an `await`; a future that loses its state when `select!` drops it.",
        unless: "the guard is dropped before, or the future can be cancelled",
    },
    Item {
        languages: RUST,
        marks: &["unsafe", "from_raw", "transmute"],
        text: "`unsafe` whose condition a caller can break: aliasing, lifetime, length, alignment.",
        unless: "the condition is checked right there",
    },
    Item {
        languages: &["Swift", "Objective-C"],
        marks: &["!", "self.", "try"],
        text: "A forced unwrap of what may be nil; a closure that keeps its owner alive.",
        unless: "`[weak self]`, or an outlet that is set by then",
    },
];
