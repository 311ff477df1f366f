//! The segments of members.

use http::Method;
use pointbook_domain::Role;
use serde_json::json;

use super::operator::Browser;
use crate::harness::TestServer;

/// Ten members: `m0` was active on one day and longest ago, `m9` on ten days and last.
async fn with_ten_members() -> (TestServer, String) {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    for member in 0..10 {
        for day in 0..=member {
            let at = format!("2026-02-{:02}T10:00:00Z", 10 + member - day);
            let scan = json!({"type": "code", "source_id": format!("s{day}"), "points": 10, "title": "Scan", "created_at": at});
            let path = format!("/v1/manage/users/m{member}/activities");
            let recorded = server.post(&path, &token).json(&scan).send().await;
            assert_eq!(recorded.status, 201, "{}", recorded.text());
        }
    }
    (server, token)
}

/// The field of a segment in the grid: its class and its words.
fn field<'p>(page: &'p str, segment: &str) -> (&'p str, &'p str) {
    let (_, rest) = page.split_once(&format!("class=\"at-{segment} ")).unwrap();
    rest.split_once('"').map(|(class, rest)| (class, rest.split_once("</b>").unwrap().0)).unwrap()
}

#[tokio::test]
async fn each_segment_has_its_members_and_their_change_in_28_days() {
    let (server, _) = with_ten_members().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("/segments").await;
    assert_eq!(page.matches("class=\"at-").count(), 10, "{page}");
    for (segment, members, class) in [("lost", 4, "heat-5"), ("champions", 2, "heat-2"), ("new", 0, "heat-0")]
    {
        let (shade, text) = field(&page, segment);
        assert!(shade == class && text.ends_with(&format!("<b>{members}")), "{segment}: {shade} {text}");
    }
    // Nobody was active 28 days ago.
    assert!(field(&page, "lost").1.contains("+4<span"), "{page}");
    assert!(
        page.contains("<span class=\"count\">10 active members</span>") && page.contains(">40%<"),
        "{page}"
    );
    assert!(page.contains("Fewer than 25 members were ever active."), "{page}");
    let lost = owner.page("/segments/lost").await;
    for member in 0..10 {
        let link = format!("/console/shop/members/m{member}\"");
        assert_eq!(lost.contains(&link), member < 4, "m{member}: {lost}");
    }
    assert!(owner.page("/segments/promising").await.contains("No member is in this segment now."));
    assert_eq!(owner.get("/segments/none").await.status, 404);
}

#[tokio::test]
async fn the_grid_is_shaded_by_members_points_or_change() {
    let (server, _) = with_ten_members().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for (query, chosen, class, number) in [
        ("", "members", "heat-2", "2"),
        ("?by=nothing", "members", "heat-2", "2"),
        ("?by=points", "points", "heat-5", "190"),
        ("?by=change", "change", "gains", "+2"),
    ] {
        let page = owner.page(&format!("/segments{query}")).await;
        let link = format!("/segments?by={chosen}\" aria-current=\"true\"");
        let (shade, text) = field(&page, "champions");
        assert!(page.contains(&link), "{query}: {page}");
        assert!(shade == class && text.ends_with(&format!("<b>{number}")), "{query}: {shade} {text}");
        let row =
            format!("<span class=\"swatch {class}\"></span><a href=\"/console/shop/segments/champions\">");
        assert!(page.contains(&row), "{query}: {page}");
    }
}

#[tokio::test]
async fn a_segment_leads_to_a_campaign_that_names_its_members() {
    let (server, _) = with_ten_members().await;
    let manager = Browser::of(&server, Role::Manager).await;
    let page = manager.page("/segments").await;
    let link = "/new-campaign?segment=champions";
    assert!(page.contains(link) && !page.contains("/new-campaign?segment=new\""), "{page}");
    assert!(manager.page("/segments/champions").await.contains(link));
    let form = manager.page(link).await;
    assert!(form.contains("\nm8\nm9</textarea>") && !form.contains("m7\n"), "{form}");
    for none in ["nothing", "new"] {
        assert_eq!(manager.get(&format!("/new-campaign?segment={none}")).await.status, 404, "{none}");
    }
    let words = form.split("id=\"in-words\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(words.contains("m8") || words.contains('2'), "the summary is of these members: {words}");
    let auditor = Browser::of(&server, Role::Auditor).await;
    let page = auditor.page("/segments").await;
    assert!(page.contains("/segments/lost\"") && !page.contains("new-campaign"), "{page}");
}

#[tokio::test]
async fn an_analyst_sees_no_segments() {
    let (server, _) = with_ten_members().await;
    let analyst = Browser::of(&server, Role::Analyst).await;
    // Beside the report of the 25 groups, the sums of segments would tell what the report hides.
    for path in ["/segments", "/segments/lost"] {
        assert_eq!(analyst.get(path).await.status, 403, "{path}");
    }
    assert!(!analyst.page("/reports").await.contains("shop/segments\""));
}

#[tokio::test]
async fn the_report_of_the_interface_names_the_segment_of_each_group() {
    let (server, token) = with_ten_members().await;
    let report = server.request(Method::GET, "/v1/manage/reports/segments", &token).send().await.json();
    let named = |row: &serde_json::Value| {
        (row["recency"].as_i64().unwrap(), row["segment"].as_str().unwrap().to_owned())
    };
    let named: Vec<_> = report["data"].as_array().unwrap().iter().map(named).collect();
    let expected = [(1, "lost"), (2, "lost"), (3, "needs_a_nudge"), (4, "loyal"), (5, "champions")];
    assert_eq!(named, expected.map(|(recency, name)| (recency, name.to_owned())));
}
