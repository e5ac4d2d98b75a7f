//! Classifies a file of a diff: its language, and whether people wrote it.
//!
//! Findings in lock files, bundles and vendored libraries are not useful, so such files are skipped with a warning.

mod alike;
mod bundle;
mod class;
mod hidden;
mod kind;
mod known;
mod test_code;

use crate::diff::{FileDiff, Line, LineKind, Side, Status};
use crate::language::Language;

pub use alike::is_reviewed_alike;
pub(crate) use bundle::Deleted;
pub use class::Class;
pub use hidden::HiddenBy;
pub(crate) use hidden::{SYMBOLIC_LINK, hidden_by, is_new_output};
use kind::kind_of;
pub use kind::{Kind, is_bare, is_native, is_skipped};
pub(crate) use known::Known;
pub use test_code::is_test;

/// Folders of programs that the maintainers run: they build, check and release the project.
const SCRIPT_FOLDERS: &[&str] = &[
    "scripts", "script", "tools", "tool", "build", "ci", ".github", ".ci", "hack", "release",
    "releasing", "bin",
];

/// Such files in any folder. Only the part before the first dot is compared.
const SCRIPT_FILES: &[&str] = &[
    "makefile", "gulpfile", "gruntfile", "jakefile", "rakefile", "fabfile", "noxfile", "tasks",
    "setup", "build",
];

/// Classifies a file. `target` is the language that the caller specified; it is used only if the path does not
/// determine one.
#[must_use]
pub fn classify(file: &FileDiff<'_>, target: Option<Language>) -> Class {
    classify_known(&Known { file, whole: None }, target)
}

/// As [`classify`], with all lines of the file if they are known.
pub(crate) fn classify_known(known: &Known<'_, '_>, target: Option<Language>) -> Class {
    let file = known.file;
    let path = file.path();
    let language = named_language(known)
        .or_else(|| first_line_language(known, Side::New))
        // Nor does a file stop to be a script because the change removes its first line.
        .or_else(|| first_line_language(known, Side::Old))
        .or_else(|| {
            (is_hook(path) && interpreter(known, Side::New).is_none()).then(Language::shell)
        })
        .or(target)
        .or_else(|| Language::of_content(&sample(known, Side::New)));
    let kind = kind_of(known, path, language);
    Class {
        language,
        kind,
        is_test: file.is_test.unwrap_or_else(|| is_test(path)),
    }
}

/// Whether a file counts towards a limit on files: after the change it contains hand-written lines. Files that were
/// only deleted, renamed or given another mode cost almost nothing to review.
#[must_use]
pub fn counts_as_file(file: &FileDiff<'_>, target: Option<Language>) -> bool {
    let has_lines = file.status != Status::Removed && !file.hunks.is_empty();
    has_lines && classify(file, target).kind == Kind::Source
}

/// Whether the path is that of a program that only the project's maintainers run, to build, check or release the
/// project. Its input comes from them.
#[must_use]
pub fn is_script(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or(name);
    folders
        .split('/')
        .any(|folder| SCRIPT_FOLDERS.contains(&folder))
        || SCRIPT_FILES.contains(&stem)
}

