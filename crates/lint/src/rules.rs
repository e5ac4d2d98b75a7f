//! The list of all rules, and what is derived from it.

use std::sync::{LazyLock, OnceLock};

use review::{Category, Priority};
use serde::Serialize;

use crate::grammar::{Grammar, ROWS};
use crate::pattern::{Document, Pattern, Words};
use crate::rule::{Check, On, Rule, Tests};

/// Makes the list: a folder, its rules in Rust (the name of the file), its rules in YAML (the name of the file).
macro_rules! registry {
    ($($folder:ident { $(rust $module:ident;)* $(yaml $name:literal;)* })*) => {
        $(mod $folder { $(pub(super) mod $module;)* })*

        static SOURCES: &[Source] = &[$(
            $(Source::Rust(stringify!($folder), &$folder::$module::RULE),)*
            $(Source::Data(
                stringify!($folder),
                concat!(stringify!($folder), "/", $name),
                include_str!(concat!("rules/", stringify!($folder), "/", $name, ".yml")),
            ),)*
        )*];
    };
}

// THE list. One line a rule; within a folder the Rust ones first, each group in alphabetical order.
registry! {
    any {
        rust and_or_swapped;
        rust argument_became_twin;
        rust argument_dropped;
        rust arguments_swapped;
        rust assertion_removed;
        rust assignment_removed;
        rust atomic_access_became_plain;
        rust await_removed;
        rust bidirectional_control_character;
        rust boundary_changed;
        rust bounded_call_became_unbounded;
        rust branch_removed;
        rust call_removed;
        rust case_mismatch;
        rust cast_dropped;
        rust code_injection;
        rust collection_changed_while_iterated;
        rust command_injection;
        rust command_list_became_string;
        rust comparison_flipped;
        rust comparison_out_of_range;
        rust condition_clause_removed;
        rust condition_unwrapped;
        rust conflict_marker;
        rust cookie_without_protection;
        rust cross_site_scripting;
        rust default_dropped;
        rust deserialisation_of_request;
        rust double_checked_locking;
        rust duplicate_condition;
        rust duplicate_key;
        rust element_overwritten;
        rust endless_recursion;
        rust error_handling_removed;
        rust error_result_dropped;
        rust error_return_became_nil;
        rust escaping_dropped;
        rust exception_swallowed;
        rust exit_removed;
        rust guard_removed;
        rust hard_coded_key;
        rust hard_coded_password;
        rust hard_coded_secret;
        rust hard_coded_token;
        rust impossible_bit_mask;
        rust ldap_injection;
        rust lock_removed;
        rust log_injection;
        rust loop_became_condition;
        rust loop_in_wrong_direction;
        rust loop_removed;
        rust loop_runs_once;
        rust name_misspelt;
        rust negation_changed;
        rust nosql_injection;
        rust null_check_removed;
        rust null_used_where_found;
        rust off_by_one_changed;
        rust open_redirect;
        rust operand_dropped;
        rust overflow_before_widening;
        rust password_in_address;
        rust password_logged;
        rust path_traversal;
        rust permission_widened;
        rust precedence_changed;
        rust predictable_random;
        rust private_key_in_code;
        rust regex_anchor_in_one_alternative;
        rust regex_backreference_to_nothing;
        rust regex_class_member_twice;
        rust regex_class_splits_character;
        rust regex_injection;
        rust regex_invalid;
        rust regex_repeats_nothing;
        rust regex_to_filter_scripts;
        rust regex_with_control_character;
        rust regex_with_empty_class;
        rust regex_with_explosive_repetition;
        rust regex_with_impossible_anchor;
        rust regex_with_open_host_name;
        rust regex_with_wide_range;
        rust release_removed;
        rust return_dropped;
        rust same_branches;
        rust same_operand_twice;
        rust security_option_off;
        rust self_argument;
        rust self_assignment;
        rust server_side_request_forgery;
        rust shift_out_of_range;
        rust special_case_removed;
        rust sql_injection;
        rust template_injection;
        rust test_switched_off;
        rust type_narrowed;
        rust unreachable_code;
        rust update_became_assignment;
        rust validation_call_removed;
        rust wrapper_call_dropped;
        rust xml_external_entities;
        rust xpath_injection;
    }
    c {
        rust address_of_local_returned;
        rust assignment_in_condition;
        rust character_class_of_char;
        rust copy_past_the_end;
        rust end_of_file_in_char;
        rust file_checked_then_opened;
        rust format_argument_mismatch;
        rust format_not_constant;
        rust index_past_the_end;
        rust null_check_after_use;
        rust shell_command_built;
        rust size_of_pointer;
        rust unchecked_allocation;
        rust unsigned_never_negative;
        rust used_after_free;
        rust value_never_set;
        yaml "allocation-without-terminator";
        yaml "append-limited-by-whole-buffer";
        yaml "call-to-gets";
        yaml "certificate-check-off";
        yaml "changed-twice-in-expression";
        yaml "comparison-without-effect";
        yaml "condition-ends-in-semicolon";
        yaml "condition-wait-without-loop";
        yaml "copy-limited-by-source";
        yaml "copy-used-as-condition";
        yaml "created-file-without-mode";
        yaml "effect-in-assertion";
        yaml "file-open-to-everybody";
        yaml "fixed-name-for-temporary-file";
        yaml "float-as-loop-counter";
        yaml "length-behind-offset";
        yaml "length-never-negative";
        yaml "link-text-without-terminator";
        yaml "loop-includes-array-size";
        yaml "loop-until-feof";
        yaml "memset-of-zero-bytes";
        yaml "negation-before-comparison";
        yaml "old-tls-version";
        yaml "overflow-check-on-pointer";
        yaml "parser-resolves-entities";
        yaml "predictable-secret";
        yaml "privilege-drop-unchecked";
        yaml "realloc-result-over-old-pointer";
        yaml "secret-cleared-with-memset";
        yaml "shift-wider-than-type";
        yaml "sign-bit-compared-greater";
        yaml "size-of-a-size";
        yaml "size-of-element-added-to-pointer";
        yaml "stack-allocation-in-loop";
        yaml "string-comparison-against-one";
        yaml "text-compared-by-address";
        yaml "unbounded-text-input";
        yaml "weak-cipher";
    }
    cpp {
        yaml "array-deleted-as-object";
        yaml "container-changed-in-range-loop";
        yaml "destructor-throws";
        yaml "emptiness-test-as-statement";
        yaml "erased-iterator-used-again";
        yaml "exception-caught-by-value";
        yaml "exception-made-not-thrown";
        yaml "exception-thrown-as-pointer";
        yaml "lock-not-kept";
        yaml "move-of-returned-local";
        yaml "new-compared-with-null";
        yaml "old-tls-version";
        yaml "pointer-into-temporary";
        yaml "polymorphic-class-without-virtual-destructor";
        yaml "result-of-removal-ignored";
        yaml "search-result-as-condition";
        yaml "second-owner-of-this";
        yaml "text-from-null";
        yaml "throw-in-noexcept";
        yaml "virtual-call-while-constructing";
        yaml "wait-without-condition";
    }
    csharp {
        rust property_of_wrong_field;
        yaml "assertion-with-effect";
        yaml "async-void";
        yaml "blocking-on-task";
        yaml "boxed-reference-equality";
        yaml "certificate-check-off";
        yaml "cookie-without-protection";
        yaml "cross-origin-open";
        yaml "directory-bind-without-login";
        yaml "exception-not-thrown";
        yaml "file-permission-for-everyone";
        yaml "guessable-temporary-file";
        yaml "ignored-result";
        yaml "js-invokable-not-public";
        yaml "jwt-not-verified";
        yaml "lock-on-shared-object";
        yaml "negative-count-check";
        yaml "old-tls-version";
        yaml "password-in-connection-text";
        yaml "post-increment-lost";
        yaml "request-size-unlimited";
        yaml "route-with-backslash";
        yaml "short-key";
        yaml "sql-words-run-together";
        yaml "throw-loses-stack";
        yaml "unsafe-deserialiser";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "xml-resolver-on";
    }
    dockerfile {
        yaml "add-from-network";
        yaml "base-image-not-pinned";
        yaml "file-open-to-everybody";
        yaml "install-that-asks";
        yaml "relative-workdir-command";
        yaml "script-piped-into-shell";
        yaml "secret-in-image";
        yaml "unverified-packages";
    }
    go {
        rust format_mismatch;
        rust integer_to_string;
        rust key_without_value;
        rust lock_copied;
        rust lock_not_released;
        rust self_assignment;
        yaml "address-without-brackets";
        yaml "append-result-lost";
        yaml "bind-to-all-interfaces";
        yaml "busy-select";
        yaml "certificate-check-off";
        yaml "context-cancel-dropped";
        yaml "cookie-without-protection";
        yaml "decompression-bomb";
        yaml "defer-in-loop";
        yaml "duration-times-duration";
        yaml "empty-critical-section";
        yaml "error-compared-deeply";
        yaml "error-compared-with-equals";
        yaml "errors-as-without-pointer";
        yaml "errors-is-swapped";
        yaml "errors-new-with-format";
        yaml "fatal-in-goroutine";
        yaml "format-from-variable";
        yaml "hard-coded-key";
        yaml "http-body-closed-before-error-check";
        yaml "jwt-without-signature";
        yaml "loop-variable-captured";
        yaml "markup-from-value";
        yaml "negative-length-check";
        yaml "old-tls-version";
        yaml "open-file-permission";
        yaml "self-atomic-assignment";
        yaml "server-without-timeout";
        yaml "shell-command-built";
        yaml "short-rsa-key";
        yaml "sleep-without-unit";
        yaml "wait-group-add-inside";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "weak-random-secret";
    }
    hcl {
        yaml "deletion-without-backup";
        yaml "encryption-off";
        yaml "old-tls-version";
        yaml "open-to-the-internet";
        yaml "public-bucket";
        yaml "public-database";
        yaml "secret-in-code";
        yaml "wildcard-policy";
    }
    java {
        rust array_object_method;
        rust equals_without_hash_code;
        rust format_mismatch;
        rust guarded_field_unlocked;
        rust ignored_result;
        rust incompatible_equals;
        rust interrupt_swallowed;
        rust lock_on_value;
        rust lock_without_finally;
        rust optional_compared_with_null;
        rust test_not_run;
        rust transactional_self_call;
        rust value_identity;
        rust volatile_increment;
        rust wait_outside_loop;
        yaml "abs-of-hash";
        yaml "array-as-key";
        yaml "assertion-failure-caught";
        yaml "big-decimal-from-double";
        yaml "boxed-constructor";
        yaml "catch-everything-empty";
        yaml "cbc-without-authentication";
        yaml "compare-to-exact-value";
        yaml "constant-seed";
        yaml "cookie-protection-off";
        yaml "csrf-protection-off";
        yaml "date-with-full-year";
        yaml "exception-not-thrown";
        yaml "expected-exception-not-enforced";
        yaml "guessable-temporary-file";
        yaml "hostname-not-verified";
        yaml "identity-map-of-values";
        yaml "index-zero-in-jdbc";
        yaml "jwt-without-signature";
        yaml "negative-size-check";
        yaml "null-cipher";
        yaml "nullable-optional";
        yaml "old-tls-version";
        yaml "open-file-permission";
        yaml "optional-null";
        yaml "return-in-finally";
        yaml "secret-in-text";
        yaml "short-key";
        yaml "split-by-metacharacter";
        yaml "static-date-format";
        yaml "trust-all-certificates";
        yaml "unclosed-placeholder";
        yaml "upload-size-unlimited";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "week-year";
        yaml "xml-decoder";
    }
    javascript {
        rust assertion_of_itself;
        rust callback_without_value;
        rust constant_reassigned;
        rust duplicate_class_member;
        rust irregular_whitespace;
        rust list_item_without_key;
        rust number_loses_digits;
        rust promise_dropped;
        rust super_call_missing;
        rust value_returned_to_for_each;
        yaml "assignment-as-condition";
        yaml "async-callback-for-each";
        yaml "async-effect";
        yaml "async-filter-callback";
        yaml "async-promise-executor";
        yaml "builtin-called-wrongly";
        yaml "builtin-overwritten";
        yaml "catch-parameter-overwritten";
        yaml "comparison-with-nan";
        yaml "comparison-with-new-object";
        yaml "comparison-without-effect";
        yaml "constant-condition";
        yaml "constant-operand";
        yaml "cookie-unprotected";
        yaml "cross-origin-open";
        yaml "delete-of-array-element";
        yaml "dynamic-string-replace-once";
        yaml "endless-loop-condition";
        yaml "eval-of-value";
        yaml "exit-in-finally";
        yaml "for-in-over-array";
        yaml "hard-coded-signing-secret";
        yaml "html-and-children";
        yaml "in-on-array";
        yaml "index-of-as-truth";
        yaml "inner-html-of-value";
        yaml "joined-cases";
        yaml "jwt-not-verified";
        yaml "length-never-negative";
        yaml "limits-swapped";
        yaml "message-to-any-origin";
        yaml "negation-before-in";
        yaml "new-tab-opener";
        yaml "numbers-sorted-as-text";
        yaml "optional-chain-not-guarding";
        yaml "own-property-method-called";
        yaml "parse-int-in-map";
        yaml "predictable-secret";
        yaml "promise-executor-returns";
        yaml "react-html-of-value";
        yaml "reversed-operator";
        yaml "setter-returns-value";
        yaml "short-key";
        yaml "state-changed-in-place";
        yaml "state-from-old-state";
        yaml "static-files-of-project";
        yaml "string-as-length";
        yaml "string-result-ignored";
        yaml "template-in-plain-string";
        yaml "thrown-value-no-error";
        yaml "tls-check-off";
        yaml "typeof-compared-with-nonsense";
        yaml "void-element-with-children";
        yaml "weak-cipher";
        yaml "weak-hash";
    }
    json {
        yaml "dependency-from-moving-source";
        yaml "install-script-from-network";
        yaml "policy-for-everybody";
        yaml "wildcard-policy";
    }
    kotlin {
        rust array_object_method;
        yaml "array-in-data-class";
        yaml "cancellation-swallowed";
        yaml "cookie-protection-off";
        yaml "exception-not-thrown";
        yaml "global-scope";
        yaml "ignored-result";
        yaml "map-get-asserted";
        yaml "old-tls-version";
        yaml "pool-without-threads";
        yaml "run-blocking-in-coroutine";
        yaml "shell-command-built";
        yaml "short-key";
        yaml "sleep-in-coroutine";
        yaml "trust-all-certificates";
        yaml "unreachable-code";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "world-readable-file";
    }
    php {
        rust variable_never_set;
        yaml "assignment-of-constant-in-condition";
        yaml "broken-cipher";
        yaml "certificate-check-off";
        yaml "code-from-text";
        yaml "cookie-unprotected";
        yaml "debug-page";
        yaml "file-open-to-everybody";
        yaml "forgery-protection-off";
        yaml "hash-compared-loosely";
        yaml "ldap-without-password";
        yaml "numeric-base-of-hash";
        yaml "old-tls-version";
        yaml "operator-written-backwards";
        yaml "password-hashed-fast";
        yaml "permissions-in-decimal";
        yaml "position-used-as-truth";
        yaml "predictable-secret";
        yaml "redirect-without-exit";
        yaml "request-echoed";
        yaml "result-of-pure-call-ignored";
        yaml "return-in-finally";
        yaml "session-identifier-from-value";
        yaml "statement-without-effect";
        yaml "unserialize-of-text";
        yaml "uploaded-file-under-its-own-name";
        yaml "variables-from-request";
        yaml "weak-hash";
        yaml "xml-external-entities";
    }
    python {
        rust bare_except;
        rust call_arguments_mismatch;
        rust format_arguments_mismatch;
        rust format_prefix_missing;
        rust function_as_condition;
        rust logging_arguments_mismatch;
        rust loop_variable_captured;
        rust method_without_self;
        rust special_method_result;
        rust special_method_signature;
        rust sql_text_with_value;
        rust unknown_escape;
        rust unreachable_handler;
        yaml "archive-extracted-unchecked";
        yaml "assert-on-tuple";
        yaml "asyncio-call-not-awaited";
        yaml "blocking-call-in-async";
        yaml "call-forgotten-in-condition";
        yaml "certificate-check-off";
        yaml "comparison-without-effect";
        yaml "comprehension-with-one-key";
        yaml "constant-comparison";
        yaml "context-variable-mutable-default";
        yaml "cookie-flags-missing";
        yaml "cookie-unprotected";
        yaml "cross-origin-open";
        yaml "csrf-protection-off";
        yaml "dataclass-mutable-default";
        yaml "debug-server";
        yaml "django-unsafe-setting";
        yaml "double-sign";
        yaml "empty-database-password";
        yaml "eval-of-value";
        yaml "except-with-or";
        yaml "exception-swallowed";
        yaml "exit-in-finally";
        yaml "expression-without-effect";
        yaml "file-mode-in-decimal";
        yaml "file-not-closed";
        yaml "file-writable-by-all";
        yaml "is-with-literal";
        yaml "jwt-not-verified";
        yaml "length-never-negative";
        yaml "lock-made-where-used";
        yaml "mutable-default-argument";
        yaml "nan-comparison";
        yaml "old-tls-version";
        yaml "old-tls-version-by-name";
        yaml "open-mode-invalid";
        yaml "password-hashed-fast";
        yaml "pickle-load";
        yaml "predictable-secret";
        yaml "print-result-formatted";
        yaml "raise-not-implemented";
        yaml "raise-of-value";
        yaml "raises-too-wide";
        yaml "request-without-timeout";
        yaml "result-of-pure-call-ignored";
        yaml "reversed-operator";
        yaml "shared-temporary-path";
        yaml "shell-command-from-variable";
        yaml "short-key";
        yaml "ssh-host-key-unchecked";
        yaml "task-not-kept";
        yaml "template-escaping-off";
        yaml "temporary-name-race";
        yaml "utc-time-read-as-local";
        yaml "utc-time-without-zone";
        yaml "value-marked-safe";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "xml-external-entities";
        yaml "xml-parser-unhardened";
        yaml "yaml-load-unsafe";
    }
    ruby {
        yaml "all-parameters-permitted";
        yaml "assignment-of-constant-in-condition";
        yaml "call-after-safe-navigation";
        yaml "certificate-check-off";
        yaml "debugger-left-in";
        yaml "default-that-names-itself";
        yaml "deserialisation-of-any-object";
        yaml "division-by-zero";
        yaml "emptiness-of-nil";
        yaml "exception-class-from-exception";
        yaml "file-tested-before-use";
        yaml "float-compared-for-equality";
        yaml "forgery-protection-off";
        yaml "key-from-object-identity";
        yaml "method-that-was-removed";
        yaml "password-hashed-fast";
        yaml "protection-off-in-settings";
        yaml "query-with-values";
        yaml "replaces-only-the-first";
        yaml "rescue-of-everything";
        yaml "return-in-ensure";
        yaml "secret-logged";
        yaml "shell-command-with-values";
        yaml "token-without-signature";
        yaml "weak-hash";
        yaml "xml-external-entities";
    }
    rust {
        rust condition_never_changes;
        rust getter_of_other_field;
        rust loop_runs_once;
        rust query_built_from_text;
        yaml "absolute-value-cast-to-unsigned";
        yaml "almost-swapped";
        yaml "approximate-constant";
        yaml "backwards-range";
        yaml "blocking-call-in-async";
        yaml "build-time-variable-unwrapped";
        yaml "certificate-check-off";
        yaml "clones-of-one-shared-value";
        yaml "command-with-joined-arguments";
        yaml "cookie-without-secure";
        yaml "empty-busy-loop";
        yaml "endless-iterator";
        yaml "extension-tested-on-path";
        yaml "format-calls-itself";
        yaml "future-never-polled";
        yaml "guard-dropped-at-once";
        yaml "impossible-case-match";
        yaml "insecure-cookie";
        yaml "interior-mutability-in-const";
        yaml "length-set-on-unwritten-vector";
        yaml "line-used-without-trim";
        yaml "lines-that-never-end";
        yaml "lock-held-in-condition";
        yaml "mutable-key";
        yaml "open-options-without-effect";
        yaml "operand-assigned-twice";
        yaml "overflow-tested-afterwards";
        yaml "permissions-in-decimal";
        yaml "query-from-values";
        yaml "reference-made-from-null";
        yaml "reference-to-static-mut";
        yaml "remainder-of-one";
        yaml "secret-logged";
        yaml "shell-command-from-values";
        yaml "size-in-bytes-as-count";
        yaml "slice-cast-after-from-raw-parts";
        yaml "text-conversion-calls-itself";
        yaml "uninitialised-value";
        yaml "unwrap-of-known-none";
        yaml "weak-cipher";
        yaml "weak-hash";
    }
    shell {
        yaml "arguments-evaluated";
        yaml "certificate-check-off";
        yaml "file-open-to-everybody";
        yaml "folder-change-unchecked";
        yaml "loop-over-ls";
        yaml "output-file-is-input-file";
        yaml "removal-below-unset-variable";
        yaml "script-piped-into-shell";
        yaml "status-hidden-by-declaration";
        yaml "unquoted-variable-in-test";
    }
    sql {
        yaml "column-dropped";
        yaml "column-renamed";
        yaml "column-type-changed";
        yaml "comparison-with-null";
        yaml "delete-without-where";
        yaml "index-that-locks";
        yaml "not-in-with-nulls";
        yaml "not-null-set-at-once";
        yaml "required-column-without-default";
        yaml "table-dropped";
        yaml "update-without-where";
    }
    typescript {
        yaml "doubled-non-null";
        yaml "method-named-like-constructor";
        yaml "mixed-enum";
        yaml "non-null-after-optional-chain";
        yaml "non-null-with-default";
        yaml "wrapper-object-made";
    }
    yaml {
        yaml "action-not-pinned";
        yaml "all-permissions-for-workflow";
        yaml "container-socket-mounted";
        yaml "event-text-in-script";
        yaml "foreign-code-with-secrets";
        yaml "host-namespace-shared";
        yaml "privileged-container";
        yaml "runs-as-root";
        yaml "secret-in-log";
        yaml "wildcard-role";
        yaml "workflow-commands-unsafe";
    }
}

