//! Entitlements: who may use the product, until when.

use store::{EntitlementStatus as Status, NewEntitlement, Role, StoreError};

use crate::harness::{Fresh, NOW, PRODUCT, at_once, grant, later};

pub(crate) async fn a_member_has_none_until_one_is_granted(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    assert_eq!(fresh.store.find_active_entitlement(acme.id, ada.id, PRODUCT, NOW).await.unwrap(), None);
    assert!(fresh.store.list_entitlements(acme.id, NOW).await.unwrap().is_empty());

    let new = grant(Some(later(9)), Some(0));
    let granted = fresh.store.grant_entitlement(acme.id, ada.id, &new, NOW).await.unwrap();
    assert_eq!((granted.organization, granted.user, granted.product.as_str()), (acme.id, ada.id, PRODUCT));
    assert_eq!((granted.status, granted.starts_at, granted.expires_at), (Status::Active, NOW, Some(later(9))));
    assert_eq!(granted.monthly_review_limit, Some(0));
    let found = fresh.store.find_active_entitlement(acme.id, ada.id, PRODUCT, NOW).await.unwrap();
    assert_eq!(found.as_ref(), Some(&granted));
    assert_eq!(fresh.store.list_entitlements(acme.id, NOW).await.unwrap(), [granted]);
    let before = store::UnixMillis(NOW.0 - 1);
    assert_eq!(fresh.store.find_active_entitlement(acme.id, ada.id, PRODUCT, before).await.unwrap(), None);
}

pub(crate) async fn only_members_can_be_entitled(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await;
    let error = fresh.store.grant_entitlement(acme.id, ben.id, &grant(None, None), NOW).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound("member")), "{error:?}");
    fresh.store.add_member(acme.id, ben.id, Role::Member, NOW).await.unwrap();
    fresh.store.grant_entitlement(acme.id, ben.id, &grant(None, None), NOW).await.unwrap();
}

pub(crate) async fn the_status_follows_the_state_machine_here_too(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    for &from in Status::ALL {
        for &to in Status::ALL {
            let acme = fresh.organization("Acme", &ada).await.id;
            let expiry = (from == Status::Expired).then(|| later(1));
            fresh.store.grant_entitlement(acme, ada.id, &grant(expiry, None), NOW).await.unwrap();
            if matches!(from, Status::Suspended | Status::Revoked) {
                fresh.store.set_entitlement_status(acme, ada.id, PRODUCT, from, NOW).await.unwrap();
            }
            let result = fresh.store.set_entitlement_status(acme, ada.id, PRODUCT, to, later(1)).await;
            let illegal = matches!(&result, Err(StoreError::Illegal { from: was, .. }) if *was == from.as_str());
            let moved = result.as_ref().is_ok_and(|entitlement| entitlement.status == to);
            assert_eq!((moved, illegal), (from.may_become(to), !from.may_become(to)), "{from} to {to}: {result:?}");

            let now_is = if moved { to } else { from };
            let usable = fresh.store.find_active_entitlement(acme, ada.id, PRODUCT, later(1)).await.unwrap();
            assert_eq!(usable.is_some(), now_is == Status::Active, "{from} to {to}");
            let listed = fresh.store.list_entitlements(acme, later(1)).await.unwrap();
            assert_eq!(listed.iter().map(|it| it.status).collect::<Vec<_>>(), [now_is]);
        }
    }
    let acme = fresh.organization("Acme", &ada).await.id;
    let none = fresh.store.set_entitlement_status(acme, ada.id, PRODUCT, Status::Suspended, NOW).await.unwrap_err();
    assert!(matches!(none, StoreError::NotFound("entitlement")), "{none:?}");
}

