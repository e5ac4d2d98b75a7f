//! Quotas that hold, and counts that add up.

use store::{OrganizationId, Role, StoreError, Usage, UsageDelta, UserId};

use crate::harness::{Fresh, NOW, at_once};

const DAY: &str = "2026-11-20";

async fn reserve(fresh: &Fresh, organization: OrganizationId, user: UserId, day: &str, limit: Option<i64>) -> bool {
    fresh.store.reserve_review(organization, user, day, limit).await.unwrap()
}

async fn list(fresh: &Fresh, organization: OrganizationId) -> Vec<Usage> {
    fresh.store.list_usage(organization, "2026-01-01", "2026-12-31").await.unwrap()
}

pub(crate) async fn the_month_s_limit_is_exact(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for limit in [0, -1] {
        assert!(!reserve(fresh, acme, ada.id, DAY, Some(limit)).await);
    }
    for (day, allowed) in [(DAY, true), ("2026-11-01", true), ("2026-11-30", true), (DAY, false), ("2026-11-02", false)]
    {
        assert_eq!(reserve(fresh, acme, ada.id, day, Some(3)).await, allowed, "{day}");
    }
    assert!(reserve(fresh, acme, ada.id, DAY, Some(4)).await, "a raised limit counts at once");
    assert!(!reserve(fresh, acme, ada.id, DAY, Some(2)).await, "and so does a lowered one");
    assert!(reserve(fresh, acme, ada.id, DAY, None).await);
    assert_eq!(list(fresh, acme).await.iter().map(|usage| usage.reviews).sum::<u64>(), 5);
}

pub(crate) async fn simultaneous_reviews_never_exceed_the_limit(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let allowed = at_once(64, |index| {
        let store = fresh.store.clone();
        let day = format!("2026-11-{:02}", index % 3 + 1);
        async move { store.reserve_review(acme, ada.id, &day, Some(20)).await.unwrap() }
    });
    assert_eq!(allowed.await.into_iter().filter(|&allowed| allowed).count(), 20);
    assert_eq!(list(fresh, acme).await.iter().map(|usage| usage.reviews).sum::<u64>(), 20);
}

pub(crate) async fn a_review_that_did_not_come_about_is_given_back(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    fresh.store.release_review(acme, ada.id, DAY).await.unwrap();
    assert_eq!(list(fresh, acme).await.iter().map(|usage| usage.reviews).sum::<u64>(), 0);
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    for _ in 0..3 {
        fresh.store.release_review(acme, ada.id, DAY).await.unwrap();
    }
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    assert!(!reserve(fresh, acme, ada.id, DAY, Some(1)).await, "no more comes back than was taken");
}

pub(crate) async fn limits_are_of_one_member_and_month(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let (acme, bell) = (fresh.organization("Acme", &ada).await.id, fresh.organization("Bell", &ada).await.id);
    fresh.store.add_member(acme, ben.id, Role::Member, NOW).await.unwrap();
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    assert!(!reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    assert!(reserve(fresh, acme, ada.id, "2026-12-01", Some(1)).await);
    assert!(reserve(fresh, acme, ben.id, DAY, Some(1)).await);
    assert!(reserve(fresh, bell, ada.id, DAY, Some(1)).await);
}

pub(crate) async fn simultaneous_counts_all_arrive(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let delta = UsageDelta { findings: [1, 2, 3, 4], prompt_tokens: 1_000_000_007, completion_tokens: 5 };
    let recorded = at_once(32, |_| {
        let store = fresh.store.clone();
        async move { store.record_usage(acme, ada.id, DAY, delta).await }
    });
    assert!(recorded.await.into_iter().all(|result| result.is_ok()));
    let expected = Usage {
        user: ada.id,
        day: DAY.to_owned(),
        reviews: 0,
        findings: [32, 64, 96, 128],
        prompt_tokens: 32_000_000_224,
        completion_tokens: 160,
    };
    assert_eq!(list(fresh, acme).await, [expected]);
}

pub(crate) async fn usage_is_listed_by_day_within_an_organization(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let (acme, bell) = (fresh.organization("Acme", &ada).await.id, fresh.organization("Bell", &ben).await.id);
    fresh.store.add_member(acme, ben.id, Role::Member, NOW).await.unwrap();
    for (organization, user, day) in [
        (acme, ben.id, "2026-11-02"),
        (acme, ada.id, "2026-11-02"),
        (acme, ada.id, "2026-10-31"),
        (acme, ada.id, "2026-11-03"),
        (bell, ben.id, "2026-11-02"),
    ] {
        assert!(reserve(fresh, organization, user, day, None).await);
        fresh.store.record_usage(organization, user, day, UsageDelta::default()).await.unwrap();
    }
    let listed = fresh.store.list_usage(acme, "2026-10-31", "2026-11-02").await.unwrap();
    let rows: Vec<_> = listed.iter().map(|usage| (usage.day.as_str(), usage.user, usage.reviews)).collect();
    assert_eq!(rows, [("2026-10-31", ada.id, 1), ("2026-11-02", ada.id, 1), ("2026-11-02", ben.id, 1)]);
    assert!(fresh.store.list_usage(acme, "2026-11-02", "2026-10-31").await.unwrap().is_empty());
}

pub(crate) async fn usage_needs_an_organization_a_user_and_a_day(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for (organization, user) in [(OrganizationId::new(NOW), ada.id), (acme, UserId::new(NOW))] {
        let reserved = fresh.store.reserve_review(organization, user, DAY, None).await.unwrap_err();
        let recorded = fresh.store.record_usage(organization, user, DAY, UsageDelta::default()).await.unwrap_err();
        for error in [reserved, recorded] {
            assert!(matches!(error, StoreError::NotFound(_)), "{error:?}");
        }
    }
    let errors = [
        fresh.store.reserve_review(acme, ada.id, "today", None).await.unwrap_err(),
        fresh.store.record_usage(acme, ada.id, "2026-11", UsageDelta::default()).await.unwrap_err(),
        fresh.store.list_usage(acme, "", DAY).await.unwrap_err(),
    ];
    assert!(errors.iter().all(|error| matches!(error, StoreError::Invalid(_))), "{errors:?}");
}
