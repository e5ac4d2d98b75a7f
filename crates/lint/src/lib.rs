//! The rule engine: finds defects in a change without a network and without a model.
//!
//! [`scan`] is a pure function from a part of a diff to candidates. A hunk is parsed as a fragment cut out of a file, its two
//! sides are paired token by token, and each rule looks at added code, at the change, or at the plain text.
//! `docs/writing-rules.md` explains how to write a rule.
//!
//! The rooms, each of which imports only from those before it: `language`, `parse`, `tree`, `semantics`, `change`, `facts`,
//! `rule`, `rules`, `registry`, `scan`.

mod change;
mod facts;
mod language;
mod parse;
mod registry;
mod rule;
mod rules;
mod scan;
mod semantics;
mod tree;

pub use facts::{
    ActiveRule, Borrowed, Break, ByName, CallShape, CallSite, Cause, Definition, Facts, Ignored,
    Loss, Mention, MentionKind, NamedUse, Namesakes, Offer, Offered, PackedFacts, Parameters,
    Passed, Passing, ReceiverKind, RemovedBlock, Resolver, ResultChange, ResultUse, Signature,
    Surrounding, Use, Way, suppression_comment,
};
pub use language::{Grammar, Role};
pub use parse::{FileContext, Limits};
pub use registry::{RuleSet, pages, yaml_rules_table};
pub use rule::{
    Broken, ChangeContext, Check, DiffSink, Evidence, FindingBuilder, Import, Kind, Missing,
    NodeContext, On, Place, Rule, RuleInfo, Sink, Tests, TextContext, quote, reference_url,
};
pub use scan::{
    Conclusion, Cost, InProcess, Report, RuleEngine, ScanFailure, Scanner, conclude,
    conclude_at_once, custom, measure, scan, testing,
};
pub use semantics::secrets::{
    DetectorInfo, Kind as DetectorKind, Passage, detectors, mask_texts, redacted, secret_places,
    shown_code,
};
pub use tree::{Assignment, Binary, Branch, Call, Function, Node, Operation, Tree};
