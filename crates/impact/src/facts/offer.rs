//! The names that a file exports.

use syntax::semantics::symbols::exports::Exports;
use syntax::tree::Tree;

use super::model::{Offer, Offered};

/// Minimum similarity of two names that may be confused.
const SIMILAR: f64 = 0.8;
/// The number of missing names for which a similar one is searched.
const MISSING: usize = 20;

/// The names among these that a whole file exports; `None` if it may export names that it does not show.
pub(crate) fn offer(tree: &Tree<'_>, names: &[String]) -> Option<Offer> {
    let exports = Exports::of(tree).filter(|exports| !exports.names.is_empty())?;
    let mut offer = Offer {
        is_one_object: exports.is_one_object,
        ..Offer::default()
    };
    let mut missing = 0;
    for name in names {
        let Some(export) = exports.names.get(name.as_str()) else {
            missing += 1;
            let similar = (missing <= MISSING)
                .then(|| similar(name, exports.names.keys().copied()))
                .flatten();
            offer
                .similar
                .extend(similar.map(|other| (name.clone(), other.to_owned())));
            continue;
        };
        let place = export
            .as_ref()
            .map(|own| own.definition.unwrap_or(own.name));
        let parameters = export.as_ref().and_then(|own| own.parameters.clone());
        offer.names.push(Offered {
            name: name.clone(),
            line: place.and_then(|place| place.line()).unwrap_or(1),
            parameters: parameters.map(|(_, parameters)| parameters),
        });
    }
    Some(offer)
}

fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .map(|other| (strsim::normalized_damerau_levenshtein(name, other), other))
        .filter(|(likeness, _)| *likeness >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, other)| other)
}
