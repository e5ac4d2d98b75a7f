//! Code in which imported names are written out: `md5(text)` as `hashlib.md5(text)` after `from hashlib import md5`.
//!
//! Rules name functions of libraries by their paths. Code that imports a function by its name, or under another name, is read a
//! second time in this form, so rules need not know how it was imported. Lines stay the same.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};

use super::borrowed::required;
use super::{DefKind, Symbols};
use crate::tree::{Node, Tree};

/// The modules of Python that rules name by their paths.
const PYTHON: &[&str] = &[
    "asyncio", "codecs", "crypt", "dill", "ftplib", "hashlib", "hmac", "httpx", "io", "jose",
    "json", "jwt", "logging", "marshal", "os", "paramiko", "pickle", "random", "re", "requests",
    "secrets", "shelve", "shutil", "smtplib", "socket", "ssl", "subprocess", "tarfile",
    "telnetlib", "tempfile", "time", "urllib", "urllib3", "uuid", "xml", "yaml", "zipfile",
];
/// The modules of Node.js that rules name by their usual names.
const NODE: &[&str] = &[
    "child_process", "crypto", "fs", "http", "https", "os", "path", "tls", "url", "vm",
];

/// A file whose imported names are written out.
#[derive(Debug, PartialEq, Eq)]
pub struct WrittenOut {
    /// Its text.
    pub text: String,
    /// The lines in which a use of a name was written out.
    pub lines: HashSet<u32>,
}

/// The text of a whole file with the imported names in changed lines written out; `None` if there are none.
#[must_use]
pub fn written_out(tree: &Tree<'_>) -> Option<WrittenOut> {
    let symbols = Symbols::of(tree).filter(|_| tree.is_readable_file())?;
    let import: fn(Node<'_>) -> Option<Import> = match tree.grammar().name() {
        "Python" => import_of_python,
        "JavaScript" | "TypeScript" | "TSX" => import_of_script,
        _ => return None,
    };
    // The names that the file defines itself.
    let own = LazyCell::new(|| -> HashSet<&str> {
        let defined = symbols
            .symbols()
            .filter(|symbol| symbol.kind != DefKind::Import);
        defined
            .filter_map(|symbol| symbol.definitions(tree).next())
            .map(Node::text)
            .collect()
    });
    let is_taken = |path: &str| own.contains(path.split('.').next().unwrap_or_default());
    let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let mut lines = HashSet::new();
    for symbol in symbols.symbols() {
        let mut definitions = symbol.definitions(tree);
        let (Some(name), None) = (definitions.next(), definitions.next()) else {
            continue;
        };
        let may_be_import = matches!(symbol.kind, DefKind::Import | DefKind::Variable);
        let Some(import) = Some(name).filter(|_| may_be_import).and_then(import) else {
            continue;
        };
        let uses: Vec<Node<'_>> = symbol
            .uses(tree)
            .filter(|used| used.touches_change() && used.is(&["identifier"]))
            .collect();
        if uses.is_empty() || is_taken(&import.path) {
            continue;
        }
        let (start, end, text) = import.as_written;
        edits.insert(start, (end, text));
        for used in uses {
            edits.insert(used.start(), (used.end(), import.path.clone()));
            lines.extend(used.line());
        }
    }
    if lines.is_empty() {
        return None;
    }
    let text = tree.source();
    let (mut made, mut at) = (String::with_capacity(text.len()), 0);
    for (start, (end, new)) in edits {
        made.push_str(text.get(at..start)?);
        made.push_str(&new);
        at = end;
    }
    made.push_str(text.get(at..)?);
    Some(WrittenOut { text: made, lines })
}

/// An import that binds a name other than the path.
struct Import {
    path: String,
    /// The range of the text that has to change so that the path can be used, and the new text.
    as_written: (usize, usize, String),
}

