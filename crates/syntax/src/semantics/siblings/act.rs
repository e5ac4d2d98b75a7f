//! Calls as keys that are equal in functions that do the same, and how a function treats each call.

use std::collections::BTreeSet;

use crate::language::Role;
use crate::semantics::vocabulary::{has_word, only_tells, words_of};
use crate::tree::{Call, Node, Operation};

/// Names of calls that say nothing about what a function is for.
const COMMON: &[&str] = &[
    "abort", "add", "all", "append", "assert", "bind", "build", "builder", "catch", "collect",
    "concat", "contains", "copy", "count", "each", "empty", "entries", "equals", "error", "errorf",
    "exception", "expect", "extend", "fail", "filter", "finally", "first", "float", "foreach",
    "format", "from", "get", "has", "includes", "index", "int", "isset", "join", "json", "keys",
    "len", "length", "list", "load", "make", "map", "max", "merge", "min", "new", "next", "now",
    "number", "object", "of", "ok", "parse", "pop", "print", "push", "put", "read", "redirect",
    "reduce", "remove", "render", "replace", "respond", "response", "send", "set", "size", "slice",
    "sort", "split", "status", "str", "stream", "string", "strip", "success", "then", "throw",
    "tolist", "toarray", "tostring", "translate", "trim", "unset", "unwrap", "update", "values",
    "wrap", "write",
];
/// Objects through which data is queried, so that the name before them says what is queried: `Photo.objects.get`.
const MANAGERS: &[&str] = &["objects", "query", "session", "repository", "table"];
/// The object that a method belongs to.
const OWN: &[&str] = &[
    "this", "self", "$this", "super", "base", "cls", "parent", "static",
];
/// Words for the caller, and for what data belongs to.
const OWNERS: &[&str] = &[
    "account", "author", "caller", "company", "creator", "created", "customer", "group",
    "identity", "member", "org", "organisation", "organization", "owner", "principal", "project",
    "session", "team", "tenant", "uid", "user", "workspace",
];
/// Words that say nothing about whom data belongs to.
const GENERAL: &[&str] = &[
    "by", "code", "id", "ids", "is", "key", "name", "of", "the", "uuid",
];
/// Words of calls that look something up, which may not exist.
const LOOKS_UP: &[&str] = &[
    "fetch", "find", "first", "get", "load", "lookup", "one", "query", "read", "select", "single",
];
/// Methods for the case that a result is missing, failed or late, without separators and in lower case.
const FOLLOW_UPS: &[&str] = &[
    "catch", "catcherror", "defaultifempty", "doonerror", "expect", "iferror", "mapspecerr",
    "ok_or", "ok_or_else", "okor", "okorelse", "onerrorresume", "onerrorreturn", "orelse",
    "orelseget", "orelsethrow", "retry", "switchifempty", "timeout", "withtimeout",
];
/// Methods that close.
const CLOSES: &[&str] = &[
    "close", "closequietly", "dispose", "disposeasync", "destroy", "end", "free", "release",
    "unlock",
];
/// Names that begin with a capital letter and aren't data.
const NOT_DATA: &[&str] = &[
    "Array", "Arrays", "Auth", "BigDecimal", "Collections", "Collectors", "Console", "Convert",
    "Date", "DateTime", "Duration", "Guid", "Inertia", "Instant", "JSON", "List", "Log", "Map",
    "Math", "Mono", "Number", "Object", "Objects", "Optional", "Promise", "Set", "Str", "String",
    "StringUtils", "Task", "Time", "View",
];
/// Exceptions that say nothing about what failed.
const GENERAL_EXCEPTIONS: &[&str] = &[
    "BaseException", "Error", "Exception", "RuntimeError", "RuntimeException", "StandardError",
    "Throwable",
];
/// Maximum length of a key.
const MAX_KEY: usize = 80;

