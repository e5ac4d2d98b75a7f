//! Resolves imports to files of a repository.

use std::collections::{HashMap, HashSet};

use syntax::semantics::symbols::borrowed::{Way, below_alias, named_folder};

/// Folders that are on Python's search path wherever they are.
const ROOTS: &[&str] = &["src", "lib", "python"];
/// The modules of Python's standard library. An import refers to a file with the same name only if the file's folder
/// comes first in the search path, which the files do not show.
const STANDARD: &str = "abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins \
    bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall \
    concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime \
    dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl \
    filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib \
    grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json \
    keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder \
    msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os \
    ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint \
    profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline \
    reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd \
    smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics \
    string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib \
    tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback \
    tracemalloc tty types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser \
    winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";
/// Extensions that an import of JavaScript may omit.
pub(crate) const SCRIPTS: &[&str] = &["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"];

/// The file that an import names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target<'p> {
    File(&'p str),
    /// One of these files must exist, and none does.
    Missing(Vec<String>),
    Unknown,
}

/// The files of a repository.
pub(crate) struct Modules<'p> {
    paths: HashSet<&'p str>,
    /// By file name.
    by_name: HashMap<&'p str, Vec<&'p str>>,
}

impl<'p> Modules<'p> {
    pub(crate) fn new(paths: impl Iterator<Item = &'p str>) -> Self {
        let paths: HashSet<&str> = paths.collect();
        let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
        for path in &paths {
            by_name.entry(last(path)).or_default().push(path);
        }
        Self { paths, by_name }
    }

    /// The files with a name, in any folder.
    pub(crate) fn named(&self, name: &str) -> &[&'p str] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// Whether an import in a file certainly refers to another file.
    pub(crate) fn means(
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

    /// The file that an import in a file names.
    pub(crate) fn target(&self, file: &str, module: &str) -> Target<'p> {
        if file.ends_with(".py") {
            self.target_of_python(file, module)
        } else {
            self.target_of_script(file, module)
        }
    }

    fn target_of_python(&self, file: &str, module: &str) -> Target<'p> {
        let (base, path) = match relative(file, module) {
            Relative::To(base, path) => (base.to_owned(), path),
            Relative::Outside => return Target::Unknown,
            Relative::No(path) => {
                let mut roots = self.roots_of_python(file, &path);
                match (roots.pop(), roots.pop()) {
                    (Some(root), None) => (root, path),
                    _ => return Target::Unknown,
                }
            }
        };
        let path = join(&base, &path);
        let target = self.one_of(python_files(&path));
        let (parent, name) = (folder(&path), last(&path));
        // Generated modules, compiled ones, and packages without an `__init__` file.
        let is_generated = name.ends_with("_pb2")
            || name.ends_with("_pb2_grpc")
            || name.trim_start_matches('_') == "version";
        let in_package = || self.has(&join(parent, "__init__.py"));
        target.missing_if(|| !is_generated && in_package() && !self.has_namesake(parent, name))
    }

    /// The folders of the search path in which an absolute Python import may begin: those that contain its first
    /// package.
    fn roots_of_python(&self, file: &str, path: &str) -> Vec<String> {
        if is_standard(path) {
            return Vec::new();
        }
        let ends = python_files(top_of(path));
        let roots = ends.iter().flat_map(|end| {
            let paths = self.by_name.get(last(end)).into_iter().flatten();
            paths.filter_map(|path| root_of(path, end))
        });
        let roots = roots.filter(|root| self.is_root(file, root));
        let mut roots: Vec<String> = roots.map(str::to_owned).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Whether imports in a file may begin in a folder.
    fn is_root(&self, file: &str, root: &str) -> bool {
        may_be_root(file, root) && !self.has(&join(root, "__init__.py"))
    }

    /// The file that an import with an alias names; `None` if it has none.
    fn aliased(&self, file: &str, module: &str) -> Option<Target<'p>> {
        if let Some(path) = below_alias(module) {
            return Some(self.target_of_alias(path, |_| true));
        }
        let path = named_folder(module)?;
        Some(self.target_of_alias(path, |root| is_around(file, root)))
    }

