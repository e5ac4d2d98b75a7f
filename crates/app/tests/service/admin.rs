//! `hunkwise admin`, from creating users to revoking entitlements.

use serde_json::{Value, json};
use store::{OrganizationId, Store, UnixMillis};

use crate::support::Place;

const DATABASE: &str = "sqlite://a.db";

/// A place with an empty database.
fn with_database() -> Place {
    let place = Place::new();
    let migrated = place.run(&["migrate", "--database", DATABASE]);
    assert_eq!(migrated.status, 0, "{migrated:?}");
    place
}

fn admin(place: &Place, line: &str) -> Value {
    place.json(
        &[
            &["admin", "--database", DATABASE, "--json"],
            &line.split(' ').collect::<Vec<_>>()[..],
        ]
        .concat(),
    )
}

fn refused(place: &Place, line: &str) -> String {
    place.refused(
        2,
        &[
            &["admin", "--database", DATABASE],
            &line.split(' ').collect::<Vec<_>>()[..],
        ]
        .concat(),
    )
}

fn user(place: &Place, name: &str) -> String {
    let made = admin(place, &format!("user create --name {name}"));
    assert_eq!(made.as_object().unwrap().len(), 1);
    made["userId"].as_str().unwrap().to_owned()
}

/// Organizations are created over HTTP, but here directly in the database.
fn organization(place: &Place, owner: &str) -> OrganizationId {
    organization_called(place, "Acme", owner)
}

fn organization_called(place: &Place, name: &str, owner: &str) -> OrganizationId {
    let url = format!("sqlite://{}", place.path("a.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = Store::open(&url).await.unwrap();
        let now = UnixMillis(1_768_435_200_000);
        let id = store
            .insert_organization(name, owner.parse().unwrap(), None, now)
            .await
            .unwrap()
            .id;
        store.close().await;
        id
    })
}

#[test]
fn users_are_created_and_listed() {
    let place = with_database();
    let ada = user(&place, "Ada");
    let bob = admin(&place, "user create --name Bob --operator")["userId"].clone();
    let users = admin(&place, "user list")["users"].clone();
    let seen: Vec<_> = users
        .as_array()
        .unwrap()
        .iter()
        .map(|user| (&user["userId"], &user["displayName"], &user["operator"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!(ada), &json!("Ada"), &json!(false)),
            (&bob, &json!("Bob"), &json!(true))
        ]
    );
    assert!(users[0]["createdAt"].as_str().unwrap().ends_with('Z'));
    let text = place
        .run(&["admin", "user", "list", "--database", DATABASE])
        .stdout;
    assert!(
        text.lines().count() == 2 && text.contains("operator  Bob"),
        "{text}"
    );
    let message = place.refused(
        2,
        &[
            "admin", "user", "create", "--database", DATABASE, "--name", " \u{2003}",
        ],
    );
    assert!(message.contains("--name"), "{message}");
}

#[test]
fn misleading_names_are_refused_and_existing_ones_are_shown_as_code_points() {
    let place = with_database();
    for (name, code) in [
        ("A\u{202e}da", "U+202E"),
        ("Ada\u{2066}", "U+2066"),
        ("A\u{200b}da", "U+200B"),
    ] {
        let message = place.refused(
            2,
            &[
                "admin", "user", "create", "--database", DATABASE, "--name", name,
            ],
        );
        assert!(
            message.contains(code) && message.contains("misleads"),
            "{message}"
        );
    }
    let ada = user(&place, "Ada");
    organization_called(&place, "Ac\u{202e}me \u{1b}[2J", &ada);
    let text = place
        .run(&["admin", "organization", "list", "--database", DATABASE])
        .stdout;
    assert!(text.ends_with("Ac\\u{202e}me \\u{1b}[2J\n"), "{text:?}");
}

#[test]
fn a_list_longer_than_a_page_is_complete() {
    let place = with_database();
    assert_eq!(admin(&place, "user list"), json!({ "users": [] }));
    let url = format!("sqlite://{}", place.path("a.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let made: Vec<String> = runtime.block_on(async {
        let store = Store::open(&url).await.unwrap();
        let mut made = Vec::new();
        for _ in 0..2_001 {
            made.push(
                store
                    .insert_user("Ada", false, UnixMillis(1_768_435_200_000))
                    .await
                    .unwrap()
                    .id
                    .to_string(),
            );
        }
        store.close().await;
        made
    });
    let listed = admin(&place, "user list");
    let listed: Vec<_> = listed["users"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| &user["userId"])
        .collect();
    assert_eq!(listed, made.iter().collect::<Vec<_>>());
    let text = place
        .run(&["admin", "user", "list", "--database", DATABASE])
        .stdout;
    assert_eq!(
        text.lines().map(|line| &line[..30]).collect::<Vec<_>>(),
        made
    );
}