/// How a call is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Treatment<'t> {
    /// A condition that leaves the function compares this member of the result with the caller.
    Compared(&'t str),
    /// An argument or field with this name limits a query to what belongs to one owner.
    Limited(&'t str),
    /// A condition that leaves the function tests the result.
    Tested,
    /// A handler catches this exception.
    Handled(&'t str),
    /// This method is called on the result, in case that there is none, it fails or takes too long.
    Followed(&'t str),
    /// The result is closed.
    Closed,
}

/// A condition of an `if`.
pub(crate) struct Test<'t> {
    pub condition: Node<'t>,
    /// The names in it.
    pub names: Vec<&'t str>,
    /// Whether one of its branches leaves the function.
    pub leaves: bool,
    /// The names in its branches that refuse the caller: `Forbidden`.
    pub refusals: Vec<&'t str>,
}

/// Whether the name of a function says little about what a call of it does.
pub(crate) fn is_common(name: &str) -> bool {
    COMMON.contains(&name.to_ascii_lowercase().as_str())
}

/// A name without the sign that marks a variable.
pub(crate) fn bare(name: &str) -> &str {
    name.trim_start_matches(['$', '@', '&', '*'])
}

/// Whether a receiver is the object that the calling function belongs to; in Go it has a short name.
pub(crate) fn is_own(receiver: Node<'_>) -> bool {
    let text = receiver.text();
    OWN.contains(&text) || (receiver.tree().grammar().name() == "Go" && text.len() <= 2)
}

/// Whether a name is about whom data belongs to.
pub(crate) fn is_owner(name: &str) -> bool {
    has_word(name, OWNERS)
}

/// The words that say whom data belongs to: `created` in `createdBy`.
pub(super) fn telling_words(name: &str) -> Vec<String> {
    let mut words = words_of(name);
    words.retain(|word| !GENERAL.contains(&word.as_str()));
    words
}

/// Whether a call looks something up.
pub(super) fn looks_up(key: &str) -> bool {
    has_word(key, LOOKS_UP)
}

/// Keys of a call, equal for calls that do the same with other values: `DB.GetApplicationByID`,
/// `get_object_or_404`, and `get_object_or_404(Check)` if its first argument is a type. Empty if the name says too little.
pub(crate) fn keys(call: &Call<'_>) -> Vec<String> {
    let receiver = call.receiver;
    let owner = receiver.map(Node::last_name).unwrap_or_default();
    let first = call
        .arguments
        .first()
        .map(|node| node.text())
        .unwrap_or_default();
    let first = first.trim_end_matches("::class").trim_end_matches(".class");
    let is_type = first.starts_with(char::is_uppercase)
        && first.chars().any(char::is_lowercase)
        && first.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_general = is_common(call.name) || call.name.len() < 4;
    let is_of_manager = MANAGERS.contains(&owner);
    let before = receiver
        .filter(|_| is_of_manager)
        .and_then(Node::receiver)
        .map(Node::last_name);
    let is_of_type = owner.starts_with(char::is_uppercase) || before.is_some();
    let says_little = is_general && !is_of_type;
    if (says_little && !is_type) || only_tells(call.name) || only_tells(owner) {
        return Vec::new();
    }
    let mut key = String::new();
    for part in [before.unwrap_or_default(), owner] {
        if !part.is_empty() && !OWN.contains(&part) {
            key.push_str(bare(part));
            key.push('.');
        }
    }
    key.push_str(call.name);
    let typed = is_type.then(|| format!("{key}({first})"));
    let mut keys = Vec::new();
    keys.extend((!says_little).then_some(key));
    keys.extend(typed);
    keys.retain(|key| key.len() <= MAX_KEY);
    keys
}

/// The variable that a call's result is assigned to.
pub(crate) fn variable(call: Node<'_>) -> Option<&str> {
    for around in call.ancestors().take(8) {
        if let Some(assignment) = around.assignment() {
            let target = assignment.target;
            let is_value = call.is_inside(assignment.value) || call == assignment.value;
            let name = target.names().next().filter(|_| is_value)?;
            return Some(bare(name.last_name()));
        }
        let is_within = around.has_role(Role::Function)
            || around.has_role(Role::Lambda)
            || around.has_role(Role::Arguments)
            || around.has_role(Role::Block);
        if is_within {
            return None;
        }
    }
    None
}

/// The type at the root of a chain of calls, which is the data that they are about: `Document` in
/// `Document.objects.only("pk").get(pk=pk)`, `File` in `File::orderBy('size')->paginate(25)`.
pub(super) fn data<'t>(call: &Call<'t>) -> Option<&'t str> {
    let mut root = call.receiver?;
    for _ in 0..MAX_CHAIN {
        let next = match root.call() {
            Some(call) => call.receiver,
            None => root.receiver(),
        };
        match next {
            Some(next) => root = next,
            None => break,
        }
    }
    let name = root.text();
    let is_type = name.starts_with(char::is_uppercase)
        && name.chars().any(char::is_lowercase)
        && name.chars().all(char::is_alphanumeric);
    (is_type && !NOT_DATA.contains(&name)).then_some(name)
}

