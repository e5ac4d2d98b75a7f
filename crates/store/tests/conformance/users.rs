//! Users and their names.

use store::{NewToken, StoreError, UserId};

use crate::harness::{Fresh, NOW, later};

pub(crate) async fn users_are_listed_and_found(fresh: &Fresh) {
    let ada = fresh.store.insert_user("Ada", true, NOW).await.unwrap();
    let ben = fresh
        .store
        .insert_user("Ben", false, later(1))
        .await
        .unwrap();
    assert!(ada.operator && !ben.operator);
    assert_eq!(
        fresh.store.find_user(ada.id).await.unwrap().as_ref(),
        Some(&ada)
    );
    assert_eq!(fresh.store.find_user(UserId::new(NOW)).await.unwrap(), None);
    assert_eq!(
        fresh.store.list_users(None, 1).await.unwrap(),
        std::slice::from_ref(&ada)
    );
    assert_eq!(
        fresh.store.list_users(Some(ada.id), 100).await.unwrap(),
        std::slice::from_ref(&ben)
    );
    assert_eq!(fresh.store.list_users(None, 100).await.unwrap(), [ada, ben]);
}

pub(crate) async fn names_may_contain_any_character(fresh: &Fresh) {
    let long = "長".repeat(50_000);
    let names = [
        "", " ", "'; DROP TABLE users; --", "\"%_\\$1?:name", "a\u{301}\u{fffd}\u{feff}\u{202e}",
        "👩‍👩‍👧‍👦", "\u{1}\r\n\t\u{7f}", "\u{10ffff}\u{d7ff}\u{e000}", "Å", "A\u{30a}", &long,
    ];
    let owner = fresh.user("Ada").await;
    for name in names {
        let user = fresh.user(name).await;
        assert_eq!(
            fresh.store.find_user(user.id).await.unwrap().unwrap().name,
            name
        );
        let made = fresh.organization(name, &owner).await;
        let found = fresh
            .store
            .find_membership(owner.id, made.id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(found.organization.name, name);
    }
    let nul = "before\0after";
    let token = NewToken {
        user: owner.id,
        name: nul.to_owned(),
        scopes: Vec::new(),
        organization: None,
        expires_at: None,
    };
    let errors = [
        fresh.store.insert_user(nul, false, NOW).await.unwrap_err(),
        fresh
            .store
            .insert_organization(nul, owner.id, None, NOW)
            .await
            .unwrap_err(),
        fresh.store.insert_token(token, NOW).await.unwrap_err(),
    ];
    assert!(
        errors
            .iter()
            .all(|error| matches!(error, StoreError::Invalid(_))),
        "{errors:?}"
    );
}
