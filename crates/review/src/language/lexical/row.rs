//! A row of the table, and the functions that scan text by it.

/// The syntax of a language's comments, strings and keywords.
#[derive(Debug)]
pub struct Lexical {
    /// Linguist's names.
    pub(super) names: &'static [&'static str],
    /// Comments to the end of the line.
    pub line_comments: &'static [LineComment],
    /// Comments with a closing delimiter.
    pub block_comments: &'static [BlockComment],
    /// Quotes of strings that end on their line.
    pub quotes: &'static [char],
    /// Delimiters of strings that may span lines, longest first.
    pub long_strings: &'static [(&'static str, &'static str)],
    /// Strings that end at a line with their name.
    pub heredoc: Option<Heredoc>,
    /// Separated by white space.
    pub(super) keywords: &'static str,
    /// Keywords may be in upper case.
    pub(super) any_case: bool,
}

/// A comment to the end of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineComment {
    /// The opening mark.
    pub mark: &'static str,
    /// The position that it requires.
    pub(super) place: Place,
    /// Text after the mark that prevents a comment; empty if there is none.
    pub(super) unless: &'static str,
}

/// The position at which a mark starts a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Anywhere,
    /// At the start of the line or after white space.
    AfterSpace,
    /// Before anything else on the line.
    LineStart,
}

/// A comment with a closing delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockComment {
    /// The opening delimiter.
    pub open: &'static str,
    /// The closing delimiter.
    pub close: &'static str,
    /// It can be nested.
    pub nests: bool,
    /// The delimiters must be in the first column.
    pub is_whole_line: bool,
}

/// A string that ends at a line with its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heredoc {
    /// The opening mark.
    pub mark: &'static str,
    /// Characters allowed between the mark and the name.
    pub(super) flags: &'static [char],
}

/// The start of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comment {
    /// To the end of the line.
    Line(&'static LineComment),
    /// To its closing delimiter.
    Block(&'static BlockComment),
}

/// No language has a longer keyword.
const KEYWORD_BYTES: usize = 16;

impl Lexical {
    /// Linguist's names of its languages.
    #[must_use]
    pub fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// Whether a word is a keyword.
    #[must_use]
    pub fn is_keyword(&self, word: &str) -> bool {
        let same =
            |keyword: &str| keyword == word || self.any_case && keyword.eq_ignore_ascii_case(word);
        word.len() <= KEYWORD_BYTES && self.keywords.split_ascii_whitespace().any(same)
    }

    /// The comment that starts at a byte of a text, outside strings and comments.
    #[must_use]
    pub fn comment_at(&self, text: &str, at: usize) -> Option<Comment> {
        let (before, rest) = text.split_at_checked(at)?;
        let block = self
            .block_comments
            .iter()
            .find(|block| block.starts(before, rest));
        let line = || {
            self.line_comments
                .iter()
                .find(|line| line.starts(before, rest))
        };
        block
            .map(Comment::Block)
            .or_else(|| line().map(Comment::Line))
    }

    /// The delimiters of the multi-line string at the start of a text.
    #[must_use]
    pub fn long_string(&self, rest: &str) -> Option<&'static (&'static str, &'static str)> {
        self.long_strings
            .iter()
            .find(|(open, _)| rest.starts_with(open))
    }

    /// Whether a line is a comment, or begins with one. A line within a block comment is recognized by its star.
    #[must_use]
    pub fn is_comment_line(&self, line: &str) -> bool {
        let (indent, code) = line.split_at(line.len() - line.trim_start().len());
        let is_continued = |block: &BlockComment| {
            let rest = code.strip_prefix('*').filter(|_| block.open == "/*");
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/', '\t']))
        };
        self.comment_at(line, indent.len()).is_some()
            || self.block_comments.iter().any(is_continued)
    }

    /// Whether a byte of a line is in a comment that starts on the line.
    #[must_use]
    pub fn is_in_comment(&self, line: &str, byte: usize) -> bool {
        let mut quotes = Quotes::default();
        let mut at = 0;
        while at < byte {
            match self.comment_at(line, at) {
                Some(Comment::Line(_)) => return true,
                Some(Comment::Block(block)) => match block.end(line, at + block.open.len(), &mut 1)
                {
                    Some(end) if end <= byte => at = end,
                    _ => return true,
                },
                None => {
                    at = self
                        .string_end(line, at, &mut quotes)
                        .unwrap_or_else(|| next_char(line, at))
                }
            }
        }
        false
    }

    /// A line without its trailing line comment.
    #[must_use]
    pub fn without_line_comment<'a>(&self, line: &'a str) -> &'a str {
        let mut quotes = Quotes::default();
        let mut at = 0;
        while at < line.len() {
            at = match self.comment_at(line, at) {
                Some(Comment::Line(_)) => return line.get(..at).unwrap_or(line),
                Some(Comment::Block(block)) => block
                    .end(line, at + block.open.len(), &mut 1)
                    .unwrap_or(line.len()),
                None => self
                    .string_end(line, at, &mut quotes)
                    .unwrap_or_else(|| next_char(line, at)),
            };
        }
        line
    }

    /// The end of the string that starts at a byte and ends on its line.
    #[must_use]
    pub fn string_end(&self, line: &str, at: usize, quotes: &mut Quotes) -> Option<usize> {
        let (before, rest) = line.split_at_checked(at)?;
        let quote = rest.chars().next().filter(|c| self.quotes.contains(c))?;
        if quotes.unpaired.contains(&quote) || quote == '\'' && self.ends_in_word(before) {
            return None;
        }
        let mut is_escaped = false;
        for (offset, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                _ if c == quote => return Some(at + offset + c.len_utf8()),
                _ => {}
            }
        }
        quotes.unpaired.push(quote);
        None
    }

    /// Whether a quote after this text is an apostrophe, because it follows a word. A few letters may be a prefix such
    /// as `rb`.
    fn ends_in_word(&self, before: &str) -> bool {
        let letters = before
            .bytes()
            .rev()
            .take_while(u8::is_ascii_alphabetic)
            .take(KEYWORD_BYTES + 1)
            .count();
        letters > 2
            && before
                .get(before.len() - letters..)
                .is_some_and(|word| !self.is_keyword(word))
    }

    /// The name of the heredoc that a line opens.
    #[must_use]
    pub fn opened_heredoc<'t>(&self, line: &'t str) -> Option<&'t str> {
        let mut marks = line.match_indices(self.heredoc?.mark);
        marks.find_map(|(at, _)| self.heredoc_name(line.get(at..)?))
    }

    /// The name of the heredoc at the start of a text: `<<~SQL`, `<<<'EOT'`, `<<-"EOF"`.
    #[must_use]
    pub fn heredoc_name<'t>(&self, text: &'t str) -> Option<&'t str> {
        let heredoc = self.heredoc?;
        let rest = text
            .strip_prefix(heredoc.mark)?
            .trim_start_matches(heredoc.flags);
        let name = word(rest.trim_start_matches(['\'', '"', '`']));
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            .then_some(name)
    }
}

