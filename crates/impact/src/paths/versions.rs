//! The version of its language that the project of a file declares: the oldest one that it supports.
//!
//! The declarations are read as texts, the nearest one above the file first.

use review::Version;

use super::modules::folder;

/// The languages with declared versions, and the files that declare them, the more reliable one first.
const LANGUAGES: &[(&[&str], &[&str])] = &[
    (&["Go"], &["go.mod"]),
    (
        &["Python"],
        &["pyproject.toml", "setup.cfg", ".python-version"],
    ),
    (&["PHP"], &["composer.json"]),
    (&["Rust"], &["Cargo.toml"]),
    (&["Java"], &["pom.xml", "build.gradle", "build.gradle.kts"]),
    (&["Ruby"], &[".ruby-version", "Gemfile"]),
    (&["C#"], &[PROJECT_OF_FOLDER, "Directory.Build.props"]),
    (&["TypeScript", "TSX"], &["package.json"]),
];
/// A project of .NET, which usually has the name of its folder.
const PROJECT_OF_FOLDER: &str = "*.csproj";
/// Newer than every version: the project uses whatever its compiler supports.
const NEWEST: Version = Version {
    major: u16::MAX,
    minor: 0,
};
/// The versions of C# for the targets of .NET, the first one that a target begins with.
const TARGETS: &[(&str, Version)] = &[
    ("netstandard2.1", c_sharp(8, 0)),
    ("netstandard", c_sharp(7, 3)),
    ("netcoreapp3", c_sharp(8, 0)),
    ("netcoreapp", c_sharp(7, 3)),
    ("net10.", c_sharp(14, 0)),
    ("net9.", c_sharp(13, 0)),
    ("net8.", c_sharp(12, 0)),
    ("net7.", c_sharp(11, 0)),
    ("net6.", c_sharp(10, 0)),
    ("net5.", c_sharp(9, 0)),
    ("net4", c_sharp(7, 3)),
];
/// The maximum number of declarations that are looked for in one review.
pub(crate) const FILES: usize = 1_000;
/// The maximum depth of folders that are searched.
const DEPTH: usize = 20;

/// The files that may declare the version for a file of a language, the nearest one first.
pub(crate) fn declarations(path: &str, language: &str) -> Vec<String> {
    let names = LANGUAGES
        .iter()
        .find(|(languages, _)| languages.contains(&language));
    let Some((_, names)) = names else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut inside = folder(path);
    for _ in 0..DEPTH {
        let join = |name: &&str| {
            let own = inside.rsplit('/').next().unwrap_or(inside);
            let name = name.replacen('*', own, 1);
            match inside {
                "" => name,
                inside => format!("{inside}/{name}"),
            }
        };
        found.extend(names.iter().map(join));
        if inside.is_empty() {
            break;
        }
        inside = folder(inside);
    }
    found
}

/// The version for a file of a language: that of the nearest file that declares one.
pub fn version(
    path: &str,
    language: &str,
    declared: impl Fn(&str) -> Option<Version>,
) -> Option<Version> {
    declarations(path, language)
        .iter()
        .find_map(|path| declared(path))
}

