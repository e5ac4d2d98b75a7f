//! `hunkwise rules`: lists and explains the rules.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lint::{Evidence, RuleInfo};
use review::output::printable_json;
use review::{Category, Language, Priority};
use serde::Serialize;

mod export;
mod test;

use super::values::named_language;
use super::{Context, block_on, print};
use crate::out;
use crate::outcome::{Error, Outcome};
use crate::project::{self, nearest};

const BOLD: Style = Style::new().bold();
/// Line width of prose, in characters.
const WIDTH: usize = 96;

/// Show the rules: what they find and why it matters
#[derive(Debug, Clone, clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Examples:
  hunkwise rules list --language python
  hunkwise rules explain python/mutable-default-argument
  hunkwise rules test .hunkwise/rules")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum Command {
    /// List the rules
    List(Filter),
    /// Explain why a rule matters, with a bad and a good example
    #[command(after_help = "Example:
  hunkwise rules explain python/mutable-default-argument")]
    Explain {
        /// The rule's ID, or the part after the slash
        #[arg(value_name = "ID")]
        id: String,

        #[command(flatten)]
        project: project::Sources,
    },
    /// Write a page for each built-in rule (Markdown), and a list of all
    Export(export::Args),
    /// Run the custom rules in a folder on their examples
    Test(test::Args),
}

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:
  hunkwise rules list --language go --category SECURITY --json")]
struct Filter {
    /// Only rules for this language (GitHub Linguist's names and aliases)
    #[arg(long, value_parser = named_language)]
    language: Option<Language>,

    /// Only rules of this category
    #[arg(long, ignore_case = true, value_parser = category_parser())]
    category: Option<Category>,

    /// One JSON object instead of a table
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    project: project::Sources,
}

fn category_parser() -> impl TypedValueParser<Value = Category> {
    PossibleValuesParser::new(Category::ALL.iter().map(|category| category.as_str()))
        .try_map(|name| name.parse::<Category>())
}

/// Lists, explains, exports or tests rules.
pub(crate) fn run(args: Args, context: &Context) -> Outcome {
    match args.command {
        Command::List(filter) => {
            let mut rules = own(&filter.project, context)?;
            rules.extend_from_slice(rules::built_in().rules());
            rules.sort_by(|a, b| a.id.cmp(&b.id));
            print(&list(&rules, &filter)?)
        }
        Command::Explain { id, project } => print(&explain(&find(&own(&project, context)?, &id)?)),
        Command::Export(args) => export::run(&args),
        Command::Test(args) => test::run(&args, context),
    }
}

/// The user's own rules.
fn own(sources: &project::Sources, context: &Context) -> Result<Vec<RuleInfo>, Error> {
    let root = project::root();
    if !sources.finds_rules(project::State::Checkout(root.as_deref())) {
        return Ok(Vec::new());
    }
    let workers = context.settings()?.workers;
    let project = block_on(sources.open(root.as_deref(), workers))?;
    Ok(project.rules.into_iter().map(|rule| rule.info).collect())
}

/// A rule in the JSON list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: &'a str,
    title: &'a str,
    priority: Priority,
    category: Category,
    languages: &'a [String],
    kind: &'a str,
}

fn list(rules: &[RuleInfo], filter: &Filter) -> Result<String, Error> {
    let chosen = rules
        .iter()
        .filter(|rule| is_of(rule, filter.language, filter.category));
    if !filter.json {
        return Ok(table(&chosen.collect::<Vec<_>>()));
    }
    let rows: Vec<Row<'_>> = chosen.map(row).collect();
    let text = serde_json::to_string_pretty(&serde_json::json!({ "rules": rows }))
        .map_err(Error::failure)?;
    Ok(printable_json(text) + "\n")
}

/// Whether a rule applies to this language and is of this category.
pub(super) fn is_of(
    rule: &RuleInfo,
    language: Option<Language>,
    category: Option<Category>,
) -> bool {
    let looks_at = |language: Language| rule.languages.iter().any(|name| name == language.name());
    language.is_none_or(|language| rule.languages.is_empty() || looks_at(language))
        && category.is_none_or(|category| rule.category == category)
}

fn row(rule: &RuleInfo) -> Row<'_> {
    Row {
        id: &rule.id,
        title: &rule.title,
        priority: rule.priority,
        category: rule.category,
        languages: &rule.languages,
        kind: rule.kind.as_str(),
    }
}

fn table(rules: &[&RuleInfo]) -> String {
    let width =
        |column: fn(&RuleInfo) -> usize| rules.iter().map(|rule| column(rule)).max().unwrap_or(0);
    let ids = width(|rule| rule.id.chars().count());
    let categories = width(|rule| rule.category.as_str().len());
    let mut out = String::new();
    for rule in rules {
        let style = colour(rule.priority);
        let priority = rule.priority;
        let _ = writeln!(
            out,
            "{:<ids$}  {style}{priority}{style:#}  {:<categories$}  {}",
            rule.id, rule.category, rule.title
        );
    }
    let noun = if rules.len() == 1 { "rule" } else { "rules" };
    let _ = writeln!(out, "{} {noun}", rules.len());
    out
}

fn colour(priority: Priority) -> Style {
    match priority {
        Priority::P0 | Priority::P1 => AnsiColor::Red.on_default(),
        Priority::P2 => AnsiColor::Yellow.on_default(),
        Priority::P3 => AnsiColor::Cyan.on_default(),
    }
}