    /// The only file that an import with an alias may name. The configuration that maps the alias to a folder is not read.
    fn target_of_alias(&self, path: &str, is_root: impl Fn(&str) -> bool) -> Target<'p> {
        let ends = script_files(path);
        let named = ends.iter().flat_map(|end| {
            let paths = self.by_name.get(last(end)).into_iter().flatten();
            paths.filter(|path| root_of(path, end).is_some_and(&is_root))
        });
        let named: HashSet<&'p str> = named.copied().collect();
        let mut named = named.into_iter();
        match (named.next(), named.next()) {
            (Some(only), None) if path.contains('/') => Target::File(only),
            _ => Target::Unknown,
        }
    }

    fn target_of_script(&self, file: &str, module: &str) -> Target<'p> {
        if let Some(target) = self.aliased(file, module) {
            return target;
        }
        let Some(path) = normalized(folder(file), module) else {
            return Target::Unknown;
        };
        let target = self.one_of(script_files(&path));
        let (parent, name) = (folder(&path), last(&path));
        let stem = name.split('.').next().unwrap_or_default();
        let is_script = match name.split_once('.') {
            None => true,
            Some((_, extension)) => SCRIPTS.contains(&extension),
        };
        let has_neighbours = || self.paths.iter().any(|path| folder(path) == parent);
        target.missing_if(|| {
            is_script && !stem.is_empty() && has_neighbours() && !self.has_namesake(parent, stem)
        })
    }

    /// The only one of these files that exists; unknown if several do.
    fn one_of(&self, named: Vec<String>) -> Target<'p> {
        let mut existing = named
            .iter()
            .filter_map(|path| self.paths.get(path.as_str()).copied());
        match (existing.next(), existing.next()) {
            (Some(only), None) => Target::File(only),
            (None, _) => Target::Missing(named),
            _ => Target::Unknown,
        }
    }

    /// Whether a folder contains a folder with this name, or a file with this name and any extension.
    fn has_namesake(&self, parent: &str, name: &str) -> bool {
        let start = join(parent, name);
        self.paths.iter().any(|path| {
            path.strip_prefix(start.as_str())
                .is_some_and(|rest| rest.starts_with(['/', '.']))
        })
    }

    /// Whether a Python package has a module with this name, which an import from the package also finds.
    pub(crate) fn has_module(&self, package: &str, name: &str) -> bool {
        let Some(folder) = package.strip_suffix("__init__.py") else {
            return false;
        };
        let inside = format!("{folder}{name}/");
        self.has(&format!("{folder}{name}.py"))
            || self.paths.iter().any(|path| path.starts_with(&inside))
    }

    fn means_python(&self, file: &str, module: &str, target: &str) -> bool {
        let path = match relative(file, module) {
            Relative::To(base, path) => {
                return self.one_of(python_files(&join(base, &path))) == Target::File(target);
            }
            Relative::Outside => return false,
            Relative::No(path) => path,
        };
        let ends = python_files(&path);
        let Some(root) = ends.iter().find_map(|end| root_of(target, end)) else {
            return false;
        };
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
        count == 1 && self.is_root(file, root)
    }

    fn means_script(&self, file: &str, module: &str, target: &str) -> bool {
        if let Some(aliased) = self.aliased(file, module) {
            return aliased == Target::File(target);
        }
        let path = normalized(folder(file), module);
        path.is_some_and(|path| self.one_of(script_files(&path)) == Target::File(target))
    }
}

impl Target<'_> {
    /// The same, unless the file is missing and that is uncertain.
    fn missing_if(self, is_certain: impl FnOnce() -> bool) -> Self {
        match self {
            Self::Missing(_) if !is_certain() => Self::Unknown,
            other => other,
        }
    }
}

/// Whether a folder is on the path to a file.
pub(crate) fn is_around(file: &str, folder: &str) -> bool {
    let below = file.strip_prefix(folder);
    folder.is_empty() || below.is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a folder is on the path to a file, or on Python's search path wherever it is.
pub(crate) fn may_be_root(file: &str, root: &str) -> bool {
    is_around(file, root) || ROOTS.contains(&last(root))
}

/// Whether a Python module is part of the standard library.
pub(crate) fn is_standard(path: &str) -> bool {
    STANDARD.split(' ').any(|name| name == top_of(path))
}

fn top_of(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// Where a Python import begins, and the path below that.
pub(crate) enum Relative<'f> {
    /// In this folder.
    To(&'f str, String),
    /// Above the top of the repository.
    Outside,
    /// In the search path.
    No(String),
}

pub(crate) fn relative<'f>(file: &'f str, module: &str) -> Relative<'f> {
    let rest = module.trim_start_matches('.');
    let path = rest.replace('.', "/");
    match (module.len() - rest.len()).checked_sub(1) {
        None => Relative::No(path),
        Some(levels) => match ancestor(folder(file), levels) {
            Some(base) => Relative::To(base, path),
            None => Relative::Outside,
        },
    }
}

/// The files that a Python module may be.
pub(crate) fn python_files(path: &str) -> Vec<String> {
    vec![format!("{path}.py"), join(path, "__init__.py")]
}

