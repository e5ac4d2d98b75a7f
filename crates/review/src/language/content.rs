//! The language of a text that neither its path nor its first line tells.
//!
//! A guess costs findings that make no sense, and none costs a warning. So a language needs two signs of different
//! kinds, each seldom seen in prose or in another language, and more of them than any other language has.
//!
//! Of 4,500 changed files of merged commits whose names were taken away, 0.5 % were taken for another language (mostly text
//! that quotes code); of Python, PHP and Ruby 58 to 65 % were told, of JavaScript and TypeScript 39 %.

/// Kinds of signs that are needed.
const NEEDED: usize = 2;

/// Tells whether a line, without surrounding white space, is a sign.
type Sign = fn(&str) -> bool;

const SIGNS: &[(&str, &[Sign])] = &[
    (
        "Python",
        &[
            |line| (line.starts_with("def ") || line.starts_with("async def ")) && line.ends_with(':'),
            |line| line.starts_with("from ") && line.split_whitespace().nth(2) == Some("import"),
            |line| {
                line.starts_with("import ") && line.split_whitespace().count() == 2 && !line.ends_with([';', '\'', '"'])
            },
            |line| line.starts_with("class ") && line.ends_with("):"),
            |line| line.starts_with("elif ") || line.starts_with("except ") || line == "try:" || line == "else:",
            |line| {
                (line.starts_with("if ") || line.starts_with("for ") || line.starts_with("while "))
                    && line.ends_with(':')
                    && line.contains(['(', '=', '['])
            },
            |line| line.starts_with("with ") && line.ends_with(':') && line.contains('('),
            |line| line.starts_with("self.") || line.contains("(self"),
        ],
    ),
    (
        "PHP",
        &[
            |line| line.starts_with("<?php"),
            |line| line.starts_with("<?php") || line.starts_with("<?="),
            |line| line.starts_with('$') && line.contains(" = ") && line.ends_with(';'),
            |line| line.contains("$this->") || line.starts_with('$') && line.contains("->") && line.ends_with(';'),
            |line| line.contains("function ") && line.contains("($"),
            |line| line.starts_with("echo ") && line.ends_with(';') && line.contains('$'),
            |line| (line.starts_with("foreach (") || line.starts_with("if (")) && line.contains("($"),
        ],
    ),
    (
        "Shell",
        &[
            |line| matches!(line, "fi" | "done" | "esac"),
            |line| line.ends_with("; then") || line.ends_with("; do") || line == "then",
            |line| line.starts_with("if [ ") || line.starts_with("if [[ ") || line.starts_with("while [ "),
            |line| line.starts_with("set -e") || line.starts_with("export ") && line.contains('='),
            |line| line.contains("=\"$(") || line.contains("=$("),
            |line| line.starts_with("echo \"") && line.contains('$') && line.ends_with('"'),
        ],
    ),
    (
        "JavaScript",
        &[
            // Rust, Swift and C# have these as well, so they are one sign.
            |line| {
                (line.starts_with("const ") || line.starts_with("let ")) && line.contains(" = ")
                    || line.contains(") => ")
                    || line.ends_with("=> {")
                    || line.starts_with("await ")
            },
            |line| line.contains("require('") || line.contains("require(\""),
            |line| line.starts_with("import ") && line.contains(" from '") || line.contains(" from \""),
            |line| {
                (line.starts_with("function ") || line.starts_with("async function "))
                    && line.ends_with('{')
                    && !line.contains('$')
            },
            |line| line.starts_with("module.exports") || line.starts_with("export default "),
            |line| line.starts_with("console."),
            |line| line.contains(" === ") || line.contains(" !== "),
        ],
    ),
    (
        "Ruby",
        &[
            |line| line.starts_with("def ") && !line.ends_with(':'),
            |line| line == "end",
            |line| line.starts_with("require '") || line.starts_with("require_relative "),
            |line| line.ends_with('|') && line.contains(" do |"),
            |line| line.starts_with("attr_reader :") || line.starts_with("attr_accessor :"),
            |line| line.starts_with("module ") || line.starts_with("elsif "),
        ],
    ),
];

/// The language that a text is in by every sign.
pub(super) fn language(text: &str) -> Option<&'static str> {
    let mut seen = [0_u32; SIGNS.len()];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        for (kinds, (_, signs)) in seen.iter_mut().zip(SIGNS) {
            for (at, _) in signs.iter().enumerate().filter(|(_, sign)| sign(line)) {
                *kinds |= 1 << at;
            }
        }
    }
    let most = seen.iter().map(|kinds| kinds.count_ones()).max()?;
    let mut best = seen.iter().zip(SIGNS).filter(|(kinds, _)| kinds.count_ones() == most);
    let (_, (name, _)) = best.next()?;
    let is_clear = best.next().is_none() && usize::try_from(most).is_ok_and(|most| most >= NEEDED);
    is_clear.then_some(*name)
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn code_tells_its_language_by_two_kinds_of_signs() {
        for (text, name) in [
            ("import os\n\ndef add(item, to=[]):\n    to.append(item)\n", "Python"),
            ("<?php\n", "PHP"),
            ("$total = 0;\nforeach ($this->items as $item) {\n    $total += $item;\n}\n", "PHP"),
            ("if [ -f x ]; then\n  rm x\nfi\n", "Shell"),
            ("const fs = require('fs');\n", "JavaScript"),
            ("def add(item)\n  item\nend\n", "Ruby"),
        ] {
            assert_eq!(language(text), Some(name), "{text}");
        }
    }

    #[test]
    fn prose_and_data_tell_none() {
        for text in [
            "",
            "from now on, import nothing\nif you can read this:\n",
            "All rights reserved.\nTHE SOFTWARE IS PROVIDED \"AS IS\"\n",
            "key = value\nother = 3\n",
            "a,b\n1,2\n",
            "* import the data\n* export it = done\n",
            "/node_modules\n*.log\n",
            // Rust and C#, which no sign here tells.
            "let found = find(x);\nmatch found {\n    Some(y) => {\n        use_it(y);\n",
            "await Run();\nvar all = items.Select((x) => x.Name);\n",
        ] {
            assert_eq!(language(text), None, "{text}");
        }
    }
}
