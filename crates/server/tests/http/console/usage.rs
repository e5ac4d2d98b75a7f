//! The usage page: charts with a table of the same numbers, members in pages, and the quota.

use server::Settings;
use store::Role;

use super::Browser;
use super::pages::check_page;
use crate::support::{Act, DAY, Service, review_path};

#[tokio::test]
async fn usage_is_shown_in_a_chart_and_a_table() {
    let service = Service::with(Settings::default(), Act::Find).await;
    let (owner, member) = (service.user().await, service.user().await);
    let organization = service.organization(&owner).await;
    service.join(organization, &member, Role::Member).await;
    service.entitle(organization, &owner, Some(3)).await;
    service.entitle(organization, &member, None).await;
    let browser = Browser::of(&service, &owner).await;
    let path = format!("/organizations/{organization}/usage");
    let page = browser.get(&path).visit().await;
    check_page(&page);
    assert!(
        page.text().contains("No reviews in this period")
            && page.text().contains("Reviews by day: none")
    );
    for (user, reviews) in [(&owner, 2), (&member, 1)] {
        for _ in 0..reviews {
            service
                .review(user, &review_path(organization))
                .send()
                .await
                .ok();
        }
        service.advance(DAY);
    }
    let page = browser_of(&service, &owner, &path).await;
    check_page(&page);
    let html = page.text();
    for part in [
        "aria-label=\"Reviews by day: 3 in total; most on 2026-11-20: 2\" viewBox=\"0 0 220 1000\"",
        "<path class=\"bar\" d=\"M191 0h8v1000h-8zM201 500h8v500h-8z\"/>",
        "<tr><th scope=\"row\">2026-11-20</th><td>2</td>",
        "<tr><th scope=\"row\">2026-11-21</th><td>1</td>",
        "Of your own 3 reviews this month, 1 are left; the quota resets on 2026-12-01 (UTC).",
        "d=\"M0 0h500v1H0z\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert_eq!(html.matches("<figure").count(), 3);
    // Other days, and paginated members.
    let page = browser_of(
        &service,
        &owner,
        &format!("{path}?from=2026-11-21&to=2026-11-21&limit=1"),
    )
    .await;
    assert!(
        page.text().contains("viewBox=\"0 0 10 1000\""),
        "{}",
        page.text()
    );
    let page = browser_of(&service, &owner, &format!("{path}?limit=1")).await;
    let (_, rest) = page
        .text()
        .split_once(&format!(
            "href=\"{path}?from=2026-11-01&amp;to=2026-11-22&amp;cursor="
        ))
        .unwrap();
    let next = format!(
        "{path}?from=2026-11-01&to=2026-11-22&cursor={}",
        rest.split('"').next().unwrap()
    );
    let page = browser_of(&service, &owner, &next).await;
    check_page(&page);
    assert!(
        !page.text().contains("<figure")
            && page.text().matches("<td class=\"share\">").count() == 1
    );
}

async fn browser_of(
    service: &Service,
    user: &crate::support::User,
    path: &str,
) -> crate::support::Answer {
    Browser::of(service, user).await.get(path).visit().await
}

#[tokio::test]
async fn invalid_days_are_refused_and_a_year_fits() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let path = format!("/organizations/{organization}/usage");
    for (query, status) in [
        ("from=2025-11-21&to=2026-11-20", 200),
        ("from=2025-11-01&to=2026-11-20", 400),
        ("from=soon", 400),
        ("from=2026-11-20&to=2026-11-19", 400),
        ("day=1", 400),
    ] {
        let page = browser_of(&service, &user, &format!("{path}?{query}")).await;
        assert_eq!(page.status.as_u16(), status, "{query}");
        check_page(&page);
    }
}
