//! `pointbook campaign`, and imports that campaigns add bonuses to.

use serde_json::{Value, json};

use crate::postgres::PostgresFixture;
use crate::program::{Ended, Folder};

const DOUBLE: &str = r#"{
  "id": "double",
  "title": {"en": "Double points", "de": "Doppelte Punkte"},
  "conditions": {"types": ["code"], "attributes": {"sku": ["GT-1"]}},
  "reward": {"percent": 100}
}"#;

/// A folder with the tenant `acme` and the file `double.json`.
fn folder() -> Folder {
    let folder = Folder::with_tenant();
    folder.write("double.json", DOUBLE);
    folder
}

/// The time at which a version takes over, as a step prints it.
fn takes_over_at(ended: &Ended) -> String {
    let (_, time) = ended.stdout.trim_end().split_once(" takes over at ").unwrap();
    time.to_owned()
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Runs a campaign from its draft to the archive. `run` runs a command on a database with the tenant `acme`.
fn assert_lives(folder: &Folder, run: impl Fn(&str) -> Ended) {
    let list = |options: &str| run(&format!("campaign list --tenant acme{options}")).expect_code(0);
    let step = |name: &str| run(&format!("campaign {name} double --tenant acme")).expect_code(0);
    let put = |file: &str| run(&format!("campaign put {file} --tenant acme")).expect_code(0).stdout;
    assert!(list("").stderr.contains("acme/production has no campaign"));
    assert_eq!(put("double.json"), "double.json: double: created as a draft\n");
    assert_eq!(put("double.json"), "double.json: double: unchanged\n");
    let row = list("").stdout.lines().nth(1).unwrap().to_owned();
    assert!(row.starts_with("double  draft  1        2") && row.ends_with("Z  Double points"), "{row}");
    assert!(step("schedule").stdout.starts_with("double: version 2 (scheduled) takes over at 2"));

    let shown = run("campaign show double --tenant acme").expect_code(0).stdout;
    assert!(
        shown.starts_with("{\n  \"id\": \"double\",\n  \"kind\": \"campaign\",\n  \"title\": {"),
        "{shown}"
    );
    folder.write("shown.json", &shown);
    assert_eq!(put("shown.json"), "shown.json: double: unchanged\n");
    folder.write("shown.json", &shown.replace("\"percent\": 100", "\"percent\": 50"));
    let put_again = put("shown.json");
    assert!(put_again.starts_with("shown.json: double: version 3 takes over at 2"), "{put_again}");
    assert!(run("campaign show double --tenant acme").stdout.contains("\"percent\": 50"));
    while !list("").stdout.contains("double  running  3 ") {}

    assert!(step("pause").stdout.starts_with("double: version 4 (paused) takes over at "));
    assert!(step("resume").stdout.starts_with("double: version 5 (scheduled) takes over at "));
    assert!(step("end").stdout.starts_with("double: version 6 (ended) takes over at "));
    assert!(step("archive").stdout.starts_with("double: version 7 (archived) takes over at "));
    while list("").stdout.contains("double") {}
    let archived = object(&list(" --archived --json").stdout);
    assert_eq!((&archived[0]["id"], &archived[0]["state"]), (&json!("double"), &json!("archived")));
    assert_eq!(archived[0]["definition"]["reward"], json!({ "percent": 50, "at_most": null }));
    assert_versions(run);
}

/// Each step of [`assert_lives`] added a version.
fn assert_versions(run: impl Fn(&str) -> Ended) {
    let versions = object(&run("campaign versions double --tenant acme --json").expect_code(0).stdout);
    let states: Vec<_> = versions.as_array().unwrap().iter().map(|version| &version["state"]).collect();
    assert_eq!(states, ["draft", "active", "active", "paused", "active", "ended", "archived"]);
    assert_eq!(versions[0]["created_by"], "command-line");
    assert_eq!(versions[0]["definition"]["reward"]["percent"], 100);
    let table = run("campaign versions double --tenant acme").stdout;
    assert!(table.starts_with("VERSION  STATE     FROM ") && table.lines().count() == 8, "{table}");
}

#[test]
fn a_campaign_goes_from_its_draft_to_the_archive() {
    let folder = folder();
    assert_lives(&folder, |line| folder.run(line));
    let exported = folder.run("audit-log export --tenant acme").expect_code(0).stdout;
    let entries = exported.lines().map(object).filter(|entry| entry["object"] == "campaign:double");
    let operations: Vec<_> = entries.map(|entry| entry["operation"].as_str().unwrap().to_owned()).collect();
    let expected = ["put", "schedule", "put", "pause", "resume", "end", "archive"];
    assert_eq!(operations, expected.map(|name| format!("campaign.{name}")));
}

#[tokio::test]
async fn a_campaign_on_postgres_goes_from_its_draft_to_the_archive() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    fixture.run("migrate").expect_code(0);
    fixture.run("tenant add acme --environment production --base-url http://acme.example/api").expect_code(0);
    fixture.folder.write("double.json", DOUBLE);
    assert_lives(&fixture.folder, |line| fixture.run(line));
}

