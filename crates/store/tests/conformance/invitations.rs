//! Invitations: one code makes one new member while it is valid.

use std::fmt::Write as _;

use store::{
    Acceptance, Action, Actor, Caps, Invitation, InvitationCode, InvitationEnd, InvitationId,
    Invited, Membership, OrganizationId, Role, Status, StoreError, UnixMillis, User, UserId,
};

use crate::harness::{Fresh, NOW, PRODUCT, at_once, grant, later};
use crate::tokens::holds;

const LIFE: u64 = 1_000;

/// An organization and its owner.
async fn acme(fresh: &Fresh) -> (OrganizationId, User) {
    let ada = fresh.user("Ada").await;
    (fresh.organization("Acme", &ada).await.id, ada)
}

async fn join(fresh: &Fresh, organization: OrganizationId, role: Role) -> User {
    let user = fresh.user("someone").await;
    fresh
        .store
        .add_member(organization, user.id, role, NOW)
        .await
        .unwrap();
    user
}

async fn try_invite(
    fresh: &Fresh,
    organization: OrganizationId,
    actor: &User,
    role: Role,
) -> Invited {
    fresh
        .store
        .insert_invitation(organization, actor.id, role, later(LIFE), NOW)
        .await
        .unwrap()
}

async fn invite(
    fresh: &Fresh,
    organization: OrganizationId,
    actor: &User,
    role: Role,
) -> (Invitation, InvitationCode) {
    match try_invite(fresh, organization, actor, role).await {
        Invited::Done(invitation, code) => (invitation, code),
        other => panic!("{other:?}"),
    }
}

async fn accept(fresh: &Fresh, code: &InvitationCode, user: &User, now: UnixMillis) -> Acceptance {
    fresh
        .store
        .accept_invitation(&code.digest(), user.id, None, now)
        .await
        .unwrap()
}

async fn open(fresh: &Fresh, organization: OrganizationId) -> Vec<InvitationId> {
    let open = fresh
        .store
        .list_invitations(organization, None, 2_000, NOW)
        .await
        .unwrap();
    open.into_iter().map(|invitation| invitation.id).collect()
}

async fn membership(
    fresh: &Fresh,
    user: UserId,
    organization: OrganizationId,
) -> Option<Membership> {
    fresh
        .store
        .find_membership(user, organization)
        .await
        .unwrap()
}

pub(crate) async fn an_invitation_makes_a_member_once(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let (invitation, code) = invite(fresh, acme, &ada, Role::Admin).await;
    assert_eq!(
        (
            invitation.role, invitation.created_by, invitation.created_at
        ),
        (Role::Admin, ada.id, NOW)
    );
    assert_eq!(
        fresh
            .store
            .list_invitations(acme, None, 9, NOW)
            .await
            .unwrap(),
        [invitation]
    );

    let (ben, cleo) = (fresh.user("Ben").await, fresh.user("Cleo").await);
    let unknown = InvitationCode::generate();
    assert_eq!(
        accept(fresh, &unknown, &ben, NOW).await,
        Acceptance::NoInvitation
    );
    let shown = InvitationCode::parse(code.expose()).unwrap();
    let Acceptance::Joined(joined) = accept(fresh, &shown, &ben, later(1)).await else {
        panic!("the code is valid")
    };
    assert_eq!((joined.organization.id, joined.role), (acme, Role::Admin));
    assert_eq!(membership(fresh, ben.id, acme).await, Some(joined));
    for user in [&ben, &cleo] {
        assert_eq!(
            accept(fresh, &code, user, later(2)).await,
            Acceptance::NoInvitation
        );
    }
    assert_eq!(membership(fresh, cleo.id, acme).await, None);
    assert!(open(fresh, acme).await.is_empty());
    let members = fresh.store.list_members(acme, None, 9).await.unwrap();
    assert_eq!(
        members.iter().map(|it| it.created_at).collect::<Vec<_>>(),
        [NOW, later(1)]
    );
}

pub(crate) async fn of_concurrent_uses_of_a_code_one_joins(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    for _ in 0..5 {
        let (_, code) = invite(fresh, acme, &ada, Role::Member).await;
        let before = fresh
            .store
            .list_members(acme, None, 100)
            .await
            .unwrap()
            .len();
        let mut users = Vec::new();
        for _ in 0..16 {
            users.push(fresh.user("someone").await.id);
        }
        let accepted = at_once(users.len(), |index| {
            let (store, digest, user) = (fresh.store.clone(), code.digest(), users[index]);
            async move {
                store
                    .accept_invitation(&digest, user, None, NOW)
                    .await
                    .unwrap()
            }
        });
        let accepted = accepted.await;
        let joined = |it: &&Acceptance| matches!(it, Acceptance::Joined(_));
        assert_eq!(accepted.iter().filter(joined).count(), 1, "{accepted:?}");
        assert_eq!(
            accepted
                .iter()
                .filter(|it| **it == Acceptance::NoInvitation)
                .count(),
            15
        );
        assert_eq!(
            fresh
                .store
                .list_members(acme, None, 100)
                .await
                .unwrap()
                .len(),
            before + 1
        );
    }
}

