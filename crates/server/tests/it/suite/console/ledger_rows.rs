//! Rows of a ledger in the console that were imported: what they are, and when they happened.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use super::members::{newest_row, row_numbered};
use super::operator::{Browser, CONSOLE};
use crate::harness::TestServer;

const OF_ORDER: &str = "Cancel the order instead.";

/// Imports these activities.
async fn import(server: &TestServer, lines: &[Value]) {
    let token = server.issue_super_user().await;
    let lines_of_text: Vec<_> = lines.iter().map(Value::to_string).collect();
    let body = lines_of_text.join("\n");
    let answer = server.post("/v1/manage/activities/import", &token).ndjson(body).send().await;
    assert_eq!(answer.json()["data"]["recorded"], lines.len(), "{}", answer.text());
}

#[tokio::test]
async fn a_row_of_an_order_in_another_system_is_reversed_and_that_of_an_order_is_not() {
    let server = TestServer::with_sample().await;
    server.award(600).await;
    let order = server.ordered("mug", 1).await;
    let line = json!({"user_id": "u1", "type": "order", "source_id": "old-17:refund", "points": 40, "title": "Tea", "created_at": "2025-12-24T10:00:00Z"});
    import(&server, &[line]).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let row = row_numbered(&owner, "/members/u1", "3").await;
    let page = owner.page(&row).await;
    assert!(page.contains("A program of the back office, or an import."), "{page}");
    assert!(!page.contains("The member, with an order.") && !page.contains(OF_ORDER), "{page}");
    let reversed = owner.submit(&page, &format!("{row}/reverse"), &[("reason", "Imported twice")]).await;
    assert_eq!((reversed.status.as_u16(), server.balance().await), (303, 100), "{}", reversed.text());
    let shown = owner.page(&row).await;
    assert!(shown.contains("Row 4 reversed 40 points of this one, with bonuses."), "{shown}");
    let found = owner.get(&format!("/search?q=u1+{order}")).await;
    let row = found.header("location").unwrap().strip_prefix(CONSOLE).unwrap();
    let page = owner.page(row).await;
    assert!(page.contains("The member, with an order.") && page.contains(OF_ORDER), "{page}");
    assert!(!page.contains("/reverse\""), "{page}");
    let shown = owner.page(&format!("/orders/{order}")).await;
    owner.submit(&shown, &format!("/orders/{order}/cancel"), &[("reason", "Out of stock")]).await;
    let refund = owner.page(&newest_row(&owner, "/members/u1").await).await;
    assert!(refund.contains("cancelled order") && refund.contains(OF_ORDER), "{refund}");
    assert!(!refund.contains("/reverse\""), "{refund}");
    server.assert_audit_is_clean().await;
}

/// Fifty rows of one point, two a day, in the order of the days of January but with those of the second round after those of the first.
async fn with_imported_days(server: &TestServer) {
    let lines: Vec<_> = (0..50)
        .map(|number| {
            let at = format!("2026-01-{:02}T10:00:00Z", number % 25 + 1);
            json!({"user_id": "u1", "type": "code", "source_id": format!("s-{number}"), "points": 1, "title": "Scan", "created_at": at})
        })
        .collect();
    import(server, &lines).await;
}

fn ledger(page: &str) -> &str {
    page.split_once("<tbody>").unwrap().1
}

/// The headings of the days of a page, with their sums.
fn days(page: &str) -> Vec<(String, String)> {
    let groups = ledger(page).split("<th scope=\"rowgroup\">").skip(1);
    let day = |group: &str| {
        let (name, rest) = group.split_once("</th>").unwrap();
        let (_, sum) = rest.split_once("<td class=\"number\">").unwrap();
        (name.to_owned(), sum.split('<').next().unwrap().to_owned())
    };
    groups.map(day).collect()
}

