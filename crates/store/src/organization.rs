//! The organization and its states.

use crate::db::rows;
use crate::ids::OrganizationId;
use crate::time::UnixMillis;
use crate::words::words;

words! {
    "a status: active, suspended or archived";
    /// The state of an organization.
    pub enum Status {
        /// In use.
        Active,
        /// Suspended by an operator, who may reactivate it.
        Suspended,
        /// Closed permanently.
        Archived,
    }
}

impl Status {
    /// active → suspended → active; active or suspended → archived.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use Status::{Active, Archived, Suspended};
        matches!(
            (self, next),
            (Active, Suspended | Archived) | (Suspended, Active | Archived)
        )
    }
}

rows! {
    /// A tenant.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Organization {
        /// The organization's ID.
        pub id: OrganizationId,
        /// The display name; not unique.
        pub name: String,
        /// The current state.
        pub status: Status,
        /// When it was created.
        pub created_at: UnixMillis,
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{self, Active, Archived, Suspended};

    #[test]
    fn only_the_documented_transitions_are_allowed() {
        let steps = Status::ALL
            .iter()
            .flat_map(|from| Status::ALL.iter().map(move |to| (*from, *to)));
        let legal: Vec<_> = steps.filter(|(from, to)| from.may_become(*to)).collect();
        let expected = [
            (Active, Suspended),
            (Active, Archived),
            (Suspended, Active),
            (Suspended, Archived),
        ];
        assert_eq!(legal, expected);
    }
}