/// Where a rule comes from.
#[derive(Clone, Copy)]
enum Source {
    Rust(&'static str, &'static Rule),
    Data(&'static str, &'static str, &'static str),
}

/// The languages that the rules of a folder may be for.
fn languages_of(folder: &str) -> Vec<&'static str> {
    let names =
        |folders: &[&str]| ROWS.iter().filter(|row| folders.contains(&row.folder)).map(|row| row.name).collect();
    match folder {
        "any" => ROWS.iter().map(|row| row.name).collect(),
        "javascript" => names(&["javascript", "typescript"]),
        "c" => names(&["c", "cpp"]),
        folder => names(&[folder]),
    }
}

/// What a rule is, for people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleInfo {
    /// `folder/name-of-the-pattern`.
    pub id: String,
    /// Linguist's names; empty for every language.
    pub languages: Vec<String>,
    /// What is found, in a few words.
    pub title: String,
    /// Why it bites.
    pub why: String,
    /// What to do about it.
    pub fix: String,
    /// How much it matters.
    pub priority: Priority,
    /// What kind of defect it is.
    pub category: Category,
    /// 0 to 1.
    pub confidence: f32,
    /// Whether it applies to test code.
    pub tests: Tests,
    /// What it looks at: `pattern`, `change` or `text`.
    pub kind: &'static str,
    /// Marked examples on which it fires.
    pub fires: Vec<String>,
    /// Examples on which it keeps quiet.
    pub quiet: Vec<String>,
}

