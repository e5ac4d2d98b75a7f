//! XML of a request, read by a parser that follows what it names.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, Rule, Sink, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/xml-from-request",
    languages: &["Java", "Python", "JavaScript", "TypeScript", "TSX", "PHP"],
    title: "XML from outside read with external entities on",
    why: "An XML document can name files and addresses that the parser puts in their place. Whoever sends it reads files of \
          the server, reaches hosts inside its network, or fills its memory with a few lines that unfold.",
    fix: "Switch document types and external entities off in the parser before it reads what came from outside.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.7,
    tests: Tests::Skip,
    check: Check::Node { on: taint::ON, run },
    fires: &[
        "path: src/A.java\n@@ void load(HttpServletRequest request) throws Exception {\n         SAXParser parser = SAXParserFactory.newInstance().newSAXParser();\n+        parser.parse(request.getInputStream(), handler);\n^\n",
        "path: src/a.py\n+import lxml.etree\n+def load():\n+    return lxml.etree.fromstring(request.data)\n^\n",
        "path: src/a.js\n app.post(\"/\", (req, res) => {\n+  const doc = libxmljs.parseXml(req.body, { noent: true });\n^\n   res.send(doc);\n });\n",
    ],
    quiet: &[
        "path: src/A.java\n@@ void load(HttpServletRequest request) throws Exception {\n         SAXParserFactory factory = SAXParserFactory.newInstance();\n         factory.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true);\n+        factory.newSAXParser().parse(request.getInputStream(), handler);\n",
        "path: src/A.java\n@@ void load(HttpServletRequest request) throws Exception {\n+        mapper.parse(request.getInputStream());\n",
        "path: src/a.js\n app.post(\"/\", (req, res) => {\n+  const doc = libxmljs.parseXml(req.body);\n   res.send(doc);\n });\n",
    ],
};

/// What tells that a parser of XML is at work.
const PARSERS: &[&str] = &[
    "DocumentBuilder",
    "SAX",
    "XMLReader",
    "XMLInputFactory",
    "Transformer",
    "SchemaFactory",
    "Unmarshaller",
    "Persister",
    "persister",
    "NodeBuilder",
    "Provider",
    "Formatter",
    "CDAUtil",
    "XPath",
    "XmlInputFactory",
    "WstxInputFactory",
    "InputSource",
    "lxml",
    "sax",
    "noent: true",
    "noent:true",
    "LIBXML_",
];

/// Settings that keep a parser from following anything; each row is enough, if all of it is there.
const HARDENED: &[&[&str]] = &[
    &["disallow-doctype-decl\", true"],
    &["SUPPORT_DTD, false"],
    &["supportDTD\", false"],
    &["ACCESS_EXTERNAL_DTD, \"\"", "ACCESS_EXTERNAL_S"],
    &["external-general-entities\", false", "external-parameter-entities\", false", "load-external-dtd\", false"],
    &["resolve_entities=False"],
    &["defusedxml"],
    &["setEntityResolver"],
    &["setXMLResolver"],
    &["secure"],
    &["Secure"],
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if taint::sinks(node, Kind::Xml).is_empty() {
        return;
    }
    let around = node.enclosing(Role::Function).unwrap_or(node).text();
    let is_xml = PARSERS.iter().any(|parser| around.contains(parser));
    let is_hard = HARDENED.iter().any(|settings| settings.iter().all(|setting| around.contains(setting)));
    if is_xml && !is_hard {
        taint::report(node, Kind::Xml, "is read as XML, with whatever files and addresses it names", sink);
    }
}
