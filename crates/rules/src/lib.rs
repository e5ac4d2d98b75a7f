//! The built-in rules of the rule engine.
//!
//! A rule is one file, and one line in the list below. It imports the engine (`lint`) and the analysis of code
//! (`syntax`), and no other rule. `docs/writing-rules.md` explains how to write one.

mod evidence;
mod overlaps;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use lint::{Catalog, PrefilterRow, RenamedRules, RuleSet, Source};

/// The built-in rules, as the engine takes them.
static CATALOG: Catalog = Catalog {
    sources: SOURCES,
    evidence: evidence::TABLE,
    prefilters: PREFILTERS,
    compact: include!(concat!(env!("OUT_DIR"), "/compact_rules.rs")),
    renamed: RenamedRules::new(include_str!("../data/renamed.txt")),
    removed: include_str!("../data/removed.txt"),
    overlaps: overlaps::OVERLAPS,
};

const PREFILTERS: &[PrefilterRow] = {
    use lint::PrefilterRow as Row;
    include!("../data/yaml_rules.rs")
};

/// The built-in rules, as the engine takes them.
#[must_use]
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

/// The set of all built-in rules.
#[must_use]
pub fn built_in() -> &'static RuleSet {
    static BUILT_IN: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::new(&CATALOG));
    &BUILT_IN
}

/// Generates the list from a folder, its families (a folder each, with rules in Rust), its rules in Rust and its rules
/// in YAML (both by file name).
macro_rules! registry {
    ($($folder:ident {
        $(family $family:ident { $(rust $of_family:ident;)* })*
        $(rust $module:ident;)*
        $(yaml $name:literal;)*
    })*) => {
        $(mod $folder {
            $(pub(super) mod $family { $(pub(in super::super) mod $of_family;)* })*
            $(pub(super) mod $module;)*
        })*

        static SOURCES: &[Source] = &[$(
            $($(Source::Rust(stringify!($folder), &$folder::$family::$of_family::RULE),)*)*
            $(Source::Rust(stringify!($folder), &$folder::$module::RULE),)*
            $(Source::Data(
                stringify!($folder),
                concat!(stringify!($folder), "/", $name),
                include_str!(concat!(stringify!($folder), "/", $name, ".yml")),
            ),)*
        )*];
    };
}