impl RuleInfo {
    /// The first example on which it fires, without marks.
    #[must_use]
    pub fn bad_example(&self) -> String {
        crate::testing::plain(self.fires.first().map_or("", String::as_str))
    }

    /// The first example on which it keeps quiet.
    #[must_use]
    pub fn good_example(&self) -> String {
        crate::testing::plain(self.quiet.first().map_or("", String::as_str))
    }
}

impl From<&Rule> for RuleInfo {
    fn from(rule: &Rule) -> Self {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Self {
            id: rule.id.to_owned(),
            languages: owned(rule.languages),
            title: rule.title.to_owned(),
            why: rule.why.to_owned(),
            fix: rule.fix.to_owned(),
            priority: rule.priority,
            category: rule.category,
            confidence: rule.confidence,
            tests: rule.tests,
            kind: match rule.check {
                Check::Node { .. } => "pattern",
                Check::Change { .. } => "change",
                Check::Text { .. } => "text",
            },
            fires: owned(rule.fires),
            quiet: owned(rule.quiet),
        }
    }
}

impl From<&Document> for RuleInfo {
    fn from(document: &Document) -> Self {
        Self {
            id: document.id.clone(),
            languages: document.languages.clone(),
            title: document.title.clone(),
            why: document.why.trim().to_owned(),
            fix: document.fix.trim().to_owned(),
            priority: document.priority,
            category: document.category,
            confidence: document.confidence,
            tests: document.tests,
            kind: "pattern",
            fires: document.fires.clone(),
            quiet: document.quiet.clone(),
        }
    }
}