/// The version that a file declares.
#[must_use]
pub fn declared_in(path: &str, text: &str) -> Option<Version> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "go.mod" => Version::parse(value_after(text, &["go "])?),
        "pyproject.toml" => lowest(setting(text, &["requires-python", "python"])?),
        "setup.cfg" => lowest(setting(text, &["python_requires"])?),
        ".python-version" => Version::parse(text.trim().trim_start_matches("python-")),
        "composer.json" => {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            lowest(value.get("require")?.get("php")?.as_str()?)
        }
        "Cargo.toml" => Version::parse(setting(text, &["edition"])?.trim_matches('"')),
        "pom.xml" => {
            const TAGS: &[&str] = &[
                "<maven.compiler.release>", "<release>", "<maven.compiler.source>", "<source>",
                "<java.version>",
            ];
            java(TAGS.iter().find_map(|tag| text.split_once(tag))?.1)
        }
        "build.gradle" | "build.gradle.kts" => {
            const MARKS: &[&str] = &[
                "JavaLanguageVersion.of(", "options.release", "sourceCompatibility",
            ];
            java(MARKS.iter().find_map(|mark| text.split_once(mark))?.1)
        }
        ".ruby-version" => Version::parse(text.trim().trim_start_matches("ruby-")),
        "Gemfile" => lowest(value_after(text, &["ruby "])?),
        "Directory.Build.props" => dot_net(text),
        "package.json" => {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            let typescript = |field: &str| value.get(field)?.get("typescript")?.as_str();
            let declared = ["devDependencies", "dependencies", "peerDependencies"];
            lowest(declared.into_iter().find_map(typescript)?)
        }
        _ if name.ends_with(".csproj") => dot_net(text),
        _ => None,
    }
}

const fn c_sharp(major: u16, minor: u16) -> Version {
    Version { major, minor }
}

/// The version of C# in a project of .NET, or the default of the oldest framework that it targets.
fn dot_net(text: &str) -> Option<Version> {
    let value = |tag: &str| Some(text.split_once(tag)?.1.split_once('<')?.0.trim());
    if let Some(version) = value("<LangVersion>") {
        let is_number = version.starts_with(|c: char| c.is_ascii_digit());
        return if is_number {
            Version::parse(version)
        } else {
            Some(NEWEST)
        };
    }
    let targets = value("<TargetFramework>").or_else(|| value("<TargetFrameworks>"))?;
    let version = |target: &str| {
        let row = TARGETS.iter().find(|(begin, _)| target.starts_with(begin));
        row.map(|(_, version)| *version)
    };
    targets.split(';').map(str::trim).filter_map(version).min()
}

/// The rest of the first line that begins with one of these words.
fn value_after<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let rest = |line: &'t str| {
        words
            .iter()
            .find_map(|word| line.trim_start().strip_prefix(word))
    };
    text.lines().find_map(rest)
}

/// The value of the first of some settings that a file in the form of TOML or INI has.
fn setting<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let value = |name: &&str| {
        let rest = |line: &'t str| {
            Some(
                line.trim_start()
                    .strip_prefix(*name)?
                    .trim_start()
                    .strip_prefix('=')?
                    .trim(),
            )
        };
        text.lines().find_map(rest)
    };
    names.iter().find_map(value)
}

/// The lowest version of a constraint: `>=3.9,<4`, `^7.4 || ^8.0`. Upper limits and exceptions are skipped.
fn lowest(constraint: &str) -> Option<Version> {
    let parts = constraint.split([',', '|', ' ', '"', '\'']).map(str::trim);
    let is_limit = |part: &&str| part.starts_with(['<', '!']);
    let versions = parts.filter(|part| !is_limit(part));
    versions
        .filter_map(|part| Version::parse(part.trim_start_matches(['>', '=', '~', '^', 'v'])))
        .min()
}

