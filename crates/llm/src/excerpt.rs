//! What is around some lines of a change that is too large to be shown whole.

use std::collections::BTreeSet;

use crate::locate::At;
use crate::prompt_batch::{PartHunk, PromptBatch};

/// Lines that are shown on either side of a place: as many as there is room for.
const AROUND: [usize; 6] = [usize::MAX, 60, 30, 15, 5, 2];

/// The lines around these places, in their order: of each hunk that has one of them as much as fits, and at least two lines on either side.
pub(crate) fn excerpt<'a>(places: &[(&PromptBatch<'a>, At)], fits: impl Fn(usize) -> bool) -> PromptBatch<'a> {
    let mut excerpt = PromptBatch::new();
    for around in AROUND {
        excerpt = with(places, around);
        if fits(excerpt.bytes()) {
            break;
        }
    }
    excerpt
}

fn with<'a>(places: &[(&PromptBatch<'a>, At)], around: usize) -> PromptBatch<'a> {
    let mut excerpt = PromptBatch::new();
    let mut batches: Vec<&PromptBatch<'a>> = Vec::new();
    for (batch, _) in places {
        if !batches.iter().any(|known| std::ptr::eq(*known, *batch)) {
            batches.push(batch);
        }
    }
    for batch in batches {
        let here = places.iter().filter(|(other, _)| std::ptr::eq(*other, batch)).map(|(_, at)| *at);
        add(&mut excerpt, batch, &here.collect(), around);
    }
    excerpt
}

fn add<'a>(excerpt: &mut PromptBatch<'a>, batch: &PromptBatch<'a>, places: &BTreeSet<At>, around: usize) {
    for (at, file) in batch.files.iter().enumerate() {
        for (number, hunk) in file.hunks.iter().enumerate() {
            let lines: Vec<usize> =
                places.iter().filter(|place| (place.0, place.1) == (at, number)).map(|place| place.2).collect();
            let is_near = |line: usize| lines.iter().any(|place| place.abs_diff(line) <= around);
            let near: Vec<usize> = (0..hunk.lines.len()).filter(|line| is_near(*line)).collect();
            for run in near.chunk_by(|a, b| a + 1 == *b) {
                let lines = run.iter().filter_map(|line| hunk.lines.get(*line).cloned()).collect();
                excerpt.add(file, PartHunk { heading: hunk.heading.clone(), lines });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use review::Diff;
    use review::chunk::{Sizes, plan};

    use super::excerpt;
    use crate::prompt_batch::{PromptBatch, batches};
    use crate::redact::Redactor;
    use crate::tokens::Estimator;

    fn numbers(batch: &PromptBatch<'_>) -> Vec<Vec<u32>> {
        let hunks = batch.files.iter().flat_map(|file| &file.hunks);
        hunks.map(|hunk| hunk.lines.iter().filter_map(|line| line.line.new).collect()).collect()
    }

    #[test]
    fn as_much_is_shown_around_the_places_as_fits() {
        let lines: String = (1..=100).map(|n| format!("+line {n}\n")).collect();
        let diff = format!("--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,100 @@\n{lines}");
        let diff = Diff::parse(&diff).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        let redactor = Redactor::new(|_, all| all.iter().map(|lines| vec![Vec::new(); lines.len()]).collect());
        let all = batches(&plan.chunks, &[], &redactor, &Estimator::default(), 10_000);
        let places = [(&all[0], (0, 0, 9)), (&all[0], (0, 0, 11)), (&all[0], (0, 0, 60))];
        assert_eq!(numbers(&excerpt(&places, |_| true)), [(1..=100).collect::<Vec<_>>()]);
        let small = excerpt(&places, |_| false);
        assert_eq!(numbers(&small), [(8..=14).collect::<Vec<_>>(), (59..=63).collect()]);
        let medium = excerpt(&places, |bytes| bytes < 1_000);
        assert!(numbers(&medium).concat().len() > numbers(&small).concat().len() && medium.bytes() < 1_000);
    }
}
