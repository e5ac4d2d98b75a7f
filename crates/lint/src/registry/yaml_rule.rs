//! A YAML rule of a language.
//!
//! Reading a rule and compiling it for a language costs as much as scanning a small file, so both are done when the
//! rule first examines a node. Until then, the rows of the built-in rules are enough ([`PrefilterRow`]).

use std::sync::{Arc, OnceLock};

use syntax::language::Grammar;

use super::catalog::Catalog;
use super::table::PrefilterRow;
use crate::rule::Source;
use crate::rule::yaml::{Document, Pattern, RequiredLiterals};

/// A YAML rule, read and compiled for one language on first use.
pub(crate) struct YamlRule {
    origin: Origin,
    document: OnceLock<Option<Arc<Document>>>,
    pattern: OnceLock<Result<Pattern, String>>,
}

enum Origin {
    /// The catalog that it is in, its ID and its row.
    BuiltIn(&'static Catalog, &'static str, &'static PrefilterRow),
    Custom(String),
}

impl YamlRule {
    /// A built-in rule; `None` if it is written in Rust or not for this language.
    pub(crate) fn built_in(
        catalog: &'static Catalog,
        source: Source,
        grammar: Grammar,
    ) -> Option<Self> {
        let row = catalog
            .prefilter(source.id(), grammar)
            .filter(|_| source.rule().is_none())?;
        Some(Self {
            origin: Origin::BuiltIn(catalog, source.id(), row),
            document: OnceLock::new(),
            pattern: OnceLock::new(),
        })
    }

    /// A custom rule; `None` if it is not for this language.
    pub(crate) fn custom(document: &Arc<Document>, grammar: Grammar) -> Option<Self> {
        if !document.is_for(grammar) {
            return None;
        }
        let origin = Origin::Custom(document.id.clone());
        Some(Self {
            origin,
            document: OnceLock::from(Some(Arc::clone(document))),
            pattern: OnceLock::new(),
        })
    }

    pub(crate) fn id(&self) -> &str {
        match &self.origin {
            Origin::BuiltIn(_, id, _) => id,
            Origin::Custom(id) => id,
        }
    }

    /// The rule, in its compact form if it is built-in; `None` if that cannot be read, which a test excludes.
    pub(crate) fn document(&self) -> Option<&Document> {
        let read = || match &self.origin {
            Origin::BuiltIn(catalog, id, _) => catalog.compact_document(id).map(Arc::new),
            Origin::Custom(_) => None,
        };
        self.document.get_or_init(read).as_deref()
    }

    /// The literals that it requires to match anything.
    pub(super) fn needs(&self, grammar: Grammar) -> RequiredLiterals {
        match &self.origin {
            Origin::BuiltIn(.., row) => row.literals(),
            Origin::Custom(_) => self
                .document()
                .map(|document| document.needs(grammar))
                .unwrap_or_default(),
        }
    }

    /// The node kinds that it can match.
    pub(super) fn kinds(&self, grammar: Grammar) -> &[u16] {
        match &self.origin {
            Origin::BuiltIn(.., row) => row.kinds,
            Origin::Custom(_) => self
                .compiled(grammar)
                .map(|(_, pattern)| pattern.kinds.as_slice())
                .unwrap_or_default(),
        }
    }

    /// The rule and its pattern for a language, which must always be the same one.
    ///
    /// # Errors
    /// Why it cannot be compiled.
    pub(crate) fn compiled(&self, grammar: Grammar) -> Result<(&Document, &Pattern), &str> {
        let document = self.document().ok_or("it cannot be read")?;
        let pattern = self
            .pattern
            .get_or_init(|| document.compile(grammar))
            .as_ref();
        pattern
            .map(|pattern| (document, pattern))
            .map_err(String::as_str)
    }
}