#[test]
fn every_fault_of_every_file_is_named_and_nothing_is_written() {
    let folder = folder();
    folder.write(
        "bad.json",
        r#"{"id": "A B", "title": {"de": "Zwei"}, "colour": "red",
            "conditions": {"hours": [{"from": "25:00", "until": "26:00"}]}, "reward": {"percent": 1.5}}"#,
    );
    folder.write("cut.json", "{\n  \"id\": \"cut\",\n");
    folder.write("same.json", DOUBLE);
    folder
        .run("campaign put double.json bad.json cut.json none.json same.json --tenant acme")
        .expect_refusal(&[
            "bad.json: colour ",
            "bad.json: id must have 1 to 64 characters of a-z, 0-9, _ and -, got \"A B\"",
            "bad.json: title.en is required",
            "bad.json: conditions.hours.0.from must be ",
            "bad.json: conditions.hours.0.until must be ",
            "bad.json: reward.percent must be an integer, got 1.5",
            "cut.json: line 3, column 1: The file ends before the JSON value does.",
            "none.json: cannot read it: No such file or directory",
            "same.json: id double is the id in double.json too",
            "nothing was written",
        ]);
    let refused = folder.run_with_input("campaign put - --tenant acme", "");
    refused
        .expect_refusal(&["the standard input: line 1, column 1: The file is empty.", "nothing was written"]);
    assert!(!folder.run("campaign list --tenant acme").stdout.contains("double"));
    let written = folder.run_with_input("campaign put - --tenant acme", DOUBLE).expect_code(0);
    assert_eq!(written.stdout, "the standard input: double: created as a draft\n");
}

#[test]
fn a_warning_does_not_keep_a_campaign_from_being_written() {
    let folder = folder();
    folder.write("dance.json", &DOUBLE.replace("double", "dance").replace("\"code\"", "\"dance\""));
    let written = folder.run("campaign put double.json dance.json --tenant acme").expect_code(0);
    assert_eq!(
        written.stdout,
        "double.json: double: created as a draft\ndance.json: dance: created as a draft\n"
    );
    assert_eq!(written.stderr, "dance.json: warning: the tenant has no activity type dance\n");
}

#[test]
fn an_impossible_step_is_refused() {
    let folder = folder();
    folder.run("campaign put double.json --tenant acme").expect_code(0);
    let resumed = folder.run("campaign resume double --tenant acme");
    resumed.expect_refusal(&["double: the campaign is draft, so the step resume is impossible"]);
    let later = folder.run("campaign schedule double --tenant acme --at 2090-01-31T09:00:00+01:00");
    assert_eq!(takes_over_at(&later.expect_code(0)), "2090-01-31T08:00:00.000000Z");
    folder.write("double.json", &DOUBLE.replace("100", "50"));
    let put = folder.run("campaign put double.json --tenant acme");
    put.expect_refusal(&["double.json: another version takes over at 2090-01-31T08:00:00.000000Z"]);
    let at = folder.run("campaign put double.json --tenant acme --at 2091-01-01T00:00:00Z").expect_code(0);
    assert_eq!(takes_over_at(&at), "2091-01-01T00:00:00.000000Z");
    for line in ["put double.json", "pause double"] {
        folder.write("double.json", &DOUBLE.replace("100", "60"));
        let past = folder.run(&format!("campaign {line} --tenant acme --at 2020-01-01T00:00:00Z"));
        past.expect_refusal(&["a version must not take over in the past"]);
    }
    let other = folder.run("campaign end other --tenant acme").expect_code(1);
    assert_eq!(other.stderr, "acme/production has no campaign other\n");
    folder.run("campaign show other --tenant acme").expect_code(1);
    for line in ["end Other --tenant acme", "end double --tenant acme --at tomorrow"] {
        let refused = folder.run(&format!("campaign {line}")).expect_code(2);
        assert!(refused.stderr.contains("must "), "{refused:?}");
    }
}

/// Writes `activities.csv`: four activities of Ann at this time, with and without own bonuses and the attribute of the campaign.
fn write_activities(folder: &Folder, at: &str) {
    let tea = r#""{""sku"":""GT-1"",""store"":""tokyo""}""#;
    let own = r#""[{""type"":""welcome"",""points"":7,""title"":""Hi""}]""#;
    let rows = [("1", "", tea), ("2", "", ""), ("3", "[]", tea), ("4", own, tea)];
    let rows = rows.map(|(source, bonuses, attributes)| {
        format!("ann,code,{source},10,{bonuses},Scan,{at},{attributes}\n")
    });
    let header = "user_id,type,source_id,points,bonus_breakdown,title,created_at,attributes\n";
    folder.write("activities.csv", &format!("{header}{}", rows.concat()));
}