/// Compiled rules. What a language needs is compiled when it is first met.
pub struct RuleSet {
    sources: Vec<Source>,
    /// Rules that were given as text.
    own: Vec<Document>,
    by_grammar: Vec<OnceLock<Compiled>>,
    without_grammar: OnceLock<Compiled>,
    infos: OnceLock<Vec<RuleInfo>>,
    problems: std::sync::Mutex<Vec<String>>,
}

/// The rules for one language.
#[derive(Default)]
pub(crate) struct Compiled {
    pub(crate) by_kind: Vec<Vec<Looks>>,
    pub(crate) data: Vec<(Document, Pattern)>,
    /// Which of them can match a text at all.
    words: OnceLock<Words>,
    pub(crate) change: Vec<&'static Rule>,
    pub(crate) text: Vec<&'static Rule>,
}

/// A rule that looks at nodes.
#[derive(Clone, Copy)]
pub(crate) enum Looks {
    Rust(&'static Rule),
    /// Index in [`Compiled::data`].
    Data(usize),
}

impl RuleSet {
    fn new(sources: Vec<Source>, own: Vec<Document>) -> Self {
        Self {
            sources,
            own,
            by_grammar: ROWS.iter().map(|_| OnceLock::new()).collect(),
            without_grammar: OnceLock::new(),
            infos: OnceLock::new(),
            problems: std::sync::Mutex::default(),
        }
    }

