//! Organizations, their members, and tenant isolation.

use store::{
    Acceptance, Action, Actor, Caps, IdempotencyKey, Invited, MemberChange, Once, OrganizationId,
    Role, Status, Store, StoreError, UnixMillis, UserId,
};

use std::time::Duration;

use crate::harness::{Fresh, NOW, PRODUCT, at_once, grant, later};

pub(crate) async fn the_creator_is_the_owner(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let made = fresh
        .store
        .insert_organization("Acme", ada.id, Some(&grant(None, Some(9))), NOW)
        .await
        .unwrap();
    assert_eq!(
        (made.name.as_str(), made.status, made.created_at),
        ("Acme", Status::Active, NOW)
    );

    let found = fresh
        .store
        .find_membership(ada.id, made.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((&found.organization, found.role), (&made, Role::Owner));
    assert_eq!(
        fresh
            .store
            .list_organizations(ada.id, None, 50)
            .await
            .unwrap(),
        [found]
    );

    let members = fresh.store.list_members(made.id, None, 100).await.unwrap();
    let [member] = members.as_slice() else {
        panic!("{members:?}")
    };
    assert_eq!(
        (member.user_id, member.user_name.as_str(), member.role),
        (ada.id, "Ada", Role::Owner)
    );

    let entitlement = fresh
        .store
        .find_active_entitlement(made.id, ada.id, PRODUCT, NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(entitlement.monthly_review_limit, Some(9));

    let same_name = fresh.organization("Acme", &ada).await;
    assert_eq!(
        fresh
            .store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap(),
        [made, same_name]
    );
}

pub(crate) async fn creating_an_organization_without_an_owner_leaves_nothing(fresh: &Fresh) {
    let nobody = UserId::new(NOW);
    let error = fresh
        .store
        .insert_organization("Acme", nobody, None, NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::NotFound("user")), "{error:?}");
    let ada = fresh.user("Ada").await;
    let error = fresh
        .store
        .insert_organization("Acme", ada.id, Some(&grant(None, Some(-1))), NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
    assert!(
        fresh
            .store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn members_are_added_once(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await;
    fresh
        .store
        .add_member(acme.id, ben.id, Role::Admin, later(5))
        .await
        .unwrap();
    let error = fresh
        .store
        .add_member(acme.id, ben.id, Role::Owner, later(6))
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Conflict(_)), "{error:?}");
    assert_eq!(
        fresh
            .store
            .find_membership(ben.id, acme.id)
            .await
            .unwrap()
            .unwrap()
            .role,
        Role::Admin
    );

    let nobody = UserId::new(NOW);
    let nowhere = OrganizationId::new(NOW);
    for (organization, user) in [(acme.id, nobody), (nowhere, ben.id)] {
        let error = fresh
            .store
            .add_member(organization, user, Role::Member, NOW)
            .await
            .unwrap_err();
        assert!(matches!(error, StoreError::NotFound(_)), "{error:?}");
    }
    let members = fresh.store.list_members(acme.id, None, 100).await.unwrap();
    assert_eq!(
        members
            .iter()
            .map(|member| (member.user_id, member.role))
            .collect::<Vec<_>>(),
        [(ada.id, Role::Owner), (ben.id, Role::Admin)]
    );
    assert_eq!(members[1].created_at, later(5));
}

pub(crate) async fn tenants_do_not_see_each_other(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await,
        fresh.organization("Bell", &ben).await,
    );

    let missing = OrganizationId::new(NOW);
    for (user, foreign) in [(&ada, bell.id), (&ben, acme.id), (&ada, missing)] {
        assert_eq!(
            fresh.store.find_membership(user.id, foreign).await.unwrap(),
            None
        );
    }
    for (user, own) in [(&ada, &acme), (&ben, &bell)] {
        let listed = fresh
            .store
            .list_organizations(user.id, None, 50)
            .await
            .unwrap();
        assert_eq!(
            listed
                .into_iter()
                .map(|it| it.organization)
                .collect::<Vec<_>>(),
            std::slice::from_ref(own)
        );
        let members = fresh.store.list_members(own.id, None, 100).await.unwrap();
        assert_eq!(
            members.into_iter().map(|it| it.user_id).collect::<Vec<_>>(),
            [user.id]
        );
    }
}

pub(crate) async fn inactive_organizations_are_invisible_to_members(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    let steps = [
        (Status::Suspended, false),
        (Status::Active, true),
        (Status::Archived, false),
    ];
    for (status, visible) in steps {
        let moved = fresh
            .store
            .set_organization_status(acme.id, status, Actor::CommandLine, NOW)
            .await
            .unwrap();
        assert_eq!(moved.status, status);
        assert_eq!(
            fresh
                .store
                .find_membership(ada.id, acme.id)
                .await
                .unwrap()
                .is_some(),
            visible
        );
        assert_eq!(
            fresh
                .store
                .list_organizations(ada.id, None, 50)
                .await
                .unwrap()
                .len(),
            usize::from(visible)
        );
        assert_eq!(
            fresh
                .store
                .list_all_organizations(None, None, 100)
                .await
                .unwrap(),
            [moved]
        );
    }
}

pub(crate) async fn the_status_follows_the_state_machine(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    for &from in Status::ALL {
        for &to in Status::ALL {
            let acme = fresh.organization("Acme", &ada).await;
            if from != Status::Active {
                fresh
                    .store
                    .set_organization_status(acme.id, from, Actor::CommandLine, NOW)
                    .await
                    .unwrap();
            }
            let result = fresh
                .store
                .set_organization_status(acme.id, to, Actor::CommandLine, NOW)
                .await;
            match result {
                Ok(moved) => assert!(from.may_become(to) && moved.status == to, "{from} to {to}"),
                Err(StoreError::Illegal {
                    from: was,
                    to: asked,
                    ..
                }) => {
                    assert!(!from.may_become(to), "{from} to {to}");
                    assert_eq!((was, asked), (from.as_str(), to.as_str()));
                }
                Err(other) => panic!("{from} to {to}: {other:?}"),
            }
        }
    }
    let missing = fresh
        .store
        .set_organization_status(
            OrganizationId::new(NOW),
            Status::Archived,
            Actor::CommandLine,
            NOW,
        )
        .await;
    let missing = missing.unwrap_err();
    assert!(
        matches!(missing, StoreError::NotFound("organization")),
        "{missing:?}"
    );
}

pub(crate) async fn of_concurrent_archivings_one_succeeds(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    let results = at_once(16, |_| {
        let (store, id) = (fresh.store.clone(), acme.id);
        async move {
            store
                .set_organization_status(id, Status::Archived, Actor::CommandLine, NOW)
                .await
        }
    });
    let results = results.await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    let refused = |error: &StoreError| matches!(error, StoreError::Illegal { .. });
    assert!(
        results
            .iter()
            .filter_map(|result| result.as_ref().err())
            .all(refused),
        "{results:?}"
    );
}

pub(crate) async fn an_active_organization_is_renamed(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await,
        fresh.organization("Bell", &ada).await,
    );
    let rename = async |id, name: &str| {
        fresh
            .store
            .rename_organization(id, Actor::User(ada.id), name, NOW)
            .await
    };
    let renamed = rename(acme.id, "'; DROP TABLE organizations; -- \u{1f642}")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (renamed.id, renamed.status, renamed.created_at),
        (acme.id, Status::Active, NOW)
    );
    assert_eq!(
        fresh
            .store
            .find_membership(ada.id, acme.id)
            .await
            .unwrap()
            .unwrap()
            .organization,
        renamed
    );
    assert_eq!(
        fresh
            .store
            .find_membership(ada.id, bell.id)
            .await
            .unwrap()
            .unwrap()
            .organization,
        bell
    );
    assert!(matches!(
        rename(acme.id, "a\0b").await.unwrap_err(),
        StoreError::Invalid(_)
    ));
    assert_eq!(
        rename(OrganizationId::new(NOW), "Acme").await.unwrap(),
        None
    );
    for status in [Status::Suspended, Status::Archived] {
        let moved = fresh
            .store
            .set_organization_status(bell.id, status, Actor::CommandLine, NOW)
            .await
            .unwrap();
        assert_eq!(rename(bell.id, "Carl").await.unwrap(), None);
        assert!(
            fresh
                .store
                .list_all_organizations(None, None, 100)
                .await
                .unwrap()
                .contains(&moved)
        );
    }

    let names = at_once(16, |index| {
        let (store, id, actor) = (fresh.store.clone(), acme.id, Actor::User(ada.id));
        async move {
            store
                .rename_organization(id, actor, &format!("{index}"), NOW)
                .await
                .unwrap()
                .unwrap()
                .name
        }
    });
    let names = names.await;
    let last = fresh
        .store
        .find_membership(ada.id, acme.id)
        .await
        .unwrap()
        .unwrap()
        .organization
        .name;
    assert!(names.contains(&last), "{last}");
    let renames = fresh
        .store
        .list_audit_events(acme.id, None, 100)
        .await
        .unwrap();
    assert_eq!(
        renames
            .iter()
            .filter(|event| event.action == Action::OrganizationRenamed)
            .count(),
        17
    );
}

