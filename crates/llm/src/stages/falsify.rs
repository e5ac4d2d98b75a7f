//! What a model brings forward against the most serious findings that were chosen. Only a line of code counts, and it may lower a finding
//! by one step; none is taken away.

use review::{LineKind, Priority};

use super::code::code;
use super::selector::is_protected;
use crate::locate::{Located, is_quoted};
use crate::prompt_batch::{BatchFile, PromptBatch};
use crate::reply::Objection;

/// Findings that are checked at once, at most.
const CHECKED: usize = 8;

/// The findings to be checked: those of P0 and P1 that the author will see as such, the first of the order first.
pub(crate) fn to_check(pool: &[&Located], chosen: &[usize]) -> Vec<usize> {
    let protected = (0..pool.len()).filter(|at| is_protected(pool[*at]) && !chosen.contains(at));
    let all = chosen.iter().copied().chain(protected).filter(|at| pool[*at].priority <= Priority::P1);
    all.take(CHECKED).collect()
}

/// Those of the findings `asked` that a line of code contradicts. The first objection to a finding counts.
pub(crate) fn doubted(objections: &[Objection], asked: &[usize], shown: &PromptBatch<'_>) -> Vec<usize> {
    let of = |(at, place): (usize, &usize)| {
        let objection = objections.iter().find(|one| one.finding == at + 1)?;
        (objection.is_refuted && stands_as_code(&objection.quote, shown)).then_some(*place)
    };
    asked.iter().enumerate().filter_map(of).collect()
}

/// The priority of a finding after its check.
pub(crate) fn lowered(found: &Located, priority: Priority) -> Priority {
    match priority {
        _ if is_protected(found) => priority,
        Priority::P0 => Priority::P1,
        Priority::P1 => Priority::P2,
        Priority::P2 | Priority::P3 => Priority::P3,
    }
}

/// Whether a quote is code that stands in the new version of a shown file.
fn stands_as_code(quote: &str, shown: &PromptBatch<'_>) -> bool {
    let quote = quote.trim();
    let quote = quote.strip_prefix('`').and_then(|quote| quote.strip_suffix('`')).unwrap_or(quote);
    shown.files.iter().any(|file| {
        let of_quote = code(quote.lines(), file.language).join("\n");
        is_quoted(&of_quote, new_lines(file).iter().map(String::as_str))
    })
}

/// The code of a file's lines, without those that are removed.
fn new_lines(file: &BatchFile<'_>) -> Vec<String> {
    let of = |hunk: &crate::prompt_batch::PartHunk<'_>| {
        let lines = hunk.lines.iter().filter(|line| line.line.kind != LineKind::Removed);
        code(lines.map(|line| line.shown.as_str()), file.language)
    };
    file.hunks.iter().flat_map(of).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use review::chunk::{Sizes, plan};
    use review::{Category, Diff, Priority};

    use super::{Objection, doubted, lowered, to_check};
    use crate::locate::Located;
    use crate::prompt_batch::batches;
    use crate::redact::Redactor;
    use crate::tokens::Estimator;

    fn of(priority: Priority, category: Category) -> Located {
        Located { priority, category, ..Located::sample(0, "It is wrong.") }
    }

    #[test]
    fn the_serious_ones_are_checked_and_what_an_attacker_would_want_lowered_is_not() {
        let [p1, p2] = [Priority::P1, Priority::P2].map(|priority| of(priority, Category::LogicBug));
        let security = of(Priority::P1, Category::Security);
        assert_eq!(to_check(&[&p1, &p2, &p1, &security], &[2, 1]), [2, 3]);
        assert_eq!(to_check(&[&p1; 20], &(0..20).collect::<Vec<_>>()).len(), 8);
        assert_eq!(lowered(&p1, Priority::P1), Priority::P2);
        assert_eq!(lowered(&security, Priority::P1), Priority::P1);
    }

    #[test]
    fn only_code_of_the_new_version_counts_against_a_finding() {
        let diff = "--- a/pay.py\n+++ b/pay.py\n@@ -1,2 +1,4 @@\n-if order is None: return\n+assert order is not None  # always\n+# order can never be None\n+log('the order was checked')\n total = order.total\n";
        let diff = Diff::parse(diff).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        let redactor = Redactor::new(|_, all| all.iter().map(|lines| vec![Vec::new(); lines.len()]).collect());
        let batch = batches(&plan.chunks, &[], &redactor, &Estimator::default(), 10_000).remove(0);
        let objection = |quote: &str| Objection { finding: 1, quote: quote.to_owned(), is_refuted: true };
        let counts = |objection: Objection| doubted(&[objection], &[7], &batch) == [7];
        for quote in ["assert order is not None  # always", "`assert order is not None`", "NEW:4  total = order.total"]
        {
            assert!(counts(objection(quote)), "{quote}");
        }
        for quote in
            ["# order can never be None", "# always", "the order was checked", "if order is None: return", "", "x = 1"]
        {
            assert!(!counts(objection(quote)), "{quote}");
        }
        assert!(!counts(Objection { is_refuted: false, ..objection("total = order.total") }));
        assert!(!counts(Objection { finding: 2, ..objection("total = order.total") }));
    }
}
