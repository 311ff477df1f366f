//! Reports in the console.

use http::Method;
use pointbook_domain::Role;
use pointbook_reports::reports::REPORTS;
use pointbook_testkit::{Fault, WriteFault};
use serde_json::json;

use super::operator::Browser;
use crate::harness::{Act, TestServer};

/// Three members earn today.
async fn with_members() -> (TestServer, String) {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    for user in ["u7", "u8", "u9"] {
        let scan = json!({"type": "code", "source_id": format!("s-{user}"), "points": 20, "title": "Scan"});
        let recorded =
            server.post(&format!("/v1/manage/users/{user}/activities"), &token).json(&scan).send().await;
        assert_eq!(recorded.status, 201, "{}", recorded.text());
    }
    (server, token)
}

#[tokio::test]
async fn every_report_has_a_page_and_the_file_of_its_operation() {
    let (server, token) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let list = browser.page("/reports").await;
    for report in REPORTS {
        let name = report.name;
        assert!(list.contains(&format!("/console/shop/reports/{name}\"")), "{name}");
        let page = browser.page(&format!("/reports/{name}")).await;
        assert!(page.len() < 60_000, "{name}: {}", page.len());
        let file = browser.get(&format!("/reports/{name}/csv")).await;
        let path = format!("/v1/manage/reports/{name}?format=csv");
        let operation = server.request(Method::GET, &path, &token).send().await;
        // Excel reads a file as UTF-8 only with a byte order mark. The operation is for programs.
        let expected = format!("\u{feff}{}", operation.text());
        assert_eq!((file.status.as_u16(), file.text()), (200, &*expected), "{name}");
        let disposition = format!("attachment; filename=\"{name}.csv\"");
        assert_eq!(file.header("content-disposition"), Some(&*disposition));
    }
    assert_eq!(browser.get("/reports/nothing").await.status, 404);
}

#[tokio::test]
async fn a_report_of_400_days_is_light_and_has_pages() {
    let (server, _) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for name in ["points", "members", "campaign-days"] {
        let page = browser.page(&format!("/reports/{name}?from=2025-01-26&until=2026-03-01")).await;
        assert!(page.len() < 60_000, "{name}: {}", page.len());
        assert_eq!(page.contains("Page 1 of 8"), name != "campaign-days", "{name}");
    }
    let last = browser.page("/reports/points?from=2025-01-26&until=2026-03-01&page=8").await;
    assert!(last.contains("<td>Sun, 26 Jan 2025</td>"), "{last}");
    let beyond = browser.page("/reports/points?from=2025-01-26&until=2026-03-01&page=9").await;
    assert!(
        beyond.contains("This list has no page 9.") && !beyond.contains("<table class=\"figures"),
        "{beyond}"
    );
}

#[tokio::test]
async fn wrong_days_are_told_beside_their_field() {
    let (server, _) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for (query, text, typed) in [
        ("from=soon&until=2026-03-01", "Enter a date, such as", "value=\"soon\""),
        ("from=2026-03-02&until=2026-03-01", "must not be before the first day", "value=\"2026-03-02\""),
        ("from=2024-01-01&until=2026-03-01", "at most 400 days", "value=\"2024-01-01\""),
    ] {
        let page = browser.get(&format!("/reports/points?{query}")).await;
        let body = page.text();
        assert!(page.status == 422 && body.contains(text) && body.contains(typed), "{query}: {body}");
        assert_eq!(browser.get(&format!("/reports/points/csv?{query}")).await.status, 400);
    }
}

#[tokio::test]
async fn an_analyst_sees_no_small_number_of_members_and_no_names() {
    let (server, _) = with_members().await;
    let analyst = Browser::of(&server, Role::Analyst).await;
    for path in ["/reports/earners", "/reports/%65arners", "/reports/earners/csv", "/reports/%65arners/csv"] {
        assert_eq!(analyst.get(path).await.status, 403, "{path}");
    }
    let days = "from=2026-03-01&until=2026-03-01";
    let file = analyst.get(&format!("/reports/members/csv?{days}")).await;
    assert!(file.text().ends_with("2026-03-01,<5,<5,<5,<5,,\r\n"), "{}", file.text());
    let page = analyst.page(&format!("/reports/members?{days}")).await;
    assert!(page.contains("&lt;5") && page.contains("Your role does not see"), "{page}");
    let segments = analyst.get("/reports/segments/csv").await;
    assert!(
        segments.text().lines().nth(1).is_some_and(|line| line.ends_with(",<5,,,lost")),
        "{}",
        segments.text()
    );
    let cohorts = analyst.page("/reports/cohorts").await;
    assert!(!cohorts.contains("100%</td>"), "{cohorts}");
    let overview = analyst.page("").await;
    assert!(overview.contains("≥ 0"), "{overview}");
    let owner = Browser::of(&server, Role::Owner).await;
    let all = owner.get(&format!("/reports/members/csv?{days}")).await;
    assert!(all.text().ends_with("2026-03-01,3,3,3,3,0,0\r\n"), "{}", all.text());
}

