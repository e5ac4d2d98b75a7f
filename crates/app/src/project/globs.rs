//! Path patterns with the semantics of `.gitignore`.

use globset::{GlobBuilder, GlobMatcher};

/// Maximum length of a pattern, in characters.
const LONGEST: usize = 500;

/// Patterns in the order of the file. The last matching one counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Globs(Vec<Glob>);

#[derive(Debug, Clone)]
struct Glob {
    /// Matches the path itself, unless the pattern is only for folders.
    path: Option<GlobMatcher>,
    /// Matches everything in a folder of that path.
    within: GlobMatcher,
    /// Whether it negates earlier patterns.
    back: bool,
}

impl Globs {
    /// Adds a pattern.
    ///
    /// # Errors
    /// The pattern is invalid.
    pub(super) fn add(&mut self, pattern: &str) -> Result<(), String> {
        let (back, text) = pattern
            .strip_prefix('!')
            .map_or((false, pattern), |rest| (true, rest));
        let text = text
            .strip_prefix('.')
            .filter(|rest| rest.starts_with('/'))
            .unwrap_or(text);
        let body = text.trim_end_matches('/').trim_start_matches('/');
        if body.is_empty() || body.len() > LONGEST {
            return Err(format!(
                "expected a pattern of 1 to {LONGEST} characters, such as vendor/ or **/*.pb.go"
            ));
        }
        if body.split('/').any(|part| part == "..") {
            return Err(
                "paths start at the top of the repository: `..` leads out of it".to_owned(),
            );
        }
        // As in git, a pattern with a slash starts at the top, and one without a slash matches at any depth.
        let starts_at_top = text.trim_end_matches('/').contains('/');
        let full = if starts_at_top {
            body.to_owned()
        } else {
            format!("**/{body}")
        };
        let path = if text.ends_with('/') {
            None
        } else {
            Some(compile(&full)?)
        };
        self.0.push(Glob {
            path,
            within: compile(&format!("{full}/**"))?,
            back,
        });
        Ok(())
    }

    /// Whether the patterns match a path.
    pub(crate) fn contain(&self, path: &str) -> bool {
        let matches = |glob: &&Glob| {
            glob.within.is_match(path) || glob.path.as_ref().is_some_and(|own| own.is_match(path))
        };
        self.0
            .iter()
            .rev()
            .find(matches)
            .is_some_and(|glob| !glob.back)
    }
}

fn compile(pattern: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(pattern)
        .literal_separator(true)
        .backslash_escape(true)
        .build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| error.kind().to_string())
}

#[cfg(test)]
mod tests {
    use super::Globs;

    fn matching<'p>(patterns: &[&str], paths: &[&'p str]) -> Vec<&'p str> {
        let mut globs = Globs::default();
        patterns
            .iter()
            .for_each(|pattern| globs.add(pattern).unwrap());
        paths
            .iter()
            .copied()
            .filter(|path| globs.contain(path))
            .collect()
    }

    #[test]
    fn patterns_have_the_semantics_of_gitignore() {
        let paths = [
            "a.py", "src/a.py", "src/deep/a.py", "vendor/x/a.go", "lib/vendor/b.go", "vendor",
        ];
        for (pattern, expected) in [
            ("a.py", &["a.py", "src/a.py", "src/deep/a.py"][..]),
            ("/a.py", &["a.py"]),
            ("./a.py", &["a.py"]),
            ("src/*.py", &["src/a.py"]),
            ("src/**/*.py", &["src/a.py", "src/deep/a.py"]),
            ("src", &["src/a.py", "src/deep/a.py"]),
            ("src/**", &["src/a.py", "src/deep/a.py"]),
            ("vendor/", &["vendor/x/a.go", "lib/vendor/b.go"]),
            ("/vendor/", &["vendor/x/a.go"]),
            ("vendor", &["vendor/x/a.go", "lib/vendor/b.go", "vendor"]),
            ("*.{go,rs}", &["vendor/x/a.go", "lib/vendor/b.go"]),
            ("A.py", &[]),
        ] {
            assert_eq!(matching(&[pattern], &paths), expected, "{pattern}");
        }
    }

    #[test]
    fn the_last_matching_pattern_counts() {
        let paths = ["src/a.py", "src/keep/b.py"];
        assert_eq!(matching(&["src/", "!src/keep/"], &paths), ["src/a.py"]);
        assert_eq!(matching(&["!src/keep/", "src/"], &paths), paths);
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for pattern in [
            "",
            "/",
            "!",
            "a[",
            "a{b",
            "../x",
            "a/../../b",
            &"x".repeat(501),
        ] {
            assert!(Globs::default().add(pattern).is_err(), "{pattern}");
        }
    }
}