/// Whether the path is that of a file of translations, by its format or by a folder for them with the language below it.
#[must_use]
pub fn is_translation(path: &str) -> bool {
    const FORMATS: &[&str] = &[
        ".xlf", ".xliff", ".po", ".pot", ".strings", ".stringsdict", ".resx", ".arb", ".ftl",
    ];
    const FOLDERS: &[&str] = &[
        "lang", "langs", "language", "languages", "locale", "locales", "i18n", "l10n", "intl",
        "translation", "translations",
    ];
    let lower = path.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split('/').collect();
    let is_language = |part: &str| {
        let code = part.split(['-', '_', '.']).next().unwrap_or(part);
        (2..=3).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    FORMATS.iter().any(|end| lower.ends_with(end))
        || parts.windows(2).any(
            |two| matches!(two, [folder, below] if FOLDERS.contains(folder) && is_language(below)),
        )
}

/// Whether the path is that of a sample of a hook in a folder `hooks`. Git runs no file with such a name, so it is text until another
/// change renames it.
#[must_use]
pub fn is_hook_sample(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    parts.next().is_some_and(|name| name.ends_with(".sample")) && parts.next() == Some("hooks")
}

/// The language of a file's name and, if several languages share the name, of its text. A file whose name could be that of a program is
/// XML only if it begins like XML: `<TS>` in a comment must not make a translation of a TypeScript file.
fn named_language(known: &Known<'_, '_>) -> Option<Language> {
    let path = known.file.path();
    let by_name = Language::of_path(path, String::new);
    let program = by_name.filter(|language| language.is_program());
    if Language::can_be_xml(path)
        && first_line(known, Side::New).is_some_and(|line| is_start_of_xml(line.text))
    {
        return Language::find("XML");
    }
    let by_text = Language::of_path(path, || sample(known, Side::New));
    by_text
        .filter(|language| program.is_none() || language.is_code())
        .or(by_name)
}

fn is_start_of_xml(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim_start();
    line.starts_with("<?xml") || line.starts_with("<!DOCTYPE")
}

/// Whether git runs a file by its name. Without a first line that names an interpreter, the shell reads it.
fn is_hook(path: &str) -> bool {
    is_bare(path)
        && path
            .split('/')
            .any(|folder| matches!(folder, ".husky" | ".githooks" | "hooks"))
}

/// The language that the first line of a side names, if it is known.
fn first_line_language(known: &Known<'_, '_>, side: Side) -> Option<Language> {
    Language::of_shebang(first_line(known, side)?.text)
}

/// The language of the old side of a file whose name determines none. A file that gets or loses an interpreter is none by its content.
fn old_language(known: &Known<'_, '_>) -> Option<Language> {
    let interpreters = [Side::Old, Side::New].map(|side| interpreter(known, side));
    if interpreters.iter().any(Option::is_some) {
        return first_line_language(known, Side::Old);
    }
    let shell = || is_hook(known.file.path()).then(Language::shell);
    shell().or_else(|| Language::of_content(&sample(known, Side::Old)))
}

/// The first line of a side, if it names an interpreter: without a known language, that is not the shell.
fn interpreter<'a>(known: &Known<'a, '_>, side: Side) -> Option<Line<'a>> {
    let first = known.side(side).next();
    first.filter(|line| line.text.starts_with("#!"))
}

/// The first line of a side, if it is known.
fn first_line<'a>(known: &Known<'a, '_>, side: Side) -> Option<Line<'a>> {
    let number = |line: &Line<'_>| match side {
        Side::Old => line.old,
        Side::New => line.new,
    };
    known
        .side(side)
        .next()
        .filter(|line| number(line) == Some(1))
}

/// Whether unchanged lines of a file need a review, because they had none in the old file: it was not of this language, or was one
/// that people did not write.
pub(crate) fn has_unseen_lines(known: &Known<'_, '_>, class: &Class) -> bool {
    let file = known.file;
    let (old, new) = (file.path_on(Side::Old), file.path());
    let has_old = !matches!(file.status, Status::Added | Status::Removed);
    if !has_old || !class.language.is_some_and(Language::is_reviewed) {
        return false;
    }
    if old != new {
        return !is_reviewed_alike(old, new);
    }
    let stays = known
        .side(Side::New)
        .any(|line| line.kind == LineKind::Context);
    let was_skipped = || {
        class.kind == Kind::Source && kind::kind_on(known, Side::Old, old, class.language).is_some()
    };
    let was_other = || {
        let starts = known.shows_start() && Language::of_path(new, String::new).is_none();
        starts && alike::family(old_language(known)) != alike::family(class.language)
    };
    stays && (was_skipped() || was_other())
}

