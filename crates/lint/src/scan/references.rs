//! Whether a text in a file refers to a file that the change removes or renames.

use std::collections::HashSet;

use super::modules::{
    ROOTS, Relative, SCRIPTS, STANDARD, folder, join, last, normalized, python_files, relative,
    script_files,
};
use crate::facts::keys::{Quoted, code_lines, ends_with_call, extension, quoted};

/// Files that imports of scripts may refer to without naming the extension.
const COMPONENTS: &[&str] = &["vue", "svelte", "astro", "json"];
/// Files that import like scripts.
const IMPORTING: &[&str] = &["vue", "svelte", "astro", "mdx", "html"];
/// The text before the path of an import.
const IMPORTS: &[&str] = &[
    "from",
    "import",
    "import(",
    "require(",
    "require.resolve(",
    "mock(",
    "importActual(",
    "requireActual(",
    "lazy(",
];
/// The text before the name of a template.
const TEMPLATES: &[&str] = &[
    "include",
    "extends",
    "render(",
    "render",
    "get_template(",
    "select_template(",
    "render_template(",
    "render_to_string(",
    "template_name =",
    "template_name=",
    "template=",
    "template:",
    "embed",
    "{% import",
    "{% from",
    "include(",
    "View(",
    "TemplateResponse(",
    "render_to_response(",
    "import",
];
/// The text before a path relative to the file's own folder.
const PATHS: &[&str] = &[
    "src=",
    "href=",
    "#include",
    "include",
    "include_once",
    "require",
    "require_once",
    "require_relative",
    "@import",
    "@use",
    "@forward",
    "url(",
    "include(",
    "require(",
    "include_once(",
    "require_once(",
];
const LARAVEL: &[&str] = &[
    "view(",
    "@include(",
    "@extends(",
    "@component(",
    "@each(",
    "View::make(",
    "->markdown(",
    "markdown:",
    "view:",
    "loadView(",
];
const RAILS: &[&str] = &["render", "render(", "partial:", "template:", ":partial =>"];
const RAZOR: &[&str] = &[
    "partial name=",
    "Partial(",
    "PartialAsync(",
    "Layout =",
    "View(",
];

/// A file that the change removes or renames.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gone<'c> {
    /// Its index in the diff.
    pub(super) file: usize,
    /// Its path before the change.
    pub(super) old: &'c str,
    /// Its path after the change, if it was renamed.
    pub(super) new: Option<&'c str>,
}

impl<'c> Gone<'c> {
    /// The word that each reference to the file contains.
    pub(super) fn word(&self) -> &'c str {
        let stem = stem_of(self.old);
        let stem = match stem {
            "index" | "__init__" | "mod" => last(folder(self.old)),
            stem => stem,
        };
        stem.trim_start_matches('_')
    }
}

fn stem_of(path: &str) -> &str {
    last(path).split('.').next().unwrap_or_default()
}

/// The files of a repository after the change.
pub(super) struct Remaining<'p>(pub(super) HashSet<&'p str>);

impl Remaining<'_> {
    fn has(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Whether a path ends with these parts.
    fn has_end(&self, end: &str) -> bool {
        self.0.iter().any(|path| ends_with_parts(path, end))
    }

    fn has_any(&self, is_one: impl Fn(&str) -> bool) -> bool {
        self.0.iter().any(|path| is_one(path))
    }
}

