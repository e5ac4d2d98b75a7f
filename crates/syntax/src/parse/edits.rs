//! The edits that turn one side of a hunk into the other. With them the parser takes over the parts of the tree that
//! did not change.

use tree_sitter::{InputEdit, Point, Tree};

use super::side::SideLine;

/// A side's text and its lines.
pub(super) type Lines<'a> = (&'a str, &'a [SideLine]);

/// The tree of one side, edited to match the other. `None` if the texts differ in lines that the change does not touch.
pub(super) fn edited(tree: &Tree, from: Lines<'_>, to: Lines<'_>) -> Option<Tree> {
    let mut tree = tree.clone();
    // From the last one, because an edit moves everything after it.
    for edit in edits(from, to)?.iter().rev() {
        tree.edit(edit);
    }
    Some(tree)
}

/// The edits, in the coordinates of the first text.
fn edits(from: Lines<'_>, to: Lines<'_>) -> Option<Vec<InputEdit>> {
    let (mut from, mut to) = (Reader::of(from)?, Reader::of(to)?);
    let mut edits = Vec::new();
    loop {
        let (start, before) = (from.at, to.at);
        from.skip_changed();
        to.skip_changed();
        if from.at != start || to.at != before {
            let end = Position {
                byte: start.byte + to.at.byte - before.byte,
                row: start.row + to.at.row - before.row,
            };
            edits.push(InputEdit {
                start_byte: start.byte,
                old_end_byte: from.at.byte,
                new_end_byte: end.byte,
                start_position: start.point(),
                old_end_position: from.at.point(),
                new_end_position: end.point(),
            });
        }
        match (from.next(), to.next()) {
            (None, None) => return Some(edits),
            (Some(one), Some(other)) if one == other => {}
            _ => return None,
        }
    }
}

/// The start of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Position {
    byte: usize,
    row: usize,
}

impl Position {
    fn point(self) -> Point {
        Point::new(self.row, 0)
    }
}

/// Reads a side line by line.
struct Reader<'a> {
    text: &'a str,
    lines: &'a [SideLine],
    at: Position,
}

impl<'a> Reader<'a> {
    /// `None` unless each of the lines ends with a line feed.
    fn of((text, lines): Lines<'a>) -> Option<Self> {
        let feeds = text.bytes().filter(|byte| *byte == b'\n').count();
        let reader = Self {
            text,
            lines,
            at: Position { byte: 0, row: 0 },
        };
        (feeds == lines.len() && (text.is_empty() || text.ends_with('\n'))).then_some(reader)
    }

    fn skip_changed(&mut self) {
        while self.lines.get(self.at.row).is_some_and(|line| line.changed) {
            self.next();
        }
    }

    /// The next line, with its index in the hunk.
    fn next(&mut self) -> Option<(u32, &'a str)> {
        let line = self.lines.get(self.at.row)?;
        let rest = self.text.get(self.at.byte..)?;
        let text = rest.get(..=rest.find('\n')?)?;
        self.at = Position {
            byte: self.at.byte + text.len(),
            row: self.at.row + 1,
        };
        Some((line.index, text))
    }
}

#[cfg(test)]
mod tests {
    use review::{Line, LineKind, Side};

    use super::edits;
    use crate::language::Grammar;
    use crate::parse::{Extent, Fragment, Hunk, Limits, OtherSide, SideText};

    const GO: &str = "package a\n\nimport \"fmt\"\n\nfunc f(x int) int {\n\tif x > 1 {\n\t\treturn x\n\t}\n\tfmt.Println(`a\n\tb`, x)\n\treturn 2\n}\n";
    const PYTHON: &str = "import os\n\n\nclass A:\n    def f(self, x):\n        if x:\n            return \"\"\"a\n    b\"\"\"\n        return 2\n\n\ndef g():\n    return os.sep\n";
    const RUBY: &str = "class A\n  def f(x)\n    return <<~TEXT if x\n      a #{x}\n    TEXT\n    g do |y|\n      y + 1\n    end\n  end\nend\n";

