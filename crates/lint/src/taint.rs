//! Where a value comes from: a light look at the flow of data inside one function.
//!
//! [`source`] follows a value back through assignments, concatenation, formatting, collections and the calls that only
//! pass text on, and says which piece of the request it holds. [`built`] says which changing piece was put into a text
//! that was glued together. Both stop at what makes a value harmless for the purpose at hand, and at whatever they do
//! not know: then they are silent. What sources, sinks and cleaners are is data, one row a language, in
//! [`table`](self::table).

mod table;

use crate::grammar::Role;
use crate::node::Node;
use crate::syntax::{Call, Operation};
use table::{Arg, Row};

/// What a value is used for. The same value may be harmless for one purpose and not for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
}

/// How many nodes one question may look at.
const STEPS: u32 = 200;

/// How many names it may follow; each walks over what stands before it.
const NAMES: u32 = 12;

/// How far before its use a variable's settings are looked for, in nodes: some hundred lines.
const WINDOW: usize = 2_500;

/// The piece of a request that a value holds, when it is used for `kind`.
pub(crate) fn source<'t>(value: Node<'t>, kind: Kind) -> Option<Node<'t>> {
    let row = Row::of(value)?;
    Trace { row, kind, dynamic: false, steps: STEPS, names: NAMES, open: Vec::new() }.look(value)
}

/// A text that was put together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Built<'t> {
    /// A changing piece of it.
    pub(crate) piece: Node<'t>,
    /// A constant piece of it, or the literal that the changing ones are put into.
    pub(crate) text: Node<'t>,
}

/// A text that was put together with changing pieces by concatenation, formatting or interpolation.
pub(crate) fn built<'t>(value: Node<'t>, kind: Kind) -> Option<Built<'t>> {
    let row = Row::of(value)?;
    Trace { row, kind, dynamic: true, steps: STEPS, names: NAMES, open: Vec::new() }.built(value)
}

/// The first value that a call or an assignment hands to something dangerous, with the piece of the request in it.
pub(crate) fn flow<'t>(node: Node<'t>, kind: Kind) -> Option<(Node<'t>, Node<'t>)> {
    sinks(node, kind).into_iter().find_map(|value| Some((value, source(value, kind)?)))
}

/// Where a call or an assignment hands a value on to something dangerous of this kind.
pub(crate) fn sinks<'t>(node: Node<'t>, kind: Kind) -> Vec<Node<'t>> {
    let Some(row) = Row::of(node) else { return Vec::new() };
    if let Some(call) = node.call() {
        return call_sinks(row, &call, kind);
    }
    let assignment = node.assignment().filter(|_| !row.fields.is_empty());
    let set = assignment.filter(|assignment| {
        let target = assignment.target;
        let is_sink = |(of, field): &(Kind, &str)| *of == kind && matches(&path(target.text()), field);
        target.has_role(Role::Member) && row.fields.iter().any(is_sink)
    });
    set.map(|assignment| assignment.value).into_iter().collect()
}

fn call_sinks<'t>(row: &Row, call: &Call<'t>, kind: Kind) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    for sink in row.sinks.iter().filter(|sink| sink.kind == kind && sink.callee.rsplit('.').next() == Some(call.name)) {
        let callee = path(call.callee);
        // The console is no page.
        if !matches(&callee, sink.callee) || callee.starts_with("System.") || !has_option(call, sink.needs) {
            continue;
        }
        match sink.argument {
            Arg::All => found.extend(call.arguments.iter().map(|argument| argument_value(*argument))),
            Arg::At(place) => {
                let plain = call.arguments.iter().filter(|argument| argument_name(**argument).is_none());
                found.extend(plain.map(|argument| argument_value(*argument)).nth(place));
            }
            Arg::Named(name) => {
                let named = call.arguments.iter().find(|argument| argument_name(**argument) == Some(name));
                found.extend(named.map(|argument| argument_value(*argument)));
            }
        }
    }
    found
}

