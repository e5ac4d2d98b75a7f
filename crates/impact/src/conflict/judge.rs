//! Rules as the judges of conflicts.

use review::Place;

use super::judgement::Judgement;
use super::kinds::Conflict;

/// The part of a changed file that the conflicts of a rule come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Names in its code, which is parsed.
    Code,
    /// Its path and its keys, in any language.
    Text,
}

/// A rule about the repository around a change.
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    /// Its ID.
    pub rule: &'static str,
    /// Judges a conflict; `None` if the rule does not report it.
    pub run: fn(&Conflict<'_>) -> Option<Judgement>,
}

/// The judgement of a rule on a conflict at a changed line.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// The ID of the rule.
    pub rule: &'static str,
    /// The changed line.
    pub place: Place,
    /// The defect.
    pub judgement: Judgement,
    /// Other changed lines with the same defect.
    pub related: Vec<Place>,
}

/// The judgements of the rules on a conflict at a changed line.
pub(crate) fn rulings<'j>(
    judges: &'j [Judge],
    place: Place,
    conflict: &'j Conflict<'_>,
) -> impl Iterator<Item = Ruling> + 'j {
    judges.iter().filter_map(move |judge| {
        Some(Ruling {
            rule: judge.rule,
            place,
            judgement: (judge.run)(conflict)?,
            related: Vec::new(),
        })
    })
}