pub(crate) async fn an_entitlement_ends_with_its_last_millisecond(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    fresh.store.grant_entitlement(acme, ada.id, &grant(Some(later(1_000)), None), NOW).await.unwrap();
    let moments = [(0, Status::Active), (999, Status::Active), (1_000, Status::Expired), (1_001, Status::Expired)];
    for (millis, status) in moments {
        let active = fresh.store.find_active_entitlement(acme, ada.id, PRODUCT, later(millis)).await.unwrap();
        assert_eq!(active.is_some(), status == Status::Active, "after {millis} ms");
        let listed = fresh.store.list_entitlements(acme, later(millis)).await.unwrap();
        assert_eq!(listed.iter().map(|it| it.status).collect::<Vec<_>>(), [status], "after {millis} ms");
    }
    fresh.store.set_entitlement_status(acme, ada.id, PRODUCT, Status::Suspended, NOW).await.unwrap();
    let suspended = fresh.store.find_entitlement(acme, ada.id, PRODUCT, later(1_000)).await.unwrap().unwrap();
    assert_eq!(suspended.status, Status::Expired, "a suspended one expires too");
}

pub(crate) async fn a_grant_brings_back_what_ended(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    for ended in [Status::Suspended, Status::Revoked, Status::Expired] {
        let acme = fresh.organization("Acme", &ada).await.id;
        fresh.store.grant_entitlement(acme, ada.id, &grant(Some(later(10)), Some(1)), NOW).await.unwrap();
        if ended != Status::Expired {
            fresh.store.set_entitlement_status(acme, ada.id, PRODUCT, ended, NOW).await.unwrap();
        }
        fresh.store.grant_entitlement(acme, ada.id, &grant(None, Some(2)), later(10)).await.unwrap();
        let again = fresh.store.find_active_entitlement(acme, ada.id, PRODUCT, later(10)).await.unwrap().unwrap();
        assert_eq!((again.starts_at, again.expires_at, again.monthly_review_limit), (later(10), None, Some(2)));
        assert_eq!(fresh.store.list_entitlements(acme, later(10)).await.unwrap().len(), 1);
    }
}

pub(crate) async fn entitlements_are_of_one_member_organization_and_product(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let (acme, bell) = (fresh.organization("Acme", &ada).await.id, fresh.organization("Bell", &ada).await.id);
    fresh.store.add_member(acme, ben.id, Role::Member, NOW).await.unwrap();
    fresh.store.grant_entitlement(acme, ada.id, &grant(None, None), NOW).await.unwrap();
    for (organization, user, product) in [(acme, ben.id, PRODUCT), (bell, ada.id, PRODUCT), (acme, ada.id, "other")] {
        let found = fresh.store.find_active_entitlement(organization, user, product, NOW).await.unwrap();
        assert_eq!(found, None);
    }
    let other = NewEntitlement { product: "other".to_owned(), ..grant(None, None) };
    fresh.store.grant_entitlement(acme, ada.id, &other, NOW).await.unwrap();
    fresh.store.set_entitlement_status(acme, ada.id, "other", Status::Revoked, NOW).await.unwrap();
    assert!(fresh.store.find_active_entitlement(acme, ada.id, PRODUCT, NOW).await.unwrap().is_some());
    assert_eq!(fresh.store.list_entitlements(acme, NOW).await.unwrap().len(), 2);
    assert!(fresh.store.list_entitlements(bell, NOW).await.unwrap().is_empty());
}

pub(crate) async fn of_many_who_revoke_one_does(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    fresh.store.grant_entitlement(acme, ada.id, &grant(None, None), NOW).await.unwrap();
    let results = at_once(16, |_| {
        let store = fresh.store.clone();
        async move { store.set_entitlement_status(acme, ada.id, PRODUCT, Status::Revoked, NOW).await }
    });
    assert_eq!(results.await.iter().filter(|result| result.is_ok()).count(), 1);
}

pub(crate) async fn a_negative_limit_is_refused(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let error = fresh.store.grant_entitlement(acme, ada.id, &grant(None, Some(-1)), NOW).await.unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
}
