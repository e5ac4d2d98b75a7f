//! The list of all rules, and what is derived from it.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use review::{Category, Priority};
use serde::{Deserialize, Serialize};

use crate::grammar::{Grammar, ROWS};
use crate::own::{Problem, RuleFile};
use crate::pattern::{Document, Pattern, Present, Words};
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
        rust async_call_not_awaited;
        rust atomic_access_became_plain;
        rust await_removed;
        rust bidirectional_control_character;
        rust boundary_changed;
        rust bounded_call_became_unbounded;
        rust branch_removed;
        rust call_not_adapted;
        rust call_removed;
        rust callback_error_ignored;
        rust case_mismatch;
        rust cast_dropped;
        rust cloud_access_for_everybody;
        rust cloud_storage_unencrypted;
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
        rust copy_not_changed;
        rust countdown_past_zero;
        rust cross_site_scripting;
        rust default_dropped;
        rust deserialisation_of_request;
        rust double_checked_locking;
        rust duplicate_condition;
        rust duplicate_key;
        rust element_overwritten;
        rust endless_recursion;
        rust error_handling_removed;
        rust error_kept_quiet;
        rust error_result_dropped;
        rust error_return_became_nil;
        rust escaping_dropped;
        rust exception_swallowed;
        rust exit_removed;
        rust failed_result_used;
        rust first_element_unchecked;
        rust format_from_request;
        rust guard_removed;
        rust half_adapted_copy;
        rust hard_coded_key;
        rust hard_coded_password;
        rust hard_coded_secret;
        rust hard_coded_token;
        rust host_checked_by_part;
        rust impossible_bit_mask;
        rust ldap_injection;
        rust lock_removed;
        rust log_injection;
        rust lookup_used_at_once;
        rust loop_became_condition;
        rust loop_in_wrong_direction;
        rust loop_past_the_end;
        rust loop_removed;
        rust loop_runs_once;
        rust matched_with_itself;
        rust name_misspelt;
        rust name_near_another;
        rust negation_changed;
        rust nosql_injection;
        rust null_check_removed;
        rust null_checked_after_use;
        rust null_used_where_found;
        rust off_by_one_changed;
        rust open_redirect;
        rust operand_dropped;
        rust overflow_before_widening;
        rust password_in_address;
        rust password_logged;
        rust path_prefix_without_separator;
        rust path_traversal;
        rust permission_widened;
        rust position_used_unchecked;
        rust precedence_changed;
        rust predictable_random;
        rust private_key_in_code;
        rust property_name_from_request;
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
        rust removed_function_called;
        rust replaces_only_the_first;
        rust resource_not_closed;
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
        rust twin_constant_unchanged;
        rust type_narrowed;
        rust typeof_object_takes_null;
        rust unfinished_branch;
        rust unreachable_code;
        rust update_became_assignment;
        rust validation_call_removed;
        rust value_never_read;
        rust wrapper_call_dropped;
        rust xml_external_entities;
        rust xml_from_request;
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
        rust freed_wrongly;
        rust index_past_the_end;
        rust limit_overflowed;
        rust literal_written;
        rust narrow_loop_counter;
        rust null_check_after_use;
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
        rust value_never_set;
        yaml "allocation-without-terminator";
        yaml "append-limited-by-whole-buffer";
        yaml "call-to-gets";
        yaml "certificate-check-off";
        yaml "changed-and-read-in-arguments";
        yaml "changed-twice-in-expression";
        yaml "cipher-named-that-is-weak";
        yaml "comparison-without-effect";
        yaml "condition-ends-in-semicolon";
        yaml "condition-wait-without-loop";
        yaml "copy-limited-by-source";
        yaml "copy-used-as-condition";
        yaml "created-file-without-mode";
        yaml "effect-in-assertion";
        yaml "effect-in-sizeof";
        yaml "file-open-to-everybody";
        yaml "fixed-name-for-temporary-file";
        yaml "float-as-loop-counter";
        yaml "length-behind-offset";
        yaml "length-never-negative";
        yaml "link-text-without-terminator";
        yaml "loop-includes-array-size";
        yaml "loop-until-feof";
        yaml "mask-compared-first";
        yaml "memset-of-zero-bytes";
        yaml "negation-before-comparison";
        yaml "old-tls-version";
        yaml "overflow-check-on-pointer";
        yaml "parser-resolves-entities";
        yaml "predictable-secret";
        yaml "privilege-drop-unchecked";
        yaml "realloc-result-over-old-pointer";
        yaml "result-compared-with-the-wrong-value";
        yaml "secret-cleared-with-memset";
        yaml "secret-sent-in-clear";
        yaml "secret-written-out";
        yaml "shift-wider-than-type";
        yaml "sign-bit-compared-greater";
        yaml "size-of-a-size";
        yaml "size-of-element-added-to-pointer";
        yaml "stack-allocation-in-loop";
        yaml "string-comparison-against-one";
        yaml "text-compared-by-address";
        yaml "unbounded-text-input";
        yaml "verification-result-conflated";
        yaml "weak-cipher";
        yaml "weak-hash";
    }
    cpp {
        rust cast_to_wrong_class;
        rust copy_into_empty_container;
        yaml "array-deleted-as-object";
        yaml "container-changed-in-range-loop";
        yaml "destructor-throws";
        yaml "emptiness-test-as-statement";
        yaml "erased-iterator-used-again";
        yaml "exception-caught-by-value";
        yaml "exception-made-not-thrown";
        yaml "exception-thrown-as-pointer";
        yaml "handler-never-reached";
        yaml "lock-not-kept";
        yaml "move-of-returned-local";
        yaml "new-compared-with-null";
        yaml "old-tls-version";
        yaml "parser-resolves-entities";
        yaml "pointer-into-temporary";
        yaml "polymorphic-class-without-virtual-destructor";
        yaml "program-ended-with-open-stream";
        yaml "result-of-removal-ignored";
        yaml "search-result-as-condition";
        yaml "second-owner-of-this";
        yaml "text-from-null";
        yaml "throw-in-noexcept";
        yaml "tls-versions-left-open";
        yaml "virtual-call-while-constructing";
        yaml "wait-without-condition";
    }
    csharp {
        rust lock_on_changing_field;
        rust property_of_wrong_field;
        rust resource_not_disposed;
        yaml "archive-unpacked-unchecked";
        yaml "assertion-with-effect";
        yaml "async-void";
        yaml "begin-without-end";
        yaml "blocking-on-task";
        yaml "boolean-operator-without-short-circuit";
        yaml "boxed-reference-equality";
        yaml "capacity-from-character";
        yaml "catch-that-only-throws-on";
        yaml "certificate-by-its-name";
        yaml "certificate-check-off";
        yaml "cleartext-address";
        yaml "comparison-with-nan";
        yaml "cookie-without-protection";
        yaml "cross-origin-open";
        yaml "database-without-password";
        yaml "directory-bind-without-login";
        yaml "dispose-calls-itself";
        yaml "disposed-before-returned";
        yaml "division-before-fraction";
        yaml "empty-guid-made";
        yaml "exception-not-thrown";
        yaml "file-permission-for-everyone";
        yaml "generator-made-for-one-number";
        yaml "guessable-temporary-file";
        yaml "handle-without-its-owner";
        yaml "ignored-result";
        yaml "index-above-zero";
        yaml "js-invokable-not-public";
        yaml "jwt-not-verified";
        yaml "lambda-unsubscribed";
        yaml "lock-on-shared-object";
        yaml "negative-count-check";
        yaml "null-instead-of-task";
        yaml "null-instead-of-text";
        yaml "old-tls-version";
        yaml "operation-without-effect";
        yaml "operator-written-backwards";
        yaml "own-cryptography";
        yaml "password-in-connection-text";
        yaml "post-increment-lost";
        yaml "power-with-exclusive-or";
        yaml "read-not-counted";
        yaml "request-size-unlimited";
        yaml "request-validation-off";
        yaml "route-with-backslash";
        yaml "setter-ignores-value";
        yaml "short-key";
        yaml "sql-words-run-together";
        yaml "thread-halted-by-force";
        yaml "thread-static-misused";
        yaml "throw-loses-stack";
        yaml "throw-where-none-is-expected";
        yaml "type-of-a-type";
        yaml "unsafe-deserialiser";
        yaml "wait-holding-two-locks";
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
        rust integer_to_string;
        rust key_without_value;
        rust lock_copied;
        rust lock_not_released;
        rust resource_not_closed;
        rust self_assignment;
        rust test_fails_in_other_goroutine;
        rust write_to_copy;
        yaml "address-compared-with-nil";
        yaml "address-without-brackets";
        yaml "append-result-lost";
        yaml "append-to-filled-slice";
        yaml "bind-to-all-interfaces";
        yaml "break-leaves-only-select";
        yaml "busy-select";
        yaml "case-folded-to-compare";
        yaml "certificate-check-off";
        yaml "command-with-its-arguments";
        yaml "constant-without-its-type";
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
        yaml "error-compared-deeply";
        yaml "error-compared-with-equals";
        yaml "errors-as-without-pointer";
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
        yaml "power-with-exclusive-or";
        yaml "prefix-trimmed-as-letters";
        yaml "profiler-in-production";
        yaml "query-of-a-copy";
        yaml "random-below-one";
        yaml "random-seed-from-constant";
        yaml "recover-without-effect";
        yaml "redirect-check-by-first-slash";
        yaml "replace-of-nothing";
        yaml "rounding-of-an-integer-division";
        yaml "rows-without-error-check";
        yaml "runes-ranged-for-nothing";
        yaml "scheme-check-incomplete";
        yaml "second-lock-deferred";
        yaml "seek-arguments-swapped";
        yaml "self-atomic-assignment";
        yaml "server-without-timeout";
        yaml "shell-command-built";
        yaml "short-rsa-key";
        yaml "signal-channel-without-room";
        yaml "signal-that-cannot-be-caught";
        yaml "sleep-without-unit";
        yaml "sorted-by-conversion";
        yaml "span-never-ended";
        yaml "test-never-run";
        yaml "ticker-never-stopped";
        yaml "type-assertion-unchecked";
        yaml "wait-group-add-inside";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "weak-random-secret";
    }
    hcl {
        yaml "certificate-check-off";
        yaml "deletion-without-backup";
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
        rust cast_to_another_type;
        rust equals_without_hash_code;
        rust exception_not_required;
        rust fixed_nonce;
        rust format_mismatch;
        rust guarded_field_unlocked;
        rust ignored_result;
        rust incompatible_equals;
        rust incompatible_lookup;
        rust integer_division_as_fraction;
        rust interrupt_swallowed;
        rust invalid_time_value;
        rust lock_on_changing_field;
        rust lock_on_value;
        rust lock_without_finally;
        rust loop_counter_not_advanced;
        rust nano_without_seconds;
        rust narrowing_compound_assignment;
        rust optional_compared_with_null;
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
        yaml "accessible-by-force";
        yaml "any-class-from-json";
        yaml "array-as-key";
        yaml "array-cast-of-to-array";
        yaml "assertion-failure-caught";
        yaml "assertion-of-constant";
        yaml "assertion-without-check";
        yaml "assignment-as-condition";
        yaml "bits-of-signed-byte";
        yaml "boolean-operator-without-short-circuit";
        yaml "boxed-and-unboxed";
        yaml "boxed-constructor";
        yaml "broadcast-to-everybody";
        yaml "bytes-read-not-counted";
        yaml "capacity-from-character";
        yaml "case-conversion-by-default-locale";
        yaml "catch-everything-empty";
        yaml "cbc-without-authentication";
        yaml "changeable-public-static-field";
        yaml "class-compared-by-name";
        yaml "class-of-class";
        yaml "collector-called";
        yaml "command-found-by-search-path";
        yaml "compare-to-exact-value";
        yaml "comparison-gives-smallest-number";
        yaml "constant-seed";
        yaml "continue-at-end-of-loop";
        yaml "cookie-protection-off";
        yaml "copy-changed-and-dropped";
        yaml "csrf-protection-off";
        yaml "database-without-password";
        yaml "date-format-of-other-hour";
        yaml "date-with-full-year";
        yaml "debugging-in-production";
        yaml "default-character-set";
        yaml "deletion-not-checked";
        yaml "directory-bind-without-login";
        yaml "double-brace-initialisation";
        yaml "effect-in-assertion";
        yaml "equality-by-hash-code";
        yaml "equals-calls-itself";
        yaml "equals-without-type-check";
        yaml "exception-logged-without-trace";
        yaml "exception-not-thrown";
        yaml "exit-outside-main";
        yaml "expected-exception-not-enforced";
        yaml "file-on-shared-storage";
        yaml "finalizer-called";
        yaml "finalizer-declared";
        yaml "generator-made-for-one-number";
        yaml "guessable-temporary-file";
        yaml "has-next-takes-element";
        yaml "hostname-not-verified";
        yaml "identity-map-of-values";
        yaml "increment-lost";
        yaml "index-above-zero";
        yaml "index-zero-in-jdbc";
        yaml "interrupt-cleared-in-handler";
        yaml "iterator-ends-silently";
        yaml "jwt-without-signature";
        yaml "label-inside-switch";
        yaml "line-read-and-dropped";
        yaml "lock-on-own-class-object";
        yaml "long-number-ends-like-one";
        yaml "mapping-of-every-method";
        yaml "message-checked-for-null";
        yaml "method-named-like-its-class";
        yaml "misspelt-object-method";
        yaml "mocked-call-verified";
        yaml "negative-character";
        yaml "negative-size-check";
        yaml "nested-tests-not-run";
        yaml "null-cipher";
        yaml "null-for-boolean";
        yaml "null-for-primitive";
        yaml "null-instead-of-text";
        yaml "null-kept-in-condition";
        yaml "null-pointer-caught";
        yaml "null-thrown";
        yaml "null-where-refused";
        yaml "nullable-optional";
        yaml "object-stream-appended";
        yaml "octal-number";
        yaml "odd-test-by-one";
        yaml "old-tls-version";
        yaml "one-waiter-woken";
        yaml "open-file-permission";
        yaml "operation-without-effect";
        yaml "operator-written-backwards";
        yaml "optional-null";
        yaml "order-by-subtraction";
        yaml "origin-of-anybody";
        yaml "password-kept-readable";
        yaml "placeholder-not-filled";
        yaml "pool-that-starts-empty";
        yaml "power-with-exclusive-or";
        yaml "proxy-annotation-on-private-method";
        yaml "public-constant-array";
        yaml "random-fraction-cast-to-zero";
        yaml "reading-text-of-a-stream";
        yaml "referer-trusted";
        yaml "remainder-of-random-number";
        yaml "removal-by-counted-index";
        yaml "result-of-skip-ignored";
        yaml "return-in-finally";
        yaml "secret-in-text";
        yaml "security-header-off";
        yaml "semicolon-ends-condition";
        yaml "serial-version-ignored";
        yaml "serialisation-hook-not-called";
        yaml "serialisation-hook-of-record";
        yaml "server-software-disclosed";
        yaml "session-named-by-client";
        yaml "short-key";
        yaml "singleton-made-twice";
        yaml "sleep-holding-lock";
        yaml "split-by-metacharacter";
        yaml "stack-trace-printed";
        yaml "static-date-format";
        yaml "static-member-through-object";
        yaml "suppression-misspelt";
        yaml "test-method-private";
        yaml "this-compared-with-null";
        yaml "thread-as-work";
        yaml "thread-never-started";
        yaml "trust-all-certificates";
        yaml "unclosed-placeholder";
        yaml "upload-size-large";
        yaml "upload-size-unlimited";
        yaml "url-as-key";
        yaml "value-asked-where-missing";
        yaml "volatile-array";
        yaml "wait-on-condition";
        yaml "weak-cipher";
        yaml "weak-hash";
        yaml "web-view-opened";
        yaml "week-year";
        yaml "xml-decoder";
    }
    javascript {
        rust assertion_of_itself;
        rust assigned_and_never_read;
        rust await_of_plain_value;
        rust call_over_line_break;
        rust callback_without_value;
        rust case_falls_through;
        rust condition_always_true;
        rust constant_condition;
        rust constant_reassigned;
        rust deprecated_name_used;
        rust duplicate_class_member;
        rust expression_without_effect;
        rust for_in_over_array;
        rust getter_without_value;
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
        rust value_never_set;
        rust value_returned_to_for_each;
        yaml "assignment-as-condition";
        yaml "async-callback-for-each";
        yaml "async-effect";
        yaml "async-filter-callback";
        yaml "async-promise-executor";
        yaml "builtin-called-wrongly";
        yaml "builtin-overwritten";
        yaml "catch-parameter-overwritten";
        yaml "catch-that-only-throws";
        yaml "comparison-with-nan";
        yaml "comparison-with-new-object";
        yaml "comparison-without-effect";
        yaml "constant-operand";
        yaml "cookie-unprotected";
        yaml "cross-origin-open";
        yaml "debugger-left-in";
        yaml "delete-of-array-element";
        yaml "dynamic-string-replace-once";
        yaml "empty-pattern";
        yaml "endless-loop-condition";
        yaml "error-without-message";
        yaml "eval-of-text";
        yaml "eval-of-value";
        yaml "exit-in-finally";
        yaml "hard-coded-signing-secret";
        yaml "html-and-children";
        yaml "in-on-array";
        yaml "incomplete-quote-escaping";
        yaml "index-of-as-truth";
        yaml "inner-html-of-value";
        yaml "joined-cases";
        yaml "jwt-not-verified";
        yaml "length-never-negative";
        yaml "limits-swapped";
        yaml "message-to-any-origin";
        yaml "native-prototype-extended";
        yaml "negation-before-in";
        yaml "new-tab-opener";
        yaml "numbers-sorted-as-text";
        yaml "only-this-test-runs";
        yaml "optional-chain-not-guarding";
        yaml "own-property-method-called";
        yaml "parse-int-in-map";
        yaml "predictable-secret";
        yaml "promise-executor-returns";
        yaml "property-named-then";
        yaml "react-html-of-value";
        yaml "rejected-with-no-error";
        yaml "reversed-operator";
        yaml "setter-returns-value";
        yaml "shadowed-built-in-value";
        yaml "short-key";
        yaml "state-changed-in-place";
        yaml "state-from-old-state";
        yaml "static-files-of-project";
        yaml "string-as-length";
        yaml "string-result-ignored";
        yaml "template-in-plain-string";
        yaml "tls-check-off";
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
        yaml "equals-without-type-check";
        yaml "exception-not-thrown";
        yaml "file-on-shared-storage";
        yaml "global-scope";
        yaml "ignored-result";
        yaml "map-get-asserted";
        yaml "old-tls-version";
        yaml "operator-written-backwards";
        yaml "origin-of-anybody";
        yaml "password-kept-readable";
        yaml "pool-without-threads";
        yaml "predictable-random";
        yaml "preferences-open-to-others";
        yaml "run-blocking-in-coroutine";
        yaml "shell-command-built";
        yaml "short-key";
        yaml "sleep-in-coroutine";
        yaml "stack-trace-printed";
        yaml "trust-all-certificates";
        yaml "unreachable-code";
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
        rust query_built_from_values;
        rust return_of_wrong_kind;
        rust unusable_kind;
        rust variable_never_set;
        yaml "abstract-method-in-concrete-class";
        yaml "assignment-of-constant-in-condition";
        yaml "broken-cipher";
        yaml "certificate-check-off";
        yaml "closure-takes-what-it-must-not";
        yaml "code-from-text";
        yaml "connection-in-clear";
        yaml "cookie-unprotected";
        yaml "cross-origin-open";
        yaml "debug-page";
        yaml "exception-made-not-thrown";
        yaml "file-open-to-everybody";
        yaml "fixed-initialisation-vector";
        yaml "fixed-salt";
        yaml "forgery-protection-off";
        yaml "hash-compared-loosely";
        yaml "ldap-without-password";
        yaml "numeric-base-of-hash";
        yaml "old-tls-version";
        yaml "operator-written-backwards";
        yaml "padding-of-rsa-weak";
        yaml "password-hashed-fast";
        yaml "password-in-call";
        yaml "permissions-in-decimal";
        yaml "position-used-as-truth";
        yaml "predictable-secret";
        yaml "redirect-without-exit";
        yaml "request-echoed";
        yaml "result-of-pure-call-ignored";
        yaml "result-of-unchanging-object-ignored";
        yaml "return-in-finally";
        yaml "session-identifier-from-value";
        yaml "session-kept-after-login";
        yaml "shell-command-from-value";
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
        rust definition_overwritten;
        rust exception_of_wrong_type;
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
        rust name_twice_in_list;
        rust operands_do_not_fit;
        rust replacement_group_missing;
        rust request_without_timeout;
        rust result_of_void_function;
        rust special_method_result;
        rust special_method_signature;
        rust sql_text_with_value;
        rust unknown_escape;
        rust unpacking_count_mismatch;
        rust unreachable_handler;
        yaml "annotation-contradicted";
        yaml "annotation-instead-of-assignment";
        yaml "archive-extracted-unchecked";
        yaml "assert-behind-the-error";
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
        yaml "django-unsafe-setting";
        yaml "double-sign";
        yaml "else-on-loop-without-break";
        yaml "empty-database-password";
        yaml "environment-copied-shallow";
        yaml "environment-default-no-text";
        yaml "error-text-not-formatted";
        yaml "eval-of-value";
        yaml "except-with-or";
        yaml "exception-made-not-raised";
        yaml "exception-swallowed";
        yaml "exit-in-finally";
        yaml "expression-without-effect";
        yaml "file-mode-in-decimal";
        yaml "file-not-closed";
        yaml "file-writable-by-all";
        yaml "fixed-salt";
        yaml "flags-as-count";
        yaml "formatted-docstring";
        yaml "handler-that-only-raises";
        yaml "is-with-literal";
        yaml "jwt-not-verified";
        yaml "length-never-negative";
        yaml "locals-changed";
        yaml "lock-made-where-used";
        yaml "logging-with-braces";
        yaml "loop-variable-is-its-list";
        yaml "mutable-default-argument";
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
        yaml "shared-lists-by-repetition";
        yaml "shared-temporary-path";
        yaml "shell-command-from-variable";
        yaml "short-key";
        yaml "sleep-for-a-day";
        yaml "snmp-without-encryption";
        yaml "socket-open-to-all";
        yaml "ssh-host-key-unchecked";
        yaml "static-method-with-self";
        yaml "strip-of-word";
        yaml "super-of-own-type";
        yaml "suppress-of-nothing";
        yaml "task-not-kept";
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
        yaml "accumulator-dropped";
        yaml "accumulator-that-cannot-change";
        yaml "all-parameters-permitted";
        yaml "arithmetic-without-effect";
        yaml "assignment-of-constant-in-condition";
        yaml "attribute-from-request-by-name";
        yaml "block-with-too-few-parameters";
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
        yaml "exception-base-class-raised";
        yaml "exception-class-from-exception";
        yaml "file-tested-before-use";
        yaml "float-compared-for-equality";
        yaml "float-out-of-range";
        yaml "forgery-protection-off";
        yaml "index-never-used";
        yaml "interpolation-in-plain-string";
        yaml "key-from-object-identity";
        yaml "loop-that-runs-once-or-never";
        yaml "method-that-only-calls-super";
        yaml "method-that-was-removed";
        yaml "narrow-rescue-after-wide";
        yaml "passphrase-in-code";
        yaml "password-hashed-fast";
        yaml "pattern-never-reached";
        yaml "private-before-class-method";
        yaml "protection-off-in-settings";
        yaml "query-with-values";
        yaml "quote-escaped-but-not-backslash";
        yaml "quotes-in-word-list";
        yaml "random-of-one";
        yaml "regex-as-condition";
        yaml "removed-constant";
        yaml "replaces-only-the-first";
        yaml "rescue-of-everything";
        yaml "rescue-of-no-class";
        yaml "result-of-initialize-or-setter";
        yaml "return-in-ensure";
        yaml "secret-logged";
        yaml "sensitive-attribute-assignable";
        yaml "shell-command-with-values";
        yaml "strings-joined-in-list";
        yaml "time-limit-off";
        yaml "token-without-signature";
        yaml "useless-rescue";
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
        yaml "table-dropped";
        yaml "update-without-where";
    }
    typescript {
        rust async_method_for_void;
        rust duplicate_enum_value;
        rust mixed_enum;
        yaml "doubled-non-null";
        yaml "method-named-like-constructor";
        yaml "non-null-after-optional-chain";
        yaml "non-null-with-default";
        yaml "union-with-any";
        yaml "wrapper-object-made";
        yaml "wrapper-object-type";
    }
    yaml {
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

/// Where a rule comes from.
#[derive(Clone, Copy)]
enum Source {
    Rust(&'static str, &'static Rule),
    Data(&'static str, &'static str, &'static str),
}

impl Source {
    fn id(&self) -> &'static str {
        match self {
            Self::Rust(_, rule) => rule.id,
            Self::Data(_, id, _) => id,
        }
    }
}

fn documents(files: &[RuleFile]) -> Result<Vec<Document>, Vec<Problem>> {
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match file.placed() {
            Ok(rules) => documents.extend(rules.into_iter().map(|placed| placed.document)),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(documents) } else { Err(problems) }
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// What it looks at.
    pub kind: Kind,
    /// Marked examples on which it fires.
    pub fires: Vec<String>,
    /// Examples on which it keeps quiet.
    pub quiet: Vec<String>,
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The syntax of what was added.
    Pattern,
    /// How something was changed.
    Change,
    /// The lines.
    Text,
    /// All files of the diff together.
    Diff,
}

impl Kind {
    /// `pattern`, `change`, `text` or `diff`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Change => "change",
            Self::Text => "text",
            Self::Diff => "diff",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
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
                Check::Node { .. } => Kind::Pattern,
                Check::Change { .. } => Kind::Change,
                Check::Text { .. } => Kind::Text,
                Check::Diff { .. } => Kind::Diff,
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
            kind: Kind::Pattern,
            fires: document.fires.clone(),
            quiet: document.quiet.clone(),
        }
    }
}

