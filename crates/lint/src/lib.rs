//! The rule engine: runs rules on a change without a network and without a model.
//!
//! [`scan`] is a pure function from a part of a diff to candidates. A hunk is parsed as a fragment cut out of a file, its two
//! sides are paired token by token, and each rule looks at added code, at the change, or at the plain text. The rules are given
//! as a [`Catalog`]: the built-in ones are in the crate `rules`.
//!
//! The modules, each of which imports only from those before it: `change`, `facts`, `rule`, `registry`, `scan`.

mod change;
mod facts;
mod registry;
mod rule;
mod scan;

pub use change::{LostClause, NullGuard, short_branch, squeeze};
pub use facts::{
    ActiveRule, Break, ByName, CallShape, CallSite, Cause, Definition, Facts, Ignored, Loss,
    Mention, MentionKind, NamedUse, Namesakes, Offer, Offered, PackedFacts, Passing, ReceiverKind,
    RemovedBlock, RenamedRules, Resolver, ResultChange, Signature, Surrounding, Use,
    suppression_comment,
};
pub use registry::{Catalog, Overlaps, PrefilterRow, RuleSet, pages, yaml_rules_table};
pub use rule::{
    Broken, ChangeContext, Check, DiffSink, Evidence, EvidenceRow, EvidenceTable, FindingBuilder,
    Import, Kind, Missing, NodeContext, On, Place, Rule, RuleInfo, Sink, Source, Tests,
    TextContext, indent, quote, reference_url, shown_path, tainted,
};
pub use scan::{
    Conclusion, Cost, InProcess, Report, RuleEngine, ScanFailure, Scanner, conclude,
    conclude_at_once, custom, measure, scan, testing,
};
