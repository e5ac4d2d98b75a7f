//! Names that differ from another one of the same function by a typing error.

use std::collections::{HashMap, HashSet};

use super::model::{Answer, DefKind, FILE, Symbol, Symbols};
use super::ruby::sets_field;
use crate::language::Role;
use crate::semantics::names::word_counts;
use crate::semantics::vocabulary::is_transposed;
use crate::tree::{Node, Tree};

/// Functions with more variables than this are not searched for similar names.
const MANY: usize = 200;

/// A name that occurs once, with the variable that was probably intended.
pub struct Misspelt<'t> {
    pub name: Node<'t>,
    pub meant: &'t str,
}

impl Symbols {
    /// The local variables that are set once and never read, in a function that reads a variable with nearly the same
    /// name.
    pub fn misspelt_variables<'t>(&'t self, tree: &'t Tree<'t>) -> Vec<Misspelt<'t>> {
        let mut functions: HashMap<u32, Vec<&Symbol>> = HashMap::new();
        for symbol in &self.symbols {
            let is_variable = matches!(symbol.kind, DefKind::Variable | DefKind::Parameter);
            if is_variable && self.wall(symbol.scope) != FILE {
                functions
                    .entry(self.wall(symbol.scope))
                    .or_default()
                    .push(symbol);
            }
        }
        // An occurrence that may read and set is both a use and a definition.
        let is_read = |symbol: &Symbol| {
            let is_more_than_set = symbol.uses != symbol.definitions;
            !symbol.uses.is_empty() && (is_more_than_set || symbol.uses.len() > 1)
        };
        let mut found = Vec::new();
        for locals in functions
            .into_values()
            .filter(|locals| locals.len() <= MANY)
        {
            let read = locals.iter().filter(|symbol| is_read(symbol));
            let read: Vec<&str> = read
                .filter_map(|symbol| symbol.definitions(tree).next())
                .map(Node::text)
                .collect();
            for symbol in &locals {
                let Some(name) = only_mention(symbol, tree).filter(|name| name.touches_change())
                else {
                    continue;
                };
                let meant = read.iter().find(|read| is_slip(name.text(), read));
                found.extend(meant.map(|meant| Misspelt { name, meant }));
            }
        }
        found.sort_by_key(|misspelt| misspelt.name.index());
        found
    }

    /// The bare names of Ruby that call a method because no variable has the name, although a variable with nearly the
    /// same name is visible and the name does not occur elsewhere in the file.
    pub fn misspelt_calls<'t>(&'t self, tree: &'t Tree<'t>) -> Vec<Misspelt<'t>> {
        let text = tree.root().map_or("", Node::text);
        if tree.grammar().name() != "Ruby" || !tree.is_whole() {
            return Vec::new();
        }
        let class = |node: Node<'t>| node.enclosing(Role::Class).map(Node::index);
        let catches_all = tree
            .mentions()
            .within(tree, "method_missing", 0..usize::MAX)
            .map(class);
        let catches_all: HashSet<Option<usize>> = catches_all.collect();
        let mut functions: HashMap<u32, Vec<(u32, &str)>> = HashMap::new();
        for symbol in &self.symbols {
            let first = symbol.definitions.first().copied();
            let name = symbol.definitions(tree).next().map(Node::text);
            if let Some(known) = first.zip(name) {
                let function = self.wall(symbol.scope);
                functions.entry(function).or_default().push(known);
            }
        }
        let absent = self
            .uses
            .iter()
            .filter(|used| used.answer == Answer::Absent);
        let found = absent.filter_map(|used| {
            let name = tree.node(used.node).filter(|name| name.touches_change())?;
            let function = self.wall(used.scope);
            let locals = functions.get(&function)?;
            let is_searched = function != FILE && locals.len() <= MANY;
            let is_intended =
                |known: &&(u32, &str)| known.0 < used.node && is_slip(name.text(), known.1);
            let (_, meant) = locals.iter().filter(|_| is_searched).find(is_intended)?;
            (!catches_all.contains(&class(name))).then_some(Misspelt { name, meant })
        });
        let found: Vec<Misspelt<'t>> = found.collect();
        if found.is_empty() {
            return found;
        }
        let counts = word_counts(text);
        let is_only = |name: Node<'_>| counts.get(name.text()) == Some(&1);
        found
            .into_iter()
            .filter(|found| is_only(found.name))
            .collect()
    }
}

