//! Purposes for which a value is used.

/// The purpose for which a value is used. The same value may be harmless for one purpose and not for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text of an SQL statement.
    Sql,
    /// A query object of a document database.
    NoSql,
    /// The program to run.
    Command,
    /// A command line, which a shell interprets or which is split at its blanks.
    CommandLine,
    /// Code of the language itself.
    Code,
    /// The source text of a template.
    Template,
    /// The name of a file.
    Path,
    /// The URL of a request that the server makes.
    Url,
    /// The URL that the browser is redirected to.
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
    /// Data that is deserialized into objects.
    Deserialise,
    /// An XML document.
    Xml,
    /// A format string.
    Format,
}
