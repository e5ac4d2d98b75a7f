//! Promises made by the names of functions: that something is checked, released, locked or sanitized.
//!
//! A name is split into its words (`closeQuietly`, `close_quietly` → `close`, `quietly`). Single words decide.

/// The words of a name, in lower case.
pub fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous_is_small = false;
    let mut open = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open || (c.is_uppercase() && previous_is_small) {
            words.push(String::new());
            open = true;
        }
        previous_is_small = c.is_lowercase() || c.is_ascii_digit();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// Whether one of the words of a name is in a list.
pub fn has_word(name: &str, list: &[&str]) -> bool {
    words_of(name)
        .iter()
        .any(|word| list.contains(&word.as_str()))
}

/// The letters and digits of a name, in lower case: `apikey` for `API_KEY`.
pub fn squeezed(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Whether it only reports something: logging, printing, tracing, counting, a deprecation notice.
pub fn only_tells(name: &str) -> bool {
    const TELLS: &[&str] = &[
        "log", "logger", "logging", "debug", "debugf", "trace", "tracef", "info", "infof", "warn",
        "warnf", "warning", "print", "println", "printf", "fprintf", "console", "puts", "echo",
        "dump", "verbose", "metric", "metrics", "telemetry", "stats", "deprecate", "deprecated",
        "deprecation", "dprintf", "printk", "errorf", "logf", "perror", "pp", "sleep", "comment",
        "tracing", "span", "assert", "expect", "fprintln", "eprintln", "todo", "slog", "klog",
        "glog", "dbg",
    ];
    has_word(name, TELLS)
}

/// Whether it checks something and fails if the check fails.
pub fn checks(name: &str) -> bool {
    const CHECKS: &[&str] = &[
        "check", "validate", "verify", "ensure", "require", "requires", "authorize", "authorise",
        "authenticate", "permit", "permission", "permissions", "precondition", "preconditions",
        "guard", "enforce", "restrict", "forbid", "reject", "checks", "validator", "validation",
        "verifies", "csrf", "acl",
    ];
    has_word(name, CHECKS)
}

/// Whether it sanitizes or normalizes a value.
pub fn makes_safe(name: &str) -> bool {
    const SAFE: &[&str] = &[
        "escape", "escaped", "encode", "sanitize", "sanitise", "sanitizer", "quote", "quoted",
        "clean", "purify", "htmlspecialchars", "htmlentities", "shellescape", "escapeshellarg",
        "normalize", "normalise", "canonicalize", "canonical", "realpath", "basename",
        "addslashes", "urlencode", "encodeuricomponent", "h", "esc", "intval", "mask", "redact",
        "clamp", "safe", "strip", "secure",
    ];
    has_word(name, SAFE)
}

/// Whether it releases something: memory, a handle, a reference, a registration.
pub fn releases(name: &str) -> bool {
    const RELEASES: &[&str] = &[
        "close", "free", "release", "dispose", "destroy", "unref", "unregister", "unsubscribe",
        "shutdown", "disconnect", "cleanup", "detach", "unmap", "munmap", "fclose", "closedir",
        "deinit", "uninit", "finalize", "teardown", "kfree", "vfree", "put", "decref", "xdecref",
        "recycle", "terminate", "rollback", "delete", "dealloc", "unload", "unbind", "abort",
    ];
    has_word(name, RELEASES)
}

/// Whether it acquires or releases a lock.
pub fn locks(name: &str) -> bool {
    const LOCKS: &[&str] = &[
        "lock", "unlock", "rlock", "runlock", "trylock", "mutex", "synchronize", "synchronized",
        "semaphore",
    ];
    has_word(name, LOCKS)
}

/// Whether Ruby's nil has this method too, by itself or because tests and Rails add it to every object.
pub fn nil_answers(method: &str) -> bool {
    const ANSWERS: &[&str] = &[
        "nil?", "to_s", "to_a", "to_i", "to_f", "to_h", "to_json", "to_param", "to_query", "eql?",
        "equal?", "instance_variable_get", "instance_variable_set", "blank?", "present?",
        "presence", "inspect", "is_a?", "kind_of?", "instance_of?", "respond_to?", "try", "dup",
        "then", "tap", "class", "itself", "freeze", "frozen?", "hash", "object_id", "in?", "send",
        "public_send", "should", "must_be_nil",
    ];
    ANSWERS.contains(&method)
}

/// Whether one letter was lost, added or exchanged, or two changed places. A change of case or of a number does not
/// count.
pub fn is_near(old: &str, new: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    if a.len() < 4 || a.len().abs_diff(b.len()) > 1 || old.to_lowercase() == new.to_lowercase() {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()) - head;
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(rest)
        .take_while(|(x, y)| x == y)
        .count();
    let letters = |part: &[char]| {
        part.get(head..part.len() - tail)
            .is_some_and(|middle| middle.iter().all(|c| c.is_alphabetic()))
    };
    a.len().max(b.len()) - head - tail <= 1 && letters(&a) && letters(&b) || is_transposed(old, new)
}

/// Whether two neighbouring letters of one name are swapped in the other.
pub fn is_transposed(old: &str, new: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let Some(first) = a
        .iter()
        .zip(&b)
        .position(|(x, y)| x != y)
        .filter(|_| a.len() == b.len() && a.len() >= 4)
    else {
        return false;
    };
    let pair = |of: &[char]| [of.get(first).copied(), of.get(first + 1).copied()];
    let ([x, y], [second, third]) = (pair(&a), pair(&b));
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let is_rest_same = a.get(first + 2..) == b.get(first + 2..);
    is_letter(x) && is_letter(y) && x == third && y == second && is_rest_same
}

#[cfg(test)]
mod tests {
    use super::{checks, is_near, locks, nil_answers, only_tells, releases, words_of};

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(words_of("closeQuietly"), ["close", "quietly"]);
        assert_eq!(words_of("av_freep"), ["av", "freep"]);
        assert_eq!(words_of("HTTPServer2go"), ["httpserver2go"]);
        assert!(words_of("_").is_empty());
    }

    #[test]
    fn single_words_decide() {
        assert!(checks("checkArgument") && checks("verify_token") && !checks("checkoutBranch"));
        assert!(releases("fclose") && releases("sock.close") && !releases("closest"));
        assert!(locks("mu.Lock") && !locks("block"));
        assert!(only_tells("log.Printf") && !only_tells("login"));
    }

    #[test]
    fn nil_has_its_own_methods() {
        assert!(
            nil_answers("to_s")
                && nil_answers("nil?")
                && !nil_answers("name")
                && !nil_answers("empty?")
        );
    }

    #[test]
    fn a_typing_error_is_one_letter_and_not_a_number_or_case() {
        assert!(
            is_near("options", "option")
                && is_near("height", "hieght")
                && is_near("db_item", "db_itme")
        );
        assert!(!is_near("item1", "item2") && !is_near("Order", "order") && !is_near("abc", "abd"));
        assert!(!is_near("left_right", "right_left") && !is_near("item12", "item21"));
    }
}