pub(crate) async fn pages_neither_repeat_nor_miss_while_organizations_are_created(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let mut made = Vec::new();
    for index in 0..25 {
        made.push(fresh.organization(&format!("{index}"), &ada).await.id);
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = fresh
            .store
            .list_organizations(ada.id, after, 10)
            .await
            .unwrap();
        assert!(page.len() <= 10);
        let Some(last) = page.last() else { break };
        after = Some(last.organization.id);
        seen.extend(page.iter().map(|it| it.organization.id));
        if seen.len() < 30 {
            made.push(fresh.organization("made meanwhile", &ada).await.id);
        }
    }
    assert_eq!(seen, made, "in creation order");
    assert_eq!(seen.len(), 30);
    assert!(
        fresh
            .store
            .list_organizations(ada.id, None, 0)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn operators_see_every_organization_by_status_and_page(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ada).await.id,
    );
    let (cord, dove) = (
        fresh.organization("Cord", &ada).await.id,
        fresh.organization("Dove", &ada).await.id,
    );
    for (id, status) in [
        (acme, Status::Suspended),
        (bell, Status::Archived),
        (dove, Status::Suspended),
    ] {
        fresh
            .store
            .set_organization_status(id, status, Actor::CommandLine, NOW)
            .await
            .unwrap();
    }
    let list = async |status, after, limit| {
        let listed = fresh
            .store
            .list_all_organizations(status, after, limit)
            .await
            .unwrap();
        listed.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(list(None, None, 9).await, [acme, bell, cord, dove]);
    assert_eq!(list(None, Some(bell), 1).await, [cord]);
    assert_eq!(list(Some(Status::Suspended), None, 9).await, [acme, dove]);
    assert_eq!(list(Some(Status::Suspended), None, 1).await, [acme]);
    assert_eq!(list(Some(Status::Suspended), Some(acme), 9).await, [dove]);
    assert_eq!(list(Some(Status::Archived), None, 9).await, [bell]);
    let found = fresh.store.find_organization(bell).await.unwrap().unwrap();
    assert_eq!((found.id, found.status), (bell, Status::Archived));
    assert_eq!(
        fresh
            .store
            .find_organization(OrganizationId::new(NOW))
            .await
            .unwrap(),
        None
    );
}

/// A store with a cap on owned organizations.
fn with_owned(fresh: &Fresh, organizations_per_user: u32) -> Store {
    fresh.store.clone().with_caps(Caps {
        organizations_per_user,
        ..Caps::default()
    })
}

fn is_full(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Full {
            cap: "organizations_per_user",
            ..
        }
    )
}