fn has_option(call: &Call<'_>, option: &str) -> bool {
    let tight = |node: &Node<'_>| node.text().chars().filter(|c| !c.is_whitespace()).collect::<String>();
    option.is_empty() || call.arguments.iter().any(|argument| tight(argument).contains(option))
}

/// The name of a named argument.
pub(crate) fn argument_name(argument: Node<'_>) -> Option<&str> {
    let named = argument.is(&["keyword_argument", "argument", "value_argument", "pair"]);
    let name = argument.field("name").or_else(|| argument.field("key").filter(|_| argument.is(&["pair"])));
    name.filter(|_| named).map(|name| name.text().trim_end_matches(':'))
}

/// The value of an argument, without its name and without what the grammar wraps around it.
pub(crate) fn argument_value(argument: Node<'_>) -> Node<'_> {
    if !argument.is(&["keyword_argument", "argument", "value_argument"]) {
        return argument;
    }
    argument.field("value").or_else(|| argument.named_children().last()).unwrap_or(argument)
}

/// A name as the table writes it: `a.b.c`, whatever joins the parts in the language.
fn path(text: &str) -> String {
    let tight: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    tight.replace("?->", ".").replace("->", ".").replace("::", ".").replace("?.", ".").replace("!.", ".")
}

/// Whether a path is meant by a pattern of the table: `name` alone, `.name` of anything, `a.name` at the end.
fn matches(path: &str, pattern: &str) -> bool {
    let Some(rest) = path.strip_suffix(pattern) else { return false };
    if pattern.starts_with('.') {
        !rest.is_empty()
    } else {
        rest.is_empty() || (pattern.contains('.') && rest.ends_with(['.', '\\']))
    }
}

fn is_constant_name(name: &str) -> bool {
    name.len() > 1
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && name.chars().any(|c| c.is_ascii_uppercase())
}

/// A place where a variable gets something.
struct Setting<'t> {
    node: Node<'t>,
    value: Node<'t>,
    /// It replaces what was there before.
    replaces: bool,
}

struct Trace<'t> {
    row: &'static Row,
    kind: Kind,
    /// Anything that is not constant counts, not only requests.
    dynamic: bool,
    steps: u32,
    names: u32,
    /// Names whose settings are being looked at.
    open: Vec<&'t str>,
}

impl<'t> Trace<'t> {
    fn look(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        self.steps = self.steps.checked_sub(1)?;
        let node = argument_value(node.unparenthesised());
        if self.row.is_source(node) {
            return Some(node);
        }
        if node.has_role(Role::Name) {
            return self.name(node);
        }
        if node.has_role(Role::Text) {
            return self.pieces(node);
        }
        if let Some(call) = node.call() {
            return self.call(node, &call);
        }
        if node.has_role(Role::Member) {
            return self.member(node);
        }
        if node.has_role(Role::Index) {
            let of = node.named_children().next().and_then(|object| self.look(object));
            return of.or_else(|| self.dynamic.then_some(node));
        }
        let harmless = [Role::Number, Role::Null, Role::Lambda, Role::Function, Role::Class];
        if harmless.into_iter().any(|role| node.has_role(role))
            || node.comparison().is_some()
            || node.negated().is_some()
        {
            return None;
        }
        if node.has_role(Role::Binary) {
            return self.binary(node);
        }
        let condition = node.condition();
        let parts: Vec<_> = node.named_children().filter(|part| Some(part.unparenthesised()) != condition).collect();
        parts
            .into_iter()
            .find_map(|part| self.look(if part.is(&["pair"]) { part.field("value").unwrap_or(part) } else { part }))
    }

    fn binary(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let binary = node.binary()?;
        if matches!(binary.operator, "-" | "*" | "/" | "&" | "|" | "^" | "<<" | ">>") {
            return None;
        }
        if self.is_address() && matches!(binary.operator, "+" | ".") {
            // What stands first chooses the host, unless it is text that stops before it.
            let starts_with_text = binary.left.unparenthesised().has_role(Role::Text) || binary.left.binary().is_some();
            if self.fixes_host(binary.left) || !starts_with_text {
                return if starts_with_text { None } else { self.look(binary.left) };
            }
        }
        let left = if binary.operation() == Operation::And { None } else { self.look(binary.left) };
        left.or_else(|| self.look(binary.right))
    }

