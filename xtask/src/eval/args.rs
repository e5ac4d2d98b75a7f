//! The arguments of `cargo xtask eval`.

use std::path::PathBuf;

use review::Priority;

use super::{fragments, masks, models};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(super) mode: Option<Mode>,
    /// The folder of the corpora, or single files of it.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Count findings of this priority and above.
    #[arg(long, default_value = "P2")]
    pub(crate) priority: Priority,
    /// Count findings of this confidence and above.
    #[arg(long, default_value_t = 0.0)]
    pub(crate) min_confidence: f64,
    /// Count findings of rules whose ID contains this only.
    #[arg(long)]
    pub(crate) rule: Option<String>,
    /// Only items of this language, as the corpora name it.
    #[arg(long)]
    pub(crate) language: Option<String>,
    /// Print each counted finding, one JSON object a line, instead of tables.
    #[arg(long)]
    pub(crate) findings: bool,
    /// Also a table per rule.
    #[arg(long)]
    pub(crate) by_rule: bool,
    /// Rewrite the ledger: eval/evidence.tsv and eval/verdicts.tsv. Then run cargo xtask codegen.
    #[arg(long, conflicts_with_all = ["rule", "language", "limit", "rules", "engine", "min_confidence"])]
    pub(crate) ledger: bool,
    /// Also the YAML rules of this folder; one with the ID of a built-in rule takes its place.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) rules: Option<PathBuf>,
    /// At most so many changes of each corpus, evenly spread; always the same ones. A bug and its fix are one.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Who reviews: the rules, or a language model that receives what the rules found.
    #[arg(long, value_enum, default_value = "rules")]
    pub(crate) engine: Choice,
    #[command(flatten)]
    pub(crate) model: models::Flags,
}

/// Who reviews.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Choice {
    Rules,
    Llm,
}

#[derive(clap::Subcommand)]
pub(super) enum Mode {
    /// Instead: how well the hunks can be read without the files around them, and what that costs.
    Fragments(fragments::Args),
    /// Instead: how many values a model would not be shown because they look like secrets.
    Masks(masks::Args),
}