pub(crate) async fn accepting_many_codes_concurrently_uses_one(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let ben = fresh.user("Ben").await.id;
    let mut codes = Vec::new();
    for _ in 0..8 {
        codes.push(invite(fresh, acme, &ada, Role::Member).await.1.digest());
    }
    let accepted = at_once(codes.len(), |index| {
        let (store, digest) = (fresh.store.clone(), codes[index]);
        async move {
            store
                .accept_invitation(&digest, ben, None, NOW)
                .await
                .unwrap()
        }
    });
    let accepted = accepted.await;
    assert_eq!(
        accepted
            .iter()
            .filter(|it| **it == Acceptance::MemberAlready)
            .count(),
        7,
        "{accepted:?}"
    );
    assert_eq!(open(fresh, acme).await.len(), 7);
}

pub(crate) async fn an_invitation_ends_with_its_last_millisecond(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    for (millis, good) in [(LIFE - 1, true), (LIFE, false), (LIFE + 1, false)] {
        let (invitation, code) = invite(fresh, acme, &ada, Role::Member).await;
        let listed = fresh
            .store
            .list_invitations(acme, None, 9, later(millis))
            .await
            .unwrap();
        assert_eq!(!listed.is_empty(), good);
        let ben = fresh.user("Ben").await;
        let accepted = accept(fresh, &code, &ben, later(millis)).await;
        assert_eq!(
            accepted != Acceptance::NoInvitation,
            good,
            "after {millis} ms"
        );
        let end = fresh
            .store
            .revoke_invitation(acme, ada.id, invitation.id, later(millis))
            .await
            .unwrap();
        assert_eq!(end, InvitationEnd::NoInvitation);
    }
}

pub(crate) async fn a_member_does_not_use_up_a_code(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let member = join(fresh, acme, Role::Member).await;
    let (_, code) = invite(fresh, acme, &ada, Role::Owner).await;
    for user in [&ada, &member] {
        assert_eq!(
            accept(fresh, &code, user, NOW).await,
            Acceptance::MemberAlready
        );
    }
    assert_eq!(
        membership(fresh, member.id, acme).await.unwrap().role,
        Role::Member
    );
    let ben = fresh.user("Ben").await;
    assert!(matches!(
        accept(fresh, &code, &ben, NOW).await,
        Acceptance::Joined(_)
    ));
}

pub(crate) async fn an_invitation_is_valid_only_while_its_organization_is_active(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let (_, code) = invite(fresh, acme, &ada, Role::Member).await;
    let ben = fresh.user("Ben").await;
    let steps = [
        (Status::Suspended, false),
        (Status::Active, true),
        (Status::Archived, false),
    ];
    for (status, good) in steps {
        fresh
            .store
            .set_organization_status(acme, status, Actor::CommandLine, NOW)
            .await
            .unwrap();
        let invited = try_invite(fresh, acme, &ada, Role::Member).await;
        if good {
            assert!(matches!(invited, Invited::Done(..)));
            continue;
        }
        assert!(matches!(invited, Invited::NotAllowed), "{invited:?}");
        assert_eq!(
            accept(fresh, &code, &ben, NOW).await,
            Acceptance::NoInvitation,
            "{status}"
        );
        let id = open(fresh, acme).await[0];
        let end = fresh
            .store
            .revoke_invitation(acme, ada.id, id, NOW)
            .await
            .unwrap();
        assert_eq!(end, InvitationEnd::NotAllowed);
    }
    assert_eq!(
        fresh.store.list_members(acme, None, 9).await.unwrap().len(),
        1
    );

    // Concurrent archiving and accepting: every member joined before the archiving.
    for _ in 0..5 {
        let bell = fresh.organization("Bell", &ada).await.id;
        let digest = invite(fresh, bell, &ada, Role::Member).await.1.digest();
        let done = at_once(2, |index| {
            let (store, ada, ben) = (fresh.store.clone(), ada.id, ben.id);
            async move {
                if index == 0 {
                    let archive = store.set_organization_status(
                        bell,
                        Status::Archived,
                        Actor::User(ada),
                        NOW,
                    );
                    return archive.await.is_ok();
                }
                let accepted = store
                    .accept_invitation(&digest, ben, None, NOW)
                    .await
                    .unwrap();
                matches!(accepted, Acceptance::Joined(_))
            }
        });
        let joined = done.await[1];
        let events = fresh.store.list_audit_events(bell, None, 9).await.unwrap();
        let actions: Vec<Action> = events.iter().map(|event| event.action).skip(2).collect();
        let expected = [Action::MemberJoined, Action::OrganizationArchived];
        assert_eq!(actions, expected[usize::from(!joined)..]);
    }
}

