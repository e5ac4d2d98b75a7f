//! Starts a new rule: its file from a template, and its line in the list.

use crate::run::{Result, root, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// For example `python/mutable-default-argument`.
    id: String,
    /// Write the rule in Rust (for edits and plain text) instead of YAML.
    #[arg(long)]
    rust: bool,
    /// For a language-independent rule: the folder within `any`, for example `removed`.
    #[arg(long, requires = "rust")]
    family: Option<String>,
}

const YAML: &str = include_str!("new_rule/template.yml");
const RUST: &str = include_str!("new_rule/template.txt");

pub(crate) fn run(args: &Args) -> Result {
    let (folder, name) = args
        .id
        .split_once('/')
        .ok_or("an ID is a folder and a name: python/some-pattern")?;
    let kebab = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if !kebab(folder) || !kebab(name) {
        return Err("folder and name are lower-case words joined by hyphens".to_owned());
    }
    if folder == "any" && args.family.is_none() {
        return Err("a language-independent rule is written in Rust and belongs to a family: --rust --family removed"
            .to_owned());
    }
    let rules = root().join("crates/rules/src");
    let family = args.family.as_deref();
    let indent = if family.is_some() {
        "            "
    } else {
        "        "
    };
    let (file, line, template) = if args.rust {
        let module = name.replace('-', "_");
        (
            format!("{module}.rs"),
            format!("{indent}rust {module};"),
            RUST,
        )
    } else {
        (
            format!("{name}.yml"),
            format!("        yaml \"{name}\";"),
            YAML,
        )
    };
    let parent = rules.join(folder).join(family.unwrap_or_default());
    let path = parent.join(file);
    if path.exists() {
        return Err(format!("{} exists", path.display()));
    }
    let list = rules.join("lib.rs");
    let text =
        std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let listed = register(&text, folder, family, &line).ok_or_else(|| {
        format!(
            "{} has no folder `{folder}`, or the folder has no such family",
            list.display()
        )
    })?;
    std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
    std::fs::write(&path, template.replace("FOLDER/NAME", &args.id))
        .map_err(|error| error.to_string())?;
    std::fs::write(&list, listed).map_err(|error| error.to_string())?;
    say(&format!(
        "wrote {} and its line in {}",
        path.display(),
        list.display()
    ));
    Ok(())
}

/// Inserts a line, in order, into the block of a folder or of one of its families.
fn register(list: &str, folder: &str, family: Option<&str>, line: &str) -> Option<String> {
    let lines: Vec<&str> = list.lines().collect();
    let block = |from: usize, head: String, end: &str| {
        let start = from + lines.get(from..)?.iter().position(|l| *l == head)? + 1;
        Some((
            start,
            start + lines.get(start..)?.iter().position(|l| *l == end)?,
        ))
    };
    let (mut start, mut end) = block(0, format!("    {folder} {{"), "    }")?;
    if let Some(family) = family {
        (start, end) = block(start, format!("        family {family} {{"), "        }")
            .filter(|(_, of)| *of < end)?;
    }
    // In the list, `rust` lines precede `yaml` lines.
    let at = start
        + lines
            .get(start..end)?
            .iter()
            .take_while(|l| **l < line)
            .count();
    let mut listed = lines.get(..at)?.to_vec();
    listed.push(line);
    listed.extend(lines.get(at..)?);
    Some(listed.join("\n") + "\n")
}

// Compiled, so that the template cannot name what the rule engine no longer has.
#[cfg(test)]
#[path = "new_rule/template.txt"]
mod template;

#[cfg(test)]
mod tests {
    use super::{register, template};

    #[test]
    fn the_template_of_a_rust_rule_compiles() {
        assert_eq!(template::RULE.id, "FOLDER/NAME");
    }

    #[test]
    fn a_line_is_inserted_into_its_folder_in_order() {
        let list = "x! {\n    any {\n        family removed {\n            rust a;\n        }\n    }\n    go {\n    }\n}\n";
        let with = register(list, "any", Some("removed"), "            rust c;").unwrap();
        assert_eq!(
            with,
            list.replace("rust a;\n", "rust a;\n            rust c;\n")
        );
        let with = register(list, "go", None, "        yaml \"z\";").unwrap();
        assert!(with.contains("    go {\n        yaml \"z\";\n    }"));
        let nothing = [
            register(list, "cobol", None, ""),
            register(list, "go", Some("removed"), ""),
        ];
        assert_eq!(nothing, [None, None]);
    }
}
