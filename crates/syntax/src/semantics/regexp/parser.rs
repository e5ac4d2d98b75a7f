//! A small parser for the syntax that the flavours of regular expressions have in common.

/// A node of a regular expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// `a|b`.
    Alternation(Vec<Item>),
    /// `ab`.
    Sequence(Vec<Item>),
    /// `(…)`.
    Group(Group, Box<Item>),
    /// `[…]`.
    Class(bool, Vec<Part>),
    /// `a*`, `a{2,3}`: minimum and maximum number of repetitions.
    Repeat(Box<Item>, u32, Option<u32>),
    /// A character.
    Char(char),
    /// `\d`, `\b` and the like.
    Escape(char),
    /// `.`.
    Any,
    /// `^`.
    Start,
    /// `$`.
    End,
    /// `\1`.
    Back(u32),
    /// `\k<name>`.
    BackNamed(String),
}

/// The kind of a group.
#[derive(Debug, Clone, PartialEq)]
pub enum Group {
    /// Captured, with its number and name.
    Capture(u32, Option<String>),
    /// `(?:…)`.
    Plain,
    /// `(?=…)`, `(?<=…)`; whether it is negative, whether it looks back.
    Look(bool, bool),
}

/// A part of a class.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A character, and whether it was written with a backslash.
    One(char, bool),
    /// `a-z`.
    Range(char, char),
    /// `\d` and the like.
    Set(char),
}

/// Why a text is not a regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// It is certainly invalid, with the reason.
    Invalid(&'static str),
    /// It uses syntax that is not supported here.
    Unknown,
}

/// Maximum nesting.
const DEEPEST: usize = 40;

