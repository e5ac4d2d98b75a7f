//! Columns that code uses through the model of their table.

use crate::keys::kinds::{KeyUse, is_word};
use crate::keys::text::{extension, last_word, stem};
use crate::text::occurrences;

/// The model of a table, as code names it.
pub(super) struct Model {
    /// In lower case and without underscores.
    name: String,
    /// The code is in the model's own file.
    is_own_file: bool,
}

impl Model {
    /// The model of a table in a file of code.
    pub(super) fn of(path: &str, table: &str) -> Option<Self> {
        const CODE: &[&str] = &[
            "rb", "erb", "haml", "slim", "jbuilder", "py", "php", "js", "ts", "tsx", "java", "kt",
            "go", "cs", "rs",
        ];
        let singular = match table.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => table.strip_suffix('s').unwrap_or(table).to_owned(),
        };
        let name = plain(&singular);
        let is_code = CODE.contains(&extension(path)) && name.len() > 2;
        is_code.then(|| Self {
            is_own_file: plain(stem(path)) == name,
            name,
        })
    }

    /// How a line uses a column of the model: as a member of a value with the model's name, or in a query.
    pub(super) fn column_use(&self, line: u32, text: &str, column: &str) -> Option<KeyUse> {
        const DEFINITIONS: &[&str] = &[
            "def ", "fun ", "function ", "func ", "attribute :", "accessor :", "alias_attribute :",
        ];
        occurrences(text, column, is_word).find_map(|(lead, after)| {
            if DEFINITIONS.iter().any(|own| lead.ends_with(own)) {
                return Some(KeyUse::Defined);
            }
            let is_member = receiver(lead).is_some_and(|receiver| self.is_named(receiver))
                && !after.starts_with('(');
            (is_member || self.is_in_query(lead, after)).then_some(KeyUse::Read {
                line,
                is_certain: false,
            })
        })
    }

    /// Whether a value has the name of the model, as `current_user` has, or is the model's own object.
    fn is_named(&self, receiver: &str) -> bool {
        let is_self = matches!(receiver, "self" | "this" | "$this");
        is_self && self.is_own_file || plain(receiver).ends_with(&self.name)
    }

    /// Whether a column is an argument of a query of the model.
    fn is_in_query(&self, lead: &str, after: &str) -> bool {
        const QUERIES: &[&str] = &[
            "where", "order", "pluck", "select", "findby", "groupby", "orderby", "wherein",
        ];
        let is_argument = lead.ends_with(['"', '\'', ':']) || after.starts_with(':');
        let call = lead.rfind('(').and_then(|at| last_word(lead.get(..at)?));
        let is_query = call.is_some_and(|call| QUERIES.contains(&plain(call).as_str()));
        is_argument && is_query && (self.is_own_file || plain(lead).contains(&self.name))
    }
}

/// A name in lower case and without underscores.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

/// The last name before the operator with which a text ends.
fn receiver(lead: &str) -> Option<&str> {
    let before = lead
        .strip_suffix('.')
        .or_else(|| lead.strip_suffix("->"))?
        .trim_end_matches(['?', '&', '!']);
    last_word(before)
}
