//! Decides whether two texts differ only by a slip.
//!
//! `strsim` computes the full distance, at a cost of the product of both lengths. The question here is only whether the distance
//! is at most a few edits, so a narrow band of the table is enough, and most lines are rejected by their length or after a few
//! characters.

/// The most edits.
const EDITS: usize = 4;
/// Characters for each edit: at most one in ten may differ.
const CHARACTERS: usize = 10;
/// The most characters of a text that is compared.
const LENGTH: usize = 400;

/// Whether `line` is `quote` with a few characters wrong, missing or added: at most one in ten, and at most four.
pub(super) fn is_slip(quote: &str, line: &str) -> bool {
    if quote.len().abs_diff(line.len()) > 4 * EDITS {
        return false;
    }
    let quote: Vec<char> = quote.chars().take(LENGTH + 1).collect();
    let line: Vec<char> = line.chars().take(LENGTH + 1).collect();
    let edits = (quote.len() / CHARACTERS).min(EDITS);
    let is_sensible =
        quote.len() <= LENGTH && line.len() <= LENGTH && quote.len().abs_diff(line.len()) <= edits;
    is_sensible && edits > 0 && is_within(&quote, &line, edits)
}

/// Whether the edit distance of two texts is at most `edits`. Only cells that close to the diagonal can be on such a path.
fn is_within(a: &[char], b: &[char], edits: usize) -> bool {
    let far = edits + 1;
    let mut above: Vec<usize> = (0..=b.len()).map(|at| at.min(far)).collect();
    let mut row = vec![far; b.len() + 1];
    for (at, of_a) in a.iter().enumerate() {
        let (from, to) = (
            (at + 1).saturating_sub(edits),
            (at + 1 + edits).min(b.len()),
        );
        row[from.saturating_sub(1)..=(to + 1).min(b.len())].fill(far);
        if from == 0 {
            row[0] = (at + 1).min(far);
        }
        for column in from.max(1)..=to {
            let change = usize::from(b[column - 1] != *of_a);
            let least = (above[column - 1] + change)
                .min(above[column] + 1)
                .min(row[column - 1] + 1);
            row[column] = least.min(far);
        }
        if row[from..=to].iter().all(|distance| *distance >= far) {
            return false;
        }
        std::mem::swap(&mut above, &mut row);
    }
    above.last().is_some_and(|distance| *distance <= edits)
}
