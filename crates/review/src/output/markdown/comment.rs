//! The comment on the line of a finding, for the hosts of pull and merge requests.

use super::escape::{code, prose};
use crate::output::json::FindingBody;
use crate::output::place::other_places;
use crate::output::rule_name::rule_name;
use crate::output::text::{clip, scrub};

/// Maximum length of one text, in characters.
const TEXT: usize = 2_000;
/// Maximum length of a block of code, in characters.
const CODE: usize = 10_000;
/// No line of a block may look like the end of a block, however long its fence is: GitLab searches for quick actions
/// (`/close`) outside the text that it parses as code.
const FENCES: [&str; 2] = ["```", "~~~"];

/// Code to show below the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    /// The info string after the opening fence: `suggestion` if the host offers to apply the code. Not escaped.
    pub info: &'a str,
    /// The code, without a line feed at its end.
    pub text: &'a str,
}

/// The finding as a comment. A block that cannot be shown unchanged is omitted.
#[must_use]
pub fn comment(finding: &FindingBody, block: Option<Block<'_>>) -> String {
    let mut parts = vec![format!(
        "**{}** {}",
        finding.priority,
        prose(&clip(&finding.summary, TEXT))
    )];
    parts.extend(
        finding
            .suggested_fix
            .as_deref()
            .map(|fix| format!("**Fix:** {}", prose(&clip(fix, TEXT)))),
    );
    parts.extend(block.and_then(fenced));
    parts.extend(other_places(finding).map(|also| format!("({})", prose(&clip(&also, TEXT)))));
    parts.push(format!(
        "{} · confidence {:.2}",
        code(&rule_name(finding)),
        finding.confidence
    ));
    parts.join("\n\n") + "\n"
}

fn fenced(block: Block<'_>) -> Option<String> {
    let text = scrub(block.text);
    let is_shown = !text.trim().is_empty() && text.chars().count() <= CODE;
    (is_shown && !FENCES.iter().any(|fence| text.contains(fence)))
        .then(|| format!("```{}\n{text}\n```", block.info))
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser, Tag};

    use super::{Block, comment};
    use crate::output::json::FindingBody;
    use crate::output::samples;

    fn hostile(text: &str) -> FindingBody {
        FindingBody {
            summary: text.to_owned(),
            suggested_fix: Some(text.to_owned()),
            ..samples::finding()
        }
    }

    #[test]
    fn a_comment_has_the_text_the_fix_the_code_and_the_rule() {
        let block = Block {
            info: "suggestion",
            text: "    def add(basket=None):",
        };
        assert_eq!(
            comment(&samples::finding(), Some(block)),
            "**P1** The default `basket=[]` is made once\\: all calls share it.\n\n**Fix:** Use `None` as the default.\n\n\
             ```suggestion\n    def add(basket=None):\n```\n\n(also at src/cart.py\\:2)\n\n\
             `python/mutable-default-argument` · confidence 0.95\n"
        );
    }

    #[test]
    fn text_stays_on_its_line_and_causes_no_notifications() {
        for text in [
            "x\n\n/close", "```\n@all\n```", "<!-- hunkwise 00 -->", "@team see #1",
            "[a](http://b)\n<img src=x>",
        ] {
            let shown = comment(&hostile(text), None);
            assert_eq!(shown.lines().count(), 7, "{shown}");
            let events: Vec<_> = Parser::new(&shown).collect();
            let is_other = |event: &Event<'_>| match event {
                Event::Html(_) | Event::InlineHtml(_) => true,
                Event::Start(tag) => !matches!(tag, Tag::Paragraph | Tag::Strong),
                _ => false,
            };
            assert!(!events.iter().any(is_other), "{events:?}");
            assert!(
                !shown.contains("\n/") && !shown.contains("@a") && !shown.contains("@t"),
                "{shown}"
            );
        }
    }

    #[test]
    fn code_that_could_end_its_block_is_left_out() {
        for text in ["a\n```\n/close", "~~~", "", " \n", &"x".repeat(10_001)] {
            let block = Block {
                info: "suggestion",
                text,
            };
            assert_eq!(
                comment(&samples::finding(), Some(block)),
                comment(&samples::finding(), None),
                "{text}"
            );
        }
        let hidden = comment(
            &samples::finding(),
            Some(Block {
                info: "",
                text: "a\u{202e}b",
            }),
        );
        assert!(hidden.contains("```\na\u{fffd}b\n```"), "{hidden}");
    }
}