/// The version of Java at the beginning of a text: `17`, `1.8`, `JavaVersion.VERSION_11`.
fn java(text: &str) -> Option<Version> {
    let start = text
        .find(|c: char| c.is_ascii_digit())
        .filter(|start| *start < 40)?;
    let is_property = text
        .get(..start)
        .is_some_and(|before| before.contains("${") || before.contains('\n'));
    let number = text.get(start..)?.replacen('_', ".", 1);
    let version = Version::parse(&number).filter(|_| !is_property)?;
    Some(match version {
        Version { major: 1, minor } => Version {
            major: minor,
            minor: 0,
        },
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::{declarations, declared_in, version};

    #[test]
    fn the_lowest_declared_version_is_read() {
        for (path, text, expected) in [
            ("go.mod", "module example.com/a\n\ngo 1.21.3\n", "1.21"),
            (
                "pyproject.toml",
                "[project]\nrequires-python = \">=3.9,<4\"\n",
                "3.9",
            ),
            (
                "pyproject.toml",
                "[tool.poetry.dependencies]\npython = \"^3.10\"\n",
                "3.10",
            ),
            ("setup.cfg", "[options]\npython_requires = >=3.8\n", "3.8"),
            (".python-version", "3.12.1\n", "3.12"),
            (
                "composer.json",
                r#"{"require": {"php": "^7.4 || ^8.0"}}"#,
                "7.4",
            ),
            ("Cargo.toml", "[package]\nedition = \"2021\"\n", "2021.0"),
            (
                "pom.xml",
                "<properties><java.version>1.8</java.version></properties>",
                "8.0",
            ),
            (
                "pom.xml",
                "<maven.compiler.release>21</maven.compiler.release>",
                "21.0",
            ),
            (
                "build.gradle",
                "sourceCompatibility = JavaVersion.VERSION_11\n",
                "11.0",
            ),
            (
                "build.gradle",
                "sourceCompatibility = JavaVersion.VERSION_1_8\n",
                "8.0",
            ),
            (
                "build.gradle.kts",
                "java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }",
                "17.0",
            ),
            (".ruby-version", "ruby-2.7.8\n", "2.7"),
            ("Gemfile", "source 'a'\nruby '>= 3.1', '< 3.4'\n", "3.1"),
            (
                "Shop/Shop.csproj",
                "<TargetFrameworks>net8.0;netstandard2.0</TargetFrameworks>",
                "7.3",
            ),
            (
                "Shop/Shop.csproj",
                "<TargetFramework>net48</TargetFramework><LangVersion>9.0</LangVersion>",
                "9.0",
            ),
            (
                "Directory.Build.props",
                "<TargetFramework>net8.0-windows</TargetFramework>",
                "12.0",
            ),
            (
                "Directory.Build.props",
                "<TargetFramework>net6.0</TargetFramework><LangVersion>latest</LangVersion>",
                "65535.0",
            ),
            (
                "package.json",
                r#"{"devDependencies": {"typescript": "~4.8.4"}}"#,
                "4.8",
            ),
        ] {
            let found = declared_in(path, text).map(|version| version.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{path}: {text}");
        }
        for (path, text) in [
            ("go.mod", "module example.com/a\n"),
            (
                "pyproject.toml",
                "[tool.black]\ntarget-version = [\"py39\"]\n",
            ),
            ("composer.json", "{}"),
            ("composer.json", "not JSON"),
            (
                "package.json",
                r#"{"devDependencies": {"typescript": "catalog:"}}"#,
            ),
            ("a.csproj", "<TargetFramework>$(Target)</TargetFramework>"),
            ("Cargo.toml", "[package]\nedition.workspace = true\n"),
            ("pom.xml", "<java.version>${other}</java.version>\n<a>1</a>"),
        ] {
            assert_eq!(declared_in(path, text), None, "{path}: {text}");
        }
    }

    #[test]
    fn the_nearest_declaration_counts() {
        let texts = [
            ("go.mod", "go 1.23"),
            ("tools/go.mod", "go 1.20"),
            ("tools/sub/go.mod", "module a"),
        ];
        let declared = |path: &str| {
            let (_, text) = texts.iter().find(|(own, _)| *own == path)?;
            declared_in(path, text)
        };
        let of = |path: &str| version(path, "Go", declared).map(|version| version.minor);
        assert_eq!(
            [of("a/b.go"), of("tools/c.go"), of("tools/sub/d.go")],
            [Some(23), Some(20), Some(20)]
        );
        assert_eq!(declarations("a/b.rb", "Ruby").len(), 4);
        assert!(declarations("a/b.c", "C").is_empty());
        assert_eq!(
            declarations("src/Shop/Cart.cs", "C#")
                .first()
                .map(String::as_str),
            Some("src/Shop/Shop.csproj")
        );
    }
}
