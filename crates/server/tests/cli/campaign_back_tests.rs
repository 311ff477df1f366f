//! `pointbook campaign back-test`.

use serde_json::{Value, json};

use crate::program::{Ended, Folder};

/// A folder with the draft `double`, which doubles the points of tea, and three activities of Ann in January.
fn folder() -> Folder {
    let folder = Folder::with_tenant();
    folder.write(
        "double.json",
        r#"{"id": "double", "title": {"en": "Double"}, "conditions": {"attributes": {"sku": ["GT-1"]}},
            "reward": {"percent": 100}, "limits": {"per_user": [{"period": "month", "points": 15}]}}"#,
    );
    folder.run("campaign put double.json --tenant acme").expect_code(0);
    folder.write(
        "activities.csv",
        "user_id,type,source_id,points,bonus_breakdown,title,created_at,attributes\n\
         ann,code,1,10,,Scan,2026-01-05T12:00:00Z,\"{\"\"sku\"\":\"\"GT-1\"\"}\"\n\
         ann,code,2,10,,Scan,2026-01-06T12:00:00Z,\"{\"\"sku\"\":\"\"GT-1\"\"}\"\n\
         ann,code,3,10,,Scan,2026-01-06T12:00:00Z,\n",
    );
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    folder
}

fn test(folder: &Folder, options: &str) -> Ended {
    folder.run(&format!("campaign back-test double --tenant acme {options}"))
}

const YEAR: &str = "--from 2026-01-01T00:00:00Z --until 2027-01-01T01:00:00+01:00";

#[test]
fn a_back_test_prints_what_a_campaign_would_have_given() {
    let folder = folder();
    let tested = test(&folder, YEAR).expect_code(0);
    assert_eq!(tested.stderr, "");
    let (sums, rows) = tested.stdout.split_once("DIFFERING TRANSACTION").unwrap();
    let expected = "\
double: version 1, from 2026-01-01T00:00:00.000000Z until 2027-01-01T00:00:00.000000Z

activities            3
awards                2
points                15
users                 1
clipped awards        1
paid awards           0
paid points           0
due awards            2
due points            15
differing activities  2

DAY         AWARDS  POINTS
2026-01-05  1       10
2026-01-06  1       5

TOP USER  AWARDS  POINTS
ann       2       15

";
    assert_eq!(sums, expected);
    assert_eq!(rows.lines().count(), 3, "{rows}");
    let shown = folder.run("campaign list --tenant acme").stdout;
    assert!(shown.contains("double  draft"), "nothing changed: {shown}");
}

#[test]
fn the_json_of_a_back_test_is_the_result_of_the_api() {
    let folder = folder();
    let line = "--from 2026-01-06T00:00:00Z --until 2026-01-07T00:00:00Z --version 1 --json";
    let tested = test(&folder, line).expect_code(0).stdout;
    assert!(
        tested.starts_with("{\n  \"activities\": 2,\n  \"awards\": 1,\n"),
        "in the documented order: {tested}"
    );
    let mut result: Value = serde_json::from_str(&tested).unwrap();
    assert!(result["differing_rows"][0]["transaction_id"].take().is_string());
    let expected = json!({
        "activities": 2, "awards": 1, "points": 10, "users": 1, "clipped": 0,
        "days": [{"day": "2026-01-06", "awards": 1, "points": 10}],
        "top_users": [{"user_id": "ann", "awards": 1, "points": 10}],
        "paid": {"awards": 0, "points": 0},
        "due": {"awards": 1, "points": 10},
        "differing": 1,
        "differing_rows": [{"user_id": "ann", "transaction_id": null, "simulated": 10, "paid": 0}],
    });
    assert_eq!(result, expected);
}

#[test]
fn a_back_test_without_awards_has_no_tables() {
    let folder = folder();
    let tested = test(&folder, "--from 2025-01-01T00:00:00Z --until 2026-01-01T00:00:00Z").expect_code(0);
    assert!(tested.stdout.ends_with("differing activities  0\n"), "{tested:?}");
}

#[test]
fn what_cannot_be_tested_is_named() {
    let folder = folder();
    let version = test(&folder, &format!("{YEAR} --version 7")).expect_code(1);
    assert_eq!(version.stderr, "double has no version 7: the newest one is 1\n");
    let other = folder.run(&format!("campaign back-test other --tenant acme {YEAR}")).expect_code(1);
    assert_eq!(other.stderr, "acme/production has no campaign other\n");
    for (bounds, rule) in [
        ("--from 2026-02-01T00:00:00Z --until 2026-01-01T00:00:00Z", "--until must be after from"),
        ("--from 2026-02-01T00:00:00Z --until 2026-02-01T00:00:00Z", "--until must be after from"),
        (
            "--from 1980-01-01T00:00:00Z --until 2026-01-01T00:00:00Z",
            "--until must be at most 40 years after from",
        ),
    ] {
        test(&folder, bounds).expect_refusal(&[rule]);
    }
    for (bounds, rule) in [
        (
            "--from yesterday --until 2026-02-01T00:00:00Z",
            "must be a date and a time with seconds and an offset",
        ),
        ("--from 2026-01-01T00:00:00Z", "--until <TIME>"),
        (&format!("{YEAR} --version 0"), "0 is not in 1.."),
    ] {
        let refused = test(&folder, bounds).expect_code(2);
        assert!(refused.stderr.contains(rule), "{refused:?}");
    }
}
