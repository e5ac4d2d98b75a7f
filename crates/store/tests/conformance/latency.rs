//! Database latency is counted by operation and outcome.

use store::{Operation, OrganizationId, Outcome, Role, StoreError};

use crate::harness::{Fresh, NOW};

fn count(fresh: &Fresh, operation: Operation, outcome: Outcome) -> u64 {
    fresh.store.latency().counted(operation, outcome).count
}

pub(crate) async fn statements_are_counted_by_operation_and_outcome(fresh: &Fresh) {
    let counts = || Operation::ALL.map(|operation| count(fresh, operation, Outcome::Done));
    let before = counts();
    let ada = fresh.user("Ada").await;
    fresh.organization("Acme", &ada).await;
    let after = counts();
    let more: Vec<_> = Operation::ALL
        .iter()
        .zip(after)
        .zip(before)
        .map(|((operation, after), before)| (*operation, after - before))
        .collect();
    let expected = [
        (Operation::Connection, 2),
        (Operation::Begin, 1),
        // The cap's count of owned organizations, and the lock on the user.
        (Operation::Select, 1),
        // The user, the organization, its owner, the event.
        (Operation::Insert, 4),
        (Operation::Update, 1),
        (Operation::Delete, 0),
        (Operation::Commit, 1),
        (Operation::Rollback, 0),
        (Operation::Transaction, 1),
    ];
    assert_eq!(more, expected);
    assert!(
        fresh
            .store
            .latency()
            .counted(Operation::Insert, Outcome::Done)
            .seconds
            > 0.0
    );

    let nowhere = fresh
        .store
        .add_member(OrganizationId::new(NOW), ada.id, Role::Member, NOW)
        .await;
    assert!(matches!(nowhere, Err(StoreError::NotFound(_))));
    assert_eq!(count(fresh, Operation::Insert, Outcome::Failed), 1);
    assert_eq!(count(fresh, Operation::Transaction, Outcome::Cancelled), 1);
    fresh.store.close().await;
    assert!(fresh.store.ping().await.is_err());
    assert_eq!(count(fresh, Operation::Connection, Outcome::Failed), 1);
}