#[test]
fn a_token_is_shown_once_and_revoked_once() {
    let place = with_database();
    let ada = user(&place, "Ada");
    let made = admin(
        &place,
        &format!("token create --user {ada} --name ci --scope reviews:write --expires-in 30d"),
    );
    assert_eq!(made.as_object().unwrap().len(), 2);
    let (id, secret) = (
        made["tokenId"].as_str().unwrap(),
        made["token"].as_str().unwrap(),
    );
    assert!(secret.starts_with("hw_"));
    let kept = std::fs::read(place.path("a.db")).unwrap();
    assert!(
        !kept
            .windows(secret.len())
            .any(|bytes| bytes == secret.as_bytes()),
        "the secret is stored"
    );
    let ended = json!({
        "tokenId": id, "status": "revoked", "revokedTokens": 1, "revokedInvitations": 0, "endedSessions": 0,
    });
    assert_eq!(admin(&place, &format!("token revoke {id}")), ended);
    assert!(refused(&place, &format!("token revoke {id}")).contains("or it is already revoked"));
}

#[test]
fn an_organization_goes_through_all_states() {
    let place = with_database();
    let ada = user(&place, "Ada");
    let id = organization(&place, &ada);
    assert_eq!(
        admin(&place, "organization list")["organizations"][0]["status"],
        "active"
    );
    for (verb, status) in [
        ("suspend", "suspended"),
        ("activate", "active"),
        ("archive", "archived"),
    ] {
        let answer = admin(&place, &format!("organization {verb} {id}"));
        assert_eq!(
            (&answer["organizationId"], &answer["status"]),
            (&json!(id.to_string()), &json!(status))
        );
    }
    let message = refused(&place, &format!("organization activate {id}"));
    assert!(
        message.contains("the organization is archived and cannot become active"),
        "{message}"
    );
}

#[test]
fn a_member_is_added_and_entitlements_are_granted_and_revoked() {
    let place = with_database();
    let (ada, bob) = (user(&place, "Ada"), user(&place, "Bob"));
    let id = organization(&place, &ada);
    let whose = format!("--organization {id} --user {bob}");
    let message = refused(&place, &format!("entitlement grant {whose}"));
    assert!(message.contains("there is no such member"), "{message}");
    let added = admin(
        &place,
        &format!("organization add-member {id} --user {bob} --role admin"),
    );
    assert_eq!(
        added,
        json!({ "organizationId": id.to_string(), "userId": bob, "role": "admin" })
    );
    assert!(
        refused(
            &place,
            &format!("organization add-member {id} --user {bob} --role member")
        )
        .contains("already")
    );
    let granted = admin(
        &place,
        &format!("entitlement grant {whose} --expires-in 30d --monthly-reviews 5"),
    );
    assert_eq!(
        (&granted["product"], &granted["status"]),
        (&json!("diff-review"), &json!("active"))
    );
    assert_eq!(granted["monthlyReviewLimit"], 5);
    assert!(granted["expiresAt"].as_str() > granted["startsAt"].as_str());
    for (verb, status) in [
        ("suspend", "suspended"),
        ("activate", "active"),
        ("revoke", "revoked"),
    ] {
        assert_eq!(
            admin(&place, &format!("entitlement {verb} {whose}"))["status"],
            status
        );
    }
    assert!(
        refused(&place, &format!("entitlement activate {whose}"))
            .contains("is revoked and cannot become active")
    );
}

