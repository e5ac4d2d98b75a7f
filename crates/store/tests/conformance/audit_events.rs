//! Audit events: each change has an event, and no event exists without a change.

use store::{
    Action, Actor, AuditEvent, AuditEventId, Invited, MemberChange, NewToken, OrganizationId, Role,
    Scope, Status, StoreError, User,
};

use crate::harness::{Fresh, NOW, at_once, grant, later};

async fn events(fresh: &Fresh, organization: OrganizationId) -> Vec<AuditEvent> {
    fresh
        .store
        .list_audit_events(organization, None, 1_000)
        .await
        .unwrap()
}

fn token(user: &User, organization: Option<OrganizationId>) -> NewToken {
    let scopes = vec![Scope::ReviewsWrite, Scope::OrganizationsRead];
    NewToken {
        user: user.id,
        name: "ci".to_owned(),
        scopes,
        organization,
        expires_at: None,
    }
}

pub(crate) async fn each_action_has_an_event_with_its_actor(fresh: &Fresh) {
    let store = &fresh.store;
    let (ada, ben, cleo) = (
        fresh.user("Ada").await,
        fresh.user("Ben").await,
        fresh.user("Cleo").await,
    );
    let acme = store
        .insert_organization("Acme", ada.id, Some(&grant(None, None)), NOW)
        .await
        .unwrap()
        .id;
    store
        .add_member(acme, ben.id, Role::Admin, NOW)
        .await
        .unwrap();
    store
        .set_member_role(acme, ada.id, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    store
        .remove_member(acme, ada.id, ben.id, NOW)
        .await
        .unwrap();
    store
        .add_member(acme, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    store
        .remove_member(acme, ben.id, ben.id, NOW)
        .await
        .unwrap();
    store
        .rename_organization(acme, Actor::User(ada.id), "Bell", NOW)
        .await
        .unwrap();
    let (own, _) = store
        .insert_token(token(&ada, Some(acme)), NOW)
        .await
        .unwrap();
    let (issued, _) = store
        .issue_token(token(&ada, Some(acme)), NOW)
        .await
        .unwrap();
    let (unbound, _) = store.insert_token(token(&ada, None), NOW).await.unwrap();
    for id in [own.id, unbound.id] {
        assert!(
            store
                .revoke_token_of(ada.id, id, NOW)
                .await
                .unwrap()
                .is_some()
        );
    }
    assert!(store.revoke_token(issued.id, NOW).await.unwrap().is_some());
    store
        .set_review_guidelines(acme, ada.id, "text", NOW)
        .await
        .unwrap();
    assert!(
        store
            .delete_review_guidelines(acme, ada.id, NOW)
            .await
            .unwrap()
    );
    let Invited::Done(revoked, _) = store
        .insert_invitation(acme, ada.id, Role::Owner, later(9), NOW)
        .await
        .unwrap()
    else {
        panic!("an owner may invite")
    };
    store
        .revoke_invitation(acme, ada.id, revoked.id, NOW)
        .await
        .unwrap();
    let Invited::Done(accepted, code) = store
        .insert_invitation(acme, ada.id, Role::Admin, later(9), NOW)
        .await
        .unwrap()
    else {
        panic!("an owner may invite")
    };
    store
        .accept_invitation(&code.digest(), cleo.id, Some(&grant(None, None)), NOW)
        .await
        .unwrap();
    for status in [Status::Suspended, Status::Active] {
        store
            .set_organization_status(acme, status, Actor::CommandLine, NOW)
            .await
            .unwrap();
    }
    store
        .set_organization_status(acme, Status::Archived, Actor::User(ada.id), later(7))
        .await
        .unwrap();

    let recorded = events(fresh, acme).await;
    let (by_ada, by_ben, by_cleo) = (
        Actor::User(ada.id),
        Actor::User(ben.id),
        Actor::User(cleo.id),
    );
    let (operator, product) = (Actor::CommandLine, "diff-review".to_owned());
    let scopes = Some("organizations:read reviews:write");
    let expected = [
        (
            Action::OrganizationCreated,
            by_ada,
            Some(ada.id),
            None,
            None,
            Some("Acme"),
        ),
        (
            Action::EntitlementGranted,
            by_ada,
            Some(ada.id),
            Some(product.clone()),
            None,
            Some("active"),
        ),
        (
            Action::MemberJoined,
            operator,
            Some(ben.id),
            None,
            None,
            Some("admin"),
        ),
        (
            Action::MemberRoleChanged,
            by_ada,
            Some(ben.id),
            None,
            Some("admin"),
            Some("member"),
        ),
        (
            Action::MemberRemoved,
            by_ada,
            Some(ben.id),
            None,
            Some("member"),
            None,
        ),
        (
            Action::MemberJoined,
            operator,
            Some(ben.id),
            None,
            None,
            Some("member"),
        ),
        (
            Action::MemberLeft,
            by_ben,
            Some(ben.id),
            None,
            Some("member"),
            None,
        ),
        (
            Action::OrganizationRenamed,
            by_ada,
            None,
            None,
            Some("Acme"),
            Some("Bell"),
        ),
        (
            Action::TokenCreated,
            by_ada,
            Some(ada.id),
            Some(own.id.to_string()),
            None,
            scopes,
        ),
        (
            Action::TokenCreated,
            operator,
            Some(ada.id),
            Some(issued.id.to_string()),
            None,
            scopes,
        ),
        (
            Action::TokenRevoked,
            by_ada,
            Some(ada.id),
            Some(own.id.to_string()),
            None,
            None,
        ),
        (
            Action::TokenRevoked,
            operator,
            Some(ada.id),
            Some(issued.id.to_string()),
            None,
            None,
        ),
        (
            Action::ReviewGuidelinesChanged,
            by_ada,
            None,
            None,
            None,
            None,
        ),
        (
            Action::ReviewGuidelinesRemoved,
            by_ada,
            None,
            None,
            None,
            None,
        ),
        (
            Action::InvitationCreated,
            by_ada,
            None,
            Some(revoked.id.to_string()),
            None,
            Some("owner"),
        ),
        (
            Action::InvitationRevoked,
            by_ada,
            None,
            Some(revoked.id.to_string()),
            None,
            None,
        ),
        (
            Action::InvitationCreated,
            by_ada,
            None,
            Some(accepted.id.to_string()),
            None,
            Some("admin"),
        ),
        (
            Action::MemberJoined,
            by_cleo,
            Some(cleo.id),
            Some(accepted.id.to_string()),
            None,
            Some("admin"),
        ),
        (
            Action::EntitlementGranted,
            by_cleo,
            Some(cleo.id),
            Some(product),
            None,
            Some("active"),
        ),
        (
            Action::OrganizationSuspended,
            operator,
            None,
            None,
            Some("active"),
            Some("suspended"),
        ),
        (
            Action::OrganizationActivated,
            operator,
            None,
            None,
            Some("suspended"),
            Some("active"),
        ),
        (
            Action::OrganizationArchived,
            by_ada,
            None,
            None,
            Some("active"),
            Some("archived"),
        ),
    ];
    for (event, (action, actor, user, subject, old, new)) in recorded.iter().zip(expected.clone()) {
        assert_eq!(
            (event.action, event.actor, event.user),
            (action, actor, user)
        );
        assert_eq!(
            (
                &event.subject,
                event.old_value.as_deref(),
                event.new_value.as_deref()
            ),
            (&subject, old, new)
        );
    }
    assert_eq!(recorded.len(), expected.len());
    assert_eq!(
        (recorded[0].created_at, recorded.last().unwrap().created_at),
        (NOW, later(7))
    );
}

pub(crate) async fn rejected_actions_have_no_event(fresh: &Fresh) {
    let store = &fresh.store;
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await.id;
    store
        .add_member(acme, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    let before = events(fresh, acme).await;

    assert!(matches!(
        store.add_member(acme, ben.id, Role::Admin, NOW).await,
        Err(StoreError::Conflict(_))
    ));
    assert_eq!(
        store
            .remove_member(acme, ben.id, ada.id, NOW)
            .await
            .unwrap(),
        MemberChange::NotAllowed
    );
    assert_eq!(
        store
            .remove_member(acme, ada.id, ada.id, NOW)
            .await
            .unwrap(),
        MemberChange::LastOwner
    );
    let same = store
        .set_member_role(acme, ada.id, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    assert!(
        matches!(same, MemberChange::Done(_)),
        "a no-op leaves no event either: {same:?}"
    );
    let same = store
        .rename_organization(acme, Actor::User(ada.id), "Acme", NOW)
        .await
        .unwrap();
    assert!(same.is_some());
    let illegal = store
        .set_organization_status(acme, Status::Active, Actor::CommandLine, NOW)
        .await;
    assert!(matches!(illegal, Err(StoreError::Illegal { .. })));
    let refused = store
        .insert_invitation(acme, ben.id, Role::Member, later(9), NOW)
        .await
        .unwrap();
    assert!(matches!(refused, Invited::NotAllowed));
    assert!(
        !store
            .delete_review_guidelines(acme, ada.id, NOW)
            .await
            .unwrap()
    );
    let (token, _) = store.insert_token(token(&ada, None), NOW).await.unwrap();
    assert!(
        store
            .revoke_token_of(ben.id, token.id, NOW)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(events(fresh, acme).await, before);
}

pub(crate) async fn events_belong_to_one_organization(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ada).await.id,
    );
    fresh
        .store
        .rename_organization(bell, Actor::User(ada.id), "Cork", NOW)
        .await
        .unwrap();
    assert_eq!(
        (
            events(fresh, acme).await.len(),
            events(fresh, bell).await.len()
        ),
        (1, 2)
    );
    assert!(events(fresh, OrganizationId::new(NOW)).await.is_empty());
}

pub(crate) async fn pages_neither_repeat_nor_miss_while_events_are_added(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("0", &ada).await.id;
    let rename = async |name: usize| {
        fresh
            .store
            .rename_organization(acme, Actor::User(ada.id), &name.to_string(), NOW)
            .await
            .unwrap();
    };
    for name in 1..25 {
        rename(name).await;
    }
    let mut seen: Vec<(AuditEventId, String)> = Vec::new();
    loop {
        let after = seen.last().map(|(id, _)| *id);
        let page = fresh.store.list_audit_events(acme, after, 7).await.unwrap();
        assert!(page.len() <= 7);
        if page.is_empty() {
            break;
        }
        seen.extend(
            page.into_iter()
                .map(|event| (event.id, event.new_value.unwrap())),
        );
        if seen.len() < 30 {
            rename(100 + seen.len()).await;
        }
    }
    let names: Vec<String> = seen.into_iter().map(|(_, name)| name).collect();
    let expected: Vec<String> = (0..25)
        .chain([107, 114, 121, 128, 129])
        .map(|name| name.to_string())
        .collect();
    assert_eq!(names, expected, "oldest first");
}

pub(crate) async fn each_concurrent_change_has_an_event(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let mut users = Vec::new();
    for _ in 0..16 {
        users.push(fresh.user("someone").await.id);
    }
    let done = at_once(users.len(), |index| {
        let (store, user) = (fresh.store.clone(), users[index]);
        async move {
            store
                .add_member(acme, user, Role::Admin, NOW)
                .await
                .unwrap();
            store
                .set_member_role(acme, user, user, Role::Member, NOW)
                .await
                .unwrap();
            store.remove_member(acme, user, user, NOW).await.unwrap()
        }
    });
    assert!(
        done.await
            .iter()
            .all(|change| matches!(change, MemberChange::Done(_)))
    );
    let recorded = events(fresh, acme).await;
    for user in users {
        let of_user: Vec<Action> = recorded
            .iter()
            .filter(|it| it.user == Some(user))
            .map(|it| it.action)
            .collect();
        assert_eq!(
            of_user,
            [
                Action::MemberJoined,
                Action::MemberRoleChanged,
                Action::MemberLeft
            ]
        );
    }
    assert_eq!(recorded.len(), 1 + 3 * 16);
}