    fn member(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let name = node.last_name();
        if matches!(name, "length" | "size" | "Length" | "Count") || is_constant_name(name) {
            return None;
        }
        let of = node
            .receiver()
            .and_then(|receiver| if self.dynamic && is_self(receiver) { None } else { self.look(receiver) });
        of.or_else(|| self.dynamic.then_some(node))
    }

    /// A text literal: the values put into it.
    fn pieces(&mut self, text: Node<'t>) -> Option<Node<'t>> {
        if self.is_address() && self.fixes_host(text) {
            return None;
        }
        let opens_with_piece =
            ["`${", "f\"{", "f'{", "$\"{", "\"#{"].iter().any(|start| text.text().starts_with(start));
        let mut inside = text.end();
        let mut found = None;
        for node in text.descendants() {
            // What is inside a piece was looked at with it.
            if inside != text.end() && node.start() < inside {
                continue;
            }
            let is_piece = node.kind().contains("interpol") && !node.is_leaf()
                || node.is(&["template_substitution"])
                || (text.is(&["encapsed_string", "heredoc", "heredoc_body"]) && is_value(node));
            if is_piece {
                inside = node.end();
                let parts: Vec<_> = if is_value(node) { vec![node] } else { node.named_children().collect() };
                found = found.or_else(|| parts.into_iter().find_map(|part| self.look(part)));
                // The piece that an address starts with chooses the host; the others do not.
                if self.is_address() && opens_with_piece {
                    return found;
                }
            }
        }
        found
    }

    fn call(&mut self, node: Node<'t>, call: &Call<'t>) -> Option<Node<'t>> {
        if self.row.cleans(call.name, self.kind) {
            return None;
        }
        if let Some(found) = call
            .receiver
            .filter(|receiver| !is_self(*receiver))
            .and_then(|receiver| self.look_if(receiver, !self.dynamic))
        {
            return Some(found);
        }
        if self.row.passes.contains(&call.name) {
            let receiver = call.receiver.and_then(|receiver| self.look_if(receiver, receiver.has_role(Role::Text)));
            return receiver.or_else(|| call.arguments.iter().find_map(|argument| self.look(*argument)));
        }
        self.dynamic.then_some(node)
    }