#[test]
fn invalid_arguments_are_rejected_with_the_allowed_values() {
    let place = with_database();
    let ada = user(&place, "Ada");
    let stranger = user(&with_database(), "Eve");
    for (line, words) in [
        (
            format!("token create --user {ada} --scope reviews:wrte"),
            "reviews:write",
        ),
        (
            format!("token create --user {ada} --expires-in soon"),
            "30d",
        ),
        ("token create --user usr_x".to_owned(), "a user ID"),
        (format!("token create --user {stranger}"), "no such user"),
        (
            "organization suspend usr_x".to_owned(),
            "an organization ID",
        ),
        ("entitlement grant".to_owned(), "--organization"),
    ] {
        let message = refused(&place, &line);
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn no_command_creates_a_database() {
    let place = Place::new();
    place.write("empty.db", "");
    let elsewhere = with_database();
    let ada = user(&elsewhere, "Ada");
    for line in [
        "user create --name Ada".to_owned(),
        "user list".to_owned(),
        format!("user delete {ada}"),
        format!("token create --user {ada}"),
        format!("token revoke --all-of {ada}"),
        format!("organization create --name Acme --owner {ada}"),
        "organization list".to_owned(),
        "backup --to copy.db".to_owned(),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let on =
            |url: &str| place.refused(2, &[&["admin", "--database", url], &words[..]].concat());
        let message = on("sqlite://typo.db");
        assert!(
            message.contains("there is no database at /")
                && message.contains("/typo.db; `hunkwise serve` and `hunkwise migrate` create"),
            "{line}: {message}"
        );
        for url in [
            "sqlite://empty.db", "sqlite://typo.db?mode=rwc", "sqlite::memory:",
        ] {
            on(url);
        }
        assert_eq!(
            place.path("empty.db").metadata().unwrap().len(),
            0,
            "{line}"
        );
        let files = std::fs::read_dir(place.path("")).unwrap();
        assert_eq!(files.count(), 1, "{line}: only empty.db");
    }
}

#[test]
fn a_database_that_cannot_be_opened_is_a_failure() {
    let place = Place::new();
    place.write(
        "a.db",
        "this is not a database, and too long to be mistaken for an empty one",
    );
    let message = place.refused(3, &["admin", "user", "list", "--database", DATABASE]);
    assert!(
        message.starts_with("error: sqlite://a.db: the database cannot be reached: "),
        "{message}"
    );
    place.refused(3, &["migrate", "--database", "sqlite:///proc/none/a.db"]);
    let message = place.refused(2, &["admin", "user", "list", "--database", "mysql://x"]);
    assert!(
        message.contains("--database: database: expected sqlite://PATH"),
        "{message}"
    );
}

#[test]
fn a_user_is_disabled_enabled_and_deleted() {
    let place = with_database();
    let (ada, ben) = (user(&place, "Ada"), user(&place, "Ben"));
    let acme = admin(
        &place,
        &format!("organization create --name Acme --owner {ada}"),
    );
    let acme = acme["organizationId"].as_str().unwrap().to_owned();
    let answer = admin(&place, &format!("user disable {ada}"));
    assert_eq!(
        (&answer["userId"], &answer["status"]),
        (&json!(ada), &json!("disabled"))
    );
    assert!(
        refused(&place, &format!("user disable {ada}"))
            .contains("is disabled and cannot become disabled")
    );
    assert!(
        refused(&place, &format!("token create --user {ada}"))
            .contains("the user is disabled or deleted")
    );
    assert_eq!(
        admin(&place, &format!("user enable {ada}"))["status"],
        "active"
    );

    let message = refused(&place, &format!("user delete {ada}"));
    assert!(
        message.contains(&format!("{acme} (Acme)"))
            && message.contains("set-role")
            && message.contains("archive"),
        "{message}"
    );
    let warned = place.run(&["admin", "--database", DATABASE, "user", "disable", &ada]);
    assert!(
        warned
            .stderr
            .contains(&format!("{acme} (Acme) has no active owner now")),
        "{warned:?}"
    );
    admin(
        &place,
        &format!("organization add-member {acme} --user {ben} --role member"),
    );
    let role = admin(
        &place,
        &format!("organization set-role {acme} --user {ben} --role owner"),
    );
    assert_eq!(
        role,
        json!({ "organizationId": acme, "userId": ben, "role": "owner" })
    );
    let message = refused(
        &place,
        &format!("organization set-role {acme} --user {ben} --role member"),
    );
    assert!(message.contains("the last active owner"), "{message}");
    assert_eq!(
        admin(&place, &format!("user delete {ada}")),
        json!({ "userId": ada, "status": "deleted" })
    );
    let left = admin(&place, "user list")["users"][0].clone();
    assert_eq!(
        (&left["displayName"], &left["status"]),
        (&json!(""), &json!("deleted"))
    );
    assert!(
        refused(&place, &format!("user enable {ada}"))
            .contains("is deleted and cannot become active")
    );
}

#[test]
fn tokens_are_listed_found_and_revoked_together() {
    let place = with_database();
    let (ada, ben) = (user(&place, "Ada"), user(&place, "Ben"));
    let made = admin(
        &place,
        &format!("token create --user {ada} --name ci --scope reviews:write"),
    );
    admin(&place, &format!("token create --user {ada}"));
    admin(&place, &format!("token create --user {ben}"));
    assert_eq!(
        admin(&place, "token list")["tokens"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let listed = admin(&place, &format!("token list --user {ada}"))["tokens"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let secret = made["token"].as_str().unwrap();
    assert!(!listed.to_string().contains(&secret[3..]));
    for (name, value) in [
        ("name", json!("ci")),
        ("userId", json!(ada)),
        ("scopes", json!(["reviews:write"])),
    ] {
        assert_eq!(listed[0][name], value);
    }
    for name in ["organizationId", "expiresAt", "lastUsedAt"] {
        assert_eq!(listed[0][name], Value::Null);
    }

    place.write("leaked", &format!("{secret}\n"));
    let find = |arguments: &[&str]| {
        let mut command = place.command(
            &[
                &["admin", "--database", DATABASE, "--json", "token", "find"],
                arguments,
            ]
            .concat(),
        );
        command.stdin(std::fs::File::open(place.path("leaked")).unwrap());
        let output = command.output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    };
    let found = find(&[]);
    assert_eq!(
        (&found["displayName"], &found["status"]),
        (&json!("Ada"), &json!("active"))
    );
    assert_eq!(found["tokenId"], made["tokenId"]);
    assert_eq!(admin(&place, &format!("token find {secret}")), found);
    let gone = admin(&place, &format!("token revoke --all-of {ada}"));
    assert_eq!(
        gone,
        json!({ "userId": ada, "revokedTokens": 2, "revokedInvitations": 0, "endedSessions": 0 })
    );
    assert_eq!(find(&["-"])["status"], "revoked");
    assert_eq!(admin(&place, "token list")["tokens"][0]["userId"], ben);
    assert!(refused(&place, "token find hw_typo").contains("36 letters and digits"));
    let elsewhere = with_database();
    let eve = user(&elsewhere, "Eve");
    let other = admin(&elsewhere, &format!("token create --user {eve}"))["token"]
        .as_str()
        .unwrap()
        .to_owned();
    let message = refused(&place, &format!("token find {other}"));
    assert!(
        message.contains("has no such token") && !message.contains(&other),
        "{message}"
    );
    assert!(refused(&place, &format!("token list --user {eve}")).contains("there is no user"));
    place.refused(2, &["admin", "token", "revoke"]);
}

#[test]
fn an_organization_and_its_first_invitation_are_created() {
    let place = with_database().variable("HUNKWISE_ENTITLEMENTS__GRANT_ON_CREATE", "owner");
    let (ada, ben) = (user(&place, "Ada"), user(&place, "Ben"));
    let made = admin(
        &place,
        &format!("organization create --name Acme --owner {ada}"),
    );
    assert_eq!(
        (&made["name"], &made["status"]),
        (&json!("Acme"), &json!("active"))
    );
    let acme = made["organizationId"].as_str().unwrap();
    let entitled = admin(
        &place,
        &format!("entitlement suspend --organization {acme} --user {ada}"),
    );
    assert_eq!(
        entitled["status"], "suspended",
        "the owner was entitled as the settings say"
    );
    let invite = format!("invitation create --organization {acme} --role admin --by");
    let invitation = admin(&place, &format!("{invite} {ada} --expires-in 14d"));
    assert_eq!(
        (&invitation["createdBy"], &invitation["role"]),
        (&json!(ada), &json!("admin"))
    );
    assert!(invitation["code"].as_str().unwrap().starts_with("hwi_"));
    assert!(
        refused(&place, &format!("{invite} {ada} --expires-in 31d")).contains("at most 30 days")
    );
    assert!(refused(&place, &format!("{invite} {ben}")).contains("not a member"));
    let message = place.refused(
        2,
        &[
            "admin", "organization", "create", "--name", " ", "--owner", &ada,
        ],
    );
    assert!(message.contains("--name"), "{message}");
    let unknown_user = user(&with_database(), "Eve");
    assert!(
        refused(
            &place,
            &format!("organization create --name Bell --owner {unknown_user}")
        )
        .contains("no such user")
    );
}
