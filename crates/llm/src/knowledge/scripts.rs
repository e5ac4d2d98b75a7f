//! Python, JavaScript and similar languages.

use super::item::Item;

const PYTHON: &[&str] = &["Python"];
const JS: &[&str] = &["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"];

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: PYTHON,
        marks: &["=[]", "={}", "= []", "= {}"],
        text: "A list or dict as a default argument or class attribute is shared by all calls and instances.",
        unless: "a local variable, a dataclass `field`, or a constant that nothing changes",
    },
    Item {
        languages: PYTHON,
        marks: &["except"],
        text: "An `except` that is too wide hides the error, and what was half done before it stays.",
        unless: "it raises again, or the fallback is the purpose",
    },
    Item {
        languages: PYTHON,
        marks: &["async def", "await "],
        text: "A blocking call in a coroutine, or a coroutine that nobody awaits.",
        unless: "it is handed to a task that is kept, or run in an executor",
    },
    Item {
        languages: PYTHON,
        marks: &[" or ", "if not ", " if "],
        text: "A truth test takes 0, an empty string and an empty list for absent.",
        unless: "these values mean absent here, too",
    },
    Item {
        languages: PYTHON,
        marks: &["yield", "map(", "filter(", "zip("],
        text: "An iterator is empty the second time it is read, and `zip` cuts to the shortest.",
        unless: "it is made a list first, or lengths are equal by construction",
    },
    Item {
        languages: JS,
        marks: &["async ", "await ", ".then(", "Promise"],
        text: "A promise that is not awaited: errors are lost, and what follows runs too early; `forEach` awaits nothing.",
        unless: "it is returned, collected by `Promise.all`, or marked with `void` and handles its errors",
    },
    Item {
        languages: JS,
        marks: &["useEffect", "useCallback", "useMemo"],
        text: "A hook with missing dependencies sees old values; one whose dependency is new each time runs for ever.",
        unless: "a ref, a setter, or a value from outside of the component",
    },
    Item {
        languages: JS,
        marks: &["||", "? ", "if ("],
        text: "`||` and truth tests replace 0, empty strings and false by the default.",
        unless: "`??` is used, or these values are not possible",
    },
    Item {
        languages: JS,
        marks: &["?.", "!.", "as any", ".find(", "JSON.parse"],
        text: "A result that may be undefined is used, or one from outside is believed to have its declared type.",
        unless: "it was checked above, or by a schema",
    },
    Item {
        languages: &["Ruby", "PHP"],
        marks: &["where(", "find_by", "each", "query(", "foreach"],
        text: "A query for each element of a loop, or a result that may be nil.",
        unless: "it is loaded before, or raises when missing",
    },
    Item {
        languages: &["Shell", "Dockerfile", "Makefile"],
        marks: &["$", "|", "rm ", "cd "],
        text: "An unquoted or unset variable, a failure in a pipe or after `cd` that goes on unseen.",
        unless: "`set -euo pipefail` is in force and the value has no spaces",
    },
];