#[tokio::test]
async fn the_overview_counts_bonuses_as_earned() {
    let (server, token) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let tile = async || {
        let page = browser.page("").await;
        let (_, rest) = page.split_once("/reports/points\">Points earned with bonuses</a>").unwrap();
        rest.split_once("</section>").unwrap().0.to_owned()
    };
    let before = tile().await;
    assert!(before.contains("<strong>60</strong>"), "{before}");
    let bonus = json!([{"type": "birthday", "points": 15, "title": "Happy birthday"}]);
    let scan = json!({"type": "code", "source_id": "s-bonus", "points": 20, "title": "Scan", "bonus_breakdown": bonus});
    let recorded = server.post("/v1/manage/users/u7/activities", &token).json(&scan).send().await;
    assert_eq!(recorded.status, 201, "{}", recorded.text());
    let after = tile().await;
    assert!(after.contains("<strong>95</strong>"), "{after}");
}

/// Members spend points of earlier days, so the share of one day may be 1,000 %.
#[tokio::test]
async fn only_a_tile_has_the_spent_share_of_days() {
    let (server, _) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/reports/points?from=2026-02-27&until=2026-03-01").await;
    let (tiles, table) = page.split_once("<table class=\"figures").unwrap();
    let range = "<summary class=\"button\">27 Feb – 1 Mar</summary>";
    let quiet = "<td>Sat, 28 Feb</td><td class=\"rank-2\"><span class=\"quiet\">0</span></td>";
    assert!(tiles.contains(range) && table.contains(quiet), "{page}");
    assert!(
        tiles.contains("<h2>Spent of earned</h2><p><strong>0%</strong>") && !table.contains('%'),
        "{page}"
    );
}

#[tokio::test]
async fn the_table_of_cohorts_is_closed_below_its_chart() {
    let (server, _) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let closed = "<details class=\"panel wide\"><summary>Show as a table</summary><div class=\"scroll\"";
    let page = browser.page("/reports/cohorts").await;
    assert!(page.contains("heat-table") && page.contains(closed), "{page}");
    assert!(!browser.page("/reports/cohorts?page=1").await.contains(closed));
}

#[tokio::test]
async fn a_report_has_one_column_for_a_thing_and_a_phone_shows_the_main_ones() {
    let server = TestServer::with_sample().await;
    server.award(600).await;
    server.ordered("mug", 1).await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/reports/products").await;
    let (_, table) = page.split_once("<table class=\"figures texts-1\">").unwrap();
    assert!(table.contains("<th scope=\"col\">Product</th><th scope=\"col\">Orders</th><th scope=\"col\" class=\"rank-2\">Pieces</th>"), "{table}");
    assert!(
        table.contains("<td><a href=\"/console/shop/products/mug\">")
            && table.contains("</a><span class=\"sub\">mug</span></td>"),
        "{table}"
    );
    let page = browser.page("/reports/points").await;
    let heads = "<th scope=\"col\">Earned, without bonuses</th><th scope=\"col\" class=\"rank-2\">Bonus</th><th scope=\"col\">Spent</th>";
    assert!(page.contains(heads), "{page}");
}

