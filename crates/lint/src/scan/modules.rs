//! Which file of a repository an import means.

use std::collections::{HashMap, HashSet};

use syntax::semantics::symbols::borrowed::Way;

/// Folders that are on the search path of Python wherever they are.
const ROOTS: &[&str] = &["src", "lib", "python"];
/// What an import of JavaScript may leave out.
pub(super) const SCRIPTS: &[&str] = &["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"];

/// The files of a repository.
pub(super) struct Modules<'p> {
    paths: HashSet<&'p str>,
    /// By their last names.
    by_name: HashMap<&'p str, Vec<&'p str>>,
}

impl<'p> Modules<'p> {
    pub(super) fn new(paths: impl Iterator<Item = &'p str>) -> Self {
        let paths: HashSet<&str> = paths.collect();
        let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
        for path in &paths {
            by_name.entry(last(path)).or_default().push(path);
        }
        Self { paths, by_name }
    }

    fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// Whether an import in a file surely means another one.
    pub(super) fn means(
        &self,
        file: &str,
        module: &str,
        way: Way,
        is_one_object: bool,
        target: &str,
    ) -> bool {
        if target.ends_with(".py") {
            return self.means_python(file, module, target);
        }
        (way != Way::OfDefault || is_one_object) && self.means_script(file, module, target)
    }

    /// Whether a package of Python has a module of this name, which an import from it finds as well.
    pub(super) fn has_module(&self, package: &str, name: &str) -> bool {
        let Some(folder) = package.strip_suffix("__init__.py") else {
            return false;
        };
        let inside = format!("{folder}{name}/");
        self.has(&format!("{folder}{name}.py"))
            || self.paths.iter().any(|path| path.starts_with(&inside))
    }

    fn means_python(&self, file: &str, module: &str, target: &str) -> bool {
        let rest = module.trim_start_matches('.');
        let ups = module.len() - rest.len();
        let path = rest.replace('.', "/");
        if ups > 0 {
            let Some(base) = ancestor(folder(file), ups - 1) else {
                return false;
            };
            let path = join(base, &path);
            let named = [format!("{path}.py"), join(&path, "__init__.py")];
            return self.only(&named) == Some(target);
        }
        let ends = [format!("{path}.py"), format!("{path}/__init__.py")];
        let Some(root) = ends.iter().find_map(|end| root_of(target, end)) else {
            return false;
        };
        let is_searched = root.is_empty()
            || file
                .strip_prefix(root)
                .is_some_and(|rest| rest.starts_with('/'))
            || ROOTS.contains(&last(root));
        let everywhere = ends
            .iter()
            .filter_map(|end| Some((end, self.by_name.get(last(end))?)));
        let count: usize = everywhere
            .map(|(end, paths)| {
                paths
                    .iter()
                    .filter(|path| root_of(path, end).is_some())
                    .count()
            })
            .sum();
        is_searched && count == 1 && !self.has(&join(root, "__init__.py"))
    }

    fn means_script(&self, file: &str, module: &str, target: &str) -> bool {
        let Some(path) = normalized(folder(file), module) else {
            return false;
        };
        let mut named = vec![path.clone()];
        named.extend(
            SCRIPTS
                .iter()
                .map(|extension| format!("{path}.{extension}")),
        );
        named.extend(["json", "d.ts"].map(|extension| format!("{path}.{extension}")));
        named.extend(
            SCRIPTS
                .iter()
                .map(|extension| join(&path, &format!("index.{extension}"))),
        );
        // TypeScript names what a file is compiled to.
        if let Some((stem, "js" | "jsx" | "mjs" | "cjs")) = path.rsplit_once('.') {
            named.extend(
                ["ts", "tsx", "mts", "cts", "d.ts"].map(|extension| format!("{stem}.{extension}")),
            );
        }
        self.only(&named) == Some(target)
    }

    /// The only one of these files that exists.
    fn only<'n>(&self, named: &'n [String]) -> Option<&'n str> {
        let mut existing = named.iter().filter(|path| self.has(path));
        existing
            .next()
            .filter(|_| existing.next().is_none())
            .map(String::as_str)
    }
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}

/// The folder so many levels up; `None` above the top.
fn ancestor(folder: &str, levels: usize) -> Option<&str> {
    (0..levels).try_fold(folder, |folder, _| {
        (!folder.is_empty()).then(|| self::folder(folder))
    })
}

/// What comes before the end of a path.
fn root_of<'p>(path: &'p str, end: &str) -> Option<&'p str> {
    let root = path.strip_suffix(end)?;
    if root.is_empty() {
        Some(root)
    } else {
        root.strip_suffix('/')
    }
}

/// A path that is relative to a folder, from the top; `None` if it leads out of the repository.
fn normalized(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{Modules, Way};

    fn means(paths: &[&str], [file, module, target]: [&str; 3]) -> bool {
        Modules::new(paths.iter().copied()).means(file, module, Way::ByName, false, target)
    }

    #[test]
    fn imports_of_python_are_found_from_the_top_from_a_source_folder_and_relative() {
        let paths = [
            "pkg/__init__.py",
            "pkg/mod.py",
            "pkg/sub/__init__.py",
            "pkg/sub/a.py",
            "b.py",
            "src/own/c.py",
        ];
        for case in [
            ["b.py", "pkg.mod", "pkg/mod.py"],
            ["b.py", "pkg", "pkg/__init__.py"],
            ["pkg/sub/a.py", "..mod", "pkg/mod.py"],
            ["pkg/sub/a.py", "..", "pkg/__init__.py"],
            ["pkg/sub/a.py", ".", "pkg/sub/__init__.py"],
            ["tests/t.py", "own.c", "src/own/c.py"],
        ] {
            assert!(means(&paths, case), "{case:?}");
        }
        for case in [
            ["b.py", "mod", "pkg/mod.py"],
            ["b.py", "other.mod", "pkg/mod.py"],
            ["pkg/sub/a.py", "....mod", "pkg/mod.py"],
            ["pkg/sub/a.py", ".mod", "pkg/mod.py"],
        ] {
            assert!(!means(&paths, case), "{case:?}");
        }
        let twice = ["a/mod.py", "b/mod.py"];
        assert!(
            !means(&twice, ["a/x.py", "mod", "a/mod.py"]),
            "either may be meant"
        );
    }

    #[test]
    fn imports_of_scripts_are_relative_and_may_lack_the_extension() {
        let paths = ["src/a.ts", "src/b/index.js", "src/c.js", "src/c.ts", "x.js"];
        for case in [
            ["src/x.ts", "./a", "src/a.ts"],
            ["src/x.ts", "./a.js", "src/a.ts"],
            ["src/x.ts", "./b", "src/b/index.js"],
            ["src/b/y.js", "../a", "src/a.ts"],
            ["src/b/y.js", ".", "src/b/index.js"],
        ] {
            assert!(means(&paths, case), "{case:?}");
        }
        for case in [
            ["src/x.ts", "./c", "src/c.ts"],
            ["src/x.ts", "../../x", "x.js"],
            ["src/x.ts", "./b/a", "src/a.ts"],
        ] {
            assert!(!means(&paths, case), "{case:?}");
        }
    }
}