pub(crate) async fn members_invite_and_revoke_up_to_their_own_role(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let (admin, member) = (
        join(fresh, acme, Role::Admin).await,
        join(fresh, acme, Role::Member).await,
    );
    let stranger = fresh.user("Eve").await;
    let stranger_s = fresh.organization("Evil", &stranger).await.id;
    for (actor, may) in [
        (&ada, &[Role::Owner, Role::Admin, Role::Member][..]),
        (&admin, &[Role::Admin, Role::Member]),
        (&member, &[]),
        (&stranger, &[]),
    ] {
        for &role in Role::ALL {
            let invited = try_invite(fresh, acme, actor, role).await;
            assert_eq!(
                matches!(invited, Invited::Done(..)),
                may.contains(&role),
                "{role}: {invited:?}"
            );
            let (theirs, _) = invite(fresh, acme, &ada, role).await;
            let end = fresh
                .store
                .revoke_invitation(acme, actor.id, theirs.id, NOW)
                .await
                .unwrap();
            let expected = if may.contains(&role) {
                InvitationEnd::Done
            } else {
                InvitationEnd::NotAllowed
            };
            assert_eq!(end, expected, "{role}");
            let end = fresh
                .store
                .revoke_invitation(stranger_s, stranger.id, theirs.id, NOW)
                .await
                .unwrap();
            assert_eq!(
                end,
                InvitationEnd::NoInvitation,
                "the invitation of another organization"
            );
        }
    }
}

pub(crate) async fn an_invitation_is_revoked_once_or_accepted(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    for _ in 0..5 {
        let (invitation, code) = invite(fresh, acme, &ada, Role::Member).await;
        let ben = fresh.user("Ben").await.id;
        let done = at_once(9, |index| {
            let (store, ada, digest) = (fresh.store.clone(), ada.id, code.digest());
            async move {
                if index == 0 {
                    let accepted = store
                        .accept_invitation(&digest, ben, None, NOW)
                        .await
                        .unwrap();
                    return matches!(accepted, Acceptance::Joined(_));
                }
                store
                    .revoke_invitation(acme, ada, invitation.id, NOW)
                    .await
                    .unwrap()
                    == InvitationEnd::Done
            }
        });
        let done = done.await;
        assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}");
        assert_eq!(membership(fresh, ben, acme).await.is_some(), done[0]);
    }
}

pub(crate) async fn invitations_end_with_the_right_to_create_them(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let (kept, _) = invite(fresh, acme, &ada, Role::Owner).await;
    let owner = join(fresh, acme, Role::Owner).await;
    let mut made = Vec::new();
    for role in [Role::Owner, Role::Admin, Role::Member] {
        made.push(invite(fresh, acme, &owner, role).await);
    }
    let ids: Vec<InvitationId> = made.iter().map(|(invitation, _)| invitation.id).collect();
    let set = async |role| {
        fresh
            .store
            .set_member_role(acme, ada.id, owner.id, role, NOW)
            .await
            .unwrap()
    };
    set(Role::Owner).await;
    assert_eq!(open(fresh, acme).await, [kept.id, ids[0], ids[1], ids[2]]);
    set(Role::Admin).await;
    assert_eq!(open(fresh, acme).await, [kept.id, ids[1], ids[2]]);
    set(Role::Member).await;
    assert_eq!(open(fresh, acme).await, [kept.id]);
    let ben = fresh.user("Ben").await;
    for (_, code) in &made {
        assert_eq!(
            accept(fresh, code, &ben, NOW).await,
            Acceptance::NoInvitation
        );
    }
    let events = fresh
        .store
        .list_audit_events(acme, None, 100)
        .await
        .unwrap();
    let revoked = events
        .into_iter()
        .filter(|event| event.action == Action::InvitationRevoked);
    let mut revoked: Vec<String> = revoked.filter_map(|event| event.subject).collect();
    revoked.sort();
    assert_eq!(
        revoked,
        ids.iter().map(InvitationId::to_string).collect::<Vec<_>>()
    );

    // Removing a member while they invite leaves no invitation.
    for _ in 0..5 {
        let admin = join(fresh, acme, Role::Admin).await.id;
        at_once(5, |index| {
            let (store, ada) = (fresh.store.clone(), ada.id);
            async move {
                if index == 0 {
                    store.remove_member(acme, ada, admin, NOW).await.unwrap();
                } else {
                    store
                        .insert_invitation(acme, admin, Role::Admin, later(LIFE), NOW)
                        .await
                        .unwrap();
                }
            }
        })
        .await;
        assert_eq!(open(fresh, acme).await, [kept.id]);
    }
}

