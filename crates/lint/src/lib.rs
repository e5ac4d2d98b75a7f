//! The rule engine: looks at a change and says what is wrong with it, without a network and without a model.
//!
//! [`scan`] is a pure function from a part of a diff to candidates. A hunk is parsed as what it is, a piece cut out of
//! a file, both sides are paired token by token, and each rule looks at what was added, at how it
//! was changed, or at the plain text. `docs/writing-rules.md` tells how to write one.
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
    ActiveRule, CallSite, Constant, Definition, Facts, Loss, Meant, Namesakes, Passed, ReceiverKind, RemovedBlock,
    Signature,
};
pub use language::{Grammar, Role};
pub use parse::{FileContext, Limits};
pub use registry::{RuleSet, pages};
pub use rule::{
    ChangeContext, Check, DiffSink, Evidence, FindingBuilder, Kind, NodeContext, On, Place, Rule, RuleInfo, Sink,
    Tests, TextContext, quote, reference_url,
};
pub use scan::{
    Conclusion, Cost, InProcess, Report, RuleEngine, ScanFailure, Scanner, conclude, conclude_at_once, custom, measure,
    scan, testing,
};
pub use semantics::secrets::{
    DetectorInfo, Kind as DetectorKind, Passage, detectors, redacted, secret_places, shown_code,
};
pub use tree::{Assignment, Binary, Branch, Call, Function, Node, Operation, Tree};
