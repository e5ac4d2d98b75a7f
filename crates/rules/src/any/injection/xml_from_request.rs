//! XML from a request, parsed by a parser that resolves external entities.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/xml-from-request",
    languages: &["Java", "Python", "JavaScript", "TypeScript", "TSX", "PHP"],
    title: "Untrusted XML parsed with external entities",
    why: "An XML document can refer to files and URLs whose content the parser inserts. The sender can read files of \
          the server, reach hosts of its network, or exhaust its memory with a few lines of nested entities.",
    fix: "Disable document types and external entities in the parser before it reads untrusted input.",
    references: &["CWE-611", "CWE-776"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ void load(HttpServletRequest request) throws Exception {
         SAXParser parser = SAXParserFactory.newInstance().newSAXParser();
+        parser.parse(request.getInputStream(), handler);
^
"#,
        r#"
path: src/a.py
+import lxml.etree
+def load():
+    return lxml.etree.fromstring(request.data)
^
"#,
        r#"
path: src/a.js
 app.post("/", (req, res) => {
+  const doc = libxmljs.parseXml(req.body, { noent: true });
^
   res.send(doc);
 });
"#,
        r#"
path: src/a.php
 <?php
+$order = simplexml_load_string($_POST["order"], "SimpleXMLElement", LIBXML_NOENT);
^
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void load(HttpServletRequest request) throws Exception {
         SAXParserFactory factory = SAXParserFactory.newInstance();
         factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
+        factory.newSAXParser().parse(request.getInputStream(), handler);
"#,
        r#"
path: src/A.java
@@ void load(HttpServletRequest request) throws Exception {
+        mapper.parse(request.getInputStream());
"#,
        r#"
path: src/a.js
 app.post("/", (req, res) => {
+  const doc = libxmljs.parseXml(req.body);
   res.send(doc);
 });
"#,
        r#"
path: src/a.py
+import defusedxml.ElementTree
+def load():
+    return defusedxml.ElementTree.fromstring(request.data)
"#,
        r#"
path: src/a.php
 <?php
+$order = simplexml_load_string($_POST["order"]);
"#,
    ],
};

/// Words that show that an XML parser is used.
const PARSERS: &[&str] = &[
    "DocumentBuilder", "SAX", "XMLReader", "XMLInputFactory", "Transformer", "SchemaFactory",
    "Unmarshaller", "Persister", "persister", "NodeBuilder", "Provider", "Formatter", "XPath",
    "XmlInputFactory", "WstxInputFactory", "InputSource", "lxml", "sax", "noent: true",
    "noent:true", "LIBXML_",
];

/// Settings that keep a parser from resolving references; each row is enough if it is complete.
const HARDENED: &[&[&str]] = &[
    &["disallow-doctype-decl\", true"],
    &["SUPPORT_DTD, false"],
    &["supportDTD\", false"],
    &["ACCESS_EXTERNAL_DTD, \"\"", "ACCESS_EXTERNAL_S"],
    &[
        "external-general-entities\", false", "external-parameter-entities\", false",
        "load-external-dtd\", false",
    ],
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
    let is_hard = HARDENED
        .iter()
        .any(|settings| settings.iter().all(|setting| around.contains(setting)));
    if is_xml && !is_hard {
        tainted::report(
            node,
            Kind::Xml,
            "is parsed as XML, including any files and URLs that it refers to",
            sink,
        );
    }
}