/// Compiled rules. What a language needs is compiled when it is first met.
pub struct RuleSet {
    sources: Vec<Source>,
    /// The user's own.
    own: Vec<Arc<Document>>,
    by_grammar: Vec<OnceLock<Compiled>>,
    without_grammar: OnceLock<Compiled>,
    infos: OnceLock<Vec<RuleInfo>>,
    problems: std::sync::Mutex<Vec<String>>,
    /// Whether rules look only at texts and nodes that have their words.
    #[cfg(test)]
    by_words: bool,
}

/// The rules for one language.
#[derive(Default)]
pub(crate) struct Compiled {
    pub(crate) by_kind: Vec<Vec<Looks>>,
    pub(crate) data: Vec<(Arc<Document>, Pattern)>,
    /// Which of them can match a text at all.
    words: OnceLock<Words>,
    pub(crate) change: Vec<&'static Rule>,
    pub(crate) text: Vec<&'static Rule>,
    pub(crate) diff: Vec<&'static Rule>,
}

/// A rule that looks at nodes.
#[derive(Clone, Copy)]
pub(crate) enum Looks {
    Rust(&'static Rule),
    /// Index in [`Compiled::data`].
    Data(usize),
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet").field("own", &self.own.len()).finish_non_exhaustive()
    }
}

