//! What a file of a diff is: its language, and whether people wrote it.
//!
//! Nobody reads a finding in a lock file, a bundle or somebody else's library, so such files are left out, and the
//! caller is told.

use crate::diff::{FileDiff, LineKind};
use crate::language::Language;
use crate::warning::{Warning, WarningCode};

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The language to read it as; `None` where neither path, first line, request nor content tells.
    pub language: Option<Language>,
    /// Whether and why it is left out.
    pub kind: Kind,
    /// It is a test, or belongs to tests.
    pub is_test: bool,
}

/// Whether people wrote a file, and whether it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Written by people: reviewed.
    Source,
    /// No lines.
    Binary,
    /// Written by a tool.
    Generated,
    /// Pinned versions, written by a package manager.
    Lock,
    /// Squeezed for shipping.
    Minified,
    /// Somebody else's.
    Vendored,
}

const LOCK_FILES: &[&str] = &[
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "gemfile.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.resolved",
    "packages.lock.json",
    "pdm.lock",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "podfile.lock",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
    ".terraform.lock.hcl",
];

const GENERATED_SUFFIXES: &[&str] = &[
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    ".pb.rs",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
    "_grpc.pb.go",
    ".g.cs",
    ".g.dart",
    ".designer.cs",
    ".generated.cs",
    ".generated.ts",
    ".generated.go",
    "_generated.go",
    "_gen.go",
    ".gen.go",
    "_string.go",
    ".snap",
    ".map",
];

const VENDORED_FOLDERS: &[&str] = &[
    "node_modules",
    "bower_components",
    "vendor",
    "third_party",
    "third-party",
    "3rdparty",
    "site-packages",
    ".yarn",
    "jspm_packages",
];

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "__tests__",
    "__mocks__",
    "testdata",
    "test-data",
    "fixtures",
    "fixture",
    "testsuite",
    "e2e",
    "mocks",
    "benches",
    "benchmark",
    "benchmarks",
    "examples",
    "example",
    "samples",
    "sample",
    "demos",
    "demo",
    "playground",
    "docs",
    "doc",
    "evals",
    "testutil",
    "testutils",
    "test-utils",
    "test_utils",
];

/// Folders of programs that the maintainers run: they build, check and release the project.
const SCRIPT_FOLDERS: &[&str] =
    &["scripts", "script", "tools", "tool", "build", "ci", ".github", ".ci", "hack", "release", "releasing", "bin"];

/// Files of that kind that stand anywhere, without what follows the first dot.
const SCRIPT_FILES: &[&str] =
    &["makefile", "gulpfile", "gruntfile", "jakefile", "rakefile", "fabfile", "noxfile", "tasks", "setup", "build"];

/// A line of code is seldom longer; a bundle's almost always is.
const MINIFIED_LINE_BYTES: usize = 5_000;

/// Classifies a file. `target` is the language that the caller named: it decides only where the path does not.
#[must_use]
pub fn classify(file: &FileDiff<'_>, target: Option<Language>) -> Class {
    let path = file.path();
    let language = Language::of_path(path, || sample(file))
        .or_else(|| first_line_language(file))
        .or(target)
        .or_else(|| Language::of_content(&sample(file)));
    Class { language, kind: kind_of(file, path, language), is_test: is_test(path) }
}

impl Class {
    /// The warning for a file that is left out; `None` for one that is reviewed.
    #[must_use]
    pub fn skipped(&self, path: &str) -> Option<Warning> {
        let (code, what) = match self.kind {
            Kind::Source => return None,
            Kind::Binary => (WarningCode::FileSkippedBinary, "binary file: it has no lines to review"),
            Kind::Generated => (WarningCode::FileSkippedGenerated, "generated file: not reviewed"),
            Kind::Lock => (WarningCode::FileSkippedGenerated, "lock file: not reviewed"),
            Kind::Minified => (WarningCode::FileSkippedGenerated, "minified file: not reviewed"),
            Kind::Vendored => (WarningCode::FileSkippedVendored, "vendored file: not reviewed"),
        };
        Some(Warning::file(code, path, what))
    }
}

/// The path says that the file is a test or belongs to one.
#[must_use]
pub fn is_test(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    // A project of tests beside the one that they test: `Store.Tests`, `store-tests`.
    let is_project =
        |folder: &str| [".tests", ".test", "-tests", "_tests", ".unittests"].iter().any(|end| folder.ends_with(end));
    if folders.split('/').any(|folder| TEST_FOLDERS.contains(&folder) || is_project(folder)) {
        return true;
    }
    let stem = name.split('.').next().unwrap_or(name);
    let original_name = path.rsplit('/').next().unwrap_or(path);
    let original_stem = original_name.split('.').next().unwrap_or(original_name);
    stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test", "-spec"].iter().any(|end| stem.ends_with(end))
        || [".test.", ".spec.", ".tests.", ".e2e.", ".cy."].iter().any(|mark| name.contains(mark))
        || ["Test", "Tests", "TestCase", "Spec", "IT"].iter().any(|end| original_stem.ends_with(end))
        || stem == "conftest"
}

/// The path says that the file is a program that only the project's maintainers run: it builds, checks or releases the
/// project. What it is given comes from them.
#[must_use]
pub fn is_script(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or(name);
    folders.split('/').any(|folder| SCRIPT_FOLDERS.contains(&folder)) || SCRIPT_FILES.contains(&stem)
}