pub(crate) async fn open_invitations_are_capped(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let (room, most) = (5, Caps::default().invitations_per_organization);
    let mut values = String::new();
    for _ in room..most {
        let id = InvitationId::new(NOW);
        write!(
            values,
            "('{acme}', '{id}', 'x', 'member', '{}', {NOW}, {}),",
            ada.id,
            later(LIFE)
        )
        .unwrap();
    }
    let columns = "organization_id, id, digest, role, created_by, created_at, expires_at";
    fresh
        .execute(&format!(
            "INSERT INTO invitations ({columns}) VALUES {}",
            values.trim_end_matches(',')
        ))
        .await;
    let invited = at_once(16, |_| {
        let (store, ada) = (fresh.store.clone(), ada.id);
        async move {
            store
                .insert_invitation(acme, ada, Role::Member, later(LIFE), NOW)
                .await
        }
    });
    let invited = invited.await;
    assert_eq!(
        invited
            .iter()
            .filter(|it| matches!(it, Ok(Invited::Done(..))))
            .count(),
        room as usize
    );
    let full = |error: &StoreError| {
        matches!(
            error,
            StoreError::Full {
                cap: "invitations_per_organization",
                most: 1_000
            }
        )
    };
    assert!(
        invited.iter().filter_map(|it| it.as_ref().err()).all(full),
        "{invited:?}"
    );
    assert_eq!(open(fresh, acme).await.len(), most as usize);

    let bell = fresh.organization("Bell", &ada).await.id;
    invite(fresh, bell, &ada, Role::Member).await;
    // Expired invitations do not count.
    let later_on = fresh
        .store
        .insert_invitation(acme, ada.id, Role::Member, later(2 * LIFE), later(LIFE))
        .await
        .unwrap();
    assert!(matches!(later_on, Invited::Done(..)));
    assert_eq!(open(fresh, acme).await.len(), 1);
    assert_eq!(open(fresh, bell).await.len(), 1);
}

pub(crate) async fn invitations_are_listed_in_pages_within_their_organization(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let bell = fresh.organization("Bell", &ada).await.id;
    let mut made = Vec::new();
    for _ in 0..10 {
        made.push(invite(fresh, acme, &ada, Role::Member).await.0.id);
        invite(fresh, bell, &ada, Role::Member).await;
    }
    let (mut seen, mut gone) = (Vec::new(), Vec::new());
    loop {
        let page = fresh
            .store
            .list_invitations(acme, seen.last().copied(), 3, NOW)
            .await
            .unwrap();
        assert!(page.len() <= 3);
        let Some(last) = page.last() else { break };
        // While the caller pages through, the last seen invitation is revoked and a new one is created.
        fresh
            .store
            .revoke_invitation(acme, ada.id, last.id, NOW)
            .await
            .unwrap();
        gone.push(last.id);
        seen.extend(page.iter().map(|invitation| invitation.id));
        if seen.len() < 12 {
            made.push(invite(fresh, acme, &ada, Role::Member).await.0.id);
        }
    }
    assert_eq!(seen, made, "oldest first");
    made.retain(|id| !gone.contains(id));
    assert_eq!(open(fresh, acme).await, made);
}

pub(crate) async fn joining_grants_the_configured_entitlement(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    for granted in [true, false] {
        let (_, code) = invite(fresh, acme, &ada, Role::Member).await;
        let ben = fresh.user("Ben").await;
        let grant = grant(None, Some(7));
        let joined = fresh
            .store
            .accept_invitation(&code.digest(), ben.id, granted.then_some(&grant), NOW)
            .await;
        assert!(matches!(joined.unwrap(), Acceptance::Joined(_)));
        let found = fresh
            .store
            .find_active_entitlement(acme, ben.id, PRODUCT, NOW)
            .await
            .unwrap();
        assert_eq!(
            found.map(|it| it.monthly_review_limit),
            granted.then_some(Some(7))
        );
    }
}

pub(crate) async fn the_code_is_not_in_the_database(fresh: &Fresh) {
    let (acme, ada) = acme(fresh).await;
    let (invitation, code) = invite(fresh, acme, &ada, Role::Member).await;
    accept(fresh, &code, &ada, NOW).await;
    assert!(
        holds(&fresh.folder(), invitation.id.to_string().as_bytes()),
        "the search finds stored text"
    );
    assert!(!holds(&fresh.folder(), &code.expose().as_bytes()[4..34]));
}
