//! The built-in rules that report the same defect.

use lint::Overlaps;

pub(crate) const OVERLAPS: Overlaps = Overlaps {
    same_defect: &[
        &[
            "certificate-by-its-name", "certificate-check-always-true", "certificate-check-off",
            "security-option-off", "trust-all-certificates",
        ],
        &[
            "hard-coded-key", "hard-coded-password", "hard-coded-secret",
            "hard-coded-signing-secret", "hard-coded-token", "password-in-address",
            "password-in-configuration", "password-in-connection-text", "private-key-in-code",
            "secret-in-code", "secret-in-image", "secret-in-text",
        ],
        &["definition-removed", "name-misspelt", "undefined-name"],
        &["password-hashed-fast", "weak-hash"],
        &["foreign-code-with-secrets", "trigger-with-secrets"],
        &["operand-dropped", "unit-changed"],
        &[
            "catch-everything-empty", "empty-handler", "error-kept-quiet", "exception-swallowed",
        ],
        &[
            "file-not-closed", "release-not-guaranteed", "resource-not-closed",
        ],
        &[
            "lock-not-released", "lock-without-finally", "return-past-release",
        ],
        &["async-call-not-awaited", "task-not-awaited"],
        &["does-not-parse", "syntax-broken"],
        &["action-not-pinned", "action-unpinned"],
        &[
            "base-image-not-pinned", "dependency-from-moving-source", "version-unpinned",
        ],
        &["all-rows-changed", "where-clause-removed"],
        &[
            "file-open-to-everybody", "file-writable-by-all", "open-file-permission",
            "permission-widened",
        ],
    ],
    specific: &[
        "any/all-rows-changed", "any/authorization-removed", "any/await-removed",
        "any/commit-removed", "any/input-check-removed", "any/lock-release-removed",
        "any/lock-scope-lost", "any/owner-filter-removed", "any/password-hash-dropped",
        "any/release-not-guaranteed", "any/sanitizer-lost", "any/secure-random-lost",
        "any/token-lifetime-dropped", "any/verification-removed",
    ],
    general: &[
        "any/argument-dropped", "any/assertion-removed", "any/call-removed",
        "any/condition-clause-removed", "any/condition-unwrapped", "any/error-handling-removed",
        "any/escaping-dropped", "any/guarantee-lost", "any/guard-removed", "any/lock-removed",
        "any/operand-dropped", "any/protection-lost", "any/release-removed",
        "any/special-case-removed", "any/validation-call-removed", "any/wrapper-call-dropped",
    ],
};