pub(crate) async fn the_cap_on_owned_organizations_holds_under_concurrency(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let store = with_owned(fresh, 5);
    let key = |index: usize| IdempotencyKey {
        user: ada.id,
        key: format!("{index}"),
        request_digest: [0; 32],
        made_by: None,
    };
    let made = at_once(16, |index| {
        let (store, key) = (store.clone(), key(index));
        async move {
            match index % 2 {
                0 => store
                    .insert_organization("Acme", key.user, None, NOW)
                    .await
                    .map(|it| (index, it)),
                _ => match store
                    .insert_organization_once(&key, "Acme", None, NOW)
                    .await?
                {
                    Once::Created(made) | Once::Replayed(made) => Ok((index, made)),
                    Once::Conflict => panic!("each request has its own key"),
                },
            }
        }
    });
    let (made, refused): (Vec<_>, Vec<_>) = made.await.into_iter().partition(Result::is_ok);
    let made: Vec<_> = made.into_iter().map(Result::unwrap).collect();
    assert_eq!(made.len(), 5);
    assert!(
        refused
            .into_iter()
            .map(Result::unwrap_err)
            .all(|error| is_full(&error))
    );
    assert_eq!(
        store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap()
            .len(),
        5,
        "the others left nothing"
    );

    if let Some((index, first)) = made.iter().find(|(index, _)| index % 2 == 1) {
        let again = store
            .insert_organization_once(&key(*index), "Acme", None, NOW)
            .await
            .unwrap();
        assert_eq!(
            again,
            Once::Replayed(first.clone()),
            "the first answer is replayed"
        );
    }
    store
        .insert_organization("Acme", ben.id, None, NOW)
        .await
        .unwrap();
    for (status, room) in [(Status::Suspended, false), (Status::Archived, true)] {
        store
            .set_organization_status(made[0].1.id, status, Actor::CommandLine, NOW)
            .await
            .unwrap();
        assert_eq!(
            store
                .insert_organization("Acme", ada.id, None, NOW)
                .await
                .is_ok(),
            room,
            "{status}"
        );
    }
}