    fn look_if(&mut self, node: Node<'t>, wanted: bool) -> Option<Node<'t>> {
        if wanted { self.look(node) } else { None }
    }

    fn name(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let name = node.text();
        if is_constant_name(name) || self.open.contains(&name) {
            return None;
        }
        if !self.dynamic && is_checked(node, name) {
            return None;
        }
        self.names = self.names.checked_sub(1)?;
        self.open.push(name);
        let settings = settings(node, name);
        let found = settings.iter().find_map(|setting| self.look(setting.value));
        self.open.pop();
        match (self.dynamic, settings.is_empty()) {
            (true, true) => Some(node),
            (true, false) => found.map(|_| node),
            (false, true) => self.row.is_marked_parameter(node, name).then_some(node),
            (false, false) => found,
        }
    }

    /// As [`built`].
    fn built(&mut self, node: Node<'t>) -> Option<Built<'t>> {
        self.steps = self.steps.checked_sub(1)?;
        let node = argument_value(node.unparenthesised());
        if node.has_role(Role::Text) {
            return self.pieces(node).map(|piece| Built { piece, text: node });
        }
        if node.has_role(Role::Name) {
            if self.open.contains(&node.text()) {
                return None;
            }
            self.names = self.names.checked_sub(1)?;
            self.open.push(node.text());
            let mut settings = settings(node, node.text());
            // A text that is added to counts only if it is one: `n += 1` is none.
            settings.retain(|setting| setting.replaces || has_text(setting.value));
            let found = settings.iter().find_map(|setting| {
                if setting.replaces { self.built(setting.value) } else { self.whole(setting.value) }
            });
            self.open.pop();
            return found;
        }
        if let Some(binary) = node.binary() {
            let joins = matches!(binary.operator, "+" | "%" | "." | "||");
            return if joins { self.whole(node) } else { None };
        }
        if let Some(call) = node.call() {
            let formats = matches!(
                call.name,
                "format" | "Format" | "sprintf" | "Sprintf" | "concat" | "Concat" | "join" | "formatted"
            );
            if formats
                && (call.receiver.is_some_and(has_text) || call.arguments.iter().any(|argument| has_text(*argument)))
            {
                let text = node.all(Role::Text).next()?;
                return call
                    .arguments
                    .iter()
                    .find_map(|argument| self.look(*argument))
                    .map(|piece| Built { piece, text });
            }
            let first = call.arguments.first().filter(|_| self.row.passes.contains(&call.name));
            return first.and_then(|argument| self.built(*argument));
        }
        if node.has_role(Role::Ternary) {
            let condition = node.condition();
            let parts: Vec<_> =
                node.named_children().filter(|part| Some(part.unparenthesised()) != condition).collect();
            return parts.into_iter().find_map(|part| self.built(part));
        }
        None
    }

    fn whole(&mut self, node: Node<'t>) -> Option<Built<'t>> {
        let text = node.all(Role::Text).next()?;
        self.look(node).map(|piece| Built { piece, text })
    }

    fn is_address(&self) -> bool {
        matches!(self.kind, Kind::Url | Kind::Redirect)
    }

    /// Whether an address starts in a way that what follows cannot choose the host.
    fn fixes_host(&self, start: Node<'t>) -> bool {
        let mut node = start.unparenthesised();
        while let Some(binary) = node.binary() {
            node = binary.left.unparenthesised();
        }
        if !node.has_role(Role::Text) {
            return false;
        }
        let text = node.text().trim_start_matches(|c: char| {
            c.is_ascii_alphabetic() && !c.is_ascii_lowercase() || matches!(c, 'f' | 'r' | 'b' | '$' | '@')
        });
        let text = text.trim_start_matches(['"', '\'', '`']);
        let before = text.find(['{', '$', '#', '%']).map_or(text, |at| text.get(..at).unwrap_or(text));
        let rest = before.split_once("://").map_or(before, |(_, rest)| rest);
        let local =
            before.starts_with('/') && !before.starts_with("//") && before.trim_end_matches(['"', '\'', '`']).len() > 1;
        local || (before.contains("://") && rest.contains('/')) || before.starts_with('?')
    }
}

fn is_self(node: Node<'_>) -> bool {
    matches!(node.text(), "self" | "this" | "$this" | "cls")
}

/// A value that stands in a text by itself, as PHP's `"a $b"`.
fn is_value(node: Node<'_>) -> bool {
    (node.has_role(Role::Name) && node.text().starts_with('$'))
        || node.has_role(Role::Member)
        || node.has_role(Role::Index)
}

fn has_text(node: Node<'_>) -> bool {
    node.all(Role::Text).next().is_some()
}

/// The function around a node, lambdas too; else the outermost node.
fn scopes<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let is_scope = |node: &Node<'_>| node.has_role(Role::Function) || node.has_role(Role::Lambda);
    let mut scopes: Vec<_> = node.ancestors().filter(is_scope).collect();
    scopes.extend(node.ancestors().last());
    scopes
}

/// What a variable may hold where it is used: the settings before it, back to one that is always done.
fn settings<'t>(used: Node<'t>, name: &str) -> Vec<Setting<'t>> {
    let Some(scope) = scopes(used).into_iter().find(|scope| gets_value(*scope, used, name)) else { return Vec::new() };
    let mut all: Vec<Setting<'t>> = Vec::new();
    for node in before(scope, used) {
        all.extend(setting(node, name).filter(|setting| !used.is_inside(setting.node) || is_loop_over(setting, used)));
    }
    let certain = all.iter().rposition(|setting| setting.replaces && is_on_the_way(setting.node, used));
    all.split_off(certain.unwrap_or(0))
}

