//! Scores the rule engine or a language model on labelled changes: recall on changes that introduced bugs, the same on
//! their fixes, noise on clean commits, and other analysers' test suites. The corpora are described in their README.

mod args;
mod corpus;
mod fragments;
mod judge;
mod labels;
mod ledger;
mod masks;
mod model;
mod models;
mod own;
mod pick;
mod report;
mod score;
mod scoring;
mod tape;

use std::sync::Arc;

use review::Engine;

pub(crate) use self::args::Args;
use self::args::{Choice, Mode};
use self::corpus::{Item, Kind};
use crate::run::{self, Result};

pub(crate) fn run(args: &Args) -> Result {
    match &args.mode {
        Some(Mode::Fragments(args)) => return fragments::run(args),
        Some(Mode::Masks(args)) => return masks::run(args),
        None => {}
    }
    let mut items = corpus::read(&args.paths)?;
    items.retain(|item| {
        args.language
            .as_ref()
            .is_none_or(|language| *language == item.language)
    });
    if let Some(limit) = args.limit {
        items = pick::evenly(items, limit);
    }
    let jobs: Vec<(Item, bool)> = items.into_iter().flat_map(both_directions).collect();
    let rules = match args.rules.as_deref() {
        Some(folder) => own::rules(folder)?,
        None => lint::RuleSet::new(rules::catalog()),
    };
    let scanner = lint::InProcess {
        limits: syntax::parse::Limits::default(),
        rules: Arc::new(rules),
    };
    let rules: Arc<dyn Engine> = Arc::new(lint::RuleEngine::new(scanner, rules::catalog()));
    let (outcome, bill) = match args.engine {
        Choice::Rules => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            (
                scoring::score_all(&jobs, &[rules], args, cores, || ())?,
                None,
            )
        }
        Choice::Llm if args.model.compares(&jobs) => {
            return run::print(&model::compare(&jobs, &[rules], args)?.to_string());
        }
        Choice::Llm => {
            let (outcome, bill) = model::score_all(&jobs, rules, args)?;
            (outcome, Some(bill))
        }
    };
    if args.ledger {
        return ledger::update(&outcome.scored);
    }
    if args.findings {
        run::print(&report::findings(&outcome.scored))?;
        bill.iter().for_each(|bill| run::say(bill));
        return Ok(());
    }
    run::print(&report::tables(&outcome.scored, args.by_rule))?;
    bill.iter().try_for_each(|bill| run::print(bill))
}

/// A bug is reviewed in both directions: as it was introduced, and reversed, as its fix.
fn both_directions(item: Item) -> impl Iterator<Item = (Item, bool)> {
    let turned = (item.kind == Kind::Bugs).then(|| (item.clone(), true));
    turned.into_iter().chain([(item, false)])
}