// The list, one line per rule. Within a folder come its families, then the Rust rules, then the YAML rules, each group
// in alphabetical order.
registry! {
    any {
        family changed {
            rust and_or_swapped;
            rust arguments_swapped;
            rust assertion_weakened;
            rust atomic_access_became_plain;
            rust boundary_changed;
            rust bounded_call_became_unbounded;
            rust call_became_opposite;
            rust command_list_became_string;
            rust comparison_flipped;
            rust error_return_became_nil;
            rust lock_call_exchanged;
            rust lookup_became_query;
            rust name_became_text;
            rust negation_changed;
            rust off_by_one_changed;
            rust permission_widened;
            rust precedence_changed;
            rust range_became_everything;
            rust safe_variant_exchanged;
            rust security_option_off;
            rust test_switched_off;
            rust update_became_assignment;
            rust unit_changed;
            rust utc_became_local;
            rust value_became_constant;
            rust version_unpinned;
        }
        family error {
            rust callback_error_ignored;
            rust error_kept_quiet;
            rust exception_swallowed;
        }
        family expression {
            rust case_mismatch;
            rust comparison_out_of_range;
            rust duplicate_condition;
            rust duplicate_key;
            rust element_overwritten;
            rust expiry_in_milliseconds;
            rust format_argument_count;
            rust impossible_bit_mask;
            rust limit_not_clamped;
            rust matched_with_itself;
            rust money_truncated;
            rust overflow_before_widening;
            rust replaces_only_the_first;
            rust same_branches;
            rust same_operand_twice;
            rust self_argument;
            rust self_assignment;
            rust shift_out_of_range;
            rust unreachable_code;
            rust value_never_read;
        }
        family injection {
            rust code_injection;
            rust command_built;
            rust command_injection;
            rust cross_site_scripting;
            rust deserialisation_of_request;
            rust format_from_request;
            rust ldap_injection;
            rust log_injection;
            rust nosql_injection;
            rust open_redirect;
            rust path_traversal;
            rust property_name_from_request;
            rust regex_injection;
            rust server_side_request_forgery;
            rust sql_injection;
            rust template_injection;
            rust xml_from_request;
            rust xpath_injection;
        }
        family iteration {
            rust async_callback_not_awaited;
            rust collection_changed_while_iterated;
            rust countdown_past_zero;
            rust endless_recursion;
            rust loop_in_wrong_direction;
            rust loop_past_the_end;
            rust loop_runs_once;
        }
        family leftover {
            rust conflict_marker;
            rust does_not_parse;
            rust hidden_from_review;
            rust syntax_broken;
            rust unused_suppression;
        }
        family names {
            rust definition_removed;
            rust import_left_unused;
            rust import_not_found;
            rust removed_name_still_used;
            rust undefined_name;
            rust unused_import;
            rust wrong_arguments_for_import;
        }
        family naming {
            rust member_misspelt;
            rust name_misspelt;
        }
        family null {
            rust failed_result_used;
            rust lookup_used_at_once;
            rust null_used_where_found;
            rust position_used_unchecked;
        }
        family regex {
            rust regex_anchor_in_one_alternative;
            rust regex_backreference_to_nothing;
            rust regex_class_member_twice;
            rust regex_class_splits_character;
            rust regex_invalid;
            rust regex_repeats_nothing;
            rust regex_to_filter_scripts;
            rust regex_with_control_character;
            rust regex_with_empty_class;
            rust regex_with_explosive_repetition;
            rust regex_with_impossible_anchor;
            rust regex_with_open_host_name;
            rust regex_with_wide_range;
        }
        family removed {
            rust argument_dropped;
            rust assertion_removed;
            rust assignment_removed;
            rust authorization_removed;
            rust await_removed;
            rust call_removed;
            rust cast_dropped;
            rust commit_removed;
            rust condition_clause_removed;
            rust condition_unwrapped;
            rust constant_time_lost;
            rust constraint_dropped;
            rust default_dropped;
            rust else_unwrapped;
            rust error_handling_removed;
            rust error_result_dropped;
            rust escaping_dropped;
            rust exit_removed;
            rust final_return_lost;
            rust guard_removed;
            rust input_check_removed;
            rust limit_removed;
            rust lock_removed;
            rust lock_scope_lost;
            rust loop_removed;
            rust null_check_removed;
            rust operand_dropped;
            rust owner_filter_removed;
            rust password_hash_dropped;
            rust release_not_guaranteed;
            rust release_removed;
            rust return_dropped;
            rust sanitizer_lost;
            rust secure_random_lost;
            rust special_case_removed;
            rust token_lifetime_dropped;
            rust validation_call_removed;
            rust verification_removed;
            rust where_clause_removed;
            rust wrapper_call_dropped;
        }
        family resource {
            rust double_checked_locking;
            rust resource_not_closed;
            rust return_past_release;
        }
        family secret {
            rust hard_coded_key;
            rust hard_coded_password;
            rust hard_coded_secret;
            rust hard_coded_token;
            rust password_in_address;
            rust password_in_configuration;
            rust password_logged;
            rust private_key_in_code;
        }
        family security {
            rust bidirectional_control_character;
            rust cloud_access_for_everybody;
            rust cloud_storage_unencrypted;
            rust cookie_without_protection;
            rust host_checked_by_part;
            rust management_open;
            rust path_prefix_without_separator;
            rust predictable_random;
            rust xml_external_entities;
        }
        family unadapted {
            rust call_not_adapted;
            rust half_adapted_copy;
            rust removed_function_called;
            rust implementors_not_adapted;
            rust signature_callers_not_adapted;
            rust value_of_neighbour;
        }
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
        rust freed_wrongly;
        rust index_past_the_end;
        rust limit_overflowed;
        rust literal_read_past_its_end;
        rust narrow_loop_counter;
        rust outside_text_used;
        rust path_without_return;
        rust pointer_before_start;
        rust shell_command_built;
        rust size_of_pointer;
        rust status_as_truth;
        rust text_cast_to_wide;
        rust text_never_written;
        rust unchecked_allocation;
        rust unsigned_never_negative;
        rust used_after_free;
        yaml "allocation-without-terminator";
        yaml "append-limited-by-whole-buffer";
        yaml "call-to-gets";
        yaml "certificate-check-off";
        yaml "cipher-named-that-is-weak";
        yaml "comparison-without-effect";
        yaml "condition-ends-in-semicolon";
        yaml "condition-wait-without-loop";
        yaml "copy-limited-by-source";
        yaml "copy-used-as-condition";
        yaml "created-file-without-mode";
        yaml "effect-in-assertion";
        yaml "file-open-to-everybody";
        yaml "fixed-name-for-temporary-file";
        yaml "loop-includes-array-size";
        yaml "loop-until-feof";
        yaml "mask-compared-first";
        yaml "old-tls-version";
        yaml "overflow-check-on-pointer";
        yaml "parser-resolves-entities";
        yaml "predictable-secret";
        yaml "realloc-result-over-old-pointer";
        yaml "result-compared-with-the-wrong-value";
        yaml "secret-sent-in-clear";
        yaml "secret-written-out";
        yaml "unbounded-text-input";
        yaml "verification-result-conflated";
        yaml "weak-cipher";
        yaml "weak-hash";
    }
    cpp {
        rust copy_into_empty_container;
        yaml "container-changed-in-range-loop";
        yaml "exception-made-not-thrown";
        yaml "lock-not-kept";
        yaml "new-compared-with-null";
        yaml "old-tls-version";
        yaml "parser-resolves-entities";
        yaml "pointer-into-temporary";
        yaml "search-result-as-condition";
        yaml "tls-versions-left-open";
    }
    csharp {
        rust certificate_check_always_true;
        rust lock_on_changing_field;
        rust property_of_wrong_field;
        rust resource_not_disposed;
        yaml "archive-unpacked-unchecked";
        yaml "assertion-with-effect";
        yaml "async-void";
        yaml "begin-without-end";
        yaml "blocking-on-task";
        yaml "capacity-from-character";
        yaml "certificate-by-its-name";
        yaml "certificate-check-off";
        yaml "cleartext-address";
        yaml "compared-with-null-by-equals";
        yaml "cookie-without-protection";
        yaml "cross-origin-open";
        yaml "directory-bind-without-login";
        yaml "dispose-calls-itself";
        yaml "disposed-before-returned";
        yaml "division-before-fraction";
        yaml "exception-not-thrown";
        yaml "file-permission-for-everyone";
        yaml "generator-made-for-one-number";
        yaml "guessable-temporary-file";
        yaml "ignored-result";
        yaml "js-invokable-not-public";
        yaml "jwt-not-verified";
        yaml "lambda-unsubscribed";
        yaml "lock-on-shared-object";
        yaml "negative-count-check";
        yaml "null-instead-of-task";
        yaml "old-tls-version";
        yaml "operator-twice";
        yaml "operator-written-backwards";
        yaml "own-cryptography";
        yaml "password-in-connection-text";
        yaml "request-size-unlimited";
        yaml "request-validation-off";
        yaml "route-with-backslash";
        yaml "setter-ignores-value";
        yaml "short-key";
        yaml "sql-words-run-together";
        yaml "throw-loses-stack";
        yaml "throw-where-none-is-expected";
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
        yaml "remote-shell-exposed";
        yaml "runs-as-root";
        yaml "script-piped-into-shell";
        yaml "secret-in-image";
        yaml "unverified-packages";
    }
    go {
        rust appended_never_used;
        rust format_mismatch;
        rust key_without_value;
        rust lock_not_released;
        rust resource_not_closed;
        rust select_became_blocking;
        rust self_assignment;
        rust test_fails_in_other_goroutine;
        rust variable_left_unused;
        rust variable_unused;
        yaml "address-without-brackets";
        yaml "append-result-lost";
        yaml "append-to-filled-slice";
        yaml "bind-to-all-interfaces";
        yaml "break-leaves-only-select";
        yaml "certificate-check-off";
        yaml "command-with-its-arguments";
        yaml "context-cancel-dropped";
        yaml "context-key-of-common-type";
        yaml "cookie-without-protection";
        yaml "decompression-bomb";
        yaml "defer-in-loop";
        yaml "deferred-argument-too-early";
        yaml "directory-listing-served";
        yaml "duration-times-duration";
        yaml "empty-branch";
        yaml "empty-critical-section";
        yaml "encoded-into-itself";
        yaml "error-compared-with-equals";
        yaml "errors-is-swapped";
        yaml "errors-new-with-format";
        yaml "fatal-in-goroutine";
        yaml "format-from-variable";
        yaml "hard-coded-key";
        yaml "header-key-not-canonical";
        yaml "host-key-not-checked";
        yaml "http-body-closed-before-error-check";
        yaml "jwt-without-signature";
        yaml "layout-with-wrong-reference";
        yaml "loop-variable-captured";
        yaml "markup-from-value";
        yaml "negative-length-check";
        yaml "nil-as-context";
        yaml "old-tls-version";
        yaml "open-file-permission";
        yaml "operation-without-effect";
        yaml "permission-in-decimal";
        yaml "prefix-trimmed-as-letters";
        yaml "profiler-in-production";
        yaml "random-below-one";
        yaml "redirect-check-by-first-slash";
        yaml "rows-without-error-check";
        yaml "runes-ranged-for-nothing";
        yaml "second-lock-deferred";
        yaml "seek-arguments-swapped";
        yaml "self-atomic-assignment";
        yaml "server-without-timeout";
        yaml "short-rsa-key";
        yaml "signal-that-cannot-be-caught";
        yaml "sleep-without-unit";
        yaml "sorted-by-conversion";
        yaml "test-never-run";
        yaml "type-assertion-unchecked";
        yaml "wait-group-add-inside";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "weak-random-secret";
    }
    hcl {
        yaml "certificate-check-off";
        yaml "encryption-off";
        yaml "image-tag-can-change";
        yaml "key-never-rotated";
        yaml "metadata-without-token";
        yaml "old-tls-version";
        yaml "open-to-the-internet";
        yaml "public-bucket";
        yaml "public-database";
        yaml "role-for-everybody";
        yaml "secret-in-code";
        yaml "wildcard-policy";
    }
    java {
        rust accessor_of_wrong_field;
        rust arguments_in_wrong_order;
        rust array_object_method;
        rust big_decimal_from_double;
        rust case_falls_through;
        rust declared_result_ignored;
        rust equals_without_hash_code;
        rust fixed_nonce;
        rust format_mismatch;
        rust guarded_field_unlocked;
        rust ignored_result;
        rust incompatible_equals;
        rust incompatible_lookup;
        rust integer_division_as_fraction;
        rust interrupt_swallowed;
        rust invalid_time_value;
        rust lock_without_finally;
        rust loop_counter_not_advanced;
        rust nano_without_seconds;
        rust null_checked_behind_use;
        rust optional_compared_with_null;
        rust parameter_beyond_placeholders;
        rust private_member_unused;
        rust resource_not_closed;
        rust test_not_run;
        rust thread_run_directly;
        rust transactional_self_call;
        rust unit_conversion_to_nothing;
        rust unsupported_time_unit;
        rust value_identity;
        rust volatile_increment;
        rust wait_outside_loop;
        rust wait_without_lock;
        yaml "abs-of-hash";
        yaml "any-class-from-json";
        yaml "any-fragment-valid";
        yaml "array-as-key";
        yaml "array-cast-of-to-array";
        yaml "array-in-record";
        yaml "assertion-failure-caught";
        yaml "assignment-as-condition";
        yaml "boxed-and-unboxed";
        yaml "boxed-constructor";
        yaml "broadcast-to-everybody";
        yaml "bytes-read-not-counted";
        yaml "capacity-from-character";
        yaml "catch-everything-empty";
        yaml "cbc-without-authentication";
        yaml "class-of-class";
        yaml "command-found-by-search-path";
        yaml "compare-to-exact-value";
        yaml "component-read-before-it-is-set";
        yaml "cookie-protection-off";
        yaml "copy-changed-and-dropped";
        yaml "csrf-protection-off";
        yaml "date-format-of-other-hour";
        yaml "debugging-in-production";
        yaml "default-character-set";
        yaml "directory-bind-without-login";
        yaml "effect-in-assertion";
        yaml "equality-by-hash-code";
        yaml "equals-without-type-check";
        yaml "exception-logged-without-trace";
        yaml "exception-not-thrown";
        yaml "exit-outside-main";
        yaml "file-on-shared-storage";
        yaml "finalizer-called";
        yaml "generator-made-for-one-number";
        yaml "guessable-temporary-file";
        yaml "hostname-not-verified";
        yaml "identity-map-of-values";
        yaml "index-zero-in-jdbc";
        yaml "jwt-without-signature";
        yaml "long-number-ends-like-one";
        yaml "mail-server-not-verified";
        yaml "mapping-of-every-method";
        yaml "negative-character";
        yaml "negative-size-check";
        yaml "null-cipher";
        yaml "null-kept-in-condition";
        yaml "null-where-refused";
        yaml "nullable-optional";
        yaml "odd-test-by-one";
        yaml "old-tls-version";
        yaml "open-file-permission";
        yaml "operation-without-effect";
        yaml "optional-null";
        yaml "origin-of-anybody";
        yaml "password-kept-readable";
        yaml "placeholder-not-filled";
        yaml "pool-that-never-grows";
        yaml "proxy-annotation-on-private-method";
        yaml "public-constant-array";
        yaml "random-fraction-cast-to-zero";
        yaml "reading-text-of-a-stream";
        yaml "remainder-of-random-number";
        yaml "return-in-finally";
        yaml "secret-in-text";
        yaml "security-header-off";
        yaml "semicolon-ends-condition";
        yaml "serialisation-hook-of-record";
        yaml "server-software-disclosed";
        yaml "short-key";
        yaml "sleep-holding-lock";
        yaml "split-by-metacharacter";
        yaml "stack-trace-printed";
        yaml "static-date-format";
        yaml "suppression-misspelt";
        yaml "this-compared-with-null";
        yaml "time-of-sql-date";
        yaml "trust-all-certificates";
        yaml "unclosed-placeholder";
        yaml "unknown-time-zone";
        yaml "upload-size-large";
        yaml "upload-size-unlimited";
        yaml "virtual-thread-as-platform-thread";
        yaml "volatile-array";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "web-view-opened";
        yaml "week-year";
        yaml "where-code-built";
        yaml "xml-decoder";
    }
    javascript {
        rust assertion_of_itself;
        rust assigned_and_never_read;
        rust async_client_component;
        rust await_of_plain_value;
        rust call_over_line_break;
        rust callback_without_value;
        rust case_falls_through;
        rust condition_always_true;
        rust constant_condition;
        rust constant_reassigned;
        rust deprecated_name_used;
        rust duplicate_attribute;
        rust duplicate_class_member;
        rust duplicate_parameter;
        rust expression_without_effect;
        rust for_in_over_array;
        rust function_reassigned;
        rust getter_without_value;
        rust hook_dependency_missing;
        rust irregular_whitespace;
        rust list_item_without_key;
        rust lost_update_over_await;
        rust number_loses_digits;
        rust object_in_text;
        rust promise_dropped;
        rust promise_for_void_callback;
        rust result_of_void_call;
        rust return_without_await_in_try;
        rust spread_of_wrong_value;
        rust super_call_missing;
        rust thrown_value_no_error;
        rust unused_binding;
        rust unused_label;
        rust unused_private_member;
        rust used_before_declared;
        rust value_never_set;
        yaml "async-callback-where-truth-counts";
        yaml "async-promise-executor";
        yaml "builtin-called-wrongly";
        yaml "builtin-overwritten";
        yaml "catch-parameter-overwritten";
        yaml "comment-shown-as-text";
        yaml "comparison-with-nan";
        yaml "comparison-with-new-object";
        yaml "comparison-without-effect";
        yaml "constant-operand";
        yaml "cookie-unprotected";
        yaml "debugger-left-in";
        yaml "dynamic-string-replace-once";
        yaml "empty-pattern";
        yaml "endless-loop-condition";
        yaml "error-details-sent";
        yaml "error-shown-as-markup";
        yaml "error-without-message";
        yaml "escaping-switched-off";
        yaml "eval-of-text";
        yaml "eval-of-value";
        yaml "exit-in-finally";
        yaml "file-open-to-everybody";
        yaml "hard-coded-signing-secret";
        yaml "hole-in-array";
        yaml "html-and-children";
        yaml "incomplete-quote-escaping";
        yaml "inner-html-of-value";
        yaml "joined-cases";
        yaml "jwt-not-verified";
        yaml "limits-swapped";
        yaml "message-from-any-origin";
        yaml "message-to-any-origin";
        yaml "method-chosen-by-value";
        yaml "negation-before-in";
        yaml "numbers-sorted-as-text";
        yaml "old-tls-version";
        yaml "only-this-test-runs";
        yaml "optional-chain-not-guarding";
        yaml "own-property-method-called";
        yaml "parse-int-in-map";
        yaml "predictable-secret";
        yaml "promise-executor-returns";
        yaml "react-html-of-value";
        yaml "regex-restarted-in-loop";
        yaml "rejected-with-no-error";
        yaml "reversed-operator";
        yaml "secret-in-web-storage";
        yaml "semicolon-in-markup";
        yaml "setter-returns-value";
        yaml "shadowed-built-in-value";
        yaml "short-key";
        yaml "state-from-old-state";
        yaml "state-set-while-rendering";
        yaml "static-files-of-project";
        yaml "string-result-ignored";
        yaml "template-in-plain-string";
        yaml "tls-check-off";
        yaml "trusted-without-check";
        yaml "typeof-compared-with-nonsense";
        yaml "unknown-attribute";
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
        yaml "broadcast-to-everybody";
        yaml "cancellation-swallowed";
        yaml "cookie-protection-off";
        yaml "equals-without-hash-code";
        yaml "map-get-asserted";
        yaml "old-tls-version";
        yaml "operator-written-backwards";
        yaml "password-kept-readable";
        yaml "pool-without-threads";
        yaml "predictable-random";
        yaml "preferences-open-to-others";
        yaml "run-blocking-in-coroutine";
        yaml "shell-command-built";
        yaml "short-key";
        yaml "sleep-in-coroutine";
        yaml "trust-all-certificates";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "web-view-opened";
        yaml "world-readable-file";
    }
    php {
        rust argument_count;
        rust argument_of_wrong_kind;
        rust condition_never_changes;
        rust element_not_there;
        rust format_argument_count;
        rust handler_never_reached;
        rust magic_constant_without_meaning;
        rust method_not_defined;
        rust method_not_reachable;
        rust operand_of_wrong_kind;
        rust return_of_wrong_kind;
        rust thrown_class_no_error;
        rust unusable_kind;
        rust variable_never_set;
        yaml "assertion-caught";
        yaml "assignment-of-constant-in-condition";
        yaml "broken-cipher";
        yaml "certificate-check-off";
        yaml "closure-takes-what-it-must-not";
        yaml "code-from-text";
        yaml "connection-in-clear";
        yaml "cookie-unprotected";
        yaml "cross-origin-open";
        yaml "exception-made-not-thrown";
        yaml "file-open-to-everybody";
        yaml "fixed-initialisation-vector";
        yaml "fixed-salt";
        yaml "forgery-protection-off";
        yaml "hash-compared-loosely";
        yaml "ldap-without-password";
        yaml "numeric-base-of-hash";
        yaml "old-tls-version";
        yaml "padding-of-rsa-weak";
        yaml "password-hashed-fast";
        yaml "password-in-call";
        yaml "pattern-without-delimiter";
        yaml "permissions-in-decimal";
        yaml "position-used-as-truth";
        yaml "predictable-secret";
        yaml "printed-instead-of-joined";
        yaml "redirect-without-exit";
        yaml "request-echoed";
        yaml "result-of-pure-call-ignored";
        yaml "result-of-unchanging-object-ignored";
        yaml "return-in-finally";
        yaml "session-identifier-from-value";
        yaml "session-kept-after-login";
        yaml "short-key";
        yaml "statement-without-effect";
        yaml "this-in-static-function";
        yaml "unsafe-wordpress-setting";
        yaml "unserialize-of-text";
        yaml "uploaded-file-under-its-own-name";
        yaml "variables-from-request";
        yaml "weak-hash";
        yaml "xml-external-entities";
    }
    python {
        rust bare_except;
        rust call_arguments_mismatch;
        rust call_of_value;
        rust coroutine_not_awaited;
        rust definition_overwritten;
        rust exception_of_wrong_type;
        rust exit_in_finally;
        rust exported_name_missing;
        rust format_arguments_mismatch;
        rust format_prefix_missing;
        rust function_as_condition;
        rust index_of_wrong_type;
        rust item_of_value_without_items;
        rust iteration_over_value;
        rust logging_arguments_mismatch;
        rust loop_variable_captured;
        rust membership_in_value;
        rust method_without_self;
        rust mutable_default_argument;
        rust name_twice_in_list;
        rust operands_do_not_fit;
        rust replacement_group_missing;
        rust request_without_timeout;
        rust special_method_result;
        rust special_method_signature;
        rust unknown_escape;
        rust unpacking_count_mismatch;
        rust unreachable_handler;
        rust used_before_set;
        yaml "annotation-instead-of-assignment";
        yaml "archive-extracted-unchecked";
        yaml "assert-on-tuple";
        yaml "asyncio-call-not-awaited";
        yaml "blocking-call-in-async";
        yaml "cache-on-method";
        yaml "call-forgotten-in-condition";
        yaml "certificate-check-off";
        yaml "cleartext-address";
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
        yaml "debugger-left-in";
        yaml "empty-database-password";
        yaml "environment-copied-shallow";
        yaml "environment-default-no-text";
        yaml "error-text-not-formatted";
        yaml "eval-of-value";
        yaml "except-with-or";
        yaml "exception-made-not-raised";
        yaml "exception-swallowed";
        yaml "expression-without-effect";
        yaml "file-mode-in-decimal";
        yaml "file-not-closed";
        yaml "file-writable-by-all";
        yaml "fixed-salt";
        yaml "formatted-docstring";
        yaml "is-with-literal";
        yaml "jwt-not-verified";
        yaml "length-never-negative";
        yaml "lock-made-where-used";
        yaml "logging-with-braces";
        yaml "nan-comparison";
        yaml "old-tls-version";
        yaml "old-tls-version-by-name";
        yaml "open-mode-invalid";
        yaml "password-hashed-fast";
        yaml "pickle-load";
        yaml "post-init-default";
        yaml "predictable-secret";
        yaml "print-result-formatted";
        yaml "raise-not-implemented";
        yaml "raise-of-value";
        yaml "raise-outside-handler";
        yaml "raises-too-wide";
        yaml "result-of-pure-call-ignored";
        yaml "reversed-operator";
        yaml "shared-temporary-path";
        yaml "short-key";
        yaml "sleep-for-a-day";
        yaml "snmp-without-encryption";
        yaml "socket-open-to-all";
        yaml "ssh-host-key-unchecked";
        yaml "static-method-with-self";
        yaml "strip-of-word";
        yaml "suppress-of-nothing";
        yaml "template-escaping-off";
        yaml "temporary-name-race";
        yaml "texts-joined-in-list";
        yaml "thread-without-target";
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
        rust argument_overwritten;
        rust comparison_without_effect;
        rust constant_set_twice;
        rust fallback_that_needs_the_missing;
        rust method_defined_twice;
        rust nil_checked_after_use;
        yaml "accumulator-that-cannot-change";
        yaml "all-parameters-permitted";
        yaml "arithmetic-without-effect";
        yaml "assignment-of-constant-in-condition";
        yaml "attribute-from-request-by-name";
        yaml "built-in-method-replaced-by-field";
        yaml "call-after-safe-navigation";
        yaml "certificate-check-off";
        yaml "condition-is-a-literal";
        yaml "constant-defined-in-block";
        yaml "debugger-left-in";
        yaml "default-and-block";
        yaml "default-that-names-itself";
        yaml "deserialisation-of-any-object";
        yaml "division-by-zero";
        yaml "emptiness-of-nil";
        yaml "exception-class-from-exception";
        yaml "file-tested-before-use";
        yaml "forgery-protection-off";
        yaml "index-never-used";
        yaml "interpolation-in-plain-string";
        yaml "key-from-object-identity";
        yaml "loop-that-runs-once-or-never";
        yaml "method-that-was-removed";
        yaml "narrow-rescue-after-wide";
        yaml "passphrase-in-code";
        yaml "password-hashed-fast";
        yaml "pattern-never-reached";
        yaml "private-before-class-method";
        yaml "protection-off-in-settings";
        yaml "quote-escaped-but-not-backslash";
        yaml "regex-as-condition";
        yaml "removed-constant";
        yaml "replaces-only-the-first";
        yaml "rescue-of-everything";
        yaml "result-of-initialize-or-setter";
        yaml "return-in-ensure";
        yaml "secret-logged";
        yaml "sensitive-attribute-assignable";
        yaml "token-without-signature";
        yaml "weak-hash";
        yaml "xml-external-entities";
    }
    rust {
        rust getter_of_other_field;
        rust lock_held_across_await;
        rust loop_runs_once;
        rust query_built_from_text;
        yaml "absolute-value-cast-to-unsigned";
        yaml "almost-swapped";
        yaml "approximate-constant";
        yaml "blocking-call-in-async";
        yaml "build-time-variable-unwrapped";
        yaml "certificate-check-off";
        yaml "clones-of-one-shared-value";
        yaml "command-with-joined-arguments";
        yaml "cookie-without-secure";
        yaml "empty-busy-loop";
        yaml "endless-iterator";
        yaml "impossible-case-match";
        yaml "insecure-cookie";
        yaml "interior-mutability-in-const";
        yaml "length-set-on-unwritten-vector";
        yaml "line-used-without-trim";
        yaml "lines-that-never-end";
        yaml "lock-held-in-condition";
        yaml "operand-assigned-twice";
        yaml "overflow-tested-afterwards";
        yaml "partial-write";
        yaml "permissions-in-decimal";
        yaml "query-from-values";
        yaml "reference-made-from-null";
        yaml "secret-logged";
        yaml "shell-command-from-values";
        yaml "size-in-bytes-as-count";
        yaml "slice-cast-after-from-raw-parts";
        yaml "uninitialised-value";
        yaml "unwrap-of-known-none";
        yaml "weak-cipher";
        yaml "weak-hash";
    }
    shell {
        rust error_exit_removed;
        rust test_without_spaces;
        yaml "arguments-evaluated";
        yaml "certificate-check-off";
        yaml "file-open-to-everybody";
        yaml "folder-change-unchecked";
        yaml "guessable-temporary-file";
        yaml "loop-over-ls";
        yaml "output-file-is-input-file";
        yaml "password-on-command-line";
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
        yaml "update-without-where";
    }
    typescript {
        rust async_method_for_void;
        rust call_arguments_mismatch;
        yaml "doubled-non-null";
        yaml "impossible-intersection";
        yaml "method-named-like-constructor";
        yaml "non-null-with-default";
        yaml "parameter-named-like-type";
        yaml "union-with-any";
        yaml "wrapper-object-type";
    }
    yaml {
        rust action_unpinned;
        rust trigger_with_secrets;
        yaml "action-not-pinned";
        yaml "actor-decides-trust";
        yaml "all-permissions-for-workflow";
        yaml "certificate-check-off";
        yaml "container-socket-mounted";
        yaml "encryption-off";
        yaml "event-text-in-script";
        yaml "foreign-code-with-secrets";
        yaml "host-folder-mounted";
        yaml "host-namespace-shared";
        yaml "open-to-the-internet";
        yaml "powerful-capability-added";
        yaml "privilege-escalation-allowed";
        yaml "privileged-container";
        yaml "public-storage";
        yaml "runs-as-root";
        yaml "secret-in-log";
        yaml "wildcard-role";
        yaml "workflow-commands-unsafe";
    }
}