/// The added reads of constants of Ruby that occur nowhere else in a file, although a class around them, or the file,
/// defines one with nearly the same name.
pub fn misspelt_constants<'t>(tree: &'t Tree<'t>) -> Vec<Misspelt<'t>> {
    let is_constant = |node: &Node<'t>| {
        let name = node.text();
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        node.is(&["constant"]) && name.contains('_') && name.chars().all(is_capital)
    };
    let is_defined = |name: &Node<'_>| {
        let set = name.parent().and_then(Node::assignment);
        set.is_some_and(|set| set.target == *name)
    };
    let is_read = |name: &Node<'_>| {
        let sets = ["left", "name"].contains(&name.own_field());
        let is_other =
            |around: Node<'_>| around.is(&["scope_resolution", "left_assignment_list", "unary"]);
        name.touches_change() && !sets && !name.ancestors().take(2).any(is_other)
    };
    if tree.grammar().name() != "Ruby" || !tree.is_readable_file() {
        return Vec::new();
    }
    let constants = tree.nodes().filter(is_constant);
    let (defined, others): (Vec<Node<'t>>, Vec<Node<'t>>) = constants.partition(is_defined);
    let mut reads = others.into_iter().filter(is_read).peekable();
    if reads.peek().is_none() || defined.len() > MANY {
        return Vec::new();
    }
    let counts = word_counts(tree.root().map_or("", Node::text));
    let is_set_otherwise = ["const_missing", "const_set"]
        .iter()
        .any(|name| counts.contains_key(name));
    let only = reads.filter(|read| !is_set_otherwise && counts.get(read.text()) == Some(&1));
    let meant = |read: Node<'t>| {
        let is_visible = |known: &&Node<'t>| {
            let class = known.enclosing(Role::Class);
            class.is_none_or(|class| read.is_inside(class))
        };
        let name = read.text().to_ascii_lowercase();
        // Names that differ in one letter may both exist: `DEFAULT_PORT` and an inherited `DEFAULT_SORT`.
        let is_meant = |known: &&Node<'t>| {
            let known = known.text().to_ascii_lowercase();
            is_slip(&name, &known) && (name.len() != known.len() || is_transposed(&name, &known))
        };
        let meant = defined.iter().filter(is_visible).find(is_meant)?;
        Some(Misspelt {
            name: read,
            meant: meant.text(),
        })
    };
    only.filter_map(meant).collect()
}

/// The added reads of instance variables of Ruby that occur nowhere else in a file, although their class sets one with nearly the same
/// name. They are `nil`.
pub fn misspelt_fields<'t>(tree: &'t Tree<'t>) -> Vec<Misspelt<'t>> {
    if tree.grammar().name() != "Ruby" || !tree.is_readable_file() {
        return Vec::new();
    }
    let fields = tree.nodes().filter(|node| node.is(&["instance_variable"]));
    let (set, read): (Vec<Node<'t>>, Vec<Node<'t>>) = fields.partition(|name| sets_field(*name));
    let mut read = read
        .into_iter()
        .filter(|name| name.touches_change())
        .peekable();
    if read.peek().is_none() || set.len() > MANY {
        return Vec::new();
    }
    // The count includes symbols, texts and methods: `attr_accessor :name`, `instance_variable_set("@name", 1)`.
    let counts = word_counts(tree.root().map_or("", Node::text));
    let is_set_otherwise = ["instance_variable_set", "instance_variables"]
        .iter()
        .any(|name| counts.contains_key(name));
    let bare = |name: Node<'t>| name.text().trim_start_matches('@');
    let only = read.filter(|name| !is_set_otherwise && counts.get(bare(*name)) == Some(&1));
    let meant = |name: Node<'t>| {
        let class = name.enclosing(Role::Class);
        let is_meant = |known: &&Node<'t>| {
            known.enclosing(Role::Class) == class && is_slip(bare(name), bare(**known))
        };
        let meant = set.iter().find(is_meant)?;
        Some(Misspelt {
            name,
            meant: meant.text(),
        })
    };
    only.filter_map(meant).collect()
}