/// Each exported activity of a tenant: its source, its bonuses and its attributes.
fn exported(folder: &Folder, tenant: &str) -> Vec<Value> {
    let line = format!("export activities --tenant {tenant} --format jsonl");
    let exported = folder.run(&line).expect_code(0).stdout;
    let of_row = |row: Value| json!([row["source_id"], row["bonus_breakdown"], row["attributes"]]);
    exported.lines().map(|line| of_row(object(line))).collect()
}

#[test]
fn campaigns_add_bonuses_to_an_import_that_asks_for_them() {
    let folder = folder();
    folder.run("campaign put double.json --tenant acme").expect_code(0);
    let scheduled = folder.run("campaign schedule double --tenant acme").expect_code(0);
    write_activities(&folder, &takes_over_at(&scheduled));
    let import = "import activities activities.csv --tenant acme";
    let applied = folder.run(&format!("{import} --apply-rules")).expect_code(0);
    assert_eq!(applied.stdout, "activities: 4 read, 4 recorded, 0 skipped, 0 rejected\n");
    let tea = json!({ "sku": "GT-1", "store": "tokyo" });
    let double = json!([{ "type": "campaign", "points": 10, "title": "Double points" }]);
    let own = json!([{ "type": "welcome", "points": 7, "title": "Hi" }]);
    let expected =
        [json!(["1", double, tea]), json!(["2", [], {}]), json!(["3", [], tea]), json!(["4", own, tea])];
    assert_eq!(exported(&folder, "acme"), expected);
    for line in [format!("{import} --apply-rules"), import.to_owned()] {
        let again = folder.run(&line).expect_code(0);
        assert_eq!(again.stdout, "activities: 4 read, 0 recorded, 4 skipped, 0 rejected\n");
    }
    assert_eq!(exported(&folder, "acme"), expected);
    folder.run("audit").expect_code(0);
}

/// Of activities of the same time, the first line spends it first.
#[test]
fn an_import_spends_a_budget_in_the_order_of_time() {
    let folder = folder();
    let capped = r#"{"id": "capped", "title": {"en": "Capped"}, "reward": {"points": 5}, "limits": {"budget": {"awards": 2}}}"#;
    folder.write("capped.json", capped);
    folder.run("campaign put capped.json --tenant acme").expect_code(0);
    let at = takes_over_at(&folder.run("campaign schedule capped --tenant acme").expect_code(0));
    let later = at.replace('Z', "-00:01");
    let row = |(user, at): (&str, &str)| format!("{user},code,1,10,Scan,{at}\n");
    let rows = [("ann", &*later), ("zoe", &*at), ("ben", &*at), ("bea", &*at)].map(row).concat();
    folder.write("activities.csv", &format!("user_id,type,source_id,points,title,created_at\n{rows}"));
    folder.run("import activities activities.csv --tenant acme --apply-rules").expect_code(0);
    let export = folder.run("export activities --tenant acme --format jsonl").expect_code(0).stdout;
    let rows: Vec<Value> = export.lines().map(object).collect();
    let bonuses = |row: &Value| row["bonus_breakdown"].as_array().map(Vec::len);
    let paid = rows.iter().filter(|row| bonuses(row) == Some(1)).map(|row| row["user_id"].as_str());
    assert!(paid.eq([Some("ben"), Some("zoe")]), "{export}");
}

#[test]
fn campaigns_add_nothing_to_an_import_that_does_not_ask() {
    let folder = folder();
    folder.run("campaign put double.json --tenant acme").expect_code(0);
    let scheduled = folder.run("campaign schedule double --tenant acme").expect_code(0);
    write_activities(&folder, &takes_over_at(&scheduled));
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    assert_eq!(exported(&folder, "acme")[0][1], json!([]));
    for kind in ["users", "products", "categories"] {
        let refused = folder.run(&format!("import {kind} activities.csv --tenant acme --apply-rules"));
        refused.expect_refusal(&["--apply-rules works only for activities; nothing was imported"]);
    }
}

#[test]
fn attributes_survive_an_export_and_an_import() {
    let folder = folder();
    folder.run("tenant add acme --environment staging --base-url http://staging.example/api").expect_code(0);
    write_activities(&folder, "2026-01-01T00:00:00Z");
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    let before = exported(&folder, "acme");
    assert_eq!(before[0][2], json!({ "sku": "GT-1", "store": "tokyo" }));
    for (name, counts) in [("a.csv", "4 recorded, 0 skipped"), ("a.jsonl", "0 recorded, 4 skipped")] {
        folder.run(&format!("export activities --tenant acme --output {name}")).expect_code(0);
        let imported = folder.run(&format!("import activities {name} --tenant acme/staging")).expect_code(0);
        assert_eq!(imported.stdout, format!("activities: 4 read, {counts}, 0 rejected\n"));
    }
    assert_eq!(exported(&folder, "acme/staging"), before);
}
