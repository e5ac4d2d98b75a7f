//! The facts of a part of a file as bytes, which take a fraction of the memory. The cross-file analysis reads them part by part.

use crate::facts::{Facts, is_changed};

/// Encoded facts.
#[derive(Debug, Clone)]
pub struct PackedFacts {
    /// Index of the file in the diff.
    pub(crate) file: usize,
    /// The lines of the first call and the first definition, by which the parts of a file are ordered.
    first: (u32, u32),
    /// It has a function that was removed or that has a changed header.
    pub(crate) has_changed: bool,
    /// It has removed blocks.
    pub(crate) has_removed: bool,
    bytes: Box<[u8]>,
}

impl From<&Facts> for PackedFacts {
    fn from(facts: &Facts) -> Self {
        let first = |lines: Option<u32>| lines.unwrap_or(u32::MAX);
        let calls = first(facts.calls.iter().map(|call| call.line).min());
        let definitions = first(facts.definitions.iter().map(|own| own.line).min());
        Self {
            file: facts.file,
            first: (calls, definitions),
            has_changed: facts.definitions.iter().any(is_changed),
            has_removed: !facts.removed_blocks.is_empty(),
            // Plain data of known length can always be encoded, and the result can be decoded.
            bytes: postcard::to_stdvec(facts).unwrap_or_default().into(),
        }
    }
}

impl From<Facts> for PackedFacts {
    fn from(facts: Facts) -> Self {
        Self::from(&facts)
    }
}

impl PackedFacts {
    /// The facts.
    pub(crate) fn unpack(&self) -> Facts {
        postcard::from_bytes(&self.bytes).unwrap_or_default()
    }

    /// The position in diff order.
    pub(crate) fn order(&self) -> (usize, (u32, u32)) {
        (self.file, self.first)
    }

    /// The size in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use impact::{CallSite, Links, ReceiverKind, Signature};
    use review::Side;

    use super::PackedFacts;
    use crate::facts::{ActiveRule, Definition, Facts, Ignored, Loss, RemovedBlock};

    #[test]
    fn facts_are_unpacked_unchanged() {
        let signature = Signature {
            min_args: 1,
            max_args: None,
            names: vec![u64::MAX, 0],
            is_async: true,
        };
        let definition = Definition {
            name: "площа".to_owned(),
            line: 7,
            before: Some(signature),
            after: None,
            is_member: true,
            replaced_by: Some("x".to_owned()),
            replacement_line: Some(8),
        };
        let call = CallSite {
            name: u64::MAX,
            line: 3,
            arguments: None,
            named: 1,
            receiver: ReceiverKind::Other,
            through: 1,
            added: true,
            adapted: false,
            unawaited: true,
        };
        let facts = Facts {
            file: 2,
            path: "a.py".to_owned(),
            family: "Python".to_owned(),
            rules: vec![ActiveRule {
                id: "any/x".to_owned(),
            }],
            definitions: vec![definition],
            calls: vec![call],
            added: vec![1, u64::MAX],
            removed_blocks: vec![RemovedBlock {
                line: 1,
                lines: vec![5],
            }],
            removed_names: vec![9],
            losses: vec![Loss {
                line: 4,
                side: Side::Old,
                names: vec![8],
            }],
            ignored: vec![Ignored {
                line: 1,
                rule: "any/x".to_owned(),
                suppression: None,
            }],
            repository_rules: Vec::new(),
            links: Links {
                defined: vec![3],
                ..Links::default()
            },
            cut: true,
        };
        let packed = PackedFacts::from(&facts);
        assert_eq!(packed.unpack(), facts);
        assert_eq!(
            (packed.order(), packed.has_changed, packed.has_removed),
            ((2, (3, 7)), true, true)
        );
    }
}
