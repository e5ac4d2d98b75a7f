//! Follows a value back to its origin.

use super::address::{fixes_host, starts_with_piece};
use super::checks::is_checked;
use super::const_eval::is_taken;
use super::elements::taken_out;
use super::inserted::{names_in_format, writes_first, written};
use super::kind::Kind;
use super::names::{argument_name, argument_value, is_constant, is_self, last_part};
use super::origins::origins;
use super::parameters::{element_of, handed, is_filled, returned};
use super::scopes::Parameter;
use super::table::Table;
use crate::language::Role;
use crate::semantics::type_name::{is_fixed_type, is_number, is_of_fixed_form};
use crate::tree::{Call, Node, Operation};

/// Maximum number of nodes that one query looks at.
const STEPS: u32 = 300;

/// Maximum number of names to follow. Each one costs a walk over the code before it.
const NAMES: u32 = 16;

/// Members of an options object that are URLs.
const ADDRESSES: &[&str] = &[
    "url", "uri", "host", "hostname", "href", "baseURL", "baseUrl", "target", "path", "location",
];

/// Members of an options object that are statements.
const STATEMENTS: &[&str] = &[
    "sql", "text", "query", "statement", "Statement", "Statements", "QueryString", "Expression",
    "sqlStatement", "sqlStatements", "queryString", "values", "PartiQLStatement", "raw",
];

/// Members of a request whose values are texts, and never objects with operators.
const TEXTS: &[&str] = &[
    "params", "headers", "hostname", "path", "url", "originalUrl",
];

pub(super) struct Trace {
    pub(super) table: &'static Table,
    kind: Kind,
    /// Anything that is not constant counts, not only requests.
    dynamic: bool,
    steps: u32,
    names: u32,
    /// The uses of names that are being followed.
    open: Vec<usize>,
}

impl Trace {
    /// Searches for data from a request.
    pub(super) fn of_request(node: Node<'_>, kind: Kind) -> Option<Self> {
        let table = Table::of(node)?;
        // A value is followed in the same way to the program and to the command line.
        let kind = if kind == Kind::CommandLine {
            Kind::Command
        } else {
            kind
        };
        Some(Self {
            table,
            kind,
            dynamic: false,
            steps: STEPS,
            names: NAMES,
            open: Vec::new(),
        })
    }

    /// Searches for anything that is not constant.
    pub(super) fn of_changing(node: Node<'_>, kind: Kind) -> Option<Self> {
        Some(Self {
            dynamic: true,
            ..Self::of_request(node, kind)?
        })
    }

