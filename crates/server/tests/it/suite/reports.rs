//! `/v1/manage/reports`: what the programme does, as JSON and CSV.

use http::Method;
use pointbook_domain::{Scope, Scopes};
use pointbook_reports::reports::{REPORTS, Span};
use pointbook_testkit::{Fault, WriteFault};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

async fn get(server: &TestServer, token: &str, report: &str) -> Answer {
    server.request(Method::GET, &format!("/v1/manage/reports/{report}"), token).send().await
}

async fn rows(server: &TestServer, token: &str, report: &str) -> Vec<Value> {
    let answer = get(server, token, report).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["meta"]["complete"], true);
    answer.json()["data"].as_array().unwrap().clone()
}

/// A member earns twice with a bonus of a campaign.
async fn with_figures() -> (TestServer, String) {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let tea = json!({"id": "tea", "title": {"en": "Tea week"}, "conditions": {"types": ["code"]}, "reward": {"percent": 50},
        "limits": {"budget": {"points": 500}}});
    server.start_campaign(&token, tea).await;
    for (source, points, at) in [("s1", 100, "2026-02-27T12:00:00Z"), ("s2", 40, "2026-03-01T12:00:00Z")] {
        let body =
            json!({"type": "code", "source_id": source, "points": points, "title": "Scan", "created_at": at});
        let recorded = server.post("/v1/manage/users/u7/activities", &token).json(&body).send().await;
        assert_eq!(recorded.status, 201, "{}", recorded.text());
    }
    (server, token)
}