/// A sample of a side, large enough to distinguish languages that share an extension: of the whole file if it is known,
/// or else of the hunks with their headings.
fn sample(known: &Known<'_, '_>, side: Side) -> String {
    let headings = known.file.hunks.iter().map(|hunk| hunk.heading);
    let headings = headings.filter(|_| known.whole.is_none());
    let lines = known.side(side).map(|line| line.text);
    let mut text = String::new();
    for line in headings.chain(lines) {
        if text.len() + line.len() > 16 * 1024 {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Class, Kind, classify, is_script, is_translation};
    use crate::diff::Diff;
    use crate::language::Language;

    fn class_of(path: &str, first_line: &str, target: Option<&str>) -> Class {
        let text = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{first_line}\n");
        let diff = Diff::parse(&text).unwrap();
        classify(&diff.files[0], target.and_then(Language::find))
    }

    #[test]
    fn translations_are_known_by_format_and_folder() {
        for path in [
            "resources/lang/aa-ER/auth.php", "a/messages.ar.xlf", "src/locales/de.ts",
        ] {
            assert!(is_translation(path), "{path}");
        }
        for path in [
            "src/lang/parser.rs", "resources/auth.php", "i18n/source/x.json",
        ] {
            assert!(!is_translation(path), "{path}");
        }
    }

    #[test]
    fn files_that_people_did_not_write_are_skipped() {
        for (path, line, kind) in [
            ("src/a.py", "x = 1", Kind::Source),
            ("package-lock.json", "{", Kind::Lock),
            ("web/yarn.lock", "a", Kind::Lock),
            ("go/vendor/x/y.go", "package y", Kind::Vendored),
            ("site/js/menu@2.js", "x", Kind::Vendored),
            ("site/css/menu-2.4.1.css", "x", Kind::Vendored),
            ("src/step-2.js", "x", Kind::Source),
            ("_ide_helper.php", "<?php", Kind::Generated),
            ("api/v1/a.pb.go", "package v1", Kind::Generated),
            (
                "gen/x.go",
                "// Code generated by stringer; DO NOT EDIT.",
                Kind::Generated,
            ),
            (
                "lib/x.php",
                "<?php // Generated file. Do not edit.",
                Kind::Generated,
            ),
            ("lib/x.sql", "-- @generated", Kind::Generated),
            ("lib/x.vue", "<!-- @generated -->", Kind::Generated),
            ("lib/jquery.min.js", "x", Kind::Minified),
            ("conf/x.yml", "- generated files: do not edit", Kind::Source),
            ("src/x.tsx", "<p>Generated. Do not edit.</p>", Kind::Source),
            ("src/x.rs", "#[doc = \"@generated\"]", Kind::Source),
            (
                "src/do_not_edit.py",
                "print('generated files: do not edit')",
                Kind::Source,
            ),
        ] {
            assert_eq!(class_of(path, line, None).kind, kind, "{path}");
        }
        assert_eq!(
            class_of("dist/app.js", &"a=b;c()}".repeat(1_000), None).kind,
            Kind::Minified
        );
    }

    #[test]
    fn the_language_comes_from_path_then_first_line_then_caller() {
        let name = |path, line, target| class_of(path, line, target).language.map(Language::name);
        assert_eq!(name("a.go", "package a", Some("python")), Some("Go"));
        assert_eq!(
            name("bin/run", "#!/usr/bin/env python3", Some("ruby")),
            Some("Python")
        );
        assert_eq!(name("bin/run", "puts 1", Some("ruby")), Some("Ruby"));
        assert_eq!(name("bin/run", "puts 1", None), None);
        assert_eq!(
            name("bin/run", "const x = require('y');", None),
            Some("JavaScript")
        );
        assert_eq!(
            name("bin/run", "const x = require('y');", Some("ruby")),
            Some("Ruby")
        );
    }

    #[test]
    fn only_the_first_line_makes_xml_of_a_file_with_the_name_of_a_program() {
        let name = |path, text| class_of(path, text, None).language.map(Language::name);
        for text in ["// <TS>", "/* <!DOCTYPE TS> <TS> */", "f('<?xml');", "<TS>"] {
            assert_eq!(name("src/a.ts", text), Some("TypeScript"), "{text}");
            assert_eq!(name("src/a.tsx", text), Some("TSX"), "{text}");
        }
        assert_eq!(name("a_de.ts", "<?xml version=\"1.0\"?>"), Some("XML"));
        assert_eq!(name("a_de.ts", "<!DOCTYPE TS>"), Some("XML"));
        assert_eq!(name("a.js", "<!DOCTYPE TS>"), Some("JavaScript"));
    }

    #[test]
    fn programs_of_the_maintainers_are_recognised_by_their_path() {
        for path in [
            "Makefile.js", "tools/width.py", "a/scripts/release.mjs", "setup.py", ".github/pin.ts",
        ] {
            assert!(is_script(path), "{path}");
        }
        for path in ["src/setup_page.py", "lib/toolbox.js", "src/builder/a.go"] {
            assert!(!is_script(path), "{path}");
        }
    }
}
