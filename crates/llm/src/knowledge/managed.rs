//! Java, Kotlin, C#, Scala and Go.

use super::item::Item;

const JVM: &[&str] = &["Java", "Kotlin", "Scala", "Groovy"];
const GO: &[&str] = &["Go"];
const DOTNET: &[&str] = &["C#"];

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: GO,
        marks: &["go func", "go ", "<-", "chan "],
        text: "A goroutine that waits for ever on a channel when its reader returns early, or writes what others read.",
        unless: "the channel has room, a context ends it, or a mutex is held",
    },
    Item {
        languages: GO,
        marks: &["err", "defer "],
        text: "An error that is shadowed, overwritten or dropped; a `defer` in a loop, or of a `Close` whose error matters.",
        unless: "the error is returned in the next lines",
    },
    Item {
        languages: GO,
        marks: &["nil", "map[", ".(", "[]"],
        text: "A write to a nil map, an unchecked type assertion, an append that changes a slice which others hold.",
        unless: "it was made above, or has the `, ok` form",
    },
    Item {
        languages: GO,
        marks: &["http.", "resp", "rows", "sql."],
        text: "A response body or rows that are never closed, and clients without a time limit.",
        unless: "a `defer` follows the check of the error",
    },
    Item {
        languages: JVM,
        marks: &["new ", "Stream", "Connection", "Reader"],
        text: "A stream or connection that is not closed when something throws.",
        unless: "try-with-resources or `use`, or the caller owns it",
    },
    Item {
        languages: JVM,
        marks: &["Optional", ".get(", "null", "!!"],
        text: "`get` of a map or an Optional without a check; unboxing of null.",
        unless: "presence was checked, or the key was just put",
    },
    Item {
        languages: JVM,
        marks: &["==", "equals", "hashCode"],
        text: "`==` on strings or boxed numbers; `equals` without `hashCode`.",
        unless: "enums, primitives, or Kotlin's `==`",
    },
    Item {
        languages: JVM,
        marks: &[
            "synchronized",
            "volatile",
            "ConcurrentHashMap",
            "Executor",
            "static ",
        ],
        text: "Check and act in two steps on shared state; a collection that is changed while it is read.",
        unless: "one lock covers both, or `computeIfAbsent` is used",
    },
    Item {
        languages: JVM,
        marks: &["@Transactional", "repository", "Repository", "save("],
        text: "A transaction that does not take effect on a private or self-called method, or is left out of a second write.",
        unless: "the caller has one",
    },
    Item {
        languages: DOTNET,
        marks: &["async ", "await ", ".Result", ".Wait("],
        text: "`async void`, and `.Result` or `.Wait()` that block: errors are lost, threads wait for each other.",
        unless: "an event handler, or a console program's start",
    },
    Item {
        languages: DOTNET,
        marks: &["FirstOrDefault", "as ", "IDisposable", "Stream"],
        text: "A result of `FirstOrDefault` or `as` used without a check; something disposable that is not disposed of.",
        unless: "`using`, or the container owns it",
    },
];