/// The rule with an ID, or with the only ID that ends in it.
pub(super) fn find(own: &[RuleInfo], id: &str) -> Result<RuleInfo, Error> {
    let wanted = id.trim().to_ascii_lowercase();
    let wanted = match rules::catalog().current_id(&wanted) {
        Some(current) => {
            out::note(&format!("note: the rule {wanted} is now part of {current}"));
            current.to_owned()
        }
        None => wanted,
    };
    let mut ids: Vec<&str> = rules::catalog().ids().collect();
    ids.extend(own.iter().map(|rule| rule.id.as_str()));
    let named = |id: &&&str| id.rsplit('/').next() == Some(wanted.as_str());
    let several: Vec<&str> = ids.iter().filter(named).copied().collect();
    let id = match several.as_slice() {
        _ if ids.contains(&wanted.as_str()) => wanted.as_str(),
        [id] => id,
        [] => return Err(Error::usage(unknown(&ids, &wanted))),
        several => {
            return Err(Error::usage(format!(
                "several rules are called {wanted:?}: {}",
                several.join(", ")
            )));
        }
    };
    let rule = own
        .iter()
        .find(|rule| rule.id == id)
        .cloned()
        .or_else(|| rules::catalog().info(id));
    rule.ok_or_else(|| Error::failure(format!("the rule {id} cannot be read")))
}

fn unknown(ids: &[&str], wanted: &str) -> String {
    if let Some(id) = rules::catalog()
        .removed_ids()
        .find(|id| *id == wanted || id.rsplit('/').next() == Some(wanted))
    {
        return format!("the rule {id} was removed: too many false positives, or no findings");
    }
    match nearest(wanted, ids.iter().copied()).as_slice() {
        [] => format!("there is no rule {wanted:?}; `hunkwise rules list` shows all"),
        near => format!(
            "there is no rule {wanted:?}; the nearest: {}",
            near.join(", ")
        ),
    }
}

fn explain(rule: &RuleInfo) -> String {
    let languages = if rule.languages.is_empty() {
        "every language".to_owned()
    } else {
        rule.languages.join(", ")
    };
    let style = colour(rule.priority);
    let mut out = format!("{BOLD}{}{BOLD:#}: {}\n\n", rule.id, rule.title);
    let _ = writeln!(
        out,
        "  priority    {style}{}{style:#}{}",
        rule.priority,
        lowered(rule)
    );
    let _ = writeln!(out, "  category    {}", rule.category);
    let _ = writeln!(out, "  confidence  {:.2}", rule.confidence);
    let _ = writeln!(out, "  languages   {languages}");
    let _ = writeln!(out, "  looks at    {}", subject(rule.kind.as_str()));
    if rule.tests == lint::Tests::Skip {
        let _ = writeln!(out, "  tests       not analysed");
    }
    if let Some(evidence) = &rule.evidence {
        section(&mut out, "Evidence", &measured(evidence));
    }
    section(&mut out, "Why it matters", &wrapped(&rule.why));
    section(&mut out, "Bad", &rule.bad_example());
    section(&mut out, "Good", &rule.good_example());
    section(&mut out, "What to do", &wrapped(&rule.fix));
    if !rule.references.is_empty() {
        section(
            &mut out,
            "References",
            &rule
                .references
                .iter()
                .map(|text| lint::reference_url(text))
                .collect::<Vec<_>>()
                .join("\n"),
        );
    }
    let comment = format!(
        "hunkwise:ignore {} <reason>\n\nin a comment on the line or on the line above.",
        rule.id
    );
    section(&mut out, "Suppressing a finding", &comment);
    out
}

/// Explains why findings have a lower priority than their impact.
fn lowered(rule: &RuleInfo) -> String {
    if rule.priority == rule.consequence {
        return String::new();
    }
    format!(
        " ({} if correct; lowered because the confidence is {:.2})",
        rule.consequence, rule.confidence
    )
}

/// The number of reports on real code, and the verdicts of readers.
fn measured(evidence: &Evidence) -> String {
    let of = rules::catalog().evidence.looked_at;
    let rows = [
        ("changes that introduced a bug", evidence.bugs, of.bugs),
        ("fixes of those bugs", evidence.fixes, of.fixes),
        (
            "changes that a later fix was traced to", evidence.arrivals, of.arrivals,
        ),
        ("merged changes", evidence.merged, of.merged),
        ("lines of mature source trees", evidence.trees, of.trees),
        (
            "lines of other analysers' test suites that expect a finding",
            evidence.suites,
            of.suites,
        ),
        (
            "lines of those suites that expect no finding",
            evidence.suites_clean,
            of.suites_clean,
        ),
        ("realistic mistakes", evidence.mistakes, of.mistakes),
        ("harmless edits of the same shape", evidence.twins, of.twins),
    ];
    let mut out = String::new();
    for (what, found, all) in rows {
        let _ = writeln!(out, "{found:>5} of {all} {what}");
    }
    let _ = writeln!(
        out,
        "{:>5} findings in merged code judged useful by a reader",
        evidence.useful
    );
    let _ = writeln!(out, "{:>5} judged intended or false", evidence.wrong);
    out
}

fn subject(kind: &str) -> &'static str {
    match kind {
        "change" => "how the code was changed",
        "text" => "the text of the change",
        "diff" => "all files of the change together",
        "repository" => "other files of the repository",
        _ => "the added code",
    }
}

/// Wraps prose at a readable width.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut width = 0;
        for word in paragraph.split_whitespace() {
            let length = word.chars().count();
            let fits = width == 0 || width + 1 + length <= WIDTH;
            out.push_str(if width == 0 {
                ""
            } else if fits {
                " "
            } else {
                "\n"
            });
            width = if fits && width > 0 {
                width + 1 + length
            } else {
                length
            };
            out.push_str(word);
        }
        out.push('\n');
    }
    out
}

fn section(out: &mut String, title: &str, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{BOLD}{title}{BOLD:#}");
    for line in text.trim_matches('\n').lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
}
