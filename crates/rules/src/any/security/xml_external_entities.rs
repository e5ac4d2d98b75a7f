//! An XML parser that loads external entities of a document.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/xml-external-entities",
    languages: &["Java", "Kotlin"],
    title: "XML parser with external entities enabled",
    why: "By default, Java's XML parsers load the files and URLs that a document refers to. An untrusted document can \
          read files of the server, reach hosts of the internal network, or exhaust the memory.",
    fix: "Disable document types: `setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true)`. For \
          StAX set `SUPPORT_DTD` to false; for transformers set `ACCESS_EXTERNAL_DTD` and \
          `ACCESS_EXTERNAL_STYLESHEET` to the empty string.",
    references: &["CWE-611"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "method_invocation", "object_creation_expression", "call_expression",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
+Document load(InputStream in) throws Exception {
+    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
^
+    return factory.newDocumentBuilder().parse(in);
+}
"#,
        r#"
path: src/A.java
+Object load(InputStream in) throws Exception {
+    SAXReader reader = new SAXReader();
^
+    return reader.read(in);
+}
"#,
        r#"
path: src/a.kt
+fun load(input: InputStream): Document {
+    val factory = DocumentBuilderFactory.newInstance()
^
+    return factory.newDocumentBuilder().parse(input)
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
+Document load(InputStream in) throws Exception {
+    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
+    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
+    return factory.newDocumentBuilder().parse(in);
+}
"#,
        r#"
path: src/A.java
@@ Document load(InputStream in) throws Exception {
+    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
     factory.setNamespaceAware(true);
"#,
        r#"
path: src/A.java
+Document empty() throws Exception {
+    return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
+}
"#,
        r#"
path: src/a.kt
+fun load(input: InputStream): Document {
+    val factory = DocumentBuilderFactory.newInstance()
+    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)
+    return factory.newDocumentBuilder().parse(input)
+}
"#,
    ],
};

/// Factories of XML parsers, and parsers that are created directly.
const PARSERS: &[&str] = &[
    "DocumentBuilderFactory", "SAXParserFactory", "XMLInputFactory", "TransformerFactory",
    "SAXTransformerFactory", "SchemaFactory", "XMLReaderFactory", "SAXReader", "SAXBuilder",
    "XPathFactory",
];

/// Calls that read a document.
const READS: &[&str] = &[
    ".parse(", ".read(", ".build(", "createXMLStreamReader(", "createXMLEventReader(",
    ".unmarshal(", ".transform(", ".newSchema(", "newTransformer(", "newTemplates(",
    "createFilteredReader(", "newXMLFilter(",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let maker = if node.is(&["object_creation_expression"]) {
        call.callee
    } else {
        call.receiver.map_or("", Node::text)
    };
    let made = maker.rsplit('.').next().unwrap_or(maker);
    let makes = PARSERS.contains(&made)
        && (node.is(&["object_creation_expression"]) && matches!(made, "SAXReader" | "SAXBuilder")
            || matches!(
                call.name,
                "newInstance"
                    | "newFactory"
                    | "newDefaultInstance"
                    | "createXMLReader"
                    | "newDefaultFactory"
            ));
    if !makes || made == "XPathFactory" {
        return;
    }
    let Some(function) = node
        .enclosing(Role::Function)
        .filter(|function| function.is_within_hunk())
    else {
        return;
    };
    let text = function.text();
    let hardened = [
        "setFeature(", "setProperty(", "setAttribute(", "setXIncludeAware(false",
        "setEntityResolver", "setXMLResolver", "secure", "Secure", "harden", "configure",
        "disallow", "setExpandEntityReferences(false",
    ]
    .iter()
    .any(|word| text.contains(word));
    let reads = READS.iter().any(|word| text.contains(word));
    let transforms_only = matches!(made, "TransformerFactory" | "SAXTransformerFactory")
        && (text.contains("new DOMSource(") || text.contains("newTransformer()"))
        && !text.contains("new StreamSource(")
        && !text.contains("new SAXSource(");
    if reads && !hardened && !transforms_only {
        sink.report(
            node,
            format!(
                "The parser created by `{}` loads any file or URL that the document refers to.",
                quote(node.text())
            ),
        );
    }
}
