//! `pointbook report`.

use serde_json::{Value, json};

use crate::program::Folder;

const DAYS: &str = "--from 2026-03-01 --until 2026-03-02";

/// A tenant whose members earned on two days.
fn with_points() -> Folder {
    let folder = Folder::with_tenant();
    let rows = "user_id,type,source_id,points,title,created_at
ann,code,s-1,30,Scan,2026-03-01T10:00:00Z
ben,code,s-1,12,Scan,2026-03-02T10:00:00Z
ann,quiz,s-2,5,=1+1,2026-03-02T10:00:00Z
";
    folder.write("activities.csv", rows);
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    folder
}

fn print(folder: &Folder, options: &str) -> String {
    folder.run(&format!("report {options} --tenant acme")).expect_code(0).stdout
}

#[test]
fn a_report_is_a_table_or_csv_or_json() {
    let folder = with_points();
    let table = print(&folder, &format!("members {DAYS}"));
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("DAY         NEW MEMBERS  ACTIVE MEMBERS  ACTIVE 7 DAYS"), "{table}");
    assert!(lines[1].starts_with("2026-03-01  1            1               1"), "{table}");
    let csv = print(&folder, &format!("points {DAYS} --csv"));
    let days: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(days, ["2026-03-01,1,30,0,0,0,0,0,30,0", "2026-03-02,2,17,0,0,0,0,0,47,0"]);
    let json: Value =
        serde_json::from_str(&print(&folder, &format!("activity-types {DAYS} --json"))).unwrap();
    assert_eq!(json["data"][0]["type"], "code");
    let meta = json!({
        "report": "activity-types", "from": "2026-03-01", "until": "2026-03-02", "time_zone": "UTC", "complete": true,
    });
    assert_eq!(json["meta"], meta);
}

/// On the first day, no point was spent; on the second, some of both days.
#[test]
fn a_table_of_points_ends_with_the_total_and_its_percentage() {
    let folder = with_points();
    folder.write(
        "orders.csv",
        "user_id,type,source_id,points,title,created_at\nann,order,o-1,-20,Order,2026-03-02T11:00:00Z\n",
    );
    folder.run("import activities orders.csv --tenant acme").expect_code(0);
    let cells = |options: &str, line: usize| -> Vec<String> {
        let table = print(&folder, options);
        table.lines().nth(line).unwrap().split_whitespace().map(str::to_owned).collect()
    };
    let points = format!("points {DAYS}");
    assert_eq!(cells(&points, 2).last().unwrap(), "118", "20 of the 17 points of the day");
    assert_eq!(cells(&points, 3), ["TOTAL", "4", "47", "0", "20", "0", "0", "0", "-", "43"]);
    let types = cells(&format!("activity-types {DAYS}"), 4);
    assert_eq!(types, ["TOTAL", "4", "47", "0", "20", "0", "0", "0"]);
    assert_eq!(cells("vintages", 2), ["TOTAL", "47", "20", "0", "0", "27", "43", "0"]);
    assert_eq!(print(&folder, &format!("members {DAYS}")).lines().count(), 3, "members are in several rows");
    assert_eq!(print(&folder, &format!("{points} --csv")).lines().count(), 3, "a file has only the rows");
}

#[test]
fn days_without_transactions_say_which_days_have_some() {
    let folder = with_points();
    let hint = |options: &str| folder.run(&format!("report {options} --tenant acme")).expect_code(0).stderr;
    let expected = "no transactions from 2026-02-01 until 2026-02-02: the first day with transactions is 2026-03-01, the last is 2026-03-02\n";
    for form in ["", " --csv", " --json"] {
        assert_eq!(hint(&format!("points --from 2026-02-01 --until 2026-02-02{form}")), expected);
    }
    assert_eq!(hint(&format!("points {DAYS}")), "");
    assert_eq!(hint("vintages"), "");
    let empty = Folder::with_tenant();
    let none = empty.run("report points --tenant acme").expect_code(0);
    assert_eq!(none.stderr, "the tenant has no transactions\n");
}

#[test]
fn days_to_come_are_refused() {
    let folder = with_points();
    for options in ["--from 9990-01-01", "--until 9990-01-01", "--from 9990-01-01 --json"] {
        let refused = folder.run(&format!("report points {options} --tenant acme")).expect_code(2);
        assert!(refused.stderr.contains("is in the future: today is "), "{refused:?}");
        assert!(refused.stderr.contains("in the time zone UTC of the tenant"), "{refused:?}");
        assert_eq!(refused.stdout, "");
    }
}

#[test]
fn counting_again_gives_the_same() {
    let folder = with_points();
    let before = print(&folder, "vintages --csv");
    assert_eq!(before.lines().nth(1), Some("2026-03,47,0,0,0,47,0,0"));
    assert_eq!(print(&folder, "vintages --csv --rebuild"), before);
    let audit = folder.run("audit --tenant acme").expect_code(0).stdout;
    assert!(audit.contains("0 differences"), "{audit}");
}

#[test]
fn a_formula_gets_an_apostrophe_for_spreadsheets() {
    let folder = with_points();
    folder.write(
        "users.csv",
        "user_id,type,source_id,points,title,created_at\n=ann,code,s-9,7,Scan,2026-03-01T10:00:00Z\n",
    );
    folder.run("import activities users.csv --tenant acme").expect_code(0);
    let line = |options: &str| {
        let csv = print(&folder, &format!("earners {DAYS} --csv{options}"));
        csv.lines().last().unwrap().to_owned()
    };
    assert_eq!((line("").as_str(), line(" --excel-safe").as_str()), ("=ann,7,0,1,0", "'=ann,7,0,1,0"));
}

#[test]
fn wrong_arguments_are_named() {
    let folder = Folder::with_tenant();
    for (options, message) in [
        ("profit --tenant acme", "[possible values: points, activity-types,"),
        ("vintages --tenant acme --from 2026-03-01", "the report vintages is of all time"),
        ("points --tenant acme --from yesterday", "\"yesterday\" is no day such as 2026-05-04"),
        (
            "points --tenant acme --from 2026-03-02 --until 2026-03-01",
            "--until must not be before the first day",
        ),
        (
            "points --tenant acme --from 2020-01-01 --until 2026-03-01",
            "--until must be at most 399 days after the first day",
        ),
    ] {
        let refused = folder.run(&format!("report {options}")).expect_code(2);
        assert!(refused.stderr.contains(message), "{refused:?}");
    }
}
