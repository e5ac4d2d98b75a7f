//! Conflicts between a change and the repository around it, and their judges: the rules.

mod absent_member;
mod judge;
mod judgement;
mod kinds;
mod lost;
mod not_imported;

pub use absent_member::AbsentMember;
pub(crate) use judge::rulings;
pub use judge::{Judge, Ruling, Subject};
pub use judgement::Judgement;
pub use kinds::{Conflict, Import};
pub use lost::Lost;
pub use not_imported::NotImported;