/// Whether a line ends the heredoc of this name.
#[must_use]
pub fn ends_heredoc(line: &str, name: &str) -> bool {
    word(line.trim_start()) == name
}

/// The quotes that are known to have no partner in the rest of a line, so that a scan of it remains linear.
#[derive(Debug, Default)]
pub struct Quotes {
    unpaired: Vec<char>,
}

impl LineComment {
    pub(super) const fn new(mark: &'static str, place: Place) -> Self {
        Self {
            mark,
            place,
            unless: "",
        }
    }

    fn starts(&self, before: &str, rest: &str) -> bool {
        let is_placed = || match self.place {
            Place::Anywhere => true,
            Place::AfterSpace => before.chars().next_back().is_none_or(char::is_whitespace),
            Place::LineStart => {
                let before = before.trim_end_matches([' ', '\t']);
                before.is_empty() || before.ends_with('\n')
            }
        };
        let rest = rest.strip_prefix(self.mark);
        rest.is_some_and(|rest| self.unless.is_empty() || !rest.starts_with(self.unless))
            && is_placed()
    }
}

impl BlockComment {
    fn starts(&self, before: &str, rest: &str) -> bool {
        rest.starts_with(self.open) && self.is_placed(before)
    }

    fn is_placed(&self, before: &str) -> bool {
        !self.is_whole_line || before.is_empty() || before.ends_with('\n')
    }

    /// The end of the comment that contains the byte `from` of a text. `depth` counts the open comments; if they do not
    /// end in the text, it is the remaining depth.
    #[must_use]
    pub fn end(&self, text: &str, from: usize, depth: &mut usize) -> Option<usize> {
        let mut at = from;
        while let Some((before, rest)) = text
            .split_at_checked(at)
            .filter(|(_, rest)| !rest.is_empty())
        {
            if self.is_placed(before) && rest.starts_with(self.close) {
                at += self.close.len();
                *depth = depth.saturating_sub(1);
                if *depth == 0 {
                    return Some(at);
                }
            } else if self.nests && rest.starts_with(self.open) {
                at += self.open.len();
                *depth += 1;
            } else {
                at = next_char(text, at);
            }
        }
        None
    }
}

fn next_char(text: &str, at: usize) -> usize {
    text.get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(text.len(), |c| at + c.len_utf8())
}

fn word(text: &str) -> &str {
    let end = text
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count();
    text.get(..end).unwrap_or_default()
}
