//! Entitlements: who may use the product, until when.

use store::{
    Action, Actor, AuditEvent, Entitlement, EntitlementChange, EntitlementStatus as Status,
    NewEntitlement, OrganizationId, Role, StoreError, UserId,
};

use crate::harness::{Fresh, NOW, PRODUCT, at_once, grant, later};

pub(crate) async fn a_member_has_none_until_one_is_granted(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    assert_eq!(
        fresh
            .store
            .find_active_entitlement(acme.id, ada.id, PRODUCT, NOW)
            .await
            .unwrap(),
        None
    );
    assert!(
        fresh
            .store
            .list_entitlements(acme.id, ada.id, NOW)
            .await
            .unwrap()
            .is_empty()
    );

    let new = grant(Some(later(9)), Some(0));
    let granted = fresh
        .store
        .grant_entitlement(acme.id, ada.id, &new, Actor::CommandLine, NOW)
        .await
        .unwrap();
    assert_eq!(
        (granted.organization, granted.user, granted.product.as_str()),
        (acme.id, ada.id, PRODUCT)
    );
    assert_eq!(
        (granted.status, granted.starts_at, granted.expires_at),
        (Status::Active, NOW, Some(later(9)))
    );
    assert_eq!(granted.monthly_review_limit, Some(0));
    let found = fresh
        .store
        .find_active_entitlement(acme.id, ada.id, PRODUCT, NOW)
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&granted));
    assert_eq!(
        fresh
            .store
            .list_entitlements(acme.id, ada.id, NOW)
            .await
            .unwrap(),
        [granted]
    );
    let before = store::UnixMillis(NOW.0 - 1);
    assert_eq!(
        fresh
            .store
            .find_active_entitlement(acme.id, ada.id, PRODUCT, before)
            .await
            .unwrap(),
        None
    );
}

pub(crate) async fn only_members_can_be_entitled(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await;
    let error = fresh
        .store
        .grant_entitlement(acme.id, ben.id, &grant(None, None), Actor::CommandLine, NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::NotFound("member")), "{error:?}");
    let error = fresh
        .store
        .list_entitlements(acme.id, ben.id, NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::NotFound("member")), "{error:?}");
    fresh
        .store
        .add_member(acme.id, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    fresh
        .store
        .grant_entitlement(acme.id, ben.id, &grant(None, None), Actor::CommandLine, NOW)
        .await
        .unwrap();
}

pub(crate) async fn the_entitlement_status_follows_the_state_machine(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    for &from in Status::ALL {
        for &to in Status::ALL {
            let acme = fresh.organization("Acme", &ada).await.id;
            let expiry = (from == Status::Expired).then(|| later(1));
            fresh
                .store
                .grant_entitlement(acme, ada.id, &grant(expiry, None), Actor::CommandLine, NOW)
                .await
                .unwrap();
            if matches!(from, Status::Suspended | Status::Revoked) {
                fresh
                    .store
                    .set_entitlement_status(acme, ada.id, PRODUCT, from, Actor::CommandLine, NOW)
                    .await
                    .unwrap();
            }
            let result = fresh
                .store
                .set_entitlement_status(acme, ada.id, PRODUCT, to, Actor::CommandLine, later(1))
                .await;
            let illegal = matches!(&result, Err(StoreError::Illegal { from: was, .. }) if *was == from.as_str());
            let moved = result
                .as_ref()
                .is_ok_and(|entitlement| entitlement.status == to);
            assert_eq!(
                (moved, illegal),
                (from.may_become(to), !from.may_become(to)),
                "{from} to {to}: {result:?}"
            );

            let now_is = if moved { to } else { from };
            let usable = fresh
                .store
                .find_active_entitlement(acme, ada.id, PRODUCT, later(1))
                .await
                .unwrap();
            assert_eq!(usable.is_some(), now_is == Status::Active, "{from} to {to}");
            let listed = fresh
                .store
                .list_entitlements(acme, ada.id, later(1))
                .await
                .unwrap();
            assert_eq!(
                listed.iter().map(|it| it.status).collect::<Vec<_>>(),
                [now_is]
            );
        }
    }
    let acme = fresh.organization("Acme", &ada).await.id;
    let none = fresh
        .store
        .set_entitlement_status(
            acme,
            ada.id,
            PRODUCT,
            Status::Suspended,
            Actor::CommandLine,
            NOW,
        )
        .await
        .unwrap_err();
    assert!(
        matches!(none, StoreError::NotFound("entitlement")),
        "{none:?}"
    );
}

