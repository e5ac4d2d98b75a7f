//! Starts a new rule: its file from a template, and its line in the list.

use crate::run::{Result, root, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// For example `python/mutable-default-argument`.
    id: String,
    /// A rule in Rust (for changes and text) instead of YAML.
    #[arg(long)]
    rust: bool,
}

const YAML: &str = include_str!("new_rule/template.yml");
const RUST: &str = include_str!("new_rule/template.txt");

pub(crate) fn run(args: &Args) -> Result {
    let (folder, name) = args.id.split_once('/').ok_or("an ID is a folder and a name: python/some-pattern")?;
    let kebab = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if !kebab(folder) || !kebab(name) {
        return Err("folder and name are lower-case words joined by hyphens".to_owned());
    }
    let rules = root().join("crates/lint/src/rules");
    let (file, line, template) = if args.rust {
        let module = name.replace('-', "_");
        (format!("{module}.rs"), format!("        rust {module};"), RUST)
    } else {
        (format!("{name}.yml"), format!("        yaml \"{name}\";"), YAML)
    };
    let path = rules.join(folder).join(file);
    if path.exists() {
        return Err(format!("{} exists", path.display()));
    }
    let list = rules.with_extension("rs");
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let listed =
        register(&text, folder, &line).ok_or_else(|| format!("{} has no folder `{folder}`", list.display()))?;
    std::fs::create_dir_all(rules.join(folder)).map_err(|error| error.to_string())?;
    std::fs::write(&path, template.replace("FOLDER/NAME", &args.id)).map_err(|error| error.to_string())?;
    std::fs::write(&list, listed).map_err(|error| error.to_string())?;
    say(&format!("wrote {} and its line in {}", path.display(), list.display()));
    Ok(())
}

/// The list with one more line in a folder's block, in order.
fn register(list: &str, folder: &str, line: &str) -> Option<String> {
    let lines: Vec<&str> = list.lines().collect();
    let start = lines.iter().position(|l| *l == format!("    {folder} {{"))? + 1;
    let end = start + lines.get(start..)?.iter().position(|l| *l == "    }")?;
    // `rust` sorts before `yaml`, as the list wants it.
    let at = start + lines.get(start..end)?.iter().take_while(|l| **l < line).count();
    let mut listed = lines.get(..at)?.to_vec();
    listed.push(line);
    listed.extend(lines.get(at..)?);
    Some(listed.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::register;

    #[test]
    fn a_line_goes_into_its_folder_in_order() {
        let list = "x! {\n    any {\n        rust a;\n        yaml \"b\";\n    }\n    go {\n    }\n}\n";
        let with = register(list, "any", "        rust c;").unwrap();
        assert_eq!(with, list.replace("rust a;\n", "rust a;\n        rust c;\n"));
        let with = register(list, "go", "        yaml \"z\";").unwrap();
        assert!(with.contains("    go {\n        yaml \"z\";\n    }"));
        assert!(register(list, "cobol", "").is_none());
    }
}
