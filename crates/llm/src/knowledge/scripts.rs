//! Python, JavaScript and similar languages.

use super::item::Item;

const PYTHON: &[&str] = &["Python"];
const JS: &[&str] = &["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"];

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: PYTHON,
        marks: &["=[]", "={}", "= []", "= {}"],
        text: "A list or dict as a default argument or class attribute is shared by all calls and instances.",
        unless: "it is a local variable, a dataclass `field`, or never modified",
    },
    Item {
        languages: PYTHON,
        marks: &["except"],
        text: "An `except` that is too broad hides the error and leaves a half-finished state.",
        unless: "it re-raises, or the fallback is intended",
    },
    Item {
        languages: PYTHON,
        marks: &["async def", "await "],
        text: "A blocking call in a coroutine, or a coroutine that is never awaited.",
        unless: "it runs in a task that is stored, or in an executor",
    },
    Item {
        languages: PYTHON,
        marks: &[" or ", "if not ", " if "],
        text: "A truth test treats 0, an empty string or an empty list as missing.",
        unless: "these values also mean missing here",
    },
    Item {
        languages: PYTHON,
        marks: &["yield", "map(", "filter(", "zip("],
        text: "An iterator is exhausted after one pass; `zip` stops at the shortest input.",
        unless: "it is converted to a list first, or the lengths are always equal",
    },
    Item {
        languages: JS,
        marks: &["async ", "await ", ".then(", "Promise"],
        text: "A promise that is not awaited, so that errors are lost and later code runs too early; `forEach` with an async callback.",
        unless: "it is returned, passed to `Promise.all`, or marked with `void` and handles its errors",
    },
    Item {
        languages: JS,
        marks: &["useEffect", "useCallback", "useMemo"],
        text: "A hook with missing dependencies uses stale values; one with a dependency that is new on each render runs endlessly.",
        unless: "the dependency is a ref, a setter, or defined outside of the component",
    },
    Item {
        languages: JS,
        marks: &["||", "? ", "if ("],
        text: "`||` and truth tests replace 0, an empty string or false with the default.",
        unless: "`??` is used, or these values are impossible",
    },
    Item {
        languages: JS,
        marks: &["?.", "!.", "as any", ".find(", "JSON.parse"],
        text: "A value that may be undefined is used, or external data is assumed to have its declared type.",
        unless: "it was checked above or validated by a schema",
    },
    Item {
        languages: &["Ruby", "PHP"],
        marks: &["where(", "find_by", "each", "query(", "foreach"],
        text: "A query in each iteration of a loop, or a result that may be nil.",
        unless: "it is loaded before the loop, or a missing result raises an error",
    },
    Item {
        languages: &["Shell", "Dockerfile", "Makefile"],
        marks: &["$", "|", "rm ", "cd "],
        text: "An unquoted or unset variable; an ignored failure in a pipe or of `cd`.",
        unless: "`set -euo pipefail` is active and the value has no spaces",
    },
];
