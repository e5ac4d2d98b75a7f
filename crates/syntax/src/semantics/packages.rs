//! The package or namespace that a file belongs to, and the statements that import names.

use crate::tree::Node;

/// The statement that names the package or namespace of a file.
pub fn package_statement(root: Node<'_>) -> Option<Node<'_>> {
    const PACKAGES: &[&str] = &[
        "package_clause", "package_declaration", "package_header", "namespace_definition",
        "namespace_declaration", "file_scoped_namespace_declaration",
    ];
    root.named_children().find(|node| node.is(PACKAGES))
}

/// The package of a whole file as the file names it, without white space; empty if it names none.
pub fn package(root: Node<'_>) -> String {
    let Some(statement) = package_statement(root) else {
        return String::new();
    };
    let name = statement.field("name").or_else(|| {
        statement
            .named_children()
            .find(|child| child.kind().contains("identifier"))
    });
    name.map(|name| name.text().split_whitespace().collect())
        .unwrap_or_default()
}

/// Whether a node is a statement that imports names.
#[must_use]
pub fn is_import(node: Node<'_>) -> bool {
    node.is(&[
        "import_declaration", "import_header", "import_statement", "import_from_statement",
        "use_declaration", "using_directive", "namespace_use_declaration",
    ])
}
