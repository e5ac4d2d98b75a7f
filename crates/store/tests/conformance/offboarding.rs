//! Users who are disabled, enabled and deleted.

use store::{
    Acceptance, Action, Actor, Caps, Deletion, InvitationCode, Invited, MemberChange, NewToken,
    Organization, OrganizationId, Role, Scope, SessionSecret, Status, StoreError, Token,
    TokenSecret, User, UserId, UserStatus,
};

use crate::harness::{Fresh, NOW, at_once, grant, later};

const ISSUER: &str = "https://id.example.com";

async fn token(
    fresh: &Fresh,
    user: UserId,
    organization: Option<OrganizationId>,
) -> (Token, TokenSecret) {
    let new = NewToken {
        user,
        name: "ci".to_owned(),
        scopes: vec![Scope::ReviewsWrite],
        organization,
        expires_at: None,
    };
    fresh.store.insert_token(new, NOW).await.unwrap()
}

async fn invite(fresh: &Fresh, organization: &Organization, by: &User) -> InvitationCode {
    match fresh
        .store
        .insert_invitation(organization.id, by.id, Role::Member, later(9_000), NOW)
        .await
        .unwrap()
    {
        Invited::Done(_, code) => code,
        Invited::NotAllowed => panic!("an owner may invite"),
    }
}

async fn is_accepted(fresh: &Fresh, token: &TokenSecret, sessions: &[&SessionSecret]) -> Vec<bool> {
    let mut found = vec![
        fresh
            .store
            .find_token(&token.digest(), later(1))
            .await
            .unwrap()
            .is_some(),
    ];
    for session in sessions {
        found.push(
            fresh
                .store
                .find_session(&session.digest(), later(1))
                .await
                .unwrap()
                .is_some(),
        );
    }
    found
}

async fn actions(
    fresh: &Fresh,
    organization: OrganizationId,
    of: Actor,
) -> Vec<(Action, Option<UserId>)> {
    let events = fresh
        .store
        .list_audit_events(organization, None, 100)
        .await
        .unwrap();
    events
        .into_iter()
        .filter(|event| event.actor == of)
        .map(|event| (event.action, event.user))
        .collect()
}

async fn make(fresh: &Fresh, organization: OrganizationId, user: &User, role: Role) {
    fresh
        .store
        .add_member(organization, user.id, role, NOW)
        .await
        .unwrap();
}

pub(crate) async fn a_disabled_user_is_refused_until_enabled(fresh: &Fresh) {
    let store = &fresh.store;
    let (ada, ben, cleo) = (
        fresh.user("Ada").await,
        fresh.user("Ben").await,
        fresh.user("Cleo").await,
    );
    let acme = fresh.organization("Acme", &ada).await;
    make(fresh, acme.id, &ben, Role::Owner).await;
    let ((own, secret), (_, other)) = (
        token(fresh, ada.id, None).await,
        token(fresh, ben.id, None).await,
    );
    let session = store.insert_session(own.id, NOW).await.unwrap().unwrap();
    let of_issuer = store
        .insert_issuer_session(ada.id, vec![Scope::ReviewsWrite], NOW)
        .await
        .unwrap();
    let code = invite(fresh, &acme, &ada).await;
    assert_eq!(
        is_accepted(fresh, &secret, &[&session, &of_issuer]).await,
        [true; 3]
    );

    let (disabled, ownerless) = store.disable_user(ada.id, NOW).await.unwrap();
    assert_eq!(
        (disabled, ownerless),
        (
            User {
                status: UserStatus::Disabled,
                ..ada.clone()
            },
            vec![]
        )
    );
    assert_eq!(
        is_accepted(fresh, &secret, &[&session, &of_issuer]).await,
        [false; 3]
    );
    assert!(store.insert_session(own.id, NOW).await.unwrap().is_none());
    assert!(
        store
            .find_token(&other.digest(), NOW)
            .await
            .unwrap()
            .is_some(),
        "no other user is refused"
    );
    let accepted = store
        .accept_invitation(&code.digest(), cleo.id, None, NOW)
        .await
        .unwrap();
    assert_eq!(
        accepted,
        Acceptance::NoInvitation,
        "their invitations are revoked"
    );
    assert!(matches!(
        store.disable_user(ada.id, NOW).await,
        Err(StoreError::Illegal { .. })
    ));

    assert_eq!(store.enable_user(ada.id, NOW).await.unwrap(), ada);
    assert_eq!(
        is_accepted(fresh, &secret, &[&session, &of_issuer]).await,
        [true, false, false]
    );
    assert_eq!(
        store
            .find_membership(ada.id, acme.id)
            .await
            .unwrap()
            .unwrap()
            .role,
        Role::Owner
    );
    assert!(matches!(
        store.enable_user(ada.id, NOW).await,
        Err(StoreError::Illegal { .. })
    ));
    assert!(matches!(
        store.disable_user(UserId::new(NOW), NOW).await,
        Err(StoreError::NotFound("user"))
    ));
    let expected = [
        (Action::MemberJoined, Some(ben.id)),
        (Action::UserDisabled, Some(ada.id)),
        (Action::InvitationRevoked, None),
        (Action::UserEnabled, Some(ada.id)),
    ];
    assert_eq!(actions(fresh, acme.id, Actor::CommandLine).await, expected);
}