/// The files that a JavaScript import path may refer to.
pub(crate) fn script_files(path: &str) -> Vec<String> {
    let mut named = vec![path.to_owned()];
    named.extend(
        SCRIPTS
            .iter()
            .map(|extension| format!("{path}.{extension}")),
    );
    named.extend(["json", "d.ts"].map(|extension| format!("{path}.{extension}")));
    named.extend(
        SCRIPTS
            .iter()
            .map(|extension| join(path, &format!("index.{extension}"))),
    );
    // TypeScript imports name the compiled file.
    if let Some((stem, "js" | "jsx" | "mjs" | "cjs")) = path.rsplit_once('.') {
        named.extend(
            ["ts", "tsx", "mts", "cts", "d.ts"].map(|extension| format!("{stem}.{extension}")),
        );
    }
    named
}

pub(crate) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn join(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}

/// The folder this many levels up; `None` above the top.
fn ancestor(folder: &str, levels: usize) -> Option<&str> {
    (0..levels).try_fold(folder, |folder, _| {
        (!folder.is_empty()).then(|| self::folder(folder))
    })
}

/// The part of a path before its end.
pub(crate) fn root_of<'p>(path: &'p str, end: &str) -> Option<&'p str> {
    let root = path.strip_suffix(end)?;
    if root.is_empty() {
        Some(root)
    } else {
        root.strip_suffix('/')
    }
}

/// A path relative to a folder, converted to one from the top; `None` if it leads out of the repository.
pub(crate) fn normalized(folder: &str, path: &str) -> Option<String> {
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
    use super::{Modules, Target, Way};

    fn means(paths: &[&str], [file, module, target]: [&str; 3]) -> bool {
        Modules::new(paths.iter().copied()).means(file, module, Way::ByName, false, target)
    }

    #[test]
    fn python_imports_are_found_from_the_top_from_a_source_folder_and_relative() {
        let paths = [
            "pkg/__init__.py", "pkg/mod.py", "pkg/sub/__init__.py", "pkg/sub/a.py", "b.py",
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
            ["x.js", "@/b/index", "src/b/index.js"],
        ] {
            assert!(means(&paths, case), "{case:?}");
        }
        for case in [
            ["src/x.ts", "./c", "src/c.ts"],
            ["src/x.ts", "../../x", "x.js"],
            ["src/x.ts", "./b/a", "src/a.ts"],
            ["x.js", "@/a", "src/a.ts"],
            ["x.js", "@b/index", "src/b/index.js"],
        ] {
            assert!(!means(&paths, case), "{case:?}");
        }
    }

    #[test]
    fn an_import_is_resolved_missing_or_unknown() {
        let paths = [
            "shop/__init__.py", "shop/price.py", "shop/rates.pyx", "shop/plugins/tax.py",
            "src/own/__init__.py", "other/main.py", "web/a.ts", "web/b.vue", "web/c/index.js",
            "web/d.js", "web/d.ts", "web/e.ios.js",
        ];
        let modules = Modules::new(paths.iter().copied());
        let file = Target::File;
        let missing = |file: &str, module: &str| match modules.target(file, module) {
            Target::Missing(paths) => paths[0].clone(),
            other => format!("{other:?}"),
        };
        for (from, module, expected) in [
            ("shop/cart.py", ".price", file("shop/price.py")),
            ("shop/cart.py", ".", file("shop/__init__.py")),
            ("cart.py", "shop.price", file("shop/price.py")),
            ("tests/t.py", "own", file("src/own/__init__.py")),
            ("shop/cart.py", ".rates", Target::Unknown),
            ("shop/cart.py", ".plugins", Target::Unknown),
            ("shop/cart.py", ".plugins.gone", Target::Unknown),
            ("shop/cart.py", ".order_pb2", Target::Unknown),
            ("shop/cart.py", "...gone", Target::Unknown),
            ("cart.py", "requests.gone", Target::Unknown),
            ("other/cart.py", "main.gone", Target::Unknown),
            ("cart.py", "logging.gone", Target::Unknown),
            ("web/x.ts", "./a", file("web/a.ts")),
            ("web/x.ts", "./c", file("web/c/index.js")),
            ("web/x.ts", "./b", Target::Unknown),
            ("web/x.ts", "./d", Target::Unknown),
            ("web/x.ts", "./e", Target::Unknown),
            ("web/x.ts", "./x.css", Target::Unknown),
            ("web/x.ts", "./generated/client", Target::Unknown),
            ("web/x.ts", "../../../gone", Target::Unknown),
        ] {
            assert_eq!(modules.target(from, module), expected, "{from} {module}");
        }
        for [file, module, expected] in [
            ["cart.py", "shop.gone", "shop/gone.py"],
            ["shop/cart.py", ".gone", "shop/gone.py"],
            ["web/x.ts", "./gone", "web/gone"],
            ["web/c/y.ts", "../gone.js", "web/gone.js"],
        ] {
            assert_eq!(missing(file, module), expected, "{file} {module}");
        }
    }
}
