//! Usage: quotas hold and counts add up.

use store::{Month, OrganizationId, Role, StoreError, Usage, UsageDelta, UsageOfDay, UserId};

use crate::harness::{Fresh, NOW, at_once};

const DAY: &str = "2026-11-20";

async fn reserve(
    fresh: &Fresh,
    organization: OrganizationId,
    user: UserId,
    day: &str,
    limit: Option<i64>,
) -> bool {
    fresh
        .store
        .reserve_review(organization, user, day, limit)
        .await
        .unwrap()
        .is_some()
}

async fn list(fresh: &Fresh, organization: OrganizationId) -> Vec<UsageOfDay> {
    fresh
        .store
        .list_usage_of_days(organization, "2026-01-01", "2026-12-31")
        .await
        .unwrap()
}

async fn reviews(fresh: &Fresh, organization: OrganizationId) -> u64 {
    list(fresh, organization)
        .await
        .iter()
        .map(|day| day.usage.reviews)
        .sum()
}

pub(crate) async fn the_monthly_limit_is_exact(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for limit in [0, -1] {
        assert!(!reserve(fresh, acme, ada.id, DAY, Some(limit)).await);
    }
    for (day, allowed) in [
        (DAY, true),
        ("2026-11-01", true),
        ("2026-11-30", true),
        (DAY, false),
        ("2026-11-02", false),
    ] {
        assert_eq!(
            reserve(fresh, acme, ada.id, day, Some(3)).await,
            allowed,
            "{day}"
        );
    }
    assert!(
        reserve(fresh, acme, ada.id, DAY, Some(4)).await,
        "a raised limit takes effect immediately"
    );
    assert!(
        !reserve(fresh, acme, ada.id, DAY, Some(2)).await,
        "a lowered limit takes effect immediately"
    );
    assert!(reserve(fresh, acme, ada.id, DAY, None).await);
    assert_eq!(reviews(fresh, acme).await, 5);
}

pub(crate) async fn simultaneous_reviews_never_exceed_the_limit(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let allowed = at_once(64, |index| {
        let store = fresh.store.clone();
        let day = format!("2026-11-{:02}", index % 3 + 1);
        async move {
            store
                .reserve_review(acme, ada.id, &day, Some(20))
                .await
                .unwrap()
                .is_some()
        }
    });
    assert_eq!(
        allowed.await.into_iter().filter(|&allowed| allowed).count(),
        20
    );
    assert_eq!(reviews(fresh, acme).await, 20);
}

pub(crate) async fn a_released_review_can_be_reserved_again(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let month = fresh
        .store
        .reserve_review(acme, ada.id, DAY, Some(1))
        .await
        .unwrap()
        .unwrap();
    fresh
        .store
        .release_review(acme, ada.id, DAY, &month)
        .await
        .unwrap();
    assert_eq!(reviews(fresh, acme).await, 0);
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    for _ in 0..3 {
        fresh
            .store
            .release_review(acme, ada.id, DAY, &month)
            .await
            .unwrap();
    }
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    assert!(
        !reserve(fresh, acme, ada.id, DAY, Some(1)).await,
        "no more is released than was reserved"
    );
}

