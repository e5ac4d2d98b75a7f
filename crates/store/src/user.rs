//! Users and their states.

use crate::db::rows;
use crate::ids::UserId;
use crate::time::UnixMillis;
use crate::words::words;

words! {
    "a status: active, disabled or deleted";
    /// The state of a user.
    pub enum UserStatus {
        /// May use the service.
        Active,
        /// Refused until the operator enables them.
        Disabled,
        /// Refused forever; only the ID is left.
        Deleted,
    }
}

impl UserStatus {
    /// active ⇄ disabled; either → deleted.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use UserStatus::{Active, Deleted, Disabled};
        matches!(
            (self, next),
            (Active, Disabled | Deleted) | (Disabled, Active | Deleted)
        )
    }
}

rows! {
    /// A person or a machine that holds tokens.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct User {
        /// The user's ID.
        pub id: UserId,
        /// The display name; not unique.
        pub name: String,
        /// Whether the user may use the operator API.
        pub operator: bool,
        /// The user's state.
        pub status: UserStatus,
        /// When the user was added.
        pub created_at: UnixMillis,
    }
}

impl User {
    pub(crate) fn new(name: &str, operator: bool, now: UnixMillis) -> Self {
        let (id, name) = (UserId::new(now), name.to_owned());
        Self {
            id,
            name,
            operator,
            status: UserStatus::Active,
            created_at: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UserStatus::{self, Active, Deleted, Disabled};

    #[test]
    fn only_the_documented_transitions_are_allowed() {
        let steps = UserStatus::ALL
            .iter()
            .flat_map(|from| UserStatus::ALL.iter().map(move |to| (*from, *to)));
        let legal: Vec<_> = steps.filter(|(from, to)| from.may_become(*to)).collect();
        assert_eq!(
            legal,
            [
                (Active, Disabled),
                (Active, Deleted),
                (Disabled, Active),
                (Disabled, Deleted)
            ]
        );
    }
}