#[tokio::test]
async fn every_report_has_the_same_rows_in_json_and_csv() {
    let (server, token) = with_figures().await;
    server.award(5_000).await;
    let order = server.ordered("cafe", 2).await;
    let cancelled =
        server.post(&format!("/v1/manage/orders/{order}/cancel"), &token).json(&json!({})).send().await;
    assert_eq!(cancelled.status, 200, "{}", cancelled.text());
    let scan = json!({"type": "code", "source_id": "s3", "points": 8, "title": "Scan"});
    let scan = server.post("/v1/manage/users/u7/activities", &token).json(&scan).send().await.json();
    let path = format!("/v1/manage/users/u7/transactions/{}/reverse", scan["data"]["id"].as_str().unwrap());
    let reversed = server.post(&path, &token).json(&json!({"reason": "mistake"})).send().await;
    assert!(reversed.status.is_success(), "{}", reversed.text());
    for report in REPORTS {
        let objects = rows(&server, &token, report.name).await;
        // No campaign has a control group.
        assert_eq!(objects.is_empty(), report.name == "uplift", "{}", report.name);
        let answer = get(&server, &token, &format!("{}?format=csv", report.name)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
        let name = format!("attachment; filename=\"{}.csv\"", report.name);
        assert_eq!(answer.header("content-disposition"), Some(&*name));
        let text = answer.text();
        let mut lines = csv::Reader::from_reader(text.as_bytes());
        let names: Vec<String> = lines.headers().unwrap().iter().map(str::to_owned).collect();
        for (object, line) in objects.iter().zip(lines.records().map(Result::unwrap)) {
            let members: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
            let mut sorted = names.clone();
            sorted.sort();
            assert_eq!(members, sorted);
            for (name, cell) in names.iter().zip(&line) {
                let value = &object[name.as_str()];
                let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(shown, cell, "{}: {name}", report.name);
            }
        }
        assert_eq!(text.lines().count(), objects.len() + 1, "{}", report.name);
    }
}

/// Operators write titles, and members see to it that they are in a report. A spreadsheet opens the file.
#[tokio::test]
async fn no_text_of_a_file_is_a_formula() {
    let (server, token) = with_figures().await;
    let product = json!({"sku": "+A", "title": "=1+1", "regular_price": 1});
    let put = server.request(Method::PUT, "/v1/manage/products/@bowl", &token).json(&product).send().await;
    assert_eq!(put.status, 201, "{}", put.text());
    server.award(10).await;
    server.ordered("@bowl", 1).await;
    let objects = rows(&server, &token, "products").await;
    assert!(objects.iter().any(|row| row["title"] == "=1+1"), "{objects:?}");
    let file = get(&server, &token, "products?format=csv").await;
    let line = file.text().lines().find(|line| line.contains("bowl")).unwrap();
    assert!(line.contains("'@bowl") && line.contains("'=1+1"), "{line}");
}

#[tokio::test]
async fn points_of_a_day_are_on_its_day_and_show_at_once() {
    let (server, token) = with_figures().await;
    let days = rows(&server, &token, "points?from=2026-02-26&until=2026-03-02").await;
    let column = |name: &str| -> Vec<i64> { days.iter().map(|day| day[name].as_i64().unwrap()).collect() };
    let names: Vec<&str> = days.iter().map(|day| day["day"].as_str().unwrap()).collect();
    assert_eq!(names, ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]);
    assert_eq!(column("earned_points"), [0, 100, 0, 40, 0]);
    assert_eq!(column("bonus_points"), [0, 50, 0, 20, 0]);
    let campaigns = rows(&server, &token, "campaigns").await;
    let expected =
        json!({"campaign": "tea", "title": "Tea week", "awards": 2, "points": 70, "new_members": 1});
    assert_eq!(campaigns, [expected]);
    let days = rows(&server, &token, "campaign-days?from=2026-03-01").await;
    let expected = json!({
        "day": "2026-03-01", "campaign": "tea", "awards": 1, "points": 20, "new_members": 0, "points_so_far": 70, "budget_points": 500,
    });
    assert_eq!(days, [expected]);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn the_meta_of_a_report_says_what_it_covers() {
    let (server, token) = with_figures().await;
    for report in REPORTS {
        let meta = get(&server, &token, report.name).await.json()["meta"].clone();
        let mut expected = json!({"report": report.name, "time_zone": "UTC", "complete": true});
        if report.span == Span::Days {
            expected["from"] = json!("2026-02-02");
            expected["until"] = json!("2026-03-01");
        }
        assert_eq!(meta, expected);
    }
}

#[tokio::test]
async fn wrong_days_are_refused() {
    let (server, token) = with_figures().await;
    for (query, field, code) in [
        ("from=yesterday", "from", "not_a_date"),
        ("until=2026-02-30", "until", "not_a_date"),
        ("from=2026-03-02&until=2026-03-01", "until", "out_of_range"),
        ("from=2025-01-01&until=2026-02-05", "until", "out_of_range"),
        ("format=xlsx", "format", "invalid_choice"),
    ] {
        let answer = get(&server, &token, &format!("points?{query}")).await;
        assert_eq!(answer.status, 422, "{query}: {}", answer.text());
        assert_eq!(answer.json()["codes"][field], json!([code]), "{query}: {}", answer.text());
    }
    assert_eq!(get(&server, &token, "points?from=2025-01-01&until=2026-02-04").await.status, 200);
    assert_eq!(get(&server, &token, "profit").await.status, 404);
}

#[tokio::test]
async fn a_report_needs_its_scope() {
    let (server, _) = with_figures().await;
    let key = async |scope| server.issue_key(Scopes::new([scope]).unwrap(), "").await;
    let (reports, orders) = (key(Scope::ReportsRead).await, key(Scope::OrdersRead).await);
    assert_eq!(get(&server, &reports, "points").await.status, 200);
    assert_eq!(get(&server, &orders, "points").await.status, 403);
    assert_eq!(get(&server, &reports, "earners").await.status, 403, "it names members");
    assert_eq!(get(&server, &key(Scope::UsersRead).await, "earners").await.status, 200);
}

/// A scan at 23:30 UTC is on the next day in Berlin.
#[tokio::test]
async fn another_time_zone_moves_the_days() {
    let (server, token) = TestServer::with_back_office().await;
    let body = json!({
        "type": "code", "source_id": "s1", "points": 7, "title": "Scan", "created_at": "2026-02-27T23:30:00Z",
    });
    server.post("/v1/manage/users/u7/activities", &token).json(&body).send().await;
    for (zone, expected) in
        [("UTC", "2026-02-27"), ("Europe/Berlin", "2026-02-28"), ("America/Lima", "2026-02-27")]
    {
        server.set("time_zone", zone).await;
        let mut days = rows(&server, &token, "points").await;
        days.retain(|day| day["earned_points"] == 7);
        let days: Vec<&Value> = days.iter().map(|day| &day["day"]).collect();
        assert_eq!(days, [&json!(expected)], "{zone}");
    }
}

/// A read needs no write. But a file cannot say that it is not complete.
#[tokio::test]
async fn figures_that_are_not_the_newest_are_shown_as_such() {
    let (server, token, faulty) = TestServer::with_faults().await;
    let scan = async |source: &str| {
        let body = json!({"type": "code", "source_id": source, "points": 5, "title": "Scan"});
        let recorded = server.post("/v1/manage/users/u7/activities", &token).json(&body).send().await;
        assert_eq!(recorded.status, 201, "{}", recorded.text());
    };
    let shown = async || {
        let answer = get(&server, &token, "vintages").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        (answer.json()["data"][0]["open_points"].clone(), answer.json()["meta"]["complete"].clone())
    };
    scan("s1").await;
    assert_eq!(shown().await, (json!(5), json!(true)));
    scan("s2").await;
    faulty.fail_next_write(Some(WriteFault::Before(Fault::Unavailable)));
    assert_eq!(shown().await, (json!(5), json!(false)));
    faulty.fail_next_write(Some(WriteFault::Before(Fault::Unavailable)));
    let file = get(&server, &token, "vintages?format=csv").await;
    assert_eq!((file.status.as_u16(), file.header("retry-after")), (503, Some("1")));
    assert_eq!(shown().await, (json!(10), json!(true)));
}