    /// The rules that come with the program.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::new(SOURCES.to_vec(), Vec::new()));
        &BUILTIN
    }

    /// Rules from YAML texts alone, each with a name for error messages.
    ///
    /// # Errors
    /// The first text that is no rule or does not compile for one of its languages: its name and the reason.
    pub fn from_yaml(texts: &[(&str, &str)]) -> Result<Self, String> {
        let mut own = Vec::new();
        for (name, text) in texts {
            let document = Document::parse(text).map_err(|error| format!("{name}: {error}"))?;
            for language in &document.languages {
                let grammar = Grammar::find(language).ok_or_else(|| format!("{name}: no grammar for {language}"))?;
                document.compile(grammar).map_err(|error| format!("{name}: {language}: {error}"))?;
            }
            own.push(document);
        }
        Ok(Self::new(Vec::new(), own))
    }

    /// What all rules are, sorted by ID.
    pub fn rules(&self) -> &[RuleInfo] {
        self.infos.get_or_init(|| {
            let mut infos: Vec<RuleInfo> = self.own.iter().map(RuleInfo::from).collect();
            for source in &self.sources {
                match source {
                    Source::Rust(_, rule) => infos.push(RuleInfo::from(*rule)),
                    Source::Data(_, id, text) => infos.extend(self.document(id, text).as_ref().map(RuleInfo::from)),
                }
            }
            infos.sort_by(|a, b| a.id.cmp(&b.id));
            infos
        })
    }