fn ends_with_parts(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The lines of a file that refer to removed or renamed files, with the positions of these.
pub(super) fn references(
    from: &str,
    text: &str,
    gone: &[Gone<'_>],
    remaining: &Remaining<'_>,
) -> Vec<(usize, u32)> {
    let lines = code_lines(from, (1..).zip(text.lines()));
    references_in(from, &lines, gone, remaining)
}

/// Like [`references`], for some of the lines.
pub(super) fn references_in(
    from: &str,
    lines: &[(u32, &str)],
    gone: &[Gone<'_>],
    remaining: &Remaining<'_>,
) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    let pieces = quoted(lines);
    for (at, one) in gone.iter().enumerate() {
        let word = one.word();
        for piece in pieces.iter().filter(|piece| piece.text.contains(word)) {
            if refers(from, piece, one.old, remaining) {
                found.push((at, piece.line));
            }
        }
        if one.old.ends_with(".py") && from.ends_with(".py") {
            found.extend(python_imports(from, lines, one.old, remaining).map(|line| (at, line)));
        }
        if is_list_of_paths(from) {
            let named = lines
                .iter()
                .filter(|(_, text)| text.contains(word) && names_path(text, one.old));
            found.extend(named.map(|(line, _)| (at, *line)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Files that name paths from the top of the repository without quotes.
fn is_list_of_paths(path: &str) -> bool {
    matches!(
        extension(path),
        "yml" | "yaml" | "sh" | "toml" | "cfg" | "ini"
    )
}

fn names_path(text: &str, path: &str) -> bool {
    let is_end = |c: char| c.is_whitespace() || "\"'`=,:;()[]".contains(c);
    path.contains('/')
        && text
            .split(is_end)
            .any(|part| part.strip_prefix("./").unwrap_or(part) == path)
}

/// Whether a string in a file refers to the old path of another.
fn refers(from: &str, piece: &Quoted<'_>, old: &str, remaining: &Remaining<'_>) -> bool {
    let text = piece.text.split(['?', '#']).next().unwrap_or_default();
    let is_path = !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || "{}$<>*\\|,;()".contains(c));
    if !is_path || text.contains("://") {
        return false;
    }
    let reference = Reference {
        from,
        lead: piece.lead,
        text,
        old,
        remaining,
    };
    reference.is_relative()
        || reference.is_alias()
        || reference.is_named_in_full()
        || reference.is_template()
}

struct Reference<'r> {
    from: &'r str,
    lead: &'r str,
    text: &'r str,
    old: &'r str,
    remaining: &'r Remaining<'r>,
}

impl Reference<'_> {
    fn follows(&self, calls: &[&str]) -> bool {
        calls.iter().any(|call| ends_with_call(self.lead, call))
    }

    fn is_import_of_script(&self) -> bool {
        let own = extension(self.from);
        (SCRIPTS.contains(&own) || IMPORTING.contains(&own)) && self.follows(IMPORTS)
    }

    /// A path relative to the folder of the file.
    fn is_relative(&self) -> bool {
        let here = [
            "__DIR__ .",
            "__DIR__.",
            "__dirname +",
            "dirname(__FILE__) .",
        ];
        let is_marked = self.text.starts_with("./") || self.text.starts_with("../");
        let is_below =
            self.text.starts_with('/') && here.iter().any(|own| self.lead.ends_with(own));
        let is_ruby = ends_with_call(self.lead, "require_relative");
        let is_plain = !self.text.starts_with(['/', '@', '~'])
            && self.follows(PATHS)
            && !self.is_import_of_script();
        if !(is_marked || is_below || is_ruby || is_plain) {
            return false;
        }
        let Some(path) = normalized(folder(self.from), self.text.trim_start_matches('/')) else {
            return false;
        };
        let mut files = vec![path.clone()];
        if self.is_import_of_script() {
            files.extend(script_files(&path));
            files.extend(COMPONENTS.iter().map(|own| format!("{path}.{own}")));
        }
        match extension(self.from) {
            "rb" if is_ruby => files.push(format!("{path}.rb")),
            "scss" | "sass" | "less" => {
                let partial = join(folder(&path), &format!("_{}", last(&path)));
                files.extend(
                    ["scss", "sass", "less"]
                        .iter()
                        .flat_map(|own| [format!("{path}.{own}"), format!("{partial}.{own}")]),
                );
            }
            _ => {}
        }
        files.iter().any(|file| file == self.old)
            && !files.iter().any(|file| self.remaining.has(file))
    }

    /// A path from the folder of the sources.
    fn is_alias(&self) -> bool {
        if !self.is_import_of_script() {
            return false;
        }
        let alias = ["@/", "~/", "#/", "$lib/", "src/"]
            .iter()
            .find(|alias| self.text.starts_with(**alias));
        let end = match alias {
            Some(&("$lib/" | "src/")) => self.text.trim_start_matches('$'),
            Some(alias) => self.text.strip_prefix(alias).unwrap_or(self.text),
            None => self.text,
        };
        // A path without an alias may name a package.
        let is_root = |root: &str| matches!(root.trim_end_matches('/'), "" | "src" | "app");
        let is_own = |path: &str, file: &str| {
            path.strip_suffix(file).is_some_and(|root| {
                (root.is_empty() || root.ends_with('/'))
                    && (is_root(root) || alias.is_some() && end.contains('/'))
            })
        };
        if alias.is_none() && (!end.contains('/') || end.starts_with(['@', '.', '/'])) {
            return false;
        }
        let mut files = script_files(end);
        files.extend(COMPONENTS.iter().map(|own| format!("{end}.{own}")));
        files.iter().any(|file| is_own(self.old, file))
            && !files.iter().any(|file| self.remaining.has_end(file))
    }

    /// A path with the extension, of at least two parts.
    fn is_named_in_full(&self) -> bool {
        let text = self
            .text
            .trim_start_matches(['/', '@', '~', '.'])
            .trim_start_matches('/');
        if self.text.starts_with("..")
            || !text.ends_with(last(self.old))
            || !last(self.old).contains('.')
        {
            return false;
        }
        let is_long = text.contains('/');
        let is_at_root = || {
            let root = folder(self.old);
            let is_root = matches!(last(root), "templates" | "views");
            is_root && self.follows(TEMPLATES)
        };
        ends_with_parts(self.old, text)
            && (is_long || is_at_root())
            && !self.remaining.has_end(text)
    }

    /// The name of a template or partial without its extension.
    fn is_template(&self) -> bool {
        match extension(self.from) {
            "php" if self.follows(LARAVEL) => {
                let path = format!("views/{}", self.text.replace('.', "/"));
                let files = [format!("{path}.blade.php"), format!("{path}.php")];
                self.is_one_of(&files)
            }
            "rb" | "erb" | "haml" | "slim" | "jbuilder" if self.follows(RAILS) => {
                self.is_rails_template()
            }
            "js" | "ts" if self.lead.ends_with(".render(") => {
                let files = ["ejs", "hbs", "pug", "handlebars", "njk"]
                    .map(|own| format!("views/{}.{own}", self.text));
                self.is_one_of(&files)
            }
            "cshtml" | "razor" | "cs" if self.follows(RAZOR) => {
                let name = self.text.trim_end_matches(".cshtml");
                let own = format!("{}.cshtml", join(folder(self.from), name));
                let files = [format!("Shared/{name}.cshtml"), own];
                !name.contains('/') && self.is_one_of(&files)
            }
            _ => false,
        }
    }

    fn is_one_of(&self, files: &[String]) -> bool {
        files.iter().any(|file| ends_with_parts(self.old, file))
            && !files.iter().any(|file| self.remaining.has_end(file))
    }

    fn is_rails_template(&self) -> bool {
        let Some((_, home)) = self.from.split_once("app/") else {
            return false;
        };
        let own = folder(home);
        let own = own.strip_prefix("views/").map(str::to_owned).or_else(|| {
            let controller = home
                .strip_prefix("controllers/")?
                .strip_suffix("_controller.rb")?;
            Some(controller.to_owned())
        });
        let path = if self.text.contains('/') {
            self.text.trim_start_matches('/').to_owned()
        } else if let Some(own) = own {
            join(&own, self.text)
        } else {
            return false;
        };
        let names = [last(&path).to_owned(), format!("_{}", last(&path))];
        let names = names.map(|name| format!("app/views/{}.", join(folder(&path), &name)));
        let is_one = |file: &str| {
            names.iter().any(|name| {
                let at = file.find(name.as_str());
                at.is_some_and(|at| {
                    at == 0 || file.get(..at).is_some_and(|before| before.ends_with('/'))
                })
            })
        };
        is_one(self.old) && !self.remaining.has_any(is_one)
    }
}

/// The lines that import a Python module.
fn python_imports<'l>(
    from: &'l str,
    lines: &'l [(u32, &'l str)],
    old: &'l str,
    remaining: &'l Remaining<'_>,
) -> impl Iterator<Item = u32> + 'l {
    let mut guard = None;
    lines.iter().filter_map(move |(line, text)| {
        let statement = text.trim_start();
        let indent = text.len() - statement.len();
        if statement.is_empty() {
            return None;
        }
        let is_tried = guard.is_some_and(|own| indent > own);
        if !is_tried {
            guard = statement.starts_with("try:").then_some(indent);
        }
        let modules = if is_tried {
            Vec::new()
        } else {
            imported(statement)
        };
        modules
            .iter()
            .any(|module| is_module(from, module, old, remaining))
            .then_some(*line)
    })
}