/// An import of Python under another name, or by a name of a module.
fn import_of_python(name: Node<'_>) -> Option<Import> {
    let statement = name
        .ancestors()
        .find(|around| around.is(&["import_statement", "import_from_statement"]))?;
    let alias = name
        .ancestors()
        .take(2)
        .find(|around| around.is(&["aliased_import"]));
    let original = alias
        .map_or(Some(name), |alias| alias.field("name"))?
        .text();
    let (path, as_written) = if statement.is(&["import_from_statement"]) {
        let module = statement.field("module_name")?.text();
        let start = statement.start();
        let also = format!("import {module}; ");
        (format!("{module}.{original}"), (start, start, also))
    } else {
        let alias = alias?;
        (
            original.to_owned(),
            (alias.start(), alias.end(), original.to_owned()),
        )
    };
    let root = path.split('.').next().unwrap_or_default();
    PYTHON
        .contains(&root)
        .then_some(Import { path, as_written })
}

/// An import of JavaScript that binds a member or a module of Node.js to another name.
fn import_of_script(name: Node<'_>) -> Option<Import> {
    let around = name.parent()?;
    let (path, renamed) = match around.kind() {
        "import_specifier" => {
            let original = around
                .field("name")
                .filter(|original| *original != name && original.text() != "default")?;
            (original.text().to_owned(), around)
        }
        "pair_pattern" => {
            let original = around
                .field("key")
                .filter(|key| key.is(&["property_identifier"]))?;
            required_by(around.parent()?.parent()?)?;
            (original.text().to_owned(), around)
        }
        "namespace_import" | "import_clause" => {
            let statement = name
                .ancestors()
                .find(|around| around.is(&["import_statement"]))?;
            (module(statement.field("source")?)?, name)
        }
        "variable_declarator" if around.field("name") == Some(name) => {
            (module(required_by(around)?)?, name)
        }
        _ => return None,
    };
    let as_written = (renamed.start(), renamed.end(), path.clone());
    (path != name.text()).then_some(Import { path, as_written })
}

/// The argument of `require` in a declaration.
fn required_by(declarator: Node<'_>) -> Option<Node<'_>> {
    let value = declarator.field("value")?;
    required(value, &["require"]).filter(|_| !value.is(&["await_expression"]))
}

/// The usual name of a module of Node.js.
fn module(source: Node<'_>) -> Option<String> {
    let name = source.string_value()?.trim_start_matches("node:");
    NODE.contains(&name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::written_out;
    use crate::tree::testing::with_tree;

    fn text(language: &str, code: &str) -> Option<String> {
        with_tree(language, code, |tree| Some(written_out(tree)?.text))
    }

    #[test]
    fn names_of_python_become_paths() {
        let code = "import os\nimport hashlib as h\nfrom subprocess import run as start, PIPE\nfrom .own import md5\n\
                    def f(run):\n    return h.md5(start(run, stdout=PIPE)), os.path, md5";
        let expected = "import os\nimport hashlib\nimport subprocess; from subprocess import run as start, PIPE\nfrom .own import md5\n\
                        def f(run):\n    return hashlib.md5(subprocess.run(run, stdout=subprocess.PIPE)), os.path, md5";
        assert_eq!(
            text("Python", code).as_deref().map(str::trim_end),
            Some(expected)
        );
        for code in [
            "import hashlib\nhashlib.md5(a)",
            "from hashlib import md5\nif a:\n    md5 = b\nmd5(c)",
            "from hashlib import md5\nhashlib = own\nmd5(c)",
            "from own import md5\nmd5(c)",
        ] {
            assert_eq!(text("Python", code), None, "{code}");
        }
    }

    #[test]
    fn names_of_scripts_are_the_usual_ones() {
        let code = "import { createHash as make } from 'crypto';\nimport * as cp from 'node:child_process';\n\
                    const { exec: run } = require('child_process');\nconst files = require('fs');\nimport { a } from './a';\n\
                    make(cp.exec, run(files.read), a);";
        let expected = "import { createHash } from 'crypto';\nimport * as child_process from 'node:child_process';\n\
                        const { exec } = require('child_process');\nconst fs = require('fs');\nimport { a } from './a';\n\
                        createHash(child_process.exec, exec(fs.read), a);";
        assert_eq!(
            text("JavaScript", code).as_deref().map(str::trim_end),
            Some(expected)
        );
    }
}
