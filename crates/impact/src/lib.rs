//! The repository around a change: what the change breaks in files that it does not touch, what it takes from them, and what
//! they lack.
//!
//! A changed file is reduced to its [`Links`], plain data that a sandboxed worker can send. With these, [`compare`] looks into the
//! repository: each pass searches it for names, has the files that mention them read ([`Question`]), and finds each [`Conflict`]
//! between them and the change. The rules, which are given as [`Judge`]s, decide which conflicts are defects.
//!
//! Each module imports only from those above it (checked by `xtask/src/rooms.rs`):
//!
//! | module | contains |
//! |---|---|
//! | `text` | words, replaced lines and the wording of findings |
//! | `facts` | what the trees of a file say about names that other files use |
//! | `keys` | names that are strings: settings, routes, translations, columns |
//! | `links` | the facts and keys of one changed file |
//! | `paths` | which file an import, an include or a project file leads to |
//! | `conflict` | what the rules judge, and how |
//! | `project` | the repository, as far as the budget allows |
//! | `passes` | one kind of conflict each |

mod conflict;
mod facts;
mod keys;
mod links;
mod passes;
mod paths;
mod project;
mod text;

pub use conflict::{
    AbsentMember, Conflict, Import, Judge, Judgement, Lost, NotImported, Ruling, Subject,
};
pub use facts::{
    BothSides, Break, ByName, CallSite, CalledMember, Cause, FunctionHeader, Implementor, Mention,
    MentionKind, Method, Named, NamedUse, Offer, Offered, Passing, ReceiverKind, ResultChange,
    Signature, Surface, Surrounding, UnboundNames, Use, call_site, heads,
};
pub use keys::{KeyChanges, KeyKind, LostKey, ReadKey, Renaming};
pub use links::Links;
pub use passes::compare;
pub use paths::{declared_in, version};
pub use project::{Asked, Project, Question, Reader};
pub use text::{Edits, counted_calls, hash, is_word_char, shown_path, with_places};