    fn line(kind: LineKind, number: u32, text: &str) -> Line<'_> {
        Line {
            kind,
            old: (kind != LineKind::Added).then_some(number),
            new: (kind != LineKind::Removed).then_some(number),
            text,
            terminated: true,
        }
    }

    /// A hunk with all lines of a text, some of which were removed and some added.
    fn changed<'t>(text: &'t str, kind: impl Fn(usize) -> LineKind) -> Vec<Line<'t>> {
        let lines = text.lines().enumerate().zip(1..);
        lines
            .map(|((at, text), number)| line(kind(at), number, text))
            .collect()
    }

    /// The trees of the old side: parsed from scratch, and from the tree of the new side.
    fn both(language: &str, lines: &[Line<'_>]) -> Option<[String; 2]> {
        let (grammar, limits) = (Grammar::find(language)?, Limits::default());
        let hunk = Hunk { heading: "", lines };
        let parse = |side, other| {
            let text = SideText::new(hunk, side, &limits);
            Fragment::parse(grammar, text, "", Extent::Whole, other, &limits).ok()
        };
        let (new, tree) = parse(Side::New, None)?;
        let of = |tree| {
            let other = OtherSide {
                fragment: &new,
                tree,
            };
            Some(shape(&parse(Side::Old, Some(other))?.1))
        };
        Some([of(None)?, of(Some(&tree))?])
    }

    /// All nodes with their positions.
    fn shape(tree: &tree_sitter::Tree) -> String {
        let mut cursor = tree.walk();
        let mut shape = String::new();
        loop {
            shape += &format!("{:?};", cursor.node());
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return shape;
                }
            }
        }
    }

    #[test]
    fn a_tree_from_the_other_side_equals_one_from_scratch() {
        for (language, text) in [("Go", GO), ("Python", PYTHON), ("Ruby", RUBY)] {
            let count = text.lines().count();
            for first in 0..count {
                for last in first..count {
                    for (one, other) in [
                        (LineKind::Added, LineKind::Added),
                        (LineKind::Removed, LineKind::Added),
                        (LineKind::Added, LineKind::Removed),
                        (LineKind::Removed, LineKind::Removed),
                    ] {
                        let lines = changed(text, |at| match at {
                            at if at == first => one,
                            at if at == last => other,
                            _ => LineKind::Context,
                        });
                        let [scratch, reused] = both(language, &lines).unwrap();
                        assert_eq!(
                            scratch, reused,
                            "{language} {first} {last} {one:?} {other:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn an_edit_covers_the_lines_that_differ() {
        let lines = [
            line(LineKind::Context, 1, "a"),
            line(LineKind::Removed, 2, "bb"),
            line(LineKind::Added, 2, "c"),
            line(LineKind::Added, 3, "d"),
            line(LineKind::Context, 4, "e"),
            line(LineKind::Removed, 4, "f"),
        ];
        let hunk = Hunk {
            heading: "",
            lines: &lines,
        };
        let side = |side| SideText::new(hunk, side, &Limits::default());
        let (new, old) = (side(Side::New), side(Side::Old));
        let found = edits((&new.text, &new.lines), (&old.text, &old.lines)).unwrap();
        let bytes: Vec<_> = found
            .iter()
            .map(|edit| (edit.start_byte, edit.old_end_byte, edit.new_end_byte))
            .collect();
        assert_eq!(bytes, [(2, 6, 5), (8, 8, 10)]);
        let rows: Vec<_> = found
            .iter()
            .map(|edit| {
                (
                    edit.start_position.row, edit.old_end_position.row, edit.new_end_position.row,
                )
            })
            .collect();
        assert_eq!(rows, [(1, 3, 2), (4, 4, 5)]);
        let other = old.text.replace('e', "x");
        assert!(edits((&new.text, &new.lines), (&other, &old.lines)).is_none());
        assert!(edits((&new.text, &new.lines), ("a\n", &old.lines)).is_none());
    }
}