pub(crate) async fn limits_apply_per_member_and_month(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ada).await.id,
    );
    fresh
        .store
        .add_member(acme, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    assert!(reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    assert!(!reserve(fresh, acme, ada.id, DAY, Some(1)).await);
    assert!(reserve(fresh, acme, ada.id, "2026-12-01", Some(1)).await);
    assert!(reserve(fresh, acme, ben.id, DAY, Some(1)).await);
    assert!(reserve(fresh, bell, ada.id, DAY, Some(1)).await);
}

/// A replica whose clock is behind counts in a month that others have already begun; a clock that was months ahead
/// changes nothing.
pub(crate) async fn a_month_that_has_begun_stays_begun(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let reserve = async |day| {
        fresh
            .store
            .reserve_review(acme, ada.id, day, Some(2))
            .await
            .unwrap()
    };
    let month = |day| Some(Month::of_day(day).unwrap());
    assert_eq!(reserve("2027-03-01").await, month("2027-03-01"));
    assert_eq!(reserve("2026-11-30").await, month("2026-11-30"));
    assert_eq!(reserve("2026-12-01").await, month("2026-12-01"));
    let behind = reserve("2026-11-30").await;
    assert_eq!(behind, month("2026-12-01"));
    assert_eq!(
        reserve("2026-11-30").await,
        None,
        "the new month's limit is reached"
    );
    fresh
        .store
        .release_review(acme, ada.id, "2026-11-30", &behind.unwrap())
        .await
        .unwrap();
    assert_eq!(reserve("2026-12-01").await, month("2026-12-01"));
}

pub(crate) async fn no_concurrent_count_is_lost(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let delta = UsageDelta {
        findings: [1, 2, 3, 4],
        prompt_tokens: 1_000_000_007,
        completion_tokens: 5,
    };
    let recorded = at_once(32, |_| {
        let store = fresh.store.clone();
        async move { store.record_usage(acme, ada.id, DAY, delta).await }
    });
    assert!(recorded.await.into_iter().all(|result| result.is_ok()));
    let usage = Usage {
        reviews: 0,
        findings: [32, 64, 96, 128],
        prompt_tokens: 32_000_000_224,
        completion_tokens: 160,
    };
    assert_eq!(
        list(fresh, acme).await,
        [UsageOfDay {
            day: DAY.to_owned(),
            usage
        }]
    );
}

pub(crate) async fn usage_is_listed_by_day_and_by_member_within_an_organization(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ben).await.id,
    );
    fresh
        .store
        .add_member(acme, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    for (organization, user, day, prompt_tokens) in [
        (acme, ben.id, "2026-11-02", 1),
        (acme, ada.id, "2026-11-02", 10),
        (acme, ada.id, "2026-10-31", 100),
        (acme, ada.id, "2026-11-03", 1_000),
        (bell, ben.id, "2026-11-02", 10_000),
    ] {
        assert!(reserve(fresh, organization, user, day, None).await);
        let delta = UsageDelta {
            findings: [1, 0, 2, 0],
            prompt_tokens,
            completion_tokens: 3,
        };
        fresh
            .store
            .record_usage(organization, user, day, delta)
            .await
            .unwrap();
    }
    let used = |reviews, prompt_tokens| Usage {
        reviews,
        findings: [reviews, 0, 2 * reviews, 0],
        prompt_tokens,
        completion_tokens: 3 * reviews,
    };
    let period = ("2026-10-31", "2026-11-02");
    let days = fresh
        .store
        .list_usage_of_days(acme, period.0, period.1)
        .await
        .unwrap();
    let days: Vec<_> = days.iter().map(|it| (it.day.as_str(), it.usage)).collect();
    assert_eq!(
        days,
        [("2026-10-31", used(1, 100)), ("2026-11-02", used(2, 11))]
    );
    assert_eq!(
        days.into_iter().map(|(_, usage)| usage).sum::<Usage>(),
        used(3, 111)
    );

    let members = fresh
        .store
        .list_usage_of_members(acme, period, None, 9)
        .await
        .unwrap();
    let members: Vec<_> = members
        .iter()
        .map(|it| (it.user_id, it.user_name.as_str(), it.usage))
        .collect();
    assert_eq!(
        members,
        [(ada.id, "Ada", used(2, 110)), (ben.id, "Ben", used(1, 1))]
    );
    let first = fresh
        .store
        .list_usage_of_members(acme, period, None, 1)
        .await
        .unwrap();
    let second = fresh
        .store
        .list_usage_of_members(acme, period, Some(first[0].user_id), 1)
        .await
        .unwrap();
    assert_eq!([first[0].user_id, second[0].user_id], [ada.id, ben.id]);
    assert!(
        fresh
            .store
            .list_usage_of_members(acme, period, Some(ben.id), 1)
            .await
            .unwrap()
            .is_empty()
    );

    assert!(
        fresh
            .store
            .list_usage_of_days(acme, period.1, period.0)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        fresh
            .store
            .list_usage_of_members(acme, (period.1, period.0), None, 9)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn more_tokens_than_any_review_uses_do_not_overflow_the_counts(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let delta = UsageDelta {
        prompt_tokens: u64::MAX,
        completion_tokens: u64::MAX,
        ..UsageDelta::default()
    };
    for _ in 0..3 {
        fresh
            .store
            .record_usage(acme, ada.id, DAY, delta)
            .await
            .unwrap();
    }
    assert_eq!(list(fresh, acme).await[0].usage.prompt_tokens, 3 << 40);
}

pub(crate) async fn reviews_are_counted_per_month(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for day in ["2026-11-01", "2026-11-30", "2026-12-01"] {
        assert!(reserve(fresh, acme, ada.id, day, None).await);
    }
    for (day, count) in [("2026-11-15", 2), ("2026-12-31", 1), ("2027-01-01", 0)] {
        assert_eq!(
            fresh
                .store
                .find_reviews_of_month(acme, ada.id, day)
                .await
                .unwrap(),
            count,
            "{day}"
        );
    }
}

pub(crate) async fn usage_needs_an_organization_a_user_and_a_day(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for (organization, user) in [(OrganizationId::new(NOW), ada.id), (acme, UserId::new(NOW))] {
        let reserved = fresh
            .store
            .reserve_review(organization, user, DAY, None)
            .await
            .unwrap_err();
        let recorded = fresh
            .store
            .record_usage(organization, user, DAY, UsageDelta::default())
            .await
            .unwrap_err();
        for error in [reserved, recorded] {
            assert!(matches!(error, StoreError::NotFound(_)), "{error:?}");
        }
    }
    let errors = [
        fresh
            .store
            .reserve_review(acme, ada.id, "today", None)
            .await
            .unwrap_err(),
        fresh
            .store
            .record_usage(acme, ada.id, "2026-11", UsageDelta::default())
            .await
            .unwrap_err(),
        fresh
            .store
            .list_usage_of_days(acme, "", DAY)
            .await
            .unwrap_err(),
        fresh
            .store
            .list_usage_of_members(acme, (DAY, "2026-11-1"), None, 1)
            .await
            .unwrap_err(),
        fresh
            .store
            .find_reviews_of_month(acme, ada.id, "")
            .await
            .unwrap_err(),
    ];
    assert!(
        errors
            .iter()
            .all(|error| matches!(error, StoreError::Invalid(_))),
        "{errors:?}"
    );
}