/// What stands before a use in a scope, as far as it is near.
fn before<'t>(scope: Node<'t>, used: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let first = (scope.index() + 1).max(used.index().saturating_sub(WINDOW));
    (first..used.index()).filter_map(move |index| scope.tree().node(u32::try_from(index).ok()?))
}

fn gets_value(scope: Node<'_>, used: Node<'_>, name: &str) -> bool {
    before(scope, used).any(|node| setting(node, name).is_some())
}

fn is_loop_over(setting: &Setting<'_>, used: Node<'_>) -> bool {
    setting.node.has_role(Role::Loop) && !used.is_inside(setting.value)
}

/// Whether a statement was surely done before `used`: no branch or loop around it that is not around `used` too.
fn is_on_the_way(node: Node<'_>, used: Node<'_>) -> bool {
    let branches = [Role::If, Role::Loop, Role::Case, Role::Try, Role::Catch, Role::Ternary, Role::Lambda];
    let around = std::iter::once(node).chain(node.ancestors());
    around
        .take_while(|around| !used.is_inside(*around))
        .all(|around| !branches.into_iter().any(|role| around.has_role(role)))
}

fn setting<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    if let Some(assignment) = node.assignment() {
        let target = assignment.target;
        let is_it = |part: Node<'_>| part.has_role(Role::Name) && part.text() == name;
        if target.has_role(Role::Member) || target.has_role(Role::Index) {
            let base = target.named_children().next().is_some_and(is_it);
            return base.then_some(Setting { node, value: assignment.value, replaces: false });
        }
        let hit = is_it(target) || (target.text().contains(name) && target.names().any(is_it));
        let replaces = matches!(assignment.operator, "=" | ":=");
        return hit.then_some(Setting { node, value: assignment.value, replaces });
    }
    if node.has_role(Role::Loop) {
        let over =
            node.any_field(&["right", "value"]).or_else(|| node.child_of_kind(&["range_clause"])?.field("right"))?;
        let each =
            node.any_field(&["left", "name"]).or_else(|| node.child_of_kind(&["range_clause"])?.field("left"))?;
        let hit = each.names().any(|part| part.text() == name);
        return hit.then_some(Setting { node, value: over, replaces: true });
    }
    const ADDERS: &[&str] = &[
        "append",
        "add",
        "push",
        "extend",
        "put",
        "insert",
        "unshift",
        "Append",
        "Add",
        "AppendFormat",
        "WriteString",
    ];
    let call = node.call().filter(|call| ADDERS.contains(&call.name))?;
    call.receiver.filter(|receiver| receiver.text() == name)?;
    Some(Setting { node, value: *call.arguments.last()?, replaces: false })
}

/// Whether something before the use tests the value against what is allowed.
fn is_checked(used: Node<'_>, name: &str) -> bool {
    let Some(scope) = scopes(used).into_iter().next() else { return false };
    let before = before(scope, used);
    let conditions =
        before.filter(|node| node.has_role(Role::If) || node.has_role(Role::Ternary)).filter_map(Node::condition);
    conditions
        .filter(|condition| condition.names().any(|part| part.text() == name))
        .any(|condition| tests_content(condition))
}

fn tests_content(condition: Node<'_>) -> bool {
    const TESTS: &[&str] = &[
        "valid",
        "allow",
        "safe",
        "check",
        "match",
        "test",
        "startswith",
        "includes",
        "isdigit",
        "isalnum",
        "has",
        "contains",
        "verify",
        "fullmatch",
        "indexof",
        "in_array",
        "permitted",
        "white",
        "exists",
    ];
    let calls = condition.all(Role::Call).filter_map(|node| node.call().map(|call| call.name.to_ascii_lowercase()));
    let called = calls.into_iter().any(|name| TESTS.iter().any(|test| name.contains(test)));
    let member =
        condition.all(Role::Binary).filter_map(Node::binary).any(|binary| matches!(binary.operator, "in" | "not in"));
    let literal = |node: Node<'_>| node.string_value().is_some_and(|text| !text.is_empty());
    let equal = condition
        .all(Role::Binary)
        .filter_map(Node::comparison)
        .any(|binary| literal(binary.left) || literal(binary.right));
    called || member || equal
}
