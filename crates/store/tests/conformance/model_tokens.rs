//! An organization's language model tokens: the limit holds under concurrency and crashes.

use store::{Month, OrganizationId, ReservedTokens, Store, StoreError};

use crate::harness::{Fresh, NOW, at_once};

const DAY: &str = "2026-11-20";

async fn acme(fresh: &Fresh) -> OrganizationId {
    let ada = fresh.user("Ada").await;
    fresh.organization("Acme", &ada).await.id
}

async fn reserve(
    fresh: &Fresh,
    organization: OrganizationId,
    day: &str,
    wanted: u64,
    limit: u64,
) -> u64 {
    fresh
        .store
        .reserve_model_tokens(organization, day, wanted, limit)
        .await
        .unwrap()
        .tokens
}

fn reserved(day: &str, tokens: u64) -> ReservedTokens {
    ReservedTokens {
        month: Month::of_day(day).unwrap(),
        tokens,
    }
}

async fn counted(fresh: &Fresh, organization: OrganizationId) -> u64 {
    fresh
        .store
        .find_model_tokens(organization, DAY)
        .await
        .unwrap()
}

pub(crate) async fn a_month_grants_at_most_the_rest_of_its_limit(fresh: &Fresh) {
    let acme = acme(fresh).await;
    assert_eq!(counted(fresh, acme).await, 0);
    for (wanted, limit, granted) in [
        (0, 100, 0),
        (10, 0, 0),
        (60, 100, 60),
        (60, 100, 40),
        (1, 100, 0),
        (60, 150, 50),
        (1, 20, 0),
    ] {
        assert_eq!(
            reserve(fresh, acme, DAY, wanted, limit).await,
            granted,
            "{wanted} of {limit}"
        );
    }
    assert_eq!(counted(fresh, acme).await, 150);
}

pub(crate) async fn unused_tokens_become_available_again(fresh: &Fresh) {
    let acme = acme(fresh).await;
    assert_eq!(reserve(fresh, acme, DAY, 80, 100).await, 80);
    fresh
        .store
        .reconcile_model_tokens(acme, &reserved(DAY, 80), 30)
        .await
        .unwrap();
    assert_eq!(
        reserve(fresh, acme, "2026-11-30", 80, 100).await,
        70,
        "the day does not matter, the month does"
    );
    fresh
        .store
        .reconcile_model_tokens(acme, &reserved("2026-11-30", 70), 0)
        .await
        .unwrap();
    assert_eq!(counted(fresh, acme).await, 30);
    fresh
        .store
        .reconcile_model_tokens(acme, &reserved(DAY, 0), 90)
        .await
        .unwrap();
    assert_eq!(
        counted(fresh, acme).await,
        120,
        "use beyond the reservation counts as well"
    );
    assert_eq!(reserve(fresh, acme, DAY, 1, 100).await, 0);
}

pub(crate) async fn tokens_belong_to_one_organization_and_month(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ada).await.id,
    );
    assert_eq!(reserve(fresh, acme, DAY, 100, 100).await, 100);
    assert_eq!(reserve(fresh, acme, "2026-12-01", 100, 100).await, 100);
    assert_eq!(reserve(fresh, bell, DAY, 100, 100).await, 100);
    fresh
        .store
        .reconcile_model_tokens(acme, &reserved("2026-12-01", 100), 1)
        .await
        .unwrap();
    assert_eq!(
        (counted(fresh, acme).await, counted(fresh, bell).await),
        (100, 100)
    );
}

/// A replica whose clock is behind counts in a month that others have already begun; a clock that was months ahead
/// changes nothing.
pub(crate) async fn tokens_count_in_a_month_that_has_begun(fresh: &Fresh) {
    let acme = acme(fresh).await;
    let reserve = async |day| {
        fresh
            .store
            .reserve_model_tokens(acme, day, 60, 100)
            .await
            .unwrap()
    };
    for (day, counted) in [
        ("2027-03-01", reserved("2027-03-01", 60)),
        ("2026-11-30", reserved("2026-11-30", 60)),
        ("2026-12-01", reserved("2026-12-01", 60)),
        ("2026-11-30", reserved("2026-12-01", 40)),
    ] {
        assert_eq!(reserve(day).await, counted);
    }
    fresh
        .store
        .reconcile_model_tokens(acme, &reserved("2026-12-01", 40), 0)
        .await
        .unwrap();
    assert_eq!(reserve("2026-12-31").await, reserved("2026-12-01", 40));
}

