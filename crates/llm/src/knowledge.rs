//! Notes on the constructs that a change adds: typical defects, and when they are not defects. A prompt contains only
//! the few items that match the added code, because long lists are ignored.

mod general;
mod item;
mod managed;
mod native;
mod scripts;

use review::{Language, LineKind};

use crate::prompt_batch::PromptBatch;
use item::Item;

/// Maximum number of items in a prompt.
const ITEMS: usize = 12;
/// Maximum bytes of all items of a prompt: about 500 tokens.
const BYTES: usize = 1_500;

/// The items that match the added code of a batch, those of its languages first; empty if there are none.
pub(crate) fn items(batch: &PromptBatch<'_>) -> String {
    let added: Vec<(&str, String)> = batch
        .files
        .iter()
        .map(|file| {
            (file.language.map_or("", Language::name), {
                let lines = file
                    .hunks
                    .iter()
                    .flat_map(|hunk| &hunk.lines)
                    .filter(|line| line.line.kind == LineKind::Added);
                lines
                    .map(|line| line.shown.as_str())
                    .collect::<Vec<_>>()
                    .join("\n")
            })
        })
        .collect();
    fitting(&added)
}

fn fitting(added: &[(&str, String)]) -> String {
    let tables = [
        scripts::ITEMS,
        managed::ITEMS,
        native::ITEMS,
        general::ITEMS,
    ];
    let all = tables.into_iter().flatten();
    let fitting = all.filter(|item| {
        added
            .iter()
            .any(|(language, text)| item.fits(language, text))
    });
    let mut lines = String::new();
    for line in fitting.take(ITEMS).map(Item::line) {
        if lines.len() + line.len() > BYTES {
            break;
        }
        lines.push_str(&line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Item, fitting, general, managed, native, scripts};

    fn of(language: &'static str, text: &str) -> String {
        fitting(&[(language, text.to_owned())])
    }

    #[test]
    fn items_fit_the_language_and_the_added_code() {
        let go = of("Go", "go func() { ch <- 1 }()");
        assert!(
            go.contains("goroutine") && go.contains(" Not a defect if "),
            "{go}"
        );
        assert!(!of("Python", "go func() { ch <- 1 }()").contains("goroutine"));
        assert_eq!(of("Go", "x := 1"), "");
    }

    #[test]
    fn items_are_bounded_however_much_is_added() {
        let all = || {
            [
                scripts::ITEMS,
                managed::ITEMS,
                native::ITEMS,
                general::ITEMS,
            ]
            .into_iter()
            .flatten()
        };
        let everything: String = all()
            .flat_map(|item| item.marks)
            .copied()
            .collect::<Vec<_>>()
            .join("\n");
        let languages = ["Python", "JavaScript", "Go", "Java", "C"];
        let lines = fitting(&languages.map(|language| (language, everything.clone())));
        assert!(
            lines.len() <= BYTES && lines.lines().count() >= 8,
            "{lines}"
        );
        assert!(all().all(|item: &Item| item.line().len() < 300 && !item.marks.is_empty()));
    }
}
