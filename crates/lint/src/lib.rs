//! The rule engine: runs rules on a change without a network and without a model.
//!
//! [`scan`] is a pure function from a part of a diff to candidates. A hunk is parsed as a fragment cut out of a file, its two
//! sides are paired token by token, and each rule looks at added code, at the change, or at the plain text. The rules are given
//! as a [`Catalog`]: the built-in ones are in the crate `rules`, so a change to a rule recompiles neither this crate nor `syntax`.
//!
//! Each module imports only from those above it (checked by `xtask/src/rooms.rs`):
//!
//! | module | contains |
//! |---|---|
//! | `change` | how the two sides of a hunk correspond |
//! | `facts` | what other files need to know about a file; comments that suppress findings |
//! | `rule` | what a rule is, sees and reports; `rule::yaml` for rules written as data |
//! | `registry` | the catalog of built-in rules; the rules of a review, compiled for each language |
//! | `scan` | runs the rules on a file, on all files together and on the rules' examples |

mod change;
mod facts;
mod registry;
mod rule;
mod scan;

pub use change::{LostClause, NullGuard, short_branch, squeeze};
pub use facts::{
    ActiveRule, CallShape, Definition, Facts, Ignored, Loss, Namesakes, PackedFacts, RemovedBlock,
    RenamedRules, Resolver, suppression_comment,
};
pub use registry::{Catalog, Overlaps, PrefilterRow, RuleSet, pages, yaml_rules_table};
pub use rule::{
    BRACKET_LANGUAGES, ChangeContext, Check, DiffSink, Evidence, EvidenceRow, EvidenceTable,
    FindingBuilder, Kind, Mismatch, NodeContext, On, Open, Outcome, Place, Rule, RuleInfo, Sink,
    Source, Tests, TextContext, brackets, indent, quote, reference_url, tainted,
};
pub use scan::{
    Conclusion, Cost, InProcess, Report, RuleEngine, ScanFailure, Scanner, conclude,
    conclude_at_once, custom, measure, scan, testing,
};