pub(crate) async fn promotion_and_invitation_respect_the_cap_on_owned_organizations(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let store = with_owned(fresh, 1);
    let acme = store
        .insert_organization("Acme", ada.id, None, NOW)
        .await
        .unwrap()
        .id;
    let bell = store
        .insert_organization("Bell", ben.id, None, NOW)
        .await
        .unwrap()
        .id;
    let invite = async |role| match store
        .insert_invitation(acme, ada.id, role, later(9), NOW)
        .await
        .unwrap()
    {
        Invited::Done(_, code) => code,
        Invited::NotAllowed => panic!("an owner may invite"),
    };
    let (as_owner, as_member) = (invite(Role::Owner).await, invite(Role::Member).await);
    let accept = async |code: &store::InvitationCode| {
        store
            .accept_invitation(&code.digest(), ben.id, None, NOW)
            .await
    };
    assert!(is_full(&accept(&as_owner).await.unwrap_err()));
    assert!(matches!(
        accept(&as_member).await.unwrap(),
        Acceptance::Joined(_)
    ));

    let promote = async || {
        store
            .set_member_role(acme, ada.id, ben.id, Role::Owner, NOW)
            .await
    };
    assert!(is_full(&promote().await.unwrap_err()));
    store
        .set_member_role(acme, ada.id, ben.id, Role::Admin, NOW)
        .await
        .unwrap();
    store
        .set_organization_status(bell, Status::Archived, Actor::CommandLine, NOW)
        .await
        .unwrap();
    for _ in 0..2 {
        assert!(
            matches!(promote().await.unwrap(), MemberChange::Done(_)),
            "an owner may remain one"
        );
    }
    assert_eq!(
        store
            .list_invitations(acme, None, 9, NOW)
            .await
            .unwrap()
            .len(),
        1,
        "a refused invitation stays open"
    );
}

pub(crate) async fn automatic_entitlements_are_capped_per_user(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let store = fresh.store.clone().with_caps(Caps {
        grants_per_user: 2,
        ..Caps::default()
    });
    let grant = grant(None, Some(9));
    let entitled = async |organization, user| {
        store
            .find_active_entitlement(organization, user, PRODUCT, NOW)
            .await
            .unwrap()
            .is_some()
    };
    let made = at_once(8, |_| {
        let (store, grant) = (store.clone(), grant.clone());
        async move {
            store
                .insert_organization("Acme", ada.id, Some(&grant), NOW)
                .await
                .unwrap()
                .id
        }
    });
    let (mut owners, mut members, mut last) = (0, 0, None);
    for organization in made.await {
        owners += usize::from(entitled(organization, ada.id).await);
        let invited = store
            .insert_invitation(organization, ada.id, Role::Member, later(9), NOW)
            .await
            .unwrap();
        let Invited::Done(_, code) = invited else {
            panic!("an owner may invite")
        };
        let joined = store
            .accept_invitation(&code.digest(), ben.id, Some(&grant), NOW)
            .await
            .unwrap();
        assert!(matches!(joined, Acceptance::Joined(_)));
        members += usize::from(entitled(organization, ben.id).await);
        last = Some(organization);
    }
    assert_eq!((owners, members), (2, 2));
    let last = last.unwrap();
    store
        .grant_entitlement(last, ben.id, &grant, Actor::CommandLine, NOW)
        .await
        .unwrap();
    assert!(entitled(last, ben.id).await, "explicit grants have no cap");
}

/// A user's action that ends an automatic entitlement.
#[derive(Debug, Clone, Copy)]
enum Way {
    Archive,
    Leave,
    Removal,
}