#[tokio::test]
async fn the_lines_end_before_the_running_day_and_the_last_whole_day_is_read_out() {
    let server = TestServer::with_sample().await;
    let acts = [
        Act::new("code", 300, "2026-02-21T10:00:00Z"),
        Act::new("quiz", 400, "2026-02-28T10:00:00Z"),
        Act::new("order", -120, "2026-02-28T11:00:00Z"),
        Act::new("quiz", 7, "2026-03-01T10:00:00Z"),
    ];
    server.record(&acts).await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/reports/points?from=2026-02-23&until=2026-03-01").await;
    let (_, charts) = page.split_once("<h2>Earned and spent</h2>").unwrap();
    let (chart, open) = charts.split_once("</section>").unwrap();
    let readout = "<b>Saturday, 28 February 2026</b><span><span>Earned, without bonuses </span><b>400</b><span> from 300</span></span>\
        <span><span>Spent </span><b>120</b><span> from 0</span></span>";
    assert!(chart.contains(readout) && chart.contains("<span>today, not over</span>"), "{chart}");
    let points = |class: &str| {
        let (_, path) = chart.rsplit_once(&format!("<path class=\"line {class}\" d=\"")).unwrap();
        path.split_once('"').unwrap().0.matches(['M', 'L']).count()
    };
    assert_eq!([points("series-1"), points("series-2"), points("before")], [6, 6, 7], "{chart}");
    assert!(open.contains("fill=\"url(#report-plot-open-hatch)\""), "{open}");
    let over = browser.page("/reports/points?from=2026-02-23&until=2026-02-28").await;
    assert!(!over.contains("not over") && over.contains("<b>Saturday, 28 February 2026</b>"), "{over}");
}

#[tokio::test]
async fn a_change_from_a_small_number_is_a_difference() {
    let server = TestServer::with_sample().await;
    server
        .record(&[Act::new("code", 9, "2026-02-20T10:00:00Z"), Act::new("code", 90, "2026-02-27T10:00:00Z")])
        .await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/reports/points?from=2026-02-23&until=2026-03-01").await;
    assert!(page.contains("▲ 81</span> from 9") && !page.contains("900 %"), "{page}");
}

#[tokio::test]
async fn top_gifts_have_their_pictures_and_no_cancelled_orders_and_orders_have_a_line() {
    let server = TestServer::with_sample().await;
    server.award(2_000).await;
    let kept = server.ordered("mug", 1).await;
    let browser = Browser::of(&server, Role::Owner).await;
    let card = async || {
        let page = browser.page("").await;
        let (tiles, rest) = page.split_once("<h2>Top gifts</h2>").unwrap();
        let (_, orders) = tiles.split_once("/reports/products\">Orders</a>").unwrap();
        assert!(orders.split_once("</section>").unwrap().0.contains("class=\"sparkline\""), "{page}");
        rest.split_once("</section>").unwrap().0.to_owned()
    };
    let gifts = card().await;
    assert!(
        gifts.contains("/console/shop/products/mug\"") && gifts.contains("<span class=\"thing\">"),
        "{gifts}"
    );
    let order = browser.page(&format!("/orders/{kept}")).await;
    browser.submit(&order, &format!("/orders/{kept}/cancel"), &[("reason", "Out of stock")]).await;
    let gifts = card().await;
    assert!(
        gifts.contains("Nobody ordered a gift in this time.") && !gifts.contains("/products/mug"),
        "{gifts}"
    );
}

/// The cells of a row of the table.
fn cells(row: &str) -> Vec<i64> {
    let cells = row.split("<td").skip(1).map(|cell| cell.split_once("</td>").unwrap().0);
    let cells = cells.map(|cell| cell.split_once('>').unwrap().1);
    cells.map(|cell| cell.replace(',', "").parse().unwrap_or_default()).collect()
}