/// Parses a pattern. `v` is JavaScript's mode with nested classes.
pub(super) fn parse(text: &str, is_javascript: bool, v: bool) -> Result<Item, Problem> {
    if v || text.len() > 4000 {
        return Err(Problem::Unknown);
    }
    let mut parser = Parser {
        chars: text.chars().collect(),
        at: 0,
        groups: 0,
        is_javascript,
    };
    let item = parser.alternation(0)?;
    match parser.peek() {
        None => Ok(item),
        Some(_) => Err(Problem::Invalid("a closing parenthesis has no opening one")),
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    groups: u32,
    is_javascript: bool,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_there = text
            .chars()
            .enumerate()
            .all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        if is_there {
            self.at += text.chars().count();
        }
        is_there
    }

    fn alternation(&mut self, depth: usize) -> Result<Item, Problem> {
        if depth > DEEPEST {
            return Err(Problem::Unknown);
        }
        let mut branches = vec![self.sequence(depth)?];
        while self.eat("|") {
            branches.push(self.sequence(depth)?);
        }
        if branches.len() == 1 {
            branches.pop().ok_or(Problem::Unknown)
        } else {
            Ok(Item::Alternation(branches))
        }
    }

    fn sequence(&mut self, depth: usize) -> Result<Item, Problem> {
        let mut items = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            if let Some(item) = self.atom(depth)? {
                let item = self.repeated(item)?;
                items.push(item);
            }
        }
        Ok(Item::Sequence(items))
    }

    fn atom(&mut self, depth: usize) -> Result<Option<Item>, Problem> {
        let Some(c) = self.take() else {
            return Err(Problem::Unknown);
        };
        Ok(Some(match c {
            '.' => Item::Any,
            '^' => Item::Start,
            '$' => Item::End,
            '(' => return self.group(depth),
            '[' => self.class()?,
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(Problem::Invalid("a quantifier has nothing to repeat")),
            other => Item::Char(other),
        }))
    }

    fn group(&mut self, depth: usize) -> Result<Option<Item>, Problem> {
        let group = if !self.eat("?") {
            self.groups += 1;
            Group::Capture(self.groups, None)
        } else if self.eat(":") {
            Group::Plain
        } else if self.eat("=") {
            Group::Look(false, false)
        } else if self.eat("!") {
            Group::Look(true, false)
        } else if self.eat("<=") {
            Group::Look(false, true)
        } else if self.eat("<!") {
            Group::Look(true, true)
        } else if self.eat("P<") || self.eat("<") {
            self.groups += 1;
            let mut name = String::new();
            loop {
                match self.take() {
                    Some('>') => break,
                    Some(c) if c.is_alphanumeric() || c == '_' || c == '$' => name.push(c),
                    _ => return Err(Problem::Unknown),
                }
            }
            Group::Capture(self.groups, Some(name))
        } else if self.eat("P=") {
            let mut name = String::new();
            while let Some(c) = self.take().filter(|c| *c != ')') {
                name.push(c);
            }
            return Ok(Some(Item::BackNamed(name)));
        } else if !self.is_javascript && self.eat("#") {
            while self.take().is_some_and(|c| c != ')') {}
            return Ok(None);
        } else {
            return self.flags(depth);
        };
        self.inner(group, depth).map(Some)
    }

    fn inner(&mut self, group: Group, depth: usize) -> Result<Item, Problem> {
        let inner = self.alternation(depth + 1)?;
        if self.eat(")") {
            Ok(Item::Group(group, Box::new(inner)))
        } else {
            Err(Problem::Invalid("a parenthesis is not closed"))
        }
    }

    /// `(?i)` and `(?i:…)`.
    fn flags(&mut self, depth: usize) -> Result<Option<Item>, Problem> {
        loop {
            match self.take() {
                Some(c) if c.is_ascii_alphabetic() || c == '-' => {}
                Some(')') => return Ok(None),
                Some(':') => return self.inner(Group::Plain, depth).map(Some),
                _ => return Err(Problem::Unknown),
            }
        }
    }

    fn repeated(&mut self, item: Item) -> Result<Item, Problem> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.counts()? {
                Some(counts) => counts,
                None => return Ok(item),
            },
            _ => return Ok(item),
        };
        self.at += 1;
        // Lazy, or possessive.
        if !self.eat("?") && self.peek() == Some('+') {
            if self.is_javascript {
                return Err(Problem::Invalid("a quantifier has nothing to repeat"));
            }
            self.at += 1;
            // A possessive quantifier never backtracks.
            return Ok(Item::Repeat(Box::new(item), least, most.or(Some(u32::MAX))));
        }
        if matches!(self.peek(), Some('*')) {
            return Err(Problem::Invalid("a quantifier has nothing to repeat"));
        }
        Ok(Item::Repeat(Box::new(item), least, most))
    }

    /// `{2}`, `{2,}`, `{2,3}`, up to the closing brace; anything else is plain text.
    fn counts(&mut self) -> Result<Option<(u32, Option<u32>)>, Problem> {
        let rest: String = self
            .chars
            .iter()
            .skip(self.at + 1)
            .take_while(|c| **c != '}')
            .take(12)
            .collect();
        let is_closed = self.chars.get(self.at + 1 + rest.chars().count()) == Some(&'}');
        let (least, most) = rest
            .split_once(',')
            .map_or((rest.as_str(), None), |(least, most)| (least, Some(most)));
        let number = |text: &str| text.parse::<u32>().ok();
        let (true, Some(first)) = (
            is_closed,
            number(
                if least.is_empty() && most.is_some() && !self.is_javascript {
                    "0"
                } else {
                    least
                },
            ),
        ) else {
            return Ok(None);
        };
        let last = match most {
            None => Some(first),
            Some("") => None,
            Some(text) => match number(text) {
                Some(number) => Some(number),
                None => return Ok(None),
            },
        };
        if last.is_some_and(|last| last < first) {
            return Err(Problem::Invalid(
                "the numbers of a quantifier are in the wrong order",
            ));
        }
        self.at += rest.chars().count() + 1;
        Ok(Some((first, last)))
    }

    fn escape(&mut self) -> Result<Item, Problem> {
        let Some(c) = self.take() else {
            return Err(Problem::Invalid("it ends in a backslash"));
        };
        Ok(match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' | 'A' | 'Z' | 'z' | 'G' | 'R' | 'h'
            | 'X' => Item::Escape(c),
            '1'..='9' => {
                let mut number = c.to_digit(10).unwrap_or_default();
                while let Some(digit) = self
                    .peek()
                    .and_then(|c| c.to_digit(10))
                    .filter(|_| number < 100)
                {
                    number = number * 10 + digit;
                    self.at += 1;
                }
                Item::Back(number)
            }
            'k' if self.eat("<") => {
                let mut name = String::new();
                while let Some(c) = self.take().filter(|c| *c != '>') {
                    name.push(c);
                }
                Item::BackNamed(name)
            }
            'Q' | 'E' => return Err(Problem::Unknown),
            'p' | 'P' => {
                if self.eat("{") {
                    while self.take().is_some_and(|c| c != '}') {}
                } else {
                    self.at += 1;
                }
                Item::Escape('p')
            }
            _ => Item::Char(self.code(c)),
        })
    }

    /// The character of up to three octal digits, of which the first is taken.
    fn octal(&mut self, first: char) -> char {
        let mut number = first.to_digit(8).unwrap_or_default();
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else {
                break;
            };
            number = number * 8 + digit;
            self.at += 1;
        }
        char::from_u32(number).unwrap_or('\0')
    }

    /// The character of an escape.
    fn code(&mut self, c: char) -> char {
        let digits = match c {
            'n' => return '\n',
            't' => return '\t',
            'r' => return '\r',
            'f' => return '\u{c}',
            'v' => return '\u{b}',
            // In a class, where there are no references, and after a zero.
            '0'..='7' => return self.octal(c),
            'c' => {
                let letter = self.take().unwrap_or('A');
                return char::from_u32(u32::from(letter) % 32).unwrap_or('\u{1}');
            }
            'x' => 2,
            'u' if self.peek() == Some('{') => {
                let text: String = self
                    .chars
                    .iter()
                    .skip(self.at + 1)
                    .take_while(|c| **c != '}')
                    .collect();
                self.at += text.chars().count() + 2;
                return u32::from_str_radix(&text, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .unwrap_or('\u{fffd}');
            }
            'u' => 4,
            other => return other,
        };
        let text: String = self.chars.iter().skip(self.at).take(digits).collect();
        match u32::from_str_radix(&text, 16)
            .ok()
            .filter(|_| text.chars().count() == digits)
        {
            Some(code) => {
                self.at += digits;
                char::from_u32(code).unwrap_or('\u{fffd}')
            }
            None => c,
        }
    }

    fn class(&mut self) -> Result<Item, Problem> {
        let negated = self.eat("^");
        let mut parts = Vec::new();
        let first = self.at;
        loop {
            // Except in JavaScript, a bracket that comes first is a literal.
            if self.peek() == Some(']') && (self.is_javascript || self.at > first) {
                self.at += 1;
                break;
            }
            let part = self.part()?;
            let is_range = self.peek() == Some('-')
                && !matches!(self.chars.get(self.at + 1), None | Some(']'));
            if !is_range {
                parts.push(part);
                continue;
            }
            self.at += 1;
            match (part, self.part()?) {
                (Part::One(low, _), Part::One(high, _)) if low > high => {
                    return Err(Problem::Invalid("a range in a class is in the wrong order"));
                }
                (Part::One(low, _), Part::One(high, _)) => parts.push(Part::Range(low, high)),
                (low, high) => parts.extend([low, Part::One('-', true), high]),
            }
        }
        Ok(Item::Class(negated, parts))
    }

    fn part(&mut self) -> Result<Part, Problem> {
        match self.take() {
            None => Err(Problem::Invalid("a class is not closed")),
            Some('\\') => match self.take() {
                None => Err(Problem::Invalid("a class is not closed")),
                Some(c @ ('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'h')) => Ok(Part::Set(c)),
                Some('p' | 'P') => {
                    if self.eat("{") {
                        while self.take().is_some_and(|c| c != '}') {}
                    }
                    Ok(Part::Set('p'))
                }
                Some('b') => Ok(Part::One('\u{8}', true)),
                Some(c) => Ok(Part::One(self.code(c), true)),
            },
            // Nested classes of other flavours: `[[:alpha:]]`, `[a&&[b]]`.
            Some('[') if !self.is_javascript => Err(Problem::Unknown),
            Some(c) => Ok(Part::One(c, false)),
        }
    }
}

impl Item {
    /// The items directly inside.
    pub fn inner(&self) -> Vec<&Self> {
        match self {
            Self::Alternation(items) | Self::Sequence(items) => items.iter().collect(),
            Self::Group(_, inner) | Self::Repeat(inner, ..) => vec![inner],
            _ => Vec::new(),
        }
    }

    /// Itself and everything inside.
    pub fn all(&self) -> Vec<&Self> {
        let mut found = vec![self];
        let mut next = 0;
        while let Some(item) = found.get(next).copied() {
            found.extend(item.inner());
            next += 1;
        }
        found
    }

    /// Whether it can match the empty string.
    pub fn can_be_empty(&self) -> bool {
        match self {
            Self::Alternation(items) => items.iter().any(Self::can_be_empty),
            Self::Sequence(items) => items.iter().all(Self::can_be_empty),
            Self::Group(Group::Look(..), _)
            | Self::Start
            | Self::End
            | Self::Back(_)
            | Self::BackNamed(_) => true,
            Self::Group(_, inner) => inner.can_be_empty(),
            Self::Repeat(inner, least, _) => *least == 0 || inner.can_be_empty(),
            Self::Escape(c) => matches!(c, 'b' | 'B' | 'A' | 'Z' | 'z' | 'G'),
            Self::Class(..) | Self::Char(_) | Self::Any => false,
        }
    }

    /// Its content, without groups and sequences of one item.
    pub fn unwrapped(&self) -> &Self {
        match self {
            Self::Group(Group::Capture(..) | Group::Plain, inner) => inner.unwrapped(),
            Self::Sequence(items) => match items.as_slice() {
                [only] => only.unwrapped(),
                _ => self,
            },
            _ => self,
        }
    }

    /// Whether a single-character item matches a character; `None` for other items.
    pub fn takes(&self, c: char) -> Option<bool> {
        let set = |name: char| match name {
            'd' => c.is_ascii_digit(),
            'D' => !c.is_ascii_digit(),
            'w' => c.is_ascii_alphanumeric() || c == '_',
            'W' => !(c.is_ascii_alphanumeric() || c == '_'),
            's' => c.is_whitespace(),
            'S' => !c.is_whitespace(),
            _ => false,
        };
        match self {
            Self::Char(own) => Some(*own == c),
            Self::Any => Some(c != '\n'),
            Self::Escape(name @ ('d' | 'D' | 'w' | 'W' | 's' | 'S')) => Some(set(*name)),
            Self::Class(negated, parts) => {
                let hit = parts.iter().any(|part| match part {
                    Part::One(own, _) => *own == c,
                    Part::Range(low, high) => (*low..=*high).contains(&c),
                    Part::Set(name) => set(*name),
                });
                Some(hit != *negated)
            }
            _ => None,
        }
    }
}