/// The user's cap is 1. Returns whether the user is entitled automatically in another organization at each of these times.
async fn granted_after(
    fresh: &Fresh,
    way: Way,
    spent: bool,
    ended: UnixMillis,
    times: &[UnixMillis],
) -> Vec<bool> {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let store = fresh.store.clone().with_caps(Caps {
        grants_per_user: 1,
        ..Caps::default()
    });
    let grant = grant(None, Some(9));
    let first = store
        .insert_organization("Acme", ada.id, Some(&grant), NOW)
        .await
        .unwrap()
        .id;
    assert!(
        store
            .find_active_entitlement(first, ada.id, PRODUCT, NOW)
            .await
            .unwrap()
            .is_some()
    );
    store
        .add_member(first, ben.id, Role::Owner, NOW)
        .await
        .unwrap();
    if spent {
        store
            .reserve_review(first, ada.id, "2026-12-01", None)
            .await
            .unwrap();
    }
    let ends = match way {
        Way::Archive => store
            .set_organization_status(first, Status::Archived, Actor::CommandLine, ended)
            .await
            .is_ok(),
        Way::Leave => store
            .remove_member(first, ada.id, ada.id, ended)
            .await
            .is_ok(),
        Way::Removal => store
            .remove_member(first, ben.id, ada.id, ended)
            .await
            .is_ok(),
    };
    assert!(ends);
    let mut granted = Vec::new();
    for time in times {
        let next = store
            .insert_organization("Bell", ada.id, Some(&grant), *time)
            .await
            .unwrap()
            .id;
        granted.push(
            store
                .find_active_entitlement(next, ada.id, PRODUCT, *time)
                .await
                .unwrap()
                .is_some(),
        );
    }
    granted
}

/// 2026-11-30T23:59:59Z
const MONTH_END: UnixMillis = UnixMillis(1_796_083_199_000);
const SECOND: u64 = 1_000;
const DAY: u64 = 24 * 60 * 60 * SECOND;

pub(crate) async fn an_organization_that_was_archived_or_left_counts_until_the_month_ends(
    fresh: &Fresh,
) {
    for way in [Way::Archive, Way::Leave, Way::Removal] {
        let times = [
            NOW,
            MONTH_END,
            MONTH_END + Duration::from_secs(1),
            MONTH_END + Duration::from_secs(2),
        ];
        assert_eq!(
            granted_after(fresh, way, false, NOW, &times).await,
            [false, false, true, false],
            "{way:?}"
        );
    }
}

pub(crate) async fn quota_used_in_a_month_counts_despite_wrong_clocks(fresh: &Fresh) {
    let after = |millis| MONTH_END + Duration::from_millis(millis);
    let archived = async |spent, ended, times: &[UnixMillis]| {
        granted_after(fresh, Way::Archive, spent, ended, times).await
    };
    // A review admitted before the end of the month may begin after it.
    assert_eq!(
        archived(false, MONTH_END, &[after(2 * SECOND), after(32 * DAY)]).await,
        [false, true]
    );
    // The clock was ahead when a review ran, and right again when the organization was archived.
    assert_eq!(
        archived(true, NOW, &[NOW, after(2 * SECOND), after(32 * DAY)]).await,
        [false, false, true]
    );
    // The clock was ahead when the organization was archived.
    assert_eq!(
        archived(
            false,
            after(DAY),
            &[NOW, after(2 * SECOND), after(32 * DAY)]
        )
        .await,
        [false, false, true]
    );

    // An organization in which the user was entitled only in the new month has no quota in the old one.
    let ada = fresh.user("Ada").await;
    let store = fresh.store.clone();
    let ahead = after(2 * SECOND);
    let acme = store
        .insert_organization("Acme", ada.id, Some(&grant(None, Some(9))), ahead)
        .await
        .unwrap()
        .id;
    let december = store::Month::of_day("2026-12-01").unwrap();
    assert_eq!(
        store
            .reserve_model_tokens(acme, "2026-11-30", 9, 9)
            .await
            .unwrap()
            .month,
        december
    );
    assert_eq!(
        store
            .reserve_review(acme, ada.id, "2026-11-30", None)
            .await
            .unwrap(),
        Some(december)
    );
}

pub(crate) async fn a_deleted_user_leaves_no_record_of_grants(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let store = &fresh.store;
    let acme = store
        .insert_organization("Acme", ada.id, Some(&grant(None, None)), NOW)
        .await
        .unwrap()
        .id;
    store
        .set_organization_status(acme, Status::Archived, Actor::CommandLine, NOW)
        .await
        .unwrap();
    let mark =
        "UPDATE users SET name = 'has grants' WHERE id IN (SELECT user_id FROM automatic_grants)";
    for name in ["has grants", ""] {
        fresh.execute(mark).await;
        assert_eq!(store.find_user(ada.id).await.unwrap().unwrap().name, name);
        if name.is_empty() {
            break;
        }
        store.delete_user(ada.id, NOW).await.unwrap();
    }
}
