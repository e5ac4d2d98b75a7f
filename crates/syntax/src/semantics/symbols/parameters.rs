//! Parameters of functions and arguments of calls, precise enough to determine which calls a function does not accept.

use serde::{Deserialize, Serialize};

use crate::tree::Node;

/// The maximum number of parameters or arguments that facts contain.
const MANY: usize = 40;

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parameter {
    name: String,
    is_required: bool,
}

/// The parameters of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    /// Those that are passed by position, in order.
    positional: Vec<Parameter>,
    /// How many of them cannot be passed by name.
    position_only: usize,
    /// Those that can only be passed by name.
    by_name: Vec<Parameter>,
    takes_more: bool,
    takes_more_names: bool,
}

/// The arguments of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// How many are passed by position.
    pub positional: usize,
    names: Vec<String>,
    /// One of the arguments expands to any number of them, such as `*values`.
    is_open: bool,
}

/// Why a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit<'p> {
    /// More arguments by position than this number of parameters.
    TooMany(usize),
    /// An argument for a parameter that does not exist.
    Unknown(&'p str),
    /// No argument for a required parameter; the name of a pattern is empty.
    Missing(&'p str),
}

impl Parameters {
    /// The parameters in a Python list; `None` if their syntax is not supported.
    pub fn of_python(list: Node<'_>) -> Option<Self> {
        let mut made = Self::default();
        for node in list.named_children() {
            let name = || {
                node.any_field(&["name"])
                    .or_else(|| node.leaves().next())
                    .map(Node::text)
            };
            let is_required = match node.kind() {
                "comment" => continue,
                "keyword_separator" => {
                    made.takes_more = true;
                    continue;
                }
                "positional_separator" => {
                    made.position_only = made.positional.len();
                    continue;
                }
                "list_splat_pattern" => {
                    made.takes_more = true;
                    continue;
                }
                "dictionary_splat_pattern" => {
                    made.takes_more_names = true;
                    continue;
                }
                "typed_parameter" if node.child_of_kind(&["list_splat_pattern"]).is_some() => {
                    made.takes_more = true;
                    continue;
                }
                "typed_parameter"
                    if node.child_of_kind(&["dictionary_splat_pattern"]).is_some() =>
                {
                    made.takes_more_names = true;
                    continue;
                }
                "identifier" | "typed_parameter" => true,
                "default_parameter" | "typed_default_parameter" => false,
                _ => return None,
            };
            let parameter = Parameter {
                name: name()?.to_owned(),
                is_required,
            };
            // Up to here, `takes_more` means that the following parameters are passed by name.
            if made.takes_more {
                made.by_name.push(parameter)
            } else {
                made.positional.push(parameter)
            }
        }
        made.takes_more = list.named_children().any(|node| {
            node.is(&["list_splat_pattern"])
                || node.is(&["typed_parameter"])
                    && node.text().starts_with('*')
                    && !node.text().starts_with("**")
        });
        Some(made)
    }

    /// The parameters in a JavaScript or TypeScript list; `None` if their syntax is not supported.
    pub(super) fn of_script(list: Node<'_>) -> Option<Self> {
        let mut made = Self::default();
        for node in list.named_children().filter(|node| !node.is(&["comment"])) {
            let pattern = node.field("pattern").unwrap_or(node);
            if pattern.is(&["this"]) {
                continue;
            }
            if pattern.is(&["rest_pattern"]) {
                made.takes_more = true;
                continue;
            }
            let is_required = match node.kind() {
                "assignment_pattern" | "optional_parameter" => false,
                "required_parameter" => node.field("value").is_none(),
                "identifier" | "object_pattern" | "array_pattern" => true,
                _ => return None,
            };
            let name = pattern.field("left").unwrap_or(pattern);
            // A pattern has no name.
            let name = if name.is(&["identifier"]) {
                name.text()
            } else {
                ""
            };
            made.positional.push(Parameter {
                name: name.to_owned(),
                is_required,
            });
        }
        made.position_only = made.positional.len();
        Some(made)
    }

    /// Without the first one, which is the object itself.
    pub fn without_first(mut self) -> Option<Self> {
        if self.positional.is_empty() {
            return None;
        }
        self.positional.remove(0);
        self.position_only = self.position_only.saturating_sub(1);
        Some(self)
    }

    /// Whether facts may contain them.
    pub fn is_small(&self) -> bool {
        self.positional.len() + self.by_name.len() <= MANY
    }

    /// Why a call with these arguments fails; `None` if it does not.
    pub fn misfit<'p>(&'p self, passed: &'p Passed) -> Option<Misfit<'p>> {
        if passed.positional > self.positional.len() && !self.takes_more {
            return Some(Misfit::TooMany(self.positional.len()));
        }
        let named = self
            .positional
            .iter()
            .skip(self.position_only)
            .chain(&self.by_name);
        let is_known = |name: &String| named.clone().any(|own| own.name == *name);
        if let Some(unknown) = passed
            .names
            .iter()
            .find(|name| !self.takes_more_names && !is_known(name))
        {
            return Some(Misfit::Unknown(unknown));
        }
        if passed.is_open {
            return None;
        }
        let is_passed = |own: &Parameter| passed.names.contains(&own.name);
        let remaining = self
            .positional
            .iter()
            .skip(passed.positional)
            .chain(&self.by_name);
        let missing = remaining
            .into_iter()
            .find(|own| own.is_required && !is_passed(own))?;
        Some(Misfit::Missing(&missing.name))
    }

    /// The reason as a phrase that follows the function's name.
    #[must_use]
    pub fn refusal(&self, passed: &Passed) -> Option<String> {
        let by_position = if self.by_name.is_empty() {
            ""
        } else {
            " by position"
        };
        Some(match self.misfit(passed)? {
            Misfit::TooMany(0) => format!("takes no arguments{by_position}"),
            Misfit::TooMany(1) => format!("takes at most 1 argument{by_position}"),
            Misfit::TooMany(most) => format!("takes at most {most} arguments{by_position}"),
            Misfit::Unknown(name) => format!("has no parameter `{name}`"),
            Misfit::Missing("") => "requires another argument".to_owned(),
            Misfit::Missing(name) => format!("requires `{name}`"),
        })
    }

    /// Why a call that was valid before fails now. In a script, which ignores extra arguments and passes nothing for
    /// missing ones, only a changed order counts.
    #[must_use]
    pub fn breaks(&self, after: &Self, passed: &Passed, is_script: bool) -> Option<String> {
        if !is_script && self.refusal(passed).is_some() {
            return None;
        }
        let refusal = if is_script {
            None
        } else {
            after.refusal(passed)
        };
        refusal.or_else(|| {
            self.is_reordered(after, passed)
                .then(|| "takes its parameters in another order".to_owned())
        })
    }

    /// Whether an argument that is passed by position is passed for another of the old parameters.
    fn is_reordered(&self, after: &Self, passed: &Passed) -> bool {
        let before = self.positional.iter().take(passed.positional).enumerate();
        let named = before.filter(|(_, own)| !own.name.is_empty());
        named.into_iter().any(|(at, own)| {
            let now = after
                .positional
                .iter()
                .position(|other| other.name == own.name);
            now.is_some_and(|now| now != at) && after.positional.get(at).is_some()
        })
    }
}

impl Passed {
    /// The arguments of a list.
    pub fn of(list: Node<'_>) -> Self {
        let mut passed = Self::default();
        for argument in list.named_children().filter(|node| !node.is(&["comment"])) {
            match argument.kind() {
                "keyword_argument" => {
                    passed
                        .names
                        .extend(argument.field("name").map(|name| name.text().to_owned()));
                }
                "list_splat" | "dictionary_splat" | "spread_element" => passed.is_open = true,
                _ => passed.positional += 1,
            }
        }
        passed
    }

    /// The arguments of a call, if they are all known.
    #[must_use]
    pub fn of_call(call: Node<'_>) -> Option<Self> {
        // A comprehension or a template is one argument.
        let list = call
            .field("arguments")
            .filter(|list| list.is(&["argument_list", "arguments"]))?;
        Some(Self::of(list)).filter(Self::is_certain)
    }

    /// Whether they are all known, and facts may contain them.
    pub fn is_certain(&self) -> bool {
        !self.is_open && self.positional + self.names.len() <= MANY
    }
}
