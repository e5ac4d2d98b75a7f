//! Typical defects in any language.

use super::item::Item;

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: &[],
        marks: &[
            "SELECT ", "select ", "INSERT ", "UPDATE ", "DELETE ", "execute(", "query(",
        ],
        text: "A query built by string concatenation; an UPDATE or DELETE without a condition on the tenant or owner.",
        unless: "parameters are bound, or the concatenated text is constant",
    },
    Item {
        languages: &["SQL", "PLpgSQL", "TSQL"],
        marks: &[
            "ALTER ", "DROP ", "NOT NULL", "CREATE INDEX", "alter ", "drop ",
        ],
        text: "A migration that fails on existing rows, locks a large table, or breaks the version that is still running.",
        unless: "the table is new in the same file",
    },
    Item {
        languages: &[],
        marks: &[
            "auth", "Auth", "permission", "role", "token", "session", "isAdmin", "is_admin",
        ],
        text: "A permission check that one entry point lacks, that runs after the action, or that trusts an ID from the request.",
        unless: "a shared layer that is shown performs the check",
    },
    Item {
        languages: &[],
        marks: &[
            "price", "amount", "total", "cents", "balance", "currency", "quantity",
        ],
        text: "Money as floating point, rounding at the wrong step, a wrong sign or unit, an amount counted twice.",
        unless: "all amounts are integers in the smallest unit",
    },
    Item {
        languages: &[],
        marks: &[
            "for ", "while ", "range(", "length", "len(", "size()", "index", "offset", "limit",
        ],
        text: "Off-by-one errors at the bounds; a skipped last page or empty input; a loop that never ends.",
        unless: "the shown lines prove both bounds",
    },
    Item {
        languages: &[],
        marks: &[
            "Date", "date", "time", "Time", "timeout", "Duration", "expire",
        ],
        text: "Seconds instead of milliseconds, local time instead of UTC, a clock that can go backwards, a reversed expiry comparison.",
        unless: "one unit and one time zone are used throughout",
    },
    Item {
        languages: &[],
        marks: &["cache", "Cache", "memo"],
        text: "A cache key without something that the value depends on (user, tenant, language), or entries that are not invalidated.",
        unless: "the value is the same for all users",
    },
    Item {
        languages: &[],
        marks: &["retry", "Retry", "queue", "publish", "webhook", "send("],
        text: "A side effect that a retry repeats, or a message sent before the transaction is committed.",
        unless: "an idempotency key prevents it",
    },
    Item {
        languages: &[],
        marks: &[
            "open(", "path", "Path", "url", "Url", "URL", "redirect", "exec(", "eval(",
        ],
        text: "A path, URL or command built from user input without restriction.",
        unless: "it is checked against an allowlist, or resolved and checked to be inside a folder",
    },
    Item {
        languages: &[],
        marks: &[
            "lock", "Lock", "mutex", "atomic", "thread", "Thread", "synchronized",
        ],
        text: "A lock that an error leaves held, that is taken in a different order elsewhere, or that is not held during a read.",
        unless: "a guard object releases it",
    },
    Item {
        languages: &["YAML", "Dockerfile", "HCL", "JSON", "TOML"],
        marks: &[":", "=", "FROM", "resource"],
        text: "A name or default that no longer matches its reader; a port, bucket or role open to the public.",
        unless: "the reader is in the change and matches",
    },
];