/// The modules that an import statement may name.
fn imported(statement: &str) -> Vec<String> {
    let names = |list: &str| -> Vec<String> {
        let list = list.split('#').next().unwrap_or_default();
        let names = list
            .split(',')
            .filter_map(|name| name.trim_matches([' ', '(', ')', '\\']).split(' ').next());
        names
            .filter(|name| !name.is_empty() && *name != "*")
            .map(str::to_owned)
            .collect()
    };
    if let Some(list) = statement.strip_prefix("import ") {
        return names(list);
    }
    let Some((module, list)) = statement
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import "))
    else {
        return Vec::new();
    };
    let module = module.trim();
    let dot = if module.ends_with('.') { "" } else { "." };
    let below = names(list)
        .into_iter()
        .map(|name| format!("{module}{dot}{name}"));
    below.chain([module.to_owned()]).collect()
}

/// Whether a Python module was this file, and nothing else is it now.
fn is_module(from: &str, module: &str, old: &str, remaining: &Remaining<'_>) -> bool {
    let is_package = |path: &str| {
        let inside = format!("{path}/");
        remaining.has_any(|file| file.starts_with(&inside))
    };
    match relative(from, module) {
        Relative::To(base, path) => {
            let path = join(base, &path);
            let files = python_files(&path);
            files.iter().any(|file| file == old)
                && !files.iter().any(|file| remaining.has(file))
                && !is_package(&path)
        }
        Relative::Outside => false,
        Relative::No(path) => {
            let top = path.split('/').next().unwrap_or_default();
            let files = python_files(&path);
            let Some(root) = files
                .iter()
                .find_map(|file| old.strip_suffix(file.as_str()))
            else {
                return false;
            };
            let root = root.trim_end_matches('/');
            let is_whole = old.len() == root.len()
                || root.is_empty()
                || old.as_bytes().get(root.len()) == Some(&b'/');
            let is_around = root.is_empty()
                || from
                    .strip_prefix(root)
                    .is_some_and(|rest| rest.starts_with('/'));
            let is_root = is_around || ROOTS.contains(&last(root));
            let is_standard = STANDARD.split(' ').any(|name| name == top);
            is_whole
                && is_root
                && !is_standard
                && !is_package(&join(root, &path))
                && !files.iter().any(|file| remaining.has_end(file))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Gone, Remaining, references};

    fn found(from: &str, text: &str, old: &str, rest: &[&str]) -> Vec<u32> {
        let gone = [Gone {
            file: 0,
            old,
            new: None,
        }];
        let remaining = Remaining(rest.iter().copied().collect::<HashSet<_>>());
        references(from, text, &gone, &remaining)
            .into_iter()
            .map(|(_, line)| line)
            .collect()
    }

    #[test]
    fn a_reference_is_resolved_in_the_way_of_its_language() {
        for (from, text, old) in [
            (
                "templates/front/details.html",
                "{% include \"front/down.html\" %}",
                "templates/front/down.html",
            ),
            (
                "hc/views.py",
                "x = get_template(\n    \"front/down.html\")",
                "templates/front/down.html",
            ),
            (
                "app/A.php",
                "return view('shop.cart');",
                "resources/views/shop/cart.blade.php",
            ),
            (
                "resources/views/a.blade.php",
                "@include('shop.cart')",
                "resources/views/shop/cart.blade.php",
            ),
            (
                "app/views/cart/show.html.erb",
                "<%= render 'item' %>",
                "app/views/cart/_item.html.erb",
            ),
            (
                "app/views/a/b.html.erb",
                "<%= render partial: \"shared/x\" %>",
                "app/views/shared/_x.html.erb",
            ),
            (
                "app/controllers/cart_controller.rb",
                "render 'special'",
                "app/views/cart/special.html.erb",
            ),
            ("src/a/B.vue", "import C from './C.vue'", "src/a/C.vue"),
            (
                "src/a/B.vue",
                "import useCart from '@/lib/cart'",
                "src/lib/cart.ts",
            ),
            (
                "src/a.ts",
                "import '../src/side-effect'",
                "src/side-effect.js",
            ),
            (
                "src/a.js",
                "const x = await import('./pages/Cart')",
                "src/pages/Cart/index.jsx",
            ),
            ("src/a.js", "jest.mock('./cart')", "src/cart.js"),
            (
                "www/index.html",
                "<script src=\"js/app.js\"></script>",
                "www/js/app.js",
            ),
            ("a/b/c.py", "from a.mod import x", "a/mod.py"),
            ("a/b/c.py", "from .. import mod", "a/mod.py"),
            ("a/b/c.py", "import a.mod as m", "a/mod.py"),
            ("src/a.c", "#include \"util.h\"", "src/util.h"),
            ("lib/a.rb", "require_relative 'b/cart'", "lib/b/cart.rb"),
            (
                "inc/a.php",
                "require __DIR__ . '/cart.php';",
                "inc/cart.php",
            ),
            ("styles/a.scss", "@import 'cart';", "styles/_cart.scss"),
            (
                "routes/a.js",
                "res.render('cart/show')",
                "views/cart/show.ejs",
            ),
            (
                "Pages/Index.cshtml",
                "<partial name=\"_Cart\" />",
                "Pages/Shared/_Cart.cshtml",
            ),
            (
                ".github/workflows/a.yml",
                "run: python scripts/check.py --all",
                "scripts/check.py",
            ),
        ] {
            assert_eq!(found(from, text, old, &[]).len(), 1, "{from}: {text}");
        }
    }

    #[test]
    fn other_files_packages_and_names_of_another_file_are_no_reference() {
        for (from, text, old, rest) in [
            (
                "a.html",
                "{% include \"front/down.html\" %}",
                "x/front/down.html",
                &["y/front/down.html"][..],
            ),
            (
                "src/a.ts",
                "import x from './cart'",
                "src/cart.js",
                &["src/cart.ts"],
            ),
            (
                "src/a.ts",
                "import x from './cart'",
                "src/cart.js",
                &["src/cart/index.ts"],
            ),
            ("src/a.ts", "import x from './cart'", "lib/cart.js", &[]),
            ("src/a.ts", "import x from 'cart'", "src/cart.js", &[]),
            (
                "src/a.ts",
                "import x from '@acme/cart'",
                "packages/acme/cart.js",
                &[],
            ),
            ("a/c.py", "import json", "a/json.py", &[]),
            (
                "a/c.py",
                "try:\n    from a import mod\nexcept ImportError:\n    mod = None",
                "a/mod.py",
                &[],
            ),
            (
                "a/c.py",
                "from a import mod",
                "a/mod.py",
                &["a/mod/__init__.py"],
            ),
            ("src/a.c", "#include \"util.h\"", "lib/util.h", &[]),
            ("a.js", "show('cart')", "cart.js", &[]),
            ("a.js", "// import './cart'", "cart.js", &[]),
        ] {
            assert!(found(from, text, old, rest).is_empty(), "{from}: {text}");
        }
    }
}