#[tokio::test]
async fn each_day_of_a_ledger_stands_once_from_the_latest_on_with_the_sum_of_its_points() {
    let server = TestServer::with_sample().await;
    with_imported_days(&server).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("/members/u1").await;
    let award = [("type", "code"), ("points", "5"), ("title", "Thanks"), ("source_id", "thanks-1")];
    assert_eq!(owner.submit(&page, "/members/u1/activities", &award).await.status, 303);
    let pages = [owner.page("/members/u1").await, owner.page("/members/u1?page=2").await];
    let [first, second] = pages.each_ref().map(|page| days(page));
    let named = |(name, sum): &(String, String)| format!("{name}: {sum}");
    assert_eq!(named(&first[0]), "Sunday, 1 March 2026: +5");
    assert_eq!(named(&first[1]), "Sunday, 25 January 2026: +2");
    // The page ends within a day. Both pages have the sum of all its rows.
    assert_eq!(named(&first[16]), "Saturday, 10 January 2026: +2", "{first:?}");
    assert_eq!(first.len(), 17, "{first:?}");
    assert_eq!(
        second.iter().map(named).collect::<Vec<_>>().join("; "),
        "Saturday, 10 January 2026: +2; Friday, 9 January 2026: +2; Thursday, 8 January 2026: +2; Wednesday, 7 January 2026: +2; \
        Tuesday, 6 January 2026: +2; Monday, 5 January 2026: +2; Sunday, 4 January 2026: +2; Saturday, 3 January 2026: +2; Friday, 2 January 2026: +2; \
        Thursday, 1 January 2026: +2"
    );
    let rows = |page: &str| ledger(page).matches("explain=").count();
    assert_eq!(pages.each_ref().map(|page| rows(page)), [32, 19]);
    // The numbers are those of the recording.
    let numbers: Vec<u64> = pages
        .iter()
        .flat_map(|page| page.split("?explain=").skip(1).chain(page.split("&amp;explain=").skip(1)))
        .map(|rest| rest.split('#').next().unwrap().parse().unwrap())
        .collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=51).collect::<Vec<_>>(), "each row stands on one page: {numbers:?}");
}

#[tokio::test]
async fn a_row_says_when_it_was_recorded_if_that_was_later() {
    let server = TestServer::with_sample().await;
    with_imported_days(&server).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("/members/u1").await;
    let (happened, recorded) = (">10:00</time>", "recorded 1 March 2026, 12:00");
    assert_eq!((page.matches(happened).count(), page.matches(recorded).count()), (32, 1), "{page}");
    assert!(page.contains("<dt>First activity</dt><dd>1 January 2026</dd>"), "{page}");
    assert!(page.len() < 60_000, "{}", page.len());
    for (language, happened) in [
        ("de", "Montag, 5. Januar 2026</th>"),
        ("ja", "2026年1月5日（月曜日）</th>"),
        ("tr", "5 Ocak 2026 Pazartesi</th>"),
    ] {
        let page =
            owner.call(Method::GET, "/members/u1?page=2").header("accept-language", language).send().await;
        assert!(page.text().contains(happened) && page.text().len() < 60_000, "{}", page.text());
    }
}

#[tokio::test]
async fn a_row_is_explained_below_it_and_the_links_keep_the_other_parameters() {
    let server = TestServer::with_sample().await;
    with_imported_days(&server).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("/members/u1?page=2&days=28").await;
    let link = "href=\"?page=2&amp;days=28&amp;explain=1#row-1\"";
    assert!(page.contains(link) && !page.contains("All details"), "{page}");
    let page = owner.page("/members/u1?page=2&days=28&explain=1").await;
    let (above, below) = page.split_once("<tr class=\"detail\">").unwrap();
    assert!(
        above
            .rsplit_once("<tr")
            .unwrap()
            .1
            .contains("<a id=\"row-1\" href=\"?page=2&amp;days=28#row-1\">Close</a>"),
        "{above}"
    );
    let (detail, _) = below.split_once("</tr>").unwrap();
    for part in [
        "The row was imported, so campaigns were not asked.",
        "/transactions/",
        "#reverse\">Reverse this row…",
        "All details",
    ] {
        assert!(detail.contains(part), "{part}: {detail}");
    }
    assert!(page.contains("href=\"?page=2&amp;explain=1&amp;days=90\""), "the period keeps the row: {page}");
    // No row of this page, and no number.
    for other in ["51", "x", ""] {
        assert!(
            !owner.page(&format!("/members/u1?page=2&explain={other}")).await.contains("class=\"detail\"")
        );
    }
}