    /// Takes one step; `None` if there were too many.
    pub(super) fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// Runs `ask` while a use of a name is being followed; `None` if it already is, or if there were too many.
    pub(super) fn with_name<T>(
        &mut self,
        name: Node<'_>,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if self.open.contains(&name.index()) {
            return None;
        }
        self.names = self.names.checked_sub(1)?;
        self.open.push(name.index());
        let answer = ask(self);
        self.open.pop();
        Some(answer)
    }

    /// The part of a value that is searched for.
    pub(super) fn look<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        self.step()?;
        let node = argument_value(node.unparenthesised());
        if self.is_address() && is_own_address(node) {
            return None;
        }
        if self.table.is_source(node, self.kind) {
            let is_text = self.kind == Kind::NoSql && TEXTS.contains(&node.last_name());
            return (!is_text).then_some(node);
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
            let object = node.named_children().next();
            if is_own_program(node) {
                return None;
            }
            let of = object.and_then(|object| self.look(object));
            // An element of a constant table is constant, whichever entry is read.
            let is_fixed = object.is_some_and(|object| is_constant(object.last_name()));
            return of.or_else(|| (self.dynamic && !is_fixed).then_some(node));
        }
        if is_harmless(node) || self.is_data(node) {
            return None;
        }
        if node.has_role(Role::Binary) {
            return self.binary(node);
        }
        let wanted: Vec<_> = parts(node).filter(|part| self.matters(*part)).collect();
        wanted
            .into_iter()
            .find_map(|part| self.look(member_value(part)))
    }

    /// Whether it is an object of values, for a purpose for which only text is dangerous: its receiver keeps the values
    /// separate.
    fn is_data(&self, node: Node<'_>) -> bool {
        match self.kind {
            Kind::Sql => node.is(&["hash", "dictionary"]),
            Kind::Html => node.is(&["object", "dictionary", "hash"]),
            _ => false,
        }
    }

    /// Of an options object, only a URL chooses the host, and only the statement is run.
    fn matters(&self, part: Node<'_>) -> bool {
        let Some(name) = argument_name(part) else {
            return true;
        };
        match self.kind {
            Kind::Url | Kind::Redirect => ADDRESSES.contains(&name),
            Kind::Sql => STATEMENTS.contains(&name),
            _ => true,
        }
    }

    fn binary<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let binary = node.binary()?;
        if matches!(
            binary.operator,
            "-" | "*" | "/" | "&" | "|" | "^" | "<<" | ">>"
        ) {
            return None;
        }
        if self.is_address() && matches!(binary.operator, "+" | "." | "%") {
            // The first operand chooses the host, unless it is text that fixes the host.
            let starts_with_text = binary.left.unparenthesised().has_role(Role::Text)
                || binary.left.binary().is_some();
            if !starts_with_text {
                return self.look(binary.left);
            }
            if fixes_host(binary.left) {
                return None;
            }
        }
        let left = if binary.operation() == Operation::And {
            None
        } else {
            self.look(binary.left)
        };
        left.or_else(|| self.look(binary.right))
    }

    fn member<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let name = node.last_name();
        let is_cleaned = self.kind == Kind::Path && self.table.cleans(name, self.kind);
        let is_number = matches!(
            name,
            "length" | "size" | "Length" | "Count" | "pid" | "ppid"
        );
        if is_number || is_cleaned || is_constant(name) {
            return None;
        }
        let receiver = node
            .receiver()
            .filter(|receiver| !(self.dynamic && is_self(*receiver)));
        receiver
            .and_then(|receiver| self.look(receiver))
            .or_else(|| self.dynamic.then_some(node))
    }

    /// The values interpolated into a string literal.
    pub(super) fn pieces<'t>(&mut self, text: Node<'t>) -> Option<Node<'t>> {
        if self.is_address() && fixes_host(text) {
            return None;
        }
        if text
            .parent()
            .is_some_and(|parent| parent.is(&["token_tree"]))
        {
            return names_in_format(text.text())
                .into_iter()
                .find_map(|name| self.named_in_format(text, name));
        }
        let only_first = self.is_address() && starts_with_piece(text.text());
        let mut done = text.start();
        for node in text.descendants() {
            // Nodes inside an interpolated value were covered with it.
            if node.start() < done || !is_piece(node, text) {
                continue;
            }
            done = node.end();
            let inside: Vec<_> = if is_value(node) {
                vec![node]
            } else {
                node.named_children().collect()
            };
            let found = inside.into_iter().find_map(|part| self.look(part));
            // The value at the start of a URL chooses the host; the others do not.
            if found.is_some() || only_first {
                return found;
            }
        }
        None
    }

    /// The value of a name in a format of Rust: where it was defined, since the text has no node for it.
    fn named_in_format<'t>(&mut self, text: Node<'t>, name: &str) -> Option<Node<'t>> {
        if is_constant(name) {
            return None;
        }
        self.with_name(text, |trace| {
            let origins = origins(text, name);
            let within = |node: Node<'t>| node.names().find(|part| part.text() == name);
            for setting in &origins.settings {
                if let Some(found) = trace.look(setting.value) {
                    return if trace.dynamic {
                        within(setting.node).or(Some(text))
                    } else {
                        Some(found)
                    };
                }
            }
            let Some(parameter) = origins.parameter else {
                return (trace.dynamic && origins.settings.is_empty()).then_some(text);
            };
            let shown = within(parameter.node)?;
            if trace.dynamic {
                (!parameter.node.field("type").is_some_and(is_fixed_type)).then_some(shown)
            } else {
                trace.parameter(shown, parameter)
            }
        })?
    }

    fn call<'t>(&mut self, node: Node<'t>, call: &Call<'t>) -> Option<Node<'t>> {
        if writes_first(call).is_some() {
            return written(call).into_iter().find_map(|value| self.look(value));
        }
        // `replace(/[…]/g, "\\$&")` escapes the characters with a meaning in patterns.
        let escapes = self.kind == Kind::Pattern
            && call
                .arguments
                .get(1)
                .is_some_and(|text| text.text().contains("$&"));
        let name = last_part(call.name);
        if escapes || self.table.cleans(name, self.kind) {
            return None;
        }
        if let Some(element) = taken_out(call) {
            return self.look(element?);
        }
        let receiver = call
            .receiver
            .filter(|receiver| !self.dynamic && !is_self(*receiver));
        if let Some(found) = receiver.and_then(|receiver| self.look(receiver)) {
            return Some(found);
        }
        if self.table.propagates(name) {
            return self.passed(call);
        }
        if self.dynamic {
            return Some(node);
        }
        if !call.receiver.is_none_or(is_self) {
            return None;
        }
        self.names = self.names.checked_sub(1)?;
        returned(node, call.name)
            .into_iter()
            .find_map(|value| self.look(value))
    }

    /// The argument of a call that passes its arguments on.
    fn passed<'t>(&mut self, call: &Call<'t>) -> Option<Node<'t>> {
        let format = call
            .receiver
            .filter(|receiver| receiver.has_role(Role::Text));
        let format = format.or_else(|| {
            call.arguments
                .first()
                .copied()
                .filter(|first| first.has_role(Role::Text))
        });
        if self.is_address() && format.is_some_and(fixes_host) {
            return None;
        }
        let found = format.and_then(|text| self.look(text));
        found.or_else(|| {
            call.arguments
                .iter()
                .find_map(|argument| self.look(*argument))
        })
    }

    fn name<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        if is_constant(node.text()) {
            return None;
        }
        self.with_name(node, |trace| {
            if trace.dynamic {
                trace.changing(node)
            } else {
                trace.requested(node)
            }
        })?
    }

    /// The name itself, unless all values that it can have are constant.
    fn changing<'t>(&mut self, name: Node<'t>) -> Option<Node<'t>> {
        if is_checked(self.table, name, self.kind) {
            return None;
        }
        let settings = origins(name, name.text()).settings;
        if settings.is_empty() {
            return (!is_number(name) && !is_of_fixed_form(name)).then_some(name);
        }
        settings
            .iter()
            .find_map(|setting| self.look(setting.value))
            .map(|_| name)
    }

    /// The data from a request in a value that a name may have.
    fn requested<'t>(&mut self, name: Node<'t>) -> Option<Node<'t>> {
        if is_checked(self.table, name, self.kind) {
            return None;
        }
        let origins = origins(name, name.text());
        let found = origins
            .settings
            .iter()
            .find_map(|setting| self.look(setting.value));
        found.or_else(|| self.parameter(name, origins.parameter?))
    }

    fn parameter<'t>(&mut self, name: Node<'t>, parameter: Parameter<'t>) -> Option<Node<'t>> {
        if is_filled(self.table, parameter, name.text()) {
            return Some(name);
        }
        if let Some(value) = element_of(parameter) {
            return self.look(value);
        }
        handed(parameter, name.text())
            .into_iter()
            .find_map(|value| self.look(value))
    }

    pub(super) fn is_command(&self) -> bool {
        self.kind == Kind::Command
    }

    fn is_address(&self) -> bool {
        matches!(self.kind, Kind::Url | Kind::Redirect)
    }
}