pub(crate) async fn an_entitlement_ends_with_its_last_millisecond(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    fresh
        .store
        .grant_entitlement(
            acme,
            ada.id,
            &grant(Some(later(1_000)), None),
            Actor::CommandLine,
            NOW,
        )
        .await
        .unwrap();
    let moments = [
        (0, Status::Active),
        (999, Status::Active),
        (1_000, Status::Expired),
        (1_001, Status::Expired),
    ];
    for (millis, status) in moments {
        let active = fresh
            .store
            .find_active_entitlement(acme, ada.id, PRODUCT, later(millis))
            .await
            .unwrap();
        assert_eq!(
            active.is_some(),
            status == Status::Active,
            "after {millis} ms"
        );
        let listed = fresh
            .store
            .list_entitlements(acme, ada.id, later(millis))
            .await
            .unwrap();
        assert_eq!(
            listed.iter().map(|it| it.status).collect::<Vec<_>>(),
            [status],
            "after {millis} ms"
        );
    }
    fresh
        .store
        .set_entitlement_status(
            acme,
            ada.id,
            PRODUCT,
            Status::Suspended,
            Actor::CommandLine,
            NOW,
        )
        .await
        .unwrap();
    let suspended = fresh
        .store
        .find_entitlement(acme, ada.id, PRODUCT, later(1_000))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        suspended.status,
        Status::Expired,
        "a suspended one expires too"
    );
}

pub(crate) async fn a_grant_restores_an_ended_entitlement(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    for ended in [Status::Suspended, Status::Revoked, Status::Expired] {
        let acme = fresh.organization("Acme", &ada).await.id;
        fresh
            .store
            .grant_entitlement(
                acme,
                ada.id,
                &grant(Some(later(10)), Some(1)),
                Actor::CommandLine,
                NOW,
            )
            .await
            .unwrap();
        if ended != Status::Expired {
            fresh
                .store
                .set_entitlement_status(acme, ada.id, PRODUCT, ended, Actor::CommandLine, NOW)
                .await
                .unwrap();
        }
        fresh
            .store
            .grant_entitlement(
                acme,
                ada.id,
                &grant(None, Some(2)),
                Actor::CommandLine,
                later(10),
            )
            .await
            .unwrap();
        let again = fresh
            .store
            .find_active_entitlement(acme, ada.id, PRODUCT, later(10))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (
                again.starts_at, again.expires_at, again.monthly_review_limit
            ),
            (later(10), None, Some(2))
        );
        assert_eq!(
            fresh
                .store
                .list_entitlements(acme, ada.id, later(10))
                .await
                .unwrap()
                .len(),
            1
        );
    }
}

