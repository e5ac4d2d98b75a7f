//! Usage of an organization, by day and by member.

use serde_json::{Value, json};
use server::Settings;
use store::{OrganizationId, Role, UsageDelta};

use crate::support::{Act, DAY, Service, User, review_path};

/// An owner and a member who reviewed twice today and once yesterday, with other counts as well.
struct World {
    service: Service,
    organization: OrganizationId,
    owner: User,
    member: User,
}

impl World {
    async fn new() -> Self {
        let service = Service::with(Settings::default(), Act::Find).await;
        let (owner, member) = (service.user().await, service.user().await);
        let organization = service.organization(&owner).await;
        service.join(organization, &member, Role::Member).await;
        service.entitle(organization, &owner, None).await;
        service.entitle(organization, &member, None).await;
        service
            .review(&owner, &review_path(organization))
            .send()
            .await
            .ok();
        let delta = UsageDelta {
            findings: [1, 2, 0, 4],
            ..UsageDelta::default()
        };
        service
            .store
            .record_usage(organization, owner.id, "2026-11-20", delta)
            .await
            .unwrap();
        service.advance(DAY);
        for _ in 0..2 {
            service
                .review(&member, &review_path(organization))
                .send()
                .await
                .ok();
        }
        Self {
            service,
            organization,
            owner,
            member,
        }
    }

    async fn usage(&self, query: &str) -> Value {
        let path = format!("/v1/organizations/{}/usage{query}", self.organization);
        self.service.get(&path).token(&self.owner).send().await.ok()
    }
}

/// Counts of this many reviews of the sample, with these findings.
fn counts(reviews: u64, findings: [u64; 4]) -> Value {
    let [p0, p1, p2, p3] = findings;
    json!({
        "reviews": reviews, "findings": { "P0": p0, "P1": p1, "P2": p2, "P3": p3 },
        "promptTokens": 10 * reviews, "completionTokens": 2 * reviews, "totalTokens": 12 * reviews
    })
}

fn with(mut counts: Value, names: &[(&str, &str)]) -> Value {
    for (name, value) in names {
        counts[*name] = json!(value);
    }
    counts
}

#[tokio::test]
async fn usage_is_reported_in_total_by_day_and_by_member() {
    let world = World::new().await;
    let (owner, member) = (world.owner.id.to_string(), world.member.id.to_string());
    let mut usage = world.usage("").await;
    usage.as_object_mut().unwrap().remove("requestId");
    let expected = json!({
        "from": "2026-11-01", "to": "2026-11-21",
        "total": counts(3, [1, 2, 3, 4]),
        "days": [
            with(counts(1, [1, 2, 1, 4]), &[("day", "2026-11-20")]),
            with(counts(2, [0, 0, 2, 0]), &[("day", "2026-11-21")]),
        ],
        "members": [
            with(counts(1, [1, 2, 1, 4]), &[("userId", &owner), ("displayName", "Someone")]),
            with(counts(2, [0, 0, 2, 0]), &[("userId", &member), ("displayName", "Someone")]),
        ],
        "nextCursor": null
    });
    assert_eq!(usage, expected);
    for (query, days) in [
        ("?from=2026-11-21", (1, "2026-11-21", "2026-11-21")),
        ("?to=2026-11-20", (1, "2026-11-01", "2026-11-20")),
        (
            "?from=2025-11-22&to=2026-11-22",
            (2, "2025-11-22", "2026-11-22"),
        ),
        (
            "?from=2024-02-29&to=2024-02-29",
            (0, "2024-02-29", "2024-02-29"),
        ),
    ] {
        let usage = world.usage(query).await;
        let shown = (
            usage["days"].as_array().unwrap().len(),
            usage["from"].as_str(),
            usage["to"].as_str(),
        );
        assert_eq!(shown, (days.0, Some(days.1), Some(days.2)), "{query}");
    }
}

#[tokio::test]
async fn members_are_paginated_and_include_former_ones() {
    let world = World::new().await;
    let World {
        service,
        organization,
        owner,
        member,
    } = &world;
    service
        .store
        .remove_member(*organization, owner.id, member.id, service.now())
        .await
        .unwrap();
    let first = world.usage("?limit=1").await;
    assert_eq!(
        (&first["total"]["reviews"], &first["members"][0]["userId"]),
        (&json!(3), &json!(owner.id.to_string()))
    );
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = world.usage(&format!("?limit=1&cursor={cursor}")).await;
    assert_eq!(second["members"][0]["userId"], json!(member.id.to_string()));
    assert_eq!(
        (&second["total"], &second["days"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(second["nextCursor"], json!(null));
}

#[tokio::test]
async fn invalid_days_are_reported() {
    let world = World::new().await;
    let path = format!("/v1/organizations/{}/usage", world.organization);
    for (query, place, reason) in [
        ("from=2026-13-01", "from", "must be a day such as"),
        ("from=", "from", "must be a day such as"),
        ("to=2026-02-29", "to", "must be a day such as"),
        ("to=20261120", "to", "must be a day such as"),
        ("to=2026-11-20T00:00:00Z", "to", "must be a day such as"),
        ("from=-002026-11-20", "from", "must be a day such as"),
        (
            "from=2026-11-22",
            "from",
            "must not be after `to`, which is 2026-11-21",
        ),
        (
            "from=2026-11-20&to=2026-11-19",
            "from",
            "must not be after `to`, which is 2026-11-19",
        ),
        (
            "from=2025-11-20&to=2026-11-21",
            "from",
            "must be at most 366 days up to `to`, 2026-11-21, not 367",
        ),
        ("from=0000-01-01&to=9999-12-31", "from", "not 3652425"),
        ("until=2026-11-20", "until", "unknown parameter"),
        ("limit=0", "limit", "from 1 to 100"),
        ("cursor=x", "cursor", "is not the `nextCursor`"),
    ] {
        let answer = world
            .service
            .get(&format!("{path}?{query}"))
            .token(&world.owner)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = answer.faults().try_into().unwrap();
        assert!(
            at == place && detail.contains(reason),
            "{query}: {at}: {detail}"
        );
    }
}