/// Whether it is a part of the page's own URL that stays on its host.
fn is_own_address(node: Node<'_>) -> bool {
    let stays = |name: &str| {
        matches!(
            name,
            "origin" | "protocol" | "host" | "hostname" | "port" | "pathname"
        )
    };
    let is_location = |receiver: Node<'_>| receiver.last_name() == "location";
    node.has_role(Role::Member)
        && stays(node.last_name())
        && node.receiver().is_some_and(is_location)
}

/// Whether it is the name of the program itself, the first of its arguments: `os.Args[0]`.
fn is_own_program(element: Node<'_>) -> bool {
    let mut parts = element.named_children();
    let is_list = parts
        .next()
        .is_some_and(|list| matches!(list.last_name(), "Args" | "argv" | "$argv"));
    is_list && parts.last().is_some_and(|place| place.text() == "0")
}

fn is_harmless(node: Node<'_>) -> bool {
    let harmless = [
        Role::Number,
        Role::Null,
        Role::Lambda,
        Role::Function,
        Role::Class,
    ];
    harmless.into_iter().any(|role| node.has_role(role))
        || node.comparison().is_some()
        || node.negated().is_some()
        || node.is(&["unary_expression"]) && node.text().starts_with("typeof")
        || is_cast_to_number(node)
}

/// Whether it is a cast to a number or a boolean: `(int) $size`.
fn is_cast_to_number(node: Node<'_>) -> bool {
    let target = node.field("type").filter(|_| node.is(&["cast_expression"]));
    let name = target.map(|target| target.text().to_ascii_lowercase());
    name.is_some_and(|name| {
        matches!(
            name.as_str(),
            "int"
                | "integer"
                | "long"
                | "short"
                | "byte"
                | "float"
                | "double"
                | "decimal"
                | "bool"
                | "boolean"
                | "uint"
                | "ulong"
        )
    })
}

/// The descendants of a node, without the condition of a choice and without the branches that are never chosen.
pub(super) fn parts<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let condition = node.condition();
    let is_part = move |part: Node<'_>| Some(part.unparenthesised()) != condition;
    node.named_children()
        .filter(move |part| is_part(*part) && is_taken(*part, node) != Some(false))
}

fn member_value(part: Node<'_>) -> Node<'_> {
    part.field("value")
        .filter(|_| part.is(&["pair"]))
        .unwrap_or(part)
}

fn is_piece(node: Node<'_>, text: Node<'_>) -> bool {
    (node.kind().contains("interpol") && !node.is_leaf())
        || node.is(&["template_substitution"])
        || node.is(&["interpolated_identifier"])
        || (text.is(&["encapsed_string", "heredoc", "heredoc_body"]) && is_value(node))
}

/// A variable directly in a string, as in PHP and Kotlin: `"a $b"`.
fn is_value(node: Node<'_>) -> bool {
    node.is(&["interpolated_identifier"])
        || (node.has_role(Role::Name) && node.text().starts_with('$'))
        || node.has_role(Role::Member)
        || node.has_role(Role::Index)
}