pub(crate) async fn a_subject_keeps_its_user(fresh: &Fresh) {
    let store = &fresh.store;
    let sign_in = async || {
        store
            .find_or_insert_identity(ISSUER, "ada", "Ada", NOW)
            .await
            .unwrap()
    };
    let ada = sign_in().await.unwrap();
    store.disable_user(ada.id, NOW).await.unwrap();
    assert_eq!(sign_in().await, None);
    store.enable_user(ada.id, NOW).await.unwrap();
    assert_eq!(sign_in().await.as_ref(), Some(&ada));
    assert_eq!(
        store.delete_user(ada.id, NOW).await.unwrap(),
        Deletion::Done
    );
    assert_eq!(sign_in().await, None);
    let left = User {
        name: String::new(),
        status: UserStatus::Deleted,
        ..ada
    };
    assert_eq!(
        store.list_users(None, 9).await.unwrap(),
        [left],
        "no other user was created"
    );
}

pub(crate) async fn a_deleted_user_leaves_an_id_and_events(fresh: &Fresh) {
    let store = &fresh.store;
    let ada = store.insert_user("Ada", true, NOW).await.unwrap();
    let ben = fresh.user("Ben").await;
    let acme = store
        .insert_organization("Acme", ada.id, Some(&grant(None, None)), NOW)
        .await
        .unwrap();
    make(fresh, acme.id, &ben, Role::Owner).await;
    let (own, secret) = token(fresh, ada.id, Some(acme.id)).await;
    let session = store.insert_session(own.id, NOW).await.unwrap().unwrap();
    invite(fresh, &acme, &ada).await;

    assert_eq!(
        store.delete_user(ada.id, NOW).await.unwrap(),
        Deletion::Done
    );
    assert_eq!(is_accepted(fresh, &secret, &[&session]).await, [false; 2]);
    let left = store.find_user(ada.id).await.unwrap().unwrap();
    assert_eq!(
        (left.name.as_str(), left.operator, left.status),
        ("", false, UserStatus::Deleted)
    );
    assert!(store.list_tokens(ada.id, None, 9).await.unwrap().is_empty());
    assert!(
        store
            .list_invitations(acme.id, None, 9, NOW)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(matches!(
        store.list_entitlements(acme.id, ada.id, NOW).await,
        Err(StoreError::NotFound("member"))
    ));
    let members = store.list_members(acme.id, None, 9).await.unwrap();
    assert_eq!(
        members
            .iter()
            .map(|member| member.user_id)
            .collect::<Vec<_>>(),
        [ben.id]
    );
    let expected = [
        (Action::MemberJoined, Some(ben.id)),
        (Action::InvitationRevoked, None),
        (Action::TokenRevoked, Some(ada.id)),
        (Action::MemberRemoved, Some(ada.id)),
        (Action::UserDeleted, Some(ada.id)),
    ];
    assert_eq!(actions(fresh, acme.id, Actor::CommandLine).await, expected);
    assert_eq!(
        actions(fresh, acme.id, Actor::User(ada.id)).await.len(),
        4,
        "their audit events are kept"
    );
    for refused in [
        store.delete_user(ada.id, NOW).await.err(),
        store.enable_user(ada.id, NOW).await.err(),
    ] {
        assert!(
            matches!(
                refused,
                Some(StoreError::Illegal {
                    from: "deleted",
                    ..
                })
            ),
            "{refused:?}"
        );
    }
}

pub(crate) async fn an_organization_keeps_an_active_owner(fresh: &Fresh) {
    let store = &fresh.store;
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await;
    let bell = fresh.organization("Bell", &ada).await;
    let closed = fresh.organization("Closed", &ada).await;
    store
        .set_organization_status(closed.id, Status::Archived, Actor::CommandLine, NOW)
        .await
        .unwrap();
    make(fresh, acme.id, &ben, Role::Admin).await;
    make(fresh, bell.id, &ben, Role::Owner).await;
    let before = store.list_audit_events(acme.id, None, 100).await.unwrap();
    assert_eq!(
        store.delete_user(ada.id, NOW).await.unwrap(),
        Deletion::LastOwner(vec![acme.clone()])
    );
    assert_eq!(store.find_user(ada.id).await.unwrap(), Some(ada.clone()));
    assert_eq!(
        store.list_audit_events(acme.id, None, 100).await.unwrap(),
        before
    );

    assert_eq!(
        store.disable_user(ada.id, NOW).await.unwrap().1,
        std::slice::from_ref(&acme)
    );
    let last = store
        .remove_member(bell.id, ben.id, ben.id, NOW)
        .await
        .unwrap();
    assert_eq!(
        last,
        MemberChange::LastOwner,
        "a disabled owner does not count"
    );
    let left = store
        .remove_member(bell.id, ben.id, ada.id, NOW)
        .await
        .unwrap();
    assert!(
        matches!(left, MemberChange::Done(_)),
        "but can be removed: {left:?}"
    );
    store
        .assign_member_role(acme.id, ben.id, Role::Owner, NOW)
        .await
        .unwrap();
    assert_eq!(
        store.delete_user(ada.id, NOW).await.unwrap(),
        Deletion::Done
    );
}

pub(crate) async fn a_disabled_user_gets_nothing_new(fresh: &Fresh) {
    let store = &fresh.store;
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await;
    let code = invite(fresh, &acme, &ada).await;
    store.disable_user(ben.id, NOW).await.unwrap();
    let new = NewToken {
        user: ben.id,
        name: "ci".to_owned(),
        scopes: Vec::new(),
        organization: None,
        expires_at: None,
    };
    let refusals = [
        store.issue_token(new, NOW).await.err(),
        store
            .insert_organization("Bell", ben.id, None, NOW)
            .await
            .err(),
        store
            .add_member(acme.id, ben.id, Role::Member, NOW)
            .await
            .err(),
        store
            .accept_invitation(&code.digest(), ben.id, None, NOW)
            .await
            .err(),
    ];
    for refusal in refusals {
        assert!(
            matches!(
                refusal,
                Some(StoreError::Conflict("the user is disabled or deleted"))
            ),
            "{refusal:?}"
        );
    }
    let open = store.list_invitations(acme.id, None, 9, NOW).await.unwrap();
    assert_eq!(open.len(), 1, "the invitation stays open");
}

pub(crate) async fn a_user_deleted_while_joining_is_not_a_member(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let mut users = Vec::new();
    for _ in 0..8 {
        users.push(fresh.user("someone").await.id);
    }
    let done = at_once(16, |task| {
        let (store, user) = (fresh.store.clone(), users[task / 2]);
        async move {
            if task % 2 == 0 {
                return store.add_member(acme, user, Role::Member, NOW).await.err();
            }
            loop {
                match store.delete_user(user, NOW).await {
                    Err(StoreError::Conflict(_)) => {}
                    outcome => return outcome.err(),
                }
            }
        }
    });
    for error in done.await.into_iter().flatten() {
        assert!(matches!(error, StoreError::Conflict(_)), "{error:?}");
    }
    let members = fresh.store.list_members(acme, None, 100).await.unwrap();
    assert_eq!(
        members
            .iter()
            .map(|member| member.user_id)
            .collect::<Vec<_>>(),
        [ada.id]
    );
}

pub(crate) async fn the_operator_assigns_roles(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await.id;
    make(fresh, acme, &ben, Role::Member).await;
    let assign = async |user, role| {
        fresh
            .store
            .assign_member_role(acme, user, role, NOW)
            .await
            .unwrap()
    };
    assert_eq!(assign(ada.id, Role::Member).await, MemberChange::LastOwner);
    assert!(
        matches!(assign(ben.id, Role::Owner).await, MemberChange::Done(member) if member.role == Role::Owner)
    );
    assert!(matches!(
        assign(ada.id, Role::Member).await,
        MemberChange::Done(_)
    ));
    assert_eq!(
        assign(UserId::new(NOW), Role::Member).await,
        MemberChange::NoMember
    );
    let changes = actions(fresh, acme, Actor::CommandLine).await;
    let changed = |user: &User| (Action::MemberRoleChanged, Some(user.id));
    assert_eq!(
        changes,
        [
            (Action::MemberJoined, Some(ben.id)),
            changed(&ben),
            changed(&ada)
        ]
    );
}

pub(crate) async fn the_operator_creates_organizations_and_invitations(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let none = Caps {
        organizations_per_user: 0,
        invitations_per_organization: 0,
        ..Caps::default()
    };
    let store = fresh.store.clone().with_caps(none);
    let acme = store
        .insert_organization_for(ada.id, "Acme", Some(&grant(None, None)), NOW)
        .await
        .unwrap();
    assert_eq!(
        store
            .find_membership(ada.id, acme.id)
            .await
            .unwrap()
            .unwrap()
            .role,
        Role::Owner
    );
    let invite = async |by: UserId, role| {
        store
            .insert_invitation_for(acme.id, by, role, later(9), NOW)
            .await
    };
    let Invited::Done(invitation, code) = invite(ada.id, Role::Admin).await.unwrap() else {
        panic!("an owner may invite")
    };
    assert_eq!(
        (invitation.created_by, invitation.role),
        (ada.id, Role::Admin)
    );
    let joined = store
        .accept_invitation(&code.digest(), ben.id, None, NOW)
        .await
        .unwrap();
    assert!(matches!(joined, Acceptance::Joined(_)), "{joined:?}");
    assert!(matches!(
        invite(ben.id, Role::Owner).await.unwrap(),
        Invited::NotAllowed
    ));
    assert!(matches!(
        invite(UserId::new(NOW), Role::Member).await.unwrap(),
        Invited::NotAllowed
    ));
    store.disable_user(ben.id, NOW).await.unwrap();
    assert!(matches!(
        invite(ben.id, Role::Member).await,
        Err(StoreError::Conflict(_))
    ));
    let made = actions(fresh, acme.id, Actor::CommandLine).await;
    let by_operator = [
        (Action::OrganizationCreated, Some(ada.id)),
        (Action::EntitlementGranted, Some(ada.id)),
        (Action::InvitationCreated, None),
        (Action::UserDisabled, Some(ben.id)),
    ];
    assert_eq!(made, by_operator);
}
