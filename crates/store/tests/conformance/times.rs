//! How long is waited for the database is counted by kind and ending.

use store::{Ending, OrganizationId, Role, Step, StoreError};

use crate::harness::{Fresh, NOW};

fn count(fresh: &Fresh, step: Step, ending: Ending) -> u64 {
    fresh.store.times().counted(step, ending).count
}

pub(crate) async fn each_statement_is_counted_by_kind_and_ending(fresh: &Fresh) {
    let counts = || Step::ALL.map(|step| count(fresh, step, Ending::Done));
    let before = counts();
    let ada = fresh.user("Ada").await;
    fresh.organization("Acme", &ada).await;
    let after = counts();
    let more: Vec<_> =
        Step::ALL.iter().zip(after).zip(before).map(|((step, after), before)| (*step, after - before)).collect();
    let expected = [
        (Step::Connection, 2),
        (Step::Begin, 1),
        (Step::Select, 0),
        // The user, the organization, its owner, the event.
        (Step::Insert, 4),
        (Step::Update, 0),
        (Step::Delete, 0),
        (Step::Commit, 1),
        (Step::Rollback, 0),
        (Step::Transaction, 1),
    ];
    assert_eq!(more, expected);
    assert!(fresh.store.times().counted(Step::Insert, Ending::Done).seconds > 0.0);

    let nowhere = fresh.store.add_member(OrganizationId::new(NOW), ada.id, Role::Member, NOW).await;
    assert!(matches!(nowhere, Err(StoreError::NotFound(_))));
    assert_eq!(count(fresh, Step::Insert, Ending::Failed), 1);
    assert_eq!(count(fresh, Step::Transaction, Ending::Cancelled), 1);
    fresh.store.close().await;
    assert!(fresh.store.ping().await.is_err());
    assert_eq!(count(fresh, Step::Connection, Ending::Failed), 1);
}

#[tokio::test]
async fn an_answer_that_is_kept_is_no_statement() {
    let fresh = Fresh::sqlite().await;
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    fresh.store.find_membership(ada.id, acme.id).await.unwrap().unwrap();
    let counts = || Step::ALL.map(|step| count(&fresh, step, Ending::Done));
    let before = counts();
    fresh.store.find_membership(ada.id, acme.id).await.unwrap().unwrap();
    assert_eq!(counts(), before);
    fresh.discard().await;
}
