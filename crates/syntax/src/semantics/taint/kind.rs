//! What a value is used for.

/// What a value is used for. The same value may be harmless for one purpose and not for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text of an SQL statement.
    Sql,
    /// A query object of a document database.
    NoSql,
    /// A line for a shell, or the program to run.
    Command,
    /// Code of the language itself.
    Code,
    /// The source text of a template.
    Template,
    /// Name of a file.
    Path,
    /// Address of a request that the server makes.
    Url,
    /// Address that the browser is sent to.
    Redirect,
    /// Markup that a browser shows.
    Html,
    /// A line of a log.
    Log,
    /// An XPath expression.
    Xpath,
    /// An LDAP filter or name.
    Ldap,
    /// A regular expression.
    Pattern,
    /// Data that is turned back into objects.
    Deserialise,
    /// An XML document.
    Xml,
    /// A format, which says how the values after it are shown.
    Format,
}
