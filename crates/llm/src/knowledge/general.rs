//! Typical defects in any language.

use super::item::Item;

pub(super) const ITEMS: &[Item] = &[
    Item {
        languages: &[],
        marks: &[
            "SELECT ", "select ", "INSERT ", "UPDATE ", "DELETE ", "execute(", "query(",
        ],
        text: "A query from joined texts; an UPDATE or DELETE that forgets the tenant or the owner.",
        unless: "parameters are bound, or the joined text is a constant",
    },
    Item {
        languages: &["SQL", "PLpgSQL", "TSQL"],
        marks: &[
            "ALTER ",
            "DROP ",
            "NOT NULL",
            "CREATE INDEX",
            "alter ",
            "drop ",
        ],
        text: "A migration that fails on existing rows, locks a large table, or breaks the version that still runs.",
        unless: "the table is new in the same file",
    },
    Item {
        languages: &[],
        marks: &[
            "auth",
            "Auth",
            "permission",
            "role",
            "token",
            "session",
            "isAdmin",
            "is_admin",
        ],
        text: "A check of rights that is missing on one of the ways in, comes after the act, or trusts an ID from the request.",
        unless: "a common layer checks it, and it is shown",
    },
    Item {
        languages: &[],
        marks: &[
            "price", "amount", "total", "cents", "balance", "currency", "quantity",
        ],
        text: "Money in floating point, rounding in the wrong place, signs and units mixed up, an amount that is counted twice.",
        unless: "integers of the least unit all the way",
    },
    Item {
        languages: &[],
        marks: &[
            "for ", "while ", "range(", "length", "len(", "size()", "index", "offset", "limit",
        ],
        text: "One too many or too few at the bounds; a last page or an empty input that is left out; a loop that never ends.",
        unless: "both bounds can be followed in the lines shown",
    },
    Item {
        languages: &[],
        marks: &[
            "Date", "date", "time", "Time", "timeout", "Duration", "expire",
        ],
        text: "Seconds for milliseconds, local time for UTC, a clock that goes backwards, an expiry compared the wrong way round.",
        unless: "one unit and one zone are used throughout",
    },
    Item {
        languages: &[],
        marks: &["cache", "Cache", "memo"],
        text: "A cache key that leaves out what the value depends on (user, tenant, language), or entries that outlive a change.",
        unless: "the value is the same for everybody",
    },
    Item {
        languages: &[],
        marks: &["retry", "Retry", "queue", "publish", "webhook", "send("],
        text: "Something that is done twice when it is tried again, or sent before the transaction is committed.",
        unless: "a key makes it idempotent",
    },
    Item {
        languages: &[],
        marks: &[
            "open(", "path", "Path", "url", "Url", "URL", "redirect", "exec(", "eval(",
        ],
        text: "A path, an address or a command made from what a user sends, and not confined.",
        unless: "it is compared with a list, or resolved and checked to be inside",
    },
    Item {
        languages: &[],
        marks: &[
            "lock",
            "Lock",
            "mutex",
            "atomic",
            "thread",
            "Thread",
            "synchronized",
        ],
        text: "A lock that is not released on an error, taken in another order elsewhere, or not held for the read.",
        unless: "a guard releases it",
    },
    Item {
        languages: &["YAML", "Dockerfile", "HCL", "JSON", "TOML"],
        marks: &[":", "=", "FROM", "resource"],
        text: "A name or default that no longer fits what reads it; a port, bucket or role opened to everybody.",
        unless: "the reader is in the change and fits",
    },
];