impl RuleSet {
    fn new(sources: Vec<Source>, own: Vec<Arc<Document>>) -> Self {
        Self {
            sources,
            own,
            by_grammar: ROWS.iter().map(|_| OnceLock::new()).collect(),
            without_grammar: OnceLock::new(),
            infos: OnceLock::new(),
            problems: std::sync::Mutex::default(),
            #[cfg(test)]
            by_words: true,
        }
    }

    /// The rules that come with the program.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::new(SOURCES.to_vec(), Vec::new()));
        &BUILTIN
    }

    /// The rules of these files alone.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn from_files(files: &[RuleFile]) -> Result<Self, Vec<Problem>> {
        Ok(Self::of(documents(files)?))
    }

    /// The built-in rules and those of these files. One of the same ID takes the place of the built-in one.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn builtin_and(files: &[RuleFile]) -> Result<Self, Vec<Problem>> {
        let own = Self::of(documents(files)?).own;
        let stays = |source: &&Source| !own.iter().any(|document| document.id == source.id());
        let sources = SOURCES.iter().filter(stays).copied().collect();
        Ok(Self::new(sources, own))
    }

    pub(crate) fn of(documents: Vec<Document>) -> Self {
        Self::new(Vec::new(), documents.into_iter().map(Arc::new).collect())
    }

    /// What one built-in rule is, without reading the others.
    #[must_use]
    pub fn builtin_info(id: &str) -> Option<RuleInfo> {
        match SOURCES.iter().find(|source| source.id() == id)? {
            Source::Rust(_, rule) => Some(RuleInfo::from(*rule)),
            Source::Data(_, _, text) => Document::parse(text).ok().as_ref().map(RuleInfo::from),
        }
    }

    /// The IDs of the built-in rules, without reading any of them.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        SOURCES.iter().map(|source| source.id())
    }

    /// The rules that look at the whole diff. Which of them may report on a file is among that file's facts.
    pub(crate) fn of_diffs() -> impl Iterator<Item = &'static Rule> {
        let rules = SOURCES.iter().filter_map(|source| match source {
            Source::Rust(_, rule) => Some(*rule),
            Source::Data(..) => None,
        });
        rules.filter(|rule| matches!(rule.check, Check::Diff { .. }))
    }

    /// What all rules are, sorted by ID.
    pub fn rules(&self) -> &[RuleInfo] {
        self.infos.get_or_init(|| {
            let mut infos: Vec<RuleInfo> = self.own.iter().map(|document| RuleInfo::from(&**document)).collect();
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
                Source::Data(_, id, text) => {
                    self.add_data(&mut compiled, grammar, self.document(id, text).map(Arc::new));
                }
            }
        }
        for document in &self.own {
            self.add_data(&mut compiled, grammar, Some(Arc::clone(document)));
        }
        compiled
    }

    fn add_data(&self, compiled: &mut Compiled, grammar: Grammar, document: Option<Arc<Document>>) {
        let Some(document) = document.filter(|document| document.languages.iter().any(|name| name == grammar.name()))
        else {
            return;
        };
        let pattern = document.compile(grammar);
        #[cfg(test)]
        let pattern = pattern.map(|pattern| if self.by_words { pattern } else { pattern.without_words() });
        match pattern {
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
    /// Where a text has the words that the rules in [`Compiled::data`] need.
    pub(crate) fn present(&self, text: &str) -> Present<'_> {
        let needs = self.data.iter().map(|(_, pattern)| &pattern.needs);
        self.words.get_or_init(|| Words::new(needs)).find(text)
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
            Check::Diff { .. } => {
                self.diff.push(rule);
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
    fn looking_for_words_first_changes_no_finding() {
        let set = RuleSet::builtin();
        let all = RuleSet { by_words: false, ..RuleSet::new(SOURCES.to_vec(), Vec::new()) };
        let mut examples = 0;
        for info in set.rules() {
            for text in info.fires.iter().chain(&info.quiet) {
                for file in testing::files(info, text) {
                    examples += 1;
                    let limits = crate::Limits::default();
                    let (with, without) = (crate::scan(&file, set, &limits), crate::scan(&file, &all, &limits));
                    assert_eq!(with, without, "an example of {}:\n{text}", info.id);
                }
            }
        }
        assert!(examples > 1_000, "{examples}");
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