/// The only occurrence of a variable, if it sets the variable and certainly does not read it.
fn only_mention<'t>(symbol: &'t Symbol, tree: &'t Tree<'t>) -> Option<Node<'t>> {
    let [only] = symbol.definitions.as_slice() else {
        return None;
    };
    let is_read = symbol.uses.iter().any(|used| used != only) || symbol.may_have_more_uses;
    let name = tree
        .node(*only)
        .filter(|_| !is_read && symbol.kind == DefKind::Variable)?;
    let parent = name.parent()?;
    let is_set = parent.is(&["assignment_expression", "assignment"]) && name.own_field() == "left";
    (is_set || parent.is(&["argument"])).then_some(name)
}

/// Whether one word is the other with a letter doubled, dropped, added or mistyped, or with two letters swapped. The
/// first and the last letter, digits and underscores often distinguish names, so they must be the same.
pub(crate) fn is_slip(wrong: &str, right: &str) -> bool {
    const SHORTEST: usize = 5;
    let (wrong, right) = (wrong.trim_start_matches('$'), right.trim_start_matches('$'));
    let is_long = wrong.len() >= SHORTEST && right.len() >= SHORTEST;
    if !is_long || wrong == right || !(wrong.is_ascii() && right.is_ascii()) {
        return false;
    }
    let (wrong, right) = (wrong.as_bytes(), right.as_bytes());
    let start = wrong.iter().zip(right).take_while(|(a, b)| a == b).count();
    let tails = || wrong.iter().rev().zip(right.iter().rev());
    let end = tails().take_while(|(a, b)| a == b).count();
    if start == 0 || end == 0 {
        return false;
    }
    let middle = |word: &[u8]| {
        word.get(start..word.len().saturating_sub(end).max(start))
            .map(<[u8]>::to_vec)
    };
    let is_letter = |letter: &u8| letter.is_ascii_lowercase();
    match (middle(wrong).as_deref(), middle(right).as_deref()) {
        (Some([a, b]), Some([c, d])) => a == d && b == c && is_letter(a) && is_letter(b),
        (Some([a]), Some([b])) => {
            a.eq_ignore_ascii_case(b) || is_letter(a) && is_letter(b) && wrong.len() > SHORTEST + 1
        }
        // A doubled letter is equal to its neighbour, so the ends may overlap.
        _ => {
            let (short, long) = if wrong.len() < right.len() {
                (wrong, right)
            } else {
                (right, wrong)
            };
            let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
            long.len() == short.len() + 1
                && long.get(same).is_some_and(is_letter)
                && same > 0
                && same < short.len()
                && short.get(same..) == long.get(same + 1..)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn a_slip_is_one_letter_inside_a_word() {
        for (wrong, right) in [
            ("$contens", "$contents"),
            ("dispositon", "disposition"),
            ("$recieve", "$receive"),
            ("$adress", "$address"),
            ("$fileName", "$filename"),
            ("$prodict", "$product"),
        ] {
            assert!(is_slip(wrong, right) && is_slip(right, wrong), "{wrong}");
        }
        for (one, other) in [
            ("$item", "$items"),
            ("$error", "$errors"),
            ("$line1", "$line2"),
            ("$user_name", "$username"),
            ("$min", "$max"),
            ("$source", "$target"),
            ("$first", "$first"),
            ("$image1url", "$image2url"),
        ] {
            assert!(!is_slip(one, other), "{one}");
        }
    }
}