fn kind_of(file: &FileDiff<'_>, path: &str, language: Option<Language>) -> Kind {
    if file.binary {
        return Kind::Binary;
    }
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    if LOCK_FILES.contains(&name) {
        Kind::Lock
    } else if folders.split('/').any(|folder| VENDORED_FOLDERS.contains(&folder)) || names_release(name) {
        Kind::Vendored
    } else if GENERATED_SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) || says_generated(file) {
        Kind::Generated
    } else if name.contains(".min.") || is_minified(file, language) {
        Kind::Minified
    } else {
        Kind::Source
    }
}

/// A copy of a library in the release that its name states: `menu@2.js`, `menu-2.4.1.css`.
fn names_release(name: &str) -> bool {
    let Some(stem) = [".js", ".css"].iter().find_map(|ending| name.strip_suffix(ending)) else { return false };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let numbers = |release: &str| release.split('.').all(is_number);
    stem.rsplit_once('@').is_some_and(|(_, release)| numbers(release))
        || stem.rsplit_once('-').is_some_and(|(_, release)| release.contains('.') && numbers(release))
}

/// A notice in the first lines of the file, as generators write it.
fn says_generated(file: &FileDiff<'_>) -> bool {
    let head = file.hunks.first().into_iter().flat_map(|hunk| &hunk.lines).take(20);
    head.filter(|line| line.new.is_some_and(|number| number <= 10)).any(|line| {
        let text: String = line.text.chars().take(300).collect::<String>().to_ascii_lowercase();
        let comment = text.trim_start().starts_with(['/', '#', '*', '-', '<', ';']);
        comment
            && (text.contains("do not edit") && text.contains("generated")
                || text.contains("@generated")
                || text.contains("<auto-generated"))
    })
}

fn is_minified(file: &FileDiff<'_>, language: Option<Language>) -> bool {
    let squeezed = matches!(language.map(Language::name), Some("JavaScript" | "CSS"));
    squeezed
        && file.hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| {
            line.kind == LineKind::Added
                && line.text.len() > MINIFIED_LINE_BYTES
                && line.text.bytes().filter(|b| *b == b';' || *b == b'}').count() > line.text.len() / 200
        })
}

fn first_line_language(file: &FileDiff<'_>) -> Option<Language> {
    let line = file.hunks.first()?.lines.iter().find(|line| line.new == Some(1))?;
    Language::of_shebang(line.text)
}

/// Enough of the new side to tell languages apart that share an extension.
fn sample(file: &FileDiff<'_>) -> String {
    let mut text = String::new();
    for line in file.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind != LineKind::Removed) {
        if text.len() + line.text.len() > 16 * 1024 {
            break;
        }
        text.push_str(line.text);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Class, Kind, classify, is_script, is_test};
    use crate::diff::Diff;
    use crate::language::Language;

    fn class_of(path: &str, first_line: &str, target: Option<&str>) -> Class {
        let text = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{first_line}\n");
        let diff = Diff::parse(&text).unwrap();
        classify(&diff.files[0], target.and_then(Language::find))
    }

    #[test]
    fn what_people_did_not_write_is_left_out() {
        for (path, line, kind) in [
            ("src/a.py", "x = 1", Kind::Source),
            ("package-lock.json", "{", Kind::Lock),
            ("web/yarn.lock", "a", Kind::Lock),
            ("go/vendor/x/y.go", "package y", Kind::Vendored),
            ("site/js/menu@2.js", "x", Kind::Vendored),
            ("site/css/menu-2.4.1.css", "x", Kind::Vendored),
            ("src/step-2.js", "x", Kind::Source),
            ("api/v1/a.pb.go", "package v1", Kind::Generated),
            ("gen/x.go", "// Code generated by stringer; DO NOT EDIT.", Kind::Generated),
            ("lib/jquery.min.js", "x", Kind::Minified),
            ("src/do_not_edit.py", "print('generated files: do not edit')", Kind::Source),
        ] {
            assert_eq!(class_of(path, line, None).kind, kind, "{path}");
        }
        assert_eq!(class_of("dist/app.js", &"a=b;c()}".repeat(1_000), None).kind, Kind::Minified);
    }

    #[test]
    fn the_path_decides_the_language_then_the_first_line_then_the_caller() {
        let name = |path, line, target| class_of(path, line, target).language.map(Language::name);
        assert_eq!(name("a.go", "package a", Some("python")), Some("Go"));
        assert_eq!(name("bin/run", "#!/usr/bin/env python3", Some("ruby")), Some("Python"));
        assert_eq!(name("bin/run", "puts 1", Some("ruby")), Some("Ruby"));
        assert_eq!(name("bin/run", "puts 1", None), None);
        assert_eq!(name("bin/run", "const x = require('y');", None), Some("JavaScript"));
        assert_eq!(name("bin/run", "const x = require('y');", Some("ruby")), Some("Ruby"));
    }

    #[test]
    fn tests_are_recognised_by_their_path() {
        for path in [
            "tests/a.py",
            "a/test_b.py",
            "a/b_test.go",
            "src/x.spec.ts",
            "src/FooTest.java",
            "conftest.py",
            "spec/a.rb",
            "docs/code/pipe/main.c",
            "samples/door.cs",
            "src/Store.Tests/Issues/Door.cs",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/contest.py", "src/latest.js", "src/attestation/a.go", "src/Limit.java", "src/unit.rs"] {
            assert!(!is_test(path), "{path}");
        }
    }

    #[test]
    fn programs_of_the_maintainers_are_recognised_by_their_path() {
        for path in ["Makefile.js", "tools/width.py", "a/scripts/release.mjs", "setup.py", ".github/pin.ts"] {
            assert!(is_script(path), "{path}");
        }
        for path in ["src/setup_page.py", "lib/toolbox.js", "src/builder/a.go"] {
            assert!(!is_script(path), "{path}");
        }
    }
}
