//! Go packages, by what their names refer to: imports may have aliases, and variables the names of packages.

use super::names::path;
use crate::semantics::symbols::go::{Owner, owner, package};
use crate::tree::Call;

/// The packages of the standard library that the table names.
const STANDARD: &[(&str, &[&str])] = &[
    ("exec", &["os/exec"]),
    ("filepath", &["path/filepath"]),
    ("fmt", &["fmt"]),
    ("http", &["net/http"]),
    ("io", &["io"]),
    ("ioutil", &["io/ioutil"]),
    ("net", &["net"]),
    ("os", &["os"]),
    ("regexp", &["regexp"]),
    ("syscall", &["syscall"]),
    ("template", &["html/template", "text/template"]),
    ("tls", &["crypto/tls"]),
];

/// The path of a callee as the table writes it.
pub(super) fn callee(call: &Call<'_>) -> String {
    let written = path(call.callee.trim_start_matches('\\'));
    let receiver = call
        .receiver
        .filter(|receiver| receiver.is_leaf() && receiver.tree().grammar().name() == "Go");
    let Some((name, found)) = receiver.and_then(|name| Some((name.text(), owner(name)?))) else {
        return written;
    };
    let Some(rest) = written.strip_prefix(name) else {
        return written;
    };
    match found {
        Owner::Package(imported) => {
            let known = package(imported).unwrap_or(name);
            if is_other(known, Some(imported)) {
                format!("{known}'{rest}")
            } else {
                format!("{known}{rest}")
            }
        }
        Owner::Own if is_other(name, None) => format!("{name}'{rest}"),
        Owner::Own => written,
    }
}

/// Whether a name is that of a standard library package but refers to something else.
fn is_other(name: &str, imported: Option<&str>) -> bool {
    let standard = STANDARD.iter().find(|(known, _)| *known == name);
    standard.is_some_and(|(_, paths)| imported.is_none_or(|path| !paths.contains(&path)))
}
