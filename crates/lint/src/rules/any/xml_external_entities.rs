//! An XML parser that fetches what the document names.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/xml-external-entities",
    languages: &["Java", "Kotlin"],
    title: "XML parser that follows external entities",
    why: "By default Java's XML parsers read the files and addresses that a document names. A document from outside can so read files of the server, reach hosts \
          inside the network, or fill the memory.",
    fix: "Switch document types off: setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true); for StAX set SUPPORT_DTD to false; for \
          transformers set ACCESS_EXTERNAL_DTD and ACCESS_EXTERNAL_STYLESHEET to \"\".",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.7,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["method_invocation", "object_creation_expression"]), run },
    fires: &[
        "path: src/A.java\n+Document load(InputStream in) throws Exception {\n+    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();\n^\n+    return factory.newDocumentBuilder().parse(in);\n+}\n",
        "path: src/A.java\n+Object load(InputStream in) throws Exception {\n+    SAXReader reader = new SAXReader();\n^\n+    return reader.read(in);\n+}\n",
    ],
    quiet: &[
        "path: src/A.java\n+Document load(InputStream in) throws Exception {\n+    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();\n+    factory.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true);\n+    return factory.newDocumentBuilder().parse(in);\n+}\n",
        "path: src/A.java\n@@ Document load(InputStream in) throws Exception {\n+    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();\n     factory.setNamespaceAware(true);\n",
        "path: src/A.java\n+Document empty() throws Exception {\n+    return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();\n+}\n",
    ],
};

/// Factories, and what has to be called to make what comes out of them safe.
const PARSERS: &[&str] = &[
    "DocumentBuilderFactory",
    "SAXParserFactory",
    "XMLInputFactory",
    "TransformerFactory",
    "SAXTransformerFactory",
    "SchemaFactory",
    "XMLReaderFactory",
    "SAXReader",
    "SAXBuilder",
    "XPathFactory",
];

/// Uses that take a document from somewhere.
const READS: &[&str] = &[
    ".parse(",
    ".read(",
    ".build(",
    "createXMLStreamReader(",
    "createXMLEventReader(",
    ".unmarshal(",
    ".transform(",
    ".newSchema(",
    "newTransformer(",
    "newTemplates(",
    "createFilteredReader(",
    "newXMLFilter(",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let maker =
        if node.is(&["object_creation_expression"]) { call.callee } else { call.receiver.map_or("", Node::text) };
    let made = maker.rsplit('.').next().unwrap_or(maker);
    let makes = PARSERS.contains(&made)
        && (node.is(&["object_creation_expression"]) && matches!(made, "SAXReader" | "SAXBuilder")
            || matches!(
                call.name,
                "newInstance" | "newFactory" | "newDefaultInstance" | "createXMLReader" | "newDefaultFactory"
            ));
    if !makes || made == "XPathFactory" {
        return;
    }
    let Some(function) = node.enclosing(Role::Function).filter(|function| function.is_within_hunk()) else { return };
    let text = function.text();
    let hardened = [
        "setFeature(",
        "setProperty(",
        "setAttribute(",
        "setXIncludeAware(false",
        "setEntityResolver",
        "setXMLResolver",
        "secure",
        "Secure",
        "harden",
        "configure",
        "disallow",
        "setExpandEntityReferences(false",
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
                "The parser made by `{}` reads whatever files and addresses the document names.",
                quote(node.text())
            ),
        );
    }
}
