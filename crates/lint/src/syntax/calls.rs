//! What is called with what. Most rules ask this of the same node one after the other, so it is remembered for a while.

use std::cell::RefCell;
use std::ops::Range;

use crate::node::Node;

/// A call: `receiver.name(arguments)`.
#[derive(Debug, Clone)]
pub struct Call<'t> {
    /// What is called, as written, for example `a.b.c`.
    pub callee: &'t str,
    /// The last name of it, for example `c`.
    pub name: &'t str,
    /// What it is called on, for example `a.b`.
    pub receiver: Option<Node<'t>>,
    /// Its arguments in order, named ones as they stand.
    pub arguments: Vec<Node<'t>>,
}

const ARGUMENTS: &[&str] =
    &["argument_list", "arguments", "value_arguments", "call_suffix", "function_arguments", "token_tree"];
const CALLEE: &[&str] = &["function", "method", "name", "constructor", "macro", "type"];

/// Calls that are remembered: more than a rule asks for while it looks at one node.
const PLACES: usize = 64;

/// The calls that were asked for last, by the index of their node.
#[derive(Default)]
pub(crate) struct Calls(RefCell<Vec<Option<Known>>>);

/// A call by the places of its parts in the tree.
struct Known {
    node: usize,
    /// `None`: it is no call that can be read.
    parts: Option<Parts>,
}

struct Parts {
    callee: Range<usize>,
    name: Range<usize>,
    receiver: Option<usize>,
    arguments: Vec<usize>,
}

impl Calls {
    /// What a node calls that has the role of a call.
    pub(crate) fn of<'t>(&self, node: Node<'t>) -> Option<Call<'t>> {
        let known = self.take(node.index()).unwrap_or_else(|| Known { node: node.index(), parts: parts(node) });
        let call = known.parts.as_ref().map(|parts| parts.call(node));
        self.put(known);
        call
    }

    fn take(&self, node: usize) -> Option<Known> {
        let mut places = self.0.borrow_mut();
        places.get_mut(node % PLACES)?.take_if(|known| known.node == node)
    }

    fn put(&self, known: Known) {
        let mut places = self.0.borrow_mut();
        if places.is_empty() {
            places.resize_with(PLACES, || None);
        }
        if let Some(place) = places.get_mut(known.node % PLACES) {
            *place = Some(known);
        }
    }
}

impl Parts {
    fn call<'t>(&self, node: Node<'t>) -> Call<'t> {
        let tree = node.tree();
        let at = |index: usize| u32::try_from(index).ok().and_then(|index| tree.node(index));
        Call {
            callee: tree.slice(self.callee.start, self.callee.end),
            name: tree.slice(self.name.start, self.name.end),
            receiver: self.receiver.and_then(at),
            arguments: self.arguments.iter().copied().filter_map(at).collect(),
        }
    }
}

fn parts(node: Node<'_>) -> Option<Parts> {
    let callee = node.any_field(CALLEE).or_else(|| node.named_children().next())?;
    let list = node.field("arguments").or_else(|| node.child_of_kind(ARGUMENTS));
    let list = list.map(|list| list.child_of_kind(&["value_arguments"]).unwrap_or(list));
    // A bare word and a shell command keep their arguments beside the name.
    let beside = || node.named_children().filter(|node| node.index() > callee.index()).map(Node::index).collect();
    let arguments = match list {
        Some(list) => list.named_children().map(Node::index).collect(),
        None if node.is(&["command"]) => beside(),
        None => Vec::new(),
    };
    let own_receiver = node.any_field(&["object", "receiver", "scope"]);
    let start = own_receiver.unwrap_or(callee).start();
    let name = callee.last_name_node();
    Some(Parts {
        callee: start..callee.end(),
        name: name.start()..name.end(),
        receiver: own_receiver.or_else(|| callee.receiver()).map(Node::index),
        arguments,
    })
}
