//! An index of the words on a file's new side, for looking up names without a search.

use std::collections::HashMap;

use impact::is_word_char;
use review::{Line, LineKind};

/// Keywords that import or define names.
const IMPORTS: &[&str] = &["import", "define", "require", "use ", "include", "alias"];

/// The words of the new side of a file.
#[derive(Default)]
pub(super) struct MentionIndex<'l> {
    lines: Vec<Spot<'l>>,
    /// By word: the line and the position in it.
    places: HashMap<&'l str, Vec<(usize, usize)>>,
}

/// A line of the new side.
struct Spot<'l> {
    text: &'l str,
    added: bool,
    /// The byte offset from which names are imported or declared.
    import: usize,
}

impl<'l> MentionIndex<'l> {
    pub(super) fn of(lines: &[&Line<'l>]) -> Self {
        let mut index = Self::default();
        for line in lines.iter().filter(|line| line.kind != LineKind::Removed) {
            let text = line.text;
            let words = text
                .split(|c: char| !is_word_char(c))
                .filter(|word| !word.is_empty());
            for word in words {
                let at = word.as_ptr() as usize - text.as_ptr() as usize;
                index
                    .places
                    .entry(word)
                    .or_default()
                    .push((index.lines.len(), at));
            }
            let import = IMPORTS
                .iter()
                .filter_map(|word| text.find(word).map(|at| at + word.len()))
                .min();
            let added = line.kind == LineKind::Added;
            index.lines.push(Spot {
                text,
                added,
                import: import.unwrap_or(usize::MAX),
            });
        }
        index
    }

    /// Whether it mentions a name other than in calls that existed before: imported, assigned, declared by a macro. If
    /// a definition can look like a call (`calls_are_distinct` is false), any added line that mentions the name may be a
    /// definition.
    pub(super) fn names_otherwise(&self, name: &str, calls_are_distinct: bool) -> bool {
        let is_other = |spot: &Spot<'_>, at: usize| {
            let (before, rest) = (
                spot.text.get(..at).unwrap_or_default(),
                spot.text.get(at..).unwrap_or_default(),
            );
            let Some(after) = rest.strip_prefix(name) else {
                return false;
            };
            let whole = !before.ends_with(is_word_char) && !after.starts_with(is_word_char);
            let is_import = spot.import <= at;
            whole
                && (is_import
                    || (spot.added && !calls_are_distinct)
                    || !after.trim_start().starts_with('('))
        };
        let Some(first) = name
            .split(|c: char| !is_word_char(c))
            .find(|word| !word.is_empty())
        else {
            // Operators are not indexed, but they are few.
            let mut spots = self.lines.iter();
            return spots.any(|spot| {
                spot.text
                    .match_indices(name)
                    .any(|(at, _)| is_other(spot, at))
            });
        };
        let offset = first.as_ptr() as usize - name.as_ptr() as usize;
        let places = self.places.get(first).map_or(&[][..], Vec::as_slice);
        let spot =
            |line: usize, word: usize| Some((self.lines.get(line)?, word.checked_sub(offset)?));
        places
            .iter()
            .filter_map(|(line, word)| spot(*line, *word))
            .any(|(spot, at)| is_other(spot, at))
    }
}

#[cfg(test)]
mod tests {
    use super::MentionIndex;
    use crate::change::testing::lines;

    fn names_otherwise_in(rows: &[&'static str], name: &str, calls_are_distinct: bool) -> bool {
        let lines = lines(rows);
        MentionIndex::of(&lines.iter().collect::<Vec<_>>())
            .names_otherwise(name, calls_are_distinct)
    }

    #[test]
    fn an_existing_call_is_not_another_mention() {
        assert!(!names_otherwise_in(
            &[" go(1);", "-let go = 1;"],
            "go",
            true
        ));
        assert!(names_otherwise_in(&[" x = go;"], "go", true));
        assert!(names_otherwise_in(&[" import go()"], "go", true));
        assert!(!names_otherwise_in(&[" gone = let_go;"], "go", true));
        assert!(!names_otherwise_in(&["+go(1);"], "go", true));
        assert!(names_otherwise_in(&["+go(1);"], "go", false));
        assert!(names_otherwise_in(&[" x = a.go?;"], "go?", true));
        assert!(names_otherwise_in(&["+alias []= set"], "[]=", true));
    }
}
