//! Elements of a collection that is filled step by step in the visible code.

use super::const_eval::{Fixed, fixed};
use super::origins::always_runs_before;
use super::scopes::scopes;
use super::setting::before;
use crate::language::Role;
use crate::tree::{Call, Node};

/// The elements of a list by index, or of a map by key, in insertion order.
#[derive(Default)]
struct Content<'t> {
    elements: Vec<(Fixed, Node<'t>)>,
    is_list: bool,
}

/// The value that a call reads from a list or a map: `Some(None)` if there is none, `None` if that is unknown.
pub(super) fn taken_out<'t>(call: &Call<'t>) -> Option<Option<Node<'t>>> {
    let receiver = call
        .receiver
        .filter(|receiver| call.name == "get" && receiver.has_role(Role::Name))?;
    let [key] = call.arguments.as_slice() else {
        return None;
    };
    let key = fixed(*key)?;
    let content = Content::of(receiver)?;
    Some(
        content
            .elements
            .iter()
            .rev()
            .find(|(at, _)| *at == key)
            .map(|(_, value)| *value),
    )
}

impl<'t> Content<'t> {
    /// The content of a collection, if every earlier operation on it is known.
    fn of(collection: Node<'t>) -> Option<Self> {
        let scope = scopes(collection).into_iter().next()?;
        let tree = collection.tree();
        let mut mentions =
            tree.mentions()
                .within(tree, collection.text(), before(scope, collection));
        let made = mentions.next()?;
        is_made_empty(made).then_some(())?;
        let mut content = Self::default();
        for mention in mentions {
            content.change(mention, collection)?;
        }
        Some(content)
    }

    fn change(&mut self, mention: Node<'t>, used: Node<'t>) -> Option<()> {
        let node = mention
            .parent()
            .filter(|node| always_runs_before(*node, used, false))?;
        let call = node.call().filter(|call| call.receiver == Some(mention))?;
        match (call.name, call.arguments.as_slice()) {
            ("put", [key, value]) => self.elements.push((fixed(*key)?, *value)),
            ("add", [value]) => self.add(*value),
            ("remove", [place]) => self.remove(&fixed(*place)?),
            ("get" | "size" | "isEmpty", _) => {}
            _ => return None,
        }
        Some(())
    }

    fn add(&mut self, value: Node<'t>) {
        self.is_list = true;
        let end = i64::try_from(self.elements.len()).unwrap_or(i64::MAX);
        self.elements.push((Fixed::Number(end), value));
    }

    /// Removes an element. Later elements of a list move up.
    fn remove(&mut self, at: &Fixed) {
        self.elements.retain(|(key, _)| key != at);
        for (key, _) in self.elements.iter_mut().filter(|_| self.is_list) {
            if let (Fixed::Number(place), Fixed::Number(gone)) = (key, at)
                && *place > *gone
            {
                *place -= 1;
            }
        }
    }
}

/// Whether a name is declared here as an empty collection.
fn is_made_empty(name: Node<'_>) -> bool {
    let declaration = name
        .parent()
        .and_then(Node::assignment)
        .filter(|declaration| declaration.target == name);
    let made = declaration
        .map(|declaration| declaration.value)
        .filter(|value| value.is(&["object_creation_expression"]));
    made.and_then(Node::call)
        .is_some_and(|call| call.arguments.is_empty())
}
