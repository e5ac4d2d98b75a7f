//! The arguments of `cargo xtask eval`.

use std::path::PathBuf;

use review::Priority;

use super::{fragments, masks, models};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(super) mode: Option<Mode>,
    /// The folder of the corpora, or single files in it.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Count findings of this priority and above.
    #[arg(long, default_value = "P2")]
    pub(crate) priority: Priority,
    /// Count findings of this confidence and above.
    #[arg(long, default_value_t = 0.0)]
    pub(crate) min_confidence: f64,
    /// Only count findings of rules with this text in their ID.
    #[arg(long)]
    pub(crate) rule: Option<String>,
    /// Only items of this language, as the corpora name it.
    #[arg(long)]
    pub(crate) language: Option<String>,
    /// Print each counted finding as one JSON object per line, instead of tables.
    #[arg(long)]
    pub(crate) findings: bool,
    /// Also print a table per rule.
    #[arg(long)]
    pub(crate) by_rule: bool,
    /// Rewrite the ledger: eval/evidence.tsv and eval/verdicts.tsv. Then run cargo xtask codegen.
    #[arg(long, conflicts_with_all = ["rule", "language", "limit", "rules", "engine", "min_confidence"])]
    pub(crate) ledger: bool,
    /// Also apply the YAML rules of this folder. A rule with the ID of a built-in one replaces it.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) rules: Option<PathBuf>,
    /// Review at most this many changes of each corpus, evenly spread and always the same ones. A bug and its fix count
    /// as one.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// The reviewer: the rules, or a language model that receives the rules' findings.
    #[arg(long, value_enum, default_value = "rules")]
    pub(crate) engine: Choice,
    #[command(flatten)]
    pub(crate) model: models::Flags,
}

/// The reviewer.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Choice {
    Rules,
    Llm,
}

#[derive(clap::Subcommand)]
pub(super) enum Mode {
    /// Instead, measure how well hunks can be parsed without the rest of their files, and at what cost.
    Fragments(fragments::Args),
    /// Instead, count the values that would be hidden from a model because they look like secrets.
    Masks(masks::Args),
}