/// Maximum length of a chain of calls.
const MAX_CHAIN: usize = 12;

/// The methods called on the result of a call, one after the other, for the case that it is missing, failed or late.
pub(super) fn follow_ups<'t>(call: Node<'t>) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut inner = call;
    for around in call.ancestors().take(MAX_CHAIN * 2) {
        if let Some(next) = around.call() {
            if next
                .arguments
                .iter()
                .any(|argument| *argument == inner || inner.is_inside(*argument))
            {
                break;
            }
            let name = next.name.to_ascii_lowercase();
            names.extend(FOLLOW_UPS.contains(&name.as_str()).then_some(next.name));
        } else if !(around.has_role(Role::Member) || around.has_role(Role::Await)) {
            break;
        }
        inner = around;
    }
    names
}

/// Whether the function closes a variable, or a construct does that holds it.
pub(crate) fn is_closed(call: Node<'_>, variable: &str, calls: &[Node<'_>]) -> bool {
    let closes = |node: &Node<'_>| {
        node.call().is_some_and(|call| {
            let name = call.name.to_ascii_lowercase();
            let is_of = |node: Node<'_>| bare(node.text()) == variable;
            CLOSES.contains(&name.as_str())
                && (call.receiver.is_some_and(is_of) || call.arguments.iter().copied().any(is_of))
        })
    };
    call.ancestors()
        .take(8)
        .any(|around| around.has_role(Role::With))
        || calls.iter().any(closes)
}

/// Whether a function returns a variable or stores it in another object.
pub(crate) fn is_given_away(function: Node<'_>, variable: &str) -> bool {
    let mut names = function
        .names()
        .filter(|name| bare(name.text()) == variable);
    names.any(|name| {
        let is_used_in_place = name
            .parent()
            .is_some_and(|around| around.has_role(Role::Member) || around.has_role(Role::Call));
        let is_returned = || {
            name.ancestors()
                .take(4)
                .any(|around| around.has_role(Role::Return))
        };
        (!is_used_in_place && is_returned())
            || name.parent().is_some_and(|around| {
                around
                    .assignment()
                    .is_some_and(|assignment| assignment.value == name)
            })
    })
}

/// The conditions in the arguments of a call that limit it: `user=request.user`, `{ where: { teamId } }`,
/// `where('vault_id', $vaultId)`.
pub(super) fn limits<'t>(call: &Call<'t>) -> Vec<&'t str> {
    const PAIRS: &[&str] = &["keyword_argument", "pair", "array_element_initializer"];
    const SHORT: &[&str] = &["shorthand_property_identifier"];
    let nodes = call.arguments.iter().flat_map(|argument| {
        std::iter::once(*argument)
            .chain(argument.descendants())
            .take(60)
    });
    let named = nodes.filter_map(|node| {
        if node.is(SHORT) {
            return Some(node.text());
        }
        let named = node.is(PAIRS).then(|| node.any_field(&["name", "key"]));
        Some(named??.text().trim_matches(['"', '\'', ':']))
    });
    let is_condition = call.name.to_ascii_lowercase().contains("where");
    let column = call.arguments.first().filter(|_| is_condition);
    let column = column.and_then(|column| column.all(Role::Text).next());
    let column = column.and_then(Node::string_value);
    let is_name = |name: &&str| {
        name.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    let texts = call
        .arguments
        .iter()
        .filter_map(|argument| argument.all(Role::Text).next());
    let columns = texts.filter_map(Node::string_value).flat_map(columns);
    named
        .chain(column.filter(is_name))
        .filter(|name| !telling_words(name).is_empty())
        .chain(columns)
        .collect()
}

