//! Java, Kotlin, C#, Scala and Go.

use super::item::Item;

const JVM: &[&str] = &["Java", "Kotlin", "Scala", "Groovy"];
const GO: &[&str] = &["Go"];
const DOTNET: &[&str] = &["C#"];

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: GO,
        marks: &["go func", "go ", "<-", "chan "],
        text: "A goroutine that blocks forever on a channel when its reader returns early, or a data race with other goroutines.",
        unless: "the channel is buffered, a context cancels it, or a mutex is held",
    },
    Item {
        languages: GO,
        marks: &["err", "defer "],
        text: "An error that is shadowed, overwritten or ignored; a `defer` in a loop, or of a `Close` whose error matters.",
        unless: "the next lines return the error",
    },
    Item {
        languages: GO,
        marks: &["nil", "map[", ".(", "[]"],
        text: "A write to a nil map, an unchecked type assertion, an append that modifies a shared slice.",
        unless: "the map was created above, or the `, ok` form is used",
    },
    Item {
        languages: GO,
        marks: &["http.", "resp", "rows", "sql."],
        text: "A response body or rows that are never closed; a client without a timeout.",
        unless: "a `defer` follows the error check",
    },
    Item {
        languages: JVM,
        marks: &["new ", "Stream", "Connection", "Reader"],
        text: "A stream or connection that is not closed when an exception is thrown.",
        unless: "it is in try-with-resources or `use`, or the caller closes it",
    },
    Item {
        languages: JVM,
        marks: &["Optional", ".get(", "null", "!!"],
        text: "`get` on a map or Optional without a check; unboxing of null.",
        unless: "presence was checked, or the key was just added",
    },
    Item {
        languages: JVM,
        marks: &["==", "equals", "hashCode"],
        text: "`==` on strings or boxed numbers; `equals` without `hashCode`.",
        unless: "the operands are enums or primitives, or it is Kotlin's `==`",
    },
    Item {
        languages: JVM,
        marks: &[
            "synchronized", "volatile", "ConcurrentHashMap", "Executor", "static ",
        ],
        text: "Check-then-act on shared state; a collection modified while it is iterated.",
        unless: "one lock covers both, or `computeIfAbsent` is used",
    },
    Item {
        languages: JVM,
        marks: &["@Transactional", "repository", "Repository", "save("],
        text: "A transaction annotation without effect on a private or self-invoked method; a second write outside of the transaction.",
        unless: "the caller opens a transaction",
    },
    Item {
        languages: DOTNET,
        marks: &["async ", "await ", ".Result", ".Wait("],
        text: "`async void` loses exceptions; blocking on `.Result` or `.Wait()` can deadlock.",
        unless: "it is an event handler, or the entry point of a console program",
    },
    Item {
        languages: DOTNET,
        marks: &["FirstOrDefault", "as ", "IDisposable", "Stream"],
        text: "A result of `FirstOrDefault` or `as` used without a null check; a disposable object that is not disposed.",
        unless: "it is in a `using`, or the container owns it",
    },
];