#[tokio::test]
async fn the_tiles_and_the_last_line_have_the_sums_of_the_rows_beside_those_before() {
    let server = TestServer::with_sample().await;
    let acts = [
        Act::new("code", 300, "2026-02-20T10:00:00Z"),
        Act::new("quiz", 400, "2026-02-27T10:00:00Z").bonus("campaign", 50, "More"),
        Act::new("order", -120, "2026-02-28T10:00:00Z"),
    ];
    server.record(&acts).await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/reports/points?from=2026-02-23&until=2026-03-01").await;
    let (_, table) = page.split_once("<tbody>").unwrap();
    let (rows, total) = table.split_once("</tbody>").unwrap();
    let rows: Vec<Vec<i64>> = rows.split("<tr>").skip(1).map(cells).collect();
    assert_eq!(rows.len(), 7, "{page}");
    let sums: Vec<i64> = (1..7).map(|column| rows.iter().map(|row| row[column]).sum()).collect();
    assert_eq!(cells(total)[1..7], sums, "{total}");
    assert_eq!(sums[..4], [2, 400, 50, 120], "{page}");
    let tile = |name: &str| {
        let (_, rest) = page.split_once(&format!("<h2>{name}</h2>")).unwrap();
        rest.split_once("</section>").unwrap().0.to_owned()
    };
    for (name, value, before) in [
        ("Earned, without bonuses", "400", "from 300"),
        ("Bonus", "50", "from 0"),
        ("Spent", "120", "from 0"),
        ("Open", "630", "from 300"),
    ] {
        let tile = tile(name);
        assert!(
            tile.contains(&format!("<strong>{value}</strong>")) && tile.contains(before),
            "{name}: {tile}"
        );
    }
    assert!(tile("Earned, without bonuses").contains("▲ 33.3%"), "{page}");
    assert!(page.contains("7 days before") && page.contains("line before"), "{page}");
    // Rows of members have members in common, so they have no sum.
    assert!(!browser.page("/reports/members").await.contains("class=\"tiles\""));
}

#[tokio::test]
async fn what_is_not_counted_yet_is_no_number() {
    let (server, token, faulty) = TestServer::with_faults().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let tile = |page: &str, name: &str| {
        let (_, rest) = page.split_once(&format!(">{name}</a>")).unwrap();
        rest.split_once("</strong>").unwrap().0.rsplit_once('>').unwrap().1.to_owned()
    };
    let scan = async |source: &str| {
        let scan = json!({"type": "code", "source_id": source, "points": 5, "title": "Scan"});
        let recorded = server.post("/v1/manage/users/u7/activities", &token).json(&scan).send().await;
        assert_eq!(recorded.status, 201, "{}", recorded.text());
    };
    scan("s1").await;
    assert_eq!(tile(&browser.page("").await, "Open points"), "5");
    scan("s2").await;
    faulty.fail_next_write(Some(WriteFault::Before(Fault::Unavailable)));
    let page = browser.page("").await;
    for name in ["Open points", "Points earned with bonuses"] {
        assert_eq!(tile(&page, name), "–", "{name}: {page}");
    }
    assert_eq!(tile(&browser.page("").await, "Open points"), "10");
    scan("s3").await;
    faulty.fail_next_write(Some(WriteFault::Before(Fault::Unavailable)));
    let page = browser.page("/reports/points?from=2026-03-01&until=2026-03-01").await;
    assert!(page.contains("Not everything in the ledger is counted yet."), "{page}");
    assert!(page.contains("<td>–</td>") && !page.contains("Your role does not see"), "{page}");
}

#[tokio::test]
async fn an_empty_report_names_no_cause_that_is_not_its_own() {
    let (server, _) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for name in ["campaigns", "reversals"] {
        let page = browser.page(&format!("/reports/{name}")).await;
        assert!(page.contains("There is nothing to report here."), "{name}: {page}");
        assert!(!page.contains("orders fill this report"), "{name}: {page}");
    }
}

#[tokio::test]
async fn a_report_of_days_without_transactions_says_which_days_have_some() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let is_blank =
        |page: &str| !page.contains("<table class=\"figures") && !page.contains("<svg class=\"chart");
    let overview = browser.page("").await;
    assert!(!overview.contains("<svg class=\"sparkline"), "{overview}");
    for report in ["points", "members", "activity-types", "campaigns"] {
        let page = browser.page(&format!("/reports/{report}")).await;
        assert!(page.contains("There are no transactions yet.") && is_blank(&page), "{report}: {page}");
    }
    let (server, _) = with_members().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for report in ["points", "members", "activity-types", "products"] {
        let page = browser.page(&format!("/reports/{report}?from=2025-12-01&until=2025-12-28")).await;
        assert!(is_blank(&page), "{report}: {page}");
        for part in [
            "There are no transactions from 1 December 2025 until 28 December 2025.",
            "The first day with transactions is 1 March 2026, the last is 1 March 2026.",
            &format!("/reports/{report}?until=2026-03-01\""),
        ] {
            assert!(page.contains(part), "{report}: {part}: {page}");
        }
    }
    let page = browser.page("/reports/points").await;
    assert!(!is_blank(&page) && !page.contains("There are no transactions"), "{page}");
}