/// The columns that a condition in SQL compares with parameters and that say whom rows belong to: `user_id` in
/// `id = ? AND user_id = ?`.
fn columns(text: &str) -> impl Iterator<Item = &str> {
    let is_condition = text.len() <= 2_000 && text.contains('=');
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(move |word| is_condition && word.contains('_') && is_owner(word))
}

/// How the function treats the result of a call, as far as its conditions show.
pub(super) fn tested<'t>(
    call: Node<'t>,
    variable: &str,
    tests: &[Test<'t>],
    treatments: &mut BTreeSet<Treatment<'t>>,
) {
    let later = tests
        .iter()
        .filter(|test| test.leaves && test.condition.index() > call.index());
    for test in later.filter(|test| test.names.contains(&variable)) {
        treatments.insert(Treatment::Tested);
        let mut others = test.names.iter().filter(|name| **name != variable);
        let is_with_caller = others.any(|name| is_owner(name));
        let members = test.condition.all(Role::Member).filter(|member| {
            member.receiver().is_some_and(|receiver| {
                bare(receiver.text().trim_end_matches(['!', '?'])) == variable
            })
        });
        for member in members.map(Node::last_name) {
            if is_with_caller || is_owner(member) {
                treatments.insert(Treatment::Compared(member));
            }
        }
    }
}

/// Whether another value, or an exception, takes the place of a result that is missing: `find(id) ?? throw missing`.
pub(super) fn has_default(call: Node<'_>) -> bool {
    let mut around = call
        .ancestors()
        .take(4)
        .take_while(|node| !node.has_role(Role::Arguments) && !node.has_role(Role::Block));
    around.any(|node| {
        node.binary()
            .is_some_and(|binary| matches!(binary.operation(), Operation::Default | Operation::Or))
            || node.is(&["try_expression", "elvis_expression"])
    })
}

/// Whether a name is that of the caller's identity: `GetUserId`, `current_user`, `getCurrentUser`.
pub(super) fn is_caller(name: &str) -> bool {
    const WHO: &[&str] = &["account", "caller", "identity", "principal", "uid", "user"];
    const OWN: &[&str] = &[
        "auth", "calling", "current", "get", "id", "logged", "me", "my", "own", "proper",
    ];
    let words = words_of(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    (2..=4).contains(&words.len()) && has(WHO) && has(OWN)
}

/// The exceptions of a call that handlers in the function catch.
pub(super) fn handled<'t>(call: Node<'t>, function: Node<'t>) -> Vec<&'t str> {
    let around = call.ancestors().take_while(|node| *node != function);
    let tries = around.filter(|node| node.has_role(Role::Try));
    let handlers =
        tries.flat_map(|node| node.children().filter(|child| child.has_role(Role::Catch)));
    let handlers = handlers.filter(|handler| !call.is_inside(*handler));
    handlers.flat_map(exceptions).collect()
}

/// The exceptions that a handler names, without general ones.
fn exceptions(handler: Node<'_>) -> Vec<&str> {
    let head = handler
        .named_children()
        .take_while(|node| !node.has_role(Role::Block));
    let types = head.flat_map(Node::names).map(Node::last_name);
    types
        .filter(|name| name.starts_with(char::is_uppercase) && !GENERAL_EXCEPTIONS.contains(name))
        .collect()
}
