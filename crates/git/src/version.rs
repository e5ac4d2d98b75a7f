//! The required version of git.

use super::error::GitError;

/// The oldest version that works.
const OLDEST: &str = "2.17";
/// The oldest version that can disable a filter with an equals sign in its name.
const OLDEST_FOR_EQUALS_SIGN: &str = "2.31";

/// The error for a git that does not support an option of ours. `printed` is the output of `git version`.
pub(super) fn unknown_option(printed: &str, reason: String) -> GitError {
    let found = printed
        .strip_prefix("git version ")
        .and_then(|rest| rest.split(' ').next());
    let needed = if reason.contains("config-env") {
        OLDEST_FOR_EQUALS_SIGN
    } else {
        OLDEST
    };
    match found {
        Some(found) if is_before(found, needed) => GitError::TooOld {
            found: found.to_owned(),
            needed,
            reason,
        },
        _ => GitError::Failed(reason),
    }
}

fn is_before(found: &str, needed: &str) -> bool {
    let numbers = |version: &str| -> Vec<u32> {
        version
            .split('.')
            .map_while(|part| part.parse().ok())
            .take(2)
            .collect()
    };
    numbers(found) < numbers(needed)
}

#[cfg(test)]
mod tests {
    use super::is_before;

    #[test]
    fn versions_are_compared_as_numbers() {
        for (found, expected) in [
            ("2.9.5", true),
            ("2.16.6", true),
            ("1.8.3.1", true),
            ("2.17.0", false),
            ("2.47.3", false),
        ] {
            assert_eq!(is_before(found, "2.17"), expected, "{found}");
        }
        assert!(!is_before("2.39.5.windows.1", "2.31") && is_before("2.30.GIT", "2.31"));
    }
}
