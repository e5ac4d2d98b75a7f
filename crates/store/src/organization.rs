//! What an organization is.

use crate::db::rows;
use crate::words::words;
use crate::{OrganizationId, UnixMillis};

words! {
    "a status: active, suspended or archived";
    /// Where an organization is in its life.
    pub enum Status {
        /// Its members can use it.
        Active,
        /// An operator has closed it, and may open it again.
        Suspended,
        /// Closed for good.
        Archived,
    }
}

impl Status {
    /// active → suspended → active; active or suspended → archived.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use Status::{Active, Archived, Suspended};
        matches!((self, next), (Active, Suspended | Archived) | (Suspended, Active | Archived))
    }
}

rows! {
    /// A tenant.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Organization {
        /// Names the organization.
        pub id: OrganizationId,
        /// For people to read; not unique.
        pub name: String,
        /// Where it is in its life.
        pub status: Status,
        /// When it was made.
        pub created_at: UnixMillis,
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{self, Active, Archived, Suspended};

    #[test]
    fn the_states_have_these_steps_and_no_others() {
        let steps = Status::ALL.iter().flat_map(|from| Status::ALL.iter().map(move |to| (*from, *to)));
        let legal: Vec<_> = steps.filter(|(from, to)| from.may_become(*to)).collect();
        let expected = [(Active, Suspended), (Active, Archived), (Suspended, Active), (Suspended, Archived)];
        assert_eq!(legal, expected);
    }
}