pub(crate) async fn entitlements_belong_to_one_member_organization_and_product(fresh: &Fresh) {
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
    fresh
        .store
        .grant_entitlement(acme, ada.id, &grant(None, None), Actor::CommandLine, NOW)
        .await
        .unwrap();
    for (organization, user, product) in [
        (acme, ben.id, PRODUCT),
        (bell, ada.id, PRODUCT),
        (acme, ada.id, "other"),
    ] {
        let found = fresh
            .store
            .find_active_entitlement(organization, user, product, NOW)
            .await
            .unwrap();
        assert_eq!(found, None);
    }
    let other = NewEntitlement {
        product: "other".to_owned(),
        ..grant(None, None)
    };
    fresh
        .store
        .grant_entitlement(acme, ada.id, &other, Actor::CommandLine, NOW)
        .await
        .unwrap();
    fresh
        .store
        .set_entitlement_status(
            acme,
            ada.id,
            "other",
            Status::Revoked,
            Actor::CommandLine,
            NOW,
        )
        .await
        .unwrap();
    assert!(
        fresh
            .store
            .find_active_entitlement(acme, ada.id, PRODUCT, NOW)
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(
        fresh
            .store
            .list_entitlements(acme, ada.id, NOW)
            .await
            .unwrap()
            .len(),
        2
    );
    assert!(
        fresh
            .store
            .list_entitlements(bell, ada.id, NOW)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn of_concurrent_revocations_one_succeeds(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    fresh
        .store
        .grant_entitlement(acme, ada.id, &grant(None, None), Actor::CommandLine, NOW)
        .await
        .unwrap();
    let results = at_once(16, |_| {
        let store = fresh.store.clone();
        async move {
            store
                .set_entitlement_status(
                    acme,
                    ada.id,
                    PRODUCT,
                    Status::Revoked,
                    Actor::CommandLine,
                    NOW,
                )
                .await
        }
    });
    assert_eq!(
        results.await.iter().filter(|result| result.is_ok()).count(),
        1
    );
}

pub(crate) async fn a_negative_limit_is_refused(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let error = fresh
        .store
        .grant_entitlement(
            acme,
            ada.id,
            &grant(None, Some(-1)),
            Actor::CommandLine,
            NOW,
        )
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
}

fn change(status: Status) -> EntitlementChange {
    EntitlementChange {
        product: PRODUCT.to_owned(),
        status,
        expires_at: None,
        monthly_review_limit: None,
    }
}

async fn set(
    fresh: &Fresh,
    organization: OrganizationId,
    user: UserId,
    change: EntitlementChange,
    millis: u64,
) -> Result<Entitlement, StoreError> {
    fresh
        .store
        .change_entitlement(organization, user, change, Actor::User(user), later(millis))
        .await
}

/// The events about entitlements, oldest first.
async fn events(fresh: &Fresh, organization: OrganizationId) -> Vec<AuditEvent> {
    let all = fresh
        .store
        .list_audit_events(organization, None, 1_000)
        .await
        .unwrap();
    all.into_iter()
        .filter(|event| event.action.as_str().starts_with("entitlement."))
        .collect()
}

pub(crate) async fn a_change_follows_the_state_machine_and_restores_ended_entitlements(
    fresh: &Fresh,
) {
    let ada = fresh.user("Ada").await;
    let states = [
        None,
        Some(Status::Active),
        Some(Status::Suspended),
        Some(Status::Expired),
        Some(Status::Revoked),
    ];
    for from in states {
        for to in [
            Status::Active,
            Status::Suspended,
            Status::Expired,
            Status::Revoked,
        ] {
            let acme = fresh.organization("Acme", &ada).await.id;
            if let Some(from) = from {
                let expiry = (from == Status::Expired).then(|| later(1));
                fresh
                    .store
                    .grant_entitlement(
                        acme,
                        ada.id,
                        &grant(expiry, Some(7)),
                        Actor::CommandLine,
                        NOW,
                    )
                    .await
                    .unwrap();
                if matches!(from, Status::Suspended | Status::Revoked) {
                    set_status(fresh, acme, ada.id, from).await;
                }
            }
            let result = set(fresh, acme, ada.id, change(to), 2).await;
            let known = match from {
                Some(from @ (Status::Active | Status::Suspended)) => {
                    from == to || from.may_become(to)
                }
                _ => to == Status::Active,
            };
            match result {
                Ok(after) => {
                    assert!(known && after.status == to, "{from:?} to {to}: {after:?}");
                    let new = !matches!(from, Some(Status::Active | Status::Suspended));
                    let (starts_at, limit) = if new {
                        (later(2), None)
                    } else {
                        (NOW, Some(7))
                    };
                    assert_eq!(
                        (after.starts_at, after.monthly_review_limit),
                        (starts_at, limit),
                        "{from:?} to {to}"
                    );
                    let found = fresh
                        .store
                        .find_entitlement(acme, ada.id, PRODUCT, later(2))
                        .await
                        .unwrap();
                    assert_eq!(found, Some(after));
                }
                Err(StoreError::Illegal {
                    from: was,
                    to: asked,
                    ..
                }) => {
                    assert!(!known, "{from:?} to {to}");
                    assert_eq!(
                        (was, asked),
                        (from.map_or("none", Status::as_str), to.as_str())
                    );
                }
                Err(error) => panic!("{from:?} to {to}: {error:?}"),
            }
        }
    }
}

async fn set_status(fresh: &Fresh, organization: OrganizationId, user: UserId, status: Status) {
    let set = fresh.store.set_entitlement_status(
        organization,
        user,
        PRODUCT,
        status,
        Actor::CommandLine,
        NOW,
    );
    set.await.unwrap();
}

pub(crate) async fn omitted_fields_of_a_change_stay_as_they_are(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let terms = |expires_at, monthly_review_limit| EntitlementChange {
        expires_at,
        monthly_review_limit,
        ..change(Status::Active)
    };
    for (given, expires_at, limit) in [
        (
            terms(Some(Some(later(9))), Some(Some(5))),
            Some(later(9)),
            Some(5),
        ),
        (terms(None, None), Some(later(9)), Some(5)),
        (terms(None, Some(Some(6))), Some(later(9)), Some(6)),
        (terms(Some(None), None), None, Some(6)),
        (terms(None, Some(None)), None, None),
    ] {
        let after = set(fresh, acme, ada.id, given, 1).await.unwrap();
        assert_eq!(
            (after.expires_at, after.monthly_review_limit),
            (expires_at, limit)
        );
        assert_eq!(
            fresh
                .store
                .list_entitlements(acme, ada.id, later(1))
                .await
                .unwrap(),
            [after]
        );
    }
    let error = set(fresh, acme, ada.id, terms(None, Some(Some(-1))), 1)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
}

pub(crate) async fn a_change_of_an_entitlement_leaves_one_event(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let new = grant(Some(later(900)), Some(5));
    fresh
        .store
        .grant_entitlement(acme, ada.id, &new, Actor::CommandLine, NOW)
        .await
        .unwrap();
    set(fresh, acme, ada.id, change(Status::Active), 1)
        .await
        .unwrap();
    set(fresh, acme, ada.id, change(Status::Suspended), 2)
        .await
        .unwrap();
    set(
        fresh,
        acme,
        ada.id,
        EntitlementChange {
            expires_at: Some(None),
            ..change(Status::Active)
        },
        3,
    )
    .await
    .unwrap();
    set(
        fresh,
        acme,
        ada.id,
        EntitlementChange {
            monthly_review_limit: Some(Some(6)),
            ..change(Status::Active)
        },
        4,
    )
    .await
    .unwrap();
    set_status(fresh, acme, ada.id, Status::Revoked).await;
    set(fresh, acme, ada.id, change(Status::Suspended), 6)
        .await
        .unwrap_err();
    set(fresh, acme, ada.id, change(Status::Active), 7)
        .await
        .unwrap();

    let events = events(fresh, acme).await;
    let changes: Vec<_> = events
        .iter()
        .map(|it| (it.action, it.old_value.as_deref(), it.new_value.as_deref()))
        .collect();
    let granted = format!("active limit=5 expires={}", later(900));
    let suspended = format!("suspended limit=5 expires={}", later(900));
    let (before, after) = (Some(granted.as_str()), Some(suspended.as_str()));
    assert_eq!(
        changes,
        [
            (Action::EntitlementGranted, None, before),
            (Action::EntitlementSuspended, before, after),
            (Action::EntitlementActivated, after, Some("active limit=5")),
            (
                Action::EntitlementChanged,
                Some("active limit=5"),
                Some("active limit=6")
            ),
            (
                Action::EntitlementRevoked,
                Some("active limit=6"),
                Some("revoked limit=6")
            ),
            (
                Action::EntitlementGranted,
                Some("revoked limit=6"),
                Some("active")
            ),
        ]
    );
    assert!(
        events
            .iter()
            .all(|it| it.user == Some(ada.id) && it.subject.as_deref() == Some(PRODUCT))
    );
    assert_eq!(
        (events[0].actor, events[1].actor),
        (Actor::CommandLine, Actor::User(ada.id))
    );
    assert_eq!(
        (events[0].created_at, events[1].created_at),
        (NOW, later(2))
    );
}

pub(crate) async fn concurrent_changes_are_serialized(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let results = at_once(16, |index| {
        let store = fresh.store.clone();
        let limit = Some(Some(i64::try_from(index).unwrap()));
        let change = EntitlementChange {
            monthly_review_limit: limit,
            ..change(Status::Active)
        };
        async move {
            store
                .change_entitlement(acme, ada.id, change, Actor::User(ada.id), NOW)
                .await
        }
    });
    assert!(results.await.iter().all(Result::is_ok));
    let events = events(fresh, acme).await;
    assert_eq!(events.len(), 16);
    let granted: Vec<_> = events
        .iter()
        .filter(|event| event.action == Action::EntitlementGranted)
        .collect();
    assert!(
        granted.len() == 1 && granted[0].old_value.is_none(),
        "{granted:?}"
    );
    // Each change starts from the state that another one left, and the last one left the current state.
    let left: Vec<_> = events
        .iter()
        .filter_map(|event| event.new_value.clone())
        .collect();
    let found: Vec<_> = events
        .iter()
        .filter_map(|event| event.old_value.clone())
        .collect();
    let last: Vec<_> = left.iter().filter(|value| !found.contains(value)).collect();
    let now = fresh
        .store
        .find_entitlement(acme, ada.id, PRODUCT, NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        last,
        [&format!(
            "active limit={}",
            now.monthly_review_limit.unwrap()
        )]
    );
}
