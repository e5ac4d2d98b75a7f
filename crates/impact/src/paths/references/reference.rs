//! A string that may be the path of a removed file, and the ways to resolve it.

use super::paths::Remaining;
use crate::keys::{ends_with_call, extension};
use crate::paths::modules::{SCRIPTS, folder, join, last, normalized, root_of, script_files};

/// Files that imports of scripts may refer to without naming the extension.
const COMPONENTS: &[&str] = &["vue", "svelte", "astro", "json"];
/// Files that import like scripts.
const IMPORTING: &[&str] = &["vue", "svelte", "astro", "mdx", "html"];
/// The text before the path of an import.
const IMPORTS: &[&str] = &[
    "from", "import", "import(", "require(", "require.resolve(", "mock(", "importActual(",
    "requireActual(", "lazy(",
];
/// The text before the name of a template.
const TEMPLATES: &[&str] = &[
    "include", "extends", "render(", "render", "get_template(", "select_template(",
    "render_template(", "render_to_string(", "template_name =", "template_name=", "template=",
    "template:", "embed", "{% import", "{% from", "include(", "View(", "TemplateResponse(",
    "render_to_response(", "import",
];
/// The text before a path relative to the file's own folder.
const PATHS: &[&str] = &[
    "src=", "href=", "#include", "include", "include_once", "require", "require_once",
    "require_relative", "@import", "@use", "@forward", "url(", "include(", "require(",
    "include_once(", "require_once(",
];

/// A string of a file that may be the path of a removed file.
pub(super) struct Reference<'r> {
    pub(super) from: &'r str,
    pub(super) lead: &'r str,
    pub(super) text: &'r str,
    pub(super) old: &'r str,
    pub(super) remaining: &'r Remaining<'r>,
}

impl Reference<'_> {
    pub(super) fn follows(&self, calls: &[&str]) -> bool {
        calls.iter().any(|call| ends_with_call(self.lead, call))
    }

    fn is_import_of_script(&self) -> bool {
        let own = extension(self.from);
        (SCRIPTS.contains(&own) || IMPORTING.contains(&own)) && self.follows(IMPORTS)
    }

    /// A path relative to the folder of the file.
    pub(super) fn is_relative(&self) -> bool {
        let here = [
            "__DIR__ .", "__DIR__.", "__dirname +", "dirname(__FILE__) .",
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
    pub(super) fn is_alias(&self) -> bool {
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
    pub(super) fn is_named_in_full(&self) -> bool {
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
        root_of(self.old, text).is_some()
            && (is_long || is_at_root())
            && !self.remaining.has_end(text)
    }
}