    /// What one rule is.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&RuleInfo> {
        self.rules().iter().find(|info| info.id == id)
    }

    /// Rules that could not be read or compiled so far; a test keeps it empty for the built-in ones.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.problems.lock().map(|problems| problems.clone()).unwrap_or_default()
    }

    fn document(&self, id: &str, text: &str) -> Option<Document> {
        Document::parse(text).map_err(|error| self.problem(format!("{id}: {error}"))).ok()
    }

    fn problem(&self, problem: String) {
        if let Ok(mut problems) = self.problems.lock() {
            problems.push(problem);
        }
    }

    /// The rules for a language.
    pub(crate) fn compiled(&self, grammar: Option<Grammar>) -> &Compiled {
        match grammar.and_then(|grammar| Some((grammar, self.by_grammar.get(grammar.index())?))) {
            Some((grammar, slot)) => slot.get_or_init(|| self.compile(grammar)),
            None => self.without_grammar.get_or_init(|| {
                let mut compiled = Compiled::default();
                for source in &self.sources {
                    if let Source::Rust(_, rule) = source
                        && matches!(rule.check, Check::Text { .. })
                        && rule.languages.is_empty()
                    {
                        compiled.text.push(rule);
                    }
                }
                compiled
            }),
        }
    }

    fn compile(&self, grammar: Grammar) -> Compiled {
        let mut compiled =
            Compiled { by_kind: vec![Vec::new(); grammar.language().node_kind_count()], ..Compiled::default() };
        for source in &self.sources {
            match source {
                Source::Rust(folder, _) | Source::Data(folder, ..)
                    if !languages_of(folder).contains(&grammar.name()) => {}
                Source::Rust(_, rule) if !rule.languages.is_empty() && !rule.languages.contains(&grammar.name()) => {}
                Source::Rust(_, rule) => compiled.add_rust(grammar, rule),
                Source::Data(_, id, text) => self.add_data(&mut compiled, grammar, self.document(id, text)),
            }
        }
        for document in &self.own {
            self.add_data(&mut compiled, grammar, Some(document.clone()));
        }
        compiled
    }

    fn add_data(&self, compiled: &mut Compiled, grammar: Grammar, document: Option<Document>) {
        let Some(document) = document.filter(|document| document.languages.iter().any(|name| name == grammar.name()))
        else {
            return;
        };
        match document.compile(grammar) {
            Ok(pattern) => {
                let index = compiled.data.len();
                for kind in &pattern.kinds {
                    if let Some(looks) = compiled.by_kind.get_mut(usize::from(*kind)) {
                        looks.push(Looks::Data(index));
                    }
                }
                compiled.data.push((document, pattern));
            }
            Err(error) => self.problem(format!("{}: {}: {error}", document.id, grammar.name())),
        }
    }
}