/// Two stores represent two replicas.
pub(crate) async fn replicas_together_never_exceed_the_limit(fresh: &Fresh) {
    let acme = acme(fresh).await;
    let other = Store::open(&fresh.url).await.unwrap();
    let reviews = at_once(48, |index| {
        let store = if index % 2 == 0 {
            fresh.store.clone()
        } else {
            other.clone()
        };
        async move {
            let granted = store
                .reserve_model_tokens(acme, DAY, 70, 1_000)
                .await
                .unwrap()
                .tokens;
            assert!(store.find_model_tokens(acme, DAY).await.unwrap() <= 1_000);
            granted
        }
    });
    let granted = reviews.await;
    assert_eq!(granted.iter().sum::<u64>(), 1_000);
    assert_eq!(
        granted.iter().filter(|&&granted| granted == 70).count(),
        14,
        "{granted:?}"
    );

    let updates = at_once(granted.len(), |index| {
        let (store, granted) = (
            if index % 3 == 0 { &fresh.store } else { &other }.clone(),
            granted[index],
        );
        async move {
            store
                .reconcile_model_tokens(acme, &reserved(DAY, granted), granted / 10)
                .await
                .unwrap();
            let again = store
                .reserve_model_tokens(acme, DAY, 70, 1_000)
                .await
                .unwrap();
            assert!(store.find_model_tokens(acme, DAY).await.unwrap() <= 1_000);
            store.reconcile_model_tokens(acme, &again, 0).await.unwrap();
        }
    });
    updates.await;
    assert_eq!(
        counted(fresh, acme).await,
        14 * 7 + 2,
        "every reconciliation was counted"
    );
    other.close().await;
}

pub(crate) async fn reservations_of_a_crashed_process_stay_counted(fresh: &Fresh) {
    let acme = acme(fresh).await;
    let replica = Store::open(&fresh.url).await.unwrap();
    assert_eq!(
        replica
            .reserve_model_tokens(acme, DAY, 60, 100)
            .await
            .unwrap()
            .tokens,
        60
    );
    replica.close().await;
    drop(replica);

    let restarted = Store::open(&fresh.url).await.unwrap();
    assert_eq!(
        restarted
            .reserve_model_tokens(acme, DAY, 60, 100)
            .await
            .unwrap()
            .tokens,
        40,
        "the limit holds"
    );
    assert_eq!(
        restarted
            .reserve_model_tokens(acme, "2026-12-01", 60, 100)
            .await
            .unwrap()
            .tokens,
        60,
        "and the month ends"
    );
    restarted.close().await;
}

pub(crate) async fn tokens_need_an_organization_and_a_day(fresh: &Fresh) {
    let acme = acme(fresh).await;
    let error = fresh
        .store
        .reserve_model_tokens(OrganizationId::new(NOW), DAY, 1, 1)
        .await
        .unwrap_err();
    assert!(
        matches!(error, StoreError::NotFound("organization")),
        "{error:?}"
    );
    let errors = [
        fresh
            .store
            .reserve_model_tokens(acme, "today", 1, 1)
            .await
            .unwrap_err(),
        fresh.store.find_model_tokens(acme, "").await.unwrap_err(),
    ];
    assert!(
        errors
            .iter()
            .all(|error| matches!(error, StoreError::Invalid(_))),
        "{errors:?}"
    );
    fresh
        .store
        .reserve_model_tokens(acme, DAY, u64::MAX, u64::MAX)
        .await
        .unwrap();
    for _ in 0..3 {
        fresh
            .store
            .reconcile_model_tokens(acme, &reserved(DAY, 0), u64::MAX)
            .await
            .unwrap();
    }
    assert_eq!(
        reserve(fresh, acme, DAY, 5, u64::MAX).await,
        5,
        "no provider report overflows the sum"
    );
}