/// The source ids of the rows of a page.
fn sources(page: &str) -> Vec<&str> {
    let cells = ledger(page).split("<span class=\"mono quiet\">").skip(1);
    cells.map(|rest| rest.split('<').next().unwrap()).collect()
}

#[tokio::test]
async fn a_ledger_shows_only_what_the_links_above_it_ask_for() {
    let server = TestServer::with_sample().await;
    let row = |kind: &str, source: &str, day: u32, bonuses: Value| json!({"user_id": "u1", "type": kind, "source_id": source, "points": 10, "title": "Row", "created_at": format!("2026-01-{day:02}T10:00:00Z"), "bonus_breakdown": bonuses});
    let bonus = json!([{"points": 5, "title": "Double", "type": "campaign"}]);
    let lines = [
        row("code", "s-1", 1, json!([])),
        row("quiz", "s-2", 2, json!([])),
        row("quiz", "s-3", 3, bonus),
        row("code", "s-3:reversal", 3, json!([])),
    ];
    import(&server, &lines).await;
    let owner = Browser::of(&server, Role::Owner).await;
    for (query, expected) in [
        ("", "s-3:reversal s-3 s-2 s-1"),
        ("?type=quiz", "s-3 s-2"),
        ("?with=bonus", "s-3"),
        ("?with=reversal", "s-3:reversal"),
        ("?day=2026-01-02", "s-2 s-1"),
        ("?type=quiz&day=2026-01-02&days=28", "s-2"),
        ("?day=tomorrow", "s-3:reversal s-3 s-2 s-1"),
    ] {
        let page = owner.page(&format!("/members/u1{query}")).await;
        let (mut found, mut expected) = (sources(&page), expected.split(' ').collect::<Vec<_>>());
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}: {page}");
    }
    let page = owner.page("/members/u1?type=quiz&day=2026-01-02&days=28").await;
    for part in [
        "day=2026-01-02&amp;days=28&amp;page=1\">All</a>",
        "aria-current=\"true\">Quiz</a>",
        "?type=quiz&amp;days=28&amp;page=1\">up to 2 January 2026",
        "<input type=\"hidden\" name=\"type\" value=\"quiz\">",
        "<input type=\"hidden\" name=\"days\" value=\"28\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("ledger.csv"), "the file has all rows: {page}");
    let none = owner.page("/members/u1?type=video").await;
    assert!(none.contains("Nothing fits.") && none.contains("aria-current=\"true\">Video</a>"), "{none}");
}

#[tokio::test]
async fn a_bonus_has_its_own_column_and_a_row_the_picture_of_its_type() {
    let server = TestServer::with_sample().await;
    let line = json!({"user_id": "u1", "type": "quiz", "source_id": "s-1", "points": 10, "title": "Quiz", "created_at": "2026-01-01T10:00:00Z", "bonus_breakdown": [{"points": 5, "title": "Double", "type": "campaign"}]});
    import(&server, &[line]).await;
    let page = Browser::of(&server, Role::Owner).await.page("/members/u1").await;
    let cells = "<td class=\"number rank-2\"><span class=\"quiet\">with +5</span></td><td class=\"number\"><span class=\"strong good\">+15</span></td>";
    assert!(ledger(&page).contains(cells), "{page}");
    assert!(ledger(&page).contains("<span class=\"no-picture\"><svg"), "{page}");
}

/// A day at the end of a page goes on at the next one, where the list has only a part of its rows.
#[tokio::test]
async fn a_part_of_a_ledger_has_no_sum_of_a_day_that_goes_on() {
    let server = TestServer::with_sample().await;
    with_imported_days(&server).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let days = days(&owner.page("/members/u1?type=code").await);
    let (cut, whole) = days.split_last().unwrap();
    assert!(cut.1.is_empty() && whole.iter().all(|(_, sum)| sum == "+2"), "{days:?}");
}