impl Compiled {
    /// For each rule in [`Compiled::data`], whether it can match anything in a text.
    pub(crate) fn present(&self, text: &str) -> Vec<bool> {
        let needs = self.data.iter().map(|(_, pattern)| pattern.needs.as_slice());
        self.words.get_or_init(|| Words::new(needs)).present(text)
    }

    fn add_rust(&mut self, grammar: Grammar, rule: &'static Rule) {
        let kinds: Vec<u16> = match &rule.check {
            Check::Text { .. } => {
                self.text.push(rule);
                return;
            }
            Check::Change { .. } => {
                self.change.push(rule);
                return;
            }
            Check::Node { on: On::Roles(roles), .. } => roles.iter().flat_map(|role| grammar.kinds_of(*role)).collect(),
            Check::Node { on: On::Kinds(kinds), .. } => {
                let id = |kind: &&str| {
                    let named = grammar.language().id_for_node_kind(kind, true);
                    if named == 0 { grammar.language().id_for_node_kind(kind, false) } else { named }
                };
                kinds.iter().map(id).filter(|id| *id != 0).collect()
            }
        };
        for kind in kinds {
            if let Some(looks) = self.by_kind.get_mut(usize::from(kind)) {
                looks.push(Looks::Rust(rule));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Grammar, RuleSet, SOURCES, Source, languages_of};
    use crate::testing;

    #[test]
    fn rules_fire_where_they_are_marked_and_nowhere_else() {
        let set = RuleSet::builtin();
        let failures: Vec<String> = set.rules().iter().flat_map(|info| testing::check(set, info)).collect();
        assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    }

    #[test]
    fn rules_can_be_read_and_compiled_for_all_their_languages() {
        let set = RuleSet::builtin();
        for grammar in Grammar::all() {
            set.compiled(Some(grammar));
        }
        assert_eq!(set.rules().len(), SOURCES.len(), "{:#?}", set.problems());
        assert!(set.problems().is_empty(), "{:#?}", set.problems());
    }

    #[test]
    fn rules_have_unique_ids_that_name_their_folder_and_languages_of_it() {
        let set = RuleSet::builtin();
        let ids: HashSet<&str> = set.rules().iter().map(|info| info.id.as_str()).collect();
        assert_eq!(ids.len(), set.rules().len());
        for source in SOURCES {
            let (folder, id) = match source {
                Source::Rust(folder, rule) => (folder, rule.id),
                Source::Data(folder, id, _) => (folder, *id),
            };
            let info = set.find(id).unwrap_or_else(|| panic!("the file of {id} has another id"));
            assert_eq!(id.split('/').next(), Some(*folder), "{id}");
            let allowed = languages_of(folder);
            assert!(info.languages.iter().all(|name| allowed.contains(&name.as_str())), "{id}: {:?}", info.languages);
            assert!(*folder == "any" || !info.languages.is_empty(), "{id}: no languages");
        }
    }
}
