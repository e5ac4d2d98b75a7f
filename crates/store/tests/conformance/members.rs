//! Members: who may change whom, and that there is always an owner.

use store::{Actor, MemberChange, OrganizationId, Role, User, UserId};

use crate::harness::{Fresh, NOW, PRODUCT, at_once, grant, later};

async fn join(fresh: &Fresh, organization: OrganizationId, role: Role) -> User {
    let user = fresh.user("someone").await;
    fresh
        .store
        .add_member(organization, user.id, role, later(1))
        .await
        .unwrap();
    user
}

async fn role_of(fresh: &Fresh, organization: OrganizationId, user: UserId) -> Option<Role> {
    fresh
        .store
        .find_membership(user, organization)
        .await
        .unwrap()
        .map(|membership| membership.role)
}

async fn owners(fresh: &Fresh, organization: OrganizationId) -> usize {
    let members = fresh
        .store
        .list_members(organization, None, 100)
        .await
        .unwrap();
    members
        .iter()
        .filter(|member| member.role == Role::Owner)
        .count()
}

pub(crate) async fn members_are_listed_in_pages(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let mut ids = vec![ada.id];
    for _ in 0..4 {
        ids.push(join(fresh, acme, Role::Member).await.id);
    }
    fresh.organization("Bell", &fresh.user("Ben").await).await;
    let mut seen: Vec<UserId> = Vec::new();
    loop {
        let page = fresh
            .store
            .list_members(acme, seen.last().copied(), 2)
            .await
            .unwrap();
        assert!(page.len() <= 2);
        if page.is_empty() {
            break;
        }
        seen.extend(page.iter().map(|member| member.user_id));
    }
    assert_eq!(seen, ids);
    let found = fresh
        .store
        .find_member(acme, ids[1])
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.user_id, found.user_name.as_str(), found.role),
        (ids[1], "someone", Role::Member)
    );
    let elsewhere = fresh
        .organization("Cole", &fresh.user("Cleo").await)
        .await
        .id;
    assert_eq!(
        fresh.store.find_member(elsewhere, ids[1]).await.unwrap(),
        None
    );
}

pub(crate) async fn owners_can_change_all_members_and_admins_all_but_owners(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let (admin, member) = (
        join(fresh, acme, Role::Admin).await,
        join(fresh, acme, Role::Member).await,
    );
    let stranger = fresh.user("Ben").await;
    let set = async |actor: &User, user: &User, role| {
        fresh
            .store
            .set_member_role(acme, actor.id, user.id, role, NOW)
            .await
            .unwrap()
    };
    for (actor, user, role) in [
        (&admin, &ada, Role::Member),
        (&admin, &member, Role::Owner),
        (&admin, &admin, Role::Owner),
        (&member, &member, Role::Admin),
        (&member, &admin, Role::Member),
        (&stranger, &member, Role::Admin),
    ] {
        assert_eq!(set(actor, user, role).await, MemberChange::NotAllowed);
    }
    assert_eq!(
        fresh
            .store
            .remove_member(acme, admin.id, ada.id, NOW)
            .await
            .unwrap(),
        MemberChange::NotAllowed
    );
    assert_eq!(
        fresh
            .store
            .remove_member(acme, member.id, admin.id, NOW)
            .await
            .unwrap(),
        MemberChange::NotAllowed
    );
    assert_eq!(
        set(&ada, &stranger, Role::Member).await,
        MemberChange::NoMember
    );
    let nowhere = OrganizationId::new(NOW);
    let elsewhere = fresh
        .store
        .remove_member(nowhere, ada.id, member.id, NOW)
        .await
        .unwrap();
    assert_eq!(elsewhere, MemberChange::NoMember);

    for (actor, user, role) in [
        (&admin, &member, Role::Admin),
        (&ada, &member, Role::Owner),
        (&ada, &admin, Role::Member),
    ] {
        let MemberChange::Done(changed) = set(actor, user, role).await else {
            panic!("{role}")
        };
        assert_eq!(
            (changed.user_id, changed.role, changed.created_at),
            (user.id, role, later(1))
        );
        assert_eq!(role_of(fresh, acme, user.id).await, Some(role));
    }
}

pub(crate) async fn leaving_removes_the_entitlements(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let member = join(fresh, acme, Role::Member).await;
    fresh
        .store
        .grant_entitlement(acme, member.id, &grant(None, None), Actor::CommandLine, NOW)
        .await
        .unwrap();
    let MemberChange::Done(left) = fresh
        .store
        .remove_member(acme, member.id, member.id, NOW)
        .await
        .unwrap()
    else {
        panic!("any member may leave")
    };
    assert_eq!((left.user_id, left.role), (member.id, Role::Member));
    assert_eq!(role_of(fresh, acme, member.id).await, None);
    fresh
        .store
        .add_member(acme, member.id, Role::Member, later(2))
        .await
        .unwrap();
    assert_eq!(
        fresh
            .store
            .find_entitlement(acme, member.id, PRODUCT, later(2))
            .await
            .unwrap(),
        None
    );
}

pub(crate) async fn the_last_owner_stays(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    join(fresh, acme, Role::Admin).await;
    for role in [Role::Admin, Role::Member] {
        assert_eq!(
            fresh
                .store
                .set_member_role(acme, ada.id, ada.id, role, NOW)
                .await
                .unwrap(),
            MemberChange::LastOwner
        );
    }
    assert_eq!(
        fresh
            .store
            .remove_member(acme, ada.id, ada.id, NOW)
            .await
            .unwrap(),
        MemberChange::LastOwner
    );
    let same = fresh
        .store
        .set_member_role(acme, ada.id, ada.id, Role::Owner, NOW)
        .await
        .unwrap();
    assert!(matches!(same, MemberChange::Done(_)), "{same:?}");
    let ben = join(fresh, acme, Role::Owner).await;
    let removed = fresh
        .store
        .remove_member(acme, ben.id, ada.id, NOW)
        .await
        .unwrap();
    assert!(matches!(removed, MemberChange::Done(_)), "{removed:?}");
    assert_eq!(
        fresh
            .store
            .remove_member(acme, ben.id, ben.id, NOW)
            .await
            .unwrap(),
        MemberChange::LastOwner
    );
    assert_eq!(
        (
            owners(fresh, acme).await,
            role_of(fresh, acme, ada.id).await
        ),
        (1, None)
    );
}

pub(crate) async fn of_owners_who_remove_each_other_concurrently_one_stays(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let mut ids = vec![ada.id];
    for _ in 0..15 {
        ids.push(join(fresh, acme, Role::Owner).await.id);
    }
    let all = ids.clone();
    let removed = at_once(ids.len(), |index| {
        let (store, actor, user) = (
            fresh.store.clone(),
            ids[index],
            ids[(index + 1) % ids.len()],
        );
        async move { store.remove_member(acme, actor, user, NOW).await.unwrap() }
    });
    let removed = removed
        .await
        .into_iter()
        .filter(|change| matches!(change, MemberChange::Done(_)))
        .count();
    let left = owners(fresh, acme).await;
    assert!(
        left >= 1 && left + removed == all.len(),
        "{left} and {removed}"
    );
    let demoted = at_once(all.len(), |index| {
        let (store, user) = (fresh.store.clone(), all[index]);
        async move {
            store
                .set_member_role(acme, user, user, Role::Admin, NOW)
                .await
                .unwrap()
        }
    });
    demoted.await;
    assert_eq!(owners(fresh, acme).await, 1);
}
